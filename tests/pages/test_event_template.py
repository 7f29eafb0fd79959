"""What a store's new events begin with: taken from an event in one press, edited on a page of the store."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from tests.support.nights import BY, make_night, make_store
from tests.support.public_pages import text_of
from tourney.actions import events, store_players
from tourney.models import Event, EventTemplate, JournalEntry, Player, Store
from tourney.queries.next_month import evening_by_habit

pytestmark = pytest.mark.django_db

BERLIN = ZoneInfo("Europe/Berlin")
FACTS = {
    "description": "A month of the war.",
    "address": "12 Harbor Road",
    "ends": time(23, 15),
    "entry_fee": "5 €",
    "bring": "Dice and a pen",
    "break_minutes": 15,
    "shop_link": "https://shop.example/",
    "places": 16,
    "checks_in_by_phone": True,
    "fleets_shown": "all",
    "fleets_must_be_legal": True,
    "fleets_recorded": "required",
    "reported_by": "desk",
    "accept_after": 9,
}
ROOM = {
    "tables": [{"number": 1, "name": "Bridge", "near_door": True, "quiet": False, "closed": False}],
    "other_tables": True,
}
TYPED = {
    "weekday": "4",
    "start": "19:30",
    "ends": "23:00",
    "description": "A month of the war.",
    "address": "12 Harbor Road",
    "entry_fee": "5 €",
    "bring": "Dice",
    "break_minutes": "10",
    "shop_link": "https://shop.example/",
    "places": "12",
    "checks_in_by_phone": "on",
    "fleets_shown": "all",
    "fleets_recorded": "required",
    "reported_by": "desk",
    "accept_after": "3",
}


def night_with(client, **facts):
    night = make_night(players=0)
    Event.objects.filter(pk=night.event.pk).update(**facts)
    client.force_login(night.organizer)
    return night


def page_of(store: Store) -> str:
    return reverse("event_template", args=[store.slug])


def first_event(client, store: Store, storyline: str = "Another war") -> Event:
    """The first event of a new campaign, scheduled with everything as it is proposed."""
    campaign = events.make_campaign(store, storyline=storyline, by=BY)
    there = reverse("new_event", args=[store.slug, campaign.slug])
    form = client.get(there).context["form"]
    filled = {"day": form["day"].value(), "start": form["start"].value(), "pack": "dominion-war-5", "sp_limit": "100"}
    assert client.post(there, filled).status_code == 302
    return campaign.events.get()


def test_one_press_makes_an_events_settings_those_of_new_events(client):
    night = night_with(client, **FACTS, **ROOM)  # it starts on a Friday at 18:45 in Berlin

    answer = client.post(reverse("use_as_template", args=[night.event.slug]), follow=True)

    assert "New events start with these settings." in text_of(answer)
    event = first_event(client, night.store)
    assert {name: getattr(event, name) for name in (*FACTS, *ROOM)} == FACTS | ROOM
    assert f"{event.starts_at.astimezone(BERLIN):%A %H:%M}" == "Friday 18:45"
    assert event.starts_at.date() >= timezone.localdate()


def test_what_is_typed_on_the_page_is_what_the_next_campaign_starts_with(client):
    store, users = make_store()
    client.force_login(users["organizer"])

    answer = client.post(page_of(store), TYPED, follow=True)

    assert "Settings saved." in text_of(answer)
    form = answer.context["form"]
    assert (form["weekday"].value(), form["start"].value(), form["bring"].value()) == (4, time(19, 30), "Dice")
    event = first_event(client, store)
    assert (event.places, event.ends, event.accept_after, event.reported_by) == (12, time(23), 3, "desk")
    assert event.checks_in_by_phone
    assert not event.fleets_must_be_legal


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"shop_link": "http://shop.example"}, "Enter a whole address that starts with https://."),
        ({"places": "0"}, "greater than or equal to 1"),
        ({"weekday": "7"}, "Select a valid choice."),
        ({"start": "25:00"}, "Enter a valid time."),
        ({"description": "x" * 1001}, "at most 1000 characters"),
        ({"fleets_shown": "nobody"}, "Select a valid choice."),
    ],
)
def test_the_page_refuses_what_an_event_would(client, changes: dict[str, str], sentence: str):
    store, users = make_store()
    client.force_login(users["organizer"])

    answer = client.post(page_of(store), TYPED | changes)

    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert Store.objects.get(pk=store.pk).event_template == {}


def test_the_journal_says_which_settings_changed_and_nothing_for_the_same_again(client):
    store, users = make_store()
    client.force_login(users["organizer"])
    client.post(page_of(store), TYPED)
    client.post(page_of(store), TYPED | {"places": "20", "start": "18:00"})
    client.post(page_of(store), TYPED | {"places": "20", "start": "18:00"})

    last, first = JournalEntry.objects.filter(store=store, did="change_template").order_by("-pk")

    assert last.what == "Settings for new events changed: start and places."
    assert (last.before["places"], last.after["places"]) == (12, 20)
    assert last.by == users["organizer"]
    assert first.before == {}


def test_a_month_after_another_has_its_settings_and_not_the_template(client):
    night = night_with(client, **FACTS)
    client.post(page_of(night.store), TYPED | {"places": "40", "address": "Elsewhere"})

    there = reverse("new_event", args=[night.store.slug, night.campaign.slug])
    form = client.get(there).context["form"]
    filled = {"day": form["day"].value(), "start": form["start"].value(), "pack": "dominion-war-5", "sp_limit": "100"}
    client.post(there, filled)

    event = night.campaign.events.latest("pk")
    assert event.pk != night.event.pk
    assert {name: getattr(event, name) for name in FACTS} == FACTS


def test_sign_up_of_the_next_month_closes_as_long_before_it(client):
    night = night_with(client)
    closes = night.event.starts_at - timedelta(days=2, hours=3)
    Event.objects.filter(pk=night.event.pk).update(sign_up_closes_at=closes)
    night.event.refresh_from_db()
    later = night.event.starts_at + timedelta(days=28)

    event = events.make_event(
        night.campaign, night.event.pack.rules, starts_at=later, sp_limit=100, by=BY, like=night.event
    )

    assert event.sign_up_closes_at == later - timedelta(days=2, hours=3)


def test_tables_of_the_template_can_be_left_out(client):
    night = night_with(client, **ROOM)
    client.post(reverse("use_as_template", args=[night.event.slug]))
    assert "1 table in the room." in text_of(client.get(page_of(night.store)))

    client.post(page_of(night.store), TYPED | {"keeps_tables": "on"})
    assert Store.objects.get(pk=night.store.pk).template.row["tables"] == ROOM["tables"]
    client.post(page_of(night.store), TYPED)

    assert Store.objects.get(pk=night.store.pk).template.tables == []
    assert "in the room" not in text_of(client.get(page_of(night.store)))


def test_a_weekday_that_is_today_is_proposed_for_today():
    moment = datetime(2026, 11, 20, 12, tzinfo=UTC)  # a Friday
    days = [evening_by_habit(EventTemplate(weekday=day), moment)["day"].day for day in (4, 5, 3)]

    assert days == [20, 21, 26]
    assert evening_by_habit(EventTemplate(), moment) == {}


def test_an_erased_player_is_erased_from_the_template_whatever_they_are_called(client):
    night = night_with(client)
    client.post(page_of(night.store), TYPED | {"description": "Ask Vor Kestrel. all 19 welcome", "address": "V" * 199})
    for name in ("Vor Kestrel", "all", "19"):
        player = Player.objects.create(store=night.store, name=name)
        store_players.erase(player, by=BY)

    template = Store.objects.get(pk=night.store.pk).template
    assert "Vor Kestrel" not in template.description
    assert (template.start, template.fleets_shown) == (time(19, 30), "all")


def test_a_stored_template_that_no_reader_takes_is_as_if_nobody_had_said_anything(client):
    night = night_with(client)
    with connection.cursor() as cursor:
        cursor.execute("""UPDATE tourney_store SET event_template = '{"places": "many"}'""")

    assert client.get(page_of(night.store)).status_code == 200
    assert first_event(client, night.store).places is None
