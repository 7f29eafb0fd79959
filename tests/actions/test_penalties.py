"""Penalties beside results: what they change, what they outlast, when they are refused (rule 2.12)."""

import pytest

from tests.support.nights import AT, BY, Night, make_night
from tests.support.refusing import refused
from tests.support.tables import eliminated, enter, on_time
from tourney.actions import history, penalties
from tourney.actions.record import Actor, Stale
from tourney.models import Event, JournalEntry, Penalty
from tourney.queries.history import differences, history_of, stored_rows
from tourney.queries.rulings import rulings_about, rulings_in
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

QUILL = Actor(user=None, name="Quill", at=AT)


def penalize(event: Event, entrant: int, fleet_points: int = -10, *, number: int = 1, by=BY, **more) -> None:
    more = {"reason": "late"} | more
    penalties.penalize(event, number, entrant, fleet_points=fleet_points, by=by, **more)


def points_in(event: Event, number: int = 1) -> dict[int, tuple[int, int | None]]:
    scores = state_of(event).round(number).scores
    return {entrant: (score.battle_points, score.fleet_points) for entrant, score in sorted(scores.items())}


@pytest.fixture
def night() -> Night:
    """Five players in round 1: 100 to 40 at table 1, 70 to 50 at table 2, and one has a bye."""
    night = make_night(players=5, open_round=True)
    enter(night.event, 1, eliminated(left=60))
    enter(night.event, 2, on_time(50, 30))
    return night


def seated(event: Event) -> tuple[int, ...]:
    """The entrants of table 1, table 2, and of the bye."""
    return tuple(number for match in state_of(event).round(1).matches for number in match.numbers)


def test_a_penalty_counts_at_once_and_in_the_mean_of_the_bye(night):
    winner, loser, third, fourth, bye = seated(night.event)

    penalize(night.event, winner)
    penalize(night.event, loser, 0, battle_points=-1, reason="rude")

    table = {line.id: (line.battle_points, line.fleet_points) for line in state_of(night.event).standings(1)}
    assert points_in(night.event) == table
    assert table == {winner: (2, 90), loser: (0, 40), third: (1, 70), fourth: (2, 50), bye: (2, 63)} | {
        third: table[third],
        fourth: table[fourth],
    }


def test_a_penalty_outlasts_every_correction_of_the_result(night):
    winner, *_ = seated(night.event)
    penalize(night.event, winner)

    enter(night.event, 1, on_time(40, 90), version=1)

    assert points_in(night.event)[winner] == (1, 0)


def test_the_same_penalty_pressed_twice_is_given_once(night):
    """Known of such systems: repeated round on double press; here, the same points off twice."""
    winner, *_ = seated(night.event)

    for _ in range(2):
        penalize(night.event, winner, by=Actor(None, "Quill", AT, event_version=night.event.version))

    assert points_in(night.event)[winner] == (2, 90)
    assert JournalEntry.objects.filter(event=night.event, did="penalize").count() == 1


def test_another_penalty_for_the_same_player_meanwhile_is_told(night):
    winner, *_ = seated(night.event)
    night.event.refresh_from_db()
    seen = night.event.version
    penalize(night.event, winner, by=QUILL)

    with pytest.raises(Stale, match=r"Not saved\. Quill was faster: Round 1: .* gets −10 Fleet Points by a ruling"):
        penalize(night.event, winner, -20, reason="very late", by=Actor(None, "Vor", AT, event_version=seen))

    assert Penalty.objects.count() == 1


def test_a_penalty_is_lifted_once(night):
    winner, *_ = seated(night.event)
    before = points_in(night.event)
    penalize(night.event, winner)
    row = Penalty.objects.get()

    for _ in range(2):
        penalties.lift_penalty(night.event, row.pk, by=BY)

    assert points_in(night.event) == before
    assert JournalEntry.objects.filter(event=night.event, did="lift_penalty").count() == 1


@pytest.mark.parametrize("lifted", [False, True])
def test_a_penalty_and_lifting_it_are_one_step_each(night, lifted):
    winner, *_ = seated(night.event)
    there = [stored_rows(night.event)]
    penalize(night.event, winner)
    there.append(stored_rows(night.event))
    if lifted:
        penalties.lift_penalty(night.event, Penalty.objects.get().pk, by=BY)

    history.undo(night.event, history_of(night.event).last.pk, by=BY)

    assert stored_rows(night.event) == there[lifted]
    assert differences(night.event) == []


def test_what_cannot_be_a_penalty_is_refused(night):
    winner, *_ = seated(night.event)

    with refused("Give a reason for the ruling (rule 2.12)."):
        penalize(night.event, winner, reason="")
    with refused("0 points changes nothing. Enter how many points the player loses."):
        penalize(night.event, winner, 0)
    with refused("This player isn’t in that round."):
        penalize(night.event, 99)
    with refused("There’s no round 2."):
        penalize(night.event, winner, number=2)

    assert not Penalty.objects.exists()


def test_a_tie_that_a_penalty_makes_is_rolled_off(night):
    """Rule 4.3: the tie follows from the points, whatever they are made of."""
    winner, _, third, _, _ = seated(night.event)
    before = state_of(night.event).ties(1)

    penalize(night.event, winner, -30)

    assert (before, state_of(night.event).ties(1)) == ((), (tuple(sorted((winner, third))),))


def test_everybody_reads_who_what_and_by_which_rule(night):
    winner, *_ = seated(night.event)
    penalize(night.event, winner, reason="late.")
    penalize(night.event, winner, -1, battle_points=-1, reason="rude")

    state = state_of(night.event)
    name = state.names[winner]
    assert [(str(one.word), str(one.sentence)) for one in rulings_in(state.round(1))] == [
        ("Penalty", f"{name} gets −10 Fleet Points (rule 2.12). Reason: late."),
        ("Penalty", f"{name} gets −1 Battle Point and −1 Fleet Point (rule 2.12). Reason: rude."),
    ]
    assert list(rulings_about(state, 1)) == [winner]
