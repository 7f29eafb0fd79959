"""Stores and events for tests, made through the same actions as the pages."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

from django.utils import timezone

from scoring.shipped import shipped_pack
from tests.support.copied import Copies, copied
from tests.support.factories import PASSWORD, UserFactory
from tourney.actions import events, simulation, stores
from tourney.actions.record import Actor
from tourney.models import Campaign, Event, Role, Store, User

AT = datetime(2026, 11, 20, 17, 45, tzinfo=UTC)
BY = Actor(user=None, name="test", at=AT)
__all__ = ["AT", "BY", "PASSWORD", "Night", "make_night", "make_store", "now"]


def now() -> Actor:
    """Who begins at this moment what lasts for some days: a page holds that against the clock."""
    return replace(BY, at=timezone.now())


@dataclass
class Night:
    """A store with one user per role and one event."""

    store: Store
    campaign: Campaign
    event: Event
    owner: User
    organizer: User
    judge: User


@copied
def make_store(
    name: str = "Starbase Games", time_zone: str = "Europe/Berlin", locale: str = "en_GB"
) -> tuple[Store, dict[str, User]]:
    """A store and its users, one per role; their sign-in names are role@slug, their password is PASSWORD."""
    store = stores.make_store(name=name, time_zone=time_zone, locale=locale, by=BY)
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

    In a store of its own, it is copied as far as one like it was made before (tests/support/copied.py).
    """
    steps = steps_of(players=players, rounds=rounds, open_round=open_round, tables=tables, finish=finish)
    if store is None:
        return copied_up_to(steps, pack, seed).night
    return play(begin(pack, seed, store), steps).night


@dataclass
class Playing:
    """A night that goes on: the chance by which, and the moment at which, its next step is taken."""

    night: Night
    random: Random
    by: Actor


type Step = tuple[str, int | None]
COPIES: Copies[Playing] = Copies()


def steps_of(*, players: int, rounds: int, open_round: bool, tables: int, finish: bool) -> tuple[Step, ...]:
    """What is done one after the other, each with its number."""
    return (
        *([("arrive", players)] if players else []),
        *[("draw", None), ("play", None)] * rounds,
        *([("draw", None)] if open_round else []),
        *([("enter", tables)] if open_round and tables else []),
        *([("finish", None)] if finish else []),
    )


def copied_up_to(steps: tuple[Step, ...], pack: str, seed: int) -> Playing:
    """The night after these steps; only those are taken that were not taken before."""
    if not steps:
        return COPIES.get((pack, seed), lambda: begin(pack, seed))
    return COPIES.get((pack, seed, steps), lambda: play(copied_up_to(steps[:-1], pack, seed), steps[-1:]))


def begin(pack: str, seed: int, store: Store | None = None) -> Playing:
    """An event without players, in a store of its own if none is given."""
    users = {}
    if store is None:
        store, users = make_store()
    campaign = store.campaigns.first() or events.make_campaign(store, storyline="The Dominion War", by=BY)
    event = events.make_event(campaign, shipped_pack(pack), starts_at=AT, sp_limit=100, by=BY)
    night = Night(store, campaign, event, users.get("owner"), users.get("organizer"), users.get("judge"))
    return play(Playing(night, Random(seed), BY), ())


def play(playing: Playing, steps: tuple[Step, ...]) -> Playing:
    """The night after these steps, action by action."""
    event, random, by = playing.night.event, playing.random, playing.by
    for name, number in steps:
        if name == "arrive":
            by = simulation.arrive(event, number, random=random, by=by)
        elif name == "draw":
            by = simulation.draw(event, random=random, by=by)
        elif name == "play":
            by = simulation.play_round(event, random=random, by=by)
        elif name == "enter":
            simulation.play_round(event, random=random, by=by, tables=number, close=False)
        else:
            events.finish_event(event, by=by, reason="the shop closes")
    event = Event.objects.with_context().get(pk=event.pk)
    return Playing(replace(playing.night, event=event), random, by)
