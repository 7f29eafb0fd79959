"""An event as one JSON-able archive, format 2 (docs/archive.md)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from scoring.domain.season import PLAIN
from tourney.domain import swiss
from tourney.models import Entrant, Event, Fleet, JournalEntry, PlayerReport, Seat, SheetCheck, TokenLine, Wish
from tourney.models.fleets import readable_sheet
from tourney.models.play import SIDES
from tourney.queries.journal_chain import head_of
from tourney.queries.matches import MatchState, PenaltyState, RollOffState, RoundState
from tourney.queries.snapshot import repeatable_read
from tourney.queries.state import EventState, state_of
from tourney.runtime.json_shapes import instant

FORMAT = "flagship-event"
VERSION = 2
RESULT_FIELDS = (
    "version ending out condition condition_side sp_left_a sp_left_b tallies_a tallies_b "
    "adjustment_a adjustment_b ruling sp_ruling entered_by"
).split()


@dataclass(frozen=True, slots=True)
class AtSeats:
    """By match and side: the sheet that played; what was said of the opponent's, of the match, and to the desk."""

    played: Mapping[tuple[int, str], object]
    checks: Mapping[tuple[int, str], SheetCheck]
    reports: Mapping[tuple[int, str], PlayerReport]
    wishes: Mapping[tuple[int, str], list[Wish]]


def archive_of(event: Event) -> dict[str, object]:
    """Everything needed to rebuild the event as it stands at one moment: facts only, nothing computed.

    That of a rehearsal says so, and no store takes it.
    """
    with repeatable_read():
        event = Event.objects.with_context().get(pk=event.pk)
        state = state_of(event)
        flying = Fleet.objects.filter(entrant__event=event)
        fleets = {row.entrant_id: row for row in flying if row.entrant_id is not None}
        said = _said(event)
        ledger = list(TokenLine.objects.filter(event=event).select_related("entrant"))
        journal = list(JournalEntry.objects.filter(event=event))
        head = head_of(event.store)
    mark = {"rehearsal": True} if event.store.rehearsal_id else {}
    return {
        "format": FORMAT,
        "version": VERSION,
        **mark,
        "event": _event(event),
        "pack": event.pack.data,
        "entrants": [_entrant(entrant, fleets.get(entrant.pk)) for entrant in state.entrants],
        "rounds": [_round(state, round, said) for round in state.rounds],
        "token": [token_line(row) for row in ledger],
        "journal": [_entry(entry) for entry in journal],
        **_left_out(state, fleets),
        **({"history": head.as_data()} if head else {}),
    }


def _left_out(state: EventState, fleets: Mapping[int, Fleet]) -> dict[str, object]:
    """What the archive says of fleets that it does not hold, since nobody can read them."""
    unreadable = [one for one in state.entrants if one.pk in fleets and fleets[one.pk].readable_sheet is None]
    left_out = [f"The fleet of {one.player.name} can’t be read, so it isn’t in this archive." for one in unreadable]
    return {"left_out": left_out} if left_out else {}


def _event(event: Event) -> dict[str, object]:
    return {
        "slug": event.slug,
        "name": event.name,
        "campaign": event.campaign.storyline,
        "season_rules": None if event.campaign.season_rules == PLAIN else asdict(event.campaign.season_rules),
        "sp_limit": event.sp_limit,
        "rounds_planned": event.rounds_planned,
        "minutes": event.minutes,
        "starts_at": instant(event.starts_at),
        "registration_open": event.registration_open,
        "fleets_shown": event.fleets_shown,
        "fleets_must_be_legal": event.fleets_must_be_legal,
        "fleets_recorded": event.fleets_recorded,
        "reported_by": event.reported_by,
        "accept_after": event.accept_after,
        "description": event.description,
        "address": event.address,
        "ends": event.ends.isoformat("minutes") if event.ends else None,
        "entry_fee": event.entry_fee,
        "bring": event.bring,
        "break_minutes": event.break_minutes,
        "shop_link": event.shop_link,
        "places": event.places,
        "sign_up_closes_at": instant(event.sign_up_closes_at),
        "checks_in_by_phone": event.checks_in_by_phone,
        "prizes": event.prizes,
        "tables": event.tables,
        "other_tables": event.other_tables,
        "finished_at": instant(event.finished_at),
        "canceled_at": instant(event.canceled_at),
        "moved_from": instant(event.moved_from),
    }


def _entrant(entrant: Entrant, fleet: Fleet | None) -> dict[str, object]:
    return {
        "number": entrant.number,
        "name": entrant.player.name,
        "faction": entrant.faction,
        "plays_without": entrant.plays_without,
        "checked_in": entrant.checked_in,
        "dropped_from": entrant.dropped_from,
        "registered_at": instant(entrant.registered_at),
        "by_self": entrant.by_self,
        "paid": entrant.paid,
        "place_released": entrant.place_released,
        "fleet": _fleet(fleet) if fleet and fleet.readable_sheet is not None else None,
    }


def _fleet(fleet: Fleet) -> dict[str, object]:
    return {"name": fleet.name, "sheet": fleet.data, "rulings": fleet.rulings, "unlocked": fleet.unlocked}


def _round(state: EventState, round: RoundState, said: AtSeats) -> dict[str, object]:
    row = round.row
    return {
        "number": row.number,
        "state": row.state,
        "seed": row.seed,
        "relaxed": [swiss.sayable(reason, state.names).as_data() for reason in row.relaxed_rules],
        "by_hand": row.manual_reason,
        "published_at": instant(row.published_at),
        "closed_at": instant(row.closed_at),
        "ends_at": instant(row.ends_at),
        "paused_left": row.paused_seconds_left,
        "matches": [_match(match, said) for match in round.matches],
        "penalties": [_penalty(penalty) for penalty in round.penalties],
        "roll_offs": [_roll_off(r) for r in state.roll_offs if r.row.round_id == row.pk],
    }


def _match(match: MatchState, said: AtSeats) -> dict[str, object]:
    result = None
    if match.result:
        result = {name: getattr(match.result, name) for name in RESULT_FIELDS}
        result["entered_at"] = instant(match.result.entered_at)
    seats = [(match.row.pk, side) for side, _ in zip(SIDES, match.numbers, strict=False)]
    return {
        "table": match.table,
        "moved_from": match.row.moved_from,
        "seats": list(match.numbers),
        "destroyed": [sorted(lines) for lines in match.destroyed],
        "played": [said.played.get(seat) for seat in seats],
        "checks": [_check(said.checks.get(seat)) for seat in seats],
        "reports": [_report(said.reports.get(seat)) for seat in seats],
        "wishes": [[_wish(wish) for wish in said.wishes.get(seat, ())] for seat in seats],
        "reason": swiss.sayable(match.row.reason, match.names).as_data(),
        "by_hand": match.row.manual_reason,
        "result": result,
    }


def _said(event: Event) -> AtSeats:
    wishes_at: defaultdict[tuple[int, str], list[Wish]] = defaultdict(list)
    for wish in Wish.objects.filter(seat__round__event=event).select_related("seat"):
        wishes_at[wish.seat.match_id, wish.seat.side].append(wish)
    said = SheetCheck.objects.filter(seat__round__event=event).select_related("seat")
    checks = {(check.seat.match_id, check.seat.side): check for check in said}
    told = PlayerReport.objects.filter(seat__round__event=event).select_related("seat")
    reports = {(report.seat.match_id, report.seat.side): report for report in told}
    sheets = Seat.objects.filter(round__event=event).sheets("match", "side")
    played = {(match, side): sheet for match, side, sheet in sheets if readable_sheet(sheet) is not None}
    return AtSeats(played, checks, reports, wishes_at)


def _check(check: SheetCheck | None) -> dict[str, object] | None:
    if check is None:
        return None
    facts = {name: getattr(check, name) for name in ("state", "line", "words", "on_paper")}
    return facts | {"by": check.by_name, "at": instant(check.at)}


def _report(report: PlayerReport | None) -> dict[str, object] | None:
    return {**report.facts, "words": report.words, "at": instant(report.at)} if report else None


def _wish(wish: Wish) -> dict[str, object]:
    said = {"answer": wish.answer, "words": wish.words, "passed_on": wish.passed_on}
    return {"kind": wish.kind, "at": instant(wish.at), **said}


def _penalty(penalty: PenaltyState) -> dict[str, object]:
    row = penalty.row
    facts = {name: getattr(row, name) for name in ("battle_points", "fleet_points", "reason")}
    return {"entrant": penalty.entrant.number, **facts, "by": row.given_by, "at": instant(row.given_at)}


def _roll_off(roll_off: RollOffState) -> dict[str, object]:
    return {
        "kind": roll_off.row.kind,
        "group": list(roll_off.group),
        "throws": [{"counts": t.counts, "faces": t.faces, "seed": t.seed if t.faces else ""} for t in roll_off.rolls],
    }


def token_line(row: TokenLine) -> dict[str, object]:
    """A line of the ledger of the commendation token (rule 6)."""
    return {
        "kind": row.kind,
        "entrant": row.entrant and row.entrant.number,
        "round": row.round,
        "here": row.here,
        "reason": row.reason,
        "said": row.said,
        "by": row.by_name,
        "at": instant(row.at),
    }


def _entry(entry: JournalEntry) -> dict[str, object]:
    return {
        "at": instant(entry.at),
        "by": entry.by_name,
        "did": entry.did,
        "what": entry.what,
        "before": entry.before,
        "after": entry.after,
        "reason": entry.reason,
        "said": entry.said,
    }
