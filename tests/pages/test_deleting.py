"""An owner leaves a store or deletes it, and what its addresses say then."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.support.factories import UserFactory
from tests.support.nights import BY, Night, make_night
from tests.support.saying import html_of
from tourney.actions import stores
from tourney.backups.domain.dailies import KEPT
from tourney.models import DeletedStore, Membership, Store

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return make_night(players=4, open_round=True)


@pytest.fixture
def owner(night: Night, client: Client) -> Client:
    client.force_login(night.owner)
    return client


def at(name: str, night: Night) -> str:
    return reverse(name, args=[night.store.slug])


def test_the_only_owner_stays(owner, night):
    page = html_of(owner.get(at("leave_store", night)))
    answer = owner.post(at("leave_store", night))

    assert "You’re the only owner. Invite another owner before you leave." in page
    assert answer.status_code == 409
    assert Membership.objects.filter(user=night.owner).exists()


def test_where_another_owner_stays_one_leaves(owner, night):
    stores.give_role(night.store, UserFactory(username="onyx"), "owner", by=BY)

    page = html_of(owner.get(at("leave_store", night)))
    answer = owner.post(at("leave_store", night), follow=True)

    assert "The store goes on with onyx" in page
    assert "You’ve left Starbase Games." in html_of(answer)
    assert not Membership.objects.filter(user=night.owner).exists()
    assert owner.get(at("leave_store", night)).status_code == 404


@pytest.mark.parametrize(
    ("daily", "backups"),
    [("1", f"for {KEPT.days} more days"), ("0", "Backups that the person who runs this installation has made.")],
)
def test_the_page_says_what_goes_and_what_stays(owner, night, monkeypatch, daily, backups):
    monkeypatch.setenv("BACKUPS", daily)

    page = html_of(owner.get(at("delete_store", night)))

    assert f'href="{at("store_archive", night)}"' in page
    assert all(said in page for said in ("What is deleted", "What stays", backups, "This can’t be undone."))


@pytest.mark.parametrize("typed", ["", "Starbase", "Starbase Games 2", "starbase-games"])
def test_without_its_name_nothing_is_deleted(owner, night, typed):
    answer = owner.post(at("delete_store", night), {"name": typed})

    assert answer.status_code == 422
    assert "Nothing was deleted" in answer.text
    assert Store.objects.get() == night.store


def test_with_its_name_it_is_gone_and_its_pages_say_so_calmly(owner, night):
    answer = owner.post(at("delete_store", night), {"name": " starbase  GAMES "}, follow=True)

    assert "Starbase Games is deleted." in html_of(answer)
    assert not Store.objects.exists()
    for path in (
        at("store_home", night),
        at("people", night),
        f"/s/{night.store.slug}/no/such/page",
        reverse("event", args=[night.event.slug]),
        reverse("standings", args=[night.event.slug]),
        reverse("event_json", args=[night.event.slug]),
    ):
        gone = owner.get(path)
        assert (path, gone.status_code) == (path, 410)
        assert "This store is gone" in gone.text
        assert "Starbase" not in gone.text.split("<main")[1]
    assert owner.post(reverse("join", args=[night.event.slug]), {"name": "Late"}).status_code == 410


def test_a_page_that_was_known_before_is_gone_for_who_asks_again(owner, night):
    path = reverse("event", args=[night.event.slug])
    phone = Client()
    known = phone.get(path)
    owner.post(at("delete_store", night), {"name": night.store.name})

    assert known.status_code == 200
    assert phone.get(path, headers={"If-None-Match": known.headers["ETag"]}).status_code == 410


def test_a_page_that_never_was_is_not_found(client, night):
    assert client.get("/s/nowhere/").status_code == 404
    assert client.get("/e/nowhere/").status_code == 404


def test_the_command_asks_for_the_name(night, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda question: "Starbase")
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_store", night.store.slug)
    with pytest.raises(CommandError, match="There is no store"):
        call_command("delete_store", "nowhere", "--name", "x")
    there = Store.objects.count()

    said = StringIO()
    call_command("delete_store", night.store.slug, "--name", "Starbase Games", stdout=said)

    assert (there, Store.objects.count(), said.getvalue()) == (1, 0, "Deleted: Starbase Games\n")
    assert DeletedStore.objects.get().by_name == "the command line"
