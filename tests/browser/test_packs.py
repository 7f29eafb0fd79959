"""Making a month one's own: in a browser, as an organizer does it, and by hand on a phone without a script."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from scoring.shipped import shipped_pack
from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.nights import BY, make_store
from tourney.actions import events
from tourney.models import Event, OwnPack, User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def store():
    return make_store()[0]


def sign_in(page: Page, server: str, store) -> None:
    client = Client()
    client.force_login(User.objects.get(username=f"organizer@{store.slug}"))
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


def leave(page: Page, label: str, value: str) -> None:
    """Type into a field of the editor and leave it."""
    field = page.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Tab")


@pytest.mark.nightly
def test_a_month_is_copied_broken_put_right_saved_and_played(open_page: Callable[..., Page], server: str, store):
    """Rules 2.2, 2.8: 100 + 20 for the station; then 100 + 50."""
    page = open_page(LAPTOP)
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
    sign_in(page, server, store)
    page.goto(f"/s/{store.slug}/packs/dominion-war-6/")
    press(page, page.get_by_role("button", name="Customize"))
    scores = page.locator("#result-one b")
    expect(scores).to_have_text(["120", "65"])
    look_at(page)

    leave(page, "Battle Rounds", "13")
    expect(page.locator("#said-rounds")).to_have_text("13 does not fit here. Type a whole number from 1 to 12.")
    expect(page.locator("#check")).to_contain_text("1 field to fix")
    expect(page.locator("[aria-invalid]")).to_have_attribute("name", "rounds")
    look_at(page)
    leave(page, "Battle Rounds", "4")
    expect(page.locator("#said-rounds")).to_be_empty()
    expect(page.locator("[aria-invalid]")).to_have_count(0)
    expect(scores).to_have_text(["120", "65"])

    leave(page, "SP limit", "120")
    expect(scores).to_have_text(["140", "85"])
    page.locator("#bonuses-0-points").fill("50")
    page.locator("#bonuses-0-points").press("Tab")
    expect(scores).to_have_text(["170", "85"])
    page.get_by_label("Controls Deep Space 9, Vor").uncheck()
    expect(scores).to_have_text(["120", "85"])

    press(page, page.get_by_role("button", name="Add a thing to count"))
    expect(page.locator("#tallies-1-name")).to_be_focused()
    page.keyboard.type("Beacons")
    page.keyboard.press("Tab")
    expect(page.locator("#tallies-1-key")).to_have_value("beacons")
    expect(page.locator("#bonuses-0-tally option")).to_have_text(["Choose", "Controls Deep Space 9", "Beacons"])
    expect(page.locator("#example")).to_contain_text("Beacons")

    press(page, page.get_by_role("button", name="Save as version 1"))
    expect(page.locator(".messages")).to_contain_text("is saved. New events can use it.")
    look_at(page)

    page.goto(f"/s/{store.slug}/campaigns/{campaign.slug}/new-event/")
    page.get_by_role("radio", name="Your own Version 1").check()
    press(page, page.get_by_role("button", name="Schedule event"))
    event, own = Event.objects.get(), OwnPack.objects.get()
    assert (event.pack, event.sp_limit, event.rounds_planned) == (own.versions.get().pack, 120, 4)

    page.goto(f"/s/{store.slug}/packs/{own.slug}/")
    press(page, page.get_by_role("button", name="Edit"))
    leave(page, "Battle Rounds", "5")
    expect(page.locator("#check")).to_contain_text("No problems · 1 change")
    press(page, page.get_by_role("button", name="Save as version 2"))
    event.refresh_from_db()
    assert [version.pack.rules.rounds for version in own.versions.all()] == [4, 5]
    assert (event.pack.version, event.rules.rounds) == (1, 4)


@pytest.mark.nightly
def test_the_editor_needs_no_script(open_page: Callable[..., Page], server: str, store):
    page = open_page(PHONE, javascript=False)
    sign_in(page, server, store)
    page.goto(f"/s/{store.slug}/packs/the-void/")
    press(page, page.get_by_role("button", name="Customize"))
    page.get_by_label("SP limit", exact=True).fill("many")
    press(page, page.get_by_role("button", name="Check draft", exact=True))
    expect(page.locator("#said-sp_limit")).to_contain_text("“many” is no whole number.")
    page.get_by_label("SP limit", exact=True).fill("120")
    press(page, page.get_by_role("button", name="Add a thing to count"))
    page.locator("#tallies-0-name").fill("Probes")
    press(page, page.get_by_role("button", name="Add a bonus"))
    page.locator("#bonuses-0-name").fill("Probes")
    page.locator("#bonuses-0-points").fill("5")
    page.locator("#bonuses-0-tally").select_option("probes")
    press(page, page.get_by_role("button", name="Add Borg"))
    press(page, page.get_by_role("button", name="Save as version 1"))

    rules = OwnPack.objects.get().versions.get().pack.rules
    assert [(tally.key, tally.name) for tally in rules.tallies] == [("probes", "Probes")]
    assert replace(rules, slug="the-void", tallies=(), bonuses=()) == replace(
        shipped_pack("the-void"), sp_limit=120, allegiance=True, factions=("Borg",)
    )


def test_on_a_phone_what_the_list_offers_begins_where_its_heading_does(phone: Page, store):
    phone.goto(f"/s/{store.slug}/packs/")
    heading, button = phone.get_by_role("heading", level=1), phone.get_by_role("link", name="Browse all cards")

    assert button.bounding_box()["x"] == heading.bounding_box()["x"]
    assert button.evaluate("link => getComputedStyle(link).borderColor") != "rgba(0, 0, 0, 0)"
