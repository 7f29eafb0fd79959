"""The players of a store: all of them, and two who may be one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Lower

from tourney.domain.naming import keys_asked, shortened, similar
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, JournalEntry, NameKeys, Player, PlayerCard, PlayerMerge, Store
from tourney.queries.places import waiting_at
from tourney.queries.shown_names import short_names
from tourney.runtime.alphabet import alphabetical_in_database
from tourney.runtime.letters import plain
from tourney.runtime.packed import packed, unpacked

SUGGESTIONS = 1000
MOST_COMPARED = 5000
"""So many names a new one is compared with, the newest first."""


ORDERS = {"last": F("last").desc(nulls_last=True), "events": F("events").desc()}
"""Orders of a store's players besides that of names: who came last, and who came most often, first."""


def players_at(store: Store, text: str = "", sort: str = "") -> QuerySet[Player]:
    """Everybody once, A–Z or in that order, with `events` (how many), `last` (when) and `has_card`.

    With a text those whose name has it.
    """
    cards = PlayerCard.objects.filter(player__store=store)  # where many are shown, the database reads all of these once
    held = Exists(cards.filter(player=OuterRef("pk"))) | Exists(cards.filter(player__merged_into=OuterRef("pk")))
    found = store.players.not_merged().annotate(
        events=Count("entries"), last=Max("entries__event__starts_at"), has_card=held
    )
    if text:
        named = [player for player in store.players.all() if plain(text) in plain(player.name)]
        found = found.filter(pk__in={player.merged_into_id or player.pk for player in named})
    return found.order_by(*([ORDERS[sort]] if sort in ORDERS else []), alphabetical_in_database("name"), "pk")


def known_players(event: Event) -> list[str]:
    """Names of the store's players who are not in this event yet. Pages ask (`partial`) where they show them."""
    others = Player.objects.not_merged().filter(store=event.store, forgotten_at=None).exclude(entries__event=event)
    return list(others.order_by(alphabetical_in_database("name")).values_list("name", flat=True)[:SUGGESTIONS])


def earlier_name_of(player: Player) -> str:
    """What the player was called until the last renaming; "" for who always had this name."""
    renamed = JournalEntry.objects.filter(store=player.store_id, event=None, did=Verb.RENAME_PLAYER)
    last = renamed.filter(after__player=player.pk, after__name=player.name).order_by("pk").last()
    return str((last.before or {}).get("name", "")) if last else ""


def events_of_both(one: Player, other: Player) -> list[Event]:
    """Where both took part: then they are two."""
    return list(Event.objects.filter(entrants__player=one).filter(entrants__player=other).order_by("starts_at", "pk"))


@dataclass(frozen=True, slots=True)
class Preview:
    """What a merge would do: the entries and fleets that go over to `kept`, and the events that forbid it."""

    kept: Player
    other: Player
    entries: tuple[Entrant, ...]
    fleets: tuple[str, ...]
    both: tuple[Event, ...]
    cards: int


def preview_of(kept: Player, other: Player) -> Preview:
    """What merging `other` into `kept` would bring together."""
    entries = other.entries.select_related("event__campaign__store").order_by("event__starts_at", "pk")
    return Preview(
        kept,
        other,
        tuple(entries),
        tuple(other.fleets.values_list("name", flat=True)),
        tuple(events_of_both(kept, other)),
        PlayerCard.objects.filter(player__in=[kept, other]).count(),
    )


STORE_OF_PLAYER, MERGED_INTO = Player._meta.get_field("store"), Player._meta.get_field("merged_into")
PLAYER = f"""
    SELECT {packed(Player, "p")}, {packed(Player, "m")}
    FROM tourney_player p LEFT JOIN tourney_player m ON m.id = p.merged_into_id
    WHERE p.store_id = %s AND p.id = %s
"""


def player_of(store: Store, number: int) -> Player | None:
    """The player of that id, with whom they were found to be."""
    with connection.cursor() as cursor:
        cursor.execute(PLAYER, [store.pk, number])
        row = cursor.fetchone()
    if row is None:
        return None
    values, merged_into = row
    player = unpacked(Player, values)
    STORE_OF_PLAYER.set_cached_value(player, store)
    MERGED_INTO.set_cached_value(player, unpacked(Player, merged_into) if merged_into else None)
    return player


def players_of(store: Store, numbers: Collection[int]) -> dict[int, Player]:
    """The store's players of these ids by the id, each with whom they were found to be, in one query."""
    return store.players.select_related("merged_into").in_bulk(numbers)


def person_of(store: Store, number: int) -> Player | None:
    """Somebody who can still be found to be another, or be erased."""
    return store.players.not_merged().filter(forgotten_at=None, pk=number).first()


def player_called(store: Store, name: str) -> Player | None:
    """Who has that name, or had it, with whom they were found to be."""
    named = store.players.annotate(key=Lower("name")).filter(key=Lower(Value(name)))  # as their index has them
    return named.select_related("merged_into").first()


def entrant_named(event: Event, name: str) -> Entrant:
    """The entrant of that name, whatever its capitals; of a name of before a merge the one of now."""
    player = event.store.players.annotate(key=Lower("name")).get(key=lowercased_by_database([name])[name])
    return event.entrants.get(player=player.person)


def similar_players(store: Store, name: str, *, in_public: bool) -> list[Player]:
    """Whom a new name may mean: at most two, the likeliest first; nobody for a name that is a player's already.

    `in_public`: only who stands on a public page, by the name that everybody may read there alone: what is hidden of a
    name is never compared, so that no guess of it is confirmed.
    """
    if player_called(store, name):
        return []
    people = store.players.not_merged().filter(forgotten_at=None)
    if in_public:
        people = people.filter(Exists(Entrant.objects.filter(player=OuterRef("pk"))))
    short = short_names(store) if in_public else {}
    if not short:
        alike = NameKeys.objects.filter(keys__overlap=keys_asked(name, store.pk))  # alone, so that their index is taken
        people = people.filter(pk__in=[*alike.values_list("pk", flat=True)])
    known = dict(people.order_by("-pk").values_list("pk", "name")[:MOST_COMPARED])
    if short:
        known = {pk: short[pk] for pk in known}
        name = shortened([name])[name]
    return [Player(pk=pk, store=store, name=known[pk]) for pk in similar(name, known)]


def is_anybody_waiting(event: Event) -> bool:
    """Whether somebody registered, who has not dropped, is not checked in."""
    return event.entrants.filter(checked_in=False, dropped_from=None).exclude(number__in=waiting_at(event)).exists()


def is_called(entrant: Entrant, name: str) -> bool:
    """Whether that is the entrant's name, whatever its capitals, or one of before a merge."""
    named = Player.objects.annotate(key=Lower("name")).filter(key=lowercased_by_database([name])[name])
    return named.filter(Q(pk=entrant.player_id) | Q(merged_into=entrant.player_id)).exists()


def lowercased_by_database(names: Iterable[str]) -> dict[str, str]:
    """Each name in lower case as the database writes it, which has the last word on who is the same player."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, lower(name) FROM unnest(%s::text[]) AS name", [list(names)])
        return dict(cursor.fetchall())


def merges_of(store: Store) -> QuerySet[PlayerMerge]:
    """Those that can be undone."""
    return store.merges.filter(undone_at=None).select_related("kept", "other")


def merge_of(store: Store, number: int) -> PlayerMerge | None:
    """The merge of that id with both players, None if there is none."""
    return store.merges.select_related("kept", "other").filter(pk=number).first()
