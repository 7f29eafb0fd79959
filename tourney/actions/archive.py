"""Read an event back from its archive (docs/archive.md): checked whole first, saved whole or not at all."""

from django.db import transaction

from scoring.models import MonthPack
from tourney.actions.archive_check import SCHEMA, SHOWN, InvalidArchive, check, instant, result_row
from tourney.actions.entrants import players_named
from tourney.actions.events import make_campaign
from tourney.actions.record import Stamp, record_at_store
from tourney.actions.stores import lock_slugs
from tourney.models import Entrant, Event, JournalEntry, Match, RollOff, Round, Seat, Store, Throw

__all__ = ["SCHEMA", "SHOWN", "InvalidArchive", "import_event"]


@transaction.atomic
def import_event(store: Store, data: dict, *, by: Stamp) -> Event:
    """Rebuild the event at this store: players by name, the campaign by its storyline. Raises InvalidArchive."""
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
    counters = {"version": len(data["journal"]), "numbers_given": numbers}
    event = Event.objects.create(campaign=campaign, pack=pack, **counters, **plain, **moments)
    entrants = _save_entrants(event, data["entrants"])
    for round in data["rounds"]:
        _save_round(event, round, entrants)
    JournalEntry.objects.bulk_create(_entry(event, entry) for entry in data["journal"])
    record_at_store(store, by=by, did="import_event", what=f"Event “{event.slug}” imported from its archive.")
    return event


def _save_entrants(event: Event, rows: list[dict]) -> dict[int, Entrant]:
    players = players_named(event.store, [row["name"] for row in rows])
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


def _save_round(event: Event, facts: dict, entrants: dict[int, Entrant]) -> None:
    row = Round.objects.create(
        event=event,
        **{name: facts[name] for name in ("number", "state", "seed", "relaxed", "paused_left")},
        **{name: instant(facts[name]) for name in ("published_at", "closed_at", "ends_at")},
    )
    for match_facts in facts["matches"]:
        plain = {name: match_facts[name] for name in ("table", "reason", "by_hand")}
        savings = match_facts["result"]["version"] if match_facts["result"] else 0
        match = Match.objects.create(round=row, savings=savings, **plain)
        Seat.objects.bulk_create(
            Seat(match=match, round=row, entrant=entrants[number], side=side)
            for side, number in zip("ab", match_facts["seats"], strict=False)
        )
        if match_facts["result"]:
            result = result_row(match_facts["result"])
            result.match = match
            result.save()
    for roll_off_facts in facts["roll_offs"]:
        roll_off = RollOff.objects.create(round=row, kind=roll_off_facts["kind"], group=roll_off_facts["group"])
        Throw.objects.bulk_create(
            Throw(roll_off=roll_off, number=number, **throw)
            for number, throw in enumerate(roll_off_facts["throws"], start=1)
        )


def _entry(event: Event, facts: dict) -> JournalEntry:
    plain = {name: facts[name] for name in ("did", "what", "before", "after", "reason")}
    return JournalEntry(store=event.store, event=event, at=instant(facts["at"]), by_name=facts["by"], **plain)
