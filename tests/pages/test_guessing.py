"""Keys and passwords are not guessed: wrong ones are counted for ten minutes, in the database, for all processes."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.nights import BY, PASSWORD, make_night, make_store
from tests.pages.test_me import text_of
from tests.phones import phone_of
from tourney import access
from tourney.actions import player_cards
from tourney.models import Attempt
from tourney.views.limits import MOST_KEYS, MOST_PASSWORDS

pytestmark = pytest.mark.django_db

FORGED = reverse("card", args=["A" * 22])


def guess(times: int, client: Client | None = None, path: str = FORGED, **more) -> set[int]:
    client = client or Client()
    return {client.get(path, **more).status_code for _ in range(times)}


def ten_minutes_later() -> None:
    Attempt.objects.update(at=F("at") - timedelta(minutes=10))


# keys


@pytest.mark.parametrize("name", ["card", "invitation", "set_up"])
def test_wrong_keys_are_not_found_and_after_twenty_there_is_no_answer(name):
    path = reverse(name, args=["A" * 22])

    assert guess(MOST_KEYS, path=path) == {404}
    refused = Client().get(path)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "600")
    assert "From this network too many wrong links were opened. Wait ten minutes" in text_of(refused)


def test_a_right_key_is_not_answered_either_but_a_phone_with_its_card_goes_on():
    night = make_night(players=2)
    player = night.event.entrants.get(number=1).player
    phone = phone_of(player)
    link = reverse("card", args=[player_cards.issue(night.event.entrants.get(number=2).player, by=BY)])
    guess(MOST_KEYS)

    assert Client().get(link).status_code == 429
    assert str(player) in text_of(phone.get(reverse("my_card", args=[night.store.slug])))


def test_after_ten_minutes_it_is_forgotten():
    guess(MOST_KEYS)
    ten_minutes_later()

    assert guess(1) == {404}
    assert Attempt.objects.count() == 1


def test_links_that_are_right_count_nothing():
    night = make_night(players=2)
    link = reverse("card", args=[player_cards.issue(night.event.entrants.get(number=1).player, by=BY)])

    assert guess(MOST_KEYS + 1, path=link) == {302}


def test_who_guesses_elsewhere_is_somebody_else():
    guess(MOST_KEYS, REMOTE_ADDR="192.168.1.20")

    assert guess(1, REMOTE_ADDR="192.168.1.21") == {404}
    assert guess(1, REMOTE_ADDR="192.168.1.20") == {429}


def test_a_visitor_cannot_choose_the_address():
    forged = ({"X-Forwarded-For": f"192.168.1.{number}"} for number in range(MOST_KEYS + 1))

    assert {Client().get(FORGED, headers=headers).status_code for headers in forged} == {404, 429}


def test_behind_a_proxy_its_last_word_is_the_address():
    def answers(number: int) -> int:
        headers = {"X-Forwarded-For": f"1.2.3.{number}, 203.0.113.7", "X-Forwarded-Proto": "https"}
        return Client().get(FORGED, headers=headers, secure=True).status_code

    with override_settings(HTTPS=True):
        assert {answers(number) for number in range(MOST_KEYS)} == {404}
        assert answers(99) == 429
        assert guess(1, REMOTE_ADDR="203.0.113.8", secure=True) == {404}


def test_a_household_of_ipv6_is_one():
    guess(MOST_KEYS, REMOTE_ADDR="2001:db8:1:2::1")

    assert guess(1, REMOTE_ADDR="2001:db8:1:2:ffff::9") == {429}
    assert guess(1, REMOTE_ADDR="2001:db8:1:3::1") == {404}


def test_a_forged_cookie_is_nobodys_card():
    night = make_night(players=2)
    phone = phone_of(night.event.entrants.get(number=1).player)
    for name in list(phone.cookies):
        phone.cookies[name] = "A" * 22

    assert "There is no card on this phone yet" in text_of(phone.get(reverse("my_card", args=[night.store.slug])))
    assert phone.get(reverse("my_fleets", args=[night.store.slug])).status_code == 404


def forge(night, key: str = "A" * 22) -> Client:
    client = Client()
    client.cookies[access.card_cookie(night.store)] = key
    return client


@pytest.mark.parametrize("name", ["event", "me", "standings"])
def test_forged_cookies_are_counted_apart_from_links_to_cards_that_were_issued_anew(name):
    night = make_night(players=2)
    page = reverse(name, args=[night.event.slug])

    answers = [forge(night, f"{number:022}").get(page).status_code for number in range(MOST_KEYS + 1)]

    assert answers == [200] * MOST_KEYS + [429]
    assert guess(1) == {404}
    assert Client().get(page).status_code == 200


def test_a_cookie_that_opens_nothing_counts_once_and_is_taken_away():
    night = make_night(players=2)
    phone = phone_of(night.event.entrants.get(number=1).player)
    player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    page = reverse("me", args=[night.event.slug])

    for _ in range(MOST_KEYS + 1):
        assert phone.get(page).status_code == 200

    assert phone.cookies[access.card_cookie(night.store)].value == ""
    assert Attempt.objects.count() == 1


def test_a_new_card_takes_the_place_of_a_dead_one():
    night = make_night(players=2)
    link = reverse("card", args=[player_cards.issue(night.event.entrants.get(number=1).player, by=BY)])
    phone = forge(night)

    phone.get(link)

    assert str(night.event.entrants.get(number=1)) in text_of(phone.get(reverse("my_card", args=[night.store.slug])))


def test_a_phone_with_its_card_is_asked_nothing_more():
    night = make_night(players=2)
    page = reverse("standings", args=[night.event.slug])
    phone = phone_of(night.event.entrants.get(number=1).player)
    phone.get(page)

    with CaptureQueriesContext(connection) as queries:
        phone.get(page)

    assert [query["sql"] for query in queries if "attempt" in query["sql"]] == []


# passwords


def sign_in(username: str, password: str, **more):
    return Client().post(reverse("sign_in"), {"username": username, "password": password}, **more)


def test_after_ten_wrong_passwords_for_a_name_not_even_the_right_one_is_tried():
    _, users = make_store()
    name = users["owner"].username

    assert {sign_in(name, "wrong").status_code for _ in range(MOST_PASSWORDS)} == {422}
    refused = sign_in(name.upper(), PASSWORD)

    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "600")
    assert "Too many wrong passwords for this name Wait ten minutes, then try again" in text_of(refused)
    assert f'value="{name.upper()}"' in refused.content.decode()
    ten_minutes_later()
    assert sign_in(name, PASSWORD).status_code == 302


def test_other_names_and_other_addresses_sign_in_meanwhile():
    _, users = make_store()
    for _ in range(MOST_PASSWORDS):
        sign_in(users["owner"].username, "wrong")

    assert sign_in(users["judge"].username, PASSWORD).status_code == 302
    assert sign_in(users["owner"].username, PASSWORD, REMOTE_ADDR="192.168.1.20").status_code == 302


def test_a_right_password_forgives_the_wrong_ones():
    _, users = make_store()
    name = users["owner"].username
    for _ in range(MOST_PASSWORDS - 1):
        sign_in(name, "wrong")
    sign_in(name, PASSWORD)

    assert sign_in(name, "wrong").status_code == 422
    assert Attempt.objects.count() == 1


def test_an_empty_form_is_no_try():
    assert {sign_in("", "").status_code, sign_in("owner", "").status_code} == {422}
    assert not Attempt.objects.exists()
