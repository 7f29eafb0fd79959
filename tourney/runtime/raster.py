"""A drawing of ours as a PNG, made here: for readers who take no SVG, like the programs that preview a link."""

from hashlib import sha256
from pathlib import Path

import resvg_py

from tourney.runtime.kept import VersionedCache, memory

FONTS = Path(__file__).parent / "fonts"
FILES = [str(FONTS / f"RobotoCondensed-{weight}.ttf") for weight in ("Regular", "Bold")]
LAST_LETTER = "\u052f"
"""Our font has the Latin, Greek and Cyrillic letters up to this one, and PUNCTUATION."""
PUNCTUATION = range(0x2010, 0x2123)

_pictures: VersionedCache[bytes] = VersionedCache(memory(0.04), len)


def png_of(svg: str) -> bytes:
    """The picture, as wide and high as the drawing says; made once for all who ask for it.

    Texts are in our own font, Roboto Condensed, which the drawing has to name, whatever the machine has; letters that
    it lacks are in what the machine has.
    """
    digest = sha256(svg.encode()).digest()
    return _pictures.get(digest, digest, lambda _: _painted(svg))


def _painted(svg: str) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        font_files=FILES,
        skip_system_fonts=all(_is_ours(letter) for letter in svg),
    )


def _is_ours(letter: str) -> bool:
    return letter <= LAST_LETTER or ord(letter) in PUNCTUATION
