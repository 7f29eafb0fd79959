"""The Rule of 3 calculator (rule 8): what is typed, as an address that can be shared."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import WholeNumberInput
from tourney.judge.domain.rule_of_three import VALUES, Fixed, Modifier, Question, Value, signed
from tourney.runtime.messages import Message, message

START = "value=primary&printed=3"
"""What the page begins with."""
MOST_ROWS = 20
LABEL_LENGTH = 60
NUMBER = re.compile(r"[+−-]?[0-9]{1,2}")
COST = "cost"
CHIPS = (-3, -2, -1, 1, 2, 3)
EXAMPLES = (
    (
        _("A cloaked ship defends with 4 more dice, and its opponent removes 2"),
        "value=agility&printed=1&cloak=yes&mod=4&mod_label=Own+cards&mod=-2&mod_label=The+opponent%27s+cards",
    ),
    (
        _("Agility lowered in the Planning Phase, then cloaked"),
        "value=agility&printed=1&cloak=yes&mod=-1&mod_label=Planning+Phase",
    ),
    (_("The same ship before it cloaks"), "value=agility&printed=1&mod=-1&mod_label=Planning+Phase"),
    (_("A cloaked ship with nothing else"), "value=agility&printed=1&cloak=yes"),
    (_("Agility raised by 4"), "value=agility&printed=2&mod=4"),
    (_("Primary weapon lowered by 5"), "value=primary&printed=4&mod=-5"),
    (_("3 more attack dice at Range 1"), "value=primary&printed=3&mod=3&bonus=on"),
    (_("3 more defense dice at Range 3"), "value=agility&printed=2&mod=3&bonus=on"),
    (_("Captain skill doubled"), "value=skill&printed=4&double=on"),
    (_("Shields halved"), "value=shields&printed=4&half=on"),
    (_("A Borg Support Vehicle’s discount of 10 SP"), "where=cost&value=sp&printed=26&mod=-10"),
    (_("The same with 15 SP"), "where=cost&value=sp&printed=26&mod=-15"),
    (_("Chroniton torpedoes with their penalty of 6 SP"), "where=cost&value=sp&printed=5&mod=6"),
    (_("A bonus of 20 Fleet Points"), "where=cost&value=sp&printed=85&mod=20"),
)
"""The source's worked examples in words of our own, each with the query that asks for it."""


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """A number and what it comes from, as they were typed."""

    number: str
    label: str

    @property
    def is_number(self) -> bool:
        """Whether a whole number was typed."""
        return NUMBER.fullmatch(self.number) is not None

    @property
    def is_wrong(self) -> bool:
        """Whether something was typed that is no whole number."""
        return bool(self.number or self.label) and not self.is_number

    @property
    def signed(self) -> str:
        """The number with its sign, or what was typed instead."""
        return signed(self.as_int()) if self.is_number else self.number

    def as_int(self) -> int:
        """The number; a real minus sign is understood. Raises ValueError."""
        return int(self.number.replace("−", "-"))


class RuleOfThreeForm(forms.Form):
    """Everything that is on a value. `fixed` and `modifiers` are rows of any number, in the fields `set` and `mod`."""

    where = forms.ChoiceField(
        label=_("What do you want to add up?"),
        choices=[("", _("In play")), (COST, _("SP or Fleet Points"))],
        widget=forms.RadioSelect,
        required=False,
    )
    value = forms.ChoiceField(
        label=_("Value"),
        choices=[(value.key, value.name) for value in VALUES],
        error_messages={
            "required": _("Choose a value."),
            "invalid_choice": _("That isn’t a value of the game. Choose one of these."),
        },
    )
    printed = forms.IntegerField(
        label=_("Printed number"),
        min_value=0,
        max_value=200,
        widget=WholeNumberInput(),
        error_messages={
            "required": _("Enter the printed number."),
            "invalid": _("Enter a whole number, such as 3."),
            "min_value": _("Printed numbers can’t be below 0."),
            "max_value": _("Printed numbers can’t be above 200."),
        },
    )
    cloak = forms.ChoiceField(
        label=_("Cloaked?"),
        choices=[("", _("No")), ("yes", _("Cloaked")), ("last", _("Cloaked after that"))],
        widget=forms.RadioSelect,
        required=False,
    )
    double = forms.BooleanField(label=_("Double"), required=False)
    half = forms.BooleanField(label=_("Half"), required=False)
    bonus = forms.BooleanField(required=False)

    data: QueryDict
    with_range_bonus = tuple(value for value in VALUES if value.range_bonus)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data or QueryDict(START), label_suffix="")
        self.fixed = self._rows("set")
        self.modifiers = self._with_added(self._rows("mod", without=self.data.get("without", "")))

    def clean(self) -> None:
        for row in self.fixed:
            if not row.number:
                self._refuse(message("Enter the number for the replacement “{label}”.", label=row.label))
            elif not row.is_number:
                self._refuse(
                    message(
                        "“{text}” isn’t a valid replacement. Enter a whole number of one or two digits.",
                        text=row.number,
                    )
                )
        for row in self.modifiers:
            if not row.number:
                self._refuse(message("Enter the number for the modifier “{label}”.", label=row.label))
            elif not row.is_number:
                self._refuse(
                    message(
                        "“{text}” isn’t a valid modifier. Enter a whole number of one or two digits.", text=row.number
                    )
                )

    def _refuse(self, why: Message) -> None:
        self.add_error(None, ValidationError(str(why)))

    def question(self) -> Question:
        """What was typed, of which a cost has the modifiers alone, and a value only what it can have."""
        facts, modifiers = self.cleaned_data, tuple(Modifier(row.as_int(), row.label) for row in self.modifiers)
        if not self.in_play:
            return Question(facts["printed"], modifiers=modifiers, in_play=False)
        return Question(
            facts["printed"],
            fixed=self._fixed(),
            times=2 if facts["double"] else 1,
            divided_by=2 if facts["half"] else 1,
            modifiers=modifiers,
            range_bonus=int(bool(self.kind.range_bonus and facts["bonus"])),
        )

    @property
    def in_play(self) -> bool:
        """Whether the value is one in play, and no cost."""
        return self.data.get("where") != COST

    @property
    def kind(self) -> Value:
        """The value that was chosen; the first one where the choice is wrong."""
        return next((value for value in VALUES if value.key == self.data.get("value")), VALUES[0])

    @property
    def asks_for_rows(self) -> bool:
        """Whether the address asks for a row more or less, and is to be followed by one that has it."""
        return bool({"add", "without"} & self.data.keys())

    def address(self) -> str:
        """The query of this page with everything that was typed, and without what is empty."""
        plain = [(name, self.data.get(name, "")) for name in ("where", "value", "printed", "cloak")]
        ticks = [(name, self.data.get(name, "")) for name in ("double", "half", "bonus")]
        rows = [*self._pairs("set", self.fixed), *self._pairs("mod", self.modifiers)]
        return urlencode([(name, text) for name, text in (*plain, *ticks) if text] + rows)

    @property
    def modifier_rows(self) -> list[TypedNumber]:
        """The modifiers, and an empty row for one more."""
        return [*self.modifiers, TypedNumber("", "")][:MOST_ROWS]

    @property
    def fixed_rows(self) -> list[TypedNumber]:
        """The rows of replacements, with an empty one at the end as long as there is room."""
        return [*self.fixed, TypedNumber("", "")][:MOST_ROWS]

    @property
    def has_replacements(self) -> bool:
        """Whether anything replaces, doubles or halves the value."""
        return bool(self.fixed or {"double", "half"} & self.data.keys())

    def _rows(self, name: str, without: str = "") -> list[TypedNumber]:
        """The rows that are filled, without the one at this place."""
        pairs = zip_longest(self.data.getlist(name), self.data.getlist(f"{name}_label"), fillvalue="")
        rows = [
            TypedNumber(number.strip()[:8], label.strip()[:LABEL_LENGTH])
            for place, (number, label) in enumerate(pairs)
            if str(place) != without
        ]
        return [row for row in rows if row.number or row.label][:MOST_ROWS]

    @staticmethod
    def _pairs(name: str, rows: list[TypedNumber]) -> Iterator[tuple[str, str]]:
        has_labels = any(row.label for row in rows)
        for row in rows:
            yield name, str(row.as_int()) if row.is_number else row.number
            if has_labels:
                yield f"{name}_label", row.label

    def _with_added(self, rows: list[TypedNumber]) -> list[TypedNumber]:
        """The modifiers with the one that was tapped."""
        add = self.data.get("add", "")
        return [*rows, TypedNumber(add, "")] if NUMBER.fullmatch(add) and len(rows) < MOST_ROWS else rows

    def _fixed(self) -> tuple[Fixed, ...]:
        numbers = tuple(Fixed(row.as_int(), row.label) for row in self.fixed)
        cloak = self.cleaned_data["cloak"] if self.kind.can_cloak else ""
        return ((Fixed(None),) if cloak == "yes" else ()) + numbers + ((Fixed(None),) if cloak == "last" else ())
