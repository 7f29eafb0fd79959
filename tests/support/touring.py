"""Every page and every form of a store in the middle of everything, for each who comes to them, and what they read.

for visit in tour(world): visit.statements, visit.reads
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import connection
from django.test import Client
from django.urls import resolve

from tests.attack.forms import FORM, UPLOAD
from tests.attack.forms import of as targets_of
from tests.attack.mutations import Pairs, multipart, urlencoded
from tests.attack.reading import forms_of
from tests.attack.world import World, addresses, rolled_back
from tests.support.copied import forget_kept
from tests.support.factories import PASSWORD
from tests.support.reading import Read, Statement, asked, differences, rows_read

EVERYBODY = ("stranger", "player", "owner")
ONE_EVENT = ("judge", "organizer")
"""Whose pages of one event are enough: those of other events are the owner's."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One answer: what was asked of the database, and what was read there, by table and index."""

    who: str
    method: str
    path: str
    status: int
    statements: tuple[Statement, ...]
    reads: dict[str, Read]

    @property
    def name(self) -> str:
        return f"{self.method} {resolve(urlsplit(self.path).path).url_name}"

    @property
    def rows(self) -> int:
        return sum(read.rows for read in self.reads.values())


def visit(client: Client, path: str, body: tuple[str, bytes] | None = None, who: str = "") -> tuple[Visit, str]:
    """Go there with nothing kept, or send a form (content type, body); what it changed is undone. With the page."""
    forget_kept()
    with rolled_back():
        before = rows_read()
        with asked() as statements:
            answer = client.generic("POST", path, body[1], body[0]) if body else client.get(path)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what a commit would do: the links of the journal
        after = rows_read()
    reads = differences(before, after)
    page = "" if answer.streaming or answer.status_code != 200 else answer.content.decode(errors="replace")
    return Visit(who, "POST" if body else "GET", path, answer.status_code, tuple(statements), reads), page


def tour(world: World) -> Iterator[Visit]:
    """Every address for each visitor, then every form that they find there, once for each of its buttons."""
    found = {}
    for who in (*EVERYBODY, *ONE_EVENT):
        for path in paths_for(world, who):
            seen, page = visit(world.visitor(who), path, who=who)
            yield seen
            for form in forms_of(page, path) if page else ():
                for target in targets_of(form, who):
                    found.setdefault(target.name, target)
    for target in found.values():
        yield send(world.visitor(target.who), target.form.action, target.plain, target.form.files, target.who)
    for who, path, sent in typed(world):
        yield visit_of(world, who, path, sent)


def visit_of(world: World, who: str, path: str, sent: dict[str, str] | None = None) -> Visit:
    """Go there, or send that."""
    client = world.visitor(who)
    return visit(client, path, who=who)[0] if sent is None else send(client, path, pairs_of(sent), who=who)


def pairs_of(sent: dict[str, str]) -> Pairs:
    return [(name.encode(), value.encode()) for name, value in sent.items()]


def send(client: Client, path: str, pairs: Pairs, files: Sequence[str] = (), who: str = "") -> Visit:
    """A form, with nothing in its fields for files."""
    return visit(client, path, (UPLOAD, multipart(pairs, [])) if files else (FORM, urlencoded(pairs)), who)[0]


def form_to(client: Client, page: str, path: str) -> dict[str, str]:
    """What that page would send there."""
    forms = forms_of(visit(client, page)[1], page)
    return next(dict(form.fields) for form in forms if urlsplit(form.action).path == path and form.method == "post")


def paths_for(world: World, who: str) -> Iterator[str]:
    everywhere = dict.fromkeys(path for path, _, _ in addresses(world))
    in_play = f"/e/{world.places['event']}/"
    for path in everywhere:
        if who not in ONE_EVENT or not path.startswith("/e/") or path.startswith(in_play):
            yield path
    yield from searches(world)


def searches(world: World) -> list[str]:
    """Addresses that say what is looked for."""
    store, event = f"/s/{world.places['store']}", f"/e/{world.places['event']}"
    return [
        f"{event}/?q=kestrel",
        f"{event}/rounds/2/?by=name",
        f"{event}/desk/history/?prove",
        f"{store}/players/?q=kestrel",
        f"{store}/players/?q=nobody+at+all",
        f"{store}/players/{world.places['player']}/merge/?other={world.places['other']}",
        f"{store}/cards/?q=defiant",
        f"{store}/judge/rulings/?q=mines",
        f"{store}/journal/?page=3",
        f"{store}/staff/sign-ins/?failed=1",
        f"{event}/desk/print/paper/?doc=slips&doc=pairings&doc=standings&doc=record&doc=by-hand&doc=build-sheets",
    ]


def typed(world: World) -> list[tuple[str, str, dict[str, str]]]:
    """Who sends what where, of what no page has filled in yet."""
    before = f"/e/{world.events['before'].slug}"
    owner = world.users["owner"].username
    return [
        ("stranger", f"{before}/join/", {"name": "Ensign Newcomer", "faction": "Federation"}),
        ("stranger", f"{before}/join/", {"name": "Cadet Vor", "faction": "Federation"}),
        ("player", f"{before}/join/", {"name": "Ensign Newcomer", "faction": "Federation"}),
        ("stranger", "/sign-in/", {"username": owner, "password": PASSWORD}),
        ("stranger", "/sign-in/", {"username": owner, "password": "wrong"}),
        ("owner", f"{before}/desk/players/", {"names": "Ensign Newcomer\nVor"}),
    ]
