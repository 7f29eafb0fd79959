"""The application's role, where another one owns the tables: it plays whole nights, and cannot touch what is kept."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from django.db import Error, connection, transaction

from tests.support.nights import BY, Night, make_night
from tests.support.serving import ROOT
from tests.support.store_archives import archive_of_store
from tests.support.tables import eliminated, enter
from tourney.actions import deleting, history, rehearsal, store_players
from tourney.actions.archive import import_event
from tourney.actions.store_archive import import_store
from tourney.models import ChainOrigin, Event, JournalEntry, PackedHistory, Player
from tourney.queries.archive import archive_of
from tourney.queries.history import history_of
from tourney.queries.integrity import store_problems
from tourney.runtime.database_roles import RolesAreWrong, grant_rows_to, owns_its_tables
from tourney.runtime.embedded import NAME, Server

APPLICATION = "flagship_app_of_tests"


@pytest.fixture
def as_application(db) -> Iterator[None]:
    """From here on with the privileges of the application's role; until the end of the test."""
    make_role()
    grant_rows_to(APPLICATION)
    execute(f"SET LOCAL ROLE {APPLICATION}")
    yield
    connection.check_constraints()
    execute("RESET ROLE")


def make_role() -> None:
    own = connection.get_connection_params()
    plain = {name: own[name] for name in ("dbname", "host", "port", "password") if own.get(name)}
    try:
        with psycopg.connect(user="postgres", autocommit=True, **plain) as server:
            with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
                server.execute(f"CREATE ROLE {APPLICATION}")
            server.execute(f"GRANT {APPLICATION} TO {own['user']}")
    except psycopg.OperationalError:
        pytest.skip("roles can only be made on the embedded server")


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_application_plays_a_whole_night_with_the_rights_to_rows_alone(as_application):
    night = make_night(players=5, rounds=2, finish=True)
    last = history_of(night.event).last
    history.undo(night.event, last.pk, by=BY)
    history.redo(night.event, last.pk, by=BY)
    archive = archive_of(night.event)
    archive["event"]["slug"] = "again"
    event = import_event(night.store, archive, by=BY)
    store_players.erase(Player.objects.filter(store=night.store).first(), by=BY)
    connection.check_constraints()

    assert owns_its_tables() == ""
    assert store_problems(night.store, [night.event, event]) == []


def test_a_history_is_packed_and_unpacked_with_the_rights_to_rows_alone(as_application):
    night = make_night(players=4, rounds=2, finish=True)
    connection.check_constraints()

    PackedHistory.objects.create(event=night.event)

    assert (night.event.changes.count(), store_problems(night.store, [night.event])) == (0, [])
    PackedHistory.objects.all().delete()
    assert store_problems(night.store, [night.event]) == []


def test_a_store_arrives_with_the_rights_to_rows_alone(as_application):
    night = make_night(players=4, rounds=1)

    there = import_store(archive_of_store(night.store), slug="again", by=BY)

    connection.check_constraints()
    assert store_problems(there, Event.objects.filter(campaign__store=there)) == []


def test_nobody_gives_a_store_another_origin(as_application):
    night = make_night(players=2)
    connection.check_constraints()
    there = import_store(archive_of_store(night.store), slug="again", by=BY)

    for act in (
        lambda: ChainOrigin.objects.create(store=night.store, until=1, shift=5, packs={}),
        lambda: ChainOrigin.objects.create(store=there, until=10_000, shift=5, packs={}),
        lambda: there.origins.update(shift=5),
        lambda: there.origins.all().delete(),
    ):
        with pytest.raises(Error, match="cannot be changed"), transaction.atomic():
            act()


def test_a_rehearsal_can_be_discarded(as_application):
    night = make_night(players=4)
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(made_up=0), by=BY, seed=1)
    connection.check_constraints()

    rehearsal.discard(copy.store.rehearsal)

    assert list(JournalEntry.objects.exclude(store=night.store)) == []


def test_a_store_can_be_deleted_with_the_rights_to_rows_alone(as_application):
    night = make_night(players=4, rounds=1, open_round=True)
    other = make_night(players=4, rounds=1)
    connection.check_constraints()

    deleting.delete_store(night.store, by=BY)

    connection.check_constraints()
    assert not JournalEntry.objects.filter(store=night.store.pk).exists()
    assert proved(other)


REFUSED = [
    "ALTER TABLE tourney_journalentry DISABLE TRIGGER ALL",
    "ALTER TABLE tourney_journallink DISABLE TRIGGER USER",
    "ALTER TABLE tourney_change DISABLE TRIGGER history_is_kept",
    "ALTER TABLE tourney_packed_history DISABLE TRIGGER history_is_packed",
    "CREATE OR REPLACE FUNCTION packed_changes(the_event bigint) RETURNS SETOF tourney_change LANGUAGE sql AS"
    " 'SELECT * FROM tourney_change'",
    "DROP TRIGGER journal_is_forever ON tourney_journalentry",
    "DROP TRIGGER note_update ON tourney_result",
    "DROP FUNCTION journal_is_forever() CASCADE",
    "CREATE OR REPLACE FUNCTION is_rehearsal(the_store bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    "CREATE TRIGGER mine BEFORE INSERT ON tourney_journallink FOR EACH ROW EXECUTE FUNCTION journal_is_forever()",
    "CREATE TEMPORARY TABLE tourney_store (id bigint, rehearsal_id bigint)",
    "CREATE TABLE mine (id bigint)",
    "TRUNCATE tourney_journalentry CASCADE",
    "TRUNCATE tourney_change",
    "TRUNCATE tourney_packed_history",
    "TRUNCATE tourney_result",
    "DROP TABLE tourney_journallink",
    "SET session_replication_role = replica",
    "UPDATE tourney_journalentry SET what = 'nothing'",
    "DELETE FROM tourney_journalentry",
    "UPDATE tourney_journallink SET chain_hash = content_hash",
    "DELETE FROM tourney_journallink",
    "UPDATE tourney_change SET after = NULL",
    "DELETE FROM tourney_change",
    "UPDATE tourney_packed_history SET lines = ''",
    "DELETE FROM tourney_event",
    "DELETE FROM django_migrations",
    "CREATE OR REPLACE FUNCTION may_go(the_store bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    "DROP TRIGGER deleted_store_is_gone ON tourney_deleted_store",
    "TRUNCATE tourney_deleted_store CASCADE",
]


def test_the_application_cannot_get_at_what_is_kept(as_application):
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, eliminated())
    packed = make_night(players=2).event
    connection.check_constraints()
    PackedHistory.objects.create(event=packed)

    refused = {}
    for statement in REFUSED:
        try:
            with transaction.atomic():
                execute(statement)
        except Error as error:
            refused[statement] = str(error)

    assert list(refused) == REFUSED
    assert proved(night)


def proved(night: Night) -> bool:
    return store_problems(night.store, [night.event]) == []


def test_the_tests_own_role_owns_its_tables_and_is_named(db):
    assert owns_its_tables() == connection.get_connection_params()["user"]


def test_one_role_for_both_is_refused_with_the_way_out(db):
    with pytest.raises(RolesAreWrong, match=r"name the same role, “.*”\. Give the application a role of its own"):
        grant_rows_to(connection.get_connection_params()["user"])


def test_a_role_that_could_do_more_in_spite_of_the_grants_is_refused(db):
    make_role()

    with pytest.raises(RolesAreWrong, match="The role “postgres” of DATABASE_URL is a superuser"):
        grant_rows_to("postgres")


RIGHTS = """
    SELECT has_table_privilege('tourney_result', 'INSERT'), has_sequence_privilege('tourney_result_id_seq', 'USAGE'),
        has_table_privilege('tourney_result', 'TRUNCATE'), relowner::regrole::text
    FROM pg_class WHERE relname = 'tourney_result'
"""


@pytest.mark.nightly
def test_prepare_migrates_as_the_owner_and_leaves_the_application_the_rows(tmp_path: Path):
    server = Server(tmp_path / "postgres", durable=False)
    try:
        owner = server.ensure_running()
        with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
            connection.execute("CREATE ROLE flagship_app LOGIN")
        application = server.url(NAME, "flagship_app")
        said = manage(tmp_path, owner, application, "prepare")
        with psycopg.connect(application) as connection:
            may = connection.execute(RIGHTS).fetchone()
    finally:
        server.remove()

    assert (said, may) == ("The database is ready.\n", (True, True, False, NAME))


def manage(folder: Path, owner: str, application: str, *words: str) -> str:
    own = {"VAR_DIR": str(folder), "DATABASE_URL": application, "DATABASE_OWNER_URL": owner}
    command = [sys.executable, ROOT / "manage.py", *words]
    return subprocess.run(command, env=os.environ | own, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
