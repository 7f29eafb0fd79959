"""Searches of the store's pages: what fits is shown while it is typed, and the cards are two presses away."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from fleets import starter
from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.nights import make_night

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_packs_cards_and_players_are_found_while_typing(open_page: Callable[..., Page], server: str, device: dict):
    starter.load()
    night = make_night(players=6)
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(night.organizer)
    page = open_page(device)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])

    page.goto(f"/s/{night.store.slug}/packs/")
    expect(page.get_by_text("7 months, 1 with bonuses known")).to_be_visible()
    look_at(page)
    page.get_by_label("Find a month pack").press_sequentially("gowron")
    expect(page.locator("#found .row")).to_have_count(1)
    expect(page.get_by_label("Find a month pack")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    press(page, page.get_by_role("link", name="Browse all cards"))
    page.get_by_label("Kind").select_option("captain")
    expect(page).to_have_url(f"{server}/cards/?at={night.store.slug}&q=&faction=&kind=captain&cost=&released=&set=")
    expect(page.locator("#found .row small").first).to_contain_text("captain")
    look_at(page)

    page.goto(f"/s/{night.store.slug}/players/")
    first = page.locator("#found .row b").first.inner_text()
    page.get_by_label("Find a player").press_sequentially(first)
    expect(page.locator("#found h2")).to_have_text("1 found")
    expect(page.locator("#found .row b")).to_have_text([first])
    look_at(page)
