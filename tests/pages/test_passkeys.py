"""Passkeys without a browser: where they are offered, what is refused, and what it costs to ask."""

import json

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from fido2.utils import websafe_encode

from tests.pages.test_me import text_of
from tests.support.accounts import signed_in, signed_in_long_ago
from tests.support.nights import make_store
from tourney.actions import second_step
from tourney.actions.record import Refused
from tourney.queries.accounts import passkeys_of
from tourney.views.passkeys import MOST_TRIES

pytestmark = pytest.mark.django_db

DOOR = reverse("passkey_sign_in")
HERE = {"HTTP_HOST": "localhost:8000"}


def asked(client: Client) -> dict:
    answer = client.post(DOOR)
    assert answer.status_code == 200
    return answer.json()["publicKey"]


@pytest.mark.parametrize(
    ("host", "secure", "offered"),
    [
        ("localhost:8000", False, True),
        ("flagship.example", True, True),
        ("flagship.example", False, False),
        ("192.168.1.20:8000", False, False),
        ("192.168.1.20", True, False),
        ("[2001:db8::1]", True, False),
        ("127.0.0.1:8000", False, False),
    ],
)
def test_passkeys_are_offered_where_browsers_make_them_and_elsewhere_it_is_said_why_not(host, secure, offered):
    user = make_store()[1]["judge"]
    at = {"HTTP_HOST": host, "secure": secure}
    client = signed_in(user)

    page = client.get(reverse("account"), **at)

    assert (reverse("add_passkey") in page.text) == offered
    assert ("Browsers make passkeys only over HTTPS, or at localhost" in text_of(page)) == (not offered)
    assert ("data-passkey" in Client().get(reverse("sign_in"), **at).text) == offered
    assert Client().post(DOOR, **at).status_code == (200 if offered else 404)
    assert client.get(reverse("add_passkey"), **at).status_code == (200 if offered else 302)


def test_the_question_is_for_the_address_in_the_browsers_line_and_asks_who_one_is():
    question = asked(Client(**HERE))

    assert (question["rpId"], question["userVerification"]) == ("localhost", "required")
    assert question.get("allowCredentials", []) == []


def test_a_passkey_is_made_for_the_address_and_can_be_found_without_a_name():
    client = signed_in(make_store()[1]["judge"], **HERE)

    page = client.get(reverse("add_passkey"))
    options = json.loads(page.text.partition('id="passkey-options"')[2].partition(">")[2].partition("</script")[0])

    assert options["publicKey"]["rp"] == {"id": "localhost", "name": "Flagship"}
    assert options["publicKey"]["authenticatorSelection"]["residentKey"] == "required"
    assert options["publicKey"]["authenticatorSelection"]["userVerification"] == "required"


ANSWERS = (
    "",
    "null",
    "[]",
    "{}",
    "not json",
    '"text"',
    "[" * 5_000,
    '{"id": "a", "rawId": "a", "type": "public-key", "response": {}}',
    '{"response": {"userHandle": "MQ"}}',
    '{"id": "YQ", "rawId": "YQ", "type": "public-key", "clientExtensionResults": {}, "response": {"clientDataJSON": '
    '"e30", "authenticatorData": "YQ", "signature": "YQ", "userHandle": "MQ"}}',
    '{"id": "YQ", "rawId": "YQ", "type": "public-key", "clientExtensionResults": {}, "response": {"clientDataJSON": '
    '"e30", "authenticatorData": "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA", "signature": "YQ", '
    '"userHandle": "77-9"}}',
)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("is_asked", [True, False])
def test_what_is_no_answer_of_a_passkey_signs_nobody_in(answer, is_asked):
    make_store()
    client = Client(**HERE)
    if is_asked:
        asked(client)

    page = client.post(DOOR, {"credential": answer, "next": "/help/"})

    assert (page.status_code, "That passkey doesn’t open this account here." in text_of(page)) == (422, True)
    assert 'name="next" value="/help/"' in page.text
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_is_no_passkey_is_not_added(answer):
    client = signed_in(make_store()[1]["judge"], **HERE)
    client.get(reverse("add_passkey"))

    page = client.post(reverse("add_passkey"), {"name": "Laptop", "credential": answer})

    assert page.status_code == 422
    assert "No passkey" in text_of(page)


def made(origin: str = "http://localhost:8000") -> dict:
    """As much of what a browser says of a passkey as is read again to list it."""
    said = websafe_encode(json.dumps({"origin": origin}).encode())
    return {"response": {"clientDataJSON": said}}


def test_ten_passkeys_are_enough():
    user = make_store()[1]["judge"]
    for number in range(second_step.MOST_PASSKEYS):
        second_step.add_passkey(user, f"Key {number}", made())

    with pytest.raises(Refused, match="Remove one first"):
        second_step.add_passkey(user, "One more", made())

    assert len(passkeys_of(user)) == second_step.MOST_PASSKEYS


def test_a_passkey_is_listed_with_its_address_and_removed_by_its_owner_alone():
    users = make_store()[1]
    second_step.add_passkey(users["judge"], "Phone", made("https://flagship.example"))
    [passkey] = passkeys_of(users["judge"])
    other, own = signed_in(users["owner"], **HERE), signed_in(users["judge"], **HERE)
    assert "Phone flagship.example · added" in text_of(own.get(reverse("account")))

    other.post(reverse("remove_passkey", args=[passkey.number]))
    assert passkeys_of(users["judge"]) == [passkey]
    page = own.post(reverse("remove_passkey", args=[passkey.number]), follow=True)

    assert "Passkey removed. It no longer signs you in." in text_of(page)
    assert passkeys_of(users["judge"]) == []


def test_a_passkey_changes_nothing_about_a_sign_in_by_password():
    user = make_store()[1]["judge"]
    second_step.add_passkey(user, "Phone", made())

    assert signed_in(user).get(reverse("account")).status_code == 200


def test_a_session_left_open_is_not_confirmed_by_no_answer():
    client = signed_in_long_ago(make_store()[1]["judge"])

    page = client.post(DOOR, {"credential": "{}"}, **HERE)

    assert (page.status_code, "That passkey doesn’t open this account here." in text_of(page)) == (422, True)
    assert client.get(reverse("authenticator"), **HERE).status_code == 302


def test_asking_without_end_fills_no_table_of_sessions():
    answers = [Client(**HERE).post(DOOR).status_code for _ in range(MOST_TRIES + 2)]

    assert answers == [200] * MOST_TRIES + [429] * 2
    assert Session.objects.count() == MOST_TRIES


def test_what_is_kept_for_a_sign_in_that_is_not_done_ends_soon():
    client = Client(**HERE)
    asked(client)

    assert client.session.get_expiry_age() <= 900


def test_pages_may_ask_for_passkeys_of_their_own_site_alone():
    policy = Client().get("/sign-in/")["Permissions-Policy"]

    assert "publickey-credentials-get=(self)" in policy
    assert "publickey-credentials-create=(self)" in policy
