"""The day and the time of an event, as they are typed: by the clock of the store, and asked about where unlikely."""

import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import from_current_timezone
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tourney.domain.dates import FIRST_YEAR, LAST_YEAR, why_really

DATE, TIME = "%Y-%m-%d", "%H:%M"


def date_field(**more: Any) -> forms.DateField:
    """The day of an event."""
    return forms.DateField(label=_("Date"), widget=forms.DateInput(format=DATE, attrs={"type": "date"}), **more)


def time_field(**more: Any) -> forms.TimeField:
    """When an event starts."""
    return forms.TimeField(label=_("Start"), widget=forms.TimeInput(format=TIME, attrs={"type": "time"}), **more)


class AsksDay(forms.Form):
    """A form with the day of an event. One that is unlikely is asked about once: sent again, it is meant.

    `day_asked` is the day that `parts/asked_day.html` brings along then.
    """

    day_asked: datetime.date | None = None

    def check_start(self, day: str, time: str, *, is_known: datetime.date | None = None) -> datetime.date | None:
        """The day of the field `day`; None, with an error there, where there is none or it is asked about.

        Nobody is asked about the one that `is_known`. `cleaned_data["starts_at"]` is that day at the field `time`.
        """
        found, start = self._checked_day(day, is_known), self.cleaned_data.get(time)
        if found and start:
            self.cleaned_data["starts_at"] = self._moment(found, start, time)
        return found

    def _checked_day(self, name: str, is_known: datetime.date | None) -> datetime.date | None:
        day: datetime.date | None = self.cleaned_data.get(name)
        if day is None:
            return None
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            self.add_error(name, _("Check the year."))
            return None
        why = None if day == is_known else why_really(day, timezone.localdate())
        self.day_asked = day if why else None
        if why and self.data.get("asked_day") != day.isoformat():
            self.add_error(name, str(why))
            return None
        return day

    def _moment(self, day: datetime.date, time: datetime.time, name: str) -> datetime.datetime | None:
        """That day and time by the store's clock; None, with an error at `name`, where the clock skips it."""
        try:
            return from_current_timezone(datetime.datetime.combine(day, time))
        except ValidationError as error:
            self.add_error(name, error)
            return None
