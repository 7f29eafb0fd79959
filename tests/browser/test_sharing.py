"""Share results in a real browser: one press copies a text whole, at the desk and for everybody, in both themes."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.nights import Night, make_night
from tourney.models import Player

pytestmark = pytest.mark.django_db(transaction=True)

OPTIONS = [
    pytest.param(device, dark, id=f"{name}, {theme}")
    for name, device in (("phone", PHONE), ("laptop", LAPTOP))
    for theme, dark in (("light", False), ("dark", True))
]
COPIED = "navigator.clipboard.readText()"


def a_finished_night() -> Night:
    """With so many long names that the standings take two messages."""
    night = make_night(players=40, rounds=3, finish=True, pack="dominion-war-5")
    for player in night.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} of the Outermost Reaches {player.pk}")
    return night


def at_the_desk(page: Page, night: Night, server: str) -> Page:
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(night.organizer)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
    return page


@pytest.mark.many
@pytest.mark.parametrize(("device", "dark"), OPTIONS)
def test_each_part_is_copied_whole_with_one_press(
    open_page: Callable[..., Page], server: str, device: dict, dark: bool
):
    night = a_finished_night()
    page = at_the_desk(open_page(device, dark=dark), night, server)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)

    page.goto(reverse("desk", args=[night.event.slug]))
    page.get_by_role("link", name="Share results").click()

    expect(page.get_by_role("heading", name="Share results", level=1)).to_be_visible()
    shown = page.locator(".post-text").all()
    buttons = page.locator(".post").get_by_role("button").all()
    assert len(shown) == len(buttons) == 2
    for text, button in zip(shown, buttons, strict=True):
        button.click()
        expect(button).to_contain_text("Copied")
        assert page.evaluate(COPIED) == text.text_content()
    page.get_by_role("button", name="Copy list").click()
    expect(page.get_by_role("button", name="Copied").last).to_be_visible()
    assert page.evaluate(COPIED).count("\n") == 39
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert_accessible(page)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize(("device", "dark"), OPTIONS)
def test_everybody_finds_it_on_the_page_of_a_finished_event(open_page: Callable[..., Page], device: dict, dark: bool):
    night = a_finished_night()
    page = open_page(device, dark=dark)

    page.goto(reverse("event", args=[night.event.slug]))
    page.get_by_role("link", name="Share results").click()

    with page.expect_download() as saved:
        page.get_by_role("link", name=re.compile("Save as CSV ?: Standings")).click()
    assert saved.value.suggested_filename == f"standings-{night.event.slug}.csv"
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert_accessible(page)
    page.get_by_role("link", name="Data for programs").click()
    expect(page.get_by_role("heading", name="Data for programs", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert_accessible(page)
