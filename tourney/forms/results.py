"""What the desk types in about a table: how a match ended, what is left and counted."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import MonthPack, Tally
from scoring.domain.points import NOT_PLAYED, Ending, Played, Side, endings, problems, sides_with_sp
from scoring.domain.words import bonus_in_short
from tourney.actions.results import Signing
from tourney.forms.destroyed import SIDES, MarkedForm
from tourney.forms.fields import choices_of, sentences_of
from tourney.models import Result
from tourney.queries.matches import played_of
from tourney.queries.reports import SideReport
from tourney.queries.results import ENDING_NAMES, ResultInput, needs_ruling
from tourney.queries.surviving import Fleets, marked_sheet
from tourney.runtime.messages import message

ENDINGS = {ending: lazystr(said) for ending, said in ENDING_NAMES.items()}
RARE = (Ending.BOTH_NO_SHOWS, Ending.DOUBLE_LOSS, Ending.RULING)
ONE_IS_OUT = (Ending.ELIMINATION, Ending.CONCESSION, Ending.NO_SHOW, Ending.RULING)
CONDITION_DECIDES = (Ending.ELIMINATION, Ending.BOTH_ELIMINATED, Ending.TIME, Ending.SCENARIO)


Cell = tuple[str, str, BoundField]
"""A field of one side: the side's letter, the player's name, the field."""


class NumberField(forms.IntegerField):
    """A whole number typed as text, so that nothing typed is ever lost; a real minus sign is understood."""

    default_error_messages = {
        "invalid": _("Enter a whole number."),
        "min_value": _("Enter %(limit_value)s or more."),
        "max_value": _("Enter %(limit_value)s or less."),
    }

    def __init__(self, *, keyboard: str = "numeric", **more: Any) -> None:
        attrs = {"inputmode": keyboard, "autocomplete": "off", "class": "number"}
        super().__init__(required=False, widget=forms.TextInput(attrs), **more)

    def to_python(self, value: object) -> int | None:
        """The number that was typed, None for nothing. Raises ValidationError for what is none."""
        return super().to_python(value.replace("−", "-") if isinstance(value, str) else value)


class ResultForm(MarkedForm):
    """The facts of one match (rules 1.2, 2.3–2.12). `report()` gives them once the form is valid.

    Field names are those of scoring's problems: ending, out, sp_left_a, tally_<key>_b and so on; a is the first player.
    What the chosen ending does not ask for is ignored: the page does not show it.

    Where `told` is an unconfirmed report and there is no result, the form is `filled_from` that, and `reported` is its
    id.

    SP left are typed, or follow from the lines ticked in `destroyed_a` and `destroyed_b`, where `fleets` has a fleet
    for that side; `marked` are those that were ticked on phones. Where a number that the fleet cannot leave may stand
    (`may_let_stand`), its reason goes to `sp_ruling`.
    """

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    players = forms.RegexField(r"^[0-9]{1,6}-[0-9]{1,6}$", widget=forms.HiddenInput, required=False)
    reported = forms.IntegerField(min_value=1, widget=forms.HiddenInput, required=False)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, rules: MonthPack, names: Sequence[str],
        numbers: Sequence[int] = (), result: Result | None = None, played: Played | None = None,
        told: SideReport | None = None,
        ask_reason: bool = False, fleets: Fleets = (None, None),
        marked: Sequence[Collection[int]] = ((), ()), may_let_stand: bool = False, **more: Any,
    ) -> None:  # fmt: skip
        more.setdefault("use_required_attribute", False)
        a, b = names
        self.rules, self.names, self.ask_reason = rules, (a, b), ask_reason
        self.fleets, self.stored, self.may_let_stand = fleets, played, may_let_stand
        self.filled_from = told if result is None else None
        initial = _initial(rules, result, played) | self.initial_marks(marked) | {"players": in_field(numbers)}
        initial |= reported_values(rules, self.filled_from)
        super().__init__(data, initial=initial, **more)
        self.fields |= self._ending_fields() | self._counted_fields() | self.fleet_fields() | self._ruling_fields()
        self.order_fields(["ending", "out", "condition"])

    def _ending_fields(self) -> dict[str, forms.Field]:
        who = list(zip(SIDES, self.names, strict=True))
        fields: dict[str, forms.Field] = {
            "ending": forms.ChoiceField(
                label=_("How it ended"),
                choices=[(ending.value, ENDINGS[ending]) for ending in endings(self.rules)],
                widget=forms.RadioSelect,
                error_messages={"required": _("Choose how the match ended.")},
            ),
            "out": forms.ChoiceField(label=_("Who is out"), choices=who, widget=forms.RadioSelect, required=False),
        }
        if self.rules.win_conditions:
            won = [
                (f"{side}{index}", f"{name}: {text}")
                for index, text in enumerate(self.rules.win_conditions)
                for side, name in who
            ]
            fields["condition"] = forms.ChoiceField(
                label=_("Won by a condition of this month"),
                choices=[("", _("None of them")), *won],
                widget=forms.RadioSelect,
                required=False,
            )
        return fields

    def _counted_fields(self) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {}
        for side, name in zip(SIDES, self.names, strict=True):
            fields[f"sp_left_{side}"] = NumberField(label=lazystr(message("{player}’s SP left", player=name)))
            for tally in self.rules.tallies:
                label = str(message("{tally}, {player}", tally=tally.name, player=name))
                is_tick = tally.max_each == 1
                field: forms.Field = (
                    forms.BooleanField(label=label, required=False)
                    if is_tick
                    else NumberField(label=label, max_value=999)
                )
                fields[f"tally_{tally.key}_{side}"] = field
        return fields

    def _ruling_fields(self) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {
            f"adjustment_{side}": NumberField(
                label=lazystr(message("Fleet Points by ruling, {player}", player=name)),
                keyboard="text",
                min_value=-1000,
                max_value=1000,
            )
            for side, name in zip(SIDES, self.names, strict=True)
        }
        fields["ruling"] = forms.CharField(label=_("Reason for the ruling"), max_length=200, required=False)
        if self.ask_reason:
            fields["reason"] = forms.CharField(
                label=_("Reason for the correction"),
                max_length=200,
                error_messages={"required": _("Give a reason: the round is closed, and the journal keeps it.")},
            )
        return fields

    def clean(self) -> dict[str, object]:
        super().clean()
        if self.can_be_scored:
            self._ask_for_what_is_missing()
        if self.can_be_scored:
            self._refuse_the_impossible()
        return self.cleaned_data

    @property
    def can_be_scored(self) -> bool:
        """Whether the facts are complete and possible, even if a reason is still missing."""
        return not self.errors.keys() - {"reason", "ruling", "version", "players", "reported"}

    def report(self) -> ResultInput:
        """The facts as entered, of a form that can be scored."""
        cleaned = self.cleaned_data
        destroyed = tuple(self.destroyed_of(side) for side in (0, 1))
        seen = tuple(self.seen_of(side) for side in (0, 1))
        return ResultInput(self._played(), cleaned.get("ruling", ""), destroyed, cleaned.get("sp_ruling", ""), seen)

    @property
    def version_seen(self) -> int:
        """The version of the result that the person saw; 0 for none."""
        return self.cleaned_data.get("version") or 0

    @property
    def players_seen(self) -> tuple[int, ...] | None:
        """The numbers of those who sat at the table when the person began; None where the page did not say."""
        players = self.cleaned_data.get("players")
        return tuple(map(int, players.split("-"))) if players else None

    @property
    def report_seen(self) -> int:
        """The id of the report that the form was filled in from; 0 for none."""
        return self.cleaned_data.get("reported") or 0

    def _ask_for_what_is_missing(self) -> None:
        for side in self._sides_with_sp():
            self.ask_for_sp_left(side)
        if needs_ruling(self._played()) and not self.cleaned_data["ruling"]:
            self.add_error("ruling", _("Give a reason: a ruling needs one (rule 2.12)."))

    def _refuse_the_impossible(self) -> None:
        played = self._played()
        found = problems(self.rules, played, self.spoken_to())
        for problem in found:
            self.add_error(problem.field if problem.field in self.fields else None, str(problem.message))
        if not found:
            self.refuse_the_unreachable(played)

    @property
    def _ending(self) -> Ending:
        return Ending(self.cleaned_data["ending"])

    @property
    def _out(self) -> int | None:
        out = self.cleaned_data["out"]
        return SIDES.index(out) if out and self._ending in ONE_IS_OUT else None

    def _sides_with_sp(self) -> tuple[int, ...]:
        return sides_with_sp(self.rules, self._ending, self._out)

    def _played(self) -> Played:
        condition = self.cleaned_data.get("condition") if self._ending in CONDITION_DECIDES else ""
        return Played(
            ending=self._ending,
            sides=(self._side(0), self._side(1)),
            out=self._out,
            condition=(SIDES.index(condition[0]), int(condition[1:])) if condition else None,
        )

    def _side(self, side: int) -> Side:
        cleaned, letter = self.cleaned_data, SIDES[side]
        counted = () if self._ending in NOT_PLAYED else self.rules.tallies
        tallies = ((tally.key, int(cleaned.get(f"tally_{tally.key}_{letter}") or 0)) for tally in counted)
        return Side(
            sp_left=(self.sp_left_of(side) or 0) if side in self._sides_with_sp() else 0,
            tallies=tuple(sorted((key, count) for key, count in tallies if count)),
            adjustment=cleaned.get(f"adjustment_{letter}") or 0,
        )

    # for the page

    def tally_rows(self) -> list[tuple[Tally, str, list[Cell]]]:
        """Each tally of the month, what it is worth, and its two fields."""
        return [(tally, self._worth(tally), self._cells(f"tally_{tally.key}")) for tally in self.rules.tallies]

    def sp_left(self) -> list[Cell]:
        """The cells of SP left, side a first."""
        return self._cells("sp_left")

    def adjustments(self) -> list[Cell]:
        """The cells of a ruling's adjustment, side a first."""
        return self._cells("adjustment")

    def sides(self) -> list[tuple[str, str, BoundField, list[tuple[Tally, BoundField]]]]:
        """Per side its letter, its name, the field for SP left, and each tally with its field."""
        tallies = self.rules.tallies
        return [
            (side, name, self[f"sp_left_{side}"], [(tally, self[f"tally_{tally.key}_{side}"]) for tally in tallies])
            for side, name in zip(SIDES, self.names, strict=True)
        ]

    def _cells(self, field: str) -> list[Cell]:
        return [(side, name, self[f"{field}_{side}"]) for side, name in zip(SIDES, self.names, strict=True)]

    def _worth(self, tally: Tally) -> str:
        return "; ".join(str(bonus_in_short(bonus)) for bonus in self.rules.bonuses if bonus.tally == tally.key)

    @property
    def has_ruling(self) -> bool:
        """Whether the part for rulings is of interest: something stands there, or something is wrong with it."""
        names = ("adjustment_a", "adjustment_b", "ruling")
        return self["ending"].value() == Ending.DOUBLE_LOSS or any(self[n].value() or self[n].errors for n in names)

    @property
    def sentences(self) -> list[str]:
        """Everything that is missing or wrong, as sentences."""
        return sentences_of(self)


def signing_in(data: Mapping[str, Any], prefix: str = "") -> Signing:
    """What a form says of missing sheets: those it showed, and whether they are signed on paper (rule 7.2)."""
    return Signing(frozenset(data.get(f"{prefix}anyway", "").split()), on_paper=bool(data.get(f"{prefix}paper")))


class RowForm(ResultForm):
    """The same facts in one row of the fast entry, prefixed by the table; a row nobody touched is no report.

    Nothing is ticked here: SP left are typed, or stand there already where phones have marked what was destroyed.
    """

    @property
    def remedy(self) -> str:
        """What can be done about an impossible number, in a row."""
        return str(_("Count again, or open the table, where an organizer can override this."))

    def __init__(self, data: Mapping[str, Any] | None = None, *, table: int, **more: Any) -> None:
        super().__init__(data, prefix=f"t{table}", **more)
        self.table = table
        self.is_reported = bool(self["reported"].value())
        self.suggested |= reported_values(self.rules, more.get("told"))
        for name in ("adjustment_a", "adjustment_b", "ruling"):
            self.fields[name].widget = forms.HiddenInput()
        self.fields["ending"].widget = forms.Select(
            choices=[("", f"– {_('How it ended')} –"), *endings_by_letter(self.rules)]
        )
        self.fields["out"].widget = forms.Select(
            choices=[
                ("", f"– {_('Which player?')} –"),
                *((side, f"{n} {name}") for n, (side, name) in enumerate(choices_of(self, "out"), 1)),
            ]
        )
        if "condition" in self.fields:
            self.fields["condition"].widget = forms.Select(choices=choices_of(self, "condition"))

    def fleet_fields(self) -> dict[str, forms.Field]:
        """No fields: nothing is ticked in a row."""
        return {}

    def initial_marks(self, marked: Sequence[Collection[int]]) -> dict[str, object]:
        """Initial values by field name: SP left as the marks leave them, while no result is stored."""
        self.suggested = _suggested(self.fleets, marked)
        return {} if self.stored else self.suggested

    @property
    def is_filled(self) -> bool:
        """Whether anything was typed here that is not stored already.

        Where somebody else saved meanwhile, whatever stands in the row counts: better asked twice than lost.
        """
        names = self.fields.keys() - {"version", "players", "reported"}
        if self["version"].value() == str(self.initial["version"]):
            return not names.isdisjoint(self.changed_data)
        typed = {name: value for name in names if (value := self[name].value())}
        return any(value != str(self.suggested.get(name)) for name, value in typed.items())


def row_values(
    rules: MonthPack,
    *,
    numbers: Sequence[int],
    result: Result | None,
    played: Played | None,
    fleets: Fleets,
    marked: Sequence[Collection[int]],
    told: SideReport | None = None,
) -> dict[str, object]:
    """What stands in the fields of a row that nobody sent, by name, as RowForm shows it without a form being made."""
    suggested = {} if played else _suggested(fleets, marked)
    suggested |= reported_values(rules, None if played else told)
    return _initial(rules, result, played) | suggested | {"players": in_field(numbers)}


def _suggested(fleets: Fleets, marked: Sequence[Collection[int]]) -> dict[str, object]:
    sides = zip(SIDES, fleets, marked, strict=True)
    return {f"sp_left_{side}": marked_sheet(fleet, lines).sp_left for side, fleet, lines in sides if fleet and lines}


def in_field(numbers: Sequence[int]) -> str:
    """Who sits at a table, in one field."""
    return "-".join(map(str, numbers))


def endings_by_letter(rules: MonthPack) -> list[tuple[str, str]]:
    """The endings of the fast entry, each with a first letter of its own; what is rare is entered at its own table."""
    return [
        (ending.value, str(_("Elimination") if ending is Ending.ELIMINATION else ENDINGS[ending]))
        for ending in endings(rules)
        if ending not in RARE
    ]


def facts_in_words(rules: MonthPack, names: Sequence[str], report: ResultInput | None) -> list[tuple[str, str]]:
    """A result's facts line by line, (what, value), for reading and comparing now; nothing for no result."""
    if report is None:
        return []
    played = report.played
    lines: list[tuple[object, object]] = [(_("How it ended"), ENDINGS[Ending(played.ending)])]
    if played.out is not None:
        lines.append((_("Out"), names[played.out]))
    if played.condition:
        side, index = played.condition
        lines.append((_("Win condition"), f"{names[side]}: {rules.win_conditions[index]}"))
    for side in sides_with_sp(rules, Ending(played.ending), played.out):
        lines.append((message("{player}’s SP left", player=names[side]), str(played.sides[side].sp_left)))
    for tally in rules.tallies:
        for side, name in enumerate(names):
            if count := dict(played.sides[side].tallies).get(tally.key):
                lines.append(
                    (
                        message("{tally}, {player}", tally=tally.name, player=name),
                        _("yes") if tally.max_each == 1 else str(count),
                    )
                )
    for side, name in enumerate(names):
        if played.sides[side].adjustment:
            lines.append(
                (
                    message("Ruling, {player}", player=name),
                    message("{points} Fleet Points", points=f"{played.sides[side].adjustment:+}"),
                )
            )
    reasons = ((_("Reason for the ruling"), report.ruling), (_("Reason for the override"), report.sp_ruling))
    lines += [(what, reason) for what, reason in reasons if reason]
    return [(str(what), str(value)) for what, value in lines]


def initial_of(rules: MonthPack, played: Played) -> dict[str, object]:
    """What happened at a table as ResultForm shows it."""
    facts: dict[str, object] = {
        "ending": Ending(played.ending).value,
        "out": "" if played.out is None else SIDES[played.out],
    }
    if played.condition:
        facts["condition"] = f"{SIDES[played.condition[0]]}{played.condition[1]}"
    shown = sides_with_sp(rules, Ending(played.ending), played.out)
    for index, side in enumerate(SIDES):
        facts[f"sp_left_{side}"] = played.sides[index].sp_left if index in shown else None
        facts[f"adjustment_{side}"] = played.sides[index].adjustment or None
        for key, count in played.sides[index].tallies:
            facts[f"tally_{key}_{side}"] = count
    return facts


def reported_values(rules: MonthPack, told: SideReport | None) -> dict[str, object]:
    """What a report fills in, by the names of the fields, with its id as `reported`."""
    return initial_of(rules, played_of(told.row)) | {"reported": told.row.pk} if told else {}


def _initial(rules: MonthPack, result: Result | None, played: Played | None) -> dict[str, object]:
    if result is None or played is None:
        return {"version": 0}
    facts = {name: getattr(result, name) for name in ("version", "ruling", "sp_ruling")}
    return facts | initial_of(rules, played)
