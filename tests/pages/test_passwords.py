"""Passwords: which are refused, and how they are kept."""

import pytest
from django.contrib.auth.hashers import check_password, identify_hasher, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import override_settings
from django.urls import reverse

from tests.pages.test_accounts import ACCOUNT, STORE, invited
from tests.pages.test_me import text_of
from tests.support.nights import make_store
from tourney.models import Role, User
from tourney.runtime.passwords import Argon2

pytestmark = pytest.mark.django_db

NAME = "This password is your sign-in name with little added. Try three or four random words."
STORES_NAME = "This password is the store’s name with little added. Try three or four random words."
WORD = "This password is a common word with little added. Try three or four random words."


def refused(password: str, username: str = "kestrel") -> list[str]:
    user = User(username=username)
    user.store_names = ["Starbase Games"]
    try:
        validate_password(password, user)
    except ValidationError as error:
        return error.messages
    return []


@pytest.mark.parametrize(
    ("password", "sentence"),
    [
        ("kestrel1", NAME),
        ("Kestrel2026!", NAME),
        ("!2026-kestrel", NAME),
        ("k3str3l-77", NAME),
        ("ｋｅｓｔｒｅｌ２０２６", NAME),
        ("kestrelkestrel", NAME),
        ("starbasegames26", STORES_NAME),
        ("Starbase Games!", STORES_NAME),
        ("$tarba5e-Games", STORES_NAME),
        ("dragon2026!", WORD),
        ("P@ssw0rd2026", WORD),
    ],
)
def test_a_name_or_a_common_word_with_digits_is_refused_with_a_sentence(password, sentence):
    assert sentence in refused(password)


@pytest.mark.parametrize(
    "password",
    ["long range scan", "kestrel over calm harbors", "starbase lantern", "7-kestrel-4821-9907", "vorpal-mekleth"],
)
def test_words_of_ones_own_are_accepted(password):
    assert refused(password) == []


def test_a_sign_in_name_that_is_an_address_counts_without_its_domain():
    assert NAME in refused("kestrel99", "kestrel@example.org")


def test_a_name_of_two_letters_refuses_nothing():
    assert refused("jolly roger", "jo") == []


@pytest.mark.parametrize("door", ["set-up", "invitation"])
def test_the_name_of_the_store_is_refused_where_an_account_is_made(client, door):
    path = invited(None, Role.OWNER) if door == "set-up" else invited(make_store()[0])
    name = "decktwelve-1" if door == "set-up" else "starbasegames-1"

    page = client.post(path, ACCOUNT | STORE | {"password": name, "confirm": name})

    assert page.status_code == 422
    assert STORES_NAME in text_of(page)


def test_the_name_of_ones_store_is_refused_as_a_new_password(client):
    _, users = make_store()
    client.force_login(users["judge"])
    form = {
        "old_password": "correct horse battery",
        "new_password1": "starbase-games1",
        "new_password2": "starbase-games1",
    }

    page = client.post(reverse("password"), form)

    assert page.status_code == 422
    assert STORES_NAME in text_of(page)


def real_hashers():
    from tourney import settings

    return override_settings(PASSWORD_HASHERS=settings.PASSWORD_HASHERS)


def test_new_passwords_are_kept_by_argon2_with_at_least_what_owasp_asks_for():
    with real_hashers():
        kept = make_password("long range scan")
        shown = identify_hasher(kept).decode(kept)

    assert (shown["algorithm"], shown["variety"]) == ("argon2", "argon2id")
    assert shown["memory_cost"] >= 47_104 or (shown["memory_cost"] >= 19_456 and shown["time_cost"] >= 2)
    assert (Argon2.memory_cost, Argon2.time_cost) == (65_536, 3)


def test_a_password_kept_by_pbkdf2_signs_in_and_is_kept_by_argon2_from_then_on(client):
    _, users = make_store()
    user = users["judge"]
    with real_hashers():
        user.password = make_password("long range scan", hasher="pbkdf2_sha256")
        user.save()

        answer = client.post(reverse("sign_in"), {"username": user.username, "password": "long range scan"})

        user.refresh_from_db()
        assert answer.status_code == 302
        assert user.password.startswith("argon2$argon2id$")
        assert check_password("long range scan", user.password)
