"""Forms for an event whose plans change before it begins: another date, another month, canceled or deleted."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import MonthPack as Rules
from tourney.actions.plans import Month
from tourney.forms.dates import AsksDay, date_field, time_field
from tourney.forms.fields import ConfirmationField, choice_field
from tourney.models import Event
from tourney.runtime.messages import pmessage

CANCEL = pmessage("typed to confirm", "cancel")
DELETE = pmessage("typed to confirm", "delete")


class PostponeForm(AsksDay):
    """Another day and time, by the store's clock."""

    prefix = "new"

    date = date_field()
    time = time_field()

    def __init__(self, data: Mapping[str, Any] | None = None, *, event: Event) -> None:
        starts = timezone.localtime(event.starts_at)
        super().__init__(data, initial={"date": starts.date(), "time": starts.time()})

    def clean(self) -> dict[str, object]:
        day, time = self.check_day("date"), self.cleaned_data.get("time")
        if day and time:
            self.cleaned_data["starts_at"] = self.moment(day, time, "time")
        return self.cleaned_data


class CallOffForm(forms.Form):
    """A word to type where players are registered, who lose the event by it."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, do: str, players: int) -> None:
        super().__init__(data, prefix=do)
        if players:
            self.fields["words"] = ConfirmationField(CANCEL if do == "cancel" else DELETE)


class MonthForm(forms.Form):
    """Which month the event is played by instead, and its SP limit where the pack leaves that open (rule 2.2)."""

    pack = forms.ChoiceField(
        label=_("Which month?"), widget=forms.RadioSelect, error_messages={"required": _("Choose the month to play.")}
    )
    sp_limit = forms.IntegerField(
        label=_("SP limit"),
        required=False,
        help_text=_("It’s on the month’s printed overview."),
        min_value=1,
        max_value=1000,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, event: Event, packs: tuple[Rules, ...]) -> None:
        super().__init__(data, initial={"pack": event.pack.slug, "sp_limit": event.sp_limit})
        self.event = event
        self.packs = {pack.slug: pack for pack in packs}
        choice_field(self, "pack").choices = [(pack.slug, pack.heading) for pack in packs]

    @property
    def chosen(self) -> Rules | None:
        """The pack that is marked on the page."""
        return self.packs.get(self["pack"].value())

    @property
    def asks_limit(self) -> bool:
        """Whether the chosen month leaves the SP limit to the organizer."""
        return self.chosen is not None and self.chosen.sp_limit is None

    def clean(self) -> dict[str, object]:
        pack = self.packs.get(self.cleaned_data.get("pack", ""))
        if pack and pack.sp_limit is None and self.cleaned_data.get("sp_limit", 0) is None:
            self.add_error("sp_limit", _("This month’s limit isn’t known. Enter it from the printed overview."))
        return self.cleaned_data

    @property
    def month(self) -> Month:
        """What was chosen."""
        pack = self.packs[self.cleaned_data["pack"]]
        return Month(pack, pack.sp_limit or self.cleaned_data["sp_limit"])
