"""A fleet of fifteen cards by search and tap on a phone: how many taps, and that the search stays where it is."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from fleets import starter
from fleets.catalogue import find, take_over
from fleets.domain import editing
from fleets.domain.cards import Card, CardKind
from fleets.domain.intake import read
from fleets.domain.sheet import Sheet
from fleets.domain.space_dock import read_catalogue
from fleets.models import CatalogueCard
from tests.browser.test_at_the_table import give_card
from tests.support.browsing import PHONE, assert_accessible
from tests.support.fleets_for_tests import shared
from tests.support.nights import BY, make_night
from tourney.actions import fleets
from tourney.models import Fleet

pytestmark = pytest.mark.django_db(transaction=True)

MOST_TAPS = 32
STILL = 2
"""Pixels by which the search may move."""

type Ships = Sequence[Sequence[Card]]


def of_our_own_list() -> Ships:
    """Three ships of the cards that come with Flagship, each with a captain and three upgrades."""
    starter.load()
    cards = CatalogueCard.objects.filter(factions__contains=["FED"]).order_by("pk")

    def some(kind: CardKind, count: int) -> list[Card]:
        return [row.card for row in cards.filter(kind=kind)[:count]]

    upgrades = [some(kind, 3) for kind in (CardKind.CREW, CardKind.TECH, CardKind.WEAPON)]
    return list(zip(some(CardKind.SHIP, 3), some(CardKind.CAPTAIN, 3), *upgrades, strict=True))


def of_a_player() -> Ships:
    """The largest fleet that a player shared."""
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="Space Dock")
    shared_ones = read(shared("player-fleets.spacedocksquads"), find)
    return [[line.card for line in ship] for ship in max(shared_ones, key=lambda one: len(one.sheet.lines)).sheet.ships]


class Thumb:
    """Taps on a page, counted; `top` is where the search was on the screen, in pixels."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.top = page, 0, None

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def add(self, card: Card) -> None:
        """Type the title where the keyboard is, and tap the card."""
        field = self.page.locator("#q")
        expect(field).to_be_focused()
        text = card.title.lower()
        self.page.keyboard.insert_text(text)
        expect(self.page.locator("#found")).to_have_attribute("data-for", text)
        before = field.bounding_box()["y"]
        self.tap(self.page.locator(f'.found-card[value="{card.key}"]'))
        expect(self.page.locator(".builder-undo")).to_contain_text(f"{card.title} added.")
        expect(field).to_have_value("")
        expect(field).to_be_focused()
        assert abs(field.bounding_box()["y"] - before) <= STILL, card.title


@pytest.mark.nightly
@pytest.mark.parametrize("cards_of", [of_our_own_list, of_a_player])
def test_fifteen_cards_take_few_taps_and_the_search_stays_where_the_thumb_is(
    cards_of, open_page: Callable[..., Page], server: str
):
    ships = cards_of()
    night = make_night(players=2)
    page = give_card(open_page(PHONE | {"has_touch": True}), night.event.entrants.get(number=1), server)
    page.goto(f"{server}/s/{night.store.slug}/fleets/")
    page.get_by_role("button", name="Build a fleet").click()
    expect(page.locator("#fleet")).to_be_visible()
    thumb = Thumb(page)

    for number, cards in enumerate(ships):
        thumb.tap(page.get_by_role("link", name="Add a ship"))
        expect(page.locator("#adding-title")).to_have_text("Add ship")
        if number == 0:
            thumb.tap(page.locator("#q"))
        for card in cards:
            thumb.add(card)

    built = Fleet.objects.get(entrant__event=night.event).sheet
    assert [[line.card.key for line in ship] for ship in built.ships] == [
        [card.key for card in cards] for cards in ships
    ]
    assert len(built.lines) >= 15
    assert thumb.taps <= MOST_TAPS


def test_what_is_built_most_is_offered_before_anything_is_typed_and_undone_with_one_tap(
    open_page: Callable[..., Page], server: str
):
    ship, captain, *_ = of_our_own_list()[2]
    night = make_night(players=2)
    others = night.event.entrants.get(number=2).player
    fleets.make_fleet(others, "Flown before", by=BY, sheet=editing.add(editing.add(Sheet(), ship, 0), captain, 1))
    page = give_card(open_page(PHONE | {"has_touch": True}), night.event.entrants.get(number=1), server)
    page.goto(f"{server}/s/{night.store.slug}/fleets/")
    page.get_by_role("button", name="Build a fleet").click()
    thumb = Thumb(page)

    thumb.tap(page.get_by_role("link", name="Add a ship"))
    for card in (ship, captain):
        expect(page.locator(".found-card").first).to_have_attribute("value", card.key)
        thumb.tap(page.locator(".found-card").first)
        expect(page.locator(".builder-undo")).to_contain_text(f"{card.title} added.")
    expect(page.locator(".builder-line")).to_have_count(2)
    thumb.tap(page.get_by_role("button", name="Undo"))
    expect(page.locator(".builder-line")).to_have_count(1)

    assert thumb.taps == 4
    assert_accessible(page)


IN_SIGHT = """one => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Whether the middle of an element is on the screen, with nothing above it."""


@pytest.mark.many
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_a_tap_opens_the_picker_where_one_looks_and_what_it_adds_stays_in_sight(
    width: int, height: int, open_page: Callable[..., Page], server: str
):
    sheet = Sheet()
    for ship, captain, *_ in of_our_own_list():
        sheet = editing.add(sheet, ship, 0)
        sheet = editing.add(sheet, captain, sheet.last_id)
    night = make_night(players=2)
    entrant = night.event.entrants.get(number=1)
    fleet = fleets.make_fleet(entrant.player, "Vanguard", by=BY, sheet=sheet)
    phone = PHONE | {"viewport": {"width": width, "height": height}}
    page = give_card(open_page(phone), entrant, server)
    page.goto(f"{server}/s/{night.store.slug}/fleets/{fleet.pk}/")
    first, last = page.locator(".builder-ship").first, page.locator(".builder-ship:has(.slots)").last
    search, offers = page.locator("#q"), page.locator(".found-card")

    def in_sight(*places: Locator) -> list[bool]:
        return [place.evaluate(IN_SIGHT) for place in (page.locator(".builder-sp"), *places)]

    for ship, count in ((first, 7), (last, 8)):  # the second while the first one's picker is open, out of sight
        ship.get_by_role("link", name="Crew").tap()
        expect(ship.locator("#adding-title")).to_contain_text("Add crew to")
        assert in_sight(ship.locator("#adding-title"), search, offers.first) == [True] * 4
        offers.first.tap()
        expect(page.locator(".builder-line")).to_have_count(count)
        assert in_sight(page.locator(f"#line-{count}"), search) == [True] * 3
        expect(search).not_to_be_focused()

    page.get_by_role("link", name="Done").tap()
    expect(page.locator("#adding")).to_have_count(0)
    assert in_sight(page.locator("#line-8")) == [True] * 2

    button = page.get_by_role("link", name="Add a resource")
    button.scroll_into_view_if_needed()
    button.tap()
    expect(page.locator("#adding-title")).to_have_text("Add resource")
    assert in_sight(page.locator("#adding-title"), search, offers.first) == [True] * 4
    assert page.locator("#resource").bounding_box()["y"] < search.bounding_box()["y"]
    offers.first.tap()
    expect(page.locator("#adding")).to_have_count(0)
    assert in_sight(page.locator("#line-9")) == [True] * 2
