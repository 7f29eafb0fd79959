"""Corrections, penalties and re-pairings as the desk does them: shown first, and done only as they were shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import QuerySet

from tourney.actions.dry_run import tried
from tourney.actions.new_points import locked_for_points
from tourney.actions.penalties import lift_penalty, penalize
from tourney.actions.record import Actor, Refused, Stale
from tourney.actions.repairs import repair_round
from tourney.actions.results import report_result
from tourney.models import Event, TokenLine
from tourney.queries.corrections import CorrectionEffect, effect_of
from tourney.queries.repairs import Repair
from tourney.queries.results import ResultInput
from tourney.queries.state import state_of

OTHERWISE = (
    "Meanwhile something changed at this event, so this would have another effect than you saw. "
    "Nothing was saved, and nothing you typed is lost. Look at the effect again."
)

type Act = Callable[[Event], object]


@dataclass(frozen=True, slots=True)
class Correction:
    """A result of an earlier round with everything it is corrected by; `version` is the one the person saw."""

    number: int
    table: int
    report: ResultInput
    version: int
    reason: str
    players: tuple[int, ...] | None = None

    def act(self, repair: Repair, by: Actor) -> Act:
        """The action that saves the corrected result, with the repair of the open round, as one step."""

        def correct(event: Event) -> None:
            report_result(
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


@dataclass(frozen=True, slots=True)
class Penalizing:
    """Points that a player of an earlier round loses, or gets (rule 2.12)."""

    number: int
    entrant: int
    battle_points: int
    fleet_points: int
    reason: str

    def act(self, repair: Repair, by: Actor) -> Act:
        """The action that gives the penalty, with the repair of the open round, as one step."""
        points = {"battle_points": self.battle_points, "fleet_points": self.fleet_points}
        return lambda event: penalize(
            event, self.number, self.entrant, reason=self.reason, by=by, repair=repair, **points
        )


@dataclass(frozen=True, slots=True)
class Lifting:
    """A penalty of an earlier round, by its row, that is taken back."""

    number: int
    penalty: int
    reason: str

    def act(self, repair: Repair, by: Actor) -> Act:
        """The action that lifts the penalty, with the repair of the open round, as one step."""
        return lambda event: lift_penalty(event, self.penalty, by=by, reason=self.reason, repair=repair)


@dataclass(frozen=True, slots=True)
class Rearranging:
    """A round that is paired anew without a correction."""

    number: int
    reason: str

    def act(self, repair: Repair, by: Actor) -> Act:
        """The action that repairs the open round."""
        return lambda event: repair_round(event, self.number, repair, reason=self.reason, by=by)


type Doing = Correction | Penalizing | Lifting | Rearranging


def foreseen(event: Event, doing: Doing, repair: Repair, *, by: Actor) -> CorrectionEffect:
    """What it would change now, whatever was seen before; nothing is saved. Raises what doing it raises."""
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
    before, lines = state_of(event), set(_ledger(event).values_list("pk", flat=True))
    doing.act(repair, by)(event)
    event = Event.objects.with_context().get(pk=event.pk)
    new = _ledger(event).exclude(pk__in=lines).values_list("reason", flat=True)
    return effect_of(before, state_of(event), doing.number, tuple(new))


def _ledger(event: Event) -> QuerySet[TokenLine]:
    """The lines that a correction adds to the ledgers of the campaign (rule 6.4)."""
    return TokenLine.objects.filter(event__campaign=event.campaign_id).exclude(reason="").order_by("pk")
