"""Fields of any size in the middle of an event, played by dice and paired by the engine.

contenders = field_after(3, 1000, seed=1)        # 1,000 who have three rounds behind them
for contenders in fields(8, 64, seed=1): ...     # before round 1, before round 2 … after round 8
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import ceil
from random import Random

from tourney.domain.swiss import Contender, Pairing, pair

WIN, BYE, LOSS = 2, 2, 1  # Battle Points, rule 2.1
BASE = 130  # Fleet Points, rule 2.2
BONUSES = (-10, 0, 0, 0, 5, 10, 20)
FACTIONS = ("Federation", "Klingon", "Romulan", "Dominion")


def field_after(rounds: int, players: int, *, seed: int, drop_outs: Fraction = Fraction(1, 20)) -> list[Contender]:
    """So many contenders with so many rounds behind them; the part `drop_outs` of all who came has left by now.

    The same arguments give the same field, sorted by id. Nobody has met twice or had two byes if rule 3.4
    allows it, and contenders level on all points share a place.
    """
    *_, field = fields(rounds, players, seed=seed, drop_outs=drop_outs)
    return field


def fields(rounds: int, players: int, *, seed: int, drop_outs: Fraction = Fraction(1, 20)) -> Iterator[list[Contender]]:
    """The fields of one event: before each round in turn, and the one of `field_after` at the end."""
    dice = Random(seed)
    came = ceil(players / (1 - drop_outs)) if rounds else players
    field = [Contender(id, place=1, faction=dice.choice(FACTIONS)) for id in range(1, came + 1)]
    yield field
    for number in range(1, rounds + 1):
        rounds_left = rounds + 1 - number  # one is still to come
        pairing = pair(field, seed=dice.randrange(2**31), rounds_left=rounds_left, first_round=number == 1)
        stay = came - (came - players) * number // rounds
        leaving = set(dice.sample(range(len(field)), len(field) - stay))
        played = after(field, pairing, dice)
        field = placed([one for index, one in enumerate(played) if index not in leaving])
        yield field


def after(field: Iterable[Contender], pairing: Pairing, dice: Random) -> list[Contender]:
    """The contenders with the round played; their places are those from before."""
    by_id = {one.id: one for one in field}
    scores = dict(_scores(pairing, dice))
    return [_with(one, scores[one.id], by_id) for one in by_id.values()]


def placed(field: Iterable[Contender]) -> list[Contender]:
    """The contenders with their places by points; those level on all points share one."""
    field = list(field)
    sizes = Counter(map(_points, field))
    levels = sorted(sizes, reverse=True)
    places = dict(zip(levels, accumulate((sizes[level] for level in levels), initial=1), strict=False))
    return [replace(one, place=places[_points(one)]) for one in field]


@dataclass(frozen=True, slots=True)
class _Score:
    """What one contender took from a round; `opponent` is 0 for the bye."""

    battle_points: int
    fleet_points: int
    opponent: int


def _scores(pairing: Pairing, dice: Random) -> Iterator[tuple[int, _Score]]:
    total = 0
    for seating in pairing.tables:
        winner, loser = dice.sample((seating.a, seating.b), 2)
        less, more = sorted((dice.randint(0, BASE), BASE if dice.randrange(2) else dice.randint(0, BASE)))
        for id, opponent, battle_points, fleet_points in ((winner, loser, WIN, more), (loser, winner, LOSS, less)):
            with_bonus = fleet_points + dice.choice(BONUSES)
            total += with_bonus
            yield id, _Score(battle_points, with_bonus, opponent)
    if pairing.bye:
        yield pairing.bye, _Score(BYE, ceil(Fraction(total, 2 * len(pairing.tables))), 0)  # rule 2.10


def _with(one: Contender, score: _Score, by_id: dict[int, Contender]) -> Contender:
    opponent = by_id.get(score.opponent)
    return replace(
        one,
        battle_points=one.battle_points + score.battle_points,
        fleet_points=one.fleet_points + score.fleet_points,
        met=(*one.met, opponent.id) if opponent else one.met,
        byes=one.byes + (not opponent),
        floated_down=opponent is not None and one.battle_points > opponent.battle_points,
    )


def _points(one: Contender) -> tuple[int, int]:
    return one.battle_points, one.fleet_points
