"""Every address × every visitor, by GET and POST: who is wrong there changes nothing, and nobody gets a 5xx."""

from collections import Counter
from random import Random

import pytest

from tests.attack.mutations import SEED, multipart, urlencoded
from tests.attack.reading import Form, forms_of
from tests.attack.world import (
    STRANGERS,
    VISITORS,
    Answered,
    World,
    addresses,
    asked,
    changed,
    digests,
    forget_kept,
    make_world,
    plain_templates,
    rolled_back,
    tables,
)
from tests.pages.test_access import ROLES

pytestmark = pytest.mark.django_db

WRONG = {"sign-in", "403", "404", "405", "429"}
WITHOUT = (*STRANGERS, "player")
"""Who has no sign-in."""
FORM = "application/x-www-form-urlencoded"

type Request = tuple[str, str, bytes]


def attack_matrix_of_addresses_and_visitors(figures):
    world = make_world()
    found = figures(f"Addresses × visitors (seed {SEED})")
    with plain_templates():
        go_everywhere(world, addresses(world), VISITORS, found, bodies=3)
    found.hold()


def go_everywhere(world: World, rows: list[tuple[str, str, str]], visitors, found, *, bodies: int) -> None:
    """GET, then POST with so many kinds of bodies; the figures tell what was wrong."""
    dice, names = Random(SEED), tables()
    others = other_forms(world)
    statuses: Counter[str] = Counter()
    faults: dict[str, str] = {}
    wrote, unlike, opened = [], [], []
    before = digests(names)
    for path, get, post in rows:
        wanted = {
            method: dict(zip(ROLES, row.split(), strict=True)) for method, row in (("GET", get), ("POST", post)) if row
        }
        for who in visitors:
            for requests in (requests_of(dice, others, bodies)[:1], requests_of(dice, others, bodies)[1:]):
                with rolled_back():
                    answers = [(request, answered(world, who, path, request)) for request in requests]
                    must_not = all(answer.kind in WRONG or method == "GET" for (method, _, _), answer in answers)
                    written = changed(before, digests(names)) if must_not else []
                if written:
                    wrote.append(f"{answers[0][0][0]} {path} as {who} ({answers[0][1].kind}): {', '.join(written)}")
                for (method, _, body), answer in answers:
                    statuses[f"{method} {answer.status}"] += 1
                    if answer.status >= 500 or answer.fault:
                        where = f"{method} {path} as {who} with {body[:60]!r}"
                        faults.setdefault(answer.fault or str(answer.status), where)
                    if method not in wanted or body:
                        continue
                    expected, told = wanted[method].get(who), f"{method} {path} as {who}: {answer.kind}"
                    if expected and answer.kind not in (expected, "429"):
                        unlike.append(f"{told} for {expected}")
                    if wanted[method]["stranger"] == "sign-in" and who in WITHOUT and answer.kind != "sign-in":
                        opened.append(told)
    forget_kept()
    for status, times in sorted(statuses.items()):
        found.say(status, times)
    found.say("requests", sum(statuses.values()))
    found.none("5xx or traceback", [f"{where}: {fault}" for fault, where in faults.items()])
    found.none("tables changed by GET or by wrong visitors", wrote)
    found.none("answers unlike the access table", unlike)
    found.none("pages of staff opened without a sign-in", opened)


def answered(world: World, who: str, path: str, request: Request) -> Answered:
    method, kind, body = request
    return asked(lambda: world.visitor(who).generic(method, path, body, kind))


def requests_of(dice: Random, others: list[Form], bodies: int) -> list[Request]:
    """GET, POST without a body, and so many of: noise, a form of another page, a broken upload, JSON."""
    other = dice.choice(others)
    sent = [(name.encode(), value.encode()) for name, value in [*other.fields, *other.buttons[:1]]]
    more = [
        (FORM, urlencoded(sent)),
        (FORM, dice.randbytes(200)),
        ("multipart/form-data; boundary=xattackx", multipart(sent, [])[: dice.randint(1, 400)]),
        ("application/json", b'{"do": ["drop"], "number": 1e400}'),
        (f"{FORM}; charset=utf-7", b"do=+ADw-&name=%ED%A0%80"),
    ]
    return [("GET", FORM, b""), ("POST", FORM, b""), *(("POST", *one) for one in dice.sample(more, bodies))]


def other_forms(world: World) -> list[Form]:
    """Forms of the desk and of a player, as they stand on the pages."""
    client, event = world.visitor("owner"), world.events["in play"]
    pages = [f"/e/{event.slug}/desk/{part}" for part in ("players/", "players/1/", "settings/", "rounds/2/tables/1/")]
    found = [form for path in pages for form in forms_of(client.get(path).content.decode(), path)]
    return [form for form in found if form.method == "post" and form.fields]
