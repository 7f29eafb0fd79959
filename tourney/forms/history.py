"""Taking back, doing again, and going back to a snapshot."""

from django import forms

WORDS = "go back"


class UndoForm(forms.Form):
    """Which step was seen as the last one, and whether to return to the desk."""

    step = forms.IntegerField(widget=forms.HiddenInput)
    back = forms.ChoiceField(choices=[("", ""), ("desk", "desk")], required=False, widget=forms.HiddenInput)


class RestoreForm(forms.Form):
    """Why the event goes back, and the words that show that somebody means it."""

    reason = forms.CharField(
        label="Reason",
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="It stays in the journal.",
        error_messages={"required": "Say why the event goes back."},
    )
    words = forms.CharField(
        label=f"Type “{WORDS}”",
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        help_text="Everything after that moment goes: rounds, results, dice. It can be taken back like any step.",
        error_messages={"required": f"Type “{WORDS}” to show that you mean it."},
    )

    def clean_words(self) -> str:
        """The words that were to be typed. Raises ValidationError for others."""
        if self.cleaned_data["words"].strip().strip("“”\"'").casefold() != WORDS:
            raise forms.ValidationError(f"Type “{WORDS}” to show that you mean it. Nothing was changed.")
        return WORDS
