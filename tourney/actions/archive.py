"""Read an event back from its archive (docs/archive.md): checked whole first, saved whole or not at all."""

from typing import Any

from django.db import transaction

from fleets.domain.card_data import sheet_as_data, sheet_from_data
from scoring.models import MonthPack
from tourney.actions.archive_check import SCHEMA, SHOWN, InvalidArchive, check, instant, report_row, result_row
from tourney.actions.entrants import players_named
from tourney.actions.events import make_campaign
from tourney.actions.finals import keep_finals
from tourney.actions.record import Actor, explain, record_at_store
from tourney.actions.stores import lock_slugs
from tourney.domain.verbs import Verb
from tourney.models import (
    Entrant,
    Event,
    Fleet,
    JournalEntry,
    Match,
    Penalty,
    PlayerReport,
    RollOff,
    Round,
    Seat,
    SheetCheck,
    Store,
    Throw,
    TokenLine,
    Wish,
)
from tourney.models.play import SIDES

__all__ = ["SCHEMA", "SHOWN", "InvalidArchive", "import_event"]

NONE = (None, None)
OF_SEATS = ("destroyed", "played", "checks", "reports", "wishes")
CHECK = ("state", "line", "words", "on_paper")


@transaction.atomic
def import_event(store: Store, data: dict[str, Any], *, by: Actor) -> Event:
    """Rebuild the event at this store: players by name, the campaign by its storyline. Raises InvalidArchive."""
    if isinstance(data, dict) and "rehearsal" in data:
        raise InvalidArchive(["$.rehearsal: this is the archive of a rehearsal, which never took place"])
    rules = check(data)
    facts = data["event"]
    lock_slugs()
    if Event.objects.filter(slug=facts["slug"]).exists():
        raise InvalidArchive([f"$.event.slug: an event “{facts['slug']}” exists here already; nothing was changed"])
    campaign = store.campaigns.filter(storyline=facts["campaign"]).first()
    campaign = campaign or make_campaign(store, storyline=facts["campaign"], by=by)
    moments = {name: instant(facts[name]) for name in ("starts_at", "finished_at")}
    plain = {name: facts[name] for name in facts if name not in {"campaign", *moments}}
    pack = MonthPack.objects.keep(rules)
    numbers = max((entrant["number"] for entrant in data["entrants"]), default=0)
    counters = {"version": len(data["journal"]), "last_entrant_number": numbers}
    event = Event.objects.create(campaign=campaign, pack=pack, **counters, **plain, **moments)
    entrants = _save_entrants(event, data["entrants"])
    _save_fleets(entrants, data["entrants"], by)
    for round in data["rounds"]:
        _save_round(event, round, entrants)
    TokenLine.objects.bulk_create(
        _token_line(event, number, line, entrants) for number, line in enumerate(data.get("token", ()), start=1)
    )
    JournalEntry.objects.bulk_create(_entry(event, entry) for entry in data["journal"])
    what = f"Event “{event.slug}” imported from its archive."
    explain(record_at_store(store, by=by, did=Verb.IMPORT_EVENT, what=what))
    keep_finals(event)
    return event


def _save_entrants(event: Event, rows: list[dict[str, Any]]) -> dict[int, Entrant]:
    players = players_named(event.store, [row["name"] for row in rows])
    if len({player.pk for player in players.values()}) < len(players):
        raise InvalidArchive(["$.entrants: two of these names are one player here; nothing was changed"])
    entrants = [
        Entrant(
            event=event,
            player=players[row["name"]],
            registered_at=instant(row["registered_at"]),
            **{name: row[name] for name in ("number", "faction", "checked_in", "dropped_from", "by_self")},
        )
        for row in rows
    ]
    return {entrant.number: entrant for entrant in Entrant.objects.bulk_create(entrants)}


def _save_fleets(entrants: dict[int, Entrant], rows: list[dict[str, Any]], by: Actor) -> None:
    brought = [(entrants[row["number"]], row["fleet"]) for row in rows if row.get("fleet")]
    Fleet.objects.bulk_create(
        Fleet(
            player=entrant.player,
            entrant=entrant,
            data=sheet_as_data(sheet_from_data(fleet["sheet"])),
            changed_at=by.at,
            **{name: fleet[name] for name in ("name", "rulings", "unlocked")},
        )
        for entrant, fleet in brought
    )


def _save_round(event: Event, facts: dict[str, Any], entrants: dict[int, Entrant]) -> None:
    row = Round.objects.create(
        event=event,
        **{name: facts[name] for name in ("number", "state", "seed")},
        relaxed_rules=facts["relaxed"],
        paused_seconds_left=facts["paused_left"],
        manual_reason=facts.get("by_hand", ""),
        **{name: instant(facts[name]) for name in ("published_at", "closed_at", "ends_at")},
    )
    for match_facts in facts["matches"]:
        plain = {name: match_facts[name] for name in ("table", "reason")}
        plain |= {"manual_reason": match_facts["by_hand"], "moved_from": match_facts.get("moved_from")}
        save_count = match_facts["result"]["version"] if match_facts["result"] else 0
        match = Match.objects.create(round=row, result_save_count=save_count, **plain)
        _save_seats(match, match_facts, entrants)
        if match_facts["result"]:
            result = result_row(match_facts["result"])
            result.match = match
            result.save()
    Penalty.objects.bulk_create(_penalty(row, one, entrants) for one in facts.get("penalties", ()))
    for roll_off_facts in facts["roll_offs"]:
        roll_off = RollOff.objects.create(round=row, kind=roll_off_facts["kind"], group=roll_off_facts["group"])
        Throw.objects.bulk_create(
            Throw(roll_off=roll_off, number=number, **throw)
            for number, throw in enumerate(roll_off_facts["throws"], start=1)
        )


def _save_seats(match: Match, facts: dict[str, Any], entrants: dict[int, Entrant]) -> None:
    """The seats, with what older archives do not know yet: marks, the sheets that played, and what was said there."""
    destroyed, played, said, reports, wishes = (facts.get(name, NONE) for name in OF_SEATS)
    seats = Seat.objects.bulk_create(
        Seat(
            match=match,
            round=match.round,
            entrant=entrants[number],
            side=side,
            destroyed=lines or [],
            played_sheet=sheet and sheet_as_data(sheet_from_data(sheet)),
        )
        for side, number, lines, sheet in zip(SIDES, facts["seats"], destroyed, played, strict=False)
    )
    SheetCheck.objects.bulk_create(
        SheetCheck(seat=seat, by_name=one["by"], at=instant(one["at"]), **{name: one[name] for name in CHECK})
        for seat, one in zip(seats, said, strict=False)
        if one
    )
    PlayerReport.objects.bulk_create(report_row(one, seat) for seat, one in zip(seats, reports, strict=False) if one)
    Wish.objects.bulk_create(
        Wish(seat=seat, **one | {"at": instant(one["at"])})
        for seat, asked in zip(seats, wishes, strict=False)
        for one in asked or ()
    )


def _penalty(round: Round, facts: dict[str, Any], entrants: dict[int, Entrant]) -> Penalty:
    points = {name: facts[name] for name in ("battle_points", "fleet_points", "reason")}
    whose, at = entrants[facts["entrant"]], instant(facts["at"])
    return Penalty(round=round, entrant=whose, given_by=facts["by"], given_at=at, **points)


def _token_line(event: Event, number: int, facts: dict[str, Any], entrants: dict[int, Entrant]) -> TokenLine:
    plain = {name: facts[name] for name in ("kind", "round", "here", "reason")}
    whom, at = entrants.get(facts["entrant"]), instant(facts["at"])
    return TokenLine(event=event, number=number, entrant=whom, by_name=facts["by"], at=at, **plain)


def _entry(event: Event, facts: dict[str, Any]) -> JournalEntry:
    plain = {name: facts[name] for name in ("did", "what", "before", "after", "reason")}
    return JournalEntry(store=event.store, event=event, at=instant(facts["at"]), by_name=facts["by"], **plain)
