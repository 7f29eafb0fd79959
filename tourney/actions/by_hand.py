"""Rule 3.9: a draft changed by hand, one step each; and back to what the engine drew."""

from collections.abc import Callable, Mapping

from django.db import transaction

from tourney.actions.record import Actor, Refused, locked, record, refuse_if_done_since
from tourney.domain import by_hand, progress, swiss
from tourney.domain.by_hand import NoMove, Places, Spot
from tourney.domain.verbs import DRAWN, Verb
from tourney.models import Event, Match, Seat
from tourney.models.play import SIDES
from tourney.queries.by_hand import places_of
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState, state_of
from tourney.queries.tables import numbers_for
from tourney.runtime.messages import Message, Param, message, nmessage

BY_HAND = swiss.Reason("by_hand").as_data()


@transaction.atomic
def place(event: Event, number: int, who: int, to: int | Spot, *, reason: str = "", by: Actor) -> None:
    """Put a player of a draft somewhere else: to another player, to the bye, or out of the tables for now.

    The reason is asked once for each draft; it is kept, and shown with every pairing that was made by hand.
    """

    def move(state: EventState, places: Places) -> tuple[Places, Message]:
        names = state.names
        here = {entrant.number for entrant in state.present(number)} | {one for pair in places.values() for one in pair}
        if who not in here or (to not in here and not isinstance(to, Spot)):
            raise NoMove(message("Choose two different players in this draft."))
        free = 0 if isinstance(to, Spot) else _free_table(state, number, places, (who, to))
        after = by_hand.moved(places, who, to, free=free)
        return after, _what(names, places, after, who, to, number)

    _change(event, number, move, reason=reason, by=by)


@transaction.atomic
def unpair_table(event: Event, number: int, table: int, *, reason: str = "", by: Actor) -> None:
    """The two at that table of a draft have no place for now."""

    def move(state: EventState, places: Places) -> tuple[Places, Message]:
        after = by_hand.unpaired(places, table)
        names = [state.names[one] for one in places[table]]
        return after, message(
            "Round {round}, table {table} unpaired by hand: {names} are waiting for a table.",
            round=number,
            table=table,
            names=names,
        )

    _change(event, number, move, reason=reason, by=by)


def _change(
    event: Event,
    number: int,
    move: Callable[[EventState, Places], tuple[Places, Message]],
    *,
    reason: str,
    by: Actor,
) -> None:
    event = locked(event)
    state = state_of(event)
    if reasons := progress.no_draft(state.facts, number):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *DRAWN)
    draft = state.rounds[-1]
    before = places_of(draft)
    try:
        after, what = move(state, before)
    except NoMove as error:
        raise Refused(error.reason) from error
    reason = reason or draft.row.manual_reason
    if not reason:
        raise Refused(message("Give a reason for changing this draft by hand. It’s shown with the pairing (rule 3.9)."))
    _save(event, draft, before, after, reason)
    record(
        event,
        by=by,
        did=Verb.SWAP,
        what=what,
        before={"round": number, "matches": _changed(before, after)},
        after={"round": number, "matches": _changed(after, before)},
        reason=reason,
    )


def _free_table(state: EventState, number: int, places: Places, two: tuple[int, int]) -> int:
    taken = {table for table in places if table is not None}
    (free,) = numbers_for(state, number, [two], taken=taken)
    return free


def _what(names: Mapping[int, str], before: Places, after: Places, who: int, to: int | Spot, number: int) -> Message:
    """What the move came to."""
    if to is Spot.WAITING:
        left = next(pair for pair in before.values() if who in pair)
        return nmessage(
            "Round {round}, by hand: {names} is waiting for a table.",
            "Round {round}, by hand: {names} are waiting for a table.",
            len(left),
            round=number,
            names=[names[one] for one in left],
        )
    if to is Spot.BYE:
        return message("Round {round}, by hand: {player} gets the bye.", round=number, player=names[who])
    together = any({who, to} == {*pair} for pair in after.values())
    facts: dict[str, Param] = {"round": number, "player": names[who], "other": names[to]}
    if together:
        return message("Round {round}, by hand: {player} and {other} get a table.", **facts)
    return message("Round {round}, by hand: {player} and {other} swapped seats.", **facts)


def _save(event: Event, draft: RoundState, before: Places, after: Places, reason: str) -> None:
    """Only what differs is touched, so that nobody else's place is another row."""
    draft.row.manual_reason = reason
    draft.row.save()
    rows = {match.table: match.row for match in draft.matches}
    gone = [rows[table].pk for table in before if table not in after]
    Match.objects.filter(pk__in=gone).delete()
    entrants = {entrant.number: entrant for entrant in event.entrants.all()}
    for table, seated in after.items():
        if table not in before:
            row = Match.objects.create(round=draft.row, table=table, reason=BY_HAND, manual_reason=reason)
            Seat.objects.bulk_create(
                Seat(match=row, round=draft.row, entrant=entrants[one], side=side)
                for side, one in zip(SIDES, seated, strict=False)
            )
        elif seated != before[table]:
            for side, one in zip(SIDES, seated, strict=False):
                rows[table].seats.filter(side=side).update(entrant=entrants[one])
            Match.objects.filter(pk=rows[table].pk).update(manual_reason=reason)


def _changed(places: Places, other: Places) -> list[list[int]]:
    return [list(seated) for table, seated in places.items() if other.get(table) != seated]
