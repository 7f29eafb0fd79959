"""A fleet from the first ship to the last Fleet Point: built on a phone, checked, imported, signed, shot at, scored."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from fleets import starter
from fleets.catalogue import take_over
from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import Sheet
from fleets.domain.space_dock import read_catalogue
from tests.browser.test_at_the_table import give_card, sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.built_fleets import bring
from tests.support.clicking import press
from tests.support.fleets_for_tests import SHARED, Numbered, captain_card, card, shared, ship_card
from tests.support.nights import BY, make_night
from tourney.actions import entrants
from tourney.models import Event, Fleet

pytestmark = pytest.mark.django_db(transaction=True)
SHIP, CAPTAIN = "U.S.S. Enterprise-D", "Jean-Luc Picard"


def add(page: Page, text: str, title: str) -> None:
    """Find a card by some letters and tap it."""
    page.get_by_role("searchbox").press_sequentially(text, delay=30)
    expect(page.locator(f"#found[data-for='{text}']")).to_be_visible()
    page.locator(".found-card", has_text=title).first.click()
    expect(page.locator(".builder-undo")).to_contain_text(f"{title} added.")


def open_panel(page: Page, link: str) -> None:
    page.get_by_role("link", name=link).click()
    expect(page.locator("#adding-title")).to_have_text(link.replace(" a ", " "))


def build(page: Page) -> None:
    """Two Federation ships with their captains, and the month's resource."""
    for ship, captain in ((SHIP, CAPTAIN), ("U.S.S. Voyager", "Kathryn Janeway")):
        open_panel(page, "Add a ship")
        add(page, ship.split()[-1].lower(), ship)
        add(page, captain.split()[-1].lower(), captain)
        page.get_by_role("link", name="Done").click()
        expect(page.locator("#adding")).to_have_count(0)
    open_panel(page, "Add a resource")
    add(page, "attack fighters", "Federation Attack Fighters")


@pytest.mark.nightly
@pytest.mark.parametrize("source", ["our own list", "the whole public catalogue"])
def test_a_legal_fleet_of_100_sp_is_built_on_a_phone(source, open_page: Callable[..., Page], server: str):
    starter.load()
    if source != "our own list":
        take_over(read_catalogue(shared("spacedock-Data.xml")), source="Space Dock")
    night = make_night(players=4)
    page = give_card(open_page(PHONE), night.event.entrants.get(number=1), server)
    press(page, page.get_by_role("link", name="My fleets"))
    press(page, page.get_by_role("button", name="Build a fleet"))

    build(page)
    rest = 100 - int(page.locator(".builder-sp b").inner_text())
    page.get_by_role("link", name="Crew 0/").last.click()
    expect(page.locator("#adding-title")).to_have_text("Add crew to U.S.S. Voyager")
    page.get_by_text("Enter a card by hand").click()
    page.get_by_label("Card title", exact=True).fill("Home-made crew")
    page.get_by_label("SP", exact=True).fill(str(rest))
    page.get_by_role("button", name="Add card").click()

    expect(page.locator(".builder-sp b")).to_have_text("100")
    expect(page.locator(".builder-verdict")).to_have_text("Legal")
    page.get_by_role("link", name="Done").click()
    expect(page.locator("#adding")).to_have_count(0)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    fleet = Fleet.objects.get(entrant__event=night.event)
    assert [ship.card.title for ship in fleet.sheet.ships] == [SHIP, "U.S.S. Voyager"]


def wrong_in_ten_ways() -> Sheet:
    """A fleet for the format of 2016 in which nothing is right."""
    numbered = Numbered()
    sela = card(CardKind.CREW, "Quill", 4, unique=True)
    first = numbered.ship(
        ship_card("Kestrel", 45),
        captain_card("Captain Vor", 5),
        captain_card("Captain Onyx", 4),
        card(CardKind.ADMIRAL, "Admiral Rook", 3),
        card(CardKind.ADMIRAL, "Admiral Perch", 3),
        sela,
        card(CardKind.BORG, "Node", 9),
        card(CardKind.TECH, "Cloak", 4, rules=("only on class Wren Class",)),
        card(CardKind.WEAPON, "Darts", 20),
    )
    second = numbered.ship(
        ship_card(
            "Midge", 6, hull=1, ship_class="Type 7 Shuttlecraft", slots=((CardKind.WEAPON, 1), (CardKind.CREW, 1))
        ),
        card(CardKind.WEAPON, "Torpedoes", 9),
        sela,
    )
    third = numbered.ship(ship_card("Gnat", 6, hull=1, ship_class="Type 8 Shuttlecraft"), captain_card("Captain Lark"))
    resource = numbered.line(Card(CardKind.RESOURCE, "Elite Attack Die", cost=25, key="die"))
    return Sheet((first, second, third), resource)


@pytest.mark.nightly
def test_everything_that_is_wrong_is_said_at_once(open_page: Callable[..., Page], server: str):
    night = make_night(players=2, pack="tournament-2016")
    Event.objects.filter(pk=night.event.pk).update(sp_limit=130)
    bring(night.event, 1, wrong_in_ten_ways())
    page = give_card(open_page(PHONE), night.event.entrants.get(number=1), server)
    press(page, page.get_by_role("link", name="Edit my fleet"))

    said = page.locator(".builder-wrong li")
    rules = {item.split("Rule ")[1].strip() for item in said.all_inner_texts()}
    assert said.count() >= 10
    assert len({text.split("\n")[0] for text in said.all_inner_texts()}) >= 10
    assert {"7.5", "7.8", "7.9", "7.10", "7.11", "7.12", "7.13"} <= rules
    page.locator(".builder-verdict a").click()
    expect(page.locator("#wrong")).to_be_in_viewport()
    assert_accessible(page)


@pytest.mark.nightly
def test_fleets_of_another_program_are_imported_from_its_file(open_page: Callable[..., Page], server: str):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="Space Dock")
    night = make_night(players=2)
    page = give_card(open_page(PHONE), night.event.entrants.get(number=1), server)
    page.goto(f"/s/{night.store.slug}/fleets/import/")

    page.get_by_label("Or choose a file").set_input_files(SHARED / "player-fleets.spacedocksquads")
    press(page, page.get_by_role("button", name="Import"))
    press(page, page.get_by_role("button", name="Import fleets"))

    expect(page.get_by_role("heading", name="My fleets", exact=True)).to_be_visible()
    expect(page.locator(".messages")).to_contain_text("Imported: ")
    assert Fleet.objects.count() == page.locator(".rows .row").count()


@pytest.mark.nightly
def test_a_paper_sheet_is_typed_at_the_desk_with_the_keyboard_alone(open_page: Callable[..., Page], server: str):
    starter.load()
    night = make_night(players=2)
    page = sign_in(open_page(LAPTOP), night, night.organizer, server)
    page.goto(f"/e/{night.event.slug}/desk/players/1/fleet/")
    press(page, page.get_by_role("button", name="Enter fleet"))
    page.get_by_role("link", name="Add a ship").click()

    search = page.get_by_role("searchbox")
    for number, text in enumerate(("enterprise-d", "jean-luc", "home-made phasers 4", "voyager", "janeway"), start=1):
        expect(search).to_be_focused()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        if text.startswith("home-made"):
            expect(page.get_by_role("button", name="Add card")).to_be_focused()
            page.keyboard.press("Enter")
        expect(page.locator(".builder-line")).to_have_count(number)
        expect(search).to_have_value("")

    sheet = Fleet.objects.get(entrant__event=night.event).sheet
    assert [[line.card.title for line in ship] for ship in sheet.ships] == [
        [SHIP, CAPTAIN, "home-made phasers"],
        ["U.S.S. Voyager", "Kathryn Janeway"],
    ]


@pytest.mark.nightly
def test_what_is_done_without_a_network_waits_on_the_phone_and_is_made_once(
    open_page: Callable[..., Page], server: str
):
    starter.load()
    night = make_night(players=2)
    fleet = bring(night.event, 1, Sheet())
    page = give_card(open_page(PHONE), night.event.entrants.get(number=1), server)
    page.goto(f"/s/{night.store.slug}/fleets/{fleet.pk}/?add=0&kind=ship")
    page.get_by_role("searchbox").fill("voyager")
    expect(page.locator("#found[data-for='voyager']")).to_be_visible()

    page.context.set_offline(True)
    page.locator(".found-card").first.click()
    expect(page.locator(".waiting")).to_contain_text("Waiting for the network: 1 step")
    assert Fleet.objects.get(pk=fleet.pk).sheet == Sheet()
    page.context.set_offline(False)
    expect(page.locator(".builder-line")).to_have_count(1)

    expect(page.locator(".waiting")).to_have_count(0)
    assert [ship.card.title for ship in Fleet.objects.get(pk=fleet.pk).sheet.ships] == ["U.S.S. Voyager"]


@pytest.mark.nightly
def test_everything_tapped_without_a_network_is_made_in_its_order(open_page: Callable[..., Page], server: str):
    starter.load()
    night = make_night(players=2)
    fleet = bring(night.event, 1, Sheet((Numbered().ship(ship_card()),)))
    page = give_card(open_page(PHONE), night.event.entrants.get(number=1), server)
    page.goto(f"/s/{night.store.slug}/fleets/{fleet.pk}/?add=1&q=photon+torpedoes")

    page.context.set_offline(True)
    for number, place in enumerate((0, 1, 0), start=1):
        page.locator(".found-card").nth(place).click()
        expect(page.locator(".waiting-steps")).to_contain_text(f"{number} step")
    page.context.set_offline(False)

    expect(page.locator(".builder-line")).to_have_count(4)
    cards = [line.card.key for line in Fleet.objects.get(pk=fleet.pk).sheet.ships[0].cards]
    assert (cards[0] == cards[2], cards[0] == cards[1]) == (True, False)


def test_buttons_in_a_list_of_fleets_keep_clear_of_its_lines(open_page: Callable[..., Page], server: str):
    """With two more events to use a fleet at, its buttons stand below one another on a phone."""
    night = make_night(players=2, pack="arena")
    name = night.event.entrants.get(number=1).player.name
    for pack in ("dominion-war-4", "dominion-war-5"):
        later = make_night(players=0, pack=pack, store=night.store)
        entrants.register(later.event, [(name, "Federation")], by=BY)
    bring(night.event, 1)
    page = give_card(open_page(PHONE), night.event.entrants.get(number=1), server)
    page.goto(f"/s/{night.store.slug}/fleets/")

    row = page.locator(".row").filter(has=page.locator("form")).first
    box, last = row.bounding_box(), row.locator(".button").last.bounding_box()
    assert box["y"] + box["height"] - (last["y"] + last["height"]) >= 8


def test_a_phone_is_not_told_to_press_keys(phone: Page, laptop: Page, server: str):
    night = make_night(players=2)
    fleet = bring(night.event, 1)
    for page, is_told in ((phone, False), (laptop, True)):
        give_card(page, night.event.entrants.get(number=1), server)
        for path in (f"/s/{night.store.slug}/fleets/{fleet.pk}/sheet/", f"/e/{night.event.slug}/qr/"):
            page.goto(path)
            expect(page.locator("kbd").first).to_be_visible(visible=is_told)
