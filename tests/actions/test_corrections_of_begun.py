"""A correction leaves what has begun as it is, and two at once are told."""

from dataclasses import replace

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.corrected import ALL, FEWEST, do, night_in_round, tables, turned
from tests.support.nights import BY
from tests.support.saying import in_english
from tests.support.tables import enter, match_at, on_time
from tests.support.undoing import undo
from tourney.actions import by_hand, reports, results, rounds, wishes
from tourney.actions.corrections import foreseen
from tourney.actions.record import Refused, Stale
from tourney.models import Event, Match, Result, Seat, Wish
from tourney.queries.history import stored_rows
from tourney.queries.repairs import BYE, Repair, RepairMode, evidence_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# what has begun stays


def begin(event: Event, table: int, how: str) -> None:
    match = match_at(event, table, 2)
    if how == "a result":
        enter(event, table, on_time(10, 20), number=2)
    elif how == "a report":
        reports.report(event, 2, match.a.number, on_time(10, 20), by=BY)
    elif how == "marks":
        Seat.objects.filter(match=match.row, entrant=match.a).update(destroyed=[1])
    elif how == "a wish to concede":
        wishes.ask(event, match.a.number, Wish.Kind.CONCEDE, by=BY)


@pytest.mark.parametrize("how", ["a result", "a report", "marks", "a wish to concede"])
def test_a_table_that_has_begun_keeps_its_players_and_everything_entered_there(how):
    event = night_in_round(2, 8).event
    begin(event, 1, how)
    begun = rows_of_table(event, 1)
    word = {"a result": "Result in", "a report": "Reported", "marks": "Fleets marked"}.get(how, "Asked to concede")
    found = [one.word for one in evidence_of(state_of(event), state_of(event).round(2))]
    assert in_english(found) == [word, None, None, None]

    do(event, turned(), ALL)

    assert rows_of_table(event, 1) == begun


def rows_of_table(event: Event, table: int) -> dict:
    """What is stored of that table of round 2, but the reason why it is one: its match and all that hangs on it."""
    match = match_at(event, table, 2).row
    seats = set(match.seats.values_list("pk", flat=True))
    return {
        key: row | {"reason": None}
        for key, row in stored_rows(event).items()
        if key == ("tourney_match", match.pk) or row.get("match_id") == match.pk or row.get("seat_id") in seats
    }


def test_3_8_tables_that_stay_do_not_give_a_reason_of_before_the_correction():
    event = night_in_round(2, 9).event
    enter(event, 2, on_time(10, 20), number=2)
    state = state_of(event)
    was = {match.table: match.why for match in state.round(2).matches}
    table, bye = (state.round(2).match_at(2).entrants, state.round(2).bye.a)

    do(event, turned(), Repair(RepairMode.ALL, frozenset({BYE})))

    state = state_of(event)
    points = {line.id: line.battle_points for line in state.standings(1)}
    now = {match.table: match.why for match in state.round(2).matches}
    assert not {was[2], was[None]} & {*now.values()}
    assert str(now[2]) == (
        f"{table[0]} with {points[table[0].number]} Battle Points against {table[1]} with {points[table[1].number]}: "
        "this table stayed as it was when others were re-paired (rule 3.9)."
    )
    assert str(now[None]) == f"{bye} kept the bye when others were re-paired (rule 3.9)."
    undo(event)
    assert {match.table: match.why for match in state_of(event).round(2).matches} == was


def test_3_7_a_meeting_that_a_correction_made_a_rematch_is_said_at_the_table_that_stays():
    """In round 1 one of them did not come; corrected, they did play, and in round 2 they have begun to play again."""
    event = night_in_round(1, 10).event
    missed = match_at(event, 1)
    enter(event, 1, Played(Ending.NO_SHOW, (Side(), Side()), out=1))
    for table in range(2, 6):
        enter(event, table, on_time(60 + table, 20 + 5 * table))
    rounds.close_round(event, 1, by=BY)
    rounds.pair_round(event, seed=5, by=BY)
    seats = tables(event)
    first, second = missed.numbers
    at = next(table for table, sitting in seats.items() if first in sitting)
    (other,) = seats[at] - {first}
    if other != second:
        by_hand.place(event, 2, second, other, reason="for the test", by=BY)
    Match.objects.filter(round__event=event, round__number=2).update(manual_reason="")
    rounds.publish_round(event, 2, by=BY)

    do(event, turned(version=1), Repair(RepairMode.ALL, frozenset({at})))

    names, now = state_of(event).names, match_at(event, at, 2)
    sentence = (
        f"{names[now.a.number]} and {names[now.b.number]} have already met once: their table stayed as it was "
        "when others were re-paired (rules 3.3 b and 3.9)."
    )
    assert set(now.numbers) == {first, second}
    assert str(now.why) == sentence
    assert rounds.relaxed_sentences(state_of(event), state_of(event).round(2)) == [now.why]


def test_a_table_that_the_desk_says_has_begun_stays_and_so_does_a_bye():
    event = night_in_round(2, 9).event
    before = tables(event)

    do(event, turned(), Repair(RepairMode.ALL, frozenset({1, BYE})))

    after = tables(event)
    assert (after[1], after[BYE]) == (before[1], before[BYE])


def test_where_everybody_has_begun_nothing_can_be_paired_anew():
    event = night_in_round(2, 4).event

    with pytest.raises(Refused, match="Fewer than two players are at tables that haven’t started"):
        do(event, turned(), Repair(RepairMode.ALL, frozenset({1, 2})))

    assert match_at(event, 1).result.version == 1


def test_regression_pairing_a_round_anew_deletes_no_result():
    """The first result of round 2 is in when round 1 is corrected: it stays, with its players, at its table."""
    event = night_in_round(2, 8).event
    enter(event, 2, on_time(10, 20), number=2)
    pair, results_before = tables(event)[2], Result.objects.count()

    do(event, turned(), ALL)

    assert (tables(event)[2], match_at(event, 2, 2).result.sp_left_a) == (pair, 10)
    assert Result.objects.count() == results_before


def test_regression_a_round_paired_anew_has_one_bye_and_counts_it_once():
    """Rule 3.5: the bye of before is no bye any more, neither in the points nor for who is next in line."""
    event = night_in_round(2, 5).event
    old = next(iter(tables(event)[BYE]))

    do(event, turned(), ALL)

    state = state_of(event)
    (new,) = tables(event)[BYE]
    assert new != old
    assert [match.numbers for match in state.round(2).matches if match.is_bye] == [(new,)]
    assert Seat.objects.filter(round=state.round(2).row).count() == 5
    byes = {one.id: one.byes for one in state.contenders(3)}
    assert (byes[old], byes[new]) == (0, 1)


def test_an_open_wish_to_leave_moves_with_the_player():
    event = night_in_round(2, 5).event
    state = state_of(event)
    leaver = state.round(2).match_at(2).b
    wishes.ask(event, leaver.number, Wish.Kind.DROP, by=BY)
    before = stored_rows(event)

    do(event, turned(), FEWEST)

    wish = Wish.objects.get(seat__round__event=event)
    assert (wish.seat.entrant, wish.answer) == (leaver, "")
    undo(event)
    assert stored_rows(event) == before


def test_once_somebody_has_reported_at_a_new_table_the_step_is_not_taken_back():
    event = night_in_round(2, 5).event
    do(event, turned(), FEWEST)
    begin(event, 1, "a report")
    now = stored_rows(event)

    with pytest.raises(Refused, match="Players have already signed or reported at these tables"):
        undo(event)

    assert stored_rows(event) == now


# two at once


def test_two_corrections_of_one_result_the_second_is_stale():
    event = night_in_round(2).event
    seen = foreseen(state_of(event), turned(), Repair(), by=BY).fingerprint
    do(event, replace(turned(), report=results.ResultInput(on_time(50, 40))))

    with pytest.raises(Stale, match=r"Not saved\. test entered a result for table 1"):
        do(event, turned(), seen=seen)


def test_a_correction_of_another_result_meanwhile_makes_what_was_seen_stale():
    event = night_in_round(2, 5).event
    seen = foreseen(state_of(event), turned(), FEWEST, by=BY).fingerprint
    do(event, turned(table=2))
    now = stored_rows(event)

    with pytest.raises(Stale, match="the effect is no longer the one you saw"):
        do(event, turned(), FEWEST, seen=seen)

    assert stored_rows(event) == now


def test_a_clock_that_was_started_meanwhile_disturbs_nobody():
    event = night_in_round(2).event
    seen = foreseen(state_of(event), turned(), FEWEST, by=BY).fingerprint
    rounds.start_clock(event, 2, by=BY)

    do(event, turned(), FEWEST, seen=seen)

    assert match_at(event, 1).result.version == 2
