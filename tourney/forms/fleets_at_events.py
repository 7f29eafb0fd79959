"""Forms of the desk for one fleet at an event."""

from django import forms

REASON = forms.TextInput(attrs={"autocomplete": "off"})


class UnlockForm(forms.Form):
    """Rule 7.1: why a locked fleet may be changed."""

    reason = forms.CharField(
        label="Why is it unlocked?",
        max_length=200,
        widget=REASON,
        help_text="It is shown on the sheet and stays in the journal.",
        error_messages={"required": "Say why the fleet is unlocked."},
    )


class AllowForm(forms.Form):
    """Rule 7.15: why something is allowed that the rules forbid; empty takes a ruling back."""

    rule = forms.CharField(max_length=10)
    line = forms.IntegerField(min_value=0)
    reason = forms.CharField(max_length=200, required=False)
