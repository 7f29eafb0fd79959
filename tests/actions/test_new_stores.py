"""Stores that are asked for: kept with little, decided once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.asking_for_stores import PASSWORD, REASON, asked_for_a_store
from tests.support.at_once import at_once
from tests.support.factories import UserFactory
from tests.support.nights import BY, now
from tourney.actions import new_stores, stores
from tourney.actions.new_stores import KEPT_DAYS, MOST_OF_ADDRESS, MOST_WAITING, NewAccount, NewStore
from tourney.actions.record import Refused
from tourney.models import JournalEntry, Membership, Store, StoreRequest, User
from tourney.queries.new_stores import request_with

pytestmark = pytest.mark.django_db


def test_approved_the_store_is_there_with_its_owner_who_signs_in_with_the_password_that_was_typed(client):
    asked = request_with(asked_for_a_store())

    store = new_stores.approve(asked, by=BY)

    owner = User.objects.get()
    assert (store.name, store.place, store.time_zone, store.locale) == (
        "Deck Twelve",
        "Chemnitz",
        "Europe/Berlin",
        "de_DE",
    )
    assert [(one.user, one.role) for one in Membership.objects.filter(store=store)] == [(owner, "owner")]
    assert client.login(username="quill", password=PASSWORD)
    assert JournalEntry.objects.filter(store=store, by_name=BY.name).count() == 2


@pytest.mark.parametrize("decide", [new_stores.approve, new_stores.decline])
def test_with_the_decision_go_the_password_the_address_and_the_message(decide):
    asked = request_with(asked_for_a_store(address="192.0.2.77"))
    assert asked.reason == REASON
    assert asked.password.startswith(("pbkdf2", "md5", "argon2", "scrypt"))
    assert "192.0.2.77" not in repr(StoreRequest.objects.values_list())

    decide(asked, by=BY)

    asked.refresh_from_db()
    assert (asked.password, asked.asked_from, asked.reason) == ("", "", "")


def test_before_it_is_approved_nobody_can_sign_in_with_it(client):
    asked_for_a_store()

    assert not client.login(username="quill", password=PASSWORD)
    assert not Store.objects.exists()


def test_whoever_has_an_account_owns_the_store_with_it():
    user = UserFactory(username="onyx")
    wanted = NewStore("Outpost", "", "UTC", "en_US")
    key = new_stores.ask(wanted, user, reason=REASON, address="192.0.2.1", at=BY.at)

    store = new_stores.approve(request_with(key), by=BY)

    assert Membership.objects.get(store=store).user == user
    assert User.objects.get() == user


def test_a_decision_is_made_once():
    asked = request_with(asked_for_a_store())
    new_stores.decline(asked, answer="Only clubs of this town.", by=BY)

    with pytest.raises(Refused, match="already been declined"):
        new_stores.approve(asked, by=BY)
    assert not Store.objects.exists()


def test_a_name_that_was_taken_meanwhile_is_refused_and_the_request_goes_on_waiting():
    asked = request_with(asked_for_a_store())
    stores.make_user("Quill", PASSWORD)

    with pytest.raises(Refused, match="“quill” is taken"):
        new_stores.approve(asked, by=BY)
    asked.refresh_from_db()
    assert (asked.state, Store.objects.count()) == ("waiting", 0)


def test_two_requests_do_not_wait_with_one_sign_in_name():
    asked_for_a_store()

    with pytest.raises(Refused, match="“QUILL” is taken"):
        asked_for_a_store("Outpost", "QUILL")


def test_one_address_has_few_requests_waiting_and_a_decision_makes_room():
    keys = [asked_for_a_store(f"Outpost {one}", f"quill{one}") for one in range(MOST_OF_ADDRESS)]

    with pytest.raises(Refused, match="Requests from this network are already waiting"):
        asked_for_a_store("Outpost", "onyx")
    asked_for_a_store("Outpost", "vor", address="192.0.2.2")
    new_stores.decline(request_with(keys[0]), by=BY)
    asked_for_a_store("Outpost", "onyx")

    assert StoreRequest.objects.filter(state="waiting").count() == MOST_OF_ADDRESS + 1


def test_all_addresses_together_have_so_many_waiting_and_no_more():
    StoreRequest.objects.bulk_create(
        StoreRequest(key_hash=str(one), name="x", time_zone="UTC", locale="en_US", asked_at=BY.at, username=f"u{one}")
        for one in range(MOST_WAITING)
    )

    with pytest.raises(Refused, match="Too many requests are waiting"):
        asked_for_a_store()


def test_what_nobody_decides_or_reads_is_deleted_after_its_days():
    waiting, decided = (request_with(asked_for_a_store(name, name)) for name in ("one", "two"))
    new_stores.decline(decided, by=now())
    over = timezone.now() + timedelta(days=KEPT_DAYS)

    new_stores.forget_old(over - timedelta(hours=1))
    kept = StoreRequest.objects.count()
    new_stores.forget_old(over + timedelta(hours=1))

    assert (kept, StoreRequest.objects.count()) == (2, 0)
    assert waiting.state == "waiting"


def test_of_a_request_that_is_withdrawn_nothing_is_kept():
    new_stores.withdraw(request_with(asked_for_a_store()))

    assert not StoreRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_approvals_at_once_one_makes_the_store():
    asked = request_with(asked_for_a_store())

    told = at_once(*[lambda: new_stores.approve(asked, by=BY)] * 2)

    assert told == ["", "This request has already been approved."]
    assert (Store.objects.count(), User.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_of_many_that_ask_at_once_no_more_wait_than_may():
    told = at_once(*[lambda name=name: asked_for_a_store(name, name) for name in "abcdef"])

    assert told.count("") == MOST_OF_ADDRESS
    assert StoreRequest.objects.count() == MOST_OF_ADDRESS


def test_made_at_once_a_name_that_is_taken_makes_no_store():
    UserFactory(username="quill")

    with pytest.raises(Refused, match="taken"):
        new_stores.make_at_once(
            NewStore("Outpost", "", "UTC", "en_US"), NewAccount("quill", PASSWORD), at=timezone.now()
        )
    assert not Store.objects.exists()
