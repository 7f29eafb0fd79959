"""The first page of a new installation: the time zone is this device's, or that of a city that is typed."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible_by_day_and_night
from tests.support.clicking import look_at, press
from tourney.actions import stores
from tourney.actions.record import Actor
from tourney.models import Role, Store

pytestmark = pytest.mark.django_db(transaction=True)

CHICAGO = {"timezone_id": "America/Chicago", "locale": "en-US"}


def set_up(page: Page) -> None:
    page.goto(f"/set-up/{stores.invite(None, Role.OWNER, by=Actor(None, 'test', timezone.now()))}/")
    page.get_by_label("Sign-in name").fill("quill")
    page.get_by_label("Password", exact=True).fill("long range scan")
    page.get_by_label("Password, once more").fill("long range scan")
    page.get_by_label("Name of the store").fill("Deck Twelve")


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_time_zone_is_that_of_this_device(open_page: Callable[..., Page], device: dict):
    page = open_page(device | CHICAGO)
    set_up(page)
    expect(page.get_by_label("Time zone")).to_have_value("America/Chicago")
    expect(page.get_by_label("Country and language")).to_have_value("en_US")
    look_at(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press(page, page.get_by_role("button", name="Create store"))

    assert Store.objects.values_list("time_zone", "locale").get() == ("America/Chicago", "en_US")


def test_a_city_is_typed_in_its_place_without_its_accents(open_page: Callable[..., Page]):
    page = open_page(PHONE | CHICAGO)
    set_up(page)
    page.get_by_label("Time zone").fill("sao paulo")
    press(page, page.get_by_role("button", name="Create store"))

    expect(page.locator(".messages")).to_contain_text("Time zone: America/Sao_Paulo")
    assert Store.objects.get().time_zone == "America/Sao_Paulo"


def test_without_scripts_the_time_zone_is_asked_for(open_page: Callable[..., Page]):
    page = open_page(LAPTOP | CHICAGO, javascript=False)
    set_up(page)
    expect(page.get_by_label("Time zone")).to_have_value("")
    page.get_by_label("Time zone").fill("Chicago")
    press(page, page.get_by_role("button", name="Create store"))

    assert Store.objects.get().time_zone == "America/Chicago"


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_steps_to_the_first_event_tick_themselves_and_go_with_a_press(open_page: Callable[..., Page], device: dict):
    page = open_page(device | CHICAGO)
    set_up(page)
    press(page, page.get_by_role("button", name="Create store"))
    steps = page.get_by_role("region", name="Your first event")
    expect(steps.locator("li.is-done")).to_have_count(1)
    assert_accessible_by_day_and_night(page)
    home = page.url

    press(page, steps.get_by_role("link", name="Create a campaign", exact=True))
    page.get_by_label("Storyline").select_option(label="Dominion War")
    press(page, page.get_by_role("button", name="Create campaign"))
    page.goto(home)

    expect(steps.locator("li.is-done")).to_have_count(2)
    look_at(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press(page, steps.get_by_role("button", name="Hide this list"))
    expect(steps).to_have_count(0)
