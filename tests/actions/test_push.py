"""Devices told while Flagship is closed, against a push service that decrypts: what, whom, when again, when no more."""

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import http_ece
import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django_tasks_db.models import DBTaskResult

from tests.support.at_once import at_once
from tests.support.nights import BY, Night, make_night, now
from tests.support.push_browsers import PushBrowser, claims_of
from tests.support.receiving import Receiver, close, go_on_for_ever, hang, receiver, status
from tests.support.tables import match_at
from tourney.actions import entrants, judge_calls, player_cards, rounds, sign_off, store_players, stores
from tourney.models import (
    Entrant,
    Event,
    JournalEntry,
    JudgeCall,
    Membership,
    Player,
    PlayerCard,
    PushKey,
    PushSubscription,
)
from tourney.runtime import outgoing, task_worker
from tourney.runtime.outgoing import Patience
from tourney.serving import housekeeping
from tourney.sharing.actions import push
from tourney.sharing.domain.push import MOST_DEVICES, TITLES, WAITS, PushKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings) -> Iterator[Receiver]:
    settings.WEBHOOKS_TO_LOOPBACK = True
    settings.WEBHOOK_PATIENCE = Patience(connect=5, total=1.5)
    with receiver() as found:
        yield found


@pytest.fixture
def night() -> Night:
    return make_night(players=5)


def card_of(entrant: Entrant) -> PlayerCard:
    player_cards.issue(entrant.player, by=BY)
    return PlayerCard.objects.get(player=entrant.player)


def held(night: Night, number: int) -> PlayerCard:
    return card_of(night.event.entrants.get(number=number))


def listen(holder: PlayerCard | Membership, browser: PushBrowser, *kinds: PushKind) -> PushBrowser:
    session = session_of(holder) if isinstance(holder, Membership) else None
    push.listen_for(holder, replace(browser.facts, session=session), kinds or [*PushKind], at=timezone.now())
    return browser


def session_of(role: Membership) -> str:
    """That of somebody who signs in now."""
    client = Client()
    client.force_login(role.user)
    return client.session.session_key


def staff(night: Night, role: str = "judge") -> Membership:
    return Membership.objects.get(store=night.store, role=role)


def publish(night: Night) -> None:
    row = rounds.pair_round(night.event, seed=1, by=now())
    rounds.publish_round(night.event, row.number, by=now())


def work(minutes: float = 0) -> int:
    """Do what is due in so many minutes; how many tasks that were."""
    ran = 0
    while task_worker.run_next(timezone.now() + timedelta(minutes=minutes)):
        ran += 1
    return ran


def sitting(night: Night) -> tuple[list[int], list[int]]:
    """The numbers of those at a table of the last round, and of who has the bye."""
    matches = Event.objects.get(pk=night.event.pk).rounds.last().matches.all()
    tables = [seat.entrant.number for match in matches if match.table for seat in match.seats.all()]
    byes = [seat.entrant.number for match in matches if not match.table for seat in match.seats.all()]
    return tables, byes


# what is told


def test_who_sits_at_a_table_is_told_that_it_is_ready_and_who_has_the_bye_is_not(night: Night, service: Receiver):
    phones = {
        one.number: listen(card_of(one), PushBrowser(service, f"p{one.number}")) for one in night.event.entrants.all()
    }

    publish(night)
    assert work() == 1

    at_tables, byes = sitting(night)
    assert (len(at_tables), len(byes)) == (4, 1)
    told = {"kind": "table", "event": night.event.slug, "title": "Your table is ready", "body": night.event.name}
    assert [phones[number].told for number in at_tables] == [[told]] * 4
    assert phones[byes[0]].told == []


def test_it_is_encrypted_for_that_browser_and_signed_by_the_site(night: Night, service: Receiver):
    card = held(night, 1)
    phone = listen(card, PushBrowser(service, "phone"))
    other = PushBrowser(service, "phone")  # knows what was sent, and not the key

    publish(night)
    work()

    (request,) = phone.requests
    assert b"table" not in request.body
    with pytest.raises(http_ece.ECEException):
        other.read(request)
    claims = claims_of(request, PushKey.objects.get().public)
    assert claims["sub"] == "https://flagship.example"
    assert 0 < claims["exp"] - timezone.now().timestamp() <= 24 * 60 * 60


def test_the_push_service_hears_for_how_long_how_urgent_and_what_it_replaces(night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service))

    publish(night)
    work()

    headers = phone.requests[0].headers
    assert 540 <= int(headers["TTL"]) <= 600
    assert headers["Urgency"] == "high"
    assert len(headers["Topic"]) == 32


def test_each_device_is_told_in_its_language(night: Night, service: Receiver):
    card = held(night, 1)
    german = listen(card, PushBrowser(service, "one", language="de"))
    english = listen(card, PushBrowser(service, "two"))

    publish(night)
    work()

    with translation.override("de"):
        in_german = str(TITLES[PushKind.TABLE])
    assert [one["title"] for one in german.told] == [in_german]
    assert [one["title"] for one in english.told] == ["Your table is ready"]


def test_nobodys_name_is_in_it(night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service))
    judge = listen(staff(night), PushBrowser(service, "judge"))

    publish(night)
    judge_calls.call(night.event, 2, "rules", words="Does Talon stack it?", by=now())
    work()

    names = [*night.store.players.values_list("name", flat=True), "Does Talon"]
    texts = [str(one) for one in (*phone.told, *judge.told)]
    assert len(texts) == 2
    assert not [name for name in names for text in texts if name in text]


def test_a_device_is_told_of_the_kinds_alone_that_it_asked_for(night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service), PushKind.PLACE)

    publish(night)

    assert (work(), phone.told) == (0, [])


def test_who_moves_up_from_the_waiting_list_is_told_and_who_waits_on_is_not(service: Receiver):
    night = make_night(players=0)
    Event.objects.filter(pk=night.event.pk).update(places=2)
    event = Event.objects.with_context().get(pk=night.event.pk)
    entrants.register(event, [(name, "Klingon") for name in ("Vor", "Kestrel", "Talon", "Onyx")], by=now())
    phones = [listen(card_of(one), PushBrowser(service, one.player.name)) for one in event.entrants.order_by("number")]

    entrants.remove(event, 1, by=now())
    work()

    told = {"kind": "place", "event": event.slug, "title": "You have a place", "body": event.name}
    assert [phone.told for phone in phones] == [[], [], [told], []]


@pytest.mark.parametrize("role", ["owner", "organizer", "judge"])
def test_the_staff_is_told_that_a_judge_was_called(role: str, night: Night, service: Receiver):
    device = listen(staff(night, role), PushBrowser(service))
    stranger = listen(staff(make_night(players=2), role), PushBrowser(service, "elsewhere"))

    judge_calls.call(night.event, 1, "rules", by=now())
    work()

    told = {"kind": "judge", "event": night.event.slug, "title": "A judge was called", "body": night.event.name}
    assert (device.told, stranger.told) == ([told], [])


def test_so_it_is_of_a_call_about_a_fleet(service: Receiver):
    night = make_night(players=4, open_round=True)
    device = listen(staff(night), PushBrowser(service))
    me = match_at(night.event, 1).numbers[0]

    sign_off.call_judge(night.event, 1, me, line=0, words="Another card", by=now())
    work()

    assert [one["kind"] for one in device.told] == ["judge"]


def test_another_event_of_the_store_tells_its_own_players_alone(night: Night, service: Receiver):
    phones = [listen(held(night, number), PushBrowser(service, f"p{number}")) for number in (4, 5)]

    publish(make_night(players=4, store=night.store))
    work()

    assert [len(phone.told) for phone in phones] == [1, 0]


def test_a_player_under_an_older_name_is_told(night: Night, service: Receiver):
    other = Player.objects.create(store=night.store, name="Zarkon")
    player_cards.issue(other, by=BY)
    phone = listen(PlayerCard.objects.get(player=other), PushBrowser(service))
    store_players.merge(night.event.entrants.get(number=1).player, other, by=now())

    publish(night)
    work()

    assert [one["kind"] for one in phone.told] == ["table"]


# what is no longer so


def test_what_was_undone_before_it_could_be_told_is_not_told(night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service))
    publish(night)

    night.event.rounds.update(state="draft")
    work()

    assert phone.told == []


def test_a_call_that_a_judge_has_answered_is_not_told(night: Night, service: Receiver):
    device = listen(staff(night), PushBrowser(service))
    judge_calls.call(night.event, 1, "rules", by=now())

    judge_calls.answer(night.event, JudgeCall.objects.get().pk, by=now())
    work()

    assert device.told == []


def test_what_is_too_old_is_not_told(night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service))
    publish(night)
    entry = JournalEntry.objects.get(did="publish_round")

    push.try_to_tell(entry.pk, 0, None, entry.at + timedelta(minutes=10))
    assert phone.told == []
    push.try_to_tell(entry.pk, 0, None, entry.at + timedelta(minutes=9))
    assert [request.headers["TTL"] for request in phone.requests] == ["60"]


def test_what_is_taken_back_in_its_transaction_is_not_told(night: Night, service: Receiver):
    listen(held(night, 1), PushBrowser(service))

    with transaction.atomic():
        publish(night)
        assert DBTaskResult.objects.count() == 1
        transaction.set_rollback(True)

    assert DBTaskResult.objects.count() == 0


# again, and no more


@pytest.mark.parametrize("code", [404, 410])
def test_a_browser_that_is_gone_is_forgotten_wherever_it_was_known(code: int, night: Night, service: Receiver):
    phone = PushBrowser(service)
    listen(held(night, 1), phone)
    listen(staff(night), phone)
    kept = listen(held(night, 2), PushBrowser(service, "kept"))
    service.answers = [lambda handler: status(code if handler.path == "/phone" else 201)(handler)] * 2

    publish(night)
    work()

    assert [*PushSubscription.objects.values_list("endpoint", flat=True)] == [kept.endpoint]
    assert work(minutes=60) == 0


@pytest.mark.parametrize("answer", [status(500), status(503), status(429), hang, close, go_on_for_ever])
def test_what_did_not_arrive_is_tried_again_on_that_device_alone(answer, night: Night, service: Receiver):
    at_tables = [held(night, number) for number in range(1, 6)]
    phones = [listen(card, PushBrowser(service, f"p{card.pk}")) for card in at_tables]
    lost = phones[0].endpoint
    service.answers = [lambda handler: (answer if handler.path in lost else status(201))(handler)] * 4

    publish(night)
    sits = sum(1 for card in at_tables[:1] if card.player.entries.get(event=night.event).number in sitting(night)[0])
    assert sits == 1
    assert work() == 1
    assert work(minutes=WAITS[0].total_seconds() / 60 - 0.1) == 0
    assert work(minutes=1) == 1

    assert len(phones[0].requests) == 2
    assert sorted(len(one.requests) for one in phones[1:]) == [0, 1, 1, 1]
    assert work(minutes=60) == 0
    assert PushSubscription.objects.count() == 5


@pytest.mark.parametrize("code", [201, 200, 204, 400, 401, 403, 413])
def test_what_arrived_or_was_refused_for_good_is_not_tried_again(code: int, night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service))
    service.answers = [status(code)]

    publish(night)
    work()

    assert (len(phone.requests), work(minutes=60), PushSubscription.objects.count()) == (1, 0, 1)


def test_after_the_last_try_it_is_given_up(night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service))
    service.answers = [status(500)] * 10

    publish(night)
    while work(minutes=60):
        pass

    assert len(phone.requests) == 1 + len(WAITS)


def test_slow_push_services_are_waited_for_at_the_same_time(night: Night, service: Receiver, settings):
    settings.WEBHOOK_PATIENCE = Patience(connect=1, total=1)
    for number in range(1, 6):
        listen(held(night, number), PushBrowser(service, f"p{number}"))
    service.answers = [hang] * 4

    publish(night)
    begun = timezone.now()
    work()

    assert len(service.received) == 4
    assert timezone.now() - begun < timedelta(seconds=3)


def test_a_name_that_nobody_resolves_keeps_the_worker_and_the_others_no_longer_than_a_slow_service(
    night: Night, service: Receiver, settings, monkeypatch
):
    settings.WEBHOOK_PATIENCE = Patience(connect=0.5, total=5)
    resolve, is_over = outgoing.socket.getaddrinfo, threading.Event()

    def slowly(host: str, *asked: object, **more: object) -> list[tuple]:
        if host == "slow.example":
            is_over.wait()
        return resolve("127.0.0.1" if host == "slow.example" else host, *asked, **more)

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", slowly)
    phones = [listen(held(night, number), PushBrowser(service, f"p{number}")) for number in range(1, 6)]
    lost = phones[0].endpoint
    PushSubscription.objects.filter(endpoint=lost).update(endpoint=lost.replace("127.0.0.1", "slow.example"))

    publish(night)
    begun = timezone.now()
    assert work() == 1
    assert timezone.now() - begun < timedelta(seconds=3)
    assert [len(one.told) for one in phones].count(1) == 3

    is_over.set()
    assert work(minutes=1) == 1
    assert len(phones[0].told) == 1


def test_an_address_that_leads_into_this_network_is_never_asked_and_forgotten(
    night: Night, service: Receiver, settings
):
    phone = listen(held(night, 1), PushBrowser(service))
    settings.WEBHOOKS_TO_LOOPBACK = False

    publish(night)
    work()

    assert (phone.requests, PushSubscription.objects.count()) == ([], 0)


def test_one_that_nothing_can_be_encrypted_for_keeps_nobody_from_being_told(night: Night, service: Receiver, caplog):
    broken = listen(held(night, 1), PushBrowser(service, "broken"))
    PushSubscription.objects.update(public_key="no key")
    phones = [listen(held(night, number), PushBrowser(service, f"p{number}")) for number in range(2, 6)]

    publish(night)
    work(minutes=60)

    assert (broken.requests, sum(len(phone.told) for phone in phones)) == ([], 3)
    assert "A device could not be told" in caplog.text


def test_no_redirect_is_followed(night: Night, service: Receiver):
    phone = listen(held(night, 1), PushBrowser(service))
    service.answers = [status(307, Location=f"http://127.0.0.1:{service.port}/inside")]

    publish(night)
    work(minutes=60)

    assert {request.path for request in service.received} == {"/phone"}
    assert len(phone.requests) == 1


def test_the_log_says_which_service_and_not_which_address(night: Night, service: Receiver, caplog):
    caplog.set_level(logging.INFO, logger=push.__name__)
    listen(held(night, 1), PushBrowser(service, "very-secret"))
    service.answers = [status(403)]

    publish(night)
    work()

    assert "Not told at 127.0.0.1: refused 403" in caplog.text
    assert "very-secret" not in caplog.text


# whose it is


def test_a_card_keeps_the_devices_that_asked_last(night: Night, service: Receiver):
    card = held(night, 1)
    browsers = [PushBrowser(service, f"p{number}") for number in range(MOST_DEVICES + 1)]
    for browser in browsers[:MOST_DEVICES]:
        listen(card, browser)
    listen(card, browsers[0])  # once more
    listen(card, browsers[-1])

    kept = {*PushSubscription.objects.values_list("endpoint", flat=True)}
    assert kept == {one.endpoint for one in browsers} - {browsers[1].endpoint}


def test_asked_again_the_same_browser_is_told_what_it_asked_for_last(night: Night, service: Receiver):
    card = held(night, 1)
    listen(card, PushBrowser(service), PushKind.TABLE)
    phone = listen(card, PushBrowser(service, language="de"), PushKind.PLACE, PushKind.TABLE)

    row = PushSubscription.objects.get()
    assert (row.kinds, row.language, row.public_key) == (["place", "table"], "de", phone.public_key)

    push.listen_for(card, phone.facts, [], at=timezone.now())
    assert not PushSubscription.objects.exists()


def test_one_browser_is_told_as_a_judge_and_as_a_player_of_two_stores(night: Night, service: Receiver):
    phone = PushBrowser(service)
    for holder in (held(night, 1), held(make_night(players=2), 1), staff(night)):
        listen(holder, phone)

    assert PushSubscription.objects.filter(endpoint=phone.endpoint).count() == 3


def new_card(night: Night, card: PlayerCard) -> None:
    player_cards.issue(card.player, by=now())


def bring_back(night: Night, card: PlayerCard) -> None:
    words = player_cards.make_words(card.player, by=now())
    assert player_cards.recover(night.store, words, at=timezone.now())


def erase(night: Night, card: PlayerCard) -> None:
    store_players.erase(card.player, by=now())


@pytest.mark.parametrize("ends", [new_card, bring_back, erase])
def test_it_ends_with_the_card(ends, night: Night, service: Receiver):
    card = held(night, 1)
    phone = listen(card, PushBrowser(service))

    ends(night, card)
    publish(night)
    work()

    assert (PushSubscription.objects.count(), phone.told) == (0, [])


def test_it_ends_with_the_role(night: Night, service: Receiver):
    device = listen(staff(night), PushBrowser(service))

    stores.take_role(staff(night), by=now())
    judge_calls.call(night.event, 1, "rules", by=now())
    work()

    assert (PushSubscription.objects.count(), device.told) == (0, [])


def sign_out(role: Membership, session: str) -> None:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    assert client.post(reverse("sign_out")).status_code == 302


def run_out(role: Membership, session: str) -> None:
    Session.objects.filter(pk=session).update(expire_date=timezone.now())


def run_out_and_be_deleted(role: Membership, session: str) -> None:
    run_out(role, session)
    housekeeping.tidy(timezone.now())


def be_renewed_with_a_new_password(role: Membership, session: str) -> None:
    role.user.set_password("Three or four words")
    role.user.save()


@pytest.mark.parametrize("ends", [sign_out, run_out, run_out_and_be_deleted, be_renewed_with_a_new_password])
def test_for_a_role_it_ends_with_the_session_in_which_it_was_asked_for(ends, night: Night, service: Receiver):
    role = staff(night)
    device = listen(role, PushBrowser(service))
    player = listen(held(night, 1), PushBrowser(service))
    other = listen(role, PushBrowser(service, "other"))
    ends(role, PushSubscription.objects.get(endpoint=device.endpoint, card=None).session_id)
    elsewhere = [] if ends is be_renewed_with_a_new_password else ["A judge was called"]

    judge_calls.call(night.event, 1, "rules", by=now())
    work()

    assert (device.told, [one["title"] for one in other.told]) == ([], elsewhere)
    assert PushSubscription.objects.filter(endpoint=player.endpoint).exclude(card=None).exists()


def test_asked_again_after_signing_in_again_it_is_told_again(night: Night, service: Receiver):
    device = listen(staff(night), PushBrowser(service))
    run_out(staff(night), PushSubscription.objects.get().session_id)
    listen(staff(night), device)

    judge_calls.call(night.event, 1, "rules", by=now())
    work()

    assert [one["title"] for one in device.told] == ["A judge was called"]


def test_a_card_that_ended_just_now_asks_for_nothing(night: Night, service: Receiver):
    card = held(night, 1)
    PlayerCard.objects.filter(pk=card.pk).delete()

    listen(card, PushBrowser(service))

    assert not PushSubscription.objects.exists()


# the key


def test_the_key_is_made_once_and_kept():
    first = push.ensure_key()

    assert push.ensure_key() == first
    assert (push.ensure_key().public, PushKey.objects.count()) == (first.public, 1)


@pytest.mark.django_db(transaction=True)
def test_processes_that_start_at_once_have_the_same_key():
    PushKey.objects.all().delete()

    found: list[PushKey] = []
    assert at_once(*[lambda: found.append(push.ensure_key())] * 4) == [""] * 4

    assert len({one.public for one in found}) == PushKey.objects.count() == 1


def test_there_is_no_second_key():
    push.ensure_key()

    with pytest.raises(IntegrityError), transaction.atomic():
        PushKey.objects.create(pk=2, private="a", public="b")
