"""Whoever reads larger letters, has no pointer or wants no motion finds the same on every page of a player."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.test_names_of_fields import FOR_A_STRANGER
from tests.browser.test_narrow_phones import LETTERS
from tests.support.browsing import PHONE
from tests.support.every_page import FOR_A_PLAYER, make_places
from tourney import access
from tourney.models import Store

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = {"360": (360, 640), "390": (390, 844)}
READERS = pytest.mark.parametrize("paths", [FOR_A_PLAYER, FOR_A_STRANGER], ids=["a player", "a stranger"])
CUT = """() => [...document.querySelectorAll("main :is(.button, summary, h1, h2), .app-nav :is(a, summary)")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).display !== "inline" && !one.closest(".visually-hidden, .why"))
  .map((one) => one.outerHTML.slice(0, 160))"""
"""What stands on buttons, in headings and in the bar, and does not fit."""
REACHED = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
  .filter((one) => !one.matches(":disabled, [type=hidden], [tabindex='-1'], .reached"))
  .filter((one) => one.type !== "radio" || !document.querySelector(`.reached[name="${one.name}"]`))
  .map((one) => one.outerHTML.slice(0, 160))"""
"""What Tab did not come to; of radio buttons it comes to one."""
STEP = """() => {
  const one = document.activeElement;
  if (one === document.body || one.classList.contains("reached")) return "done";
  one.classList.add("reached");
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const bar = document.querySelector(".with-bar .app-nav");
  const edge = bar && !bar.contains(one) ? bar.getBoundingClientRect().top : innerHeight;
  const inSight = bottom > 0 && top < edge && right > 0 && left < innerWidth;
  return inSight || one.closest("label, .choice") ? "" : one.outerHTML.slice(0, 160);
}"""
"""Where Tab came to, if that is out of sight or behind the bar."""
MOVING = """() => document.getAnimations()
  .filter((one) => one.playState === "running" && one.effect.getTiming().duration > 1)
  .map((one) => one.effect.target.outerHTML.slice(0, 160))"""
MOST_STEPS = 400


@pytest.fixture
def places() -> dict[str, str]:
    return make_places()


@pytest.fixture
def open_phone(open_page: Callable[..., Page], places, server: str) -> Callable[..., Page]:
    def open_phone(paths: tuple[str, ...], size: tuple[int, int], *, dark: bool = False) -> Page:
        width, height = size
        page = open_page(PHONE | {"viewport": {"width": width, "height": height}}, dark=dark)
        if paths is FOR_A_PLAYER:
            card = access.card_cookie(Store.objects.get(slug=places["store"]))
            page.context.add_cookies([{"name": card, "value": places["card"], "url": server}])
        return page

    return open_phone


@pytest.mark.many
@READERS
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_letters_of_twice_the_size_fit_every_page(open_phone, places, paths: tuple[str, ...], size: tuple[int, int]):
    page, wrong = open_phone(paths, size), {}
    for path in paths:
        page.goto(path.format(**places))
        page.evaluate(LETTERS, 200)
        wide = page.evaluate("document.documentElement.scrollWidth") - size[0]
        if (cut := page.evaluate(CUT)) or wide > 0:
            wrong[path] = (wide, cut)

    assert wrong == {}


@pytest.mark.many
@READERS
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_every_page_is_walked_by_keyboard_and_where_one_is_is_in_sight(
    open_phone, places, paths: tuple[str, ...], size: tuple[int, int]
):
    page, wrong = open_phone(paths, size), {}
    for path in paths:
        page.goto(path.format(**places))
        page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
        hidden = []
        for _ in range(MOST_STEPS):
            page.keyboard.press("Tab")
            if (found := page.evaluate(STEP)) == "done":
                break
            hidden += [found] if found else []
        missed = page.evaluate(REACHED)
        if hidden or missed:
            wrong[path] = (hidden, missed)

    assert wrong == {}


@READERS
def test_nothing_moves_where_no_motion_is_wanted(open_phone, places, paths: tuple[str, ...]):
    page, moving = open_phone(paths, SIZES["360"]), {}
    for path in paths:
        page.goto(path.format(**places))
        if found := page.evaluate(MOVING):
            moving[path] = found

    assert moving == {}
