"""What a correction would change is worked out in memory: the same as if it had been done and rolled back."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.domain.points import Ending, Played, Side
from tests.support.large_nights import close_with_chance, make_large_night
from tests.support.nights import BY, make_night
from tests.support.tenth import everything_runs
from tourney.actions import entrants, penalties, reports, rounds, sign_off, simulation
from tourney.actions.corrections import (
    Correction,
    Doing,
    Lifting,
    Penalizing,
    Rearranging,
    do_if_still_as_shown,
    foreseen,
    foreseen_by_doing,
)
from tourney.actions.record import Actor, Refused
from tourney.models import Event
from tourney.queries.corrections import CorrectionEffect
from tourney.queries.repairs import BYE, Repair, RepairMode
from tourney.queries.results import ResultInput
from tourney.queries.shared import staff_state
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db

NIGHTS, EACH, LARGE = 50, 40, 10
"""With every correction 2,000 of them, and 30 of larger nights by each way."""


@pytest.mark.many
@pytest.mark.parametrize("seed", range(NIGHTS))
def test_what_is_worked_out_is_what_happens(seed: int):
    """Of the event as it is loaded, and of the one that all pages of the desk share, which many try things on."""
    random = Random(seed)
    event = Event.objects.with_context().get(pk=random_night(random).pk)
    for _ in range(EACH if everything_runs() else EACH // 4):
        state = state_of(event)
        doing, repair = random_correction(state, random), random_repair(state, random)
        told = answer(foreseen_by_doing, event, doing, repair)
        assert answer(foreseen, state_of(event), doing, repair) == told, (doing, repair)
        assert answer(foreseen, staff_state(event).unshared(), doing, repair) == told, (doing, repair)


@pytest.mark.many
@pytest.mark.parametrize("seed", range(LARGE))
def test_in_a_larger_night_too_each_way_at_once(seed: int):
    random = Random(seed)
    night = make_large_night(players=random.randint(24, 60), rounds=random.randint(2, 4), seed=seed)
    simulation.draw(night.event, random=random, by=BY)
    furnish(night.event, random)
    event = Event.objects.with_context().get(pk=night.event.pk)
    for _ in range(3):
        doing, state = random_correction(state_of(event), random), staff_state(event).unshared()
        for way in (RepairMode.LEAVE, RepairMode.FEWEST, RepairMode.ALL):
            told = answer(foreseen_by_doing, event, doing, Repair(way))
            assert answer(foreseen, state, doing, Repair(way)) == told, (doing, way)


def test_what_was_tried_on_the_event_that_all_share_is_gone_afterwards():
    night = make_large_night(players=12, rounds=2)
    simulation.draw(night.event, random=Random(1), by=BY)
    event = Event.objects.with_context().get(pk=night.event.pk)
    shared, match = staff_state(event), state_of(event).rounds[1].tables[0]
    left = [0 if side == match.score.winner else 5 for side in range(2)]
    played = Played(Ending.ELIMINATION, (Side(left[0]), Side(left[1])), out=match.score.winner)
    doing = Correction(2, match.table, ResultInput(played), match.version, "the slip was misread")

    effect = foreseen(shared.unshared(), doing, Repair(RepairMode.ALL), by=BY)

    assert effect.scores
    assert effect.moved
    assert shared is staff_state(event)
    assert shared.standings(2) == state_of(event).standings(2)
    assert shared.rounds[1].tables[0].row.result == match.result
    assert shared.memoized(("done", doing), lambda: "nothing") == "nothing"


@pytest.mark.parametrize(("way", "loads"), [(RepairMode.LEAVE, 1), (RepairMode.ALL, 2)])
def test_what_the_desk_saw_is_not_loaded_again_when_it_is_confirmed_and_stays_as_it_was(way, loads):
    night = make_large_night(players=12, rounds=2)
    simulation.draw(night.event, random=Random(1), by=BY)
    event = Event.objects.with_context().get(pk=night.event.pk)
    shared, match = staff_state(event), state_of(event).rounds[1].tables[0]
    before = shared.standings(2)
    left = [0 if side == match.score.winner else 5 for side in range(2)]
    played = Played(Ending.ELIMINATION, (Side(left[0]), Side(left[1])), out=match.score.winner)
    doing = Correction(2, match.table, ResultInput(played), match.version, "the slip was misread")
    effect = foreseen(shared.unshared(), doing, Repair(way), by=BY)

    with CaptureQueriesContext(connection) as queries:
        done = do_if_still_as_shown(event, doing, Repair(way), expected=effect.fingerprint, by=BY)

    assert done == effect
    assert sum("WITH event AS MATERIALIZED" in query["sql"] for query in queries) == loads
    assert (shared.standings(2), shared.rounds[1].tables[0].result) == (before, match.result)
    assert state_of(event).standings(2) != before


def answer(look: Callable[..., CorrectionEffect], *asked) -> CorrectionEffect | tuple[str, ...]:
    """The effect, or why it is refused."""
    try:
        return look(*asked, by=BY)
    except Refused as refused:
        return refused.reasons


def random_night(random: Random) -> Event:
    """Some closed rounds, between which some come late and some go; then none, a draft, or one in play that began."""
    players, closed = random.randint(4, 13), random.randint(1, 3)
    open_round = random.choice(["draft", "published", "published", "none", "none planned"])
    event = make_night(players=players).event
    furnish(event, random)
    planned = closed + (open_round != "none planned") * random.randint(1, 2)
    Event.objects.filter(pk=event.pk).update(rounds_planned=planned)
    by = BY
    for number in range(1, closed + 1):
        by = simulation.draw(event, random=random, by=by)
        close_with_chance(event, random, by=by)
        if number < closed:
            come_and_go(event, random, number, by=by)
    for _ in range(random.randint(0, 2)):
        number = random.choice(state_of(event).rounds).number
        who = random.choice([n for match in state_of(event).rounds[number - 1].matches for n in match.numbers])
        points = random.choice([-3, -10, -50])
        penalties.penalize(event, number, who, fleet_points=points, reason=f"late by {points}", by=BY)
    if open_round.startswith("none") or state_of(event).ties_to_roll(closed):
        return event
    rounds.pair_round(event, seed=random.randrange(2**31), by=by)
    if open_round == "draft":
        return event
    rounds.publish_round(event, closed + 1, by=by)
    begin(event, random)
    return event


def furnish(event: Event, random: Random) -> None:
    """Now and then the store has tables of its own, and some need one of them."""
    if random.random() < 0.6:
        return
    tables = [
        {
            "number": number,
            "name": "",
            "near_door": random.random() < 0.3,
            "quiet": random.random() < 0.3,
            "closed": random.random() < 0.1,
        }
        for number in range(1, event.entrants.count() // 2 + random.randint(0, 2))
    ]
    Event.objects.filter(pk=event.pk).update(tables=tables)
    for entrant in event.entrants.select_related("player"):
        if random.random() < 0.3:
            entrant.player.fixed_table = random.choice([None, random.randint(1, len(tables))])
            entrant.player.near_door, entrant.player.quiet = random.random() < 0.5, random.random() < 0.5
            entrant.player.save()


def come_and_go(event: Event, random: Random, number: int, *, by: Actor) -> None:
    if random.random() < 0.4:
        entrants.register(event, [(f"Ensign {number}", "")], by=by, checked_in=True)
    if random.random() < 0.3:
        entrants.drop(event, random.choice(state_of(event).present(number + 1)).number, by=by)


def begin(event: Event, random: Random) -> None:
    """Some tables of the round in play have begun, and somebody may be gone."""
    number = len(state_of(event).rounds)
    for match in state_of(event).rounds[-1].tables:
        begun = random.random()
        if begun < 0.15:
            reports.report(event, number, match.a.number, facts(random), by=BY)
        elif begun < 0.25:
            sign_off.sign(event, number, match.a.number, by=BY)
    if random.random() < 0.3:
        entrants.drop(event, random.choice(state_of(event).rounds[-1].tables).a.number, by=BY)


def facts(random: Random) -> Played:
    out, left = random.randrange(2), [random.choice([20, 40, 60]) for _ in range(2)]
    none_of = [0 if side == out else sp for side, sp in enumerate(left)]
    return random.choice(
        [
            Played(Ending.TIME, (Side(left[0]), Side(left[1]))),
            Played(Ending.ELIMINATION, (Side(none_of[0]), Side(none_of[1])), out=out),
        ]
    )


def random_correction(state: EventState, random: Random) -> Doing:
    """Of a closed round as a rule; now and then one that cannot be."""
    round = random.choice(state.rounds[: len(state.closed_rounds)] or state.rounds)
    reason = random.choice(["the slip was misread"] * 9 + [""])
    match random.choice(["result"] * 5 + ["penalty"] * 2 + ["lift", "rearrange"]):
        case "result":
            table = random.choice(round.tables)
            played = random.choice([*_rare(random), *[facts(random)] * 6, table.played])
            version = table.version if random.random() < 0.95 else table.version + 1
            players = random.choice([None, *[table.numbers] * 8, (1, 2)])
            number = table.table if random.random() < 0.98 else 99
            return Correction(
                round.number, number, ResultInput(played, ruling="a brawl"), version, reason, players=players
            )
        case "penalty":
            who = random.choice([*round.scores, *round.scores, 99])
            points = random.choice([(-1, 0), (0, -20), (0, 30), (-1, -1), (0, 0)])
            return Penalizing(round.number, who, *points, reason)
        case "lift":
            known = [penalty.row.pk for one in state.rounds for penalty in one.penalties]
            return Lifting(round.number, random.choice([*known, 0]), reason)
        case _:
            return Rearranging(state.rounds[-1].number, reason)


def _rare(random: Random) -> Iterator[Played]:
    out = random.randrange(2)
    yield Played(Ending.NO_SHOW, (Side(), Side()), out=out)
    yield Played(Ending.DOUBLE_LOSS, (Side(50), Side(50)))
    yield Played(Ending.CONCESSION, (Side(40), Side(40)), out=out)
    yield Played(Ending.TIME, (Side(30, adjustment=-10), Side(60)))
    yield Played(Ending.TIME, (Side(400), Side(60)))
    yield replace(facts(random), rolled=None)


def random_repair(state: EventState, random: Random) -> Repair:
    way = random.choice([*RepairMode, *[RepairMode.LEAVE] * 3])
    now = state.rounds[-1]
    begun = frozenset(random.sample([match.table or BYE for match in now.matches], random.choice([0, 0, 1])))
    return Repair(way, begun, tuple(random.sample(sorted(state.by_number), 2)) if way is RepairMode.HAND else ())
