"""Dice of the judge's desk: rolled from a seed, rolled once more, and what they decide (rules 4.1 to 4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fleets.domain import dice
from fleets.domain.dice import Wish
from fleets.domain.scenario_dice import ATTACK, DEFENSE, Hand, Outcome, Roll
from scoring.domain.rolloff import ATTACK_DIE, DEFENSE_DIE, Throw, levels, roll, still_level
from tourney.domain.rolling import outcome

DICE = {ATTACK: ATTACK_DIE, DEFENSE: DEFENSE_DIE}
FACES = {
    "hit": "Hit",
    "critical": "Critical Hit",
    "battle stations": "Battle Stations",
    "evade": "Evade",
    "blank": "Blank",
}
"""What a page calls them."""
PLAYER = 1
"""Whose dice they are on the page of dice alone."""


@dataclass(frozen=True, slots=True)
class Odds:
    """A chance as a fraction and in percent."""

    chance: Fraction

    @property
    def percent(self) -> str:
        return dice.percent(self.chance)

    @property
    def fraction(self) -> str:
        """Exact, where that can be read."""
        return f"{self.chance.numerator} / {self.chance.denominator}" if self.chance.denominator < 10**9 else ""


@dataclass(frozen=True, slots=True)
class Die:
    """One of the dice that lie there; `throw` is the throw it was last in."""

    place: int
    face: str
    throw: int
    is_wanted: bool
    is_best_again: bool


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice as they lie, how many show each face by its name, and whether that is what was wished for.

    `again` is the chance after the best die was rolled once more, None where there is nothing to gain.
    """

    dice: tuple[Die, ...]
    counts: tuple[tuple[str, int], ...]
    hits: int
    is_met: bool
    again: Odds | None


def roller(seed: str) -> Roll:
    """Dice that fall as rule 4.3 says, from this seed."""
    return lambda throw, player, many, die: roll(seed, throw, player, many, DICE[die])


def rolled(die: str, many: int, wish: Wish, seed: str, again: Sequence[frozenset[int]]) -> Rolled:
    """That many dice, of which those at the places of each set of `again` were rolled once more, set after set."""
    throws = [roll(seed, number, PLAYER, many, DICE[die]) for number in range(1, len(again) + 2)]
    last = [1 + max((n for n, places in enumerate(again, 1) if place in places), default=0) for place in range(many)]
    faces = tuple(throws[throw - 1][place] for place, throw in enumerate(last))
    best = dice.best_again(faces, wish, 1)
    return Rolled(
        dice=tuple(
            Die(place, face, throw, face in wish.faces, place in best)
            for place, (face, throw) in enumerate(zip(faces, last, strict=True))
        ),
        counts=tuple((FACES[face], many) for face, many in dice.counts(DICE[die], faces)),
        hits=wish.hits(faces),
        is_met=wish.is_met(faces),
        again=Odds(dice.chance_now(DICE[die], faces, best, wish)) if best else None,
    )


def odds(die: str, many: int, wish: Wish) -> tuple[Odds, Odds, tuple[tuple[int, Odds, Odds], ...]]:
    """The chance of the wish, the same with one die rolled again, and for each number of hits: exactly, at least."""
    exactly = dice.exactly(DICE[die], many, wish.faces)
    rows = tuple((hits, Odds(one), Odds(sum(exactly[hits:], Fraction(0)))) for hits, one in enumerate(exactly))
    return (
        Odds(dice.chance(DICE[die], many, wish)),
        Odds(dice.chance_with_again(DICE[die], many, wish, 1)),
        rows,
    )


def rolled_off(names: Sequence[str], roll: Roll) -> Outcome:
    """Rule 4.1: 5 attack dice each, most Battle Stations ahead, whoever is level rolls again until nobody is."""
    named = dict(enumerate(names, start=1))
    throws: list[Throw] = []
    hands: list[tuple[Hand, ...]] = []
    while level := still_level(tuple(named), throws):
        entrants = sorted(one for group in level for one in group)
        hands.append(
            tuple(
                Hand(named[one], ATTACK, roll(len(throws) + 1, one, 5, ATTACK), "battle stations") for one in entrants
            )
        )
        counts = [hand.count for hand in hands[-1]]
        throws.append(Throw(tuple(zip(entrants, counts, strict=True))))
    return Outcome(outcome(levels(tuple(named), throws), named), tuple(hands))
