"""A drawn round paired anew as far as it is not played yet: which tables have begun, and who sits where then."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TypedDict

from django.db.models import Exists, OuterRef, Q

from tourney.domain import swiss
from tourney.domain.corrections import seated_again
from tourney.domain.swiss.model import Seats
from tourney.models import PlayerReport, Round, Seat, SheetCheck, Wish
from tourney.queries.matches import MatchState, RoundState, TableState
from tourney.queries.state import EventState, OfRound
from tourney.queries.tables import lacking, lacks
from tourney.queries.tokens import spent_in
from tourney.runtime.messages import Message, message, nmessage

BYE = 0
"""Stands for the bye among the numbers of tables that stay."""


class RepairMode(StrEnum):
    """What becomes of a round that was drawn from other results."""

    LEAVE = "leave"
    FEWEST = "fewest"
    ALL = "all"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Repair:
    """What the desk chose. `begun` are tables that it says have begun, beside those that show it; BYE keeps the bye.

    `places` are the two who change places by hand.
    """

    way: RepairMode = RepairMode.LEAVE
    begun: frozenset[int] = frozenset()
    places: tuple[int, ...] = ()


AS_IT_IS = Repair()


@dataclass(frozen=True, slots=True)
class Reseating:
    """Who sits at a table (None: has the bye) from now on, and why; `by_hand` is the organizer's reason (rule 3.9)."""

    table: int | None
    numbers: tuple[int, ...]
    is_new: bool
    reason: swiss.Reason
    by_hand: str = ""


@dataclass(frozen=True, slots=True)
class Repaired:
    """The tables with a reason of their own, as they are afterwards, and what had to give way there (rule 3.7)."""

    sittings: tuple[Reseating, ...]
    relaxed: tuple[swiss.Reason, ...] = ()

    @property
    def new(self) -> tuple[Reseating, ...]:
        """The tables that get other players."""
        return tuple(one for one in self.sittings if one.is_new)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows that a table has begun; `word` is None where nothing does."""

    match: MatchState
    word: Message | None

    @property
    def table(self) -> int:
        """The number of the table, or BYE."""
        return self.match.table or BYE


def evidence_of(state: EventState, round: RoundState) -> tuple[Evidence, ...]:
    """Each table of the round, and the bye, with what shows that it has begun; in one query."""

    def look() -> tuple[Evidence, ...]:
        signs, spent = _signs(round), spent_in(state, round.number)
        return tuple(Evidence(match, _word(match, signs, spent)) for match in round.matches)

    return state.memoized(OfRound("evidence", round.number), look)


SIGNS = ("reported", "signed", "conceding")


def _signs(round: RoundState) -> dict[str, frozenset[int]]:
    """The entrants (ids) at whose seats there is such a sign, in one query."""
    of_seat = {"seat": OuterRef("pk")}
    seats = Seat.objects.filter(round=round.row).annotate(
        reported=Exists(PlayerReport.objects.filter(**of_seat)),
        signed=Exists(SheetCheck.objects.filter(**of_seat)),
        conceding=Exists(Wish.objects.filter(**of_seat, kind=Wish.Kind.CONCEDE)),
    )
    some = seats.filter(Q(reported=True) | Q(signed=True) | Q(conceding=True))
    rows = list(some.values_list("entrant", *SIGNS))
    return {sign: frozenset(entrant for entrant, *found in rows if found[place]) for place, sign in enumerate(SIGNS)}


def _word(match: MatchState, signs: Mapping[str, frozenset[int]], spent: int | None) -> Message | None:
    seated = {entrant.pk for entrant in match.entrants}
    dropped = [one.dropped_from for one in match.entrants if one.dropped_from is not None]
    found = (
        (message("Result in"), match.result is not None),
        (message("Reported"), not seated.isdisjoint(signs["reported"])),
        (message("Fleets marked"), any(match.destroyed)),
        (message("Fleets checked"), not seated.isdisjoint(signs["signed"])),
        (message("Asked to concede"), not seated.isdisjoint(signs["conceding"])),
        (message("Token spent"), not match.is_bye and spent in match.numbers),
        (message("Player dropped"), any(since <= match.round.number for since in dropped)),
    )
    return next((word for word, is_so in found if is_so), None)


def open_round(state: EventState) -> RoundState | None:
    """The round that is drafted or in play."""
    last = state.last_round
    return last if last and last.state != Round.State.CLOSED and not state.is_finished else None


def why_not_repair(state: EventState, number: int) -> Message | None:
    """Why that round cannot be paired again now; None if it can."""
    round = open_round(state)
    if round is None or round.number != number:
        return message("Round {round} isn’t open, so its tables stay as they are.", round=number)
    tied = next((match for earlier in state.rounds[:-1] for match in earlier.tied), None)
    if tied is None:
        return None
    return message(
        "Table {table} of round {earlier} is tied. Roll off there first, then re-pair round {round}.",
        table=tied.table,
        earlier=tied.round.number,
        round=number,
    )


def repaired(state: EventState, round: RoundState, repair: Repair, reason: str = "") -> Repaired:
    """Where everybody who can be moved sits after that. Raises swiss.NoPairing where fewer than two can be."""
    staying = repair.begun | {one.table for one in evidence_of(state, round) if one.word}
    free = [match for match in round.matches if (match.table or BYE) not in staying]
    if repair.way is RepairMode.HAND:
        return _by_hand(free, repair.places, reason)
    done, stayed = _seated(state, free, _pairing(state, round, free, repair.way)), _stayed(state, round, free)
    relaxed = (reason for sitting, more in stayed for reason in more)
    return Repaired((*done.sittings, *(sitting for sitting, _ in stayed)), (*done.relaxed, *relaxed))


class _Usual(TypedDict):
    """What `swiss.pair` and `swiss.pair_again` are told alike."""

    seed: int
    rounds_left: int
    options: swiss.Options
    first_round: bool


def _pairing(state: EventState, round: RoundState, free: list[MatchState], way: RepairMode) -> swiss.Pairing:
    stay = [match.numbers for match in _others(round, free)]
    contenders = state.contenders(round.number, seated_in(round))
    usual: _Usual = {
        "seed": round.row.seed,
        "rounds_left": state.event.rounds_planned - round.number,
        "options": state.options,
        "first_round": round.number == 1,
    }
    if way is RepairMode.ALL and not stay:
        return state.paired_again(round) if round.number > 1 else swiss.pair(contenders, **usual)
    keep = [match.numbers for match in free] if way is RepairMode.FEWEST else ()
    return swiss.pair_again(contenders, stay, keep, **usual)


def _seated(state: EventState, free: list[MatchState], pairing: swiss.Pairing) -> Repaired:
    tables: dict[int, Seats] = {match.table: match.numbers for match in free if isinstance(match, TableState)}
    reasons: dict[Seats, swiss.Reason] = {(one.a, one.b): one.reason for one in pairing.tables}
    found = [
        Reseating(table, pair, set(pair) != set(tables[table]), reasons[pair])
        for table, pair in seated_again(tables, list(reasons), partial(lacks, state)).items()
    ]
    bye = next((match.numbers for match in free if match.is_bye), None)
    if bye and pairing.bye is not None and pairing.bye_reason:
        found.append(Reseating(None, (pairing.bye,), bye != (pairing.bye,), pairing.bye_reason))
    return Repaired(tuple(found), pairing.relaxed)


def _stayed(state: EventState, round: RoundState, free: list[MatchState]) -> list[tuple[Reseating, list[swiss.Reason]]]:
    """The tables that others were paired around, with what gives way there: why they were drawn may be so no longer."""
    by_id = {one.id: one for one in state.contenders(round.number, seated_in(round))}
    return [_as_before(match, [by_id[n] for n in match.numbers]) for match in _others(round, free)]


def _others(round: RoundState, free: list[MatchState]) -> list[MatchState]:
    among = {match.table for match in free}
    return [match for match in round.matches if match.table not in among]


def _as_before(match: MatchState, who: list[swiss.Contender]) -> tuple[Reseating, list[swiss.Reason]]:
    if match.is_bye:
        kind, times, reason = "second_bye_stayed", who[0].byes, swiss.Reason("bye_stayed", match.numbers)
    else:
        kind, times = "rematch_stayed", who[0].met.count(who[1].id)
        reason = swiss.Reason("stayed", match.numbers, tuple(one.battle_points for one in who))
    relaxed = [swiss.Reason(kind, match.numbers, (times,))] if times and not match.row.manual_reason else []
    return Reseating(match.table, match.numbers, False, relaxed[0] if relaxed else reason), relaxed


def _by_hand(free: list[MatchState], places: tuple[int, ...], reason: str) -> Repaired:
    """Two of those who can be moved change places (rule 3.9); nothing where they cannot."""
    here = [match for match in free if set(match.numbers) & set(places)]
    if len(set(places)) != 2 or len(here) != 2:
        return Repaired(())
    change = dict(zip(places, places[::-1], strict=True))
    return Repaired(
        tuple(
            Reseating(
                match.table, tuple(change.get(n, n) for n in match.numbers), True, swiss.Reason("by_hand"), reason
            )
            for match in here
        )
    )


# whether a round keeps the rules


@dataclass(frozen=True, slots=True)
class PairingCheck:
    """One thing a round keeps, or does not, in a sentence."""

    is_kept: bool
    sentence: Message


def checks_of_round(state: EventState, round: RoundState) -> tuple[PairingCheck, ...]:
    """Rules 3.3 b to d, 3.4, 3.5 and 3.11 for the round as everybody sits in it."""
    contenders = state.contenders(round.number, seated_in(round))
    by_id = {one.id: one for one in contenders}
    found = [*_rematches(state, round, by_id), *_second_bye(state, round, by_id)]
    if round.number > 1:
        best = state.paired_again(round)
        found += [*_turn(state, round, best), *_differences(round, by_id, best)]
    found += [
        PairingCheck(False, message("Table {table}: {problem}", table=match.table, problem=why))
        for match in round.tables
        for why in lacking(state, match)
    ]
    return (*found, *_later_rounds(state, round, contenders))


def seated_in(round: RoundState) -> list[int]:
    """The entrant numbers that sit in the round, table by table."""
    return [number for match in round.matches for number in match.numbers]


def _turn(state: EventState, round: RoundState, best: swiss.Pairing) -> Iterator[PairingCheck]:
    if round.bye and best.bye is not None and round.bye.a.number != best.bye:
        turn = message("{player} should have the bye (rule 3.5).", player=state.names[best.bye])
        yield PairingCheck(False, turn)


def _differences(round: RoundState, by_id: dict[int, swiss.Contender], best: swiss.Pairing) -> Iterator[PairingCheck]:
    """The sum of squares of rule 3.3 d beside that of the best pairing."""

    def apart(one: int, other: int) -> int:
        return (by_id[one].battle_points - by_id[other].battle_points) ** 2

    if sum(apart(*match.numbers) for match in round.tables) > sum(apart(one.a, one.b) for one in best.tables):
        wide = message("Opponents’ Battle Points are further apart than in the best pairing (rule 3.3 d).")
        yield PairingCheck(False, wide)
    else:
        yield PairingCheck(True, message("Opponents’ Battle Points are as close as in the best pairing."))


def _rematches(state: EventState, round: RoundState, by_id: dict[int, swiss.Contender]) -> Iterator[PairingCheck]:
    again = [match for match in round.tables if match.b.number in by_id[match.a.number].met]
    for match in again:
        players = [state.names[n] for n in match.numbers]
        yield PairingCheck(False, message("{players} meet again (rule 3.3 b).", players=players))
    if not again and round.number > 1:
        yield PairingCheck(True, message("No one meets the same opponent twice."))


def _second_bye(state: EventState, round: RoundState, by_id: dict[int, swiss.Contender]) -> Iterator[PairingCheck]:
    if round.bye and by_id[round.bye.a.number].byes:
        again = message("{player} has another bye (rule 3.5).", player=state.names[round.bye.a.number])
        yield PairingCheck(False, again)
    elif round.bye and round.number > 1:
        yield PairingCheck(True, message("No one has a second bye."))


def _later_rounds(state: EventState, round: RoundState, contenders: list[swiss.Contender]) -> Iterator[PairingCheck]:
    planned = state.event.rounds_planned
    left = planned - round.number
    bye = round.bye.a.number if round.bye else None
    tables = [match.numbers for match in round.tables]
    clean = swiss.clean_rounds_after(contenders, tables, bye, rounds_left=left) if left > 0 else None
    if clean is None:
        return
    if problem := swiss.forecast(clean, round.number + 1, planned):
        yield PairingCheck(False, problem)
    else:
        can_be_clean = nmessage(
            "The round after it can be paired without a rematch or a second bye.",
            "The {count} rounds after it can be paired without a rematch or a second bye.",
            left,
        )
        yield PairingCheck(True, can_be_clean)
