"""What a store tells players of an event before round 1: typed in the settings, read first on the public page."""

from datetime import UTC, datetime, time

import pytest
from django.urls import reverse

from tests.pages.test_desk_settings import SETTINGS
from tests.support.nights import BY, Night, make_night
from tests.support.public_pages import page, url
from tourney.actions import rounds
from tourney.models import Event, JournalEntry

pytestmark = pytest.mark.django_db

FACTS = {
    "description": "Bring a friend.\nSee https://other.example <b>now</b>",
    "address": "12 Harbor Road, 2nd floor",
    "ends": "23:15",
    "entry_fee": "5 €, at the counter",
    "bring": "Your ships, dice and a pen",
    "break_minutes": "15",
    "shop_link": "https://shop.example/tickets?id=7",
}


def told(**facts: object) -> Night:
    night = make_night(players=2)
    Event.objects.filter(pk=night.event.pk).update(**(FACTS | {"ends": time(23, 15), "break_minutes": 15} | facts))
    return night


def test_facts_are_saved_with_a_line_of_the_journal_and_come_back_in_the_form(client):
    night = make_night(players=2)
    client.force_login(night.organizer)
    there = reverse("event_settings", args=[night.event.slug])

    client.post(there, SETTINGS | FACTS)

    event = Event.objects.get(pk=night.event.pk)
    assert (event.address, event.ends, event.break_minutes) == ("12 Harbor Road, 2nd floor", time(23, 15), 15)
    entry = JournalEntry.objects.filter(event=event, did="change_event").get()
    assert entry.after["ends"] == "23:15"
    assert "what to bring" in entry.what
    form = client.get(there).context["form"]
    assert {name: str(form[name].value()) for name in FACTS} == FACTS | {"ends": "23:15:00"}


def test_the_page_tells_the_facts_first_with_join_above_the_finder(client):
    night = told()

    text = page(client, "event", night)

    in_order = [
        *("Registration is open.", "Join this event", "Bring a friend."),
        *("Where Starbase Games 12 Harbor Road, 2nd floor", "Entry fee 5 €, at the counter"),
        *("What to bring Your ships, dice and a pen", "Timetable", "Shop shop.example", "Find my table"),
    ]
    places = [text.find(sentence) for sentence in in_order]
    assert -1 not in places
    assert places == sorted(places)
    assert "When Friday, 20 November 2026, 18:45–23:15" in text
    assert "18:45–19:45 Round 1 19:45–20:00 Break 20:00–21:00 Round 2 21:00–21:15 Break 21:15–22:15 Round 3" in text


def test_text_stays_text_and_only_the_shop_is_a_link(client):
    html = client.get(url("event", told())).content.decode()

    assert "&lt;b&gt;now&lt;/b&gt;" in html
    assert 'href="https://other.example' not in html
    assert 'href="https://shop.example/tickets?id=7" rel="noopener noreferrer nofollow">shop.example</a>' in html


def test_a_link_that_is_not_https_is_never_shown(client):
    night = told(shop_link="javascript:alert(1)")

    assert "javascript:alert" not in client.get(url("event", night)).content.decode()


def test_nothing_is_told_where_nothing_is_typed_and_once_round_1_is_public(client):
    plain, begun = make_night(players=2), told()
    rounds.pair_round(begun.event, seed=1, by=BY)
    rounds.publish_round(begun.event, 1, by=BY)

    assert "Where Starbase Games" not in page(client, "event", plain)
    assert "12 Harbor Road" not in page(client, "event", begun)


def test_an_end_past_midnight_is_on_the_next_day():
    event = told(ends=time(0, 30)).event
    event.refresh_from_db()

    assert event.ends_at.astimezone(UTC) == datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
