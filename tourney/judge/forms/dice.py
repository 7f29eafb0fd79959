"""Dice of the judge's desk (rule 4.2): how many, what is wished for, and which were rolled again, as an address."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import WholeNumberInput
from tourney.judge.domain.dice import LETTERS, DiceGoal
from tourney.judge.domain.scenario_dice import ATTACK, DEFENSE
from tourney.judge.queries.dice import DICE, FACES
from tourney.runtime.messages import Message, message, nmessage, pmessage

START = "die=attack&dice=4&least=2"
MOST_DICE = 30
MOST_AGAIN = 20
LONGEST_HAND = 60
SEED_LENGTH = 40
HAND = "hand"
TOO_MANY = nmessage("This page rolls up to {count} die.", "This page rolls up to {count} dice.", MOST_DICE)
USUAL = {ATTACK: ("hit", "critical"), DEFENSE: ("evade",)}
"""What is wished for where nothing else is said."""
PLACE = re.compile(r"[0-9]{1,2}")
PLACES = re.compile(r"[0-9]{1,2}(-[0-9]{1,2})*")


class DiceForm(forms.Form):
    """Dice of one kind and a wish. `again` has the places of the dice that were rolled once more, time after time."""

    die = forms.ChoiceField(
        label=_("Dice"),
        choices=[(ATTACK, _("Attack dice")), (DEFENSE, _("Defense dice"))],
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose attack or defense dice."),
            "invalid_choice": _("Choose attack or defense dice."),
        },
    )
    dice = forms.IntegerField(
        label=_("Number of dice"),
        min_value=0,
        max_value=MOST_DICE,
        widget=WholeNumberInput(),
        error_messages={
            "required": _("Enter how many dice."),
            "invalid": _("Enter a whole number of dice, such as 4."),
            "min_value": _("You can’t roll fewer than 0 dice."),
            "max_value": lazystr(TOO_MANY),
        },
    )
    least = forms.IntegerField(
        label=_("At least"),
        min_value=0,
        max_value=MOST_DICE,
        widget=WholeNumberInput(),
        error_messages={
            "required": _("Enter how many dice must show it."),
            "invalid": _("Enter a whole number, such as 2."),
            "min_value": _("Enter 0 or more."),
            "max_value": lazystr(TOO_MANY),
        },
    )
    seed = forms.CharField(max_length=SEED_LENGTH, required=False)
    by = forms.CharField(required=False)

    data: QueryDict

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data or QueryDict(START), label_suffix="")

    @property
    def by_hand(self) -> bool:
        """Whether the dice lie on the table and are typed; else the software rolls them."""
        return self.data.get("by") == HAND

    @property
    def hand(self) -> str:
        """The faces typed so far that these dice can show."""
        return fitting(self.data.get("hand", ""), self.kind)[: self.cleaned_data.get("dice") or 0]

    def pressed(self, new_seed: str) -> str | None:
        """The query that a pressed button leads to; None where none was."""
        if "roll" in self.data:
            return self.address(seed=new_seed)
        if "roll_again" in self.data:
            again = [*self.data.getlist("again"), *filter(None, [self.picked()])]
            return self.address(seed=self.cleaned_data["seed"], again=again)
        if {"lay", "take"} & self.data.keys():
            return self.address(hand=fitting(after_press(self.hand, self.data), self.kind))
        return None

    @property
    def kind(self) -> str:
        """The kind of dice, attack dice unless another is named."""
        die = self.data.get("die", "")
        return die if die in DICE else ATTACK

    @property
    def faces_of_dice(self) -> tuple[tuple[str, tuple[tuple[str, Message, bool], ...]], ...]:
        """Of each die its faces, their names, and whether they are wished for."""
        return tuple((die, self._faces(die)) for die in DICE)

    @property
    def wished(self) -> Message:
        """The faces wished for, in words."""
        first, *others = [name for __, name, is_wished in self._faces(self.kind) if is_wished]
        if not others:
            return first
        *more, last = others
        some = first
        for one in more:
            some = pmessage("a list", "{some}, {one}", some=some, one=one)
        return pmessage("a list", "{some} or {last}", some=some, last=last)

    @property
    def rolled_again(self) -> list[Message]:
        """Each roll in which dice were rolled again, in words: "Roll 2: dice 1 and 3 again"."""
        times = [(roll, [place + 1 for place in sorted(places)]) for roll, places in enumerate(self.again, 2)]
        return [
            nmessage(
                "Roll {number}: die {dice} again",
                "Roll {number}: dice {dice} again",
                len(numbers),
                number=roll,
                dice=numbers,
            )
            for roll, numbers in times
            if numbers
        ]

    def clean(self) -> None:
        self.again: tuple[frozenset[int], ...] = ()
        texts = [] if "roll" in self.data or self.by_hand else self.data.getlist("again")
        if len(texts) > MOST_AGAIN or not all(map(PLACES.fullmatch, texts)):
            self.add_error(None, str(message("This link doesn’t say which dice were re-rolled. Start over.")))
            return
        there = range(self.cleaned_data.get("dice") or 0)
        self.again = tuple(frozenset(map(int, text.split("-"))) & frozenset(there) for text in texts)

    def wish(self) -> DiceGoal:
        """The goal that the odds are for."""
        faces = frozenset(face for face, __, is_wished in self._faces(self.kind) if is_wished)
        return DiceGoal(faces, self.cleaned_data["least"])

    def address(self, *, seed: str = "", again: Sequence[str] = (), hand: str | None = None) -> str:
        """The query of this page with this seed and these dice rolled again, or with this hand on the table."""
        wished = [("face", face) for face, __, is_wished in self._faces(self.kind) if is_wished]
        plain = [(name, self.data.get(name, "")) for name in ("die", "dice", "least")]
        roll = [("seed", seed), *(("again", places) for places in again)] if seed else []
        table = [] if hand is None else [("by", HAND), ("hand", hand)]
        return urlencode([*plain, *wished, *roll, *table])

    def picked(self) -> str:
        """The dice that are to be rolled again, as `again` has them; empty where none is."""
        return "-".join(sorted(set(filter(PLACE.fullmatch, self.data.getlist("pick"))), key=int)[:MOST_DICE])

    def _faces(self, die: str) -> tuple[tuple[str, Message, bool], ...]:
        all_faces, asked = tuple(dict.fromkeys(DICE[die])), self.data.getlist("face") if die == self.kind else ()
        wished = [face for face in all_faces if face in asked] or USUAL[die]
        return tuple((face, FACES[face], face in wished) for face in all_faces)


def fitting(hand: str, die: str) -> str:
    """Of the faces that are written there those that this die has."""
    return "".join(letter for letter in hand.lower()[:LONGEST_HAND] if LETTERS.get(letter) in DICE[die])


def keys_of(die: str) -> tuple[tuple[str, str, Message], ...]:
    """A key for each face of the die: its letter, the face, its name."""
    letters = {face: letter for letter, face in LETTERS.items()}
    return tuple((letters[face], face, FACES[face]) for face in dict.fromkeys(DICE[die]))


def after_press(hand: str, data: Mapping[str, str]) -> str:
    """The hand with the face whose key was pressed, or without the die that was taken away."""
    take = data.get("take", "")
    if take == "all":
        return ""
    if PLACE.fullmatch(take):
        return hand[: int(take)] + hand[int(take) + 1 :]
    return hand + data.get("lay", "")
