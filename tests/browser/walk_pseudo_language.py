"""Every page in a language that nobody speaks, from right to left: what is left in English, cut, or too wide.

It takes the sentences of the German catalogue (`manage.py makemessages -l de` collects them): `make walk-pseudo`.
"""

import calendar
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import CharField, TextField
from django.test import Client
from playwright.sync_api import Page

from fleets.domain.cards import FACTIONS
from fleets.models import CatalogueCard
from scoring.shipped import shipped_packs
from tests.support import pseudo
from tests.support.browsing import LAPTOP, PHONE
from tests.support.every_page import FOR_A_PLAYER, FOR_EVERYBODY, FOR_THE_OWNER, make_places
from tests.support.fitting import CUT
from tourney import access
from tourney.models import Fleet, JournalEntry, Store, TokenLine, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("stores_on_request")]

NOT_OURS = "[lang=en], [translate=no], noscript, .build-code, code, pre, script, style, textarea, [aria-hidden]"
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
    found = [*complaints(pages, FOR_EVERYBODY, places)]
    assert not found, "\n".join(found)


def walk_what_an_owner_sees_speaks_the_readers_language(pages, places, server: str):
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(User.objects.get(username=f"owner@{places['store']}"))
    for page in pages:
        page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])

    found = [*complaints(pages, FOR_THE_OWNER, places)]
    assert not found, "\n".join(found)


def walk_what_a_player_sees_speaks_the_readers_language(pages, places, server: str):
    name = access.card_cookie(Store.objects.get(slug=places["store"]))
    for page in pages:
        page.context.add_cookies([{"name": name, "value": places["card"], "url": server}])

    found = [*complaints(pages, FOR_A_PLAYER, places)]
    assert not found, "\n".join(found)


def complaints(pages: list[Page], paths: tuple[str, ...], places: dict[str, str]) -> Iterator[str]:
    """What is wrong where."""
    data = Data()
    for page in pages:
        width = page.viewport_size["width"]
        for path in paths:
            if path in IN_ENGLISH:
                continue
            where = f"{path} at {width}"
            page.goto(path.format(**places))
            if page.evaluate("document.documentElement.dir") != "rtl" and not IN_THE_STORES_LANGUAGE.search(path):
                yield f"{where}: not from right to left"
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                yield f"{where}: {wide} pixels wide"
            yield from (f"{where}: {text}" for text in page.evaluate(LEFT, NOT_OURS) if data.is_more_than(text))
            yield from (f"{where}: {text}" for text in page.evaluate(CUT))


class Data:
    """What is in English because it is somebody's own words, or a name: of people, cards, months, programs."""

    def __init__(self) -> None:
        found = {*ALWAYS, *FACTIONS, *FACTIONS.values()}
        for model in apps.get_models():
            columns = [one.name for one in model._meta.concrete_fields if isinstance(one, CharField | TextField)]
            names = [name for name in columns if (model, name) not in SENTENCES]
            rows = model._default_manager.values_list(*names)
            found.update(text for row in rows for text in row if isinstance(text, str))
        for card in CatalogueCard.objects.all():
            found.update(texts_in(card.data))
            found.update(part for one in card.sets for part in (one, *one.split(": ")))
        for sheet in Fleet.objects.values_list("data", flat=True):
            found.update(texts_in(sheet))
        for pack in shipped_packs():
            found.update((pack.storyline, pack.name, pack.prize_ship, pack.resource.name, *pack.titles, *pack.factions))
        lines = {line.strip() for text in found for line in str(text).splitlines()}
        self.names = sorted((one for one in lines if len(one) > 2), key=len, reverse=True)

    def is_more_than(self, text: str) -> bool:
        """Whether English is left in the text without all these."""
        for name in self.names:
            if name in text:
                text = text.replace(name, " ")
        return bool(ENGLISH.search(text))


def texts_in(data: Any) -> Iterator[str]:
    """All texts of JSON."""
    if isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from texts_in(one)
    elif isinstance(data, str):
        yield data


IN_THE_STORES_LANGUAGE = re.compile(r"/paper/|/wall/|/qr/|/poster/|sheet/")
"""Paper and screens, which are for all who are there."""
IN_ENGLISH = ("/style/",)
"""Pages for whoever changes Flagship."""
ENGLISH = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b|^\W*[A-Z][a-z]{3,}\W*$")
ALWAYS = (
    "Flagship",
    "Pseudo",
    "Battle Points",
    "Fleet Points",
    "Battle Stations",
    "Commendation Award Token",
    "Rule of 3",
    "nothing like it",  # what is searched for
    "nobody at all",
    "house rulings",
    "English",  # languages in their own
    "Deutsch",
    *calendar.day_name,  # of the locale, by CLDR
)
SENTENCES = {(JournalEntry, "what"), (JournalEntry, "did"), (TokenLine, "reason")}
"""Columns that keep what we said ourselves, in English beside the message."""
