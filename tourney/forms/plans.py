"""Forms for an event whose plans change before it begins: another date, another month, canceled or deleted."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils import timezone

from scoring.domain.pack import MonthPack as Rules
from tourney.actions.plans import Month
from tourney.forms.campaigns import ChoosesMonth
from tourney.forms.dates import AsksDay, date_field, time_field
from tourney.forms.fields import ConfirmationField
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
        self.check_start("date", "time")
        return self.cleaned_data


class CallOffForm(forms.Form):
    """A word to type where players are registered, who lose the event by it."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, do: str, players: int) -> None:
        super().__init__(data, prefix=do)
        if players:
            self.fields["words"] = ConfirmationField(CANCEL if do == "cancel" else DELETE)


class MonthForm(ChoosesMonth):
    """Which month the event is played by instead."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, event: Event, packs: tuple[Rules, ...]) -> None:
        super().__init__(data, packs=packs, initial={"pack": event.pack.slug, "sp_limit": event.sp_limit})

    @property
    def month(self) -> Month:
        """What was chosen."""
        pack = self.packs[self.cleaned_data["pack"]]
        return Month(pack, pack.sp_limit or self.cleaned_data["sp_limit"])
