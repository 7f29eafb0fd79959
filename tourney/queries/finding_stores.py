"""Stores by name and town, a few at a time: as many others as there may be cost nothing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import connection

from tourney.models import Store
from tourney.runtime.found_by import words_of

PART = 20
MOST_WORDS, MOST_LETTERS = 6, 80
STILL_ON = timedelta(hours=12)
"""For so long after its beginning an event that nobody has finished is still the next one."""

COLUMNS = ", ".join(("id", "slug", "name", "place", "time_zone", "found_by"))
PART_OF = f"""
    SELECT {COLUMNS} FROM {{stores}}
    WHERE (found_by, id) > (%(words)s, %(after)s) ORDER BY found_by, id LIMIT %(most)s
"""
FOUND = PART_OF.format(stores="tourney_store").replace("WHERE", "WHERE rehearsal_id IS NULL AND")
"""Read along the index that has them in order."""

MATCHING = f"""
    WITH matching AS MATERIALIZED (
        SELECT {COLUMNS} FROM tourney_store
        WHERE rehearsal_id IS NULL AND array_to_tsvector(string_to_array(found_by, ' ')) @@ %(wanted)s::tsquery
    )
""" + PART_OF.format(stores="matching")
"""Looked up by their words, then put in order: left to choose, the planner reads along all stores for a rare word."""

NEXT = """
    SELECT c.store_id, min(e.starts_at) FROM tourney_campaign c JOIN tourney_event e ON e.campaign_id = c.id
    WHERE c.store_id = ANY(%(stores)s) AND e.starts_at > %(since)s
    AND e.finished_at IS NULL AND e.canceled_at IS NULL AND e.deleted_at IS NULL
    GROUP BY c.store_id
"""


@dataclass(frozen=True, slots=True)
class StoreLine:
    """A store of the list, with the day and time of its next event, if there is one, by its own clock."""

    store: Store
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoresFound:
    """A part of the list: those whose name and town have all the words of `text`, each as its beginning.

    `after` is the id of the last one, for the part that follows; 0 where none does.
    """

    text: str
    lines: tuple[StoreLine, ...]
    after: int


def stores_found(text: str, after: int, now: datetime) -> StoresFound:
    """The first of them, or those after that store, in two or three queries. A store that is gone is none to go on
    from: the list begins again."""
    text = " ".join(text.replace("\0", "").split())[:MOST_LETTERS]
    wanted = words_of(text)[:MOST_WORDS]
    from_words = Store.objects.real().filter(pk=after).values_list("found_by", flat=True).first() if after else None
    asked: dict[str, str | int] = {
        "words": from_words or "",
        "after": after if from_words is not None else 0,
        "most": PART + 1,
        "wanted": " & ".join(f"'{word}':*" for word in wanted),
    }
    stores = list(Store.objects.raw(MATCHING if wanted else FOUND, asked))
    shown = [] if text and not wanted else stores[:PART]
    coming = _next_events([store.pk for store in shown], now)
    lines = tuple(StoreLine(store, _by_its_clock(store, coming.get(store.pk))) for store in shown)
    return StoresFound(text, lines, after=shown[-1].pk if len(stores) > PART and shown else 0)


def only_store() -> Store | None:
    """The one store there is; None for none or several."""
    first = list(Store.objects.real().order_by("found_by", "pk")[:2])
    return first[0] if len(first) == 1 else None


def _next_events(stores: list[int], now: datetime) -> dict[int, datetime]:
    with connection.cursor() as cursor:
        cursor.execute(NEXT, {"stores": stores, "since": now - STILL_ON})
        return dict(cursor.fetchall())


def _by_its_clock(store: Store, at: datetime | None) -> datetime | None:
    """As clocks there say it; without a zone, so that no page takes it for another."""
    return at.astimezone(ZoneInfo(store.time_zone)).replace(tzinfo=None) if at else None
