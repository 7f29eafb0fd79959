"""Matches are changed beside one another, on the real database; what concerns the whole event waits for all of them."""

import pytest
from django.db import OperationalError, connection, transaction

from tests.support.at_once import at_once
from tests.support.nights import BY, make_night
from tests.support.tables import match_at, on_time
from tourney.actions import reports, results, rounds
from tourney.actions.record import locked, locked_at_match
from tourney.models import JournalEntry
from tourney.queries.history import state_at
from tourney.queries.integrity import store_problems
from tourney.queries.results import ResultInput

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_result_waits_for_nobody_at_another_table_and_the_whole_event_for_everybody():
    event = make_night(players=4, open_round=True).event

    def whole_event() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '50ms'")
            with pytest.raises(OperationalError, match="lock timeout"):
                locked(event)

    with transaction.atomic():
        locked_at_match(event, 1, table=1)
        told = at_once(
            lambda: results.report_result(event, 1, 2, ResultInput(on_time(35, 50)), version=0, by=BY), whole_event
        )

    assert told == ["", ""]
    assert match_at(event, 2).result is not None


def test_a_whole_round_is_reported_at_once_and_every_moment_of_it_can_be_shown():
    night = make_night(players=12, open_round=True)
    event, played = night.event, on_time(35, 50)

    told = at_once(
        *(lambda number=number: reports.report(event, 1, number, played, by=BY) for number in range(1, 13)),
        *[lambda: rounds.extend_clock(event, 1, minutes=1, by=BY)] * 3,
    )

    assert told == [""] * 15
    entries = list(JournalEntry.objects.filter(event=event, did__in=("report", "report_result")).order_by("pk"))
    assert [entry.version for entry in entries] == sorted({entry.version for entry in entries})
    decided = [sum(match.result is not None for match in state_at(event, one).rounds[0].tables) for one in entries]
    assert decided == [sum(one.did == "report_result" for one in entries[: at + 1]) for at in range(12)]
    assert decided[-1] == 6
    assert store_problems(night.store, [event]) == []
