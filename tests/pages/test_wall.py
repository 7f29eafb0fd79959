"""The screens in the room: what they show at each moment of the night, and what the desk announces on them."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.shipped import shipped_pack
from tests.support.nights import AT, BY, Night, make_night
from tests.support.public_pages import text_of
from tests.support.tables import eliminated, enter, night_with_ties
from tourney.actions import announcements, entrants, events, rounds
from tourney.actions.events import Settings
from tourney.actions.record import Actor
from tourney.models import JournalEntry
from tourney.queries.short_addresses import short_code_of
from tourney.views import responses

pytestmark = pytest.mark.django_db


def wall(client: Client, night: Night, query: str = "", **headers: str):
    response = client.get(f"/e/{night.event.slug}/wall/{query}", headers={"host": "192.168.1.20:8000"} | headers)
    assert response.status_code == 200
    return response


def shown(client: Client, night: Night, query: str = "") -> str:
    return text_of(wall(client, night, query))


def now() -> Actor:
    return Actor(None, "test", timezone.now())


# by the moment of the night


def test_before_the_start_it_says_when_who_is_in_and_how_to_join(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Romulan")], by=BY)

    text = shown(client, night)

    assert "Play starts at 18:45 Friday, 20 November Starbase Games" in text
    assert f"Join 192.168.1.20:8000/{short_code_of(night.event)} " in text
    assert "2 players registered Romulan Kestrel Klingon Vor" in text


def test_when_nobody_can_join_any_more_the_code_leads_to_the_event(client):
    night = make_night(players=2)
    events.open_registration(night.event, False, by=BY)

    assert f"My table 192.168.1.20:8000/{short_code_of(night.event)} " in shown(client, night)


def test_a_draft_changes_nothing_on_it(client):
    night = make_night(players=7, rounds=1)
    queries = ("", "?show=pairings", "?show=standings", "?show=clock")
    before = [shown(client, night, query) for query in queries]

    rounds.pair_round(night.event, seed=7, by=BY)

    assert [shown(client, night, query) for query in queries] == before


def test_while_they_play_it_shows_the_clock_how_many_tables_play_and_everybodys_table(client):
    night = make_night(players=5, open_round=True)
    night.event.rounds.update(ends_at=timezone.now() + timedelta(minutes=42))
    enter(night.event, 1, eliminated())

    response = wall(client, night)

    text = text_of(response)
    assert re.search(r"Round 1 of 3 (42:00|41:5\d) Until \d\d:\d\d 1 of 2 tables still playing", text)
    names = [line.own.entrant.player.name for line in response.context["names"]]
    assert names == sorted(names)
    places = re.findall(
        r'<span class="wall-table[^>]*>(?:<span[^>]*>Table</span>)?\s*(\d+|Bye)', response.content.decode()
    )
    assert sorted(places) == ["1", "1", "2", "2", "Bye"]
    assert f"My table 192.168.1.20:8000/{short_code_of(night.event)} " in text


def test_when_all_results_are_in_it_shows_the_ranks_and_who_rolls_off(client):
    night, _, _ = night_with_ties()

    text = shown(client, night)

    assert "Round 1 is over Roll-offs to come" in text
    assert "After round 1 Battle and Fleet Points Rank " in text
    assert "= 1 shared" in text
    assert "Your table" not in text


def test_between_rounds_it_shows_the_standings_the_factions_and_what_comes(client):
    night = make_night(players=6, rounds=1)

    text = shown(client, night)

    assert "Round 1 is over Round 2 is next" in text
    assert "After round 1 Battle and Fleet Points Rank " in text
    assert 'aria-label="Factions"' in wall(client, night).content.decode()


def test_after_the_last_round_the_final_ranks_come_next(client):
    assert "All 3 rounds are played Final standings are next" in shown(client, make_night(players=4, rounds=3))


def test_at_the_end_it_shows_the_podium_the_victorious_faction_and_the_next_month(client):
    night = make_night(players=8, rounds=3, finish=True)
    assert "Next event" not in shown(client, night)

    planned = make_night(players=0, pack="arena", store=night.store).event
    settings = Settings("Next month’s battle", AT + timedelta(days=28), 100, 3, 60, registration_open=True)
    events.change_event(planned, settings, by=BY)

    response = wall(client, night)
    podium, faction = response.context["lines"][:3], response.context["victorious"].faction
    titles = " ".join(f"{line.standing.title or 'Rank 3'} {line.entrant.faction} {line.entrant}" for line in podium)
    token = f"Next month’s Commendation Award Token goes to {podium[0].entrant}."
    text = text_of(response)
    assert (
        f"{titles} Victorious faction {faction} {token} Next event Next month’s battle Friday, 18 December, 18:45"
        in text
    )
    assert f"Final standings Battle and Fleet Points Rank 1 {podium[0].entrant.faction} {podium[0].entrant} " in text


def test_at_the_end_the_next_month_of_the_campaign_comes_before_another_one(client):
    night = make_night(players=4, rounds=3, finish=True)
    rules = shipped_pack("dominion-war-6")
    other = events.make_campaign(night.store, storyline="The Collective", by=BY)
    events.make_event(other, rules, starts_at=AT + timedelta(days=7), sp_limit=100, by=BY)
    assert "Next event The Last Battle of DS9 Friday, 27 November, 18:45" in shown(client, night)

    events.make_event(night.campaign, rules, starts_at=AT + timedelta(days=28), sp_limit=100, by=BY)

    assert "Next event The Last Battle of DS9 Friday, 18 December, 18:45" in shown(client, night)


def test_before_play_those_checked_in_come_first_and_are_counted(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Romulan"), ("Ash", "")], by=BY)
    entrants.check_in(night.event, [1, 2], by=BY)

    assert "2 of 3 checked in Romulan Kestrel Checked in Klingon Vor Checked in Ash " in shown(client, night)


# by the address


@pytest.mark.parametrize(
    ("query", "panels"),
    [
        ("", {"clock", "list", "code"}),
        ("?show=clock", {"clock"}),
        ("?show=pairings", {"list"}),
        ("?show=standings", {"list"}),
        ("?show=code,clock", {"clock", "code"}),
        ("?show=nothing", {"clock", "list", "code"}),
    ],
)
def test_the_address_chooses_the_panels(client, query, panels):
    page = wall(client, make_night(players=6, rounds=1, open_round=True), query).content.decode()

    marks = {"clock": "clock-panel", "list": 'class="wall-list', "code": "wall-qr"}
    assert {panel for panel, mark in marks.items() if mark in page} == panels


@pytest.mark.parametrize(
    ("query", "expected"),
    [("", ""), ("?look=light", 'data-theme="light"'), ("?look=dark", 'data-theme="dark"'), ("?look=pink", "")],
)
def test_the_address_chooses_the_look(client, query, expected):
    page = wall(client, make_night(players=0), query).content.decode()

    assert (
        re.search(r'<html lang="en"\s+data-locale="en-GB"\s+data-zone="Europe/Berlin"(.*?)>', page, re.S)[1].strip()
        == expected
    )


def test_a_screen_at_an_address_that_no_phone_can_open_shows_no_code(client):
    night = make_night(players=0)

    assert "wall-qr" not in client.get(f"/e/{night.event.slug}/wall/", headers={"host": "localhost"}).content.decode()


def test_each_address_of_the_site_has_a_code_of_its_own(client):
    night = make_night(players=0)

    for host in ("192.168.1.20", "flagship.example"):
        assert f"Join {host}/{short_code_of(night.event)} " in text_of(wall(client, night, host=host))


def test_there_is_nothing_to_send_on_it_and_no_cookie(client):
    response = wall(client, make_night(players=4, open_round=True))

    assert "<form" not in response.content.decode()
    assert response.cookies == {}


def test_it_is_not_sent_again_while_nothing_happens(client):
    night = make_night(players=4, open_round=True)
    tag = wall(client, night).headers["ETag"]
    again = {"if-none-match": tag, "host": "192.168.1.20:8000"}

    unchanged = client.get(f"/e/{night.event.slug}/wall/", headers=again).status_code
    enter(night.event, 1, eliminated())
    changed = client.get(f"/e/{night.event.slug}/wall/", headers=again).status_code

    assert (unchanged, changed) == (304, 200)


@pytest.mark.parametrize("query", ["", "?show=pairings,standings"])
def test_as_many_queries_for_64_players_as_for_8(client, query):
    counts = []
    for players in (8, 64):
        night = make_night(players=players, rounds=1, open_round=True, tables=2)
        with CaptureQueriesContext(connection) as queries:
            wall(client, night, query)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 10


# announcements


def desk(client: Client, night: Night, role: str = "organizer") -> Client:
    client.force_login(getattr(night, role))
    return client


def typed_text(response) -> str:
    return response.context["form"]["text"].value()


def announce(client: Client, night: Night, **data):
    return client.post(f"/e/{night.event.slug}/desk/screens/", data)


def test_an_announcement_is_shown_on_the_screens_the_event_page_and_cards_until_it_is_taken_down(client):
    night = make_night(players=2)
    reader = Client()

    response = announce(desk(client, night), night, text="  Pizza \n is here. ", minutes="")
    assert response.headers["Location"] == f"/e/{night.event.slug}/desk/screens/"
    pages = [shown(reader, night, query) for query in ("", "?show=clock", "?show=standings")]
    pages.append(text_of(reader.get(f"/e/{night.event.slug}/")))
    assert ["Pizza is here." in page for page in pages] == [True] * 4
    client.post(f"/e/{night.event.slug}/desk/screens/take-down/", {"text": "Pizza is here."})

    assert "Pizza" not in shown(reader, night)
    did = JournalEntry.objects.filter(event=night.event, did__in=("announce", "take_down")).values_list(
        "did", "by_name"
    )
    assert list(did) == [("announce", night.organizer.username), ("take_down", night.organizer.username)]


def test_an_announcement_whose_minutes_are_over_is_gone_from_pages_that_are_kept(client):
    night = make_night(players=2)
    past = Actor(None, "test", timezone.now() - timedelta(minutes=10))
    announcements.announce(night.event, "Break", by=past, minutes=5)

    assert "Break" not in shown(client, night)


def test_pages_that_browsers_keep_are_other_ones_when_an_announcement_has_gone_by_itself(rf):
    request, event = rf.get("/e/x/"), make_night(players=0).event
    request.user = AnonymousUser()
    tags = []
    for announced in ([], [["Break", "2020-01-01T00:00:00+00:00"]], [["Break", "2999-01-01T00:00:00+00:00"]]):
        event.announcements = announced
        tags.append(responses.live_tag(request, event))

    assert tags[0] == tags[1] != tags[2]


@pytest.mark.parametrize(
    ("data", "status", "said"),
    [
        ({"text": ""}, 422, "Type what everyone should know."),
        ({"text": "x" * 201}, 422, "Ensure this value has at most 200 characters"),
        ({"text": "Break", "minutes": "0"}, 422, "Ensure this value is greater than or equal to 1."),
    ],
)
def test_what_cannot_be_announced_is_said_with_what_was_typed(client, data, status, said):
    night = make_night(players=0)

    response = announce(desk(client, night), night, **data)

    assert response.status_code == status
    assert said in text_of(response)
    assert typed_text(response) == data["text"]


def test_a_fourth_announcement_is_refused_with_what_was_typed(client):
    night = make_night(players=0)
    for text in ("One", "Two", "Three"):
        announcements.announce(night.event, text, by=now())

    response = announce(desk(client, night), night, text="Four")

    assert response.status_code == 409
    assert "3 announcements are already showing. Remove one first." in text_of(response)
    assert typed_text(response) == "Four"


def test_what_is_announced_says_when_it_was_put_up_and_by_whom(client):
    night = make_night(players=0)
    announcements.announce(night.event, "Pizza is here.", by=Actor(None, "Vor", timezone.now()))
    at, page = timezone.localtime(timezone=ZoneInfo("Europe/Berlin")), f"/e/{night.event.slug}/desk/screens/"

    rows = text_of(desk(client, night).get(page))

    assert f"Pizza is here. Posted at {at:%H:%M} by Vor · Stays until it’s taken down" in rows


def test_a_screen_of_ones_own_shows_what_was_ticked(client):
    night = make_night(players=4, rounds=1)

    page = client.get(f"/e/{night.event.slug}/wall/?show=standings&show=clock&look=light").content.decode()

    assert ['aria-label="Standings"' in page, "wall-side" in page, 'aria-label="Tables' in page] == [True, True, False]


def test_a_judge_sees_the_screens_and_announces_nothing(client):
    night = make_night(players=2)

    page = desk(client, night, "judge").get(f"/e/{night.event.slug}/desk/screens/").content.decode()

    assert page.count('class="wall-preview') == 5
    assert "Post announcement</button>" not in page
