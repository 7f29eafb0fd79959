"""What a store has that can be searched: each kind is one question, answered by an index, however long the text."""

from dataclasses import dataclass
from datetime import datetime

from tourney.models import Event, Store
from tourney.runtime.alphabet import alphabetical_in_database
from tourney.search.domain import found


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player of the store by any name they have, or had before a merge: `pk` is the person's."""

    pk: int
    name: str


@dataclass(frozen=True, slots=True)
class NamedEvent:
    """An event of the store."""

    slug: str
    name: str
    storyline: str
    starts_at: datetime


def players_named(store: Store, text: str) -> list[NamedPlayer]:
    """The store's players whose name has the text, each once, the best first, then A–Z."""
    rows = store.players.order_by(alphabetical_in_database("name"), "pk").values_list("pk", "merged_into", "name")
    named = (NamedPlayer(merged or pk, name) for pk, merged, name in rows)
    return [*{one.pk: one for one in reversed(found(named, text, lambda one: [one.name]))}.values()][::-1]


def events_named(store: Store, text: str) -> list[NamedEvent]:
    """The store's events with the text in their name or their campaign's, the best first, then the latest."""
    rows = Event.objects.filter(campaign__store=store).order_by("-starts_at", "-pk")
    named = rows.values_list("slug", "name", "campaign__storyline", "starts_at")
    return found((NamedEvent(*row) for row in named), text, lambda one: [one.name, one.storyline])
