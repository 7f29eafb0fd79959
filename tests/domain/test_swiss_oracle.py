"""The engine against other solvers: everything tried for small fields, another blossom for larger ones."""

import random
from dataclasses import replace
from itertools import combinations, permutations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.pairing_oracle import all_pairings, best_cost, clean_rounds, cost, edges, rounds_among
from tourney.domain.swiss import Contender, Options, clean_rounds_after, pair
from tourney.domain.swiss.levels import costs, costs_at
from tourney.domain.swiss.matching import best_choice, cheapest
from tourney.domain.swiss.order import field_of
from tourney.domain.swiss.rounds import Rounds, edge


@st.composite
def fields(draw, most: int = 8, least: int = 2) -> list[Contender]:
    """So many contenders in any state, even an impossible one; places all differ."""
    count = draw(st.integers(least, most))
    ids = list(range(1, count + 1))
    places = draw(st.permutations(ids))
    pairs = draw(st.lists(st.sampled_from(list(combinations(ids, 2))), max_size=2 * count))
    return [
        Contender(
            id=id,
            battle_points=draw(st.integers(0, 4)),
            fleet_points=draw(st.sampled_from((0, 40, 100))),
            place=place,
            met=tuple(two if one == id else one for one, two in pairs if id in (one, two)),
            byes=draw(st.sampled_from((0, 0, 0, 1, 2))),
            floated_down=draw(st.booleans()),
            faction=draw(st.sampled_from(("", "Klingon", "Romulan"))),
            group=draw(st.sampled_from(("", "", "a", "b"))),
        )
        for id, place in zip(ids, places, strict=True)
    ]


@given(st.one_of(fields(), fields(least=9, most=10)), st.sampled_from(("neighbours", "halves")))
def test_no_other_pairing_of_up_to_ten_costs_less_by_rule_3_3(contenders, style):
    found = pair(contenders, seed=1, options=Options(style))

    assert found.costs == best_cost(contenders, style=style)


@given(st.one_of(fields(), fields(least=9, most=10)), st.integers(0, 2))
def test_3_7_no_other_pairing_costs_less_when_nobody_is_to_have_a_second_bye(contenders, rounds_left):
    found = pair(contenders, seed=1, rounds_left=rounds_left, options=Options(no_second_bye=True))

    assert found.costs == best_cost(contenders, rounds_left=rounds_left, no_second_bye=True)


@given(fields(), st.integers(0, 9))
def test_the_order_drawn_inside_a_group_leaves_levels_b_to_f_as_they_are(contenders, seed):
    found = pair(contenders, seed=seed, options=Options("random"))

    assert found.costs[:5] == best_cost(contenders)[:5]


@given(fields(), st.integers(0, 9), st.booleans())
def test_round_1_keeps_as_many_wishes_as_possible_for_whoever_has_the_bye(contenders, seed, apart):
    fresh = [Contender(one.id, faction=one.faction, group=one.group, place=one.id) for one in contenders]
    found = pair(fresh, seed=seed, first_round=True, options=Options("halves", keep_factions_apart=apart))

    broken = min(
        cost(fresh, tables, bye, apart=apart)[4]
        for tables, bye in all_pairings(fresh)
        if (bye.id if bye else None) == found.bye
    )
    assert found.costs[:5] == (0, 0, 0, 0, broken)


@st.composite
def played_on(draw, least: int, most: int) -> list[Contender]:
    """So many contenders who have all played some clean rounds, so that little is left of what could be played."""
    count = draw(st.integers(least, most))
    lots = draw(st.randoms(use_true_random=False))
    contenders = [Contender(id=id, place=id) for id in range(1, count + 1)]
    for _ in range(draw(st.integers(0, count - 2))):
        clean = list(clean_rounds(lots.sample(contenders, count)).values())
        if not clean:
            break
        contenders = after(contenders, *lots.choice(clean), lots)
    return contenders


def after(contenders, tables, bye, lots) -> list[Contender]:
    """The contenders with this round behind them, winners drawn."""
    opponent = {one.id: two for table in tables for one, two in (table, table[::-1])}
    winners = {lots.choice(table).id for table in tables}
    return [
        replace(one, battle_points=one.battle_points + 2, byes=1)
        if one is bye
        else replace(
            one,
            battle_points=one.battle_points + 1 + (one.id in winners),
            met=(*one.met, opponent[one.id].id),
            floated_down=one.battle_points > opponent[one.id].battle_points,
        )
        for one in contenders
    ]


@given(fields(most=6), st.integers(1, 4))
def test_look_ahead_is_the_best_pairing_that_leaves_the_most_planned_rounds(contenders, rounds_left):
    found = pair(contenders, seed=1, rounds_left=rounds_left)

    assert found.costs == best_cost(contenders, rounds_left=rounds_left)


@given(played_on(7, 10), st.integers(1, 3), st.sampled_from(("neighbours", "halves")))
def test_look_ahead_holds_for_ten_too(contenders, rounds_left, style):
    found = pair(contenders, seed=1, rounds_left=rounds_left, options=Options(style))

    assert found.costs == best_cost(contenders, rounds_left=rounds_left, style=style)


@given(played_on(3, 10), st.integers(0, 5), st.randoms(use_true_random=False))
def test_3_4_the_clean_rounds_after_any_tables_are_as_many_as_can_be_tried_out(contenders, rounds_left, lots):
    """Also after tables that a hand has made, a rematch among them."""
    tables, bye = lots.choice(list(all_pairings(contenders)))
    taken = edges(contenders, tables, bye)
    clean = [one for one in clean_rounds(contenders) if not one & taken]
    ids = [(one.id, two.id) for one, two in tables]

    found = clean_rounds_after(contenders, ids, bye and bye.id, rounds_left=rounds_left)

    assert found == rounds_among(clean, rounds_left)


@given(st.one_of(played_on(2, 10), fields(most=10)))
def test_3_7_something_is_relaxed_only_where_no_clean_round_is_left(contenders):
    """Outside the bound of rule 3.4 the answer "impossible" is that of trying everything, whoever left or came."""
    found = pair(contenders, seed=1)

    assert bool(found.relaxed) == (clean_rounds(contenders) == {})


@given(fields(), st.randoms(use_true_random=False), st.integers(0, 99), st.sampled_from((0, 2)))
def test_the_order_of_the_input_changes_nothing(contenders, shuffled, seed, rounds_left):
    tied = [Contender(one.id, one.battle_points, met=one.met, byes=one.byes) for one in contenders]
    mixed = list(tied)
    shuffled.shuffle(mixed)

    assert pair(mixed, seed=seed, rounds_left=rounds_left) == pair(tied, seed=seed, rounds_left=rounds_left)


@given(fields(most=26), st.sampled_from(("neighbours", "random")), st.booleans())
def test_no_table_left_out_of_the_graph_could_have_made_it_cheaper(contenders, style, first_round):
    options = Options(style, keep_factions_apart=True)
    field = field_of(contenders, 1, options, first_round)
    found = best_choice(field)
    size = len(found.line.seated)
    tables = list(combinations(range(size), 2))
    whole = [(*table, of_table) for table, of_table in zip(tables, costs_at(found.line, tables), strict=True)]

    assert costs(field, found) == costs(field, replace(found, tables=cheapest(size, whole)))


def after_rounds(count: int, rounds: int, seed: int) -> list[Contender]:
    """A field whose earlier opponents were drawn, with soft wishes and floats; places all differ."""
    dice = random.Random(seed)
    ids = list(range(1, count + 1))
    met: dict[int, list[int]] = {id: [] for id in ids}
    points = dict.fromkeys(ids, 0)
    byes = dict.fromkeys(ids, 0)
    for _ in range(rounds):
        dice.shuffle(ids)
        for one, two in zip(ids[::2], ids[1::2], strict=False):
            met[one].append(two)
            met[two].append(one)
            points[one] += 2
            points[two] += 1
        if count % 2:
            points[ids[-1]] += 2
            byes[ids[-1]] += 1
    return [
        Contender(
            id=id,
            battle_points=points[id],
            fleet_points=dice.randrange(0, 300, 10),
            place=id,
            met=tuple(met[id]),
            byes=byes[id],
            floated_down=dice.random() < 0.15,
            group=dice.choice(("", "", "", "", "a", "b")),
        )
        for id in range(1, count + 1)
    ]


@pytest.mark.parametrize("style", ["neighbours", "halves"])
@pytest.mark.parametrize(("count", "rounds", "seed"), [(24, 3, 1), (30, 9, 2), (41, 4, 3), (52, 5, 4), (63, 3, 5)])
def test_another_blossom_on_the_whole_graph_finds_the_same_cost(count, rounds, seed, style):
    contenders = after_rounds(count, rounds, seed)
    found = pair(contenders, seed=1, options=Options(style))
    by_id = {one.id: one for one in contenders}
    bye = by_id.get(found.bye)
    seated = [one for one in contenders if one is not bye]
    graph = networkx.Graph()
    for one, two in combinations(seated, 2):
        parts = table_cost(seated, one, two, style)
        graph.add_edge(one.id, two.id, weight=-sum(part << (40 * level) for level, part in enumerate(parts[::-1])))
    tables = tuple((by_id[one], by_id[two]) for one, two in networkx.max_weight_matching(graph, maxcardinality=True))

    assert found.costs == cost(contenders, tables, bye, style=style)
    assert found.costs[:2] == (0, 0)


def table_cost(seated, one, two, style):
    """The cost of one table among the seated, whose order does not depend on the tables."""
    order = sorted(seated, key=lambda each: (-each.battle_points, -each.fleet_points, each.place))
    high, low = sorted((one, two), key=order.index)
    difference = high.battle_points - low.battle_points
    size = sum(each.battle_points == high.battle_points for each in seated)
    ideal = 0 if style == "neighbours" else 1 if difference else size // 2
    return (
        high.met.count(low.id),
        difference**2,
        int(difference > 0 and high.floated_down),
        int(bool(high.group) and high.group == low.group),
        (order.index(low) - order.index(high) - ideal) ** 2,
    )


@pytest.mark.parametrize(
    ("style", "partner"),
    [("neighbours", lambda place: place + 1), ("halves", lambda place: place + 250)],
)
def test_a_thousand_without_a_quarrel_are_paired_as_rule_3_2_says(style, partner):
    """Two groups of 500: neighbours meet inside them, or the upper half meets the lower one."""
    contenders = [Contender(id, 4 if id <= 500 else 2, 0, id) for id in range(1, 1001)]
    found = pair(contenders, seed=1, options=Options(style))

    higher = range(1, 1001, 2) if style == "neighbours" else [*range(1, 251), *range(501, 751)]
    assert [(seat.a, seat.b) for seat in found.tables] == [(place, partner(place)) for place in higher]


def test_a_thousand_and_one_after_five_rounds_meet_nobody_twice():
    contenders = after_rounds(1001, 5, 6)
    found = pair(contenders, seed=1)

    last = min(contenders, key=lambda one: (one.byes, one.battle_points, one.fleet_points, -one.place))
    assert (found.bye, found.costs[:2], len(found.tables)) == (last.id, (0, 0), 500)


@given(st.sets(st.sampled_from(list(combinations(range(6), 2)))), st.integers(1, 5))
def test_the_search_for_rounds_agrees_with_trying_every_order_of_rounds(tables, wanted):
    graph = sum(edge(6, one, two) for one, two in tables)
    matchings = [
        {(a, b), (c, d), (e, f)}
        for a, b, c, d, e, f in permutations(range(6))
        if a < b and c < d and e < f and a < c < e and {(a, b), (c, d), (e, f)} <= tables
    ]

    def most(left, deep):
        if not deep:
            return 0
        return max((1 + most([one for one in left if not one & taken], deep - 1) for taken in left), default=0)

    assert Rounds(6, graph).most(graph, wanted) == most(matchings, wanted)


PETERSEN = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]
PETERSEN += [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
ONE_TABLE_MUST_WAIT = [(0, 2), (0, 4), (0, 7), (1, 2), (1, 3), (1, 4), (2, 3)]
ONE_TABLE_MUST_WAIT += [(2, 5), (2, 6), (3, 4), (4, 7), (5, 6), (5, 7), (6, 7)]
FIVE_FOR_SEVEN = [(one, two) for one in range(7) for two in range(7, 12)] + [(0, 1), (2, 3), (4, 5), (0, 6)]


@pytest.mark.parametrize(
    ("case", "size", "tables", "wanted", "most"),
    [
        ("the Petersen graph: three tables for each, one round", 10, PETERSEN, 3, 1),
        ("two rounds, both without the rarest table of one vertex", 8, ONE_TABLE_MUST_WAIT, 2, 2),
        ("two sides of six", 12, [(one, two) for one in range(6) for two in range(6, 12)], 6, 6),
        ("a whole round robin", 12, list(combinations(range(12), 2)), 11, 11),
        ("so many tables for each that all rounds are certain", 8, list(combinations(range(8), 2)), 3, 3),
        ("five for seven, who have four tables among them: one is played in each round", 12, FIVE_FOR_SEVEN, 5, 4),
        ("two odd halves that never meet", 6, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)], 1, 0),
    ],
)
def test_the_search_for_rounds_knows_hard_graphs(case, size, tables, wanted, most):
    graph = sum(edge(size, one, two) for one, two in tables)

    assert Rounds(size, graph).most(graph, wanted) == most
