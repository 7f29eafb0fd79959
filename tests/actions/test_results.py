"""Results: what a save, a correction and a taking back promise, and when they are refused."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.domain.points import Ending, InvalidResult, Played, Side
from tests.support.nights import AT, BY, make_night
from tests.support.stored_results import EMPTY, VOR, closed_night, last_entry, stored
from tests.support.tables import eliminated, enter, match_at, names_at, on_time
from tourney.actions import entrants, events, results, roll_offs, rounds
from tourney.actions.record import Refused, Stale
from tourney.models import Event, JournalEntry, Result
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


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
        f"Round 1, table 1, {first} against {second}: result entered. {second}’s fleet was eliminated, so {first} wins."
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
        f"Not saved. Vor's desk entered a result for table 1: Time was called. {second} wins on Fleet Points, "
        f"65 to {first}’s 50. Compare it, then save again to replace it.",
    )
    assert stored(event, 1) == EMPTY | {"sp_left_a": 35, "sp_left_b": 50}


def test_a_correction_of_a_result_that_was_taken_back_is_not_saved():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))
    results.remove_result(event, 1, 1, version=1, by=BY)

    with pytest.raises(Stale, match=r"Not saved\. This result was cleared"):
        enter(event, 1, on_time(35, 55), version=1)

    assert not Result.objects.exists()


def test_the_impossible_is_refused_with_every_reason_and_the_players_names():
    event = make_night(players=4, open_round=True).event
    first, second = names_at(event, 1)

    with pytest.raises(Refused) as refusal:
        enter(event, 1, Played(Ending.TIME, (Side(101, (("ds9", 1),)), Side(50, (("ds9", 1),)))))

    assert refusal.value.reasons == (
        f"{first}’s fleet can’t have 101 SP left: the limit is 100. Count the surviving fleet again.",
        "“Controls Deep Space 9” is ticked for both players, but only one can have it. Clear one of them.",
    )
    assert second not in str(refusal.value)
    assert not Result.objects.exists()


def test_a_bonus_for_the_side_that_did_not_win_is_refused():
    """Rule 2.8: the station counts for the winner only."""
    event = make_night(players=4, open_round=True).event
    _, second = names_at(event, 1)

    with pytest.raises(Refused, match=f"Only the winner scores “Controls Deep Space 9”, and {second} didn’t win"):
        enter(event, 1, Played(Ending.TIME, (Side(60), Side(20, (("ds9", 1),)))))


@pytest.mark.parametrize(
    "played",
    [Played(Ending.DOUBLE_LOSS, (Side(50), Side(50))), Played(Ending.TIME, (Side(50, adjustment=-10), Side(40)))],
)
def test_a_ruling_needs_its_reason_which_is_kept_with_the_result_and_in_the_journal(played):
    """Rule 2.12."""
    event = make_night(players=4, open_round=True).event

    with pytest.raises(Refused, match="A ruling needs a reason"):
        enter(event, 1, played)
    enter(event, 1, played, ruling="slow play")

    assert match_at(event, 1).result.ruling == "slow play"
    assert last_entry(event).reason == "slow play"


def test_a_tied_result_waits_for_the_roll_off_at_the_table_whose_winner_wins():
    """Rule 2.7."""
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(40, 40))
    match = match_at(event, 1)
    assert (match.state, match.winner) == ("tied", None)

    roll_offs.roll_dice(event, 1, "table", match.numbers, dict(zip(match.numbers, (1, 3), strict=True)), by=BY)

    match = match_at(event, 1)
    assert (match.state, match.winner) == ("done", match.b)


def test_a_mark_for_the_winner_on_the_side_that_loses_the_roll_off_scores_nothing():
    """Rules 2.7, 2.8: who holds the station is written down before anybody knows who wins."""
    event = make_night(players=4, open_round=True).event
    enter(event, 1, Played(Ending.TIME, (Side(40, (("ds9", 1),)), Side(40))))
    match = match_at(event, 1)

    roll_offs.roll_dice(event, 1, "table", match.numbers, dict(zip(match.numbers, (1, 3), strict=True)), by=BY)

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


def test_a_preview_counts_the_dice_that_were_rolled_at_the_table():
    """Rule 4.3: a roll-off stays valid as long as the tie exists."""
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(40, 40))
    numbers = match_at(event, 1).numbers
    roll_offs.roll_dice(event, 1, "table", numbers, dict(zip(numbers, (3, 1), strict=True)), by=BY)

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
        with pytest.raises(Refused, match=f"There’s no table {table} in round {number}"):
            enter(event, table, on_time(35, 50), number=number)


def test_a_result_of_a_closed_round_is_corrected_only_with_a_reason_and_the_bye_follows():
    """Rule 2.10: the mean is recomputed when a result of that round is corrected."""
    event = closed_night().event
    bye = state_of(event).round(1).bye.a.number
    assert state_of(event).round(1).scores[bye].fleet_points == 65  # (100+40+70+50) / 4

    with pytest.raises(Refused, match=r"Round 1 is closed\. Give a reason for editing the result"):
        enter(event, 1, eliminated(left=20), version=1)
    enter(event, 1, eliminated(left=20), version=1, reason="counted the wrong fleet")

    assert state_of(event).round(1).scores[bye].fleet_points == 75
    assert last_entry(event).reason == "counted the wrong fleet"


def test_a_result_of_a_finished_event_is_corrected_only_with_a_reason():
    event = closed_night(pack="temporal-cold-war-2").event
    events.finish_event(event, by=BY, reason="the shop closes")
    event.refresh_from_db()

    with pytest.raises(Refused, match=r"The event is finished\. Give a reason to change one of its results"):
        enter(event, 1, eliminated(left=20), version=1)
    enter(event, 1, eliminated(left=20), version=1, reason="wrong")

    assert match_at(event, 1).result.sp_left_a == 20


def test_who_did_not_see_that_the_event_was_finished_corrects_nothing():
    event = closed_night(pack="temporal-cold-war-2").event
    events.finish_event(Event.objects.get(pk=event.pk), by=BY, reason="the shop closes")

    with pytest.raises(Stale, match="The event has been finished"):
        enter(event, 1, eliminated(left=20), version=1, reason="wrong")


def test_who_dropped_meanwhile_does_not_keep_a_result_from_being_corrected():
    event = closed_night().event
    entrants.drop(event, match_at(event, 1).a.number, by=BY)

    enter(event, 1, eliminated(left=20), version=1, reason="wrong")

    assert match_at(event, 1).result.sp_left_a == 20


def test_a_result_taken_back_leaves_the_table_open_and_itself_in_the_journal():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))

    results.remove_result(event, 1, 1, version=1, by=VOR)

    match, entry = match_at(event, 1), last_entry(event)
    assert (match.state, match.version) == ("playing", 0)
    assert (entry.did, entry.what, entry.by_name) == (
        "take_back_result",
        "Round 1, table 1: result cleared.",
        "Vor's desk",
    )
    assert entry.before == {"round": 1, "table": 1, **EMPTY, "sp_left_a": 35, "sp_left_b": 50}


def test_nothing_is_taken_back_that_is_not_there_or_not_the_same_any_more():
    event = make_night(players=4, open_round=True).event
    with pytest.raises(Refused, match="Table 1 has no result"):
        results.remove_result(event, 1, 1, version=0, by=BY)
    enter(event, 1, on_time(35, 50))
    enter(event, 1, on_time(35, 55), version=1)

    with pytest.raises(Stale, match=r"Not saved\. test entered a result for table 1"):
        results.remove_result(event, 1, 1, version=1, by=BY)

    assert match_at(event, 1).version == 2


def test_a_result_of_a_closed_round_is_not_taken_back():
    event = closed_night().event

    with pytest.raises(Refused, match=r"Round 1 is closed\. Edit the result instead of clearing it"):
        results.remove_result(event, 1, 1, version=1, by=BY)

    assert match_at(event, 1).version == 1


def test_who_saw_a_result_that_was_taken_back_and_entered_anew_does_not_overwrite_it():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(35, 50))
    results.remove_result(event, 1, 1, version=1, by=BY)
    enter(event, 1, on_time(40, 50))

    with pytest.raises(Stale, match=r"Not saved\. test entered a result for table 1"):
        enter(event, 1, on_time(35, 45), version=1)

    assert stored(event, 1) == EMPTY | {"sp_left_a": 40, "sp_left_b": 50}


# what it costs


def test_a_result_loads_its_match_and_never_the_whole_event():
    event = make_night(players=4, open_round=True).event

    with CaptureQueriesContext(connection) as queries:
        enter(event, 1, on_time(35, 50))

    asked = [query["sql"] for query in queries.captured_queries]
    assert sum("WITH here AS MATERIALIZED" in sql for sql in asked) == 1
    assert [sql for sql in asked if "WITH event AS MATERIALIZED" in sql] == []
