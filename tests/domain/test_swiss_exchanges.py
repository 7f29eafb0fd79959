"""Rule 3.3 where neighbors exchange opponents: which table it is, and that no other pairing costs less."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import settings

from tests.domain.pairing_oracle import best_cost, cost
from tests.domain.test_swiss import have_met, standing, tables
from tests.domain.test_swiss_whole_graph import cheapest_on_the_whole_graph
from tests.support.fields import field_after
from tourney.domain.swiss import Contender, Options, pair
from tourney.domain.swiss.cuts import Neighbourhood
from tourney.domain.swiss.exchanges import exchanges
from tourney.domain.swiss.levels import costs, costs_at, is_quarrel, quarrels
from tourney.domain.swiss.matching import LONG, best_choice, bye_of, cheapest
from tourney.domain.swiss.order import SeatingOrder, field_of

FIELDS = 200 * settings.default.max_examples
CHUNKS = 20
AS_USUAL = Options()
LEVEL = [2] * 10
SIZES = (50, 90, 150)


@pytest.mark.parametrize(
    ("case", "contenders", "expected"),
    [
        (
            "the table above, where below would be the same",
            have_met(standing(*LEVEL), (5, 6)),
            [(1, 2), (3, 5), (4, 6), (7, 8), (9, 10)],
        ),
        (
            "the first table has none above",
            have_met(standing(*LEVEL), (1, 2)),
            [(1, 3), (2, 4), (5, 6), (7, 8), (9, 10)],
        ),
        (
            "below, where above would be further",
            have_met(standing(*LEVEL), (5, 6), (3, 5)),
            [(1, 2), (3, 4), (5, 7), (6, 8), (9, 10)],
        ),
        (
            "the first with the last of four, where every other exchange is a rematch",
            have_met(standing(*LEVEL), (5, 6), (3, 5), (5, 7)),
            [(1, 2), (3, 6), (4, 5), (7, 8), (9, 10)],
        ),
        (
            "two in a row with each other",
            have_met(standing(*LEVEL), (5, 6), (7, 8)),
            [(1, 2), (3, 4), (5, 7), (6, 8), (9, 10)],
        ),
        (
            "two in a row apart, where they cannot with each other",
            have_met(standing(*LEVEL), (5, 6), (7, 8), (5, 7), (6, 7)),
            [(1, 2), (3, 5), (4, 6), (7, 9), (8, 10)],
        ),
        (
            "two that are both next to one table",
            have_met(standing(*LEVEL), (1, 2), (5, 6)),
            [(1, 3), (2, 4), (5, 7), (6, 8), (9, 10)],
        ),
        (
            "who has the same points, where those above have more",
            have_met(standing(4, 4, 4, 4, 2, 2, 2, 2, 2, 2), (5, 6)),
            [(1, 2), (3, 4), (5, 7), (6, 8), (9, 10)],
        ),
        (
            "somebody of a household stays apart, too",
            standing(*LEVEL, _5={"group": "north"}, _6={"group": "north"}, _3={"group": "north"}),
            [(1, 2), (3, 4), (5, 7), (6, 8), (9, 10)],
        ),
        (
            "who floated down last time, with somebody of the group who did not",
            standing(4, 4, 4, 4, 4, 2, 2, 2, 2, 2, _5={"floated_down": True}),
            [(1, 2), (3, 5), (4, 6), (7, 8), (9, 10)],
        ),
        (
            "a ring of three tables, which is closer than two exchanges of the first with the last",
            have_met(standing(*LEVEL), (3, 4), (7, 8), (1, 3), (4, 6), (5, 7), (7, 9)),
            [(1, 2), (3, 5), (4, 7), (6, 8), (9, 10)],
        ),
    ],
)
def test_who_exchanges_opponents(case, contenders, expected):
    found = pair(contenders, seed=1)

    assert tables(found) == expected
    assert found.costs == best_cost(contenders)


def close_meetings(seed: int, most: Sequence[int] = (8, 16, 28, 60)) -> list[Contender]:
    """Large groups in which neighbors have met more often than others nearby; sometimes with households and floats."""
    lots = random.Random(seed)
    count = lots.randint(2, lots.choice(most))
    groups, apart = lots.choice((1, 1, 2, 3, 6)), lots.choice((1, 1, 3))
    points = sorted((apart * lots.randrange(groups) for _ in range(count)), reverse=True)
    reach, nearby = lots.choice((1, 2, 3, 5, 8)), lots.choice((0.05, 0.1, 0.2, 0.35))
    neighbors = lots.choice((nearby, 0.1, 0.3, 0.8))
    met = {id: [] for id in range(1, count + 1)}
    for one, two in combinations(met, 2):
        if two - one <= reach and lots.random() < (neighbors if two - one == one % 2 else nearby):
            times = lots.choice((1, 1, 1, 1, 2))
            met[one] += [two] * times
            met[two] += [one] * times
    floats, together, byes = lots.choice((0, 0, 0.05, 0.3)), lots.choice((0, 0, 0.05, 0.3)), lots.choice((0, 0.2))
    return [
        Contender(
            id,
            points[id - 1],
            place=id,
            met=tuple(met[id]),
            byes=int(lots.random() < byes),
            floated_down=lots.random() < floats,
            group=lots.choice("abcdef") if lots.random() < together else "",
        )
        for id in met
    ]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_3_3_no_pairing_of_the_complete_graph_costs_less_than_the_exchanges(chunk):
    for seed in range(chunk, FIELDS, CHUNKS):
        contenders = close_meetings(seed)
        found = pair(contenders, seed=seed)
        bye = next((one for one in contenders if one.id == found.bye), None)
        best = cheapest_on_the_whole_graph([one for one in contenders if one is not bye])

        assert (seed, found.costs) == (seed, cost(contenders, best, bye))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_exchange_is_within_a_part_of_the_line_that_no_best_pairing_leaves(chunk):
    made = 0
    for seed in range(chunk, FIELDS // 2, CHUNKS):
        field = field_of(close_meetings(seed, SIZES), seed, AS_USUAL, False)
        line = field.line(bye_of(field) if field.has_bye else None)
        neighbors = [(high, high + 1) for high in range(0, len(line.seated), 2)]
        unwanted = [high for high, _ in quarrels(line, neighbors)]
        settled = exchanges(line, unwanted)
        parts = Neighbourhood(line).blocks(unwanted)

        made += len(settled)
        for one in settled.values():
            assert any(start <= one.start and one.start + 4 <= stop for start, stop in parts), (seed, one)
    assert made


def meetings_in_a_few_places(seed: int) -> list[Contender]:
    """200 to 260 of whom nearly all have met nobody nearby, and the others nearly everybody."""
    lots = random.Random(seed)
    count, groups = lots.randint(LONG, LONG + 60), lots.choice((1, 2, 4))
    points = sorted((lots.randrange(groups) for _ in range(count)), reverse=True)
    met: dict[int, set[int]] = {id: set() for id in range(1, count + 1)}
    for _ in range(lots.randint(1, 6)):
        first = lots.randrange(1, count - 6)
        pairs = [pair for pair in combinations(range(first, first + 6), 2) if lots.random() < 0.35]
        for one, two in [*pairs, (first | 1, (first | 1) + 1)]:
            met[one].add(two)
            met[two].add(one)
    floats = lots.choice((0, 0, 0.02))
    return [
        Contender(id, points[id - 1], place=id, met=tuple(met[id]), floated_down=lots.random() < floats) for id in met
    ]


@pytest.mark.parametrize("chunk", range(CHUNKS // 5))
def test_3_3_what_stays_open_in_a_long_line_costs_what_it_does_on_the_whole_line(chunk):
    """Against one matching of everybody in all tables that `cuts` leaves."""
    stayed_open = 0
    for seed in range(chunk, FIELDS // 5, CHUNKS // 5):
        field = field_of(meetings_in_a_few_places(seed), seed, AS_USUAL, False)
        best = best_choice(field)
        line, size = best.line, len(best.line.seated)
        tables = Neighbourhood(line).tables(0, size)
        edges = [(*table, of_table) for table, of_table in zip(tables, costs_at(line, tables), strict=True)]

        assert (seed, costs(field, best)) == (seed, costs(field, replace(best, tables=cheapest(size, edges))))
        unwanted = [high for high, _ in quarrels(line, [(high, high + 1) for high in range(0, size, 2)])]
        stayed_open += len(exchanges(line, unwanted)) < len(unwanted)
    assert stayed_open


@pytest.mark.parametrize("players", [512, 513, 1001, 2000])
def test_in_a_large_field_after_eight_rounds_exchanges_are_enough(players):
    """So that nobody has to look for former opponents who are placed nearby."""
    field = field_of(field_after(8, players, seed=players), 1, AS_USUAL, False)
    best = best_choice(field)
    unwanted = [high for high, _ in quarrels(best.line, [(high, high + 1) for high in range(0, players - 1, 2)])]

    assert len(unwanted) > 4
    assert exchanges(best.line, unwanted).keys() == {*unwanted}


@pytest.mark.parametrize("options", [AS_USUAL, Options(keep_factions_apart=True)])
def test_one_table_is_a_quarrel_if_it_is_among_those_of_all_tables(options):
    for seed in range(20):
        lots = random.Random(seed)
        field = [replace(one, faction=lots.choice(("", "Klingon", "Romulan"))) for one in close_meetings(seed)]
        line = SeatingOrder(tuple(field), options)
        tables = list(combinations(range(len(field)), 2))

        assert [table for table in tables if is_quarrel(line, *table)] == quarrels(line, tables)
