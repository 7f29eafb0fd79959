"""Corrections of finished events, and rounds that are paired anew by themselves."""

from dataclasses import replace

import pytest

from tests.support.corrected import ALL, FEWEST, do, night_in_round, tables, turned
from tests.support.nights import BY, make_night
from tests.support.saying import in_english
from tests.support.tables import eliminated, enter, on_time
from tests.support.undoing import undo
from tourney.actions import events, results, rounds
from tourney.actions.corrections import Correction, foreseen
from tourney.actions.record import Actor, Refused, Stale
from tourney.actions.repairs import repair_round
from tourney.models import Event
from tourney.queries.history import stored_rows
from tourney.queries.repairs import BYE, Repair, RepairMode
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# finished events


def test_a_corrected_final_rank_is_final_at_once_and_names_who_is_admiral_now():
    event = night_in_round(3, 4, publish=False).event
    rounds.publish_round(event, 3, by=BY)
    for table in (1, 2):
        enter(event, table, on_time(60 + table, 20 + 7 * table), number=3)
    rounds.close_round(event, 3, by=BY)
    events.finish_event(event, by=BY)
    event.refresh_from_db()
    before = stored_rows(event)
    admiral = state_of(event).standings(3)[0].id
    match = state_of(event).round(3).match_of(admiral)
    out = match.numbers.index(admiral)
    doing = Correction(3, match.table, results.ResultInput(eliminated(out, left=99)), 1, "the slip was misread")

    effect = foreseen(state_of(event), doing, Repair(), by=BY)
    do(event, doing)

    state = state_of(Event.objects.with_context().get(pk=event.pk))
    assert state.is_finished
    assert f"{state.names[state.standings(3)[0].id]} is Admiral, no longer {state.names[admiral]}." in in_english(
        effect.ends
    )
    undo(event)
    assert stored_rows(event) == before


def test_a_finished_event_whose_ranks_are_tied_by_a_correction_opens_again():
    event = make_night(players=4, rounds=3, finish=True, pack="temporal-cold-war-2").event
    event.refresh_from_db()
    before = stored_rows(event)
    doing = next(filter(None, (opening(event, match) for match in state_of(event).round(3).tables)))

    do(event, doing)

    assert Event.objects.get(pk=event.pk).finished_at is None
    undo(event)
    assert stored_rows(event) == before


def opening(event: Event, match) -> Correction | None:
    """A correction to a level table, which needs dice."""
    return Correction(3, match.table, results.ResultInput(on_time(40, 40)), match.version, "the slip was misread")


# a round by itself


def test_a_published_round_is_paired_anew_by_its_own_page_and_taken_back_in_one_step():
    event = night_in_round(2, 5).event
    do(event, turned())
    before = stored_rows(event)

    repair_round(event, 2, FEWEST, reason="after the correction", by=BY)

    assert tables(event) == {1: frozenset({2, 4}), 2: frozenset({3, 5}), BYE: frozenset({1})}
    assert (undo(event), stored_rows(event) == before) == ("repair_round", True)


def test_3_9_two_change_places_by_hand_with_a_public_mark():
    event = night_in_round(2).event
    before = tables(event)
    first, second = min(before[1]), min(before[2])

    repair_round(event, 2, Repair(RepairMode.HAND, places=(first, second)), reason="they came together", by=BY)

    assert tables(event) == before | {
        1: before[1] - {first} | {second},
        2: before[2] - {second} | {first},
    }
    assert [str(match.why) for match in state_of(event).round(2).tables[:2]] == [
        "Paired by hand: they came together (rule 3.9)."
    ] * 2


@pytest.mark.parametrize(
    ("repair", "words"),
    [
        (FEWEST, "No table has to change: the unstarted tables can’t be paired better"),
        (ALL, "Everyone who can be moved already sits this way"),
        (Repair(RepairMode.HAND, places=(1, 1)), "Choose two players at different tables that haven’t started"),
        (Repair(RepairMode.HAND, places=(1, 99)), "Choose two players at different tables that haven’t started"),
    ],
)
def test_what_would_change_nothing_is_refused(repair, words):
    event = night_in_round(2).event
    before = stored_rows(event)

    with pytest.raises(Refused, match=words):
        repair_round(event, 2, repair, reason="to be sure", by=BY)

    assert stored_rows(event) == before


def test_two_who_change_places_do_not_change_back_when_it_is_pressed_twice():
    event = night_in_round(2).event
    seen = Actor(None, "desk", BY.at, event_version=Event.objects.get(pk=event.pk).version)
    places = min(tables(event)[1]), min(tables(event)[2])
    swap = {"repair": Repair(RepairMode.HAND, places=places), "reason": "brothers", "by": seen}
    repair_round(event, 2, **swap)
    once = stored_rows(event)

    with pytest.raises(Stale, match=r"Not saved\. desk was faster: Round 2 re-paired, two players swapped by hand"):
        repair_round(event, 2, **swap)

    assert stored_rows(event) == once


def test_a_closed_round_and_one_after_a_tied_table_stay_as_they_are():
    event = night_in_round(2).event
    with pytest.raises(Refused, match="Round 1 isn’t open"):
        repair_round(event, 1, ALL, reason="no", by=BY)
    do(event, replace(turned(), report=results.ResultInput(on_time(30, 30))))

    with pytest.raises(Refused, match=r"Table 1 of round 1 is tied\. Roll off there first"):
        repair_round(event, 2, ALL, reason="too early", by=BY)


def test_a_reason_is_asked():
    event = night_in_round(2, 5).event
    do(event, turned())

    with pytest.raises(Refused, match="Give a reason for re-pairing the round"):
        repair_round(event, 2, ALL, reason="", by=BY)
