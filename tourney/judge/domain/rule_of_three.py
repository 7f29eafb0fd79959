"""The Rule of 3 (rule 8): a value in six steps, worked out from the printed one each time."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from tourney.runtime.messages import Message, message

MOST = 3
"""How far modifiers can raise or lower a value together."""
NONE, NOT_HERE = message("none"), message("doesn’t apply")
CLOAK = 4
"""What cloaking adds to the printed Agility."""


@dataclass(frozen=True, slots=True)
class Value:
    """What can be modified. `range_bonus` says when it gets one more die, None where it never does."""

    key: str
    name: Message
    range_bonus: Message | None = None
    can_cloak: bool = False


VALUES = (
    Value("primary", message("Primary weapon, attack dice"), range_bonus=message("Range 1: +1 attack die")),
    Value(
        "agility",
        message("Agility, defense dice"),
        range_bonus=message("Range 3: +1 defense die"),
        can_cloak=True,
    ),
    Value("attack", message("Attack of a secondary weapon")),
    Value("hull", message("Hull")),
    Value("shields", message("Shields")),
    Value("speed", message("Speed of a maneuver")),
    Value("range", message("Range")),
    Value("sp", message("SP, in play")),
    Value("skill", message("Captain skill")),
)
"""Dice rolled and the value they come from are one value."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A replacement by a number; `number` None is the Cloak, the printed value + 4."""

    number: int | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Modifier:
    """What something adds to the value, or takes from it."""

    number: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that is on a value now. `fixed` stands in the order in which it took effect; nothing else has one.

    Not `in_play` means a building cost or Fleet Points, which know no Rule of 3 and no range.
    """

    printed: int
    fixed: tuple[Fixed, ...] = ()
    times: int = 1
    divided_by: int = 1
    modifiers: tuple[Modifier, ...] = ()
    range_bonus: int = 0
    in_play: bool = True


@dataclass(frozen=True, slots=True)
class CalculationStep:
    """One of the six: what is done, as a sum in words, and the number it leaves, or the one it `adds`."""

    name: Message
    sum: Message | str
    number: int
    adds: bool = False

    @property
    def shown(self) -> str:
        """The number as the page shows it, with its sign where it is added."""
        return signed(self.number) if self.adds else plain(self.number)

    @property
    def is_nothing(self) -> bool:
        """Whether the step changes nothing."""
        return self.sum in (NONE, NOT_HERE)


@dataclass(frozen=True, slots=True)
class Calculation:
    """The value that counts; `raw` is the sum itself, which may lie below 0.

    `cut` is what the Rule of 3 took away of the modifiers (0, 2, -4). The last three `steps` add to the third;
    `notes` say what the sources leave open, and what was decided.
    """

    value: int
    raw: int
    base: int
    modifiers: int
    kept: int
    range_bonus: int
    steps: tuple[CalculationStep, ...]
    notes: tuple[Message, ...] = ()

    @property
    def cut(self) -> int:
        """How much of the modifiers the limit of 3 takes away."""
        return self.modifiers - self.kept

    @property
    def cut_in_words(self) -> Message | str:
        """What the limit of 3 did to the modifiers, empty where it did nothing."""
        if not self.cut:
            return ""
        return message("Rule of 3: {all} counts as {kept}", all=signed(self.modifiers), kept=signed(self.kept))

    @property
    def shown(self) -> str:
        """The value as the page shows it."""
        return plain(self.value)

    @property
    def sum(self) -> str:
        """What is added at the end, "5 + 3 + 1"; the base alone where nothing is."""
        parts = [f"{'+' if number > 0 else '−'} {abs(number)}" for number in (self.kept, self.range_bonus) if number]
        return " ".join([plain(self.base), *parts])


def answer(question: Question) -> Calculation:
    """Rule 8: printed, fixed replacement, multiply and divide, sum of the modifiers cut to ±3, range bonus.

    In play a value below 0 counts as 0; a cost or Fleet Points stay as they are.
    """
    fixed = _fixed(question)
    base = _multiplied(fixed, question)
    modifiers = sum(one.number for one in question.modifiers)
    kept = clamped(modifiers) if question.in_play else modifiers
    bonus = question.range_bonus if question.in_play else 0
    raw = base + kept + bonus
    return Calculation(
        value=max(raw, 0) if question.in_play else raw,
        raw=raw,
        base=base,
        modifiers=modifiers,
        kept=kept,
        range_bonus=bonus,
        steps=(
            CalculationStep(message("Printed value"), message("on the card"), question.printed),
            CalculationStep(message("Fixed replacement"), _fixed_words(question), fixed),
            CalculationStep(message("Double or half"), _multiplied_words(fixed, question), base),
            CalculationStep(message("Sum of the modifiers"), _modifier_words(question), modifiers, adds=True),
            CalculationStep(message("Rule of 3"), _clamp_words(modifiers, kept, question.in_play), kept, adds=True),
            CalculationStep(message("Range bonus"), _range_words(question), bonus, adds=True),
        ),
        notes=tuple(_notes(question, base, raw)),
    )


def clamped(modifiers: int) -> int:
    """Rule 8, step 5: the sum of all modifiers, at least −3 and at most +3."""
    return max(-MOST, min(MOST, modifiers))


def signed(number: int) -> str:
    """A modifier as people write it: +4, −2, 0."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    """A number with a real minus."""
    return str(number).replace("-", "−")


def _fixed(question: Question) -> int:
    if not question.fixed:
        return question.printed
    last = question.fixed[-1].number
    return question.printed + CLOAK if last is None else last


def _multiplied(number: int, question: Question) -> int:
    return ceil(Fraction(number * question.times, question.divided_by))


def _fixed_words(question: Question) -> Message:
    if not question.fixed:
        return NONE
    last = question.fixed[-1]
    if last.number is None:
        sum = f"{plain(question.printed)} + {CLOAK}"
        return message("{label}: {sum}", label=last.label or message("Cloak"), sum=sum)
    return message("{label}: {sum}", label=last.label or message("Replaced"), sum=plain(last.number))


def _multiplied_words(number: int, question: Question) -> Message | str:
    parts = [f"× {question.times}"] * (question.times != 1) + [f"÷ {question.divided_by}"] * (question.divided_by != 1)
    if not parts:
        return NONE
    sum = " ".join([plain(number), *parts])
    is_rounded = number * question.times % question.divided_by != 0
    return message("{sum}, rounded up", sum=sum) if is_rounded else sum


def _modifier_words(question: Question) -> Message | str:
    parts = [f"{signed(one.number)} {one.label}".strip() for one in question.modifiers]
    return ", ".join(parts) or NONE


def _clamp_words(modifiers: int, kept: int, in_play: bool) -> Message:
    if not in_play:
        return NOT_HERE
    if kept == modifiers:
        return message(
            "{sum} is within {least} to {most}", sum=signed(modifiers), least=signed(-MOST), most=signed(MOST)
        )
    return message("{sum} is cut to {kept}", sum=signed(modifiers), kept=signed(kept))


def _range_words(question: Question) -> Message:
    if not question.range_bonus:
        return NONE
    return message("outside the Rule of 3") if question.in_play else NOT_HERE


def _notes(question: Question, base: int, raw: int) -> Iterator[Message]:
    if len(question.fixed) > 1:
        yield message(
            "There are {count} fixed replacements. The rules don’t say which one counts; the last one is used here.",
            count=len(question.fixed),
        )
    if question.times != 1 and question.divided_by != 1:
        yield message(
            "The rules give no order for doubling and halving. Here a value is doubled, then halved, then rounded once."
        )
    if base * question.divided_by != _fixed(question) * question.times:
        yield message("The rules don’t say how to round a half. Here it’s rounded up.")
    if question.in_play and raw < 0:
        yield message("The sum is {sum}. No value falls below 0, so it counts as 0.", sum=plain(raw))
    if not question.in_play and raw < 0:
        yield message("A cost can’t go below 0 SP (rule 7.7); Fleet Points can.")
