"""Penalties: points that a judge takes from a player, or gives, beside the result of a round (rule 2.12)."""

from django.db import transaction

from tourney.actions.record import Refused, Stamp, locked, not_since, record
from tourney.models import Event, Penalty, Round
from tourney.queries.matches import RoundState
from tourney.queries.rulings import points_of
from tourney.queries.state import EventState, state_of


@transaction.atomic
def penalize(
    event: Event, number: int, entrant: int, *, reason: str, by: Stamp, battle_points: int = 0, fleet_points: int = 0
) -> None:
    """Give the player these points in that round, fewer than zero as a rule. They stay whatever becomes of the result.

    The same penalty again, for the same reason, changes nothing: it was pressed twice.
    """
    event = locked(event)
    state = state_of(event)
    round = _round(state, number)
    if round.match_of(entrant) is None:
        raise Refused("This player does not sit in that round. Nothing was changed.")
    if not reason:
        raise Refused("Say why: a ruling needs its reason (rule 2.12).")
    if not battle_points and not fleet_points:
        raise Refused("0 points would change nothing. Say how many points the player loses.")
    _may_change(state, round.row, reason)
    facts = {"battle_points": battle_points, "fleet_points": fleet_points, "reason": reason}
    row = Penalty(round=round.row, entrant=state.by_number[entrant], given_by=by.name, given_at=by.at, **facts)
    if Penalty.objects.filter(round=row.round, entrant=row.entrant, **facts).exists():
        return
    not_since(event, by, "penalize", "lift_penalty", after__entrant=entrant)
    row.save()
    what = f"Round {number}: {state.names[entrant]} gets {points_of(row)} by a ruling (rule 2.12)."
    record(event, by=by, did="penalize", what=what, after=_facts(row), reason=reason)


@transaction.atomic
def lift_penalty(event: Event, penalty: int, *, by: Stamp) -> None:
    """Take a penalty away; nothing happens where it is gone already."""
    event = locked(event)
    state = state_of(event)
    row = Penalty.objects.filter(pk=penalty, round__event=event).select_related("round", "entrant__player").first()
    if row is None:
        return
    _may_change(state, row.round, row.reason)
    facts = _facts(row)
    what = f"Round {row.round.number}: {row.entrant} does not get {points_of(row)} any more."
    row.delete()
    after = {"round": facts["round"], "entrant": facts["entrant"]}
    record(event, by=by, did="lift_penalty", what=what, before=facts, after=after)


def _round(state: EventState, number: int) -> RoundState:
    round = state.round(number)
    if round is None:
        raise Refused(f"There is no round {number} (any more). Nothing was changed.")
    return round


def _facts(row: Penalty) -> dict:
    points = {"battle_points": row.battle_points, "fleet_points": row.fleet_points}
    return {"round": row.round.number, "entrant": row.entrant.number, **points, "reason": row.reason}


def _may_change(state: EventState, round: Round, reason: str) -> None:
    """Refused where what counts in that round cannot be changed now, or not without a reason."""
    if state.is_finished:
        raise Refused("The event is finished. Re-open it first.")
    if round.state == Round.State.DRAFT:
        raise Refused(f"Round {round.number} is still a draft. Publish it first.")
    drawn = state.last_round
    if round.state == Round.State.CLOSED and drawn.state == Round.State.DRAFT:
        raise Refused(
            f"Round {drawn.number} is drafted from the results as they are. "
            "Throw the draft away first, then pair again."
        )
    if round.state == Round.State.CLOSED and not reason:
        raise Refused(f"Round {round.number} is closed: say why its points change.")
