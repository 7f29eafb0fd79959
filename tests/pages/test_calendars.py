"""Dates for calendars: the file of one event, and the calendar of a store, read back as a calendar reads them."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from icalendar import Event as DateOfCalendar

from scoring.shipped import shipped_pack
from tests.support.nights import BY, make_night, make_store, now
from tourney.actions import events, plans
from tourney.models import Event

pytestmark = pytest.mark.django_db

BERLIN = ZoneInfo("Europe/Berlin")
DAY = timedelta(days=1)


def file_of(event: Event, client: Client | None = None):
    return (client or Client()).get(reverse("event_calendar", args=[event.slug]))


def read(response) -> Calendar:
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(response.content)


def dates_in(response) -> list[DateOfCalendar]:
    return read(response).events


def change(event: Event, **different: object) -> None:
    facts = {name: getattr(event, name) for name in events.Settings.__slots__}
    events.change_event(event, events.Settings(**facts | different), by=BY)


def test_an_event_is_a_date_at_the_stores_own_time_with_its_time_zone():
    night = make_night(players=2)

    calendar = read(file_of(night.event))

    (date,) = calendar.events
    assert date.start == datetime(2026, 11, 20, 18, 45, tzinfo=BERLIN)
    assert date["dtstart"].params["TZID"] == "Europe/Berlin"
    assert [zone["tzid"] for zone in calendar.timezones] == ["Europe/Berlin"]
    assert date.end - date.start == timedelta(minutes=night.event.rounds_planned * night.event.minutes)
    assert (str(date["summary"]), str(date["location"])) == (night.event.name, "Starbase Games")
    assert str(date["url"]) == f"http://testserver/e/{night.event.slug}/"
    assert "3 rounds of 60 minutes each, 100 SP" in str(date["description"])
    assert str(date["status"]) == "CONFIRMED"


@pytest.mark.parametrize(
    ("told", "end"),
    [
        ({}, "21:45"),
        ({"break_minutes": 15}, "22:15"),
        ({"break_minutes": 0}, "21:45"),
        ({"break_minutes": 15, "ends": time(23, 30)}, "23:30"),
        ({"ends": time(0, 30)}, "00:30"),
    ],
)
def test_a_date_ends_when_the_page_of_the_event_says(told, end):
    night = make_night(players=2)
    change(night.event, **told)

    (date,) = dates_in(file_of(night.event))

    assert f"{date.end:%H:%M}" == end
    assert date.end - date.start < DAY


def test_a_date_is_where_the_event_is_with_the_store_that_holds_it():
    night = make_night(players=2)
    change(night.event, address="Town hall, Market Square 1")

    (date,) = dates_in(file_of(night.event))

    assert str(date["location"]) == "Starbase Games, Town hall, Market Square 1"


def test_a_canceled_event_is_canceled_in_the_calendar_and_held_after_all_it_is_confirmed_again():
    night = make_night(players=2)
    first = dates_in(file_of(night.event))[0]

    plans.cancel_event(night.event, by=BY)
    canceled = dates_in(file_of(night.event))[0]
    plans.hold_event(night.event, by=BY)
    again = dates_in(file_of(night.event))[0]

    assert [str(one["status"]) for one in (first, canceled, again)] == ["CONFIRMED", "CANCELLED", "CONFIRMED"]
    assert str(first["uid"]) == str(canceled["uid"]) == str(again["uid"])
    assert int(first["sequence"]) < int(canceled["sequence"]) < int(again["sequence"])


def test_a_date_that_is_changed_replaces_the_one_that_a_calendar_has():
    night = make_night(players=2)
    before = dates_in(file_of(night.event))[0]
    change(night.event, name="The last stand", starts_at=night.event.starts_at + DAY)

    after = dates_in(file_of(night.event))[0]

    assert after["uid"] == before["uid"]
    assert after["sequence"] > before["sequence"]
    assert (str(after["summary"]), after.start - before.start) == ("The last stand", DAY)


def test_two_stores_have_no_date_in_common():
    first = make_night(players=2)
    store, _ = make_store("Deck Twelve")
    second = make_night(players=2, store=store)

    uids = {str(dates_in(file_of(night.event))[0]["uid"]) for night in (first, second)}

    assert len(uids) == 2


def test_whoever_has_the_file_is_told_that_it_is_still_the_same(client):
    night = make_night(players=2)
    tag = file_of(night.event)["ETag"]
    address = reverse("event_calendar", args=[night.event.slug])

    again = client.get(address, headers={"If-None-Match": tag})
    change(night.event, name="The last stand")
    changed = client.get(address, headers={"If-None-Match": tag})

    assert (again.status_code, changed.status_code) == (304, 200)


def test_a_stores_calendar_has_what_was_in_the_last_year_and_all_to_come():
    night = make_night(players=2)
    by = now()
    pack = shipped_pack("dominion-war-5")
    coming = [
        events.make_event(night.campaign, pack, starts_at=by.at + days * DAY, sp_limit=100, by=by) for days in (60, 30)
    ]
    events.make_event(night.campaign, pack, starts_at=by.at - 500 * DAY, sp_limit=100, by=by)
    Event.objects.filter(pk=night.event.pk).update(starts_at=by.at - 30 * DAY)

    calendar = read(Client().get(reverse("store_calendar", args=[night.store.slug])))

    assert str(calendar["x-wr-calname"]) == "Starbase Games"
    assert [date.start.astimezone(UTC).date() for date in calendar.events] == [
        (by.at + days * DAY).date() for days in (-30, 30, 60)
    ]
    assert len({str(date["uid"]) for date in calendar.events}) == 3
    assert {str(date["url"]).rsplit("/", 2)[1] for date in calendar.events} >= {event.slug for event in coming}


def test_the_calendar_of_a_store_without_events_is_one_to_follow(client):
    store, _ = make_store()

    calendar = read(client.get(reverse("store_calendar", args=[store.slug])))

    assert (str(calendar["name"]), calendar.events) == ("Starbase Games", [])


def test_a_stores_calendar_is_in_its_language_whoever_asks(client):
    store, _ = make_store("Raumstation", locale="de_DE")
    night = make_night(players=2, store=store)
    address = reverse("store_calendar", args=[store.slug])

    asked = [client.get(address, headers={"Accept-Language": one}).content for one in ("de", "en")]

    assert asked[0] == asked[1]
    assert night.event.slug.encode() in asked[0]
