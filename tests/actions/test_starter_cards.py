"""The cards that come with Flagship: complete, legal to play, and never in the way of an import."""

from collections import Counter
from dataclasses import replace
from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command

from fleets.catalogue import OUR_OWN, CardFilter, ImportReport, search, take_over
from fleets.domain.cards import UPGRADES, CardKind
from fleets.domain.cost import costs
from fleets.domain.errata import corrected
from fleets.domain.legality import Format, violations
from fleets.domain.resources import RESOURCES, RULES
from fleets.domain.sheet import Sheet
from fleets.domain.space_dock import Catalogue, read_catalogue
from fleets.models import CatalogueCard
from fleets.starter import load, starter_list
from tests.support.fleets_for_tests import Numbered, shared

LIST = starter_list()
CARDS = {entry.card.key: entry.card for entry in LIST.entries}
ALL = len(LIST.entries)


def named(title: str, kind: CardKind, **facts):
    """The only card of the list of that kind and title, with these facts."""
    (card,) = (
        one
        for one in CARDS.values()
        if (one.title, one.kind) == (title, kind) and all(getattr(one, name) == value for name, value in facts.items())
    )
    return card


def test_every_line_is_a_card_with_a_key_of_its_own_and_needs_no_correction():
    assert LIST.not_understood == ()
    assert len(CARDS) == ALL
    assert [card.title for card in CARDS.values() if corrected(card) != card] == []
    assert [entry.card.title for entry in LIST.entries if not entry.released] == []


def test_it_has_enough_of_every_kind_and_faction_to_build_from():
    kinds = Counter("upgrade" if card.kind in UPGRADES else card.kind.value for card in CARDS.values())
    factions = {code for card in CARDS.values() if card.kind is CardKind.SHIP for code in card.factions}

    assert kinds["ship"] >= 60
    assert kinds["captain"] >= 60
    assert kinds["upgrade"] >= 120
    assert factions >= {"FED", "KLI", "ROM", "DOM", "BOR", "BAJ", "FER", "VUL", "IND", "MIR"}


def test_7_11_the_thirty_resources_are_there_with_cost_formula_and_date():
    found = {entry.card.title: entry for entry in LIST.entries if entry.card.kind is CardKind.RESOURCE}
    without_printed_cost = {name for name in found if not found[name].card.cost}

    assert {one.name: found[one.name].released for one in RESOURCES} == {one.name: one.released for one in RESOURCES}
    assert {name: found[name].card.rules for name in RULES} == RULES
    assert without_printed_cost == {
        *("Emergency Force Fields", "Improved Hull", "Senior Staff", "Officer Cards", "Officer Exchange Program")
    }


def test_a_legal_fleet_of_100_sp_can_be_built_from_it():
    numbered = Numbered()
    enterprise = numbered.ship(
        named("U.S.S. Enterprise-D", CardKind.SHIP, factions=("FED",)),
        named("Jean-Luc Picard", CardKind.CAPTAIN),
        named("Engage", CardKind.TALENT),
        named("Photon Torpedoes", CardKind.WEAPON, factions=("FED",)),
        named("Deanna Troi", CardKind.CREW),
    )
    defiant = numbered.ship(
        named("U.S.S. Defiant", CardKind.SHIP, factions=("FED",)),
        named("Benjamin Sisko", CardKind.CAPTAIN, factions=("FED",)),
        named("Antimatter Mines", CardKind.WEAPON),
    )
    sheet = Sheet((enterprise, defiant), numbered.line(named("Command Tokens", CardKind.RESOURCE)))

    assert violations(sheet, Format(100), date(2014, 3, 20)) == ()
    assert 80 <= costs(sheet).total <= 100


@pytest.mark.django_db
def test_it_is_loaded_once_and_loading_it_again_changes_nothing():
    said = StringIO()
    call_command("starter_cards", stdout=said)

    assert said.getvalue() == f"{ALL} added, 0 changed, 0 unchanged.\n"
    assert set(CatalogueCard.objects.values_list("source", flat=True)) == {OUR_OWN}
    before = list(CatalogueCard.objects.order_by("pk").values())
    assert load() == ImportReport(0, 0, ALL, ())
    assert list(CatalogueCard.objects.order_by("pk").values()) == before
    assert [row.title for row in search("enterprise-d", CardFilter(kinds=[CardKind.SHIP]))][:1] == [
        "U.S.S. Enterprise-D"
    ]


@pytest.mark.django_db
def test_a_card_that_was_imported_is_not_touched():
    entry = LIST.entries[0]
    dearer = replace(entry, card=replace(entry.card, cost=entry.card.cost + 1))
    take_over(Catalogue("1", (dearer,)), source="a store's table")

    assert load() == ImportReport(ALL - 1, 0, 0, ())
    row = CatalogueCard.objects.get(key=entry.card.key)
    assert (row.cost, row.source) == (dearer.card.cost, "a store's table")


@pytest.mark.django_db
def test_an_import_of_the_public_catalogue_updates_the_list_and_doubles_nothing():
    catalogue = read_catalogue(shared("spacedock-Data.xml"))
    load()
    report = take_over(catalogue, source="Space Dock")

    assert (report.added, report.changed, report.unchanged) == (1577 - ALL, 0, ALL)
    assert set(CatalogueCard.objects.values_list("source", flat=True)) == {"Space Dock"}
    assert load() == ImportReport(0, 0, 0, ())
    assert CatalogueCard.objects.count() == 1577
