"""A copied night is the night that was played: the same rows, the same journal, and it goes on in the same way."""

import pytest
from django.db import connection, transaction

from tests.support.copied import COMPUTED, Copies, sizes
from tests.support.nights import BY, Night, make_night, play_night
from tests.support.tables import eliminated, enter
from tourney.actions import history
from tourney.models import Event, JournalLink, Store
from tourney.queries.history import history_of
from tourney.queries.integrity import store_problems

PACK = "dominion-war-6"
NIGHTS = [
    {"players": 0, "rounds": 0, "open_round": False, "tables": 0, "finish": False},
    {"players": 5, "rounds": 1, "open_round": True, "tables": 1, "finish": False},
    {"players": 6, "rounds": 3, "open_round": False, "tables": 0, "finish": True},
]


def fail() -> Night:
    raise AssertionError("played again")


def rows() -> dict[str, list[str]]:
    """Table → its rows as text. Of the chain, whose hashes hold chance, only which entry has which number."""
    found = {}
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in sizes():
            cursor.execute(f'SELECT "{table}"::text FROM "{table}" ORDER BY 1')
            found[table] = [text for (text,) in cursor.fetchall()]
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    found[COMPUTED] = list(JournalLink.objects.order_by("pk").values_list("number", "entry"))
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("facts", NIGHTS, ids=lambda facts: "-".join(map(str, facts.values())))
def test_a_copy_has_every_row_that_was_played(facts: dict):
    copies = Copies()
    with transaction.atomic():
        copies.get("night", lambda: play_night(**facts, pack=PACK, seed=1))
        played = rows()
        transaction.set_rollback(True)

    night = copies.get("night", fail)

    assert rows() == played
    assert played["tourney_change"]
    assert store_problems(night.store, [night.event]) == []
    assert Store.objects.get() == night.store
    assert Event.objects.get() == night.event


@pytest.mark.django_db
def test_a_copy_goes_on():
    copies = Copies()
    with transaction.atomic():
        copies.get("night", lambda: play_night(**NIGHTS[1], pack=PACK, seed=1))
        transaction.set_rollback(True)
    night = copies.get("night", fail)
    enter(night.event, 2, eliminated(), number=2)
    entered = rows()["tourney_result"]

    history.undo(night.event, history_of(night.event).last.pk, by=BY)

    assert len(rows()["tourney_result"]) == len(entered) - 1
    assert store_problems(night.store, [night.event]) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["first", "second"])
def test_a_copy_that_is_committed_has_its_chain(time: str):
    night = make_night(players=3, open_round=True)

    assert store_problems(night.store, [night.event]) == []
    assert JournalLink.objects.count() == night.store.journal.count() > 0


@pytest.mark.django_db
def test_where_a_store_is_another_one_is_played():
    copies = Copies()
    first = copies.get("night", lambda: make_night(players=2))

    assert copies.get("night", lambda: make_night(players=2)).store != first.store


@pytest.mark.django_db
def test_triggers_are_on_after_a_copy():
    for _ in range(2):
        with transaction.atomic():
            make_night(players=2)
            transaction.set_rollback(True)
    make_night(players=2)

    with connection.cursor() as cursor:
        cursor.execute("SHOW session_replication_role")
        assert cursor.fetchone() == ("origin",)
