"""What a store tells before round 1, on a phone and a laptop: read at once, nothing cut off, and it follows."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.pages.test_event_facts import told
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.nights import BY
from tourney.actions import events, rounds

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", [SMALL, LAPTOP], ids=["360x640", "1280x800"])
def test_a_stranger_reads_the_facts_and_joins_without_scrolling(
    open_page: Callable[..., Page], device: dict, dark: bool
):
    night = told()
    page = open_page(device, dark=dark)

    page.goto(reverse("event", args=[night.event.slug]))

    expect(page.get_by_role("link", name="Join this event")).to_be_in_viewport()
    expect(page.get_by_role("link", name="shop.example", exact=True)).to_be_visible()
    assert page.evaluate(SIDEWAYS) == 0
    assert_accessible(page)


def test_the_page_follows_when_registration_closes_and_when_round_1_begins(open_page: Callable[..., Page]):
    night = told()
    page = open_page(PHONE)
    page.goto(reverse("event", args=[night.event.slug]))

    events.open_registration(night.event, False, by=BY)
    expect(page.get_by_role("heading", name="Registration is closed. Round 1 is next.")).to_be_visible()
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    expect(page.get_by_role("heading", name="Round 1 starts soon.")).to_be_visible()
    expect(page.locator("#about")).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", [SMALL, LAPTOP], ids=["360x640", "1280x800"])
def test_an_organizer_finds_the_folded_fields(
    open_page: Callable[..., Page], client, server: str, device: dict, dark: bool
):
    night = told()
    client.force_login(night.owner)
    page = open_page(device, dark=dark)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server}])
    page.goto(reverse("event_settings", args=[night.event.slug]))
    expect(page.get_by_label("Entry fee")).to_be_hidden()

    page.get_by_text("For players", exact=True).click()

    expect(page.get_by_label("Entry fee")).to_have_value("5 €, at the counter")
    assert page.evaluate(SIDEWAYS) == 0
    assert_accessible(page)
