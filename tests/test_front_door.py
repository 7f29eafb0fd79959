"""Before Django: what cannot be read, failures outside Django, and answers that keep the rules of Django's own."""

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.http import HttpRequest
from django.test import Client, override_settings
from django.urls import get_resolver, reverse
from django.utils import timezone

from tests.support.asking import Answer, Site, site
from tests.support.longer import speak_longer_french
from tests.support.nights import Night, make_night, make_store
from tests.support.pseudo import pseudo
from tourney.actions import rehearsal
from tourney.actions.record import Actor
from tourney.models import Event, Pace, User
from tourney.runtime import request_log
from tourney.runtime.request_log import OneJson, OneLine
from tourney.serving.front_door import LONGEST_PATH

committed = pytest.mark.django_db(transaction=True)

BEHIND_A_PROXY = {
    "ALLOWED_HOSTS": ["flagship.example"],
    "BEHIND_PROXY": True,
    "HTTPS": True,
    "SECURE_SSL_REDIRECT": True,
    "SECURE_HSTS_SECONDS": 31_536_000,
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
}
OURS = ("host", "flagship.example")
SECURE = ("x-forwarded-proto", "https")
OWN = {
    "content-language",
    "content-type",
    "content-length",
    "x-request-id",
    "vary",
    "etag",
    "cache-control",
    "set-cookie",
    "x-accel-buffering",
}


@pytest.fixture(scope="module")
def plain() -> Iterator[Site]:
    with site() as made:
        yield made


@pytest.fixture
def proxied() -> Iterator[Site]:
    with override_settings(**BEHIND_A_PROXY), site() as made:
        yield made


@pytest.fixture
def night() -> Night:
    return make_night(players=2)


def session(user: User) -> tuple[str, str]:
    client = Client()
    client.force_login(user)
    return "cookie", f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def stream_of(event: Event) -> str:
    return reverse("live", args=[event.slug])


def page_of(event: Event) -> str:
    return reverse("event", args=[event.slug])


def shared(answer: Answer) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in OWN}


# the same rules as Django's


@committed
@pytest.mark.parametrize("where", ["plain", "proxied"])
def test_streams_and_early_304s_carry_the_headers_of_every_other_answer(request, where, night):
    made, usual = request.getfixturevalue(where), [OURS, SECURE]
    page = made.ask(page_of(night.event), usual)
    early = made.ask(page_of(night.event), [*usual, ("if-none-match", page.headers["etag"])])
    stream = made.ask(stream_of(night.event), usual)

    assert (page.status, early.status, stream.status) == (200, 304, 200)
    assert stream.body.startswith(b"event: version")
    assert shared(early) == shared(stream) == shared(page)
    assert {"x-frame-options", "content-security-policy", "referrer-policy"} <= shared(page).keys()
    assert ("strict-transport-security" in shared(page)) is (where == "proxied")


@committed
@pytest.mark.parametrize("host", ["evil.example", "", "localhost", "flagship.example.evil", "[::1", "x" * 20_000, "é"])
def test_a_wrong_host_gets_neither_a_stream_nor_a_304(proxied, night, host):
    tag = proxied.ask(page_of(night.event), [OURS, SECURE]).headers["etag"]

    answers = [
        proxied.ask(page_of(night.event), [("host", host), SECURE, ("if-none-match", tag)]),
        proxied.ask(stream_of(night.event), [("host", host), SECURE]),
        proxied.ask(stream_of(night.event), [OURS, ("host", host), SECURE]),
    ]

    assert [answer.status for answer in answers] == [400] * 3


@committed
def test_plain_http_is_led_to_https(proxied, night):
    tag = proxied.ask(page_of(night.event), [OURS, SECURE]).headers["etag"]

    answers = [
        proxied.ask(path, [OURS, *more, ("if-none-match", tag)])
        for path in (page_of(night.event), stream_of(night.event))
        for more in ([], [("x-forwarded-proto", "http")], [("x-forwarded-proto", "http, https")])
    ]

    assert {answer.status for answer in answers} == {301}
    assert {answer.headers["location"].partition("/e/")[0] for answer in answers} == {"https://flagship.example"}


@committed
def test_who_watches_a_host_asks_it_past_the_proxy(proxied):
    answers = [proxied.ask(path, [OURS]).status for path in ("/health/", "/health/live", "/health/ready", "/metrics")]

    assert answers == [200, 200, 200, 404]  # no token is set here


@committed
def test_a_session_in_a_second_cookie_header_is_seen(plain, night):
    tag = plain.ask(page_of(night.event)).headers["etag"]

    answer = plain.ask(page_of(night.event), [session(night.organizer), ("cookie", "a=b"), ("if-none-match", tag)])

    assert answer.status == 200


@committed
def test_the_stream_of_a_rehearsal_is_for_its_organizers_alone(plain, night):
    by = Actor(night.organizer, night.organizer.username, timezone.now())
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0, Pace.STEP), by=by, seed=1)
    _, elsewhere = make_store("Elsewhere")

    def asked() -> dict:
        who = {"nobody": [], "judge": [session(night.judge)], "elsewhere": [session(elsewhere["owner"])]}
        who |= {"owner": [session(night.owner)], "organizer": [session(night.organizer)]}
        return {name: plain.ask(stream_of(copy), more).status for name, more in who.items()}

    assert asked() == asked() == {"nobody": 404, "judge": 404, "elsewhere": 404, "owner": 200, "organizer": 200}
    assert plain.ask(stream_of(night.event)).status == 200


# what cannot be read

LONG_DIGITS = "9" * 5_000
TAGS = [
    f'W/"2-{LONG_DIGITS}-abc"',
    f'W/"{LONG_DIGITS}-2-abc"',
    f'"1-1-{LONG_DIGITS}"',
    'W/"²-²-a"',
    "*",
    '"' * 900,
    b"\xff\xfe",
]


@committed
@pytest.mark.parametrize("tag", TAGS, ids=range(len(TAGS)))
def test_a_tag_that_is_none_of_ours_brings_the_page(plain, night, tag):
    assert plain.ask(page_of(night.event), [("if-none-match", tag)]).status == 200


UNREADABLE = {
    "a null character in the path": (400, {"path": "/card/a\0b/"}),
    "half a pair in the path": (400, {"path": "/card/\ud800/"}),
    "a null character in the query": (400, {"path": "/", "query": b"q=a%00b"}),
    "a raw null character in the query": (400, {"path": "/", "query": b"q=\0"}),
    "a query that is no text": (400, {"path": "/", "query": b"q=\xff"}),
    "a long path": (414, {"path": "/card/" + "x" * 1_000}),
    "a long query": (414, {"path": "/", "query": b"x" * 8_001}),
    "many headers": (431, {"path": "/", "headers": [("a", "b" * 1_000)] * 32}),
    "a long cookie": (431, {"path": "/", "headers": [("cookie", "b" * 32_000)]}),
    "a null character in a cookie": (400, {"path": "/", "headers": [("cookie", 'sessionid="aaaaaaaa\\000"')]}),
}


@pytest.mark.parametrize("asked", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_no_page_can_read_is_refused_with_a_sentence(plain, asked):
    status, how = asked

    answer = plain.ask(**how)

    assert (answer.status, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert re.search(r"<p>[A-Z][^<]+\.</p>", answer.text)


# failures; these tests may not ask the database, and neither does the page


class Broken:
    """A view, or what is behind Django, that fails."""

    def __call__(self, *_, **__):
        raise RuntimeError("the-cause")


@pytest.fixture
def log() -> Iterator[list[str]]:
    """The lines of the log, as the console gets them."""
    lines = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler = Lines()
    handler.setFormatter(OneLine())
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


def facts_of(line: str) -> dict[str, str]:
    found = re.findall(r'([a-z]+)=("(?:[^"\\]|\\.)*"|\S+)', line)
    return {key: json.loads(value) if value[0] == '"' else value for key, value in found}


def fails_before_django(made: Site, monkeypatch) -> None:
    monkeypatch.setattr(made.live, "application", Broken())


def fails_in_django(made: Site, monkeypatch) -> None:
    monkeypatch.setattr(HttpRequest, "get_host", Broken())


@pytest.mark.parametrize("fail", [fails_before_django, fails_in_django])
def test_a_failure_shows_a_number_that_is_in_the_log_with_the_cause(plain, log, monkeypatch, fail):
    fail(plain, monkeypatch)

    answer = plain.ask("/sign-in/")

    number = answer.headers["x-failure"]
    (line,) = [facts_of(line) for line in log if "traceback=" in line]
    assert (answer.status, f">{number}<" in answer.text) == (500, True)
    assert (line["failure"], line["request"]) == (number, answer.headers["x-request-id"])
    assert (line["method"], line["path"], line["level"]) == ("GET", "/sign-in/", "ERROR")
    assert "RuntimeError: the-cause" in line["traceback"]
    assert not re.search("the-cause|Traceback", answer.text)
    assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("fail", [fails_before_django, fails_in_django])
@pytest.mark.parametrize("more", [("x-outbox", "1"), ("hx-request", "true")], ids=["the outbox", "htmx"])
def test_the_outbox_and_htmx_get_the_number_of_a_failure(plain, monkeypatch, fail, more):
    fail(plain, monkeypatch)

    answer = plain.ask("/sign-in/", [more])

    assert (answer.status, answer.headers["x-failure"] in answer.text) == (500, True)


@pytest.mark.parametrize("fail", [fails_before_django, fails_in_django])
def test_a_program_gets_the_number_of_a_failure_as_json(plain, monkeypatch, fail):
    fail(plain, monkeypatch)

    answer = plain.ask("/sign-in/", [("accept", "application/json")])

    assert json.loads(answer.text) == {"error": "Something went wrong", "number": answer.headers["x-failure"]}


def test_the_page_of_a_failure_is_there_when_even_its_template_fails(plain, monkeypatch):
    fails_before_django(plain, monkeypatch)
    monkeypatch.setattr("tourney.runtime.plain_pages.render_to_string", Broken())

    answer = plain.ask("/sign-in/")

    assert (answer.status, answer.headers["x-failure"] in answer.text) == (500, True)


ASKED_IN_FRENCH = {
    "asked for": [("accept-language", "fr-CA,fr;q=0.9,en;q=0.1")],
    "chosen": [("cookie", "a=1; language=fr"), ("accept-language", "en")],
    "chosen, in a second cookie header": [("cookie", "language=fr"), ("cookie", "a=1")],
}


@pytest.fixture
def french(settings, request) -> None:
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    speak_longer_french(request)


@pytest.mark.parametrize("headers", ASKED_IN_FRENCH.values(), ids=ASKED_IN_FRENCH.keys())
def test_what_is_refused_before_django_is_said_in_the_language_of_the_reader(plain, french, headers):
    path = "/" + "x" * LONGEST_PATH

    in_french, in_english = plain.ask(path, headers), plain.ask(path)

    assert (in_french.status, in_english.status) == (414, 414)
    assert '<html lang="fr"' in in_french.text
    assert pseudo("This address is too long") in in_french.text
    assert pseudo("Check the link, or start from the home page.") in in_french.text
    assert '<html lang="en"' in in_english.text
    assert "This address is too long" in in_english.text


@pytest.mark.parametrize("headers", ASKED_IN_FRENCH.values(), ids=ASKED_IN_FRENCH.keys())
def test_a_failure_before_django_is_told_in_the_language_of_the_reader(plain, french, monkeypatch, headers):
    fails_before_django(plain, monkeypatch)

    page, told = plain.ask("/sign-in/", headers), plain.ask("/sign-in/", [*headers, ("accept", "application/json")])

    assert pseudo("Something went wrong") in page.text
    assert json.loads(told.text)["error"] == pseudo("Something went wrong")


def test_many_cookies_cost_no_time_where_they_are_refused(plain, french):
    many = [("cookie", 'a="' + "\\" * 2_000_000 + '"; language=fr')]

    answer = plain.ask("/sign-in/", many)

    assert (answer.status, pseudo("Too many cookies") in answer.text) == (431, True)


def test_an_answer_that_fails_half_way_is_ended_and_logged(plain, log, monkeypatch):
    async def half(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("the-cause")

    monkeypatch.setattr(plain.live, "application", half)

    with pytest.raises(RuntimeError):
        plain.ask("/sign-in/")
    assert "the-cause" in facts_of(log[-1])["traceback"]


# ids and lines of the log


def test_each_request_has_an_id_of_its_own(plain):
    ids = [plain.ask(path).headers["x-request-id"] for path in ("/sign-in/", "/sign-in/", "/nowhere/")]

    assert len(set(ids)) == 3


@pytest.mark.parametrize("told", ["chosen-by-a-visitor", "x" * 65, "é" * 9, "a\nb" * 9])
def test_nobody_but_the_proxy_chooses_an_id(plain, told):
    assert plain.ask("/sign-in/", [("x-request-id", told)]).headers["x-request-id"] != told


def test_the_id_of_the_proxy_is_taken_if_it_is_one(proxied):
    asked = [
        proxied.ask("/nowhere/", [OURS, SECURE, ("x-request-id", told)]) for told in ("a1b2c3d4e5", "a b", "x" * 65)
    ]

    ids = [answer.headers["x-request-id"] for answer in asked]
    assert (ids[0], "a b" in ids, "x" * 65 in ids) == ("a1b2c3d4e5", False, False)


def line_of(message: str, path: str) -> str:
    request_log.begin("GET", path)
    return OneLine().format(logging.LogRecord("tourney", logging.ERROR, "", 0, message, None, None))


def test_as_json_each_line_is_an_object_with_the_id_of_the_request_and_no_key():
    request = request_log.begin("GET", "/card/K3Y-OF-A-CARD/")
    line = OneJson().format(logging.LogRecord("tourney", logging.ERROR, "", 0, 'Not “saved”\n"', None, None))

    facts = json.loads(line)
    assert "\n" not in line
    assert facts.pop("time").startswith("20")
    assert facts == {
        "level": "ERROR",
        "logger": "tourney",
        "request": request.id,
        "method": "GET",
        "path": "/card/…/",
        "message": 'Not “saved”\n"',
    }


def test_no_key_of_any_address_is_in_the_log():
    made = {name: what for name, what in get_resolver().reverse_dict.items() if isinstance(name, str)}
    keyed = {name: args for name, (((_, args), *_), *_) in made.items() if "key" in args}
    paths = [reverse(name, args=["K3Y" if one == "key" else "harbor" for one in args]) for name, args in keyed.items()]

    assert {"card", "new_password", "confirm_address"} <= keyed.keys()
    assert [path for path in paths if "K3Y" in line_of(f"Failed at {path}", path)] == []


def test_as_json_a_line_is_written_whatever_it_quotes():
    request_log.begin("GET", "/\udce9/")
    line = OneJson().format(logging.LogRecord("tourney", logging.ERROR, "", 0, "\ud800 Ünal", None, None))

    assert json.loads(line.encode())["message"] == "\ud800 Ünal"


def test_the_environment_chooses_how_the_log_is_written():
    code = "import django; django.setup(); import logging; logging.getLogger('tourney').error('Here')"
    own = {"DJANGO_SETTINGS_MODULE": "tourney.settings"}
    said = [
        subprocess.run([sys.executable, "-c", code], env=os.environ | own | more, capture_output=True, text=True).stderr
        for more in ({}, {"LOG_FORMAT": "json"})
    ]

    assert said[0].endswith(" level=ERROR logger=tourney message=Here\n")
    assert json.loads(said[1])["message"] == "Here"


def test_a_line_of_the_log_is_one_line_whatever_is_asked_for():
    line = line_of('no\nlevel=ERROR \x1b[31m"', "/e/a\r\nlevel=FAKE \x1b/")

    assert line.isprintable()
    assert facts_of(line)["message"] == 'no\nlevel=ERROR \x1b[31m"'


@pytest.mark.parametrize("kind", ["card", "set-up", "invitation"])
def test_the_log_has_no_key_of_a_personal_link(kind):
    assert "the-key" not in line_of(f"Internal Server Error: /{kind}/the-key/", f"/{kind}/the-key/")
