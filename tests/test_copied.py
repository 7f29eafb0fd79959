"""A copied night is the night that was played: the same rows, the same journal, and it goes on in the same way."""

import gc

import pytest
from django.db import connection, transaction

from tests.support import copied
from tests.support.copied import COMPUTED, Copies, may_switch_triggers_off, tables
from tests.support.nights import BY, Night, begin, make_night, play, steps_of
from tests.support.tables import eliminated, enter
from tourney.actions import history
from tourney.models import Event, JournalLink, Store
from tourney.queries.archive import archive_of
from tourney.queries.campaigns import PEOPLE
from tourney.queries.history import history_of
from tourney.queries.integrity import store_problems

PACK = "dominion-war-6"
NIGHTS = [
    {"players": 0, "rounds": 0, "open_round": False, "tables": 0, "finish": False},
    {"players": 5, "rounds": 1, "open_round": True, "tables": 1, "finish": False},
    {"players": 6, "rounds": 3, "open_round": False, "tables": 0, "finish": True},
]


@pytest.fixture
def copying(db) -> None:
    """For what only happens where a night is copied."""
    if not may_switch_triggers_off():
        pytest.skip("The role of DATABASE_URL may not switch triggers off: every night is played, and none is copied.")


def play_night(facts: dict) -> Night:
    return play(begin(PACK, seed=1), steps_of(**facts)).night


def fail() -> Night:
    raise AssertionError("played again")


def rows() -> dict[str, list[str]]:
    """Table → its rows as text. Of the chain, whose hashes hold chance, only which entry has which number."""
    found = {}
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables():
            cursor.execute(f'SELECT "{table}"::text FROM "{table}" ORDER BY 1')
            found[table] = [text for (text,) in cursor.fetchall()]
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    found[COMPUTED] = list(JournalLink.objects.order_by("pk").values_list("number", "entry"))
    return found


@pytest.mark.usefixtures("copying")
@pytest.mark.parametrize("facts", NIGHTS, ids=lambda facts: "-".join(map(str, facts.values())))
def test_a_copy_has_every_row_that_was_played(facts: dict):
    copies = Copies()
    with transaction.atomic():
        copies.get("night", lambda: play_night(facts))
        played = rows()
        transaction.set_rollback(True)

    night = copies.get("night", fail)

    assert rows() == played
    assert played["tourney_change"]
    assert store_problems(night.store, [night.event]) == []
    assert Store.objects.get() == night.store
    assert Event.objects.get() == night.event


@pytest.mark.usefixtures("copying")
def test_a_copy_goes_on():
    copies = Copies()
    with transaction.atomic():
        copies.get("night", lambda: play_night(NIGHTS[1]))
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
@pytest.mark.parametrize("facts", NIGHTS, ids=lambda facts: "-".join(map(str, facts.values())))
def test_a_night_that_is_copied_step_by_step_is_the_night_that_was_played(facts: dict):
    archives = []
    for make in (
        play_night,
        lambda facts: make_night(**facts, pack=PACK),
        lambda facts: make_night(**facts, pack=PACK),
    ):
        with transaction.atomic():
            archives.append(archive_of(make(facts).event))
            transaction.set_rollback(True)

    assert archives[0] == archives[1] == archives[2]


@pytest.mark.usefixtures("copying")
def test_beside_another_store_the_same_night_is_another_one_and_copied_again():
    made = []
    for _ in range(2):
        with transaction.atomic():
            first, second = make_night(players=2), make_night(players=2, open_round=True)
            made.append((first.store.pk, second.store.pk, second.event.pk))
            connection.check_constraints()
            problems = [store_problems(night.store, [night.event]) for night in (first, second)]
            counts = [night.event.entrants.count() for night in (first, second)]
            transaction.set_rollback(True)

    assert made[0] == made[1]
    assert len({*made[0][:2]}) == 2
    assert (problems, counts) == ([[], []], [2, 2])


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


def test_what_is_kept_is_forgotten_also_where_the_collector_looks_no_more(monkeypatch):
    """What is there when the apps are ready is frozen, and a test of models makes them ready once more."""
    monkeypatch.setattr(copied, "KEPT", [])
    PEOPLE.get(1, 1, lambda _: 7)
    gc.freeze()

    copied.forget_kept()

    assert PEOPLE.peek(1) is None
