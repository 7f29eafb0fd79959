"""Write a store's archive, and say where the store has moved."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tourney.actions.record import Actor
from tourney.actions.stores import move_store
from tourney.domain.store_file import as_bytes
from tourney.models import Store
from tourney.queries.store_archive import lines_of_store
from tourney.runtime.whole_file import written_whole

LONGEST = 300


class Command(BaseCommand):
    help = (
        "Write everything of one store as one file (docs/store-archive.md), to import it elsewhere. With --moved-to, "
        "its public pages here lead to its new address from then on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the store’s short name in its address")
        parser.add_argument("file", type=Path, help="the file to write")
        parser.add_argument(
            "--moved-to",
            metavar="URL",
            help="the store’s address there, such as https://example.com/s/harbor-lights/; empty: it is here again",
        )

    def handle(self, *, slug: str, file: Path, moved_to: str | None = None, **options: object) -> None:
        store = Store.objects.real().filter(slug=slug).first()
        if store is None:
            known = ", ".join(Store.objects.real().values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no store “{slug}”. Stores here: {known}.")
        try:
            with _moved(store, moved_to), written_whole(file) as opened:
                opened.writelines(as_bytes(lines_of_store(store)))
        except OSError as error:
            raise CommandError(f"{file} can’t be written: {error.strerror}.") from error
        self.stdout.write(f"Exported “{store.name}” to {file}.")


@contextmanager
def _moved(store: Store, address: str | None) -> Iterator[None]:
    """The store is at that address, or where it was if something goes wrong inside: with no file, it is not there."""
    before, by = store.moved_to, Actor(user=None, name="command line", at=timezone.now())
    move_store(store, before if address is None else _address(address), by=by)
    try:
        yield
    except BaseException:
        move_store(store, before, by=by)
        raise


def _address(text: str) -> str:
    """The address with a slash at its end, "" for none. Raises CommandError."""
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or "/s/" not in parts.path):
        raise CommandError("Give the store’s whole address there, such as https://example.com/s/harbor-lights/.")
    if len(text) >= LONGEST or parts.query or parts.fragment:
        raise CommandError(f"An address of a store has no “?” and no “#”, and fewer than {LONGEST} characters.")
    return text and text.rstrip("/") + "/"
