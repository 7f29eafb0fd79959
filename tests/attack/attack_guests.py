"""Bots at the door: 300 registrations from one address, sign-ins at once and in a row, guessed cards and names."""

import asyncio
import re
from collections import Counter
from time import perf_counter
from urllib.parse import urlencode

import pytest
from django.conf import global_settings
from django.contrib.auth.hashers import make_password
from django.test import override_settings
from django.urls import reverse

from tests.attack.figures import scaled
from tests.attack.site import flooded
from tests.attack.wire import Sent, head, send
from tests.attack.world import card_of
from tests.support.factories import PASSWORD
from tests.support.nights import make_night
from tourney import settings as product
from tourney.models import Entrant, User

pytestmark = pytest.mark.django_db(transaction=True)

BOTS, PLACES = scaled(300), 60
"""Registrations from one address, and how many of them may get in: a full store does, a bot does not."""
AT_ONCE, IN_A_ROW = scaled(30), scaled(300)
GUESSES = scaled(200)
TOKEN = "t" * 32
FORM = "Content-Type: application/x-www-form-urlencoded"


def post(path: str, facts: dict[str, str], *cookies: str) -> bytes:
    """A form with a token that fits its cookie."""
    body = urlencode(facts | {"csrfmiddlewaretoken": TOKEN})
    cookie = "; ".join([f"csrftoken={TOKEN}", *cookies])
    return (
        head("POST", path, FORM, f"Cookie: {cookie}", f"Content-Length: {len(body)}", "Connection: close")
        + body.encode()
    )


def attack_registrations_by_bots(tmp_path, figures):
    found = figures(f"{BOTS} registrations from one address")
    event = make_night(players=8).event
    path, before = reverse("join", args=[event.slug]), event.entrants.count()
    forms = [post(path, {"name": f"Bot {number}", "faction": "Federation"}) for number in range(BOTS)]
    with flooded(tmp_path, reverse("event", args=[event.slug])) as site:
        start = perf_counter()
        answers = asyncio.run(gathered([send(site.port, form) for form in forms], 16))
        seconds = perf_counter() - start
    found.say("answers", statuses(answers))
    found.say("seconds", seconds)
    found.at_most("places taken", Entrant.objects.filter(event=event).count() - before, PLACES)
    found.none("5xx", [one for one in answers if one.status >= 500 or one.status < 1])
    site.tell(found)
    found.hold()


def attack_sign_ins(tmp_path, figures):
    found = figures(f"Sign-ins: {AT_ONCE} at once, {IN_A_ROW} in a row, and by every spelling of one name")
    night = make_night(players=8)
    users = with_real_passwords(AT_ONCE)
    with flooded(tmp_path, reverse("event", args=[night.event.slug])) as site:
        path = reverse("sign_in")
        start = perf_counter()
        right = asyncio.run(
            gathered([send(site.port, post(path, {"username": name, "password": PASSWORD})) for name in users], AT_ONCE)
        )
        seconds = perf_counter() - start
        spelled = asyncio.run(
            gathered(
                [
                    send(site.port, post(path, {"username": name, "password": f"wrong {number}"}))
                    for number, name in enumerate(spellings(users[0], 60))
                ],
                1,
            )
        )
        wrong = asyncio.run(
            gathered(
                [
                    send(site.port, post(path, {"username": f"nobody-{number}", "password": "wrong"}))
                    for number in range(IN_A_ROW)
                ],
                4,
            )
        )
    found.say("right, at once", f"{statuses(right)} in {seconds:.1f} s")
    found.none("right, but not signed in", [one.status for one in right if one.status not in (302, 429, 503)])
    found.at_most("tries by spellings of one name", sum(one.status == 422 for one in spelled), 10)
    found.at_most(
        "tries by other names, before the address is slowed down", sum(one.status == 422 for one in wrong), 20
    )
    found.none(
        "5xx other than 503", [one.status for one in [*spelled, *wrong] if one.status >= 500 and one.status != 503]
    )
    site.tell(found)
    found.hold()


def attack_guessed_cards(tmp_path, figures):
    found = figures(f"Card links: {GUESSES} wrong ones, then the right one from the same address")
    event = make_night(players=8).event
    key = card_of(event.entrants.select_related("player").first().player, "right")
    with flooded(tmp_path, reverse("event", args=[event.slug])) as site:
        wrong = asyncio.run(
            gathered(
                [
                    send(site.port, head("GET", f"/card/wrong-{number}/", "Connection: close"))
                    for number in range(GUESSES)
                ],
                8,
            )
        )
        right = asyncio.run(send(site.port, head("GET", f"/card/{key}/", "Connection: close")))
    found.say("wrong", statuses(wrong))
    found.none("wrong ones that opened something", [one.status for one in wrong if one.status not in (404, 429)])
    found.at_most("wrong ones that were looked up", sum(one.status == 404 for one in wrong), 20)
    found.holds("the right one opens", right.status in (200, 302))
    found.none(
        "stack of a server in a page",
        [one.status for one in [*wrong, right] if re.search(rb"Traceback|File \"", one.body)],
    )
    site.tell(found)
    found.hold()


def with_real_passwords(many: int) -> list[str]:
    """Accounts whose passwords are hashed as the product does; the tests' own are quick and weak."""
    hashers = getattr(product, "PASSWORD_HASHERS", global_settings.PASSWORD_HASHERS)
    with override_settings(PASSWORD_HASHERS=hashers):
        hashed = make_password(PASSWORD)
    names = [f"crew-{number}" for number in range(many)]
    User.objects.bulk_create(User(username=name, password=hashed) for name in names)
    return names


def spellings(name: str, many: int) -> list[str]:
    """What the form takes for one and the same name."""
    wide = "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in name)
    forms = [
        name,
        name.upper(),
        f" {name}",
        f"{name} ",
        f"\t{name}",
        wide,
        f"{name}\u3000",
        f"\u00a0{name}",
        name.title(),
    ]
    return [forms[number % len(forms)] + " " * (number // len(forms)) for number in range(many)]


async def gathered(requests, hands: int) -> list[Sent]:
    free = asyncio.Semaphore(hands)

    async def one(request) -> Sent:
        async with free:
            return await request

    return await asyncio.gather(*map(one, requests))


def statuses(answers: list[Sent]) -> str:
    return ", ".join(f"{status}: {times}" for status, times in sorted(Counter(one.status for one in answers).items()))
