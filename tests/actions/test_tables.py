"""Rule 3.11: tables with names and needs, and a match that goes to another one."""

from random import Random

import pytest

from tests.support.corrected import do, night_in_round, turned
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.saying import in_english
from tests.support.tables import eliminated, enter, on_time
from tourney.actions import arrivals, entrants, history, rounds, simulation, tables
from tourney.actions.arrivals import Decision
from tourney.actions.corrections import Rearranging, foreseen
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.domain.tables import Needs, Table
from tourney.models import Entrant, Event, JournalEntry
from tourney.queries.by_hand import board_of
from tourney.queries.history import differences, stored_rows
from tourney.queries.repairs import Repair
from tourney.queries.repairs import RepairMode as Anew
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

ROOM = [Table(1), Table(2, near_door=True), Table(3, closed=True), Table(4, "The corner", quiet=True), Table(5)]


def drafted(event: Event) -> dict[int | None, tuple[int, ...]]:
    rounds.pair_round(event, seed=7, by=BY)
    return seating(event)


def seating(event: Event) -> dict[int | None, tuple[int, ...]]:
    return {match.table: match.numbers for match in state_of(event).last_round.matches}


def entrant(event: Event, number: int) -> Entrant:
    return event.entrants.select_related("player").get(number=number)


def put(event: Event, room: list[Table], other_tables: bool = False) -> None:
    """The room is so, and the event knows it."""
    tables.change_tables(event, room, other_tables, by=BY)
    event.refresh_from_db(fields=["tables", "other_tables"])


def need(event: Event, number: int, **needs) -> None:
    tables.change_needs(entrant(event, number).player, Needs(**needs), by=BY)


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).latest("pk")


def test_where_nothing_is_said_the_tables_are_numbered_from_the_top():
    assert [*drafted(make_night(players=7).event)] == [1, 2, 3, None]


def test_a_draft_is_seated_by_the_room_and_by_what_players_need():
    event = make_night(players=8).event
    put(event, ROOM)
    need(event, 1, quiet=True)
    need(event, 2, near_door=True)

    drafted(event)

    state = state_of(event)
    assert {match.table for match in state.last_round.tables} == {1, 2, 4, 5}
    assert str(state.last_round.match_of(1).place) == "Table 4, The corner"
    assert str(state.last_round.match_of(2).place) == "Table 2"


def test_a_fixed_table_stays_free_while_its_player_is_away():
    event = make_night(players=6).event
    need(event, 1, fixed=2)
    entrants.drop(event, 1, by=BY)
    entrants.drop(event, 2, by=BY)

    assert [*drafted(event)] == [1, 3]


def test_a_fixed_table_stays_free_while_its_player_has_the_bye():
    event = make_night(players=5).event
    (alone,) = drafted(event)[None]
    rounds.discard_draft(event, 1, by=BY)
    need(event, alone, fixed=1)

    assert [*drafted(event)] == [2, 3, None]


def test_a_fixed_table_that_is_vacated_stays_free_for_who_comes_late_and_is_there_for_who_comes_back():
    """Rule 3.11: it is kept as long as its player is registered, who may come back in any round."""
    event = make_night(players=5).event
    put(event, [Table(number) for number in (1, 2, 3, 4)])
    need(event, 1, fixed=1)
    entrants.drop(event, 1, by=BY)
    drafted(event)
    rounds.publish_round(event, 1, by=BY)
    late = [one.number for one in entrants.register(event, [("Tern", ""), ("Heron", "")], by=BY).entrants]

    together = Decision(late[0], ArrivalOption(Moment.ARRIVES, ArrivalWay.TOGETHER, late[1]), "came with the same bus")
    arrivals.arrange(event, together, expected=arrivals.preview(event, together, by=BY).fingerprint, by=BY)

    assert sorted(table for table in seating(event)) == [2, 3, 4]
    entrants.bring_back(event, 1, by=BY)
    for table in (2, 3, 4):
        enter(event, table, on_time(60 + table, 20 + 5 * table))
    rounds.close_round(event, 1, by=BY)
    drafted(event)
    assert {match.table for match in state_of(event).last_round.matches if 1 in match.numbers} <= {1, None}


def test_a_fixed_table_is_given_to_others_before_they_sit_at_one_that_the_store_has_not():
    event = make_night(players=6).event
    put(event, [Table(1), Table(2)])
    need(event, 1, fixed=2)
    for number in (1, 2):
        entrants.drop(event, number, by=BY)

    assert [*drafted(event)] == [1, 2]


def test_a_removed_registration_keeps_no_table():
    event = make_night(players=4).event
    (gone,) = entrants.register(event, [("Tern", "")], by=BY).entrants
    need(event, gone.number, fixed=1)
    kept = [*drafted(event)]
    rounds.discard_draft(event, 1, by=BY)
    entrants.remove(event, gone.number, by=BY)

    assert (kept, [*drafted(event)]) == ([2, 3], [1, 2])


@pytest.mark.many
@pytest.mark.parametrize("number", range(1, 9))
def test_who_has_a_fixed_table_stays_there_when_the_round_is_paired_anew(number):
    """With an even number every table can change opponents either way round."""
    event = night_in_round(2, 8).event
    table = state_of(event).last_round.match_of(number).table
    need(event, number, fixed=table)

    do(event, turned(), Repair(Anew.ALL))

    assert state_of(event).last_round.match_of(number).table == table


def test_who_loses_a_fixed_table_by_hand_is_named_before_it_is_done():
    event = night_in_round(2, 4).event
    first, second = seating(event)[1][0], seating(event)[2][0]
    need(event, first, fixed=1)
    swap = Rearranging(2, "brothers")

    effect = foreseen(state_of(event), swap, Repair(Anew.HAND, places=(first, second)), by=BY)

    assert f"Table 2: {entrant(event, first)} always sits at table 1." in in_english(effect.broken)


def test_nobody_sits_twice_at_the_same_table_where_that_can_be_avoided():
    event = make_night(players=8).event
    put(event, [Table(number) for number in range(1, 9)], True)
    sat: dict[int, list[int]] = {}
    for _ in range(3):
        play(event)
    for round in state_of(event).rounds:
        for match in round.tables:
            for number in match.numbers:
                sat.setdefault(number, []).append(match.table)

    assert all(len({*seats}) == 3 for seats in sat.values())


def play(event: Event) -> None:
    by = simulation.draw(event, random=Random(1), by=BY)
    simulation.play_round(event, random=Random(1), by=by)


def test_the_next_event_of_the_store_begins_with_the_tables_of_the_last_one():
    night = make_night(players=0)
    tables.change_tables(night.event, ROOM, True, by=BY)

    other = make_night(players=0, pack="dominion-war-5", store=night.store).event

    night.event.refresh_from_db()
    assert (other.tables, other.other_tables) == (night.event.tables, True)


def test_what_a_player_needs_is_in_no_journal():
    event = make_night(players=4).event
    vor = entrant(event, 1).player

    tables.change_needs(vor, Needs(fixed=3, quiet=True), by=BY)

    entry = JournalEntry.objects.latest("pk")
    assert (entry.what, entry.before, entry.after) == (f"{vor}’s table needs changed.", None, None)


def test_needs_that_a_table_does_not_meet_are_said_before_it_is_published():
    event = make_night(players=4).event
    put(event, ROOM)
    drafted(event)
    first = seating(event)[1][0]
    need(event, first, fixed=4, quiet=True)

    state = state_of(event)
    assert in_english(board_of(state, state.last_round).warnings[1]) == [
        f"{state.names[first]} always sits at table 4.",
        f"{state.names[first]} needs a quiet table.",
    ]


def test_a_match_changes_tables_with_another_one_and_both_know_from_where():
    event = make_night(players=6, open_round=True).event
    before, rows = seating(event), stored_rows(event)

    tables.move_table(event, 1, 1, 3, by=BY)

    state = state_of(event)
    assert seating(event) == {1: before[3], 2: before[2], 3: before[1]}
    assert [match.row.moved_from for match in state.last_round.tables] == [3, None, 1]
    history.undo(event, last_entry(event).pk, by=BY)
    assert stored_rows(event) == rows
    assert differences(event) == []


def test_who_comes_back_to_the_published_table_has_not_moved():
    event = make_night(players=4, open_round=True).event

    tables.move_table(event, 1, 1, 9, by=BY)
    tables.move_table(event, 1, 9, 1, by=BY)

    assert [(match.table, match.row.moved_from) for match in state_of(event).last_round.tables] == [
        (1, None),
        (2, None),
    ]


def test_in_a_draft_nobody_has_moved_from_anywhere():
    event = make_night(players=4).event
    drafted(event)

    tables.move_table(event, 1, 1, 2, by=BY)

    assert {match.row.moved_from for match in state_of(event).last_round.tables} == {None}


def test_a_result_goes_with_its_players():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, eliminated())
    winner = state_of(event).last_round.match_at(1).winner

    tables.move_table(event, 1, 1, 2, by=BY)

    assert state_of(event).last_round.match_at(2).winner == winner


@pytest.mark.parametrize(
    ("table", "to", "sentence"),
    [
        (9, 1, "There’s no table 9 in round 1."),
        (1, 1, "They’re already at table 1."),
        (1, 3, "Table 3 isn’t in use tonight. Choose another, or open it under Tables."),
        (1, 1000, "Table 1000 isn’t in use tonight. Choose another, or open it under Tables."),
    ],
)
def test_a_match_goes_only_where_there_is_a_table(table, to, sentence):
    event = make_night(players=4, open_round=True).event
    tables.change_tables(event, ROOM, False, by=BY)
    before = seating(event)

    with refused(sentence):
        tables.move_table(event, 1, table, to, by=BY)

    assert seating(event) == before


def test_the_tables_of_a_closed_round_stay():
    event = make_night(players=4, rounds=1).event

    with refused("Round 1 is closed, so its tables can’t change."):
        tables.move_table(event, 1, 1, 5, by=BY)


def test_a_finished_event_keeps_its_room():
    event = make_night(players=4, rounds=3, finish=True).event

    with refused("The event is finished. Reopen it first."):
        tables.change_tables(event, ROOM, False, by=BY)
