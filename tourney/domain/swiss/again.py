"""Some tables of a round paired anew while the others stay, with as few changes as can be.

Who sits at a table that stays is out of it; the others are a field of their own, paired by the levels of rule 3.3. A
level of its own counts the tables that change. It stands between f and g: a pairing is as good as the best one when it
costs the same on b to f, and of those the one with the fewest changed tables is taken, then the closest one. That is
exact for every size (`fewest` has the proof). Later rounds (rule 3.4) are those of everybody, so up to twelve with the
bye they are searched with the tables that stay.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from tourney.domain.swiss.fewest import with_fewest_new
from tourney.domain.swiss.levels import PairingCandidate, Tables, costs, costs_at, repeats
from tourney.domain.swiss.lookahead import (
    MOST_VERTICES,
    Weigh,
    in_cost_order,
    least_left,
    may_meet,
    seats_of,
    taken,
    vertices,
)
from tourney.domain.swiss.matching import always_pairable, best_choice
from tourney.domain.swiss.model import Contender, Options, Pairing, Reason, Seating, Seats
from tourney.domain.swiss.order import Field, SeatingOrder, field_of
from tourney.domain.swiss.reasons import bye_reason, relaxed_reasons
from tourney.domain.swiss.rounds import Rounds


def pair_again(
    contenders: Iterable[Contender],
    stay: Iterable[Seats],
    keep: Iterable[Seats] = (),
    *,
    seed: int,
    rounds_left: int = 0,
    options: Options,
    first_round: bool = False,
) -> Pairing:
    """The best pairing of those who are not among `stay`, whose tables stay as they are.

    Of the pairings that are as good on the levels b to f it has the most of the tables `keep`. `contenders` are
    everybody in the round, those who stay included. Raises NoPairing where fewer than two can be moved.
    """
    everybody, stay = list(contenders), list(stay)
    staying = {id for seats in stay for id in seats}
    free = field_of([one for one in everybody if one.id not in staying], seed, options, first_round)
    weigh = partial(_weighed, kept := {frozenset(seats) for seats in keep})
    best = best_choice(free)
    if kept:
        best = with_fewest_new(best, kept, weigh)
    whole = field_of(everybody, seed, options, first_round)
    choice = _keep_later_rounds(whole, free, stay, best, rounds_left, weigh)
    return _told(free, choice, best, among=bool(stay), fewest=bool(kept))


def _weighed(keep: Collection[frozenset[int]], line: SeatingOrder, tables: Tables) -> list[tuple[int, ...]]:
    """What each table costs by rule 3.3 b to f, whether it is a new one, and g."""
    seated = line.seated
    new = [frozenset((seated[high].id, seated[low].id)) not in keep for high, low in tables]
    return [(*cost[:-1], int(is_new), cost[-1]) for is_new, cost in zip(new, costs_at(line, tables), strict=True)]


def _keep_later_rounds(
    whole: Field, free: Field, stay: Sequence[Seats], best: PairingCandidate, rounds_left: int, weigh: Weigh
) -> PairingCandidate:
    """The best pairing after which as many planned rounds as possible are clean (`lookahead`), for everybody."""
    size = vertices(whole)
    if not rounds_left or size > MOST_VERTICES:
        return best
    graph = may_meet(whole)
    if always_pairable(least_left(size, graph) - rounds_left, size):
        return best
    rounds = Rounds(size, graph)
    graph &= ~taken(whole, stay)
    own = 0 if stay else 1  # of the rounds that are clean, this one
    most = rounds.most(graph, rounds_left + own) - own
    matchings = Rounds(vertices(free), may_meet(free)).matchings
    for wanted in range(most, 0, -1):
        for choice in (best, *in_cost_order(free, matchings, weigh)):
            if rounds.can_play(graph & ~taken(whole, seats_of(choice)), wanted):
                return choice
    return best


def _told(field: Field, choice: PairingCandidate, best: PairingCandidate, *, among: bool, fewest: bool) -> Pairing:
    """`among`: others stay at their tables, so that nothing can be said of the round as a whole."""
    seated = choice.line.seated
    met = repeats(choice.line, choice.tables)
    reasons = [
        _table_reason(seated[high], seated[low], times, fewest)
        for (high, low), times in zip(choice.tables, met, strict=True)
    ]
    again = [reason for reason in reasons if reason.kind == "rematch_again"]
    return Pairing(
        tables=tuple(
            Seating(seated[high].id, seated[low].id, reason)
            for (high, low), reason in zip(choice.tables, reasons, strict=True)
        ),
        bye=choice.bye.id if choice.bye else None,
        bye_reason=_bye_reason(field, choice, best) if among else bye_reason(field, choice, best),
        relaxed=(*again, *_second_bye(field, choice, among)),
        costs=costs(field, choice),
        seed=field.seed,
    )


def _table_reason(a: Contender, b: Contender, times: int, fewest: bool) -> Reason:
    if times:
        return Reason("rematch_again", (a.id, b.id), (times,))
    kind = "paired_again_fewest" if fewest else "paired_again"
    return Reason(kind, (a.id, b.id), (a.battle_points, b.battle_points))


def _bye_reason(field: Field, choice: PairingCandidate, best: PairingCandidate) -> Reason | None:
    bye = choice.bye
    if bye is None:
        return None
    if bye != best.bye:
        return Reason("bye_again_later", (bye.id,))
    return Reason("bye_again" if bye is field.first_for_bye else "bye_again_rematch", (bye.id,))


def _second_bye(field: Field, choice: PairingCandidate, among: bool) -> tuple[Reason, ...]:
    if among and choice.bye and choice.bye.byes:
        return (Reason("second_bye_again", (choice.bye.id,), (choice.bye.byes,)),)
    return () if among else relaxed_reasons(field, choice, ())
