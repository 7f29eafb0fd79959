"""What scenarios and ties decide by dice, as forms: who rolls, and how many. The procedures are data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.functional import lazystr

from tourney.forms.fields import WholeNumberInput
from tourney.judge.domain.scenario_dice import (
    AwayTeam,
    NextRoll,
    Roll,
    ScenarioOutcome,
    away_battle,
    target,
    too_many_beams,
    tractor_check,
)
from tourney.judge.forms.dice import HAND, LONGEST_HAND, SEED_LENGTH, after_press, fitting
from tourney.judge.queries.dice import DicePlay, played, played_by_hand, rolled_off, roller
from tourney.runtime.messages import Message, message

MOST_HANDS = 100


@dataclass(frozen=True, slots=True)
class NameSetting:
    """A name; where it is left empty the label is used, and a `spare` one takes no part."""

    label: Message
    is_spare: bool = False

    def field(self) -> forms.Field:
        """The form field of this name."""
        stands = {} if self.is_spare else {"placeholder": self.label}
        widget = forms.TextInput(attrs={"autocomplete": "off", **stands})
        return forms.CharField(label=lazystr(self.label), max_length=60, required=False, widget=widget)


@dataclass(frozen=True, slots=True)
class NumberSetting:
    """A whole number from `least` to `most`."""

    label: Message
    least: int
    most: int
    usual: int

    def field(self) -> forms.Field:
        """The form field of this number."""
        said = lazystr(message("Enter a whole number from {least} to {most}.", least=self.least, most=self.most))
        return forms.IntegerField(
            label=lazystr(self.label),
            min_value=self.least,
            max_value=self.most,
            initial=self.usual,
            widget=WholeNumberInput(),
            error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), said),
        )


@dataclass(frozen=True, slots=True)
class Procedure:
    """Something that is decided by dice: how, in short and in full, what is asked before, and what comes of it."""

    title: Message
    says: Message
    how: Message
    asks: Mapping[str, NameSetting | NumberSetting]
    play: Callable[[Mapping[str, Any], Roll], ScenarioOutcome]


PLAYERS = {
    "first": NameSetting(message("Player 1")),
    "second": NameSetting(message("Player 2")),
    "third": NameSetting(message("Player 3"), is_spare=True),
    "fourth": NameSetting(message("Player 4"), is_spare=True),
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
        message("Roll-off"),
        message("Most Battle Stations on 5 dice wins."),
        message("Everyone rolls 5 attack dice; most Battle Stations wins. Players who are tied roll again (rule 4.1)."),
        PLAYERS,
        lambda facts, roll: rolled_off(_names(facts), roll),
    ),
    "target": Procedure(
        message("DS9’s target"),
        message("DS9 fires at the fewest Battle Stations on 5 dice."),
        message(
            "When no one controls the station and several players are in range, each rolls 5 attack dice and DS9 fires "
            "at the fewest Battle Stations. The scenario doesn’t mention ties; here the players tied for fewest roll "
            "again."
        ),
        PLAYERS,
        lambda facts, roll: target(_names(facts), roll),
    ),
    "away-teams": Procedure(
        message("Away teams"),
        message("The higher captain skill attacks; the other team strikes back."),
        message(
            "The team with the higher captain skill attacks: one attack die per card against one defense die per card "
            "of the other team. Each Hit without an Evade discards a card; then those who are left strike back. With "
            "equal skill both attack with all their cards; player 1, who has initiative, goes first. Only Hits count "
            "here, not Critical Hits. A team’s skill is that of its best captain aboard, or 1 without a captain."
        ),
        {
            "first": NameSetting(message("Player 1")),
            "first_cards": NumberSetting(message("Player 1’s cards aboard"), 1, 30, 3),
            "first_skill": NumberSetting(message("Player 1’s captain skill"), 1, 12, 6),
            "second": NameSetting(message("Player 2")),
            "second_cards": NumberSetting(message("Player 2’s cards aboard"), 1, 30, 3),
            "second_skill": NumberSetting(message("Player 2’s captain skill"), 1, 12, 5),
        },
        lambda facts, roll: away_battle(*_teams(facts), roll),
    ),
    "tractor-beam": Procedure(
        message("Tractor beam"),
        message("The attacker breaks the beam with at least as many Battle Stations."),
        message(
            "A ship that was hit while it holds the small craft rolls 5 defense dice; the attacker rolls 5 attack "
            "dice. The attacker breaks the beam with at least as many Battle Stations as the ship."
        ),
        {"first": NameSetting(message("The attacker")), "second": NameSetting(message("The ship that was hit"))},
        lambda facts, roll: tractor_check(facts["second"], facts["first"], roll),
    ),
    "too-many-beams": Procedure(
        message("Too many beams"),
        message("A Critical Hit destroys the small craft."),
        message(
            "A ship that uses its tractor beam first puts its own Target Lock Token on the small craft; that one "
            "counts. Two tokens are safe: the ship’s own and one from another ship. With more, the ship rolls an "
            "attack die for each token above 2, and a Critical Hit destroys the craft."
        ),
        {
            "first": NameSetting(message("The ship")),
            "tokens": NumberSetting(message("Target Lock Tokens, including the ship’s own"), 1, 30, 3),
        },
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

    def hand(self, next: NextRoll) -> str:
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
        return self.hands[: sum(len(hands) for hands in play.rolls)] if play else []

    def _by_hand(self, hands: Sequence[str], hand: str = "") -> str:
        coming = [("hand", hand)] if hand else []
        return self.address([("by", HAND), *(("thrown", one) for one in hands), *coming])

    def _said(self, name: str) -> str | int:
        one, said = self.procedure.asks[name], self.cleaned_data[name]
        return str(one.label) if isinstance(one, NameSetting) and not one.is_spare and not said else said
