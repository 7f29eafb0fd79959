"""What scenarios and ties decide by dice, as forms: who rolls, and how many. The procedures are data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from fleets.domain.scenario_dice import (
    AwayTeam,
    Outcome,
    Roll,
    away_battle,
    target,
    too_many_beams,
    tractor_check,
)
from tourney.forms.judge_dice import SEED_LENGTH
from tourney.queries.judge_dice import rolled_off


@dataclass(frozen=True, slots=True)
class Name:
    """A name; where it is left empty the label stands for it, and for a `spare` one nobody takes part."""

    label: str
    is_spare: bool = False

    def field(self) -> forms.Field:
        widget = forms.TextInput(attrs={"autocomplete": "off"})
        return forms.CharField(label=self.label, max_length=60, required=False, widget=widget)


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most`."""

    label: str
    least: int
    most: int
    usual: int

    def field(self) -> forms.Field:
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
    """Something that is decided by dice: how, in words of our own, what is asked before, and what comes of it."""

    title: str
    how: str
    asks: Mapping[str, Name | Number]
    play: Callable[[dict, Roll], Outcome]


PLAYERS = {
    "first": Name("Player 1"),
    "second": Name("Player 2"),
    "third": Name("Player 3", is_spare=True),
    "fourth": Name("Player 4", is_spare=True),
}


def _names(facts: dict) -> list[str]:
    return [facts[name] for name in PLAYERS if facts[name]]


def _teams(facts: dict) -> tuple[AwayTeam, AwayTeam]:
    return (
        AwayTeam(facts["first"], facts["first_cards"], facts["first_skill"]),
        AwayTeam(facts["second"], facts["second_cards"], facts["second_skill"]),
    )


PROCEDURES = {
    "roll-off": Procedure(
        "Roll-off",
        "Each rolls 5 attack dice and most Battle Stations is ahead; who is level rolls again (rule 4.1).",
        PLAYERS,
        lambda facts, roll: rolled_off(_names(facts), roll),
    ),
    "target": Procedure(
        "DS9’s target",
        "Nobody controls the station and several are in range: each rolls 5 attack dice, and DS9 fires at the fewest "
        "Battle Stations. The scenario is silent on a tie; here those who share the fewest roll again.",
        PLAYERS,
        lambda facts, roll: target(_names(facts), roll),
    ),
    "away-teams": Procedure(
        "Away teams",
        "The team with the higher captain skill attacks: an attack die for each of its cards against a defense die for "
        "each of the other’s. A Hit without an Evade discards a card; then those who are left strike back. With equal "
        "skill both attack with all their cards, player 1, who has initiative, first. Only Hits count here, Critical "
        "Hits do not. The skill is that of the best captain aboard, without one it is 1.",
        {
            "first": Name("Player 1"),
            "first_cards": Number("Player 1’s cards aboard", 1, 30, 3),
            "first_skill": Number("Player 1’s captain skill", 1, 12, 6),
            "second": Name("Player 2"),
            "second_cards": Number("Player 2’s cards aboard", 1, 30, 3),
            "second_skill": Number("Player 2’s captain skill", 1, 12, 5),
        },
        lambda facts, roll: away_battle(*_teams(facts), roll),
    ),
    "tractor-beam": Procedure(
        "Tractor beam",
        "A ship that was hit while it holds the small craft rolls 5 defense dice, the attacker 5 attack dice. As many "
        "Battle Stations as the ship has are enough for the attacker to break the beam.",
        {"first": Name("The attacker"), "second": Name("The ship that was hit")},
        lambda facts, roll: tractor_check(facts["second"], facts["first"], roll),
    ),
    "too-many-beams": Procedure(
        "Too many beams",
        "A ship pulls at a small craft on which Target Lock Tokens lie: it rolls an attack die for each above 2, and "
        " a Critical Hit destroys the craft.",
        {"first": Name("The ship"), "tokens": Number("Target Lock Tokens on the craft", 1, 30, 3)},
        lambda facts, roll: too_many_beams(facts["first"], facts["tokens"], roll),
    ),
}
"""By the word that stands for it in the address; the first is shown where none does."""


class ProcedureForm(forms.Form):
    """What a procedure asks, and the seed of its dice, with which they have been rolled."""

    seed = forms.CharField(max_length=SEED_LENGTH, required=False, widget=forms.HiddenInput)

    def __init__(self, procedure: Procedure, data: QueryDict | None):
        super().__init__(data, label_suffix="")
        self.procedure = procedure
        self.fields |= {name: one.field() for name, one in procedure.asks.items()}

    def outcome(self, roll: Roll) -> Outcome:
        """What the dice lead to; for a form without errors."""
        return self.procedure.play({name: self._said(name) for name in self.procedure.asks}, roll)

    def address(self, seed: str) -> str:
        """What was typed, with these dice."""
        typed = [(name, self.data.get(name, "")) for name in self.procedure.asks]
        return urlencode([*((name, text) for name, text in typed if text), ("seed", seed)])

    def _said(self, name: str) -> str | int:
        one, said = self.procedure.asks[name], self.cleaned_data[name]
        return one.label if isinstance(one, Name) and not one.is_spare and not said else said
