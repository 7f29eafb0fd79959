"""The parts that streams bring, from the real server: what the page itself would get, for its own reader alone."""

import re
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from django.conf import settings
from django.http import parse_cookie
from django.test import Client
from django.urls import reverse

from tests.support.built_fleets import night_with_fleets
from tests.support.nights import BY, Night
from tests.support.serving import Running, Stream, night_of_its_own
from tests.support.tables import eliminated, enter
from tourney import access
from tourney.actions import announcements, player_cards, rounds
from tourney.runtime import event_stream
from tourney.runtime.shared_html import OwnHtml
from tourney.serving.streams import Channel
from tourney.serving.streams import Stream as ServedStream
from tourney.views.live_parts import PARTS, PartReader, parts_for, reader_of

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "a" * 32
MOST_OF_A_CARD = 5_000
"""Bytes, as of one that is asked for (tests/browser/test_poor_network.py)."""
AT_RANDOM = re.compile(r'(name="(?:csrfmiddlewaretoken|key)" value="|data-server-now=")[^"]+')
PAGES = {
    "event": (),
    "me": (),
    "pairings": (1,),
    "standings": (),
    "standings_after": (1,),
    "roll_offs": (),
    "wall": (),
}


@pytest.fixture
def watch(running: Running) -> Iterator[Callable[..., Stream]]:
    """`watch(night, page, cookie)`: a page whose part the stream brings, until the end of the test."""
    streams = []

    def watch(night: Night, page: str = "event", cookie: str = "", **headers: str) -> Stream:
        of = address(night, page)
        streams.append(Stream(running.port, night.event.slug, of=of, Cookie=cookie, **headers))
        assert streams[-1].next()[0] == "version"
        return streams[-1]

    yield watch
    for stream in streams:
        stream.close()


def address(night: Night, page: str) -> str:
    return reverse(page, args=[night.event.slug, *PAGES[page]])


def card_of(night: Night, number: int) -> str:
    """What the phone of that player sends: the card, and the secret of its forms."""
    key = player_cards.issue(night.event.entrants.get(number=number).player, by=BY)
    return f"{access.card_cookie(night.store)}={key}; {settings.CSRF_COOKIE_NAME}={SECRET}"


def asked(running: Running, night: Night, page: str, cookie: str) -> str:
    """The part as the page gets it when it asks."""
    answer = running.ask(address(night, page), HX_Request="true", HX_Target=PARTS[page], Cookie=cookie)
    assert answer.status == 200
    return answer.text


def same_for_all(html: str) -> str:
    """Without what is random in the forms of a part, and the time of the clock in it."""
    return AT_RANDOM.sub(r"\1", html)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("has_card", [False, True])
def test_the_part_that_is_brought_is_the_part_that_the_page_gets_when_it_asks(
    watch, running, page: str, has_card: bool
):
    night = night_of_its_own(players=6, rounds=1, open_round=True, tables=1)
    cookie = card_of(night, 1) if has_card or page == "me" else ""
    stream = watch(night, page, cookie)

    enter(night.event, 2, eliminated(), number=2)
    kind, version, html = stream.next()

    night.event.refresh_from_db()
    assert (kind, version) == ("part", night.event.version)
    assert f'id="{PARTS[page]}"' in html
    assert same_for_all(html) == same_for_all(asked(running, night, page, cookie))


def test_what_is_compressed_reads_the_same(watch):
    night = night_of_its_own(players=6, open_round=True)
    plain, compressed = watch(night), watch(night, Accept_Encoding="gzip")

    heard = []
    for table in (1, 2):
        enter(night.event, table, eliminated())
        heard.append((plain.next(), compressed.next()))

    assert compressed.answer.headers["Content-Encoding"] == "gzip"
    for one, other in heard:
        assert (*one[:2], same_for_all(one[2])) == (*other[:2], same_for_all(other[2]))
    assert "1 of 3 tables still playing." in heard[1][0][2]


def test_each_phone_is_brought_its_own_card_and_no_other(watch, running):
    night = night_of_its_own(players=6)
    rounds.pair_round(night.event, seed=1, by=BY)
    cookies = [card_of(night, number) for number in range(1, 7)]
    cards = [watch(night, "me", cookie) for cookie in cookies]
    event_page = watch(night, "event")

    rounds.publish_round(night.event, 1, by=BY)
    brought = [card.next()[2] for card in cards]

    for html, cookie in zip(brought, cookies, strict=True):
        assert same_for_all(html) == same_for_all(asked(running, night, "me", cookie))
    names = [entrant.player.name for entrant in night.event.entrants.order_by("number").select_related("player")]
    heads = [f'<p class="eyebrow"> {name} · Round 1 </p>' for name in names]
    assert [head in " ".join(html.split()) for head, html in zip(heads, brought, strict=True)] == [True] * 6
    assert all(same_for_all(one) != same_for_all(other) for one, other in pairwise(brought))
    assert "is-me" not in event_page.next()[2]


def test_a_card_that_was_issued_again_gets_no_part_any_more(watch):
    night = night_of_its_own(players=4, open_round=True)
    stream = watch(night, "me", card_of(night, 1))

    player_cards.issue(night.event.entrants.get(number=1).player, by=BY)

    night.event.refresh_from_db()
    assert stream.next() == ("version", night.event.version, str(night.event.version))


def test_who_signed_in_is_told_the_version_and_asks(watch):
    night, client = night_of_its_own(players=4, open_round=True), Client()
    client.force_login(night.organizer)
    name = settings.SESSION_COOKIE_NAME
    stream = watch(night, "event", f"{name}={client.cookies[name].value}")

    enter(night.event, 1, eliminated())

    assert stream.next()[0] == "version"


def test_a_phone_without_the_secret_of_forms_asks_for_a_card_with_forms(watch):
    night = night_of_its_own(players=4, open_round=True)
    cookie = card_of(night, 1).partition(";")[0]
    stream = watch(night, "me", cookie)

    enter(night.event, 1, eliminated())

    assert stream.next()[0] == "version"


def test_the_page_of_a_card_gives_the_secret_of_forms_before_it_has_a_form(client: Client):
    night = night_of_its_own(players=4, rounds=3, finish=True)
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    client.cookies[access.card_cookie(night.store)] = key

    answer = client.get(address(night, "me"))

    assert b"csrfmiddlewaretoken" not in answer.content
    assert settings.CSRF_COOKIE_NAME in answer.cookies


def test_a_part_that_was_brought_is_not_changed_when_the_page_asks(watch, running):
    night = night_of_its_own(players=4, open_round=True)
    stream = watch(night)
    enter(night.event, 1, eliminated())
    html = stream.next()[2]

    tag = re.search(r'"If-None-Match": "(W/\\".+?\\")"', html)[1].replace('\\"', '"')
    answer = running.ask(address(night, "event"), HX_Request="true", HX_Target="now", If_None_Match=tag)

    assert answer.status == 304


def test_what_is_typed_with_ends_of_lines_arrives_whole(watch, running):
    night = night_of_its_own(players=2, open_round=True)
    stream = watch(night)

    announcements.announce(night.event, "First <b>\n\nsecond", by=BY)
    html = stream.next()[2]

    assert "First &lt;b&gt;" in html
    assert same_for_all(html) == same_for_all(asked(running, night, "event", ""))


# which parts


def reader(night: Night, of: str, **cookies: str) -> PartReader | None:
    return reader_of(night.event.slug, of, host="localhost", scheme="http", language="en", cookies=cookies)


def test_only_live_parts_of_public_pages_of_the_same_event_are_brought():
    night, other = night_of_its_own(players=2), night_of_its_own(players=2)
    at, card = night.event.get_absolute_url(), {access.card_cookie(night.store): "key"}

    brought = [
        reader(night, at),
        reader(night, f"{at}?q=Lark&by=table"),
        reader(night, f"{at}me/", **card),
    ]
    left = [
        reader(night, other.event.get_absolute_url()),
        reader(night, f"{at}?q={'a' * 400}"),
        reader(night, f"{at}?q=%00"),
        reader(night, f"{at}desk/"),
        reader(night, f"{at}nowhere/"),
        reader(night, "https://example.com/"),
        reader(night, f"{at}me/"),  # no card
        reader(night, at, **{settings.SESSION_COOKIE_NAME: "abc"}),
    ]

    assert [one is not None for one in brought] == [True] * 3
    assert left == [None] * 8


def readers_of_cards(night: Night, numbers: range) -> list[PartReader]:
    cookies = [parse_cookie(card_of(night, number)) for number in numbers]
    return [reader(night, address(night, "me"), **held) for held in cookies]


def text_of(part) -> str:
    return "".join(map(str, part))


@pytest.mark.parametrize("players", [4, 12])
def test_cards_of_many_readers_with_their_fleets_take_two_queries(django_assert_num_queries, players: int):
    night = night_with_fleets(players=players)
    readers = readers_of_cards(night, range(1, players + 1))
    parts_for(night.event.slug, readers[:1])

    with django_assert_num_queries(2):  # which version it is, and the fleets
        version, parts = parts_for(night.event.slug, readers)

    night.event.refresh_from_db()
    assert version == night.event.version
    assert len({same_for_all(text_of(part)) for part in parts}) == players
    assert all("Vanguard" in text_of(part) for part in parts)
    assert max(len(event_stream.part(version, part, is_compressed=True)) for part in parts) < MOST_OF_A_CARD


def test_the_next_few_readers_of_a_version_that_is_known_ask_the_database_nothing(django_assert_num_queries):
    night = night_of_its_own(players=6, open_round=True)
    readers = readers_of_cards(night, range(1, 7))
    version, first = parts_for(night.event.slug, readers[:3])

    with django_assert_num_queries(0):
        assert parts_for(night.event.slug, readers[3:], version)[0] == version
    assert None not in first


def test_a_version_that_is_news_is_asked_for():
    night = night_of_its_own(players=6, open_round=True)
    readers = [reader(night, address(night, "event"))]
    version, _ = parts_for(night.event.slug, readers)
    enter(night.event, 1, eliminated())

    assert parts_for(night.event.slug, readers, version + 1)[0] == version + 1


def test_long_lists_are_packed_for_each_reader_as_they_are_shown():
    night = night_of_its_own(players=80, open_round=True)
    cookies = [{}, *(parse_cookie(card_of(night, number)) for number in (1, 44))]
    readers = [reader(night, address(night, "event") + "?page=2", **held) for held in cookies]

    version, parts = parts_for(night.event.slug, readers)
    sent = [event_stream.part(version, part, is_compressed=True) for part in parts]

    assert [any(isinstance(piece, OwnHtml) for piece in part) for part in parts] == [False, True, True]
    for part, body in zip(parts, sent, strict=True):
        lines = zlib.decompressobj(-15).decompress(body).decode().split("\n")[1:]  # the first is of no meaning
        assert "\n".join(line.removeprefix("data: ") for line in lines[2:-2]) == text_of(part)
    assert [text_of(part).count("is-me") for part in parts] == [0, 1, 1]


def test_readers_of_the_same_share_one_part():
    night = night_of_its_own(players=2)
    one, other = (reader(night, night.event.get_absolute_url(), other="cookie") for _ in range(2))
    channel = Channel(night.event.slug)

    streams = [ServedStream(one, is_compressed=True), ServedStream(other, is_compressed=True)]
    for stream in streams:
        channel.add(stream)

    assert channel.readers == {(one, True): set(streams)}
    for stream in streams:
        channel.remove(stream)
    assert (channel.readers, channel.streams) == ({}, 0)


def test_the_same_part_is_the_same_for_everybody_but_for_its_length():
    lengths = {len(event_stream.part(1, ["<p>same</p>"], is_compressed=True)) for _ in range(50)}

    assert len(lengths) > 1
    assert (
        event_stream.part(1, ["a\r\nb", "\rc"], is_compressed=False)
        == b"event: part\nid: 1\ndata: a\ndata: b\ndata: c\n\n"
    )
