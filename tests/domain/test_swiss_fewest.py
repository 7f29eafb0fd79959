"""Tables paired anew with the fewest changes against a general matching on the complete graph, and what is weighed."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.domain.pairing_oracle import cost
from tests.domain.test_swiss_whole_graph import cheapest_on_the_whole_graph, history, history_of_halves
from tests.support.fields import field_after
from tourney.domain.swiss import Contender, Options, Pairing, again, pair, pair_again
from tourney.domain.swiss.fewest import with_fewest_new
from tourney.domain.swiss.matching import best_choice
from tourney.domain.swiss.order import field_of

NIGHTS, CHUNKS = 1200, 24
AS_USUAL = Options()


def corrected(field: list[Contender], dice: Random, times: int) -> list[Contender]:
    """So many got other points, or floated, or did not."""
    field = list(field)
    for place in dice.sample(range(len(field)), min(times, len(field))):
        one = field[place]
        points = max(0, one.battle_points + dice.choice((-3, -2, -1, 0, 1, 2, 3)))
        field[place] = replace(one, battle_points=points, floated_down=one.floated_down ^ (dice.random() < 0.2))
    return field


def exchanged(tables: list[tuple[int, ...]], dice: Random) -> list[tuple[int, ...]]:
    """Two tables with two of their players exchanged, where there are two."""
    whole = [one for one in tables if len(one) == 2]
    if len(whole) < 2:
        return tables
    (a, b), (c, d) = one, other = dice.sample(whole, 2)
    return [(a, c), (b, d), *(table for table in tables if table not in (one, other))]


def seats(pairing: Pairing) -> list[tuple[int, ...]]:
    return [*((one.a, one.b) for one in pairing.tables), *([(pairing.bye,)] if pairing.bye is not None else [])]


def case(seed: int) -> tuple[list[Contender], list[tuple[int, ...]], list[tuple[int, ...]], bool]:
    """A field, who stays, the other tables as they were drawn before it changed, and whether by halves."""
    dice = Random(seed)
    drawn, halves = (history_of_halves(seed), True) if seed % 4 == 0 else (history(seed), False)
    tables = seats(pair(drawn, seed=seed, options=Options("halves" if halves else "neighbours")))
    field = corrected(drawn, dice, dice.choice((0, 1, 1, 2, 2, 3, 5, 20)))
    dice.shuffle(tables)
    stay = tables[: dice.choice((0, dice.randrange(len(tables) // 2)))]
    keep = tables[len(stay) :]
    for _ in range(dice.choice((0, 0, 1, 3))):
        keep = exchanged(keep, dice)
    return field, stay, keep, halves


@pytest.mark.many
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_3_3_nobody_sits_better_and_no_pairing_as_good_keeps_more_tables_on_the_complete_graph(chunk):
    for seed in range(chunk, NIGHTS, CHUNKS):
        field, stay, sitting, halves = case(seed)
        keep, staying = {frozenset(one) for one in sitting}, {id for one in stay for id in one}
        free = sorted((one for one in field if one.id not in staying), key=lambda one: (-one.battle_points, one.place))
        options = Options("halves" if halves else "neighbours")
        found = pair_again(field, stay, sitting, seed=seed, options=options)
        bye = next((one for one in free if one.id == found.bye), None)
        best = cheapest_on_the_whole_graph([one for one in free if one is not bye], halves=halves, keep=keep)
        new = Counter(frozenset(table) in keep for table in seats(found) if len(table) == 2)
        fewest = Counter(frozenset((one.id, two.id)) in keep for one, two in best)

        assert (seed, found.costs) == (seed, cost(free, best, bye, style=options.style))
        assert (seed, new) == (seed, fewest)


@pytest.mark.parametrize("players", [250, 500, 1000])
def test_after_one_correction_a_few_tables_are_weighed_for_each_player(players):
    assert players / 2 < tables_weighed(players) < 10 * players


def tables_weighed(players: int) -> int:
    """How many tables are looked at when the winner and the loser of a table in the middle are exchanged."""
    drawn = field_after(6, players, seed=players)
    now = pair(drawn, seed=1)
    one, two = now.tables[len(now.tables) // 2].a, now.tables[len(now.tables) // 2].b
    points = {one: -1, two: 1}
    field = [replace(each, battle_points=each.battle_points + points.get(each.id, 0)) for each in drawn]
    best = best_choice(field_of(field, 1, AS_USUAL, False))
    kept = {frozenset(table) for table in seats(now)}
    looked_at = []

    def weigh(line, tables):
        looked_at.append(len(tables))
        return again._weighed(kept, line, tables)

    with_fewest_new(best, kept, weigh)
    return sum(looked_at)
