"""What a public page says to who previews or indexes a link to it, and the picture that is shown there."""

import json
import struct
from datetime import datetime, timedelta
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.nights import BY, Night, make_night
from tests.support.public_pages import url
from tourney.actions import entrants, plans, rehearsal, stores
from tourney.actions.record import Actor
from tourney.models import Event, Player

pytestmark = pytest.mark.django_db

REQUIRED = ("name", "startDate", "location")
"""What Google asks of an Event, besides the address of its place."""
PLACE = ("@type", "name", "address")
SCHEMA = "https://schema.org/"


class Head(HTMLParser):
    """The meta tags of a page by their property or name, and its data blocks."""

    def __init__(self, html: str):
        super().__init__()
        self.meta: dict[str, str] = {}
        self.data: list[dict] = []
        self._is_data = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        self._is_data = tag == "script" and facts.get("type") == "application/ld+json"
        if tag == "meta" and (name := facts.get("property") or facts.get("name")):
            assert name not in self.meta
            self.meta[name] = facts["content"]

    def handle_data(self, data: str) -> None:
        if self._is_data:
            self.data.append(json.loads(data))
            self._is_data = False


def head(client: Client, address: str) -> Head:
    return Head(client.get(address).content.decode())


def event_of(client: Client, night: Night, name: str = "event") -> dict:
    """The page's data, after it was held against what an Event has to have."""
    (data,) = head(client, url(name, night)).data
    assert (data["@context"], data["@type"]) == ("https://schema.org", "Event")
    assert all(data[key] for key in REQUIRED)
    assert all(data["location"][key] for key in PLACE)
    assert data["location"]["@type"] == "Place"
    assert datetime.fromisoformat(data["startDate"]).utcoffset() is not None
    assert datetime.fromisoformat(data["startDate"]) <= datetime.fromisoformat(data["endDate"])
    assert data["eventAttendanceMode"] == f"{SCHEMA}OfflineEventAttendanceMode"
    assert data["url"].startswith("http://testserver/e/")
    assert data["organizer"]["@type"] == "Organization"
    return data


def with_facts(players: int = 0, **facts: object) -> Night:
    night = make_night(players=players)
    Event.objects.filter(pk=night.event.pk).update(**facts)
    night.event.refresh_from_db()
    return night


# the tags


@pytest.mark.parametrize("name", ["event", "standings"])
def test_a_page_of_an_event_says_what_a_preview_shows(client, name: str):
    night = with_facts(address="12 Harbor Road")

    meta = head(client, url(name, night)).meta

    assert meta["og:title"] == night.event.name
    assert meta["og:type"] == "website"
    assert meta["og:site_name"] == night.store.name
    assert meta["og:description"] == "Friday, 20 November 2026, 18:45 · 12 Harbor Road"
    assert meta["og:url"] == f"http://testserver{url(name, night)}"
    assert meta["og:locale"] == "en_GB"
    assert meta["og:image"] == f"http://testserver{reverse('event_link_picture', args=[night.event.slug])}"
    assert (meta["og:image:type"], meta["og:image:width"], meta["og:image:height"]) == ("image/png", "1200", "630")
    assert meta["og:image:alt"] == night.event.name
    assert meta["twitter:card"] == "summary_large_image"


def test_the_page_of_a_store_says_so_too_and_names_its_next_event(client):
    night = with_facts(starts_at=timezone.now() + timedelta(days=3), address="12 Harbor Road")

    found = head(client, reverse("store_home", args=[night.store.slug]))

    assert found.meta["og:title"] == night.store.name
    assert found.meta["og:image"].endswith(f"/s/{night.store.slug}/picture.png")
    (data,) = found.data
    assert (data["@type"], data["name"]) == ("Organization", night.store.name)
    (event,) = data["event"]
    assert all(event[key] for key in REQUIRED)
    assert event["location"]["address"] == "12 Harbor Road"


def test_a_text_that_would_end_the_script_or_the_tag_stays_a_text(client):
    evil = '</script><script>alert("1")</script><!-- & \u2028 "'
    night = with_facts(name=evil, description=evil, address=evil, entry_fee=evil[:80])

    found = head(client, url("event", night))

    assert found.data[0]["name"] == evil
    assert found.data[0]["description"] == evil
    assert found.meta["og:title"] == evil
    assert "<script>alert" not in client.get(url("event", night)).text


def test_nobodys_name_is_in_it(client):
    night = make_night(players=6, rounds=3, finish=True)
    for player in night.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} Zarkonian{player.pk}")
    stores.change_store(night.store, names_shown="initial", by=BY)
    names = {player.name for player in night.store.players.all()}

    for address in (url("event", night), url("standings", night), reverse("store_home", args=[night.store.slug])):
        found = head(client, address)
        said = json.dumps([found.data, {name: text for name, text in found.meta.items() if name.startswith("og:")}])
        assert found.data
        assert not any(part in said for name in names for part in name.split())


def test_a_rehearsal_says_nothing_to_anybody(client):
    night = make_night(players=4)
    copy = rehearsal.begin(
        night.event, rehearsal.RehearsalPlan(0), by=Actor(night.owner, "owner", timezone.now()), seed=1
    )
    client.force_login(night.owner)
    assert client.get(reverse("event", args=[copy.slug])).status_code == 200

    assert "og:title" not in client.get(reverse("event", args=[copy.slug])).text


# the data


def test_an_event_is_described_with_the_stores_offset(client):
    night = with_facts(description="A month of the war.", address="12 Harbor Road")

    data = event_of(client, night)

    assert (data["startDate"], data["endDate"]) == ("2026-11-20T18:45:00+01:00", "2026-11-20T21:45:00+01:00")
    assert data["eventStatus"] == f"{SCHEMA}EventScheduled"
    assert data["location"] == {"@type": "Place", "name": night.store.name, "address": "12 Harbor Road"}
    assert data["description"] == "A month of the war."
    assert data["image"] == [f"http://testserver{reverse('event_link_picture', args=[night.event.slug])}"]
    assert not {"offers", "previousStartDate", "maximumAttendeeCapacity"} & set(data)


def test_a_canceled_event_and_a_moved_one_say_so(client):
    night = make_night(players=2)
    plans.postpone_event(night.event, night.event.starts_at + timedelta(days=7), by=BY)
    moved = event_of(client, night)
    plans.cancel_event(night.event, by=BY)
    canceled = event_of(client, night)

    assert moved["eventStatus"] == f"{SCHEMA}EventRescheduled"
    assert moved["previousStartDate"] == "2026-11-20T18:45:00+01:00"
    assert moved["startDate"] == "2026-11-27T18:45:00+01:00"
    assert canceled["eventStatus"] == f"{SCHEMA}EventCancelled"
    assert "previousStartDate" not in canceled
    assert head(client, url("event", night)).meta["og:description"].startswith("This event is canceled.")


def test_places_and_an_entry_fee_are_told(client):
    starts = timezone.now() + timedelta(days=3)
    night = with_facts(places=3, entry_fee="5 €", starts_at=starts)
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Romulan")], by=BY)
    data = event_of(client, night)

    assert (data["maximumAttendeeCapacity"], data["remainingAttendeeCapacity"]) == (3, 1)
    assert data["offers"] == {
        "@type": "Offer",
        "url": f"http://testserver{url('join', night)}",
        "availability": f"{SCHEMA}InStock",
        "price": "5",
        "priceCurrency": "EUR",
    }
    entrants.register(night.event, [("Talon", "Klingon"), ("Onyx", "Klingon")], by=BY)
    data = event_of(client, night)
    assert (data["remainingAttendeeCapacity"], data["offers"]["availability"]) == (0, f"{SCHEMA}SoldOut")


def test_an_entry_fee_in_words_has_no_price(client):
    offer = event_of(client, with_facts(entry_fee="5 €, or 8 € with a ship"))["offers"]

    assert offer["description"] == "5 €, or 8 € with a ship"
    assert "price" not in offer


# the picture


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize(
    "name", ["Dominion War", "Der lange, lange Name eines Monats, der nicht aufhört", "東京の戦い", "Ω Ж ł"]
)
def test_the_picture_of_an_event_is_a_png_as_wide_as_previews_want_it(client, name: str):
    night = with_facts(name=name, address="12 Harbor Road")

    answer = client.get(reverse("event_link_picture", args=[night.event.slug]))

    assert answer["Content-Type"] == "image/png"
    assert size_of(answer.content) == (1200, 630)
    assert len(answer.content) < 300_000


def test_the_picture_follows_the_event_and_is_not_sent_twice(client):
    night = with_facts()
    address = reverse("event_link_picture", args=[night.event.slug])
    first = client.get(address)

    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    plans.cancel_event(night.event, by=BY)
    after = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert after.status_code == 200
    assert after.content != first.content


def test_a_store_has_a_picture_too(client):
    address = reverse("store_link_picture", args=[make_night(players=0).store.slug])
    first = client.get(address)

    assert size_of(first.content) == (1200, 630)
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_podium_and_a_result_are_png_from_the_server_too(client, theme: str):
    night = make_night(players=6, rounds=3, finish=True)
    addresses = [reverse("event_png", args=[night.event.slug]), reverse("player_png", args=[night.event.slug, 1])]

    answers = [client.get(address, {"theme": theme}) for address in addresses]

    assert [size_of(one.content) for one in answers] == [(1080, 1350)] * 2
    assert answers[0]["Content-Disposition"] == f'inline; filename="{night.event.slug}.png"'
    assert f'href="{addresses[0]}"' in client.get(url("event", night)).text
