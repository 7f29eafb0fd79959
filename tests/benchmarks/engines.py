"""Other ways to pair a field. They know less than ours: no bye, no floats memory, no wishes, no reasons.

Each takes an even field and answers with a function that pairs it. That function is what is timed, from
contenders in memory to pairs of ids; only the player objects of other packages are made before.
"""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import networkx
import rustworkx

from tourney.domain.swiss import Contender, Options, pair

type Pairs = list[tuple[int, int]]
type Engine = Callable[[Sequence[Contender]], Callable[[], Pairs]]

NEIGHBOURS = 20


def flagship(field: Sequence[Contender], **options) -> Callable[[], Pairs]:
    """Ours: who plays whom, as every other answers, and the reasons as soon as somebody asks."""
    return lambda: list(pair(field, seed=1, **options).pairs)


def with_reasons(field: Sequence[Contender]) -> Callable[[], Pairs]:
    """Ours, and every table's reason asked for."""
    return lambda: [(table.a, table.b) for table in pair(field, seed=1).tables]


def sorting(field: Sequence[Contender]) -> Callable[[], Pairs]:
    """The order of rule 3.2, lots drawn, and 1-2, 3-4 … whoever has met: what every program must do."""
    return lambda: _neighbours([one.id for one in in_order(field)])


def rustworkx_complete(field: Sequence[Contender]) -> Callable[[], Pairs]:
    """General matching in Rust on all pairs."""
    return lambda: _by_rustworkx(in_order(field), reach=len(field))


def rustworkx_sparse(field: Sequence[Contender]) -> Callable[[], Pairs]:
    """The same on pairs that stand not too far apart: quicker, and no longer sure to find the best pairing."""
    return lambda: _by_rustworkx(in_order(field), reach=NEIGHBOURS)


def networkx_complete(field: Sequence[Contender]) -> Callable[[], Pairs]:
    """General matching in Python on all pairs."""
    return lambda: _by_networkx(in_order(field))


def swisspair(field: Sequence[Contender]) -> Callable[[], Pairs]:
    """https://pypi.org/project/swisspair, C++: exact matching on part of the pairs."""
    from swisspair import Player, create_matches

    ids = {one.id for one in field}
    players = [
        Player(
            str(one.id), one.battle_points, rank, cannot_be_paired_against_ids={str(id) for id in ids & set(one.met)}
        )
        for rank, one in enumerate(in_order(field), start=1)
    ]
    return lambda: [(int(match.p1.id), int(match.p2.id)) for match in create_matches(players)]


def py4swiss(field: Sequence[Contender]) -> Callable[[], Pairs]:
    """https://pypi.org/project/py4swiss, Python and C++: the FIDE Dutch system, here without colours and floats.

    Points go in as accelerations and former opponents as forbidden pairs, so that no rounds are needed.
    """
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.sections import PlayerSection, XSection

    line = in_order(field)
    number = {one.id: place for place, one in enumerate(line, start=1)}
    trf = ParsedTrf(
        player_sections=[
            PlayerSection(
                code=PlayerCode.PLAYER, starting_number=place, points_times_ten=10 * one.battle_points, rank=place
            )
            for place, one in enumerate(line, start=1)
        ],
        x_section=XSection(
            number_of_rounds=20,
            accelerations={number[one.id]: [10 * one.battle_points] for one in line},
            forbidden_pairs={(number[one.id], number[id]) for one in line for id in one.met if id in number},
        ),
    )
    return lambda: [(line[p.white - 1].id, line[p.black - 1].id) for p in DutchEngine.generate_pairings(trf)]


ENGINES: dict[str, Engine] = {
    "Flagship, every reason read": with_reasons,
    "sorting only": sorting,
    "swisspair": swisspair,
    "rustworkx, 20 neighbours": rustworkx_sparse,
    "rustworkx, complete graph": rustworkx_complete,
    "networkx, complete graph": networkx_complete,
    "py4swiss (FIDE Dutch)": py4swiss,
}

STYLES: dict[str, Engine] = {
    "neighbours": flagship,
    "halves": partial(flagship, options=Options("halves")),
    "random inside the group": partial(flagship, options=Options("random")),
    "round 1": partial(flagship, first_round=True),
    "round 1, factions apart": partial(flagship, first_round=True, options=Options(keep_factions_apart=True)),
}


def in_order(field: Sequence[Contender]) -> list[Contender]:
    """Rule 3.2; those still tied as drawn."""
    drawn = list(field)
    Random(1).shuffle(drawn)
    return sorted(drawn, key=lambda one: (-one.battle_points, -one.fleet_points, one.place))


def _neighbours(ids: Sequence[int]) -> Pairs:
    return list(zip(ids[::2], ids[1::2], strict=True))


def _by_rustworkx(line: Sequence[Contender], reach: int) -> Pairs:
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(line)))
    graph.add_edges_from(_weighted(line, reach))
    return [(line[one].id, line[two].id) for one, two in rustworkx.max_weight_matching(graph, weight_fn=int)]


def _by_networkx(line: Sequence[Contender]) -> Pairs:
    graph = networkx.Graph()
    graph.add_weighted_edges_from(_weighted(line, len(line)))
    return [(line[one].id, line[two].id) for one, two in networkx.max_weight_matching(graph)]


def _weighted(line: Sequence[Contender], reach: int) -> list[tuple[int, int, int]]:
    """Pairs up to `reach` places apart; the greatest weight is a full pairing by rule 3.3 b, d and g."""
    size = len(line)
    span = line[0].battle_points - line[-1].battle_points
    difference = size**3  # more than all squared distances together
    rematch = difference * size * (span**2 + 1)
    full = rematch * size * (max([len(one.met) for one in line]) + 1)
    return [
        (
            high,
            low,
            full
            - rematch * line[high].met.count(line[low].id)
            - difference * (line[high].battle_points - line[low].battle_points) ** 2
            - (low - high) ** 2,
        )
        for high in range(size)
        for low in range(high + 1, min(size, high + reach + 1))
    ]
