"""Another store on an installation that allows it: the form, the page of who asked, the page of who decides."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.support.asking_for_stores import PASSWORD, REASON, asked_for_a_store
from tests.support.factories import UserFactory
from tests.support.nights import BY, make_store
from tests.support.saying import html_of
from tourney.actions import new_stores, stores
from tourney.actions.deleting import delete_store
from tourney.models import Attempt, Membership, Role, Store, StoreRequest, User
from tourney.queries.new_stores import request_with
from tourney.views.throttle import MOST_KEYS, MOST_STORES_OF_ADDRESS

pytestmark = pytest.mark.django_db

NEW = "/new-store/"
ACCOUNT = {"username": "quill", "password": PASSWORD, "confirm": PASSWORD}
STORE = {"name": "Deck Twelve", "place": "Chemnitz", "time_zone": "Europe/Berlin", "locale": "de_AT"}
ASKED = ACCOUNT | STORE | {"reason": REASON}


@pytest.fixture
def asking(settings) -> None:
    settings.STORES = "ask"


@pytest.fixture
def is_open(settings) -> None:
    settings.STORES = "open"


def signed_in_as(client: Client) -> str | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).values_list("username", flat=True).first()


# closed, as it is unless somebody says otherwise


@pytest.mark.parametrize("said", ["closed", "", "yes"])
def test_where_nobody_allowed_it_there_is_no_such_page_and_no_link_to_it(client, settings, said):
    settings.STORES = said
    make_store()

    assert (client.get(NEW).status_code, client.post(NEW, ASKED).status_code) == (404, 404)
    assert NEW not in client.get(reverse("sign_in")).text
    assert not StoreRequest.objects.exists()


# open


def test_where_it_is_open_the_form_makes_owner_and_store_at_once_and_signs_in(client, is_open):
    answer = client.post(NEW, ACCOUNT | STORE, follow=True)

    store = Store.objects.get()
    assert (store.name, store.place, store.time_zone, store.locale) == tuple(STORE.values())
    assert Membership.objects.values_list("user__username", "role").get() == ("quill", "owner")
    assert (signed_in_as(client), answer.request["PATH_INFO"]) == ("quill", store.get_absolute_url())


def test_whoever_is_signed_in_names_no_account(client, is_open):
    _, users = make_store()
    client.force_login(users["owner"])

    form = client.get(NEW)
    client.post(NEW, STORE)

    assert "username" not in form.context["form"].fields
    assert Membership.objects.get(store__name="Deck Twelve").user == users["owner"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"confirm": "another"}, "The two passwords differ."),
        ({"password": "12345678", "confirm": "12345678"}, "password"),
        ({"password": "Deck Twelve", "confirm": "Deck Twelve"}, "password"),
        ({"time_zone": "Nowhere"}, "No time zone found"),
        ({"username": "a b"}, "username"),
        ({"name": "\u200b\u202e"}, "Enter the name of the store."),
        ({"name": "x" * 81}, "81"),
        ({"place": "x" * 81}, "81"),
        ({"locale": "xx_XX"}, "xx_XX"),
    ],
)
def test_it_has_the_checks_of_the_setup_link_and_those_of_strangers(client, is_open, typed, said):
    answer = client.post(NEW, ACCOUNT | STORE | typed)

    assert answer.status_code == 422
    assert said in str(answer.context["form"].errors)
    assert not Store.objects.exists()
    assert not User.objects.exists()
    assert not Attempt.objects.exists()


def test_one_address_makes_few_stores_in_ten_minutes(client, is_open):
    made = [
        Client().post(NEW, ACCOUNT | STORE | {"username": f"quill{one}"}).status_code
        for one in range(MOST_STORES_OF_ADDRESS)
    ]
    refused = Client().post(NEW, ACCOUNT | STORE | {"username": "onyx"})

    assert made == [302] * MOST_STORES_OF_ADDRESS
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "600")
    assert "Too many new stores from this network." in html_of(refused)
    assert PASSWORD not in refused.text
    assert Store.objects.count() == MOST_STORES_OF_ADDRESS


@pytest.mark.parametrize("ways", ["open", "ask"])
def test_sign_in_names_are_not_found_out_here_one_after_another(client, settings, ways):
    """Nor by the difference between those that are there and those that are not, once too many were tried."""
    settings.STORES = ways
    UserFactory(username="onyx")

    tried = [client.post(NEW, ACCOUNT | {"username": "onyx"}).status_code for _ in range(MOST_KEYS)]
    there, free = (client.post(NEW, ACCOUNT | {"username": name}) for name in ("onyx", "vor"))

    assert tried == [422] * MOST_KEYS
    assert [there.status_code, free.status_code] == [429, 429]
    assert there.headers["Retry-After"] == "600"
    assert client.post(NEW, ACCOUNT | {"username": "vor"}, REMOTE_ADDR="192.0.2.9").status_code == 422
    assert client.get(NEW).status_code == 200


# ask


def test_whoever_asks_sees_that_it_waits_and_then_signs_in(client, asking):
    answer = client.post(NEW, ASKED, follow=True)

    standing = answer.request["PATH_INFO"]
    assert "Waiting for approval" in answer.text
    assert REASON not in answer.text
    assert not Store.objects.exists()
    store = new_stores.approve(StoreRequest.objects.get(), by=BY)
    approved = client.get(standing).text
    assert "Your store is ready." in approved
    assert f"{reverse('sign_in')}?next={store.get_absolute_url()}" in approved
    signed_in = client.post(reverse("sign_in"), {"username": "quill", "password": PASSWORD})
    assert signed_in.headers["Location"] == store.get_absolute_url()


def test_a_declined_request_says_why_and_what_was_typed_as_markup_is_text(client, asking):
    key = asked_for_a_store("<b>Deck</b>", place="<i>Leeds</i>")
    new_stores.decline(request_with(key), answer="<u>Not here</u>", by=BY)

    page = client.get(reverse("asked_store", args=[key])).text

    assert "Declined" in page
    assert all(f"&lt;{tag}&gt;" in page and f"<{tag}>" not in page.split("<main")[1] for tag in "bu")


def test_the_page_where_it_stands_is_found_by_its_link_alone(client, asking):
    asked_for_a_store()

    assert client.get(reverse("asked_store", args=["A" * 32])).status_code == 404
    assert client.get(reverse("asked_store", args=[str(StoreRequest.objects.get().pk)])).status_code == 404


def test_it_is_withdrawn_by_who_has_the_link(client, asking):
    key = asked_for_a_store()

    answer = client.post(reverse("withdraw_asked_store", args=[key]), follow=True)

    assert "Request withdrawn. Nothing is kept." in answer.text
    assert not StoreRequest.objects.exists()


def test_a_withdrawal_after_the_decision_changes_nothing(client, asking):
    key = asked_for_a_store()
    new_stores.approve(request_with(key), by=BY)

    answer = client.post(reverse("withdraw_asked_store", args=[key]), follow=True)

    assert "already been approved" in answer.text
    assert StoreRequest.objects.count() == 1


def test_a_request_needs_a_sentence_and_a_name_that_no_other_waits_with(client, asking):
    asked_for_a_store()

    answer = client.post(NEW, ASKED | {"username": "Quill", "reason": " "})

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["username", "reason"]


def test_requests_that_cannot_wait_say_so_with_what_was_typed(client, asking):
    for one in range(new_stores.MOST_OF_ADDRESS):
        asked_for_a_store(f"Outpost {one}", f"onyx{one}", address="127.0.0.1")

    answer = client.post(NEW, ASKED)

    assert answer.status_code == 409
    assert "already waiting" in answer.text
    assert 'value="Deck Twelve"' in answer.text


# who decides


@pytest.fixture
def deciding(client: Client, asking: None) -> tuple[Store, User]:
    """The only store, whose owner set it up by the first link and is signed in."""
    store, users = make_store()
    new_stores.let_approve(users["owner"])
    client.force_login(users["owner"])
    return store, users["owner"]


def requests_at(store: Store) -> str:
    return reverse("store_requests", args=[store.slug])


def decide(client: Client, store: Store, asked: StoreRequest, **typed: str):
    return client.post(reverse("decide_on_store", args=[store.slug, asked.pk]), typed, follow=True)


def test_whoever_owns_every_store_approves_and_goes_on_deciding(client, deciding):
    store, _ = deciding
    first, second = (request_with(asked_for_a_store(name, name)) for name in ("Outpost", "Lantern"))
    settings_page = client.get(reverse("store_settings", args=[store.slug])).text
    listed = client.get(requests_at(store)).text

    decide(client, store, first, do="approve")
    page = decide(client, store, second, do="decline", answer="Too far away.")

    assert requests_at(store) in settings_page
    assert REASON in listed
    assert listed.index("Outpost") < listed.index("Lantern")
    assert "Lantern declined." in page.text
    assert "No requests waiting" in page.text
    assert Store.objects.filter(name="Outpost").exists()
    second.refresh_from_db()
    assert (second.state, second.answer) == ("declined", "Too far away.")


def test_a_second_approval_is_told_that_it_is_approved(client, deciding):
    store, _ = deciding
    asked = request_with(asked_for_a_store())
    decide(client, store, asked, do="approve")

    again = decide(client, store, asked, do="approve")

    assert again.status_code == 409
    assert "already been approved" in again.text


@pytest.mark.parametrize("typed", [{}, {"do": "delete"}, {"do": "decline", "answer": "x" * 301}])
def test_what_is_no_decision_decides_nothing(client, deciding, typed):
    store, _ = deciding
    asked = request_with(asked_for_a_store())

    assert decide(client, store, asked, **typed).status_code == 404
    asked.refresh_from_db()
    assert asked.state == "waiting"


def test_an_owner_of_one_store_among_others_decides_nothing_until_somebody_lets_them(client, deciding):
    store, owner = deciding
    new_stores.let_approve(owner, False)
    make_store("Deck Nine")
    asked = request_with(asked_for_a_store())

    alone = (client.get(requests_at(store)).status_code, decide(client, store, asked, do="approve").status_code)
    call_command("stores", "approver", owner.username.upper(), stdout=StringIO())
    told = client.get(requests_at(store)).status_code
    call_command("stores", "approver", owner.username, "--remove", stdout=StringIO())

    assert (alone, told, client.get(requests_at(store)).status_code) == ((404, 404), 200, 404)


def test_whoever_is_left_as_the_only_owner_decides_nothing(client, deciding):
    """Where the store of who decided is deleted, a stranger may own all that are left."""
    store, _ = deciding
    _, strangers = make_store("Deck Nine")
    asked = request_with(asked_for_a_store())
    client.force_login(strangers["owner"])

    delete_store(store, by=BY)

    left = Store.objects.get()
    assert client.get(requests_at(left)).status_code == 404
    assert decide(client, left, asked, do="approve").status_code == 404


def test_a_stranger_who_got_the_first_store_has_not_everything(client, is_open, settings):
    client.post(NEW, ACCOUNT | STORE)
    store = Store.objects.get()
    settings.STORES = "ask"
    pages = [reverse(name, args=[store.slug]) for name in ("store_requests", "backups")]

    found = [client.get(page) for page in pages]
    call_command("stores", "approver", ACCOUNT["username"], stdout=StringIO())

    assert found[0].status_code == 404
    assert reverse("back_up_now", args=[store.slug]) not in found[1].text
    assert client.post(reverse("back_up_now", args=[store.slug])).status_code == 302
    assert client.get(pages[0]).status_code == 200


def test_who_comes_by_the_first_set_up_link_decides(client, asking):
    key = stores.set_up_key(by=BY)

    client.post(reverse("set_up", args=[key]), ACCOUNT | STORE)

    assert client.get(requests_at(Store.objects.get())).status_code == 200


def test_one_decides_at_a_store_that_has_moved(client, deciding):
    store, _ = deciding
    asked = request_with(asked_for_a_store())
    stores.move_store(store, "https://cell-2.example/s/harbor/", by=BY)

    decide(client, store, asked, do="approve")

    asked.refresh_from_db()
    assert asked.state == "approved"


def test_nobody_without_a_store_decides(client, asking):
    """Where there is none, nobody owns all."""
    client.force_login(UserFactory(username="onyx"))

    assert client.get("/s/nowhere/settings/new-stores/").status_code == 404


# the command


def run(*words: str) -> str:
    output = StringIO()
    call_command("stores", *words, stdout=output)
    return output.getvalue()


def test_the_command_lists_approves_and_declines(asking):
    make_store()
    first, second = (request_with(asked_for_a_store(name, name)) for name in ("Outpost", "Lantern"))

    listed = run("list")

    assert "starbase-games · Starbase Games" in listed
    assert f"Request {first.pk}, " in listed
    assert REASON in listed
    assert "Created: Outpost at /s/outpost/" in run("approve", str(first.pk))
    assert "Declined: Lantern" in run("decline", str(second.pk), "--answer", "No.")
    assert "Request" not in run("list")
    for words in (["approve", str(first.pk)], ["approve", "999999"], ["approver", "nobody"]):
        with pytest.raises(CommandError):
            run(*words)


def test_a_message_over_several_lines_is_one_line_of_the_list(asking):
    key = asked_for_a_store()
    StoreRequest.objects.filter(pk=request_with(key).pk).update(reason="first\nRequest 7, approved")

    assert "first Request 7, approved" in run("list")


def test_a_terminal_obeys_nothing_that_was_typed_into_a_request(asking):
    key = asked_for_a_store("Deck\x1b[2J Twelve")
    StoreRequest.objects.filter(pk=request_with(key).pk).update(reason="\x1b]0;gone\x07 please")
    asked = request_with(key)

    told = run("list") + run("approve", str(asked.pk)) + run("list")

    assert "Deck[2J Twelve" in told
    assert not {"\x1b", "\x07"} & set(told)


def test_an_owner_who_stays_one_of_a_store_is_no_reason_to_show_requests_where_nobody_can_ask(client):
    store, users = make_store()
    client.force_login(users["owner"])

    assert requests_at(store) not in client.get(reverse("store_settings", args=[store.slug])).text
    assert stores.Membership.objects.filter(role=Role.OWNER).count() == 1
