"""What people read when the database is away or the disk is full: a sentence, and what to do."""

import errno
import shutil
from collections import namedtuple

import psycopg
import psycopg_pool
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from tests.support.nights import make_store
from tourney.runtime import disk
from tourney.runtime.availability import database
from tourney.views import health
from tourney.views.errors import server_error
from tourney.views.unavailable import refuse_without_room

Usage = namedtuple("Usage", "total used free")
FULL = "Not saved. The store computer’s disk is full."


def answer_to(error: Exception, method: str = "post", **headers: str) -> HttpResponse:
    request = getattr(RequestFactory(headers=headers), method)("/")
    try:
        raise error
    except Exception:
        return server_error(request)


def of_django(cause: Exception, error: type[Exception] = OperationalError) -> Exception:
    """As Django wraps it."""
    wrapped = error(str(cause))
    wrapped.__cause__ = cause
    return wrapped


@pytest.fixture
def free(monkeypatch, settings):
    """`free(bytes)`: so much room is left on the disk, where the embedded database lies too."""

    def free(left: int) -> None:
        monkeypatch.delenv("DATABASE_URL")
        monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(left, 0, left))

    return free


@pytest.mark.parametrize("error", [of_django(psycopg.errors.DiskFull()), OSError(errno.ENOSPC, "No space left")])
def test_a_full_disk_is_said_with_what_to_do(error):
    page = answer_to(error)

    assert (page.status_code, page["Retry-After"]) == (503, "3")
    assert FULL in page.content.decode()
    assert "Ask the organizer to free some space on it" in page.content.decode()


def test_what_was_sent_to_a_database_that_is_lost_may_not_be_saved():
    page = answer_to(of_django(psycopg.OperationalError("server closed the connection unexpectedly")))

    assert page.status_code == 503
    assert "so this may not be saved" in page.content.decode()
    assert b"http-equiv" not in page.content


def test_what_fails_while_the_database_is_there_is_in_the_log(caplog, monkeypatch):
    error = of_django(psycopg_pool.PoolTimeout("couldn't get a connection after 2.00 sec"))
    answer_to(error)
    said = caplog.text
    monkeypatch.setattr(database, "is_away", True)
    answer_to(error)

    assert str(error) in said
    assert caplog.text == said  # that it is away is said once, by who watches


@pytest.mark.parametrize("headers", [{"X-Outbox": "1"}, {"HX-Request": "true"}])
def test_a_script_gets_the_sentence_alone(headers):
    page = answer_to(of_django(psycopg.errors.DiskFull()), **headers)

    assert (page.headers["Content-Type"], page.content.decode()) == ("text/plain; charset=utf-8", FULL)


@pytest.mark.parametrize(
    "error",
    [
        of_django(psycopg.errors.DeadlockDetected()),
        of_django(psycopg.errors.UndefinedTable(), ProgrammingError),
        of_django(psycopg.InterfaceError("the cursor is closed"), InterfaceError),
        OSError(errno.EACCES, "Permission denied"),
        ValueError(),
    ],
)
def test_our_own_mistakes_stay_mistakes(error):
    assert answer_to(error).status_code == 500


def test_the_reserve_is_kept_from_what_is_sent_and_pages_go_on(free):
    free(disk.RESERVE - 1)
    answer = refuse_without_room(lambda request: HttpResponse("done"))

    assert FULL in answer(RequestFactory().post("/")).content.decode()
    assert answer(RequestFactory().get("/")).content == b"done"


def test_with_more_than_the_reserve_it_is_taken(free):
    free(disk.RESERVE)

    assert refuse_without_room(lambda request: HttpResponse("done"))(RequestFactory().post("/")).content == b"done"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("left", "says"),
    [(disk.LOW, None), (disk.LOW - 1, "Only 499 MB left"), (1, "is full")],
)
def test_organizers_are_told_before_the_disk_is_full(client, free, left: int, says: str | None):
    store, users = make_store()
    free(left)
    client.force_login(users["organizer"])

    page = client.get(reverse("store_home", args=[store.slug])).content.decode()

    assert (says in page) if says else ("computer’s disk" not in page)


@pytest.mark.django_db
def test_visitors_are_not_told_of_the_disk(client, free):
    store, _ = make_store()
    free(1)

    assert "computer’s disk" not in client.get(reverse("store_home", args=[store.slug])).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("left", "status", "how"), [(disk.LOW, 200, "ok"), (disk.LOW - 1, 200, "low"), (1, 503, "full")]
)
def test_ready_says_whether_what_is_sent_would_be_saved(client, free, left: int, status: int, how: str):
    free(left)
    health._lately.forget()

    answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["disk"], answer.json()["database"]["saves"]) == (status, how, True)


@pytest.mark.django_db
def test_ready_costs_one_write_however_many_ask(client, django_assert_num_queries):
    health._lately.forget()

    with django_assert_num_queries(1):
        for _ in range(5):
            client.get("/health/ready/")
