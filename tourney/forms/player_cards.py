"""The form of a player who lost the phone, or whatever held the card."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tourney.domain.recovery_words import LONGEST_TYPED, read_words

NOT_FOUR = _("Enter all four words with spaces between them. Check the spelling.")


class WordsForm(forms.Form):
    """The four words of a card; `cleaned_data["words"]` is as they are hashed."""

    words = forms.CharField(
        label=_("Your four recovery words"),
        max_length=LONGEST_TYPED,
        help_text=_("They’re in English, on your printed card or wherever you noted them."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "enterkeyhint": "go"}
        ),
        error_messages={"required": NOT_FOUR, "max_length": NOT_FOUR},
    )

    def clean_words(self) -> str:
        """The four words. Raises ValidationError for anything else."""
        words = read_words(self.cleaned_data["words"])
        if words is None:
            raise ValidationError(NOT_FOUR)
        return words
