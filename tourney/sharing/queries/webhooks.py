"""What a webhook is sent, made of how things stand when it is sent."""

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation

from tourney.domain.verbs import Verb
from tourney.models import Delivery, Event, Round, Store, Webhook, WebhookFormat
from tourney.queries.linked_data import Data
from tourney.queries.shared import shared_state
from tourney.queries.shown_names import in_public_words
from tourney.queries.state import EventState
from tourney.runtime import locales
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message
from tourney.sharing.domain.posts import unmarked
from tourney.sharing.domain.webhooks import News
from tourney.sharing.queries import public_json
from tourney.sharing.queries.posts import pairings_post, standings_post

LOCAL = {"localhost", "127.0.0.1", "::1"}
"""Hosts under which only this computer finds itself."""


def bodies_of(delivery: Delivery, now: datetime) -> list[bytes]:
    """What is sent, message by message, in the store's language and with the names that everybody may read.

    Nothing where what it tells of is no more.
    """
    webhook = delivery.webhook
    with _as_store(webhook.store):
        event = _event_of(delivery)
        if delivery.entry_id and event is None:
            return []
        if webhook.format == WebhookFormat.DISCORD:
            contents = _texts(delivery, event, now)
            return [_json({"content": text, "allowed_mentions": {"parse": []}}) for text in contents]
        told = _told(delivery, event, now)
        return [] if told is None else [_json(told)]


def _json(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def _as_store(store: Store) -> AbstractContextManager[object]:
    stack = ExitStack()
    stack.enter_context(translation.override(locales.language_at(store.locale)))
    stack.enter_context(timezone.override(store.time_zone))
    locales.activate(store.locale)
    return stack


def _event_of(delivery: Delivery) -> Event | None:
    if delivery.entry is None or delivery.entry.event_id is None:
        return None
    return Event.objects.with_context().filter(pk=delivery.entry.event_id).first()


def site_of(webhook: Webhook) -> str:
    """What links begin with."""
    return (settings.PUBLIC_URL or webhook.site).rstrip("/")


# JSON


def _told(delivery: Delivery, event: Event | None, now: datetime) -> Data | None:
    webhook, news = delivery.webhook, News(delivery.kind)
    data: Data | None = None
    round = text = None
    if event is not None:
        after = _after(delivery)
        if news is News.ANNOUNCED:
            text = _announced(delivery, event, now)
        else:
            data = _data(news, delivery, event, now)
        if text is None and data is None:
            return None
        round = after.get("round") if news in (News.TABLES, News.CLOSED) else None

    def link(path: str) -> str:
        return site_of(webhook) + path

    return {
        "version": public_json.VERSION,
        "id": str(delivery.key),
        "kind": delivery.kind,
        "at": public_json.moment_data(delivery.made_at),
        "store": public_json.store_reference(webhook.store, link),
        "event": event and public_json.event_reference(event, link),
        "round": round,
        "text": text,
        "data": data,
    }


def _data(news: News, delivery: Delivery, event: Event, now: datetime) -> Data | None:
    def link(path: str) -> str:
        return site_of(delivery.webhook) + path

    if news is News.DATE:
        return public_json.event_data(event, now, link) if _is_ahead(delivery, event, now) else None
    if news is News.RANKS:
        return public_json.final_standings_data(event, link) if event.is_finished else None
    state = shared_state(event)
    number = _round_there(news, delivery, state)
    if not number:
        return None
    if news is News.TABLES:
        return public_json.pairings_data(state, state.public_rounds[number - 1], link)
    return public_json.standings_data(state, number, link)


def _after(delivery: Delivery) -> Mapping[str, object]:
    return (delivery.entry.after if delivery.entry else None) or {}


def _round_there(news: News, delivery: Delivery, state: EventState) -> int:
    """The number of the round of which it tells, if it is still so; 0 if that was undone."""
    number = _after(delivery).get("round")
    rounds = {round.number: round for round in state.public_rounds}
    if not isinstance(number, int) or number not in rounds:
        return 0
    return number if news is News.TABLES or rounds[number].state == Round.State.CLOSED else 0


def _is_ahead(delivery: Delivery, event: Event, now: datetime) -> bool:
    """Whether the date is still one to come, or still canceled."""
    is_canceled = delivery.entry is not None and delivery.entry.did == Verb.CANCEL_EVENT
    return event.starts_at > now and event.is_canceled == is_canceled


def _announced(delivery: Delivery, event: Event, now: datetime) -> str | None:
    """The text, while it is shown."""
    said = _after(delivery).get("announcement")
    shown = [one.text for one in event.announced(now)]
    if not isinstance(said, str) or said not in shown:
        return None
    public: str = in_public_words(event.store)(said)
    return public


# Discord


def _texts(delivery: Delivery, event: Event | None, now: datetime) -> Sequence[str]:
    if event is None:
        store = unmarked(delivery.webhook.store.name)
        return [str(message("Test from {store}: messages arrive here.", store=store))]
    news, links = News(delivery.kind), _links(delivery, event)
    head = f"**{unmarked(event.name)}** · {unmarked(event.store.name)}"
    if news is News.ANNOUNCED:
        text = _announced(delivery, event, now)
        return [] if text is None else [f"{head}\n{unmarked(text)}"]
    if news is News.DATE:
        return [_date_text(delivery, event, head, links)] if _is_ahead(delivery, event, now) else []
    state = shared_state(event)
    if news is News.RANKS:
        return standings_post(state, len(state.complete_rounds), links).parts if event.is_finished else []
    number = _round_there(news, delivery, state)
    if not number:
        return []
    if news is News.TABLES:
        return pairings_post(state, state.public_rounds[number - 1], links).parts
    return standings_post(state, number, links).parts


DATES: Mapping[str, Message] = {
    Verb.MAKE_EVENT: message("New event:"),
    Verb.CANCEL_EVENT: message("Canceled:"),
    Verb.HOLD_EVENT: message("Takes place after all:"),
}
MOVED = message("New date:")


def _date_text(delivery: Delivery, event: Event, head: str, links: Mapping[str, str]) -> str:
    did = delivery.entry.did if delivery.entry else ""
    when = f"{DATES.get(did, MOVED)} {written(event.starts_at, 'full day, time')}"
    return "\n".join(filter(None, (head, when, unmarked(event.address), links.get("event"))))


def _links(delivery: Delivery, event: Event) -> Mapping[str, str]:
    """Where those who read it see more, if they can get there."""
    site = site_of(delivery.webhook)
    if urlsplit(site).hostname in LOCAL:
        return {}
    links = {"standings": reverse("standings", args=[event.slug]), "event": event.get_absolute_url()}
    if isinstance(number := _after(delivery).get("round"), int):
        links["pairings"] = reverse("pairings", args=[event.slug, number])
    return {kind: site + path for kind, path in links.items()}
