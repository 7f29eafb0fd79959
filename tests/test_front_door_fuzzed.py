"""Headers, cookies and queries by dice: whatever is sent along, no page fails."""

import re
from collections.abc import Iterator
from string import ascii_lowercase

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import HealthCheck, given
from hypothesis import settings as dice
from hypothesis import strategies as st

from tests.support.asking import Site, site
from tests.support.nights import BY, Night, make_night
from tourney import access
from tourney.actions import player_cards, rounds

pytestmark = pytest.mark.django_db(transaction=True)

READ = """
    if-none-match if-modified-since if-match if-range range accept accept-encoding accept-language cookie host origin
    referer user-agent content-type x-by x-outbox x-forwarded-for x-forwarded-proto x-forwarded-host x-request-id
    hx-request hx-target hx-current-url hx-current-url-uri-autoencoded hx-target-uri-autoencoded hx-trigger hx-prompt
    hx-boosted hx-history-restore-request purpose sec-fetch-mode
""".split()
"""By us, Django, django-htmx or WhiteNoise."""
SCRAPS = [
    b"", b"*", b'"', b'W/"1-1-a"', b'W/"2-' + b"9" * 5000 + b'-abc"', b"9" * 400, b"-1", b"0", b"true", b"\xff\xfe",
    b"\xed\xa0\x80", b"%00", b"%ff", b"\\000", b'"\\000aaaaaaaaa"', b"a=b=c;;;", b"bytes=0-", b"gzip;q=nan", b"now",
    b"bytes=" + b"9" * 300 + b"-", b"Sat, 99 Foo 99999 99:99:99 GMT", b"[::1", b"a" * 3000, b"127.0.0.1, ::1",
    b"http://[", b"//", b"https://localhost/e/", b"\t",
]  # fmt: skip
"""What a parser of ours or of Django's has once stumbled over, or might."""

values = st.sampled_from(SCRAPS) | st.binary(max_size=40) | st.lists(st.sampled_from(SCRAPS), max_size=3).map(b",".join)
names = st.sampled_from(READ) | st.text(ascii_lowercase + "-", min_size=1, max_size=12)
few = dice(suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def made() -> Iterator[Site]:
    with site() as made:
        yield made


@pytest.fixture
def night() -> Night:
    """Round 1 is in play."""
    made = make_night(players=4)
    rounds.pair_round(made.event, seed=1, by=BY)
    rounds.publish_round(made.event, 1, by=BY)
    return made


def values_in(night: Night) -> dict[str, str]:
    """What the addresses of the night are made of; all numbers that are not here are 1."""
    first, second = night.event.entrants.order_by("number").values_list("player", flat=True)[:2]
    texts = {"pack": "dominion-war-6", "campaign": night.campaign.slug, "key": "a-key", "form": "text"}
    return texts | {"kind": "pairing", "group": "1", "player": str(first), "other": str(second)}


def routes(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for one in resolver.url_patterns:
        route = prefix + str(one.pattern)
        if isinstance(one, URLPattern):
            yield route
        else:
            yield from routes(one, route)


def addresses(night: Night) -> list[str]:
    """Every address there is, with what there is."""
    known = values_in(night)

    def filled(route: str) -> str:
        store = route.startswith("s/")
        path = route.replace("<slug:slug>", night.store.slug if store else night.event.slug)
        return "/" + re.sub(r"<\w+:(\w+)>", lambda found: known.get(found[1], "1"), path)

    return [filled(route) for route in routes(get_resolver())]


def test_no_header_makes_a_page_fail(made, night):
    event, store = f"/e/{night.event.slug}/", f"/s/{night.store.slug}/"
    pages = [
        event,
        f"{event}live/",
        f"{event}me/",
        f"{event}wall/",
        store,
        f"{store}judge/",
        "/sign-in/",
        "/card/none/",
        "/nowhere/",
    ]
    pages += ["/static/css/base.css", "/sw.js", f"{event}desk/"]

    @few
    @given(st.sampled_from(pages), st.lists(st.tuples(names, values), min_size=1, max_size=5))
    def asked(page: str, headers: list) -> None:
        assert made.ask(page, headers).status < 500

    asked()


def test_no_cookie_makes_a_page_fail(made, night):
    event, store = f"/e/{night.event.slug}/", f"/s/{night.store.slug}/"
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    card = access.card_cookie(night.store)
    ours = [
        card,
        f"{card}0",
        "card-0",
        "card-" + "9" * 30,
        "card-",
        settings.SESSION_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        "friend",
    ]
    keys = st.sampled_from([key.encode(), b"a" * 32, b'"' + key.encode() + b'"'])
    cookies = st.lists(st.tuples(st.sampled_from(ours), values | keys), min_size=1, max_size=5)

    @few
    @given(
        st.sampled_from([event, f"{event}me/", f"{event}join/", f"{store}me/", store, "/sign-in/", f"{event}desk/"]),
        cookies,
    )
    def asked(page: str, sent: list) -> None:
        header = b"; ".join(name.encode() + b"=" + value for name, value in sent)
        assert made.ask(page, [("cookie", header)]).status < 500

    asked()


QUERIES = """
    q in own by with prove stop page option preview pick other row pack sp_limit before after paper shape what again
    seed dice hand show look concede imported as_of size copies rounds documents names sort state filter tag name number
""".split()
TYPED = [
    "",
    "0",
    "1",
    "-1",
    "9" * 400,
    "²",
    "٣",
    "1e9",
    "nan",
    "true",
    "a" * 300,
    "é",
    "\ud800",
    "'",
    '"><',
    "%",
    "../",
    "[]",
    "1,2",
    "\n",
]
texts = st.sampled_from(TYPED) | st.text(max_size=20)


def quoted(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))


def test_no_query_makes_any_address_fail(made, night):
    paths, cookie = addresses(night), made.session(night.owner)

    @dice(few, max_examples=few.max_examples * 2)
    @given(
        st.sampled_from(paths),
        st.lists(st.tuples(st.sampled_from(QUERIES), texts), min_size=1, max_size=4),
        st.booleans(),
    )
    def asked(path: str, fields: list, is_owner: bool) -> None:
        query = "&".join(f"{name}={quoted(text)}" for name, text in fields).encode()
        assert made.ask(path, [cookie] if is_owner else [], query=query).status < 500

    asked()


def test_every_address_takes_each_strange_value(made, night):
    cookie = made.session(night.owner)
    query = "&".join(f"{name}={quoted(TYPED[place % len(TYPED)])}" for place, name in enumerate(QUERIES)).encode()

    answers = {path: made.ask(path, [cookie], query=query).status for path in addresses(night)}

    assert sum(status == 200 for status in answers.values()) > 60
    assert {path: status for path, status in answers.items() if status >= 500} == {}
