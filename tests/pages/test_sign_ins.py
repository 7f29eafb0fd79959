"""The list of sign-ins: what owners see of them, what is not kept, and how long the rest is."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_guessing import sign_in
from tests.pages.test_me import text_of
from tests.support.nights import PASSWORD, make_night, make_store
from tests.support.phones import phone_of
from tourney.actions import sign_ins, stores
from tourney.models import Attempt, Membership, Role, SignInAttempt, SignInOutcome, Store
from tourney.serving.housekeeping import tidy
from tourney.views.throttle import MOST_PASSWORDS

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"


def page(store: Store, user, **asked) -> str:
    client = Client()
    client.force_login(user)
    return text_of(client.get(reverse("sign_ins", args=[store.slug]), asked))


def outcomes() -> list[str]:
    return list(SignInAttempt.objects.order_by("pk").values_list("outcome", flat=True))


def test_an_owner_sees_who_signed_in_from_where_and_with_what():
    store, users = make_store()
    sign_in(users["judge"].username, PASSWORD, REMOTE_ADDR="203.0.113.7", headers={"User-Agent": FIREFOX})

    assert f"{users['judge'].username} Firefox · Windows · 203.0.113.x Signed in" in page(store, users["owner"])


def test_wrong_passwords_are_listed_and_can_be_listed_alone():
    store, users = make_store()
    sign_in(users["judge"].username, PASSWORD)
    sign_in(users["owner"].username.upper(), "wrong")

    assert outcomes() == [SignInOutcome.SIGNED_IN, SignInOutcome.WRONG_PASSWORD]
    failed = page(store, users["owner"], show="failed")
    assert f"{users['owner'].username} Unknown program · this computer Wrong password" in failed
    assert users["judge"].username not in failed


def test_those_who_are_not_tried_any_more_are_one_row():
    _, users = make_store()
    for _ in range(MOST_PASSWORDS + 3):
        sign_in(users["judge"].username, "wrong")

    assert outcomes() == [SignInOutcome.WRONG_PASSWORD] * MOST_PASSWORDS + [SignInOutcome.NOT_TRIED]


@pytest.mark.parametrize("typed", ["my secret password", "a\0b", "x" * 500])
def test_what_is_nobodys_name_is_not_kept(typed):
    make_store()
    for _ in range(MOST_PASSWORDS + 1):
        sign_in(typed, "wrong")

    assert not SignInAttempt.objects.exists()


def test_an_empty_form_is_no_sign_in():
    _, users = make_store()
    sign_in(users["owner"].username, "")

    assert not SignInAttempt.objects.exists()


def test_each_store_sees_its_own_staff_alone():
    (store, users), (other, others) = make_store(), make_store("Deck Twelve")
    Membership.objects.create(store=other, user=users["judge"], role=Role.JUDGE)
    sign_in(users["judge"].username, PASSWORD)
    sign_in(users["organizer"].username, PASSWORD)

    assert users["judge"].username in page(other, others["owner"])
    assert users["organizer"].username not in page(other, others["owner"])
    assert users["organizer"].username in page(store, users["owner"])


def test_who_has_no_role_any_more_stays_on_the_list():
    store, users = make_store()
    sign_in(users["judge"].username, PASSWORD)
    stores.take_role(Membership.objects.get(user=users["judge"]), by=stores.Actor(None, "test", timezone.now()))

    assert users["judge"].username in page(store, users["owner"])


def test_the_list_is_led_to_from_the_page_of_people():
    store, users = make_store()
    client = Client()
    client.force_login(users["owner"])

    assert reverse("sign_ins", args=[store.slug]) in client.get(reverse("staff", args=[store.slug])).content.decode()


def test_long_lists_have_pages_that_keep_what_is_shown():
    store, users = make_store()
    add(store, users["judge"], SignInOutcome.WRONG_PASSWORD, 51)

    shown = page(store, users["owner"], show="failed", page="2")

    assert shown.count("Wrong password") == 1
    assert "Page 2 of 2" in shown


def add(store: Store, user, outcome: str, number: int, **more) -> None:
    row = {"store": store, "user": user, "outcome": outcome, "network": "203.0.113.x", "device": "Firefox on Mac"}
    SignInAttempt.objects.bulk_create(SignInAttempt(**row | {"at": timezone.now()} | more) for _ in range(number))


# what is deleted by itself


def test_after_ninety_days_a_sign_in_is_deleted():
    store, users = make_store()
    add(store, users["judge"], SignInOutcome.SIGNED_IN, 1, at=timezone.now() - timedelta(days=90))
    add(store, users["judge"], SignInOutcome.SIGNED_IN, 1, at=timezone.now() - timedelta(days=89))

    tidy(timezone.now())

    assert SignInAttempt.objects.count() == 1


def test_a_flood_of_wrong_passwords_is_cut_and_hides_nobody_who_signed_in(monkeypatch):
    monkeypatch.setattr(sign_ins, "MOST_OF_A_STORE", 5)
    store, users = make_store()
    add(store, users["owner"], SignInOutcome.SIGNED_IN, 1, at=timezone.now() - timedelta(days=1))
    add(store, users["judge"], SignInOutcome.WRONG_PASSWORD, 8)

    tidy(timezone.now())

    assert outcomes() == [SignInOutcome.SIGNED_IN] + [SignInOutcome.WRONG_PASSWORD] * 5


def test_sessions_that_ended_are_deleted_and_those_in_use_are_not():
    _, users = make_store()
    ended, used = Client(), Client()
    for client in (ended, used):
        client.force_login(users["judge"])
    Session.objects.filter(pk=ended.session.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))

    tidy(timezone.now())

    assert [session.pk for session in Session.objects.all()] == [used.session.session_key]


def test_tries_that_no_longer_count_are_deleted():
    Attempt.objects.create(who="key 192.168.1.20", at=timezone.now() - timedelta(minutes=10))

    tidy(timezone.now())

    assert not Attempt.objects.exists()


# phones have no session


def test_a_phone_that_joins_and_is_told_so_has_no_session():
    night, phone = make_night(players=0), Client()
    phone.post(reverse("join", args=[night.event.slug]), {"name": "Vor", "faction": "Klingon"}, follow=True)

    other = phone_of(night.event.entrants.get().player)
    told = text_of(other.post(reverse("card", args=[other.cookies[f"card-{night.store.pk}"].value]), follow=True))

    assert "This device now holds Vor’s card" in told
    assert "This device now holds" not in text_of(other.get(reverse("my_card", args=[night.store.slug])))
    assert not Session.objects.exists()


def test_one_who_is_signed_in_is_told_what_was_done_once():
    store, users = make_store()
    client = Client()
    client.force_login(users["owner"])
    form = {"name": store.name, "time_zone": "Europe/Berlin", "locale": "de_DE", "names_shown": "full"}

    told = client.post(reverse("store_settings", args=[store.slug]), form, follow=True)

    assert "Saved." in text_of(told)
    assert "Saved." not in text_of(client.get(reverse("store_settings", args=[store.slug])))
