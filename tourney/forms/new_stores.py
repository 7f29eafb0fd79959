"""Forms of who asks for a store, and of who decides."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import longest
from tourney.forms.joining import visible
from tourney.forms.store import AccountForm, SetUpForm, StoreForm, name_taken
from tourney.models import StoreRequest
from tourney.queries.new_stores import is_taken


class ReasonForm(forms.Form):
    """Why somebody should get a store here."""

    reason = forms.CharField(
        label=_("Message to the person who decides"),
        max_length=longest(StoreRequest, "reason"),
        help_text=_("Who you are, and what you’d like to run. A sentence is enough."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class NamedStoreForm(StoreForm):
    """A store that strangers can ask for: its name is visible."""

    def clean_name(self) -> str:
        """The name without invisible characters. Raises ValidationError where nothing is left."""
        return _visible_or_refused(self.cleaned_data["name"])

    def clean_place(self) -> str:
        """The town, likewise; there may be none."""
        return visible(self.cleaned_data["place"])


class OwnStoreForm(NamedStoreForm):
    """Another store for who is signed in, made at once."""


class NewStoreForm(SetUpForm, NamedStoreForm):
    """An owner and a store, made at once."""


class AskedStoreForm(ReasonForm, NamedStoreForm):
    """Another store for who is signed in, kept for a decision."""

    field_order = ("name", "place", "time_zone", "locale", "reason")


class AskedNewStoreForm(ReasonForm, SetUpForm, NamedStoreForm):
    """An owner and a store, kept for a decision."""

    field_order = (*SetUpForm.field_order, "reason")

    def clean_username(self) -> str:
        """The sign-in name. Raises ValidationError for one that is taken, or that another request waits with."""
        username = AccountForm.clean_username(self)
        if is_taken(username):
            raise name_taken(username)
        return username


LONGEST_ANSWER = longest(StoreRequest, "answer")


class StoreDecisionForm(forms.Form):
    """Yes or no, and what who asked reads with a no."""

    do = forms.ChoiceField(choices=[("approve", ""), ("decline", "")])
    answer = forms.CharField(max_length=LONGEST_ANSWER, required=False)


def _visible_or_refused(text: str) -> str:
    name = visible(text)
    if not name:
        raise ValidationError(_("Enter the name of the store."))
    return name
