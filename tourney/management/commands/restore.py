"""python manage.py restore FILE [--replace]: everything as it was when that backup was made, while the server runs."""

import io
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tourney.backups.actions.back_up import back_up_to
from tourney.backups.actions.restore import is_empty, restore
from tourney.backups.actions.scratch import CannotRestore
from tourney.backups.domain.backup_file import UnreadableBackup
from tourney.backups.queries.kept import name_of
from tourney.runtime.backup_state import folder

CONFIRMATION = "replace everything"


class Command(BaseCommand):
    help = (
        "Restore a backup of the whole installation. Everything is checked first, and a restore that fails changes "
        "nothing. The server can go on running."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument(
            "--replace", action="store_true", help="replace the stores that are here; asks you to type it"
        )
        parser.add_argument("--with-problems", action="store_true", help="restore it although its history has problems")

    def handle(self, *, file: Path, replace: bool, with_problems: bool, **options: object) -> None:
        was_empty = is_empty()
        if not was_empty and not replace:
            raise CommandError(
                "Nothing changed. There are stores in this database. Add --replace to replace them with the backup."
            )
        if not was_empty and not self._is_confirmed(file):
            raise CommandError("Nothing changed.")
        try:
            kept = None if was_empty else self._keep_what_is_here()
            done = restore(file, despite_problems=with_problems)
        except (UnreadableBackup, CannotRestore, OSError) as error:
            raise CommandError(f"Nothing changed. {error}") from error
        call_command("prepare", stdout=io.StringIO())
        manifest = done.manifest
        self.stdout.write(f"Restored: {manifest.rows:,} rows as of {manifest.made_at:%Y-%m-%d %H:%M} UTC.")
        if kept:
            self.stdout.write(f"What was here before is in {kept}.")
        if done.is_keyless:
            self.stdout.write(
                "Note: SECRET_KEY is set here, and the backup has another one. With yours, everyone signs in again and "
                f"players’ recovery words don’t work. To use the backup's: unzip -p {file} secret-key"
            )

    def _is_confirmed(self, file: Path) -> bool:
        self.stdout.write(f"This replaces every store, event and player here with those of {file}.")
        try:
            return input(f"Type “{CONFIRMATION}” to continue: ").strip().strip("“”\"'") == CONFIRMATION
        except (EOFError, KeyboardInterrupt):
            return False

    def _keep_what_is_here(self) -> Path:
        path = folder() / name_of(timezone.now(), "before-restore")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        back_up_to(path)
        return path
