"""Devices told while Flagship is closed: set up and ended by their browsers, told what happens, forgotten when gone."""

import logging
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.tasks import task
from django.utils import timezone

from tourney.actions.record import recorded
from tourney.models import Event, JournalEntry, Membership, PlayerCard, PushKey, PushSubscription
from tourney.runtime.outgoing import Answer, Trouble, post
from tourney.sharing.domain.push import (
    AGAIN,
    GONE,
    MOST_DEVICES,
    OF_STAFF,
    WORTH,
    PushKind,
    kind_of,
    topic_of,
    wait_after,
)
from tourney.sharing.queries.push import content_for, event_of, is_signed_in, listeners_to, push_key, subscriptions_at

USER_AGENT = "Flagship-Push/1"
AT_ONCE = 16
"""Devices that are told at the same time: a room of phones waits for none that is slow."""

logger = logging.getLogger(__name__)


# who wants to be told


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser as it names itself, and the address under which it has these pages open; for a role, its session."""

    endpoint: str
    public_key: str
    secret: str
    language: str
    site: str
    session: str | None = None


def ensure_key() -> PushKey:
    """The site's key, made at the first start; of several processes that start at once, one makes it for all."""
    known = push_key()
    if known is None:
        from tourney.runtime.web_push import new_key  # encryption is loaded by who encrypts

        private, public = new_key()
        known, _ = PushKey.objects.get_or_create(pk=1, defaults={"private": private, "public": public})
    return known


@transaction.atomic
def listen_for(holder: PlayerCard | Membership, browser: Browser, kinds: Collection[PushKind], *, at: datetime) -> None:
    """The browser is told these kinds of things from now on, for that card or role; with none it is forgotten.

    It is nobody else's business: the journal doesn't say it.
    """
    rows = holder.push_subscriptions
    if not kinds:
        rows.filter(endpoint=browser.endpoint).delete()
        return
    if not type(holder).objects.select_for_update(no_key=True).filter(pk=holder.pk):
        return  # it ended just now
    facts = {
        "public_key": browser.public_key,
        "secret": browser.secret,
        "kinds": sorted(kinds),
        "language": browser.language,
        "site": browser.site,
        "session_id": browser.session,
        "asked_at": at,
    }
    rows.update_or_create(endpoint=browser.endpoint, defaults=facts)
    kept = rows.order_by("-asked_at", "-pk").values_list("pk", flat=True)[:MOST_DEVICES]
    rows.exclude(pk__in=[*kept]).delete()


# what there is to tell


def listen() -> None:
    """From now on, devices are told of what is recorded."""
    recorded.connect(_tell, dispatch_uid="push")


def _tell(entry: JournalEntry, **more: Any) -> None:
    """The task is of the transaction of what it tells of: both are there, or neither."""
    kind = kind_of(entry.did)
    if kind and subscriptions_at(entry.store, kind).exists():
        tell.enqueue(entry.pk, 0)


@task
def tell(entry: int, attempt: int, only: list[int] | None = None) -> None:
    """Tell the devices of that entry, or only these, after so many tries that failed."""
    try_to_tell(entry, attempt, only, timezone.now())


def try_to_tell(entry: int, attempt: int, only: Collection[int] | None, now: datetime) -> None:
    """Tell each device that it concerns now; forget those that are gone, and note which to try again.

    A device may be told twice, if this process ends in between: what comes later replaces what was there.
    """
    row = JournalEntry.objects.filter(pk=entry).first()
    kind = kind_of(row.did) if row else None
    if row is None or kind is None or now - row.at >= WORTH[kind]:
        return
    event = event_of(row)
    if event is None:
        return
    listening = listeners_to(kind, row, event)
    asked = listening if only is None else listening.filter(pk__in=only)
    found = [one for one in asked if kind not in OF_STAFF or is_signed_in(one, now)]
    if not found:
        return
    key = ensure_key()
    contents = {language: content_for(kind, event, language) for language in {one.language for one in found}}
    headers = _headers(kind, event, row, now)

    def sent(one: PushSubscription) -> Answer | None:
        try:
            return _post(one, contents[one.language], key, headers, now)
        except Exception:  # whatever a browser said of itself, all others are told
            logger.exception("A device could not be told")
            return None

    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = [*threads.map(sent, found)]
    answered = {one: answer for one, answer in zip(found, answers, strict=True) if answer}
    _note(row, kind, attempt, answered, now)


def _headers(kind: PushKind, event: Event, entry: JournalEntry, now: datetime) -> dict[str, str]:
    left = WORTH[kind] - (now - entry.at)
    return {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(left.total_seconds())),
        "Urgency": "high",
        "Topic": topic_of(kind, event.pk),
        "User-Agent": USER_AGENT,
    }


def _post(one: PushSubscription, content: bytes, key: PushKey, headers: dict[str, str], now: datetime) -> Answer:
    from tourney.runtime.web_push import authorization, encrypted  # encryption is loaded by who encrypts

    sender = (settings.PUBLIC_URL or one.site).rstrip("/")
    signed = authorization(one.endpoint, key.private, sender=sender, now=now)
    return post(
        one.endpoint,
        encrypted(content, one.endpoint, public_key=one.public_key, secret=one.secret),
        {**headers, "Authorization": signed},
        within=settings.WEBHOOK_PATIENCE,
        allow_loopback=settings.WEBHOOKS_TO_LOOPBACK,
    )


def _note(
    entry: JournalEntry, kind: PushKind, attempt: int, answers: dict[PushSubscription, Answer], now: datetime
) -> None:
    failed = {one: answer for one, answer in answers.items() if answer.trouble}
    for one, answer in failed.items():
        logger.info("Not told at %s: %s %s", urlsplit(one.endpoint).hostname, answer.trouble, answer.status)
    gone = [one.endpoint for one, answer in failed.items() if is_gone(answer)]
    again = [one.pk for one, answer in failed.items() if may_be_told_later(answer)]
    wait = wait_after(attempt + 1, now - entry.at, kind)
    with transaction.atomic():
        PushSubscription.objects.filter(endpoint__in=gone).delete()
        if again and wait:
            tell.using(run_after=now + wait).enqueue(entry.pk, attempt + 1, again)


def is_gone(answer: Answer) -> bool:
    """Whether nobody listens there any more, or nobody may be told there."""
    return answer.status in GONE or answer.trouble is Trouble.NOT_PUBLIC


def may_be_told_later(answer: Answer) -> bool:
    """Whether the push service did not answer, or not for good."""
    if answer.status is None:
        return answer.trouble is not Trouble.NOT_PUBLIC
    return answer.status in AGAIN or answer.status >= 500
