"""What a card says that nobody has put into rules is said to a person wherever the card is."""

import pytest
from django.test import Client
from django.urls import reverse

from fleets.domain.cards import CardKind
from fleets.domain.sheet import Sheet
from tests.support.builder import catalogue, phone, url
from tests.support.built_fleets import bring
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.nights import make_night
from tests.support.public_pages import text_of
from tourney.models import Event, FleetsShown

pytestmark = pytest.mark.django_db
HELM = card(CardKind.CREW, "Helm", 3, rules=("one per ship", "not checked: not for a ship without sails"))
SAID = "check yourself: not for a ship without sails"


@pytest.fixture
def brought():
    """A night, and a fleet with such a card at it."""
    catalogue(HELM)
    night = make_night(players=2)
    lines = Numbered()
    return night, bring(night.event, 1, Sheet((lines.ship(ship_card(), captain_card(), HELM),)))


def test_at_its_line_and_in_search_of_the_builder(brought):
    _, fleet = brought
    mine = phone(Client(), fleet.player)

    assert text_of(mine.get(url(fleet))).lower().count(SAID) == 1
    assert text_of(mine.get(f"{url(fleet)}?add=1&q=helm")).lower().count(SAID) == 2


def test_to_the_opponent_who_signs(brought):
    night, _ = brought
    Event.objects.update(fleets_shown=FleetsShown.ALL)
    opponent = phone(Client(), night.event.entrants.get(number=2).player)

    sheet = text_of(opponent.get(reverse("sheet", args=[night.event.slug, 1])))

    assert sheet.lower().count(SAID) == 1


def test_on_the_printed_sheet_and_at_the_desk(brought):
    night, fleet = brought
    desk = Client()
    desk.force_login(night.organizer)
    printed = text_of(desk.get(reverse("fleet_sheet", args=[night.store.slug, fleet.pk])))

    assert printed.count(SAID) == 1
    assert text_of(desk.get(reverse("entrant_fleet", args=[night.event.slug, 1]))).lower().count(SAID) == 1
