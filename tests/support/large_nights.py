"""Nights too large to be played result by result: the facts of each round are stored all together.

night = make_large_night(players=1000, rounds=3, drop_outs=50)
"""

from random import Random

from scoring.domain.points import Played
from scoring.domain.roll_offs import DiceRoll as DiceRoll
from scoring.domain.roll_offs import still_tied
from tests.support.nights import BY, Night, make_night
from tests.support.software_rolls import software_roll
from tourney.actions import rounds as actions
from tourney.actions import simulation
from tourney.actions.record import Actor
from tourney.models import Event, Match, Result, Roll, RollOff, Round
from tourney.queries.state import state_of


def make_large_night(*, players: int, rounds: int, drop_outs: int = 0, seed: int = 1) -> Night:
    """A night with so many closed rounds and one more planned; so many have left since."""
    night, random = make_night(players=players), Random(seed)
    Event.objects.filter(pk=night.event.pk).update(rounds_planned=rounds + 1)
    night.event.refresh_from_db()
    by = simulation.later(BY, minutes=15)
    for _ in range(rounds):
        by = simulation.draw(night.event, random=random, by=by)
        close_with_chance(night.event, random, by=by)
    leaving = random.sample(sorted(night.event.entrants.values_list("number", flat=True)), drop_outs)
    night.event.entrants.filter(number__in=leaving).update(dropped_from=rounds + 1)
    night.event.refresh_from_db()
    return night


def close_with_chance(event: Event, random: Random, *, by: Actor) -> None:
    """Enter results for the round in play, roll off every tie, and close it."""
    _enter_results(event, random, by)
    _roll_off(event, RollOff.Kind.TABLE)
    _roll_off(event, RollOff.Kind.STANDING)
    actions.close_round(event, state_of(event).rounds[-1].number, by=by)


def _enter_results(event: Event, random: Random, by: Actor) -> None:
    matches = [match.row for match in state_of(event).last_round.missing]
    Result.objects.bulk_create(_row(match, simulation.make_up(event.rules, random), by) for match in matches)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(result_save_count=1)


def _row(match: Match, played: Played, by: Actor) -> Result:
    a, b = played.sides
    return Result(
        match=match,
        version=1,
        ending=played.ending,
        out="" if played.out is None else "ab"[played.out],
        sp_left_a=a.sp_left,
        sp_left_b=b.sp_left,
        tallies_a=dict(a.tallies),
        tallies_b=dict(b.tallies),
        entered_by=by.name,
        entered_at=by.at,
    )


def _roll_off(event: Event, kind: str) -> None:
    """Every tie of that kind that the last round waits for, rolled until nobody is tied."""
    state = state_of(event)
    round = state.last_round
    levels = [tuple(sorted(match.numbers)) for match in round.tied]
    groups = levels if kind == RollOff.Kind.TABLE else state.ties_to_roll(round.number)
    rows = RollOff.objects.bulk_create(RollOff(round=round.row, kind=kind, group=sorted(group)) for group in groups)
    Roll.objects.bulk_create(roll for row in rows for roll in _rolls_of(row, round.row))


def _rolls_of(row: RollOff, round: Round) -> list[Roll]:
    rolls: list[DiceRoll] = []
    while still_open := still_tied(row.group, rolls):
        who = [number for level in still_open for number in level]
        rolls.append(software_roll(str(round.seed), len(rolls) + 1, who))
    return [
        Roll(roll_off=row, number=number, counts={str(id): count for id, count in roll.counts})
        for number, roll in enumerate(rolls, start=1)
    ]
