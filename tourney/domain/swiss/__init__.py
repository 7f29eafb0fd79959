"""Pairing by rules 3.1 to 3.8: who meets whom, who has the bye, and why.

    pairing = pair(contenders, seed=1234, rounds_left=1)
    pairing.pairs[0], pairing.bye, sentence(pairing.tables[0].reason, names)

The order of importance (rule 3.3 b to g) is data, `levels.LEVELS`; everything else serves it:

- `order`: the order of rule 3.2, the line for the bye of rule 3.5, what is drawn by the seed;
- `levels`: what a table or a bye costs on each level;
- `exchanges`: where neighbors who are not to meet need only the table above or below, or who is nearby;
- `cuts`: where the line of the seated can be cut elsewhere, and which tables a best pairing can have;
- `matching`: the bye by b and c, then one exact matching over the other levels for each such part of the line, or
  within a radius around the ideal that grows until nothing outside it can be better;
- `lookahead`: rule 3.4 for small fields. Among the pairings without a rematch and without a second bye it
  takes the best one after which as many of the planned rounds as possible can still be played like that;
  `rounds` is the search behind it;
- `again`: some tables of a round paired anew while the others stay; `fewest` keeps the most of those there are;
- `drawn`: what comes out of it, explained when somebody asks;
- `reasons`, `sentences`: rule 3.8; `promises`: rule 3.4 in words; `ties`: the setting of rule 4.4.

The bye is settled before the tables because no two contenders cost the same on level c. Positions for level
g are those of the seated, after the bye is taken out. Nothing here depends on the order of the input:
contenders are sorted by id, then drawn by the seed.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tourney.domain.swiss.again import pair_again
from tourney.domain.swiss.drawn import DrawnPairing
from tourney.domain.swiss.lookahead import clean_rounds, keep_later_rounds
from tourney.domain.swiss.matching import best_choice
from tourney.domain.swiss.model import Contender, NoPairing, Options, Pairing, Reason, Seating
from tourney.domain.swiss.order import field_of
from tourney.domain.swiss.promises import forecast, promise
from tourney.domain.swiss.sentences import UNKNOWN, read_reason, sayable, sentence
from tourney.domain.swiss.ties import groups_that_matter

__all__ = [
    "UNKNOWN",
    "Contender",
    "NoPairing",
    "Options",
    "Pairing",
    "Reason",
    "Seating",
    "clean_rounds_after",
    "flags",
    "forecast",
    "pair",
    "pair_again",
    "promise",
    "read_reason",
    "sayable",
    "sentence",
    "ties_that_change_pairing",
]

AS_USUAL = Options()


def pair(
    contenders: Iterable[Contender],
    *,
    seed: int,
    rounds_left: int = 0,
    options: Options = AS_USUAL,
    first_round: bool = False,
) -> Pairing:
    """The best pairing of one round by rule 3.3, with the look-ahead of rule 3.4.

    `rounds_left` counts the rounds planned after this one. `first_round` draws everything (rule 3.1). The
    same contenders and seed give the same pairing, whatever their order. Raises NoPairing with fewer than
    two contenders, ValueError when an id comes twice, OverflowError when somebody has to move and Battle Points are
    millions apart.
    """
    field = field_of(contenders, seed, options, first_round)
    best = best_choice(field)
    return DrawnPairing(field, keep_later_rounds(field, best, rounds_left), best)


def clean_rounds_after(
    contenders: Iterable[Contender], tables: Iterable[tuple[int, int]], bye: int | None, *, rounds_left: int
) -> int | None:
    """Rule 3.4: how many of the `rounds_left` rounds after this one can still be clean, one after the other.

    Clean is a round without a rematch and without a second bye. `tables` and `bye` are the ids of this round,
    by the engine or by hand, and the answer is for exactly these contenders; without any it is the next
    `rounds_left` rounds from now on. None with more than twelve, the bye counted, where it is neither certain
    nor searched.
    """
    return clean_rounds(field_of(contenders, 0, AS_USUAL, False), tables, bye, rounds_left)


def ties_that_change_pairing(
    contenders: Iterable[Contender],
    groups: Iterable[tuple[int, ...]],
    *,
    options: Options = AS_USUAL,
    rounds_left: int = 0,
) -> tuple[tuple[int, ...], ...]:
    """Rule 4.4, setting "only ties that change the pairing": which tied `groups` of ids must be rolled.

    Every order of groups of up to four is tried, the larger ones are taken to matter, and so are all when
    there are too many orders. Ask again once the first of them are rolled; a group not named then changes
    nothing.
    """

    return _ties_that_change_pairing(tuple(contenders), tuple(groups), options, rounds_left)


@lru_cache(maxsize=16)
def _ties_that_change_pairing(
    contenders: tuple[Contender, ...], groups: tuple[tuple[int, ...], ...], options: Options, rounds_left: int
) -> tuple[tuple[int, ...], ...]:
    """Remembered, because it pairs up to 128 times, and the desk asks on every page until the dice have fallen."""

    def pair_next(placed: Sequence[Contender]) -> Pairing:
        return pair(placed, seed=0, rounds_left=rounds_left, options=options)

    return groups_that_matter(contenders, groups, pair_next)


def flags(a: Contender, b: Contender) -> tuple[str, ...]:
    """What to warn of when these two are put at one table by hand (rule 3.9): "rematch", "same faction"."""
    rematch = a.id in b.met or b.id in a.met
    same_faction = a.faction != "" and a.faction == b.faction
    return ("rematch",) * rematch + ("same faction",) * same_faction
