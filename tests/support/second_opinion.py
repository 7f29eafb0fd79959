"""A second opinion on a pairing: what rule 3 would not have, worked out without the engine.

    told = Told(contenders, pairing, options, number=2, rounds=4)
    what_is_wrong(told)      # "" when all is well

A general matching on the complete graph says what is possible; where the field is small and later rounds count,
everything is tried out. What the rules leave to the lot may be either way: the order of those level on all points,
and of all with the same Battle Points in the style "random" and before round 1.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations, pairwise

import rustworkx

from tests.domain.pairing_oracle import best_cost, how_late
from tourney.domain.swiss import Contender, Options, Pairing, Reason

DIGITS = 20  # bits for each level: the greatest sum is 32 tables times 63 squared


@dataclass(frozen=True)
class Told:
    """A pairing beside what it was made from: round `number` of `rounds`."""

    contenders: Sequence[Contender]
    pairing: Pairing
    options: Options
    number: int
    rounds: int

    @cached_property
    def field(self) -> list[Contender]:
        """The contenders as this round sees them: before round 1 nothing tells them apart (rule 3.1)."""
        if self.number > 1:
            return list(self.contenders)
        fresh = {"battle_points": 0, "fleet_points": 0, "place": 0, "floated_down": False}
        return [replace(one, **fresh) for one in self.contenders]

    @cached_property
    def by_id(self) -> dict[int, Contender]:
        return {one.id: one for one in self.field}

    @cached_property
    def bye(self) -> Contender | None:
        return self.by_id.get(self.pairing.bye)

    @cached_property
    def tables(self) -> list[tuple[Contender, Contender]]:
        return [(self.by_id[table.a], self.by_id[table.b]) for table in self.pairing.tables]

    @cached_property
    def seated(self) -> list[Contender]:
        """Rule 3.2, from the top down."""
        return sorted((one for one in self.field if one is not self.bye), key=self.place)

    @cached_property
    def group_sizes(self) -> Counter[int]:
        """How many are seated with so many Battle Points."""
        return Counter(one.battle_points for one in self.seated)

    @cached_property
    def is_exact(self) -> bool:
        """Whether no lot has decided anything about the order."""
        return len({self.place(one) for one in self.field}) == len(self.field)

    @cached_property
    def fewest_byes(self) -> int:
        return min(one.byes for one in self.field)

    def place(self, one: Contender) -> tuple[int, ...]:
        """Rule 3.2: the smaller stands higher, and equals as the lot has it."""
        if self.options.style == "random":
            return (-one.battle_points,)
        return (-one.battle_points, -one.fleet_points, one.place)

    def turn(self, one: Contender) -> tuple[int, ...]:
        """Rule 3.5: the smaller is earlier in line for the bye."""
        return (one.byes, one.battle_points, one.fleet_points, -one.place)

    def wished_apart(self, one: Contender, two: Contender) -> int:
        """Rule 3.3 f: how many wishes keep these two apart."""
        factions = self.number == 1 and self.options.keep_factions_apart and "" != one.faction == two.faction
        return ("" != one.group == two.group) + factions

    @cached_property
    def repeats(self) -> int:
        """Rule 3.3 b."""
        return sum(a.met.count(b.id) for a, b in self.tables)

    @property
    def is_relaxed(self) -> bool:
        """Whether anybody meets again or has another bye."""
        return self.repeats > 0 or (self.bye is not None and self.bye.byes > 0)

    @cached_property
    def looks_ahead(self) -> bool:
        """Rule 3.4: whether later rounds may have a say in this one.

        They have none before anything was played, when all pairings are alike to them; nor when this round is not
        clean; nor when all of them are certain, as with 12 contenders in 6 rounds.
        """
        size = len(self.field) + len(self.field) % 2
        left = self.rounds - self.number
        is_certain = 2 * (self._fewest_to_meet - left) >= size
        return self.number > 1 and left > 0 and not self.is_relaxed and not is_certain

    @property
    def _fewest_to_meet(self) -> int:
        """What is left to who has the fewest opponents not yet met; a bye that is not the second counts as one."""
        if len(self.field) % 2 == 0:
            return min(len(self.field) - 1 - self._met(one) for one in self.field)
        without_bye = sum(not one.byes for one in self.field)
        return min(without_bye, *(len(self.field) - self._met(one) - bool(one.byes) for one in self.field))

    def _met(self, one: Contender) -> int:
        return len(self.by_id.keys() & set(one.met))


def what_is_wrong(told: Told) -> str:
    """The first thing that the rules would not have; nothing when all is well."""
    return next(filter(None, (check(told) for check in CHECKS)), "")


def is_turn_of(told: Told, bye: Contender) -> bool:
    """Rules 3.3 c and 3.5: whoever stands in line before this one would cost more repeated opponents."""
    earlier = [one for one in told.field if told.turn(one) < told.turn(bye) and _may_have_bye(told, one)]
    return all(repeats_without(told, one) > told.repeats for one in earlier)


def repeats_without(told: Told, bye: Contender) -> int:
    """Rule 3.3 b: how few opponents can meet again when this one sits out."""
    rest = [one for one in told.field if one is not bye]
    return _least(len(rest), lambda one, two: rest[one].met.count(rest[two].id))


def _everybody_sits_once(told: Told) -> str:
    seated = [id for table in told.pairing.tables for id in (table.a, table.b)]
    everybody = seated if told.pairing.bye is None else [*seated, told.pairing.bye]
    if sorted(everybody) != sorted(told.by_id) or (told.pairing.bye is None) != (len(told.by_id) % 2 == 0):
        return "not everybody sits exactly once, or the bye is not as rule 3.3 a wants it"
    return ""


def _from_the_top_down(told: Told) -> str:
    higher = [a for a, _ in told.tables]
    if any(told.place(one) > told.place(two) for one, two in [*told.tables, *pairwise(higher)]):
        return "the tables do not stand from the top of the order down (rule 3.2)"
    return ""


def _relaxed_is_true(told: Told) -> str:
    kind = "rematch_chosen" if told.options.no_second_bye else "rematch"
    met = [(a, b) for a, b in told.tables if b.id in a.met]
    expected = [Reason(kind, (a.id, b.id), (a.met.count(b.id),)) for a, b in met]
    if told.bye and told.bye.byes:
        kind = "second_bye_all" if told.fewest_byes else "second_bye_rematch"
        expected.append(Reason(kind, (told.bye.id,), (told.bye.byes,)))
    if told.pairing.relaxed != tuple(expected):
        return f"relaxed is {told.pairing.relaxed}, but should be {expected} (rule 3.7)"
    return ""


def _promise_is_kept(told: Told) -> str:
    size = len(told.field) + len(told.field) % 2
    is_certain = size >= 2 * told.number or (size, told.number) == (4, 3)
    if is_certain and told.is_relaxed:
        return f"{told.pairing.relaxed} inside the bound of rule 3.4"
    return ""


def _costs_are_true(told: Told) -> str:
    second_bye = [told.bye.byes - told.fewest_byes if told.bye else 0] if told.options.no_second_bye else []
    b, *others = _totals(told)
    turns = [[*second_bye, b, turn, *others] for turn in _turns(told)]
    given = list(told.pairing.costs if told.is_exact else told.pairing.costs[:-1])
    return "" if given in turns else f"costs are given as {given}, but are {turns[0]}"


def _repeats_are_fewest(told: Told) -> str:
    if told.repeats and told.repeats > (fewest := _fewest_repeats(told)):
        return f"{told.repeats} repeated opponents, {fewest} are possible (rule 3.3 b)"
    return ""


def _bye_is_right(told: Told) -> str:
    if told.bye is None or told.looks_ahead:
        return ""
    if not _may_have_bye(told, told.bye) or not is_turn_of(told, told.bye):
        return f"{told.bye.id} has the bye out of turn (rule 3.5)"
    return ""


def _tables_are_best(told: Told) -> str:
    """Rule 3.3 as a whole."""
    if told.looks_ahead:
        return _best_with_a_look_ahead(told)
    least = _least(len(told.seated), lambda high, low: _folded(_costs_at(told, high, low)))
    own = _totals(told)
    if _folded(own) != least:
        return f"costs at the tables are {own}, but {_unfolded(least, len(own))} is possible"
    return ""


CHECKS: tuple[Callable[[Told], str], ...] = (
    _everybody_sits_once,
    _from_the_top_down,
    _relaxed_is_true,
    _promise_is_kept,
    _costs_are_true,
    _repeats_are_fewest,
    _bye_is_right,
    _tables_are_best,
)


def _best_with_a_look_ahead(told: Told) -> str:
    if len(set(map(told.turn, told.field))) < len(told.field):
        return ""
    style = "halves" if told.options.style == "halves" else "neighbours"
    asked = {"style": style, "no_second_bye": told.options.no_second_bye, "rounds_left": told.rounds - told.number}
    best, own = best_cost(told.field, **asked), told.pairing.costs
    if own != best if told.is_exact else own[:-1] != best[:-1]:
        return f"costs are {own}, but with a look ahead {best} is best (rule 3.4)"
    return ""


def _may_have_bye(told: Told, one: Contender) -> bool:
    """Rule 3.7: with the choice of no second bye only those with the fewest."""
    return not told.options.no_second_bye or one.byes == told.fewest_byes


def _turns(told: Told) -> range:
    """How many stand before the bye in line; those level with it in any order."""
    if told.bye is None:
        return range(1)
    turns = [told.turn(one) for one in told.field]
    before = sum(turn < told.turn(told.bye) for turn in turns)
    return range(before, before + turns.count(told.turn(told.bye)))


def _fewest_repeats(told: Told) -> int:
    """Rule 3.3 b for the whole field, whoever has the bye."""
    field = told.field

    def weight(one: int, two: int) -> int:
        if two == len(field):
            return 0 if _may_have_bye(told, field[one]) else 1 << DIGITS
        return field[one].met.count(field[two].id)

    return _least(len(field) + len(field) % 2, weight)


def _totals(told: Told) -> list[int]:
    position = {one.id: index for index, one in enumerate(told.seated)}
    costs = [_costs_at(told, *sorted((position[a.id], position[b.id]))) for a, b in told.tables]
    return [sum(level) for level in zip(*costs, strict=True)]


def _costs_at(told: Told, high: int, low: int) -> list[int]:
    """Rule 3.3 b, d, e, f and g of one table, by positions among the seated; g only when it is exact."""
    above, below = told.seated[high], told.seated[low]
    difference = above.battle_points - below.battle_points
    costs = [above.met.count(below.id)]
    if told.options.no_second_bye:
        costs.append(max(how_late(above.met, below.id), how_late(below.met, above.id)))
    costs += [difference**2, int(difference > 0 and above.floated_down), told.wished_apart(above, below)]
    if told.is_exact:
        costs.append((low - high - _ideal(told, above, difference)) ** 2)
    return costs


def _ideal(told: Told, above: Contender, difference: int) -> int:
    """Rule 3.2: how far apart two should stand."""
    if told.options.style != "halves":
        return 0
    return 1 if difference else told.group_sizes[above.battle_points] // 2


def _folded(costs: Sequence[int]) -> int:
    return reduce(lambda weight, cost: weight << DIGITS | cost, costs)


def _unfolded(weight: int, levels: int) -> list[int]:
    return [weight >> DIGITS * level & (1 << DIGITS) - 1 for level in reversed(range(levels))]


def _least(size: int, weight: Callable[[int, int], int]) -> int:
    """The least sum of weights with which so many can be seated in pairs."""
    costs = {(one, two): weight(one, two) for one, two in combinations(range(size), 2)}
    most = max(costs.values())
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(one, two, most + 1 - cost) for (one, two), cost in costs.items()])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sum(costs[min(pair), max(pair)] for pair in found)
