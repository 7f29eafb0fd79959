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


def edges(tables: Tables, bye: Contender | None) -> frozenset[frozenset[int]]:
    """What a pairing uses up; 0 stands for the bye."""
    used = frozenset(frozenset({high.id, low.id}) for high, low in tables)
    return used | {frozenset({bye.id, 0})} if bye else used


def used_up(contenders: Sequence[Contender]) -> frozenset[frozenset[int]]:
    """What the earlier rounds have used up."""
    meetings = {
        frozenset({one.id, two.id})
        for one, two in combinations(contenders, 2)
        if two.id in one.met or one.id in two.met
    }
    return frozenset(meetings | {frozenset({one.id, 0}) for one in contenders if one.byes})


def rounds_after(contenders, used, wanted: int) -> int:
    """How many of the wanted rounds can be played without using anything twice."""
    if wanted == 0:
        return 0
    most = 0
    for tables, bye in all_pairings(contenders):
        taken = edges(tables, bye)
        if not taken & used:
            most = max(most, 1 + rounds_after(contenders, used | taken, wanted - 1))
        if most == wanted:
            break
    return most


def best_cost(contenders, *, style="neighbours", apart=False, rounds_left=0) -> tuple[int, ...]:
    """The cost of the best pairing by rules 3.3 and 3.4."""
    used = used_up(contenders)
    clean = [(tables, bye) for tables, bye in all_pairings(contenders) if not edges(tables, bye) & used]
    if not clean or not rounds_left:
        return min(cost(contenders, tables, bye, style=style, apart=apart) for tables, bye in all_pairings(contenders))
    later = [rounds_after(contenders, used | edges(*pairing), rounds_left) for pairing in clean]
    return min(
        cost(contenders, tables, bye, style=style, apart=apart)
        for (tables, bye), left in zip(clean, later, strict=True)
        if left == max(later)
    )
