"""Who leaves, goes home or does not come: what becomes of the seat, the points and the next round."""

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.arriving import arrange, bye_of, draft, play, seated
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.saying import in_english
from tests.support.tables import eliminated, enter, match_at
from tests.support.undoing import undo
from tourney.actions import arrivals, entrants, penalties, reports
from tourney.actions.arrivals import Decision
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.models import TokenLine
from tourney.queries.arrivals import options_of
from tourney.queries.history import Compared, TableAtMoment, stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def test_a_player_dropped_after_a_result_is_not_paired_any_more():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, eliminated(left=30))
    gone = match_at(event, 1).a.number

    shown = arrange(event, gone, ArrivalOption(Moment.DROPS_LATER, ArrivalWay.AFTER))
    play(event)
    draft(event)

    assert in_english(shown.sentences) == ("Round 2 has 3 players, so one of them has the bye.",)
    assert not state_of(event).last_round.match_of(gone)
    assert sum(len(numbers) for numbers in seated(state_of(event))) == 3


def test_a_no_show_scores_like_a_bye_and_is_neither_bye_nor_meeting():
    event = make_night(players=4, open_round=True).event
    match = match_at(event, 1)
    gone, there = match.numbers

    shown = arrange(event, gone, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.NO_SHOW))

    names = state_of(event).names
    assert set(in_english(shown.points)) == {
        Compared(names[gone], None, "0 Battle Points, 0 Fleet Points"),
        Compared(names[there], None, "2 Battle Points, and the round’s average Fleet Points (rule 2.10)"),
    }
    assert in_english(shown.sentences) == (
        "1 other table stays as it is.",
        "Round 2 has 3 players, so one of them has the bye.",
    )
    present = {one.id: (one.byes, one.met) for one in state_of(event).contenders(2)}
    assert present[there] == (0, ())
    assert gone not in present


def test_who_conceded_keeps_what_was_earned_and_is_not_paired_any_more():
    event = make_night(players=4, open_round=True).event
    gone, there = match_at(event, 1).numbers

    arrange(event, gone, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.CONCEDES), left=35)

    scores = state_of(event).last_round.scores
    assert [(scores[n].battle_points, scores[n].fleet_points) for n in (gone, there)] == [(1, 65), (2, 100)]
    assert event.entrants.get(number=gone).dropped_from == 2


def test_the_player_with_the_bye_takes_the_place_of_one_who_went_home():
    event = make_night(players=5, open_round=True).event
    bye, gone = bye_of(event), match_at(event, 1).a.number
    there = match_at(event, 1).b.number

    shown = arrange(event, gone, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.REPLACED))

    names = state_of(event).names
    assert in_english(shown.tables) == (
        Compared(
            "Round 1, table 1",
            TableAtMoment(f"{names[gone]} against {names[there]}", ""),
            TableAtMoment(f"{names[bye]} against {names[there]}", ""),
        ),
        Compared("Round 1, bye", TableAtMoment(names[bye], ""), None),
    )
    assert match_at(event, 1).numbers == (bye, there)


def test_who_gave_a_seat_away_stays_in_the_record_so_that_the_step_can_be_taken_back():
    event = make_night(players=5, open_round=True).event
    gone, before = match_at(event, 1).a.number, stored_rows(event)
    arrange(event, gone, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.REPLACED))

    name = state_of(event).names[gone]
    with refused(f"{name} was paired in a round that can be restored. Drop {name} instead."):
        entrants.remove(event, gone, by=BY)

    undo(event)
    assert stored_rows(event) == before


def test_a_table_where_something_was_reported_is_not_taken_from_its_players():
    event = make_night(players=5, open_round=True).event
    gone, there = match_at(event, 1).numbers
    reports.report(event, 1, there, Played(Ending.TIME, (Side(40), Side(60))), by=BY)

    keys = [option.key for option in options_of(state_of(event), gone)]

    assert keys == ["leaves-after", "gone-concedes"]


def test_who_comes_after_being_given_up_plays_after_all():
    event = make_night(players=4, open_round=True).event
    late, there = match_at(event, 1).numbers
    arrange(event, late, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.NO_SHOW))

    arrange(event, late, ArrivalOption(Moment.RETURNS, ArrivalWay.REOPEN))

    match = match_at(event, 1)
    assert (match.numbers, match.state) == ((late, there), "playing")
    assert event.entrants.get(number=late).dropped_from is None


def test_with_two_players_one_who_leaves_ends_the_pairing_and_the_desk_says_so():
    event = make_night(players=2, rounds=1).event

    shown = arrange(event, 1, ArrivalOption(Moment.DROPS_LATER, ArrivalWay.AFTER))

    assert in_english(shown.sentences) == ("Only one player would be left for round 2, so it could not be paired.",)
    assert not shown.is_kept


def test_of_two_players_in_a_draft_none_is_left_alone_with_the_bye():
    event = make_night(players=2).event
    draft(event)

    with refused("Round 1 would have only one player left. Discard the draft instead."):
        arrivals.preview(event, Decision(1, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.OPPONENT_BYE)), by=BY)


def test_who_has_a_penalty_in_the_round_keeps_the_seat_of_it():
    event = make_night(players=5, open_round=True).event
    gone, bye = match_at(event, 1).a.number, bye_of(event)
    for number in (gone, bye):
        penalties.penalize(event, 1, number, fleet_points=-10, reason="late", by=BY)

    for number, way in ((gone, ArrivalWay.REPLACED), (bye, ArrivalWay.OUT)):
        name = state_of(event).names[number]
        with refused(f"{name} has a penalty in round 1. Remove it first."):
            arrange(event, number, ArrivalOption(Moment.DROPS_NOW, way))


def test_the_battle_in_which_the_token_was_spent_is_not_given_to_somebody_else():
    event = make_night(players=5, open_round=True).event
    gone, there = match_at(event, 1).numbers
    facts = {"kind": "granted", "number": 1, "by_name": "test", "at": BY.at}
    holder = event.entrants.get(number=there)
    TokenLine.objects.create(event=event, entrant=holder, here=[1], **facts)
    TokenLine.objects.create(event=event, entrant=holder, round=1, **facts | {"kind": "spent", "number": 2})

    ways = {option.way for option in options_of(state_of(event), gone)}

    assert ways == {ArrivalWay.AFTER, ArrivalWay.CONCEDES}
