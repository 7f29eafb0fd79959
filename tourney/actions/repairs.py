"""Pair a drawn round anew as far as it is not played yet; who is moved keeps the round, and nobody's result goes."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from tourney.actions.record import NOTHING_CHANGED, Actor, Refused, locked, record, refuse_if_done_since
from tourney.domain import swiss
from tourney.domain.verbs import DRAWN, Verb
from tourney.models import Event, Match, Seat, Wish
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.repairs import Repair, Repaired, RepairMode, Reseating, repaired, why_not_repair
from tourney.queries.state import EventState, state_of
from tourney.queries.what_if import explain_seats
from tourney.runtime.messages import Message, message

REPAIRED = {
    RepairMode.FEWEST: message("Round {round} re-paired, as few unstarted tables as possible: {pairings}."),
    RepairMode.ALL: message("Round {round} re-paired, all unstarted tables: {pairings}."),
    RepairMode.HAND: message("Round {round} re-paired, two players swapped by hand: {pairings}."),
}


@transaction.atomic
def repair_round(event: Event, number: int, repair: Repair, *, reason: str, by: Actor) -> None:
    """Rules 3.3, 3.7 and 3.9: tables that have not begun are paired anew, or two players there change places.

    Everybody sees the new tables at once. Tables that have begun stay; so do table numbers, with one of the two.
    """
    event = locked(event)
    refuse_if_done_since(event, by, *DRAWN)
    check_reason(reason)
    what, before, after = carry_out(state_of(event), number, repair, reason)
    record(event, by=by, did=Verb.REPAIR_ROUND, what=what, before=before, after=after, reason=reason)


def check_reason(reason: str) -> None:
    """Raises Refused without one."""
    if not reason:
        raise Refused(message("Give a reason for re-pairing the round. It’s kept in the journal."))


def carry_out(
    state: EventState, number: int, repair: Repair, reason: str
) -> tuple[Message, dict[str, object], dict[str, object]]:
    """Move the players. What was done as a sentence, and the moved tables before and after. Under the event's lock."""
    done, round = planned(state, number, repair, reason), state.rounds[-1]
    before = {"round": number, "matches": [list(_now(round, one).numbers) for one in done.new]}
    _move(state, round, done.new)
    _explain(round, done)
    after = {"round": number, "matches": [list(one.numbers) for one in done.new]}
    what = Message(REPAIRED[repair.way].id, {"round": number, "pairings": _in_words(state, done.new)})
    return what, before, after


def planned(state: EventState, number: int, repair: Repair, reason: str) -> Repaired:
    """Who would sit where. Raises Refused where the round cannot be paired anew like this, or nothing would change."""
    if why := why_not_repair(state, number):
        raise Refused(why)
    try:
        done = repaired(state, state.rounds[-1], repair, reason)
    except swiss.NoPairing:
        raise Refused(NOTHING_CHANGED, message("Fewer than two players are at tables that haven’t started.")) from None
    if not done.new:
        raise Refused(NOTHING_CHANGED, _why_nothing(repair))
    return done


def _why_nothing(repair: Repair) -> Message:
    if repair.way is RepairMode.HAND:
        return message("Choose two players at different tables that haven’t started.")
    if repair.way is RepairMode.FEWEST:
        return message("No table has to change: the unstarted tables can’t be paired better (rule 3.3 b to f).")
    return message("Everyone who can be moved already sits this way.")


def _now(round: RoundState, sitting: Reseating) -> MatchState:
    return next(match for match in round.matches if match.table == sitting.table)


def _move(state: EventState, round: RoundState, sittings: Iterable[Reseating]) -> None:
    """Every seat stays at its table and gets another player, so that nothing of the round is discarded."""
    seats = {(seat.match_id, seat.side): seat for seat in Seat.objects.filter(round=round.row)}
    moved: dict[int, Seat] = {}
    for sitting in sittings:
        for side, number in zip("ab", sitting.numbers, strict=False):
            seat = seats[_now(round, sitting).row.pk, side]
            entrant = state.by_number[number]
            if seat.entrant_id != entrant.pk:
                moved[entrant.pk] = seat
    wishes = list(Wish.objects.filter(seat__in=moved.values()).select_related("seat"))
    Wish.objects.filter(pk__in=[wish.pk for wish in wishes]).delete()
    for wish in wishes:
        wish.pk, wish.seat = None, moved[wish.seat.entrant_id]
    for entrant_pk, seat in moved.items():
        seat.entrant_id = entrant_pk
    Seat.objects.bulk_update(moved.values(), ["entrant"])
    Wish.objects.bulk_create(wishes)


def _explain(round: RoundState, done: Repaired) -> None:
    """Rule 3.8: every table says why it is as it is now."""
    rows = []
    for sitting in done.sittings:
        row = _now(round, sitting).row
        if explain_seats(row, sitting):
            rows.append(row)
    Match.objects.bulk_update(rows, ["reason", "manual_reason", "moved_from"])
    told = {tuple(sitting.numbers) for sitting in done.sittings}
    stays = [reason for reason in round.row.relaxed_rules if not any(set(reason["ids"]) & set(seats) for seats in told)]
    round.row.relaxed_rules = [*stays, *(reason.as_data() for reason in done.relaxed)]
    round.row.save(update_fields=["relaxed_rules"])


def _in_words(state: EventState, sittings: Iterable[Reseating]) -> list[Message]:
    return [_sitting(one, [state.names[number] for number in one.numbers]) for one in sittings]


def _sitting(one: Reseating, names: Sequence[str]) -> Message:
    if not one.table:
        return message("{player} has the bye", player=names[0])
    return message("{player} against {opponent} at table {table}", player=names[0], opponent=names[1], table=one.table)
