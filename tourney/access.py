"""What a person may see. Every page starts here and walks down; everything else is 404."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urljoin

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from scoring.models import MonthPack
from tourney.domain.keys import hash_of
from tourney.models import (
    Campaign,
    DeletedStore,
    Entrant,
    Event,
    Fleet,
    Membership,
    Player,
    Rehearsal,
    Role,
    Store,
    User,
)
from tourney.runtime import locales
from tourney.runtime.kept import VersionedCache, memory
from tourney.runtime.packed import Packed, packed, unpacked
from tourney.runtime.scope import EVENT_VERSION

DESK = (Role.OWNER, Role.ORGANIZER, Role.JUDGE)
ORGANIZERS = (Role.OWNER, Role.ORGANIZER)
OWNERS = (Role.OWNER,)
SAFE = ("GET", "HEAD", "OPTIONS")
CARD_COOKIE = re.compile(r"card-([1-9][0-9]{0,17})")


class MovedAway(Http404):
    """The store has moved to another installation, where everybody finds its pages now."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store

    def address_of(self, path: str) -> str:
        """Where that page of this installation is now; events are found by what they are called here."""
        return moved_address(self.store.slug, self.store.moved_to, path)


def moved_address(slug: str, moved_to: str, path: str) -> str:
    """Where that page of a store is that was called so here; events are found by what they were called here."""
    own = f"/s/{slug}/"
    if path.startswith(own):
        return moved_to + path.removeprefix(own)
    if path.startswith("/e/"):
        return moved_to + path.removeprefix("/")
    if path.startswith("/card/"):
        return urljoin(moved_to, path)
    return moved_to


NOBODY = AnonymousUser()
"""Who asks where no session was looked for."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks for a page, and what was found out about them for it: each thing is asked of the database once.

    `keys` are those of the cards that this device holds, by the id of their store. What is filled as it is asked for,
    by the id of a store: `roles` of the user there; `people`, the ids of the players to whom the cards belong, and
    `players` themselves, None for a card that opens nothing. `foreign` are the ids of entrants whose card this is,
    while what was sent says another one.
    """

    user: User | AnonymousUser
    keys: Mapping[int, str]
    roles: dict[int, str | None] = field(default_factory=dict)
    people: dict[int, int | None] = field(default_factory=dict)
    players: dict[int, Player | None] = field(default_factory=dict)
    foreign: set[int] = field(default_factory=set)


class AskingRequest(HttpRequest):
    """A request as middleware hands it to pages, with what was found out about who asks."""

    htmx: HtmxDetails
    viewer: Viewer


def viewer_of(request: HttpRequest) -> Viewer:
    """The viewer of this request, made with the first question about them; another one once they signed in."""
    viewer, user = getattr(request, "viewer", None), getattr(request, "user", NOBODY)
    if viewer is None or viewer.user is not user:
        cards = ((CARD_COOKIE.fullmatch(name), key) for name, key in request.COOKIES.items())
        viewer = Viewer(user, {int(store[1]): key for store, key in cards if store and key})
        cast(AskingRequest, request).viewer = viewer
    return viewer


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """What htmx says of this request; nothing, and false, where it did not send it."""
    return cast(AskingRequest, request).htmx


def store_for(request: HttpRequest, slug: str, *roles: str, moved: bool = False) -> Store:
    """The store, if it is public to all (no roles asked) or this user has one of the roles there.

    A rehearsal is public to nobody, and nobody has a role at the store that it seems to be. With `moved`, what is sent
    is taken although the store has moved.
    """
    store = get_object_or_404(Store.objects.with_role(request.user, *roles), slug=slug) if roles else _store_of(slug)
    _require_role_or_404(request, store)
    works_there = roles or (store.moved_to and role_at(request, store))
    return at_home(store if moved else for_reading(request, store) if works_there else still_here(store))


STORE = f"SELECT {packed(Store, 'store')} FROM tourney_store store WHERE store.slug = %s"


def _store_of(slug: str) -> Store:
    """The store of that address, as nearly every public page begins with it."""
    with connection.cursor() as cursor:
        cursor.execute(STORE, [slug])
        found = cursor.fetchone()
    if found is None:
        raise Http404
    return unpacked(Store, found[0])


def for_reading(request: HttpRequest, store: Store) -> Store:
    """The store, for who works there. Raises MovedAway where they send something to one that is elsewhere now."""
    return store if request.method in SAFE else still_here(store)


def still_here(store: Store) -> Store:
    """The store. Raises MovedAway for one that everybody finds elsewhere."""
    if store.moved_to:
        raise MovedAway(store)
    return store


def owns_every_store(request: HttpRequest) -> bool:
    """Whether this user owns all stores of the installation, and so may see what belongs to all of them."""
    real = Store.objects.real()
    return real.exists() and not real.exclude(pk__in=Store.objects.with_role(request.user, Role.OWNER)).exists()


OPEN, ASK = "open", "ask"
"""Another store is made at once, or once it is approved."""
COMMAND_LINE = "the command line"
"""Who acts there, in journals: the person who runs the installation."""


def ways_to_a_store() -> str:
    """How somebody gets a store here: OPEN, ASK, or "" where only the person who runs the installation makes one."""
    return settings.STORES if settings.STORES in (OPEN, ASK) else ""


def may_see_everything(request: HttpRequest) -> bool:
    """Whether this user may have what is of the whole installation, as a backup is: who owns every store, and deleted
    those that were deleted here. Accounts of their staff, and for days their data, are still there.

    What the person who runs the installation deleted counts as theirs, unless strangers get stores here. Then only
    those may who came by the link of the first set-up or were named (`manage.py stores approver`): the first to get a
    store may be a stranger.
    """
    if not owns_every_store(request) or (ways_to_a_store() and not request.user.is_staff):
        return False
    own = [request.user.get_username(), *([] if ways_to_a_store() else [COMMAND_LINE])]
    return not DeletedStore.objects.exclude(by_name__in=own).exists()


def decides_on_stores(request: HttpRequest) -> bool:
    """Whether this user approves new stores: who was told to (`manage.py stores`), or has all there were."""
    user = request.user
    return user.is_authenticated and (user.is_staff or may_see_everything(request))


def campaign_for(request: HttpRequest, store_slug: str, slug: str, *roles: str) -> Campaign:
    """The campaign of a store, for who has one of the roles there, or for all. Raises Http404."""
    store = store_for(request, store_slug, *roles)
    campaign = get_object_or_404(Campaign, store=store, slug=slug)
    campaign.store = store
    return campaign


EVENT_AND_ROLE = f"""
    SELECT {packed(Event, "event")}, {packed(Campaign, "campaign")}, {packed(Store, "store")},
        (SELECT {packed(MonthPack, "pack")} FROM scoring_monthpack pack
            WHERE pack.id = event.pack_id AND pack.id <> %(pack)s),
        (SELECT member.role FROM tourney_membership member
            WHERE member.store_id = store.id AND member.user_id = %(user)s)
    FROM tourney_event event JOIN tourney_campaign campaign ON campaign.id = event.campaign_id
    JOIN tourney_store store ON store.id = campaign.store_id
    WHERE event.slug = %(slug)s AND event.deleted_at IS NULL
"""


def event_for(request: HttpRequest, slug: str, *roles: str) -> Event:
    """The event, public without roles; with roles only for those who have one of them at its store.

    An object of this request's own, in one query with who asks: Django takes as long to write the two as the rest of a
    page needs.
    """
    viewer, known = viewer_of(request), _events.peek(slug)
    asked = {"slug": slug, "user": viewer.user.pk if roles else None, "pack": known.pack_id if known else 0}
    with connection.cursor() as cursor:
        cursor.execute(EVENT_AND_ROLE, asked)
        found = cursor.fetchone()
    if found is None:
        raise Http404
    *rows, role = found
    event = _event(known, *rows)
    if roles and event.store.rehearsal_id is None:
        viewer.roles[event.store.pk] = role
    _require_role_or_404(request, event.store, *roles)
    at_home(for_reading(request, event.store) if roles else still_here(event.store))
    return event


CACHED_PUBLIC_EVENT = f"""
    SELECT event.id, event.version, campaign.store_id, (
        SELECT coalesce(holder.merged_into_id, holder.id)
        FROM unnest(%(stores)s::bigint[], %(keys)s::text[]) AS held (store_id, key_hash)
        JOIN tourney_playercard card ON card.key_hash = held.key_hash
        JOIN tourney_player holder ON holder.id = card.player_id AND holder.store_id = held.store_id
        WHERE held.store_id = campaign.store_id
    ), CASE WHEN (event.id, event.version) <> (%(event)s, %(version)s) THEN json_build_array(
        {packed(Event, "event")}, {packed(Campaign, "campaign")},
        (SELECT {packed(Store, "store")} FROM tourney_store store WHERE store.id = campaign.store_id),
        (SELECT {packed(MonthPack, "pack")} FROM scoring_monthpack pack
            WHERE pack.id = event.pack_id AND pack.id <> %(pack)s)
    ) END
    FROM tourney_event event JOIN tourney_campaign campaign ON campaign.id = event.campaign_id
    WHERE event.slug = %(slug)s AND event.deleted_at IS NULL
"""


def cached_public_event(request: HttpRequest, slug: str) -> Event:
    """A public event for a page that changes nothing, one object for all who read.

    Who this one is, is asked with it; neither, where this process has both as they are now.
    """
    held = {store: hash_of(key) for store, key in viewer_of(request).keys.items()}
    event = _known_to(request, slug, held) or _asked_for(request, slug, held)
    _require_role_or_404(request, event.store)
    at_home(still_here(event.store))
    return event


def known_public_event(slug: str, version: int | None) -> Event | None:
    """The event that everybody may see, where this process knows it in that very version; asks no database."""
    event = _events.peek(slug)
    if event is None or event.version != version or event.store.rehearsal_id is not None or event.store.moved_to:
        return None
    at_home(event.store)
    return event


def _asked_for(request: HttpRequest, slug: str, held: Mapping[int, str]) -> Event:
    known = _events.peek(slug)
    asked: dict[str, str | int | list[int] | list[str]] = {
        "slug": slug,
        "stores": list(held),
        "keys": list(held.values()),
        "event": 0,
        "version": 0,
        "pack": 0,
    }
    if known:
        asked |= {"event": known.pk, "version": known.version, "pack": known.pack_id}
    with connection.cursor() as cursor:
        cursor.execute(CACHED_PUBLIC_EVENT, asked)
        found = cursor.fetchone()
    if found is None:
        raise Http404
    pk, version, store, person, rows = found
    if store in held:
        viewer_of(request).people[store] = person
    return _events.get(slug, (pk, version), lambda _: known if known and not rows else _event(known, *rows))


def _event(known: Event | None, event: Packed, campaign: Packed, store: Packed, pack: Packed | None) -> Event:
    """With its context; a pack never changes, and is not there again if it is that of the event as it was known."""
    made = unpacked(Event, event)
    made.campaign = unpacked(Campaign, campaign)
    if pack:
        made.pack = unpacked(MonthPack, pack)
    elif known:
        made.pack = known.pack
    made.campaign.store = unpacked(Store, store)
    return made


def _known_to(request: HttpRequest, slug: str, held: Mapping[int, str]) -> Event | None:
    """The event, if `serving.unchanged` has just seen it at the version that is known here, with whose card this is."""
    seen, event = getattr(request, "scope", {}).get(EVENT_VERSION), _events.peek(slug)
    if event is None or seen != (event.pk, event.version):
        return None
    store = event.campaign.store_id
    if store in held:
        holders = _holders.get(event.pk, event.version, lambda _: _holders_at(event))
        if held[store] not in holders:
            return None
        viewer_of(request).people[store] = holders[held[store]]
    return event


def is_known_reader(request: HttpRequest, slug: str) -> bool:
    """Whether this process knows that event as `serving.unchanged` saw it, and whose card the device holds, if any."""
    held = {store: hash_of(key) for store, key in viewer_of(request).keys.items()}
    return _known_to(request, slug, held) is not None


HOLDERS = """
    SELECT card.key_hash, entrant.player_id
    FROM tourney_entrant entrant
    JOIN tourney_player holder ON coalesce(holder.merged_into_id, holder.id) = entrant.player_id
    JOIN tourney_playercard card ON card.player_id = holder.id
    WHERE entrant.event_id = %s AND holder.store_id = %s
"""


def _holders_at(event: Event) -> dict[str, int]:
    """The players of the event by the hashes of the keys of their cards. A card that ends changes the version."""
    with connection.cursor() as cursor:
        cursor.execute(HOLDERS, [event.pk, event.campaign.store_id])
        return dict(cursor.fetchall())


_events: VersionedCache[Event] = VersionedCache(memory(0.04), lambda event: 17_000)
_holders: VersionedCache[dict[str, int]] = VersionedCache(memory(0.02), lambda holders: 300 + 250 * len(holders))


def role_at(request: HttpRequest, store: Store) -> str | None:
    """This user's role at the store, asked once per request.

    At a rehearsal, owners and organizers of the event's own store are organizers, and nobody else is anything.
    """
    viewer = viewer_of(request)
    if not viewer.user.is_authenticated:
        return None
    if store.pk not in viewer.roles:
        viewer.roles[store.pk] = _role_at(viewer.user, store)
    return viewer.roles[store.pk]


def _role_at(user: User, store: Store) -> str | None:
    if store.rehearsal_id is None:
        return Membership.objects.filter(user=user, store=store).values_list("role", flat=True).first()
    rehearsals = Rehearsal.objects.filter(pk=store.rehearsal_id, ends_at__gt=timezone.now())
    theirs = Membership.objects.filter(
        user=user, role__in=ORGANIZERS, store__campaigns__events__rehearsal__in=rehearsals
    )
    return Role.ORGANIZER if theirs.exists() else None


def _require_role_or_404(request: HttpRequest, store: Store, *roles: str) -> None:
    """404 for who has none of the roles, if any is asked; at a rehearsal one always is."""
    asked = roles or (ORGANIZERS if store.rehearsal_id else ())
    if asked and role_at(request, store) not in asked:
        raise Http404


def card_cookie(store: Store) -> str:
    """The name of the cookie that holds the key of a player's card for that store."""
    return f"card-{store.pk}"


LAST_EVENT = "last-event"
"""The name of the cookie with the event that a player looked at last, by that part of its address."""


def last_event(request: HttpRequest) -> str:
    """The event that the player looked at last on this device, by that part of its address; it may be anything."""
    return request.COOKIES.get(LAST_EVENT, "")


def person_at(request: HttpRequest, store: Store) -> int | None:
    """The primary key of the player whose card this device holds for the store, asked once per request."""
    viewer = viewer_of(request)
    if store.pk not in viewer.people:
        player_at(request, store)
    return viewer.people[store.pk]


def player_at(request: HttpRequest, store: Store) -> Player | None:
    """The player whose card this device holds for the store, asked once per request."""
    viewer = viewer_of(request)
    if store.pk not in viewer.players:
        player = viewer.players[store.pk] = _player_of(viewer, store)
        viewer.people[store.pk] = player.pk if player else None
    return viewer.players[store.pk]


def _player_of(viewer: Viewer, store: Store) -> Player | None:
    if store.pk not in viewer.people:
        key = viewer.keys.get(store.pk)
        return _player_with(key, store) if key else None
    person = viewer.people[store.pk]
    return Player.objects.get(pk=person) if person else None


PLAYER_WITH = """
    SELECT person.* FROM tourney_playercard card
    JOIN tourney_player holder ON holder.id = card.player_id
    JOIN tourney_player person ON person.id = coalesce(holder.merged_into_id, holder.id)
    WHERE card.key_hash = %s AND holder.store_id = %s
"""


def _player_with(key: str, store: Store) -> Player | None:
    return next(iter(Player.objects.raw(PLAYER_WITH, [hash_of(key), store.pk])), None)


def invalid_card_cookies(request: HttpRequest) -> set[str]:
    """The cookies of this request that were looked up and whose key opens no card."""
    viewer = viewer_of(request)
    return {card_cookie(Store(pk=pk)) for pk, person in viewer.people.items() if person is None and pk in viewer.keys}


def player_or_404(request: HttpRequest, slug: str) -> Player:
    """The player whose card this device holds for that store, with the store."""
    store = store_for(request, slug)
    player = found(player_at(request, store))
    player.store = store
    return player


def entrant_at(request: HttpRequest, event: Event) -> Entrant | None:
    """The entry of this device's player at the event."""
    player = player_at(request, event.store)
    found = Entrant.objects.filter(event=event, player=player).select_related("player").first() if player else None
    return entrant_if_sender_matches(request, found)


def entrant_if_sender_matches(request: HttpRequest, holder: Entrant | None) -> Entrant | None:
    """Whose card this device holds, unless what it sends was made with the card of another entrant (X-By)."""
    by = request.headers.get("X-By")
    if holder and by in (None, str(holder.number)):
        return holder
    foreign = viewer_of(request).foreign
    foreign.clear()
    if holder:
        foreign.add(holder.pk)
    return None


def lacks_its_card(request: HttpRequest) -> bool:
    """Whether this device was asked for its card, and holds none that opens, or another one than it sends for."""
    viewer = viewer_of(request)
    return bool(viewer.foreign) or None in viewer.people.values()


def fleet_for(request: HttpRequest, slug: str, number: int, *roles: str) -> Fleet:
    """A fleet of that store: of this device's player, or any that flies at an event for one of the roles."""
    store = store_for(request, slug)
    fleets = Fleet.objects.with_event().filter(player__store=store)
    if role_at(request, store) in roles:
        fleet = fleets.filter(pk=number, entrant__isnull=False).first()
        if fleet:
            return fleet
    player = found(player_at(request, store))
    return get_object_or_404(fleets, pk=number, player=player)


def found_or_404(found: object | None) -> None:
    """404 unless there is something."""
    if found is None:
        raise Http404


def found[Thing](thing: Thing | None) -> Thing:
    """The thing; 404 where there is none."""
    if thing is None:
        raise Http404
    return thing


def at_home(store: Store) -> Store:
    """The store, whose time zone and locale are those of this request."""
    timezone.activate(store.time_zone)
    locales.activate(store.locale)
    return store
