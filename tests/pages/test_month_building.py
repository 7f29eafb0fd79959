"""Rule 7.17 on pages: the builder, the sheet that is signed, what players read of the month."""

import pytest
from django.urls import reverse

from fleets.domain.cards import CardKind
from fleets.domain.sheet import Sheet
from fleets.models import CatalogueCard
from tests.support.builder import catalogue, phone, post, url
from tests.support.built_fleets import bring, two_ships
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.nights import Night, make_night
from tests.support.saying import in_english
from tourney.models import Fleet
from tourney.queries.fleets import state_of_fleet

pytestmark = pytest.mark.django_db

KESTREL = ship_card("Kestrel", 24)
WING = ship_card("Wing", 22, factions=("KLI",))
VOR = captain_card("Captain Vor", 5)
DRONE = captain_card("Drone", 4, factions=("BOR",))
QUILL = card(CardKind.CREW, "Quill", 2)
WARP_JUMP = card(CardKind.TECH, "Warp Jump", 5)
SABOTAGE = card(CardKind.RESOURCE, "Sabotage", 5, factions=())


def night_of(pack: str) -> Night:
    if not CatalogueCard.objects.exists():
        catalogue(KESTREL, WING, VOR, DRONE, QUILL, WARP_JUMP, SABOTAGE)
    return make_night(players=4, pack=pack)


def a_fleet_at(night: Night, *cards, side: str = "") -> Fleet:
    numbered = Numbered()
    return bring(night.event, 1, Sheet((numbered.ship(*cards),), side=side))


def test_7_17_the_search_says_that_a_card_is_banned_and_the_line_does_once_it_is_there(client):
    fleet = a_fleet_at(night_of("chronological-chaos"), KESTREL, VOR)
    phone(client, fleet.player)

    found = client.get(url(fleet), {"add": "1", "kind": "tech", "q": "warp"}).context["adding"].found
    post(client, fleet, "add", card="Warp Jump", add="1")
    page = client.get(url(fleet))

    assert in_english([(one.card.title, one.against) for one in found]) == [
        ("Warp Jump", "Warp Jump is banned this month.")
    ]
    assert in_english([(one.rule, one.line, one.sentence) for one in page.context["state"].wrong]) == [
        ("7.17", 3, "Warp Jump is banned this month.")
    ]
    assert in_english([one.sentence for one in page.context["ships"][0].cards[1].wrong]) == [
        "Warp Jump is banned this month."
    ]
    assert "Banned: Warp Jump, Lure, Thought Maker and Faked Messages." in page.content.decode()


def test_7_17_the_search_shows_what_a_card_costs_this_month(client):
    fleet = a_fleet_at(night_of("klingon-civil-war-2"), KESTREL, VOR)
    phone(client, fleet.player)

    page = client.get(url(fleet), {"add": "0", "kind": "ship", "q": "wing"})
    (wing,) = page.context["adding"].found
    post(client, fleet, "add", card="Wing", add="0")

    assert in_english([(part.label, part.points) for part in wing.cost.parts]) == [
        ("printed", 22), ("this month: Klingon ship, or ship with a Klingon card", -2),
    ]  # fmt: skip
    assert state_of_fleet(Fleet.objects.select_related("entrant__event").get(pk=fleet.pk)).costs.ships == (
        29,
        20,
    )


def test_7_17_a_fleet_takes_a_side_which_counts_and_stands_on_its_sheets(client):
    night = night_of("resistance-is-futile-2")
    fleet = a_fleet_at(night, KESTREL, DRONE, QUILL)
    phone(client, fleet.player)
    before = client.get(url(fleet)).context["state"]

    post(client, fleet, "side", side="Borg")
    after = client.get(url(fleet)).context["state"]
    refused = post(client, fleet, "side", side="Gorn")
    paper = client.get(reverse("fleet_sheet", args=[fleet.player.store.slug, fleet.pk])).content.decode()
    signed = client.get(reverse("sheet", args=[night.event.slug, 1])).content.decode()

    assert in_english([one.sentence for one in before.wrong]) == ["Choose the fleet’s side: Borg or Rebel."]
    assert (before.total, after.total, after.wrong) == (24 + 5 + 2, 24 + 3 + 2, ())
    assert refused.status_code == 409
    assert "This month has no such side. Choose one from the list." in refused.content.decode()
    assert "Side: Borg." in paper
    assert "<span> Side: Borg </span>" in " ".join(signed.split())


def test_7_17_crew_beside_the_ships_is_the_away_team(client):
    fleet = a_fleet_at(night_of("classic-movies-2"), KESTREL, VOR)
    phone(client, fleet.player)

    offered = client.get(url(fleet)).content.decode()
    (found,) = client.get(url(fleet), {"add": "0", "kind": "crew", "q": "quill"}).context["adding"].found
    post(client, fleet, "add", card="Quill", add="0", kind_filter="crew")
    state = client.get(url(fleet)).context["state"]

    assert "Add to the away team" in offered
    assert (found.cost.total, state.total, state.costs.other) == (0, 29, 0)
    assert in_english([one.sentence for one in state.wrong]) == [
        "The away team has 1 crew card; this month requires 6."
    ]


def test_7_17_a_month_of_several_resources_offers_another(client):
    fleet = bring(night_of("resource-rumble").event, 1, two_ships())
    phone(client, fleet.player)

    assert "Add a resource" in client.get(url(fleet)).content.decode()
    post(client, fleet, "add", card="Sabotage", add="0", kind_filter="resource")

    assert client.get(url(fleet)).context["state"].wrong == ()


def test_7_17_players_read_how_to_build_where_they_read_of_the_month(client):
    night = night_of("klingon-civil-war-1")

    pages = [
        client.get(night.event.get_absolute_url()),
        client.get(reverse("pack", args=[night.event.store.slug, "klingon-civil-war-1"])),
    ]

    for page in pages:
        assert "Klingon ship, or ship with a Klingon card: 2 SP less." in page.content.decode()
