"""Forms of arrivals and departures: who walks in, and what the desk decides."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import MonthPack
from tourney.domain.arrivals import ArrivalOption, ArrivalWay
from tourney.forms.entrants import OneForm
from tourney.forms.fields import WholeNumberInput
from tourney.forms.rounds import REASON_LENGTH

REASONS = {
    ArrivalWay.BYE_PLAYER: _("Came late"),
    ArrivalWay.TOGETHER: _("Both came late"),
    ArrivalWay.TAKES_BYE: _("Came late"),
    ArrivalWay.REPLACED: _("The opponent was a no-show"),
    ArrivalWay.OPPONENT_BYE: _("The opponent was a no-show"),
}
"""What is publicly said where a hand seats somebody, unless the desk says otherwise."""


class WalkInForm(OneForm):
    """Somebody who was not registered before; whether they are paired is decided next."""

    def __init__(self, *args: Any, rules: MonthPack, **kwargs: Any) -> None:
        super().__init__(*args, rules=rules, **kwargs)
        del self.fields["here"]


class DecisionForm(forms.Form):
    """Why, what is left of the opponent's fleet after a concession, and the effect that was seen."""

    left = forms.IntegerField(
        label=_("SP left of the opponent’s fleet"),
        min_value=0,
        max_value=1000,
        help_text=_("Bonuses can be added at the table afterwards."),
        widget=WholeNumberInput(),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Give a reason for seating them by hand.")},
    )
    seen = forms.CharField(max_length=16, widget=forms.HiddenInput)

    def __init__(self, *args: Any, option: ArrivalOption, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if option.way is not ArrivalWay.CONCEDES:
            del self.fields["left"]
        if option.is_by_hand:
            self.fields["reason"].required = True
            self.fields["reason"].initial = str(REASONS[option.way])
            self.fields["reason"].help_text = _(
                "Everyone can read it: the pairing is marked as made by hand (rule 3.9)."
            )
