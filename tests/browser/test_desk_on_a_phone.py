"""The desk and the store's own pages on a phone: nothing is out of sight without a sign, and nothing lies over it."""

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import product

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.support.browsing import COLOURS, LAPTOP, PHONE, violations
from tests.support.every_page import FOR_THE_OWNER, make_places
from tests.support.tables import match_at
from tourney.actions.record import bump_version_and_notify
from tourney.models import Event, Round, User

pytestmark = pytest.mark.django_db(transaction=True)

NARROW = PHONE | {"viewport": {"width": 320, "height": 640}}
ARROWS = """row => [getComputedStyle(row, "::before").opacity, getComputedStyle(row, "::after").opacity].map(Number)"""
IN_SIGHT = """link => {
  const [row, box] = [link.parentElement.getBoundingClientRect(), link.getBoundingClientRect()];
  return box.left >= row.left - 1 && box.right <= row.right + 1;
}"""
BARS = """all => all.map(one => getComputedStyle(one))
  .filter(style => ["sticky", "fixed"].includes(style.position) && style.bottom === "0px" && style.display !== "none")
  .map(style => style.position)"""
"""What would stay at the foot of the screen."""
COVERED = """field => {
  const box = field.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.bottom - 3);
  return box.top < 0 || box.bottom > innerHeight || !(at === field || field.contains(at) || at?.contains(field));
}"""


@pytest.fixture
def places() -> dict[str, str]:
    return make_places()


@pytest.fixture
def open_desk(open_page: Callable[..., Page], places, server: str) -> Callable[..., Page]:
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(User.objects.get(username=f"owner@{places['store']}"))

    def open_desk(device: dict, **how) -> Page:
        page = open_page(device, **how)
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
        return page

    return open_desk


ROWS = {
    "/e/{tonight}/desk/print/": ".tabs",
    "/e/{tonight}/desk/settings/": ".tabs",
    "/s/{store}/players/": ".app-nav",
    "/s/{store}/settings/": ".app-nav",
}


def test_a_row_of_links_shows_where_you_are_and_on_which_side_there_is_more(open_desk, places):
    page = open_desk(NARROW)
    for path, row in ROWS.items():
        page.goto(path.format(**places))
        links = page.locator(row)

        assert page.locator(f"{row} [aria-current]").evaluate(IN_SIGHT), path
        for left in (0, 5000):
            links.evaluate("(row, left) => { row.scrollLeft = left }", left)
            page.wait_for_function(
                f"""([left, right]) => {{
              const shown = ({ARROWS})(document.querySelector("{row}"));
              return shown[0] === left && shown[1] === right;
            }}""",
                arg=[1, 0] if left else [0, 1],
            )


def test_a_row_of_links_that_fits_shows_no_arrow(open_desk, places):
    page = open_desk(LAPTOP)
    page.goto("/e/{tonight}/desk/".format(**places))

    assert page.locator(".tabs").evaluate("""row => getComputedStyle(row, "::after").content""") == "none"


def test_no_page_of_the_desk_or_the_store_scrolls_sideways_at_320_pixels(open_desk, places):
    page, wide = open_desk(NARROW), {}
    for path in FOR_THE_OWNER:
        page.goto(path.format(**places))
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 320:
            wide[path] = width

    assert wide == {}


TYPED = {
    "/e/{tonight}/desk/rounds/2/results/": ".entry-row input.number:visible",
    "/e/{tonight}/desk/rounds/2/tables/1/": "main input.number:visible",
    "/e/{tonight}/desk/settings/": "main input:not([type=hidden], [type=checkbox], [type=radio]):visible",
}


def test_nothing_lies_over_what_is_typed_while_the_keyboard_is_open(open_desk, places):
    page = open_desk(PHONE)
    for path, fields in TYPED.items():
        page.set_viewport_size(PHONE["viewport"])
        page.goto(path.format(**places))
        expect(page.locator("meta[name=viewport]")).to_have_attribute("content", re.compile("=resizes-content"))
        page.set_viewport_size({"width": 390, "height": 420})  # what the keyboard leaves

        assert page.locator("main *").evaluate_all(BARS) == [], path
        found = page.locator(fields).all()
        assert found, path
        for field in found:
            field.evaluate("field => field.focus()")
            assert not field.evaluate(COVERED), path


def test_the_buttons_of_the_clock_are_in_one_line_in_every_language(open_desk, places, server: str):
    event = Event.objects.get(slug=places["tonight"])
    Round.objects.filter(event=event, number=2).update(ends_at=timezone.now() + timedelta(minutes=42))
    bump_version_and_notify(event)
    page = open_desk(LAPTOP)
    for language, _ in settings.LANGUAGES:
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": server}])
        page.goto(f"/e/{event.slug}/desk/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        buttons = page.locator("[id^=clock-]:is(button)")

        expect(page.locator("#clock-pause")).to_be_visible()
        boxes = [button.bounding_box() for button in buttons.all()]
        assert len(boxes) == 4, language
        assert max(box["y"] for box in boxes) < min(box["y"] + box["height"] for box in boxes), language


def test_the_desk_with_its_arrows_is_accessible(open_desk, places):
    page = open_desk(NARROW)
    for path in ("/e/{tonight}/desk/rounds/2/results/", "/s/{store}/players/"):
        page.goto(path.format(**places))
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert violations(page, rules=COLOURS) == []
        assert violations(page, without=COLOURS) == []


def test_a_long_sign_in_name_makes_no_second_line_of_the_header(open_desk, places, server):
    User.objects.filter(username=f"owner@{places['store']}").update(username="harbor-lights-organizer")
    page = open_desk(PHONE)
    for language, path in product(("en", "de"), ("/e/{tonight}/desk/", "/s/{store}/", "/password/")):
        page.context.add_cookies([{"name": "language", "value": language, "url": server}])
        page.goto(path.format(**places))
        expect(page.locator("html")).to_have_attribute("lang", language)

        brand, user = page.locator(".brand").bounding_box(), page.locator(".app-user").bounding_box()
        assert user["y"] < brand["y"] + brand["height"], (path, language)
        assert user["height"] <= 48, (path, language)
        assert page.locator(".brand-name").evaluate("name => name.scrollWidth <= name.clientWidth"), (path, language)
        leave = page.get_by_role("button", name="harbor-lights-organizer").locator("span").bounding_box()
        assert leave["width"] <= 1, (path, language)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, language)


def test_on_a_laptop_who_is_signed_in_stands_a_word_apart_from_what_the_button_does(open_desk, places):
    page = open_desk(LAPTOP)
    page.goto("/e/{tonight}/desk/".format(**places))
    leave = page.get_by_role("button", name="Sign out")
    gap = """button => {
      const said = document.createRange();
      said.selectNodeContents(button.firstChild);
      return button.querySelector("span").getBoundingClientRect().left - said.getBoundingClientRect().right;
    }"""
    assert leave.evaluate(gap) >= 3


@pytest.mark.parametrize("width", [390, 1280])
def test_the_fields_of_a_roll_off_stand_in_line_however_a_name_wraps(open_desk, places, width: int):
    page = open_desk(PHONE)
    event = Event.objects.get(slug=places["tonight"])
    one, _ = match_at(event, 3, number=2).entrants
    one.player.name = "Vor of the Long Range Reconnaissance Corps"
    one.player.save()
    bump_version_and_notify(event)
    page.set_viewport_size({"width": width, "height": 844})

    page.goto("/e/{tonight}/desk/rounds/2/tables/3/roll-off/".format(**places))

    fields, labels = page.locator("#dice .field input"), page.locator("#dice .field label")
    assert len({label.bounding_box()["height"] for label in labels.all()}) == 2
    assert fields.count() == 2
    assert len({round(field.bounding_box()["y"]) for field in fields.all()}) == 1
