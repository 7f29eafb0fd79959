"""What can be done with a drawn round, each way with its effect: for corrections and for pairing it anew."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils import timezone

from tourney.actions.corrections import Doing, foreseen
from tourney.actions.record import Refused
from tourney.forms.corrections import PREFIX, WORDS, CorrectionForm, RepairForm
from tourney.models import Round
from tourney.queries.clock import clock_of
from tourney.queries.corrections import CorrectionEffect, Grade
from tourney.queries.repairs import AS_IT_IS, Repair, RepairMode, evidence_of, open_round
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message, nmessage
from tourney.views import responses

TITLES = {
    RepairMode.LEAVE: message("Leave everyone where they are"),
    RepairMode.FEWEST: message("Change as few tables as possible"),
    RepairMode.ALL: message("Re-pair all tables that haven’t begun"),
    RepairMode.HAND: message("Swap the two players"),
}


@dataclass(frozen=True, slots=True)
class EffectOption:
    """One thing that can be done, with its effect; `is_chosen` when the page is shown again."""

    way: RepairMode
    effect: CorrectionEffect
    is_chosen: bool

    @property
    def title(self) -> Message:
        """The button's text."""
        return TITLES[self.way]


def options_of(
    request: HttpRequest, state: EventState, doing: Doing, asked: RepairForm, ways: Sequence[RepairMode]
) -> tuple[list[EffectOption], list[str]]:
    """What each of these ways would lead to, the same tables once; and why, where some of them cannot be taken."""
    chosen = asked.repair
    why: list[str] = []
    found: list[EffectOption] = []
    for way in ways:
        repair = Repair(way, chosen.begun, chosen.places)
        try:
            effect = foreseen(state, doing, repair, by=responses.actor_of_request(request))
        except Refused as error:
            why += [reason for reason in error.reasons if reason not in why]
            continue
        if _tables(effect) not in [_tables(option.effect) for option in found]:
            found.append(EffectOption(way, effect, way is chosen.way))
    return found, why[:1]


def _tables(effect: CorrectionEffect) -> list[tuple[int | None, str | Message]]:
    return [(one.table, one.after) for one in effect.moved]


def moved_in_words(state: EventState, effect: CorrectionEffect) -> Message:
    """Which tables of the open round have other players now, and what is left to do about it."""
    now = state.rounds[-1]
    tables = tuple(one.table for one in effect.moved if one.table)
    if now.state == Round.State.DRAFT:
        return nmessage(
            "Table {tables} of round {round} has changed. Only staff see the draft yet.",
            "Tables {tables} of round {round} have changed. Only staff see the draft yet.",
            len(tables),
            tables=tables,
            round=now.number,
        )
    return nmessage(
        "Table {tables} of round {round} has changed. All phones and screens show it now; slips printed before are "
        "wrong there.",
        "Tables {tables} of round {round} have changed. All phones and screens show it now; slips printed before are "
        "wrong there.",
        len(tables),
        tables=tables,
        round=now.number,
    )


OWN = ("csrfmiddlewaretoken", "as_of", "confirm", "look", "edit")
"""What a page of an effect sends by itself, or not again."""


def weighed_context(request: HttpRequest, state: EventState, doing: Doing, asked: CorrectionForm) -> dict[str, object]:
    """What a change of an earlier round leads to, what can be done about the open round, and what was typed.

    Raises Refused where it cannot be done at all.
    """
    plain = foreseen(state, doing, AS_IT_IS, by=responses.actor_of_request(request))
    others: list[EffectOption] = []
    why: list[str] = []
    if plain.open_round:
        others, why = options_of(request, state, doing, asked, (RepairMode.FEWEST, RepairMode.ALL))
    leave = EffectOption(RepairMode.LEAVE, plain, is_chosen=not any(option.is_chosen for option in others))
    return repair_context(state, asked) | {
        "asked": asked,
        "effect": plain,
        "options": [leave, *others],
        "why_not": why,
        "words": WORDS,
        "carried": [(name, value) for name, values in request.POST.lists() for value in values if _is_carried(name)],
    }


def _is_carried(name: str) -> bool:
    return name not in OWN and not name.startswith(f"{PREFIX}-")


def asked_about(request: HttpRequest, state: EventState, grade: Grade, *, ask_reason: bool = False) -> CorrectionForm:
    """What goes with a change of an earlier round, as it was sent."""
    now = open_round(state)
    evidence = evidence_of(state, now) if now else ()
    return CorrectionForm(request.POST, grade=grade, evidence=evidence, ask_reason=ask_reason)


def repair_context(state: EventState, asked: RepairForm) -> dict[str, object]:
    """What both pages say of the open round: which tables have begun, and its clock."""
    now = open_round(state)
    if now is None:
        return {"open": None}
    evidence = evidence_of(state, now)
    return {
        "open": now,
        "evidence": [one for one in evidence if one.word],
        "clock": clock_of(now.row, state.event.minutes, timezone.now()),
        "asked": asked,
    }
