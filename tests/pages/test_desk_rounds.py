"""Rounds that are played, at the desk: results, the clock, closing."""

from random import Random

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import BY, make_night
from tests.support.rounds_at_the_desk import drafted, signed_in, url
from tourney.actions import results, roll_offs, simulation
from tourney.models import JournalEntry
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# played rounds


def test_a_round_in_play_links_to_its_results(client):
    night = make_night(players=4, open_round=True, tables=1)

    page = signed_in(client, night).get(url(night.event, "round", 1)).content.decode()

    assert f'href="{url(night.event, "results", 1)}"' in page
    assert f'href="{url(night.event, "close", 1)}"' in page
    assert f'href="{url(night.event, "result", 1, 2)}"' in page
    assert "Why?" in page


def test_a_past_round_stays_and_its_results_can_be_corrected(client):
    night = make_night(players=4, rounds=2)

    page = signed_in(client, night).get(url(night.event, "round", 1)).content.decode()

    assert "You can still edit a result at its table" in page
    assert f'href="{url(night.event, "result", 1, 1)}"' in page
    assert f'href="{url(night.event, "standings_after", 1)}"' in page


# the clock


def test_the_clock_is_started_paused_and_extended_and_the_desk_comes_back(client):
    night = make_night(players=4, open_round=True)
    signed_in(client, night)
    clock = url(night.event, "clock", 1)

    answers = [client.post(clock, data) for data in ({"do": "pause"}, {"minutes": "5"}, {"do": "start"})]

    assert [answer.headers["Location"] for answer in answers] == [url(night.event, "desk")] * 3
    did = JournalEntry.objects.filter(event=night.event).order_by("-pk").values_list("did", flat=True)[:3]
    assert list(did) == ["start_clock", "extend_clock", "pause_clock"]


def test_the_clock_on_the_rounds_page_comes_back_there(client):
    night = make_night(players=4, open_round=True)

    response = signed_in(client, night).post(url(night.event, "clock", 1), {"minutes": "-1", "back": "round"})

    assert response.headers["Location"] == url(night.event, "round", 1)


@pytest.mark.parametrize("minutes", ["", "0", "soon", "1000"])
def test_minutes_that_make_no_sense_are_asked_for_again(client, minutes):
    night = make_night(players=4, open_round=True)
    before = JournalEntry.objects.count()

    response = signed_in(client, night).post(url(night.event, "clock", 1), {"minutes": minutes, "reason": "fire drill"})

    assert response.status_code == 422
    assert 'value="fire drill"' in response.content.decode()
    assert JournalEntry.objects.count() == before


def test_starting_a_running_clock_is_refused(client):
    night = make_night(players=4, open_round=True)

    response = signed_in(client, night).post(url(night.event, "clock", 1), {"do": "start"})

    assert response.status_code == 409
    assert "The round 1 clock is already running." in response.content.decode()


# close


def test_the_page_before_closing_lists_what_is_missing_and_has_no_button(client):
    night = make_night(players=5, open_round=True, tables=1)

    page = signed_in(client, night).get(url(night.event, "close", 1)).content.decode()

    assert "1 thing left to do" in page
    assert f'<a href="{url(night.event, "result", 1, 2)}">Table 2, ' in page
    assert "they are added once every result is in." in " ".join(page.split())
    assert ">Close round 1</button>" not in page


def test_the_fleet_points_of_the_bye_are_shown_as_the_sum_that_they_are(client):
    """Rule 2.10."""
    night = make_night(players=5, open_round=True)
    for table, left in ((1, 30), (2, 45)):
        played = Played(Ending.ELIMINATION, (Side(left), Side(0)), out=1)
        results.report_result(night.event, 1, table, results.ResultInput(played), version=0, by=BY)

    page = signed_in(client, night).get(url(night.event, "close", 1)).content.decode()

    total = " ".join(page[page.index('<dl class="sum">') : page.index("</dl>")].split())
    assert "<dt>Average of 4 others: (100+70+100+55) / 4 = 81.25, rounded up</dt> <dd> 82 </dd>" in total
    assert total.endswith('<div class="sum-total"> <dt>Fleet Points</dt> <dd> 82 </dd> </div>')


def test_roll_offs_that_are_done_are_shown_with_their_order(client):
    night = make_night(players=4, open_round=True)
    for table in (1, 2):
        played = Played(Ending.ELIMINATION, (Side(40), Side(0)), out=1)
        results.report_result(night.event, 1, table, results.ResultInput(played), version=0, by=BY)
    state = state_of(night.event)
    first, second = state.ties(1)
    roll_offs.roll_dice(night.event, 1, "standing", first, {first[0]: 1, first[1]: 3}, by=BY)

    page = signed_in(client, night).get(url(night.event, "close", 1)).content.decode()

    names = state.names
    assert f"Order: {names[first[1]]} and {names[first[0]]}" in page
    assert f'href="{url(night.event, "roll_off", 1, "standing", "-".join(map(str, second)))}"' in page


def test_one_press_closes_the_round_and_the_second_says_so(client):
    night = make_night(players=5, open_round=True, tables=2)
    simulation.roll_off_tables(night.event, random=Random(1), by=BY)
    simulation.roll_off_standings(night.event, random=Random(1), by=BY)
    signed_in(client, night)

    first = client.post(url(night.event, "close", 1))
    again = client.post(url(night.event, "close", 1))

    assert first.headers["Location"] == url(night.event, "desk")
    assert again.status_code == 409
    assert "Round 1 is already closed." in again.content.decode()
    assert "Points of round 1" in " ".join(client.get(url(night.event, "close", 1)).content.decode().split())


def test_closing_too_early_is_refused_with_everything_that_is_missing(client):
    night = make_night(players=4, open_round=True)

    response = signed_in(client, night).post(url(night.event, "close", 1))

    page = response.content.decode()
    assert response.status_code == 409
    assert "Table 1 has no result yet." in page
    assert "Table 2 has no result yet." in page


def test_a_draft_has_nothing_to_close(client):
    night = drafted()

    response = signed_in(client, night).get(url(night.event, "close", 1))

    assert response.headers["Location"] == url(night.event, "round", 1)
