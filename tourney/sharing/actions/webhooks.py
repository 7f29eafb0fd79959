"""A store's webhook: set up, turned off, told what happens; and each try to send it that."""

import logging
import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.tasks import task
from django.utils import timezone

from tourney.actions.record import Actor, record_at_store, recorded
from tourney.domain.verbs import Verb
from tourney.models import Delivery, JournalEntry, Store, Webhook, WebhookFormat
from tourney.runtime.messages import message
from tourney.runtime.outgoing import Answer, post
from tourney.sharing.domain.webhooks import SIGNATURE, Ended, News, news_of, signature, wait_after
from tourney.sharing.queries.webhooks import bodies_of

KEPT = 50
"""Deliveries of a webhook that its log shows; older ones are deleted."""
USER_AGENT = "Flagship-Webhook/1"
LONGEST_ANSWER = 200
"""Characters of an answer that the log shows."""

logger = logging.getLogger(__name__)


# setting it up


@transaction.atomic
def save_webhook(store: Store, *, address: str, format: str, kinds: Collection[str], site: str, by: Actor) -> Webhook:
    """Make the store's webhook, or change it and turn it on again. The journal doesn't keep the address, but its host.

    An address of Discord lets everybody post there who knows it.
    """
    before = Webhook.objects.select_for_update().filter(store=store).first()
    facts = {"address": address, "format": format, "kinds": sorted(kinds), "site": site, "is_on": True}
    webhook, _ = Webhook.objects.update_or_create(
        store=store, defaults=facts, create_defaults={**facts, "secret": new_key()}
    )
    record_at_store(
        store,
        by=by,
        did=Verb.CHANGE_WEBHOOK,
        what=message("Webhook saved: {host}.", host=urlsplit(address).hostname or ""),
        before=_facts(before) if before else None,
        after=_facts(webhook),
    )
    return webhook


@transaction.atomic
def turn_off(store: Store, *, by: Actor) -> None:
    """Nothing is sent any more, nor what still waits; nothing happens where it is off."""
    webhook = Webhook.objects.select_for_update().filter(store=store, is_on=True).first()
    if webhook is None:
        return
    before = _facts(webhook)
    webhook.is_on = False
    webhook.save(update_fields=["is_on"])
    webhook.deliveries.exclude(next_at=None).update(next_at=None, outcome=Ended.TURNED_OFF, status=None, answer="")
    what = message("Webhook turned off.")
    record_at_store(store, by=by, did=Verb.CHANGE_WEBHOOK, what=what, before=before, after=_facts(webhook))


@transaction.atomic
def make_new_secret(store: Store, *, by: Actor) -> None:
    """Sign with another secret from now on; nothing happens where there is no webhook."""
    if Webhook.objects.filter(store=store).update(secret=new_key()):
        record_at_store(store, by=by, did=Verb.NEW_SECRET, what=message("New secret for the webhook."))


def new_key() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(32)


def _facts(webhook: Webhook) -> dict[str, object]:
    host = urlsplit(webhook.address).hostname
    return {"host": host, "format": webhook.format, "kinds": webhook.kinds, "is_on": webhook.is_on}


# what there is to tell


def listen() -> None:
    """From now on, webhooks are told of what is recorded."""
    recorded.connect(_tell, dispatch_uid="webhooks")


def _tell(entry: JournalEntry, **more: Any) -> None:
    news = news_of(entry.did, entry.after)
    webhook = Webhook.objects.filter(store=entry.store_id, is_on=True).first() if news else None
    if news and webhook and news in webhook.kinds:
        _enqueue(webhook, news, entry.at, entry)


@transaction.atomic
def send_test(store: Store, *, by: Actor) -> None:
    """Send a message that says that it is a test; nothing happens where the webhook is off."""
    webhook = Webhook.objects.filter(store=store, is_on=True).first()
    if webhook:
        _enqueue(webhook, News.TEST, by.at, None)


def _enqueue(webhook: Webhook, news: News, at: datetime, entry: JournalEntry | None) -> None:
    """Row and task are of the transaction of what they tell of: both are there, or neither."""
    row = Delivery.objects.create(webhook=webhook, kind=news, entry=entry, made_at=at, next_at=at)
    deliver.enqueue(row.pk, 0)
    oldest = webhook.deliveries.values_list("pk", flat=True)[KEPT - 1 : KEPT].first()
    if oldest is not None:
        webhook.deliveries.filter(pk__lt=oldest).delete()


# sending it


@task
def deliver(delivery: int, attempt: int) -> None:
    """Try to send it, after so many tries that failed."""
    try_to_deliver(delivery, attempt, timezone.now())


@dataclass(frozen=True, slots=True)
class _Outcome:
    outcome: str
    answer: Answer | None = None
    parts_sent: int = 0
    is_over: bool = True


def try_to_deliver(delivery: int, attempt: int, now: datetime) -> None:
    """Send it, unless that was done; note what came of it, and when it is tried again.

    What was sent and could not be noted, because this process or the database ended then, is sent again with the same
    id: it arrives at least once.
    """
    rows = Delivery.objects.filter(pk=delivery, attempts=attempt).exclude(next_at=None)
    row = rows.select_related("webhook__store", "entry").first()
    if row is None:
        return
    came = _send(row, now)
    wait = None if came.is_over else wait_after(attempt + 1)
    answer = came.answer or Answer(None)
    with transaction.atomic():
        is_noted = rows.update(
            attempts=attempt + 1,
            tried_at=now,
            next_at=wait and now + wait,
            parts_sent=came.parts_sent,
            outcome=came.outcome,
            status=answer.status,
            answer=answer.text.replace("\0", "")[:LONGEST_ANSWER],
        )
        if is_noted and wait:
            deliver.using(run_after=now + wait).enqueue(delivery, attempt + 1)


def _send(row: Delivery, now: datetime) -> _Outcome:
    if not row.webhook.is_on:
        return _Outcome(Ended.TURNED_OFF)  # it was enqueued while the webhook was turned off
    try:
        bodies = bodies_of(row, now)
    except (OperationalError, InterfaceError):
        raise  # the worker does it again
    except Exception:  # whatever it is: the log of the store says that it failed, and ours why
        logger.exception("A message for a webhook could not be made")
        return _Outcome(Ended.FAILED, is_over=False)
    if not bodies:
        return _Outcome(Ended.OUTDATED)
    sent, answer = row.parts_sent, Answer(None)
    for body in bodies[sent:]:
        answer = _post(row, body)
        if answer.trouble:
            return _Outcome(answer.trouble, answer, sent, is_over=False)
        sent += 1
    return _Outcome(Ended.DELIVERED, answer, sent)


def _post(row: Delivery, body: bytes) -> Answer:
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": USER_AGENT}
    if row.webhook.format == WebhookFormat.JSON:
        headers[SIGNATURE] = signature(row.webhook.secret, int(time.time()), body)
    return post(
        row.webhook.address,
        body,
        headers,
        within=settings.WEBHOOK_PATIENCE,
        allow_loopback=settings.WEBHOOKS_TO_LOOPBACK,
    )
