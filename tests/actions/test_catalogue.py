"""The stored catalogue: imported, imported again, searched."""

from dataclasses import replace
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from fleets.catalogue import CardFilter, ImportReport, search, take_over
from fleets.domain.cards import Card, CardKind
from fleets.domain.space_dock import Catalogue, CatalogueEntry, read_catalogue
from fleets.management.commands.import_cards import SHOWN
from fleets.models import CatalogueCard, CatalogueImport
from tests.support.fleets_for_tests import SHARED, captain_card, card, shared, ship_card

pytestmark = pytest.mark.django_db

KESTREL = ship_card("Kestrel", 20)
CARDS = (
    KESTREL,
    ship_card("Old Kestrel", 18, factions=("ROM",)),
    captain_card("Captain Vor", 3),
    card(CardKind.WEAPON, "Photon Torpedoes", 5),
    card(CardKind.WEAPON, "Photon Torpedoes, aft", 4, factions=("KLI",)),
)


def catalogue(*cards: Card, not_understood: tuple[str, ...] = ()) -> Catalogue:
    return Catalogue("1", tuple(CatalogueEntry(one, date(2014, 2, 1)) for one in cards), not_understood)


def titles(text: str, *, near: bool = True, **asked) -> list[str]:
    return [row.title for row in search(text, CardFilter(**asked), near=near)]


def test_cards_are_added_then_updated_and_never_taken_away():
    assert take_over(catalogue(*CARDS), source="a") == ImportReport(5, 0, 0, ())
    assert take_over(catalogue(*CARDS[:4]), source="b") == ImportReport(0, 0, 4, ())

    dearer = replace(KESTREL, cost=22)
    assert take_over(catalogue(dearer, not_understood=("Odd.",)), source="c") == ImportReport(0, 1, 0, ("Odd.",))

    row = CatalogueCard.objects.get(key="Kestrel")
    assert (row.card, row.cost, row.source) == (dearer, 22, "c")
    assert CatalogueCard.objects.count() == 5


def test_7_14_what_the_publisher_corrected_counts_whatever_the_file_says():
    take_over(catalogue(captain_card("Ferengi", 0, unique=True), captain_card("Kuvak", 2)), source="a")

    assert not CatalogueCard.objects.get(key="Ferengi").card.unique
    assert CatalogueCard.objects.get(key="Kuvak").card.factions == ("VUL",)


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("kestrel", {}, ["Kestrel", "Old Kestrel"]),
        ("KES", {}, ["Kestrel", "Old Kestrel"]),
        ("romulan", {}, ["Old Kestrel"]),
        ("lark kes", {}, ["Kestrel", "Old Kestrel"]),
        ("photon klingon", {}, ["Photon Torpedoes, aft"]),
        ("", {"kinds": [CardKind.CAPTAIN]}, ["Captain Vor"]),
        ("weapon", {"factions": ["FED"]}, ["Photon Torpedoes"]),
        ("nothing like it", {}, []),
        ("100%_", {}, []),
    ],
)
def test_a_card_is_found_by_words_of_title_class_faction_and_kind(text, asked, expected):
    take_over(catalogue(*CARDS), source="a")

    assert titles(text, **asked) == expected


def test_the_real_catalogue_is_taken_over_in_a_few_queries_and_found_again():
    found = read_catalogue(shared("spacedock-Data.xml"))
    with CaptureQueriesContext(connection) as queries:
        report = take_over(found, source="a")

    assert (report.added, report.changed, report.unchanged) == (1577, 0, 0)
    assert len(queries) < 12
    assert take_over(found, source="a").unchanged == 1577
    assert titles("enterprise-d") != []
    assert {row.card.ship_class for row in search("defiant class", CardFilter(kinds=[CardKind.SHIP]))} >= {
        "Defiant Class"
    }


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("obrien", "Miles O'Brien"),
        ("TPol", "T'Pol"),
        ("neghvar", "I.K.S. Negh'var"),
        ("uss enterprise d", "U.S.S. Enterprise-D"),
        ("irw khazara", "I.R.W. Khazara"),
        ("ds9", "Deep Space 9"),
        ("jean luc picrad", "Jean-Luc Picard"),
        ("weyuon", "Weyoun"),
    ],
)
def test_the_first_card_of_the_real_catalogue_is_the_one_that_was_typed(typed, title):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")

    assert titles(typed)[0] == title


def test_a_word_that_is_nearly_right_finds_nothing_where_another_card_has_it():
    take_over(catalogue(captain_card("Kirk", 5), captain_card("Kira", 3)), source="a")

    assert titles("kirk") == ["Kirk"]
    assert titles("kirc") == ["Kira", "Kirk"]
    assert titles("kirc", near=False) == []


def test_the_command_reports_what_it_did_and_what_it_did_not_understand():
    shared("spacedock-Data.xml")
    said = StringIO()
    call_command("import_cards", SHARED / "spacedock-Data.xml", stdout=said)

    assert "1577 added, 0 changed, 0 unchanged." in said.getvalue()
    assert "couldn’t be read:" in said.getvalue()


@pytest.mark.parametrize(("options", "lines"), [({}, SHOWN), ({"all": True}, SHOWN + 5)])
def test_the_command_lists_the_first_of_many_things_or_all_that_it_did_not_understand(tmp_path, options, lines):
    one = "<Upgrade><Id>{0}</Id><Title>Relay {0}</Title><Type>Tech</Type><Cost>1</Cost><Special>Hm</Special></Upgrade>"
    file = tmp_path / "Data.xml"
    file.write_text(f"<Data><Upgrades>{''.join(map(one.format, range(SHOWN + 5)))}</Upgrades></Data>")
    said = StringIO()

    call_command("import_cards", file, stdout=said, **options)

    assert f"{SHOWN + 5} couldn’t be read:" in said.getvalue()
    assert said.getvalue().count("  Upgrade “Relay ") == lines
    assert ("… and 5 more (--all lists them)" in said.getvalue()) == (lines == SHOWN)


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "can’t be read: No such file or directory."), (b"<Data/>", "The file has no cards.")],
)
def test_the_command_refuses_what_is_no_catalogue(tmp_path, content, message):
    file = tmp_path / "cards.xml"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(CommandError, match=message):
        call_command("import_cards", file)
    assert CatalogueCard.objects.count() == 0


def test_the_command_reads_a_table_too(tmp_path):
    file = tmp_path / "cards.csv"
    file.write_text("kind,title,cost\ncrew,Quill,3\ncrew,,3\n", encoding="utf-8")
    said = StringIO()
    call_command("import_cards", file, stdout=said)

    assert "1 added, 0 changed, 0 unchanged." in said.getvalue()
    assert said.getvalue().splitlines()[-2:] == [
        "1 couldn’t be read:",
        "  Line 3 skipped: card.title should be one line of 1 to 120 characters.",
    ]
    assert CatalogueCard.objects.get().source == "cards.csv"
    assert CatalogueImport.objects.get().by_name == "the command line"
