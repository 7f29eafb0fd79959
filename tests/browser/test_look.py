"""A store's color and logo in a browser: chosen on a page, readable on every other one, by day and by night."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, violations
from tests.support.logos import png
from tests.support.nights import BY, Night, make_night
from tourney.actions.stores import change_look
from tourney.domain.branding import look_of
from tourney.domain.pictures import read_picture
from tourney.models import Store

pytestmark = pytest.mark.django_db(transaction=True)

YELLOW, NAVY = "#ffd400", "#0a1f44"
PAGES = {
    "store": "/s/{store}/",
    "event": "/e/{event}/",
    "standings": "/e/{event}/standings/",
    "card": "/e/{event}/me/",
    "wall": "/e/{event}/wall/",
}
LINK = """() => {
    const link = document.querySelector("main a[href]:not([class])") ?? document.querySelector("main a[href]");
    link.className = "";
    return getComputedStyle(link).color;
}"""


@pytest.fixture
def night() -> Night:
    return make_night(players=6, rounds=1, open_round=True)


def sign_in(page: Page, night: Night, server: str) -> None:
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(night.owner)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


def rgb(color: str) -> str:
    return "rgb({}, {}, {})".format(*bytes.fromhex(color[1:]))


def photographed(page: Page, name: str) -> None:
    if folder := os.environ.get("LOOK_PICTURES"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("accent", [YELLOW, NAVY], ids=["yellow", "navy"])
def test_every_page_can_be_read_by_day_and_by_night(
    accent: str, device: dict, night: Night, open_page: Callable[..., Page]
):
    change_look(night.store, accent=accent, logo=read_picture(png(240, 90)), by=BY)
    page, look = open_page(device), look_of(accent)

    for scheme, color in (("light", look.on_light), ("dark", look.on_dark)):
        page.emulate_media(color_scheme=scheme)
        for name, path in PAGES.items():
            page.goto(path.format(store=night.store.slug, event=night.event.slug))
            assert violations(page) == [], (name, scheme)
            logo = page.locator("img.logo").first
            expect(logo).to_be_visible()
            assert logo.evaluate("logo => logo.naturalWidth") == 240
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            photographed(page, f"{name}-{accent[1:]}-{scheme}-{device['viewport']['width']}")
            if name == "wall":
                heading = "getComputedStyle(document.querySelector('.wall-event')).color"
                assert page.evaluate(heading) == rgb(color)
            if name == "store":
                assert page.evaluate(LINK) == rgb(color)
                line = "getComputedStyle(document.querySelector('.app-header')).borderBottomColor"
                assert page.evaluate(line) == rgb(look.line)


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_an_owner_picks_a_color_and_sees_the_logo_before_saving_it(
    device: dict, night: Night, open_page: Callable[..., Page], server: str
):
    page = open_page(device)
    sign_in(page, night, server)
    page.goto(f"/s/{night.store.slug}/settings/")
    page.get_by_role("link", name="Look").click()

    page.get_by_label("Pick a color").fill(NAVY)
    expect(page.get_by_label("Color optional")).to_have_value(NAVY)
    page.get_by_label("Logo").set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": png(240, 90)})
    expect(page.get_by_role("img", name="Logo")).to_be_visible()
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text("On dark pages it’s shown lighter")).to_be_visible()
    assert Store.objects.values_list("accent", "logo_width").get() == (NAVY, 240)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
        photographed(page, f"settings-{scheme}-{device['viewport']['width']}")
    page.get_by_label("Color optional").fill(YELLOW)
    expect(page.get_by_label("Pick a color")).to_have_value(YELLOW)


def test_what_is_printed_has_the_logo(night: Night, laptop: Page, server: str):
    change_look(night.store, accent=YELLOW, logo=read_picture(png(240, 90)), by=BY)
    sign_in(laptop, night, server)

    for doc, logos in (("pairings", 1), ("standings", 1), ("slips", 3)):
        laptop.goto(f"/e/{night.event.slug}/desk/print/paper/?doc={doc}")
        assert laptop.locator(".paper img.logo").count() == logos
        assert laptop.locator(".paper img.logo").first.evaluate("logo => logo.naturalWidth") == 240
        photographed(laptop, f"paper-{doc}")
    laptop.goto(f"/s/{night.store.slug}/campaigns/{night.campaign.slug}/poster/")
    expect(laptop.locator(".poster-drawing image")).to_be_visible()
    photographed(laptop, "poster")


def test_a_page_without_a_network_keeps_them(night: Night, open_page: Callable[..., Page]):
    change_look(night.store, accent=YELLOW, logo=read_picture(png(240, 90)), by=BY)
    page = open_page(PHONE, worker=True)
    page.goto(f"/e/{night.event.slug}/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for _ in range(2):  # the worker takes pages from then on
        page.goto(f"/e/{night.event.slug}/standings/")

    for address in (night.store.logo_url, night.store.look_url):
        assert page.evaluate("address => caches.match(address).then(Boolean)", address)
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")  # what the browser itself kept is no promise
    page.context.set_offline(True)
    page.reload()

    expect(page.locator(".network").first).to_contain_text("Not connected. This page is from ")
    assert page.locator("img.logo").evaluate("logo => logo.naturalWidth") == 240
    line = "getComputedStyle(document.querySelector('.app-header')).borderBottomColor"
    assert page.evaluate(line) == rgb(look_of(YELLOW).line)
