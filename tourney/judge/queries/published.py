"""The rulings that come with Flagship."""

import tomllib
from functools import cache
from pathlib import Path

from tourney.judge.domain.rulings import RulingSection, read_sections

FILE = Path(__file__).parents[1] / "data" / "rulings-2016.toml"


@cache
def published() -> tuple[RulingSection, ...]:
    """The publisher's, section by section."""
    return read_sections(tomllib.loads(FILE.read_text("utf-8")))
