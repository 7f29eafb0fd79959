"""Search everywhere in a browser: opened by key or button, gone through by arrow keys, and what it costs a page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible, assert_accessible_by_day_and_night
from tests.support.nights import Night, make_night

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    return make_night(players=16, rounds=1, open_round=True)


def test_a_key_opens_the_search_and_enter_goes_to_the_table(open_page: Callable[..., Page], night, server: str):
    page = sign_in(open_page(LAPTOP), night, night.judge, server)
    for key, table in (("/", 7), ("Control+k", 6), ("Meta+k", 5)):
        page.keyboard.press(key)

        expect(page.locator("#search-field")).to_be_focused()
        page.keyboard.type(str(table))
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{server}/e/{night.event.slug}/desk/rounds/2/tables/{table}/")


def test_arrow_keys_go_through_what_is_found_and_escape_gives_the_focus_back(
    open_page: Callable[..., Page], night, server: str
):
    page = sign_in(open_page(LAPTOP), night, night.owner, server)
    link = page.locator("a[data-search]")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.type("7")
    expect(page.locator("#found h2").first).to_have_text("Tables")
    expect(page.locator("#search-said")).to_contain_text("result")

    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-hit]").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.press("Escape")

    expect(page.locator("dialog")).to_have_count(0)
    expect(link).to_be_focused()


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_dialog_is_accessible_by_day_and_night_and_fits(
    open_page: Callable[..., Page], night, server: str, device: dict
):
    page = sign_in(open_page(device), night, night.owner, server)
    page.locator("a[data-search]").click()
    page.locator("#search-field").fill("s")
    expect(page.locator("#found h2")).not_to_have_count(0)

    assert_accessible_by_day_and_night(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.nightly
def test_without_scripts_the_button_leads_to_a_page_that_finds(open_page: Callable[..., Page], night, server: str):
    page = sign_in(open_page(PHONE, javascript=False), night, night.owner, server)
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Search").fill("table 7")
    page.get_by_role("button", name="Search").click()

    page.get_by_role("link", name="Table 7").click()
    expect(page).to_have_url(f"{server}/e/{night.event.slug}/desk/rounds/2/tables/7/")


def test_what_is_typed_before_the_script_of_the_search_is_there_is_searched_for(
    open_page: Callable[..., Page], night, server: str
):
    page, waiting = sign_in(open_page(LAPTOP), night, night.owner, server), []
    page.route("**/search*.js", lambda route: waiting.append(route))
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    with page.expect_request("**/search*.js"):
        page.keyboard.press("/")
    page.keyboard.type("7")
    waiting[0].continue_()

    expect(page.locator("#found h2").first).to_have_text("Tables")
    expect(page.locator("#search-field")).to_have_value("7")
    page.keyboard.press("Escape")
    page.keyboard.type("7")
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_staff_search_from_the_public_pages_of_an_event_too(
    open_page: Callable[..., Page], night, server: str, device: dict
):
    page = sign_in(open_page(device), night, night.judge, server)
    guest = open_page(device)
    for path in ("", "rounds/2/", "standings/"):
        page.goto(f"/e/{night.event.slug}/{path}")
        expect(page.get_by_role("link", name="Search")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        guest.goto(page.url)
        expect(guest.get_by_role("link", name="Search")).to_have_count(0)
    assert_accessible(page)

    page.keyboard.press("/")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server}/e/{night.event.slug}/desk/rounds/2/tables/7/")


def test_what_is_typed_before_the_field_is_there_is_searched_for(open_page: Callable[..., Page], night, server: str):
    page, waiting = sign_in(open_page(LAPTOP), night, night.owner, server), []
    page.route("**/desk/search/", lambda route: waiting.append(route))
    page.keyboard.press("/")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.type("7")
    waiting[0].continue_()

    expect(page.locator("#found h2").first).to_have_text("Tables")
    expect(page.locator("#search-field")).to_be_focused()
    expect(page.locator("#search-field")).to_have_value("7")


def test_where_the_part_does_not_come_enter_goes_to_the_hit_all_the_same(
    open_page: Callable[..., Page], night, server: str
):
    page = sign_in(open_page(LAPTOP), night, night.owner, server)
    page.route("**/desk/search/", lambda route: route.abort())
    page.keyboard.press("/")
    expect(page.locator("#search-field")).to_be_focused()
    page.keyboard.type("7")
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{server}/e/{night.event.slug}/desk/rounds/2/tables/7/")


def test_what_the_search_needs_is_loaded_when_it_is_opened(open_page: Callable[..., Page], night, server: str):
    page, loaded = open_page(LAPTOP), []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    sign_in(page, night, night.owner, server)
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    before = {*loaded}
    page.keyboard.press("/")
    expect(page.locator("#search-field")).to_be_focused()

    assert "keys.js" in before
    assert before & {"search.js", "key-list.js", "clock-keys.js"} == set()
    assert "search.js" in loaded
