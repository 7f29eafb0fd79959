"""What the desk decides beside the play: how a match ends without one, and penalties (rules 2.9, 2.11, 2.12)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import choice_field, longest
from tourney.forms.results import NumberField, in_field
from tourney.models import Penalty
from tourney.queries.cases import Case, CaseOption
from tourney.queries.matches import MatchState

REASON_LENGTH = longest(Penalty, "reason")
MOST_POINTS = 1000
LATE, LATE_POINTS = _("Late to the table"), -10


def _reason() -> forms.CharField:
    return forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Say why: it stands beside the points, and in the journal (rule 2.12).")},
    )


class CaseForm(forms.Form):
    """How the match is decided, by the key of an option, and why.

    `version` is the result that was seen, 0 for none; `players` are those who were seen at the table.
    """

    decide = forms.ChoiceField()
    version = forms.IntegerField(widget=forms.HiddenInput)
    players = forms.RegexField(r"^[0-9]{1,6}-[0-9]{1,6}$", widget=forms.HiddenInput, required=False)
    reason = _reason()

    def __init__(self, data: Mapping[str, Any] | None = None, *, case: Case, match: MatchState) -> None:
        initial = {"reason": case.reason, "version": match.version, "players": in_field(match.numbers)}
        super().__init__(data, initial=initial, auto_id=f"{case.key}-%s", use_required_attribute=False)
        self.case = case
        choice_field(self, "decide").choices = [
            (option.key, option.label) for option in case.options if not option.why_not
        ]

    @property
    def chosen(self) -> CaseOption:
        """The option that was pressed."""
        return next(option for option in self.case.options if option.key == self.cleaned_data["decide"])

    @property
    def players_seen(self) -> tuple[int, ...] | None:
        """The numbers of those who sat at the table when the person began; None where the page did not say."""
        players = self.cleaned_data["players"]
        return tuple(map(int, players.split("-"))) if players else None


class PenaltyForm(forms.Form):
    """Points that one of these players loses, or gets, and why; `shown` are those that the button said."""

    penalize = forms.TypedChoiceField(coerce=int, required=False)
    fleet_points = NumberField(label=_("Fleet Points"), keyboard="text", min_value=-MOST_POINTS, max_value=MOST_POINTS)
    battle_points = NumberField(
        label=_("Battle Points"), keyboard="text", min_value=-MOST_POINTS, max_value=MOST_POINTS
    )
    reason = _reason()
    shown = forms.CharField(required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, numbers: Iterable[int]) -> None:
        initial = {"fleet_points": str(LATE_POINTS).replace("-", "−"), "reason": LATE}
        super().__init__(data, initial=initial, auto_id="penalty-%s", use_required_attribute=False)
        choice_field(self, "penalize").choices = [(number, number) for number in numbers]

    def clean(self) -> dict[str, object]:
        super().clean()
        if not self.errors and self.points == (0, 0):
            self.add_error("fleet_points", _("Say how many points: 0 would change nothing."))
        return self.cleaned_data

    def numbers(self) -> list[forms.BoundField]:
        """The fields of the points, Fleet Points first."""
        return [self["fleet_points"], self["battle_points"]]

    @property
    def points(self) -> tuple[int, int]:
        """Battle and Fleet Points."""
        return self.cleaned_data.get("battle_points") or 0, self.cleaned_data.get("fleet_points") or 0

    @property
    def is_as_shown(self) -> bool:
        """Whether the button that was pressed said these points."""
        return self.cleaned_data["shown"] in ("", in_one_field(self.points))


def in_one_field(points: tuple[int, int]) -> str:
    """Battle and Fleet Points, as `shown` has them."""
    return " ".join(map(str, points))


class LiftForm(forms.Form):
    """The penalty to take away."""

    lift = forms.IntegerField()


def of_case(forms: Sequence[CaseForm], key: str) -> CaseForm | None:
    """The form whose button was pressed."""
    return next((form for form in forms if any(option.key == key for option in form.case.options)), None)
