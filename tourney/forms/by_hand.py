"""Changes of a draft by hand (rule 3.9): who goes where, which table is unpaired, and why."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.domain.by_hand import Spot
from tourney.forms.fields import sentences_of
from tourney.forms.rounds import REASON_LENGTH
from tourney.models import Round
from tourney.runtime.messages import Message, message


class ByHandForm(forms.Form):
    """A player and where to (`to`: a player's number, or a `Spot`), or a table to be unpaired."""

    who = forms.IntegerField(required=False)
    to = forms.CharField(required=False, max_length=9)
    table = forms.IntegerField(required=False)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("Asked once for this draft. Everyone can read it: what is made by hand is marked."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}),
        error_messages={"required": _("Give a reason, once for this draft.")},
    )

    def __init__(self, *args: Any, draft: Round, names: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.draft, self.names = draft, names
        self.fields["reason"].required = not draft.manual_reason

    def clean_to(self) -> int | Spot | None:
        """The spot or the entrant number to go to, None for neither."""
        text = self.cleaned_data["to"]
        if text in [*Spot]:
            return Spot(text)
        return int(text) if text.isdecimal() else None

    def clean(self) -> dict[str, object]:
        data = self.cleaned_data
        if data.get("table") is None and (data.get("who") is None or data.get("to") is None):
            self.add_error(None, _("Choose a player, then a place."))
        return data

    @property
    def is_asked_why(self) -> bool:
        """Whether only the reason is missing, or wrong."""
        return self.is_bound and [*self.errors] == ["reason"]

    @property
    def why(self) -> forms.BoundField:
        """The reason, as it was typed; when it is asked for the first time, without a word of what is wrong."""
        is_first = "reason" not in self.data
        return type(self)(draft=self.draft, names=self.names)["reason"] if is_first else self["reason"]

    @property
    def sentences(self) -> list[str]:
        """What is wrong, as sentences."""
        return sentences_of(self)

    @property
    def sentence(self) -> Message:
        """What is about to be done."""
        if (table := self.cleaned_data.get("table")) is not None:
            return message("Unpair table {table}", table=table)
        who, to = self.names.get(self.cleaned_data["who"], ""), self.cleaned_data["to"]
        if to is Spot.BYE:
            return message("Give {player} the bye", player=who)
        if to is Spot.WAITING:
            return message("Take {player} out for now", player=who)
        return message("Swap {player} and {other}", player=who, other=self.names.get(to, ""))
