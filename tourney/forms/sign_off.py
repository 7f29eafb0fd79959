"""What a player says of the opponent's fleet, and what a judge decided."""

from django import forms
from django.utils.translation import ngettext_lazy

from tourney.forms.fields import longest
from tourney.models import SheetCheck

LONGEST = longest(SheetCheck, "words")
VERBS = ("sign", "call", "take_back", "settle")


class CheckForm(forms.Form):
    """`line` is the id of the line in question, 0 for all of the sheet; `words` are the player's, or the judge's.

    `version` is that of the fleet as it was shown, empty for a sheet on paper.
    """

    do = forms.ChoiceField(choices=[(verb, verb) for verb in VERBS])
    line = forms.IntegerField(min_value=0, required=False)
    version = forms.IntegerField(min_value=0, required=False)
    words = forms.CharField(
        max_length=LONGEST,
        required=False,
        error_messages={
            "max_length": ngettext_lazy(
                "Use at most %(limit_value)d character.", "Use at most %(limit_value)d characters.", "limit_value"
            )
        },
    )

    def clean_line(self) -> int:
        """The id of the line in question, 0 for the whole sheet."""
        return self.cleaned_data["line"] or 0
