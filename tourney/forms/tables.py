"""The tables of the room, what a player needs of them, and where a match goes."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from tourney.domain.tables import Needs, Table
from tourney.forms.fields import WholeNumberInput
from tourney.runtime.messages import message

MOST_TABLES = 60
NAME_LENGTH = 30
MARKS = ("near_door", "quiet", "closed")


class TablesForm(forms.Form):
    """How many tables there are, and of each its name and marks; more rows are there once the number is saved."""

    count = forms.IntegerField(
        label=_("Tables in the room"),
        min_value=0,
        max_value=MOST_TABLES,
        help_text=_("Other tables are used only when these are full. 0 means as many as needed."),
        widget=WholeNumberInput(),
        error_messages={"required": _("Enter how many tables there are; 0 means as many as needed.")},
    )
    other_tables = forms.BooleanField(
        label=_("Nobody twice at the same table, where that can be avoided"),
        help_text=_("Otherwise the best match is always at the first table."),
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        tables: Sequence[Table],
        other_tables: bool,
        suggested: int,
    ) -> None:
        rows = tables or [Table(number) for number in range(1, suggested + 1)]
        initial = {"count": len(tables) or 0, "other_tables": other_tables}
        self.numbers = [table.number for table in rows]
        for table in rows:
            initial |= {f"{name}_{table.number}": getattr(table, name) for name in ("name", *MARKS)}
        super().__init__(data, initial=initial, use_required_attribute=False)
        for number in self.numbers:
            self.fields[f"name_{number}"] = forms.CharField(
                label=lazystr(message("Name of table {table}", table=number)),
                required=False,
                max_length=NAME_LENGTH,
                widget=forms.TextInput(
                    attrs={"autocomplete": "off", "class": "input", "placeholder": _("Name, if it has one")}
                ),
            )
            for mark in MARKS:
                self.fields[f"{mark}_{number}"] = forms.BooleanField(required=False)

    @property
    def rows(self) -> list[tuple[int, BoundField, list[tuple[str, BoundField]]]]:
        """Of each table the number, the field of its name, and (label, field) of its marks."""
        marks = [
            (mark, str(label)) for mark, label in zip(MARKS, (_("Near the door"), _("Quiet"), _("Closed")), strict=True)
        ]
        return [
            (number, self[f"name_{number}"], [(label, self[f"{mark}_{number}"]) for mark, label in marks])
            for number in self.numbers
        ]

    @property
    def tables(self) -> list[Table]:
        """The tables as they were typed; what is said of more than there are is forgotten, new ones are plain."""
        said = {
            number: Table(
                number,
                self.cleaned_data[f"name_{number}"],
                **{mark: self.cleaned_data[f"{mark}_{number}"] for mark in MARKS},
            )
            for number in self.numbers
        }
        most = self.cleaned_data["count"] or max(
            (number for number in said if said[number] != Table(number)), default=0
        )
        return [said.get(number, Table(number)) for number in range(1, most + 1)]


class NeedsForm(forms.Form):
    """What a player needs of a table."""

    fixed = forms.IntegerField(
        label=_("Always at table"),
        required=False,
        min_value=1,
        max_value=999,
        widget=WholeNumberInput(),
    )
    near_door = forms.BooleanField(label=_("Near the door"), required=False)
    quiet = forms.BooleanField(label=_("Quiet spot"), required=False)

    @classmethod
    def of(cls, needs: Needs) -> "NeedsForm":
        """The form as it shows these needs."""
        return cls(initial={name: getattr(needs, name) for name in Needs.__slots__})

    @property
    def needs(self) -> Needs:
        """What the player needs of a table, as typed."""
        return Needs(**self.cleaned_data)


class MoveForm(forms.Form):
    """The table a match goes to."""

    to = forms.IntegerField(
        label=_("Another number"),
        min_value=1,
        max_value=999,
        widget=WholeNumberInput(),
        error_messages={"required": _("Type the number of the table.")},
    )
