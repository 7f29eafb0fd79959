"""Forms of a round: pair, swap, clock."""

from django import forms

from tourney.models import Match
from tourney.queries.choices import Choice
from tourney.queries.matches import RoundState

REASON_LENGTH = Match._meta.get_field("by_hand").max_length
MOST_MINUTES = 180


class PairForm(forms.Form):
    """The round the person meant to pair, so that a second press pairs nothing."""

    number = forms.IntegerField(min_value=1)


class ChoiceForm(forms.Form):
    """How a round is paired that cannot keep everything, or that it is not played (rule 3.7)."""

    STOP = "stop"

    choice = forms.ChoiceField(choices=[(choice.value, choice.value) for choice in Choice] + [(STOP, STOP)])


class SwapForm(forms.Form):
    """Two players of the draft who change places, and why (rule 3.9)."""

    first = forms.TypedChoiceField(
        label="First player", coerce=int, error_messages={"required": "Choose the first player."}
    )
    second = forms.TypedChoiceField(
        label="Second player", coerce=int, error_messages={"required": "Choose the second player."}
    )
    reason = forms.CharField(
        label="Reason",
        max_length=REASON_LENGTH,
        help_text="Everybody can read it: both pairings are marked as made by hand.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Say why these players change places."},
    )

    def __init__(self, *args, round: RoundState, **kwargs):
        super().__init__(*args, **kwargs)
        choices = [("", "Choose"), *sorted(self._seats(round), key=lambda choice: choice[1].casefold())]
        self.fields["first"].choices = self.fields["second"].choices = choices

    @staticmethod
    def _seats(round: RoundState) -> list[tuple[int, str]]:
        return [
            (entrant.number, f"{entrant.player.name} ({'bye' if match.is_bye else f'table {match.table}'})")
            for match in round.matches
            for entrant in match.entrants
        ]


class ExtendForm(forms.Form):
    """Minutes given to the clock, or taken from it."""

    minutes = forms.IntegerField(
        label="Minutes",
        min_value=-MOST_MINUTES,
        max_value=MOST_MINUTES,
        help_text="Fewer with a minus: -5.",
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "number"}),
        error_messages={"required": "Type the minutes, for example 5 or -5."},
    )
    reason = forms.CharField(
        label="Reason", max_length=200, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def clean_minutes(self) -> int:
        if not self.cleaned_data["minutes"]:
            raise forms.ValidationError("0 minutes would change nothing.")
        return self.cleaned_data["minutes"]
