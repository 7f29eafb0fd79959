"""A store in the middle of everything, who comes to its pages, and whether anything in the database has changed."""

import logging
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count

from django.conf import settings
from django.db import connection, transaction
from django.template import Template
from django.test import Client
from django.test.utils import _TestState
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.pages.test_access import ACCESS, places_and_people
from tests.support.built_fleets import bring
from tests.support.copied import forget_kept
from tests.support.nights import BY, make_night, make_store
from tests.support.own_packs import begun
from tests.support.phones import phone_of
from tourney import access
from tourney.actions import reports, rounds, wishes
from tourney.actions.archive import import_event
from tourney.domain.keys import hash_of
from tourney.models import Event, PlayerCard, Store, User, Wish
from tourney.queries import state
from tourney.queries.archive import archive_of

BOUNDED = {"tourney_attempt", "django_session", "tourney_signinattempt"}
"""Tables that a stranger may write to: each keeps a bounded number of rows for a bounded time."""

PROJECT = re.compile(r'File ".*?/((?:tourney|fleets|scoring)/[^"]+)", line (\d+), in (\w+)')
ADDRESSES = (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" for number in count(1))


@dataclass
class World:
    """`places` as tests/pages/test_access.py has them; `events` by what goes on in them; `visitors` by who they are."""

    places: dict[str, str]
    users: dict[str, User | None]
    store: Store
    elsewhere: Store
    events: dict[str, Event]
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)

    def visitor(self, who: str) -> Client:
        """That visitor's browser, at an address where nobody was before: paces and counts by address start anew."""
        client = Client(raise_request_exception=True, REMOTE_ADDR=next(ADDRESSES))
        for name, value in self.cookies.get(who, {}).items():
            client.cookies[name] = value
        return client


STRANGERS = ("stranger", "forged card", "card of another store")
VISITORS = (*STRANGERS, "player", "elsewhere", "judge", "organizer", "owner")


def make_world() -> World:
    """The world of the access table, with events in four more states, phones, fleets, reports and wishes."""
    places, users = places_and_people()
    event = Event.objects.with_context().get(slug=places["event"])
    store = event.store
    elsewhere = Store.objects.exclude(pk=store.pk).order_by("pk").last()
    events = {
        "in play": event,
        "before": make_night(players=3, store=store, seed=2).event,
        "draft": make_night(players=6, store=store, seed=3).event,
        "closed": make_night(players=4, rounds=1, store=store, seed=4).event,
        "finished": make_night(players=4, rounds=2, finish=True, store=store, seed=5).event,
    }
    rounds.pair_round(events["draft"], seed=3, by=BY)
    bring(events["before"], 1)
    begun(store, users["owner"])
    player = event.entrants.select_related("player").get(number=1).player
    other = make_night(players=2, store=elsewhere, seed=6).event.entrants.select_related("player").first().player
    mine, theirs = (phone_of(one).cookies for one in (player, other))
    own, foreign = (access.card_cookie(one) for one in (store, elsewhere))
    cookies = {
        "forged card": {own: "guessed-" + "x" * 30},
        "card of another store": {foreign: theirs[foreign].value, own: theirs[foreign].value},
        "player": {own: mine[own].value},
    }
    for who, user in users.items():
        if user:
            client = Client()
            client.force_login(user)
            cookies[who] = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    world = World(places, users, store, elsewhere, events, cookies)
    in_play(event)
    return world


def in_play(event: Event) -> None:
    """One side has reported, the other wants to leave: there is something to answer at the desk."""
    match = next(match for match in state.state_of(event).last_round.tables if match.result is None)
    one, other = match.numbers
    reports.report(event, 2, one, Played(Ending.TIME, (Side(10), Side(20))), by=BY)
    wishes.ask(event, other, Wish.Kind.DROP, by=BY)


def addresses(world: World) -> list[tuple[str, str, str]]:
    """Every address of the access table with its answers to GET and POST; those of an event for each of the events."""
    rows = []
    for pattern, get, post in ACCESS:
        for slug in {event.slug: 0 for event in world.events.values()} if "{event}" in pattern else [None]:
            if slug not in (None, world.places["event"]):
                rows.append((pattern.format(**world.places | {"event": slug}), "", ""))
            else:
                rows.append((pattern.format(**world.places), get, post))
    return rows


# What the database holds.


def tables() -> list[str]:
    """Every table but the bounded ones."""
    with connection.cursor() as cursor:
        return sorted(set(connection.introspection.table_names(cursor)) - BOUNDED)


def digests(names: list[str]) -> dict[str, str]:
    """One digest of all rows of each table."""
    each = (
        f"SELECT '{name}', count(*) || md5(coalesce(string_agg(md5(row::text), '' ORDER BY md5(row::text)), ''))"
        f' FROM "{name}" row'
        for name in names
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        return dict(cursor.fetchall())


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [name for name in before if before[name] != after[name]]


@contextmanager
def rolled_back() -> Iterator[None]:
    """What the block does to the database is undone, and nothing that was kept of it is shown afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    forget_kept()


@contextmanager
def plain_templates() -> Iterator[None]:
    """The tests' client copies the context of every template; thousands of answers are quicker without.

    What goes wrong is told by the figures, and not once more in the log.
    """
    watched = Template._render
    Template._render = _TestState.saved_data.template_render
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        Template._render = watched


# Answers.


@dataclass(frozen=True, slots=True)
class Answered:
    """A status, or 500 with where in the project it went wrong."""

    status: int
    location: str = ""
    fault: str = ""
    body: str = ""

    @property
    def kind(self) -> str:
        """As the access table says it."""
        if self.status != 302:
            return str(self.status)
        return "sign-in" if self.location.startswith("/sign-in/") else "go"


def asked(ask: Callable[[], object], *, keep_body: bool = False) -> Answered:
    """What was answered; an exception is a 500, whose `fault` names the exception and the last line of the project."""
    try:
        with transaction.atomic():
            response = ask()
    except Exception as error:
        return Answered(500, fault=fault_of(error))
    body = response.content.decode(errors="replace") if keep_body and not response.streaming else ""
    fault = "Traceback" if not response.streaming and b"Traceback (most recent" in response.content else ""
    return Answered(response.status_code, response.headers.get("Location", ""), fault, body)


def fault_of(error: BaseException) -> str:
    """The exception's type and words, and where the project raised it or asked for what did."""
    lines = PROJECT.findall("".join(traceback.format_exception(error)))
    where = "{}:{} {}".format(*lines[-1]) if lines else "outside the project"
    return f"{type(error).__name__} at {where}: {str(error)[:90]}"


# The night goes on.


def pages_of(event: Event) -> list[tuple[str, str]]:
    """Who asks for what: the pages without which a night does not go on."""
    slug = [event.slug]
    found = [("stranger", reverse(name, args=slug)) for name in ("event", "standings", "wall", "join")]
    found += [("player", reverse(name, args=slug)) for name in ("event", "me")]
    found += [
        ("owner", reverse(name, args=slug))
        for name in ("desk", "players", "print_centre", "journal", "history", "event_settings", "awards", "tables")
    ]
    drawn = list(event.rounds.order_by("number").values_list("number", "state"))
    for number, how in drawn:
        names = ("round",) if how == "draft" else ("round", "results")
        found += [("owner", reverse(name, args=[event.slug, number])) for name in names]
        if how != "draft":
            found.append(("stranger", reverse("pairings", args=[event.slug, number])))
    return found


def store_pages_of(world: World) -> list[tuple[str, str]]:
    """The same of the store itself."""
    slug = [world.store.slug]
    names = ("store_home", "store_players", "packs", "store_rulings", "store_talon_power", "staff", "store_journal")
    found = [("owner", reverse(name, args=slug)) for name in names]
    found += [("player", reverse(name, args=slug)) for name in ("my_card", "my_data", "my_fleets", "import_fleets")]
    campaign = [world.store.slug, world.places["campaign"]]
    return [*found, *(("stranger", reverse(name, args=campaign)) for name in ("campaign", "tokens", "poster"))]


def what_stops_the_night(world: World, events: list[Event] | None = None) -> list[str]:
    """Pages that are not there, and exports that the import refuses."""
    wrong, clients = [], {}
    for event in events or world.events.values():
        of_store = store_pages_of(world) if event == world.events.get("in play") else []
        for who, path in [*pages_of(event), *of_store]:
            client = clients.setdefault(who, world.visitor(who))
            answer = asked(lambda client=client, path=path: client.get(path))
            if answer.status >= 500 or (answer.status not in (200, 302, 404, 409)):
                wrong.append(f"{path} for {who}: {answer.status} {answer.fault}")
            elif answer.status == 404 and path.endswith(("/desk/", f"{event.slug}/", "/standings/")):
                wrong.append(f"{path} for {who}: 404")
        wrong += refused_export(event)
    return wrong


def refused_export(event: Event) -> list[str]:
    """Why the import does not take what the export wrote; nothing as it should be."""
    if not Event.objects.filter(pk=event.pk).exists():
        return []
    try:
        with rolled_back():
            data = archive_of(event)
            if "rehearsal" in data:
                return []
            data["event"]["slug"] += "-again"
            again, _ = make_store("Another place")
            import_event(again, data, by=BY)
    except Exception as error:
        return [f"export of {event.slug}: {fault_of(error)}"]
    return []


def card_of(player, name: str) -> str:
    """A key of that player's card, known to the test."""
    key = f"{name}-{sha256(name.encode()).hexdigest()[:24]}"
    PlayerCard.objects.get_or_create(player=player, defaults={"key_hash": hash_of(key), "issued_at": BY.at})
    PlayerCard.objects.filter(player=player).update(key_hash=hash_of(key))
    return key
