"""The store's prizes by rank: a list that is typed line by line, and who gets what of it.

The sources know one award only (rule 5.4). Prizes by rank are the store's own; how shared ranks (rule 5.2) and players
who dropped (rule 5.5) have part in them is decided here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.domain.standings import Standing
from tourney.runtime.messages import Message, message

EVERYBODY = frozenset("everybody everyone all alle jede todos todas tous toutes".split())
"""The word before the colon, in every language that Flagship speaks."""
LINE = re.compile(r"(?P<who>[^:]*):\s*(?P<what>.*)")
RANKS = re.compile(r"(?P<first>\d{1,3})(?:\s*(?:-|–|to)\s*(?P<last>\d{1,3}))?", re.IGNORECASE)

NO_PRIZE = message("Line {number}, “{line}”: type a rank, a colon and the prize, like “1: flagship model”.")
NO_RANK = message("Line {number}, “{line}”: start with a rank (1), a range (2-4) or “everyone”, then a colon.")
NO_RANGE = message("Line {number}, “{line}”: ranks start at 1, and a range goes from the lower to the higher number.")


class InvalidPrizes(Exception):
    """The text is no prize list; `errors` holds a sentence for each line that is wrong."""

    def __init__(self, errors: Sequence[Message]) -> None:
        super().__init__(" ".join(map(str, errors)))
        self.errors = tuple(errors)


@dataclass(frozen=True, slots=True)
class Prize:
    """Something for each of the `ranks`, from the first to the last; None: for everybody who played."""

    what: str
    ranks: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A prize that a player gets; or, while `among` holds rivals (this player too), one of the `pieces` for them."""

    what: str
    among: tuple[int, ...] = ()
    pieces: int = 0


def parse_prizes(text: str) -> tuple[Prize, ...]:
    """The prizes in their order: a line each, "1: flagship", "2-4: booster", "everybody: promo card".

    Raises InvalidPrizes with every error at once.
    """
    prizes: list[Prize] = []
    errors: list[Message] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            found = _prize(line.strip())
            if isinstance(found, Prize):
                prizes.append(found)
            else:
                errors.append(message(found.id, number=number, line=line.strip()[:40]))
    if errors:
        raise InvalidPrizes(errors)
    return tuple(prizes)


def claims(prizes: Sequence[Prize], table: Sequence[Standing]) -> dict[int, tuple[Claim, ...]]:
    """What each player of the standings gets, in the order of the list.

    Who shares a rank gets what all their places have a right to; what is for some of these places only is theirs to
    roll off. Who dropped keeps the rank (rule 5.5), and with it the prize.
    """
    found: dict[int, list[Claim]] = {standing.id: [] for standing in table}
    for prize in prizes:
        for group in _groups(table):
            for standing in group:
                found[standing.id] += _claims(prize, group)
    return {id: tuple(own) for id, own in found.items()}


def left_over(prizes: Sequence[Prize], table: Sequence[Standing]) -> tuple[tuple[Prize, int], ...]:
    """The prizes that are for ranks nobody has, and how many pieces of each stay in the store."""
    counted = ((prize, _pieces(prize.ranks, len(table) + 1, 999)) for prize in prizes if prize.ranks)
    return tuple((prize, pieces) for prize, pieces in counted if pieces)


def _prize(line: str) -> Prize | Message:
    """The prize, or what is wrong with the line."""
    parts = LINE.fullmatch(line)
    if parts is None or not parts["what"]:
        return NO_PRIZE
    who = parts["who"].strip().casefold()
    if who in EVERYBODY:
        return Prize(parts["what"])
    ranks = RANKS.fullmatch(who)
    if ranks is None:
        return NO_RANK
    first, last = int(ranks["first"]), int(ranks["last"] or ranks["first"])
    if not 1 <= first <= last:
        return NO_RANGE
    return Prize(parts["what"], (first, last))


def _groups(table: Sequence[Standing]) -> Iterator[tuple[Standing, ...]]:
    """The players in groups that share a rank."""
    return (tuple(group) for _, group in groupby(table, key=lambda standing: standing.rank))


def _claims(prize: Prize, group: tuple[Standing, ...]) -> tuple[Claim, ...]:
    """What each of a group with one rank gets of the prize."""
    if prize.ranks is None:
        return (Claim(prize.what),)
    pieces = _pieces(prize.ranks, group[0].rank, group[0].rank + len(group) - 1)
    if not pieces:
        return ()
    if pieces == len(group):
        return (Claim(prize.what),)
    return (Claim(prize.what, tuple(standing.id for standing in group), pieces),)


def _pieces(ranks: tuple[int, int], first: int, last: int) -> int:
    """How many of the places from first to last a prize for these ranks is for."""
    return max(0, min(ranks[1], last) - max(ranks[0], first) + 1)
