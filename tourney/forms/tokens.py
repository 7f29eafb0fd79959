"""What the desk and the phones say about the commendation token."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.reports import KeyField


class GrantForm(forms.Form):
    """Whom the desk gives the token: the number of the entrant that the page offered it to."""

    who = forms.IntegerField(widget=forms.HiddenInput)


class SpendForm(forms.Form):
    """In which round the token is spent; from a phone with a key, so that it counts once."""

    round = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    key = KeyField()


class WhyForm(forms.Form):
    """Why the token is declined, taken back, or not spent after all; `who` is the number of an entrant."""

    reason = forms.CharField(
        label=_("Why?"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Give a reason. It’s kept in the ledger.")},
    )
    who = forms.IntegerField(required=False, widget=forms.HiddenInput)
