"""An owner leaves a store or deletes it, and what its addresses say then."""

from io import StringIO
from urllib.parse import quote

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.support.accounts import signed_in, signed_in_long_ago
from tests.support.factories import UserFactory
from tests.support.nights import BY, PASSWORD, Night, make_night
from tests.support.saying import html_of
from tourney.actions import player_cards, stores
from tourney.backups.domain.dailies import KEPT
from tourney.models import DeletedStore, Membership, Store
from tourney.queries.short_addresses import short_code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return make_night(players=4, open_round=True)


@pytest.fixture
def owner(night: Night) -> Client:
    return signed_in(night.owner)


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
        at("staff", night),
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


def test_a_laptop_that_was_left_open_deletes_nothing_before_the_password_is_typed(night):
    left = signed_in_long_ago(night.owner)
    path = at("delete_store", night)

    asked = [left.get(path), left.post(path, {"name": night.store.name})]

    assert [one.headers["Location"] for one in asked] == [f"{reverse('confirm_yourself')}?next={quote(path, '')}"] * 2
    page = html_of(left.get(asked[0].headers["Location"]))
    assert f"Enter {night.owner.username}’s password to go on." in page
    assert Store.objects.exists()
    confirmed = left.post(reverse("confirm_yourself"), {"password": PASSWORD, "next": path})
    assert confirmed.headers["Location"] == path
    assert left.post(path, {"name": night.store.name}).status_code == 302
    assert not Store.objects.exists()


def test_an_open_page_that_asks_for_its_part_is_shown_whole_as_gone(owner, night):
    owner.post(at("delete_store", night), {"name": night.store.name})

    for send in (Client().get, Client().post):
        part = send(reverse("join", args=[night.event.slug]), headers={"HX-Request": "true"})
        assert (part.status_code, part.headers["HX-Refresh"]) == (204, "true")
    kept = Client().post(reverse("join", args=[night.event.slug]), headers={"HX-Request": "true", "X-Outbox": "1"})
    assert kept.status_code == 410


def test_the_short_address_on_paper_says_that_it_is_gone_and_leads_to_no_other_event(owner, night):
    code = short_code_of(night.event)
    owner.post(at("delete_store", night), {"name": night.store.name})
    make_night(players=2)

    for path in (f"/{code}", f"/{code}/", f"/{code.lower()}"):
        assert Client().get(path).status_code == 410


def test_where_it_had_moved_to_its_links_still_lead(owner, night):
    there, slug, event = "https://there.example/s/arrived/", night.store.slug, night.event.slug
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    stores.move_store(night.store, there, by=BY)
    code = short_code_of(night.event)
    page = html_of(owner.get(at("delete_store", night)))
    owner.post(at("delete_store", night), {"name": night.store.name})
    phone = Client()

    assert "still lead to where it moved" in page
    leads = {
        f"/s/{slug}/": there,
        f"/s/{slug}": there,
        f"/s/{slug}/season/?find=a": f"{there}season/?find=a",
        f"/e/{event}/standings/?all=1": f"{there}e/{event}/standings/?all=1",
        f"/{code}": f"{there}e/{event}/",
        f"/card/{key}/": f"https://there.example/card/{key}/",
    }
    assert {path: phone.get(path).headers["Location"] for path in leads} == leads
    part = phone.get(f"/e/{event}/", headers={"HX-Request": "true"})
    assert (part.status_code, part.headers["HX-Redirect"]) == (204, f"{there}e/{event}/")
    sent = phone.post(reverse("join", args=[event]), {"name": "Late"})
    assert sent.status_code == 409
    assert "This store has another address now." in html_of(sent)
    assert f'href="{there}"' in sent.text


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
