"""The form of the prize list."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.domain.prizes import InvalidPrizes, parse_prizes

EXAMPLE = _("1: flagship model\n2-4: booster\neveryone: promo card")
LONGEST = 4000


class PrizesForm(forms.Form):
    """The list as it is typed; `seen` is the one that was on the page before."""

    prizes = forms.CharField(
        label=_("Prizes by rank"),
        help_text=_("A line for each: a rank, a range or “everyone”, a colon, and the prize."),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6, "placeholder": EXAMPLE, "autocomplete": "off"}),
    )
    seen = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    def clean_prizes(self) -> str:
        """The list, tidied. Raises ValidationError for a line that is no prize."""
        text = tidy(self.cleaned_data["prizes"])
        try:
            parse_prizes(text)
        except InvalidPrizes as error:
            raise ValidationError(list(error.errors)) from error
        return text

    def clean_seen(self) -> str:
        """The list that was on the page, tidied."""
        return tidy(self.cleaned_data["seen"])


def tidy(text: str) -> str:
    """One line below the other, without empty ones: browsers send line ends of their own."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
