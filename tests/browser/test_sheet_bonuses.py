"""Bonuses that are only on the kit's sheet: typed where an event is scheduled, and asked for at the desk."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.nights import BY, make_night, make_store
from tourney.actions import events
from tourney.models import Event, User

pytestmark = pytest.mark.django_db(transaction=True)


def sign_in(page: Page, server: str, user: User) -> None:
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(user)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_bonuses_are_typed_where_the_month_is_chosen(open_page: Callable[..., Page], server: str, device: dict):
    store, users = make_store()
    events.make_campaign(store, storyline="Dominion War", by=BY)
    page = open_page(device)
    sign_in(page, server, users["organizer"])
    page.goto(f"/s/{store.slug}/campaigns/dominion-war/new-event/")
    page.get_by_role("radio", name="Month 6").check()
    expect(page.get_by_text("Type them from the kit’s sheet")).to_have_count(0)

    page.get_by_role("radio", name="Month 1").check()
    page.get_by_text("Type them from the kit’s sheet").click()
    page.get_by_role("group", name="Bonus 1").get_by_label("What for").fill("Holds the station")
    page.get_by_role("group", name="Bonus 1").get_by_label("Fleet Points").fill("20")
    page.get_by_role("group", name="Bonus 1").get_by_label("Who gets it").select_option("winner")
    look_at(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press(page, page.get_by_role("button", name="Schedule event"))

    expect(page.get_by_text("This month’s bonuses are missing")).to_have_count(0)
    assert [(one.name, one.points, one.to) for one in Event.objects.get().rules.bonuses] == [
        ("Holds the station", 20, "winner")
    ]


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_desk_asks_once_and_the_form_is_one_press_away(open_page: Callable[..., Page], server: str, device: dict):
    night = make_night(players=4, pack="dominion-war-1")
    page = open_page(device)
    sign_in(page, server, night.organizer)
    page.goto(f"/e/{night.event.slug}/desk/")
    look_at(page)
    press(page, page.get_by_role("link", name="Type bonuses"))
    look_at(page)
    page.get_by_label("The sheet lists no bonuses").check()
    press(page, page.get_by_role("button", name="Save bonuses"))

    expect(page.locator(".messages")).to_contain_text("The bonuses are saved.")
    expect(page.get_by_text("This month’s bonuses are missing")).to_have_count(0)


def test_a_dismissed_reminder_is_gone_from_every_open_desk(open_page: Callable[..., Page], server: str):
    night = make_night(players=4, pack="dominion-war-1")
    pages = [open_page(LAPTOP), open_page(PHONE)]
    for page in pages:
        sign_in(page, server, night.organizer)
        page.goto(f"/e/{night.event.slug}/desk/")
        expect(page.get_by_role("heading", name="This month’s bonuses are missing")).to_be_visible()
    press(pages[0], pages[0].get_by_role("button", name="Dismiss reminder"))

    for page in pages:
        expect(page.get_by_role("heading", name="This month’s bonuses are missing")).to_have_count(0)
