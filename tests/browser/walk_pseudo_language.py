"""Every page in a language that nobody speaks, from right to left: what is left in English, cut, or too wide.

It takes the sentences of the German catalogue (`manage.py makemessages -l de` collects them): `make walk-pseudo`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from tests.support import pseudo
from tests.support.browsing import LAPTOP, PHONE
from tests.support.every_page import FOR_A_PLAYER, FOR_EVERYBODY, FOR_THE_OWNER, make_places
from tests.support.fitting import CUT
from tourney import access
from tourney.models import Store, User

pytestmark = pytest.mark.django_db(transaction=True)

NOT_OURS = "[lang=en], [translate=no], code, pre, script, style, textarea, .visually-hidden[aria-hidden]"
"""What is not a sentence of the product: data in English, and what people typed."""
LEFT = """(notOurs) => {
  const english = /\\b[a-z]{2,}['’]?[a-z]* [a-z]{2,}\\b|^[A-Z][a-z]+ [a-z]{2,}\\b|^[A-Z][a-z]{3,}$/;
  const found = [];
  const say = (text, element) => {
    if (english.test(text.trim()) && !element.closest(notOurs)) found.push(text.trim().replace(/\\s+/g, " "));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) say(node.data, node.parentElement);
  for (const element of document.querySelectorAll("[title], [aria-label], [placeholder], [alt]")) {
    for (const name of ["title", "aria-label", "placeholder", "alt"]) say(element.getAttribute(name) || "", element);
  }
  return [...new Set(found)];
}"""


@pytest.fixture
def nobodys_language(tmp_path: Path) -> Iterator[None]:
    with pseudo.spoken(tmp_path):
        yield


@pytest.fixture
def pages(nobodys_language: None, open_page: Callable[..., Page]) -> list[Page]:
    return [open_page(device | {"locale": pseudo.CODE}) for device in (LAPTOP, PHONE)]


@pytest.fixture
def places(nobodys_language: None) -> dict[str, str]:
    return make_places()


def walk_what_everybody_sees_speaks_the_readers_language(pages, places):
    assert list(complaints(pages, FOR_EVERYBODY, places)) == []


def walk_what_an_owner_sees_speaks_the_readers_language(pages, places, server: str):
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(User.objects.get(username=f"owner@{places['store']}"))
    for page in pages:
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])

    assert list(complaints(pages, FOR_THE_OWNER, places)) == []


def walk_what_a_player_sees_speaks_the_readers_language(pages, places, server: str):
    name = access.card_cookie(Store.objects.get(slug=places["store"]))
    for page in pages:
        page.context.add_cookies([{"name": name, "value": places["card"], "url": server}])

    assert list(complaints(pages, FOR_A_PLAYER, places)) == []


def complaints(pages: list[Page], paths: tuple[str, ...], places: dict[str, str]) -> Iterator[str]:
    """What is wrong where."""
    known = set(DATA)
    for page in pages:
        width = page.viewport_size["width"]
        for path in paths:
            where = f"{path} at {width}"
            page.goto(path.format(**places))
            if page.evaluate("document.documentElement.dir") != "rtl":
                yield f"{where}: not from right to left"
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                yield f"{where}: {wide} pixels wide"
            yield from (f"{where}: {text}" for text in page.evaluate(LEFT, NOT_OURS) if text not in known)
            yield from (f"{where}: {text}" for text in page.evaluate(CUT))


DATA: tuple[str, ...] = ()
"""What these stores, players and cards are called."""
