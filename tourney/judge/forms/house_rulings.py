"""A store's own rulings."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import longest
from tourney.judge.queries.published import published
from tourney.models import HouseRuling
from tourney.runtime.messages import message

TOPIC = longest(HouseRuling, "topic")
TEXT = longest(HouseRuling, "text")


class HouseRulingForm(forms.Form):
    """What is ruled, in a few words and in full, and beside which published ruling."""

    topic = forms.CharField(
        label=_("Topic"),
        max_length=TOPIC,
        help_text=_("A few words, like “Mines at the edge”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Enter a topic in a few words.")},
    )
    text = forms.CharField(
        label=_("Ruling"),
        max_length=TEXT,
        help_text=lazystr(
            message("One or two sentences, up to {count} characters. Everyone can read them.", count=TEXT)
        ),
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": TEXT}),
        error_messages={"required": _("Enter the ruling.")},
    )
    beside = forms.CharField(
        label=_("Beside published ruling"),
        required=False,
        max_length=8,
        help_text=_("Its number, like A27. Leave it empty for a ruling of its own."),
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
            wrong = message("There is no ruling {number}. Enter a number from the list, like A27.", number=typed)
            raise ValidationError(str(wrong))
        return known[typed.casefold()]
