"""A backup: one ZIP file with a part for each table, and a manifest that says what has to be in it (docs/backups.md).

The parts come first, the manifest last; its SHA-256 is the comment at the end of the file. So a file that is cut off
has no manifest, and one that was changed anywhere no longer fits what it says of itself.
"""

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Annotated, Self

import msgspec
from msgspec import Meta, Struct

from tourney.runtime.whole_file import written_whole

FORMAT = "flagship-backup"
VERSION = 1
"""Of the format; one that is higher is of a newer Flagship."""
SECRET_KEY = "secret-key"
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 50_000_000  # bytes
BLOCK = 1 << 20
PACKED = {zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED}

UNREADABLE = (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, RuntimeError, ValueError)
"""What reading a part raises that was changed. NotImplementedError and UnicodeDecodeError are among them."""

type Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
type Count = Annotated[int, Meta(ge=0)]
type SQLName = Annotated[str, Meta(pattern="^[A-Za-z0-9_]{1,63}$")]
"""Of a table, a column or a sequence."""


class UnreadableBackup(Exception):
    """The file is no backup that can be restored; the message says why, and what to do."""


class DamagedBackup(UnreadableBackup):
    """It is not as it was written."""


class NewerBackup(UnreadableBackup):
    """A newer Flagship wrote it."""


class WrittenPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What one part of the file has to be: bytes before compression, and their SHA-256."""

    size: Count
    sha256: Hash


class TableRows(Struct, frozen=True, forbid_unknown_fields=True):
    """A table: its columns in the order of the part, and how many rows it has."""

    columns: list[SQLName]
    rows: Count
    size: Count
    sha256: Hash


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a store's journal: the number of its last link, and that link's hash."""

    number: Count
    hash: str


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the file holds. `migrations` are the applied ones by app; `heads` those of the stores by short name."""

    format: str = FORMAT
    version: int = VERSION
    made_at: Annotated[datetime, Meta(tz=True)]
    postgresql: str
    migrations: dict[str, list[str]]
    tables: dict[SQLName, TableRows]
    sequences: dict[SQLName, Count]
    heads: dict[str, Head]
    secret_key: WrittenPart | None

    @property
    def rows(self) -> int:
        """Of all tables together."""
        return sum(table.rows for table in self.tables.values())


class Hashing:
    """Counts and hashes what passes: `for block in hashing.through(blocks)`."""

    def __init__(self) -> None:
        self.size = 0
        self._hash = sha256()

    def through[Block: bytes | memoryview](self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The same blocks."""
        for block in blocks:
            self.size += len(block)
            self._hash.update(block)
            yield block

    @property
    def part(self) -> WrittenPart:
        """What passed until now."""
        return WrittenPart(self.size, self._hash.hexdigest())


class BackupWriter:
    """`with BackupWriter.to(path) as backup:` the file is there once all is written, and never half of it."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    @classmethod
    @contextmanager
    def to(cls, path: Path) -> Iterator[Self]:
        """Write a file that only its owner can read. Raises OSError."""
        with (
            written_whole(path) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=True, compresslevel=6) as archive,
        ):
            yield cls(archive)

    def add(self, name: str, blocks: Iterable[bytes | memoryview]) -> WrittenPart:
        """Write a part, however large."""
        hashing = Hashing()
        with self._archive.open(name, "w", force_zip64=True) as part:
            for block in hashing.through(blocks):
                part.write(block)
        return hashing.part

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, after everything else."""
        text = msgspec.json.format(msgspec.json.encode(manifest))
        self._archive.writestr(MANIFEST, text)
        self._archive.comment = sha256(text).hexdigest().encode()


class BackupReader:
    """`with BackupReader.of(path) as backup:` its manifest, which fits the file's end; parts are checked when read."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.manifest = _manifest_of(archive)
        expected = {part_of(table) for table in self.manifest.tables} | {MANIFEST}
        expected |= {SECRET_KEY} if self.manifest.secret_key else set()
        is_ours = all(part.compress_type in PACKED for part in archive.infolist())
        if not is_ours or sorted(archive.namelist()) != sorted(expected):
            raise DamagedBackup("This backup is damaged: it doesn’t have the parts it should. Use another one.")

    @classmethod
    @contextmanager
    def of(cls, path: Path) -> Iterator[Self]:
        """Open a file. Raises DamagedBackup, NewerBackup, OSError."""
        try:
            archive = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, NotImplementedError) as error:
            raise DamagedBackup("This isn’t a whole backup: its end is missing. Use another file.") from error
        with archive:
            yield cls(archive)

    def check(self) -> None:
        """Read every part. Raises DamagedBackup."""
        for name in self.manifest.tables:
            for _ in self.blocks_of(name):
                pass
        self.secret_key()

    def blocks_of(self, table: str) -> Iterator[bytes]:
        """The content of a table, to its end. Raises DamagedBackup, at the latest after the last block."""
        known = self.manifest.tables[table]
        yield from self._blocks(part_of(table), WrittenPart(known.size, known.sha256))

    def secret_key(self) -> str | None:
        """The key of the installation; None if the file has none. Raises DamagedBackup."""
        if self.manifest.secret_key is None:
            return None
        key = b"".join(self._blocks(SECRET_KEY, self.manifest.secret_key))
        try:
            return key.decode()
        except UnicodeDecodeError as error:
            raise _damaged(SECRET_KEY) from error

    def _blocks(self, name: str, known: WrittenPart) -> Iterator[bytes]:
        hashing = Hashing()
        try:
            with self._archive.open(name) as part:
                for block in hashing.through(_blocks_of(part)):
                    if hashing.size > known.size:
                        break
                    yield block
        except UNREADABLE as error:
            raise _damaged(name) from error
        if hashing.part != known:
            raise _damaged(name)


def part_of(table: str) -> str:
    """The name of a table's part."""
    return f"tables/{table}.copy"


def _blocks_of(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(BLOCK):
        yield block


def _damaged(name: str) -> DamagedBackup:
    return DamagedBackup(f"This backup is damaged: “{name}” isn’t as it was written. Use another one.")


def _manifest_of(archive: zipfile.ZipFile) -> Manifest:
    """Raises UnreadableBackup."""
    try:
        if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise _damaged(MANIFEST)
        text = archive.read(MANIFEST)
        said = msgspec.json.decode(text, type=_Said)
    except KeyError as error:
        raise DamagedBackup("This isn’t a backup of Flagship. Use another file.") from error
    except (*UNREADABLE, msgspec.DecodeError, OSError) as error:
        raise _damaged(MANIFEST) from error
    if archive.comment != sha256(text).hexdigest().encode():
        raise _damaged(MANIFEST)
    if said.format != FORMAT:
        raise DamagedBackup("This isn’t a backup of Flagship. Use another file.")
    if said.version > VERSION:
        raise NewerBackup("A newer Flagship made this backup. Update Flagship, then restore it.")
    try:
        return msgspec.json.decode(text, type=Manifest)
    except (msgspec.ValidationError, UnicodeDecodeError) as error:
        raise _damaged(MANIFEST) from error


class _Said(Struct):
    """What every version of the format says."""

    format: str
    version: int
