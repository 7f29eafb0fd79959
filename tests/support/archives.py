"""Archives of events that are gone again, and what an import says of wrong ones."""

import json
from collections.abc import Callable
from copy import deepcopy
from functools import wraps

import pytest
from django.db import transaction

from tests.support.built_fleets import night_with_fleets, too_dear
from tests.support.nights import BY, make_night, make_store
from tests.support.tables import eliminated, enter, match_at, on_time
from tourney.actions import (
    entrants,
    fleets,
    reports,
    results,
    roll_offs,
    sign_off,
    wishes,
)
from tourney.actions.archive import InvalidArchive, import_event
from tourney.models import Event, Wish
from tourney.printing.queries.score_sheet import as_data
from tourney.queries.archive import archive_of
from tourney.queries.state import state_of


def once[**Asked, Made](make: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """The same, made at the first call with these arguments; each call gives a copy of its own."""
    kept: dict[str, Made] = {}

    @wraps(make)
    def made(*args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        key = repr((args, kwargs))
        if key not in kept:
            kept[key] = make(*args, **kwargs)
        return deepcopy(kept[key])

    return made


@once
def archive_elsewhere(**night) -> tuple[dict, dict]:
    """The archive and standings of an event that is gone again, as if it came from another installation."""
    with transaction.atomic():
        event = make_night(**night).event
        archive, standings = archive_of(event), as_data(state_of(event))
        transaction.set_rollback(True)
    return json.loads(json.dumps(archive)), standings


@once
def archive_with_fleets() -> dict:
    """Five players, one without a fleet: a ruling, an unlocking, marks, signatures, a call, a number that stands."""
    with transaction.atomic():
        event = night_with_fleets({1: too_dear(), 4: None}, players=5).event
        Event.objects.filter(pk=event.pk).update(
            fleets_shown="all", fleets_must_be_legal=True, fleets_recorded="required"
        )
        event.entrants.filter(number=5).update(faction="", plays_without=True)
        fleets.allow(event, 1, "7.5", 0, reason="lost on the way", by=BY)
        fleets.unlock(event, 2, reason="typed wrong", by=BY)
        first, second = match_at(event, 1).numbers
        sign_off.sign(event, 1, first, by=BY)
        sign_off.call_judge(event, 1, second, line=2, words="another captain", by=BY)
        sign_off.sign_on_paper(event, 1, 2, by=BY)
        for number in (1, 2, 3, 5):
            if state_of(event).round(1).match_of(number).b:
                sign_off.mark_destroyed(event, 1, number, [1, 6], by=BY)
        report = results.ResultInput(on_time(13, 17), sp_ruling="by the scenario")
        results.report_result(event, 1, 2, report, version=0, by=BY)
        archive = archive_of(event)
        transaction.set_rollback(True)
    return json.loads(json.dumps(archive))


@once
def archive_with_reports() -> dict:
    """Four players: table 1 agreed and was corrected at the desk, table 2 is in dispute; three asked for something."""
    with transaction.atomic():
        event = make_night(players=4, open_round=True).event
        (first, second), (third, fourth) = (match_at(event, table).numbers for table in (1, 2))
        for number in (first, second):
            reports.report(event, 1, number, on_time(30, 20), by=BY, key="k")
        enter(event, 1, on_time(30, 25), version=1)
        reports.report(event, 1, third, eliminated(), by=BY, words="in the last minute")
        reports.report(event, 1, fourth, on_time(30, 20), by=BY)
        for number, kind in ((first, "drop"), (third, "concede"), (fourth, "drop")):
            wishes.ask(event, number, kind, by=BY)
        entrants.drop(event, first, by=BY)
        wishes.decline(event, Wish.objects.get(seat__entrant__number=third).pk, by=BY, words="play on")
        archive = archive_of(event)
        transaction.set_rollback(True)
    return json.loads(json.dumps(archive))


def spoiled(archive: dict, path: str, value: object) -> dict:
    copy = deepcopy(archive)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = copy
    for step in way:
        place = place[step]
    place[last] = value
    return copy


def refusal_of(archive: dict) -> list[str]:
    store, _ = make_store("Another Harbor")
    with pytest.raises(InvalidArchive) as refusal:
        import_event(store, archive, by=BY)
    return refusal.value.errors


@once
def rolled_at_a_table(pack: str = "dominion-war-6") -> dict:
    """An archive whose first roll-off was rolled by software at table 1."""
    with transaction.atomic():
        event = make_night(players=6, open_round=True, pack=pack).event
        enter(event, 1, on_time(40, 40))
        group = tuple(sorted(match_at(event, 1).numbers))
        roll_offs.roll_by_software(event, 1, "table", group, seed="00c0ffee", by=BY)
        archive = archive_of(event)
        transaction.set_rollback(True)
    return archive
