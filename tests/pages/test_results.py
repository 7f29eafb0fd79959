"""Entering results at the desk: one table with its sum in sight, or a whole round by keyboard."""

import html
import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from fleets.domain.sheet import Sheet
from scoring.domain.points import Ending, Played, Side
from tests.support.built_fleets import night_with_fleets, two_ships
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter, match_at, names_at, on_time
from tourney.actions import events, reports, results, rounds, sign_off
from tourney.models import Event, JournalEntry, Result

pytestmark = pytest.mark.django_db

TIME = {"ending": "time", "sp_left_a": "35", "sp_left_b": "50", "version": "0"}


def table_url(night: Night, table: int, number: int = 1) -> str:
    return reverse("result", args=[night.event.slug, number, table])


def rows_url(night: Night, number: int = 1) -> str:
    return reverse("results", args=[night.event.slug, number])


def row(table: int, **facts: str) -> dict[str, str]:
    """The fields of one row of the fast entry."""
    return {f"t{table}-{name}": value for name, value in {"version": "0", **facts}.items()}


def alone(table: int) -> dict[str, str]:
    """The headers with which one row of the fast entry is sent."""
    return {"HX-Request": "true", "HX-Target": f"row-{table}", "X-Outbox": "1"}


def text_of(response) -> str:
    """What a page says, without its markup, with single spaces."""
    page = re.sub(r"""<head>.*?</head>|<("[^"]*"|[^">])+>""", " ", response.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(page)).strip()


def facts_at(event: Event, table: int) -> tuple:
    result = match_at(event, table).result
    return (result.ending, result.out, result.sp_left_a, result.sp_left_b, result.version)


@pytest.fixture
def night() -> Night:
    """Six players, round 1 in play, no result yet."""
    return make_night(players=6, open_round=True)


@pytest.fixture
def desk(client, night):
    """Signed in as a judge of the store."""
    client.force_login(night.judge)
    return client


# one table: the page


def test_the_page_asks_for_what_the_month_counts_with_its_worth_and_its_reminder(desk, night):
    page = text_of(desk.get(table_url(night, 1)))

    assert "How did it end? One fleet eliminated Both eliminated Time Concession No-show" in page
    assert "Controls Deep Space 9 +20, winner only Only this player has an away team on the station" in page
    assert "of 100 SP" in page
    assert "Scenario end" not in page


def test_a_judges_decision_has_one_way_and_one_name(desk, night):
    page = desk.get(table_url(night, 1)).content.decode()

    assert f'href="{table_url(night, 1)}ruling/">Something wrong?</a>' in page
    assert [field for field in ("double_loss", "adjustment_a", 'name="ruling"') if field in page] == []


def test_what_a_ruling_left_at_a_table_is_corrected_where_it_stands(desk, night):
    enter(night.event, 1, Played(Ending.DOUBLE_LOSS, (Side(50), Side(50))), ruling="a brawl")

    page = desk.get(table_url(night, 1)).content.decode()

    assert [field for field in ("double_loss", "adjustment_a", 'name="ruling" value="a brawl"') if field in page] == [
        "double_loss",
        "adjustment_a",
        'name="ruling" value="a brawl"',
    ]


def test_where_the_scenario_can_end_a_battle_the_page_says_when(client):
    night = make_night(players=4, open_round=True, pack="classic-movies-3")
    client.force_login(night.organizer)

    page = text_of(client.get(table_url(night, 1)))

    assert "Scenario end Concession No-show Neither came Scenario end: the probe leaves." in page


def test_where_bonuses_are_not_known_the_page_says_how_to_add_them(client):
    night = make_night(players=4, open_round=True, pack="dominion-war-3")
    client.force_login(night.organizer)

    page = text_of(client.get(table_url(night, 1)))

    assert "Bonuses of the printed overview They are not known here: type what they come to" in page
    assert "Double loss" not in page


def test_ranked_win_conditions_are_offered_for_both_players(client):
    night = make_night(players=4, open_round=True, pack="chronological-chaos")
    client.force_login(night.organizer)
    first, second = names_at(night.event, 1)
    facts = {"ending": "time", "sp_left_a": "10", "sp_left_b": "90", "condition": "b1"}

    page = text_of(client.get(table_url(night, 1)))
    client.post(table_url(night, 1), facts)

    assert f"None of them {first}: most ships with four tokens {second}: most ships with four tokens" in page
    assert match_at(night.event, 1).played.condition == (1, 1)


@pytest.mark.parametrize(("number", "table"), [(1, 4), (1, 0), (2, 1)])
def test_a_table_that_is_not_there_is_not_found(desk, night, number, table):
    assert desk.get(table_url(night, table, number)).status_code == 404


def test_the_bye_has_no_result_to_enter(client):
    night = make_night(players=5, open_round=True)
    client.force_login(night.judge)

    assert client.get(table_url(night, 3)).status_code == 404


# one table: before saving


def check(client, night: Night, table: int = 1, part: bool = True, **facts: str):
    headers = {"HX-Request": "true", "HX-Target": "preview"} if part else {}
    return client.post(table_url(night, table), {**TIME, **facts, "preview": "1"}, headers=headers)


def test_before_saving_the_page_shows_both_sums_the_winner_and_why(desk, night):
    first, second = names_at(night.event, 1)
    factions = [entrant.faction for entrant in match_at(night.event, 1).entrants]

    response = check(desk, night, tally_ds9_b="on")

    assert response.status_code == 200
    assert text_of(response) == (
        f"{second} wins, 85 Fleet Points to 50. "
        f"{factions[0]} {first} 1 BP 100 SP limit 100 SP left in {second}'s surviving fleet −50 Fleet Points 50 "
        f"{factions[1]} {second} wins 2 BP 100 SP limit 100 SP left in {first}'s surviving fleet −35 "
        f"Controls Deep Space 9 +20 Fleet Points 85 "
        f"Time was called; {second} has 65 Fleet Points to {first}'s 50, counting only what decides the winner. "
        f"{second} wins, 85 Fleet Points to 50."
    )


def test_looking_at_the_sum_saves_nothing(desk, night):
    check(desk, night)
    check(desk, night, part=False)

    assert not Result.objects.exists()
    assert JournalEntry.objects.filter(event=night.event, did="report_result").count() == 0


def test_the_part_is_the_sum_alone_and_refreshes_itself(desk, night):
    page = check(desk, night).content.decode()

    assert page.lstrip().startswith('<section id="preview"')
    assert "<html" not in page


def test_while_something_is_missing_the_part_says_what_is_still_to_do(desk, night):
    first, _ = names_at(night.event, 1)

    response = check(desk, night, sp_left_a="")

    assert response.status_code == 200
    assert text_of(response) == f"Still to do Enter the SP left in {first}'s surviving fleet."


def test_without_javascript_a_button_checks_the_sum_and_keeps_what_was_typed(desk, night):
    _, second = names_at(night.event, 1)

    response = check(desk, night, part=False)

    page = response.content.decode()
    assert response.status_code == 200
    assert f"{second} wins, 65 Fleet Points to 50." in page
    assert 'name="sp_left_a" value="35"' in page
    assert 'name="preview" value="1">Check the sum</button>' in page


def test_level_points_say_before_saving_that_the_table_rolls_off(desk, night):
    response = check(desk, night, sp_left_b="35")

    assert "both have 65 Fleet Points, so the table rolls off." in text_of(response)


def test_a_no_show_is_worth_the_mean_of_the_others_once_the_round_is_complete(desk, night):
    """Rule 2.11."""
    first, second = names_at(night.event, 1)

    response = check(desk, night, ending="no_show", out="b")

    assert f"{second} did not come, so {first} scores like a bye." in text_of(response)
    assert "Fleet Points the others’ mean, when the round is complete" in text_of(response)


# one table: saving


@pytest.mark.parametrize(
    ("typed", "facts"),
    [
        ({"ending": "elimination", "out": "b", "sp_left_a": "60"}, ("elimination", "b", 60, 0, 1)),
        ({"ending": "both_eliminated"}, ("both_eliminated", "", 0, 0, 1)),
        ({"ending": "time", "sp_left_a": "35", "sp_left_b": "50"}, ("time", "", 35, 50, 1)),
        ({"ending": "concession", "out": "a", "sp_left_b": "80"}, ("concession", "a", 0, 80, 1)),
        ({"ending": "no_show", "out": "a"}, ("no_show", "a", 0, 0, 1)),
    ],
)
def test_every_ending_is_saved_with_what_it_asks_for(desk, night, typed, facts):
    response = desk.post(table_url(night, 1), typed)

    assert response.status_code == 302
    assert facts_at(night.event, 1) == facts


def test_what_the_ending_does_not_ask_for_is_ignored_because_the_page_hides_it(desk, night):
    typed = {"ending": "elimination", "out": "a", "sp_left_a": "35", "sp_left_b": "50"}

    desk.post(table_url(night, 1), typed)
    desk.post(table_url(night, 2), {**TIME, "out": "a"})
    desk.post(table_url(night, 3), {**TIME, "ending": "no_show", "out": "a", "tally_ds9_b": "on"})

    assert [facts_at(night.event, table)[:4] for table in (1, 2, 3)] == [
        ("elimination", "a", 0, 50),
        ("time", "", 35, 50),
        ("no_show", "a", 0, 0),
    ]
    assert match_at(night.event, 3).result.tallies_b == {}


def test_after_saving_the_desk_goes_on_at_the_next_table_without_a_result(desk, night):
    _, second = names_at(night.event, 2)

    response = desk.post(table_url(night, 2), TIME)

    assert response.url == reverse("desk", args=[night.event.slug]) + "#table-1-3"
    page = desk.get(reverse("desk", args=[night.event.slug]))
    assert f"Table 2: {second} wins, 65 Fleet Points to 50." in text_of(page)
    assert 'id="table-1-3"' in page.content.decode()


def test_after_the_last_table_it_goes_back_to_the_first_one_missing_and_then_just_to_the_desk(desk, night):
    home = reverse("desk", args=[night.event.slug])

    urls = [desk.post(table_url(night, table), TIME).url for table in (3, 2, 1)]

    assert urls == [f"{home}#table-1-1", f"{home}#table-1-1", home]


def test_a_level_table_goes_on_with_the_roll_off_on_the_same_page(desk, night):
    response = desk.post(table_url(night, 1), {**TIME, "sp_left_b": "35"})
    page = text_of(desk.get(response.url))

    assert response.url == table_url(night, 1)
    assert "Table 1 is saved. It is level, so the dice decide: roll off now." in page
    assert "Roll-off at the table Throw 1" in page


@pytest.mark.parametrize(
    ("typed", "sentences"),
    [
        ({}, ["Choose how the match ended."]),
        ({"ending": "time", "sp_left_a": "35"}, ["Enter the SP left in {b}'s surviving fleet."]),
        ({"ending": "elimination", "sp_left_a": "35"}, ["Say whose fleet was eliminated: {a} or {b}."]),
        ({"ending": "concession"}, ["Say who conceded: {a} or {b}."]),
        ({"ending": "no_show"}, ["Say who did not come: {a} or {b}."]),
        ({"ending": "scenario"}, ["Select a valid choice. scenario is not one of the available choices."]),
        (
            {"ending": "time", "sp_left_a": "101", "sp_left_b": "-1"},
            [
                "101 SP cannot be left of {a}'s fleet: the limit is 100. Count the surviving fleet again.",
                "SP left of {b} is -1. Enter 0 or more.",
            ],
        ),
        ({"ending": "time", "sp_left_a": "many", "sp_left_b": "3.5"}, ["Enter a whole number."]),
        (
            {"ending": "time", "sp_left_a": "0", "sp_left_b": "50"},
            ["{a} has no SP left, so that fleet was eliminated. Choose 'eliminated', or enter what is left."],
        ),
        (
            {**TIME, "tally_ds9_a": "on"},
            ["Only the winner scores 'Controls Deep Space 9', and {a} did not win."],
        ),
        (
            {**TIME, "tally_ds9_a": "on", "tally_ds9_b": "on"},
            ["'Controls Deep Space 9' is ticked for both players, but only one can have it. Clear one of them."],
        ),
        ({**TIME, "adjustment_a": "−10"}, ["Say why: a ruling needs its reason (rule 2.12)."]),
        ({**TIME, "adjustment_a": "5000"}, ["Enter 1000 or less."]),
        ({"ending": "double_loss", "sp_left_a": "50", "sp_left_b": "50"}, ["Say why: a ruling needs its reason"]),
    ],
)
def test_what_cannot_be_is_refused_in_sentences_and_what_was_typed_stays(desk, night, typed, sentences):
    first, second = names_at(night.event, 1)

    response = desk.post(table_url(night, 1), typed)

    page = text_of(response)
    assert response.status_code == 422
    assert "Not saved yet. Nothing you typed is lost." in page
    for sentence in sentences:
        assert sentence.format(a=first, b=second) in page
    for name in ("sp_left_a", "sp_left_b", "adjustment_a"):
        if name in typed:
            assert f'name="{name}" value="{typed[name]}"' in response.content.decode()
    assert not Result.objects.exists()


def test_more_tokens_than_are_in_play_are_refused(client):
    night = make_night(players=4, open_round=True, pack="temporal-cold-war-2")
    client.force_login(night.judge)
    typed = {**TIME, "tally_mission_tokens_a": "9", "tally_mission_tokens_b": "5"}

    response = client.post(table_url(night, 1), typed)

    assert response.status_code == 422
    assert "Mission Tokens: 9 and 5 make 14, but only 12 are in play. Count again." in text_of(response)


def test_a_ruling_is_saved_with_its_reason(desk, night):
    """Rule 2.12."""
    desk.post(table_url(night, 1), {**TIME, "adjustment_b": "−10", "ruling": "slow play"})
    desk.post(table_url(night, 2), {**TIME, "ending": "double_loss", "ruling": "a brawl"})

    first, second = (match_at(night.event, table) for table in (1, 2))
    assert (first.result.adjustment_b, first.result.ruling, first.winner) == (-10, "slow play", first.b)
    assert (second.result.ending, second.result.ruling, second.winner) == ("double_loss", "a brawl", None)


# one table: two people at once


def test_what_somebody_else_entered_is_shown_beside_what_was_typed(desk, night):
    enter(night.event, 1, on_time(35, 55))

    response = desk.post(table_url(night, 1), TIME)

    first, second = names_at(night.event, 1)
    page = text_of(response)
    assert response.status_code == 409
    assert "Meanwhile test entered a result for table 1" in page
    assert "What Stored, by test at 18:45 Yours, not saved How it ended Time Time" in page
    assert f"SP left, {first} 35 35 SP left, {second} 55 50 differs" in page
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
    results.take_back_result(night.event, 1, 1, version=1, by=BY)

    response = desk.post(table_url(night, 1), {**TIME, "version": "1"})

    assert response.status_code == 409
    assert "Meanwhile this result was taken back." in text_of(response)
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
    assert "The result of table 1 is taken back." in text_of(desk.get(response.url))
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
    assert "Table 1 has no result (any more). Nothing was changed." in text_of(response)


# one table: closed rounds, drafts, finished events


@pytest.fixture
def closed() -> Night:
    """Four players without allegiance; round 1 is closed: 100 to 40 and 70 to 50."""
    night = make_night(players=4, open_round=True, pack="temporal-cold-war-2")
    enter(night.event, 1, eliminated(left=60))
    enter(night.event, 2, on_time(50, 30))
    rounds.close_round(night.event, 1, by=BY)
    return night


CORRECTION = {"ending": "elimination", "out": "b", "sp_left_a": "20", "version": "1"}


def test_a_correction_of_a_closed_round_asks_for_its_reason_and_shows_its_effect_first(client, closed):
    client.force_login(closed.organizer)

    page = text_of(client.get(table_url(closed, 1)))
    without = client.post(table_url(closed, 1), CORRECTION)
    response = client.post(table_url(closed, 1), {**CORRECTION, "reason": "miscounted"})

    assert "Round 1 is closed. You see everything that a correction changes before it is saved" in page
    assert "Take the result back" not in page
    assert without.status_code == 422
    assert "Say why: the round is closed, and the journal keeps the reason." in text_of(without)
    assert "What the correction changes" in text_of(response)
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

    assert "Round 1 is closed. Only an organizer can correct this result now." in text_of(page)
    assert f"How it ended One fleet eliminated Out {names_at(closed.event, 1)[1]} SP left, {first} 60" in text_of(page)
    assert 'name="sp_left_a"' not in page.content.decode()
    assert response.status_code == 409
    assert facts_at(closed.event, 1)[2] == 60


def test_a_judge_reads_the_results_of_a_finished_event_and_corrects_none(client, closed):
    events.finish_event(closed.event, by=BY, reason="the shop closes")
    client.force_login(closed.judge)

    page = client.get(table_url(closed, 1))
    response = client.post(table_url(closed, 1), {**CORRECTION, "reason": "miscounted"})

    assert "The event is finished. Only an organizer can correct this result now." in text_of(page)
    assert response.status_code == 409
    assert facts_at(closed.event, 1)[2] == 60


def test_a_draft_shows_no_form_yet(client):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    client.force_login(night.organizer)

    page = text_of(client.get(table_url(night, 1)))

    assert "Round 1 is still a draft. Results can be entered once it is published." in page
    assert "How did it end?" not in page
    assert client.post(table_url(night, 1), TIME).status_code == 409


# a whole round by keyboard


def test_the_whole_round_is_saved_at_once_and_the_desk_goes_on(desk, night):
    typed = {
        **row(1, ending="elimination", out="b", sp_left_a="60"),
        **row(2, ending="time", sp_left_a="35", sp_left_b="50", tally_ds9_b="on"),
        **row(3, ending="both_eliminated"),
    }

    response = desk.post(rows_url(night), typed)

    assert response.url == reverse("desk", args=[night.event.slug])
    page = text_of(desk.get(response.url))
    assert "Saved: tables 1, 2 and 3." in page
    assert "Level, so roll off: table 3." in page
    assert [facts_at(night.event, table)[:4] for table in (1, 2, 3)] == [
        ("elimination", "b", 60, 0),
        ("time", "", 35, 50),
        ("both_eliminated", "", 0, 0),
    ]
    assert match_at(night.event, 2).result.tallies_b == {"ds9": 1}


def test_only_rows_that_are_filled_in_are_saved(desk, night):
    typed = {**row(1, ending="", sp_left_a=""), **row(2, ending="time", sp_left_a="35", sp_left_b="50"), **row(3)}

    response = desk.post(rows_url(night), typed)

    assert response.url == rows_url(night)
    assert "Saved: table 2." in text_of(desk.get(response.url))
    assert [match_at(night.event, table).state for table in (1, 2, 3)] == ["playing", "done", "playing"]


def test_nothing_typed_saves_nothing_and_says_so(desk, night):
    enter(night.event, 1, on_time(35, 50))
    same = row(1, ending="time", sp_left_a="35", sp_left_b="50", version="1")

    response = desk.post(rows_url(night), {**same, **row(2), **row(3)})

    assert "Nothing new was typed, so nothing was saved." in text_of(desk.get(response.url))
    assert match_at(night.event, 1).version == 1


def test_a_wrong_row_stays_as_typed_with_its_sentence_and_the_others_are_saved(desk, night):
    first, _ = names_at(night.event, 2)
    typed = {
        **row(1, ending="time", sp_left_a="35", sp_left_b="50"),
        **row(2, ending="time", sp_left_a="350", sp_left_b="50"),
        **row(3, ending="", sp_left_a="12", sp_left_b=""),
    }

    response = desk.post(rows_url(night), typed)

    page = text_of(response)
    assert response.status_code == 422
    assert "Saved: table 1." in page
    assert "These tables are not saved yet. Nothing you typed is lost." in page
    assert f"Table 2 : 350 SP cannot be left of {first}'s fleet: the limit is 100." in page
    assert "Table 3 : Choose how the match ended." in page
    assert 'name="t2-sp_left_a" value="350"' in response.content.decode()
    assert 'name="t3-sp_left_a" value="12"' in response.content.decode()
    assert 'name="t1-version" value="1"' in response.content.decode()
    assert Result.objects.count() == 1


def test_a_stored_row_is_corrected_in_place(desk, night):
    enter(night.event, 1, on_time(35, 50))

    desk.post(rows_url(night), row(1, ending="time", sp_left_a="35", sp_left_b="60", version="1"))

    assert facts_at(night.event, 1) == ("time", "", 35, 60, 2)


def test_a_row_with_a_ruling_keeps_it_when_something_else_is_corrected(desk, night):
    enter(night.event, 1, Played(Ending.TIME, (Side(35, adjustment=-5), Side(50))), ruling="slow play")
    page = desk.get(rows_url(night)).content.decode()
    assert 'name="t1-adjustment_a" value="-5"' in page

    desk.post(
        rows_url(night),
        row(1, ending="time", sp_left_a="35", sp_left_b="60", adjustment_a="-5", ruling="slow play", version="1"),
    )

    result = match_at(night.event, 1).result
    assert (result.sp_left_b, result.adjustment_a, result.ruling) == (60, -5, "slow play")


def test_a_row_that_somebody_else_saved_first_shows_what_is_stored_and_can_be_saved_again(desk, night):
    enter(night.event, 1, on_time(35, 55))
    typed = {**row(1, ending="time", sp_left_a="35", sp_left_b="50"), **row(2, ending="both_eliminated")}

    response = desk.post(rows_url(night), typed)

    first, second = names_at(night.event, 1)
    page = text_of(response)
    assert response.status_code == 409
    assert "Meanwhile test entered a result for table 1" in page
    assert (
        f"test at 18:45 You typed How it ended Time Time SP left, {first} 35 35 SP left, {second} 55 50 differs" in page
    )
    assert "Replace it with mine Keep what is there" in page
    assert 'name="t1-sp_left_b" value="50"' in response.content.decode()
    assert 'name="t1-version" value="1"' in response.content.decode()
    assert match_at(night.event, 2).state == "level"

    desk.post(rows_url(night), row(1, ending="time", sp_left_a="35", sp_left_b="50", version="1"))
    assert facts_at(night.event, 1) == ("time", "", 35, 50, 2)


def test_what_is_there_can_be_kept_instead_of_what_was_typed(desk, night):
    enter(night.event, 1, on_time(35, 55))
    typed = {**row(1, ending="time", sp_left_a="35", sp_left_b="50"), **row(2, ending="both_eliminated"), "keep": "1"}

    response = desk.post(rows_url(night), typed)

    assert response.status_code == 302
    assert facts_at(night.event, 1) == ("time", "", 35, 55, 1)
    assert match_at(night.event, 2).state == "level"


def test_a_row_that_is_sent_twice_is_saved_once_and_no_conflict(desk, night):
    typed = row(1, ending="time", sp_left_a="35", sp_left_b="50")

    answers = [desk.post(rows_url(night), typed, headers=alone(1)) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert facts_at(night.event, 1) == ("time", "", 35, 50, 1)
    assert JournalEntry.objects.filter(did="report_result").count() == 1


def test_a_row_alone_is_answered_with_the_row_as_it_is_now(desk, night):
    _, second = names_at(night.event, 1)

    saved = desk.post(rows_url(night), row(1, ending="time", sp_left_a="35", sp_left_b="50"), headers=alone(1))
    wrong = desk.post(rows_url(night), row(2, ending="time", sp_left_a="350", sp_left_b="50"), headers=alone(2))
    late = desk.post(rows_url(night), row(1, ending="time", sp_left_a="35", sp_left_b="60"), headers=alone(1))
    kept = desk.post(rows_url(night), {**row(1, ending="time", sp_left_a="35"), "keep": "1"}, headers=alone(1))

    assert [one.status_code for one in (saved, wrong, late, kept)] == [200, 422, 409, 200]
    assert all(one.content.decode().lstrip().startswith("<fieldset") for one in (saved, wrong, late, kept))
    assert f"{second} wins, 65 Fleet Points to 50." in text_of(saved)
    assert "350 SP cannot be left" in text_of(wrong)
    assert "Replace it with mine Keep what is there" in text_of(late)
    assert 'name="t1-version" value="1"' in saved.content.decode()
    assert text_of(kept) == text_of(saved)
    assert "Saved" not in text_of(desk.get(rows_url(night)))


def test_a_row_of_a_round_that_was_closed_meanwhile_says_so(client):
    night = make_night(players=4, rounds=1)
    client.force_login(night.judge)

    answer = client.post(rows_url(night), row(1, ending="time", sp_left_a="1", sp_left_b="2"), headers=alone(1))

    assert answer.status_code == 409
    assert "Round 1 is closed. Only an organizer can correct this result now. Keep what is there" in text_of(answer)


def test_what_the_players_report_stands_in_the_row_with_the_way_to_take_it(desk, night):
    pairs = [match_at(night.event, table).entrants for table in (1, 2, 3)]
    for table, words in ((0, (on_time(30, 20),)), (1, (on_time(30, 20), on_time(20, 30))), (2, (on_time(30, 20),) * 2)):
        for entrant, played in zip(pairs[table], words, strict=False):
            reports.report(night.event, 1, entrant.number, played, by=BY)

    page = text_of(desk.get(rows_url(night)))

    (a, b), (c, d), _ = pairs
    assert f"Reported by one {a} reported: {a} wins, 80 Fleet Points to 70. Waiting for {b}. Take it : table 1" in page
    disputed = f"{c} reported: {c} wins, 80 Fleet Points to 70. {d} reported: {d} wins, 80 Fleet Points to 70."
    assert f"In dispute {disputed} Decide : table 2" in page
    assert "Open table 3 Agreed" in page


def test_a_row_left_empty_is_left_alone_though_somebody_else_filled_it_meanwhile(desk, night):
    enter(night.event, 1, on_time(35, 55))

    response = desk.post(
        rows_url(night), {**row(1, ending="", out="", sp_left_a=""), **row(2, ending="both_eliminated")}
    )

    assert response.status_code == 302
    assert facts_at(night.event, 1) == ("time", "", 35, 55, 1)
    assert match_at(night.event, 2).state == "level"


def test_a_row_shows_its_sum_while_it_is_typed_and_saves_nothing(desk, night):
    _, second = names_at(night.event, 2)
    typed = {**row(2, ending="time", sp_left_a="35", sp_left_b="50", tally_ds9_b="on"), "preview": "2"}

    response = desk.post(rows_url(night), typed, headers={"HX-Request": "true", "HX-Target": "preview-2"})

    assert text_of(response) == f"{second} wins, 85 Fleet Points to 50. 1: 100 −50 = 50 2: 100 −35 +20 = 85"
    assert response.content.decode().lstrip().startswith('<p id="preview-2"')
    assert not Result.objects.exists()


def test_a_row_says_what_is_missing_while_it_is_typed(desk, night):
    _, second = names_at(night.event, 2)
    typed = {**row(2, ending="time", sp_left_a="35", sp_left_b=""), "preview": "2"}

    response = desk.post(rows_url(night), typed, headers={"HX-Request": "true", "HX-Target": "preview-2"})

    assert text_of(response) == f"Enter the SP left in {second}'s surviving fleet."


def test_without_javascript_a_button_checks_all_sums(desk, night):
    _, second = names_at(night.event, 1)
    typed = {**row(1, ending="time", sp_left_a="35", sp_left_b="50"), "preview": "all"}

    response = desk.post(rows_url(night), typed)

    assert response.status_code == 200
    assert f"{second} wins, 65 Fleet Points to 50." in text_of(response)
    assert not Result.objects.exists()


def test_the_first_table_without_a_result_has_the_focus(desk, night):
    enter(night.event, 1, on_time(35, 50))

    page = desk.get(rows_url(night)).content.decode()

    assert re.findall(r'<select name="([^"]+)"[^>]* autofocus', page) == ["t2-ending"]


def test_the_endings_of_the_fast_entry_start_with_letters_of_their_own(client):
    night = make_night(players=4, open_round=True, pack="classic-movies-3")
    client.force_login(night.judge)

    page = text_of(client.get(rows_url(night)))

    assert (
        "E eliminated, one fleet B both eliminated T time S scenario end C concession N no-show "
        "Tab next field Enter save, next table Ctrl Enter save all"
    ) in page


def test_a_double_loss_is_not_typed_in_a_row(desk, night):
    enter(night.event, 1, Played(Ending.DOUBLE_LOSS, (Side(50), Side(50))), ruling="a brawl")

    page = desk.get(rows_url(night))

    assert "This ending is not entered here: open the table to change it." in text_of(page)
    assert 'name="t1-ending"' not in page.content.decode()


@pytest.mark.parametrize("who", ["judge", "organizer"])
def test_the_rows_of_a_closed_round_are_read_only(client, closed, who):
    client.force_login(getattr(closed, who))

    page = client.get(rows_url(closed))
    response = client.post(rows_url(closed), row(1, ending="both_eliminated", version="1"))

    assert "Round 1 is closed" in text_of(page)
    assert 'name="t1-ending"' not in page.content.decode()
    assert response.status_code == 302
    assert facts_at(closed.event, 1) == ("elimination", "b", 60, 0, 1)


def test_a_round_that_does_not_exist_has_no_rows(desk, night):
    assert desk.get(rows_url(night, 2)).status_code == 404


@pytest.mark.parametrize("url_of", [lambda night: table_url(night, 1), rows_url], ids=["one table", "all tables"])
def test_the_number_of_queries_does_not_grow_with_the_tables(client, url_of):
    few = make_night(players=4, open_round=True, tables=1)
    many = make_night(players=32, open_round=True, tables=8, store=few.store)
    client.force_login(few.owner)
    counts = []
    for night in (few, few, many):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url_of(night)).status_code == 200
        counts.append(len(queries))

    assert counts[1] == counts[2]


def test_a_table_to_which_neither_came_is_settled_so_that_the_round_can_be_closed(client):
    night = make_night(players=4, open_round=True)
    client.force_login(night.judge)
    page = reverse("result", args=[night.event.slug, 1, 1])

    answer = client.post(page, {"version": 0, "ending": "neither_came"})

    match = match_at(night.event, 1)
    assert answer.status_code == 302
    assert [(score.battle_points, score.fleet_points) for score in match.score.scores] == [(0, 0), (0, 0)]
    assert match.state == "done"


# one table: SP left from what was destroyed


@pytest.fixture
def fleets() -> Night:
    """Four players with the same fleet of 82 SP, round 1 in play."""
    return night_with_fleets()


@pytest.fixture
def judge(client, fleets):
    client.force_login(fleets.judge)
    return client


@pytest.fixture
def organizer(client, fleets):
    client.force_login(fleets.organizer)
    return client


def marks_at(night: Night, table: int = 1) -> list[list[int]]:
    return [sorted(lines) for lines in match_at(night.event, table).destroyed]


# Kestrel 24 (Captain Vor 5, Quill 2, Darts 5), Lark 22 (Captain Onyx 4), a resource 20: 82 SP of 100.
@pytest.mark.parametrize(
    ("rule", "first", "second", "left"),
    [
        ("2.3 an upgrade and a captain", [4], [6], (77, 78)),
        ("2.3 a ship with all its cards", [1], [5], (46, 56)),
        ("2.3 a card of a ship that is gone counts once", [1, 2, 3], [5, 6], (46, 56)),
        ("2.3 one ship, and a captured card of the other", [1, 6], [5, 2, 3], (42, 49)),
        ("2.4 the resource stays while a ship stands", [1, 6], [1], (42, 46)),
        ("nothing of one fleet", [0], [1], (82, 46)),
    ],
)
def test_2_3_sp_left_follow_from_what_is_ticked(judge, fleets, rule, first, second, left):
    typed = {"ending": "time", "destroyed_a": first, "destroyed_b": second, "version": "0"}

    judge.post(table_url(fleets, 1), typed)

    assert facts_at(fleets.event, 1) == ("time", "", *left, 1)
    assert marks_at(fleets) == [sorted({*first} - {0}), sorted(second)]
    scores = [score.fleet_points for score in match_at(fleets.event, 1).score.scores]
    assert scores == [100 - left[1], 100 - left[0]]


def test_2_6_all_ships_of_one_fleet_gone_is_an_elimination_for_the_whole_base(judge, fleets):
    typed = {"ending": "elimination", "out": "b", "destroyed_a": [4], "destroyed_b": [1, 5], "version": "0"}

    judge.post(table_url(fleets, 1), typed)

    assert facts_at(fleets.event, 1) == ("elimination", "b", 77, 0, 1)
    assert [score.fleet_points for score in match_at(fleets.event, 1).score.scores] == [100, 23]
    assert marks_at(fleets) == [[4], [1, 5]]


def test_2_4_a_resource_on_a_card_falls_with_it(client):
    sheet = replace(two_ships(), resource_at=4)
    night = night_with_fleets(dict.fromkeys((1, 2, 3, 4), sheet))
    client.force_login(night.judge)

    client.post(table_url(night, 1), {"ending": "time", "destroyed_a": [4], "destroyed_b": [1], "version": "0"})

    assert facts_at(night.event, 1) == ("time", "", 82 - 5 - 20, 82 - 36 - 20, 1)


def test_what_is_ticked_is_in_the_journal_once_with_the_result(judge, fleets):
    before = JournalEntry.objects.count()

    judge.post(table_url(fleets, 1), {"ending": "time", "destroyed_a": [4], "destroyed_b": [6], "version": "0"})

    entry = JournalEntry.objects.filter(event=fleets.event).last()
    assert JournalEntry.objects.count() == before + 1
    assert (entry.after["destroyed_a"], entry.after["destroyed_b"]) == ([4], [6])


def test_before_saving_the_sum_follows_every_tick(judge, fleets):
    first, second = names_at(fleets.event, 1)
    typed = {"ending": "time", "destroyed_a": ["1"], "destroyed_b": ["4"], "version": "0", "preview": "1"}

    response = judge.post(table_url(fleets, 1), typed, headers={"HX-Request": "true", "HX-Target": "preview"})

    page = text_of(response)
    counted = "46 of 82 SP left 46 by the ticks 77 of 82 SP left 77 by the ticks"
    assert f"{first} 1 BP" in page
    assert page.endswith(f"{second} wins, 54 Fleet Points to 23. {counted}")
    assert marks_at(fleets) == [[], []]


def test_without_javascript_a_button_counts(judge, fleets):
    typed = {"ending": "time", "destroyed_a": ["1"], "destroyed_b": ["4"], "version": "0", "preview": "1"}

    response = judge.post(table_url(fleets, 1), typed)

    page = response.content.decode()
    assert 'name="preview" value="1">Count</button>' in page
    assert "46 of 82 SP left" in text_of(response)
    assert re.findall(r'value="(\d+)"\s+id="destroyed-(\w)\1"\s+checked', page) == [("1", "a"), ("4", "b")]


def test_sp_left_can_still_be_typed_and_nothing_is_marked_then(judge, fleets):
    judge.post(table_url(fleets, 1), {"ending": "time", "sp_left_a": "46", "sp_left_b": "82", "version": "0"})

    assert facts_at(fleets.event, 1) == ("time", "", 46, 82, 1)
    assert marks_at(fleets) == [[], []]


def test_neither_typed_nor_ticked_is_asked_for(judge, fleets):
    first, _ = names_at(fleets.event, 1)

    response = judge.post(table_url(fleets, 1), {"ending": "time", "sp_left_b": "82", "version": "0"})

    assert response.status_code == 422
    assert f"Enter the SP left in {first}'s surviving fleet, or tick what was destroyed." in text_of(response)


def test_a_typed_number_that_is_not_what_is_ticked_is_asked_about_and_settled(judge, fleets):
    first, _ = names_at(fleets.event, 1)
    typed = {"ending": "time", "sp_left_a": "77", "destroyed_a": ["1"], "sp_left_b": "82", "version": "0"}

    response = judge.post(table_url(fleets, 1), typed)

    assert response.status_code == 422
    assert f"77 SP left are typed for {first}, but what is ticked leaves 46. Which is right?" in text_of(response)
    assert 'name="sp_left_a" value="77"' in response.content.decode()
    assert re.search(r'id="destroyed-a1"\s+checked', response.content.decode())
    assert not Result.objects.exists()

    judge.post(table_url(fleets, 1), typed | {"which_a": "ticked"})
    assert (facts_at(fleets.event, 1)[2], marks_at(fleets)[0]) == (46, [1])
    judge.post(table_url(fleets, 1), typed | {"which_a": "typed", "version": "1"})
    assert (facts_at(fleets.event, 1)[2], marks_at(fleets)[0]) == (77, [])


def test_what_a_phone_marked_meanwhile_is_not_overwritten(judge, fleets):
    numbers = match_at(fleets.event, 1).numbers
    typed = {"ending": "time", "destroyed_a": ["4"], "seen_a": "4", "sp_left_b": "82", "seen_b": "", "version": "0"}
    sign_off.mark_destroyed(fleets.event, 1, numbers[0], [3, 4], by=BY)

    response = judge.post(table_url(fleets, 1), typed)

    first, _ = names_at(fleets.event, 1)
    assert (response.status_code, marks_at(fleets)[0]) == (409, [3, 4])
    assert f"On a phone the fleet of {first} was marked otherwise meanwhile." in text_of(response)
    assert 'name="seen_a" value="3 4"' in response.content.decode()


def test_what_phones_marked_stands_on_the_page_and_says_how_it_ended(judge, fleets):
    numbers = match_at(fleets.event, 1).numbers
    sign_off.mark_destroyed(fleets.event, 1, numbers[0], [4], by=BY)
    sign_off.mark_destroyed(fleets.event, 1, numbers[1], [1, 5], by=BY)

    page = judge.get(table_url(fleets, 1)).content.decode()

    assert re.findall(r'id="destroyed-(\w\d)"\s+checked', page) == ["a4", "b1", "b5"]
    assert 'value="elimination" id="id_ending_0" checked' in page
    assert 'value="b" id="id_out_1" checked' in page


def test_a_stored_result_comes_back_with_its_ticks_and_saving_it_again_changes_nothing(judge, fleets):
    typed = {"ending": "time", "destroyed_a": ["1"], "destroyed_b": ["4"], "version": "0"}
    judge.post(table_url(fleets, 1), typed)

    page = judge.get(table_url(fleets, 1)).content.decode()
    judge.post(table_url(fleets, 1), typed | {"version": "1"})

    assert re.findall(r'id="destroyed-(\w\d)"\s+checked', page) == ["a1", "b4"]
    assert 'name="sp_left_a" inputmode' in page
    assert facts_at(fleets.event, 1) == ("time", "", 46, 77, 1)


def test_a_player_without_a_fleet_has_nothing_to_tick(client):
    night = night_with_fleets({1: None, 2: None, 3: None, 4: Sheet()})
    client.force_login(night.judge)

    page = client.get(table_url(night, 1)).content.decode()
    client.post(table_url(night, 1), {"ending": "time", "sp_left_a": "13", "sp_left_b": "14", "version": "0"})

    assert "destroyed_a" not in page
    assert facts_at(night.event, 1) == ("time", "", 13, 14, 1)


# SP left that the fleet cannot leave

UNREACHABLE = {"ending": "time", "sp_left_a": "45", "sp_left_b": "82", "version": "0"}


def test_2_3_a_number_that_the_fleet_cannot_leave_is_refused_with_the_nearest_two(judge, fleets):
    first, _ = names_at(fleets.event, 1)

    response = judge.post(table_url(fleets, 1), UNREACHABLE)

    assert response.status_code == 422
    assert (
        f"45 SP cannot be left of the fleet of {first}: 44 or 46 can. "
        "Count again; an organizer can let it stand with a reason."
    ) in text_of(response)
    assert 'name="sp_left_a" value="45"' in response.content.decode()
    assert 'name="sp_ruling"' not in response.content.decode()


def test_a_judge_cannot_let_it_stand(judge, fleets):
    assert judge.post(table_url(fleets, 1), UNREACHABLE | {"sp_ruling": "because"}).status_code == 422
    assert not Result.objects.exists()


def test_an_organizer_lets_it_stand_with_a_reason_that_is_shown_with_the_result(organizer, fleets):
    first, _ = names_at(fleets.event, 1)

    asked = organizer.post(table_url(fleets, 1), UNREACHABLE)
    saved = organizer.post(table_url(fleets, 1), UNREACHABLE | {"sp_ruling": "half a ship, by the scenario"})

    assert f"{first}: 44 or 46 can. Count again, or say why it stands." in text_of(asked)
    assert 'class="asks-sp-ruling"' in asked.content.decode()
    assert saved.status_code == 302
    result = match_at(fleets.event, 1).result
    assert (result.sp_left_a, result.sp_ruling) == (45, "half a ship, by the scenario")
    assert JournalEntry.objects.filter(event=fleets.event).last().reason == "half a ship, by the scenario"
    page = organizer.get(reverse("pairings", args=[fleets.event.slug, 1]) + "?by=table")
    assert "SP left stand by a ruling: half a ship, by the scenario" in text_of(page)


def test_what_stands_by_a_ruling_is_not_questioned_again_by_a_judge_who_corrects_something_else(client, fleets):
    report = results.ResultInput(on_time(45, 82), sp_ruling="half a ship")
    results.report_result(fleets.event, 1, 1, report, version=0, by=BY)
    client.force_login(fleets.judge)

    client.post(table_url(fleets, 1), UNREACHABLE | {"sp_left_b": "77", "version": "1"})
    kept = match_at(fleets.event, 1).result
    client.post(table_url(fleets, 1), UNREACHABLE | {"sp_left_a": "46", "version": "2"})

    assert (kept.sp_left_b, kept.sp_ruling) == (77, "half a ship")
    assert (match_at(fleets.event, 1).result.sp_ruling, match_at(fleets.event, 1).version) == ("", 3)


@pytest.mark.parametrize(
    "typed",
    [
        {"ending": "elimination", "out": "a", "sp_left_b": "82"},
        {"ending": "concession", "out": "a", "sp_left_b": "82"},
        {"ending": "both_eliminated"},
        {"ending": "no_show", "out": "a"},
        {"ending": "neither_came"},
    ],
)
def test_where_sp_left_do_not_count_nothing_is_questioned(judge, fleets, typed):
    response = judge.post(table_url(fleets, 1), {"sp_left_a": "45", "version": "0", **typed})

    assert response.status_code == 302


def test_on_the_page_of_all_tables_it_is_refused_too_and_the_way_on_is_the_table(organizer, fleets):
    first, _ = names_at(fleets.event, 1)

    response = organizer.post(rows_url(fleets), row(1, ending="time", sp_left_a="45", sp_left_b="82"))

    assert response.status_code == 422
    assert (
        f"45 SP cannot be left of the fleet of {first}: 44 or 46 can. "
        "Count again, or open the table, where an organizer can let it stand with a reason."
    ) in text_of(response)
    assert not Result.objects.exists()


def test_what_phones_marked_stands_in_the_row_which_is_saved_once_somebody_says_how_it_ended(judge, fleets):
    first, second = match_at(fleets.event, 1).numbers
    sign_off.mark_destroyed(fleets.event, 1, first, [4], by=BY)
    sign_off.mark_destroyed(fleets.event, 1, second, [1], by=BY)

    page = judge.get(rows_url(fleets)).content.decode()
    shown = {"sp_left_a": "77", "sp_left_b": "46"}
    judge.post(rows_url(fleets), row(1, ending="", **shown))
    untouched = match_at(fleets.event, 1).result
    judge.post(rows_url(fleets), row(1, ending="time", **shown))
    behind = judge.post(rows_url(fleets), row(1, ending="", **shown))

    assert re.findall(r'name="t1-sp_left_\w" value="(\d+)"', page) == ["77", "46"]
    assert untouched is None
    assert facts_at(fleets.event, 1) == ("time", "", 77, 46, 1)
    assert marks_at(fleets) == [[4], [1]]
    assert behind.status_code == 302


@pytest.mark.parametrize("url_of", [lambda night: table_url(night, 1), rows_url], ids=["one table", "all tables"])
def test_fleets_are_looked_up_in_a_number_of_queries_that_does_not_grow(client, url_of):
    few = night_with_fleets(players=4)
    many = night_with_fleets(players=16, store=few.store)
    client.force_login(few.owner)
    counts = []
    for night in (few, few, many):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url_of(night)).status_code == 200
        counts.append(len(queries))

    assert counts[1] == counts[2]
