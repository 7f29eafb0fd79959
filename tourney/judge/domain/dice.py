"""The odds of dice (rules 4.2 and 6.3), exact. A die is the list of its faces, each as likely as the others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from tourney.runtime.messages import Message, message, pmessage

LETTERS = {"h": "hit", "c": "critical", "b": "battle stations", "e": "evade", "-": "blank"}
"""How faces that lie on the table are written: "hhb-"."""


@dataclass(frozen=True, slots=True)
class DiceGoal:
    """At least `least` dice that show one of these faces."""

    faces: frozenset[str]
    least: int

    def is_met(self, faces: Sequence[str]) -> bool:
        """Whether these faces show at least `least` hits."""
        return self.hits(faces) >= self.least

    def hits(self, faces: Sequence[str]) -> int:
        """The number of dice that show a wanted face."""
        return sum(face in self.faces for face in faces)


def parse_faces(text: str, die: Sequence[str]) -> tuple[str, ...] | None:
    """The faces that are written there; None where one of them is none of the die's."""
    faces = tuple(LETTERS[letter] for letter in text if letter in LETTERS)
    return faces if len(faces) == len(text) and set(faces) <= set(die) else None


def counts(die: Sequence[str], faces: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """How many of the faces rolled show each face of the die, in the die's order."""
    return tuple((face, faces.count(face)) for face in dict.fromkeys(die))


def share(die: Sequence[str], wanted: Collection[str]) -> Fraction:
    """The chance that one die shows one of these faces."""
    return Fraction(sum(face in wanted for face in die), len(die))


def exactly(die: Sequence[str], dice: int, wanted: Collection[str]) -> tuple[Fraction, ...]:
    """The chances that 0, 1, … all of the dice show one of these faces; they add up to 1."""
    one = share(die, wanted)
    return tuple(comb(dice, hits) * one**hits * (1 - one) ** (dice - hits) for hits in range(dice + 1))


def chance(die: Sequence[str], dice: int, wish: DiceGoal) -> Fraction:
    """The chance that a roll of so many dice is what is wished for."""
    return sum(exactly(die, dice, wish.faces)[max(wish.least, 0) :], Fraction(0))


def chance_with_again(die: Sequence[str], dice: int, wish: DiceGoal, again: int) -> Fraction:
    """The same when afterwards up to `again` dice are rolled once more: the best ones, those that missed (rule 6.3)."""
    return sum(
        (
            first * chance(die, min(again, dice - hits), DiceGoal(wish.faces, wish.least - hits))
            for hits, first in enumerate(exactly(die, dice, wish.faces))
        ),
        Fraction(0),
    )


def chance_now(die: Sequence[str], faces: Sequence[str], again: Collection[int], wish: DiceGoal) -> Fraction:
    """The chance of the wish when the dice at these places (from 0) of a roll are rolled once more, the others stay."""
    staying = [face for place, face in enumerate(faces) if place not in again]
    return chance_from(die, len(faces), staying, wish)


def chance_from(die: Sequence[str], dice: int, faces: Sequence[str], wish: DiceGoal) -> Fraction:
    """The chance of the wish on so many dice when these faces of it lie there already."""
    return chance(die, dice - len(faces), DiceGoal(wish.faces, wish.least - wish.hits(faces)))


def best_again(faces: Sequence[str], wish: DiceGoal, most: int) -> tuple[int, ...]:
    """The places (from 0) of the dice to roll once more: up to `most` that missed; none where the wish is met."""
    if wish.is_met(faces):
        return ()
    return tuple(place for place, face in enumerate(faces) if face not in wish.faces)[:most]


def percent(chance: Fraction) -> Message:
    """A chance to a tenth of a percent; what can happen is never shown as 0, what can fail never as 100."""
    tenths = (chance * 2000 + 1) // 2
    if chance > 0 and tenths == 0:
        return message("under {percent}%", percent=_tenths(1))
    if chance < 1 and tenths == 1000:
        return message("over {percent}%", percent=_tenths(999))
    return message("{percent}%", percent=_tenths(tenths))


def _tenths(number: int) -> Message | str:
    whole, tenth = map(str, divmod(number, 10))
    return whole if tenth == "0" else pmessage("a number", "{whole}.{tenth}", whole=whole, tenth=tenth)
