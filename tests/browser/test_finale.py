"""The end of a night on a phone: the panel at two sizes by day and night, and the picture that is shared."""

from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoring.shipped import shipped_pack
from tests.browser.test_live import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import BY, Night, make_night, now
from tourney import access
from tourney.actions import events, player_cards
from tourney.models import Event
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
PNG = b"\x89PNG\r\n\x1a\n"
SHARES = """
navigator.canShare = (what) => what.files.every((file) => file.type === "image/png");
navigator.share = async ({ files, url, title }) => { window.given = { type: files[0].type, name: files[0].name,
    size: files[0].size, url, title }; };
"""
REFUSES = """
navigator.canShare = () => true;
navigator.share = async () => { throw new DOMException("no", "NotAllowedError"); };
"""


@pytest.fixture
def night() -> Night:
    night = make_night(players=12, rounds=3, finish=True, pack="dominion-war-5")
    by = now()
    pack = shipped_pack("dominion-war-6")
    events.make_event(night.campaign, pack, starts_at=by.at + timedelta(days=20), sp_limit=100, by=by)
    return night


def open_card(page: Page, server: str, night: Night, place: int) -> Page:
    line = state_of(night.event).standings(3)[place]
    key = player_cards.issue(night.event.entrants.get(number=line.id).player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    page.goto(f"/e/{night.event.slug}/me/")
    return page


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("device", [SMALL, PHONE, LAPTOP], ids=["small", "phone", "laptop"])
def test_the_rank_fills_the_first_screen_of_every_player(night, open_page, server: str, device, dark):
    for place in (0, 11):
        page = open_card(open_page(device, dark=dark), server, night, place)
        panel, heading = page.locator(".victory"), page.locator("#answer")
        expect(heading).to_have_text("You’re Admiral" if place == 0 else "You finished at rank 12")
        page.wait_for_function(
            "() => document.querySelector('.victory-sky').getAnimations({subtree: true}).length === 0"
        )

        box, screen = panel.bounding_box(), page.viewport_size
        words = heading.bounding_box()
        assert words["y"] + words["height"] < screen["height"] - 56
        assert page.evaluate("document.documentElement.scrollWidth") == screen["width"]
        assert box["width"] > (screen["width"] - 2 if device is not LAPTOP else 1000)
        assert_accessible(page)


STEPS = """
async (png) => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (one) => one.charCodeAt(0))]));
  const canvas = new OffscreenCanvas(image.width, 1).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, 1);
  return Math.max(...data.slice(4).map((one, at) => Math.abs(one - data[at])));
}
"""
"""The largest step of a color between two neighbors in a row of pixels."""


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("device", [SMALL, PHONE], ids=["small", "phone"])
def test_the_sky_reaches_the_edge(night, open_page, server: str, device, dark):
    page = open_card(open_page(device, dark=dark), server, night, 3)
    sky = page.locator(".victory-sky").bounding_box()

    row = {"x": 0, "y": sky["y"] + sky["height"] - 10, "width": 40, "height": 1}
    assert page.evaluate(STEPS, b64encode(page.screenshot(clip=row)).decode()) < 8


def test_where_no_motion_is_wanted_nothing_moves_and_else_it_ends_at_rest(night, open_page, server: str):
    still = open_card(open_page(PHONE), server, night, 0)
    assert still.evaluate("document.getAnimations().length") == 0
    expect(still.locator(".victory-rank")).to_have_css("opacity", "1")

    moving = open_page(PHONE)
    moving.emulate_media(reduced_motion="no-preference")
    open_card(moving, server, night, 0)
    names = "getComputedStyle(document.querySelector('.victory-rank')).animationName"
    assert moving.evaluate(names) == "victory-rise"
    moving.wait_for_function("() => document.getAnimations().every(({ playState }) => playState === 'finished')")
    expect(moving.locator(".victory-rank")).to_have_css("opacity", "1")


def test_a_browser_that_shares_gets_the_picture_with_the_link(night, open_page, server: str):
    page = open_page(PHONE)
    page.add_init_script(SHARES)
    open_card(page, server, night, 0)
    expect(page.get_by_role("link", name="Save picture")).to_be_hidden()
    expect(page.get_by_role("button", name="Copy link")).to_be_hidden()

    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => window.given")

    given = page.evaluate("window.given")
    number = state_of(night.event).standings(3)[0].id
    assert (given["type"], given["name"]) == ("image/png", f"{night.event.slug}-{number}.png")
    assert given["size"] > 20_000
    assert given["url"] == f"{server}/e/{night.event.slug}/"


def test_another_browser_saves_the_picture_and_copies_the_link(night, open_page, server: str, tmp_path: Path):
    page = open_page(PHONE)
    page.add_init_script("navigator.canShare = undefined; navigator.clipboard.writeText = async (t) => (window.t = t);")
    open_card(page, server, night, 3)
    expect(page.get_by_role("button", name="Share")).to_be_hidden()

    with page.expect_download() as saved:
        page.get_by_role("link", name="Save picture").click()
    saved.value.save_as(tmp_path / "picture.png")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    assert (tmp_path / "picture.png").read_bytes().startswith(PNG)
    assert page.evaluate("window.t") == f"{server}/e/{night.event.slug}/"


def test_what_cannot_be_shared_is_said_and_can_be_saved(night, open_page, server: str):
    page = open_page(PHONE)
    page.add_init_script(REFUSES)
    open_card(page, server, night, 0)

    page.get_by_role("button", name="Share").click()

    expect(page.get_by_role("link", name="Save picture")).to_be_visible()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


@pytest.mark.nightly
def test_without_scripts_the_picture_is_a_link(night, open_page, server: str):
    page = open_card(open_page(PHONE, javascript=False), server, night, 0)

    expect(page.get_by_role("button", name="Share")).to_be_hidden()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save picture").click()
    assert saved.value.suggested_filename.endswith(".svg")


def test_a_card_that_is_open_at_the_end_becomes_the_panel(open_page: Callable[..., Page], server: str):
    night = make_night(players=12, rounds=3, pack="dominion-war-5")
    page = open_page(PHONE)
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    page.goto(f"/e/{night.event.slug}/me/")
    expect(page.locator("#answer")).to_be_visible()

    events.finish_event(night.event, by=BY)

    expect(page.locator(".victory-sky")).to_have_css("display", "grid")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


def test_the_final_ranks_are_shared_from_the_events_page(night, open_page, server: str):
    page = open_page(LAPTOP, dark=True)
    page.goto(f"/e/{night.event.slug}/")

    with page.expect_request("**/standings/picture.svg?theme=dark"), page.expect_download() as saved:
        page.get_by_role("link", name="Save picture").click()

    assert saved.value.suggested_filename == f"{night.event.slug}.png"


@pytest.mark.parametrize(("device", "dark"), [(PHONE, False), (LAPTOP, True)], ids=["phone", "laptop"])
def test_a_finished_event_is_a_place_from_which_everything_goes_on(night, open_page, server: str, device, dark):
    page = open_page(device, dark=dark)
    page.add_init_script("window.print = () => (window.printed = (window.printed ?? 0) + 1);")
    page.goto(f"/e/{night.event.slug}/")
    places = page.get_by_role("list", name="Top ranks").get_by_role("listitem")
    expect(places).to_have_count(4)
    boxes = [place.bounding_box() for place in places.all()]
    screen = page.viewport_size["width"]

    assert all(box["x"] >= 0 and box["x"] + box["width"] <= screen for box in boxes)
    assert boxes[1]["y"] == boxes[2]["y"]  # the second beside the third
    assert boxes[3]["height"] < boxes[0]["height"]
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed") == 1
    expect(page.get_by_text("Next month’s Commendation Award Token goes to")).to_be_visible()
    expect(page.get_by_role("link", name="Add to calendar")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == screen
    assert_accessible(page)

    page.get_by_role("link", name="Poster").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Poster")
    Event.objects.filter(pk=night.event.pk).update(starts_at=now().at)
    page.goto(night.store.get_absolute_url())
    expect(page.locator(".next-step h2")).to_have_text("The Last Battle of DS9")
    assert_accessible(page)


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_settings_of_a_finished_event_are_only_read_until_it_is_reopened(night, open_page, server: str, device):
    page = open_page(device)
    sign_in(page, server, night.organizer)
    settings = f"/e/{night.event.slug}/desk/settings/"
    page.goto(settings)
    expect(page.get_by_role("main").get_by_text(night.event.name, exact=True)).to_be_visible()
    expect(page.get_by_role("main").get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_role("button", name="Save settings")).to_have_count(0)
    assert_accessible(page)

    press(page, page.get_by_role("link", name="Reopen event"))
    page.get_by_label("Reason").fill("misread a result")
    press(page, page.get_by_role("button", name="Reopen event"))
    page.goto(settings)

    expect(page.get_by_role("button", name="Save settings")).to_be_visible()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value(night.event.name)


BROKEN = """
places => places.flatMap(place => [...place.querySelectorAll(".muted span")])
    .filter(points => points.getClientRects().length > 1 || points.scrollWidth > points.closest("li").clientWidth)
    .map(points => points.textContent)
"""


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_points_on_the_podium_break_only_between_the_two(night, open_page, device):
    page = open_page(device)
    page.goto(f"/e/{night.event.slug}/")

    assert page.locator(".podium-place .muted span").count() == 8
    assert page.locator(".podium-place").evaluate_all(BROKEN) == []


def test_the_name_of_the_event_stands_beside_the_compass(night, laptop: Page, server: str):
    page = open_card(laptop, server, night, 0)

    sky, name = page.locator(".victory-sky").bounding_box(), page.locator(".victory-event").bounding_box()
    assert name["x"] + name["width"] <= sky["x"] + sky["width"] / 2
