"""A language that nobody speaks: each sentence of the catalogue with accents, a third longer, from right to left.

What is not in the catalogue stays plain English on its pages, and what has no room for a longer language is cut there.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.contrib.staticfiles.finders import get_finder
from django.template.autoreload import reset_loaders
from django.test import override_settings
from django.utils import translation

from tourney.runtime import language, plain_pages
from tourney.runtime.locale_files import compiled, compiled_for_scripts

CODE = "ar"
"""Its code is that of a language which Django knows to be written from right to left."""
LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçðéƒǧĥíĵķłɱñóþɋŕšŧúṽŵẋýžÁƁÇÐÉƑǦĤÍĴĶŁṀÑÓÞɊŔŠŦÚṼŴẊÝŽ"
)
LONGER = re.compile(r"[áéíóú]")
"""Vowels stand twice: about a third more."""
FACTS = re.compile(r"(\{\w*\}|%\(\w+\)[sd]|%[sd%]|<[^>]*>|&\w+;|&#\d+;)")
"""What stands in a sentence and is none of it: parameters and markup."""
PLURALS = 6
"""The forms of Arabic."""


def pseudo(text: str) -> str:
    """That sentence in the language nobody speaks."""
    parts = FACTS.split(text)
    return "".join(part if place % 2 else _accented(part) for place, part in enumerate(parts))


def _accented(text: str) -> str:
    return LONGER.sub(r"\g<0>\g<0>", text.translate(LETTERS))


def catalogue_of(source: Path) -> Catalog:
    """The sentences of that .po file, in the language nobody speaks."""
    with source.open("rb") as file:
        sentences = read_po(file, abort_invalid=True)
    made = Catalog(locale=CODE)
    for one in sentences:
        if isinstance(one.id, str) and one.id:
            made.add(one.id, pseudo(one.id), context=one.context)
        elif not isinstance(one.id, str):
            few, many = map(pseudo, one.id)
            made.add(one.id, (many, few, *[many] * (PLURALS - 2)), context=one.context)
    return made


@contextmanager
def spoken(folder: Path) -> Iterator[None]:
    """Readers may ask for that language; `folder` is a place for its catalogues."""
    source = settings.BASE_DIR / "locale/de/LC_MESSAGES"
    target = folder / "source" / CODE / "LC_MESSAGES"
    target.mkdir(parents=True)
    for po in sorted(source.glob("*.po")):
        with (target / po.name).open("wb") as file:
            write_po(file, catalogue_of(po), width=0)
    facts = {
        "LANGUAGES": [("en", "English"), (CODE, "Pseudo")],
        "LOCALE_PATHS": [compiled(folder / "source", folder / "compiled")],
        "STATICFILES_DIRS": [*settings.STATICFILES_DIRS, compiled_for_scripts(folder / "source", folder / "scripts")],
    }
    try:
        with override_settings(**facts):
            forget_what_was_said()
            yield
    finally:
        translation.activate("en")
        forget_what_was_said()


def forget_what_was_said() -> None:
    """Forget what is kept for each language, or of static files: templates know their texts by its code."""
    reset_loaders()
    get_finder.cache_clear()
    said = ("tourney.templatetags.", language.__name__, plain_pages.__name__)
    for module in [module for name, module in sys.modules.items() if name.startswith(said)]:
        for one in vars(module).values():
            if isinstance(one, CACHED):
                one.cache_clear()


CACHED = type(cache(bool))
"""What `functools` makes of a function whose answers it keeps."""
