from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.copied import copied
from tests.support.nights import AT, BY, make_night
from tests.support.refusing import refused
from tourney.actions import by_hand, entrants, events, results, rounds, simulation
from tourney.actions.record import Refused
from tourney.models import Event, JournalEntry, Round, Seat
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def seating(event: Event, number: int = 1) -> list[tuple[int, ...]]:
    """Entrant numbers by table, the bye last."""
    return [match.numbers for match in state_of(event).round(number).matches]


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


@copied
def drafted(players: int = 5, rounds_before: int = 0, seed: int = 7) -> Event:
    event = make_night(players=players, rounds=rounds_before).event
    rounds.pair_round(event, seed=seed, by=BY)
    return event


def at(**later) -> object:
    """The stamp of a test, so much later."""
    return replace(BY, at=AT + timedelta(**later))


# pair (rule 3)


def test_a_draft_seats_everybody_once_and_keeps_its_seed():
    event = drafted(players=7, seed=42)

    round = state_of(event).round(1)
    assert (round.state, round.row.seed) == ("draft", 42)
    assert [match.table for match in round.matches] == [1, 2, 3, None]
    assert sorted(number for match in round.matches for number in match.numbers) == [1, 2, 3, 4, 5, 6, 7]


def test_the_journal_of_a_draft_says_what_was_drawn():
    event = drafted(players=5, seed=42)

    *tables, (bye,) = seating(event)
    assert last_entry(event).what == "Round 1 drafted. Seed: 42."
    assert last_entry(event).after == {
        "round": 1,
        "seed": 42,
        "tables": [list(numbers) for numbers in tables],
        "bye": bye,
    }


def test_the_same_seed_gives_the_same_draft():
    event = drafted(players=9, seed=3)
    first = seating(event)
    rounds.discard_draft(event, 1, by=BY)

    rounds.pair_round(event, seed=3, by=BY)

    assert seating(event) == first


def test_only_who_is_here_is_paired():
    event = make_night(players=4).event
    entrants.register(event, [("Zephyr", ""), ("Umbra", "")], by=BY)
    entrants.drop(event, 1, by=BY)

    rounds.pair_round(event, seed=1, by=BY)

    assert sorted(number for numbers in seating(event) for number in numbers) == [2, 3, 4]


@pytest.mark.parametrize(
    ("night", "number", "message"),
    [
        ({"players": 0}, 1, "No one is checked in. A round needs at least two players."),
        ({"players": 1}, 1, "Only one player is checked in. A round needs at least two."),
        ({"players": 4}, 2, "Pair round 1 before round 2."),
        ({"players": 4, "open_round": True}, 1, "Round 1 is already paired."),
        ({"players": 4, "open_round": True}, 2, "Round 1 is still being played. Close it first."),
        ({"players": 4, "rounds": 3}, 4, "Round 3 was the last planned round."),
        ({"players": 4, "rounds": 1, "finish": True}, 2, "The event is finished. Reopen it first."),
    ],
    ids=["nobody", "one", "too early", "twice", "in play", "all played", "finished"],
)
def test_a_round_is_not_paired_before_its_time(night, number, message):
    event = make_night(**night).event
    before = Round.objects.count()

    with refused(message):
        rounds.pair_round(event, seed=1, number=number, by=BY)

    assert Round.objects.count() == before


def test_there_is_one_draft_at_a_time():
    event = drafted()

    with refused("Round 1 is already drafted. Publish it or discard the draft."):
        rounds.pair_round(event, seed=1, by=BY)


# discard


def test_a_draft_discarded_leaves_nothing_but_its_entry():
    event = drafted(players=5, seed=42)
    sat = [list(numbers) for numbers in seating(event)]

    rounds.discard_draft(event, 1, by=BY)

    assert (Round.objects.count(), Seat.objects.count()) == (0, 0)
    assert last_entry(event).what == "Draft of round 1 discarded."
    assert last_entry(event).before == {"round": 1, "seed": 42, "matches": sat}


def test_a_published_round_is_not_discarded():
    event = make_night(players=4, open_round=True).event

    with refused("Round 1 is already published."):
        rounds.discard_draft(event, 1, by=BY)

    assert state_of(event).round(1).state == "published"


def test_a_draft_that_is_gone_cannot_be_discarded_published_or_changed():
    event = make_night(players=4).event
    gone = "There is no draft of round 1 any more."

    for act in (
        lambda: rounds.discard_draft(event, 1, by=BY),
        lambda: rounds.publish_round(event, 1, by=BY),
        lambda: by_hand.place(event, 1, 1, 2, reason="why not", by=BY),
    ):
        with refused(gone):
            act()


# by hand (rule 3.9)


def test_two_players_change_places_and_both_tables_are_marked():
    event = drafted(players=6)
    (a, b), (c, d), rest = seating(event)

    by_hand.place(event, 1, a, d, reason="one car", by=BY)

    round = state_of(event).round(1)
    assert [match.numbers for match in round.matches] == [(d, b), (c, a), rest]
    assert [match.row.manual_reason for match in round.matches] == ["one car", "one car", ""]
    assert str(round.matches[0].why) == "Paired by hand: one car (rule 3.9)."


def test_a_swap_stands_in_the_journal_with_its_reason():
    event = drafted(players=6)
    (a, b), (c, d), _ = seating(event)

    by_hand.place(event, 1, a, d, reason="one car", by=BY)

    entry, names = last_entry(event), state_of(event).names
    assert entry.what == f"Round 1, by hand: {names[a]} and {names[d]} swapped seats."
    assert (entry.before, entry.after, entry.reason) == (
        {"round": 1, "matches": [[a, b], [c, d]]},
        {"round": 1, "matches": [[d, b], [c, a]]},
        "one car",
    )


def test_the_bye_can_be_given_to_somebody_else_by_hand():
    event = drafted(players=5)
    (a, b), _, (bye,) = seating(event)

    by_hand.place(event, 1, bye, a, reason="arrives late", by=BY)

    assert seating(event)[0] == (bye, b)
    assert seating(event)[2] == (a,)


@pytest.mark.parametrize(
    ("places", "reason", "message"),
    [
        ((0, 2), "", "Give a reason for changing this draft by hand"),
        ((0, 0), "why", "Choose two different players in this draft."),
        ((0, 1), "why", "These two already play each other"),
        ((0, 99), "why", "Choose two different players in this draft."),
    ],
    ids=["no reason", "the same player", "the same table", "nobody"],
)
def test_a_swap_that_makes_no_sense_is_refused(places, reason, message):
    event = drafted(players=6)
    before = seating(event)
    seats = [number for numbers in before for number in numbers]
    first, second = (seats[place] if place < len(seats) else place for place in places)

    with pytest.raises(Refused, match=message):
        by_hand.place(event, 1, first, second, reason=reason, by=BY)

    assert seating(event) == before


def test_a_published_round_is_not_changed_by_hand():
    event = make_night(players=6, open_round=True).event
    (a, _), (_, d), _ = seating(event)

    with pytest.raises(Refused, match="Round 1 is already published"):
        by_hand.place(event, 1, a, d, reason="one car", by=BY)


# publish


def test_a_round_is_published_once_and_the_journal_says_who_sits_where():
    event = drafted(players=5)
    sat = [list(numbers) for numbers in seating(event)]

    rounds.publish_round(event, 1, by=BY)
    with refused("Round 1 is already published."):
        rounds.publish_round(event, 1, by=BY)

    round = state_of(event).round(1)
    assert (round.state, round.row.published_at) == ("published", AT)
    assert (last_entry(event).what, last_entry(event).after) == (
        "Round 1 published.",
        {"round": 1, "matches": sat},
    )


def test_what_could_not_be_kept_is_published_with_the_round():
    """Rule 3.7: two players meet again because there is nobody else."""
    event = drafted(players=2, rounds_before=1)

    rounds.publish_round(event, 2, by=BY)

    assert last_entry(event).what.startswith("Round 2 published. ")
    assert "have already met once" in last_entry(event).what


def test_what_a_swap_undid_is_no_longer_said():
    event = make_night(players=4, rounds=3).event
    more = {name: getattr(event, name) for name in events.Settings.__slots__} | {"rounds_planned": 4}
    events.change_event(event, events.Settings(**more), by=BY)
    rounds.pair_round(event, seed=1, by=BY)
    state = state_of(event)
    said = rounds.relaxed_sentences(state, state.round(4))
    (a, _), (c, _) = seating(event, 4)

    by_hand.place(event, 4, a, c, reason="the other way round", by=BY)

    state = state_of(event)
    assert len(said) == 2
    assert rounds.relaxed_sentences(state, state.round(4)) == []


# close (rules 2.10, 4)


def test_a_round_closes_when_everything_is_in_and_its_scores_are_in_the_journal():
    event = make_night(players=5, open_round=True, tables=2).event
    ready(event)

    rounds.close_round(event, 1, by=BY)

    round = state_of(event).round(1)
    scores = [[number, s.battle_points, s.fleet_points] for number, s in sorted(round.scores.items())]
    assert (round.state, round.row.closed_at, round.row.ends_at) == ("closed", AT, None)
    assert last_entry(event).after == {"round": 1, "scores": scores}
    assert len(scores) == 5


def test_everything_that_is_missing_is_named_at_once():
    event = make_night(players=6, open_round=True).event
    level = results.ResultInput(Played(Ending.TIME, (Side(50), Side(50))))
    results.report_result(event, 1, 2, level, version=0, by=BY)

    with refused(
        "Table 1 has no result yet.",
        "Table 3 has no result yet.",
        "Table 2 is tied. Roll off at the table.",
    ):
        rounds.close_round(event, 1, by=BY)


@pytest.mark.parametrize(
    ("number", "message"),
    [(1, "Round 1 is already closed."), (2, "Round 2 isn’t being played.")],
    ids=["closed", "only a draft"],
)
def test_only_a_round_in_play_is_closed(number, message):
    event = make_night(players=4, rounds=1).event
    if number == 2:
        rounds.pair_round(event, seed=1, by=BY)

    with refused(message):
        rounds.close_round(event, number, by=BY)


def ready(event: Event) -> None:
    simulation.roll_off_tables(event, random=Random(1), by=BY)
    simulation.roll_off_standings(event, random=Random(1), by=BY)


# the clock (rule 1.1)


def clock(event: Event) -> tuple[object, int | None]:
    """When it ends, and the seconds left while it stands."""
    return Round.objects.values_list("ends_at", "paused_seconds_left").get(event=event)


def published() -> Event:
    event = drafted(players=4)
    rounds.publish_round(event, 1, by=BY)
    return event


def test_a_started_clock_ends_after_the_minutes_of_the_event():
    event = published()

    rounds.start_clock(event, 1, by=BY)

    assert clock(event) == (AT + timedelta(minutes=60), None)


def test_a_paused_clock_keeps_its_seconds_and_runs_on_from_there():
    event = published()
    rounds.start_clock(event, 1, by=BY)

    rounds.pause_clock(event, 1, by=at(minutes=20, seconds=30))
    paused = clock(event)
    rounds.start_clock(event, 1, by=at(minutes=30))

    assert paused == (None, 39 * 60 + 30)
    assert clock(event) == (AT + timedelta(minutes=69, seconds=30), None)


def test_a_clock_paused_after_its_end_has_no_seconds_left():
    event = published()
    rounds.start_clock(event, 1, by=BY)

    rounds.pause_clock(event, 1, by=at(minutes=70))

    assert clock(event) == (None, 0)


def test_a_clock_starts_once_and_stops_once():
    event = published()
    rounds.start_clock(event, 1, by=BY)

    with refused("The round 1 clock is already running."):
        rounds.start_clock(event, 1, by=BY)
    rounds.pause_clock(event, 1, by=BY)
    with refused("The round 1 clock isn’t running."):
        rounds.pause_clock(event, 1, by=BY)


@pytest.mark.parametrize(
    ("minutes", "elapsed", "ends"),
    [(5, 10, 65), (-1, 10, 59), (5, 70, 75), (-1, 70, 59)],
    ids=["more", "fewer", "more after time was called", "fewer after time was called"],
)
def test_a_running_clock_gets_more_or_fewer_minutes(minutes, elapsed, ends):
    event = published()
    rounds.start_clock(event, 1, by=BY)

    rounds.extend_clock(event, 1, minutes, by=at(minutes=elapsed))

    assert clock(event) == (AT + timedelta(minutes=ends), None)


@pytest.mark.parametrize(("minutes", "left"), [(5, 65 * 60), (-70, 0)], ids=["more", "never below zero"])
def test_a_clock_that_stands_gets_its_minutes_too(minutes, left):
    event = published()

    rounds.extend_clock(event, 1, minutes, by=BY)

    assert clock(event) == (None, left)


@pytest.mark.parametrize(
    ("minutes", "what"),
    [
        (5, "Round 1 clock: 5 minutes added."),
        (1, "Round 1 clock: 1 minute added."),
        (-1, "Round 1 clock: 1 minute taken off."),
    ],
)
def test_the_journal_says_how_the_clock_was_changed_and_why(minutes, what):
    event = published()

    rounds.extend_clock(event, 1, minutes, by=BY, reason="fire drill")

    entry = last_entry(event)
    assert (entry.what, entry.reason) == (what, "fire drill")
    assert entry.after == {"round": 1, "ends_at": None, "paused_left": (60 + minutes) * 60}


def test_no_minutes_change_nothing():
    event = published()

    with refused("0 minutes changes nothing. Enter how many minutes to add or take off."):
        rounds.extend_clock(event, 1, 0, by=BY)


@pytest.mark.parametrize(
    "act",
    [
        lambda event: rounds.start_clock(event, 1, by=BY),
        lambda event: rounds.pause_clock(event, 1, by=BY),
        lambda event: rounds.extend_clock(event, 1, 5, by=BY),
    ],
    ids=["start", "pause", "extend"],
)
@pytest.mark.parametrize("closed", [False, True], ids=["draft", "closed"])
def test_only_a_round_in_play_has_a_clock(act, closed):
    event = make_night(players=4, rounds=1).event if closed else drafted(players=4)

    with refused("Round 1 isn’t in play, so its clock can’t be changed."):
        act(event)
