"""Whole events played by dice, and after every pairing a second opinion on all that rule 3 says of it.

play_night(123)      # the same night every time; raises AssertionError with the seed in front

A night has 2 to 64 players and 3 to 6 rounds; players leave, come late, come back and do not turn up, results of
earlier rounds are corrected, households come together. What is expected of a pairing is worked out here from the
rules, with a general matching on the complete graph, or by trying everything where they are few; nothing of the
engine is used but `pair`, `sentence` and the values that go in and come out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

import rustworkx

from tests.domain.pairing_oracle import best_cost
from tourney.domain.swiss import Contender, Options, Pairing, Reason, pair, sentence

WIN, LOSS, NO_SHOW = 2, 1, 0
STYLES = ("neighbours", "neighbours", "halves", "random")
FACTIONS = ("Federation", "Klingon", "Romulan", "Dominion")
LEVELS = 5  # of a table: rule 3.3 b, d, e, f and g
TRIED_OUT = 6  # contenders with whom all that can follow is tried out
DIGITS = 20  # bits for each of them: the greatest sum is 32 tables times 63 squared


@dataclass
class Player:
    """What somebody has behind them; `scores` has Battle and Fleet Points for each round played."""

    id: int
    faction: str
    group: str
    here: bool = True
    scores: dict[int, tuple[int, int]] = field(default_factory=dict)
    met: list[int] = field(default_factory=list)
    byes: int = 0
    floated_down: bool = False

    @property
    def points(self) -> tuple[int, int]:
        return sum(points for points, _ in self.scores.values()), sum(points for _, points in self.scores.values())


def play_night(seed: int) -> None:
    """Play the night of that seed. Raises AssertionError when a pairing is not what the rules ask for."""
    dice = Random(seed)
    size = dice.choice((dice.randint(2, 12), dice.randint(2, 24), dice.randint(2, 64)))
    rounds = dice.randint(3, 6)
    options = Options(dice.choice(STYLES), keep_factions_apart=dice.random() < 0.5)
    players = {id: _newcomer(id, dice) for id in range(1, size + 1)}
    for number in range(1, rounds + 1):
        there = [one for one in players.values() if one.here]
        contenders = _contenders(players, there, dice)
        asked = {"seed": dice.randrange(2**31), "rounds_left": rounds - number, "first_round": number == 1}
        pairing = pair(dice.sample(contenders, len(contenders)), options=options, **asked)
        where = f"seed {seed}, round {number} of {rounds}, {len(there)} players, {options}: "
        again = pair(contenders, options=options, **asked)
        assert again == pairing, f"{where}the order of the input changes the pairing"
        if wrong := what_is_wrong(contenders, pairing, options, number, rounds):
            raise AssertionError(f"{where}{wrong}")
        _play(players, pairing, number, dice)
        _between_rounds(players, number, dice)


def what_is_wrong(contenders: list[Contender], pairing: Pairing, options: Options, number: int, rounds: int) -> str:
    """The first thing that the rules would not have; nothing when all is well."""
    by_id = {one.id: one for one in contenders}
    bye = by_id.get(pairing.bye)
    seated = [id for table in pairing.tables for id in (table.a, table.b)]
    everybody = [*seated, bye.id] if bye else seated
    if sorted(everybody) != sorted(by_id) or (bye is None) != (len(by_id) % 2 == 0):
        return "not everybody sits exactly once, or the bye is not as rule 3.3 a wants it"
    tables = [(by_id[table.a], by_id[table.b]) for table in pairing.tables]
    again = [(a.id, b.id) for a, b in tables if b.id in a.met]
    second = [bye.id] if bye and bye.byes else []
    relaxed = [list(reason.ids) for reason in pairing.relaxed]
    if relaxed != [*map(list, again), *([one] for one in second)]:
        return f"relaxed is {relaxed}, but {again} meet again and {second} have another bye (rule 3.7)"
    if wrong := _wrong_reasons(pairing, set(by_id)):
        return wrong
    fewest = _fewest_repeats(contenders)
    is_certain = _is_certain(len(contenders), number)
    if is_certain and (again or second):
        return f"{again} meet again and {second} have another bye inside the bound of rule 3.4"
    if pairing.costs[0] != fewest or sum(a.met.count(b.id) for a, b in tables) != fewest:
        return f"{pairing.costs[0]} repeated opponents, {fewest} are possible (rule 3.3 b)"
    if number == 1:
        return ""
    line = sorted(contenders, key=lambda one: (one.byes, one.battle_points, one.fleet_points, -one.place))
    looks_ahead = rounds > number and len(contenders) <= 12
    if options.style == "random" or len({one.place for one in contenders}) < len(contenders):
        return "" if looks_ahead else _wrong_bye(line, bye, contenders, fewest)
    costs = _costs(contenders, tables, bye, line, options)
    if costs != pairing.costs:
        return f"costs are given as {pairing.costs}, but are {costs}"
    if looks_ahead and len(contenders) <= TRIED_OUT:
        best = best_cost(contenders, style=options.style, rounds_left=rounds - number)
        return "" if costs == best else f"costs are {costs}, but with a look ahead {best} is best (rule 3.4)"
    if looks_ahead:
        return ""
    return _wrong_bye(line, bye, contenders, fewest) or _wrong_tables(contenders, bye, costs, options)


# the second opinion


def _is_certain(players: int, number: int) -> bool:
    """Rule 3.4."""
    size = players + players % 2
    return size >= 2 * number or (size, number) == (4, 3)


def _wrong_reasons(pairing: Pairing, ids: set[int]) -> str:
    names = {id: f"Ensign {id}" for id in ids}
    reasons: list[Reason] = [*(table.reason for table in pairing.tables), *pairing.relaxed]
    reasons += [pairing.bye_reason] if pairing.bye_reason else []
    if (pairing.bye is None) != (pairing.bye_reason is None):
        return "a bye has a reason, and only a bye has one of its own (rule 3.8)"
    for reason in reasons:
        said = sentence(reason, names)
        if "(rule" not in said or not said.endswith("."):
            return f"{said!r} is no sentence that names its rule (rule 3.8)"
    return ""


def _fewest_repeats(contenders: list[Contender]) -> int:
    """Rule 3.3 b for the whole field, whoever has the bye."""
    seats = [*contenders] + [None] * (len(contenders) % 2)
    return _least(seats, lambda one, two: one.met.count(two.id) if one and two else 0)


def _wrong_bye(line: list[Contender], bye: Contender | None, contenders: list[Contender], fewest: int) -> str:
    """Rules 3.3 c and 3.5: whoever stands in line before the bye would cost more repeated opponents."""
    if bye is None:
        return ""
    for earlier in line[: line.index(bye)]:
        if _order(earlier) == _order(bye):
            continue
        seated = [one for one in contenders if one is not earlier]
        if _least(seated, lambda one, two: one.met.count(two.id)) == fewest:
            return f"{bye.id} has the bye, but it is the turn of {earlier.id} (rule 3.5)"
    return ""


def _order(one: Contender) -> tuple[int, int, int, int]:
    return one.byes, one.battle_points, one.fleet_points, -one.place


def _costs(contenders, tables, bye, line, options: Options) -> tuple[int, ...]:
    """Rule 3.3 b to g for a pairing of contenders whose places all differ."""
    seated = _in_order([one for one in contenders if one is not bye])
    parts = [_parts(seated, *sorted((seated.index(a), seated.index(b))), options) for a, b in tables]
    b, d, e, f, g = (sum(part) for part in zip(*parts, strict=True))
    return (b, line.index(bye) if bye else 0, d, e, f, g)


def _wrong_tables(contenders: list[Contender], bye: Contender | None, costs, options: Options) -> str:
    """Rule 3.3 as a whole: no other tables cost less, by a matching on the complete graph."""
    seated = _in_order([one for one in contenders if one is not bye])
    place = {one.id: index for index, one in enumerate(seated)}

    def weight(one: Contender, two: Contender) -> int:
        high, low = sorted((place[one.id], place[two.id]))
        return _folded(_parts(seated, high, low, options))

    least = _least(seated, weight)
    own = _folded((costs[0], *costs[2:]))
    return "" if own == least else f"costs are {costs}, but {_unfolded(least)} is possible for b, d, e, f and g"


def _parts(seated: list[Contender], high: int, low: int, options: Options) -> tuple[int, ...]:
    """Rule 3.3 b, d, e, f and g of one table, by places in the order of rule 3.2."""
    above, below = seated[high], seated[low]
    difference = above.battle_points - below.battle_points
    ideal = 0
    if options.style == "halves":
        group = sum(one.battle_points == above.battle_points for one in seated)
        ideal = 1 if difference else group // 2
    return (
        above.met.count(below.id),
        difference**2,
        int(above.floated_down and difference > 0),
        int(above.group != "" and above.group == below.group),
        (low - high - ideal) ** 2,
    )


def _in_order(contenders: list[Contender]) -> list[Contender]:
    return sorted(contenders, key=lambda one: (-one.battle_points, -one.fleet_points, one.place))


def _folded(parts) -> int:
    return sum(part << DIGITS * level for level, part in enumerate(reversed(parts)))


def _unfolded(weight: int) -> tuple[int, ...]:
    return tuple(weight >> DIGITS * level & (1 << DIGITS) - 1 for level in reversed(range(LEVELS)))


def _least(seats: list, weight: Callable[[Any, Any], int]) -> int:
    """The least sum of weights with which all can be seated in pairs."""
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(seats)
    enough = 1 << DIGITS * LEVELS
    edges = [(one, two, weight(seats[one], seats[two])) for one, two in combinations(range(len(seats)), 2)]
    graph.add_edges_from([(one, two, enough - cost) for one, two, cost in edges])
    costs = {(one, two): cost for one, two, cost in edges}
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sum(costs[min(pair), max(pair)] for pair in found)


# the night


def _newcomer(id: int, dice: Random) -> Player:
    return Player(id, faction=dice.choice(FACTIONS), group=dice.choice(("", "", "", "", "", "car", "family")))


def _contenders(players: dict[int, Player], there: list[Player], dice: Random) -> list[Contender]:
    """Who is there, as the standings have them; now and then those level on all points share a place."""
    rolled = {one.id: dice.random() if dice.random() < 0.9 else 0 for one in players.values()}
    standings = {one.id: (-one.points[0], -one.points[1], rolled[one.id]) for one in players.values()}
    return [
        Contender(
            id=one.id,
            battle_points=one.points[0],
            fleet_points=one.points[1],
            place=1 + sum(other < standings[one.id] for other in standings.values()),
            met=tuple(one.met),
            byes=one.byes,
            floated_down=one.floated_down,
            faction=one.faction,
            group=one.group,
        )
        for one in there
    ]


def _play(players: dict[int, Player], pairing: Pairing, number: int, dice: Random) -> None:
    """Wins, losses and no-shows; a no-show is neither a meeting nor a bye (rule 3.6)."""
    before = {id: one.points[0] for id, one in players.items()}
    for one in players.values():
        one.floated_down = False
    for table in pairing.tables:
        players[table.a].floated_down = before[table.a] > before[table.b]
        winner, loser = (players[id] for id in dice.sample((table.a, table.b), 2))
        if dice.random() < 0.04:
            winner.scores[number], loser.scores[number] = (WIN, 60), (NO_SHOW, 0)
            continue
        winner.scores[number] = WIN, dice.randrange(40, 140, 10)
        loser.scores[number] = LOSS, dice.randrange(0, 100, 10)
        winner.met.append(loser.id)
        loser.met.append(winner.id)
    if pairing.bye:
        players[pairing.bye].scores[number] = WIN, 60
        players[pairing.bye].byes += 1


def _between_rounds(players: dict[int, Player], number: int, dice: Random) -> None:
    """Some leave, some come back, some are new, and now and then a result was the other way round."""
    for one in players.values():
        one.here = dice.random() > 0.06 if one.here else dice.random() < 0.3
    for _ in range(dice.choice((0, 0, 0, 1, 2))):
        id = len(players) + 1
        players[id] = _newcomer(id, dice)
    while sum(one.here for one in players.values()) < 2:
        dice.choice(list(players.values())).here = True
    if dice.random() < 0.3:
        _correct(players, dice.randint(1, number), dice)


def _correct(players: dict[int, Player], number: int, dice: Random) -> None:
    played = [one for one in players.values() if number in one.scores]
    one, other = dice.sample(played, 2)
    one.scores[number], other.scores[number] = other.scores[number], one.scores[number]
