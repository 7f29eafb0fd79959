"""Read an event back from its archive (docs/archive.md): checked whole first, saved whole or not at all."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import time
from typing import Any

from django.db import transaction
from django.db.models import Model

from fleets.domain.card_data import sheet_as_data, sheet_from_data
from scoring.domain.season import SeasonRules
from scoring.models import MonthPack
from tourney.actions.archive_check import SCHEMA, SHOWN, InvalidArchive, check, instant, report_row, result_row
from tourney.actions.entrants import players_named
from tourney.actions.events import make_campaign
from tourney.actions.finals import keep_finals
from tourney.actions.record import Actor, explain, record_at_store
from tourney.actions.stores import lock_campaigns, lock_slug
from tourney.domain.verbs import Verb
from tourney.models import (
    Entrant,
    Event,
    Fleet,
    JournalEntry,
    Match,
    Penalty,
    PlayedSheet,
    PlayerReport,
    Result,
    Roll,
    RollOff,
    Round,
    Seat,
    SheetCheck,
    Store,
    TokenLine,
    Wish,
)
from tourney.models.play import SIDES
from tourney.queries.stores import was_deleted
from tourney.runtime.messages import message

__all__ = ["SCHEMA", "SHOWN", "InvalidArchive", "import_event", "keeps_other_season_rules"]

NONE = (None, None)
OF_SEATS = ("destroyed", "played", "checks", "reports", "wishes")
CHECK = ("state", "line", "words", "on_paper")
OF_CAMPAIGN = ("campaign", "season_rules")
MOMENTS = ("starts_at", "finished_at", "sign_up_closes_at", "canceled_at", "moved_from")
PART = 500
"""Rows that are saved by one statement at most."""

type Told = tuple[Seat, object, dict[str, Any] | None, dict[str, Any] | None, Sequence[dict[str, Any]]]


@transaction.atomic
def import_event(store: Store, data: dict[str, Any], *, by: Actor) -> Event:
    """Rebuild the event at this store: players by name, the campaign by its storyline. Raises InvalidArchive."""
    if isinstance(data, dict) and "rehearsal" in data:
        raise InvalidArchive(["$.rehearsal: this is the archive of a rehearsal, which never took place"])
    rules = check(data)
    facts = data["event"]
    lock_slug(facts["slug"])
    if Event.objects.filter(slug=facts["slug"]).exists():
        raise InvalidArchive([f"$.event.slug: an event “{facts['slug']}” exists here already"])
    if was_deleted(f"/e/{facts['slug']}/"):
        raise InvalidArchive([f"$.event.slug: an event “{facts['slug']}” was deleted here with its store"])
    lock_campaigns(store)
    campaign = store.campaigns.filter(storyline=facts["campaign"]).first()
    campaign = campaign or make_campaign(store, storyline=facts["campaign"], rules=_season_rules(facts), by=by)
    moments = {name: instant(facts[name]) for name in MOMENTS if name in facts}
    ends = time.fromisoformat(facts["ends"]) if facts.get("ends") else None
    plain = {name: facts[name] for name in facts if name not in {*OF_CAMPAIGN, "ends", *moments}}
    pack = MonthPack.objects.keep(rules)
    numbers = max((entrant["number"] for entrant in data["entrants"]), default=0)
    counters = {"version": len(data["journal"]), "last_entrant_number": numbers}
    event = Event.objects.create(campaign=campaign, pack=pack, ends=ends, **counters, **plain, **moments)
    entrants = _save_entrants(event, data["entrants"])
    _save_fleets(entrants, data["entrants"], by)
    for round in data["rounds"]:
        _save_round(event, round, entrants)
    lines = enumerate(data.get("token", ()), start=1)
    _save_all(TokenLine, (_token_line(event, number, line, entrants) for number, line in lines))
    _save_all(JournalEntry, (_entry(event, entry) for entry in data["journal"]))
    what = message("Event “{event}” imported from its archive.", event=event.slug)
    explain(record_at_store(store, by=by, did=Verb.IMPORT_EVENT, what=what))
    keep_finals(event)
    return event


def keeps_other_season_rules(event: Event, data: dict[str, Any]) -> bool:
    """Rule 5.8: whether its campaign, which was here before, goes on by other rules than those in the archive."""
    facts = data["event"]
    return "season_rules" in facts and event.campaign.season_rules != _season_rules(facts)


def _season_rules(facts: dict[str, Any]) -> SeasonRules:
    """Rule 5.8: those that the campaign had where it was played."""
    return SeasonRules(**(facts.get("season_rules") or {}))


def _save_entrants(event: Event, rows: list[dict[str, Any]]) -> dict[int, Entrant]:
    players = players_named(event.store, [row["name"] for row in rows])
    if len({player.pk for player in players.values()}) < len(players):
        raise InvalidArchive(["$.entrants: two of these names are one player here"])
    entrants = [
        Entrant(
            event=event,
            player=players[row["name"]],
            registered_at=instant(row["registered_at"]),
            **{name: row.get(name, False) for name in ("plays_without", "paid", "place_released")},
            **{name: row[name] for name in ("number", "faction", "checked_in", "dropped_from", "by_self")},
        )
        for row in rows
    ]
    return {entrant.number: entrant for entrant in _save_all(Entrant, entrants)}


def _save_fleets(entrants: dict[int, Entrant], rows: list[dict[str, Any]], by: Actor) -> None:
    brought = [(entrants[row["number"]], row["fleet"]) for row in rows if row.get("fleet")]
    _save_all(
        Fleet,
        (
            Fleet(
                player=entrant.player,
                entrant=entrant,
                data=sheet_as_data(sheet_from_data(fleet["sheet"])),
                changed_at=by.at,
                **{name: fleet[name] for name in ("name", "rulings", "unlocked")},
            )
            for entrant, fleet in brought
        ),
    )


def _save_round(event: Event, facts: dict[str, Any], entrants: dict[int, Entrant]) -> None:
    """The round with everything of it, each kind of row together: a few statements, however many tables there are."""
    row = Round.objects.create(
        event=event,
        **{name: facts[name] for name in ("number", "state", "seed")},
        relaxed_rules=facts["relaxed"],
        paused_seconds_left=facts["paused_left"],
        manual_reason=facts.get("by_hand", ""),
        **{name: instant(facts[name]) for name in ("published_at", "closed_at", "ends_at")},
    )
    matches = _save_all(Match, (_match(row, one) for one in facts["matches"]))
    played = list(zip(matches, facts["matches"], strict=True))
    _save_all(Result, (_result(match, one["result"]) for match, one in played if one["result"]))
    _save_seats(event, played, entrants)
    _save_all(Penalty, (_penalty(row, one, entrants) for one in facts.get("penalties", ())))
    _save_roll_offs(row, facts["roll_offs"])


def _save_all[Row: Model](model: type[Row], rows: Iterable[Row]) -> list[Row]:
    """The rows, saved in parts, so that no statement grows with the file."""
    return model._default_manager.bulk_create(rows, batch_size=PART)


def _match(round: Round, facts: dict[str, Any]) -> Match:
    save_count = facts["result"]["version"] if facts["result"] else 0
    plain = {name: facts[name] for name in ("table", "reason")}
    plain |= {"manual_reason": facts["by_hand"], "moved_from": facts.get("moved_from")}
    return Match(round_id=round.pk, result_save_count=save_count, **plain)


def _result(match: Match, facts: dict[str, Any]) -> Result:
    result = result_row(facts)
    result.match_id = match.pk
    return result


def _save_seats(event: Event, matches: list[tuple[Match, dict[str, Any]]], entrants: dict[int, Entrant]) -> None:
    """The seats, with what older archives do not know yet: marks, the sheets that played, and what was said there."""
    told = [one for match, facts in matches for one in _seats(match, facts, entrants)]
    playing = [(seat, sheet) for seat, sheet, *_ in told if sheet]
    sheets = PlayedSheet.objects.keep(event.pk, (sheet_as_data(sheet_from_data(sheet)) for _, sheet in playing))
    for (seat, _), row in zip(playing, sheets, strict=True):
        seat.sheet = row
    _save_all(Seat, (seat for seat, *_ in told))
    _save_all(SheetCheck, (_check(seat, one) for seat, _, one, _, _ in told if one))
    _save_all(PlayerReport, (report_row(one, seat) for seat, _, _, one, _ in told if one))
    _save_all(Wish, (Wish(seat=seat, **one | {"at": instant(one["at"])}) for seat, *_, asked in told for one in asked))


def _seats(match: Match, facts: dict[str, Any], entrants: dict[int, Entrant]) -> Iterator[Told]:
    """Each seat of the match with its sheet, its check, its report and its wishes as the archive has them."""
    destroyed, played, checks, reports, wishes = (facts.get(name, NONE) for name in OF_SEATS)
    told = zip(SIDES, facts["seats"], destroyed, played, checks, reports, wishes, strict=False)
    for side, number, lines, sheet, signed, report, asked in told:
        seat = Seat(
            match_id=match.pk,
            round_id=match.round_id,
            entrant_id=entrants[number].pk,
            side=side,
            destroyed=lines or [],
        )
        yield seat, sheet, signed, report, asked or ()


def _check(seat: Seat, facts: dict[str, Any]) -> SheetCheck:
    plain = {name: facts[name] for name in CHECK}
    return SheetCheck(seat=seat, by_name=facts["by"], at=instant(facts["at"]), **plain)


def _save_roll_offs(round: Round, facts: list[dict[str, Any]]) -> None:
    rows = _save_all(RollOff, (RollOff(round_id=round.pk, kind=one["kind"], group=one["group"]) for one in facts))
    _save_all(
        Roll,
        (
            Roll(roll_off_id=row.pk, number=number, **roll)
            for row, one in zip(rows, facts, strict=True)
            for number, roll in enumerate(one["throws"], start=1)
        ),
    )


def _penalty(round: Round, facts: dict[str, Any], entrants: dict[int, Entrant]) -> Penalty:
    points = {name: facts[name] for name in ("battle_points", "fleet_points", "reason")}
    whose, at = entrants[facts["entrant"]], instant(facts["at"])
    return Penalty(round=round, entrant=whose, given_by=facts["by"], given_at=at, **points)


def _token_line(event: Event, number: int, facts: dict[str, Any], entrants: dict[int, Entrant]) -> TokenLine:
    plain = {name: facts[name] for name in ("kind", "round", "here", "reason")}
    whom, at = entrants.get(facts["entrant"]), instant(facts["at"])
    said, by = facts.get("said"), facts["by"]
    return TokenLine(event=event, number=number, entrant=whom, by_name=by, at=at, said=said, **plain)


def _entry(event: Event, facts: dict[str, Any]) -> JournalEntry:
    plain = {name: facts[name] for name in ("did", "what", "before", "after", "reason")}
    at, said = instant(facts["at"]), facts.get("said")
    return JournalEntry(store=event.store, event=event, at=at, by_name=facts["by"], said=said, **plain)
