"""From a finished month to the next: two presses to schedule it, one to register who played."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.shipped import shipped_pack
from tests.support.nights import BY, make_night, make_store
from tourney.actions import events, store_players
from tourney.domain.dates import a_month_on
from tourney.models import Event, FleetsShown, JournalEntry

pytestmark = pytest.mark.django_db


def finished(client, **more):
    night = make_night(players=4, rounds=3, finish=True, pack="dominion-war-5", **more)
    client.force_login(night.organizer)
    return night


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def next_evening(event: Event) -> date:
    return a_month_on(timezone.localtime(event.starts_at).date(), timezone.localdate())


def link_in(page, text: str) -> str:
    """The address of the link with that text."""
    found = re.search(rf'href="([^"]+)">\s*(?:<svg(?:(?!</svg>).)*</svg>\s*)?{text}', page.content.decode(), re.DOTALL)
    assert found, f"no link “{text}”"
    return found[1].replace("&amp;", "&")


def scheduled(client, night) -> Event:
    """The next month, scheduled with everything as it is proposed."""
    page = client.get(link_in(client.get(reverse("desk", args=[night.event.slug])), "Schedule next month"))
    form = page.context["form"]
    filled = {name: form[name].value() for name in ("pack", "day", "start")} | {"sp_limit": "100"}
    answer = client.post(page.request["PATH_INFO"] + "?" + page.request["QUERY_STRING"], filled)
    assert answer.status_code == 302, form.errors
    return Event.objects.latest("pk")


@pytest.mark.parametrize("where", ["desk", "event"])
def test_a_finished_event_leads_to_the_filled_form_of_the_next_month(client, where):
    night = finished(client)

    page = client.get(link_in(client.get(reverse(where, args=[night.event.slug])), "Schedule next month"))

    form = page.context["form"]
    assert form["pack"].value() == "dominion-war-6"
    assert form["day"].value() == next_evening(night.event)
    assert f"{form['start'].value():%H:%M}" == "18:45"  # in Berlin
    assert "Tables and settings are copied from" in text_of(page)


def test_one_more_press_schedules_it_with_tables_and_settings_of_the_last_one(client):
    night = finished(client)
    Event.objects.filter(pk=night.event.pk).update(
        fleets_shown=FleetsShown.ALL, accept_after=9, minutes=75, other_tables=True
    )

    event = scheduled(client, night)

    assert event.campaign == night.campaign
    assert (event.fleets_shown, event.accept_after, event.minutes, event.other_tables) == ("all", 9, 75, True)
    assert event.rounds_planned == shipped_pack("dominion-war-6").rounds
    assert event.starts_at > timezone.now()


def test_the_campaign_proposes_the_same(client):
    night = finished(client)

    form = client.get(reverse("new_event", args=[night.store.slug, night.campaign.slug])).context["form"]

    assert (form["pack"].value(), form["day"].value()) == ("dominion-war-6", next_evening(night.event))


def test_the_first_month_of_a_campaign_is_proposed_for_today(client):
    store, users = make_store()
    client.force_login(users["organizer"])
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)

    page = client.get(reverse("new_event", args=[store.slug, campaign.slug]))

    assert page.context["form"]["day"].value() == timezone.localdate()
    assert "copied from" not in text_of(page)


def test_once_the_next_month_has_a_date_the_finished_one_leads_to_its_desk(client):
    night = finished(client)
    event = scheduled(client, night)

    page = client.get(reverse("desk", args=[night.event.slug]))

    assert link_in(page, "Desk of ") == reverse("desk", args=[event.slug])
    assert "Schedule next month" not in text_of(page)


def test_players_and_judges_are_not_offered_to_schedule(client):
    night = finished(client)

    client.force_login(night.judge)
    for_judge = [text_of(client.get(reverse(name, args=[night.event.slug]))) for name in ("desk", "event")]
    client.logout()
    for_players = text_of(client.get(reverse("event", args=[night.event.slug])))

    assert not any("Schedule next month" in page for page in (*for_judge, for_players))


# who played last month


def players_of(page) -> dict[str, str]:
    """Who is listed as having played last month: names and ids."""
    return {one.player.name: str(one.player.pk) for one in page.context["before"]}


def test_who_played_last_month_is_registered_by_ticks_in_one_step(client):
    night = finished(client)
    event = scheduled(client, night)
    desk = reverse("desk", args=[event.slug])
    listed = players_of(client.get(desk))
    first, second, *others = listed
    before = JournalEntry.objects.filter(event=event).count()

    answer = client.post(
        reverse("players", args=[event.slug]),
        {"do": "before", "back": "desk", "player": [listed[first], listed[second]]},
        follow=True,
    )

    rows = event.entrants.select_related("player")
    assert {row.player.name for row in rows} == {first, second}
    assert not any(row.checked_in for row in rows)
    assert {row.faction for row in rows} == {
        entrant.faction for entrant in night.event.entrants.filter(player__name__in=[first, second])
    }
    assert JournalEntry.objects.filter(event=event).count() == before + 1
    assert list(players_of(answer)) == others
    assert "2 players registered." in text_of(answer)


def test_ticking_nobody_says_so(client):
    event = scheduled(client, finished(client))

    answer = client.post(reverse("players", args=[event.slug]), {"do": "before", "back": "desk"}, follow=True)

    assert "Nobody new is ticked. Tick who is coming." in text_of(answer)
    assert not event.entrants.exists()


def test_nobody_else_can_be_registered_by_that_list(client):
    night = finished(client)
    event = scheduled(client, night)
    stranger = make_night(players=2).event.entrants.first().player

    client.post(reverse("players", args=[event.slug]), {"do": "before", "player": [stranger.pk]})

    assert not event.entrants.exists()


def test_an_erased_player_is_not_listed_and_a_merged_one_under_the_name_of_now(client):
    night = finished(client)
    event = scheduled(client, night)
    erased, merged, *_ = [entrant.player for entrant in night.event.entrants.select_related("player")]
    other = night.store.players.create(name="Quark of Ferenginar")
    store_players.merge(other, merged, by=BY)
    store_players.erase(erased, by=BY)

    listed = players_of(client.get(reverse("desk", args=[event.slug])))

    assert "Quark of Ferenginar" in listed
    assert not {erased.name, merged.name} & set(listed)
    assert len(listed) == 3


# Really?


def test_an_unlikely_day_is_asked_about_once(client):
    store, users = make_store()
    client.force_login(users["organizer"])
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
    typed = {"pack": "dominion-war-5", "day": "1999-12-17", "start": "18:30"}
    url = reverse("new_event", args=[store.slug, campaign.slug])

    asked = client.post(url, typed)

    assert asked.status_code == 422
    assert "This date is more than a year ago. If it’s right, press the button again." in text_of(asked)
    assert re.search(r'name="asked_day"\s+value="1999-12-17"', asked.content.decode())
    assert client.post(url, typed | {"day": "1999-12-18", "asked_day": "1999-12-17"}).status_code == 422
    assert not campaign.events.exists()
    assert client.post(url, typed | {"asked_day": "1999-12-17"}).status_code == 302
    assert campaign.events.get().starts_at.year == 1999


def test_the_settings_ask_about_a_new_day_alone(client):
    night = make_night(players=0)
    client.force_login(night.organizer)
    Event.objects.filter(pk=night.event.pk).update(starts_at=timezone.now() - timedelta(days=900))
    url = reverse("event_settings", args=[night.event.slug])
    form = client.get(url).context["form"]
    same = {name: form[name].value() or "" for name in form.fields}
    same |= {"time": "18:45", "name": "Moved nowhere"}

    assert client.post(url, same).status_code == 302
    assert client.post(url, same | {"date": "1999-12-17"}).status_code == 422
    assert client.post(url, same | {"date": "1999-12-17", "asked_day": "1999-12-17"}).status_code == 302
