"""Penalties: points that a judge takes from a player, or gives, beside the result of a round (rule 2.12)."""

from dataclasses import asdict, dataclass

from django.db import transaction

from tourney.actions.new_points import locked_for_points, record_new_points
from tourney.actions.record import NOTHING_CHANGED, Actor, Refused, refuse_if_done_since
from tourney.domain.verbs import PENALIZED, Verb
from tourney.models import Event, Penalty, Round
from tourney.queries.matches import PenaltyState, RoundState
from tourney.queries.repairs import AS_IT_IS, Repair
from tourney.queries.rulings import points_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import message


@transaction.atomic
def penalize(
    event: Event,
    number: int,
    entrant: int,
    *,
    reason: str,
    by: Actor,
    battle_points: int = 0,
    fleet_points: int = 0,
    repair: Repair = AS_IT_IS,
) -> None:
    """Give the player these points in that round, fewer than zero as a rule. They stay whatever becomes of the result.

    In a round that is over `repair` says in the same step what becomes of a round that was drawn since. The same
    penalty again, for the same reason, changes nothing: it was pressed twice.
    """
    event = locked_for_points(event)
    state = state_of(event)
    row = checked(state, number, entrant, PenaltyPoints(battle_points, fleet_points, reason), by=by)
    if is_there(state, row):
        return
    refuse_if_done_since(event, by, *PENALIZED, after__entrant=entrant)
    refuse_if_done_since(event, by, Verb.CLOSE_ROUND, after__round=number)
    row.save()
    what = message(
        "Round {round}: {player} gets {points} by a ruling (rule 2.12).",
        round=number,
        player=state.names[entrant],
        points=points_of(row),
    )
    record_new_points(state, repair, by=by, did=Verb.PENALIZE, what=what, after=_facts(row), reason=reason)


@transaction.atomic
def lift_penalty(event: Event, penalty: int, *, by: Actor, reason: str = "", repair: Repair = AS_IT_IS) -> None:
    """Take a penalty away, in a round that is over with a reason; nothing happens where it is gone already."""
    event = locked_for_points(event)
    state = state_of(event)
    row = Penalty.objects.filter(pk=penalty, round__event=event).select_related("round", "entrant__player").first()
    if row is None:
        return
    may_change(row.round, reason)
    refuse_if_done_since(event, by, Verb.CLOSE_ROUND, after__round=row.round.number)
    facts = _facts(row)
    what = message(
        "Round {round}: {player}’s penalty removed ({points}).",
        round=row.round.number,
        player=str(row.entrant),
        points=points_of(row),
    )
    row.delete()
    after = {"round": facts["round"], "entrant": facts["entrant"]}
    record_new_points(state, repair, by=by, did=Verb.LIFT_PENALTY, what=what, before=facts, after=after, reason=reason)


@dataclass(frozen=True, slots=True)
class PenaltyPoints:
    """What a ruling takes, fewer than zero, or gives, and why."""

    battle_points: int
    fleet_points: int
    reason: str


def checked(state: EventState, number: int, entrant: int, points: PenaltyPoints, *, by: Actor) -> Penalty:
    """The penalty, not saved yet, if the player can get it in that round now. Raises Refused."""
    round = _round(state, number)
    if round.match_of(entrant) is None:
        raise Refused(NOTHING_CHANGED, message("This player isn’t in that round."))
    if not points.reason:
        raise Refused(message("Give a reason for the ruling (rule 2.12)."))
    if not points.battle_points and not points.fleet_points:
        raise Refused(message("0 points changes nothing. Enter how many points the player loses."))
    may_change(round.row, points.reason)
    who = {"round": round.row, "entrant": state.by_number[entrant], "given_by": by.name, "given_at": by.at}
    return Penalty(**who, **asdict(points))


def is_there(state: EventState, row: Penalty) -> bool:
    """Whether the player has that penalty, for that reason, already."""
    facts = PenaltyState(row, row.entrant).facts
    return any(one.facts == facts for one in state.rounds[row.round.number - 1].penalties)


def _round(state: EventState, number: int) -> RoundState:
    round = state.round(number)
    if round is None:
        raise Refused(NOTHING_CHANGED, message("There’s no round {round}.", round=number))
    return round


def _facts(row: Penalty) -> dict[str, object]:
    points = {"battle_points": row.battle_points, "fleet_points": row.fleet_points}
    return {"round": row.round.number, "entrant": row.entrant.number, **points, "reason": row.reason}


def may_change(round: Round, reason: str) -> None:
    """Raises Refused where nothing counts in that round yet, or not without a reason."""
    if round.state == Round.State.DRAFT:
        raise Refused(message("Round {round} is still a draft. Publish it first.", round=round.number))
    if round.state == Round.State.CLOSED and not reason:
        raise Refused(message("Round {round} is closed. Give a reason for changing its points.", round=round.number))
