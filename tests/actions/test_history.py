"""Undo and redo over the real actions: a step back leads to the state before, and the history adds up."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection

from scoring.shipped import shipped_pack
from tests.support.nights import BY, Night, make_night
from tests.support.saying import in_english
from tests.support.tables import eliminated, enter
from tests.support.undoing import redo, undo
from tourney.actions import entrants, events, history, rounds, simulation
from tourney.actions.record import Stale
from tourney.models import (
    Entrant,
    Event,
    Match,
    Penalty,
    PlayedSheet,
    PlayerReport,
    Result,
    Roll,
    RollOff,
    Round,
    Seat,
    SheetCheck,
    Store,
    Wish,
)
from tourney.queries.history import (
    ADDED,
    MODELS,
    UNTRACKED_COLUMNS,
    added,
    differences,
    history_of,
    rows_at,
    snapshots_of,
    state_at,
    stored_rows,
)
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


HIDDEN = """
    SELECT tgname::text, tgrelid::regclass::text, (string_to_array(encode(tgargs, 'escape'), '\\000'))[1:tgnargs]
    FROM pg_trigger WHERE tgname IN ('note_insert', 'note_update', 'note_delete') AND tgenabled = 'O'
"""


def test_every_step_of_a_night_can_be_taken_back_and_done_again():
    event = make_night(players=5, rounds=2, finish=True).event
    there, undone = [stored_rows(event)], []
    while history_of(event).last:
        undone.append(undo(event))
        there.append(stored_rows(event))

    back, again = there[-1:], []
    while history_of(event).next:
        again.append(redo(event))
        back.append(stored_rows(event))

    assert (again, back) == (undone[::-1], there[::-1])
    assert differences(event) == []


def test_what_is_done_anew_ends_doing_again():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, eliminated())
    undo(event)

    enter(event, 2, eliminated())

    assert history_of(event).next is None


def test_only_the_step_that_was_seen_is_taken_back():
    event = make_night(players=4, open_round=True).event
    seen = history_of(event).last
    enter(event, 1, eliminated())

    with pytest.raises(Stale, match="Since then, this was done: Round 1, table 1"):
        history.undo(event, seen.pk, by=BY)

    assert Result.objects.filter(match__round__event=event).count() == 1


def test_two_who_take_the_same_step_back_take_back_one():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, eliminated())
    seen = history_of(event).last
    history.undo(event, seen.pk, by=BY)

    with pytest.raises(Stale, match="This step has already been undone"):
        history.undo(event, seen.pk, by=BY)
    history.redo(event, seen.pk, by=BY)
    with pytest.raises(Stale, match="This step has already been redone"):
        history.redo(event, seen.pk, by=BY)

    assert history_of(event).last == seen


def test_going_back_leads_to_the_tables_of_then_and_is_a_step_like_others():
    event = make_night(players=5, rounds=2).event
    now, then = stored_rows(event), snapshots_of(event)[-3]
    tables = {"tourney_round", "tourney_match", "tourney_seat", "tourney_result", "tourney_throw"}

    history.restore(event, then, by=BY, reason="the wrong round was closed")
    after = stored_rows(event)
    undo(event)

    assert {key: row for key, row in after.items() if key[0] in tables} == {
        key: row for key, row in rows_at(event, then).items() if key[0] in tables
    }
    assert (stored_rows(event), differences(event)) == (now, [])


def test_a_late_player_stays_registered_when_the_event_goes_back():
    event = make_night(players=4, open_round=True).event
    drafted = snapshots_of(event)[-1]
    entrants.register(event, [("Tern", "Klingon")], by=BY)

    history.restore(event, drafted, by=BY, reason="not yet")

    assert [str(entrant) for entrant in event.entrants.all()][-1] == "Tern"


def version_of(event: Event) -> int:
    return Event.objects.get(pk=event.pk).version


def test_6_1_a_month_after_notices_that_the_last_one_is_played_or_not_with_every_step_back():
    """Its pages name whose token it is; the first closed round makes this month the last one."""
    night = make_night(players=4, open_round=True, tables=2)
    later = month_after(night)
    seen, moved = version_of(later), []
    for step in (
        lambda: rounds.close_round(night.event, 1, by=BY),
        lambda: undo(night.event),
        lambda: redo(night.event),
        lambda: history.restore(night.event, night.event.journal.get(did="publish_round"), by=BY, reason="a storm"),
        lambda: undo(night.event),
    ):
        step()
        moved.append(version_of(later) > seen)
        seen = version_of(later)

    assert moved == [True] * 5


def test_a_month_after_notices_nothing_of_a_step_back_that_it_does_not_show():
    night = make_night(players=4, open_round=True, tables=1)
    later = month_after(night)
    seen = version_of(later)

    undo(night.event)

    assert version_of(later) == seen


def test_the_screens_of_another_campaign_notice_that_the_next_event_is_finished_or_not():
    """A finished month names the one that comes next at the store."""
    shown = make_night(players=4, rounds=3, finish=True)
    other = events.make_campaign(shown.store, storyline="The Temporal Cold War", by=BY)
    starts = shown.event.starts_at + timedelta(days=7)
    event = events.make_event(other, shipped_pack("dominion-war-5"), starts_at=starts, sp_limit=100, by=BY)
    by = simulation.arrive(event, 4, random=Random(1), by=BY)
    by = simulation.draw(event, random=Random(1), by=by)
    simulation.play_round(event, random=Random(1), by=by)
    seen, moved = version_of(shown.event), []
    for step in (
        lambda: events.finish_event(event, by=BY, reason="the shop closes"),
        lambda: undo(event),
        lambda: redo(event),
        lambda: events.reopen_event(event, by=BY, reason="too early"),
    ):
        step()
        moved.append(version_of(shown.event) > seen)
        seen = version_of(shown.event)

    assert moved == [True] * 4


def month_after(night: Night) -> Event:
    pack, starts = shipped_pack("dominion-war-5"), night.event.starts_at + timedelta(days=28)
    return events.make_event(night.campaign, pack, starts_at=starts, sp_limit=100, by=BY)


def test_the_event_of_then_has_the_ranks_of_then():
    event = make_night(players=6, rounds=1).event
    closed, before = snapshots_of(event)[0], state_of(event)
    simulation.draw(event, random=Random(1), by=BY)
    simulation.play_round(event, random=Random(1), by=BY)

    then = state_at(event, closed)

    assert (then.standings(1), then.next_step) == (before.standings(1), before.next_step)


def test_the_triggers_leave_out_what_the_queries_leave_out():
    with connection.cursor() as cursor:
        cursor.execute(HIDDEN)
        hidden = {(trigger, table): columns for trigger, table, columns in cursor.fetchall()}

    assert hidden == {
        (trigger, model._meta.db_table): list(UNTRACKED_COLUMNS.get(model, ()))
        for model in MODELS
        for trigger in ("note_insert", "note_update", "note_delete")
    }


# columns that come later

SEALED = {
    Event: (
        "id campaign_id slug name pack_id sp_limit rounds_planned minutes starts_at registration_open "
        "fleets_shown fleets_must_be_legal reported_by accept_after announcements tables other_tables prizes "
        "join_word finished_at"
    ),
    Entrant: "id event_id number faction checked_in dropped_from registered_at by_self",
    Round: "id event_id number state seed relaxed by_hand published_at closed_at ends_at paused_left",
    Match: "id round_id table moved_from reason by_hand",
    Seat: "id match_id round_id entrant_id side destroyed played_sheet",
    Result: (
        "id ending out condition condition_side sp_left_a sp_left_b tallies_a tallies_b match_id version "
        "adjustment_a adjustment_b ruling sp_ruling entered_by entered_at"
    ),
    Penalty: "id round_id entrant_id battle_points fleet_points reason given_by given_at",
    RollOff: "id round_id kind group",
    Roll: "id roll_off_id number counts faces seed",
    PlayerReport: "id ending out condition condition_side sp_left_a sp_left_b tallies_a tallies_b seat_id words at",
    Wish: "id seat_id kind at answer words",
    SheetCheck: "id seat_id state line words on_paper by_name at",
    PlayedSheet: "id event_id data",
}
"""The columns of each table when the history was sealed, or later, when the table was made.

Whoever adds one to a table adds it to `ADDED`, not here.
"""


def test_every_column_is_of_the_sealed_history_or_said_to_be_added_since():
    columns = {
        model: {field.column for field in model._meta.concrete_fields} - {*UNTRACKED_COLUMNS.get(model, ())}
        for model in MODELS
    }
    since = {model: set(ADDED.get(model._meta.db_table, ())) for model in MODELS}

    assert {model: columns[model] - since[model] for model in MODELS} == {
        model: set(names.split()) for model, names in SEALED.items()
    }


def test_what_was_added_since_is_a_column_that_the_history_keeps():
    assert added((Event, "name", ""), (Event, "minutes", 1), (Result, "out", "")) == {
        "tourney_event": {"name": "", "minutes": 1},
        "tourney_result": {"out": ""},
    }
    for model, column in ((Event, "nam"), (Event, "version"), (Store, "name")):
        with pytest.raises(LookupError, match=f"“{column}” is no column of the history of {model.__name__}"):
            added((model, column, ""))


def test_an_old_history_goes_on_with_columns_that_were_added_since(monkeypatch):
    """As a migration adds them: with a default, which changes no row and so writes no history."""
    event = make_night(players=5, rounds=1, open_round=True).event
    connection.check_constraints()  # no trigger waits for its transaction, as none does when one migrates
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tourney_event ADD COLUMN mood text NOT NULL DEFAULT 'calm'")
        cursor.execute("ALTER TABLE tourney_match ADD COLUMN lamp integer NOT NULL DEFAULT 7")
    without = {difference.table for difference in differences(event)}
    monkeypatch.setitem(ADDED, "tourney_event", {"mood": "calm"})
    monkeypatch.setitem(ADDED, "tourney_match", {"lamp": 7})
    there = stored_rows(event)

    proved, steps = differences(event), 0
    while history_of(event).last:
        undo(event)
        steps += 1
    before = differences(event)
    while history_of(event).next:
        redo(event)

    assert without == {"tourney_event", "tourney_match"}
    assert (proved, before, differences(event)) == ([], [], [])
    assert steps > 5
    assert {key: row for key, row in stored_rows(event).items() if key[0] == "tourney_match"} == {
        key: row for key, row in there.items() if key[0] == "tourney_match"
    }
    assert state_at(event, snapshots_of(event)[0]).names == state_of(event).names


def test_restoring_again_and_again_says_once_what_the_event_goes_back_to():
    event = make_night(players=4, rounds=2).event
    steps = snapshots_of(event)[-3:-1]
    for turn in range(24):
        history.restore(event, steps[turn % 2], by=BY, reason="again")
        steps[turn % 2] = event.journal.latest("pk")

    said = event.journal.latest("pk").message

    assert in_english(said).count("Restored:") == 1
    assert differences(event) == []
