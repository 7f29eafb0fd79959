"""Keys and passwords are not guessed: wrong ones are counted for ten minutes, in the database, for all processes."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from urllib.parse import quote

import pytest
from django.contrib.auth import hashers
from django.db import connection
from django.db.models import F
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_me import text_of
from tests.support.nights import BY, PASSWORD, make_night, make_store
from tests.support.phones import phone_of
from tourney import access
from tourney.actions import attempts, player_cards, stores
from tourney.actions.record import Actor
from tourney.models import Attempt, Role
from tourney.views.throttle import MOST_KEYS, MOST_PASSWORDS, MOST_PASSWORDS_OF_ADDRESS

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
    assert "Too many wrong links were opened from this network. A correct link still works" in text_of(refused)


def test_a_right_link_opens_whatever_others_at_the_same_address_sent():
    night = make_night(players=2)
    by = Actor(None, "test", timezone.now())
    links = {
        "card": player_cards.issue(night.event.entrants.get(number=2).player, by=BY),
        "invitation": stores.invite(night.store, Role.JUDGE, by=by),
        "set_up": stores.invite(None, Role.OWNER, by=by),
    }
    guess(MOST_KEYS + 1)

    assert [Client().get(reverse(name, args=[key])).status_code for name, key in links.items()] == [200, 200, 200]
    assert guess(1) == {429}


def test_a_phone_with_its_card_goes_on_whatever_others_at_the_same_address_sent():
    night = make_night(players=2)
    player = night.event.entrants.get(number=1).player
    phone = phone_of(player)
    guess(MOST_KEYS + 1)

    assert str(player) in text_of(phone.get(reverse("my_card", args=[night.store.slug])))


def test_a_flood_of_wrong_links_writes_no_more_than_its_limit():
    guess(2 * MOST_KEYS)

    assert Attempt.objects.count() == MOST_KEYS


def test_after_ten_minutes_it_is_forgotten():
    guess(MOST_KEYS)
    ten_minutes_later()

    assert guess(1) == {404}
    assert Attempt.objects.count() == 1


def test_links_that_are_right_count_nothing():
    night = make_night(players=2)
    link = reverse("card", args=[player_cards.issue(night.event.entrants.get(number=1).player, by=BY)])

    assert guess(MOST_KEYS + 1, path=link) == {200}
    assert not Attempt.objects.exists()


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

    with override_settings(BEHIND_PROXY=True):
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

    assert "No player card on this phone yet" in text_of(phone.get(reverse("my_card", args=[night.store.slug])))
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

    phone.post(link)

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
    assert "Too many wrong passwords Wait ten minutes, then try again." in text_of(refused)
    assert f'value="{name.upper()}"' in refused.content.decode()
    ten_minutes_later()
    assert sign_in(name, PASSWORD).status_code == 302


def fullwidth(name: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if letter.isalpha() else letter for letter in name)


def test_a_name_is_counted_as_the_form_reads_it_however_it_is_typed():
    _, users = make_store()
    name = users["owner"].username
    spellings = (name, f" {name}", f"{name} ", f"\t{name}", f"\u3000{name}", fullwidth(name), name.upper())

    for number in range(MOST_PASSWORDS):
        sign_in(spellings[number % len(spellings)], "wrong")

    assert [sign_in(spelling, PASSWORD).status_code for spelling in spellings] == [429] * len(spellings)


def test_many_names_from_one_address_are_slowed_down_together():
    _, users = make_store()

    answers = [sign_in(f"guess-{number}", "Summer2026").status_code for number in range(MOST_PASSWORDS_OF_ADDRESS + 1)]

    assert answers == [422] * MOST_PASSWORDS_OF_ADDRESS + [429]
    assert sign_in(users["owner"].username, PASSWORD).status_code == 429
    assert sign_in(users["owner"].username, PASSWORD, REMOTE_ADDR="192.168.1.20").status_code == 302


def test_ones_own_password_does_not_allow_to_guess_more_names():
    _, users = make_store()
    answers = []
    for number in range(MOST_PASSWORDS_OF_ADDRESS + 1):
        answers.append(sign_in(f"guess-{number}", "Summer2026").status_code)
        if number % 5 == 0:
            sign_in(users["judge"].username, PASSWORD)

    assert answers == [422] * MOST_PASSWORDS_OF_ADDRESS + [429]


def test_right_passwords_count_nothing():
    _, users = make_store()

    answers = {sign_in(users["judge"].username, PASSWORD).status_code for _ in range(MOST_PASSWORDS_OF_ADDRESS + 1)}

    assert answers == {302}
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("name", ["\ud800", "x" * 100_000, "\u202eowner"])
def test_a_name_of_strange_letters_is_counted_like_any_other(name):
    form = f"password=wrong&username={quote(name, errors='surrogatepass')}"
    path, kind = reverse("sign_in"), "application/x-www-form-urlencoded"
    answers = [Client().post(path, form, content_type=kind).status_code for _ in range(MOST_PASSWORDS + 1)]

    assert answers == [422] * MOST_PASSWORDS + [429]


def test_what_is_typed_as_a_name_is_not_kept():
    sign_in("long range scan", "oops")

    assert not any("scan" in attempt.who for attempt in Attempt.objects.all())


@pytest.mark.django_db(transaction=True)
def test_tries_at_the_same_moment_are_counted_before_they_are_tried():
    now, barrier = timezone.now(), Barrier(16)

    def reserve(number: int) -> bool:
        barrier.wait()
        try:
            return attempts.reserve({"of all": 12, f"of {number % 2}": 5}, now) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as threads:
        taken = list(threads.map(reserve, range(16)))

    assert sum(taken) == 10
    assert Attempt.objects.filter(who="of all").count() == 10


def test_over_the_limit_nothing_is_hashed(monkeypatch):
    _, users = make_store()
    for _ in range(MOST_PASSWORDS):
        sign_in(users["owner"].username, "wrong")
        sign_in("nobody-here", "wrong")
    hashed = []
    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", lambda *given: hashed.append(given))

    answers = [sign_in(name, "wrong") for name in (users["owner"].username, "nobody-here")]

    assert [answer.status_code for answer in answers] == [429, 429]
    assert text_of(answers[0]) == text_of(answers[1])
    assert hashed == []


@pytest.mark.parametrize("name", ["owner@starbase-games", "nobody-here"])
def test_a_password_is_hashed_once_whether_there_is_such_a_name_or_not(name, monkeypatch):
    make_store()
    encode, hashed = hashers.MD5PasswordHasher.encode, []
    monkeypatch.setattr(
        hashers.MD5PasswordHasher, "encode", lambda self, *given: hashed.append(given) or encode(self, *given)
    )

    sign_in(name, "wrong")

    assert len(hashed) == 1


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
    assert Attempt.objects.filter(who__startswith="sign-in ").count() == 1


def test_an_empty_form_is_no_try():
    assert {sign_in("", "").status_code, sign_in("owner", "").status_code} == {422}
    assert not Attempt.objects.exists()


# the table


def test_what_is_too_old_to_count_is_swept_away_and_the_rest_is_kept():
    guess(3)
    ten_minutes_later()
    guess(2, REMOTE_ADDR="192.168.1.20")

    attempts.sweep(timezone.now())

    assert [attempt.who for attempt in Attempt.objects.all()] == ["key 192.168.1.20"] * 2


def test_a_flood_from_many_addresses_has_room_for_so_many_and_the_oldest_go_first(monkeypatch):
    monkeypatch.setattr(attempts, "MOST_ROWS", 5)
    for number in range(8):
        guess(1, REMOTE_ADDR=f"192.168.1.{number}")

    attempts.sweep(timezone.now())

    assert [attempt.who for attempt in Attempt.objects.order_by("pk")] == [f"key 192.168.1.{n}" for n in range(3, 8)]
