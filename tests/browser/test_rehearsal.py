"""A rehearsal at the desk, watched as it plays on the real server; and a phone on the real event notices nothing."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.nights import BY, Night, make_night, now
from tests.support.pdf import is_shrunk, pages_of, squeezed
from tests.support.serving import Running
from tourney import access
from tourney.actions import player_cards, rehearsal
from tourney.models import Event, Pace, Rehearsal

pytestmark = pytest.mark.django_db(transaction=True)

DOCUMENTS = ("slips", "pairings", "tables", "check-in", "standings", "score-sheet", "by-hand", "table-numbers", "tents")


@pytest.fixture
def server(running: Running) -> str:
    """Here the site is the real server with its two processes."""
    return f"http://localhost:{running.port}"


def sign_in(page: Page, server: str, night: Night) -> None:
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(night.organizer)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


def watching(phone: Page, server: str, night: Night) -> list[str]:
    """A player's phone shows its card of the event; what it asks for from then on, the icon of the page apart."""
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    phone.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    with phone.expect_response("**/live/**"):
        phone.goto(f"/e/{night.event.slug}/me/")
    icon = phone.locator("link[rel=icon]").get_attribute("href")
    asked = []
    phone.on("request", lambda request: request.url.endswith(icon) or asked.append(request.url))
    return asked


@pytest.mark.nightly
def test_an_organizer_sees_the_night_before_it_happens_and_no_phone_does(laptop: Page, phone: Page, server: str):
    night = make_night(players=5)
    asked = watching(phone, server, night)
    before = phone.locator("body").inner_text()
    version = night.event.version
    name = night.event.entrants.get(number=2).player.name
    sign_in(laptop, server, night)
    laptop.goto(f"/e/{night.event.slug}/desk/")

    press(laptop, laptop.get_by_role("link", name="Rehearse"))
    laptop.get_by_label("Made-up players to add").fill("2")
    press(laptop, laptop.get_by_role("button", name="Start rehearsal"))
    expect(laptop.get_by_role("complementary", name="Rehearsal")).to_contain_text("Nothing here is real")
    expect(laptop).to_have_title(f"Rehearsal · Desk · Rehearsal: {night.event.name}")
    copy = laptop.url

    steps = laptop.locator("#rehearsal-next")
    for then in ("round 1 is paired", "round 1 is published, and its clock starts", "results come in"):
        laptop.get_by_role("button", name="Play next step").click()
        expect(steps).to_contain_text(f"Next: {then}")
    expect(laptop.locator("#now")).to_contain_text("3 tables, 3 still without a result")
    laptop.get_by_role("button", name="Play next step").click()
    expect(laptop.locator("#now")).to_contain_text("3 tables, 2 still without a result")

    press(laptop, laptop.get_by_role("link", name="Players", exact=True))
    press(laptop, laptop.locator("#list").get_by_role("link", name=name, exact=True))
    laptop.get_by_text("Drop before the next round").click()
    press(laptop, laptop.get_by_role("button", name=f"Drop {name}"))
    laptop.goto(copy)
    laptop.get_by_role("button", name="As fast as possible").click()
    expect(steps).to_contain_text("The event is over")
    expect(laptop.locator("#now")).to_contain_text("The ranks are final")
    expect(laptop.locator("#findings tbody tr")).to_have_count(3)
    expect(laptop.locator("#findings tbody tr").nth(1).locator("td").first).to_have_text("3")
    look_at(laptop)

    laptop.get_by_role("button", name="Discard rehearsal").click()
    press(laptop, laptop.get_by_role("dialog").get_by_role("button", name="Discard rehearsal"))
    expect(laptop.locator(".messages")).to_contain_text("Rehearsal discarded. Nothing of it is left.")
    assert laptop.url == f"{server}/e/{night.event.slug}/desk/"
    assert laptop.goto(copy).status == 404

    assert phone.locator("body").inner_text() == before
    assert asked == []
    night.event.refresh_from_db()
    assert (night.event.version, night.event.rounds.count(), Rehearsal.objects.count()) == (version, 0, 0)


def begun(night: Night, pace: str = Pace.STEP, *, rounds: int = 0) -> Event:
    """A rehearsal with so many rounds closed, and the next one in play."""
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0, pace), by=now(), seed=1)
    Rehearsal.objects.update(ends_at="2100-01-01T00:00Z")
    while rounds and copy.rounds.filter(state="closed").count() < rounds:
        rehearsal.step(copy, expected_version=copy.version, at=BY.at)
        copy.refresh_from_db()
    for _ in range(2 if rounds else 0):
        copy.refresh_from_db()
        rehearsal.step(copy, expected_version=copy.version, at=BY.at)
    return copy


@pytest.mark.nightly
def test_step_by_step_works_without_javascript(open_page: Callable[..., Page], server: str):
    night = make_night(players=4)
    copy = begun(night)
    desk = open_page(LAPTOP, javascript=False)
    sign_in(desk, server, night)
    desk.goto(f"/e/{copy.slug}/desk/")

    press(desk, desk.get_by_role("button", name="Play next step"))

    expect(desk.locator("#rehearsal-next")).to_have_text("Next: round 1 is paired")
    press(desk, desk.get_by_role("button", name="Discard rehearsal"))
    assert desk.url == f"{server}/e/{night.event.slug}/desk/"


@pytest.mark.nightly
def test_it_waits_while_nobody_watches_and_goes_on_when_somebody_looks(laptop: Page, server: str):
    night = make_night(players=4)
    copy = begun(night, Pace.FAST)
    sign_in(laptop, server, night)

    laptop.goto(f"/e/{copy.slug}/desk/players/")
    expect(laptop.get_by_role("heading", level=1)).to_be_visible()
    assert not copy.rounds.exists()

    laptop.goto(f"/e/{copy.slug}/desk/")
    expect(laptop.locator("#rehearsal-next")).to_contain_text("The event is over")


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_its_pages_are_accessible_and_fit(device, open_page: Callable[..., Page], server: str):
    night = make_night(players=5)
    page = open_page(device)
    sign_in(page, server, night)
    page.goto(f"/e/{night.event.slug}/desk/rehearsal/")
    look_at(page)
    copy = begun(night, rounds=1)

    for path in ("desk/", "desk/players/", "desk/rounds/2/", "desk/print/", "", "wall/", "standings/"):
        page.goto(f"/e/{copy.slug}/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        look_at(page)
    page.goto(f"/e/{night.event.slug}/desk/rehearsal/")
    expect(page.get_by_role("link", name="Continue rehearsal")).to_be_visible()
    look_at(page)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_every_sheet_that_is_printed_says_what_it_is(laptop: Page, server: str, size: str):
    night = make_night(players=9)
    copy = begun(night, rounds=1)
    sign_in(laptop, server, night)

    wanted = "&".join(f"doc={document}" for document in DOCUMENTS)
    laptop.goto(f"/e/{copy.slug}/desk/print/paper/?{wanted}&size={size}")
    pdf = laptop.pdf(prefer_css_page_size=True)
    laptop.goto(f"/e/{copy.slug}/standings/")
    standings = laptop.pdf()

    pages = [*pages_of(pdf), *pages_of(standings)]
    assert len(pages) > len(DOCUMENTS)
    foot = squeezed("REHEARSAL. Nothing on this sheet is real.")
    assert [page for page in pages if foot not in page or not page.endswith("Rehearsal")] == []
    assert not is_shrunk(pdf)
