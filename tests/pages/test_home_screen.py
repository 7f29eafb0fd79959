"""The site on a phone's home screen: where it opens, and where its shortcuts lead."""

import json

import pytest
from django.test import Client
from django.urls import resolve, reverse

from scoring.shipped import shipped_pack
from tests.pages.test_me import phone_of
from tests.support.nights import Night, make_night, make_store, now
from tests.support.public_pages import html_of
from tourney.actions import entrants, events, rounds
from tourney.models import Event

pytestmark = pytest.mark.django_db


def manifest_of(night: Night) -> dict:
    response = Client().get(reverse("store_manifest", args=[night.store.slug]))
    assert response["Content-Type"] == "application/manifest+json"
    return json.loads(response.content)


def shortcut(night: Night, what: str, client: Client | None = None) -> str:
    response = (client or Client()).get(reverse("tonight", args=[night.store.slug, what]))
    assert response.status_code == 302
    return response["Location"]


def today(players: int = 4) -> tuple[Night, Event]:
    """A store with an event that is on today."""
    night, by = make_night(players=2), now()
    event = events.make_event(night.campaign, shipped_pack("dominion-war-6"), starts_at=by.at, sp_limit=100, by=by)
    entrants.register(event, [(f"Visitor {number}", "Klingon") for number in range(players)], by=by)
    entrants.check_in(event, by=by)
    return night, event


def test_the_icon_of_a_store_opens_my_card_there():
    night = make_night(players=2)

    facts = manifest_of(night)

    assert (facts["name"], facts["start_url"]) == ("Starbase Games", f"/s/{night.store.slug}/me/")
    assert resolve(facts["start_url"]).url_name == "my_card"
    assert [one["name"] for one in facts["shortcuts"]] == ["My table", "Pairings", "Standings"]
    assert {resolve(one["url"]).url_name for one in facts["shortcuts"]} == {"tonight"}
    assert {one["sizes"] for one in facts["icons"]} == {"192x192", "512x512"}


def test_a_players_pages_name_the_stores_manifest_and_those_of_staff_the_sites():
    night = make_night(players=2)
    own, site = reverse("store_manifest", args=[night.store.slug]), reverse("manifest")
    staff = Client()
    staff.force_login(night.owner)
    pages = [reverse("event", args=[night.event.slug]), reverse("my_card", args=[night.store.slug])]

    for page in pages:
        assert f'<link rel="manifest" href="{own}">' in html_of(Client().get(page))
        assert f'<link rel="manifest" href="{site}">' in html_of(staff.get(page))
    assert f'<link rel="manifest" href="{site}">' in html_of(Client().get("/sign-in/"))


def test_shortcuts_lead_to_the_event_that_is_on():
    night, event = today()
    client = phone_of(event.entrants.get(number=1))
    slug = event.slug

    assert shortcut(night, "table", client) == reverse("me", args=[slug])
    assert shortcut(night, "standings", client) == reverse("standings", args=[slug])
    assert shortcut(night, "pairings", client) == reverse("event", args=[slug])

    rounds.pair_round(event, seed=1, by=now())
    assert shortcut(night, "pairings", client) == reverse("event", args=[slug])
    rounds.publish_round(event, 1, by=now())
    assert shortcut(night, "pairings", client) == reverse("pairings", args=[slug, 1])


def test_who_is_not_in_it_is_led_there_too_and_without_an_event_to_the_card():
    night, event = today()
    quiet, _ = make_store("Deck Twelve")

    assert shortcut(night, "standings") == reverse("standings", args=[event.slug])
    address = reverse("tonight", args=[quiet.slug, "standings"])
    assert Client().get(address)["Location"] == reverse("my_card", args=[quiet.slug])


def test_there_are_no_other_shortcuts():
    night = make_night(players=2)

    assert Client().get(reverse("tonight", args=[night.store.slug, "desk"])).status_code == 404
