"""Forms for a campaign, new or not, the rules of its season, and a new event."""

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.season import MOST_FOR_ATTENDANCE, MOST_MONTHS, SeasonRules
from tourney.forms.dates import AsksDay, date_field, time_field
from tourney.forms.fields import WholeNumberInput, choice_field, longest
from tourney.models import Campaign, Store
from tourney.runtime.messages import message


class CampaignForm(forms.Form):
    """A storyline from the list, or a name of one's own; no name twice at one store."""

    storyline = forms.ChoiceField(label=_("Storyline"), required=False)
    name = forms.CharField(
        label=_("Your own name"),
        max_length=longest(Campaign, "storyline"),
        required=False,
        help_text=_("Only if the storyline isn’t in the list, or to play one again: “Dominion War 2027”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, store: Store, storylines: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.store = store
        choice_field(self, "storyline").choices = [
            ("", _("Choose a storyline")),
            *((name, name) for name in storylines),
        ]

    def clean(self) -> dict[str, object]:
        storyline, own = (self.cleaned_data.get(field, "") for field in ("storyline", "name"))
        name = own or storyline
        if own and storyline.casefold() not in own.casefold():
            better = f"{storyline}, {own}"
            self.add_error(
                "name",
                str(
                    message(
                        "The months come with the storyline’s name. Type “{better}”, or choose no storyline.",
                        better=better,
                    )
                ),
            )
        if not name and not self.errors:
            self.add_error("storyline", _("Choose a storyline, or type a name below."))
        if name and self.store.campaigns.filter(storyline__iexact=name).exists():
            self.add_error(
                "name",
                str(
                    message("You already have a campaign called “{name}”. Give this one a name of its own.", name=name)
                ),
            )
        return self.cleaned_data | {"name": name}


class CampaignNameForm(forms.Form):
    """Another name for a campaign; no name twice at one store, and its storyline's stays in it."""

    name = forms.CharField(
        label=_("Name"),
        max_length=longest(Campaign, "storyline"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, campaign: Campaign, storylines: tuple[str, ...]
    ) -> None:
        super().__init__(data, initial={"name": campaign.storyline})
        self.campaign = campaign
        self.storylines = [name for name in storylines if name.casefold() in campaign.storyline.casefold()]

    def clean_name(self) -> str:
        """The name. Raises ValidationError for another campaign's, and for one that its months don't belong to."""
        name: str = self.cleaned_data["name"]
        if self.storylines and not any(one.casefold() in name.casefold() for one in self.storylines):
            better = f"{self.storylines[0]}, {name}"
            sentence = message("The months come with the storyline’s name. Type “{better}”.", better=better)
            raise forms.ValidationError(str(sentence))
        others = self.campaign.store.campaigns.exclude(pk=self.campaign.pk)
        if others.filter(storyline__iexact=name).exists():
            sentence = message(
                "You already have a campaign called “{name}”. Give this one a name of its own.", name=name
            )
            raise forms.ValidationError(str(sentence))
        return name


class SeasonRulesForm(forms.Form):
    """Rule 5.8: what counts in the season of a campaign."""

    best_of = forms.IntegerField(
        label=_("Best months that count"),
        required=False,
        min_value=1,
        max_value=MOST_MONTHS,
        help_text=_("Leave it empty to count every month."),
        widget=WholeNumberInput(),
    )
    for_attendance = forms.IntegerField(
        label=_("Battle Points for each month played"),
        required=False,
        min_value=0,
        max_value=MOST_FOR_ATTENDANCE,
        help_text=_("Added to the season only. Months that don’t count bring them, too."),
        widget=WholeNumberInput(),
    )
    at_least = forms.IntegerField(
        label=_("Months a player needs"),
        required=False,
        min_value=2,
        max_value=MOST_MONTHS,
        help_text=_("Players with fewer rank behind everyone else. Leave it empty if one is enough."),
        widget=WholeNumberInput(),
    )
    pick_order = forms.ChoiceField(
        label=_("Who picks grand prizes first?"),
        required=False,
        choices=(
            ("", _("Nobody: no grand prizes to pick")),
            ("rank", _("Best season rank")),
            ("months", _("Most months played, then season rank")),
            ("reversed", _("Lowest season rank")),
        ),
        widget=forms.RadioSelect,
    )

    @property
    def rules(self) -> SeasonRules:
        """What was typed, as far as it can be read."""
        typed: Mapping[str, Any] = self.cleaned_data if self.is_bound else self.initial
        return SeasonRules(
            typed.get("best_of"), typed.get("at_least"), typed.get("for_attendance") or 0, typed.get("pick_order", "")
        )


class ChoosesMonth(forms.Form):
    """Which month an event is played by, and its SP limit where the pack leaves that open (rule 2.2)."""

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

    def __init__(self, *args: Any, packs: tuple[Rules, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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


class EventForm(ChoosesMonth, AsksDay):
    """Three questions: which month, when, and the SP limit where the pack leaves it open (rule 2.2)."""

    day = date_field(initial=timezone.localdate)
    start = time_field(initial=time(18, 0))

    field_order = ("pack", "day", "start", "sp_limit")

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.campaign = campaign

    @property
    def lacks_bonuses(self) -> bool:
        """Whether the chosen month's bonuses are only on the sheet of its kit."""
        return self.chosen is not None and not self.chosen.bonuses_known

    def clean(self) -> dict[str, object]:
        super().clean()
        day, pack = self.check_start("day", "start"), self.packs.get(self.cleaned_data.get("pack", ""))
        if pack and day:
            self._refuse_twice(pack, day)
        return self.cleaned_data

    def _refuse_twice(self, pack: Rules, day: date) -> None:
        if self.campaign.events.filter(canceled_at=None, pack__slug=pack.slug, starts_at__date=day).exists():
            self.add_error("day", _("This month is already scheduled for that day. Choose another day or month."))
