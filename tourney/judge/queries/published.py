"""The rulings that come with Flagship."""

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

from django.utils.translation import get_language, gettext

from fleets.domain.resources import RESOURCES
from tourney.judge.domain.rulings import CitedRuling, RulingSection, read_sections, retirement
from tourney.runtime import locales
from tourney.runtime.messages import message

HOUSE_TAG = message("house rulings")
FILES = [Path(__file__).parents[1] / "data" / f"rulings-{name}.toml" for name in ("2016", "scenarios")]


def published() -> tuple[RulingSection, ...]:
    """The publisher's, section by section, in the reader's language; at the end, when each resource retires."""
    return _published(get_language(), locales.active())


@cache
def _published(language: str, locale: str) -> tuple[RulingSection, ...]:
    sections = (
        replace(section, title=gettext(section.title), rulings=tuple(map(_translated, section.rulings)))
        for section in _of_file()
    )
    return (*sections, retirement(RESOURCES, locales.written))


def _translated(ruling: CitedRuling) -> CitedRuling:
    """In the reader's language; in English, and marked so, where the catalogue does not know its text."""
    tags, section = tuple(map(gettext, ruling.tags)), gettext(ruling.section)
    text = gettext(ruling.text)
    if text == ruling.text and get_language() != "en":
        return replace(ruling, tags=tags, section=section, language="en")
    return replace(ruling, topic=gettext(ruling.topic), text=text, tags=tags, section=section)


@cache
def _of_file() -> tuple[RulingSection, ...]:
    return tuple(one for file in FILES for one in read_sections(tomllib.loads(file.read_text("utf-8"))))


def tag_in_language(tag: str) -> str:
    """A tag as the reader's language says it: an address may bring it in English."""
    is_known = tag == HOUSE_TAG.id or any(tag in ruling.tags for section in _of_file() for ruling in section.rulings)
    return gettext(tag) if is_known else tag
