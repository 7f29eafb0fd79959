"""What scenarios and ties decide by dice, as forms: who rolls, and how many. The procedures are data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from tourney.judge.domain.scenario_dice import (
    AwayTeam,
    NextThrow,
    Roll,
    ScenarioOutcome,
    away_battle,
    target,
    too_many_beams,
    tractor_check,
)
from tourney.judge.forms.dice import HAND, LONGEST_HAND, SEED_LENGTH, after_press, fitting
from tourney.judge.queries.dice import DicePlay, played, played_by_hand, rolled_off, roller

MOST_HANDS = 100


@dataclass(frozen=True, slots=True)
class Name:
    """A name; where it is left empty the label stands for it, and for a `spare` one nobody takes part."""

    label: str
    is_spare: bool = False

    def field(self) -> forms.Field:
        """The form field of this name."""
        stands = {} if self.is_spare else {"placeholder": self.label}
        widget = forms.TextInput(attrs={"autocomplete": "off", **stands})
        return forms.CharField(label=self.label, max_length=60, required=False, widget=widget)


@dataclass(frozen=True, slots=True)
class NumberSetting:
    """A whole number from `least` to `most`."""

    label: str
    least: int
    most: int
    usual: int

    def field(self) -> forms.Field:
        """The form field of this number."""
        said = f"Type a whole number from {self.least} to {self.most}."
        return forms.IntegerField(
            label=self.label,
            min_value=self.least,
            max_value=self.most,
            initial=self.usual,
            widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "number"}),
            error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), said),
        )


@dataclass(frozen=True, slots=True)
class Procedure:
    """Something that is decided by dice: how, in short and in full, what is asked before, and what comes of it."""

    title: str
    says: str
    how: str
    asks: Mapping[str, Name | NumberSetting]
    play: Callable[[Mapping[str, Any], Roll], ScenarioOutcome]


PLAYERS = {
    "first": Name("Player 1"),
    "second": Name("Player 2"),
    "third": Name("Player 3", is_spare=True),
    "fourth": Name("Player 4", is_spare=True),
}


def _names(facts: Mapping[str, Any]) -> list[str]:
    return [facts[name] for name in PLAYERS if facts[name]]


def _teams(facts: Mapping[str, Any]) -> tuple[AwayTeam, AwayTeam]:
    return (
        AwayTeam(facts["first"], facts["first_cards"], facts["first_skill"]),
        AwayTeam(facts["second"], facts["second_cards"], facts["second_skill"]),
    )


PROCEDURES = {
    "roll-off": Procedure(
        "Roll-off",
        "Most Battle Stations on 5 dice is ahead.",
        "Each rolls 5 attack dice and most Battle Stations is ahead; who is level rolls again (rule 4.1).",
        PLAYERS,
        lambda facts, roll: rolled_off(_names(facts), roll),
    ),
    "target": Procedure(
        "DS9’s target",
        "DS9 fires at the fewest Battle Stations on 5 dice.",
        "Nobody controls the station and several are in range: each rolls 5 attack dice, and DS9 fires at the fewest "
        "Battle Stations. The scenario is silent on a tie; here those who share the fewest roll again.",
        PLAYERS,
        lambda facts, roll: target(_names(facts), roll),
    ),
    "away-teams": Procedure(
        "Away teams",
        "The higher captain skill attacks, the other strikes back.",
        "The team with the higher captain skill attacks: an attack die for each of its cards against a defense die for "
        "each of the other’s. A Hit without an Evade discards a card; then those who are left strike back. With equal "
        "skill both attack with all their cards, player 1, who has initiative, first. Only Hits count here, Critical "
        "Hits do not. The skill is that of the best captain aboard, without one it is 1.",
        {
            "first": Name("Player 1"),
            "first_cards": NumberSetting("Player 1’s cards aboard", 1, 30, 3),
            "first_skill": NumberSetting("Player 1’s captain skill", 1, 12, 6),
            "second": Name("Player 2"),
            "second_cards": NumberSetting("Player 2’s cards aboard", 1, 30, 3),
            "second_skill": NumberSetting("Player 2’s captain skill", 1, 12, 5),
        },
        lambda facts, roll: away_battle(*_teams(facts), roll),
    ),
    "tractor-beam": Procedure(
        "Tractor beam",
        "As many Battle Stations as the ship has break its beam.",
        "A ship that was hit while it holds the small craft rolls 5 defense dice, the attacker 5 attack dice. As many "
        "Battle Stations as the ship has are enough for the attacker to break the beam.",
        {"first": Name("The attacker"), "second": Name("The ship that was hit")},
        lambda facts, roll: tractor_check(facts["second"], facts["first"], roll),
    ),
    "too-many-beams": Procedure(
        "Too many beams",
        "A Critical Hit destroys the small craft.",
        "A ship that uses its tractor beam puts its Target Lock Token on the small craft first, and that one counts. "
        "Two tokens are safe: the ship’s own and one from another ship. From the third on it rolls an attack die for "
        "each token above 2, and a Critical Hit destroys the craft.",
        {"first": Name("The ship"), "tokens": NumberSetting("Target Lock Tokens, with the ship’s own", 1, 30, 3)},
        lambda facts, roll: too_many_beams(facts["first"], facts["tokens"], roll),
    ),
}
"""By the word that stands for it in the address; the first is shown where none does."""


class ProcedureForm(forms.Form):
    """What a procedure asks; and its dice, by their seed, or by the hands that were typed and the one that is."""

    data: QueryDict
    seed = forms.CharField(max_length=SEED_LENGTH, required=False, widget=forms.HiddenInput)

    def __init__(self, what: str, data: QueryDict | None) -> None:
        super().__init__(data, label_suffix="", auto_id=f"id_{what}_%s")
        self.what, self.procedure = what, PROCEDURES[what]
        self.fields |= {name: one.field() for name, one in self.procedure.asks.items()}

    @property
    def by_hand(self) -> bool:
        """Whether the dice lie on the table and are typed; else the software rolls them."""
        return self.data.get("by") == HAND

    @property
    def hands(self) -> list[str]:
        """The hands that were typed."""
        return (
            [hand.lower()[:LONGEST_HAND] for hand in self.data.getlist("thrown")[:MOST_HANDS]] if self.is_bound else []
        )

    def hand(self, next: NextThrow) -> str:
        """What was typed of the hand that comes next."""
        return fitting(self.data.get("hand", ""), next.die)[: next.dice]

    def played(self) -> DicePlay | None:
        """What the dice lead to, for a form without errors; None as long as there are none."""
        facts = {name: self._said(name) for name in self.procedure.asks}

        def play(roll: Roll) -> ScenarioOutcome:
            return self.procedure.play(facts, roll)

        if self.by_hand:
            return played_by_hand(play, self.hands)
        seed = self.cleaned_data["seed"]
        return played(play, roller(seed)) if seed else None

    def pressed(self, new_seed: str) -> str | None:
        """The query that a pressed button leads to; None where none was. For a form without errors."""
        if "roll" in self.data:
            return self.address([("seed", new_seed)])
        if not self.by_hand:
            return None
        if "back" in self.data:
            return self._by_hand([] if self.data["back"] == "all" else self._typed()[:-1])
        play = self.played() if {"lay", "take", "rest"} & self.data.keys() else None
        next = play.next if play else None
        if next is None:
            return None
        hand = fitting(after_press(self.hand(next), self.data), next.die)
        if "rest" in self.data or len(hand) == next.dice:
            return self._by_hand([*self._typed(), hand])
        return self._by_hand(self._typed(), hand)

    def address(self, dice: Sequence[tuple[str, str]]) -> str:
        """What was typed, with these dice."""
        typed = [(name, self.data.get(name, "")) for name in self.procedure.asks]
        return urlencode([("what", self.what), *((name, text) for name, text in typed if text), *dice])

    def _typed(self) -> list[str]:
        """The hands that are used."""
        play = self.played()
        return self.hands[: sum(len(throw) for throw in play.throws)] if play else []

    def _by_hand(self, hands: Sequence[str], hand: str = "") -> str:
        coming = [("hand", hand)] if hand else []
        return self.address([("by", HAND), *(("thrown", one) for one in hands), *coming])

    def _said(self, name: str) -> str | int:
        one, said = self.procedure.asks[name], self.cleaned_data[name]
        return one.label if isinstance(one, Name) and not one.is_spare and not said else said
