import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import UserFactory
from tests.support.nights import PASSWORD, make_store
from tourney.actions import stores
from tourney.actions.record import Actor
from tourney.domain.keys import hash_of
from tourney.models import Invitation, Membership, Role, Store, User

pytestmark = pytest.mark.django_db

ACCOUNT = {"username": "quill", "password": "long range scan", "confirm": "long range scan"}
STORE = {"name": "Deck Twelve", "time_zone": "Europe/Berlin", "locale": "de_AT"}


def invited(store: Store | None, role: str = Role.JUDGE, days_ago: int = 0) -> str:
    """The path of an invitation (without a store, of the set-up page) that was made so many days ago."""
    by = Actor(None, "test", timezone.now() - timedelta(days=days_ago))
    key = stores.invite(store, role, by=by)
    return reverse("invitation" if store else "set_up", args=[key])


def signed_in_as(client) -> str | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).values_list("username", flat=True).first()


# sign-in


def test_after_sign_in_a_user_is_at_the_store(client):
    store, users = make_store()

    answer = client.post(reverse("sign_in"), {"username": users["judge"].username, "password": PASSWORD})

    assert answer.headers["Location"] == reverse("store_home", args=[store.slug])
    assert signed_in_as(client) == users["judge"].username


def test_after_sign_in_a_user_is_at_the_page_that_asked_for_it(client):
    store, users = make_store()
    wanted = reverse("staff", args=[store.slug])

    door = client.get(wanted).headers["Location"]
    answer = client.post(door, {"username": users["owner"].username, "password": PASSWORD, "next": wanted})

    assert (door, answer.headers["Location"]) == (f"{reverse('sign_in')}?needed=&next={wanted}", wanted)


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_sign_in_leads_to_no_other_site(client, elsewhere):
    store, users = make_store()
    account = {"username": users["owner"].username, "password": PASSWORD, "next": elsewhere}

    answer = client.post(reverse("sign_in"), account)

    assert answer.headers["Location"] == reverse("store_home", args=[store.slug])


def test_a_user_without_any_store_is_sent_to_the_front_page(client):
    UserFactory(username="drifter")

    answer = client.post(reverse("sign_in"), {"username": "drifter", "password": PASSWORD})

    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("username", ["nobody", "owner@starbase-games"])
def test_a_wrong_name_and_a_wrong_password_get_the_same_sentence(client, username):
    make_store()

    page = client.post(reverse("sign_in"), {"username": username, "password": "wrong"})

    assert page.status_code == 422
    assert "Name and password don’t match." in page.content.decode()
    assert f'value="{username}"' in page.content.decode()


def test_sign_out_is_a_post_and_leads_to_the_front_page(client):
    _, users = make_store()
    client.force_login(users["owner"])

    assert client.get(reverse("sign_out")).status_code == 405
    assert client.post(reverse("sign_out")).headers["Location"] == "/"
    assert signed_in_as(client) is None


# set-up


def set_up_link(**options) -> str:
    output = StringIO()
    call_command("setup_link", stdout=output, **options)
    return output.getvalue()


def test_the_command_prints_one_link_under_the_given_address():
    assert re.fullmatch(r"http://harbor:9000/set-up/[\w-]{32}/\n", set_up_link(base_url="http://harbor:9000/"))


def test_a_new_set_up_link_replaces_the_unused_one(client):
    old, new = (set_up_link(base_url="").strip() for _ in range(2))

    assert [client.get(old).status_code, client.get(new).status_code] == [404, 200]


def test_the_command_prints_nothing_once_there_is_an_owner():
    make_store()

    assert set_up_link() == ""
    assert not Invitation.objects.exists()


def test_set_up_makes_the_owner_and_the_store_and_signs_in(client):
    path = invited(None, Role.OWNER)

    answer = client.post(path, ACCOUNT | STORE, follow=True)

    store = Store.objects.get()
    assert (store.name, store.time_zone, store.locale) == ("Deck Twelve", "Europe/Berlin", "de_AT")
    assert Membership.objects.values_list("user__username", "role").get() == ("quill", "owner")
    assert (signed_in_as(client), answer.request["PATH_INFO"]) == ("quill", store.get_absolute_url())
    assert reverse("new_campaign", args=[store.slug]) in answer.content.decode()


def test_set_up_offers_time_zones_and_keeps_what_was_typed(client):
    path = invited(None, Role.OWNER)

    page = client.post(path, ACCOUNT | STORE | {"confirm": "something else", "time_zone": "Nowhere"})

    text = page.content.decode()
    assert page.status_code == 422
    assert "The two passwords differ." in text
    assert "No time zone found for “Nowhere”." in text
    assert 'value="quill"' in text
    assert 'value="Deck Twelve"' in text
    assert '<option value="Europe/Berlin">' in text
    assert "long range scan" not in text
    assert not User.objects.exists()


def test_set_up_takes_a_city_and_says_which_time_zone_it_is(client):
    path = invited(None, Role.OWNER)

    page = client.post(path, ACCOUNT | STORE | {"time_zone": "são paulo"}, follow=True)

    assert Store.objects.get().time_zone == "America/Sao_Paulo"
    assert "Time zone: America/Sao_Paulo" in page.content.decode()


def test_set_up_guesses_country_and_language_by_the_browser(client):
    path = invited(None, Role.OWNER)

    page = client.get(path, headers={"accept-language": "de"}).content.decode()

    assert '<option value="de_DE" selected>' in page


def test_the_set_up_link_works_once(client):
    path = invited(None, Role.OWNER)
    client.post(path, ACCOUNT | STORE)
    client.logout()

    again = client.post(path, ACCOUNT | STORE | {"username": "second"})

    assert again.status_code == 410
    assert b"This link was already used." in again.content
    assert Store.objects.count() == 1


# invitations


def test_an_invitation_names_store_and_role(client):
    store, _ = make_store()

    page = client.get(invited(store, Role.ORGANIZER))

    assert b"Join Starbase Games as an organizer" in page.content


def test_an_invited_person_chooses_name_and_password_and_is_in(client):
    store, _ = make_store()

    answer = client.post(invited(store, Role.JUDGE), ACCOUNT)

    assert answer.headers["Location"] == store.get_absolute_url()
    assert signed_in_as(client) == "quill"
    assert Membership.objects.get(user__username="quill").role == "judge"
    assert User.objects.get(username="quill").check_password("long range scan")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"username": "OWNER@starbase-games"}, "The sign-in name “OWNER@starbase-games” is taken."),
        ({"username": "two words"}, "Enter a valid username."),
        ({"password": "short1", "confirm": "short1"}, "This password is too short."),
        ({"password": "password1", "confirm": "password1"}, "This password is too common."),
        ({"confirm": "another"}, "The two passwords differ."),
        ({"username": ""}, "This field is required."),
    ],
)
def test_an_account_that_cannot_be_made_is_refused_with_a_sentence(client, typed, sentence):
    store, _ = make_store()

    page = client.post(invited(store), ACCOUNT | typed)

    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert User.objects.count() == 3


def test_somebody_signed_in_accepts_with_the_account_there_is(client):
    store, _ = make_store()
    other, others = make_store("Deck Twelve")
    client.force_login(others["judge"])
    path = invited(store, Role.JUDGE)

    page, answer = client.get(path), client.post(path)

    assert f"Accept as {others['judge'].username}" in page.content.decode()
    assert answer.headers["Location"] == store.get_absolute_url()
    assert set(others["judge"].memberships.values_list("store", flat=True)) == {store.pk, other.pk}


def test_a_role_is_not_given_twice_and_the_link_stays_good(client):
    store, users = make_store()
    client.force_login(users["judge"])
    path = invited(store, Role.ORGANIZER)

    page = client.post(path)

    assert page.status_code == 409
    assert "already has a role at" in page.content.decode()
    assert Invitation.objects.filter(used_at=None).count() == 1


@pytest.mark.parametrize("days_ago", [0, 15], ids=["used", "run out"])
def test_a_link_out_of_use_says_what_to_do(client, days_ago):
    store, _ = make_store()
    path = invited(store, days_ago=days_ago)
    if not days_ago:
        client.post(path, ACCOUNT)
        client.logout()

    page = client.get(path)

    assert page.status_code == 410
    assert b"ask a store owner for a new link" in page.content


def test_an_unknown_key_and_a_key_for_the_other_door_are_404(client):
    store, _ = make_store()
    invitation, set_up = invited(store), invited(None, Role.OWNER)

    swapped = [invitation.replace("invitation", "set-up"), set_up.replace("set-up", "invitation")]

    assert [client.get(path).status_code for path in (*swapped, "/invitation/x/", "/set-up/x/")] == [404] * 4


def test_no_key_is_stored():
    store, _ = make_store()
    key = invited(store).split("/")[-2]

    row = Invitation.objects.values().get()

    assert key not in map(str, row.values())
    assert row["key_hash"] == hash_of(key)


# password


def change_password(client, old: str, new: str):
    typed = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post(reverse("password"), typed, follow=True)


def test_a_changed_password_signs_in_and_the_old_one_does_not(client):
    _, users = make_store()
    client.force_login(users["judge"])

    page = change_password(client, PASSWORD, "three calm harbors")

    assert "Your password is changed. Other devices are signed out." in page.content.decode()
    name = users["judge"].username
    tried = [client.login(username=name, password=password) for password in ("three calm harbors", PASSWORD)]
    assert tried == [True, False]


def test_a_wrong_old_password_changes_nothing(client):
    _, users = make_store()
    client.force_login(users["judge"])

    assert change_password(client, "wrong", "three calm harbors").status_code == 422
    assert client.login(username=users["judge"].username, password=PASSWORD)


# one more store


def test_a_link_for_another_store_makes_an_owner_who_has_nothing_to_do_with_the_first(client):
    make_store()

    assert set_up_link() == ""
    client.post(set_up_link(another=True, base_url="").strip(), ACCOUNT | STORE)

    roles = Membership.objects.filter(user__username="quill").values_list("store__name", "role")
    assert list(roles) == [("Deck Twelve", "owner")]
