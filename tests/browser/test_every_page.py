"""Every page at both sizes, by day and by night: axe-core finds nothing, and nothing is wider than the screen.

With each change the pages that a night cannot do without and a third of the others are opened on the phone, where too
wide is soonest; axe-core looks once, on one of the devices, at the former and at a tenth of the others, and at the
colours of a tenth of those. With --all each state that a page is in is looked at, on both.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, product

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLResolver, get_resolver
from playwright.sync_api import Page

from tests.support.browsing import COLOURS, LAPTOP, PHONE, violations
from tests.support.every_page import (
    CORE,
    FOR_A_PLAYER,
    FOR_EVERYBODY,
    FOR_THE_OWNER,
    NO_PAGES,
    ONLY_POSTED,
    make_places,
    name_of,
)
from tests.support.tenth import PART, runs_all
from tourney import access
from tourney.models import Store, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("stores_on_request")]

PHONE_PART = 3
PARTS = 3  # of the longest lists, so that the tests of several processes end together


@pytest.fixture
def places() -> dict[str, str]:
    """One store with cards and with events in every state."""
    return make_places()


@pytest.fixture
def pages(open_page: Callable[..., Page]) -> list[Page]:
    return [open_page(LAPTOP), open_page(PHONE)]


@pytest.fixture
def looks_at_all(pytestconfig: pytest.Config) -> bool:
    return runs_all(pytestconfig)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_everybody_sees_is_accessible_and_fits(pages, places, part, looks_at_all: bool):
    assert list(complaints(pages, FOR_EVERYBODY[part::PARTS], places, Looks.at(FOR_EVERYBODY, looks_at_all))) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_what_an_owner_sees_is_accessible_and_fits(pages, places, part, looks_at_all: bool, server: str):
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(User.objects.get(username=f"owner@{places['store']}"))
    for page in pages:
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])

    assert list(complaints(pages, FOR_THE_OWNER[part::PARTS], places, Looks.at(FOR_THE_OWNER, looks_at_all))) == []


def test_what_a_player_sees_is_accessible_and_fits(pages, places, looks_at_all: bool, server: str):
    name = access.card_cookie(Store.objects.get(slug=places["store"]))
    for page in pages:
        page.context.add_cookies([{"name": name, "value": places["card"], "url": server}])

    assert list(complaints(pages, FOR_A_PLAYER, places, Looks.at(FOR_A_PLAYER, looks_at_all))) == []


def test_every_page_is_looked_at():
    paths = (*FOR_EVERYBODY, *FOR_THE_OWNER, *FOR_A_PLAYER)

    assert {name_of(path) for path in paths} | ONLY_POSTED | NO_PAGES == {*names(get_resolver())}


@pytest.mark.parametrize("paths", [FOR_EVERYBODY, FOR_THE_OWNER, FOR_A_PLAYER], ids=["everybody", "owner", "player"])
def test_with_each_change_the_core_is_opened_on_a_phone_and_looked_at_by_axe(
    paths: tuple[str, ...],
):
    few, every = Looks.at(paths, False), Looks.at(paths, True)
    addresses = {name_of(path) for path in paths}
    by_axe = {name_of(path) for path, _ in few.axe}

    assert by_axe >= CORE & addresses
    assert len(by_axe - CORE) >= len(addresses - CORE) / PART
    assert {width for _, width in few.axe} == {*WIDTHS}
    on_the_phone = {name_of(path) for path, width in few.opened if width == WIDTHS[1]}
    assert on_the_phone >= CORE & addresses
    assert len(on_the_phone - CORE) >= len(addresses - CORE) / PHONE_PART
    assert few.colours
    assert few.colours < few.axe < few.opened < every.opened
    assert every.opened == every.axe == every.colours == {*product(paths, WIDTHS)}


def test_what_a_night_cannot_do_without_are_pages():
    assert {*names(get_resolver())} > CORE


LEFT_OPEN = "document.body.innerText.match(/.{0,30}({{|{%|%\\(|\\bNone\\b,|Message\\().{0,30}/)?.[0]"
"""What a page shows of a template or a value where a sentence should be."""
WIDTHS = tuple(device["viewport"]["width"] for device in (LAPTOP, PHONE))


@dataclass(frozen=True, slots=True)
class Looks:
    """(path, width of the screen) of what is opened; of that, what axe-core looks at; of that, with its colours."""

    opened: frozenset[tuple[str, int]]
    axe: frozenset[tuple[str, int]]
    colours: frozenset[tuple[str, int]]

    @classmethod
    def at(cls, paths: tuple[str, ...], is_all: bool) -> "Looks":
        """Everything; or the core and a part of the others: on the phone, and for axe-core on one device in turn."""
        if is_all:
            return cls(*[frozenset(product(paths, WIDTHS))] * 3)
        first_of_each = {name_of(path): path for path in reversed(paths)}
        core = [path for name, path in first_of_each.items() if name in CORE]
        others = [path for name, path in first_of_each.items() if name not in CORE]
        in_turn = [*zip((*core, *others[::PART]), cycle(WIDTHS))]
        on_the_phone = product((*core, *others[::PHONE_PART]), WIDTHS[1:])
        return cls(frozenset((*in_turn, *on_the_phone)), frozenset(in_turn), frozenset(in_turn[::PART]))


def complaints(
    pages: list[Page], paths: tuple[str, ...], places: dict[str, str], looks: Looks
) -> Iterator[tuple[str, str]]:
    """(path, what is wrong there). Axe-core looks in both themes: by night nothing but the colours is another."""
    for page, path in product(pages, paths):
        width = page.viewport_size["width"]
        if (path, width) not in looks.opened:
            continue
        where = f"{path} at {width} pixels"
        answer = page.goto(path.format(**places))
        if answer.status != (404 if "nowhere" in path else 200):
            yield where, f"answers {answer.status}"
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            yield where, f"{wide} pixels wide"
        if left := page.evaluate(LEFT_OPEN):
            yield where, f"shows {left}"
        if (path, width) in looks.axe:
            yield from ((where, violation) for violation in violations(page, without=COLOURS))
        if (path, width) in looks.colours:
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                yield from ((f"{where}, {theme}", violation) for violation in violations(page, rules=COLOURS))


def names(resolver: URLResolver) -> Iterator[str]:
    """The name of every URL below it."""
    for pattern in resolver.url_patterns:
        yield from names(pattern) if isinstance(pattern, URLResolver) else [pattern.name]
