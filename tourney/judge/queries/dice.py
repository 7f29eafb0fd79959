"""Dice of the judge's desk: rolled from a seed or typed as they lie, and what they decide (rules 4.1 to 4.3).

static/js/dice.js and static/js/scenario-dice.js do the same on a device without a network; both answer tests/vectors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE, FACE_NAMES, DiceRoll, levels, roll_faces, still_tied
from tourney.domain.roll_offs import outcome
from tourney.judge.domain import dice
from tourney.judge.domain.dice import DiceGoal, parse_faces
from tourney.judge.domain.scenario_dice import ATTACK, DEFENSE, Hand, NextRoll, Roll, ScenarioOutcome, stations
from tourney.runtime.messages import Message, message

DICE = {ATTACK: ATTACK_DIE, DEFENSE: DEFENSE_DIE}
OTHER = "other"
"""A face that does not matter, of dice on the table of which only those that do were typed."""
FACES = {**FACE_NAMES, OTHER: message("Another face")}
"""What a page calls them."""
PLAYER = 1
"""Whose dice they are on the page of dice alone."""


@dataclass(frozen=True, slots=True)
class Odds:
    """A chance as a fraction and in percent."""

    chance: Fraction

    @property
    def percent(self) -> Message:
        """The chance as text in percent."""
        return dice.percent(self.chance)

    @property
    def fraction(self) -> str:
        """Exact, where that can be read."""
        return f"{self.chance.numerator} / {self.chance.denominator}" if self.chance.denominator < 10**9 else ""


@dataclass(frozen=True, slots=True)
class Die:
    """One of the dice that lie there; `roll` is the roll it was last in."""

    place: int
    face: str
    roll: int
    is_wanted: bool


@dataclass(frozen=True, slots=True)
class Lying:
    """The dice as they lie, how many show each face by its name, and whether that is what was wished for.

    `missing` of those on the table are not typed yet; `chance` is then what they can still bring, and else the chance
    after the best die was rolled once more, None where there is nothing to gain.
    """

    dice: tuple[Die, ...]
    counts: tuple[tuple[Message, int], ...]
    hits: int
    is_met: bool
    missing: int
    chance: Odds | None


@dataclass(frozen=True, slots=True)
class DicePlay:
    """What came of it; or the rolls as far as they are typed, and the dice on the table that come `next`."""

    outcome: ScenarioOutcome | None
    rolls: tuple[tuple[Hand, ...], ...]
    next: NextRoll | None = None


def from_seed(die: str, many: int, wish: DiceGoal, seed: str, again: Sequence[frozenset[int]]) -> Lying:
    """So many dice of the seed; those at the places of each set of `again` were rolled once more, set after set."""
    rolls = [roll_faces(seed, number, PLAYER, many, DICE[die]) for number in range(1, len(again) + 2)]
    last = [1 + max((n for n, places in enumerate(again, 1) if place in places), default=0) for place in range(many)]
    return _lying(die, many, wish, tuple(rolls[roll - 1][place] for place, roll in enumerate(last)), last)


def from_hand(die: str, many: int, wish: DiceGoal, hand: str) -> Lying:
    """So many dice on the table, of which these are typed."""
    faces = parse_faces(hand, DICE[die]) or ()
    return _lying(die, many, wish, faces, [1] * len(faces))


def _lying(die: str, many: int, wish: DiceGoal, faces: tuple[str, ...], rolls: Sequence[int]) -> Lying:
    missing, best = many - len(faces), dice.best_again(faces, wish, 1)
    chance: Fraction | None
    if missing:
        chance = dice.chance_from(DICE[die], many, faces, wish)
    else:
        chance = dice.chance_now(DICE[die], faces, best, wish) if best else None
    return Lying(
        dice=tuple(
            Die(place, face, roll, face in wish.faces)
            for place, (face, roll) in enumerate(zip(faces, rolls, strict=True))
        ),
        counts=tuple((FACES[face], count) for face, count in dice.counts(DICE[die], faces)),
        hits=wish.hits(faces),
        is_met=wish.is_met(faces),
        missing=missing,
        chance=None if chance is None else Odds(chance),
    )


def odds(die: str, many: int, wish: DiceGoal) -> tuple[Odds, Odds, tuple[tuple[int, Odds, Odds], ...]]:
    """The chance of the wish, the same with one die rolled again, and for each number of hits: exactly, at least."""
    exactly = dice.exactly(DICE[die], many, wish.faces)
    rows = tuple((hits, Odds(one), Odds(sum(exactly[hits:], Fraction(0)))) for hits, one in enumerate(exactly))
    return (
        Odds(dice.chance(DICE[die], many, wish)),
        Odds(dice.chance_with_again(DICE[die], many, wish, 1)),
        rows,
    )


def roller(seed: str) -> Roll:
    """Dice that fall as rule 4.3 says, from this seed."""
    return lambda asked: roll_faces(seed, asked.number, asked.player, asked.dice, DICE[asked.die])


def played(play: Callable[[Roll], ScenarioOutcome], roll: Roll) -> DicePlay:
    """The outcome of a play whose dice `roll` brings."""
    outcome = play(roll)
    return DicePlay(outcome, outcome.rolls)


def played_by_hand(play: Callable[[Roll], ScenarioOutcome], hands: Sequence[str]) -> DicePlay:
    """The play with dice on the table; a hand with fewer faces than dice has the ones that matter.

    A hand that cannot be, because what was asked has changed since, is asked for again, and those after it.
    """
    rolls: dict[int, list[Hand]] = {}
    coming = iter(hands)

    def lying(asked: NextRoll) -> tuple[str, ...]:
        faces = parse_faces(next(coming, "?"), DICE[asked.die])
        if faces is None or len(faces) > asked.dice:
            raise _IsNext(asked)
        faces += (OTHER,) * (asked.dice - len(faces))
        rolls.setdefault(asked.number, []).append(Hand(asked.who, asked.die, faces, asked.face))
        return faces

    try:
        return played(play, lying)
    except _IsNext as error:
        return DicePlay(None, tuple(map(tuple, rolls.values())), error.args[0])


def rolled_off(names: Sequence[str], roll: Roll) -> ScenarioOutcome:
    """Rule 4.1: 5 attack dice each, most Battle Stations ahead, who is tied rolls again until no one is."""
    named = dict(enumerate(names, start=1))
    rolls: list[DiceRoll] = []
    hands: list[tuple[Hand, ...]] = []
    while level := still_tied(tuple(named), rolls):
        entrants = sorted(one for group in level for one in group)
        hands.append(tuple(stations(len(rolls) + 1, one, named[one], roll) for one in entrants))
        counts = [hand.count for hand in hands[-1]]
        rolls.append(DiceRoll(tuple(zip(entrants, counts, strict=True))))
    return ScenarioOutcome(outcome(levels(tuple(named), rolls), named), tuple(hands))


class _IsNext(Exception):
    """Nobody has typed yet how these dice lie."""
