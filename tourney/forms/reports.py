"""What a player sends from the phone: how the match ended, and what is asked of the desk."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from scoring.domain.points import Ending, Played, endings
from tourney.actions.reports import REPORTABLE
from tourney.forms.destroyed import SIDES, SheetChecklist
from tourney.forms.fields import choice_field, longest
from tourney.forms.results import ENDINGS, Cell, ResultForm, initial_of
from tourney.models import JudgeCall, Wish
from tourney.models.reports import KEY_LENGTH
from tourney.queries.surviving import marked_sheet
from tourney.runtime.messages import Message, message


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


class JudgeCallForm(forms.Form):
    """What a judge is called for, with a note."""

    about = forms.ChoiceField(choices=JudgeCall.About.choices)
    words = forms.CharField(
        max_length=longest(JudgeCall, "words"),
        required=False,
        error_messages={
            "max_length": ngettext_lazy(
                "Use at most %(limit_value)d character.", "Use at most %(limit_value)d characters.", "limit_value"
            )
        },
    )
    key = KeyField()


class DeclineForm(forms.Form):
    """Why the desk says no."""

    words = forms.CharField(max_length=200, required=False)


WITH_SIDE = (Ending.ELIMINATION, Ending.CONCESSION)
"""Endings that say who is out."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a match ended as one press says it: the `value` that is sent, what it is called, and what it means."""

    value: str
    name: str
    meaning: str
    is_chosen: bool


class ReportForm(ResultForm):
    """One side's word about its match; SP left stand there already where fleets were marked on phones.

    `me` is the side that speaks, 0 or 1: it is asked as "you", and what it won or lost is one press (`Way`), which
    sends the ending with whoever is out: "elimination-b". `said` is a report to begin with: the own one, or that of
    the opponent; without any, `is_time` says that the clock has run out. There is nothing to rule here.
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

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        me: int,
        said: Played | None = None,
        is_time: bool = False,
        **more: Any,
    ) -> None:
        self.me = me
        super().__init__(data if data is None else _with_who_is_out(data), **more)
        for name in ("adjustment_a", "adjustment_b", "ruling", "version", "reported"):
            del self.fields[name]
        may = [ending for ending in endings(self.rules) if ending in REPORTABLE]
        choice_field(self, "ending").choices = [(ending.value, ENDINGS[ending]) for ending in may]
        self.fields[f"sp_left_{SIDES[me]}"].label = _("Your SP left")
        for side, letter in enumerate(SIDES):  # a phone without a network says it (outbox.js)
            self.fields[f"sp_left_{letter}"].widget.attrs["data-needs"] = self.sp_left_needed(side)
        if said:
            self.initial = {**self.initial, **initial_of(self.rules, said)}
        elif is_time:
            self.initial = {"ending": Ending.TIME.value, **self.initial}

    def sp_left_needed(self, side: int) -> str | Message:
        """What to do where the SP left of a side are missing: the own are "yours"."""
        return str(_("Enter your SP left.")) if side == self.me else super().sp_left_needed(side)

    def spoken_to(self) -> tuple[str, str]:
        """Both names, without the own: a player is "you"."""
        first, second = self.names
        return ("", second) if self.me == 0 else (first, "")

    def as_filled_in(self) -> dict[str, str]:
        """What the form would send if it were sent as it is shown first."""
        return {name: str(value) for name, value in self.initial.items() if value not in (None, "", False)}

    def ways(self) -> list[Way]:
        """The three that nearly every match ends in: won, lost, time."""
        other = self.names[1 - self.me]
        return [
            self._way(Ending.ELIMINATION, 1 - self.me, _("I won"), message("{name}’s fleet is gone", name=other)),
            self._way(Ending.ELIMINATION, self.me, _("I lost"), _("My fleet is gone")),
            self._way(Ending.TIME, None, _("Time"), _("Time was called")),
        ]

    def rare_ways(self) -> list[Way]:
        """All others, as far as players report them in this month."""
        other = self.names[1 - self.me]
        rare = [
            self._way(Ending.BOTH_ELIMINATED, None, ENDINGS[Ending.BOTH_ELIMINATED]),
            self._way(Ending.SCENARIO, None, ENDINGS[Ending.SCENARIO]),
            self._way(Ending.CONCESSION, 1 - self.me, message("{name} conceded", name=other)),
            self._way(Ending.CONCESSION, self.me, _("I conceded")),
        ]
        may = {str(ending) for ending in endings(self.rules)}
        return [way for way in rare if way.value.partition("-")[0] in may]

    @property
    def is_rare(self) -> bool:
        """Whether one of the others is chosen."""
        return any(way.is_chosen for way in self.rare_ways())

    def _way(self, ending: Ending, out: int | None, name: object, meaning: object = "") -> Way:
        value = ending.value if out is None else f"{ending.value}-{SIDES[out]}"
        return Way(value, str(name), str(meaning), value == self._chosen)

    @property
    def _chosen(self) -> str:
        ending, out = self["ending"].value() or "", self["out"].value() or ""
        return f"{ending}-{out}" if ending in WITH_SIDE and out else ending

    def numbers(self) -> list[tuple[str, BoundField, int]]:
        """The fields of SP left, the own first: the side, the field, and how many SP there are to be left."""
        limit = self.rules.sp_limit or 0
        total = {
            side: marked_sheet(fleet, ()).total if fleet else limit
            for side, fleet in zip(SIDES, self.fleets, strict=True)
        }
        return [(side, field, total[side]) for side, _name, field in self.sp_left()]

    def _cells(self, field: str) -> list[Cell]:
        """This side first, as "You"."""
        cells = super()._cells(field)
        side, _name, own = cells[self.me]
        return [(side, str(_("You")), own), cells[1 - self.me]]

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


def _with_who_is_out(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a way says (`Way`), in the two fields of a result."""
    ending, _dash, out = (data.get("ending") or "").partition("-")
    return data if not out else {**{name: data[name] for name in data}, "ending": ending, "out": out}
