"""A faction's mark is told from whatever it stands on, by day and night (WCAG 1.4.11)."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from tests.support.browsing import LAPTOP
from tests.support.every_page import make_places
from tourney import access
from tourney.models import Store, User

pytestmark = pytest.mark.django_db(transaction=True)

FOR_A_PLAYER = (
    "/style/",
    "/cards/?q=enterprise",
    "/e/{tonight}/join/",
    "/e/{tonight}/",
    "/e/{tonight}/me/",
    "/e/{tonight}/rounds/2/",
    "/e/{tonight}/fleets/{opponent}/",
    "/e/{over}/",
    "/e/{over}/me/",
    "/e/{over}/standings/",
    "/e/{tied}/wall/",
    "/e/{over}/wall/",
    "/s/{store}/me/",
    "/s/{store}/fleets/{draft}/",
    "/s/{store}/campaigns/{campaign}/",
    "/s/{store}/packs/dominion-war-6/",
)
FOR_THE_DESK = (
    "/e/{tonight}/desk/",
    "/e/{tonight}/desk/players/1/",
    "/e/{tonight}/desk/rounds/2/tables/1/",
    "/e/{tonight}/desk/rounds/2/close/",
    "/e/{tonight}/desk/finish/",
    "/e/{over}/desk/awards/",
)
LEAST = 3
MEASURE = """(least) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const laid = (...colors) => {
    for (const color of ["white", ...colors]) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb
    .map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const factions = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .flatMap((rule) => [...(rule.cssRules ?? [])])
    .map((rule) => /^\\.(faction-[a-z0-9-]+)$/.exec(rule.selectorText ?? "")?.[1])
    .filter((name) => name && name !== "faction-chip");
  const found = { factions: new Set(factions).size, marks: 0, faint: new Set() };
  const grounds = new Set();
  for (const mark of document.querySelectorAll(".mark")) {
    const around = [];
    for (let one = mark; one; one = one.parentElement) around.unshift(getComputedStyle(one).backgroundColor);
    const holder = mark.closest("[class*='faction-']");
    if (!holder) { found.faint.add(`no faction: ${mark.outerHTML}`); continue; }
    found.marks += 1;
    const ground = laid(...around);
    const before = holder.getAttribute("class");
    if (grounds.has(String(ground))) continue;
    grounds.add(String(ground));
    for (const faction of new Set(factions)) {
      holder.setAttribute("class", before.replace(/faction-(?!chip)[a-z0-9-]+/, faction));
      const measured = contrast(laid(...around, getComputedStyle(mark).color), ground);
      if (measured < least) found.faint.add(`${faction} on ${ground}: ${measured.toFixed(2)}`);
    }
    holder.setAttribute("class", before);
  }
  return { ...found, faint: [...found.faint] };
}"""
"""How many marks a page has, and on which of their grounds which faction's would be fainter than that."""


def cookies_of(places: dict[str, str], server: str) -> list[dict[str, str]]:
    client = Client()
    client.force_login(User.objects.get(username=f"owner@{places['store']}"))
    session = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    return [session | {"url": server}]


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_factions_mark_is_seen_on_every_ground(open_page: Callable[..., Page], server: str, dark: bool):
    places = make_places()
    card = {"name": access.card_cookie(Store.objects.get(slug=places["store"])), "value": places["card"], "url": server}
    faint, without = {}, []
    for paths, cookies in ((FOR_A_PLAYER, [card]), (FOR_THE_DESK, cookies_of(places, server))):
        page = open_page(LAPTOP, dark=dark)
        page.context.add_cookies(cookies)
        for path in paths:
            page.goto(path.format(**places))
            found = page.evaluate(MEASURE, LEAST)
            assert found["factions"] == 14
            without += [path] if not found["marks"] else []
            faint |= {path: found["faint"]} if found["faint"] else {}

    assert faint == {}
    assert without == []
