"""Rules 3.3 to 3.5 once more, by trying everything: slow, short, and without a line of the engine."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tourney.domain.swiss import Contender

type Tables = tuple[tuple[Contender, Contender], ...]


def all_pairings(contenders: Sequence[Contender]) -> Iterator[tuple[Tables, Contender | None]]:
    """Every way to seat everybody, with a bye for one when the number is odd."""
    if len(contenders) % 2 == 0:
        yield from ((tables, None) for tables in all_tables(list(contenders)))
        return
    for bye in contenders:
        rest = [one for one in contenders if one is not bye]
        yield from ((tables, bye) for tables in all_tables(rest))


def all_tables(contenders: list[Contender]) -> Iterator[Tables]:
    """Every way to seat an even number."""
    if not contenders:
        yield ()
        return
    first, *others = contenders
    for opponent in others:
        for rest in all_tables([one for one in others if one is not opponent]):
            yield ((first, opponent), *rest)


def cost(contenders, tables: Tables, bye, *, style="neighbours", apart=False) -> tuple[int, ...]:
    """Rule 3.3 b to g, for contenders whose places all differ."""
    order = sorted(contenders, key=lambda one: (-one.battle_points, -one.fleet_points, one.place))
    line = sorted(contenders, key=lambda one: (one.byes, one.battle_points, one.fleet_points, -one.place))
    seated = [one for one in order if one is not bye]
    position = {one.id: index for index, one in enumerate(seated)}
    sorted_tables = [sorted(table, key=lambda one: position[one.id]) for table in tables]
    b = d = e = f = g = 0
    for high, low in sorted_tables:
        difference = high.battle_points - low.battle_points
        b += max(high.met.count(low.id), low.met.count(high.id))
        d += difference**2
        e += difference > 0 and high.floated_down
        f += bool(high.group) and high.group == low.group
        f += apart and bool(high.faction) and high.faction == low.faction
        if style == "neighbours":
            ideal = 0
        elif difference:
            ideal = 1
        else:
            ideal = sum(one.battle_points == high.battle_points for one in seated) // 2
        g += (position[low.id] - position[high.id] - ideal) ** 2
    return (b, line.index(bye) if bye else 0, d, e, f, g)


def edges(contenders, tables: Tables, bye: Contender | None) -> int:
    """What a pairing uses up: a bit for each two contenders, and one for each with the bye."""
    places = {one.id: place for place, one in enumerate(contenders)}
    used = 0
    for high, low in tables:
        used |= _bit(places[high.id], places[low.id])
    return used | (_bit(places[bye.id], len(places)) if bye else 0)


def used_up(contenders: Sequence[Contender]) -> int:
    """What the earlier rounds have used up."""
    used = 0
    for (place, one), (other_place, two) in combinations(enumerate(contenders), 2):
        used |= _bit(place, other_place) if two.id in one.met or one.id in two.met else 0
    for place, one in enumerate(contenders):
        used |= _bit(place, len(contenders)) if one.byes else 0
    return used


def rounds_among(rounds: Sequence[int], wanted: int) -> int:
    """How many of the wanted rounds can be played one after the other, each one of these, nothing used twice."""
    most = 0
    for taken in rounds if wanted else ():
        most = max(most, 1 + rounds_among([one for one in rounds if not one & taken], wanted - 1))
        if most == wanted:
            break
    return most


def clean_rounds(contenders: Sequence[Contender]) -> list[int]:
    """Every round that could be played next without a rematch and without a second bye, as what it uses up."""
    used = used_up(contenders)
    found = [edges(contenders, tables, bye) for tables, bye in all_pairings(contenders)]
    return [one for one in found if not one & used]


def best_cost(contenders, *, style="neighbours", apart=False, rounds_left=0) -> tuple[int, ...]:
    """The cost of the best pairing by rules 3.3 and 3.4."""
    clean = clean_rounds(contenders)
    costs = {
        edges(contenders, tables, bye): cost(contenders, tables, bye, style=style, apart=apart)
        for tables, bye in all_pairings(contenders)
    }
    if not clean or not rounds_left:
        return min(costs.values())
    most = rounds_among(clean, rounds_left + 1) - 1
    for own, taken in sorted((costs[taken], taken) for taken in clean):
        if rounds_among([one for one in clean if not one & taken], most) == most:
            return own
    raise AssertionError("some clean round is the first of the most rounds")


def _bit(one: int, other: int) -> int:
    low, high = sorted((one, other))
    return 1 << (high * high + low)
