"""Rule 3.3 against a general matching on the complete graph: the second opinion for 11 to 80 players.

The histories are made to hurt: few different points, so that groups are large and often odd; meetings between
neighbours, so that many are in the way; floats and households far more frequent than in a real event.
"""

import random
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import combinations

import pytest
import rustworkx
from hypothesis import settings

from tests.domain.pairing_oracle import cost
from tourney.domain.swiss import Contender, Options, pair

HISTORIES = 20 * settings.default.max_examples
CHUNKS = 30


def history(seed: int) -> list[Contender]:
    """11 to 80 contenders with places that all differ, after up to six rounds of meetings close by."""
    lots = random.Random(seed)
    count = lots.randint(11, 80)
    points = [lots.choice(lots.choice([(0,), (0, 1), (1, 5), range(12), (0, 2, 10, 50)])) for _ in range(count)]
    points.sort(reverse=True)
    met = {id: [] for id in range(1, count + 1)}
    for _ in range(lots.randint(0, 6)):
        apart = lots.choice((1, 2, 4, count))
        mixed = sorted(met, key={id: id + apart * lots.random() for id in met}.get)
        for one, two in zip(mixed[::2], mixed[1::2], strict=False):
            if lots.random() < 0.8 and two not in met[one]:
                met[one].append(two)
                met[two].append(one)
    floats, together = lots.choice((0, 0.05, 0.2, 0.6)), lots.choice((0, 0, 0.1, 0.3))
    return [
        Contender(
            id=id,
            battle_points=points[id - 1],
            place=id,
            met=tuple(met[id]),
            byes=int(lots.random() < 0.1),
            floated_down=lots.random() < floats,
            group=lots.choice("abc") if lots.random() < together else "",
        )
        for id in met
    ]


def history_of_halves(seed: int) -> list[Contender]:
    """A few groups, or one large one, whose former opponents stand where half against half would seat them."""
    lots = random.Random(seed)
    sizes = lots.choice(([lots.randint(2, 40) for _ in range(lots.randint(1, 3))], [lots.randint(70, 100)]))
    points = [10 - 2 * group for group, size in enumerate(sizes) for _ in range(size)]
    met = {id: [] for id in range(1, len(points) + 1)}
    for _ in range(lots.randint(1, 6)):
        blurred = lots.choice((0, 1, 3, 8))
        for one in met:
            half = points.count(points[one - 1]) // 2
            two = one + lots.choice((half, half, 1)) + lots.randint(-blurred, blurred)
            if two in met and two != one and two not in met[one] and lots.random() < 0.5:
                met[one].append(two)
                met[two].append(one)
    return [Contender(id, points[id - 1], place=id, met=tuple(met[id]), floated_down=lots.random() < 0.2) for id in met]


def cheapest_on_the_whole_graph(
    seated: list[Contender], *, halves: bool = False, apart: bool = False, keep: Collection[frozenset[int]] = ()
) -> tuple[tuple[Contender, Contender], ...]:
    """Every table as an edge; one weight of 16 bits or more for each level, far from overflowing.

    Before closeness it counts the tables that are not among `keep` (ids).
    """
    graph = rustworkx.PyGraph()
    sizes = Counter(one.battle_points for one in seated)
    graph.add_nodes_from(seated)
    for high, low in combinations(range(len(seated)), 2):
        above, below = seated[high], seated[low]
        difference = above.battle_points - below.battle_points
        ideal = (int(difference > 0) or sizes[above.battle_points] // 2) if halves else 0
        parts = (
            above.met.count(below.id),
            difference**2,
            int(difference > 0 and above.floated_down),
            int(bool(above.group) and above.group == below.group)
            + int(apart and bool(above.faction) and above.faction == below.faction),
            int(frozenset((above.id, below.id)) not in keep),
            (low - high - ideal) ** 2,
        )
        weight = sum(part << (20 * level) for level, part in enumerate(reversed(parts)))
        graph.add_edge(high, low, (1 << 120) - weight)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return tuple((seated[one], seated[two]) for one, two in found)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_3_3_the_cost_is_that_of_the_complete_graph_whatever_happened_before(chunk):
    for seed in range(chunk, HISTORIES, CHUNKS):
        contenders = history(seed)
        found = pair(random.Random(seed).sample(contenders, len(contenders)), seed=seed, options=Options())
        bye = next((one for one in contenders if one.id == found.bye), None)
        best = cheapest_on_the_whole_graph([one for one in contenders if one is not bye])

        assert (seed, found.costs) == (seed, cost(contenders, best, bye))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_3_2_top_against_bottom_half_costs_what_it_does_on_the_complete_graph(chunk):
    for seed in range(chunk, HISTORIES // 2, CHUNKS):
        contenders = history_of_halves(seed) if seed % 3 else history(seed)
        found = pair(contenders, seed=seed, options=Options("halves"))
        bye = next((one for one in contenders if one.id == found.bye), None)
        best = cheapest_on_the_whole_graph([one for one in contenders if one is not bye], halves=True)

        assert (seed, found.costs) == (seed, cost(contenders, best, bye, style="halves"))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_3_3_f_in_round_1_nobody_is_moved_further_than_on_the_complete_graph(chunk):
    """As many of a faction as there may be, so that some must meet their own. The order is what the seed draws."""
    for seed in range(chunk, HISTORIES // 3, CHUNKS):
        lots = random.Random(seed)
        factions = lots.choice(("ab", "abcd", "aab", "aaaab", ("a", "")))
        contenders = [replace(one, met=(), byes=0, faction=lots.choice(factions)) for one in history(seed)]
        found = pair(contenders, seed=seed, first_round=True, options=Options(keep_factions_apart=True))
        undisturbed = pair([replace(one, faction="", group="") for one in contenders], seed=seed, first_round=True)
        drawn = [id for table in undisturbed.tables for id in (table.a, table.b)]
        by_id = {one.id: one for one in contenders}
        line = [by_id[id] for id in drawn]
        renumbered = [Contender(n, place=n, faction=one.faction, group=one.group) for n, one in enumerate(line, 1)]
        best = cheapest_on_the_whole_graph(renumbered, apart=True)

        assert undisturbed.bye == found.bye
        assert (seed, found.costs) == (seed, cost(renumbered, best, None, apart=True))


@pytest.mark.many
@pytest.mark.parametrize("seed", range(200))
def test_nothing_changes_when_players_are_renamed_or_everybody_gets_the_same_points_more(seed):
    """Places all differ, so that nothing is drawn and the seed cannot matter."""
    contenders = history(seed)
    renamed = {one.id: 1000 + 7 * one.id % 997 for one in contenders}
    other = [
        Contender(
            renamed[one.id],
            one.battle_points + 40,
            one.fleet_points + 300,
            one.place,
            tuple(renamed[id] for id in one.met),
            one.byes,
            one.floated_down,
            one.faction,
            one.group,
        )
        for one in reversed(contenders)
    ]
    first, second = pair(contenders, seed=seed), pair(other, seed=seed + 1)

    assert second.costs == first.costs
    assert renamed.get(first.bye) == second.bye
