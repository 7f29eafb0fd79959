"""What a player sends from the phone: how the match ended, and what is asked of the desk."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.domain.points import Played, endings
from tourney.actions.reports import REPORTABLE
from tourney.forms.destroyed import SIDES, SheetChecklist, sp_left_needed
from tourney.forms.fields import choice_field
from tourney.forms.results import ENDINGS, ResultForm, initial_of
from tourney.models import Wish
from tourney.models.reports import KEY_LENGTH
from tourney.queries.surviving import marked_sheet
from tourney.runtime.messages import message


def new_key() -> str:
    """A key for one showing of a form: whatever is sent with it counts once."""
    return secrets.token_urlsafe(12)


class KeyField(forms.CharField):
    """The key of a form on a phone, hidden, another one in each showing."""

    def __init__(self, **more: Any) -> None:
        widget = forms.HiddenInput(attrs={"data-once": True})
        super().__init__(max_length=KEY_LENGTH, required=False, initial=new_key, widget=widget, **more)


class KeyForm(forms.Form):
    """A button of the card: only its key, and what it is about."""

    key = KeyField()
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    kind = forms.ChoiceField(choices=Wish.Kind.choices, required=False, widget=forms.HiddenInput)


class DeclineForm(forms.Form):
    """Why the desk says no."""

    words = forms.CharField(max_length=200, required=False)


class ReportForm(ResultForm):
    """One side's word about its match; SP left stand there already where fleets were marked on phones.

    `said` is a report to begin with: the own one, or that of the opponent. There is nothing to rule here.
    """

    @property
    def remedy(self) -> str:
        """What a player can do about an impossible number."""
        return str(_("Count again. If it’s right, call the desk: an organizer can override this."))

    words = forms.CharField(
        label=_("Message to your opponent and the desk"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    key = KeyField()

    def __init__(self, data: Mapping[str, Any] | None = None, *, said: Played | None = None, **more: Any) -> None:
        super().__init__(data, **more)
        for name in ("adjustment_a", "adjustment_b", "ruling", "version", "reported"):
            del self.fields[name]
        may = [ending for ending in endings(self.rules) if ending in REPORTABLE]
        choice_field(self, "ending").choices = [(ending.value, ENDINGS[ending]) for ending in may]
        self._say_what_is_needed()
        if said:
            self.initial = {**self.initial, **initial_of(self.rules, said)}

    def _say_what_is_needed(self) -> None:
        """On each field that a report needs where it is in sight: a phone without a network says it (outbox.js)."""
        first, second = self.names
        needed = {
            "ending": self.fields["ending"].error_messages["required"],
            "out": message("Choose whose fleet was eliminated: {first} or {second}.", first=first, second=second),
            **{f"sp_left_{side}": sp_left_needed(name) for side, name in zip(SIDES, self.names, strict=True)},
        }
        for name, sentence in needed.items():
            self.fields[name].widget.attrs["data-needs"] = sentence

    def fleet_fields(self) -> dict[str, forms.Field]:
        """No fields: each fleet has a page of its own."""
        return {}

    def initial_marks(self, marked: Sequence[Collection[int]]) -> dict[str, object]:
        """Initial values by field name: the marks, with SP left as they leave them."""
        sides = zip("ab", self.fleets, marked, strict=True)
        counted = {f"sp_left_{side}": marked_sheet(fleet, on).sp_left for side, fleet, on in sides if fleet and on}
        return super().initial_marks(marked) | counted

    def sheets(self) -> list[SheetChecklist]:
        """No sheets: nothing is ticked here, each fleet has a page of its own for that."""
        return []
