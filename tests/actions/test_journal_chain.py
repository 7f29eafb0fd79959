"""The journal's hash chain: what somebody changes past the triggers is found, and what is erased stays provable."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from tests.support.nights import AT, BY, Night, make_night
from tests.support.saying import in_english
from tests.support.tables import eliminated, enter, match_at
from tourney.actions import history, store_players
from tourney.actions.archive import InvalidArchive, import_event
from tourney.models import JournalEntry, JournalLink, Player, RowChange
from tourney.queries.archive import archive_of
from tourney.queries.history import history_of
from tourney.queries.integrity import event_problems, store_problems
from tourney.queries.journal_chain import ChainHead, head_of, read_head

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, eliminated())
    commit()
    return night


def commit() -> None:
    """What a commit does beside keeping: the deferred triggers write the chain."""
    connection.check_constraints()


def execute(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


GUARDED = ("journalentry", "journallink", "change", "result", "event")
FOREIGN_KEYS = """
    SELECT conrelid::regclass, quote_ident(conname) FROM pg_constraint
    WHERE confrelid = 'tourney_journalentry'::regclass AND contype = 'f'
"""


@contextmanager
def triggers_off() -> Iterator[None]:
    """As somebody who owns the tables can do it."""
    commit()
    for table in GUARDED:
        execute(f"ALTER TABLE tourney_{table} DISABLE TRIGGER USER")
    yield
    commit()
    for table in GUARDED:
        execute(f"ALTER TABLE tourney_{table} ENABLE TRIGGER USER")


def delete_entry(found: JournalEntry) -> None:
    """Past the foreign keys, too."""
    commit()
    with connection.cursor() as cursor:
        cursor.execute(FOREIGN_KEYS)
        for table, name in cursor.fetchall():
            execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    past_the_triggers("DELETE FROM tourney_journalentry WHERE id = %s", found.pk)


def past_the_triggers(statement: str, *values: object) -> None:
    with triggers_off():
        execute(statement, *values)


def problems(night: Night, *known: ChainHead) -> list[str]:
    found = in_english(store_problems(night.store, [night.event], known))
    return [sentence.removeprefix(f"{night.event.slug}: ") for sentence in found]


def entry(night: Night, did: str) -> JournalEntry:
    return night.event.journal.filter(did=did).order_by("pk").last()


def number(found: JournalEntry) -> int:
    return JournalLink.objects.get(entry=found).number


# the chain


def test_each_entry_gets_its_link_with_the_commit_and_all_is_well(night):
    entries = JournalEntry.objects.filter(store=night.store)
    links = JournalLink.objects.filter(store=night.store)

    assert [link.number for link in links] == list(range(1, entries.count() + 1))
    assert {link.entry_id for link in links} == {one.pk for one in entries}
    assert problems(night) == []


def test_two_stores_have_a_chain_each(night):
    other = make_night(players=2)
    commit()

    assert JournalLink.objects.filter(store=other.store).first().number == 1
    assert problems(other) == problems(night) == []


def test_what_is_taken_back_with_its_transaction_leaves_no_link(night):
    before = head_of(night.store)

    with transaction.atomic():
        enter(night.event, 2, eliminated())
        commit()
        transaction.set_rollback(True)

    assert head_of(night.store) == before


@pytest.mark.parametrize(
    "column",
    ["what = 'nothing'", "by_name = 'nobody'", "at = at + interval '1 second'", "after = '{}'", "reason = 'none'"],
)
def test_an_entry_rewritten_with_triggers_off_is_found(night, column):
    found = entry(night, "report_result")

    past_the_triggers(f"UPDATE tourney_journalentry SET {column} WHERE id = %s", found.pk)

    sentence = f"Journal entry {found.pk} (number {number(found)}) was changed after it was written."
    assert problems(night) == in_english(event_problems(night.event)) == [sentence]


def test_an_entry_deleted_with_triggers_off_is_found(night):
    found = entry(night, "publish_round")
    at = number(found)

    delete_entry(found)

    assert problems(night) == [f"Journal entry {found.pk} (number {at}) was deleted."]


def test_an_entry_deleted_with_its_link_leaves_a_gap(night):
    found = entry(night, "publish_round")
    at = number(found)

    past_the_triggers("DELETE FROM tourney_journallink WHERE entry_id = %s", found.pk)
    past_the_triggers("UPDATE tourney_change SET entry_id = NULL WHERE entry_id = %s", found.pk)
    delete_entry(found)

    said = problems(night)
    assert f"Number {at} of the history is missing." in said
    assert any("was changed, but no journal entry says by whom" in sentence for sentence in said)


def test_an_entry_put_in_with_triggers_off_is_found(night):
    with triggers_off():
        added = JournalEntry.objects.create(
            store=night.store, event=night.event, at=AT, by_name="x", did="drop", what="x"
        )

    assert problems(night) == [f"Journal entry {added.pk} was added past the chain."]


def test_two_entries_that_changed_places_are_found(night):
    first, second = (number(entry(night, did)) for did in ("publish_round", "report_result"))

    with triggers_off():
        for was, becomes in ((first, 9999), (second, first), (9999, second)):
            execute("UPDATE tourney_journallink SET number = %s WHERE number = %s", becomes, was)

    assert f"Number {first} of the history doesn’t follow from the one before: it was rewritten." in (problems(night))


def test_a_history_cut_off_at_its_end_or_written_anew_is_found_by_a_head_that_was_kept(night):
    kept = head_of(night.store)
    assert problems(night, kept, read_head(str(kept)), read_head(f"{kept.number}:{kept.hash}")) == []

    past_the_triggers("DELETE FROM tourney_journallink WHERE number = %s", kept.number)
    gone = [sentence for sentence in problems(night, kept) if sentence.startswith("The history ends")]
    execute(
        "INSERT INTO tourney_journallink (entry_id) SELECT id FROM tourney_journalentry j WHERE NOT EXISTS "
        "(SELECT FROM tourney_journallink l WHERE l.entry_id = j.id)"
    )
    anew = head_of(night.store)

    assert gone == [
        f"The history ends at number {kept.number - 1}, but number {kept.number} was noted: the rest is gone."
    ]
    assert problems(night) == []
    assert problems(night, kept) == [f"Number {kept} was noted, but the history has {anew}: it was rewritten."]


@pytest.mark.parametrize(
    "text", ["", "7", "7:", "x:9F3A61C2", "7:9F3A61C", "7:9F3A61CX", f"7:{'a' * 65}", "٧:9F3A61C2"]
)
def test_what_is_no_head_is_not_read_as_one(text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$|invalid literal"):
        read_head(text)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tourney_journallink SET content_hash = repeat('0', 64)",
        "UPDATE tourney_journallink SET nonce = ''",
        "DELETE FROM tourney_journallink",
        "TRUNCATE tourney_journallink",
    ],
)
def test_nobody_changes_or_deletes_a_link_by_sql(night, statement):
    with pytest.raises(IntegrityError, match="links are only added"), transaction.atomic():
        execute(statement)

    assert problems(night) == []


def test_a_link_says_what_the_database_computes_whatever_is_asked_for(night):
    with triggers_off():
        added = JournalEntry.objects.create(store=night.store, at=AT, by_name="x", did="x", what="x")

    JournalLink.objects.create(
        store_id=0, entry=added, number=1, nonce="n", content_hash="c", changes_hash="d", chain_hash="e"
    )

    assert problems(night) == []


# changes that no entry explains


def test_a_result_changed_by_hand_is_found_though_the_history_noted_it(night):
    result = match_at(night.event, 1).result

    execute("UPDATE tourney_result SET sp_left_a = 41 WHERE id = %s", result.pk)

    assert problems(night) == [f"Result {result.pk} was changed, but no journal entry says by whom."]


def test_a_result_changed_past_the_history_is_found(night):
    result = match_at(night.event, 1).result

    past_the_triggers("UPDATE tourney_result SET sp_left_a = 41 WHERE id = %s", result.pk)

    assert problems(night) == [f"Result {result.pk} isn’t as the history says. It was changed past the history."]


def test_a_result_and_its_history_rewritten_together_are_found(night):
    result, found = match_at(night.event, 1).result, entry(night, "report_result")

    past_the_triggers("UPDATE tourney_result SET sp_left_a = 41 WHERE id = %s", result.pk)
    past_the_triggers(
        """UPDATE tourney_change SET after = after || '{"sp_left_a": 41}' WHERE "table" = 'tourney_result'"""
    )

    assert (
        problems(night)
        == in_english(event_problems(night.event))
        == [f"The recorded changes of journal entry {found.pk} (number {number(found)}) were changed later."]
    )


def test_a_change_cannot_be_slipped_under_an_entry_that_is_there(night):
    result, found = match_at(night.event, 1).result, entry(night, "report_result")

    execute("UPDATE tourney_result SET sp_left_a = 41 WHERE id = %s", result.pk)
    execute("UPDATE tourney_change SET entry_id = %s WHERE entry_id IS NULL", found.pk)

    assert problems(night) == [
        f"The recorded changes of journal entry {found.pk} (number {number(found)}) were changed later."
    ]


@pytest.mark.parametrize(
    "change",
    ["after = after", "transaction = 0", "entry_id = NULL", "entry_id = (SELECT min(entry_id) FROM tourney_change)"],
)
def test_nobody_changes_the_history_by_sql(night, change):
    with pytest.raises(IntegrityError, match="The history of an event is kept"), transaction.atomic():
        execute(f"UPDATE tourney_change SET {change}")

    assert problems(night) == []


def test_an_event_set_back_to_an_earlier_version_is_found(night):
    last = night.event.journal.order_by("pk").last().version

    past_the_triggers("UPDATE tourney_event SET version = %s WHERE id = %s", last - 1, night.event.pk)

    assert problems(night) == [f"The event is at version {last - 1}, but the journal goes up to version {last}."]


def test_a_journal_from_before_the_chain_is_sealed_as_it_is(night):
    """Changes that no entry names, as an import left them once, get one that says so."""
    commit()
    for table in GUARDED:
        execute(f"ALTER TABLE tourney_{table} DISABLE TRIGGER USER")
    JournalLink.objects.all().delete()
    RowChange.objects.filter(entry=entry(night, "report_result")).update(entry=None)
    commit()
    execute("ALTER TABLE tourney_journallink ENABLE TRIGGER USER")
    migration = import_module("tourney.migrations.0021_journal_chain")

    execute(migration.EXPLAIN)
    for table in GUARDED:
        execute(f"ALTER TABLE tourney_{table} ENABLE TRIGGER USER")

    sealed = night.store.journal.get(did="begin_chain")
    assert (sealed.what, sealed.changes.count()) == ("History sealed. Changes recorded before: 1.", 1)
    assert problems(night) == []


# what belongs to the product


def test_undo_redo_and_an_import_leave_nothing_unexplained(night):
    last = history_of(night.event).last
    history.undo(night.event, last.pk, by=BY)
    history.redo(night.event, last.pk, by=BY)
    archive = archive_of(night.event)
    archive["event"]["slug"] = "again"

    event = import_event(night.store, archive, by=BY)
    commit()

    assert store_problems(night.store, [night.event, event]) == []
    assert not RowChange.objects.filter(entry=None).exists()


def test_an_archive_holds_the_head_of_its_store_and_is_read_with_and_without(night):
    archive = archive_of(night.event)
    assert archive["history"] == head_of(night.store).as_data()

    for slug, left_out in (("with", ()), ("without", ("history",))):
        data = {name: value for name, value in archive.items() if name not in left_out}
        event = import_event(night.store, data | {"event": archive["event"] | {"slug": slug}}, by=BY)
        assert event.entrants.count() == 4


@pytest.mark.parametrize("history", [{}, {"number": 0, "hash": "a" * 64}, {"number": 1, "hash": "A" * 64}, "1"])
def test_a_head_of_another_shape_is_no_archive(night, history):
    data = archive_of(night.event) | {"history": history}

    with pytest.raises(InvalidArchive, match=r"^\$\.history"):
        import_event(night.store, data, by=BY)


def test_a_forgotten_name_is_in_no_hash_and_the_chain_still_holds(night):
    somebody = Player.objects.filter(store=night.store).first()
    kept = head_of(night.store)
    before = set(JournalLink.objects.values_list("number", "chain_hash"))

    mark = store_players.erase(somebody, by=BY)
    commit()

    redacted = JournalLink.objects.exclude(redacted_for=None)
    assert {link.redacted_for.after["mark"] for link in redacted} == {mark}
    first = JournalLink.objects.filter(entry__in=redacted.values("entry"), redacted_for=None)
    assert {link.nonce for link in first} == {""}
    assert before <= set(JournalLink.objects.values_list("number", "chain_hash"))
    assert problems(night, kept) == []


def test_two_who_are_forgotten_one_after_the_other_leave_the_chain_whole(night):
    for somebody in Player.objects.filter(store=night.store)[:2]:
        store_players.erase(somebody, by=BY)
        commit()

    assert problems(night) == []


def test_an_entry_rewritten_as_if_for_a_forgotten_name_is_found(night):
    store_players.erase(Player.objects.filter(store=night.store).first(), by=BY)
    commit()
    found, forgetting = entry(night, "publish_round"), night.store.journal.get(did="forget")

    past_the_triggers("UPDATE tourney_journalentry SET what = 'nothing' WHERE id = %s", found.pk)
    execute("INSERT INTO tourney_journallink (entry_id, redacted_for_id) VALUES (%s, %s)", found.pk, forgetting.pk)

    at = JournalLink.objects.filter(entry=found).last().number
    assert problems(night) == [
        f"Journal entry {found.pk} (number {at}) was rewritten, but not because a player’s data was erased."
    ]


# the command


def test_the_command_says_what_it_found_and_the_head(night):
    said = StringIO()

    call_command("prove_history", night.event.slug, stdout=said)

    assert f"{night.store.slug}: 1 event as recorded; history {head_of(night.store)} intact" in said.getvalue()


def test_the_command_fails_with_each_problem_in_a_sentence(night):
    said, found = StringIO(), entry(night, "report_result")
    past_the_triggers("UPDATE tourney_journalentry SET what = 'nothing' WHERE id = %s", found.pk)

    with pytest.raises(CommandError, match="1 problem found"):
        call_command("prove_history", stdout=said)

    assert f"Journal entry {found.pk} (number {number(found)}) was changed after it was written." in said.getvalue()


def test_the_command_compares_with_a_head_of_paper(night):
    said, slug = StringIO(), night.store.slug

    with pytest.raises(CommandError, match="1 problem found"):
        call_command("prove_history", head=[f"{slug}:99,999:9F3A-61C2"], stdout=said)

    assert "but number 99,999 was noted: the rest is gone." in said.getvalue()


@pytest.mark.parametrize(
    ("head", "why"), [("starbase-games:7", "isn't a head"), ("nowhere:7:9F3A-61C2", "There is no store “nowhere”")]
)
def test_the_command_refuses_a_head_that_it_cannot_compare(night, head, why):
    with pytest.raises(CommandError, match=why):
        call_command("prove_history", head=[head])
