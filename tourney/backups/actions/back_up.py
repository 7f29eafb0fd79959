"""Write a backup of everything into a file, while everybody goes on working."""

import os
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from tourney.backups.domain.backup_file import BackupWriter, Manifest
from tourney.backups.queries.contents import write_backup


def back_up_to(path: Path) -> Manifest:
    """Write the file, which only its owner can read; it is there when it is whole. Raises OSError."""
    with BackupWriter.to(path) as backup:
        return write_backup(backup, at=timezone.now(), secret_key=_own_secret_key())


def _own_secret_key() -> str | None:
    """The key that this installation keeps itself; one that the environment gives is kept where that comes from."""
    return None if os.environ.get("SECRET_KEY") else settings.SECRET_KEY
