"""A store's own rulings."""

from django import forms
from django.core.exceptions import ValidationError

from tourney.forms.fields import longest
from tourney.judge.queries.published import published
from tourney.models import HouseRuling

TOPIC = longest(HouseRuling, "topic")
TEXT = longest(HouseRuling, "text")


class HouseRulingForm(forms.Form):
    """What is ruled, in a few words and in full, and beside which published ruling."""

    topic = forms.CharField(
        label="What it is about",
        max_length=TOPIC,
        help_text="A few words, like “Mines at the edge”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Say in a few words what it is about."},
    )
    text = forms.CharField(
        label="Ruling",
        max_length=TEXT,
        help_text=f"One or two sentences, up to {TEXT} characters. Everybody can read them.",
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": TEXT}),
        error_messages={"required": "Write the ruling itself."},
    )
    beside = forms.CharField(
        label="Stands beside",
        required=False,
        max_length=8,
        help_text="The number of a published ruling, like A27. Empty: it stands by itself.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )

    def clean_text(self) -> str:
        """The text in one paragraph."""
        return " ".join(self.cleaned_data["text"].split())

    def clean_beside(self) -> str:
        """The number as it is written on the page."""
        typed = self.cleaned_data["beside"]
        numbers = (one.number for section in published() for one in section.rulings)
        known = {"": "", **{number.casefold(): number for number in numbers}}
        if typed.casefold() not in known:
            raise ValidationError(f"There is no ruling {typed}. The numbers stand left of the rulings, like A27.")
        return known[typed.casefold()]
