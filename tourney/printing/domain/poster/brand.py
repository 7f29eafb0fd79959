"""A store's own color and logo on what is drawn for it."""

from dataclasses import dataclass

from tourney.printing.domain.poster import ink
from tourney.printing.domain.poster.drawing import Logo, Room


@dataclass(frozen=True, slots=True)
class Brand:
    """`color` is for words and lines on the night sky and the hull; `logo` an address with its content, or empty."""

    color: str = ink.SIGNAL
    logo: str = ""
    logo_width: int = 0
    logo_height: int = 0

    def logo_at(self, x: int, y: int, height: int, most: int) -> Logo:
        """The logo on a ground of that height, at most `most` wide, from its upper left corner on."""
        margin = height // 10
        inner = height - 2 * margin
        width = min(inner * self.logo_width // self.logo_height, most - 2 * margin)
        return Logo(Room(x, y, max(width, 1) + 2 * margin, height), self.logo, margin)


PLAIN = Brand()
"""Of a store that chose nothing."""
