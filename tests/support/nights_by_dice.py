"""Whole events played by dice, and after every pairing a second opinion on all that rule 3 says of it.

play_night(123)      # the same night every time; raises AssertionError with the seed in front

A night has 2 to 64 players and 3 to 6 rounds; players leave, come late, come back and do not turn up, results of
earlier rounds are corrected, households come together, and some stores want no second bye. What the rules would not
have is found without the engine (tests/support/second_opinion.py, tests/support/true_reasons.py).
"""

from dataclasses import dataclass, field
from random import Random

from tests.support.second_opinion import Told, what_is_wrong
from tests.support.true_reasons import what_is_untrue
from tourney.domain.swiss import Contender, Options, Pairing, pair

WIN, LOSS, NO_SHOW = 2, 1, 0
STYLES = ("neighbours", "neighbours", "halves", "random")
FACTIONS = ("Federation", "Klingon", "Romulan", "Dominion")


@dataclass
class Player:
    """What somebody has behind them; `scores` has Battle and Fleet Points for each round played."""

    id: int
    faction: str
    group: str
    here: bool = True
    scores: dict[int, tuple[int, int]] = field(default_factory=dict)
    met: list[int] = field(default_factory=list)
    byes: int = 0
    floated_down: bool = False

    @property
    def points(self) -> tuple[int, int]:
        return sum(points for points, _ in self.scores.values()), sum(points for _, points in self.scores.values())


def play_night(seed: int) -> None:
    """Play the night of that seed. Raises AssertionError when a pairing is not what the rules ask for."""
    dice = Random(seed)
    size = dice.choice((dice.randint(2, 12), dice.randint(2, 24), dice.randint(2, 64)))
    rounds = dice.randint(3, 6)
    options = Options(dice.choice(STYLES), keep_factions_apart=dice.random() < 0.5, no_second_bye=dice.random() < 0.1)
    players = {id: _newcomer(id, dice) for id in range(1, size + 1)}
    for number in range(1, rounds + 1):
        there = [one for one in players.values() if one.here]
        contenders = _contenders(players, there, dice)
        asked = {"seed": dice.randrange(2**31), "rounds_left": rounds - number, "first_round": number == 1}
        where = f"seed {seed}, round {number} of {rounds}, {len(there)} players, {options}: "
        pairing = pair(dice.sample(contenders, len(contenders)), options=options, **asked)
        assert pair(contenders, options=options, **asked) == pairing, f"{where}the order of the input matters"
        told = Told(contenders, pairing, options, number, rounds)
        if wrong := what_is_wrong(told) or what_is_untrue(told):
            raise AssertionError(f"{where}{wrong}")
        _play(players, pairing, number, dice)
        _between_rounds(players, number, dice)


def _newcomer(id: int, dice: Random) -> Player:
    return Player(id, faction=dice.choice(FACTIONS), group=dice.choice(("", "", "", "", "", "car", "family")))


def _contenders(players: dict[int, Player], there: list[Player], dice: Random) -> list[Contender]:
    """Who is there, as the standings have them; now and then those level on all points share a place."""
    rolled = {one.id: dice.random() if dice.random() < 0.9 else 0 for one in players.values()}
    standings = {one.id: (-one.points[0], -one.points[1], rolled[one.id]) for one in players.values()}
    return [
        Contender(
            id=one.id,
            battle_points=one.points[0],
            fleet_points=one.points[1],
            place=1 + sum(other < standings[one.id] for other in standings.values()),
            met=tuple(one.met),
            byes=one.byes,
            floated_down=one.floated_down,
            faction=one.faction,
            group=one.group,
        )
        for one in there
    ]


def _play(players: dict[int, Player], pairing: Pairing, number: int, dice: Random) -> None:
    """Wins, losses and no-shows; a no-show is neither a meeting nor a bye (rule 3.6)."""
    before = {id: one.points[0] for id, one in players.items()}
    for one in players.values():
        one.floated_down = False
    for table in pairing.tables:
        players[table.a].floated_down = before[table.a] > before[table.b]
        winner, loser = (players[id] for id in dice.sample((table.a, table.b), 2))
        if dice.random() < 0.04:
            winner.scores[number], loser.scores[number] = (WIN, 60), (NO_SHOW, 0)
            continue
        winner.scores[number] = WIN, dice.randrange(40, 140, 10)
        loser.scores[number] = LOSS, dice.randrange(0, 100, 10)
        winner.met.append(loser.id)
        loser.met.append(winner.id)
    if pairing.bye:
        players[pairing.bye].scores[number] = WIN, 60
        players[pairing.bye].byes += 1


def _between_rounds(players: dict[int, Player], number: int, dice: Random) -> None:
    """Some leave, some come back, some are new, and now and then a result was the other way round."""
    for one in players.values():
        one.here = dice.random() > 0.06 if one.here else dice.random() < 0.3
    for _ in range(dice.choice((0, 0, 0, 1, 2))):
        id = len(players) + 1
        players[id] = _newcomer(id, dice)
    while sum(one.here for one in players.values()) < 2:
        dice.choice(list(players.values())).here = True
    if dice.random() < 0.3:
        _correct(players, dice.randint(1, number), dice)


def _correct(players: dict[int, Player], number: int, dice: Random) -> None:
    played = [one for one in players.values() if number in one.scores]
    one, other = dice.sample(played, 2)
    one.scores[number], other.scores[number] = other.scores[number], one.scores[number]
