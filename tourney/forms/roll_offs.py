"""What the desk types in about a roll-off: the rolls of those who are still tied."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField

from scoring.domain.roll_offs import DICE
from tourney.forms.results import NumberField
from tourney.runtime.messages import message


class RollForm(forms.Form):
    """One roll by hand: the Battle Stations (0 to 5) of each player who is still tied (rules 4.1, 4.3)."""

    roll = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        levels: Sequence[Sequence[int]],
        names: Mapping[int, str],
        roll: int,
        **more: Any,
    ) -> None:
        super().__init__(data, initial={"roll": roll}, use_required_attribute=False, auto_id="id_%s", **more)
        self.levels, self.names = levels, names
        for number in (number for level in levels for number in level):
            self.fields[f"count_{number}"] = NumberField(label=names[number], min_value=0, max_value=DICE)
        if levels:
            self.fields[f"count_{levels[0][0]}"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, object]:
        """Everybody still tied rolls; where a group of four fell into two pairs, one pair may roll alone."""
        super().clean()
        touched = [level for level in self.levels if any(self._typed(number) for number in level)]
        for number in (number for level in touched or self.levels for number in level):
            if not self._typed(number):
                told = message("Enter how many Battle Stations {player} rolled.", player=self.names[number])
                self.add_error(f"count_{number}", str(told))
        return self.cleaned_data

    @property
    def counts(self) -> dict[int, int]:
        """The number of Battle Stations that were typed, by entrant number."""
        numbers = (number for level in self.levels for number in level)
        return {n: self.cleaned_data[f"count_{n}"] for n in numbers if self.cleaned_data[f"count_{n}"] is not None}

    def tied_rows(self) -> Iterator[list[BoundField]]:
        """The fields of each group that is still tied."""
        for level in self.levels:
            yield [self[f"count_{number}"] for number in level]

    def _typed(self, number: int) -> bool:
        return bool((self.data.get(f"count_{number}") or "").strip())
