"""Files with secrets: each is there when all of it is written, never half of it, and only its owner can read it."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

DRAFT = ".part"


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """What is written inside is at that path afterwards; if something goes wrong, nothing is. Raises OSError.

    Each who writes has a draft of their own, locked as long as they do.
    """
    number, name = tempfile.mkstemp(DRAFT, f"{path.name}.", path.parent)
    draft = Path(name)
    try:
        with open(number, "wb") as file:
            with suppress(OSError):  # on a disk that knows no locks
                fcntl.flock(file, fcntl.LOCK_EX)
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def delete_drafts(folder: Path) -> None:
    """Delete what is left of those who were killed, and not what somebody is writing."""
    for draft in folder.glob(f"*{DRAFT}"):
        with suppress(OSError), draft.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            draft.unlink()
