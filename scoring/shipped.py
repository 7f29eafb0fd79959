"""The month packs that come with Flagship: the files in `packs/`, one per month."""

import tomllib
from functools import cache
from pathlib import Path

from scoring.domain.pack import MonthPack, parse

PACKS = Path(__file__).parent / "packs"


@cache
def shipped_packs() -> tuple[MonthPack, ...]:
    """All of them: storylines by the date of their first month, their months in order, undated ones last."""
    packs = [parse(tomllib.loads(path.read_text("utf-8"))) for path in sorted(PACKS.glob("*.toml"))]
    began: dict[str, str] = {}
    for pack in packs:
        released = pack.released or "undated"
        began[pack.storyline] = min(released, began.get(pack.storyline, released))
    return tuple(sorted(packs, key=lambda pack: (began[pack.storyline], pack.storyline, pack.month or 0)))


def shipped_pack(slug: str) -> MonthPack:
    """The one with that slug. Raises KeyError."""
    return {pack.slug: pack for pack in shipped_packs()}[slug]
