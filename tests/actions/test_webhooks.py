"""A store's webhook against a real server: what is sent, when again, what is never sent, and what the log keeps."""

import hmac
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from random import Random
from zoneinfo import ZoneInfo

import psycopg
import pytest
from django.db import DataError, connection, transaction
from django.utils import timezone
from django.utils.translation import override
from django_tasks_db.models import DBTaskResult
from jsonschema import Draft202012Validator, FormatChecker

from scoring.shipped import shipped_pack
from tests.support.nights import BY, Night, make_night
from tests.support.receiving import (
    Receiver,
    Request,
    close,
    close_in_body,
    close_inside,
    go_on_for_ever,
    hang,
    receiver,
    status,
    ten_megabytes,
)
from tourney.actions import announcements, events, plans, simulation, stores
from tourney.actions.dry_run import tried
from tourney.models import Delivery, Event, Player, Webhook
from tourney.queries.journal import changes
from tourney.runtime import outgoing, task_worker
from tourney.runtime.outgoing import Answer, Patience, Trouble, post
from tourney.sharing.actions import webhooks
from tourney.sharing.domain.webhooks import CHOICES, WAITS, Ended, News
from tourney.sharing.views.public_json import OPENAPI

pytestmark = pytest.mark.django_db

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def server(settings) -> Iterator[Receiver]:
    settings.WEBHOOKS_TO_LOOPBACK = True
    with receiver() as found:
        yield found


@pytest.fixture
def night() -> Night:
    return make_night(players=4, rounds=1)


@cache
def document() -> dict:
    """The OpenAPI document, each object of it closed."""
    found = json.loads(OPENAPI.read_text("utf-8"))
    for schema in found["components"]["schemas"].values():
        if schema["type"] == "object":
            schema["additionalProperties"] = False
    return found


def described(request: Request) -> dict:
    """What was sent, after it was held against the document."""
    told = document()["webhooks"][request.data["kind"]]["post"]
    schema = told["requestBody"]["content"]["application/json"]["schema"]
    components = {"components": document()["components"]}
    Draft202012Validator({**schema, **components}, format_checker=FormatChecker()).validate(request.data)
    Draft202012Validator(told["parameters"][0]["schema"]).validate(request.headers["Flagship-Signature"])
    return request.data


def hook(night: Night, server: Receiver, *, format: str = "json", kinds: tuple[str, ...] = CHOICES) -> Webhook:
    return webhooks.save_webhook(
        night.store, address=server.address, format=format, kinds=kinds, site="https://flagship.example/", by=BY
    )


def work(minutes: float = 0) -> int:
    """Do what is due in so many minutes; how many tasks that were."""
    ran = 0
    while task_worker.run_next(timezone.now() + timedelta(minutes=minutes)):
        ran += 1
    return ran


def only() -> Delivery:
    return Delivery.objects.get()


def test(night: Night) -> None:
    webhooks.send_test(night.store, by=BY)


test.__test__ = False


# what is told


def test_the_document_describes_each_kind_and_no_other():
    assert {*document()["webhooks"]} == {*News}


def test_each_news_is_sent_once_with_what_the_public_pages_say(night: Night, server: Receiver):
    hook(night, server)

    simulation.draw(night.event, random=Random(1), by=BY)
    simulation.play_round(night.event, random=Random(1), by=BY)
    announcements.announce(night.event, "Pizza is here", by=BY)
    assert work() == 3

    tables, closed, announced = map(described, server.received)
    assert [one["kind"] for one in (tables, closed, announced)] == ["tables_published", "round_closed", "announcement"]
    assert (tables["round"], tables["data"]["round"], len(tables["data"]["pairings"])) == (2, 2, 2)
    assert (closed["round"], closed["data"]["after_round"], len(closed["data"]["standings"])) == (2, 2, 4)
    assert (announced["text"], announced["data"], announced["round"]) == ("Pizza is here", None, None)
    assert tables["event"]["url"] == f"https://flagship.example/e/{night.event.slug}/"
    assert len({one["id"] for one in (tables, closed, announced)}) == 3
    assert all(row.outcome == Ended.DELIVERED and row.next_at is None for row in Delivery.objects.all())


def test_the_final_ranks_and_a_new_date_are_sent(night: Night, server: Receiver):
    hook(night, server)

    events.finish_event(night.event, by=BY, reason="the shop closes")
    later = timezone.now() + timedelta(days=30)
    planned = events.make_event(night.campaign, shipped_pack("dominion-war-5"), starts_at=later, sp_limit=100, by=BY)
    plans.postpone_event(planned, later + timedelta(days=1), by=BY)
    work()

    ranks, made, moved = map(described, server.received)
    assert (ranks["kind"], ranks["data"]["is_final"]) == ("ranks_final", True)
    assert (made["kind"], made["data"]["state"]) == ("next_date", "upcoming")
    assert moved["data"]["starts_at"] == (later + timedelta(days=1)).astimezone(BERLIN).isoformat()
    assert moved["data"]["event"] == made["data"]["event"] == moved["event"]


def test_what_was_not_chosen_is_not_sent(night: Night, server: Receiver):
    hook(night, server, kinds=("ranks_final",))

    announcements.announce(night.event, "Pizza is here", by=BY)

    assert (work(), server.received) == (0, [])


def test_what_is_taken_back_in_its_transaction_is_not_sent(night: Night, server: Receiver):
    hook(night, server)

    tried(night.event, lambda event: announcements.announce(event, "Pizza is here", by=BY), lambda state: state)

    assert (work(), server.received) == (0, [])


def test_row_and_task_are_there_together_or_not_at_all(night: Night, server: Receiver):
    hook(night, server)

    with transaction.atomic():
        announcements.announce(night.event, "Pizza is here", by=BY)
        assert (Delivery.objects.count(), DBTaskResult.objects.count()) == (1, 1)
        transaction.set_rollback(True)

    assert (Delivery.objects.count(), DBTaskResult.objects.count()) == (0, 0)


def test_what_was_undone_before_it_could_be_sent_is_not_sent(night: Night, server: Receiver):
    hook(night, server)
    announcements.announce(night.event, "Pizza is here", by=BY)

    announcements.take_down(night.event, "Pizza is here", by=BY)
    work()

    assert (server.received, only().outcome, only().next_at) == ([], Ended.OUTDATED, None)


def test_another_store_hears_nothing(night: Night, server: Receiver):
    hook(night, server)

    announcements.announce(make_night(players=2).event, "Pizza is here", by=BY)

    assert (work(), server.received) == (0, [])


def test_names_are_those_that_strangers_see(night: Night, server: Receiver):
    for player in night.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} Zarkonian")
    stores.change_store(night.store, names_shown="initial", by=BY)
    hook(night, server)

    simulation.draw(Event.objects.with_context().get(pk=night.event.pk), random=Random(1), by=BY)
    work()

    (request,) = server.received
    assert "Zarkonian" not in request.body.decode()
    assert request.body.decode().count(" Z") >= 4


# Discord


def test_discord_gets_a_text_that_calls_nobody(night: Night, server: Receiver):
    hook(night, server, format="discord")

    announcements.announce(night.event, "@everyone: *pizza*", by=BY)
    work()

    (request,) = server.received
    assert request.data == {
        "content": f"**{night.event.name}** · Starbase Games\n@\u200beveryone: \\*pizza\\*",
        "allowed_mentions": {"parse": []},
    }
    assert "Flagship-Signature" not in request.headers


def test_discord_gets_the_tables_with_the_address_of_the_page(night: Night, server: Receiver):
    hook(night, server, format="discord")

    simulation.draw(night.event, random=Random(1), by=BY)
    work()

    (request,) = server.received
    assert "Pairings of round 2" in request.data["content"]
    assert request.data["content"].endswith(f"https://flagship.example/e/{night.event.slug}/rounds/2/")


def test_of_several_messages_only_those_are_sent_again_that_did_not_arrive(server: Receiver):
    night = make_night(players=150)
    hook(night, server, format="discord")
    server.answers = [status(204), status(429)]

    simulation.draw(night.event, random=Random(1), by=BY)
    work()
    assert (only().outcome, only().parts_sent, only().next_at is None) == (Trouble.REFUSED, 1, False)
    work(minutes=2)

    first, refused, *rest = [request.data["content"] for request in server.received]
    assert rest[0] == refused
    assert first not in rest
    assert only().outcome == Ended.DELIVERED


# the signature


def test_what_is_sent_is_signed_with_the_secret_of_the_store(night: Night, server: Receiver):
    webhook = hook(night, server)

    test(night)
    work()

    (request,) = server.received
    moment, signed = request.headers["Flagship-Signature"].split(",")
    body = f"{moment.removeprefix('t=')}.".encode() + request.body
    assert signed == f"v1={hmac.digest(webhook.secret.encode(), body, 'sha256').hex()}"
    assert abs(int(moment.removeprefix("t=")) - timezone.now().timestamp()) < 60
    assert (described(request)["kind"], request.data["id"]) == ("test", str(only().key))


def test_a_new_secret_signs_from_now_on(night: Night, server: Receiver):
    old = hook(night, server).secret

    webhooks.make_new_secret(night.store, by=BY)

    assert Webhook.objects.get().secret != old
    assert night.store.journal.last().what == "New secret for the webhook."


# again


def test_after_an_error_it_is_sent_again_with_the_same_id(night: Night, server: Receiver):
    hook(night, server)
    server.answers = [status(500, "Out of order"), status(200, "Thanks")]

    test(night)
    before = timezone.now()
    assert work() == 1
    assert (only().outcome, only().status, only().answer) == (Trouble.REFUSED, 500, "Out of order")
    assert WAITS[0] <= only().next_at - before <= WAITS[0] + timedelta(seconds=30)

    assert work(minutes=0.5) == 0
    assert work(minutes=1.5) == 1
    first, second = (request.data["id"] for request in server.received)
    assert first == second
    assert (only().outcome, only().status, only().answer, only().next_at) == (Ended.DELIVERED, 200, "Thanks", None)


def test_each_wait_is_longer_and_then_it_is_given_up(night: Night, server: Receiver):
    hook(night, server)
    server.answers = [status(500)] * 9

    test(night)
    waits = []
    while only().next_at is not None:
        assert task_worker.run_next(only().next_at)
        waits.append(only().next_at and only().next_at - only().tried_at)

    assert waits == [*WAITS, None]
    assert (len(server.received), only().attempts, only().outcome) == (6, 6, Trouble.REFUSED)
    assert work(minutes=60 * 24) == 0


def test_a_task_that_runs_twice_sends_once(night: Night, server: Receiver):
    hook(night, server)
    test(night)
    work()

    DBTaskResult.objects.update(status="READY")

    assert (work(), len(server.received)) == (1, 1)


def test_what_a_killed_worker_left_is_done_again(night: Night, server: Receiver):
    hook(night, server)
    test(night)
    DBTaskResult.objects.get().claim("killed")
    assert work() == 0

    task_worker.tidy(timezone.now() + task_worker.LOST + timedelta(seconds=1))

    assert (work(), len(server.received)) == (1, 1)


def test_tasks_that_are_over_are_deleted_a_day_later(night: Night, server: Receiver):
    hook(night, server)
    test(night)
    work()

    task_worker.tidy(timezone.now() + timedelta(hours=23))
    assert DBTaskResult.objects.count() == 1
    task_worker.tidy(timezone.now() + timedelta(hours=25))
    assert DBTaskResult.objects.count() == 0


@contextmanager
def held_by_another(lock: str) -> Iterator[None]:
    """Inside it another connection holds that lock, for which ours does not wait long."""
    with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None}) as other:
        other.execute(lock)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
            yield
            cursor.execute("RESET lock_timeout")


@pytest.mark.django_db(transaction=True)
def test_what_could_not_be_noted_in_time_is_done_again(server: Receiver, caplog):
    night = make_night(players=2)
    hook(night, server)
    test(night)

    with held_by_another("SELECT 1 FROM tourney_delivery FOR UPDATE"):
        assert work() == 1
        assert (only().attempts, only().next_at is None, len(server.received)) == (0, False, 1)

    assert "after an error of the database" in caplog.text
    assert work() == 0
    assert work(minutes=1.1) == 1
    first, second = (request.data["id"] for request in server.received)
    assert first == second
    assert (only().outcome, only().next_at) == (Ended.DELIVERED, None)


@pytest.mark.django_db(transaction=True)
def test_what_could_not_be_read_in_time_is_done_again(server: Receiver):
    night = make_night(players=2)
    hook(night, server)
    announcements.announce(night.event, "Pizza is here", by=BY)

    with held_by_another("LOCK TABLE tourney_event"):
        assert work() == 1
    assert (server.received, only().next_at is None) == ([], False)

    assert work(minutes=1.1) == 1
    assert (len(server.received), only().outcome) == (1, Ended.DELIVERED)


def test_what_the_database_refuses_for_good_is_noted_and_tried_again(night: Night, server: Receiver, monkeypatch):
    def fail(*_: object) -> None:
        raise DataError("no such date")

    monkeypatch.setattr(webhooks, "bodies_of", fail)
    hook(night, server)

    test(night)
    work()

    assert (only().outcome, only().attempts, only().next_at is None) == (Ended.FAILED, 1, False)


# servers that misbehave


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (close, Trouble.CLOSED),
        (close_inside, Trouble.CLOSED),
        (status(404, "Unknown webhook"), Trouble.REFUSED),
        (hang, Trouble.TOO_SLOW),
        (go_on_for_ever, Trouble.TOO_SLOW),
    ],
)
def test_what_did_not_arrive_is_noted_and_tried_again(answer, trouble: Trouble, night, server: Receiver, settings):
    settings.WEBHOOK_PATIENCE = Patience(connect=5, total=0.4) if trouble == Trouble.TOO_SLOW else Patience()
    hook(night, server)
    server.answers = [answer]

    test(night)
    work()

    assert (only().outcome, only().next_at is None) == (trouble, False)


def test_a_connection_that_comes_when_the_time_is_up_is_ended(server: Receiver, monkeypatch):
    connect = socket.create_connection

    def slowly(*asked: object) -> socket.socket:
        found = connect(*asked)
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer):
                thread.join()
        return found

    monkeypatch.setattr(outgoing.socket, "create_connection", slowly)

    answer = post(server.address, b"{}", {}, within=Patience(connect=5, total=0.2), allow_loopback=True)

    assert answer == Answer(Trouble.TOO_SLOW)


def test_an_answer_that_breaks_off_was_an_answer(night: Night, server: Receiver):
    hook(night, server)
    server.answers = [close_in_body]

    test(night)
    work()

    assert (only().outcome, only().status) == (Ended.DELIVERED, 200)


def test_a_redirect_is_not_followed(night: Night, server: Receiver):
    hook(night, server)
    server.answers = [status(302, Location=f"http://127.0.0.1:{server.port}/inside")]

    test(night)
    work()

    assert [request.path for request in server.received] == ["/hook?key=1"]
    assert (only().outcome, only().status) == (Trouble.REDIRECTED, 302)


def test_of_a_huge_answer_little_is_read_and_less_is_kept(night: Night, server: Receiver, monkeypatch):
    read = []
    whole = outgoing._read
    monkeypatch.setattr(outgoing, "_read", lambda response: read.append(whole(response)) or read[-1])
    hook(night, server)
    server.answers = [ten_megabytes]

    test(night)
    work()

    assert len(read[0]) == outgoing.READ_AT_MOST
    assert (only().outcome, len(only().answer)) == (Ended.DELIVERED, 200)


def test_nobody_listens(night: Night, settings):
    settings.WEBHOOKS_TO_LOOPBACK = True
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    hook(night, Receiver(port))

    test(night)
    work()

    assert only().outcome == Trouble.NO_CONNECTION


# off


def test_turned_off_nothing_is_sent_not_even_what_waits(night: Night, server: Receiver):
    hook(night, server)
    test(night)

    webhooks.turn_off(night.store, by=BY)
    announcements.announce(night.event, "Pizza is here", by=BY)
    work()

    assert (server.received, only().outcome) == ([], Ended.TURNED_OFF)


def test_what_happened_while_it_was_turned_off_is_not_sent(night: Night, server: Receiver):
    hook(night, server)
    test(night)
    due = only().next_at
    webhooks.turn_off(night.store, by=BY)
    Delivery.objects.update(outcome="", next_at=due)  # as it is where its transaction ended after that one

    work()

    assert (server.received, only().outcome, only().next_at) == ([], Ended.TURNED_OFF, None)


def test_saved_again_it_is_on_with_the_secret_that_it_had(night: Night, server: Receiver):
    secret = hook(night, server).secret
    webhooks.turn_off(night.store, by=BY)

    webhook = hook(night, server)

    assert (webhook.is_on, webhook.secret) == (True, secret)


def test_the_journal_keeps_the_host_and_not_the_address(night: Night, server: Receiver):
    hook(night, server)

    entry = night.store.journal.last()
    assert entry.what == "Webhook saved: 127.0.0.1."
    assert "key=1" not in json.dumps([entry.what, entry.before, entry.after])


def test_the_journal_names_in_the_readers_words_what_is_sent(night: Night, server: Receiver):
    hook(night, server, kinds=(News.ANNOUNCED, News.TABLES))

    with override("de"):
        facts = {change.label: change.after for change in changes(None, night.store.journal.last().after, {})}

    assert facts == {
        "Server": "127.0.0.1",
        "Format": "json",
        "gesendete Neuigkeiten": "Durchsage, Tische veröffentlicht",
        "eingeschaltet": "ja",
    }


# the log


def test_the_log_keeps_the_last_fifty(night: Night, server: Receiver):
    hook(night, server)

    for _ in range(webhooks.KEPT + 3):
        test(night)
    first = [row.pk for row in Delivery.objects.order_by("pk")]

    assert len(first) == webhooks.KEPT
    work()
    assert len(server.received) == webhooks.KEPT


def test_what_could_not_be_made_is_noted_and_tried_again(night: Night, server: Receiver, monkeypatch, caplog):
    def fail(*_: object) -> None:
        raise LookupError("nothing there")

    monkeypatch.setattr(webhooks, "bodies_of", fail)
    hook(night, server)

    test(night)
    work()

    assert (only().outcome, only().next_at is None) == (Ended.FAILED, False)
    assert "nothing there" in caplog.text
