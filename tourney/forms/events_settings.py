"""Forms of one event: its settings, its end and its re-opening."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tourney.actions.events import Settings
from tourney.domain.joining import MOST_ENTRANTS
from tourney.forms.dates import AsksDay, date_field, time_field
from tourney.forms.fields import longest
from tourney.models import Event, FleetsRecorded, FleetsShown, ReportedBy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAME_LENGTH = longest(Event, "name")
NUMERIC = {"inputmode": "numeric"}
FOR_PLAYERS = ("description", "address", "ends", "entry_fee", "bring", "break_minutes", "shop_link")
"""The fields of what players are told before round 1; none of them has to be filled."""
PLACES = ("places", "sign_up_closes_at")


def optional_text(label: "StrOrPromise", name: str, *, rows: int = 0) -> forms.CharField:
    """A field for that text of an event, of one line or of several rows."""
    attrs = {"autocomplete": "off"}
    widget = forms.Textarea(attrs={**attrs, "rows": str(rows)}) if rows else forms.TextInput(attrs=attrs)
    return forms.CharField(label=label, max_length=longest(Event, name), required=False, widget=widget)


class HabitsForm(forms.Form):
    """What a store does alike from event to event."""

    fleets_must_be_legal = forms.BooleanField(
        label=_("Only players with a legal fleet can be checked in"), required=False
    )
    fleets_shown = forms.ChoiceField(
        label=_("Who sees a player’s fleet"), choices=FleetsShown.choices, widget=forms.RadioSelect
    )
    fleets_recorded = forms.ChoiceField(
        label=_("Recorded and signed fleets"),
        choices=FleetsRecorded.choices,
        widget=forms.RadioSelect,
        help_text=_("While no fleet is recorded here, “Asked” asks for nothing: all sheets are on paper."),
    )
    reported_by = forms.ChoiceField(
        label=_("Who reports results"), choices=ReportedBy.choices, widget=forms.RadioSelect
    )
    accept_after = forms.IntegerField(
        label=_("Include unconfirmed reports in “Save all results” after … minutes"),
        help_text=_(
            "“Save all results” then includes a report that the opponent hasn’t answered. You can accept a single "
            "report at any time."
        ),
        min_value=0,
        max_value=600,
        widget=forms.NumberInput(attrs=NUMERIC),
    )
    places = forms.IntegerField(
        label=_("Places"),
        help_text=_("Players who join once these are taken are on a waiting list."),
        required=False,
        min_value=1,
        max_value=MOST_ENTRANTS,
        widget=forms.NumberInput(attrs=NUMERIC),
    )
    checks_in_by_phone = forms.BooleanField(
        label=_("Players may check themselves in by phone on the day"), required=False
    )
    description = optional_text(_("Description"), "description", rows=4)
    address = optional_text(_("Address"), "address")
    ends = forms.TimeField(
        label=_("End"), required=False, widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    )
    entry_fee = optional_text(_("Entry fee"), "entry_fee")
    bring = optional_text(_("What to bring"), "bring", rows=2)
    break_minutes = forms.IntegerField(
        label=_("Break between rounds, in minutes"),
        help_text=_("With a number here, players see a timetable of rounds and breaks."),
        required=False,
        min_value=0,
        max_value=240,
        widget=forms.NumberInput(attrs=NUMERIC),
    )
    shop_link = forms.CharField(
        label=_("Link to a shop"),
        help_text=_("Starts with https://. Players see which site it leads to."),
        required=False,
        max_length=longest(Event, "shop_link"),
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
        validators=[
            URLValidator(schemes=["https"], message=_("Enter a whole address that starts with https://.")),
        ],
    )

    @property
    def for_players(self) -> list[forms.BoundField]:
        """The fields of what players are told before round 1."""
        return [self[name] for name in FOR_PLAYERS]

    @property
    def of_places(self) -> list[forms.BoundField]:
        """The fields of how many may play, and until when they sign up."""
        return [self[name] for name in PLACES if name in self.fields]

    @property
    def has_wrong_places(self) -> bool:
        """Whether one of those fields has to be corrected."""
        return any(field.errors for field in self.of_places)

    @property
    def has_wrong_for_players(self) -> bool:
        """Whether one of those fields has to be corrected."""
        return any(field.errors for field in self.for_players)

    def clean_shop_link(self) -> str:
        """The link; what stands before an @ would look like the site. Raises ValidationError."""
        link: str = self.cleaned_data["shop_link"]
        if "@" in urlsplit(link).netloc:
            raise ValidationError(_("Enter a whole address that starts with https://."))
        return link


class EventSettingsForm(HabitsForm, AsksDay):
    """What the organizer may change of an event; date and time are those of the store's clock."""

    name = forms.CharField(
        label=_("Name"), max_length=NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    date = date_field()
    time = time_field()
    rounds_planned = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=12, widget=forms.NumberInput(attrs=NUMERIC)
    )
    minutes = forms.IntegerField(
        label=_("Minutes per round"),
        min_value=1,
        max_value=600,
        widget=forms.NumberInput(attrs=NUMERIC),
    )
    sp_limit = forms.IntegerField(
        label=_("SP limit"), min_value=1, max_value=1000, widget=forms.NumberInput(attrs=NUMERIC)
    )
    registration_open = forms.BooleanField(label=_("Players may register by phone"), required=False)
    sign_up_closes_at = forms.DateTimeField(
        label=_("Sign-up closes"),
        help_text=_("For players. The desk can register players until the end."),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )

    field_order = (
        *("name", "date", "time", "rounds_planned", "minutes", "sp_limit", "registration_open"),
        *("fleets_shown", "fleets_must_be_legal", "fleets_recorded", "reported_by", "accept_after"),
        *FOR_PLAYERS,
        *PLACES,
    )

    @staticmethod
    def facts_of(event: Event) -> dict[str, object]:
        """The event as this form shows it."""
        starts = timezone.localtime(event.starts_at)
        facts = {name: getattr(event, name) for name in Settings.__slots__ if name != "starts_at"}
        return facts | {"date": starts.date(), "time": starts.time()}

    def clean(self) -> dict[str, object]:
        self.check_start("date", "time", is_known=self.initial.get("date"))
        return self.cleaned_data

    @property
    def settings(self) -> Settings:
        """The event's settings as they were typed."""
        return Settings(**{name: self.cleaned_data[name] for name in Settings.__slots__})


class FinishForm(forms.Form):
    """The end of an event; a reason where planned rounds are not played.

    `stop` is a drafted round that is not to be played (rule 3.7).
    """

    stop = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1, max_value=99)
    reason = forms.CharField(
        label=_("Why does the event end here?"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}),
        help_text=_("It stays in the journal."),
        error_messages={"required": _("Say why the event ends before the last planned round.")},
    )

    def ask_reason(self, is_early: bool) -> None:
        """Before the form is validated: whether planned rounds are not played."""
        if not is_early:
            del self.fields["reason"]


class ReopenForm(forms.Form):
    """Why a finished event is opened again."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}),
        help_text=_("It stays in the journal."),
        error_messages={"required": _("Give a reason to reopen the event.")},
    )
