"""The history of events that are long over is packed (docs/decisions/growth.md); nothing reads it in another way.

What is recorded at such an event later stands beside what was packed, and goes into it once it is as old.
"""

import json
import logging
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from tourney.models import Event, JournalEntry, PackedHistory, RowChange, Store

EVERY = 3600.0  # seconds between two looks for such events

logger = logging.getLogger(__name__)

PART = 100
"""Events that are in memory at the same time."""


def cold_events(before: datetime) -> QuerySet[Event]:
    """Those that were finished before then, where nothing was recorded since, with changes that are not packed yet."""
    lately = JournalEntry.objects.filter(event=OuterRef("pk"), at__gte=before)
    to_pack = RowChange.objects.filter(event=OuterRef("pk"), entry__links__isnull=False)
    finished = Event.objects.filter(finished_at__lt=before, campaign__store__rehearsal=None)
    return finished.filter(~Exists(lately), Exists(to_pack))


def pack_cold(before: datetime) -> Iterator[Event]:
    """Pack those, each by itself, and tell of each; one on which somebody works is left for the next time."""
    last = 0
    while part := list(cold_events(before).filter(pk__gt=last).select_related("campaign").order_by("pk")[:PART]):
        last = part[-1].pk
        for event in part:
            try:
                if pack(event, before):
                    yield event
            except IntegrityError as error:
                logger.warning("The history of %s stays as it is: %s", event.slug, error)


@transaction.atomic
def pack(event: Event, before: datetime) -> bool:
    """Pack the event's history, with what it had packed already, if it is still cold; whether it was.

    Nothing happens while somebody has the event or its store locked: that may be to erase a name.
    """
    events = Event.objects.select_for_update(skip_locked=True).filter(pk=event.pk)
    stores = Store.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=event.campaign.store_id)
    if not events.values_list("pk") or not stores.values_list("pk"):
        return False
    if not cold_events(before).filter(pk=event.pk).exists():
        return False
    PackedHistory.objects.filter(event=event).delete()
    PackedHistory.objects.create(event=event)
    return True


UNPACK_NAMING = """
    DELETE FROM tourney_packed_history WHERE strpos(lines, %(name)s) > 0 AND event_id IN (
        SELECT e.id FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id WHERE c.store_id = %(store)s
    )
"""


def unpack_naming(store: Store, name: str) -> None:
    """Unpack all histories of the store in which that name may stand, which is about to be erased. Under its lock."""
    with connection.cursor() as cursor:
        cursor.execute(UNPACK_NAMING, {"store": store.pk, "name": json.dumps(name, ensure_ascii=False)[1:-1]})


def keep_packed(stopped: threading.Event) -> None:
    """For a thread of the process for tasks, until that is set; the first time an hour after it began."""
    while not stopped.wait(EVERY):
        try:
            for event in pack_cold(timezone.now() - timedelta(days=settings.PACK_AFTER_DAYS)):
                logger.info("Packed the history of %s.", event.slug)
                if stopped.is_set():
                    break
        except Error as error:
            logger.warning("No history was packed: %s", error)
        finally:
            connection.close()
