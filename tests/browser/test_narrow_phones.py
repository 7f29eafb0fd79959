"""On the narrowest phones and with the largest letters: what counts is read without scrolling sideways."""

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.every_page import FOR_A_PLAYER, FOR_EVERYBODY, make_places
from tourney import access
from tourney.models import Store

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("stores_on_request")]

LETTERS = """size => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`html { font-size: ${size}% !important }`);
  document.adoptedStyleSheets = [sheet];
}"""
"""What a phone does whose owner reads larger letters."""
CUT_OFF = """() => [...document.querySelectorAll(".points")].flatMap((box) => {
  const edge = box.getBoundingClientRect().right;
  return [...box.querySelectorAll("tr > :nth-child(-n + 3)")]
    .filter((cell) => cell.getBoundingClientRect().right > edge + 1).map((cell) => cell.textContent.trim());
})"""
"""Rank, name and sums that the box of their table cuts off."""
NARROW = """() => [...document.querySelectorAll(".ranked-name")]
  .filter((name) => name.clientWidth < 3 * parseFloat(getComputedStyle(name).fontSize))
  .map((name) => name.textContent.trim())"""
"""Names with room for a few letters a line."""


@pytest.fixture
def places() -> dict[str, str]:
    return make_places()


@pytest.fixture
def page(open_page: Callable[..., Page], places, server: str) -> Page:
    page = open_page(PHONE)
    name = access.card_cookie(Store.objects.get(slug=places["store"]))
    page.context.add_cookies([{"name": name, "value": places["card"], "url": server}])
    return page


def test_the_standings_show_rank_name_and_both_sums_with_every_reason_open(page, places):
    page.goto(f"/e/{places['over']}/standings/")
    for reason in page.locator(".why summary").all():
        reason.click(position={"x": 4, "y": 4})

    for width, letters in product((320, 390), (100, 130, 200)):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(LETTERS, letters)
        expect(page.locator(".why[open]").last).to_be_visible()
        assert page.evaluate(CUT_OFF) == [], (width, letters)
        assert page.evaluate(NARROW) == [], (width, letters)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, letters


def test_no_page_of_players_scrolls_sideways_at_320_pixels(page, places):
    page.set_viewport_size({"width": 320, "height": 640})
    wide = {}
    for path in (*FOR_EVERYBODY, *FOR_A_PLAYER):
        page.goto(path.format(**places))
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 320:
            wide[path] = width

    assert wide == {}


def test_the_rounds_of_a_fleet_fit_a_narrow_phone(page, places):
    page.goto("/e/{tonight}/fleets/{opponent}/".format(**places))

    box = page.get_by_role("region", name="Table of rounds")
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 640})
        assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0, width


def test_the_frame_around_the_total_leaves_its_label_alone_on_paper(open_page, places, server: str):
    page = open_page(LAPTOP)
    name = access.card_cookie(Store.objects.get(slug=places["store"]))
    page.context.add_cookies([{"name": name, "value": places["card"], "url": server}])
    page.goto("/s/{store}/fleets/{mine}/sheet/".format(**places))
    page.emulate_media(media="print")

    frame, room = page.locator(".build-total").last.evaluate(
        """box => {
          const frame = parseFloat(getComputedStyle(box).boxShadow.split("px").at(-2)) + box.clientTop;
          return [frame, box.querySelector("dt").getBoundingClientRect().top - box.getBoundingClientRect().top];
        }"""
    )
    assert room >= frame + 1 > 2


SLIVERS = """() => {
  const range = document.createRange();
  return [...document.querySelectorAll(".points")].flatMap((box) => [...box.querySelectorAll("tr > :nth-child(4)")]
    .filter((cell) => {
      range.selectNodeContents(cell);
      const { left, width } = range.getBoundingClientRect();
      return width && left < box.getBoundingClientRect().right;
    }).map((cell) => cell.textContent.trim()));
}"""
"""What is seen of the first round beside the sums, at the edge of the box."""


@pytest.mark.parametrize("width", [320, 360, 390])
def test_no_sliver_of_the_rounds_stands_beside_the_sums(page, places, width: int):
    page.set_viewport_size({"width": width, "height": 640})
    for path in (f"/e/{places['over']}/standings/", f"/e/{places['tied']}/standings/1/"):
        page.goto(path)
        expect(page.locator(".points tbody td").nth(2)).not_to_be_empty()

        assert page.evaluate(SLIVERS) == [], path


# what stands in lines


LINES = """all => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""
"""In how many lines each text is."""


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_players_pages_at_the_store_name_it_whole_in_a_line_of_48_pixels(page, places, width: int):
    page.set_viewport_size({"width": width, "height": 640})
    for path in ("/s/{store}/me/", "/s/{store}/fleets/", "/s/{store}/judge/", "/s/{store}/"):
        page.goto(path.format(**places))

        name, header = page.locator(".brand-name"), page.locator(".app-header")
        expect(name).to_have_text("Starbase Games")
        cut = "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
        assert not name.evaluate(cut), path
        assert header.bounding_box()["height"] <= 48


def test_no_word_breaks_in_the_rounds_of_a_fleet_on_a_phone(page, places):
    page.set_viewport_size({"width": 360, "height": 640})
    for number in ("me", "opponent"):
        page.goto(f"/e/{{tonight}}/fleets/{{{number}}}/".format(**places))

        rows = page.locator(".sheet-rounds")
        assert rows.locator("th:nth-child(2), td:nth-child(2)").evaluate_all(LINES) == [1, 1, 1]


def test_the_sign_of_a_reason_stands_beside_the_name_and_title(page, places):
    page.set_viewport_size({"width": 360, "height": 640})

    page.goto("/e/{over}/standings/".format(**places))

    heights = (
        page.locator(".points")
        .first.locator(".ranked-name")
        .evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    )
    assert len(heights) == 12
    assert len({round(height) for height in heights}) == 1


def test_no_word_breaks_nor_leaves_its_column_in_the_rounds_of_a_build_sheet_on_a_phone(page, places):
    page.set_viewport_size({"width": 360, "height": 640})

    page.goto("/s/{store}/fleets/{mine}/sheet/".format(**places))

    heads = page.locator(".build-rounds th[scope=col]:visible")
    wide = heads.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)")
    assert wide == []
    assert max(heads.evaluate_all(LINES)) <= 2
    expect(page.get_by_role("columnheader", name="Fleet Points")).to_be_visible()


FIRST_OF_LINE = """sign => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = node.data.indexOf(sign); at >= 0; at = node.data.indexOf(sign, at + 1)) {
      range.setStart(node, at);
      range.setEnd(node, at + sign.length);
      const [box] = range.getClientRects();
      let block = node.parentElement;
      while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
      range.selectNodeContents(block);
      if (box?.width && box.left - range.getBoundingClientRect().left < 2) found.push(block.textContent.trim());
    }
  }
  return found;
}"""
"""The blocks in which a line begins with this sign."""


@pytest.mark.parametrize("width", [320, 360, 390])
def test_no_line_of_a_player_begins_with_a_dot(page, places, width: int):
    page.set_viewport_size({"width": width, "height": 640})
    store = "/s/{store}"
    for path in (f"{store}/players/{{player}}/", f"{store}/players/{{player}}/against/{{other}}/", f"{store}/me/"):
        page.goto(path.format(**places))
        expect(page.locator("main")).to_contain_text("·")

        assert page.evaluate(FIRST_OF_LINE, "·") == [], path


@pytest.mark.parametrize("width", [320, 360, 390])
def test_what_is_added_to_an_address_stays_in_one_line(page, width: int):
    page.set_viewport_size({"width": width, "height": 640})
    page.goto("/api/")

    added = page.locator(".api-addresses dd code")
    assert added.all_inner_texts() == ["?round=2", "?round=2", "?page=2"]
    assert added.evaluate_all(LINES) == [1, 1, 1]
    expect(page.locator(".api-addresses")).to_contain_text("; ?round=2: after round 2.")


def test_no_word_of_what_can_be_shared_is_broken(page, places):
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/e/{places['over']}/share/")

    names = page.locator(".row-text b")
    expect(names.filter(has_text="Commendation Award Token")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert [name for name in names.all_inner_texts() if "Commendation" in name] != []
    assert names.filter(has_text="Commendation Award Token").evaluate_all(LINES)[0] <= 2


def test_a_players_own_pages_have_the_same_header_and_nobody_is_asked_to_sign_in(page, places):
    page.set_viewport_size({"width": 360, "height": 640})
    for path, here in (
        ("me/", "My card"),
        ("me/lost/", "My card"),
        ("me/forget/", "My card"),
        ("fleets/", "My fleets"),
    ):
        page.goto(f"/s/{places['store']}/{path}")
        header = page.locator(".app-header")

        expect(header.locator(".app-nav a")).to_have_text(["My card", "My fleets", "Rules"])
        expect(header.locator("[aria-current=page]")).to_have_text(here)
        expect(header.get_by_role("link", name="Sign in")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_quiet_button_stands_in_line_with_what_is_beside_it(page, places):
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/e/{places['tonight']}/me/")
    withdraw = page.get_by_role("button", name="Withdraw request")
    words = page.locator(".message", has=withdraw).locator("p")
    assert withdraw.evaluate(LEFT_OF_WORDS) == pytest.approx(words.evaluate(LEFT_OF_WORDS), abs=1)

    page.goto(f"/s/{places['store']}/me/")
    quiet, loud = page.get_by_role("link", name="Erase my data"), page.get_by_role("link", name="Download my data")
    assert right_of(quiet) == pytest.approx(right_of(loud), abs=1)
    assert quiet.bounding_box()["height"] >= 44


LEFT_OF_WORDS = """one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getBoundingClientRect().left;
}"""
RIGHT_OF_WORDS = """one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getBoundingClientRect().right;
}"""


def right_of(button: Locator) -> float:
    """Where a button seems to end: at its border, or where it has none with its words."""
    if "button-quiet" in button.get_attribute("class"):
        return button.evaluate(RIGHT_OF_WORDS)
    box = button.bounding_box()
    return box["x"] + box["width"]
