"""Steps of different kinds after one another: none spoils what another one did."""

import pytest

from tests.support.arriving import arrange
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.tables import match_at
from tests.support.undoing import undo
from tourney.actions import by_hand, entrants, history, penalties, rounds, tables
from tourney.actions.repairs import repair_round
from tourney.domain.arrivals import ArrivalOption, Moment
from tourney.domain.arrivals import ArrivalWay as ToGo
from tourney.domain.by_hand import Spot
from tourney.models import JournalEntry
from tourney.queries.history import stored_rows
from tourney.queries.repairs import Repair, RepairMode
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def test_who_comes_to_a_table_that_moved_before_is_not_told_to_have_moved_with_it():
    event = make_night(players=7, open_round=True).event
    tables.move_table(event, 1, 1, 9, by=BY)
    tables.move_table(event, 1, 2, 8, by=BY)
    before = stored_rows(event)

    places = (match_at(event, 9).a.number, match_at(event, 3).a.number)
    repair_round(event, 1, Repair(RepairMode.HAND, places=places), reason="brothers", by=BY)
    arrange(event, match_at(event, 8).a.number, ArrivalOption(Moment.DROPS_NOW, ToGo.REPLACED))

    assert [(match.table, match.row.moved_from) for match in state_of(event).last_round.matches] == [
        (3, None),
        (8, None),
        (9, None),
    ]
    undo(event)
    undo(event)
    assert stored_rows(event) == before


@pytest.mark.parametrize("move", ["nobody sits", "one has the bye"])
def test_a_round_in_which_nobody_plays_is_not_published(move):
    event = make_night(players=2).event
    rounds.pair_round(event, seed=1, by=BY)
    if move == "nobody sits":
        by_hand.unpair_table(event, 1, 1, reason="the last bus", by=BY)
        entrants.drop(event, 1, by=BY)
    else:
        by_hand.place(event, 1, 1, Spot.BYE, reason="the last bus", by=BY)
    entrants.drop(event, 2, by=BY)

    with refused("No one plays in round 1. Pair two players, or discard the draft."):
        rounds.publish_round(event, 1, by=BY)


def test_a_night_of_every_kind_of_step_goes_back_and_forth_as_a_whole():
    event = make_night(players=5, open_round=True).event
    penalized = match_at(event, 2).a.number
    tables.move_table(event, 1, 1, 9, by=BY)
    penalties.penalize(event, 1, penalized, fleet_points=-10, reason="late", by=BY)
    arrange(event, match_at(event, 9).a.number, ArrivalOption(Moment.DROPS_NOW, ToGo.REPLACED))
    full = stored_rows(event)

    for did in ("publish_round", "pair_round"):
        entry = JournalEntry.objects.filter(event=event, did=did).get()
        history.restore(event, entry, by=BY, reason="a storm")
        assert state_of(event).last_round.penalties == ()
    rounds.discard_draft(event, 1, by=BY)
    for _ in range(3):
        undo(event)

    assert stored_rows(event) == full
