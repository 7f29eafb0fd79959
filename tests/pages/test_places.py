"""Places on the pages: the card says the number on the waiting list, the desk sees who waits and releases places."""

import json
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.actions.test_places import NAMES, waiting, with_places
from tests.pages.test_desk_settings import SETTINGS
from tests.support.nights import BY, Night
from tests.support.phones import phone_of
from tests.support.public_pages import page, text_of, url
from tourney.actions import entrants, plans, regulars
from tourney.models import Event, JournalEntry
from tourney.queries.short_addresses import short_code_of
from tourney.views import responses

pytestmark = pytest.mark.django_db


def today(night: Night, **facts: object) -> Night:
    Event.objects.filter(pk=night.event.pk).update(starts_at=timezone.now() + timedelta(seconds=1), **facts)
    return night


def phone(night: Night, number: int) -> Client:
    return phone_of(night.event.entrants.get(number=number).player)


def news(client: Client, night: Night) -> list[str]:
    return json.loads(unescape(client.get(url("me", night)).content.decode().split('data-news="')[1].split('"')[0]))


def desk(night: Night) -> Client:
    client = Client()
    client.force_login(night.organizer)
    return client


def test_the_card_says_the_number_and_then_that_there_is_a_place():
    night = today(with_places(2, *NAMES[:4]))
    onyx = phone(night, 4)

    assert "You’re number 2 on the waiting list" in text_of(onyx.get(url("me", night)))
    assert news(onyx, night)[0] == "Number 2 on the waiting list"
    regulars.withdraw(night.event, 1, by=BY)
    assert news(onyx, night)[0] == "Number 1 on the waiting list"
    entrants.remove(night.event, 2, by=BY)

    assert news(onyx, night)[0] == "You have a place"
    assert "waiting list" not in text_of(onyx.get(url("me", night)))


def test_the_page_of_a_player_at_the_store_says_who_waits_at_which_event_and_the_event_offers_no_second_place():
    night = today(with_places(2, *NAMES[:4]))
    onyx, vor = phone(night, 4), phone(night, 1)
    store = reverse("my_card", args=[night.store.slug])

    assert "You’re number 2 on the waiting list." in text_of(onyx.get(store))
    assert "waiting list" not in text_of(vor.get(store))
    for one in (onyx, vor):
        text = text_of(one.get(url("event", night)))
        assert "Registration is open." in text
        assert "Register another player" in text
        assert not any(offer in text for offer in ("Join", "To join"))


def test_a_place_is_given_back_on_the_card():
    night = with_places(1, "Vor", "Kestrel")
    vor = phone(night, 1)
    assert "I can’t make it" in text_of(vor.get(url("me", night)))

    vor.post(url("coming", night), {"do": "withdraw"})

    assert waiting(night) == []
    assert [str(one) for one in night.event.entrants.select_related("player")] == ["Kestrel"]


def test_the_public_page_and_the_page_to_join_say_how_many_places_are_left(client):
    night = with_places(3, "Vor", "Kestrel")

    assert "2 of 3 places taken." in page(client, "event", night)
    entrants.register(night.event, [("Talon", "Klingon"), ("Onyx", "Klingon")], by=BY)

    text = page(client, "event", night)
    assert "All 3 places are taken; 1 player is on the waiting list." in text
    assert "Join the waiting list" in text
    assert "3 players registered" in text
    assert "Waiting list 1. Onyx" in text
    assert "All 3 places are taken. You’ll be on the waiting list." in page(client, "join", night)


def test_one_place_is_no_places(client):
    night = today(with_places(1, "Vor"))
    assert "The only place is taken. You’ll be on the waiting list." in page(client, "event", night)
    assert "The only place is taken. You’ll be on the waiting list." in page(client, "join", night)
    entrants.register(night.event, [("Talon", "Klingon")], by=BY)
    assert "The only place is taken; 1 player is on the waiting list." in page(client, "event", night)
    entrants.register(night.event, [("Onyx", "Klingon")], by=BY)

    texts = [page(client, "event", night), page(client, "join", night)]
    texts.append(text_of(desk(night).get(reverse("players", args=[night.event.slug]))))

    assert "The only place is taken; 2 players are on the waiting list." in texts[0]
    assert "2 players on the waiting list for one place" in texts[2]
    assert not any("1 places" in text for text in texts)


def test_who_joins_by_phone_above_the_number_is_told_at_once(client):
    night = with_places(1, "Vor")

    response = client.post(url("join", night), {"name": "Kestrel", "faction": "Romulan"}, follow=True)

    assert "You’re number 1 on the waiting list." in text_of(response)


def test_after_sign_up_closed_nobody_joins_by_phone_and_the_page_says_so(client):
    night = today(with_places(None), sign_up_closes_at=timezone.now() - timedelta(minutes=1))

    assert "Registration is closed. Round 1 is next." in page(client, "event", night)
    assert "Registration is closed." in page(client, "join", night)
    assert client.post(url("join", night), {"name": "Vor", "faction": "Klingon"}).status_code == 409
    assert not night.event.entrants.exists()


@pytest.mark.parametrize("is_open", [True, False])
def test_whatever_leads_to_the_page_to_join_does_so_until_sign_up_closes(is_open):
    closes_at = timezone.now() + timedelta(minutes=5 if is_open else -5)
    night = today(with_places(None, "Vor"), sign_up_closes_at=closes_at)
    join, reader, host = url("join", night), Client(), {"host": "192.168.1.20:8000"}
    home = reverse("store_home", args=[night.store.slug])

    assert (f'href="{join}"' in reader.get(url("event", night)).content.decode()) == is_open
    assert (f'href="{join}"' in reader.get(home).content.decode()) == is_open
    assert ("Registration is open, 1 player so far." in text_of(reader.get(home))) == is_open
    assert ("Register another player" in text_of(phone(night, 1).get(f"{join}?in=1"))) == is_open
    assert (reader.get(f"/{short_code_of(night.event)}").headers["Location"] == join) == is_open
    assert ("My table" not in text_of(reader.get(url("wall", night), headers=host))) == is_open
    assert reader.get(url("event_json", night)).json()["registration_open"] == is_open


def test_a_page_that_is_kept_while_sign_up_is_open_is_another_once_it_closes():
    event = today(with_places(None)).event
    request = Client().get(event.get_absolute_url()).wsgi_request

    event.sign_up_closes_at = timezone.now() + timedelta(minutes=5)
    kept = responses.live_tag(request, event)
    event.sign_up_closes_at = timezone.now() - timedelta(minutes=5)
    closed = responses.live_tag(request, event)
    event.sign_up_closes_at = None

    assert kept != closed == responses.live_tag(request, event)  # as `serving.unchanged` knows it, who asks no clock


@pytest.mark.parametrize("is_open", [True, False])
def test_the_desk_says_whether_sign_up_is_open_at_this_hour(is_open):
    closes_at = timezone.now() + timedelta(minutes=5 if is_open else -5)
    night = today(with_places(None), sign_up_closes_at=closes_at)

    for name in ("desk", "players"):
        said = text_of(desk(night).get(url(name, night)))
        assert ("Open. Players scan the QR code and register themselves." in said) == is_open
        assert ("Only staff can register players." in said) == (not is_open)
    assert ("Close registration" in said) == ("Require join code" in said) == is_open
    assert ("Change when sign-up closes" in said) == (not is_open)


def test_the_desk_sees_who_waits_and_releases_places_in_one_step():
    night = today(with_places(2, *NAMES[:3]))
    entrants.check_in(night.event, [1], by=BY)
    client = desk(night)
    players = reverse("players", args=[night.event.slug])
    text = text_of(client.get(players))
    assert "1 of 2 checked in" in text
    assert "1 player on the waiting list for 2 places" in text
    assert "Waiting list: 1" in text

    assert "Release 1 place of a player not checked in" in text
    response = client.post(players, {"do": "release"}, follow=True)

    assert "1 place released: Kestrel." in text_of(response)
    assert waiting(night) == ["Kestrel"]
    assert "Release" not in text_of(response).replace("1 place released", "")


def test_places_are_not_released_before_the_day():
    night = with_places(1, "Vor", "Kestrel")
    Event.objects.filter(pk=night.event.pk).update(starts_at=timezone.now() + timedelta(days=3))

    assert "Release" not in text_of(desk(night).get(reverse("players", args=[night.event.slug])))


def test_no_place_of_a_canceled_event_is_released():
    night = today(with_places(1, "Vor", "Kestrel", "Ash"))
    players = reverse("players", args=[night.event.slug])
    assert "Release 1 place" in text_of(desk(night).get(players))
    plans.cancel_event(night.event, by=BY)

    assert "Release" not in text_of(desk(night).get(players))


def test_a_player_checks_in_on_the_card_where_the_desk_allows_it():
    night = today(with_places(1, "Vor", "Kestrel"))
    vor, kestrel = phone(night, 1), phone(night, 2)
    assert "I’m here: check in" not in text_of(vor.get(url("me", night)))
    Event.objects.filter(pk=night.event.pk).update(checks_in_by_phone=True, version=99)

    assert "I’m here: check in" in text_of(vor.get(url("me", night)))
    assert "I’m here: check in" not in text_of(kestrel.get(url("me", night)))
    vor.post(url("coming", night), {"do": "check_in"})
    refused = kestrel.post(url("coming", night), {"do": "check_in"})

    assert list(night.event.entrants.values_list("checked_in", flat=True)) == [True, False]
    assert refused.status_code == 409
    assert JournalEntry.objects.get(did="check_in").by_name == "Vor"


def test_a_payment_is_ticked_in_the_row_where_there_is_a_fee():
    night = with_places(None, "Vor", "Kestrel")
    client, row = desk(night), reverse("player", args=[night.event.slug, 1])
    players = reverse("players", args=[night.event.slug])
    assert 'value="paid"' not in client.get(players).content.decode()
    Event.objects.filter(pk=night.event.pk).update(entry_fee="5 €", version=99)
    assert client.get(players).content.decode().count('value="paid"') == 2

    client.post(row, {"do": "paid"})

    assert client.get(players).content.decode().count('value="paid"') == 1
    assert night.event.entrants.get(number=1).paid
    client.post(row, {"do": "not_paid"})
    assert not night.event.entrants.get(number=1).paid


def test_places_are_set_in_the_settings_with_the_time_of_the_store():
    night = with_places(None)
    facts = {"places": "16", "sign_up_closes_at": "2026-11-20T18:00", "checks_in_by_phone": "on"}
    client, there = desk(night), reverse("event_settings", args=[night.event.slug])

    client.post(there, SETTINGS | facts)
    wrong = client.post(there, SETTINGS | {"places": "0"})

    event = Event.objects.get(pk=night.event.pk)
    assert (event.places, event.checks_in_by_phone) == (16, True)
    assert event.sign_up_closes_at.isoformat() == "2026-11-20T17:00:00+00:00"
    assert wrong.status_code == 422
    assert 'value="2026-11-20T18:00"' in client.get(there).content.decode()
