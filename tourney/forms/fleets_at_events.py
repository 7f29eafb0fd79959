"""Forms of the desk for one fleet at an event."""

from django import forms
from django.utils.translation import gettext_lazy as _

REASON = forms.TextInput(attrs={"autocomplete": "off"})


class UnlockForm(forms.Form):
    """Rule 7.1: why a locked fleet may be changed."""

    reason = forms.CharField(
        label=_("Reason for unlocking"),
        max_length=200,
        widget=REASON,
        help_text=_("Shown on the sheet and kept in the journal."),
        error_messages={"required": _("Give a reason for unlocking the fleet.")},
    )


class AllowForm(forms.Form):
    """Rule 7.15: why something is allowed that the rules forbid; empty takes a ruling back."""

    rule = forms.CharField(max_length=10)
    line = forms.IntegerField(min_value=0)
    reason = forms.CharField(max_length=200, required=False)
