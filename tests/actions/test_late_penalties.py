"""Penalties of rounds that are over, given and taken back: their effect is seen first, in one step with its tables."""

import pytest

from tests.support.copied import copied
from tests.support.corrected import ALL, FEWEST, do, night_in_round, tables
from tests.support.months import two_months
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.saying import in_english
from tests.support.tables import enter, match_at, night_with_ties, on_time
from tests.support.undoing import undo
from tourney.actions import events, penalties, roll_offs, rounds, tokens
from tourney.actions.corrections import Lifting, Penalizing, do_if_still_as_shown, foreseen
from tourney.actions.record import Actor, Stale
from tourney.domain.progress import names_of
from tourney.models import Event, JournalEntry, Penalty
from tourney.queries.history import differences, history_of, stored_rows
from tourney.queries.repairs import AS_IT_IS
from tourney.queries.rulings import rulings_in
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

LATE = "late to the table"


def points_off(entrant: int, fleet_points: int = -60, *, battle_points: int = -1, number: int = 1) -> Penalizing:
    return Penalizing(number, entrant, battle_points, fleet_points, LATE)


def given(event: Event, *doing: Penalizing) -> Lifting:
    """The way to take the last of these back, once they are given."""
    for one in doing:
        do(event, one)
    return Lifting(doing[-1].number, Penalty.objects.latest("pk").pk, "it was somebody else")


# the effect


def test_2_12_the_effect_names_points_ranks_and_the_rounds_drawn_since():
    event = night_in_round(2, 5).event
    winner, loser = match_at(event, 1).numbers
    names = state_of(event).names

    effect = foreseen(state_of(event), points_off(winner), AS_IT_IS, by=BY)

    bye = state_of(event).round(1).bye.a
    assert [(one.name, one.before, one.after, one.is_mean) for one in effect.scores] == [
        (names[winner], (2, 74), (1, 14), False),
        (str(bye), (2, 55), (2, 40), True),
    ]
    lines = {one.name: one.line for block in effect.ranks for one in block}
    assert (lines[names[winner]].before.rank, lines[names[winner]].after.rank) == (1, 5)
    assert [(later.number, later.is_open, in_english(later.tables)) for later in effect.later] == [
        (2, True, ("table 1", "table 2", "the bye"))
    ]
    assert (effect.is_nothing, names[loser] in lines) == (False, True)


def test_looking_at_a_penalty_gives_none():
    event = night_in_round(2, 5).event
    before, entries = stored_rows(event), JournalEntry.objects.count()

    foreseen(state_of(event), points_off(match_at(event, 1).a.number), FEWEST, by=BY)

    assert (stored_rows(event), JournalEntry.objects.count()) == (before, entries)


def test_2_10_a_penalty_of_the_bye_is_not_called_the_mean_of_the_others():
    event = night_in_round(2, 5).event
    bye = state_of(event).round(1).bye.a

    effect = foreseen(state_of(event), points_off(bye.number, -7, battle_points=0), AS_IT_IS, by=BY)

    assert [(one.name, one.before, one.after, one.is_mean) for one in effect.scores] == [
        (str(bye), (2, 55), (2, 48), False)
    ]


def test_4_3_a_roll_off_whose_tie_goes_with_a_penalty_is_said_to_be_void():
    night, winners, losers = night_with_ties()
    event = night.event
    for group in (winners, losers):
        roll_offs.roll_by_software(event, 1, "standing", group, seed="1" * 16, by=BY)
    while rolls := state_of(event).rolls_to_do():
        roll_offs.roll_by_software(event, 1, *rolls[0], seed="2" * 16, by=BY)
    rounds.close_round(event, 1, by=BY)
    names = state_of(event).names

    effect = foreseen(state_of(event), points_off(winners[0]), AS_IT_IS, by=BY)
    lifting = given(event, points_off(winners[0]))
    back = foreseen(state_of(event), lifting, AS_IT_IS, by=BY)

    void, rest = (names_of([names[number] for number in group]) for group in (winners, winners[1:]))
    assert f"The roll-off of {void} after round 1 no longer counts: the tie is gone (rule 4.3)." in in_english(
        effect.rolls
    )
    assert f"{rest} are tied now and roll off (rule 4.1)." in in_english(effect.rolls)
    assert f"The roll-off of {void} after round 1 counts again (rule 4.3)." in in_english(back.rolls)


# saved in one step


@pytest.mark.many
@pytest.mark.parametrize("lifted", [False, True], ids=["given", "taken back"])
@pytest.mark.parametrize("repair", [AS_IT_IS, FEWEST, ALL], ids=["leave", "fewest", "all"])
def test_one_step_takes_the_penalty_and_its_tables_back(repair, lifted):
    event = night_in_round(2, 5).event
    winner = match_at(event, 1).a.number
    doing = given(event, points_off(winner)) if lifted else points_off(winner)
    if lifted:
        do(event, points_off(match_at(event, 2).a.number, -50, battle_points=-1))
    before, seats = stored_rows(event), tables(event)

    do(event, doing, repair)
    moved = tables(event) != seats
    did = undo(event)

    assert (stored_rows(event), tables(event), differences(event)) == (before, seats, [])
    assert (moved, did) == (repair is not AS_IT_IS, expected(repair is AS_IT_IS, lifted))


def expected(is_left: bool, lifted: bool) -> str:
    """What the journal calls it."""
    if lifted:
        return "lift_penalty" if is_left else "lift_and_repair"
    return "penalize" if is_left else "penalize_and_repair"


def test_the_reasons_of_giving_it_and_of_taking_it_back_are_both_kept():
    event = night_in_round(2, 5).event

    do(event, points_off(match_at(event, 1).a.number), FEWEST)
    do(event, Lifting(1, Penalty.objects.get().pk, "it was somebody else"), FEWEST)

    entries = JournalEntry.objects.filter(event=event).order_by("-pk")[:2]
    assert [(entry.did, entry.reason) for entry in entries] == [
        ("lift_and_repair", "it was somebody else"),
        ("penalize_and_repair", LATE),
    ]
    assert entries[0].before["reason"] == LATE
    assert entries[0].after["moved"] != entries[0].before["moved"]


def test_of_a_round_that_is_over_a_penalty_is_not_taken_back_without_a_reason():
    event = night_in_round(2, 5).event
    do(event, points_off(match_at(event, 1).a.number))

    with refused("Round 1 is closed. Give a reason for changing its points."):
        penalties.lift_penalty(event, Penalty.objects.get().pk, by=BY)

    assert Penalty.objects.count() == 1


def test_a_draft_is_paired_anew_with_the_penalty_or_left():
    """It was drawn from other points; nobody has to discard it first."""
    for repair in (AS_IT_IS, ALL):
        event = night_in_round(2, 5, publish=False).event
        before = tables(event)

        do(event, points_off(match_at(event, 1).a.number), repair)

        assert (tables(event) == before) == (repair is AS_IT_IS)
        assert state_of(event).last_round.state == "draft"


def test_a_table_that_has_begun_keeps_its_players_whoever_is_penalized():
    event = night_in_round(2, 8).event
    enter(event, 2, on_time(10, 20), number=2)
    before = tables(event)

    do(event, points_off(match_at(event, 1).a.number), ALL)

    assert (tables(event)[2], tables(event) == before) == (before[2], False)
    assert match_at(event, 2, 2).result.sp_left_a == 10


# two at once


def test_another_penalty_meanwhile_makes_what_was_seen_stale():
    event = night_in_round(2, 5).event
    first, second = (match_at(event, table).a.number for table in (1, 2))
    seen = foreseen(state_of(event), points_off(first), FEWEST, by=BY).fingerprint
    do(event, points_off(second, -5))
    now = stored_rows(event)

    with pytest.raises(Stale, match="the effect is no longer the one you saw"):
        do_if_still_as_shown(event, points_off(first), FEWEST, expected=seen, by=BY)

    assert stored_rows(event) == now


def test_a_penalty_meant_for_the_round_in_play_is_not_given_once_that_is_closed():
    """Its effect is to be seen first; who pressed on the page of before is told."""
    event = night_in_round(1, 4).event
    seen = Actor(None, "Vor", BY.at, event_version=Event.objects.get(pk=event.pk).version)
    for table in (1, 2):
        enter(event, table, on_time(60 + table, 20 + 5 * table))
    rounds.close_round(event, 1, by=BY)

    with pytest.raises(Stale, match=r"Not saved\. test was faster: Round 1 closed"):
        penalties.penalize(event, 1, 1, fleet_points=-10, reason=LATE, by=seen)

    assert not Penalty.objects.exists()


# finished events


@copied
def finished_night(players: int = 4) -> Event:
    event = night_in_round(1, players).event
    for table in range(1, players // 2 + 1):
        enter(event, table, on_time(60 + table, 20 + 5 * table))
    rounds.close_round(event, 1, by=BY)
    events.finish_event(event, by=BY, reason="the shop closes")
    return Event.objects.with_context().get(pk=event.pk)


def test_a_penalty_in_a_finished_event_makes_another_admiral_at_once_and_taking_it_back_the_first():
    event = finished_night()
    names, (first, second, *_) = state_of(event).names, (line.id for line in state_of(event).standings(1))
    before = stored_rows(event)

    effect = foreseen(state_of(event), points_off(first), AS_IT_IS, by=BY)
    lift = given(event, points_off(first))
    back = foreseen(state_of(event), lift, AS_IT_IS, by=BY)
    after = state_of(Event.objects.with_context().get(pk=event.pk))
    do(event, lift)

    assert f"{names[second]} is Admiral, no longer {names[first]}." in in_english(effect.ends)
    assert f"{names[first]} is Admiral, no longer {names[second]}." in in_english(back.ends)
    assert (after.is_finished, after.standings(1)[0].id) == (True, second)
    assert state_of(event).standings(1)[0].id == first
    for _ in range(2):
        undo(event)
    assert (stored_rows(event), differences(event)) == (before, [])


def test_a_finished_event_whose_ranks_are_tied_by_a_penalty_opens_again_and_one_step_back_finishes_it():
    event = finished_night()
    before, lines = stored_rows(event), state_of(event).standings(1)
    tied = points_off(lines[0].id, lines[1].fleet_points - lines[0].fleet_points, battle_points=0)

    effect = foreseen(state_of(event), tied, AS_IT_IS, by=BY)
    do(event, tied)

    assert "The event reopens: its ranks are final once the dice have been rolled." in in_english(effect.ends)
    assert Event.objects.get(pk=event.pk).finished_at is None
    assert history_of(event).last.what.endswith("The event is open again: its ranks need a roll-off.")
    undo(event)
    assert stored_rows(event) == before


def test_6_4_the_ledger_of_the_month_after_shows_whom_a_penalty_made_admiral():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    first = Event.objects.with_context().get(pk=months.first.event.pk)
    lines = state_of(first).standings(3)
    all_but_one = lines[1].battle_points - lines[0].battle_points
    doing = Penalizing(3, lines[0].id, all_but_one, lines[1].fleet_points - lines[0].fleet_points - 1, LATE)

    effect = foreseen(state_of(first), doing, AS_IT_IS, by=BY)
    do(first, doing)

    assert months.ledger() == [("granted", months.order[0]), ("corrected", months.order[1])]
    sentence = f"The ranks of month 5 were corrected. {months.order[1]} should have had the commendation token."
    assert [str(line).startswith(sentence) for line in effect.ends[-1:]] == [True]


def test_everybody_reads_the_late_penalty_beside_the_points():
    event = night_in_round(3).event
    winner = match_at(event, 1).a

    do(event, points_off(winner.number))

    assert [str(one.sentence) for one in rulings_in(state_of(event).round(1))] == [
        f"{winner} gets −1 Battle Point and −60 Fleet Points (rule 2.12). Reason: {LATE}."
    ]


def test_screens_of_the_night_before_hear_of_an_event_that_a_penalty_opens_again():
    event = finished_night()
    before = make_night(players=4, rounds=1, finish=True, store=event.campaign.store).event
    version = Event.objects.get(pk=before.pk).version
    first, second, *_ = state_of(event).standings(1)

    do(event, points_off(first.id, second.fleet_points - first.fleet_points, battle_points=0))

    assert Event.objects.get(pk=event.pk).finished_at is None
    assert Event.objects.get(pk=before.pk).version > version
