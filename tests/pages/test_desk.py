import re
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, on_time
from tourney.actions import entrants, events, results, rounds, simulation
from tourney.models import Event, JournalEntry
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

PARTS = ("now", "clock", "side")


def url(event: Event, name: str = "desk", *args) -> str:
    return reverse(name, args=[event.slug, *args])


def signed_in(client: Client, night: Night, role: str = "organizer") -> Client:
    client.force_login(getattr(night, role))
    return client


def desk_of(client: Client, night: Night, role: str = "organizer") -> str:
    return signed_in(client, night, role).get(url(night.event)).content.decode()


@copied
def tied_everywhere() -> Night:
    """Round 1 of 8: tables 1 to 3 won alike, table 4 level."""
    night = make_night(players=8, open_round=True)
    for table in (1, 2, 3):
        played = Played(Ending.ELIMINATION, (Side(40), Side(0)), out=1)
        results.report_result(night.event, 1, table, results.ResultInput(played), version=0, by=BY)
    played = Played(Ending.TIME, (Side(40), Side(40)))
    results.report_result(night.event, 1, 4, results.ResultInput(played), version=0, by=BY)
    return night


@copied
def ready_to_close(players: int = 5) -> Night:
    night = make_night(players=players, open_round=True, tables=players // 2)
    simulation.roll_off_tables(night.event, random=Random(1), by=BY)
    simulation.roll_off_standings(night.event, random=Random(1), by=BY)
    return night


# what to do next


def test_without_players_the_desk_asks_to_register_them(client):
    night = make_night(players=0)

    page = desk_of(client, night)

    assert "Register the players" in page
    assert f'href="{url(night.event, "players")}"' in page
    assert f'href="{url(night.event, "qr")}"' in page


def test_with_nobody_here_the_desk_asks_to_check_in(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon"), ("Quill", "Romulan")], by=BY)

    page = desk_of(client, night)

    assert "Check in the players" in page
    assert "2 registered, 0 checked in." in page


def test_before_round_1_the_desk_offers_to_pair_it_and_prints_the_promise(client):
    night = make_night(players=9)

    page = desk_of(client, night)

    assert f'action="{url(night.event, "pair")}"' in page
    assert '<input type="hidden" name="number" value="1">' in page
    assert "9 players, 3 rounds: no rematches and no second byes" in page


def test_who_has_not_declared_a_faction_is_listed_before_round_1(client):
    night = make_night(players=3)
    entrants.register(night.event, [("Zephyr", "")], by=BY, checked_in=True)

    page = desk_of(client, night)

    assert '<a href="#faction-4"> 1 player has no faction yet </a>' in " ".join(page.split())
    assert '<label class="visually-hidden" for="faction-4">' in page


def test_a_draft_is_looked_at_before_it_is_published(client):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)

    page = desk_of(client, night)

    assert "Publish round 1" in page
    assert f'href="{url(night.event, "round", 1)}">Review draft' in page


def test_a_published_round_starts_with_its_clock(client):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    page = desk_of(client, night)

    assert "Start round 1" in page
    assert page.count('value="start"') == 2  # the next step, and the clock's own button


def test_each_table_without_a_result_stands_once_with_the_way_to_where_it_is_entered(client):
    night = make_night(players=6, open_round=True, tables=1)

    page = desk_of(client, night)

    assert "Enter the results of round 1" in page
    assert "3 tables, 2 still without a result." in page
    for table in (2, 3):
        assert page.count(f'href="{url(night.event, "result", 1, table)}"') == 1


def test_a_long_list_of_what_is_missing_is_cut(client):
    night = make_night(players=16, open_round=True)
    for table in range(1, 9):
        enter(night.event, table, on_time(40, 40))

    assert "and 2 more" in desk_of(client, night)


def test_tied_tables_come_first_and_lead_to_their_dice(client):
    night = tied_everywhere()

    page = desk_of(client, night)

    assert "Roll off the ties of round 1" in page
    assert page.count(f'href="{url(night.event, "table_roll_off", 1, 4)}"') == 3  # action, list, table


def test_ties_in_the_standings_lead_to_their_roll_off(client):
    night = tied_everywhere()
    simulation.roll_off_tables(night.event, random=Random(1), by=BY)
    state = state_of(night.event)
    group = state.ties(1)[0]

    page = desk_of(client, night)

    assert f'href="{url(night.event, "roll_off", 1, "standing", "-".join(map(str, group)))}"' in page
    assert "tied in the standings, roll off" in page


def test_when_everything_is_in_one_press_closes_the_round(client):
    night = ready_to_close()

    assert f'<form method="post" action="{url(night.event, "close", 1)}">' in desk_of(client, night)


def test_after_the_last_round_the_desk_leads_to_the_final_ranks(client):
    night = make_night(players=4, rounds=3)

    assert f'href="{url(night.event, "finish")}">Final ranks' in desk_of(client, night)


def test_a_finished_event_leads_to_its_public_page_and_can_be_opened_again(client):
    night = make_night(players=4, rounds=3, finish=True)

    page = desk_of(client, night)

    assert "The ranks are final" in page
    assert f'href="{url(night.event, "reopen")}"' in page


@pytest.mark.parametrize(
    "night",
    [{"players": 4}, {"players": 4, "rounds": 3}, {"players": 4, "rounds": 3, "finish": True}],
    ids=["pair", "finish", "finished"],
)
def test_a_judge_sees_the_next_step_without_the_organizers_buttons(client, night):
    night = make_night(**night)

    page = desk_of(client, night, "judge")

    for name in ("pair", "finish", "reopen", "event_settings"):
        assert url(night.event, name) not in page
    assert ("Only an organizer can do this." in page) is not state_of(night.event).is_finished


def test_a_judge_sees_the_clock_without_its_buttons(client):
    night = make_night(players=4, open_round=True)

    page = desk_of(client, night, "judge")

    assert 'role="timer"' in page
    assert url(night.event, "clock", 1) not in page


def test_the_steps_of_the_night_say_where_it_stands(client):
    night = make_night(players=4, rounds=1, open_round=True)

    page = " ".join(desk_of(client, night).split())

    current = page[page.index('aria-current="step"') :]
    link = current[: current.index("</li>")]
    assert f'<a href="{url(night.event, "round", 2)}">' in link
    assert re.sub("<.*?>", "", link[link.index("<a") :]).split() == ["Round", "2"]
    assert page.count('class="step is-done"') == 2  # the players and round 1


# alive


@pytest.mark.parametrize("part", PARTS)
def test_each_part_refreshes_alone_and_is_not_sent_again_while_nothing_changed(client, part):
    night = make_night(players=4, open_round=True)
    signed_in(client, night)
    asked = {"HX-Request": "true", "HX-Target": part}
    client.get(url(night.event))  # from now on it has the secret of its forms

    first = client.get(url(night.event), headers=asked)
    again = client.get(url(night.event), headers=asked | {"If-None-Match": first.headers["ETag"]})
    rounds.pause_clock(night.event, 1, by=BY)
    changed = client.get(url(night.event), headers=asked | {"If-None-Match": first.headers["ETag"]})

    assert first.content.decode().strip().startswith(f'<div id="{part}"')
    assert (first.status_code, again.status_code, changed.status_code) == (200, 304, 200)


def test_nothing_that_is_typed_into_is_inside_a_part_that_refreshes(client):
    night = make_night(players=4, open_round=True)
    signed_in(client, night)

    parts = [
        client.get(url(night.event), headers={"HX-Request": "true", "HX-Target": part}).content.decode()
        for part in PARTS
    ]

    assert [part.count('<input type="number"') + part.count("<textarea") for part in parts] == [0, 0, 0]
    assert 'name="minutes"' in client.get(url(night.event)).content.decode()


@pytest.mark.many
@pytest.mark.parametrize(
    "place", [("desk",), ("players",), ("player", 1), ("round", 2), ("close", 2), ("finish",), ("journal",)]
)
def test_64_players_need_as_many_queries_as_8(client, place):
    counts = []
    for players in (8, 64):
        night = make_night(players=players, rounds=1, open_round=True, tables=2)
        signed_in(client, night)
        client.get(url(night.event, *place))
        with CaptureQueriesContext(connection) as queries:
            client.get(url(night.event, *place))
        counts.append(len(queries))

    assert counts[0] == counts[1]


# finish (rule 5)


def test_the_final_ranks_are_shown_with_titles_factions_and_awards_before_they_are_final(client):
    night = make_night(players=8, rounds=3)
    state = state_of(night.event)
    first, second, *_ = state.standings(3)

    page = signed_in(client, night).get(url(night.event, "finish")).content.decode()

    text = " ".join(page.split())
    assert f"<dt>Admiral</dt> <dd> {state.names[first.id]} </dd>" in text
    assert f"<dt>Vice Admiral</dt> <dd> {state.names[second.id]} </dd>" in text
    assert "Victorious faction: " in page
    assert "set of map elements" in page
    assert "Finish event" in page
    assert 'name="reason"' not in page


def test_one_press_makes_the_ranks_final(client):
    night = make_night(players=8, rounds=3)

    response = signed_in(client, night).post(url(night.event, "finish"), follow=True)

    assert response.redirect_chain == [(url(night.event, "event"), 302)]
    assert "The ranks are final." in response.content.decode()
    assert state_of(Event.objects.get(pk=night.event.pk)).is_finished


def test_an_early_end_needs_a_reason_and_keeps_what_was_typed(client):
    night = make_night(players=8, rounds=1)
    signed_in(client, night)

    without = client.post(url(night.event, "finish"), {"reason": ""})
    client.post(url(night.event, "finish"), {"reason": "the shop closes"})

    assert without.status_code == 422
    assert "Say why the event ends before the last planned round." in without.content.decode()
    assert JournalEntry.objects.get(did="finish_event").reason == "the shop closes"


def test_what_keeps_the_ranks_from_being_final_is_listed_with_links(client):
    night = tied_everywhere()

    page = signed_in(client, night).get(url(night.event, "finish")).content.decode()

    assert "1 thing to do first" in page
    assert f'href="{url(night.event, "table_roll_off", 1, 4)}"' in page
    assert "Finish event" not in page


@pytest.mark.parametrize(
    ("night", "text", "link"),
    [
        ({"players": 4}, "No round has been played yet", "desk"),
        ({"players": 4, "rounds": 1, "open_round": True}, "no result yet", "result 2 1"),
    ],
    ids=["nothing played", "in play"],
)
def test_an_unfinished_night_says_what_comes_first(client, night, text, link):
    night = make_night(**night)
    name, *args = link.split()

    page = signed_in(client, night).get(url(night.event, "finish")).content.decode()

    assert text in page
    assert f'href="{url(night.event, name, *args)}"' in page


def test_a_draft_must_be_played_or_discarded_before_the_end(client):
    night = make_night(players=4, rounds=1)
    rounds.pair_round(night.event, seed=1, by=BY)

    page = signed_in(client, night).get(url(night.event, "finish")).content.decode()

    assert f'<a href="{url(night.event, "round", 2)}">Round 2 is a draft: publish or discard it' in page


def test_a_round_that_is_complete_but_open_is_closed_before_the_end(client):
    night = ready_to_close()

    page = signed_in(client, night).get(url(night.event, "finish")).content.decode()

    assert f'<a href="{url(night.event, "close", 1)}">Round 1 isn’t closed yet' in page


def test_finishing_what_is_not_ready_is_refused_on_the_same_page(client):
    night = tied_everywhere()

    response = signed_in(client, night).post(url(night.event, "finish"), {"reason": "the shop closes"})

    assert response.status_code == 409
    assert "Round 1 isn’t closed yet." in response.content.decode()


def test_finishing_twice_says_so(client):
    night = make_night(players=4, rounds=3, finish=True)
    signed_in(client, night)

    response = client.post(url(night.event, "finish"))

    assert response.status_code == 409
    assert "The event is already finished." in response.content.decode()
    assert client.get(url(night.event, "finish")).headers["Location"] == url(night.event, "event")


# open again


def test_a_finished_event_is_opened_again_with_a_reason(client):
    night = make_night(players=4, rounds=3, finish=True)
    signed_in(client, night)

    form = client.get(url(night.event, "reopen"))
    without = client.post(url(night.event, "reopen"), {"reason": " "})
    done = client.post(url(night.event, "reopen"), {"reason": "a score was misread"})

    assert form.status_code == 200
    assert without.status_code == 422
    assert "Give a reason to reopen the event." in without.content.decode()
    assert done.headers["Location"] == url(night.event)
    assert not state_of(Event.objects.get(pk=night.event.pk)).is_finished


def test_an_event_that_somebody_else_opened_again_is_refused_with_the_reason_kept(client):
    night = make_night(players=4, rounds=1, finish=True)
    signed_in(client, night)
    events.reopen_event(night.event, by=BY, reason="first")

    response = client.post(url(night.event, "reopen"), {"reason": "a score was misread"})

    assert response.status_code == 409
    assert "isn’t finished" in response.content.decode()
    assert 'value="a score was misread"' in response.content.decode()
