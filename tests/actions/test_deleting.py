"""A store is deleted whole: nothing of it stays, nothing of any other goes, and its addresses are nobody else's."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import Error, connection, transaction

from scoring.models import MonthPack
from scoring.shipped import shipped_pack
from tests.support.asking_for_stores import asked_for_a_store
from tests.support.at_once import at_once
from tests.support.nights import AT, BY, make_night, make_store
from tests.support.own_packs import saved
from tests.support.store_archives import archive_of_store, give_back_ids, leave_nothing, moved, whole_store
from tourney.actions import deleting, events, new_stores, plans, rehearsal, stores
from tourney.actions.archive import import_event
from tourney.actions.archive_check import InvalidArchive
from tourney.actions.record import Refused
from tourney.actions.rehearsal import OF_EVENT, OF_STORE
from tourney.actions.store_archive import InvalidStoreArchive, import_store
from tourney.models import (
    Campaign,
    DeletedStore,
    Event,
    JournalEntry,
    PackVersion,
    Rehearsal,
    RetiredAddress,
    RowChange,
    Store,
    StoreRequest,
    User,
)
from tourney.queries.archive import archive_of
from tourney.queries.integrity import store_problems
from tourney.queries.journal_chain import head_of
from tourney.queries.new_stores import request_with

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ids_are_given_back(db: None) -> Iterator[None]:
    yield
    give_back_ids()


def rows() -> dict[str, set[str]]:
    """All rows of the whole database but users and what says that a store was deleted, table by table."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    kept = {DeletedStore, RetiredAddress, User}
    return {one._meta.db_table: set(map(repr, one.objects.values_list())) for one in models if one not in kept}


def test_a_store_goes_with_everything_of_it_and_nothing_of_another_does():
    other = make_night(players=4, rounds=1)
    saved(other.store, other.owner)
    connection.check_constraints()
    before = rows()
    night = make_night(players=5, rounds=3, finish=True)
    playing = make_night(players=4, open_round=True, store=night.store)
    saved(night.store, night.owner)
    planned = make_night(players=2, store=night.store)
    rehearsal.begin(planned.event, rehearsal.RehearsalPlan(made_up=2), by=BY, seed=1)
    stores.invite(night.store, "judge", by=BY)
    connection.check_constraints()
    head, entries = head_of(night.store), JournalEntry.objects.filter(store=night.store).count()
    slugs = {night.event.slug, playing.event.slug, planned.event.slug}

    deleted = deleting.delete_store(night.store, by=BY)

    connection.check_constraints()
    assert rows() == before
    assert (deleted.number, deleted.by_name, deleted.entries, deleted.head) == (
        night.store.pk,
        BY.name,
        entries,
        head.hash,
    )
    assert {*RetiredAddress.objects.values_list("path", flat=True)} == {
        f"/s/{night.store.slug}/",
        *(f"/e/{slug}/" for slug in slugs),
    }
    assert store_problems(other.store, [other.event]) == []
    assert User.objects.filter(pk=night.owner.pk).exists()


def test_a_store_goes_with_a_row_of_everything_that_it_can_have():
    make_night(players=4, rounds=1)
    connection.check_constraints()
    before = rows()
    night = whole_store()
    own = set(PackVersion.objects.filter(own__store=night.store).values_list("pack", flat=True))
    events = set(Event.objects.filter(campaign__store=night.store).values_list("slug", flat=True))
    connection.check_constraints()

    deleting.delete_store(night.store, by=BY)

    connection.check_constraints()
    after = rows()
    assert {name for name in after if after[name] != before[name]} <= {MonthPack._meta.db_table}
    assert own
    assert not MonthPack.objects.filter(pk__in=own).exists()
    assert {path.split("/")[2] for path in RetiredAddress.objects.values_list("path", flat=True)} == {
        night.store.slug,
        *events,
    }


@pytest.mark.parametrize("change", ["deleted", "another month"])
def test_a_pack_that_only_the_past_of_another_store_names_stays(change):
    night = make_night(players=2)
    pack = saved(night.store, night.owner).pack
    own = events.make_event(night.campaign, pack.rules, starts_at=AT, sp_limit=100, by=BY)
    other = make_night(players=2)
    archive = archive_of(own)
    arrived = import_event(other.store, archive | {"event": archive["event"] | {"slug": "arrived"}}, by=BY)
    if change == "deleted":
        plans.delete_event(arrived, by=BY)
    else:
        plans.change_month(arrived, plans.Month(shipped_pack("dominion-war-6"), 100), by=BY)
    connection.check_constraints()

    deleting.delete_store(night.store, by=BY)

    assert MonthPack.objects.filter(pk=pack.pk).exists()
    whole = archive_of_store(other.store)
    leave_nothing()
    assert import_store(whole, by=BY).slug == other.store.slug


def test_every_table_is_thought_of():
    handled = {model for model, _ in (*OF_EVENT, *OF_STORE, *deleting.BESIDE)}
    handled |= {Campaign, RowChange, Event, Store, Rehearsal}
    of_no_store = {"Attempt", "DeletedStore", "PushKey", "RetiredAddress", "User"}

    models = set(apps.get_app_config("tourney").get_models())

    assert {model.__name__ for model in models - handled} == of_no_store


def test_a_deleted_store_is_deleted_once():
    store, _ = make_store()
    deleting.delete_store(store, by=BY)

    with pytest.raises(Refused, match="already been deleted"):
        deleting.delete_store(store, by=BY)


def test_its_addresses_are_never_given_again():
    night = make_night(players=2)
    deleting.delete_store(night.store, by=BY)

    store = stores.make_store(name=night.store.name, time_zone="UTC", by=BY)
    again = make_night(players=2, store=store)

    assert store.slug == f"{night.store.slug}-2"
    assert again.event.slug != night.event.slug


def test_a_store_that_came_from_elsewhere_goes_whole_too():
    archive = archive_of_store(make_night(players=4, rounds=1).store)
    leave_nothing()
    other = make_night(players=4, rounds=1)
    connection.check_constraints()
    before = rows()
    there = import_store(archive, by=BY, slug="arrived")
    assert there.origins.exists()

    deleting.delete_store(there, by=BY)

    connection.check_constraints()
    assert rows() == before
    assert store_problems(other.store, [other.event]) == []


def test_where_a_chain_began_stays_as_long_as_the_store_does():
    there = moved(archive_of_store(make_night(players=2).store))

    for statement in ("DELETE FROM tourney_chain_origin", "UPDATE tourney_chain_origin SET shift = 1"):
        with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)

    assert there.origins.exists()


def test_it_comes_back_from_its_archive_at_another_address():
    night = make_night(players=4, rounds=1)
    archive = archive_of_store(night.store)
    as_event = archive_of(Event.objects.with_context().get(pk=night.event.pk))
    deleting.delete_store(night.store, by=BY)
    connection.check_constraints()

    with pytest.raises(InvalidStoreArchive, match="was deleted here, and no other gets its address"):
        import_store(archive, by=BY)
    back = import_store(archive, by=BY, slug="back-again")

    event = Event.objects.with_context().get(campaign__store=back)
    assert event.slug == f"{night.event.slug}-2"
    assert store_problems(back, [event]) == []
    with pytest.raises(InvalidArchive, match="was deleted here with its store"):
        import_event(back, as_event, by=BY)


def test_the_page_of_who_had_asked_for_it_goes_too():
    key = asked_for_a_store()
    store = new_stores.approve(request_with(key), by=BY)

    deleting.delete_store(store, by=BY)

    assert not StoreRequest.objects.exists()


FOR_EVER = [
    "UPDATE tourney_deleted_store SET number = 0",
    "DELETE FROM tourney_retired_address",
    "UPDATE tourney_retired_address SET path = 'x'",
    "DELETE FROM tourney_deleted_store",
    "TRUNCATE tourney_deleted_store CASCADE",
    "INSERT INTO tourney_deleted_store (number, deleted_at, by_name, entries, head) VALUES (9999, now(), '', 0, '')",
]


@pytest.mark.parametrize("statement", FOR_EVER)
def test_that_it_was_deleted_stays_known(statement):
    store, _ = make_store()
    connection.check_constraints()
    deleting.delete_store(store, by=BY)

    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_its_number_is_never_that_of_another_store():
    store, _ = make_store()
    connection.check_constraints()
    deleting.delete_store(store, by=BY)

    with pytest.raises(Error, match="its number is no other"), transaction.atomic():
        Store.objects.create(pk=store.pk, name="Again", slug="again")


def test_nothing_goes_to_another_store_with_which_it_could_be_deleted():
    night, other = make_night(players=2), make_night(players=2)

    with pytest.raises(Error, match="nothing goes to another store"), transaction.atomic():
        Campaign.objects.filter(pk=night.campaign.pk).update(store=other.store)
    with pytest.raises(Error, match="nothing goes to another store"), transaction.atomic():
        Event.objects.filter(pk=night.event.pk).update(campaign=other.campaign)


@pytest.mark.parametrize("table", ["tourney_journallink", "tourney_journalentry", "tourney_store"])
def test_the_word_alone_lets_no_part_of_a_store_go(table):
    """Whoever says that it is deleted, and deletes less than all of it, has deleted nothing."""
    night = make_night(players=2)
    connection.check_constraints()
    before = rows()

    with pytest.raises(Error):
        delete_in_part(night.store, table)

    assert rows() == before


def delete_in_part(store: Store, table: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        DeletedStore.objects.create(number=store.pk, deleted_at=BY.at, by_name="x", entries=0, head="")
        cursor.execute(f"DELETE FROM {table}")
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.django_db(transaction=True)
def test_a_rehearsal_that_begins_at_the_same_moment_goes_too_or_does_not_begin():
    night = make_night(players=4)
    plan = rehearsal.RehearsalPlan(made_up=2)

    *begun, deleted = (
        lambda: rehearsal.begin(night.event, plan, by=BY, seed=1),
        lambda: rehearsal.begin(night.event, plan, by=BY, seed=2),
        lambda: deleting.delete_store(night.store, by=BY),
    )
    told = at_once(*begun, deleted)

    assert set(told) <= {
        "",
        "Nothing changed. This event has been removed.",
        "This event already has a rehearsal. Delete it to start another.",
    }
    assert (Store.objects.count(), Rehearsal.objects.count(), DeletedStore.objects.count()) == (0, 0, 1)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_delete_it_at_once_one_does():
    night = make_night(players=4, open_round=True)

    told = at_once(*[lambda: deleting.delete_store(night.store, by=BY)] * 2)

    assert told == ["", "This store has already been deleted."]
    assert (Store.objects.count(), DeletedStore.objects.count()) == (0, 1)
