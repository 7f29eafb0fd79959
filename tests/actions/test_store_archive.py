"""A store exported and imported is the same store: the same file again, its history proved, everything going on."""

from collections.abc import Iterator
from random import Random

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from tests.actions.test_random_nights import ACTS, PACKS, RandomNight
from tests.support.nights import AT, BY
from tests.support.store_archives import archive_of_store, give_back_ids, moved, whole_store
from tests.support.store_schema import PATH, written
from tests.support.tables import enter, on_time
from tests.support.undoing import redo, undo
from tourney.actions import store_players
from tourney.actions.store_archive import MODELS
from tourney.actions.stores import make_store
from tourney.domain.store_file import lines_of
from tourney.models import Event, Player, Store
from tourney.queries.archive import archive_of
from tourney.queries.finding_stores import stores_found
from tourney.queries.history import history_of
from tourney.queries.integrity import store_problems
from tourney.queries.journal_chain import head_of
from tourney.queries.store_archive import COLUMNS_LEFT_OUT, LEFT_OUT, OTHERWISE, WAYS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ids_are_given_back(db: None) -> Iterator[None]:
    yield
    give_back_ids()


def problems(store: Store, *heads) -> list[str]:
    connection.check_constraints()
    events = Event.objects.with_context().filter(campaign__store=store)
    return [one.in_english() for one in store_problems(store, events, heads)]


def event_there(store: Store, event: Event) -> Event:
    return Event.objects.with_context().get(campaign__store=store, slug=event.slug)


def test_a_store_with_everything_is_the_same_file_after_it_moved_twice():
    night = whole_store()
    archive, head = archive_of_store(night.store), head_of(night.store)
    assert {next(iter(line)) for line in lines_of(archive)} >= {"monthpack", "staff", "chainorigin", *MODELS}

    second = moved(archive)
    assert archive_of_store(second) == archive
    third = moved(archive_of_store(second))

    assert archive_of_store(third) == archive
    assert problems(third, head) == []
    assert third.pk != night.store.pk


def test_it_is_found_by_its_name_and_town_where_it_moved():
    store = make_store(name="Zoë’s Café", place="Łódź", time_zone="UTC", by=BY)

    there = moved(archive_of_store(store))

    assert (there.place, there.found_by) == ("Łódź", "zoes cafe lodz")
    assert [line.store for line in stores_found("lodz", 0, AT).lines] == [there]


def test_the_demo_is_the_same_file_after_it_moved(tmp_path, monkeypatch):
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    call_command("demo", verbosity=0)
    archive = archive_of_store(Store.objects.get())

    assert archive_of_store(moved(archive)) == archive


@pytest.mark.many
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("pack", PACKS)
def test_whatever_happened_at_an_event_its_store_is_the_same_after_it_moved_and_goes_on(pack, seed):
    night = RandomNight(pack, Random(f"store {pack}-{seed}"))
    for _ in range(ACTS // 4):
        night.something_happens()
    store = night.event.store
    archive = archive_of_store(store)
    as_it_was = archive_of(night.state.event)

    there = moved(archive)
    night.event = event_there(there, night.event)

    assert archive_of_store(there) == archive
    assert archive_of(night.event) == as_it_was
    for _ in range(5):
        night.something_happens()
    if history_of(night.event).last:
        undo(night.event)
    assert problems(there) == []
    assert archive_of_store(moved(archive_of_store(there))) == archive_of_store(Store.objects.get())


def test_what_is_done_after_it_moved_is_chained_on_and_moves_on_too():
    night = whole_store()
    head = head_of(night.store)
    there = moved(archive_of_store(night.store))
    event = event_there(there, night.event)
    undo(event)
    redo(event)
    enter(event, 2, on_time(42, 42))
    store_players.erase(Player.objects.get(store=there, name="Tora Ziyal"), by=BY)
    assert problems(there, head) == []
    second_head, second = head_of(there), archive_of_store(there)

    third = moved(second)

    assert archive_of_store(third) == second
    assert problems(third, head, second_head) == []
    assert second_head.number > head.number
    store_players.erase(Player.objects.filter(store=third, forgotten_at=None).first(), by=BY)
    undo(event_there(third, night.event))
    assert problems(third, second_head) == []


def test_every_model_and_column_is_in_the_archive_or_it_is_said_why_not():
    ours = {model for app in ("tourney", "fleets", "scoring") for model in apps.get_app_config(app).get_models()}

    assert ours == {*WAYS, *OTHERWISE, *LEFT_OUT}
    assert not set(WAYS) & (set(OTHERWISE) | set(LEFT_OUT))
    for model, columns in COLUMNS_LEFT_OUT.items():
        assert set(columns) <= {field.column for field in model._meta.concrete_fields}
    reasons = [
        *OTHERWISE.values(),
        *LEFT_OUT.values(),
        *(why for one in COLUMNS_LEFT_OUT.values() for why in one.values()),
    ]
    assert all(reasons)


def test_the_schema_is_that_of_the_models():
    """`python -m tests.support.store_schema` writes it anew."""
    assert PATH.read_text() == written()
