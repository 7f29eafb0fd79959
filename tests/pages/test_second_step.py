"""A code after the password: set up, asked for, used once, lost; never guessed, and told to the owners."""

import re
import time
from datetime import timedelta
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_account import choose, make_link
from tests.pages.test_guessing import ten_minutes_later
from tests.pages.test_me import text_of
from tests.pages.test_signed_out import Form
from tests.support.accounts import signed_in, signed_in_long_ago
from tests.support.nights import PASSWORD, make_night, make_store
from tourney.actions import second_step
from tourney.models import JournalEntry, Membership, Player, SignInOutcome, User
from tourney.queries.accounts import app_of, unused_codes
from tourney.views.second_step import MOST_CODES, MOST_CODES_OF_ADDRESS

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
CODE = reverse("second_step")


def code_of(secret: str = SECRET, *, later: int = 0) -> str:
    """What an app shows now, or so many half minutes later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))


def wrong_code() -> str:
    right = {code_of(later=later) for later in range(-3, 4)}
    return next(code for code in (f"{number:06}" for number in range(10)) if code not in right)


@pytest.fixture
def store_and_users():
    return make_store()


@pytest.fixture
def judge(store_and_users):
    """A judge who uses an app."""
    user = store_and_users[1]["judge"]
    second_step.turn_on(user, SECRET)
    return user


def with_password(user, **more) -> Client:
    """Somebody who has typed name and password, and is asked for the code."""
    client = Client(**more)
    answer = client.post(reverse("sign_in"), {"username": user.username, "password": PASSWORD})
    assert answer["Location"] == CODE
    return client


def user_at(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def outcomes(store) -> list[str]:
    return list(store.sign_in_attempts.order_by("pk").values_list("outcome", flat=True))


# setting it up


def test_an_app_is_set_up_with_the_first_code_it_shows_and_brings_recovery_codes(store_and_users):
    client = signed_in(store_and_users[1]["judge"])
    page = client.get(reverse("authenticator"))
    secret = re.search(r"<code>([A-Z2-7 ]+)</code>", page.text)[1].replace(" ", "")
    link = re.search(r'href="(otpauth://[^"]+)"', page.text)[1]
    assert f"secret={secret}" in link
    assert "issuer=Flagship" in link

    wrong = client.post(reverse("authenticator"), {"code": "abc"})
    assert (wrong.status_code, "That code doesn’t work." in text_of(wrong)) == (422, True)
    assert secret in wrong.text.replace(" ", "")
    done = client.post(reverse("authenticator"), {"code": code_of(secret)}, follow=True)

    assert done.request["PATH_INFO"] == reverse("recovery_codes")
    assert len(re.findall(r"<code>\d{4} \d{4}</code>", done.text)) == 10
    shown = text_of(client.get(reverse("account")))
    assert "On since" in shown
    assert "10 left" in shown


def test_a_session_that_was_left_open_sets_up_nothing_and_shows_no_code(judge, store_and_users):
    left = signed_in_long_ago(store_and_users[1]["owner"])
    assert left.get(reverse("authenticator"))["Location"].startswith(reverse("confirm_yourself"))

    left = signed_in_long_ago(judge)
    for name in ("recovery_codes", "remove_authenticator"):
        assert left.post(reverse(name))["Location"].startswith(reverse("confirm_yourself"))
    assert left.get(reverse("recovery_codes")).status_code == 302
    assert app_of(judge)


# signing in


def test_the_password_alone_signs_nobody_in(judge, store_and_users):
    store, _ = store_and_users
    client = with_password(judge)

    assert user_at(client) is None
    assert client.get(store.get_absolute_url()).context["role"] is None
    assert outcomes(store) == []
    client.post(CODE, {"code": code_of()})

    assert user_at(client) == str(judge.pk)
    assert outcomes(store) == [SignInOutcome.SIGNED_IN]
    assert client.session.get_expiry_age() > timedelta(days=59).total_seconds()


@pytest.mark.parametrize("typed", ["{} {}", "{}-{}", " {}{} "])
def test_a_code_is_read_however_it_is_typed(judge, typed):
    client, code = with_password(judge), code_of()

    assert client.post(CODE, {"code": typed.format(code[:3], code[3:])}).status_code == 302


@pytest.mark.parametrize(("later", "status"), [(-1, 302), (1, 302), (-3, 422), (3, 422)])
def test_a_clock_that_is_half_a_minute_off_is_no_reason(judge, later, status):
    assert with_password(judge).post(CODE, {"code": code_of(later=later)}).status_code == status


def test_a_code_that_was_used_is_refused_in_every_process(judge):
    code, clients = code_of(), [with_password(judge) for _ in range(2)]

    assert [client.post(CODE, {"code": code}).status_code for client in clients] == [302, 422]


def test_after_the_code_a_person_is_at_the_page_that_was_wanted(judge, store_and_users):
    client, wanted = Client(), reverse("password")
    form = {"username": judge.username, "password": PASSWORD, "next": wanted}
    client.post(reverse("sign_in"), form)

    assert client.post(CODE, {"code": code_of()})["Location"] == wanted


def test_what_was_typed_is_kept_over_the_code_too():
    night = make_night(players=2)
    second_step.turn_on(night.organizer, SECRET)
    client, players = Client(), reverse("players", args=[night.event.slug])
    asked = client.post(players, {"do": "many", "names": "Zephyr"})
    facts = Form(asked, reverse("sign_in")).fields
    code = client.post(reverse("sign_in"), facts | {"username": night.organizer.username, "password": PASSWORD})
    assert "Your entries are still here." in text_of(code)
    wrong = client.post(CODE, Form(code, CODE).fields | {"code": wrong_code()})
    assert wrong.status_code == 422

    kept = client.post(CODE, Form(wrong, CODE).fields | {"code": code_of()})

    assert "Not saved yet" in text_of(kept)
    client.post(players, Form(kept, players).fields)
    assert Player.objects.filter(name="Zephyr").exists()


def test_who_took_too_long_begins_again_with_what_was_kept(judge, settings):
    client = with_password(judge)
    settings.ACCOUNT_LOGIN_TIMEOUT = -1

    assert client.get(CODE)["Location"] == reverse("sign_in")
    kept = client.post(CODE, {"code": code_of(), "kept": "names=Zephyr", "kept_to": "/e/x/"})
    assert (kept.status_code, "names=Zephyr" in kept.text) == (422, True)
    assert user_at(client) is None


def test_who_was_turned_away_meanwhile_does_not_come_in_by_the_code(judge):
    client = with_password(judge)
    User.objects.filter(pk=judge.pk).update(is_active=False)

    assert client.post(CODE, {"code": code_of()})["Location"] == reverse("sign_in")
    assert user_at(client) is None


def test_nobody_is_asked_for_a_code_without_a_password():
    assert Client().get(CODE)["Location"] == reverse("sign_in")
    assert Client().post(CODE, {"code": "000000"})["Location"] == reverse("sign_in")


# recovery codes


def test_each_recovery_code_signs_in_once(judge):
    codes = unused_codes(judge)

    answers = [with_password(judge).post(CODE, {"code": code}).status_code for code in [*codes, codes[0]]]

    assert answers == [302] * 10 + [422]
    assert unused_codes(judge) == []


def test_new_recovery_codes_end_the_old_ones(judge):
    client, old = with_password(judge), unused_codes(judge)
    client.post(CODE, {"code": code_of()})

    client.post(reverse("recovery_codes"))

    new = unused_codes(judge)
    assert (len(new), {*old} & {*new}) == (10, set())
    assert with_password(judge).post(CODE, {"code": old[0]}).status_code == 422
    assert with_password(judge).post(CODE, {"code": new[0]}).status_code == 302


# guessing


def test_after_ten_wrong_codes_not_even_the_right_one_is_tried_from_wherever(judge, store_and_users):
    store, _ = store_and_users
    for number in range(MOST_CODES):
        client = with_password(judge, REMOTE_ADDR=f"192.168.1.{number}")
        assert client.post(CODE, {"code": wrong_code()}).status_code == 422

    client = with_password(judge, REMOTE_ADDR="10.0.0.1")
    refused = client.post(CODE, {"code": code_of()})

    assert (refused.status_code, refused["Retry-After"]) == (429, "600")
    assert outcomes(store) == [SignInOutcome.WRONG_CODE] * MOST_CODES + [SignInOutcome.NOT_TRIED]
    assert "Wrong code" in text_of(signed_in(store_and_users[1]["owner"]).get(reverse("sign_ins", args=[store.slug])))
    ten_minutes_later()
    assert client.post(CODE, {"code": code_of()}).status_code == 302


def test_codes_of_many_accounts_from_one_address_are_counted_together(store_and_users):
    users = store_and_users[1].values()
    for user in users:
        second_step.turn_on(user, SECRET)
    clients = [with_password(user) for user in users]

    wrong = [client.post(CODE, {"code": wrong_code()}).status_code for client in clients for _ in range(MOST_CODES)]

    assert wrong == [422] * MOST_CODES_OF_ADDRESS
    assert with_password(judge := next(iter(users))).post(CODE, {"code": code_of()}).status_code == 429, judge


def test_a_flood_of_passwords_that_are_right_leaves_no_session_for_long(judge):
    client = with_password(judge)

    assert client.session.get_expiry_age() <= timedelta(minutes=15).total_seconds()


# lost


def test_a_new_password_by_a_link_does_not_pass_by_the_code(judge, store_and_users):
    client = Client()

    answer = choose(make_link(*store_and_users), client=client)

    assert answer["Location"] == CODE
    assert user_at(client) is None
    client.post(CODE, {"code": code_of()})
    assert user_at(client) == str(judge.pk)


def test_an_owner_takes_the_app_off_the_account_of_a_member_who_lost_it(judge, store_and_users):
    store, users = store_and_users
    here = reverse("sign_in_help", args=[store.slug, Membership.objects.get(user=judge).pk])
    client = signed_in_long_ago(users["owner"])
    assert "Remove authenticator app" in text_of(client.get(here))

    page = client.post(here, {"do": "remove-app"}, follow=True)

    assert f"{judge.username} now signs in without a code." in text_of(page)
    assert not Authenticator.objects.exists()
    entry = JournalEntry.objects.filter(store=store).latest("pk")
    assert (entry.did, entry.by) == ("remove_authenticator", users["owner"])
    assert signed_in(judge)
    assert client.post(here, {"do": "remove-app"}).status_code == 409


def test_an_owner_takes_no_app_off_who_has_a_role_elsewhere(judge, store_and_users):
    store, users = store_and_users
    other, _ = make_store("Deck Twelve")
    Membership.objects.create(store=other, user=judge, role="judge")
    here = reverse("sign_in_help", args=[store.slug, Membership.objects.get(user=judge, store=store).pk])

    refused = signed_in_long_ago(users["owner"]).post(here, {"do": "remove-app"})

    assert refused.status_code == 409
    assert app_of(judge)


def test_the_command_takes_the_app_off_an_owners_account(store_and_users):
    store, users = store_and_users
    second_step.turn_on(users["owner"], SECRET)
    output = StringIO()

    call_command("setup_link", owner=users["owner"].username, remove_authenticator=True, stdout=output)

    assert choose(output.getvalue().strip().removeprefix("http://localhost:8000"))["Location"] == (
        store.get_absolute_url()
    )
    assert JournalEntry.objects.filter(store=store, did="remove_authenticator").exists()
    with pytest.raises(CommandError, match="has no authenticator app"):
        call_command("setup_link", owner=users["owner"].username, remove_authenticator=True)


def test_who_removes_their_own_app_is_asked_for_no_code_any_more(judge):
    client = with_password(judge)
    client.post(CODE, {"code": code_of()})

    page = client.post(reverse("remove_authenticator"), follow=True)

    assert "Authenticator app removed. Your password alone signs you in." in text_of(page)
    assert signed_in(judge)


def test_an_app_is_not_set_up_twice(judge):
    second_step.turn_on(judge, "A" * 32)

    assert app_of(judge).data["secret"] == SECRET


@pytest.mark.parametrize("code", ["", "é", "１２３４５６", "0" * 41, "\u202e123456"])
def test_a_code_of_strange_letters_is_wrong(judge, code):
    assert with_password(judge).post(CODE, {"code": code}).status_code == 422


def test_a_code_that_nobody_used_counts_for_nothing_later(judge):
    assert second_step.is_right(judge, code_of(), timezone.now())
    assert not second_step.is_right(judge, code_of(), timezone.now())
