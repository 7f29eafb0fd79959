"""What happened at a table (rules 1.2, 2.7–2.12)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tourney.runtime.messages import Message, Printed, message

type Name = str | Message
"""What a player is called in a sentence; who reads it has an empty name, and is "you"."""

NAMES: tuple[Name, Name] = (message("Player A"), message("Player B"))


class Ending(StrEnum):
    """How a match ended (rules 1.2, 2.7, 2.9, 2.11, 2.12)."""

    ELIMINATION = "elimination"
    BOTH_ELIMINATED = "both_eliminated"
    TIME = "time"
    SCENARIO = "scenario"
    CONCESSION = "concession"
    NO_SHOW = "no_show"
    BOTH_NO_SHOWS = "neither_came"
    DOUBLE_LOSS = "double_loss"
    RULING = "ruling"


NOT_PLAYED = (Ending.NO_SHOW, Ending.BOTH_NO_SHOWS)
"""Rule 2.11: these matches never began: no meeting, no bye, nothing to count."""


@dataclass(frozen=True, slots=True)
class Side:
    """What is left and what was counted on one side; adjustment is a ruling's Fleet Points (rule 2.12)."""

    sp_left: int = 0
    tallies: tuple[tuple[str, int], ...] = ()
    adjustment: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """What happened at a table.

    out: the side (0 or 1) that was eliminated, conceded, did not come, or loses by a ruling.
    condition: (side, index into the pack's win_conditions), when a ranked win condition decided.
    rolled: the side that won the roll-off at the table.
    """

    ending: Ending
    sides: tuple[Side, Side]
    out: int | None = None
    condition: tuple[int, int] | None = None
    rolled: int | None = None

    @property
    def counts(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """How often each side counted each tally; a key that is not there counts 0."""
        return dict(self.sides[0].tallies), dict(self.sides[1].tallies)


def capital[Called: Name](name: Called) -> Called | str:
    """A name as it begins a sentence, with its first letter large."""
    if isinstance(name, Printed):
        return Printed(name.as_written, name.language, begins=True)
    return name[:1].upper() + name[1:] if isinstance(name, str) else name
