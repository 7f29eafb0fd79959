"""Results: what a save, a correction and a taking back promise, and when they are refused."""

from dataclasses import replace
from functools import partial
from random import Random

import pytest

from fleets.domain import editing
from fleets.domain.sheet import Sheet
from scoring.domain.points import Ending, InvalidResult, Played, Side
from tests.support.built_fleets import bring_all, night_with_fleets
from tests.support.copied import copied
from tests.support.nights import AT, BY, make_night
from tests.support.refusing import refused
from tests.support.tables import eliminated, enter, match_at, names_at, on_time
from tourney.actions import entrants, events, fleets, results, roll_offs, rounds, sign_off, simulation
from tourney.actions.record import Actor, Refused, Stale
from tourney.models import Event, Fleet, JournalEntry, Result
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

VOR = Actor(user=None, name="Vor's desk", at=AT)
EMPTY = {
    "ending": "time",
    "out": "",
    "condition": None,
    "condition_side": "",
    "sp_left_a": 0,
    "sp_left_b": 0,
    "tallies_a": {},
    "tallies_b": {},
    "adjustment_a": 0,
    "adjustment_b": 0,
    "ruling": "",
    "sp_ruling": "",
}


def stored(event: Event, table: int) -> dict:
    return results.facts_of(match_at(event, table).result)


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


@copied
def closed_night(**more):
    """Five players, round 1 closed: 100 to 40 at table 1, 70 to 50 at table 2, and one has a bye."""
    night = make_night(players=5, open_round=True, **more)
    enter(night.event, 1, eliminated(left=60))
    enter(night.event, 2, on_time(50, 30))
    rounds.close_round(night.event, 1, by=BY)
    return night


@pytest.mark.parametrize(
    ("played", "facts"),
    [
        (on_time(35, 50), {"sp_left_a": 35, "sp_left_b": 50}),
        (eliminated(out=0, left=12), {"ending": "elimination", "out": "a", "sp_left_b": 12}),
        (Played(Ending.BOTH_ELIMINATED, (Side(), Side())), {"ending": "both_eliminated"}),
        (Played(Ending.NO_SHOW, (Side(), Side()), out=1), {"ending": "no_show", "out": "b"}),
        (Played(Ending.CONCESSION, (Side(20), Side()), out=1), {"ending": "concession", "out": "b", "sp_left_a": 20}),
        (
            Played(Ending.TIME, (Side(60, (("ds9", 1),)), Side(30))),
            {"sp_left_a": 60, "sp_left_b": 30, "tallies_a": {"ds9": 1}},
        ),
    ],
)
def test_the_facts_of_the_table_are_stored_as_they_were_entered(played, facts):
    event = make_night(players=4, open_round=True).event

    enter(event, 1, played)

    assert stored(event, 1) == EMPTY | facts
    assert match_at(event, 1).played == played


def test_a_win_condition_of_the_month_is_stored_with_the_side_that_met_it():
    """Rule 2.8: ranked win conditions."""
    event = make_night(players=4, open_round=True, pack="chronological-chaos").event
    played = Played(Ending.TIME, (Side(10, (("tokens", 1),)), Side(90, (("tokens", 4),))), condition=(1, 1))

    enter(event, 1, played)

    match = match_at(event, 1)
    assert match.played == played
    assert match.winner == match.b


def test_a_result_says_who_entered_it_and_the_journal_what_it_means():
    event = make_night(players=4, open_round=True).event
    before = event.version
    first, second = names_at(event, 1)

    enter(event, 1, eliminated(out=1, left=60), by=VOR)

    result, entry = match_at(event, 1).result, last_entry(event)
    assert (result.version, result.entered_by, result.entered_at) == (1, "Vor's desk", AT)
    assert (entry.did, entry.by_name, entry.before) == ("report_result", "Vor's desk", None)
    assert entry.what == (
        f"Round 1, table 1, {first} against {second}: result entered. {second}'s fleet was eliminated, so {first} wins."
    )
    facts = {"ending": "elimination", "out": "b", "sp_left_a": 60}
    assert entry.after == {"round": 1, "table": 1, **EMPTY, **facts}
    assert Event.objects.get(pk=event.pk).version == before + 1


def test_in_the_round_in_play_a_correction_is_one_step():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))

    enter(event, 1, on_time(35, 55), version=1)

    entry = last_entry(event)
    assert match_at(event, 1).version == 2
    assert (entry.did, entry.before["sp_left_b"], entry.after["sp_left_b"]) == ("correct_result", 50, 55)


def test_saving_the_same_facts_again_changes_nothing():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))
    entries = JournalEntry.objects.count()

    enter(event, 1, on_time(35, 50), version=1, by=VOR)

    result = match_at(event, 1).result
    assert (result.version, result.entered_by) == (1, "test")
    assert JournalEntry.objects.count() == entries


def test_what_somebody_else_entered_meanwhile_is_not_overwritten():
    event = make_night(players=4, open_round=True).event
    first, second = names_at(event, 1)
    enter(event, 1, on_time(35, 50), by=VOR)

    with pytest.raises(Stale) as refusal:
        enter(event, 1, on_time(1, 2))

    assert refusal.value.reasons == (
        f"Meanwhile Vor's desk entered a result for table 1: Time was called; {second} has 65 Fleet Points "
        f"to {first}'s 50. Nothing of yours was saved; compare, and save again to correct it.",
    )
    assert stored(event, 1) == EMPTY | {"sp_left_a": 35, "sp_left_b": 50}


def test_a_correction_of_a_result_that_was_taken_back_is_not_saved():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))
    results.take_back_result(event, 1, 1, version=1, by=BY)

    with pytest.raises(Stale, match="Meanwhile this result was taken back"):
        enter(event, 1, on_time(35, 55), version=1)

    assert not Result.objects.exists()


def test_the_impossible_is_refused_with_every_reason_and_the_players_names():
    event = make_night(players=4, open_round=True).event
    first, second = names_at(event, 1)

    with pytest.raises(Refused) as refusal:
        enter(event, 1, Played(Ending.TIME, (Side(101, (("ds9", 1),)), Side(50, (("ds9", 1),)))))

    assert refusal.value.reasons == (
        f"101 SP cannot be left of {first}'s fleet: the limit is 100. Count the surviving fleet again.",
        "'Controls Deep Space 9' is ticked for both players, but only one can have it. Clear one of them.",
    )
    assert second not in str(refusal.value)
    assert not Result.objects.exists()


def test_a_bonus_for_the_side_that_did_not_win_is_refused():
    """Rule 2.8: the station counts for the winner only."""
    event = make_night(players=4, open_round=True).event
    _, second = names_at(event, 1)

    with pytest.raises(Refused, match=f"Only the winner scores 'Controls Deep Space 9', and {second} did not win"):
        enter(event, 1, Played(Ending.TIME, (Side(60), Side(20, (("ds9", 1),)))))


@pytest.mark.parametrize(
    "played",
    [Played(Ending.DOUBLE_LOSS, (Side(50), Side(50))), Played(Ending.TIME, (Side(50, adjustment=-10), Side(40)))],
)
def test_a_ruling_needs_its_reason_which_is_kept_with_the_result_and_in_the_journal(played):
    """Rule 2.12."""
    event = make_night(players=4, open_round=True).event

    with pytest.raises(Refused, match="A ruling needs its reason"):
        enter(event, 1, played)
    enter(event, 1, played, ruling="slow play")

    assert match_at(event, 1).result.ruling == "slow play"
    assert last_entry(event).reason == "slow play"


def test_a_level_result_waits_for_the_roll_off_at_the_table_whose_winner_wins():
    """Rule 2.7."""
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(40, 40))
    match = match_at(event, 1)
    assert (match.state, match.winner) == ("level", None)

    roll_offs.throw_dice(event, 1, "table", match.numbers, dict(zip(match.numbers, (1, 3), strict=True)), by=BY)

    match = match_at(event, 1)
    assert (match.state, match.winner) == ("done", match.b)


def test_a_mark_for_the_winner_on_the_side_that_loses_the_roll_off_scores_nothing():
    """Rules 2.7, 2.8: who holds the station is written down before anybody knows who wins."""
    event = make_night(players=4, open_round=True).event
    enter(event, 1, Played(Ending.TIME, (Side(40, (("ds9", 1),)), Side(40))))
    match = match_at(event, 1)

    roll_offs.throw_dice(event, 1, "table", match.numbers, dict(zip(match.numbers, (1, 3), strict=True)), by=BY)

    match = match_at(event, 1)
    assert (match.winner, [score.fleet_points for score in match.score.scores]) == (match.b, [60, 60])


def test_a_preview_scores_what_saving_would_score_and_saves_nothing():
    event = make_night(players=4, open_round=True).event
    state, match = state_of(event), match_at(event, 1)
    report = results.ResultInput(Played(Ending.TIME, (Side(30, (("ds9", 1),)), Side(50))))

    foreseen = results.preview(state, match, replace(report, played=on_time(50, 30)))
    enter(event, 1, on_time(50, 30))

    assert foreseen == match_at(event, 1).score
    with pytest.raises(InvalidResult):
        results.preview(state, match, report)


def test_a_preview_counts_the_dice_that_were_thrown_at_the_table():
    """Rule 4.3: a roll-off stays valid as long as the tie exists."""
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(40, 40))
    numbers = match_at(event, 1).numbers
    roll_offs.throw_dice(event, 1, "table", numbers, dict(zip(numbers, (3, 1), strict=True)), by=BY)

    score = results.preview(state_of(event), match_at(event, 1), results.ResultInput(on_time(55, 55)))

    assert (score.winner, score.needs_roll_off) == (0, False)


def test_a_draft_takes_no_results():
    event = make_night(players=4).event
    rounds.pair_round(event, seed=1, by=BY)

    with pytest.raises(Refused, match="Round 1 is still a draft"):
        enter(event, 1, on_time(35, 50))


def test_a_table_that_is_not_there_takes_no_result():
    event = make_night(players=5, open_round=True).event

    for number, table in ((1, 3), (2, 1)):
        with pytest.raises(Refused, match=f"There is no table {table} in round {number} any more"):
            enter(event, table, on_time(35, 50), number=number)


def test_a_result_of_a_closed_round_is_corrected_only_with_a_reason_and_the_bye_follows():
    """Rule 2.10: the mean is recomputed when a result of that round is corrected."""
    event = closed_night().event
    bye = state_of(event).round(1).bye.a.number
    assert state_of(event).round(1).scores[bye].fleet_points == 65  # (100+40+70+50) / 4

    with pytest.raises(Refused, match="Round 1 is closed: say why its result is corrected"):
        enter(event, 1, eliminated(left=20), version=1)
    enter(event, 1, eliminated(left=20), version=1, reason="counted the wrong fleet")

    assert state_of(event).round(1).scores[bye].fleet_points == 75
    assert last_entry(event).reason == "counted the wrong fleet"


def test_a_result_of_a_finished_event_is_corrected_only_with_a_reason():
    event = closed_night(pack="temporal-cold-war-2").event
    events.finish_event(event, by=BY, reason="the shop closes")
    event.refresh_from_db()

    with pytest.raises(Refused, match="The event is finished: say why its result is corrected"):
        enter(event, 1, eliminated(left=20), version=1)
    enter(event, 1, eliminated(left=20), version=1, reason="wrong")

    assert match_at(event, 1).result.sp_left_a == 20


def test_who_did_not_see_that_the_event_was_finished_corrects_nothing():
    event = closed_night(pack="temporal-cold-war-2").event
    events.finish_event(Event.objects.get(pk=event.pk), by=BY, reason="the shop closes")

    with pytest.raises(Stale, match="Meanwhile the event was finished"):
        enter(event, 1, eliminated(left=20), version=1, reason="wrong")


def test_who_dropped_meanwhile_does_not_keep_a_result_from_being_corrected():
    event = closed_night().event
    entrants.drop(event, match_at(event, 1).a.number, by=BY)

    enter(event, 1, eliminated(left=20), version=1, reason="wrong")

    assert match_at(event, 1).result.sp_left_a == 20


def test_a_result_taken_back_leaves_the_table_open_and_itself_in_the_journal():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))

    results.take_back_result(event, 1, 1, version=1, by=VOR)

    match, entry = match_at(event, 1), last_entry(event)
    assert (match.state, match.version) == ("playing", 0)
    assert (entry.did, entry.what, entry.by_name) == (
        "take_back_result",
        "Round 1, table 1: result taken back.",
        "Vor's desk",
    )
    assert entry.before == {"round": 1, "table": 1, **EMPTY, "sp_left_a": 35, "sp_left_b": 50}


def test_nothing_is_taken_back_that_is_not_there_or_not_the_same_any_more():
    event = make_night(players=4, open_round=True).event
    with pytest.raises(Refused, match="Table 1 has no result"):
        results.take_back_result(event, 1, 1, version=0, by=BY)
    enter(event, 1, on_time(35, 50))
    enter(event, 1, on_time(35, 55), version=1)

    with pytest.raises(Stale, match="Meanwhile test entered a result for table 1"):
        results.take_back_result(event, 1, 1, version=1, by=BY)

    assert match_at(event, 1).version == 2


def test_a_result_of_a_closed_round_is_not_taken_back():
    event = closed_night().event

    with pytest.raises(Refused, match="Round 1 is closed: its results can be corrected, not taken back"):
        results.take_back_result(event, 1, 1, version=1, by=BY)

    assert match_at(event, 1).version == 1


def test_who_saw_a_result_that_was_taken_back_and_entered_anew_does_not_overwrite_it():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))
    results.take_back_result(event, 1, 1, version=1, by=BY)
    enter(event, 1, on_time(40, 50))

    with pytest.raises(Stale, match="Meanwhile test entered a result for table 1"):
        enter(event, 1, on_time(35, 45), version=1)

    assert stored(event, 1) == EMPTY | {"sp_left_a": 40, "sp_left_b": 50}


# rules 2.3 to 2.6: the fleets on the table


def test_2_3_a_number_that_a_locked_fleet_cannot_leave_is_refused_with_the_nearest_two():
    event = night_with_fleets().event
    first, second = names_at(event, 1)

    with refused(
        f"45 SP cannot be left of the fleet of {first}: 44 or 46 can.",
        f"83 SP cannot be left of the fleet of {second}: 82 can.",
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
        Played(Ending.NEITHER_CAME, (Side(), Side())),
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
        fleets.step(fleet, lambda sheet: editing.write(sheet, 1, cost_by_hand=1, note="", booster=False), did="", by=BY)

    corrected = results.ResultInput(on_time(77, 82))
    results.report_result(event, 1, 1, corrected, version=1, by=BY, reason="misread")
    assert stored(event, 1)["sp_left_a"] == 77


def test_an_unlocked_fleet_in_play_is_asked_too():
    event = night_with_fleets().event
    for number in (1, 2, 3, 4):
        fleets.unlock(event, number, reason="typed wrong", by=BY)

    with pytest.raises(Refused, match="81 SP cannot be left of the fleet of"):
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
    fleets.step(fleet, lambda sheet: editing.remove(sheet, 6), did="Captain Onyx removed.", by=BY)

    with refused(f"What is marked of the fleet of {first} leaves 42 SP, not 46. Look again."):
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

    with refused("The result of table 1 is entered, so it is corrected at the desk."):
        sign_off.mark_destroyed(event, 1, match_at(event, 1).a.number, [1], by=BY)
