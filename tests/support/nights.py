"""Stores and events for tests, made through the same actions as the pages."""

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from scoring.shipped import shipped_pack
from tests.support.copied import Copies
from tests.support.factories import PASSWORD, UserFactory
from tourney.actions import events, simulation, stores
from tourney.actions.record import Actor
from tourney.models import Campaign, Event, Role, Store, User

AT = datetime(2026, 11, 20, 17, 45, tzinfo=UTC)
BY = Actor(user=None, name="test", at=AT)
__all__ = ["AT", "BY", "PASSWORD", "Night", "make_night", "make_store"]


@dataclass
class Night:
    """A store with one user per role and one event."""

    store: Store
    campaign: Campaign
    event: Event
    owner: User
    organizer: User
    judge: User


def make_store(name: str = "Starbase Games", time_zone: str = "Europe/Berlin") -> tuple[Store, dict[str, User]]:
    """A store and its users, one per role; their sign-in names are role@slug, their password is PASSWORD."""
    store = stores.make_store(name=name, time_zone=time_zone, by=BY)
    users = {}
    for role in Role.values:
        users[role] = UserFactory(username=f"{role}@{store.slug}")
        stores.give_role(store, users[role], role, by=BY)
    return store, users


def make_night(
    *,
    players: int = 8,
    rounds: int = 0,
    pack: str = "dominion-war-6",
    open_round: bool = False,
    tables: int = 0,
    finish: bool = False,
    seed: int = 1,
    store: Store | None = None,
) -> Night:
    """An event with so many checked-in players and closed rounds; then maybe a round in play with so many results.

    In a store of its own, it is copied if one like it was made before (tests/support/copied.py).
    """
    facts = {"players": players, "rounds": rounds, "pack": pack, "open_round": open_round, "tables": tables}
    facts |= {"finish": finish, "seed": seed}
    if store is None:
        return COPIES.get(tuple(facts.values()), lambda: play_night(**facts))
    return play_night(**facts, store=store)


COPIES: Copies[Night] = Copies()


def play_night(
    *,
    players: int,
    rounds: int,
    pack: str,
    open_round: bool,
    tables: int,
    finish: bool,
    seed: int,
    store: Store | None = None,
) -> Night:
    """The same, action by action."""
    users = {}
    if store is None:
        store, users = make_store()
    campaign = store.campaigns.first() or events.make_campaign(store, storyline="The Dominion War", by=BY)
    event = events.make_event(campaign, shipped_pack(pack), starts_at=AT, sp_limit=100, by=BY)
    random, by = Random(seed), BY
    if players:
        by = simulation.arrive(event, players, random=random, by=by)
    for _ in range(rounds):
        by = simulation.draw(event, random=random, by=by)
        by = simulation.play_round(event, random=random, by=by)
    if open_round:
        by = simulation.draw(event, random=random, by=by)
        if tables:
            simulation.play_round(event, random=random, by=by, tables=tables, close=False)
    if finish:
        events.finish_event(event, by=by, reason="the shop closes")
    event = Event.objects.with_context().get(pk=event.pk)
    return Night(store, campaign, event, users.get("owner"), users.get("organizer"), users.get("judge"))
