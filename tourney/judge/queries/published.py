"""The rulings that come with Flagship."""

import tomllib
from functools import cache
from pathlib import Path

from django.utils.translation import get_language

from fleets.domain.resources import RESOURCES
from tourney.judge.domain.rulings import RulingSection, read_sections, retirement
from tourney.runtime import locales

FILE = Path(__file__).parents[1] / "data" / "rulings-2016.toml"


def published() -> tuple[RulingSection, ...]:
    """The publisher's, section by section; at the end, in the reader's language, when each resource retires."""
    return _published(get_language(), locales.active())


@cache
def _published(language: str, locale: str) -> tuple[RulingSection, ...]:
    return (*_of_file(), retirement(RESOURCES, locales.written))


@cache
def _of_file() -> tuple[RulingSection, ...]:
    return read_sections(tomllib.loads(FILE.read_text("utf-8")))
