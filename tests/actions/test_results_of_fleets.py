"""Results where fleets are on the table (rules 2.3 to 2.6), and marks of phones."""

from functools import partial
from random import Random

import pytest

from fleets.domain import editing
from fleets.domain.sheet import Sheet
from scoring.domain.points import Ending, Played, Side
from tests.support.built_fleets import bring_all, night_with_fleets
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.stored_results import last_entry, stored
from tests.support.tables import eliminated, enter, match_at, names_at, on_time
from tourney.actions import fleets, results, rounds, sign_off, simulation
from tourney.actions.record import Refused
from tourney.models import Fleet, JournalEntry, Result
from tourney.queries.state import state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db


# rules 2.3 to 2.6: the fleets on the table


def test_2_3_a_number_that_a_locked_fleet_cannot_leave_is_refused_with_the_nearest_two():
    event = night_with_fleets().event
    first, second = names_at(event, 1)

    with refused(
        f"{first}’s fleet can’t have 45 SP left. Nearest possible: 44 or 46.",
        f"{second}’s fleet can’t have 83 SP left. Nearest possible: 82.",
    ):
        enter(event, 1, on_time(45, 83))
    enter(event, 1, eliminated(out=0, left=82))

    assert stored(event, 1)["sp_left_b"] == 82


@pytest.mark.parametrize(
    "played",
    [
        Played(Ending.ELIMINATION, (Side(), Side(82)), out=0),
        Played(Ending.BOTH_ELIMINATED, (Side(), Side())),
        Played(Ending.CONCESSION, (Side(45), Side(82)), out=0),
        Played(Ending.NO_SHOW, (Side(), Side()), out=0),
        Played(Ending.BOTH_NO_SHOWS, (Side(), Side())),
    ],
    ids=["2.6 eliminated", "2.6 both", "2.9 conceded", "2.11 no-show", "2.11 neither came"],
)
def test_where_sp_left_do_not_count_no_fleet_is_asked(played):
    event = night_with_fleets().event

    enter(event, 1, played)

    assert match_at(event, 1).played == played


def test_a_fleet_that_is_missing_or_without_ships_says_nothing_of_a_number():
    event = night_with_fleets({1: None, 2: Sheet()}).event
    table = next(match.table for match in state_of(event).last_round.tables if {1, 2} & {*match.numbers})
    with_nothing = match_at(event, table)
    left = [13 if number in (1, 2) else 82 for number in with_nothing.numbers]
    enter(event, table, on_time(*left))

    assert match_at(event, table).state == "done"


def test_a_closed_round_is_corrected_with_the_fleets_that_played():
    event = night_with_fleets().event
    for table in (1, 2):
        enter(event, table, on_time(46, 82))
    simulation.roll_off_standings(event, random=Random(1), by=BY)
    rounds.close_round(event, 1, by=BY)
    for number in (1, 2, 3, 4):
        fleets.unlock(event, number, reason="typed wrong", by=BY)
        fleet = Fleet.objects.get(entrant__event=event, entrant__number=number)
        fleets.step(
            fleet,
            lambda sheet: editing.write(sheet, 1, cost_by_hand=1, note="", booster=False),
            did=message("Changed."),
            by=BY,
        )

    corrected = results.ResultInput(on_time(77, 82))
    results.report_result(event, 1, 1, corrected, version=1, by=BY, reason="misread")
    assert stored(event, 1)["sp_left_a"] == 77


def test_an_unlocked_fleet_in_play_is_asked_too():
    event = night_with_fleets().event
    for number in (1, 2, 3, 4):
        fleets.unlock(event, number, reason="typed wrong", by=BY)

    with pytest.raises(Refused, match="fleet can’t have 81 SP left"):
        enter(event, 1, on_time(81, 82))


def test_a_reason_lets_a_number_stand_and_stays_as_long_as_the_number():
    event = night_with_fleets().event
    letting = partial(results.report_result, event, 1, 1, by=BY)

    letting(results.ResultInput(on_time(45, 82), sp_ruling="half a ship"), version=0)
    entry = last_entry(event)
    letting(results.ResultInput(on_time(45, 77)), version=1)
    kept = stored(event, 1)["sp_ruling"]
    letting(results.ResultInput(on_time(46, 77)), version=2)

    assert (entry.reason, entry.after["sp_ruling"]) == ("half a ship", "half a ship")
    assert (kept, stored(event, 1)["sp_ruling"]) == ("half a ship", "")


def test_a_result_from_before_the_fleet_came_stays_valid_and_can_be_corrected():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(45, 82))
    bring_all(event)

    enter(event, 1, on_time(45, 77), version=1)

    assert (stored(event, 1)["sp_left_a"], stored(event, 1)["sp_left_b"]) == (45, 77)


def test_what_is_marked_is_saved_with_the_result_in_one_entry_without_lines_nobody_knows():
    event = night_with_fleets().event
    before = JournalEntry.objects.count()
    report = results.ResultInput(on_time(46, 77), destroyed=(frozenset({1, 2}), frozenset({4, 7, 99})))

    results.report_result(event, 1, 1, report, version=0, by=BY)

    assert match_at(event, 1).destroyed == (frozenset({1, 2}), frozenset({4}))
    assert JournalEntry.objects.count() == before + 1
    assert (last_entry(event).after["destroyed_a"], last_entry(event).after["destroyed_b"]) == ([1, 2], [4])


def test_marks_alone_can_be_corrected_and_none_given_leaves_them_as_they_are():
    event = night_with_fleets().event
    numbers = match_at(event, 1).numbers
    sign_off.mark_destroyed(event, 1, numbers[1], [3], by=BY)

    enter(event, 1, eliminated(out=1, left=82))
    kept = match_at(event, 1).destroyed
    report = results.ResultInput(eliminated(out=1, left=82), destroyed=(None, frozenset({1, 5})))
    results.report_result(event, 1, 1, report, version=1, by=BY)

    assert kept == (frozenset(), frozenset({3}))
    assert (match_at(event, 1).destroyed, match_at(event, 1).version) == ((frozenset(), frozenset({1, 5})), 2)


def test_marks_that_leave_another_number_since_the_fleet_was_changed_are_refused():
    event = night_with_fleets().event
    first, _ = names_at(event, 1)
    fleet = Fleet.objects.get(entrant=match_at(event, 1).a)
    report = results.ResultInput(on_time(46, 82), destroyed=(frozenset({1}), None))
    fleets.unlock(event, fleet.entrant.number, reason="typed wrong", by=BY)
    fleets.step(fleet, lambda sheet: editing.remove(sheet, 6), did=message("Captain Onyx removed."), by=BY)

    with refused(f"The cards marked in {first}’s fleet leave 42 SP, not 46. Check them again."):
        results.report_result(event, 1, 1, report, version=0, by=BY)

    assert not Result.objects.exists()


def test_made_up_nights_have_results_that_their_fleets_can_leave():
    event = night_with_fleets(players=8).event

    by = simulation.play_round(event, random=Random(3), by=BY)
    simulation.play_round(event, random=Random(3), by=simulation.draw(event, random=Random(3), by=by))

    assert [round.state for round in state_of(event).rounds] == ["closed", "closed"]


# marked on phones


def test_two_who_mark_one_fleet_change_only_what_they_changed():
    event = night_with_fleets().event
    number = match_at(event, 1).a.number

    for seen, lines in (((), (4,)), ((), (3,)), ((), (4,)), ((3, 4), (3,)), ((3, 4), (3, 6))):
        sign_off.mark_destroyed(event, 1, number, lines, by=BY, base=seen)

    assert match_at(event, 1).destroyed[0] == {3, 6}


def test_after_the_result_nothing_is_marked_any_more():
    event = night_with_fleets().event
    enter(event, 1, on_time(82, 46))

    with refused("Table 1 already has a result. Ask the desk to edit it."):
        sign_off.mark_destroyed(event, 1, match_at(event, 1).a.number, [1], by=BY)
