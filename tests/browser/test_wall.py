"""The screens in the room, in a browser: read from 8 m, nothing cut off, and chosen at the desk."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import night_with_ties
from tourney.actions import announcements, joining
from tourney.actions.record import bump_version_and_notify
from tourney.domain.joining import LONGEST_WORD
from tourney.models import Player, Round, Store
from tourney.queries.short_addresses import short_code_of
from tourney.views.wall import screen_code

pytestmark = pytest.mark.django_db(transaction=True)

FULL_HD, HD = {"viewport": {"width": 1920, "height": 1080}}, {"viewport": {"width": 1280, "height": 720}}
UPRIGHT = {"viewport": {"width": 1080, "height": 1920}}
SCREENS = pytest.mark.parametrize("screen", [FULL_HD, HD], ids=["1080p", "720p"])

# A 55-inch screen is 685 mm high, capitals are 0.7 of the size of the type, and people stand 8 m away (docs/design.md).
HEIGHT, CAPITALS, DISTANCE = 685, 0.7, 8000
LOOKED_FOR, ANSWER, SMALLEST = 300, 200, 450
DWELL = 8_000  # ms

TEXTS = "#wall :is(p, h1, h2, li, small, span):not(.visually-hidden, .wall-dot)"
ROOT = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
CAPITALS_PER_HEIGHT = f"""
elements => elements.map(one =>
    parseFloat(getComputedStyle(one).fontSize) / innerHeight * {HEIGHT} * {CAPITALS})
"""
"""The height of the capitals in mm."""
CUT_OFF = """
() => [...document.querySelectorAll("#wall :is(p, h1, h2, .clock, .wall-table, .wall-rank, .wall-points, .wall-qr)")]
    .filter(one => !one.closest(".visually-hidden") && one.getClientRects().length)
    .filter(one => !one.closest(".wall-spare, .wall-rows"))
    .filter(one => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const isOutside = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        return isOutside || one.scrollWidth > one.clientWidth + 1;
    })
    .map(one => one.textContent.trim())
"""
NAMES_IN_SIGHT = """
() => {
    const frame = document.querySelector(".wall-window").getBoundingClientRect();
    return [...document.querySelectorAll(".wall-row")].filter(row => {
        const { left, right, top, bottom } = row.getBoundingClientRect();
        const inside = left >= frame.left - 1 && right <= frame.right + 1;
        return inside && top >= frame.top - 1 && bottom <= frame.bottom + 1;
    }).map(row => row.querySelector(".wall-whole").textContent);
}
"""


def night_of(players: int, *, minutes: int = 42, long_names: bool = False, **more) -> Night:
    """Round 1 in play with so many minutes to go."""
    night = make_night(players=players, open_round=True, **more)
    Round.objects.filter(event=night.event, number=1).update(ends_at=timezone.now() + timedelta(minutes=minutes))
    if long_names:
        rename_all(night)
    return night


@copied
def night_at(moment: str) -> Night:
    if moment == "counted":
        return night_with_ties()[0]
    rounds_played = {"before": 0, "between": 1}.get(moment, 3)
    return make_night(players=33, rounds=rounds_played, finish=moment == "finished")


def rename_all(night: Night) -> None:
    """Everybody has a name of 60 characters."""
    for number, player in enumerate(Player.objects.filter(store=night.store)):
        player.name = f"{player.name} of the Long Range Reconnaissance Corps, {'X' * 60}"[:57] + f"{number:03}"
        player.save()
    bump_version_and_notify(night.event)


def open_wall(page: Page, night: Night, query: str = "") -> Page:
    page.goto(f"/e/{night.event.slug}/wall/{query}")
    return page


# type


@pytest.mark.many
@SCREENS
def test_what_somebody_looks_for_is_read_from_eight_metres(open_page: Callable[..., Page], screen):
    page = open_wall(open_page(screen), night_of(33))
    least = {
        ".wall-name, .wall-strong": DISTANCE / LOOKED_FOR,
        ".wall-table:not(.wall-bye)": DISTANCE / ANSWER,
        ".clock": DISTANCE / 80,
        TEXTS: DISTANCE / SMALLEST,
    }

    smallest = {css: min(page.locator(css).evaluate_all(CAPITALS_PER_HEIGHT)) for css in least}

    assert {css: size for css, size in smallest.items() if size < least[css]} == {}


@pytest.mark.many
@SCREENS
@pytest.mark.parametrize(
    ("players", "long_names"), [(4, True), (8, False), (8, True), (33, False), (33, True), (64, False), (128, True)]
)
def test_nothing_is_larger_than_the_screen(open_page: Callable[..., Page], screen, players, long_names):
    night = night_of(players, long_names=long_names)
    announcements.announce(night.event, "Please keep the tables free of crumbs. " * 5, by=BY)
    page, size = open_page(screen), list(screen["viewport"].values())

    for query in ("", "?show=clock", "?show=clock,code", "?show=pairings,standings"):
        open_wall(page, night, query)
        assert page.evaluate(ROOT) == size
        assert page.evaluate(CUT_OFF) == []


BOXES = "names => names.map(name => document.querySelector(name)?.getBoundingClientRect().toJSON())"
"""All at one moment, for a part that refreshes itself may be replaced between two questions."""


@pytest.mark.many
@SCREENS
@pytest.mark.parametrize("moment", ["before", "counted", "between", "over", "finished"])
def test_nothing_is_larger_than_the_screen_when_nobody_plays(open_page: Callable[..., Page], screen, moment):
    night = night_at(moment)
    rename_all(night)
    page, size = open_page(screen), list(screen["viewport"].values())

    for query in ("", "?show=clock", "?show=pairings,standings"):
        open_wall(page, night, query)
        assert page.evaluate(ROOT) == size
        assert page.evaluate(CUT_OFF) == []
        assert min(page.locator(TEXTS).evaluate_all(CAPITALS_PER_HEIGHT)) >= DISTANCE / SMALLEST


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("moment", ["before", "playing", "counted", "between", "finished"])
def test_it_is_accessible_in_both_looks(open_page: Callable[..., Page], moment):
    night = night_of(33) if moment == "playing" else night_at(moment)
    if not night.event.is_finished:
        announcements.announce(night.event, "Pizza is here.", by=BY)
    page = open_page(FULL_HD)

    for look in ("light", "dark"):
        open_wall(page, night, f"?look={look}")
        assert_accessible(page)


@pytest.mark.nightly
def test_without_javascript_everybody_stands_on_it(open_page: Callable[..., Page]):
    page = open_wall(open_page(FULL_HD, javascript=False), night_of(64))

    boxes = [row.bounding_box() for row in page.locator(".wall-row").all()]
    assert len({(box["x"], box["y"]) for box in boxes}) == 64
    assert min(box["x"] for box in boxes) > 0
    assert max(box["x"] + box["width"] for box in boxes) <= 1920


def open_at_the_store(page: Page, night: Night, query: str) -> None:
    """The site that the tests start has no address for phones; the page is what such an address would give.

    Where the stream is slow, the page asks for its part too, which is as it was.
    """
    path = f"/e/{night.event.slug}/wall/{query}"
    at_the_store = Client().get(path, headers={"host": "192.168.1.20:8000"}).content.decode()

    def answer(route: Route) -> None:
        if "hx-request" in route.request.headers:
            route.fulfill(status=304)
        else:
            route.fulfill(body=at_the_store, content_type="text/html")

    page.route("**/wall/**", answer)
    page.goto(path)


LONG = "Please keep the tables free of crumbs. " * 5


@pytest.mark.nightly
@pytest.mark.parametrize("announced", ["", LONG], ids=["", "announced"])
def test_a_screen_by_itself_shows_the_whole_code_or_none(open_page: Callable[..., Page], announced):
    night, page = night_of(8), open_page(FULL_HD)
    if announced:
        announcements.announce(night.event, announced, by=BY)
    open_at_the_store(page, night, "")

    side, code = page.locator(".wall-side").bounding_box(), page.locator(".wall-qr").bounding_box()
    right, bottom = side["x"] + side["width"], side["y"] + side["height"]
    is_whole = code["x"] + code["width"] <= right and code["y"] + code["height"] <= bottom + 1
    assert is_whole or code["x"] >= right
    assert is_whole or announced


@pytest.mark.nightly
@pytest.mark.many(each=["word"])
@pytest.mark.parametrize("screen", [FULL_HD, HD, UPRIGHT], ids=["1080p", "720p", "upright"])
@pytest.mark.parametrize("word", ["amber 47", "W" * LONGEST_WORD])
def test_tonights_word_is_read_as_well_as_a_name_and_is_whole(open_page: Callable[..., Page], screen, word):
    night, page = night_at("before"), open_page(screen)
    joining.ask_for_word(night.event, word, by=BY)

    for query in ("", "&show=code", "&show=clock,code"):
        open_at_the_store(page, night, f"?screen={screen_code(night.event)}{query}")
        shown = page.locator(".wall-word b")
        assert shown.inner_text() == word
        assert page.evaluate(CUT_OFF) == []
        if screen is not UPRIGHT:
            assert shown.evaluate_all(CAPITALS_PER_HEIGHT)[0] >= DISTANCE / LOOKED_FOR


@pytest.mark.nightly
@pytest.mark.many
@SCREENS
@pytest.mark.parametrize("moment", ["before", "playing", "counted", "between", "over"])
def test_what_the_address_asks_for_stays_whatever_is_announced(open_page: Callable[..., Page], screen, moment):
    night, page = night_of(33) if moment == "playing" else night_at(moment), open_page(screen)
    announcements.announce(night.event, LONG, by=BY)
    smallest = 20 / 100 * screen["viewport"]["height"]

    for query in ("code", "clock,code", "clock,pairings,code", "clock,standings,code", "pairings,standings,code"):
        open_at_the_store(page, night, f"?show={query}")
        assert page.evaluate(CUT_OFF) == []
        code, announced, clock = page.evaluate(BOXES, [".wall-qr", ".wall-announced", ".clock"])
        beside = page.locator(".wall-announced .wall-qr").count()
        assert min(code["width"], code["height"]) >= smallest
        assert min(code["x"], code["y"]) >= 0
        assert code["x"] + code["width"] <= screen["viewport"]["width"]
        assert beside or code["y"] + code["height"] <= announced["y"]
        if "clock" in query and moment == "playing":
            assert clock["y"] + clock["height"] <= announced["y"]


@pytest.mark.many
@SCREENS
@pytest.mark.parametrize("players", [4, 6, 8, 13, 24])
def test_a_list_alone_fills_its_screen(open_page: Callable[..., Page], screen, players):
    night, page = make_night(players=players, rounds=1, open_round=True), open_page(screen)

    for query in ("pairings", "standings"):
        open_wall(page, night, f"?show={query}")
        window = page.locator(".wall-window").bounding_box()
        rows = [row.bounding_box() for row in page.locator(".wall-row").all()]
        names = page.locator(".wall-whole").evaluate_all(CAPITALS_PER_HEIGHT)
        assert len(page.evaluate(NAMES_IN_SIGHT)) == players
        assert max(row["y"] + row["height"] for row in rows) >= window["y"] + 0.9 * window["height"]
        assert max(row["x"] + row["width"] for row in rows) >= window["x"] + 0.98 * window["width"]
        assert min(names) >= 1.15 * DISTANCE / LOOKED_FOR


ALONE = """
() => {
    const rows = document.querySelector(".wall-rows"), found = [];
    for (; rows.children.length > 2; rows.lastElementChild.remove()) {
        delete rows.dataset.room;
        dispatchEvent(new Event("resize"));
        const columns = new Map();
        for (const { offsetLeft } of rows.children) columns.set(offsetLeft, (columns.get(offsetLeft) ?? 0) + 1);
        if (Math.min(...columns.values()) < 2) found.push(rows.children.length);
    }
    return found;
}
"""
"""Of how many names one is alone in its column, from all on it down to three."""
CUT_NAMES = """
names => names
    .filter(name => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > 1.1 * name.clientHeight + 2)
    .map(name => name.textContent)
"""


@pytest.mark.parametrize("long_names", [False, True])
def test_nobody_is_alone_in_a_column_or_on_a_page(open_page: Callable[..., Page], long_names):
    page = open_wall(open_page(FULL_HD), night_of(13, long_names=long_names), "?show=pairings,standings")

    assert page.evaluate(ALONE) == []


@pytest.mark.many(each=["moment"])
@SCREENS
@pytest.mark.parametrize("moment", ["before", "finished"])
def test_names_are_whole(open_page: Callable[..., Page], screen, moment):
    page = open_page(screen)

    for long_names in (False, True):
        night = make_night(players=12, rounds=3, finish=True) if moment == "finished" else make_night(players=12)
        if long_names:
            rename_all(night)
        open_wall(page, night)
        assert page.locator(".wall-whole").evaluate_all(CUT_NAMES) == []
        assert page.evaluate(CUT_OFF) == []


# before play


@pytest.mark.many(each=["announced"])
@SCREENS
@pytest.mark.parametrize("announced", ["", LONG], ids=["", "announced"])
def test_before_play_the_code_is_large_and_whole_with_its_address_below(open_page, screen, announced):
    night, page, height = make_night(players=23), open_page(screen), screen["viewport"]["height"]
    if announced:
        announcements.announce(night.event, announced, by=BY)
    joining.ask_for_word(night.event, "amber 47", by=BY)

    open_at_the_store(page, night, f"?screen={screen_code(night.event)}")

    side, code, address = page.evaluate(BOXES, [".wall-side", ".wall-qr", ".wall-address"])
    assert code["width"] >= (0.24 if announced else 0.44) * height
    assert code["y"] + code["height"] <= address["y"]
    assert address["y"] + address["height"] <= side["y"] + side["height"] + 1
    assert code["x"] + code["width"] <= side["x"] + side["width"]
    assert page.locator(".wall-address").inner_text() == f"192.168.1.20:8000/{short_code_of(night.event)}"
    assert page.locator(".wall-address").evaluate_all(CAPITALS_PER_HEIGHT)[0] >= DISTANCE / LOOKED_FOR
    assert_accessible(page)


LINES = """
address => [...address.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(part => {
    const text = document.createRange();
    text.selectNodeContents(part);
    return new Set([...text.getClientRects()].map(box => Math.round(box.top))).size;
})
"""
"""Over how many lines its host goes, and its path."""


@pytest.mark.many(each=["moment"])
@SCREENS
@pytest.mark.parametrize("moment", ["before", "between", "playing"])
def test_the_address_breaks_only_between_host_and_path(open_page: Callable[..., Page], screen, moment):
    night, page = night_of(8) if moment == "playing" else night_at(moment), open_page(screen)

    for query in ("", "?show=code", "?show=clock,code", "?show=clock,standings,code"):
        open_at_the_store(page, night, query)
        found = page.evaluate(f"""() => [...document.querySelectorAll(".wall-address")].map(address => (
            {{ lines: ({LINES.strip()})(address), text: address.innerText }}
        ))""")  # all at once: the page may be brought anew at any moment
        for address in found:
            assert address == {"lines": [1, 1], "text": f"192.168.1.20:8000/{short_code_of(night.event)}"}, query
    assert len(found) == 1


@SCREENS
def test_beside_a_list_the_address_stands_below_its_code_on_one_line(open_page: Callable[..., Page], screen):
    night, page = night_of(8), open_page(screen)
    open_at_the_store(page, night, "?show=clock,pairings,code")

    code, address = page.evaluate(BOXES, [".wall-qr", ".wall-address"])
    assert code["y"] + code["height"] <= address["y"]
    assert "\n" not in page.locator(".wall-address").inner_text()
    assert address["height"] < 0.05 * screen["viewport"]["height"]
    assert page.evaluate(CUT_OFF) == []


def test_between_rounds_the_code_has_room_below_four_factions(open_page: Callable[..., Page]):
    night, page = night_at("between"), open_page(FULL_HD)
    open_at_the_store(page, night, "")

    assert page.locator(".wall-factions li").count() == 4
    spare, factions, code = page.evaluate(BOXES, [".wall-spare", ".wall-factions", ".wall-code"])
    assert code["x"] == spare["x"]
    assert factions["y"] + factions["height"] <= code["y"]
    assert code["y"] + code["height"] <= spare["y"] + spare["height"] + 1


def test_a_screen_of_the_code_alone_has_its_address_as_large_as_a_name(open_page: Callable[..., Page]):
    night, page = night_of(8), open_page(FULL_HD)
    open_at_the_store(page, night, "?show=code")

    assert page.locator(".wall-address").evaluate_all(CAPITALS_PER_HEIGHT)[0] >= DISTANCE / LOOKED_FOR
    assert page.evaluate(CUT_OFF) == []


# the desk


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_desk_chooses_a_screen_by_how_it_looks_now(open_page: Callable[..., Page], server: str, device):
    night = night_of(8)
    desk = sign_in(open_page(device), night, night.organizer, server)
    press(desk, desk.get_by_role("link", name="Screens"))

    previews = desk.locator(".wall-preview")
    expect(previews).to_have_count(5)
    for preview in previews.all():
        box = preview.bounding_box()
        assert box["width"] / box["height"] == pytest.approx(16 / 9, abs=0.05)
    with desk.context.expect_page() as opened:
        desk.get_by_role("link", name="Open dark screen : Clock", exact=True).click()
    expect(opened.value.locator(".clock")).to_be_visible()
    assert opened.value.url.endswith(f"/e/{night.event.slug}/wall/?show=clock&look=dark")


@pytest.mark.parametrize("show", ["pairings,standings", "pairings", "standings"])
def test_lists_with_nothing_to_show_say_so_once_in_the_middle(open_page: Callable[..., Page], show: str):
    page = open_wall(open_page(FULL_HD), make_night(players=0), f"?show={show}")

    said = page.locator(".wall-waiting:visible .wall-large")
    expect(said).to_have_text("Standings appear after round 1" if show == "standings" else "No players yet")
    box = said.bounding_box()
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert middle == pytest.approx([960, 540], abs=40)


def test_who_registered_stands_on_the_left_while_the_standings_wait(open_page: Callable[..., Page]):
    page = open_wall(open_page(FULL_HD), make_night(players=6), "?show=pairings,standings")

    expect(page.locator(".wall-row")).to_have_count(6)
    expect(page.get_by_text("Standings appear after round 1")).to_be_visible()


OVER_THE_NAME = """
() => [...document.querySelectorAll(".wall-row:has(.wall-bye)")].filter(row => {
    const said = document.createRange();
    said.selectNodeContents(row.querySelector(".wall-table"));
    return said.getBoundingClientRect().right > row.querySelector(".wall-name").getBoundingClientRect().left;
}).map(row => row.textContent.trim())
"""
TOPS = "one => new Set([...one.getClientRects()].map(({ top }) => top)).size"


WORDS = "one => { const all = document.createRange(); all.selectNodeContents(one); return all; }"


@SCREENS
def test_a_longer_word_than_bye_stands_beside_the_name(open_page: Callable[..., Page], screen):
    tonight = night_of(9)
    Store.objects.update(locale="de_DE")
    wall = open_wall(open_page(screen), tonight)
    expect(wall.locator(".wall-bye")).to_have_text("Freilos")

    assert wall.evaluate(OVER_THE_NAME) == []


@SCREENS
def test_a_longer_word_than_join_is_in_one_piece(open_page: Callable[..., Page], screen):
    tonight = night_at("before")
    Store.objects.update(locale="de_DE")
    wall = open_page(screen)
    open_at_the_store(wall, tonight, "")
    expect(wall.locator(".wall-strong", has_text="Mitmachen")).to_be_visible()

    lines = f"() => [...document.querySelectorAll('.wall-strong')].map({WORDS}).map(one => [`${{one}}`, ({TOPS})(one)])"
    assert dict(wall.evaluate(lines))["Mitmachen"] == 1
