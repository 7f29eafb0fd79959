"""Corrections, penalties and re-pairings as the desk does them: shown first, and done only as they were shown."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import QuerySet

from tourney.actions import penalties, results
from tourney.actions.dry_run import tried
from tourney.actions.new_points import locked_for_points
from tourney.actions.record import Actor, Refused, Stale
from tourney.actions.repairs import check_reason, planned, repair_round
from tourney.models import Event, Result, TokenLine
from tourney.queries.corrections import CorrectionEffect, effect_of, moved_by
from tourney.queries.matches import PenaltyState
from tourney.queries.repairs import Repair, Repaired, RepairMode
from tourney.queries.results import ResultInput
from tourney.queries.shared import state_under_lock
from tourney.queries.state import EventState
from tourney.queries.what_if import with_penalties, with_result, with_seats
from tourney.runtime.messages import message

OTHERWISE = message(
    "Not saved. Something changed at this event, so the effect is no longer the one you saw. "
    "Your entries are still here: check the effect again."
)

type EventAction = Callable[[Event], object]


@dataclass(frozen=True, slots=True)
class Correction:
    """A result of an earlier round with everything it is corrected by; `version` is the one the person saw.

    As all that is done here, it is an action (`act`), and what comes of it can be looked at before, as the event would
    stand then (`done`).
    """

    number: int
    table: int
    report: ResultInput
    version: int
    reason: str
    players: tuple[int, ...] | None = None

    def act(self, repair: Repair, by: Actor) -> EventAction:
        """The action that saves the corrected result, with the repair of the open round, as one step."""

        def correct(event: Event) -> None:
            results.report_result(
                event,
                self.number,
                self.table,
                self.report,
                version=self.version,
                by=by,
                reason=self.reason,
                repair=repair,
                players=self.players,
            )

        return correct

    def done(self, state: EventState, by: Actor) -> EventState:
        """The event as it would stand, in memory; the same where nothing changes. Raises what doing it raises."""
        round = state.round(self.number)
        match = round.match_at(self.table) if round else None
        if match is None:
            raise results.no_table(self.number, self.table)
        results.check_same_players(match, self.players)
        if match.score and results.is_there(match, self.report):
            return state
        results.checked(state, match, self.report, version=self.version, reason=self.reason)
        result = Result(match=copy(match.row))
        results.fill_result(result, self.report)
        return with_result(state, match, result)


@dataclass(frozen=True, slots=True)
class Penalizing:
    """Points that a player of an earlier round loses, or gets (rule 2.12)."""

    number: int
    entrant: int
    battle_points: int
    fleet_points: int
    reason: str

    def act(self, repair: Repair, by: Actor) -> EventAction:
        """The action that gives the penalty, with the repair of the open round, as one step."""
        points = {"battle_points": self.battle_points, "fleet_points": self.fleet_points}
        return lambda event: penalties.penalize(
            event, self.number, self.entrant, reason=self.reason, by=by, repair=repair, **points
        )

    def done(self, state: EventState, by: Actor) -> EventState:
        """The same with the penalty."""
        points = penalties.PenaltyPoints(self.battle_points, self.fleet_points, self.reason)
        row = penalties.checked(state, self.number, self.entrant, points, by=by)
        if penalties.is_there(state, row):
            return state
        round = state.rounds[self.number - 1]
        return with_penalties(state, round, [*round.penalties, PenaltyState(row, row.entrant)])


@dataclass(frozen=True, slots=True)
class Lifting:
    """A penalty of an earlier round, by its row, that is taken back."""

    number: int
    penalty: int
    reason: str

    def act(self, repair: Repair, by: Actor) -> EventAction:
        """The action that lifts the penalty, with the repair of the open round, as one step."""
        return lambda event: penalties.lift_penalty(event, self.penalty, by=by, reason=self.reason, repair=repair)

    def done(self, state: EventState, by: Actor) -> EventState:
        """The same without the penalty."""
        round = next((one for one in state.rounds if self.penalty in [each.row.pk for each in one.penalties]), None)
        if round is None:
            return state
        penalties.may_change(round.row, self.reason)
        return with_penalties(state, round, [one for one in round.penalties if one.row.pk != self.penalty])


@dataclass(frozen=True, slots=True)
class Rearranging:
    """A round that is paired anew without a correction."""

    number: int
    reason: str

    def act(self, repair: Repair, by: Actor) -> EventAction:
        """The action that repairs the open round."""
        return lambda event: repair_round(event, self.number, repair, reason=self.reason, by=by)

    def done(self, state: EventState, by: Actor) -> EventState:
        """The same: nothing is corrected."""
        check_reason(self.reason)
        return state


type Doing = Correction | Penalizing | Lifting | Rearranging


def foreseen(state: EventState, doing: Doing, repair: Repair, *, by: Actor) -> CorrectionEffect:
    """What it would change, whatever was done since the person saw the event; nothing is saved.

    Of a finished event what the months after it follow from is tried by doing it and rolling it back. Raises what
    doing it raises.
    """
    if state.is_finished:
        return foreseen_by_doing(state.event, doing, repair, by=by)
    done = state.memoized(("done", doing), lambda: doing.done(state, by))
    seats = _seats_anew(done, doing, repair) if done is not state or isinstance(doing, Rearranging) else None
    effect = state.memoized(("effect", doing), lambda: effect_of(state, done, doing.number))
    return moved_by(effect, done, with_seats(done, seats)) if seats else effect


def _seats_anew(done: EventState, doing: Doing, repair: Repair) -> Repaired | None:
    if isinstance(doing, Rearranging):
        return planned(done, doing.number, repair, doing.reason)
    if repair.way is RepairMode.LEAVE:
        return None
    return planned(done, done.rounds[-1].number, repair, doing.reason)


def foreseen_by_doing(event: Event, doing: Doing, repair: Repair, *, by: Actor) -> CorrectionEffect:
    """The same by the way that takes longer: it is done, looked at, and rolled back."""
    by = replace(by, event_version=None)
    with transaction.atomic():
        event = locked_for_points(event)
        effects: list[CorrectionEffect] = []
        tried(event, lambda event: effects.append(_done(event, doing, repair, by)), lambda state: None)
    return effects[0]


@transaction.atomic
def do_if_still_as_shown(event: Event, doing: Doing, repair: Repair, *, expected: int, by: Actor) -> CorrectionEffect:
    """Do it, if it changes what the person saw; `expected` is its fingerprint. Raises Stale for another."""
    try:
        effect = _done(locked_for_points(event), doing, repair, by)
    except Stale:
        raise
    except Refused as refused:
        raise Stale(OTHERWISE, *refused.reasons) from refused
    if effect.fingerprint != expected:
        raise Stale(OTHERWISE)
    return effect


def _done(event: Event, doing: Doing, repair: Repair, by: Actor) -> CorrectionEffect:
    """What comes of it, once it is done; under the event's lock."""
    before, lines = state_under_lock(event).unshared(), set(_ledger(event).values_list("pk", flat=True))
    doing.act(repair, by)(event)
    event = Event.objects.with_context().get(pk=event.pk)
    new = [line.why for line in _ledger(event).exclude(pk__in=lines)]
    return effect_of(before, state_under_lock(event).unshared(), doing.number, tuple(new))


def _ledger(event: Event) -> QuerySet[TokenLine]:
    """The lines that a correction adds to the ledgers of the campaign (rule 6.4)."""
    return TokenLine.objects.filter(event__campaign=event.campaign_id).exclude(reason="").order_by("pk")
