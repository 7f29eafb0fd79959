"""Plan, cancel, next month: on a laptop and on a phone, by day and by night, with what players see of it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import BY, make_night
from tourney import access
from tourney.actions import player_cards
from tourney.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def assert_reads_well(page: Page, shot: str) -> None:
    if folder := os.environ.get("SHOTS"):
        width = page.viewport_size["width"]
        page.screenshot(path=Path(folder, f"{shot}-{width}.png"), full_page=True)
    assert page.evaluate(SIDEWAYS) == 0
    assert_accessible(page)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["1280x800", "390x844"])
def test_the_next_month_is_scheduled_filled_moved_and_canceled(
    open_page: Callable[..., Page], server: str, device: dict, dark: bool
):
    night = make_night(players=4, rounds=3, finish=True, pack="dominion-war-5")
    first = night.event.entrants.first().player
    page = sign_in(open_page(device, dark=dark), night, night.organizer, server)
    shade = "dark" if dark else "light"

    # Two presses schedule the next month
    page.goto(f"/e/{night.event.slug}/desk/")
    assert_reads_well(page, f"1-finished-{shade}")
    said, bar = (page.locator(f".next-step {part}").bounding_box() for part in ("h2", ".action-bar"))
    assert said["y"] + said["height"] <= bar["y"]
    page.get_by_role("link", name="Schedule next month").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Schedule an event")
    expect(page.get_by_role("radio", checked=True)).to_have_value("dominion-war-6")
    page.get_by_label("SP limit", exact=True).fill("100")
    assert_reads_well(page, f"2-form-{shade}")
    press(page, page.get_by_role("button", name="Schedule event"))
    event = Event.objects.latest("pk")

    # Who is coming is ticked
    page.get_by_role("checkbox", name=first.name, exact=True).check()
    assert_reads_well(page, f"3-before-{shade}")
    press(page, page.get_by_role("button", name="Register ticked players"))
    expect(page.locator(".messages")).to_contain_text(f"{first.name} is registered.")
    expect(page.get_by_role("checkbox", name=first.name, exact=True)).to_have_count(0)

    # It moves, and the player's card says so
    page.goto(f"/e/{event.slug}/desk/plans/")
    assert_reads_well(page, f"4-plans-{shade}")
    page.get_by_label("Start").fill("20:15")
    press(page, page.get_by_role("button", name="Move event"))
    phone = open_page(PHONE, dark=dark)
    key = player_cards.issue(first, by=BY)
    phone.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    phone.goto(f"/s/{night.store.slug}/me/")
    expect(phone.get_by_text("New date:")).to_be_visible()
    assert_reads_well(phone, f"5-card-moved-{shade}")

    # Another month shows what it changes
    page.goto(f"/e/{event.slug}/desk/month/?pack=dominion-war-4&sp_limit=90")
    expect(page.get_by_role("button", name="Change month")).to_be_visible()
    assert_reads_well(page, f"6-month-{shade}")

    # It is canceled after a word
    page.goto(f"/e/{event.slug}/desk/plans/")
    press(page, page.get_by_role("button", name="Cancel event"))
    expect(page.get_by_text("Not canceled.")).to_be_visible()
    assert_reads_well(page, f"7-asked-{shade}")
    page.get_by_label("Type “cancel”").fill("cancel")
    press(page, page.get_by_role("button", name="Cancel event"))
    expect(page.get_by_role("heading", name="This event is canceled.")).to_be_visible()
    assert_reads_well(page, f"8-canceled-{shade}")
    phone.goto(f"/s/{night.store.slug}/me/")
    expect(phone.get_by_text("This event is canceled.")).to_be_visible()
    assert_reads_well(phone, f"9-card-canceled-{shade}")
    phone.goto(f"/e/{event.slug}/")
    expect(phone.get_by_text("You’re registered")).to_have_count(0)
    assert_reads_well(phone, f"10-public-canceled-{shade}")

    # The month can be scheduled again
    page.get_by_role("link", name="Schedule next month").click()
    expect(page.get_by_role("radio", checked=True)).to_have_value("dominion-war-6")

    # The campaign goes to the archive, folded at the end
    page.goto(f"/s/{night.store.slug}/campaigns/{night.campaign.slug}/edit/")
    assert_reads_well(page, f"11-edit-{shade}")
    press(page, page.get_by_role("button", name="Archive campaign"))
    page.goto(f"/s/{night.store.slug}/")
    page.get_by_text("1 campaign in the archive").click()
    assert_reads_well(page, f"12-home-{shade}")
