"""Everything that is printed, as PDF by Chromium: on how many sheets, and that nothing is split, cut or shrunk."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from tests.browsing import LAPTOP
from tests.nights import Night, make_night
from tests.pdf import is_shrunk, pages_of, sizes_of
from tourney.domain.paper import DOCUMENTS
from tourney.models import Player
from tourney.queries.paper import printable_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = {"a4": (595, 842), "letter": (612, 792)}

# The parts that no page break may split, each with the text that people see in it, without spaces.
WHOLE = """() => {
  const parts = ".paper-head, .paper tbody tr, .paper-steps li, .slip, .name-card, .big-number, .build-grid";
  const unseen = ".visually-hidden, .paper-facts, svg";
  const text = (part) => {
    const nodes = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    let found = "";
    while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest(unseen)) found += nodes.currentNode.data;
    return found.replace(/\\s+/g, "");
  };
  return [...document.querySelectorAll(parts)].map(text).filter(Boolean);
}"""


def named_long(night: Night) -> Night:
    """Everybody's name has 60 characters, every third is a single word."""
    for place, player in enumerate(Player.objects.filter(entries__event=night.event).order_by("pk")):
        start = f"{player.name}{place}"
        word = "WELTRAUMSCHIFFKAPITÄN" * 3
        words = " of the Seventeenth Harbor Watch and Ensign of the Long Patrol"
        player.name = (start + (word if place % 3 == 0 else words))[:60].strip().ljust(60, "M")
        player.save()
    return night


@pytest.fixture
def desk(open_page: Callable[..., Page], server: str) -> Callable[[Night], Page]:
    """A page on which the organizer of the night is signed in."""

    def desk(night: Night) -> Page:
        client, page, name = Client(), open_page(LAPTOP), settings.SESSION_COOKIE_NAME
        client.force_login(night.organizer)
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
        return page

    return desk


def printed(page: Page, night: Night, query: str) -> list[str]:
    """The text of each sheet; fails if anything is split between two, wider than its page, or on other paper."""
    answer = page.goto(f"{reverse('paper', args=[night.event.slug])}?{query}")
    assert answer.status == 200
    return checked(page, "letter" if "size=letter" in query else "a4", query)


def checked(page: Page, size: str, what: str) -> list[str]:
    pdf = page.pdf(prefer_css_page_size=True)
    pages = pages_of(pdf)
    split = [part for part in page.evaluate(WHOLE) if not any(part in text for text in pages)]
    assert (split, is_shrunk(pdf), sizes_of(pdf)) == ([], False, {POINTS[size]}), what
    return pages


def sheets(page: Page, night: Night, size: str, kinds: Iterator[str]) -> dict[str, int]:
    return {kind: len(printed(page, night, f"doc={kind}&size={size}")) for kind in kinds}


ONE_EACH = dict.fromkeys(("blank-score-sheet", "by-hand", "blank-sheet"), 1)

# Sheets of each document for so many players, whose names all have 60 characters.
SHEETS = {
    1: ONE_EACH | {"score-sheet": 1, "check-in": 1, "build-sheets": 1, "table-numbers": 1, "tents": 1},
    7: ONE_EACH | {},
    8: ONE_EACH | {},
    33: ONE_EACH | {},
}


@pytest.mark.parametrize("players", [1, 7, 8, 33])
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_every_document_with_long_names(players, size, desk):
    night = named_long(make_night(players=players, rounds=players > 1, open_round=players > 1))
    there = printable_of(state_of(night.event))

    assert sheets(desk(night), night, size, (kind for kind in DOCUMENTS if kind in there)) == SHEETS[players]
