"""python manage.py backup [FILE] [--verify [FILE]]: everything in one file, while the server runs."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tourney.backups.actions.back_up import back_up_to
from tourney.backups.actions.daily import back_up_and_check
from tourney.backups.actions.restore import verify
from tourney.backups.actions.scratch import CannotRestore
from tourney.backups.domain.backup_file import UnreadableBackup
from tourney.backups.queries.kept import name_of, newest
from tourney.runtime.backup_state import folder


class Command(BaseCommand):
    help = "Back up the whole installation into one file, while it runs; or check that a backup can be restored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="where to write it (default: a new file in var/backups)")
        parser.add_argument(
            "--verify",
            type=Path,
            nargs="?",
            const=Path(),
            metavar="FILE",
            help="restore that file, or the newest, beside the tables in use, and compare; nothing else changes",
        )
        parser.add_argument(
            "--keep", action="store_true", help="back up, check and delete old ones, as the server does each day"
        )

    def handle(self, *, file: Path | None, verify: Path | None, keep: bool, **options: object) -> None:
        if keep:
            self._keep()
            return
        if verify is not None:
            self._verify(file or verify)
            return
        path = file or folder() / name_of(timezone.now(), "flagship")
        if path.exists():
            raise CommandError(f"{path} is there already. Choose another name.")
        try:
            if file is None:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            manifest = back_up_to(path)
        except OSError as error:
            raise CommandError(f"No backup was made. {error}") from error
        self.stdout.write(f"{path}: {manifest.rows:,} rows, {path.stat().st_size / 1_000_000:,.1f} MB.")
        self.stdout.write("Keep it as secret as the database: anyone who has it can read and do everything.")

    def _keep(self) -> None:
        try:
            problem = back_up_and_check(timezone.now())
        except OSError as error:
            raise CommandError(f"No backup was made. {error}") from error
        if problem:
            raise CommandError(str(problem))

    def _verify(self, asked: Path) -> None:
        path = asked if asked != Path() else newest()
        if path is None:
            raise CommandError(f"There is no backup in {folder()}.")
        try:
            manifest, problems = verify(path)
        except (UnreadableBackup, CannotRestore, OSError) as error:
            raise CommandError(str(error)) from error
        for sentence in problems:
            self.stdout.write(sentence)
        if problems:
            raise CommandError("1 problem found." if len(problems) == 1 else f"{len(problems)} problems found.")
        self.stdout.write(
            f"{path} can be restored: {manifest.rows:,} rows in {len(manifest.tables)} tables as they were written, "
            f"{len(manifest.heads)} journals intact."
        )
