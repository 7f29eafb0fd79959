"""My page on a poor network, from the real server: it is light, and shows at once what is known."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE
from tests.support.built_fleets import bring_all
from tests.support.clicking import press
from tests.support.line import Line, line_to
from tests.support.nights import BY, Night, make_night
from tests.support.serving import served
from tests.support.tables import eliminated, enter
from tourney import access
from tourney.actions import player_cards
from tourney.models import Entrant
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = 60_000  # bytes
REFRESH = 5_000
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture(scope="module")
def line(django_db_setup, tmp_path_factory) -> Iterator[Line]:
    with served(tmp_path_factory.mktemp("server")) as running, line_to(running.port) as line:
        yield line


@pytest.fixture
def server(line: Line) -> Iterator[str]:
    """Here the site is the real server, at the other end of a line."""
    yield f"http://localhost:{line.port}"
    line.latency = 0
    line.be_heard()


@pytest.fixture
def night() -> Night:
    """A full room with fleets in round 2."""
    night = make_night(players=24, rounds=1, open_round=True)
    bring_all(night.event)
    return night


@pytest.fixture
def me(night) -> Entrant:
    """Who sits at table 1."""
    return state_of(night.event).last_round.match_at(1).entrants[0]


def give_card(page: Page, server: str, entrant: Entrant) -> None:
    key = player_cards.issue(entrant.player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(entrant.player.store), "value": key, "url": server}])


class Loads:
    """What a page gets over the network: the bytes of each answer by its path, heads included, as they were sent."""

    def __init__(self, page: Page):
        self.devtools = page.context.new_cdp_session(page)
        self.devtools.on("Network.requestWillBeSent", self._begin)
        self.devtools.on("Network.loadingFinished", self._end)
        self.devtools.on("Network.loadingFailed", self._end)
        self.devtools.send("Network.enable")
        self.begin_again()

    def begin_again(self) -> None:
        self.open: dict[str, str] = {}
        self.bytes: dict[str, int] = {}

    def all(self) -> dict[str, int]:
        """When nothing is on its way any more but the stream, which has no end."""
        while any(not path.endswith("/live/") for path in self.open.values()):
            self.devtools.send("Runtime.evaluate", {"expression": "0"})
        return self.bytes

    def _begin(self, event: dict) -> None:
        self.open[event["requestId"]] = urlsplit(event["request"]["url"]).path

    def _end(self, event: dict) -> None:
        if path := self.open.pop(event["requestId"], None):
            self.bytes[path] = int(event.get("encodedDataLength", 0))


@pytest.mark.nightly
def test_my_page_weighs_less_than_60_kb_the_first_time_and_5_kb_when_it_refreshes(
    night, me, open_page: Callable[..., Page], server: str
):
    phone = open_page(PHONE)
    give_card(phone, server, me)
    phone.route("**/live/**", lambda route: route.continue_(url=route.request.url.partition("?")[0]))  # told, it asks
    loads = Loads(phone)
    path = f"/e/{night.event.slug}/me/"

    with phone.expect_response("**/live/**"):
        phone.goto(path)
    first = loads.all()
    loads.begin_again()
    enter(night.event, 1, eliminated(left=56), number=2)
    expect(phone.locator("#card")).to_contain_text("100 Fleet Points")
    refresh = loads.all()

    assert sum(first.values()) < FIRST, first
    assert [one for one in refresh if one.startswith("/e/")] == [path]
    assert refresh[path] < REFRESH


@pytest.fixture
def phone(night, me, open_page: Callable[..., Page], server: str) -> Page:
    """A phone from far away that showed my page before, so that it is kept there."""
    phone = open_page(PHONE | {"timezone_id": "Asia/Tokyo"}, worker=True)
    give_card(phone, server, me)
    phone.goto(f"/e/{night.event.slug}/me/")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.goto(f"/e/{night.event.slug}/standings/")
    phone.goto(f"/e/{night.event.slug}/me/")
    return phone


@pytest.mark.nightly
def test_my_page_opens_before_the_network_answers_and_follows_when_it_does(night, phone: Page, line: Line):
    line.be_silent()
    enter(night.event, 1, eliminated(left=56), number=2)

    phone.reload()
    expect(phone.get_by_role("link", name="Enter result")).to_be_visible()
    expect(phone.locator(".network")).to_contain_text("Waiting for the network. This page is from ")
    line.be_heard()

    expect(phone.locator("#card")).to_contain_text("100 Fleet Points")
    expect(phone.locator(".network")).to_have_count(0)


def test_without_a_network_the_page_goes_on_saying_of_when_it_is(phone: Page):
    phone.context.set_offline(True)
    phone.clock.set_fixed_time(datetime.now() + timedelta(hours=5))
    phone.reload()
    kept = datetime.fromtimestamp(int(phone.locator(".network").get_attribute("data-kept-at")) / 1000, BERLIN)

    said = f"Not connected. Your entries are still here; this page is from {kept:%H:%M}."
    expect(phone.locator(".network")).to_have_text(said)


def test_the_line_that_a_kept_page_has_on_top_does_not_cover_the_header(phone: Page):
    phone.context.set_offline(True)
    phone.reload()

    line, header = phone.locator(".network").bounding_box(), phone.locator(".app-header").bounding_box()
    assert header["y"] >= line["y"] + line["height"]


def test_that_the_network_takes_its_time_is_said_only_when_it_takes_long(phone: Page, line: Line):
    line.be_silent()
    phone.clock.install()
    phone.clock.pause_at(datetime.now() + timedelta(hours=1))
    phone.reload()

    said = phone.locator(".network")
    expect(said).to_contain_text("Waiting for the network. This page is from ")
    expect(said).to_be_hidden()
    phone.clock.run_for(1000)
    expect(said).to_be_visible()


@pytest.mark.parametrize("is_told", [True, False])
def test_a_server_that_hangs_is_said_within_ten_seconds_and_no_longer_when_it_answers(
    night, me, open_page: Callable[..., Page], server: str, line: Line, is_told: bool
):
    """Whether the page holds the stream, or asks every few seconds without one."""
    phone = open_page(PHONE, patient=True)
    give_card(phone, server, me)
    if not is_told:
        phone.route("**/live/**", lambda route: route.abort())
    phone.clock.install()
    with phone.expect_event("response" if is_told else "requestfailed", lambda one: "/live/" in one.url):
        phone.goto(f"/e/{night.event.slug}/me/")
    phone.clock.pause_at(datetime.now() + timedelta(hours=1))
    expect(phone.locator(".network")).to_have_count(0)

    line.be_silent()
    phone.clock.run_for(10_000)
    expect(phone.locator(".network")).to_contain_text("Not connected. Your entries are still here")
    line.be_heard()
    phone.clock.resume()

    expect(phone.locator(".network")).to_have_count(0)


@pytest.mark.nightly
def test_after_a_form_was_sent_its_answer_is_waited_for(phone: Page, line: Line):
    line.latency = 0.5

    phone.get_by_text("Drop or concede").click()
    press(phone, phone.get_by_role("button", name="Ask to drop after round 2"))

    assert phone.locator(".network").count() == 0
    expect(phone.locator("#card")).to_contain_text("You asked to drop after round 2: waiting for the desk.")


@pytest.mark.nightly
def test_a_class_that_was_saved_on_a_slow_network_is_there_and_a_page_of_who_has_signed_out_is_not(
    night, open_page: Callable[..., Page], server: str, line: Line
):
    laptop = sign_in(open_page(LAPTOP, worker=True), night, night.judge, server)
    classes = f"/s/{night.store.slug}/judge/talon-power/"
    laptop.goto(classes)
    laptop.evaluate("navigator.serviceWorker.ready.then(() => true)")
    laptop.goto(classes)
    laptop.goto(f"{classes}classes/new/?name=Kestrel+class&curves=4-2-1")
    line.latency = 0.5

    press(laptop, laptop.get_by_role("button", name="Save for"))
    expect(laptop.locator(".messages")).to_contain_text("Kestrel class is saved")
    expect(laptop.locator("main")).to_contain_text("Kestrel class")
    press(laptop, laptop.get_by_role("button", name="Sign out"))
    laptop.context.set_offline(True)

    laptop.goto(classes)
    expect(laptop.get_by_role("heading", name="Not connected")).to_be_visible()
    expect(laptop.locator("main")).not_to_contain_text("Kestrel class")
