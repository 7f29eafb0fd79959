"""Forms of a round: pair, clock."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import WholeNumberInput, longest
from tourney.models import Match
from tourney.queries.choices import PairingChoice

REASON_LENGTH = longest(Match, "manual_reason")
MOST_MINUTES = 180


class PairForm(forms.Form):
    """The round the person meant to pair, so that a second press pairs nothing."""

    number = forms.IntegerField(min_value=1)


class PublishForm(forms.Form):
    """Whom the person saw listed without a recorded fleet, by number: "2 5" (rule 7.1)."""

    without = forms.RegexField(r"^[0-9 ]*$", required=False, max_length=6000)

    @property
    def seen(self) -> frozenset[int]:
        """Those numbers; none where the form says nothing of the kind."""
        self.is_valid()
        return frozenset(map(int, self.cleaned_data.get("without", "").split()))


class ChoiceForm(forms.Form):
    """How a round is paired that cannot keep everything, or that it is not played (rule 3.7)."""

    STOP = "stop"

    choice = forms.ChoiceField(choices=[(choice.value, choice.value) for choice in PairingChoice] + [(STOP, STOP)])


class ExtendForm(forms.Form):
    """Minutes given to the clock, or taken from it."""

    minutes = forms.IntegerField(
        label=_("Minutes"),
        min_value=-MOST_MINUTES,
        max_value=MOST_MINUTES,
        help_text=_("Fewer with a minus: -5."),
        widget=WholeNumberInput(),
        error_messages={"required": _("Type the minutes, for example 5 or -5.")},
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=200, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def clean_minutes(self) -> int:
        """Minutes, fewer than 0 to take some away. Raises ValidationError for 0."""
        minutes: int = self.cleaned_data["minutes"]
        if not minutes:
            raise forms.ValidationError(_("0 minutes would change nothing."))
        return minutes
