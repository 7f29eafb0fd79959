"""The bonuses of a kit's sheet, a line for each, typed where a month pack lacks them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import ZERO_POINTS
from scoring.domain.pack_guide import BONUSES
from scoring.domain.pack_sheet import SheetBonus

LINES = 4
"""More than any month known so far prints."""
MOST_LINES = 20
NAME_LENGTH = 80
NAMES = ("name", "points", "per", "to")
TYPED = ("-name", "-points")
GUIDES = {guide.name: guide for guide in BONUSES.guides}
PER, TO = ([(value, lazystr(words)) for value, words in GUIDES[name].choices] for name in ("per", "to"))
MISSING = {name: GUIDES[name].missing for name in ("name", "points")}


@dataclass(frozen=True, slots=True)
class BonusLine:
    """The fields of one line, counted from 1."""

    number: int
    fields: tuple[BoundField, ...]

    @property
    def is_open(self) -> bool:
        """Whether something is typed in it, or wrong."""
        return any(field.errors or (field.name.endswith(TYPED) and field.value()) for field in self.fields)


class SheetForm(forms.Form):
    """A few lines, of which those without a name and points count for nothing; or that the sheet has no bonuses.

    `bonuses` of a valid form: what was typed, None for nothing at all, which `is_needed` refuses.
    """

    use_required_attribute = False

    def __init__(self, *args: Any, lines: Sequence[SheetBonus] = (), is_needed: bool = False, **kwargs: Any) -> None:
        given = enumerate(lines, 1)
        kwargs["initial"] = {f"bonus-{number}-{name}": getattr(one, name) for number, one in given for name in NAMES}
        super().__init__(*args, **kwargs)
        self.is_needed = is_needed
        self.count = max(LINES, min(len(lines) + 1, MOST_LINES))
        for number in range(1, self.count + 1):
            self.fields |= {f"bonus-{number}-{name}": field for name, field in _fields().items()}
        self.fields["no_bonuses"] = forms.BooleanField(label=_("The sheet lists no bonuses"), required=False)

    @property
    def lines(self) -> list[BonusLine]:
        """The lines with their fields."""
        return [
            BonusLine(number, tuple(self[f"bonus-{number}-{name}"] for name in NAMES))
            for number in range(1, self.count + 1)
        ]

    @property
    def has_more(self) -> bool:
        """Whether another line than the first has something."""
        return any(line.is_open for line in self.lines[1:])

    @property
    def is_open(self) -> bool:
        """Whether something stands in it."""
        return bool(self["no_bonuses"].value()) or any(line.is_open for line in self.lines)

    def clean(self) -> dict[str, Any]:
        found = [one for number in range(1, self.count + 1) if (one := self._line(f"bonus-{number}"))]
        none = self.cleaned_data.get("no_bonuses")
        if none and found:
            self.add_error("no_bonuses", _("Untick this, or clear the bonuses."))
        if self.is_needed and not found and not none and not self.errors:
            self.add_error("bonus-1-name", _("Type at least one bonus, or tick that the sheet lists none."))
        if not self.errors and (found or none):
            self.bonuses = tuple(found)
        return self.cleaned_data

    def _line(self, start: str) -> SheetBonus | None:
        """What is typed in that line; None, and an error, where only a part of it is."""
        name, points, per, to = (self.cleaned_data.get(f"{start}-{field}") for field in NAMES)
        has_points = points is not None or f"{start}-points" in self.errors
        if name and not has_points:
            self.add_error(f"{start}-points", str(MISSING["points"]))
        elif points == 0:
            self.add_error(f"{start}-points", str(ZERO_POINTS))
        elif has_points and not name and f"{start}-name" not in self.errors:
            self.add_error(f"{start}-name", str(MISSING["name"]))
        elif name and points:
            return SheetBonus(name, points, per or PER[0][0], to or TO[0][0])
        return None

    bonuses: tuple[SheetBonus, ...] | None = None


def _fields() -> dict[str, forms.Field]:
    return {
        "name": forms.CharField(
            label=_("What for"),
            max_length=NAME_LENGTH,
            required=False,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        ),
        "points": forms.IntegerField(
            label=lazystr(GUIDES["points"].label),
            min_value=-1000,
            max_value=1000,
            required=False,
            widget=forms.NumberInput(attrs={"inputmode": "text", "class": "number", "autocomplete": "off"}),
        ),
        "per": forms.ChoiceField(label=lazystr(GUIDES["per"].label), choices=PER, required=False),
        "to": forms.ChoiceField(label=lazystr(GUIDES["to"].label), choices=TO, required=False),
    }
