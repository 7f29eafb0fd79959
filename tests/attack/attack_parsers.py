"""Files that are small and take a parser hours or gigabytes, and headers that no browser sends, on the real server."""

import asyncio
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.attack.attack_guests import FORM, TOKEN, gathered, statuses
from tests.attack.mutations import multipart
from tests.attack.site import flooded
from tests.attack.wire import Sent, head, send
from tests.attack.world import card_of
from tests.support.nights import make_night
from tourney import access
from tourney.models import User

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = 20
"""Seconds that a page may think about a file."""


def dotted(size: int) -> bytes:
    return b".".join([b"a"] * (size // 2)) + b" = 1\n"


PACKS: dict[str, Callable[[], bytes]] = {
    "TOML, one key of 32,000 parts": lambda: dotted(63_000),
    "TOML, 1,000 keys of 30 parts": lambda: b"".join(b".".join([b"k%d" % n] * 15) + b" = 1\n" for n in range(1000))[
        :63_000
    ],
    "TOML, tables in tables": lambda: b"[" + b".".join([b"a"] * 31_000) + b"]\n",
    "TOML, arrays in arrays": lambda: b"a = " + b"[" * 31_000 + b"]" * 31_000,
    "TOML, inline tables": lambda: b"a = " + b"{a=" * 15_000 + b"1" + b"}" * 15_000,
    "TOML, a number of 60,000 digits": lambda: b"rounds = " + b"9" * 60_000,
    "TOML, one string that does not end": lambda: b'name = "' + b"\\\\" * 31_000,
}
FLEETS: dict[str, Callable[[], bytes]] = {
    "JSON, lists in lists": lambda: b"[" * 100_000,
    "JSON, objects in objects": lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "JSON, a number of 200,000 digits": lambda: b'{"name":"P","cost":1,"ships":[],"x":' + b"9" * 200_000 + b"}",
    "JSON, a resource of 131 digits": lambda: b'{"name":"P","cost":1,"ships":[],"resource":' + b"9" * 131 + b"}",
    "text, 200,000 open brackets": lambda: b"Kestrel " + b"[" * 200_000,
    "text, 50,000 lines": lambda: b"- a [1]\n" * 50_000,
    "text, spaces": lambda: b" " * 200_000 + b"x",
}
CATALOGUES: dict[str, Callable[[], bytes]] = {
    "XML, entities in entities": lambda: (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
        + b"".join(
            b'<!ENTITY a%d "%s">' % (n, b"&a%s;" % (b"%d" % (n - 1) if n > 1 else b"") * 10) for n in range(1, 10)
        )
        + b"]><Data>&a9;</Data>"
    ),
    "XML, a file from outside": lambda: (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><Data>&a;</Data>'
    ),
    "XML, 200,000 deep": lambda: b"<Data>" * 200_000,
    "XML, encoding rot13": lambda: b'<?xml version="1.0" encoding="rot13"?><Data/>',
    "XML, one name of 5 MB": lambda: (
        b"<Data><Ships><Ship><Title>" + b"x" * 5_000_000 + b"</Title></Ship></Ships></Data>"
    ),
    "CSV, 100,000 columns": lambda: b"Kind,Title," * 50_000,
    "CSV, one quote of 5 MB": lambda: b'Kind,Title\nShip,"' + b"x" * 5_000_000,
    "CSV, the same card 19,000 times": lambda: b"Kind,Title,Cost\n" + b"tech,Relay,4\n" * 19_000,
    "CSV, 19,000 cards with long rules": lambda: (
        b"Kind,Title,Cost,Rules\n"
        + b"".join(
            b"tech,Relay %d,4,one per ship; costs 5 more unless on class Lark Class\n" % n for n in range(19_000)
        )
    ),
}
HEADERS = {
    "If-None-Match of 5,000 digits": f'If-None-Match: W/"2-{"9" * 5000}-abc"',
    "If-None-Match, first number": f'If-None-Match: W/"{"9" * 5000}-2-abc"',
    "If-None-Match, other digits": 'If-None-Match: W/"٣-2-abc"'.encode().decode("latin-1"),
    "a card of store 9…9": f"Cookie: card-{'9' * 18}=x",
    "a card of a store of 400 digits": f"Cookie: card-{'9' * 400}=x",
    "500 cards": "Cookie: " + "; ".join(f"card-{number}=x" for number in range(1, 500)),
    "a session that is none": "Cookie: sessionid=\x80\xff; csrftoken=\x00",
    "a surrogate in a cookie": "Cookie: card-1=\xed\xa0\x80",
    "Host with a port of 400 digits": f"X-A: b\r\nHost: localhost:{'9' * 400}",
    "Content-Length with letters": "Content-Length: 12abc",
    "Content-Length below zero": "Content-Length: -1",
    "HX headers": "HX-Request: true\r\nHX-Target: \xff\xfe\r\nHX-Current-URL: //[::1",
    "X-Outbox and X-By": f"X-Outbox: 1\r\nX-By: {'9' * 5000}",
    "X-Forwarded-For": "X-Forwarded-For: " + ",".join(["9" * 50] * 50),
    "Accept-Encoding": "Accept-Encoding: " + "gzip;q=," * 800,
    "Range": "Range: bytes=" + ",".join(["0-"] * 800),
    "Referer": "Referer: http://[",
    "Origin": "Origin: http://[::1",
    "If-Modified-Since": "If-Modified-Since: Thu, 01 Jan 99999 00:00:00 GMT",
    "Content-Type": "Content-Type: multipart/form-data; boundary=" + "\xff" * 300,
    "X-Request-ID": "X-Request-ID: " + "a" * 5000,
}


def attack_parsers(tmp_path, figures):
    found = figures("Small files that are large for a parser")
    night = make_night(players=8)
    event, store = night.event, night.store.slug
    owner = f"sessionid={session_of(night.owner)}"
    card = (
        f"{access.card_cookie(night.store)}={card_of(event.entrants.select_related('player').first().player, 'mine')}"
    )
    answers: dict[str, Sent] = {}
    largest = 0
    with flooded(tmp_path, reverse("event", args=[event.slug])) as site:
        for kinds, path, cookie, name in (
            (PACKS, f"/s/{store}/packs/import/", owner, "a.toml"),
            (FLEETS, f"/s/{store}/fleets/import/", card, "a.json"),
            (CATALOGUES, f"/s/{store}/cards/", owner, "Data.xml"),
        ):
            for kind, make in kinds.items():
                ending = "cards.csv" if kind.startswith("CSV") else name
                request = upload(path, make(), ending, cookie)
                largest = max(largest, len(request))
                answers[kind] = asyncio.run(send(site.port, request, patience=60))
    for kind, one in answers.items():
        found.say(kind, f"{one.status} after {one.seconds:.1f} s")
    found.none(
        "5xx, or no answer",
        [f"{kind}: {one.status}" for kind, one in answers.items() if one.status < 1 or one.status >= 500],
    )
    found.at_most("longest", max(one.seconds for one in answers.values()), LONGEST, "s")
    site.tell(found, most_files=2 * largest / 2**20)  # the body, and the file that was in it
    found.hold()


def attack_headers(tmp_path, figures):
    found = figures("Headers and cookies that no browser sends")
    event = make_night(players=8, open_round=True).event
    paths = [reverse(name, args=[event.slug]) for name in ("event", "me", "live", "join", "standings")] + [
        "/",
        "/sign-in/",
        "/static/x.css",
    ]
    with flooded(tmp_path, paths[0]) as site:
        answers = {}
        for name, header in HEADERS.items():
            for path in paths:
                requests = [send(site.port, start_of(method, path, header), patience=3) for method in ("GET", "POST")]
                answers[name, path] = asyncio.run(gathered(requests, 2))
    for name in HEADERS:
        found.say(name, statuses([one for (kind, _), sent in answers.items() if kind == name for one in sent]))
    found.none(
        "5xx",
        sorted(
            {
                f"{kind} at {path}: {one.status}"
                for (kind, path), sent in answers.items()
                for one in sent
                if one.status >= 500
            }
        ),
    )
    site.tell(found)
    found.hold()


def start_of(method: str, path: str, header: str) -> bytes:
    if "Content-Length" in header:
        return head(method, path, header)
    return head(method, path, header, *(["Content-Length: 0"] if method == "POST" else []))


def upload(path: str, content: bytes, name: str, cookie: str) -> bytes:
    body = multipart([(b"csrfmiddlewaretoken", TOKEN.encode())], [("file", name, content)])
    kind = FORM.replace("application/x-www-form-urlencoded", "multipart/form-data; boundary=xattackx")
    return head("POST", path, kind, f"Cookie: csrftoken={TOKEN}; {cookie}", f"Content-Length: {len(body)}") + body


def session_of(user: User) -> str:
    """The cookie of somebody who has signed in."""
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
