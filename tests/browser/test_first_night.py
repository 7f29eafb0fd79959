"""“Your first night” of the guide, followed to the letter: nine players, two phones, a TV, from set-up to podium.

Who follows it knows only that page. Every button that is pressed is one that the section names in bold, and every
name in bold in a numbered step is pressed or filled in, or is said here to be left out: guide and pages can't differ.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from io import StringIO
from typing import Self

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_set_up import CHICAGO
from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import Desk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

GUIDE = settings.BASE_DIR / "docs" / "guide" / "first-night.md"
SECTION = re.compile(r"^## .*\{#([a-z0-9-]+)\}$", re.M)
BOLD = re.compile(r"\*\*([^*]+)\*\*")
STEP = re.compile(r"^\d+\. .*$", re.M)

LIST = ["Onyx, Dominion", "Sable, Klingon", "Marrow, Fed", "Brine", "Lark, Rom", "Talon, Klingon"]
"""As it is pasted; Brine is asked for a faction later."""


@dataclass
class Reader:
    """Someone with the guide in hand, at one of its sections; `left` are its steps' names that nobody pressed yet."""

    sections: dict[str, str]
    names: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    @classmethod
    def of_the_page(cls) -> Self:
        _, *parts = SECTION.split(GUIDE.read_text("utf-8"))
        return cls(dict(zip(parts[::2], parts[1::2], strict=True)))

    def turn_to(self, section: str) -> None:
        """Read the next section, with nothing of the last one left to do."""
        assert self.left == set()
        text = self.sections.pop(section)
        self.names = {*BOLD.findall(text)}
        self.left = {name for step in STEP.findall(text) for name in BOLD.findall(step)}

    def finish(self) -> None:
        assert (self.left, {*self.sections}) == (set(), set())

    def named(self, name: str) -> str:
        """The name, which must be in bold here."""
        assert name in self.names, f"{name} isn't what the guide says: {self.names}"
        self.left.discard(name)
        return name

    def does_without(self, *names: str) -> None:
        """What a step offers for other nights than this one."""
        assert {*names} <= self.left
        self.left -= {*names}

    def field(self, page: Page, name: str) -> Locator:
        """The field whose label begins so."""
        label = re.compile(rf"^\s*{re.escape(self.named(name))}\b")
        return page.get_by_label(label).and_(page.locator("input, select, textarea")).locator("visible=true").first

    def sees(self, page: Page, name: str) -> None:
        """The page shows these words."""
        expect(page.get_by_text(self.named(name)).locator("visible=true").first).to_be_visible()

    def press(self, page: Page, name: str, *, more: str = "", is_page: bool = True) -> None:
        """Press the button, link or line of that name; `more` is what only screen readers are told."""
        whole = re.compile(rf"^\s*{re.escape(self.named(name))}\s*{re.escape(more)}\s*$")
        found = page.get_by_role("button", name=whole).or_(page.get_by_role("link", name=whole))
        found = found.or_(page.locator("summary").filter(has_text=whole))
        button = found.locator("visible=true").first
        if is_page:
            with page.expect_event("load"):
                button.click()
        else:
            button.click()


def test_a_first_night_goes_as_the_guide_says(open_page: Callable[..., Page], server: str):
    guide, laptop, tv = Reader.of_the_page(), open_page(LAPTOP | CHICAGO), open_page(LAPTOP)
    phone, other_phone = open_page(PHONE), open_page(PHONE)
    desk = Desk(laptop)

    guide.turn_to("set-up")
    link = StringIO()
    call_command("setup_link", base_url=server, stdout=link)
    laptop.goto(link.getvalue().strip())
    guide.sees(laptop, "Set up your store")
    laptop.get_by_label("Sign-in name").fill("quill")
    laptop.get_by_label("Password", exact=True).fill("three quiet words")
    laptop.get_by_label("Password, once more").fill("three quiet words")
    laptop.get_by_label("Name of the store").fill("Starbase Games")
    expect(guide.field(laptop, "Time zone")).to_have_value("America/Chicago")
    expect(guide.field(laptop, "Country and language")).to_have_value("en_US")
    guide.press(laptop, "Create store")

    guide.turn_to("campaign")
    guide.press(laptop, "Create campaign")
    guide.field(laptop, "Storyline").select_option("Dominion War")
    guide.press(laptop, "Create campaign")
    guide.sees(laptop, "Schedule an event")
    laptop.get_by_role("radio", name="Month 6").check()
    guide.field(laptop, "SP limit").fill("100")
    laptop.get_by_role("radio", name="Month 1: Operation Return").check()
    expect(guide.field(laptop, "Date")).not_to_have_value("")
    guide.field(laptop, "Start").fill("18:30")
    guide.press(laptop, "Type them from the kit’s sheet", is_page=False)
    laptop.get_by_label("What for").first.fill("Supply convoy destroyed")
    guide.field(laptop, "Fleet Points").fill("10")
    guide.press(laptop, "Schedule event")
    expect(laptop.get_by_role("heading", name="Register the players")).to_be_visible()
    address = laptop.url
    guide.press(laptop, "Public page")
    expect(laptop.get_by_role("region", name="This month")).to_contain_text("Supply convoy destroyed")

    guide.turn_to("desk")
    laptop.get_by_role("link", name="Starbase Games").first.click()
    guide.press(laptop, "Open desk")
    assert laptop.url == address
    for tab in ("Overview", "Players", "Print", "Screens", "Settings"):
        desk.open(guide.named(tab))

    guide.turn_to("rehearse")
    desk.open(guide.named("Overview"))
    guide.press(laptop, "Rehearse event")
    guide.press(laptop, "Start rehearsal")
    for state in ("Check in", "Pair round 1"):
        expect(laptop.locator("#next")).to_contain_text(state)
        guide.press(laptop, "Play next step", is_page=False)
    guide.press(laptop, "Back to the real desk")
    assert laptop.url == address

    guide.turn_to("print")
    desk.open(guide.named("Print"))
    guide.sees(laptop, "Paper")
    for document, shown in (("Codes for the counter", "Join"), ("Blank Fleet Build Sheet", "Fleet Build Sheet")):
        guide.press(laptop, "Show", more=f": {guide.named(document)}")
        expect(laptop.get_by_text(shown).first).to_be_visible()
        laptop.go_back()

    guide.turn_to("tv")
    desk.open(guide.named("Screens"))
    screen = laptop.get_by_role(
        "link", name=re.compile(f"{guide.named('Open dark screen')} *: {guide.named('Automatic')}")
    )
    tv.goto(screen.get_attribute("href"))
    expect(tv.locator("body")).to_contain_text("Starbase Games")

    guide.turn_to("players-join")
    desk.open("Overview")
    guide.press(laptop, "QR code")
    code = laptop.get_by_role("region", name="Join").locator(".url").inner_text()
    for device, name, faction in ((phone, "Vor", "Klingon"), (other_phone, "Kestrel", "Federation")):
        device.goto(f"http://{code}")
        device.get_by_label("Your name").fill(name)
        device.get_by_role("radio", name=faction).check()
        guide.press(device, "Join event")
        expect(device.get_by_role("heading", name="Recovery words")).to_be_visible()
    laptop.goto(address)
    desk.open(guide.named("Players"))
    guide.field(laptop, "Name").fill("Quill")
    guide.field(laptop, "Faction").select_option("Romulan")
    guide.press(laptop, "Register player")
    guide.press(laptop, "Add several players", is_page=False)
    laptop.get_by_label("One name per line").fill("\n".join(LIST))
    guide.press(laptop, "Register all players")
    guide.press(laptop, "Check in", more="Vor", is_page=False)
    laptop.get_by_role("button", name="Check in all 7").click()
    expect(laptop.locator("#list")).to_contain_text("9 of 9 checked in")

    guide.turn_to("fleets")  # all of them are on paper

    guide.turn_to("round-1")
    desk.open(guide.named("Overview"))
    guide.press(laptop, "Pair round 1")
    laptop.locator("select").filter(has_text="Choose faction").select_option("Federation")
    expect(laptop.get_by_role("button", name="Publish round 1")).to_be_visible()
    guide.does_without("No faction")
    tables, bye = desk.tables()
    first, second = swapped(tables, bye)
    guide.named("Reason")
    guide.named("Save change")
    desk.swap(first, second, "They came to play each other")
    guide.press(laptop, "Publish round 1")
    tables, bye = desk.tables()
    at = next(table for table, names in tables.items() if {*names} == {"Vor", "Kestrel"})
    expect(tv.locator("body")).to_contain_text("Kestrel")

    guide.turn_to("clock")
    guide.press(laptop, "Start the clock")
    expect(laptop.get_by_role("button", name=guide.named("Pause the clock"))).to_be_visible()

    guide.turn_to("results")
    # by phone
    guide.press(phone, "My table")
    guide.press(phone, "Enter result")
    phone.get_by_role("radio", name=guide.named("I won")).check()
    guide.does_without("I lost", "Time")
    phone.get_by_label("Your SP left").first.fill("40")
    expect(phone.locator("#preview")).to_contain_text("You win 100–60.")
    with phone.expect_event("load"):
        phone.get_by_role("button", name="Send to Kestrel").click()
    other_phone.goto(phone.url.partition("rounds/")[0] + "me/")
    guide.press(other_phone, "Yes, that’s right")
    expect(other_phone.locator("main")).to_contain_text("so Vor wins")
    # at the desk
    desk.open(guide.named("Overview"))
    expect(laptop.get_by_role("link", name=f"Edit result of table {at}")).to_be_visible()
    tied, *others = (table for table in tables if table != at)
    for left, table in enumerate(others, start=51):
        guide.press(laptop, "Enter result", more=f"of table {table}")
        laptop.get_by_role("radio", name="One fleet eliminated").check()
        laptop.get_by_role("group", name="Whose fleet was eliminated?").get_by_label(tables[table][1]).check()
        group = laptop.get_by_role("group", name=guide.named("SP left"))
        group.get_by_label(tables[table][0]).fill(str(left))
        expect(laptop.locator("#preview")).to_contain_text(
            f"{tables[table][0]} wins, 100 Fleet Points to {100 - left}."
        )
        guide.press(laptop, "Save result")
    desk.open(guide.named("Results"))
    laptop.get_by_role("link", name=f"Details of table {tied}").click()
    enter_time(laptop, tables[tied], (50, 50))
    guide.press(laptop, "Save result")
    for name, stations in zip(tables[tied], ("3", "1"), strict=True):
        laptop.locator("#dice").get_by_label(name).fill(stations)
    guide.press(laptop, "Save roll 1")

    guide.turn_to("close")
    desk.open("Overview")
    guide.named("Roll off")
    roll_off_all(desk, lambda: guide.press(laptop, "Roll for me"))
    guide.press(laptop, "Close round 1")
    guide.press(laptop, "Late arrivals & drops")
    desk.open("Overview")
    guide.press(laptop, "Pair round 2")
    for number in (2, 3):
        desk.publish(number)
        desk.start_the_clock()
        tables, _ = desk.tables()
        for table, names in tables.items():
            desk.open("Overview")
            desk.follow(f"Enter result of table {table}")
            enter_time(laptop, names, (50 + 7 * table, number * table))
            desk.press("Save result")
        roll_off_all(desk, lambda: desk.press("Roll for me"))
        desk.do_next(f"Close round {number}")
        if number == 2:
            desk.do_next("Pair round 3")

    guide.turn_to("podium")
    guide.press(laptop, "Final ranks")
    guide.press(laptop, "Finish event")
    admiral = laptop.locator(".podium-name").first.inner_text()
    expect(tv.locator("body")).to_contain_text("Admiral")
    phone.goto(phone.url.partition("rounds/")[0] + "me/")
    expect(phone.locator("main")).to_contain_text(re.compile(r"Rank \d of 9"))
    laptop.goto(address)
    guide.press(laptop, "Awards")
    expect(laptop.get_by_role("region", name="Prizes by rank")).to_contain_text(admiral)
    guide.sees(laptop, "Prize list")
    expect(laptop.get_by_role("link", name=guide.named("Print awards"))).to_be_visible()
    guide.press(laptop, "Poster")
    expect(laptop.locator("main")).to_contain_text(admiral)
    expect(laptop.locator("main")).to_contain_text(re.compile("Month 2", re.I))
    laptop.goto(address)
    desk.open(guide.named("Overview"))
    guide.press(laptop, "Share results")
    desk.open("Overview")
    guide.press(laptop, "Schedule next month")
    expect(laptop.get_by_role("radio", name="Month 2")).to_be_checked()
    guide.finish()


def swapped(tables: dict[int, tuple[str, ...]], bye: str) -> tuple[str, str]:
    """Whom to swap so that Vor and Kestrel meet; two others if they do."""
    opponents = {name: pair[1 - place] for pair in tables.values() for place, name in enumerate(pair)}
    if opponents.get("Vor") == "Kestrel":
        return bye, next(name for name in opponents if name not in ("Vor", "Kestrel"))
    if bye == "Kestrel":
        return "Kestrel", opponents["Vor"]
    return "Vor", opponents["Kestrel"]


def enter_time(page: Page, names: tuple[str, ...], left: tuple[int, int]) -> None:
    page.get_by_role("radio", name="Time", exact=True).check()
    for name, points in zip(names, left, strict=True):
        page.get_by_role("group", name="SP left").get_by_label(name).fill(str(points))
    expect(page.locator("#preview dt:text-is('Fleet Points') + dd")).to_have_count(2)


def roll_off_all(desk: Desk, roll: Callable[[], None]) -> None:
    """As long as the next step is a roll-off, let the software roll."""
    desk.open("Overview")
    while desk.page.locator("#next-action").inner_text() == "Roll off":
        desk.do_next("Roll off")
        roll()
        desk.open("Overview")
