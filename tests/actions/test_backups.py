"""A backup has everything of one moment; a restore brings all of it back, or changes nothing."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, Semaphore

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import Error, connection, transaction

from tests.support.nights import BY, Night, make_night, make_store
from tests.support.store_archives import archive_of_store
from tests.support.tables import eliminated, enter
from tourney.actions import deleting, entrants, history
from tourney.actions.store_archive import import_store
from tourney.backups.actions import restore as restoring
from tourney.backups.actions.back_up import back_up_to
from tourney.backups.actions.restore import restore, verify
from tourney.backups.actions.scratch import CannotRestore, load, problems, scratch
from tourney.backups.domain.backup_file import BackupReader, DamagedBackup
from tourney.backups.queries.contents import NOT_KEPT
from tourney.models import DeletedStore, JournalEntry, JournalLink, Player, RetiredAddress, Store
from tourney.models import Event as Night_
from tourney.queries.history import history_of, rows_at, stored_rows
from tourney.queries.integrity import store_problems

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS, EVENTS = 20, 4


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where backups and keys go."""
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def night() -> Night:
    return make_night(players=4, open_round=True)


def tables() -> dict[str, int]:
    """Our tables by name, with the number that PostgreSQL gave each of them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        )
        return dict(cursor.fetchall())


def schemas() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'flagship%'")
        return {name for (name,) in cursor.fetchall()}


def test_what_was_there_comes_back_and_what_came_since_is_gone(night: Night, tmp_path: Path):
    path, before = tmp_path / "one.backup", tables()
    manifest = back_up_to(path)
    names = {player.name for player in Player.objects.all()}
    rows, head = stored_rows(night.event), JournalLink.objects.order_by("number").last()
    archive = archive_of_store(night.store)
    version = Night_.objects.get().version
    enter(night.event, 1, eliminated())
    entrants.register(night.event, [("Quark", "")], by=BY)
    make_store()

    restore(path)

    event = Night_.objects.get()
    assert {player.name for player in Player.objects.all()} == names
    assert stored_rows(event) == rows
    assert JournalLink.objects.order_by("number").last() == head
    assert (event.version - version) % restoring.ROOM == 0
    assert event.version > 100_000  # no page or cache has seen one of its versions
    # The tables are all there, and all are others; nothing is left behind.
    after = tables()
    assert after.keys() == before.keys()
    assert set(after.values()).isdisjoint(before.values())
    assert before.keys() - manifest.tables.keys() == NOT_KEPT
    assert schemas() == set()
    # What guards the journal does so again, and the night goes on with numbers that nobody has.
    with pytest.raises(Error), transaction.atomic():
        JournalEntry.objects.all().delete()
    ContentType.objects.clear_cache()
    enter(event, 1, eliminated())
    history.undo(event, history_of(event).last.pk, by=BY)
    entrants.register(event, [("Rom", "")], by=BY)
    assert store_problems(Store.objects.get(), [event]) == []
    # What is done by functions that look for tables in one schema is done in that of these tables.
    assert import_store(archive, slug="again", by=BY).slug == "again"


def write_until(stopped: Event, event: Night_, number: int, acted: Semaphore) -> None:
    """Act on that event, as its desk and phones do; each act is counted."""
    turn = 0
    try:
        while not stopped.is_set():
            turn += 1
            if turn % 3:
                entrants.register(event, [(f"Player {number}-{turn}", "")], by=BY)
            else:
                entrants.mark_paid(event, 1 + number % 4, bool(turn % 2), by=BY)
            acted.release()
    finally:
        connection.close()


def test_what_a_deleted_store_was_called_comes_back_and_another_can_be_deleted(night: Night, tmp_path: Path):
    deleting.delete_store(make_night(players=2).store, by=BY)
    retired = set(RetiredAddress.objects.values_list("path", flat=True))
    back_up_to(tmp_path / "one.backup")

    restore(tmp_path / "one.backup")

    assert set(RetiredAddress.objects.values_list("path", flat=True)) == retired
    deleting.delete_store(Store.objects.get(), by=BY)
    assert DeletedStore.objects.count() == 2
    assert not JournalEntry.objects.exists()


def test_while_twenty_write_a_backup_has_each_event_as_it_was_at_one_moment_of_its_journal(tmp_path: Path):
    store, _ = make_store()
    events = [make_night(players=4, store=store).event for _ in range(EVENTS)]
    path, stopped, acted = tmp_path / "busy.backup", Event(), Semaphore(0)
    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [
            pool.submit(write_until, stopped, events[number % EVENTS], number, acted) for number in range(WRITERS)
        ]
        for _ in range(WRITERS):
            assert acted.acquire(timeout=60)
        manifest = back_up_to(path)
        for _ in range(WRITERS):
            assert acted.acquire(timeout=60)
        stopped.set()
        for writer in writers:
            writer.result()

    with BackupReader.of(path) as backup, scratch():
        load(backup)
        assert list(problems()) == []
        kept = {event.pk: (event.version, stored_rows(event)) for event in Night_.objects.all()}
        entries = {event: list(JournalEntry.objects.filter(event=event).order_by("pk").values()) for event in kept}
        links = list(JournalLink.objects.order_by("number").values_list("number", "chain_hash"))

    assert JournalEntry.objects.count() > sum(map(len, entries.values()))
    for event in Night_.objects.select_related("campaign__store"):
        version, rows = kept[event.pk]
        # The journal up to that version, and nothing of a later one; the rows are what it makes of them.
        journal = JournalEntry.objects.filter(event=event).order_by("pk")
        assert entries[event.pk] == list(journal.filter(version__lte=version).values())
        assert entries[event.pk][-1]["version"] == version
        assert without_counts(rows) == without_counts(rows_at(event, JournalEntry(pk=entries[event.pk][-1]["id"])))
    chain = list(JournalLink.objects.order_by("number").values_list("number", "chain_hash"))
    assert links == chain[: len(links)]
    assert (manifest.heads[store.slug].number, manifest.heads[store.slug].hash) == links[-1]


def without_counts(rows: dict) -> dict:
    """The rows without what the history leaves out."""
    return {key: {k: v for k, v in row.items() if k not in ("version", "numbers_given")} for key, row in rows.items()}


@pytest.mark.nightly
def test_a_restore_that_cannot_change_over_changes_nothing(night: Night, tmp_path: Path, monkeypatch):
    path = tmp_path / "one.backup"
    back_up_to(path)
    entrants.register(night.event, [("Quark", "")], by=BY)
    before = tables()
    monkeypatch.setattr(restoring, "PATIENCE", 0)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT * FROM tourney_talonclass")
            with pytest.raises(CannotRestore, match="keeps using the tables"):
                restore(path)
    finally:
        other.close()

    assert tables() == before
    assert Player.objects.filter(name="Quark").exists()
    assert schemas() == set()


def test_a_damaged_one_is_refused_before_anything_is_done(night: Night, tmp_path: Path):
    path = tmp_path / "one.backup"
    back_up_to(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:2000] + bytes([whole[2000] ^ 1]) + whole[2001:])
    before = tables()

    with pytest.raises(DamagedBackup):
        restore(path)

    assert tables() == before
    assert schemas() == set()


def test_two_at_once_are_refused(night: Night, tmp_path: Path):
    path = tmp_path / "one.backup"
    back_up_to(path)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(7305001)")
        with pytest.raises(CannotRestore, match="Another backup"):
            verify(path)
    finally:
        other.close()


class EndingBackup(BackupReader):
    """While it is loaded, the database ends the connection."""

    def blocks_of(self, table: str) -> Iterator[bytes]:
        if table == "tourney_store":
            other = connection.copy()
            with closing(other), other.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
        yield from super().blocks_of(table)


@pytest.mark.nightly
def test_a_database_that_ends_while_it_is_loaded_is_not_the_fault_of_the_backup(night: Night, tmp_path: Path):
    path = tmp_path / "one.backup"
    back_up_to(path)
    with connection.cursor() as cursor:  # as a restore leaves it that is killed at its end
        cursor.execute("CREATE SCHEMA flagship_replaced CREATE TABLE tourney_store (id bigint)")

    with EndingBackup.of(path) as backup, pytest.raises(CannotRestore, match="couldn’t take") as refused, scratch():
        load(backup)

    assert "tourney_store" not in str(refused.value)  # nor any row of it
    assert schemas() == set()


@pytest.mark.nightly
def test_where_its_key_cannot_be_kept_nothing_changes(
    night: Night, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings
):
    path, before = tmp_path / "one.backup", tables()
    monkeypatch.delenv("SECRET_KEY", raising=False)
    back_up_to(path)
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "gone"))
    settings.SECRET_KEY = "that of another installation"

    with pytest.raises(FileNotFoundError):
        restore(path)

    assert tables() == before
    assert schemas() == set()
    assert settings.SECRET_KEY == "that of another installation"


@pytest.mark.nightly
def test_one_whose_history_was_changed_is_named_and_not_restored(night: Night, tmp_path: Path, capsys, monkeypatch):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tourney_journalentry DISABLE TRIGGER USER")
        cursor.execute("UPDATE tourney_journalentry SET reason = 'none' WHERE did = 'pair_round'")
        cursor.execute("ALTER TABLE tourney_journalentry ENABLE TRIGGER USER")
    path, before = tmp_path / "one.backup", tables()
    back_up_to(path)

    with pytest.raises(CommandError, match="1 problem found"):
        call_command("backup", "--verify", str(path))
    assert "was changed after it was written" in capsys.readouterr().out
    monkeypatch.setattr("builtins.input", lambda question: "replace everything")
    with pytest.raises(CommandError, match="has problems") as refused:
        call_command("restore", str(path), "--replace")
    assert str(refused.value).count("Nothing changed.") == 1
    assert tables() == before

    restore(path, despite_problems=True)
    assert tables() != before


@pytest.mark.nightly
def test_one_of_an_older_flagship_is_brought_up_to_date(night: Night, tmp_path: Path):
    """The tables as they were before notifications, and with them a backup of then."""
    path = tmp_path / "old.backup"
    with scratch():
        call_command("migrate", "tourney", "0045", verbosity=0)
        old = back_up_to(path)
    assert "tourney_push_subscription" not in old.tables

    restore(path)

    assert not Store.objects.exists()
    assert "tourney_push_subscription" in tables()


def test_one_of_a_newer_flagship_is_refused(night: Night, tmp_path: Path, monkeypatch):
    path = tmp_path / "one.backup"
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('tourney', '9999_new', now())")
    try:
        back_up_to(path)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '9999_new'")

    with pytest.raises(CommandError, match="A newer Flagship made this backup"):
        call_command("backup", "--verify", str(path))


def test_stores_are_replaced_only_by_who_types_it(night: Night, tmp_path: Path, monkeypatch):
    path = tmp_path / "one.backup"
    back_up_to(path)
    before = tables()

    with pytest.raises(CommandError, match="Add --replace"):
        call_command("restore", str(path))
    monkeypatch.setattr("builtins.input", lambda question: "yes")
    with pytest.raises(CommandError, match="Nothing changed"):
        call_command("restore", str(path), "--replace")

    assert tables() == before
    assert not (tmp_path / "backups").exists()
    assert schemas() == set()
