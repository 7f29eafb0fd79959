"""The guide in a browser: its pictures by day and night, large enough and never too wide; and without a network."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, violations

pytestmark = pytest.mark.django_db(transaction=True)

TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"
ALL_KEPT = """async () => {
    const pages = [...document.querySelectorAll("a[data-offline]")].map(link => link.href);
    for (let left = pages; left.length;) {
        const cache = await caches.open((await caches.keys()).find(name => name.startsWith("pages")) ?? "none");
        left = [];
        for (const page of pages) if (!(await cache.match(page, { ignoreVary: true }))) left.push(page);
        await new Promise(requestAnimationFrame);
    }
    const files = await (await caches.open("files")).keys();
    return [pages.length, files.filter(({ url }) => url.endsWith(".webp")).length];
}"""
"""Waits until every page of the guide is on the device: how many there are, and how many pictures came along."""


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_pictures_fit_the_page_and_follow_day_and_night(open_page: Callable[..., Page], device: dict):
    for dark in (False, True):
        page = open_page(device, dark=dark)
        page.goto("/help/first-night/")
        pictures = page.locator(".help-picture img")
        for picture in pictures.all():
            picture.scroll_into_view_if_needed()
            page.wait_for_function("one => one.complete && one.naturalWidth > 0", arg=picture.element_handle())

        assert pictures.count() >= 10
        shown = pictures.evaluate_all("images => images.map(one => one.currentSrc.split('/').pop())")
        by_night = [one for one in shown if one.endswith("-dark.webp")]
        assert (len(by_night) > 7) if dark else (by_night == [])
        assert not page.evaluate(TOO_WIDE)
        assert violations(page) == []


def test_the_film_plays_when_it_is_opened_and_stands_still_for_who_wants_no_movement(laptop: Page):
    laptop.emulate_media(reduced_motion="no-preference")
    laptop.goto("/help/first-night/")
    film = laptop.locator(".help-film")
    expect(film.locator("img")).not_to_be_visible()

    film.locator("summary").click()
    expect(film.locator("img")).to_be_visible()
    current = "one => one.currentSrc.split('/').pop()"
    laptop.wait_for_function("one => one.complete", arg=film.locator("img").element_handle())
    assert film.locator("img").evaluate(current) == "film.webp"

    laptop.emulate_media(reduced_motion="reduce")
    laptop.wait_for_function(f"one => ({current})(one) === 'film-still.webp'", arg=film.locator("img").element_handle())


def test_whoever_opened_one_page_of_the_guide_has_all_of_it_without_a_network(open_page: Callable[..., Page]):
    phone = open_page(PHONE, worker=True)
    phone.goto("/help/glossary/")
    pages, pictures = phone.evaluate(ALL_KEPT)
    phone.context.set_offline(True)

    phone.get_by_role("navigation", name="Pages of the guide").get_by_role("link", name="Your first night").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Your first night")
    expect(phone.locator(".network:visible")).to_have_count(0)  # it is as true as it was
    phone.goto("/help/rules/")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    phone.goto("/s/nowhere/")
    expect(phone.locator("#kept ~ ul a")).to_have_text("Help")  # one for all of them
    phone.context.set_offline(False)
    assert (pages >= 15, pictures) == (True, 0)
