"""The fleets of a player on their own phone: which there are, where they fly, and whose they are."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.builder import a_fleet, night_with_cards, phone, post
from tests.support.built_fleets import bring, two_ships
from tests.support.nights import AT, BY, Night, make_night
from tests.support.saying import html_of
from tourney.actions import entrants, player_cards
from tourney.actions.store_archive import GREATEST_ID
from tourney.models import Event, Fleet

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return night_with_cards()


def test_a_phone_without_a_card_has_no_fleets(client, night):
    assert client.get(reverse("my_fleets", args=[night.store.slug])).status_code == 404


def test_a_new_fleet_flies_at_the_event_it_is_made_for(client, night):
    player = night.event.entrants.select_related("player__store").get(number=1).player
    phone(client, player)
    page = reverse("my_fleets", args=[night.store.slug])
    client.post(page, {"do": "make", "event": night.event.slug})
    client.post(page, {"do": "make", "name": "Second"})
    flying = Fleet.objects.get(name="Fleet of November 2026")

    assert flying.entrant.event == night.event
    assert Fleet.objects.get(name="Second").entrant is None
    second = Fleet.objects.get(name="Second").pk
    client.post(page, {"do": "bring", "event": night.event.slug, "fleet": second})
    assert Fleet.objects.get(pk=second).entrant.event == night.event
    assert client.post(page, {"do": "bring", "event": "elsewhere", "fleet": second}).status_code == 409
    assert client.post(page, {"do": "make", "name": ""}).status_code == 422
    assert "Second" in client.get(page).content.decode()


def test_a_fleet_of_a_store_that_was_moved_flies_though_its_id_is_long(client, night):
    """Ids of a store that was moved may be as large as programs that read JSON know them."""
    short = bring(night.event, 1)
    long = Fleet.objects.create(pk=GREATEST_ID, player=short.player, name="Long", data=short.data, changed_at=AT)
    desk = Client()
    desk.force_login(night.organizer)
    phone(client, long.player)

    client.post(reverse("my_fleets", args=[night.store.slug]), sent(night, long))
    assert Fleet.objects.get(entrant__event=night.event) == long
    desk.post(reverse("entrant_fleet", args=[night.event.slug, 1]), sent(night, short))
    assert Fleet.objects.get(entrant__event=night.event) == short
    desk.post(reverse("entrant_fleet", args=[night.event.slug, 1]), sent(night, long))
    assert Fleet.objects.get(entrant__event=night.event) == long


def sent(night: Night, fleet: Fleet) -> dict[str, str]:
    return {"do": "bring", "event": night.event.slug, "fleet": str(fleet.pk)}


def test_where_there_are_two_events_to_use_a_fleet_at_each_button_names_its_own(client, night):
    player = a_fleet(night).player
    phone(client, player)
    page = reverse("my_fleets", args=[night.store.slug])
    buttons = re.compile(r'name="fleet"[^>]*>(.*?)</button>', re.DOTALL)
    other = make_night(players=0, store=night.store, pack="arena").event

    assert [one.strip() for one in buttons.findall(html_of(client.get(page)))] == ["Use this fleet"]
    entrants.register(other, [(player.name, "Klingon")], by=BY)

    said = {" ".join(one.split()) for one in buttons.findall(html_of(client.get(page)))}
    assert said == {f"Use at {night.event.name}", "Use at Arena"}


def test_a_fleet_entered_nowhere_offers_the_events_where_it_could_fly(client, night):
    fleet = a_fleet(night)
    phone(client, fleet.player)
    page = reverse("fleet", args=[night.store.slug, fleet.pk])
    offered = re.compile(rf'name="event" value="([^"]*)">\s*<button[^>]*name="fleet"[^>]*value="{fleet.pk}"')
    other = make_night(players=0, store=night.store, pack="arena").event
    entrants.register(other, [(fleet.player.name, "Klingon")], by=BY)

    before = html_of(client.get(page))
    client.post(reverse("my_fleets", args=[night.store.slug]), {"do": "bring", "event": other.slug, "fleet": fleet.pk})
    after = html_of(client.get(page))

    assert "Not entered in an event" in before
    assert set(offered.findall(before)) == {night.event.slug, other.slug}
    assert Fleet.objects.get(pk=fleet.pk).entrant.event == other
    assert ("Not entered in an event" in after, offered.findall(after)) == (False, [])


def test_who_is_registered_nowhere_is_led_from_a_fleet_to_the_events(client, night):
    fleet = a_fleet(night)
    fleet.player.entries.all().delete()
    phone(client, fleet.player)

    page = html_of(client.get(reverse("fleet", args=[night.store.slug, fleet.pk])))

    assert re.search(rf'<a class="button" href="{night.store.get_absolute_url()}">See events</a>', page)


def test_each_of_my_fleets_says_its_cost_and_how_many_ships(client, night):
    one, two = a_fleet(night), bring(night.event, 1, two_ships(resource=None))
    phone(client, one.player)
    post(client, one, "add", card="Kestrel", add="0")

    page = client.get(reverse("my_fleets", args=[night.store.slug]))

    facts = {row.fleet.row.pk: " · ".join(map(str, row.facts)) for row in page.context["rows"]}
    assert facts[one.pk].startswith("24 SP · 1 ship")
    assert "1 ships" not in facts[one.pk]
    assert f" · 2 ships · entered in {night.event.name}" in facts[two.pk]
    Event.objects.filter(pk=night.event.pk).update(finished_at=AT)
    page = client.get(reverse("my_fleets", args=[night.store.slug]))
    assert f" · played at {night.event.name}" in page.content.decode()


def test_nothing_is_left_behind_by_a_fleet_that_cannot_be_brought(client, night):
    late = make_night(players=4, open_round=True, store=night.store).event
    player = late.entrants.select_related("player__store").get(number=1).player
    phone(client, player)
    page = client.post(reverse("my_fleets", args=[night.store.slug]), {"do": "make", "event": late.slug})

    assert (page.status_code, Fleet.objects.count()) == (409, 0)
    assert "Round 1 has started (rule 7.1)." in html_of(page)


def test_the_name_of_somebody_who_played_before_brings_nobody_their_card(night):
    """A stranger types the name of a player of last month."""
    event = make_night(players=0, store=night.store).event
    name = night.event.entrants.get(number=1).player.name
    stranger = Client()
    joined = stranger.post(reverse("join", args=[event.slug]), {"name": name, "faction": "Klingon"}, follow=True)

    assert f"{name} has played here before. If that’s you, ask at the counter for your card" in " ".join(
        joined.content.decode().split()
    )
    assert stranger.get(reverse("my_fleets", args=[night.store.slug])).status_code == 404


def test_a_device_is_asked_before_it_becomes_the_card_of_another(client, night):
    first, second = (entry.player for entry in night.event.entrants.select_related("player__store")[:2])
    phone(client, first)
    link = reverse("card", args=[player_cards.issue(second, by=BY)])

    asked = client.get(link)
    assert f"This device holds <strong>{first}’s card</strong>." in asked.content.decode()
    assert str(first) in client.get(reverse("my_fleets", args=[night.store.slug])).content.decode()
    client.post(link)
    assert str(second) in client.get(reverse("my_fleets", args=[night.store.slug])).content.decode()
