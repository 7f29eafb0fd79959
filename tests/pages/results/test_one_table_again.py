"""A result that is there already: two people at once, corrections, rounds that are closed, drafts."""

import re

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import BY, make_night
from tests.support.result_forms import CORRECTION, TIME, facts_at, table_url, text_of
from tests.support.tables import enter, names_at, on_time
from tourney.actions import events, results, rounds
from tourney.models import Result

pytestmark = pytest.mark.django_db


# one table: two people at once


def test_what_somebody_else_entered_is_shown_beside_what_was_typed(desk, night):
    enter(night.event, 1, on_time(35, 55))

    response = desk.post(table_url(night, 1), TIME)

    first, second = names_at(night.event, 1)
    page = text_of(response)
    assert response.status_code == 409
    assert "Not saved. test entered a result for table 1" in page
    assert "Detail Saved by test at 18:45 Yours, not saved How it ended Time Time" in page
    assert f"{first}’s SP left 35 35 {second}’s SP left 55 50 differs" in page
    assert facts_at(night.event, 1) == ("time", "", 35, 55, 1)


def test_saving_again_after_a_conflict_corrects_what_is_stored(desk, night):
    enter(night.event, 1, on_time(35, 55))
    page = desk.post(table_url(night, 1), TIME).content.decode()
    version = re.search(r'name="version" value="(\d+)"', page)[1]
    assert 'name="sp_left_b" value="50"' in page

    response = desk.post(table_url(night, 1), {**TIME, "version": version})

    assert response.status_code == 302
    assert facts_at(night.event, 1) == ("time", "", 35, 50, 2)


def test_a_correction_of_a_result_taken_back_meanwhile_is_shown_and_can_be_saved_again(desk, night):
    enter(night.event, 1, on_time(35, 55))
    results.remove_result(night.event, 1, 1, version=1, by=BY)

    response = desk.post(table_url(night, 1), {**TIME, "version": "1"})

    assert response.status_code == 409
    assert "Not saved. This result was cleared." in text_of(response)
    assert 'name="version" value="0"' in response.content.decode()


# one table: correcting and taking back


def test_a_stored_result_comes_back_into_the_form_and_is_corrected_in_one_step(desk, night):
    played = Played(Ending.TIME, (Side(35, adjustment=-5), Side(50, (("ds9", 1),))))
    enter(night.event, 1, played, ruling="slow play")

    page = desk.get(table_url(night, 1)).content.decode()
    response = desk.post(table_url(night, 1), {**TIME, "sp_left_b": "60", "version": "1"})

    for field in (
        'name="sp_left_a" value="35"',
        'name="sp_left_b" value="50"',
        'name="adjustment_a" value="-5"',
        'name="ruling" value="slow play"',
        'name="version" value="1"',
        'name="ending" value="time" id="id_ending_2" checked',
        'id="id_tally_ds9_b" checked',
    ):
        assert field in page
    assert response.status_code == 302
    assert facts_at(night.event, 1) == ("time", "", 35, 60, 2)


def test_a_result_of_the_round_in_play_is_taken_back(desk, night):
    enter(night.event, 1, on_time(35, 50))

    response = desk.post(table_url(night, 1), {"take_back": "1", "version": "1"})

    assert response.url == table_url(night, 1)
    assert "The result of table 1 is removed." in text_of(desk.get(response.url))
    assert not Result.objects.exists()


def test_a_result_that_changed_meanwhile_is_not_taken_back(desk, night):
    enter(night.event, 1, on_time(35, 50))
    enter(night.event, 1, on_time(35, 55), version=1)

    response = desk.post(table_url(night, 1), {"take_back": "1", "version": "1"})

    assert response.status_code == 409
    assert facts_at(night.event, 1) == ("time", "", 35, 55, 2)


def test_what_was_taken_back_already_says_so(desk, night):
    response = desk.post(table_url(night, 1), {"take_back": "1", "version": "1"})

    assert response.status_code == 409
    assert "Nothing changed. Table 1 has no result." in text_of(response)


def test_a_correction_of_a_closed_round_asks_for_its_reason_and_shows_its_effect_first(client, closed):
    client.force_login(closed.organizer)

    page = text_of(client.get(table_url(closed, 1)))
    without = client.post(table_url(closed, 1), CORRECTION)
    response = client.post(table_url(closed, 1), {**CORRECTION, "reason": "miscounted"})

    assert "Round 1 is closed. You review everything a correction changes before you save it" in page
    assert "Remove result" not in page
    assert without.status_code == 422
    assert "Give a reason: the round is closed, and the journal keeps it." in text_of(without)
    assert "Review correction" in text_of(response)
    assert facts_at(closed.event, 1)[2] == 60


def test_a_missing_reason_does_not_hide_the_sum(client, closed):
    client.force_login(closed.organizer)

    response = client.post(
        table_url(closed, 1), {**CORRECTION, "preview": "1"}, headers={"HX-Request": "true", "HX-Target": "preview"}
    )

    assert "wins, 100 Fleet Points to 80." in text_of(response)


def test_a_judge_sees_a_result_of_a_closed_round_and_is_told_who_can_correct_it(client, closed):
    client.force_login(closed.judge)
    first, _ = names_at(closed.event, 1)

    page = client.get(table_url(closed, 1))
    response = client.post(table_url(closed, 1), {**CORRECTION, "reason": "miscounted"})

    assert "Round 1 is closed. Only an organizer can edit this result now." in text_of(page)
    assert f"How it ended One fleet eliminated Out {names_at(closed.event, 1)[1]} {first}’s SP left 60" in text_of(page)
    assert 'name="sp_left_a"' not in page.content.decode()
    assert response.status_code == 409
    assert facts_at(closed.event, 1)[2] == 60


def test_a_judge_reads_the_results_of_a_finished_event_and_corrects_none(client, closed):
    events.finish_event(closed.event, by=BY, reason="the shop closes")
    client.force_login(closed.judge)

    page = client.get(table_url(closed, 1))
    response = client.post(table_url(closed, 1), {**CORRECTION, "reason": "miscounted"})

    assert "The event is finished. Only an organizer can edit this result now." in text_of(page)
    assert response.status_code == 409
    assert facts_at(closed.event, 1)[2] == 60


def test_a_draft_shows_no_form_yet(client):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    client.force_login(night.organizer)

    page = text_of(client.get(table_url(night, 1)))

    assert "Round 1 is still a draft. Publish it to enter results." in page
    assert "How did it end?" not in page
    assert client.post(table_url(night, 1), TIME).status_code == 409
