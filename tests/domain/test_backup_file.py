"""A backup file says what is in it, and a file that is not as it was written is found out before anything is done."""

import stat
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from tourney.backups.domain import backup_file
from tourney.backups.domain.backup_file import (
    BackupReader,
    BackupWriter,
    DamagedBackup,
    Manifest,
    NewerBackup,
    TableRows,
    UnreadableBackup,
    part_of,
)
from tourney.backups.domain.dailies import is_due, too_old
from tourney.runtime.whole_file import delete_drafts

CONTENT = {"tourney_event": [b"1\tTonight\n", b"2\tTomorrow\n"], "tourney_store": [b"1\tHarbor Lights\n"]}
KEY = "not very secret"
NOW = datetime(2026, 11, 26, 9, tzinfo=UTC)


def write(path: Path, **more: object) -> Manifest:
    with BackupWriter.to(path) as backup:
        tables = {}
        for name, rows in CONTENT.items():
            part = backup.add(part_of(name), rows)
            tables[name] = TableRows(["id", "name"], len(rows), part.size, part.sha256)
        key = backup.add(backup_file.SECRET_KEY, [KEY.encode()])
        manifest = Manifest(
            made_at=NOW,
            postgresql="18.1",
            migrations={"tourney": ["0001_initial"]},
            tables=tables,
            sequences={"tourney_event_id_seq": 2},
            heads={},
            secret_key=key,
        )
        manifest = msgspec.structs.replace(manifest, **more)
        backup.finish(manifest)
    return manifest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "flagship.backup"


def read(path: Path) -> tuple[Manifest, dict[str, bytes], str | None]:
    with BackupReader.of(path) as backup:
        backup.check()
        parts = {name: b"".join(backup.blocks_of(name)) for name in backup.manifest.tables}
        return backup.manifest, parts, backup.secret_key()


def test_what_is_written_is_read(path: Path):
    manifest = write(path)

    assert read(path) == (manifest, {name: b"".join(rows) for name, rows in CONTENT.items()}, KEY)
    assert manifest.rows == 3


def test_only_its_owner_may_read_it(path: Path):
    write(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_one_that_was_not_finished_is_not_there(path: Path):
    with pytest.raises(TypeError):
        write(path, heads=object())

    assert list(path.parent.iterdir()) == []


def test_one_that_was_cut_off_anywhere_is_refused(path: Path):
    write(path)
    whole = path.read_bytes()

    for length in range(0, len(whole), 3):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedBackup):
            read(path)


def test_one_with_a_changed_byte_is_refused_or_says_the_same(path: Path):
    written = write(path)
    whole = path.read_bytes()
    content = {name: b"".join(rows) for name, rows in CONTENT.items()}
    with zipfile.ZipFile(path) as archive:
        packed = sum(part.compress_size for part in archive.infolist())
    refused = 0

    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        try:
            assert read(path) == (written, content, KEY), at  # a date in the directory, which nobody reads
        except UnreadableBackup:
            refused += 1

    assert refused > packed


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_one_that_says_to_be_packed_otherwise_is_refused(path: Path, method: int):
    write(path)
    whole = path.read_bytes()
    at = whole.index(b"PK\x01\x02") + 10  # in the directory, of the first part

    path.write_bytes(whole[:at] + bytes([method]) + whole[at + 1 :])

    with pytest.raises(DamagedBackup):
        read(path)


def test_a_key_that_is_no_text_is_refused(path: Path):
    with BackupWriter.to(path) as backup:
        key = backup.add(backup_file.SECRET_KEY, [b"\xff"])
        more = {"migrations": {}, "tables": {}, "sequences": {}, "heads": {}}
        backup.finish(Manifest(made_at=NOW, postgresql="18.1", secret_key=key, **more))

    with pytest.raises(DamagedBackup, match="secret-key"):
        read(path)


def test_of_two_who_write_the_same_one_each_writes_a_whole_one(path: Path):
    with BackupWriter.to(path) as first:
        first.add("first", [b"1"])
        with BackupWriter.to(path) as second:
            second.add("second", [b"2"])
        assert zipfile.ZipFile(path).namelist() == ["second"]

    assert zipfile.ZipFile(path).namelist() == ["first"]
    assert list(path.parent.iterdir()) == [path]


def test_what_a_killed_one_left_is_deleted_and_what_is_being_written_is_not(path: Path):
    left = path.with_name("left.part")
    left.write_bytes(b"killed")

    with BackupWriter.to(path) as backup:
        delete_drafts(path.parent)
        backup.add("part", [b"1"])

    assert list(path.parent.iterdir()) == [path]


def test_a_part_that_was_exchanged_is_refused_though_the_archive_is_whole(path: Path):
    write(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
        comment = archive.comment
    parts[part_of("tourney_store")] = b"1\tHarbor Nights\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = comment
        for name, content in parts.items():
            archive.writestr(name, content)

    with pytest.raises(DamagedBackup, match="tables/tourney_store"):
        read(path)


def test_one_of_a_newer_version_says_to_update(path: Path):
    write(path, version=backup_file.VERSION + 1)

    with pytest.raises(NewerBackup, match="Update Flagship"):
        read(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"\0" * 5000, b"{}"])
def test_other_files_are_refused(path: Path, content: bytes):
    path.write_bytes(content)

    with pytest.raises(DamagedBackup):
        read(path)


def test_another_archive_is_refused(path: Path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("holiday.txt", "sun")

    with pytest.raises(DamagedBackup, match="isn’t a backup of Flagship"):
        read(path)


@pytest.mark.parametrize(
    ("newest", "failed", "expected"),
    [
        (None, None, True),
        (timedelta(hours=23), None, False),
        (timedelta(hours=24), None, True),
        (timedelta(hours=30), timedelta(minutes=59), False),
        (timedelta(hours=30), timedelta(hours=1), True),
        (-timedelta(days=300), None, True),
    ],
)
def test_one_is_due_a_day_after_the_last_and_an_hour_after_a_failure(newest, failed, expected):
    assert is_due(newest and NOW - newest, failed and NOW - failed, NOW) is expected


def test_those_of_fourteen_days_are_kept_and_the_last_checked_one_for_ever():
    made_at = {"new": NOW, "old": NOW - timedelta(days=14), "older": NOW - timedelta(days=14, seconds=1)}

    assert too_old(made_at, "new", NOW) == ["older"]
    assert too_old(made_at, "older", NOW) == []
