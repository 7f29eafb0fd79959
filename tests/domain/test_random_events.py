"""Whole random events by the rules alone, no database: what must hold after every round (rules 2, 3, 5)."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.points import Ending, Played, Score, ScoredTable, score_match, score_round
from scoring.domain.roll_offs import DiceRoll, RollOffRolls, battle_stations, roll_faces, still_tied
from scoring.domain.standings import Participant, standings, ties
from scoring.shipped import shipped_pack
from tourney.actions.simulation import make_up
from tourney.domain.swiss import Contender, Pairing, pair

RULES = {
    slug: shipped_pack(slug).with_choices(sp_limit=limit)
    for slug, limit in (("dominion-war-6", 100), ("temporal-cold-war-2", 120), ("tournament-2016", 130))
}


@dataclass(frozen=True)
class Seats:
    """One with a bye, or two and what happened between them."""

    entrants: tuple[int, ...]
    played: Played | None = None


@dataclass
class Evening:
    """A random event as it goes: who is there, what was drawn, what was scored."""

    there: set[int]
    everybody: dict[int, Participant]
    pairings: list[Pairing] = field(default_factory=list)
    tables: list[list[Seats]] = field(default_factory=list)
    scores: list[dict[int, Score]] = field(default_factory=list)
    smallest: int = 0


def result(rules, random: Random) -> Played:
    """A result the rules accept; where the table is tied, somebody has won the roll-off."""
    played = make_up(rules, random)
    if score_match(rules, played).needs_roll_off:
        return replace(played, rolled=random.randrange(2))
    return played


def rolled(rules, event: Evening, number: int, seed: int) -> tuple[RollOffRolls, ...]:
    """Every tie of the round, rolled by the recipe until nobody is tied."""
    found = []
    for group in ties(rules, tuple(event.everybody.values()), event.scores):
        rolls: tuple[DiceRoll, ...] = ()
        while still_open := still_tied(group, rolls):
            who = sorted(player for level in still_open for player in level)
            counts = {p: battle_stations(roll_faces(f"{seed}-{group[0]}", len(rolls) + 1, p)) for p in who}
            rolls += (DiceRoll(tuple(sorted(counts.items()))),)
        found.append(RollOffRolls(round=number, group=group, rolls=rolls))
    return tuple(found)


def contenders(event: Evening, table) -> list[Contender]:
    rank = {line.id: line for line in table}
    met = {player: [] for player in event.everybody}
    byes = dict.fromkeys(event.everybody, 0)
    for tables in event.tables:
        for seats in tables:
            if len(seats.entrants) == 1:
                byes[seats.entrants[0]] += 1
            elif seats.played.ending is not Ending.NO_SHOW:
                first, second = seats.entrants
                met[first].append(second)
                met[second].append(first)
    return [
        Contender(
            id=player,
            battle_points=rank[player].battle_points if player in rank else 0,
            fleet_points=rank[player].fleet_points if player in rank else 0,
            place=rank[player].rank if player in rank else len(rank) + 1,
            met=tuple(met[player]),
            byes=byes[player],
        )
        for player in sorted(event.there)
    ]


def play(rules, players: int, rounds: int, random: Random) -> tuple[Evening, tuple]:
    event = Evening(set(range(1, players + 1)), {n: Participant(n) for n in range(1, players + 1)})
    event.smallest = players
    table = ()
    for number in range(1, rounds + 1):
        if number > 1:
            come_and_go(event, number, random)
        event.smallest = min(event.smallest, len(event.there))
        field_ = contenders(event, table)
        pairing = pair(field_, seed=number, rounds_left=rounds - number, first_round=number == 1)
        tables = [Seats((seating.a, seating.b), result(rules, random)) for seating in pairing.tables]
        tables += [Seats((pairing.bye,))] if pairing.bye is not None else []
        event.pairings.append(pairing)
        event.tables.append(tables)
        event.scores.append(score_round(rules, [scored(rules, seats) for seats in tables]))
        everybody = tuple(event.everybody.values())
        table = standings(rules, everybody, event.scores, rolled(rules, event, number, random.getrandbits(32)))
    return event, table


def scored(rules, seats: Seats) -> ScoredTable:
    return ScoredTable(seats.entrants, seats.played and score_match(rules, seats.played))


def come_and_go(event: Evening, number: int, random: Random) -> None:
    if random.random() < 0.4:
        new = max(event.everybody) + 1
        event.everybody[new] = Participant(new, first_round=number)
        event.there.add(new)
    if random.random() < 0.3 and len(event.there) > 3:
        gone = random.choice(sorted(event.there))
        event.there.remove(gone)
        event.everybody[gone] = Participant(gone, first_round=event.everybody[gone].first_round, dropped_from=number)


@given(
    slug=st.sampled_from(sorted(RULES)),
    players=st.integers(3, 20),
    rounds=st.integers(1, 5),
    seed=st.integers(0, 2**32),
)
def test_a_random_event_keeps_the_rules(slug, players, rounds, seed):
    rules = RULES[slug]
    event, table = play(rules, players, rounds, Random(seed))

    for tables, scores in zip(event.tables, event.scores, strict=True):
        seats = [player for seated in tables for player in seated.entrants]
        assert len(seats) == len(set(seats)), "nobody plays twice in a round"
        for seated in tables:
            assert battle_points(rules, seated) == sum(scores[player].battle_points for player in seated.entrants)
        waiting = [s for s in scores.values() if s.outcome in ("bye", "no-show win")]
        played = [s.fleet_points for s in scores.values() if s.outcome in ("win", "loss")]
        mean = ceil(Fraction(sum(played), len(played))) if played else 0
        expected = mean if rules.bye_fleet_points is None else rules.bye_fleet_points
        assert [s.fleet_points for s in waiting] == [expected] * len(waiting), "rule 2.10"

    assert sorted(line.rank for line in table) == list(range(1, len(event.everybody) + 1)), "a total order"
    for line in table:
        own = [scores[line.id] for scores in event.scores if line.id in scores]
        assert line.battle_points == sum(score.battle_points for score in own)
        assert line.fleet_points == sum(score.fleet_points for score in own)

    if event.smallest + event.smallest % 2 >= 2 * rounds:
        meetings = [frozenset(t.entrants) for tables in event.tables for t in tables if real(t)]
        assert len(meetings) == len(set(meetings)), "no rematch within the bound of rule 3.4"
        byes = [t.entrants[0] for tables in event.tables for t in tables if len(t.entrants) == 1]
        assert len(byes) == len(set(byes)), "no second bye within the bound of rule 3.4"


def real(table: Seats) -> bool:
    return len(table.entrants) == 2 and table.played.ending is not Ending.NO_SHOW


def battle_points(rules, table: Seats) -> int:
    """What rule 2.1 gives to a whole table."""
    if len(table.entrants) == 1:
        return rules.bye
    if table.played.ending is Ending.DOUBLE_LOSS:
        return 2 * rules.loss
    if table.played.ending is Ending.NO_SHOW:
        return rules.bye + rules.no_show
    return rules.win + rules.loss
