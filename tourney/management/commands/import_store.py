"""Take a store over from its archive."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify

from tourney.actions.record import Actor
from tourney.actions.store_archive import InvalidStoreArchive, import_store
from tourney.actions.stores import FIXED_WORDS, invite
from tourney.domain.store_file import MOST_BYTES, NotAStoreArchive, check_file
from tourney.models import Role, Store
from tourney.queries.store_archive import staff_of
from tourney.runtime.isolated import ProcessLimits, call

LONGEST = Store._meta.get_field("slug").max_length
LIMITS = ProcessLimits(memory=1024**3, result=1024**2, cpu=300, wall=600)


class Command(BaseCommand):
    help = (
        "Take a store over from its archive (docs/store-archive.md). A file with errors changes nothing. Prints a "
        "one-time link for its owner: accounts don’t move."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the archive")
        parser.add_argument("--as", dest="slug", default="", help="another short name for the store")
        parser.add_argument("--base-url", default="http://localhost:8000", help="the address of this installation")
        parser.add_argument("--no-link", action="store_true", help="make no link for an owner")

    def handle(self, *, file: Path, slug: str, base_url: str, no_link: bool, **options: object) -> None:
        if slug != slugify(slug)[:LONGEST] or slug in FIXED_WORDS:
            allowed = f"small letters, digits, and hyphens, at most {LONGEST}; and not {', '.join(sorted(FIXED_WORDS))}"
            raise CommandError(f"“{slug}” is no short name: use {allowed}.")
        by = Actor(user=None, name="command line", at=timezone.now())
        try:
            with file.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
            call(check_file, data, refusal=NotAStoreArchive, limits=LIMITS)
            store = import_store(data, slug=slug, by=by)
        except OSError as error:
            raise CommandError(f"{file} can’t be read: {error.strerror}.") from error
        except (NotAStoreArchive, InvalidStoreArchive) as error:
            raise CommandError(f"Nothing changed. {file} was not imported.\n{error}") from error
        self.stdout.write(f"Imported “{store.name}” as {store.slug}.")
        if staff := staff_of(store):
            names = ", ".join(f"{name} ({role})" for name, role in staff)
            self.stdout.write(f"Accounts don’t move. Invite who worked there: {names}.")
        if not no_link:
            key = invite(store, Role.OWNER, by=by)
            self.stdout.write(f"Link for an owner: {base_url.rstrip('/')}{reverse('invitation', args=[key])}")
