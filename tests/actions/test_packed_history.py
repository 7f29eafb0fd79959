"""The history of an event that is long over is packed: whoever reads it finds what was there before, and can go on."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from random import Random
from threading import Event as Signal

import pytest
from django.core.management import call_command
from django.db import Error, IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from tests.support.arriving import arrange
from tests.support.at_once import at_once
from tests.support.copied import triggers_off
from tests.support.nights import AT, BY, Night, make_night
from tests.support.refusing import refused
from tests.support.store_archives import archive_of_store, give_back_ids, moved
from tests.support.tables import match_at
from tests.support.undoing import redo, undo
from tourney.actions import (
    entrants,
    events,
    history,
    packed_history,
    penalties,
    rehearsal,
    simulation,
    store_players,
)
from tourney.actions.record import locked
from tourney.actions.store_archive import import_store
from tourney.backups.actions.back_up import back_up_to
from tourney.backups.actions.restore import restore, verify
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.models import Event, JournalEntry, PackedHistory, Player, RowChange, Store
from tourney.queries.archive import archive_of
from tourney.queries.history import (
    changes_in,
    changes_of,
    compare,
    history_of,
    last_step_of,
    lately_done,
    rows_at,
    snapshots_of,
    state_at,
    steps_kept,
    stored_rows,
)
from tourney.queries.integrity import event_problems, store_problems
from tourney.queries.journal_chain import head_of
from tourney.queries.state import state_of
from tourney.queries.store_archive import event_known_as

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(days=800)


@pytest.fixture
def night() -> Night:
    """It is finished, after two rounds with a penalty that names a player, and a step back and forth."""
    return finished_night()


def finished_night(**more) -> Night:
    night = make_night(players=4, rounds=1, open_round=True, **more)
    event, first = night.event, night.event.entrants.get(number=1)
    penalties.penalize(event, 2, 1, reason=f"{first.player.name} was late.", by=BY, fleet_points=-10)
    undo(event)
    redo(event)
    simulation.play_round(event, random=Random(1), by=BY)
    events.finish_event(event, by=BY, reason="the shop closes")
    commit()
    return replace(night, event=fresh(event))


@pytest.fixture
def ids_are_given_back(db: None) -> Iterator[None]:
    yield
    give_back_ids()


def commit() -> None:
    """What a commit does beside keeping: the deferred triggers write the chain."""
    connection.check_constraints()


def fresh(event: Event) -> Event:
    return Event.objects.with_context().get(pk=event.pk)


def packed(event: Event, before: datetime = LATER) -> PackedHistory:
    assert packed_history.pack(fresh(event), before)
    commit()
    return PackedHistory.objects.get(event=event)


def execute(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def rows_of(event: Event) -> list[dict]:
    return list(RowChange.objects.filter(event=event).order_by("pk").values())


def problems(store: Store, *known) -> list[str]:
    commit()
    there = Event.objects.with_context().filter(campaign__store=store).order_by("pk")
    found = store_problems(store, there, known) + [one for event in there for one in event_problems(event)]
    return [sentence.in_english() for sentence in found]


# reading


def pages(night: Night) -> list[str]:
    """What the desk shows of the history, without what is another with each visit."""
    desk, event = Client(), night.event
    desk.force_login(night.owner)
    moments = [reverse("snapshot", args=[event.slug, entry.pk]) for entry in snapshots_of(event)]
    plain = [reverse(name, args=[event.slug]) for name in ("desk", "history", "journal")]
    more = [f"{reverse('history', args=[event.slug])}?prove", f"{moments[0]}?with={snapshots_of(event)[-1].pk}"]
    bodies = [desk.get(page).content.decode() for page in (*plain, *moments, *more)]
    return [re.sub(r'(csrfmiddlewaretoken|"X-CSRFToken")(" value=|: )"[^"]*"', "", body) for body in bodies]


def answers(night: Night) -> dict[str, object]:
    """All that is asked of the history of the event, and of its store."""
    event = fresh(night.event)
    said = StringIO()
    call_command("prove_history", stdout=said)
    entries, now = list(event.journal.order_by("pk")), state_of(event)
    return {
        "the steps": history_of(event),
        "those that are kept": list(steps_kept(event)),
        "the last one": last_step_of(event),
        "what was done lately": lately_done(event, 5),
        "what each changed": [changes_in(entry) for entry in entries],
        "the rows after each": [rows_at(event, entry) for entry in entries],
        "the rows": rows_at(event),
        "the changes": [(one.pk, one.entry_id, one.transaction, one.table, one.row) for one in changes_of(event)],
        "the event as it was": [compare(state_at(event, entry), now) for entry in snapshots_of(event)],
        "who was seated": [entrants.may_be_seated_again(one) for one in event.entrants.order_by("number")],
        "whether it adds up": (problems(night.store, head_of(night.store)), said.getvalue()),
        "its archive": archive_of(event),
        "the archive of the store": archive_of_store(night.store),
        "its pages": pages(night),
    }


def test_whoever_reads_a_packed_history_finds_what_was_there_before(night: Night):
    before, rows = answers(night), RowChange.objects.filter(event=night.event).count()

    found = packed(night.event)

    assert not RowChange.objects.filter(event=night.event).exists()
    assert len(found.lines.split("\n")) == rows > 30
    after = answers(night)
    assert [what for what in before if after[what] != before[what]] == []
    assert before["whether it adds up"][0] == []


def test_unpacked_it_is_what_it_was_before_row_by_row(night: Night):
    before = rows_of(night.event)

    packed(night.event).delete()
    commit()

    assert rows_of(night.event) == before
    assert problems(night.store) == []


def test_it_takes_a_fraction_of_the_room(night: Night):
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(pg_column_size(c.*)) FROM tourney_change c WHERE event_id = %s", [night.event.pk])
        (before,) = cursor.fetchone()
        packed(night.event)
        cursor.execute("SELECT pg_column_size(lines) + pg_column_size(entries) FROM tourney_packed_history")
        (after,) = cursor.fetchone()

    assert after < before / 3


# going on


def test_a_packed_event_is_undone_and_corrected_and_packed_again_with_what_came_since(night: Night):
    event, first = night.event, packed(night.event)
    before = [one.pk for one in changes_of(event)]
    rows = stored_rows(event)

    undo(event)
    undone = stored_rows(event)
    redo(event)
    again = stored_rows(event)
    while history_of(fresh(event)).last:
        undo(event)
    commit()

    assert (undone != rows, again == rows) == (True, True)
    assert problems(night.store, head_of(night.store)) == []
    since = list(RowChange.objects.filter(event=event).values_list("pk", flat=True))
    assert [one.pk for one in changes_of(event)] == before + sorted(since)
    assert first == PackedHistory.objects.get()
    while history_of(fresh(event)).next:
        redo(event)
    commit()
    kept = [one.pk for one in changes_of(event)]
    packed(event)
    assert [one.pk for one in changes_of(event)] == kept
    assert not RowChange.objects.filter(event=event).exists()
    assert problems(night.store) == []


def test_who_gave_a_seat_away_before_it_was_packed_stays_in_the_record():
    event = make_night(players=5, open_round=True).event
    gone = match_at(event, 1).a
    arrange(event, gone.number, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.REPLACED))
    before = {one.number: entrants.may_be_seated_again(one) for one in event.entrants.all()}
    commit()

    PackedHistory.objects.create(event=event)

    assert {one.number: entrants.may_be_seated_again(one) for one in event.entrants.all()} == before
    assert {*before.values()} == {True, False}
    with refused(f"{gone} was paired in a round that can be restored. Drop {gone} instead."):
        entrants.remove(event, gone.number, by=BY)


# what the database refuses


def test_changes_that_are_in_no_pack_are_not_deleted(night: Night):
    with pytest.raises(IntegrityError, match="The history of an event is kept"), transaction.atomic():
        execute("DELETE FROM tourney_change WHERE event_id = %s", night.event.pk)
    with pytest.raises(IntegrityError, match="The history of an event is kept"), transaction.atomic():
        execute("DELETE FROM tourney_change WHERE id = (SELECT max(id) FROM tourney_change)")

    assert RowChange.objects.filter(event=night.event).exists()


OTHERWISE = (
    "replace(lines, '\"id\": ', '\"id\": 1')",
    'replace(lines, \'"faction": "\', \'"faction": "The \')',
    "replace(lines, '\"entry_id\": ', '\"entry_id\": 1')",
    "substr(lines, strpos(lines, E'\\n') + 1)",
)


@pytest.mark.parametrize("lines", ["lines", *OTHERWISE])
def test_changes_are_deleted_only_where_each_is_in_the_pack_as_it_was(night: Night, lines: str):
    """Somebody who can do it puts them beside what was packed, and changes that."""
    rows = rows_of(night.event)
    packed(night.event)
    with triggers_off():
        RowChange.objects.bulk_create(RowChange(**row) for row in rows)
        execute(f"UPDATE tourney_packed_history SET lines = {lines}")

    def delete() -> None:
        with transaction.atomic():
            execute("DELETE FROM tourney_change WHERE event_id = %s", night.event.pk)

    if lines == "lines":
        delete()
    else:
        with pytest.raises(IntegrityError, match="The history of an event is kept"):
            delete()
    assert RowChange.objects.filter(event=night.event).exists() == (lines != "lines")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tourney_packed_history SET lines = replace(lines, 'Klingon', 'Romulan')",
        "UPDATE tourney_packed_history SET event_id = event_id + 1",
        "TRUNCATE tourney_packed_history",
    ],
)
def test_nobody_changes_what_was_packed(night: Night, statement: str):
    packed(night.event)

    with pytest.raises(IntegrityError, match="A packed history is kept"), transaction.atomic():
        execute(statement)


def test_a_pack_says_what_the_changes_say_whatever_it_is_made_of(night: Night):
    expected = [(one.pk, one.before, one.after) for one in changes_of(night.event)]

    PackedHistory.objects.create(event=night.event, lines='{"id": 1}')
    commit()

    assert [(one.pk, one.before, one.after) for one in changes_of(night.event)] == expected


def test_what_is_not_chained_yet_is_packed_the_next_time(night: Night):
    undo(night.event)
    redo(night.event)

    PackedHistory.objects.create(event=night.event)

    last = night.event.journal.order_by("pk").last()
    assert not last.links.exists()
    assert {row.entry_id for row in RowChange.objects.filter(event=night.event)} == {last.pk}
    assert problems(night.store) == []
    packed(night.event)
    assert not RowChange.objects.filter(event=night.event).exists()
    assert problems(night.store) == []


def test_what_has_no_entry_stays_and_is_found_as_before(night: Night):
    commit()
    execute("UPDATE tourney_entrant SET faction = 'Borg' WHERE event_id = %s AND number = 1", night.event.pk)
    before = problems(night.store)

    packed(night.event)

    assert RowChange.objects.get(event=night.event).entry is None
    assert problems(night.store) == before
    assert before != []


# tampering


TAMPERED = {
    "a value": 'replace(lines, \'"faction": "\', \'"faction": "The \')',
    "a line is gone": "regexp_replace(lines, E'[^\\n]*tourney_penalty[^\\n]*\\n', '')",
    "a line twice": "lines || E'\\n' || split_part(lines, E'\\n', 1)",
    "an entry": "replace(lines, '\"entry_id\": {first}', '\"entry_id\": {last}')",
    "no entry": "replace(lines, '\"entry_id\": {first}', '\"entry_id\": 1')",
    "an entry of another store": "lines || E'\\n' || {forged}",
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_is_changed_in_a_pack_past_the_triggers_is_found(night: Night, how: str):
    other = make_night(players=2)
    commit()
    entries = packed(night.event).entries
    elsewhere = JournalEntry.objects.filter(store=other.store).last()
    forged = f"""jsonb_build_object('id', 1, 'event_id', {night.event.pk}, 'entry_id', {elsewhere.pk}, 'transaction', 1,
        'table', 'tourney_entrant', 'row', 1, 'before', '{{}}'::jsonb, 'after', '{{}}'::jsonb)::text"""
    assert problems(night.store) == []

    with triggers_off():
        lines = TAMPERED[how].format(first=entries[0], last=entries[-1], forged=forged)
        execute(f"UPDATE tourney_packed_history SET lines = {lines}")

    assert event_problems(night.event) != []
    assert store_problems(night.store, [night.event]) != []


def test_nobody_says_other_entries_than_the_lines_do(night: Night):
    """Not even past the triggers: lists of steps believe it."""
    found = packed(night.event)

    with pytest.raises(Error, match="entries"), transaction.atomic(), triggers_off():
        execute("UPDATE tourney_packed_history SET entries = '{}'")

    assert sorted(found.entries) == sorted({one.entry_id for one in changes_of(night.event)})


# a name that is erased


def names_anywhere(name: str) -> list[str]:
    """The tables in which that name stands, in whatever column."""
    with connection.cursor() as cursor:
        tables = [table for table in connection.introspection.table_names(cursor) if table.startswith("tourney_")]
        found = []
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE strpos(to_jsonb(t)::text, %s) > 0", [name])
            if cursor.fetchone()[0]:
                found.append(table)
        return found


def test_a_name_that_is_erased_goes_out_of_packed_histories_too(night: Night):
    """That of one who is named in what was packed, and that of one whom only the journal names."""
    named, other = (night.event.entrants.get(number=number).player for number in (1, 2))
    assert named.name in packed(night.event).lines
    head = head_of(night.store)

    mark = store_players.erase(named, by=BY)
    commit()

    assert names_anywhere(named.name) == []
    assert mark in "".join(str(row["after"]) for row in rows_of(night.event))
    assert problems(night.store, head) == []
    assert other.name not in packed(night.event).lines
    store_players.erase(other, by=BY)
    commit()
    assert names_anywhere(other.name) == []
    assert problems(night.store, head) == []
    packed(night.event)
    assert problems(night.store, head) == []
    while history_of(fresh(night.event)).last:
        undo(night.event)
    assert problems(night.store, head) == []


def test_a_merge_leaves_it_packed(night: Night):
    kept, guest = night.event.entrants.get(number=1).player, Player.objects.create(store=night.store, name="Guest")
    packed(night.event)

    store_players.undo_merge(store_players.merge(kept, guest, by=BY), by=BY)
    commit()

    assert PackedHistory.objects.filter(event=night.event).exists()
    assert problems(night.store) == []


def test_a_rehearsal_goes_with_what_was_packed_of_it():
    copy = rehearsal.begin(make_night(players=4).event, rehearsal.RehearsalPlan(made_up=0), by=BY, seed=1)
    commit()
    PackedHistory.objects.create(event=copy)

    rehearsal.discard(copy.store.rehearsal)
    commit()

    assert not PackedHistory.objects.exists()
    assert not RowChange.objects.filter(event=copy.pk).exists()


# which, and when


def test_only_what_was_finished_and_left_alone_that_long_is_packed(night: Night):
    end = max(entry.at for entry in night.event.journal.all())
    make_night(players=2, store=night.store)
    rehearsed = rehearsal.begin(make_night(players=4).event, rehearsal.RehearsalPlan(made_up=0), by=BY, seed=1)
    Event.objects.filter(pk=rehearsed.pk).update(finished_at=AT)
    commit()

    assert list(packed_history.cold_events(end)) == []
    assert list(packed_history.cold_events(end + timedelta(seconds=1))) == [night.event]
    assert list(packed_history.pack_cold(LATER)) == [night.event]
    assert list(packed_history.pack_cold(LATER)) == []
    later = replace(BY, at=LATER)
    history.undo(night.event, history_of(night.event).last.pk, by=later)
    history.redo(fresh(night.event), history_of(night.event).next.pk, by=later)
    assert list(packed_history.cold_events(LATER)) == []
    assert list(packed_history.cold_events(LATER + timedelta(seconds=1))) == [night.event]


def test_the_command_packs_by_the_days_it_is_told(night: Night):
    Event.objects.filter(pk=night.event.pk).update(finished_at=datetime(2020, 1, 1, tzinfo=AT.tzinfo))
    with triggers_off():
        JournalEntry.objects.filter(event=night.event).update(at=datetime(2020, 1, 1, tzinfo=AT.tzinfo))

    def said(*more: str) -> str:
        out = StringIO()
        call_command("pack_events", *more, stdout=out)
        return out.getvalue()

    assert said("--older-than", "20000") == "0 events packed.\n"
    assert said() == "1 event packed.\n"
    assert said() == "0 events packed.\n"


class SecondTime(Signal):
    """Stopped at the second look."""

    left = 2

    def wait(self, timeout: float | None = None) -> bool:
        self.left -= 1
        return self.left < 1


@pytest.mark.django_db(transaction=True)
def test_the_process_for_tasks_packs_what_is_cold():
    night = finished_night()
    with transaction.atomic(), triggers_off():
        Event.objects.filter(pk=night.event.pk).update(finished_at=datetime(2020, 1, 1, tzinfo=AT.tzinfo))
        JournalEntry.objects.filter(event=night.event).update(at=datetime(2020, 1, 1, tzinfo=AT.tzinfo))

    packed_history.keep_packed(SecondTime())

    assert PackedHistory.objects.filter(event=night.event).exists()


# at once


@pytest.mark.django_db(transaction=True)
def test_two_who_pack_at_once_pack_once():
    night = finished_night()
    changes = [one.pk for one in changes_of(night.event)]
    found: list[bool] = []

    told = at_once(*[lambda: found.append(packed_history.pack(fresh(night.event), LATER))] * 4)

    assert (told, sorted(found)) == (["", "", "", ""], [False, False, False, True])
    assert [one.pk for one in changes_of(night.event)] == changes
    assert problems(night.store) == []


@pytest.mark.django_db(transaction=True)
def test_an_event_on_which_somebody_works_is_left_for_the_next_time():
    night = finished_night()

    with transaction.atomic():
        locked(night.event)
        told = at_once(lambda: list(packed_history.pack_cold(LATER)))

    assert (told, PackedHistory.objects.count()) == ([""], 0)
    assert list(packed_history.pack_cold(LATER)) == [night.event]


@pytest.mark.django_db(transaction=True)
def test_a_name_is_erased_while_its_history_is_packed():
    night = finished_night()
    player = night.event.entrants.get(number=1).player

    told = at_once(lambda: packed_history.pack(fresh(night.event), LATER), lambda: store_players.erase(player, by=BY))

    assert (told, names_anywhere(player.name)) == (["", ""], [])
    assert problems(night.store) == []


# elsewhere


def test_a_store_moves_with_packed_histories(night: Night, ids_are_given_back: None):
    archive, head = archive_of_store(night.store), head_of(night.store)
    packed(night.event)
    assert archive_of_store(night.store) == archive

    there = moved(archive)
    event = fresh(Event.objects.get(campaign__store=there))
    packed(event)

    assert archive_of_store(there) == archive
    assert problems(there, head) == []
    undo(event)
    redo(event)
    assert problems(there, head) == []


def test_a_packed_event_is_known_by_the_name_it_had_before_it_moved(night: Night, ids_are_given_back: None):
    slug, archive = night.event.slug, archive_of_store(night.store)
    make_night(players=2)
    there = import_store(archive, slug="again", by=BY)
    event = fresh(Event.objects.get(campaign__store=there))
    assert event.slug != slug

    packed(event)

    assert event_known_as(there, slug) == event


@pytest.mark.django_db(transaction=True)
def test_a_backup_has_what_was_packed_and_brings_it_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    night = finished_night()
    lines = packed(night.event).lines
    path = tmp_path / "one.backup"
    back_up_to(path)
    assert verify(path)[1] == []
    PackedHistory.objects.get().delete()

    restore(path)

    assert PackedHistory.objects.get().lines == lines
    assert problems(Store.objects.get()) == []
    with pytest.raises(Error, match="A packed history is kept"), transaction.atomic():
        execute("UPDATE tourney_packed_history SET lines = ''")
    undo(fresh(night.event))
    redo(fresh(night.event))
    packed(fresh(night.event))
    assert problems(Store.objects.get()) == []
