"""What every test gets: quick passwords, unhashed static files, a journal that may be emptied afterwards."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase, override_settings


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
    """Tests that commit are cleaned up with TRUNCATE, which the journal's trigger rightly forbids."""
    empty_all_tables = TransactionTestCase._fixture_teardown

    def empty_all_tables_and_the_journal(test: TransactionTestCase) -> None:
        switch_trigger("DISABLE")
        try:
            empty_all_tables(test)
        finally:
            switch_trigger("ENABLE")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_all_tables_and_the_journal)
        yield


def switch_trigger(how: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE tourney_journalentry {how} TRIGGER journal_is_forever_truncate")
        cursor.execute(f"ALTER TABLE tourney_journallink {how} TRIGGER journal_link_is_forever_truncate")
        cursor.execute(f"ALTER TABLE tourney_change {how} TRIGGER history_is_kept_truncate")
