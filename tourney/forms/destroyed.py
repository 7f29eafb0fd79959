"""SP left of both fleets: typed, or counted from the lines that were ticked as destroyed (rules 2.3 to 2.5)."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import MonthPack
from scoring.domain.points import Ending, Played, sides_with_sp
from tourney.queries.results import unreachable
from tourney.queries.surviving import Fleets, MarkedSheet, marked_sheet
from tourney.runtime.messages import Message, in_a_row, message

SIDES = ("a", "b")
NONE_DESTROYED = 0
"""A tick beside the lines of a sheet: nothing of this fleet was destroyed."""
WHICH = [("typed", _("The number entered")), ("ticked", _("What’s ticked"))]


@dataclass(frozen=True, slots=True)
class SheetChecklist:
    """A sheet to tick: the side's letter, the player's name; `is_whole` says that nothing was destroyed.

    `which` is the field that settles what is right.
    """

    side: str
    name: str
    sheet: MarkedSheet
    is_whole: bool
    which: BoundField

    @property
    def is_counted(self) -> bool:
        """Whether SP left follow from what is ticked."""
        return self.is_whole or self.sheet.is_marked


def sp_left_needed(player: str) -> Message:
    """What to do where that player's SP left are missing."""
    return message("Enter {player}’s SP left.", player=player)


def in_ids(lines: Collection[int]) -> str:
    """Lines of a sheet in one field."""
    return " ".join(map(str, sorted(lines)))


class Lines(forms.Field):
    """Lines of a sheet that were ticked, by id; NOTHING stands for none of them."""

    widget = forms.SelectMultiple

    def clean(self, value: Iterable[object] | None) -> frozenset[int]:
        return frozenset(int(text) for text in map(str, value or ()) if re.fullmatch(r"[0-9]{1,7}", text))


class MarkedForm(forms.Form):
    """The part of a result that follows from the fleets; `sp_left_a` and `sp_left_b` are fields of the whole form.

    Where a side has a fleet, `destroyed_a` are its ticks, and `which_a` settles it where they and the number differ.
    Where a number that the fleet cannot leave may stand (`may_let_stand`), its reason goes to `sp_ruling`.
    `asks_which` has the sides that differ, `impossible` a sentence for each such number, settled or not.
    """

    rules: MonthPack
    names: tuple[str, str]
    fleets: Fleets
    stored: Played | None
    may_let_stand: bool
    asks_which: tuple[str, ...] = ()
    impossible: tuple[str | Message, ...] = ()

    def fleet_fields(self) -> dict[str, forms.Field]:
        """Fields by name: of each side that has a fleet its ticks, and what settles them against the number."""
        fields: dict[str, forms.Field] = {}
        for side, name, fleet in zip(SIDES, self.names, self.fleets, strict=True):
            if fleet:
                fields[f"destroyed_{side}"] = Lines(required=False)
                fields[f"seen_{side}"] = forms.CharField(widget=forms.HiddenInput, required=False)
                fields[f"which_{side}"] = forms.ChoiceField(
                    label=str(message("Which is right for {player}?", player=name)),
                    choices=WHICH,
                    widget=forms.RadioSelect,
                    required=False,
                )
        if fields and self.may_let_stand:
            fields["sp_ruling"] = forms.CharField(
                label=_("Reason for these SP left"),
                help_text=_("Shown with the result and kept in the journal."),
                max_length=200,
                required=False,
            )
        return fields

    def initial_marks(self, marked: Sequence[Collection[int]]) -> dict[str, object]:
        """What was ticked before, unless another number is stored.

        Where a whole fleet is ticked and there is no result yet, the battle is over: how it ended is known.
        """
        facts: dict[str, object] = {f"seen_{side}": in_ids(lines) for side, lines in zip(SIDES, marked, strict=True)}
        gone: list[str] = []
        for index, (side, fleet, lines) in enumerate(zip(SIDES, self.fleets, marked, strict=True)):
            sheet = marked_sheet(fleet, lines) if fleet and lines else None
            if sheet is None or not sheet.is_marked:
                continue
            if self.stored is None and sheet.is_eliminated:
                gone.append(side)
            if self.stored is None or index not in self._counts(self.stored.ending, self.stored.out):
                facts[f"destroyed_{side}"] = sorted(lines)
            elif self.stored.sides[index].sp_left == sheet.sp_left:
                facts |= {f"destroyed_{side}": sorted(lines), f"sp_left_{side}": None}
        if len(gone) == 2:
            return facts | {"ending": Ending.BOTH_ELIMINATED.value}
        return facts | {"ending": Ending.ELIMINATION.value, "out": gone[0]} if gone else facts

    def _counts(self, ending: str, out: int | None) -> tuple[int, ...]:
        return sides_with_sp(self.rules, Ending(ending), out)

    # typed, or counted from what was ticked

    def sp_left_of(self, side: int) -> int | None:
        """What is left of that side's fleet, None while nobody knows."""
        typed, counted = self._typed(side), self._counted(side)
        if self.differs(side):
            return {"typed": typed, "ticked": counted}.get(self._which(side))
        return counted if typed is None else typed

    def destroyed_of(self, side: int) -> frozenset[int] | None:
        """What is kept of the ticks: all, or none where the typed number is right instead; None without a fleet."""
        if f"destroyed_{SIDES[side]}" not in self.fields:
            return None
        return (
            frozenset()
            if self.differs(side) and self._which(side) == "typed"
            else self._ticked(side) - {NONE_DESTROYED}
        )

    def seen_of(self, side: int) -> frozenset[int] | None:
        """What was marked when the page was made; None where the page does not say."""
        name = f"seen_{SIDES[side]}"
        is_said = name in self.fields and self.add_prefix(name) in self.data
        return Lines().clean(self.cleaned_data[name].split()) if is_said else None

    def differs(self, side: int) -> bool:
        """Whether a number was typed that is not what the ticks leave."""
        typed, counted = self._typed(side), self._counted(side)
        return None not in (typed, counted) and typed != counted

    def _typed(self, side: int) -> int | None:
        return self.cleaned_data.get(f"sp_left_{SIDES[side]}")

    def _counted(self, side: int) -> int | None:
        ticked = self._ticked(side)
        fleet = self.fleets[side]
        return marked_sheet(fleet, ticked).sp_left if ticked and fleet else None

    def _ticked(self, side: int) -> frozenset[int]:
        ticked: frozenset[int] = self.cleaned_data.get(f"destroyed_{SIDES[side]}", frozenset())
        return ticked

    def _which(self, side: int) -> str:
        which: str = self.cleaned_data.get(f"which_{SIDES[side]}", "")
        return which

    # what is missing or wrong

    def ask_for_sp_left(self, side: int) -> None:
        """Add the error of a side, 0 or 1, whose SP left are missing, or differ from what is ticked."""
        name, letter = self.names[side], SIDES[side]
        differs = self.differs(side)
        text: str | Message
        if differs:
            self.asks_which = (*self.asks_which, letter)
        if self.sp_left_of(side) is not None:
            return
        if differs:
            typed, counted = self._typed(side), self._counted(side)
            text = message(
                "{player} has {typed} SP left by the number, but {counted} SP by what’s ticked. Which is right?",
                player=name,
                typed=typed or 0,
                counted=counted or 0,
            )
        elif f"destroyed_{letter}" in self.fields:
            text = message("Enter {player}’s SP left, or tick what was destroyed.", player=name)
        else:
            text = self.sp_left_needed(side)
        self.add_error(f"sp_left_{letter}", str(text))

    def sp_left_needed(self, side: int) -> str | Message:
        """What to do where the SP left of a side are missing."""
        return sp_left_needed(self.names[side])

    def refuse_the_unreachable(self, played: Played) -> None:
        """Rule 2.3: a number that the fleet cannot leave needs a reason, and somebody who may give one."""
        wrong = unreachable(self.rules, played, self.spoken_to(), self.fleets, self.stored)
        self.impossible = tuple(wrong.values())
        if not self.cleaned_data.get("sp_ruling"):
            for side, sentence in wrong.items():
                self.add_error(f"sp_left_{SIDES[side]}", str(in_a_row([sentence, self.remedy])))

    def spoken_to(self) -> tuple[str, str]:
        """The names of both sides as a sentence calls them: empty for who reads it."""
        return self.names

    @property
    def remedy(self) -> str | Message:
        """What can be done about such a number."""
        if self.may_let_stand:
            return message("Count again, or give a reason to keep it.")
        return message("Count again, or ask an organizer to override it.")

    # for the page

    def sheets(self) -> list[SheetChecklist]:
        """The sheets to tick, of those who have a fleet."""
        taps = []
        for side, name, fleet in zip(SIDES, self.names, self.fleets, strict=True):
            if fleet:
                ticked = Lines().clean(self[f"destroyed_{side}"].value())
                taps.append(
                    SheetChecklist(
                        side, name, marked_sheet(fleet, ticked), NONE_DESTROYED in ticked, self[f"which_{side}"]
                    )
                )
        return taps

    @property
    def asks_sp_ruling(self) -> bool:
        """Whether a number stands, or wants to, that the fleet cannot leave."""
        return "sp_ruling" in self.fields and bool(self.impossible or self["sp_ruling"].value())
