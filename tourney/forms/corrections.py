"""What becomes of a round that was drawn from other results: the way, the tables that have begun, words."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tourney.forms.fields import ConfirmationField, choice_field
from tourney.queries.corrections import Grade
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.repairs import BYE, Evidence, Repair, RepairMode
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.messages import Message, message, pmessage

WORDS = pmessage("typed to confirm", "correct")
PREFIX = "repair"


class RepairForm(forms.Form):
    """`repair` is what was chosen, `seen` the mark of the effect that was shown with it."""

    way = forms.TypedChoiceField(
        coerce=RepairMode, choices=[(way.value, way.value) for way in RepairMode], required=False
    )
    begun = forms.TypedMultipleChoiceField(
        label=_("Other tables that have begun"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("They stay as they are. Tick the ones you know have begun; Flagship can’t tell yet."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, evidence: Sequence[Evidence] = (), **more: Any
    ) -> None:
        super().__init__(data, prefix=PREFIX, use_required_attribute=False, **more)
        choice_field(self, "begun").choices = [(one.table, _where(one)) for one in evidence if not one.word]

    @property
    def repair(self) -> Repair:
        """Of a form that was asked for its errors."""
        cleaned = getattr(self, "cleaned_data", {})
        return Repair(cleaned.get("way") or RepairMode.LEAVE, frozenset(cleaned.get("begun") or ()))

    @property
    def seen(self) -> int:
        """0 where nothing was shown for that way."""
        found = self.data.get(f"{PREFIX}-seen-{self.repair.way}", "")
        return int(found) if found.isdecimal() and len(found) < 12 else 0


def _reason(help_text: Any, required: Any) -> forms.CharField:
    return forms.CharField(
        label=_("Why?"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=help_text,
        error_messages={"required": required},
    )


class CorrectionForm(RepairForm):
    """The choices that go with a correction; typed words where an old or a finished round is concerned.

    The reason is asked here where the page before has not asked for it.
    """

    reason = _reason(_("It stays in the journal."), _("Give a reason. It stays in the journal."))
    words = ConfirmationField(WORDS)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, grade: Grade, ask_reason: bool = False, **more: Any
    ) -> None:
        super().__init__(data, **more)
        if grade is not Grade.TYPED:
            del self.fields["words"]
        if not ask_reason:
            del self.fields["reason"]


class RoundForm(RepairForm):
    """A round that is paired anew by itself, with its reason; `first` and `second` change places by hand (rule 3.9)."""

    first = forms.TypedChoiceField(label=_("First player"), coerce=int, required=False, empty_value=None)
    second = forms.TypedChoiceField(label=_("Second player"), coerce=int, required=False, empty_value=None)
    reason = _reason(
        _("It stays in the journal. If players are swapped by hand, everyone can read it."),
        _("Give a reason for re-pairing the round."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, round: RoundState, evidence: Sequence[Evidence], **more: Any
    ) -> None:
        super().__init__(data, evidence=evidence, **more)
        free = [one.match for one in evidence if not one.word]
        seats = [
            (entrant.number, str(_seat(entrant.player.name, match))) for match in free for entrant in match.entrants
        ]
        choices = [("", _("Choose")), *sorted(seats, key=lambda seat: alphabetical(seat[1]))]
        choice_field(self, "first").choices = choice_field(self, "second").choices = choices

    @property
    def repair(self) -> Repair:
        """The repair that was chosen, with the two who change places."""
        chosen = super().repair
        cleaned = getattr(self, "cleaned_data", {})
        places = tuple(one for one in (cleaned.get("first"), cleaned.get("second")) if one is not None)
        return Repair(chosen.way, chosen.begun, places if chosen.way is RepairMode.HAND else ())


def _seat(name: str, match: MatchState) -> Message:
    if match.is_bye:
        return message("{player} (bye)", player=name)
    return message("{player} (table {table})", player=name, table=match.table or 0)


def _where(one: Evidence) -> Message:
    names = [entrant.player.name for entrant in one.match.entrants]
    if one.table == BYE:
        return message("{player} keeps the bye", player=names[0])
    return message("Table {table}: {player} against {opponent}", table=one.table, player=names[0], opponent=names[1])
