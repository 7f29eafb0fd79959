"""Many stores on one installation: found as one types, more below, and one deleted by its owner."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.support.asking_for_stores import asked_for_a_store
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import BY, PASSWORD, make_night
from tourney.actions import stores
from tourney.actions.deleting import delete_store
from tourney.models import Event, Store
from tourney.queries.finding_stores import PART

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def many() -> None:
    """Some stores with towns, one of them with an event to come, and more than a part of the list of others."""
    make_night(players=2)
    Event.objects.update(starts_at=timezone.now() + timedelta(days=3))
    for name, place in [("Zoë’s Café", "Łódź"), ("Ägir Games", "Köln"), ("Bolt & Sons", "Leeds")]:
        stores.make_store(name=name, place=place, time_zone="UTC", by=BY)
    for number in range(PART):
        stores.make_store(name=f"Outpost {number:02}", place="Portland, Oregon", time_zone="UTC", by=BY)


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_store_is_found_as_one_types_and_by_the_keyboard(many, open_page: Callable[..., Page], device: dict):
    page = open_page(device)
    page.goto("/")
    rows = page.locator("#found .row")
    expect(rows).to_have_count(PART)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    more = page.get_by_role("link", name="Show more stores")
    more.focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(PART + 4)
    expect(rows.nth(PART).get_by_role("link")).to_be_focused()
    page.get_by_label("Name or town").fill("koln")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Ägir Games")
    page.get_by_label("Name or town").fill("nowhere")
    expect(page.get_by_role("heading", name="No store called “nowhere”")).to_be_visible()


def test_without_scripts_the_form_finds_and_the_link_goes_on(many, open_page: Callable[..., Page]):
    page = open_page(PHONE, javascript=False)
    page.goto("/")
    page.get_by_role("link", name="Show more stores").click()
    expect(page.locator("#found .row")).to_have_count(4)
    page.get_by_label("Name or town").fill("lodz")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#found .row")).to_contain_text(["Zoë’s Café"])


def test_an_owner_deletes_the_store_by_typing_its_name(open_page: Callable[..., Page]):
    night = make_night(players=4, open_round=True)
    page = open_page(LAPTOP)
    page.goto(f"{reverse('sign_in')}?next={reverse('store_settings', args=[night.store.slug])}")
    page.get_by_label("Sign-in name").fill(night.owner.username)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, page.get_by_role("main").get_by_role("button", name="Sign in"))
    page.get_by_role("link", name="Leave or delete this store").click()
    page.get_by_role("link", name="Delete this store").click()
    assert_accessible(page)
    page.get_by_label("The name, once more").fill(night.store.name)
    press(page, page.get_by_role("button", name="Delete this store"))

    expect(page.locator(".messages")).to_contain_text("Starbase Games is deleted.")
    assert not Store.objects.exists()


def test_an_open_page_of_a_store_that_is_deleted_says_so(open_page: Callable[..., Page]):
    night = make_night(players=4, open_round=True)
    page = open_page(PHONE)
    page.goto(reverse("pairings", args=[night.event.slug, 1]))

    delete_store(night.store, by=BY)

    expect(page.get_by_role("heading", name="This store is gone")).to_be_visible()
    assert_accessible(page)


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_page_of_who_asked_says_that_it_waits(open_page: Callable[..., Page], device: dict):
    page = open_page(device)
    page.goto(reverse("asked_store", args=[asked_for_a_store()]))

    expect(page.get_by_role("heading", name="Waiting for approval")).to_be_visible()
    assert_accessible(page)
