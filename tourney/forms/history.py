"""Taking back, doing again, and going back to a snapshot."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import ConfirmationField
from tourney.runtime.messages import pmessage

WORDS = pmessage("typed to confirm", "go back")


class UndoForm(forms.Form):
    """Which step was seen as the last one, and whether to return to the desk."""

    step = forms.IntegerField(widget=forms.HiddenInput)
    back = forms.ChoiceField(choices=[("", ""), ("desk", "desk")], required=False, widget=forms.HiddenInput)


class RestoreForm(forms.Form):
    """Why the event goes back, and the words that show that somebody means it."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("It stays in the journal."),
        error_messages={"required": _("Give a reason. It stays in the journal.")},
    )
    words = ConfirmationField(
        WORDS,
        help_text=_(
            "Everything after that moment is removed: rounds, results, dice. You can undo that like any other step."
        ),
    )
