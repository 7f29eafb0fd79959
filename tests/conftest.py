"""What every test gets: quick passwords, unhashed static files, a journal that may be emptied afterwards."""

import os
from collections.abc import Iterator
from itertools import count

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import TransactionTestCase, override_settings
from django.utils import timezone, translation

from tests.support.copied import may_switch_triggers_off
from tests.support.postgres import TEMPLATE
from tests.support.serving import Running, served
from tourney.runtime import locales


@pytest.fixture(scope="session", autouse=True)
def settings_for_tests() -> Iterator[None]:
    with override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
        WHITENOISE_AUTOREFRESH=True,
    ):
        yield


@pytest.fixture(autouse=True)
def language_of_no_reader() -> None:
    """A request leaves its language, time zone and locale in its thread, and the next test may have no request."""
    translation.activate(settings.LANGUAGE_CODE)
    timezone.deactivate()
    locales.activate(locales.USUAL)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Django copies the tables of our own server; on somebody else's it makes them by all migrations."""
    if template := os.environ.get(TEMPLATE):
        connection.settings_dict["TEST"] |= {"TEMPLATE": template, "MIGRATE": False}


CONNECTED = """
    SELECT pg_sleep(0.02) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker) -> Iterator[None]:
    """The database goes when nobody is connected any more: a server or a page may still be ending."""
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        for _ in range(500):
            cursor.execute(CONNECTED)
            if cursor.fetchone() is None:
                return


@pytest.fixture
def stores_on_request(settings) -> None:
    """Whoever wants a store here asks for it, so that the pages for this are there, too."""
    settings.STORES = "ask"


@pytest.fixture(scope="module")
def running(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The real server with its two processes, on what the tests of a module commit."""
    with served(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def stored(django_db_setup, django_db_blocker) -> Iterator[None]:
    """What module-wide fixtures store after this one is there for every test of the module, and gone afterwards.

    What a test does with it is undone after the test. It is for tests that change no object in memory and show no page
    after a change: pages are kept by the version of their event, which would be the same in two tests.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session", autouse=True)
def journal_may_be_emptied_after_a_test() -> Iterator[None]:
    """Tests that commit are cleaned up in tables of the journal, too, whose triggers rightly forbid it."""
    empty_all_tables = TransactionTestCase._fixture_teardown

    def empty_all_tables_and_the_journal(test: TransactionTestCase) -> None:
        if may_switch_triggers_off():
            empty_what_is_full()
            return
        switch_trigger("DISABLE")
        try:
            empty_all_tables(test)
        finally:
            switch_trigger("ENABLE")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_all_tables_and_the_journal)
        yield


EMPTY = """
    DO $$ DECLARE name text; BEGIN
        PERFORM set_config('session_replication_role', 'replica', true);
        FOR name IN
            SELECT tablename FROM pg_tables WHERE schemaname = 'public'
            AND tablename NOT IN ('django_migrations', 'django_content_type', 'auth_permission')
        LOOP
            EXECUTE format('DELETE FROM %I', name);
        END LOOP;
    END $$
"""
"""Leaves what Django would write again after a flush. TRUNCATE makes new files for every table and every index."""
VACUUMED_EACH = 50
_emptied = count(1)


def empty_what_is_full() -> None:
    """Delete every row that a test committed; now and then, the room that they took."""
    with connection.cursor() as cursor:
        cursor.execute(EMPTY)
        if next(_emptied) % VACUUMED_EACH == 0:
            cursor.execute("VACUUM")


def switch_trigger(how: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE tourney_journalentry {how} TRIGGER journal_is_forever_truncate")
        cursor.execute(f"ALTER TABLE tourney_journallink {how} TRIGGER journal_link_is_forever_truncate")
        cursor.execute(f"ALTER TABLE tourney_change {how} TRIGGER history_is_kept_truncate")
