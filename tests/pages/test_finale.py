"""The end of an event on the player's own card: rank, faction, what they get, and when the next one is."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from scoring.shipped import shipped_pack
from tests.pages.test_me import phone_of, text_of, url
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night, now
from tests.support.public_pages import html_of
from tourney.actions import entrants, events
from tourney.actions.prizes import set_prizes
from tourney.models import Event
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WITH_TOKEN, WITHOUT_TITLES = "dominion-war-6", "peak-performance"


@copied
def over(players: int = 8) -> Night:
    """A month with factions that is finished."""
    return make_night(players=players, rounds=3, finish=True, pack="dominion-war-5")


def card_of(night: Night, number: int) -> str:
    return text_of(phone_of(night.event.entrants.get(number=number)).get(url(night)))


def page_of(night: Night, number: int) -> str:
    return html_of(phone_of(night.event.entrants.get(number=number)).get(url(night)))


def finished(night: Night) -> EventState:
    return state_of(night.event)


def schedule(night: Night, pack: str = WITH_TOKEN, days: int = 20) -> Event:
    by = now()
    return events.make_event(night.campaign, shipped_pack(pack), starts_at=by.at + days * DAY, sp_limit=100, by=by)


def test_every_rank_has_its_moment():
    night = over()
    lines = finished(night).standings(3)

    for line in lines:
        card = card_of(night, line.id)
        said = f"You’re {line.title}" if line.title else f"You finished at rank {line.rank}"
        facts = f"Rank {line.rank} of {len(lines)} · {line.battle_points} Battle Point"

        assert said in card
        assert facts in card
        assert "css/victory" in page_of(night, line.id)


def test_it_says_how_the_own_faction_ended():
    night = over()
    state = finished(night)
    first, *others = state.faction_lines(3)

    for line in state.standings(3):
        own, card = state.by_number[line.id].faction, card_of(night, line.id)
        rank = next((one.rank for one in others if one.faction == own), None)

        assert f"{first.faction} is the victorious faction." in card
        assert (f"Your faction won: {first.faction}" in card) == (own == first.faction)
        assert (f"Your faction, {own}, finished at rank {rank} of {len(others) + 1}." in card) == bool(rank)


def test_it_names_what_the_player_gets():
    night = over()
    set_prizes(night.event, "1: Foil card\n8: Wooden spoon", expected="", by=BY)
    lines = finished(night).standings(3)

    assert "Foil card" in card_of(night, lines[0].id)
    assert "Wooden spoon" in card_of(night, lines[7].id)
    assert "Foil card" not in card_of(night, lines[7].id)


def test_while_the_event_goes_on_nothing_of_it_is_there_and_nothing_more_is_loaded():
    night = make_night(players=4, rounds=2, open_round=True, pack="dominion-war-5")

    page = page_of(night, 1)

    assert "victory" not in page
    assert "share.js" not in page


def test_somebody_who_did_not_play_gets_no_rank():
    night = make_night(players=4, rounds=2, pack="dominion-war-5")
    visitor = entrants.register(night.event, [("Visitor", "Klingon")], by=BY).entrants[0]
    events.finish_event(night.event, by=BY, reason="the shop closes")

    page = page_of(night, visitor.number)

    assert "You didn’t play" in page
    assert "victory" not in page


def test_an_event_that_is_opened_again_has_no_end_any_more():
    night = over()
    line = finished(night).standings(3)[0]
    events.reopen_event(night.event, by=BY, reason="a result was wrong")

    assert "You’re Admiral" not in card_of(night, line.id)


# the next date


def test_the_next_event_of_the_campaign_can_be_put_into_a_calendar():
    night = over()
    number = finished(night).standings(3)[4].id
    assert "No date for the next event yet" in card_of(night, number)
    assert f"webcal://testserver/s/{night.store.slug}/calendar.ics" in page_of(night, number)
    coming = schedule(night)

    card, page = card_of(night, number), page_of(night, number)

    assert coming.name in card
    assert f'href="{reverse("event_calendar", args=[coming.slug])}"' in page
    assert "No date for the next event yet" not in card


def test_after_the_last_month_of_a_campaign_the_next_event_of_the_store_follows():
    night = over()
    number = finished(night).standings(3)[4].id
    client = phone_of(night.event.entrants.get(number=number))
    tag = client.get(url(night))["ETag"]
    other = events.make_campaign(night.store, storyline="The Collective", by=now())
    coming = schedule(replace(night, campaign=other), "the-collective-1")

    response = client.get(url(night), headers={"If-None-Match": tag})

    assert response.status_code == 200
    assert coming.name in text_of(response)


def test_the_first_is_told_of_next_months_token_where_that_month_has_one():
    night = over()
    first, second, *_ = finished(night).standings(3)
    said = "Come next month, and the commendation token is yours (rule 6.1)."
    assert said not in card_of(night, first.id)
    coming = schedule(night)
    assert coming.rules.token

    assert said in card_of(night, first.id)
    assert said not in card_of(night, second.id)


def test_before_its_day_an_event_can_be_put_into_a_calendar_from_card_event_and_store():
    night = make_night(players=2)
    coming = schedule(night, days=30)
    entrants.register(coming, [("Visitor", "Klingon")], by=BY)
    link = f'href="{reverse("event_calendar", args=[coming.slug])}"'
    client = phone_of(coming.entrants.get())
    pages = {
        "card": reverse("me", args=[coming.slug]),
        "event": reverse("event", args=[coming.slug]),
        "my events": reverse("my_card", args=[night.store.slug]),
        "store": reverse("store_home", args=[night.store.slug]),
    }

    assert [name for name, path in pages.items() if link not in html_of(client.get(path))] == []


def test_the_page_of_a_finished_event_is_a_place_to_go_on_from():
    night = over()
    page = text_of(Client().get(url(night, "event")))
    html = html_of(Client().get(url(night, "event")))
    names = [night.store.players.get(entries__event=night.event, entries__number=line.id).name
             for line in finished(night).standings(3)[:3]]  # fmt: skip

    podium = page[page.index("victorious faction.") : page.index("All ranks")]
    first, second, third = names
    assert f"Admiral {first}" in podium
    assert f"Vice Admiral {second}" in podium
    assert f"Rank 3 {third}" in podium
    assert f'href="{reverse("poster", args=[night.store.slug, night.campaign.slug])}"' in html
    assert "data-share-print" in html
    assert f"Next month’s Commendation Award Token goes to {first}." in podium
    assert "No date for the next event yet" in podium
    assert f"webcal://testserver/s/{night.store.slug}/calendar.ics" in html


def test_the_page_of_a_finished_event_says_when_the_next_one_is():
    night = over()
    tag = Client().get(url(night, "event"))["ETag"]
    coming = schedule(night)

    answer = Client().get(url(night, "event"), headers={"If-None-Match": tag})

    assert answer.status_code == 200
    html = html_of(answer)
    assert f'href="{reverse("event_calendar", args=[coming.slug])}"' in html
    assert f'href="{reverse("join", args=[coming.slug])}"' in html
    assert "No date for the next event yet" not in text_of(answer)


def test_two_players_are_a_podium_of_two():
    night = over(players=2)

    page = text_of(Client().get(url(night, "event")))

    assert "Rank 3" not in page


def test_the_desk_of_a_finished_event_has_what_its_page_has_and_the_way_to_paper():
    night = over()
    coming = schedule(night)
    client = Client()
    client.force_login(night.organizer)

    html = html_of(client.get(url(night, "desk")))

    slug, first = night.event.slug, finished(night).names[finished(night).standings(3)[0].id]
    wanted = [
        reverse("desk", args=[coming.slug]),
        reverse("desk_share", args=[slug]),
        reverse("print_centre", args=[slug]),
        reverse("poster", args=[night.store.slug, night.campaign.slug]),
        reverse("event_calendar", args=[coming.slug]),
    ]
    assert [address for address in wanted if f'href="{address}"' not in html] == []
    assert f'href="{reverse("join", args=[coming.slug])}"' not in html
    assert f"Next month’s Commendation Award Token goes to {first}." in " ".join(html.split())
    assert html.count("podium-place") == 4


def test_the_podium_is_not_at_the_desk_before_the_ranks_are_final():
    night = make_night(players=4, rounds=3)
    client = Client()
    client.force_login(night.organizer)

    assert "podium" not in html_of(client.get(url(night, "desk")))


# the home of the store


def home_of(night: Night, role: str | None) -> str:
    client = Client()
    if role:
        client.force_login(getattr(night, role))
    return html_of(client.get(reverse("store_home", args=[night.store.slug])))


@pytest.mark.parametrize("role", [None, "judge", "organizer"])
def test_once_tonights_event_is_over_the_next_one_comes_first(role):
    night = over()
    Event.objects.filter(pk=night.event.pk).update(starts_at=now().at)
    coming = schedule(night)

    html = home_of(night, role)

    asked = re.findall(r'<section class="(next-step|card)"\s*aria-labelledby="([^"]+)"', html)
    assert asked == [("next-step", "next"), ("card", f"tonight-{night.event.slug}")]
    shown = html.partition("<main")[2]
    assert shown.index(coming.name) < shown.index(night.event.name)


@pytest.mark.parametrize("role", [None, "organizer"])
def test_while_tonights_event_is_played_it_comes_first(role):
    night = make_night(players=4, rounds=1)
    Event.objects.filter(pk=night.event.pk).update(starts_at=now().at)
    schedule(night)

    asked = re.findall(r'<section class="(next-step|card)"\s*aria-labelledby="([^"]+)"', home_of(night, role))

    assert asked == [("next-step", f"tonight-{night.event.slug}"), ("card", "next")]


def test_without_a_next_date_the_organizer_schedules_it_first_and_others_read_the_end():
    night = over()
    Event.objects.filter(pk=night.event.pk).update(starts_at=now().at)
    pattern = r'<section class="(next-step|card)"\s*aria-labelledby="([^"]+)"'

    seen = {role: re.findall(pattern, home_of(night, role)) for role in (None, "judge", "organizer")}

    ended = f"tonight-{night.event.slug}"
    assert seen == {
        None: [("next-step", ended)],
        "judge": [("next-step", ended)],
        "organizer": [("next-step", "next"), ("card", ended)],
    }
    assert "Schedule the next month of" in home_of(night, "organizer")


def test_the_page_of_a_finished_event_has_its_picture_to_share():
    night = over()

    page = html_of(Client().get(url(night, "event")))

    assert f'data-share="{reverse("event_picture", args=[night.event.slug])}"' in page
    assert 'js/share.js"' in page
