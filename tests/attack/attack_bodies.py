"""Bodies without measure: two gigabytes in chunks, declared and never sent, a byte a second, headers without an end."""

import asyncio
from collections import Counter
from random import Random

import pytest
from django.urls import reverse

from tests.attack.figures import scaled
from tests.attack.mutations import SEED
from tests.attack.site import flooded
from tests.attack.wire import Sent, drop_by_drop, endless, head, send, silence
from tests.support.nights import make_night

pytestmark = pytest.mark.django_db(transaction=True)

HUGE = 2 * 2**30
ALLOWED = 25 * 2**20
"""Bytes that a server may take of one body before it says no: a catalogue, and what is on its way."""
UNFINISHED = 30
"""Seconds after which a body or a header that does not come is given up."""
SLOW = scaled(200)


@pytest.fixture
def night():
    return make_night(players=16, rounds=1, open_round=True, tables=3)


def page_of(night) -> str:
    return reverse("event", args=[night.event.slug])


def addresses_of(night) -> list[str]:
    """Where a body goes without anybody's leave."""
    event, store = night.event.slug, night.store.slug
    return [
        *(
            "/sign-in/",
            "/",
            "/nowhere/",
            "/set-up/x/",
            "/static/nothing.css",
            "/health/",
            f"/e/{event}/",
            f"/e/{event}/join/",
        ),
        *(f"/e/{event}/live/", f"/e/{event}/desk/players/", f"/s/{store}/cards/", f"/s/{store}/packs/import/"),
        *(f"/s/{store}/fleets/import/", f"/s/{store}/me/"),
    ]


def attack_bodies_in_chunks(tmp_path, night, figures):
    found = figures("Bodies of 2 GB in chunks")
    with flooded(tmp_path, page_of(night)) as site:
        answers = asyncio.run(chunked(site.port, addresses_of(night)))
    tell(found, answers)
    found.at_most("taken of one body", max(one.taken for one in answers) // 2**20, ALLOWED // 2**20, "MB")
    found.none(
        "other than 4xx, or the line cut",
        [one.status for one in answers if one.status not in (0, 400, 403, 404, 405, 411, 413)],
    )
    site.tell(found)
    found.hold()


async def chunked(port: int, paths: list[str]) -> list[Sent]:
    """Four at a time, half of them as a form, half as an upload."""
    free = asyncio.Semaphore(4)

    async def one(number: int, path: str) -> Sent:
        kind = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x")[number % 2]
        async with free:
            start = head("POST", path, f"Content-Type: {kind}", "Transfer-Encoding: chunked")
            return await send(port, start, endless(HUGE), patience=60)

    return await asyncio.gather(*(one(number, path) for number, path in enumerate(paths)))


def attack_bodies_that_do_not_come(tmp_path, night, figures):
    found = figures("Bodies declared and not sent, sent by the byte, and headers without an end")
    with flooded(tmp_path, page_of(night)) as site:
        declared, slow, headers = asyncio.run(slowly(site.port, addresses_of(night)))
    for name, answers in (("declared", declared), ("slow", slow), ("headers", headers)):
        tell(found, answers, name)
        waiting = [one for one in answers if one.status == -1]
        found.none(f"{name}: still open after {UNFINISHED + 10} s", [f"{one.seconds:.0f} s" for one in waiting])
        found.none(f"{name}: 5xx", [one.status for one in answers if one.status >= 500])
    site.tell(found)
    found.hold()


async def slowly(port: int, paths: list[str]) -> list[list[Sent]]:
    """Three kinds at once, SLOW connections each; every one may take ten seconds more than the server allows."""
    dice, patience = Random(SEED), UNFINISHED + 10
    form = "Content-Type: application/x-www-form-urlencoded"
    chosen = [[dice.choice(paths) for _ in range(SLOW)] for _ in range(3)]
    sizes = ("1000", "100000", "999999999", "9" * 18)
    kinds = [
        [
            send(
                port,
                head("POST", path, form, f"Content-Length: {dice.choice(sizes)}"),
                silence(patience),
                patience=patience,
            )
            for path in chosen[0]
        ],
        [
            send(
                port,
                head("POST", path, form, "Content-Length: 1000"),
                drop_by_drop(b"a" * 1000, pause=1),
                patience=patience,
            )
            for path in chosen[1]
        ],
        [
            send(
                port,
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode(),
                drop_by_drop(b"X-A: b\r\n" * 200, pause=1),
                patience=patience,
            )
            for path in chosen[2]
        ],
    ]
    return list(await asyncio.gather(*(asyncio.gather(*kind) for kind in kinds)))


def tell(found, answers: list[Sent], name: str = "answers") -> None:
    """Which statuses came how often; 0 is a line that was cut, -1 one that was not."""
    found.say(
        name,
        ", ".join(f"{status}: {times}" for status, times in sorted(Counter(one.status for one in answers).items())),
    )
