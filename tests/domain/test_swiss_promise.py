"""Rule 3.4: what is promised before round 1, and that whole random events keep it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.fields import field_after
from tourney.domain.swiss import Contender, Options, clean_rounds_after, pair, promise
from tourney.domain.swiss.lookahead import fewest_left, least_left, may_meet, taken, vertices
from tourney.domain.swiss.order import field_of


@pytest.mark.parametrize(
    ("players", "rounds", "expected"),
    [
        (1, 3, "A round needs at least two players (rule 3.3)."),
        (
            2,
            1,
            "2 players, 1 round: no rematches and no second byes, no matter who drops or arrives, "
            "as long as at least 2 are playing (rule 3.4).",
        ),
        (
            2,
            2,
            "2 players, 2 rounds: only 1 can be played without a rematch or a second bye. "
            "From round 2 on, someone has one (rules 3.4 and 3.7).",
        ),
        (
            3,
            2,
            "3 players, 2 rounds: no rematches and no second byes, no matter who drops or arrives, "
            "as long as at least 3 are playing (rule 3.4).",
        ),
        (
            11,
            8,
            "11 players, 8 rounds: no rematches and no second byes if exactly these players stay. "
            "If players drop or arrive, that is certain with 15 or more (rule 3.4).",
        ),
        (
            3,
            3,
            "3 players, 3 rounds: no rematches and no second byes, no matter who drops or arrives, "
            "as long as at least 3 are playing (rule 3.4).",
        ),
        (
            7,
            4,
            "7 players, 4 rounds: no rematches and no second byes, no matter who drops or arrives, "
            "as long as at least 7 are playing (rule 3.4).",
        ),
        (
            6,
            4,
            "6 players, 4 rounds: no rematches and no second byes if exactly these players stay. "
            "If players drop or arrive, that is certain with 7 or more (rule 3.4).",
        ),
        (
            4,
            4,
            "4 players, 4 rounds: only 3 can be played without a rematch or a second bye. "
            "From round 4 on, someone has one (rules 3.4 and 3.7).",
        ),
        (
            13,
            8,
            "13 players, 8 rounds: 7 rounds are certain to have no rematches and no second byes. "
            "The desk says so if a later round can’t avoid them (rules 3.4 and 3.7).",
        ),
    ],
)
def test_3_4_in_words(players, rounds, expected):
    assert str(promise(players, rounds)) == expected


@pytest.mark.parametrize(("rounds_left", "clean"), [(0, 0), (6, 6), (7, None), (13, None)])
def test_3_4_of_fourteen_is_said_only_what_is_certain(rounds_left, clean):
    """After one round each of them has twelve left to meet: 2 * (12 - 5) >= 14, so that a sixth round is certain."""
    contenders = [Contender(id, place=id) for id in range(1, 15)]
    tables = [(id, id + 1) for id in range(1, 15, 2)]

    assert clean_rounds_after(contenders, tables, None, rounds_left=rounds_left) == clean


def test_3_4_of_twelve_everything_is_found_out():
    """Twelve can meet in eleven rounds; from thirteen on only what is certain is said."""
    contenders = [Contender(id, place=id) for id in range(1, 13)]
    tables = [(id, id + 1) for id in range(1, 13, 2)]

    assert clean_rounds_after(contenders, tables, None, rounds_left=10) == 10


@pytest.mark.parametrize(
    ("met", "byes", "clean"),
    [
        ([(), (), ()], [0, 0, 0], 3),
        ([(2,), (1,), ()], [0, 0, 1], 2),
        ([(2, 3), (1,), (1,)], [0, 1, 1], 1),
        ([(2, 3), (1, 3), (1, 2)], [1, 1, 1], 0),
        ([(2,), (1,)], [0, 0], 0),
    ],
)
def test_3_4_from_now_on_before_the_next_tables_are_known(met, byes, clean):
    """Three players can meet in three rounds and have one bye each; two can meet once."""
    contenders = [Contender(id, met=met[id - 1], byes=byes[id - 1]) for id in range(1, len(met) + 1)]

    assert clean_rounds_after(contenders, (), None, rounds_left=3) == clean


@pytest.mark.parametrize("players", range(3, 21))
def test_3_4_who_has_the_fewest_left_is_counted_as_the_graph_has_it(players):
    """After three rounds in which some have left, and this round's tables and bye."""
    contenders = field_after(3, players, seed=players)
    pairing = pair(contenders, seed=1)
    field = field_of(contenders, 0, Options(), False)
    seats = [*((one.a, one.b) for one in pairing.tables), *([(pairing.bye,)] if pairing.bye is not None else [])]

    graph = may_meet(field) & ~taken(field, seats)

    assert fewest_left(field, seats) == least_left(vertices(field), graph)


class Night:
    """An event played by dice: who is there, and what each has behind them."""

    def __init__(self, players: int, seed: int) -> None:
        self.dice = random.Random(seed)
        self.points: dict[int, int] = {}
        self.fleet: dict[int, int] = {}
        self.met: dict[int, list[int]] = {}
        self.byes: dict[int, int] = {}
        self.floated: set[int] = set()
        for _ in range(players):
            self.arrive()

    def arrive(self) -> None:
        id = len(self.met) + 1
        self.points[id] = self.fleet[id] = self.byes[id] = 0
        self.met[id] = []

    def leave(self, id: int) -> None:
        del self.points[id]

    def contenders(self) -> list[Contender]:
        order = sorted(self.points, key=lambda id: (-self.points[id], -self.fleet[id], id))
        return [
            Contender(
                id=id,
                battle_points=self.points[id],
                fleet_points=self.fleet[id],
                place=place,
                met=tuple(self.met[id]),
                byes=self.byes[id],
                floated_down=id in self.floated,
            )
            for place, id in enumerate(order, start=1)
        ]

    def play(self, pairing) -> None:
        before = dict(self.points)
        self.floated = {seat.a for seat in pairing.tables if before[seat.a] > before[seat.b]}
        for seat in pairing.tables:
            winner, loser = self.dice.sample((seat.a, seat.b), 2)
            self.points[winner] += 2
            self.points[loser] += 1
            self.fleet[winner] += self.dice.randrange(40, 130, 10)
            self.fleet[loser] += self.dice.randrange(0, 90, 10)
            self.met[winner].append(loser)
            self.met[loser].append(winner)
        if pairing.bye:
            self.points[pairing.bye] += 2
            self.fleet[pairing.bye] += 60
            self.byes[pairing.bye] += 1


def repeats(pairing, contenders) -> list[object]:
    """Who meets again, and who has another bye, in the words of the data."""
    by_id = {one.id: one for one in contenders}
    again = [{seat.a, seat.b} for seat in pairing.tables if seat.b in by_id[seat.a].met]
    return again + [pairing.bye] * bool(pairing.bye and by_id[pairing.bye].byes)


def is_certain(players: int, round: int) -> bool:
    size = players + players % 2
    return size >= 2 * round or (size, round) == (4, 3)


@given(
    players=st.integers(2, 14),
    seed=st.integers(0, 10**6),
    rounds=st.integers(1, 7),
    style=st.sampled_from(("neighbours", "halves", "random")),
    comings=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=7, max_size=7),
)
def test_3_4_inside_the_bound_nobody_meets_twice_whoever_leaves_or_arrives(players, seed, rounds, style, comings):
    night = Night(players, seed)
    for round in range(1, rounds + 1):
        contenders = night.contenders()
        pairing = pair(
            contenders,
            seed=seed + round,
            rounds_left=rounds - round,
            options=Options(style),
            first_round=round == 1,
        )
        if is_certain(len(contenders), round):
            assert (repeats(pairing, contenders), pairing.relaxed) == ([], ())
        night.play(pairing)
        leaving, arriving = comings[round - 1]
        for id in night.dice.sample(sorted(night.points), min(leaving, len(night.points) - 2)):
            night.leave(id)
        for _ in range(arriving):
            night.arrive()


@pytest.mark.many(each=["style", "players"])
@pytest.mark.parametrize("style", ["neighbours", "halves", "random"])
@pytest.mark.parametrize("players", range(3, 13))
def test_3_4_a_small_field_that_stays_can_play_everybody_once(players, style):
    """As many rounds as a full round robin, which only look-ahead can reach."""
    rounds = players - 1 + players % 2
    for seed in range(4):
        night = Night(players, seed)
        for round in range(1, rounds + 1):
            contenders = night.contenders()
            pairing = pair(
                contenders,
                seed=seed,
                rounds_left=rounds - round,
                options=Options(style),
                first_round=round == 1,
            )
            assert (repeats(pairing, contenders), pairing.relaxed) == ([], ())
            night.play(pairing)
