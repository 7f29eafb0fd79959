"""Somebody comes late, leaves, is gone, or comes back: changes that together are one step, tried before."""

from dataclasses import dataclass, replace

from django.db import transaction

from scoring.domain.points import Ending, Played, Side
from tourney.actions import entrants, results, rounds
from tourney.actions.dry_run import tried
from tourney.actions.fleets import relock
from tourney.actions.record import NOTHING_CHANGED, Actor, Refused, Stale, locked, record
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment, Person
from tourney.domain.swiss import Reason
from tourney.domain.verbs import Verb
from tourney.models import Event, Match, Round, Seat, SheetCheck, Wish
from tourney.queries.arrivals import ArrivalEffect, effect, open_round, options_of, person_of, round_now, title
from tourney.queries.choices import chosen, new_seats, proposed
from tourney.queries.matches import MatchState, TableState
from tourney.queries.results import ResultInput
from tourney.queries.state import EventState, state_of
from tourney.queries.tables import numbers_for
from tourney.runtime.messages import Message, message

BY_HAND = Reason("by_hand").as_data()
LEADS = {
    Moment.ARRIVES: (Verb.ARRIVAL, message("Late arrival: {step}.")),
    Moment.RETURNS: (Verb.ARRIVAL, message("Return: {step}.")),
    Moment.LATE: (Verb.ABSENCE, message("Not at the table: {step}.")),
    Moment.DROPS_LATER: (Verb.DEPARTURE, message("Drop: {step}.")),
    Moment.DROPS_NOW: (Verb.DEPARTURE, message("Gone: {step}.")),
}
"""What the journal calls it, and its sentence."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An option for the entrant `number`; `reason` is public where it seats somebody by hand (rule 3.9).

    `left` are the SP left in the opponent's fleet where the player concedes.
    """

    number: int
    option: ArrivalOption
    reason: str = ""
    left: int = 0


def preview(event: Event, decision: Decision, *, by: Actor) -> ArrivalEffect:
    """What it would change, worked out by doing it and taking it back. Raises Refused."""
    before = state_of(event)
    decided = replace(decision, reason=decision.reason or "tried")
    return tried(event, lambda event: _do(event, before, decided, by.for_parts()), lambda after: effect(before, after))


@transaction.atomic
def arrange(event: Event, decision: Decision, *, expected: str, by: Actor) -> None:
    """Do it as one step. `expected` is the fingerprint of the effect that was shown. Raises Stale for another.

    Raises Refused too, where it cannot be done.
    """
    event = locked(event)
    before, parts = state_of(event), by.for_parts()
    if decision.option.is_by_hand and not decision.reason:
        raise Refused(message("Give a reason for seating them by hand. It’s shown with the pairing (rule 3.9)."))
    _do(event, before, decision, parts)
    after = state_of(event)
    if effect(before, after).fingerprint != expected:
        raise Stale(NOTHING_CHANGED, message("The effect is no longer the one you saw. Check it again."))
    did, lead = LEADS[decision.option.moment]
    what = Message(lead.id, {"step": title(before, decision.number, decision.option)})
    facts = [_facts(state, decision) for state in (before, after)]
    facts[1]["parts"] = [one.as_data() if isinstance(one, Message) else one for one in parts.parts or ()]
    record(event, by=by, did=did, what=what, before=facts[0], after=facts[1], reason=decision.reason)


def _facts(state: EventState, decision: Decision) -> dict[str, object]:
    facts: dict[str, object] = {"round": max(len(state.rounds), 1), "entrant": decision.number}
    round = open_round(state)
    return facts | ({"matches": [list(match.numbers) for match in round.matches]} if round else {})


def _do(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    if decision.number not in state.by_number:
        raise Refused(message("This player is no longer registered."))
    if decision.option not in options_of(state, decision.number):
        raise Stale(NOTHING_CHANGED, message("The event has moved on, so this is no longer possible."))
    WAYS[decision.option.way](event, state, decision, by)


# into the event, and into a round


def _next(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    _enter(event, state, decision.number, by)


def _enter(event: Event, state: EventState, number: int, by: Actor) -> None:
    """The player is paired from now on."""
    person = person_of(state.by_number[number])
    if person is Person.DROPPED:
        entrants.bring_back(event, number, by=by)
    if not state.by_number[number].checked_in:
        entrants.check_in(event, [number], by=by)


def _redraw(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    """The draft once more, with its seed and as the desk chose (rule 3.7), for whoever is to play in it."""
    round = round_now(state)
    choice = chosen(round)
    rounds.discard_draft(event, round.number, by=by)
    if decision.option.moment is Moment.DROPS_NOW:
        _drop(event, state, decision, by)
    else:
        _enter(event, state, decision.number, by)
    rounds.pair_round(event, seed=round.row.seed, by=by)
    state = state_of(event)
    if new_seats(state.rounds[-1], proposed(state, state.rounds[-1], choice)):
        rounds.choose(event, round.number, choice, by=by)


def _play_bye_player(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    """Who has the bye gets a table, and the bye is gone (rule 3.3 a)."""
    _enter(event, state, decision.number, by)
    bye = _bye(state)
    _by_hand(bye, decision, table=_free_table(state, (bye.a.number, decision.number)))
    _seat(state, bye.row, decision.number, "b")


def _play_together(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    pair = (decision.number, decision.option.partner or 0)
    row = Match.objects.create(
        round=round_now(state).row, table=_free_table(state, pair), manual_reason=decision.reason, reason=BY_HAND
    )
    for side, number in zip("ab", pair, strict=True):
        _enter(event, state, number, by)
        _seat(state, row, number, side)


def _take_bye(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    _enter(event, state, decision.number, by)
    row = Match.objects.create(round=round_now(state).row, table=None, manual_reason=decision.reason, reason=BY_HAND)
    _seat(state, row, decision.number, "a")


def _reopen(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    match = _table(state, decision)
    number = round_now(state).number
    results.remove_result(event, number, match.table, version=match.version, by=by, reason=decision.reason)
    _enter(event, state, decision.number, by)
    _begins(state, match.row, decision.number)


def _seat(state: EventState, match: Match, number: int, side: str) -> None:
    Seat.objects.create(match=match, round_id=match.round_id, entrant=state.by_number[number], side=side)
    _begins(state, match, number)


def _begins(state: EventState, match: Match, number: int) -> None:
    """Rule 7.1: in a round in play the fleet is locked with the seat."""
    if round_now(state).state == Round.State.PUBLISHED:
        relock(match.seats.filter(entrant__number=number))


def _by_hand(match: MatchState, decision: Decision, *, table: int | None) -> None:
    """Rule 3.9: the pairing is publicly marked as made by hand."""
    Match.objects.filter(pk=match.row.pk).update(
        table=table, moved_from=None, manual_reason=decision.reason, reason=BY_HAND
    )


def _free_table(state: EventState, pair: tuple[int, int]) -> int:
    """Rule 3.11: of what the room has and they need, where nobody sits in the open round."""
    round = round_now(state)
    (table,) = numbers_for(state, round.number, [pair], taken={match.table for match in round.tables})
    return table


# out of a round, and out of the event


def _leave_after(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    entrants.drop(event, decision.number, by=by, reason=decision.reason, plays_draft=True)


def _no_show(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    _enter_result(event, state, decision, Ending.NO_SHOW, by)


def _concede(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    _enter_result(event, state, decision, Ending.CONCESSION, by)


def _enter_result(event: Event, state: EventState, decision: Decision, ending: Ending, by: Actor) -> None:
    match = _table(state, decision)
    out = match.numbers.index(decision.number)
    other = Side(decision.left) if ending is Ending.CONCESSION else Side()
    report = ResultInput(Played(ending, (other, Side()) if out else (Side(), other), out=out))
    results.report_result(event, match.round.number, match.table, report, version=match.version, by=by)
    _drop(event, state, decision, by)


def _replace(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    """Who has the bye takes the place, and the bye is gone; nothing was played at the table yet."""
    match, bye = _table(state, decision), _bye(state)
    _no_penalty(state, decision.number)
    side = "ab"[match.numbers.index(decision.number)]
    bye.row.delete()
    _vacate(match, decision.number)
    _seat(state, match.row, bye.a.number, side)
    _by_hand(match, decision, table=match.table)
    _drop(event, state, decision, by)


def _give_bye_to_opponent(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    round, match = round_now(state), _match(state, decision)
    if len(round.tables) < 2:
        raise Refused(
            message("Round {round} would have only one player left. Discard the draft instead.", round=round.number)
        )
    _vacate(match, decision.number)
    match.row.seats.update(side="a")
    _by_hand(match, decision, table=None)
    _drop(event, state, decision, by)


def _take_bye_away(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    _no_penalty(state, decision.number)
    _match(state, decision).row.delete()
    _drop(event, state, decision, by)


def _no_penalty(state: EventState, number: int) -> None:
    """A penalty is part of what a player has of a round; it does not outlive the seat there."""
    round = round_now(state)
    if any(penalty.entrant.number == number for penalty in round.penalties):
        raise Refused(
            message(
                "{player} has a penalty in round {round}. Remove it first.",
                player=state.names[number],
                round=round.number,
            )
        )


def _vacate(match: MatchState, number: int) -> None:
    """The player's seat goes, and what the opponent signed or asked for as long as they were to play each other."""
    match.row.seats.filter(entrant__number=number).delete()
    SheetCheck.objects.filter(seat__match=match.row).delete()
    Wish.objects.filter(seat__match=match.row, kind=Wish.Kind.CONCEDE).delete()


def _drop(event: Event, state: EventState, decision: Decision, by: Actor) -> None:
    """Who is gone is not paired any more; who is only late stays."""
    if decision.option.moment is not Moment.DROPS_NOW:
        return
    if state.by_number[decision.number].dropped_from is not None:
        if round_now(state).state != Round.State.DRAFT:
            return
        entrants.bring_back(event, decision.number, by=by)
    entrants.drop(event, decision.number, by=by, reason=decision.reason)


def _match(state: EventState, decision: Decision) -> MatchState:
    return round_now(state).match_with(decision.number)


def _table(state: EventState, decision: Decision) -> TableState:
    """Where the player sits. Raises LookupError for who has the bye."""
    match = _match(state, decision)
    if not isinstance(match, TableState):
        raise LookupError(f"{state.names[decision.number]} sits at no table")
    return match


def _bye(state: EventState) -> MatchState:
    """The bye of the open round. Raises LookupError where nobody has it."""
    if bye := round_now(state).bye:
        return bye
    raise LookupError("nobody has the bye")


WAYS = {
    ArrivalWay.NEXT: _next,
    ArrivalWay.REDRAW: _redraw,
    ArrivalWay.BYE_PLAYER: _play_bye_player,
    ArrivalWay.TOGETHER: _play_together,
    ArrivalWay.TAKES_BYE: _take_bye,
    ArrivalWay.REOPEN: _reopen,
    ArrivalWay.REPLACED: _replace,
    ArrivalWay.OPPONENT_BYE: _give_bye_to_opponent,
    ArrivalWay.OUT: _take_bye_away,
    ArrivalWay.NO_SHOW: _no_show,
    ArrivalWay.CONCEDES: _concede,
    ArrivalWay.AFTER: _leave_after,
}
