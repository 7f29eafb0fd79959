"""Request bodies: what is too large, too slow or one too many is refused with a sentence, and costs no thread."""

import asyncio
import tempfile
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.support.asking import NEVER, Site, site
from tests.support.nights import Night, make_night, make_store
from tourney.models import Role, User
from tourney.serving.bodies import BodyLimits, Limit

committed = pytest.mark.django_db(transaction=True)

FORM = ("content-type", "application/x-www-form-urlencoded")
FILE = ("content-type", "multipart/form-data; boundary=b")
HUGE = 1_500_000_000
A_BIT = b"x" * 65_536


@pytest.fixture(scope="module")
def plain() -> Iterator[Site]:
    with site() as made:
        yield made


def small(**more) -> BodyLimits:
    return BodyLimits(usual=Limit(1_000, seconds=0.05), by_name={}, **more)


def length(size: int) -> tuple[str, str]:
    return "content-length", str(size)


CHUNKED = ("transfer-encoding", "chunked")


def session(user: User) -> tuple[str, str]:
    client = Client()
    client.force_login(user)
    return "cookie", f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


@pytest.fixture
def night() -> Night:
    return make_night(players=2)


def test_a_body_whose_declared_size_is_too_large_is_refused_before_any_of_it_is_read(plain):
    answer = plain.ask("/sign-in/", [FORM, length(HUGE)], method="POST", body=(A_BIT for _ in range(10_000)))

    assert (answer.status, answer.headers["connection"]) == (413, "close")
    assert "Not saved. Send at most 512 kB." in answer.text
    assert answer.parts_taken * len(A_BIT) < 5_000_000  # discarded, so that the sender can read the answer


def test_a_body_of_no_declared_size_is_refused_as_soon_as_it_is_too_large(plain):
    answer = plain.ask("/sign-in/", [FORM, CHUNKED], method="POST", body=(A_BIT for _ in range(10_000)))

    assert (answer.status, "Send at most 512 kB." in answer.text) == (413, True)
    assert answer.parts_taken * len(A_BIT) < 5_000_000


@pytest.mark.parametrize("more", [("x-outbox", "1"), ("hx-request", "true")], ids=["the outbox", "htmx"])
def test_the_outbox_and_htmx_are_told_the_same(plain, more):
    answer = plain.ask("/sign-in/", [FORM, length(HUGE), more], method="POST")

    assert (answer.status, '<div role="alert" data-why>' in answer.text) == (413, True)


def test_a_program_is_told_in_json(plain):
    answer = plain.ask("/sign-in/", [FORM, length(HUGE), ("accept", "application/json")], method="POST")

    assert answer.text == '{"error": "This is too large Not saved. Send at most 512 kB."}'


def test_the_refusal_carries_the_security_headers_and_is_not_kept(plain):
    refused = plain.ask("/sign-in/", [FORM, length(HUGE)], method="POST").headers
    page = plain.ask("/sign-in/").headers

    wanted = ("x-frame-options", "x-content-type-options", "content-security-policy", "referrer-policy")
    assert [refused[name] for name in wanted] == [page[name] for name in wanted]
    assert refused["cache-control"] == "no-store"


@committed
def test_a_page_that_is_only_read_takes_no_body(plain, night):
    paths = ["/sign-in/", reverse("event", args=[night.event.slug]), reverse("live", args=[night.event.slug])]

    answers = [plain.ask(path, [how]) for path in paths for how in (length(5), CHUNKED)]

    assert {(answer.status, "This page takes no data." in answer.text) for answer in answers} == {(413, True)}


def test_a_length_of_zero_is_no_body(plain):
    assert plain.ask("/sign-in/", [length(0)]).status == 200


@pytest.mark.parametrize("value", ["-1", "1e9", "9" * 5000, "²", "", " 5"])
def test_a_length_that_is_none_is_refused(plain, value):
    assert plain.ask("/sign-in/", [FORM, ("content-length", value)], method="POST").status == 400


def test_a_body_that_does_not_come_in_time_ends():
    with site(small()) as made:
        answer = made.ask("/sign-in/", [FORM, length(10)], method="POST", body=[b"user", NEVER])
        assert (made.handler.bodies.held, len(made.handler.bodies.coming)) == (0, 0)

    assert (answer.status, answer.headers["connection"]) == (408, "close")
    assert "Not everything arrived within 0.05 seconds" in answer.text


def test_slow_bodies_hold_no_thread_and_the_oldest_make_room_for_what_is_there_at_once():
    async def flood(made: Site) -> tuple[list[int], int]:
        slow = [
            asyncio.create_task(made.asked("/sign-in/", [FORM, length(9)], method="POST", body=[b"user", NEVER]))
            for _ in range(30)
        ]
        await asyncio.sleep(0)
        there = await made.asked("/sign-in/", [FORM, length(9)], method="POST", body=[b"username="])
        return sorted(answer.status for answer in await asyncio.gather(*slow)), there.status

    with site(small(most=20)) as made:
        slow, there = made.run(flood(made))

    assert there == 403  # as Django says: it has no token
    assert slow == [408] * 19 + [503] * 11


def test_bodies_at_once_take_no_more_memory_than_allowed():
    sent = [b"u" * 400, NEVER]

    async def flood(made: Site) -> tuple[int, int]:
        slow = [
            asyncio.create_task(made.asked("/sign-in/", [FORM, length(900)], method="POST", body=sent))
            for _ in range(9)
        ]
        await asyncio.sleep(0)
        held = made.handler.bodies.held
        await asyncio.gather(*slow)
        return held, made.handler.bodies.held

    with site(small(held=2_000)) as made:
        assert made.run(flood(made)) == (2_000, 0)


def test_who_does_not_take_the_answer_holds_no_room_for_what_others_send(plain):
    async def left_lying(made: Site) -> int:
        parts = iter([{"type": "http.request", "body": b"u" * 900}])
        scope = made.scope("/sign-in/", [FORM, length(900)], "POST")
        answered = asyncio.Event()

        async def receive() -> dict:
            return next(parts)

        async def send(message: dict) -> None:
            answered.set()
            await asyncio.Event().wait()

        sending = asyncio.create_task(made.application(scope, receive, send))
        await answered.wait()
        held = made.handler.bodies.held
        sending.cancel()
        return held

    assert plain.run(left_lying(plain)) == 0


def test_a_form_below_the_bound_never_touches_the_disk(plain, monkeypatch):
    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", lambda file: pytest.fail("written to the disk"))
    body = b"username=" + b"x" * 500_000

    answer = plain.ask("/sign-in/", [FORM, length(len(body))], method="POST", body=[body])

    assert answer.status == 403


@committed
def test_only_owners_may_send_a_catalogue_of_20_mb(plain, night):
    path = reverse("cards", args=[night.store.slug])
    _, elsewhere = make_store("Elsewhere")
    sent = {
        "stranger": [],
        "forged": [("cookie", f"{settings.SESSION_COOKIE_NAME}=aaaaaaaaaaaaaaaa")],
        "organizer": [session(night.organizer)],
        "owner elsewhere": [session(elsewhere[Role.OWNER])],
        "owner": [session(night.owner)],
    }

    def status(more: list, size: int, **how) -> int:
        return plain.ask(path, [FILE, length(size), *more], method="POST", **how).status

    assert {who: status(more, 20_500_000, body=[b"--b--"]) for who, more in sent.items()} == {
        "stranger": 413, "forged": 413, "organizer": 413, "owner elsewhere": 413, "owner": 403,
    }  # fmt: skip
    assert status([session(night.owner)], 21_000_001) == 413


@committed
def test_an_owner_reads_that_a_catalogue_is_too_large(plain, night):
    headers = [FILE, length(30_000_000), session(night.owner)]

    answer = plain.ask(
        reverse("cards", args=[night.store.slug]), headers, method="POST", body=(A_BIT * 16 for _ in range(28))
    )

    assert (answer.status, "Send at most 21 MB." in answer.text, answer.parts_taken) == (413, True, 28)


@committed
def test_a_catalogue_of_an_owner_may_be_chunked_too_and_that_of_a_stranger_not(plain, night):
    path = reverse("cards", args=[night.store.slug])
    body = [A_BIT] * 12

    answers = [
        plain.ask(path, [FILE, CHUNKED, *more], method="POST", body=body).status
        for more in ([], [session(night.owner)])
    ]

    assert answers == [413, 403]


@committed
def test_few_owners_upload_at_once(night):
    path, cookie = reverse("cards", args=[night.store.slug]), session(night.owner)
    ask = {"headers": [FORM, length(900_000), cookie], "method": "POST"}

    async def third(made: Site) -> tuple[int, int]:
        two = [asyncio.create_task(made.asked(path, **ask, body=[A_BIT, NEVER])) for _ in range(2)]
        while made.handler.bodies.of_owners < 2:
            await asyncio.sleep(0)
        status = (await made.asked(path, **ask)).status
        return status, *[answer.status for answer in await asyncio.gather(*two)]

    with site(BodyLimits(owners={"cards": Limit(21_000_000, 0.2)})) as made:
        assert made.run(third(made)) == (503, 408, 408)


@committed
@pytest.mark.parametrize("name", ["import_fleets", "entrant_fleet"])
def test_a_file_of_fleets_of_1_mb_is_taken(plain, night, name):
    path = reverse(name, args=[night.store.slug] if name == "import_fleets" else [night.event.slug, 1])
    body = b"text=" + b"x" * 1_000_000

    answer = plain.ask(path, [FORM, length(len(body))], method="POST", body=[body])

    assert answer.status == 403


def multipart(*parts: bytes) -> dict:
    body = b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"
    return {"headers": [FILE, length(len(body))], "method": "POST", "body": [body]}


def part(disposition: str, content: bytes = b"x") -> bytes:
    return f"Content-Disposition: form-data; {disposition}\r\n\r\n".encode() + content


BAD_FORMS = {
    "fields": (multipart(*[part(f'name="f{n}"') for n in range(10_001)]), 413, "too many fields"),
    "files": (multipart(*[part(f'name="f{n}"; filename="f"') for n in range(11)]), 413, "one file at a time"),
    "a null character": (multipart(part('name="username"', b"a\0b")), 400, "Reload the page"),
    "no boundary": (
        {"headers": [("content-type", "multipart/form-data"), length(1)], "method": "POST", "body": [b"x"]},
        400,
        "Reload the page",
    ),
    "a null character in a form": (
        {"headers": [FORM, length(14)], "method": "POST", "body": [b"username=a%00b"]},
        400,
        "Reload the page",
    ),
    "many fields in a form": (
        {"headers": [FORM, length(20_002)], "method": "POST", "body": [b"&a" * 10_001]},
        413,
        "too many fields",
    ),
}


@pytest.mark.parametrize("form", BAD_FORMS.values(), ids=BAD_FORMS.keys())
def test_a_form_that_nobody_fills_in_is_refused_with_a_sentence(plain, form):
    sent, status, words = form

    answer = plain.ask("/s/any/fleets/import/", **sent)

    assert (answer.status, words in answer.text) == (status, True)


@pytest.mark.parametrize("charset", ["rot13", "utf-16", "hex", "x" * 200, "*=utf-8''%00"])
def test_a_form_in_another_encoding_than_utf_8_is_refused(plain, charset):
    kind = ("content-type", f"application/x-www-form-urlencoded; charset={charset}".replace("=*", "*"))

    answer = plain.ask("/sign-in/", [kind, length(5)], method="POST", body=[b"a=%41"])

    assert (answer.status, "Send it as UTF-8." in answer.text) == (415, True)


def test_a_form_in_utf_8_may_say_so(plain):
    kind = ("content-type", 'application/x-www-form-urlencoded; charset="UTF-8"')

    assert plain.ask("/sign-in/", [kind, length(5)], method="POST", body=[b"a=%41"]).status == 403
