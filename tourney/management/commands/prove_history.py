"""python manage.py prove_history [slug …] [--head STORE:NUMBER:HASH …]: rows, history and journal agree."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tourney.models import Event, Store
from tourney.queries.integrity import store_problems
from tourney.queries.journal_chain import ChainHead, head_of, read_head
from tourney.runtime.database_roles import owns_its_tables


class Command(BaseCommand):
    help = (
        "Check data integrity: rebuild events from their history and compare them with what is stored (all events, or "
        "the ones named), and verify the hash chain of each store's journal."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="slug")
        parser.add_argument(
            "--head",
            action="append",
            default=[],
            metavar="STORE:NUMBER:HASH",
            help="a head you kept, from paper or an archive: the store's short name, the number, the hash",
        )

    def handle(self, *, slugs: list[str], head: list[str], **options: object) -> None:
        asked = Event.objects.filter(slug__in=slugs) if slugs else Event.objects.all()
        events = list(asked.select_related("campaign__store").order_by("pk"))
        if missing := set(slugs) - {event.slug for event in events}:
            raise CommandError(f"There is no event {', '.join(f'“{one}”' for one in sorted(missing))}.")
        known = [self._head(text) for text in head]
        named = {event.store for event in events} | {store for store, _ in known}
        stores = sorted(named if slugs else Store.objects.all(), key=lambda store: store.pk)
        wrong = sum(self._problems(store, events, known) for store in stores)
        self._say_who_owns_the_tables()
        if wrong:
            raise CommandError("1 problem found." if wrong == 1 else f"{wrong} problems found.")

    def _head(self, text: str) -> tuple[Store, ChainHead]:
        slug, _, rest = text.partition(":")
        try:
            head = read_head(rest)
        except ValueError as error:
            raise CommandError(
                f"“{text}” isn't a head. Write it as STORE:NUMBER:HASH, such as harbor-lights:1234:9F3A-61C2-0B7D-55E0."
            ) from error
        store = Store.objects.filter(slug=slug).first()
        if store is None:
            raise CommandError(f"There is no store “{slug}”.")
        return store, head

    def _problems(self, store: Store, events: list[Event], known: list[tuple[Store, ChainHead]]) -> int:
        here = [event for event in events if event.store == store]
        found = store_problems(store, here, [head for where, head in known if where == store])
        for sentence in found:
            self.stdout.write(f"{store.slug}: {sentence}")
        if not found:
            head = head_of(store)
            events_proved = f"{len(here)} event{'' if len(here) == 1 else 's'} as recorded"
            self.stdout.write(f"{store.slug}: {events_proved}; history {f'{head} intact' if head else 'empty'}")
        return len(found)

    def _say_who_owns_the_tables(self) -> None:
        if role := owns_its_tables():
            self.stdout.write(
                f"Note: the role “{role}” owns the tables it writes, so it could switch off the journal's triggers. "
                "Set DATABASE_OWNER_URL to give them another owner (docs/operating.md)."
            )
