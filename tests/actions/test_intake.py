"""Fleets from elsewhere, with the stored catalogue behind the front door."""

import json
from dataclasses import replace
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from fleets.catalogue import find, take_over
from fleets.domain.cards import CardKind
from fleets.domain.foreign import NotAFleet
from fleets.domain.intake import read, write
from fleets.domain.sheet import Sheet
from fleets.domain.space_dock import Catalogue, CatalogueEntry, read_catalogue
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.texts import as_text
from tests.support.fleets_for_tests import Numbered, captain_card, card, shared, ship_card
from tourney.runtime.isolated import SMALL, call_if_large

pytestmark = pytest.mark.django_db

KESTREL, VOR, BRIEN = ship_card("Kestrel"), captain_card(), card(CardKind.CREW, "Ensign O’Quill", 2)
SHEET = Sheet((Numbered().ship(KESTREL, VOR, BRIEN),))


@pytest.fixture
def catalogue() -> None:
    take_over(
        Catalogue("1", tuple(CatalogueEntry(one) for one in (KESTREL, VOR, BRIEN, ship_card("Lark")))), source="a"
    )


@pytest.mark.parametrize("form", [write, write_fleet, as_text])
@pytest.mark.usefixtures("catalogue")
def test_a_fleet_comes_back_with_the_cards_of_the_catalogue(form):
    (found,) = read(form(SHEET, "Night watch"), find)

    assert (found.name, found.sheet, found.not_recognised) == ("Night watch", SHEET, ())


@pytest.mark.usefixtures("catalogue")
def test_titles_are_found_whatever_their_capitals_and_apostrophes():
    (found,) = read("KESTREL\n- captain vor\n- ENSIGN O'QUILL", find)

    assert found.sheet == SHEET


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("fleets", [1, 30])
def test_one_query_whatever_the_size(fleets):
    ship = {"shipId": "Kestrel", "upgrades": [{"upgradeId": f"u{n}", "upgradeTitle": f"Card {n}"} for n in range(100)]}
    with CaptureQueriesContext(connection) as queries:
        found = read(json.dumps([{"name": "Many", "ships": [ship]}] * fleets), find)

    assert (len(found), len(queries)) == (fleets, 1)


def test_of_very_many_cards_of_one_title_the_first_are_brought_and_those_whose_key_is_known():
    cards = [card(CardKind.CREW, "Quill", number % 40, ship_class=str(number)) for number in range(300)]
    keyed = [replace(one, key=f"q{number:03}") for number, one in enumerate(cards)]
    take_over(Catalogue("1", tuple(map(CatalogueEntry, keyed))), source="a")

    assert {one.key for one in find(["q299"], ["quill"])} == {*(f"q{number:03}" for number in range(100)), "q299"}


def test_a_large_fleet_file_is_read_as_a_small_one_is():
    take_over(Catalogue("1", tuple(map(CatalogueEntry, (KESTREL, VOR, BRIEN)))), source="a")
    large = write(SHEET, "Night watch") + b" " * SMALL

    found = read(large, find, partial(call_if_large, refusal=NotAFleet))

    assert found == read(write(SHEET, "Night watch"), find)


def test_real_fleets_are_found_in_the_real_catalogue():
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")
    with CaptureQueriesContext(connection) as queries:
        found = read(shared("player-fleets.spacedocksquads"), find)

    assert {title for fleet in found for title in fleet.not_recognised} == set()
    assert (len(found), len(queries)) == (10, 1)
