"""Everything that is printed, as PDF by Chromium: on how many sheets, and that nothing is split, cut or shrunk."""

import re
from collections.abc import Callable, Iterable

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from fleets.domain.sheet import Sheet
from tests.support.browsing import LAPTOP
from tests.support.built_fleets import DARTS, bring
from tests.support.fleets_for_tests import Numbered, captain_card, ship_card
from tests.support.longer import speak_longer_french
from tests.support.nights import BY, Night, make_night
from tests.support.pdf import is_shrunk, pages_of, sizes_of, squeezed
from tests.support.pseudo import pseudo
from tourney.actions.tables import change_tables
from tourney.domain.keys import hash_of
from tourney.domain.tables import Table
from tourney.forms.tables import NAME_LENGTH
from tourney.models import Player, PlayerCard, Store
from tourney.printing.domain.documents import DOCUMENTS, SLIPS_PER_PAGE, cut_and_stack
from tourney.printing.queries.counts import sheets_needed
from tourney.printing.queries.documents import printable_of
from tourney.queries.journal_chain import head_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = {"a4": (595, 842), "letter": (612, 792)}
CROSS = "✕"
"""In a ticked box; it is drawn by the stylesheet."""

# The parts that no page break may split, each with the text that people see in it, without spaces.
WHOLE = """() => {
  const parts = ".paper-head, .paper tbody tr, .paper-steps li, .slip, .name-card, .big-number, .build-grid";
  const unseen = ".visually-hidden, .paper-facts, svg";
  const text = (part) => {
    const nodes = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    let found = "";
    while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest(unseen)) found += nodes.currentNode.data;
    return found.replace(/\\s+/g, "");
  };
  return [...document.querySelectorAll(parts)].map(text).filter(Boolean);
}"""


def named_long(night: Night) -> Night:
    """Everybody's name has 60 characters, every third is a single word."""
    for place, player in enumerate(Player.objects.filter(entries__event=night.event).order_by("pk")):
        start = f"{player.name}{place}"
        word = "WELTRAUMSCHIFFKAPITÄN" * 3
        words = " of the Seventeenth Harbor Watch and Ensign of the Long Patrol"
        player.name = (start + (word if place % 3 == 0 else words))[:60].strip().ljust(60, "M")
        player.save()
    return night


@pytest.fixture
def desk(open_page: Callable[..., Page], server: str) -> Callable[[Night], Page]:
    """A page on which the organizer of the night is signed in."""

    def desk(night: Night) -> Page:
        client, page, name = Client(), open_page(LAPTOP), settings.SESSION_COOKIE_NAME
        client.force_login(night.organizer)
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
        return page

    return desk


def printed(page: Page, night: Night, query: str) -> list[str]:
    """The text of each sheet; fails if anything is split between two, wider than its page, or on other paper."""
    answer = page.goto(f"{reverse('paper', args=[night.event.slug])}?{query}")
    assert answer.status == 200
    return checked(page, "letter" if "size=letter" in query else "a4", query)


def checked(page: Page, size: str, what: str) -> list[str]:
    pdf = page.pdf(prefer_css_page_size=True)
    pages = [text.replace(CROSS, "") for text in pages_of(pdf)]
    split = [part for part in page.evaluate(WHOLE) if not any(part in text for text in pages)]
    assert (split, is_shrunk(pdf), sizes_of(pdf)) == ([], False, {POINTS[size]}), what
    return pages


def sheets(page: Page, night: Night, size: str, kinds: Iterable[str]) -> dict[str, int]:
    """On how many sheets each document is printed."""
    return {kind: len(printed(page, night, f"doc={kind}&size={size}")) for kind in kinds}


def promised(night: Night, size: str) -> dict[str, int]:
    """What the print centre says of each document."""
    return {kind: sheets_needed(state_of(night.event), kind, size) for kind in kinds_of(night)}


def kinds_of(night: Night) -> list[str]:
    there = printable_of(state_of(night.event))
    return [kind for kind in DOCUMENTS if kind in there]


# Where everybody's name has 60 characters: lists of 33 need two or three sheets, slips lie four on a sheet, table
# numbers two, and every player has a Fleet Build Sheet.
ALWAYS = {"signatures": 1, "blank-score-sheet": 1, "by-hand": 1, "blank-sheet": 1, "check-in": 1, "score-sheet": 1}
LISTS = dict.fromkeys(("pairings", "tables", "standings", "factions", "record", "awards"), 1)
SHEETS = {
    1: ALWAYS | {"build-sheets": 1, "table-numbers": 1, "tents": 1},
    7: ALWAYS | LISTS | {"slips": 1, "build-sheets": 7, "table-numbers": 2, "tents": 3},
    8: ALWAYS | LISTS | {"slips": 1, "build-sheets": 8, "table-numbers": 2, "tents": 4},
    33: ALWAYS
    | LISTS
    | {"pairings": 2, "standings": 2, "record": 3, "check-in": 2, "score-sheet": 2, "by-hand": 2, "signatures": 2}
    | {"slips": 4, "build-sheets": 33, "table-numbers": 8, "tents": 16},
}


@pytest.mark.many
@pytest.mark.parametrize("players", [1, 7, 8, 33])
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_every_document_with_long_names(players, size, desk):
    night = named_long(make_night(players=players, rounds=players > 1, open_round=players > 1))

    printed = sheets(desk(night), night, size, kinds_of(night))

    assert printed == SHEETS[players]
    assert promised(night, size) == printed


@pytest.mark.many
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_a_language_a_third_longer_cuts_no_label_and_costs_no_sheet(size, desk, request, settings):
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    speak_longer_french(request)
    night = named_long(make_night(players=7, rounds=1, open_round=True))
    Store.objects.update(locale="fr_CA")
    page = desk(night)

    ours = [kind for kind in kinds_of(night) if kind not in ("build-sheets", "blank-sheet")]
    assert sheets(page, night, size, ours) == {kind: SHEETS[7][kind] for kind in ours}
    assert pseudo("Table") in printed(page, night, f"doc=tents&size={size}")[0]
    for per_page in SLIPS_PER_PAGE:
        assert len(printed(page, night, f"doc=slips&per_page={per_page}&size={size}")) == -(-3 // per_page)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_the_print_centre_says_how_many_sheets_it_will_be(size, desk):
    night = make_night(players=17, rounds=2, open_round=True, tables=3)

    assert promised(night, size) == sheets(desk(night), night, size, kinds_of(night))


@pytest.mark.nightly
def test_what_hangs_on_the_wall_is_one_sheet_for_33_players_and_carries_its_time_and_number(desk):
    night = make_night(players=33, rounds=1, open_round=True)
    page = desk(night)

    for size in ("a4", "letter"):
        assert sheets(page, night, size, ("pairings", "tables", "standings")) == dict.fromkeys(
            ("pairings", "tables", "standings"), 1
        )
    both = printed(page, night, "doc=pairings&doc=standings")
    assert [text.startswith("TheLastBattleofDS9·StarbaseGames·20Nov2026asof") for text in both] == [True, True]
    assert ["Page1/2" in both[0], "Page2/2" in both[1]] == [True, True]
    kept = f"History {head_of(night.store)}".replace(" ", "")
    assert [kept in text for text in both] == [True, True]


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_slips_of_the_fullest_month_fit_and_lie_for_cutting(size, desk):
    night = named_long(make_night(players=14, open_round=True, pack="temporal-cold-war-2"))
    page = desk(night)

    for per_page in SLIPS_PER_PAGE:
        pages = printed(page, night, f"doc=slips&per_page={per_page}&size={size}")
        tables = [[int(number) for number in re.findall(r"Table(\d)Round1", text)] for text in pages]
        assert tables == [[slip + 1 for slip in sheet] for sheet in cut_and_stack(7, per_page)]


@pytest.mark.nightly
def test_a_fleet_of_more_than_four_ships_goes_on_on_a_second_sheet(desk):
    night = make_night(players=2)
    numbered = Numbered()
    ships = [
        numbered.ship(ship_card(f"Lark {number}", 8), captain_card(f"Quill {number}", 1), *[DARTS] * 9)
        for number in range(1, 7)
    ]
    bring(night.event, 1, Sheet(tuple(ships)))
    bring(night.event, 2, Sheet(tuple(ships[:4])))
    page = desk(night)

    for size in ("a4", "letter"):
        pages = printed(page, night, f"doc=build-sheets&size={size}")
        assert [re.findall(r"Totalofship(\d)", text) for text in pages] in (
            [["1", "2", "3", "4"], ["5", "6"], ["1", "2", "3", "4"]],
            [["1", "2", "3", "4"], ["1", "2", "3", "4"], ["5", "6"]],
        )


@pytest.mark.parametrize(("wide", "shrinks"), [("5cm", False), ("60cm", True)])
def test_what_is_wider_than_its_page_is_found(wide, shrinks, open_page: Callable[..., Page]):
    page = open_page(LAPTOP)
    page.set_content(f"<p>Kestrel</p><p style='width: {wide}'>Quill</p>")

    pdf = page.pdf(format="A4")

    assert (pages_of(pdf), is_shrunk(pdf)) == (["KestrelQuill"], shrinks)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_a_table_is_called_by_its_name_on_its_tent_and_number(size, desk):
    """The longest name there is, twice on its tent; table 2 has none."""
    night = make_night(players=8)
    long = "The long table by the window, where it is quiet"[:NAME_LENGTH]
    tables = [Table(1, long), Table(2), Table(3, "Holodeck"), *(Table(number) for number in range(4, 13))]
    change_tables(night.event, tables, True, by=BY)
    page = desk(night)

    tents = printed(page, night, f"doc=tents&size={size}")
    numbers = printed(page, night, f"doc=table-numbers&size={size}")

    event = squeezed(f"{night.event.name} · {night.store.name}")
    both = [f"Table{table.number}{squeezed(table.name)}{event}" for table in tables]
    assert tents == [one * 2 for one in both]
    assert sorted(numbers) == sorted(both[first] + both[first + 6] for first in range(6))


@pytest.mark.nightly
def test_cards_are_printed_eight_on_a_sheet_with_their_addresses(desk):
    night = named_long(make_night(players=9))
    page = desk(night)
    page.goto(reverse("print_cards", args=[night.event.slug]))
    page.get_by_role("button", name="Print cards").click()
    page.wait_for_selector(".name-card")

    pages = checked(page, "a4", "cards")

    assert [text.count("/card/") for text in pages] == [5, 4]
    assert all(PlayerCard.objects.filter(key_hash=hash_of(key)).exists() for key in keys_in(pages))


def keys_in(pages: list[str]) -> list[str]:
    return [key for text in pages for key in re.findall(r"/card/([^/]*)/", text)]


@pytest.mark.nightly
def test_the_button_opens_the_print_dialog(desk):
    night = make_night(players=2)
    page = desk(night)
    page.add_init_script("window.print = () => { document.title = 'printing' }")
    page.goto(f"{reverse('paper', args=[night.event.slug])}?doc=check-in")

    page.get_by_role("button", name="Print").click()

    assert page.title() == "printing"
