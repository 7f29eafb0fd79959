"""The pace of registrations by phone, for each address and for the event, and what is kept of an address."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test import Client

from tests.pages.test_me import text_of
from tests.support.joining import BOT, desk, fill, join, names, url
from tests.support.nights import AT, BY, make_night
from tests.support.phones import phone_of
from tourney.actions import entrants, events, joining, store_players
from tourney.actions.joining import Sender
from tourney.actions.record import Actor, locked
from tourney.domain.joining import OF_EVENT
from tourney.models import Event, Joining, Player
from tourney.queries.archive import archive_of

pytestmark = pytest.mark.django_db


# the pace


def test_who_comes_too_quickly_is_asked_to_wait_and_keeps_what_was_typed():
    night, phone = make_night(players=0), Client()
    fill(night)

    answer = join(phone, night, "Late Larch")

    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "5"
    said = "A lot of people are joining right now. Try again in 5 seconds. Your entries are still here."
    assert said in text_of(answer)
    assert 'value="Late Larch"' in answer.content.decode()
    assert "checked" in answer.content.decode()
    assert names(night) == []


@pytest.mark.django_db(transaction=True)
def test_who_comes_too_quickly_waits_for_nobody_who_registers():
    night = make_night()
    fill(night)

    with ThreadPoolExecutor(1) as elsewhere, transaction.atomic():
        locked(night.event)
        status = elsewhere.submit(status_on_its_own_connection, lambda: join(Client(), night, "Bot 1")).result(60)

    assert status == 429


def status_on_its_own_connection(ask: Callable) -> int:
    try:
        return ask().status_code
    finally:
        connection.close()


def test_another_address_is_not_slowed_down_and_neither_are_the_desk_nor_a_player_with_a_card():
    night = make_night(players=0)
    returning = Player.objects.create(store=night.store, name="Returning Rowan")
    fill(night)
    assert join(Client(), night, "Slow").status_code == 429

    assert join(Client(REMOTE_ADDR="192.0.2.9"), night, "Elsewhere").status_code == 302
    assert join(phone_of(returning), night, "returning rowan").status_code == 302
    assert join(desk(night), night, "By Staff").status_code == 302
    added = desk(night).post(url("players", night), {"name": "At the desk", "faction": "Klingon", "do": "one"})
    assert added.status_code == 302
    assert {"Elsewhere", "Returning Rowan", "By Staff", "At the desk"} <= set(names(night))


def test_a_card_is_a_pass_for_its_player_alone():
    night = make_night(players=0)
    join(Client(), night, "Bot 0")
    fill(night)
    phone = phone_of(Player.objects.get(name="Bot 0"))

    assert join(phone, night, "Bot of a bot").status_code == 429


def test_all_neighbours_of_one_ipv6_network_are_one_address():
    night = make_night(players=0)
    fill(night, address="2001:db8::/64")

    assert join(Client(REMOTE_ADDR="2001:db8::ffff"), night, "Bot").status_code == 429
    assert join(Client(REMOTE_ADDR="2001:db8:1::1"), night, "Vor").status_code == 302


def test_many_addresses_together_have_a_pace_too_and_registrations_that_were_removed_still_count():
    night = make_night(players=0)
    by = Actor(None, "a player", AT)
    joining.join(night.event, ("Bot", ""), by=by, sender=BOT)
    entrants.remove_many(night.event, [1], by=BY)
    Joining.objects.bulk_create(
        Joining(event=night.event, at=AT, network=f"network {place}") for place in range(1, OF_EVENT.burst)
    )

    with pytest.raises(joining.TooMany, match=r"Try again in 1 second\."):
        joining.join(night.event, ("Vor", ""), by=by, sender=Sender("another", "one"))


# what is kept


def test_no_address_and_no_browser_is_stored_and_the_digests_go_with_the_end_of_the_event():
    night = make_night(players=4, rounds=1)
    phone = Client(REMOTE_ADDR="192.0.2.77", HTTP_USER_AGENT="Strange Browser 1.0")
    assert join(phone, night, "Zephyr Quill", key="a" * 32).status_code == 302

    row = Joining.objects.values().get()
    assert len(row["network"]) == len(row["device"]) == 32
    assert not re.search("192.0.2.77|Strange|" + "a" * 32, str(row))
    other = make_night(players=0, store=night.store)
    join(phone, other, "Kestrel")
    assert Joining.objects.get(event=other.event).network != row["network"]
    assert not re.search(f"{row['network']}|{row['device']}", str(archive_of(Event.objects.get(pk=night.event.pk))))

    entrants.drop(night.event, night.event.entrants.get(player__name="Zephyr Quill").number, by=BY)
    events.finish_event(night.event, by=BY, reason="the shop closes")

    assert not Joining.objects.filter(event=night.event).exists()


def test_who_is_erased_leaves_no_digest():
    night = make_night(players=0)
    join(Client(), night, "Vor")

    store_players.erase(Player.objects.get(name="Vor"), by=BY)

    assert not Joining.objects.exists()
