"""Read an event back from its archive (docs/archive.md): checked whole first, saved whole or not at all."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.db import transaction
from jsonschema import Draft202012Validator

from scoring.domain.pack import InvalidPack, MonthPack, parse
from scoring.domain.points import problems
from scoring.domain.rolloff import ThrowDoesNotFit, levels
from scoring.models import MonthPack as PackRow
from tourney.actions.entrants import players_named
from tourney.actions.events import make_campaign
from tourney.actions.record import Stamp, record_at_store
from tourney.models import Entrant, Event, JournalEntry, Match, Result, RollOff, Round, Seat, Store, Throw
from tourney.queries.matches import played_of, throw_facts

SCHEMA = json.loads(Path(__file__).with_name("archive-1.schema.json").read_text())
SHOWN = 20


class InvalidArchive(Exception):
    """The file is no archive that can be read. `errors` are sentences, each with the path of the field."""

    def __init__(self, errors: list[str]):
        super().__init__("\n".join(errors[:SHOWN]))
        self.errors = errors


@transaction.atomic
def import_event(store: Store, data: dict, *, by: Stamp) -> Event:
    """Rebuild the event at this store: players by name, the campaign by its storyline. Raises InvalidArchive."""
    rules = check(data)
    facts = data["event"]
    if Event.objects.filter(slug=facts["slug"]).exists():
        raise InvalidArchive([f"$.event.slug: an event “{facts['slug']}” exists here already; nothing was changed"])
    campaign = store.campaigns.filter(storyline=facts["campaign"]).first()
    campaign = campaign or make_campaign(store, storyline=facts["campaign"], by=by)
    moments = {name: _instant(facts[name]) for name in ("starts_at", "finished_at")}
    plain = {name: facts[name] for name in facts if name not in {"campaign", *moments}}
    pack = PackRow.objects.keep(rules)
    event = Event.objects.create(campaign=campaign, pack=pack, version=len(data["journal"]), **plain, **moments)
    entrants = _save_entrants(event, data["entrants"])
    for round in data["rounds"]:
        _save_round(event, round, entrants)
    JournalEntry.objects.bulk_create(_entry(event, entry) for entry in data["journal"])
    record_at_store(store, by=by, did="import_event", what=f"Event “{event.slug}” imported from its archive.")
    return event


def check(data: object) -> MonthPack:
    """The pack of a valid archive. Raises InvalidArchive with the path of every offending field."""
    errors = sorted(Draft202012Validator(SCHEMA).iter_errors(data), key=lambda error: list(map(str, error.path)))
    if errors:
        raise InvalidArchive([f"{error.json_path}: {error.message}" for error in errors])
    try:
        rules = parse(data["pack"])
    except InvalidPack as error:
        raise InvalidArchive([f"$.pack.{wrong.field}: {wrong.message}" for wrong in error.errors]) from error
    event = data["event"]
    rules = rules.with_choices(sp_limit=event["sp_limit"], rounds=event["rounds_planned"], minutes=event["minutes"])
    if wrong := [*_wrong_entrants(data), *_wrong_rounds(data, rules)]:
        raise InvalidArchive(wrong)
    return parse(data["pack"])


def _wrong_entrants(data: dict) -> Iterator[str]:
    numbers, names = Counter(), Counter()
    for place, entrant in enumerate(data["entrants"]):
        path = f"$.entrants[{place}]"
        numbers[entrant["number"]] += 1
        names[entrant["name"].lower()] += 1
        if numbers[entrant["number"]] > 1:
            yield f"{path}.number: {entrant['number']} is used twice"
        if names[entrant["name"].lower()] > 1:
            yield f"{path}.name: “{entrant['name']}” is registered twice"


def _wrong_rounds(data: dict, rules: MonthPack) -> Iterator[str]:
    known = {entrant["number"] for entrant in data["entrants"]}
    for place, round in enumerate(data["rounds"]):
        path = f"$.rounds[{place}]"
        if round["number"] != place + 1:
            yield f"{path}.number: {round['number']} stands where round {place + 1} is expected"
        if round["state"] != "closed" and place + 1 < len(data["rounds"]):
            yield f"{path}.state: only the last round can be {round['state']}"
        if round["ends_at"] and round["paused_left"] is not None:
            yield f"{path}.paused_left: a clock runs or is paused, not both"
        yield from _wrong_matches(path, round["matches"], known, rules)
        yield from _wrong_roll_offs(path, round["roll_offs"], known)


def _wrong_matches(path: str, matches: list[dict], known: set[int], rules: MonthPack) -> Iterator[str]:
    seated, tables = set(), set()
    for place, match in enumerate(matches):
        here = f"{path}.matches[{place}]"
        for seat, number in enumerate(match["seats"]):
            if number not in known:
                yield f"{here}.seats[{seat}]: there is no entrant {number}"
            if number in seated:
                yield f"{here}.seats[{seat}]: entrant {number} sits twice in this round"
            seated.add(number)
        is_bye = len(match["seats"]) == 1
        if is_bye != (match["table"] is None):
            yield f"{here}.table: a match of two has a table, a bye has none"
        if not is_bye and match["table"] in tables:
            yield f"{here}.table: table {match['table']} is used twice in this round"
        tables.add(match["table"])
        if match["result"] and is_bye:
            yield f"{here}.result: a bye has no result"
        elif match["result"]:
            for problem in problems(rules, played_of(_result(match["result"]))):
                yield f"{here}.result.{problem.field}: {problem.message}"


def _wrong_roll_offs(path: str, roll_offs: list[dict], known: set[int]) -> Iterator[str]:
    for place, roll_off in enumerate(roll_offs):
        here = f"{path}.roll_offs[{place}]"
        if unknown := sorted(set(roll_off["group"]) - known):
            yield f"{here}.group: there is no entrant {unknown[0]}"
        if roll_off["group"] != sorted(set(roll_off["group"])):
            yield f"{here}.group: entrant numbers stand once each, in ascending order"
        try:
            levels(roll_off["group"], [throw_facts(throw["counts"]) for throw in roll_off["throws"]])
        except ThrowDoesNotFit as error:
            yield f"{here}.throws: {error}"


def _save_entrants(event: Event, rows: list[dict]) -> dict[int, Entrant]:
    players = players_named(event.store, [row["name"] for row in rows])
    entrants = [
        Entrant(
            event=event,
            player=players[row["name"].lower()],
            registered_at=_instant(row["registered_at"]),
            **{name: row[name] for name in ("number", "faction", "checked_in", "dropped_from", "by_self")},
        )
        for row in rows
    ]
    return {entrant.number: entrant for entrant in Entrant.objects.bulk_create(entrants)}


def _save_round(event: Event, facts: dict, entrants: dict[int, Entrant]) -> None:
    row = Round.objects.create(
        event=event,
        **{name: facts[name] for name in ("number", "state", "seed", "relaxed", "paused_left")},
        **{name: _instant(facts[name]) for name in ("published_at", "closed_at", "ends_at")},
    )
    for match_facts in facts["matches"]:
        match = Match.objects.create(round=row, **{name: match_facts[name] for name in ("table", "reason", "by_hand")})
        Seat.objects.bulk_create(
            Seat(match=match, round=row, entrant=entrants[number], side=side)
            for side, number in zip("ab", match_facts["seats"], strict=False)
        )
        if match_facts["result"]:
            result = _result(match_facts["result"])
            result.match = match
            result.save()
    for roll_off_facts in facts["roll_offs"]:
        roll_off = RollOff.objects.create(round=row, kind=roll_off_facts["kind"], group=roll_off_facts["group"])
        Throw.objects.bulk_create(
            Throw(roll_off=roll_off, number=number, **throw)
            for number, throw in enumerate(roll_off_facts["throws"], start=1)
        )


def _result(facts: dict) -> Result:
    return Result(**facts | {"entered_at": _instant(facts["entered_at"])})


def _entry(event: Event, facts: dict) -> JournalEntry:
    plain = {name: facts[name] for name in ("did", "what", "before", "after", "reason")}
    return JournalEntry(store=event.store, event=event, at=_instant(facts["at"]), by_name=facts["by"], **plain)


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
