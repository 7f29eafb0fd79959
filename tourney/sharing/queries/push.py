"""Who is told of what happened, and the words in which a device is."""

import json
from collections.abc import Mapping
from datetime import datetime
from hmac import compare_digest
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.db.models import Q, QuerySet
from django.utils import translation

from tourney.domain.keys import hash_of
from tourney.models import (
    Event,
    JournalEntry,
    JudgeCall,
    Membership,
    Player,
    PlayerCard,
    PushKey,
    PushSubscription,
    Seat,
    SheetCheck,
    Store,
)
from tourney.queries.places import waiting_at
from tourney.sharing.domain.push import OF_STAFF, TITLES, PushKind


def push_key() -> PushKey | None:
    """The site's key; None before the first start has made one."""
    return PushKey.objects.first()


def card_at(key: str) -> PlayerCard | None:
    """The card that this key opens."""
    return PlayerCard.objects.filter(key_hash=hash_of(key)).first()


def membership_of(user: int | None, store: Store) -> Membership | None:
    """The user's role there; at a rehearsal nobody has one."""
    return Membership.objects.filter(store=store, user=user).first()


def subscriptions_at(store: Store, kind: PushKind) -> QuerySet[PushSubscription]:
    """The devices of this store's players, or of its staff, that want to be told such things."""
    of_store = Q(membership__store=store) if kind in OF_STAFF else Q(card__player__store=store)
    return PushSubscription.objects.filter(of_store, kinds__contains=[kind.value])


def event_of(entry: JournalEntry) -> Event | None:
    """The event at which it was done, while something may still be told of it: it is neither over nor deleted."""
    event = Event.objects.with_context().filter(journal=entry).first()
    return None if event is None or event.is_finished or event.is_canceled else event


def listeners_to(kind: PushKind, entry: JournalEntry, event: Event) -> QuerySet[PushSubscription]:
    """The devices that are told of this now: of none whom it no longer concerns, because it was undone."""
    found = subscriptions_at(event.store, kind)
    after: Mapping[str, Any] = entry.after or {}
    if kind is PushKind.JUDGE:
        found = found.select_related("session", "membership__user")
        return found if _is_waited_for(event, after) else found.none()
    players = _seated(event, after) if kind is PushKind.TABLE else _with_place(event, after)
    known = Player.objects.filter(Q(pk__in=players) | Q(merged_into__in=players))
    return found.filter(card__player__in=[*known.values_list("pk", flat=True)])


def is_signed_in(one: PushSubscription, now: datetime) -> bool:
    """Whether the member of the staff still is, in the session in which the device asked; a new password ends all."""
    if one.session is None or one.membership is None or one.session.expire_date <= now:
        return False
    user, kept = one.membership.user, one.session.get_decoded()
    known = kept.get(HASH_SESSION_KEY, "")
    is_theirs = kept.get(SESSION_KEY) == str(user.pk) and compare_digest(known, user.get_session_auth_hash())
    return is_theirs and user.is_active


def _seated(event: Event, after: Mapping[str, Any]) -> list[int]:
    """The players at a table of that round, while it is published; who has a bye has none."""
    seats = Seat.objects.in_published_rounds().filter(round__event=event, round__number=after.get("round", 0))
    found = seats.exclude(match__table=None).filter(match__result=None)
    return [*found.values_list("entrant__player", flat=True)]


def _with_place(event: Event, after: Mapping[str, Any]) -> list[int]:
    """Those of the players who moved up that still have a place."""
    moved = event.entrants.filter(number__in=after.get("entrants") or [], dropped_from=None)
    return [*moved.exclude(number__in=waiting_at(event)).values_list("player", flat=True)]


def _is_waited_for(event: Event, after: Mapping[str, Any]) -> bool:
    """Whether the player who called still waits for a judge to say that one is coming."""
    number = after.get("entrant", 0)
    if "call" in after:
        return JudgeCall.objects.filter(entrant__event=event, entrant__number=number, is_answered=False).exists()
    seat = {"seat__round__event": event, "seat__round__number": after.get("round", 0), "seat__entrant__number": number}
    return SheetCheck.objects.filter(state=SheetCheck.State.CALLED, **seat).exists()


def content_for(kind: PushKind, event: Event, language: str) -> bytes:
    """What a device is sent, in its own language; nobody's name is in it."""
    with translation.override(language):
        title = str(TITLES[kind])
    told = {"kind": kind.value, "event": event.slug, "title": title, "body": event.name}
    return json.dumps(told, ensure_ascii=False).encode()
