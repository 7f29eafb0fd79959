"""A fleet that its owner shares by a link, as a page and as a picture."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.built_fleets import bring
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.unreadable import break_fleet
from tourney.actions import fleets, store_players
from tourney.models import Fleet, Player

pytestmark = pytest.mark.django_db


@pytest.fixture
@copied
def night() -> Night:
    night = make_night(players=2)
    bring(night.event, 1)
    return night


@pytest.fixture
def fleet(night) -> Fleet:
    return Fleet.objects.select_related("player__store").get()


def page_of(fleet: Fleet) -> str:
    return reverse("fleet", args=[fleet.player.store.slug, fleet.pk])


def shared(fleet: Fleet) -> str:
    """The address, once the owner has shared the fleet."""
    phone_of(fleet.player).post(page_of(fleet), {"do": "share"})
    fleet.refresh_from_db()
    return reverse("shared_fleet", args=[fleet.player.store.slug, fleet.share_key])


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def test_a_stranger_reads_a_shared_fleet_without_the_name_of_its_owner(fleet):
    Player.objects.filter(pk=fleet.player_id).update(name="Zephyrine")
    address = shared(fleet)
    page = Client().get(address)

    assert (page.status_code, len(fleet.share_key)) == (200, 22)
    assert all(line.card.title in text_of(page) for line in fleet.sheet.lines)
    assert "82 SP" in text_of(page)
    assert "Zephyrine" not in page.content.decode()
    assert (page["X-Robots-Tag"], page["Referrer-Policy"]) == ("noindex, nofollow", "no-referrer")
    assert f"http://testserver{address}" in phone_of(fleet.player).get(page_of(fleet)).content.decode()


def test_a_link_that_is_withdrawn_leads_nowhere_and_the_next_one_is_another(fleet):
    first = shared(fleet)
    picture = f"{first}picture.svg"
    assert shared(fleet) == first

    phone_of(fleet.player).post(page_of(fleet), {"do": "withdraw"})

    assert [Client().get(address).status_code for address in (first, picture)] == [404, 404]
    assert shared(fleet) != first
    assert Client().get(first).status_code == 404


def test_the_desk_shares_no_fleet_of_a_player(night, fleet):
    desk = Client()
    desk.force_login(night.organizer)

    assert desk.post(page_of(fleet), {"do": "share"}).status_code == 404
    assert Fleet.objects.get().share_key == ""


def test_a_fleet_that_is_not_shared_has_no_address(fleet):
    store = fleet.player.store.slug

    assert [
        Client().get(f"/s/{store}/fleets/shared/{key}/").status_code for key in ("x", str(fleet.pk), "%00", "k" * 500)
    ] == [404] * 4


def test_a_shared_fleet_that_cannot_be_read_says_so(night, fleet):
    address = shared(fleet)
    break_fleet(night.event, 1)

    page = Client().get(address)

    assert (page.status_code, "This fleet can’t be read" in text_of(page)) == (200, True)
    assert Client().get(f"{address}picture.svg").status_code == 404
    fleets.withdraw(fleet)
    phone_of(fleet.player).post(page_of(fleet), {"do": "share"})
    assert Fleet.objects.get().share_key == ""


def test_of_who_is_forgotten_no_fleet_is_shared_any_more(fleet):
    address = shared(fleet)

    store_players.erase(fleet.player, by=BY)

    assert Client().get(address).status_code == 404


def test_the_picture_is_a_drawing_with_every_card(fleet):
    answer = Client().get(f"{shared(fleet)}picture.svg")
    drawn = "".join(ElementTree.fromstring(answer.content).itertext())  # what we drew ourselves

    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert [line.card.title for line in fleet.sheet.lines if line.card.title not in drawn] == []
    assert "82 SP" in drawn
    own = phone_of(fleet.player).get(reverse("fleet_file", args=[fleet.player.store.slug, fleet.pk, "picture"]))
    assert own.content == answer.content
