"""The owner's page of backups: the last one and what came of it, one more now, and the files for who may have them."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.nights import BY, Night, make_night, make_store
from tests.support.saying import html_of
from tourney.access import COMMAND_LINE
from tourney.actions import stores
from tourney.actions.deleting import delete_store
from tourney.actions.new_stores import let_approve
from tourney.actions.record import Actor
from tourney.backups.actions import daily
from tourney.backups.actions.scratch import LOCK
from tourney.backups.queries.kept import ASKED, due, name_of, only_one
from tourney.models import Role
from tourney.runtime import disk
from tourney.runtime.backup_state import BackupState, BackupTrouble, are_daily, folder, read_state, write_state

pytestmark = pytest.mark.django_db
MADE = datetime(2026, 11, 26, 3, 12, 5, tzinfo=UTC)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where backups are kept."""
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path / "backups"))
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@pytest.fixture
def night() -> Night:
    return make_night(players=4)


@pytest.fixture
def owner(night: Night, client: Client) -> Client:
    client.force_login(night.owner)
    return client


def put(moment: datetime = MADE, kind: str = "flagship", content: bytes = b"x" * 2_100_000) -> str:
    name = name_of(moment, kind)
    (folder() / name).write_bytes(content)
    return name


def page_of(owner: Client, night: Night) -> str:
    return html_of(owner.get(reverse("backups", args=[night.store.slug])))


def test_the_settings_lead_there(owner: Client, night: Night):
    settings = owner.get(reverse("store_settings", args=[night.store.slug])).text

    assert f'href="{reverse("backups", args=[night.store.slug])}"' in settings


def test_before_there_is_one_it_says_so(owner: Client, night: Night):
    page = page_of(owner, night)

    assert "None yet." in page
    assert "Back up now" in page
    assert "Download" not in page


def test_the_last_one_that_was_tested_is_named_with_its_time_and_size(owner: Client, night: Night):
    tested = put()
    put(MADE + timedelta(days=1))
    put(MADE - timedelta(days=1), "before-restore")
    write_state(BackupState(MADE, None, [tested]))

    page = page_of(owner, night)

    assert "26 Nov 2026, 04:12</time> · 2.1 MB" in " ".join(page.split())  # in Berlin
    assert page.count("Download") == 3
    assert page.count("Not tested") == 1
    assert page.count("Before a restore") == 1


@pytest.mark.parametrize("trouble", BackupTrouble)
def test_one_that_failed_is_said_there_and_on_the_page_of_the_store(
    owner: Client, night: Night, trouble: BackupTrouble
):
    write_state(BackupState(MADE, trouble))
    problem = str(read_state().problem)

    page, home = page_of(owner, night), html_of(owner.get(night.store.get_absolute_url()))

    assert "The last backup failed on 26 Nov, 04:12." in page
    assert problem in page
    assert "The last backup failed" in home
    assert problem in home


def test_where_the_folder_for_them_is_gone_that_is_said_in_both_places(
    owner: Client, night: Night, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Nothing can be noted there, and nobody would hear that there are no backups any more."""
    (tmp_path / "disk").write_text("no folder")
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path / "disk" / "backups"))
    monkeypatch.setenv("BACKUPS", "1")

    page, home = page_of(owner, night), html_of(owner.get(night.store.get_absolute_url()))
    asked = owner.post(reverse("back_up_now", args=[night.store.slug]), follow=True)
    with pytest.raises(CommandError, match="No backup was made"):
        call_command("backup", "--keep")

    assert "The last backup failed." in page
    assert "The last backup failed." in home
    assert html_of(asked).count("The backup couldn’t be made.") == 2
    assert "In progress" not in asked.text


def test_nobody_else_is_told(client: Client, night: Night):
    write_state(BackupState(MADE, BackupTrouble.NO_ROOM))

    for user in (None, night.judge):
        if user:
            client.force_login(user)
        assert "The last backup failed" not in client.get(night.store.get_absolute_url()).text


def test_pressed_one_is_asked_for_and_the_page_asks_until_it_is_there(owner: Client, night: Night):
    response = owner.post(reverse("back_up_now", args=[night.store.slug]), follow=True)

    assert (folder() / ASKED).exists()
    assert "In progress" in response.text
    assert 'hx-trigger="load delay:2s"' in response.text
    assert "Back up now" not in response.text
    (folder() / ASKED).unlink()
    with only_one() as is_ours:
        assert is_ours
        assert "In progress" in page_of(owner, night)
    assert "In progress" not in page_of(owner, night)


def test_the_file_comes_in_pieces_as_it_is(owner: Client, night: Night):
    name = put(content=bytes(range(256)) * 3000)

    response = owner.get(reverse("backup_file", args=[night.store.slug, name]))

    assert response.getvalue() == bytes(range(256)) * 3000
    assert response.headers["Content-Length"] == str(256 * 3000)
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("name", ["state.json", "..%2Fsecret-key", "lock"])
def test_other_files_are_not_given(owner: Client, night: Night, name: str):
    write_state(BackupState())
    (folder().parent / "secret-key").write_text("secret")

    assert owner.get(f"/s/{night.store.slug}/settings/backups/{name}/").status_code == 404


def test_with_another_store_only_who_owns_both_may_have_them(owner: Client, night: Night):
    name = put()
    write_state(BackupState(MADE, BackupTrouble.NO_ROOM, [name]))
    other, _ = make_store()
    now, file = reverse("back_up_now", args=[night.store.slug]), reverse("backup_file", args=[night.store.slug, name])

    page = page_of(owner, night)
    assert "Other stores share this installation" in page
    assert "Download" not in page
    assert "Back up now" not in page
    assert [owner.post(now).status_code, owner.get(file).status_code] == [404, 404]
    assert "The last backup failed" not in owner.get(night.store.get_absolute_url()).text

    stores.give_role(other, night.owner, Role.OWNER, by=BY)
    assert "Download" in page_of(owner, night)
    assert [owner.post(now).status_code, owner.get(file).status_code] == [302, 200]


def test_whoever_is_left_as_the_only_owner_gets_nothing_of_a_store_that_was_deleted(owner: Client, night: Night):
    name = put()
    write_state(BackupState(MADE, None, [name]))
    other, users = make_store()
    now, file = reverse("back_up_now", args=[night.store.slug]), reverse("backup_file", args=[night.store.slug, name])

    delete_store(other, by=Actor(None, users["owner"].username, BY.at))

    page = page_of(owner, night)
    assert "or have been deleted from it" in page
    assert "Download" not in page
    assert [owner.post(now).status_code, owner.get(file).status_code] == [404, 404]


@pytest.mark.parametrize(
    ("ways", "by_name", "sees"),
    [
        ("closed", "", True),
        ("open", "", True),
        ("closed", COMMAND_LINE, True),
        ("ask", COMMAND_LINE, False),
        ("open", COMMAND_LINE, False),
    ],
    ids=str,
)
def test_whoever_deleted_them_too_still_may_have_all(owner, night, settings, ways: str, by_name: str, sees: bool):
    settings.STORES = ways
    let_approve(night.owner)
    name = put()
    write_state(BackupState(MADE, None, [name]))
    other, _ = make_store()

    delete_store(other, by=Actor(None, by_name or night.owner.username, BY.at))

    file = owner.get(reverse("backup_file", args=[night.store.slug, name]))
    assert file.status_code == (200 if sees else 404)


def test_there_are_dailies_with_the_embedded_database_or_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch):
    asked = []
    for url, backups in (("", ""), ("", "0"), ("postgresql://x@/y", ""), ("postgresql://x@/y", "1")):
        monkeypatch.setenv("DATABASE_URL", url)
        monkeypatch.setenv("BACKUPS", backups)
        asked.append(are_daily())

    assert asked == [True, False, False, True]


def test_on_a_disk_that_is_nearly_full_none_is_made_and_the_next_try_is_in_an_hour(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(disk, "LOW", 10**18)
    (folder() / ASKED).touch()
    now = timezone.now()

    problem = daily.back_up_and_check(now)

    assert "too full for a backup" in str(problem)
    assert read_state().trouble == BackupTrouble.NO_ROOM
    assert not list(folder().glob("*.backup"))
    assert not (folder() / ASKED).exists()
    assert not due(now + timedelta(minutes=59))
    assert due(now + timedelta(minutes=60))


def test_while_one_is_being_made_there_is_no_other(monkeypatch: pytest.MonkeyPatch):
    with only_one():
        assert daily.back_up_and_check(timezone.now()) is None

    assert not list(folder().glob("*.backup"))


@pytest.mark.django_db(transaction=True)
def test_one_whose_test_fails_takes_the_place_of_the_one_before_that_failed():
    make_store()
    now = timezone.now()
    mine = put(now - timedelta(days=1))
    other = connection.copy()
    with closing(other), other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # somebody else restores one
        for hours in range(3):
            daily.back_up_and_check(now + timedelta(hours=hours))

    assert read_state().trouble == BackupTrouble.FAILED
    newest = name_of(now + timedelta(hours=2), "flagship")
    assert {path.name for path in folder().glob("*.backup")} == {mine, newest}


def test_a_file_with_a_date_that_there_is_not_is_passed_over(owner: Client, night: Night):
    (folder() / "flagship-2026-13-01-000000.backup").write_bytes(b"x")

    assert "None yet." in page_of(owner, night)


@pytest.mark.django_db(transaction=True)
def test_a_daily_is_made_and_tested_and_those_that_are_too_old_go():
    make_store()
    now = timezone.now()
    old, young = put(now - timedelta(days=15)), put(now - timedelta(days=13))
    (folder() / "flagship-2026-01-01-000000.backup.part").write_bytes(b"killed")

    call_command("backup", "--keep")

    kept = {path.name for path in folder().iterdir()}
    (made,) = read_state().checked
    assert read_state().trouble is None
    assert kept == {young, made, "lock", "state.json"}
    assert old not in kept
    assert not due(timezone.now())
