"""Pages that have not changed: what is told before Django, and what never is."""

import asyncio
import socket
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.support.asking import Site, site
from tests.support.nights import BY, Night, make_night
from tourney import access
from tourney.actions import entrants, player_cards
from tourney.serving import unchanged
from tourney.serving.unchanged import EVENT_VERSION, Unchanged, Versions

pytestmark = pytest.mark.django_db(transaction=True)

END_LINES = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'flagship versions'
"""


@pytest.fixture(scope="module")
def made() -> Iterator[Site]:
    with site() as made:
        yield made


class Asker:
    """A browser that asks for a page again and again, with the ETag of the last answer."""

    def __init__(self, made: Site, path: str, **headers: str):
        self.made, self.path, self.headers = made, path, headers

    def ask(self, **more: str) -> tuple[int, bool]:
        """The status, and whether Django answered."""
        before, (path, _, query) = len(self.made.to_django), self.path.partition("?")
        headers = {name.lower(): value for name, value in (self.headers | more).items()}
        answer = self.made.ask(path, headers, query=query.encode())
        self.headers["If-None-Match"] = answer.headers.get("etag", "")
        return answer.status, len(self.made.to_django) > before


def in_a_loop[Done](work: Coroutine[None, None, Done]) -> Done:
    """In a thread of its own: in this one another loop may run, which a browser brought along."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


def event_page(night: Night) -> str:
    return reverse("event", args=[night.event.slug])


def part(made: Site, night: Night, **headers: str) -> Asker:
    asked = {"HX-Request": "true", "HX-Target": "now"}
    return Asker(made, event_page(night), **asked, **headers)


def cookie(night: Night, number: int) -> str:
    key = player_cards.issue(night.event.entrants.get(number=number).player, by=BY)
    return f"{access.card_cookie(night.store)}={key}"


def test_who_has_the_page_is_told_so_before_django_until_something_changes(made):
    night = make_night(players=2)
    visitor = part(made, night)
    told = [visitor.ask(), visitor.ask(), visitor.ask()]

    entrants.drop(night.event, 1, by=BY)

    assert [*told, visitor.ask(), visitor.ask()] == [(200, True), (304, False), (304, False), (200, True), (304, False)]


@pytest.mark.parametrize("name", ["event_json", "standings_json", "pairings_json"])
def test_a_program_that_asks_again_is_told_so_before_django_too(made, name: str):
    night = make_night(players=2)
    program = Asker(made, reverse(name, args=[night.event.slug]))
    told = [program.ask(), program.ask()]

    entrants.drop(night.event, 1, by=BY)

    assert [*told, program.ask(), program.ask()] == [(200, True), (304, False), (200, True), (304, False)]


def test_the_tag_of_another_part_another_address_or_another_card_is_worth_nothing(made):
    night = make_night(players=2)
    visitor = part(made, night)
    visitor.ask()
    tag = visitor.headers["If-None-Match"]
    others = [
        Asker(made, event_page(night)),
        Asker(made, event_page(night) + "?q=vor", **{"HX-Request": "true", "HX-Target": "now"}),
        part(made, night, Cookie=cookie(night, 1)),
        part(made, make_night(players=2, store=None)),
    ]

    assert [other.ask(**{"If-None-Match": tag}) for other in others] == [(200, True)] * 4


def test_a_page_in_another_language_is_another_page(made, settings):
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    night = make_night(players=2)
    in_french = part(made, night, **{"Accept-Language": "fr"})
    told = [in_french.ask(), in_french.ask()]
    tag = in_french.headers["If-None-Match"]

    in_english = part(made, night, Cookie="language=en", **{"Accept-Language": "fr", "If-None-Match": tag})

    assert [*told, in_english.ask(), in_english.ask()] == [(200, True), (304, False), (200, True), (304, False)]


def test_a_card_that_was_issued_again_is_worth_nothing_at_once(made):
    night = make_night(players=2)
    phone = Asker(made, reverse("me", args=[night.event.slug]), Cookie=cookie(night, 1))
    told = [phone.ask(), phone.ask()]

    player_cards.issue(night.event.entrants.get(number=1).player, by=BY)

    assert [*told, phone.ask()] == [(200, True), (304, False), (200, True)]


def test_who_has_signed_in_is_left_to_django(made):
    night = make_night(players=2)
    client = Client()
    client.force_login(night.organizer)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    organizer = part(made, night, Cookie=f"{settings.SESSION_COOKIE_NAME}={session}")

    assert [organizer.ask(), organizer.ask()] == [(200, True), (304, True)]


def test_what_is_still_to_be_said_is_said_on_a_page_that_has_not_changed(made):
    night, client = make_night(players=2), Client()
    client.post(reverse("card", args=[player_cards.issue(night.event.entrants.get(number=1).player, by=BY)]))
    card, told = (client.cookies[name] for name in (access.card_cookie(night.store), "messages"))
    phone = Asker(made, reverse("me", args=[night.event.slug]), Cookie=f"{card.key}={card.value}")
    before = [phone.ask(), phone.ask()]

    after = phone.ask(Cookie=f"{card.key}={card.value}; messages={told.coded_value}")

    assert [*before, after] == [(200, True), (304, False), (200, True)]


def test_without_its_own_line_to_the_database_django_answers_until_there_is_another(made):
    night = make_night(players=2)
    visitor = part(made, night)
    told = [visitor.ask(), visitor.ask()]

    with connection.cursor() as cursor:
        cursor.execute(END_LINES)

    assert [*told, visitor.ask(), visitor.ask()] == [(200, True), (304, False), (304, True), (304, False)]


def test_django_is_told_what_was_seen_of_every_page_of_an_event():
    night, told = make_night(players=2), []

    async def django(scope: dict, receive, send) -> None:
        told.append(scope.get(EVENT_VERSION))

    async def ask(*paths: str) -> None:
        server = Unchanged(django, lambda: "build")
        for path in paths:
            scope = {
                "type": "http",
                "method": "GET",
                "path": path,
                "headers": [(b"host", b"localhost")],
                "scheme": "http",
                "query_string": b"",
            }
            await server(scope, None, None)
        await server.versions.connection.close()

    in_a_loop(ask(event_page(night), "/e/no-such-event/", "/"))

    assert told == [(night.event.pk, night.event.version), None, None]


def test_who_comes_after_a_silent_database_is_not_kept_waiting(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.setblocking(False)
        address = {"host": "127.0.0.1", "port": silent.getsockname()[1]}
        monkeypatch.setattr(unchanged, "database_address", lambda: address)
        monkeypatch.setattr(unchanged, "PATIENCE", 0.2)

        async def ask() -> list:
            versions = Versions()
            return [await versions.of("an-event") for _ in range(3)]

        assert in_a_loop(ask()) == [None] * 3
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_a_page_whose_forms_carry_another_secret_is_another_page(made):
    night = make_night(players=2)
    first, again = (part(made, night, Cookie=f"csrftoken={letter * 32}") for letter in "ab")
    first.ask()

    assert again.ask(**{"If-None-Match": first.headers["If-None-Match"]}) == (200, True)


def test_a_whole_page_that_is_restored_is_not_taken_for_the_part(made):
    night = make_night(players=2)
    visitor = part(made, night)
    visitor.ask()

    assert visitor.ask(**{"HX-History-Restore-Request": "true"}) == (200, True)
