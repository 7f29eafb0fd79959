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


def cost(contenders, tables: Tables, bye, *, style="neighbours", apart=False, no_second_bye=False) -> tuple[int, ...]:
    """Rule 3.3 b to g, for contenders whose places all differ.

    With the choice `no_second_bye` of rule 3.7 the byes before come first, and before d how late in either's list
    of opponents the meetings that are repeated stand.
    """
    order = sorted(contenders, key=lambda one: (-one.battle_points, -one.fleet_points, one.place))
    line = sorted(contenders, key=lambda one: (one.byes, one.battle_points, one.fleet_points, -one.place))
    seated = [one for one in order if one is not bye]
    position = {one.id: index for index, one in enumerate(seated)}
    sorted_tables = [sorted(table, key=lambda one: position[one.id]) for table in tables]
    b = d = e = f = g = latest = 0
    for high, low in sorted_tables:
        difference = high.battle_points - low.battle_points
        b += max(high.met.count(low.id), low.met.count(high.id))
        latest += max(how_late(high.met, low.id), how_late(low.met, high.id))
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
    c = line.index(bye) if bye else 0
    if no_second_bye:
        return (bye.byes - line[0].byes if bye else 0, b, c, latest, d, e, f, g)
    return (b, c, d, e, f, g)


def how_late(met: Sequence[int], id: int) -> int:
    """The number, from 1, of the last of these opponents with that id; 0 without one."""
    return max((number for number, opponent in enumerate(met, start=1) if opponent == id), default=0)


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


def clean_rounds(contenders: Sequence[Contender]) -> dict[int, tuple[Tables, Contender | None]]:
    """Every round that could be played next without a rematch and without a second bye, by what it uses up."""
    used = used_up(contenders)
    found = {edges(contenders, tables, bye): (tables, bye) for tables, bye in all_pairings(contenders)}
    return {taken: pairing for taken, pairing in found.items() if not taken & used}


def best_cost(contenders, *, rounds_left=0, **options) -> tuple[int, ...]:
    """The cost of the best pairing by rules 3.3 and 3.4; the options are those of `cost`."""
    clean = clean_rounds(contenders)
    if not clean or not rounds_left:
        return min(cost(contenders, tables, bye, **options) for tables, bye in all_pairings(contenders))
    most = rounds_among(list(clean), rounds_left + 1) - 1
    for own, taken in sorted((cost(contenders, *pairing, **options), taken) for taken, pairing in clean.items()):
        if rounds_among([one for one in clean if not one & taken], most) == most:
            return own
    raise AssertionError("some clean round is the first of the most rounds")


def _bit(one: int, other: int) -> int:
    low, high = sorted((one, other))
    return 1 << (high * high + low)
