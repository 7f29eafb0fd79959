"""Forms of a rehearsal: begin it, go on, change the pace."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tourney.actions.rehearsal import MOST_PLAYERS, RehearsalPlan
from tourney.models import Pace
from tourney.runtime.messages import message

FEWEST = 4
USUAL = 8


class BeginForm(forms.Form):
    """How many made-up players join those who are `registered`, and how fast it goes."""

    made_up = forms.IntegerField(
        label=_("Made-up players to add"),
        min_value=0,
        max_value=MOST_PLAYERS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        error_messages={"required": _("Type how many made-up players join in; 0 is none.")},
    )
    pace = forms.ChoiceField(label=_("How fast"), choices=Pace.choices, widget=forms.RadioSelect)

    def __init__(self, data: Mapping[str, Any] | None = None, *, registered: int) -> None:
        self.registered = registered
        made_up = 0 if registered >= FEWEST else USUAL - registered
        super().__init__(data, initial={"made_up": made_up, "pace": Pace.STEP})

    def clean_made_up(self) -> int:
        """The number of made-up players. Raises ValidationError where all are too few or too many."""
        made_up: int = self.cleaned_data["made_up"]
        if not 2 <= self.registered + made_up <= MOST_PLAYERS:
            players = self.registered + made_up
            raise ValidationError(
                str(
                    message(
                        "That makes {players} players. A rehearsal has 2 to {most}.", players=players, most=MOST_PLAYERS
                    )
                )
            )
        return made_up

    @property
    def plan(self) -> RehearsalPlan:
        """The rehearsal that was asked for."""
        return RehearsalPlan(self.cleaned_data["made_up"], self.cleaned_data["pace"])


class RehearsalStepForm(forms.Form):
    """The event's version on the page that goes on."""

    seen = forms.IntegerField(min_value=0)


class PaceForm(forms.Form):
    pace = forms.ChoiceField(choices=Pace.choices)
