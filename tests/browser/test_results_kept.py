"""What was refused in a row of results stays on the device, beside what is saved, until somebody says which counts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.test_results import facts_at, sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import look_at, press
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.actions import reports

pytestmark = pytest.mark.django_db(transaction=True)

RESULTS = "**/desk/rounds/1/results/"


@pytest.fixture
def night(server: str) -> Night:
    """Six players, round 1 in play, no result yet."""
    return make_night(players=6, open_round=True)


@pytest.fixture
def desk(laptop: Page, night) -> Page:
    """The results page, on which 150 SP left of table 1 were refused."""
    return refused(laptop, night)


def refused(page: Page, night: Night) -> Page:
    sign_in(page, night, "results/")
    page.locator("[name=t1-ending]").select_option("time")
    page.locator("[name=t1-sp_left_a]").fill("150")
    page.locator("[name=t1-sp_left_b]").fill("30")
    page.locator("[name=t1-sp_left_b]").press("Enter")
    expect(row(page).get_by_role("alert")).to_contain_text("can’t have 150 SP left")
    return page


def row(page: Page, table: int = 1) -> Locator:
    return page.get_by_role("group", name=f"Table {table}:")


def left(page: Page) -> Locator:
    return page.locator("[name=t1-sp_left_a]")


def open_results(page: Page, night: Night) -> list[str]:
    """Open the page again; whatever it sends is in that list."""
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.goto(f"/e/{night.event.slug}/desk/rounds/1/results/")
    return sent


def confirm_on_phones(night: Night) -> None:
    for entrant in match_at(night.event, 1).entrants:
        reports.report(night.event, 1, entrant.number, on_time(50, 30), by=BY)


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_what_was_saved_since_stands_beside_what_was_refused_and_discard_shows_it(
    open_page: Callable[..., Page], night, device
):
    desk = refused(open_page(device), night)
    confirm_on_phones(night)

    sent = open_results(desk, night)

    first = match_at(night.event, 1).entrants[0].player.name
    expect(left(desk)).to_have_value("150")
    expect(left(desk)).to_have_attribute("aria-invalid", "true")
    expect(row(desk)).to_contain_text(f"{first}’s fleet can’t have 150 SP left")
    expect(row(desk).locator(".entry-saved")).to_contain_text(f"{first} wins, 70 Fleet Points to 50.")
    expect(row(desk).get_by_role("button", name="Replace")).to_be_visible()
    assert sent == []
    look_at(desk)
    assert_accessible(desk)
    row(desk).get_by_role("button", name="Discard").click()

    expect(left(desk)).to_have_value("50")
    expect(row(desk).get_by_role("button")).to_have_count(0)
    expect(desk.locator("#row-1")).to_have_attribute("data-saved", re.compile("^Saved by "))
    assert facts_at(night, 1)[:4] == ("time", "", 50, 30)
    assert desk.evaluate("localStorage.getItem('outbox')") is None


def test_replace_saves_what_was_typed_once_it_is_valid(desk: Page, night):
    enter(night.event, 1, on_time(50, 30))
    open_results(desk, night)

    row(desk).get_by_role("button", name="Replace").click()
    expect(row(desk).get_by_role("alert")).to_contain_text("can’t have 150 SP left")
    expect(left(desk)).to_be_focused()
    assert facts_at(night, 1)[2:4] == (50, 30)
    left(desk).fill("15")
    row(desk).get_by_role("button", name="Replace").click()

    expect(row(desk).get_by_role("button")).to_have_count(0)
    assert facts_at(night, 1)[2:4] == (15, 30)


def test_saving_all_replaces_nothing_that_nobody_asked_to(desk: Page, night):
    enter(night.event, 1, on_time(50, 30))
    open_results(desk, night)
    desk.locator("[name=t2-ending]").select_option("both_eliminated")
    with desk.expect_request(RESULTS) as asked:
        desk.keyboard.press("Control+Enter")

    expect(desk.locator("#row-2[data-saved]")).to_be_visible()
    expect(left(desk)).to_be_focused()
    assert "t1-" not in (asked.value.post_data or "")
    sent = open_results(desk, night)
    desk.get_by_role("button", name="Save all").click()
    expect(left(desk)).to_be_focused()
    assert sent == []
    assert facts_at(night, 1)[2:4] == (50, 30)


def test_what_is_answered_while_the_page_is_left_is_kept_for_the_page_that_follows(laptop: Page, night):
    sign_in(laptop, night, "results/")
    laptop.clock.install()
    laptop.evaluate("dispatchEvent(new Event('beforeunload'))")
    for key in ("T", "Tab", *"35", "Tab", "Tab", *"50", "Enter"):
        laptop.keyboard.press(key)

    expect(laptop.locator("#row-1[data-saved]")).to_be_visible()
    expect(row(laptop)).not_to_contain_text("Waiting for the network")
    assert "t1-ending=time" in laptop.evaluate("localStorage.getItem('outbox')")
    laptop.clock.fast_forward(31_000)
    assert laptop.evaluate("localStorage.getItem('outbox')") is None
    expect(laptop.locator("#row-1[data-saved]")).to_be_visible()


@pytest.mark.nightly
def test_what_was_saved_just_so_elsewhere_is_kept_no_longer(night, laptop: Page):
    sign_in(laptop, night, "results/")
    laptop.context.set_offline(True)
    for key in ("T", "Tab", *"35", "Tab", "Tab", *"50", "Enter"):
        laptop.keyboard.press(key)
    expect(row(laptop)).to_contain_text("Waiting for the network")
    enter(night.event, 1, on_time(35, 60))
    laptop.context.set_offline(False)
    expect(row(laptop).get_by_role("alert")).to_be_visible()
    enter(night.event, 1, on_time(35, 50), version=1)

    sent = open_results(laptop, night)

    expect(laptop.locator("#row-1[data-saved]:not([data-wrong])")).to_be_visible()
    assert (laptop.evaluate("localStorage.getItem('outbox')"), sent) == (None, [])


def test_what_the_desk_keeps_is_told_by_its_overview_and_its_results_alone(desk: Page, night):
    event = f"/e/{night.event.slug}/"
    campaign = night.campaign.get_absolute_url()
    others = ["", "standings/", "rounds/1/", "me/", "desk/players/", "desk/journal/", "desk/rounds/1/tables/1/"]
    for path in [*(f"{event}{other}" for other in others), campaign, f"{campaign}poster/"]:
        assert desk.goto(path).ok
        assert (path, desk.get_by_text("Not saved").count()) == (path, 0)

    desk.goto(f"{event}desk/")
    kept = desk.locator(".outbox-refused")
    expect(kept).to_contain_text("Not saved: the result of round 1, table 1")
    press(desk, kept.get_by_role("link", name="Show saved result"))
    expect(row(desk)).to_contain_text("Not saved: the result of round 1, table 1")
    expect(kept).to_have_count(0)
    desk.goto(f"{event}desk/")
    kept.get_by_role("button", name="Discard").click()
    expect(kept).to_have_count(0)


def test_a_row_that_was_refused_does_not_look_entered_and_says_once_what_is_wrong(desk: Page, night):
    number = "row => getComputedStyle(row.querySelector('.table-number')).backgroundColor"
    assert desk.locator("#row-1").evaluate(number) == desk.locator("#row-2").evaluate(number)
    expect(row(desk).get_by_text("can’t have 150 SP left")).to_have_count(1)
    expect(left(desk)).to_be_focused()
    look_at(desk)

    left(desk).fill("160")

    expect(row(desk).get_by_text("can’t have 160 SP left")).to_have_count(1)
    expect(row(desk).get_by_text("can’t have 150 SP left")).to_have_count(0)


def test_who_types_on_keeps_the_cursor_when_the_row_before_is_refused(laptop: Page, night):
    sign_in(laptop, night, "results/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "x-outbox" in route.request.headers:
            return held.append(route)
        return route.continue_()

    laptop.route(RESULTS, hold)
    with laptop.expect_request(lambda request: "x-outbox" in request.headers):
        for key in ("T", "Tab", *"150", "Tab", "Tab", *"30", "Enter", "T", "Tab"):
            laptop.keyboard.press(key)
    held[0].continue_()

    expect(row(laptop).get_by_role("alert")).to_be_visible()
    expect(laptop.locator("[name=t2-sp_left_a]")).to_be_focused()


@pytest.mark.parametrize("before", ["refused", "waiting", "answered"])
def test_what_is_typed_before_the_script_is_ready_counts(laptop: Page, night, before):
    """What waits may be answered before there is a script that shows it in its row."""
    if before == "refused":
        refused(laptop, night)
    else:
        sign_in(laptop, night, "results/")
        laptop.route(RESULTS, lambda route: route.abort())
        for key in ("T", "Tab", *"90", "Tab", "Tab", *"30", "Enter"):
            laptop.keyboard.press(key)
        expect(row(laptop)).to_contain_text("Waiting for the network")
    held: list[Route] = []
    laptop.route("**/js/results*.js", lambda route: held.append(route))
    laptop.route(RESULTS, lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    with laptop.expect_request("**/js/results*.js"):
        laptop.goto(f"/e/{night.event.slug}/desk/rounds/1/results/", wait_until="commit")
    laptop.unroute(RESULTS)
    left(laptop).fill("35")
    if before == "answered":
        with laptop.expect_response(RESULTS):
            laptop.evaluate("dispatchEvent(new Event('online'))")
    with laptop.expect_event("load"):
        for route in held:
            route.continue_()

    expect(left(laptop)).to_have_value("35")
    is_refused = before == "refused"
    settled = row(laptop).get_by_role("button", name="Discard") if is_refused else laptop.locator("#row-1[data-saved]")
    expect(settled).to_be_visible()
    expect(left(laptop)).to_have_value("35")
    laptop.locator("[name=t1-ending]").select_option("time")
    laptop.locator("[name=t1-sp_left_b]").fill("50")
    laptop.locator("[name=t1-sp_left_b]").press("Enter")
    expect(laptop.locator("#row-1[data-saved]")).to_contain_text("65 Fleet Points to 50.")
    assert facts_at(night, 1)[2:4] == (35, 50)
