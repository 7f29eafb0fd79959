"""The papers a poster is made for, in tenths of a millimetre."""

from dataclasses import dataclass

EDGE = 90
"""What printers leave white."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet as it hangs on the wall."""

    width: int
    height: int

    @property
    def turned(self) -> "Paper":
        """The same paper with width and height exchanged."""
        return Paper(self.height, self.width)

    @property
    def is_landscape(self) -> bool:
        """Whether it is wider than high."""
        return self.width > self.height

    @property
    def inner_width(self) -> int:
        """The width between the margins, in tenths of a millimetre."""
        return self.width - 2 * EDGE

    @property
    def inner_height(self) -> int:
        """The height between the margins, in tenths of a millimetre."""
        return self.height - 2 * EDGE


PAPERS = {"a4": Paper(2100, 2970), "letter": Paper(2159, 2794)}

SHAPES = ("portrait", "landscape")


def sheets(paper: str, shape: str = "") -> tuple[Paper, ...]:
    """The paper of that name, upright, turned, or either way where no shape is asked for."""
    upright = PAPERS[paper]
    both = dict(zip(SHAPES, (upright, upright.turned), strict=True))
    return (both[shape],) if shape else tuple(both.values())
