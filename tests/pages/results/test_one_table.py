"""Entering the result of one table, with its sum in sight before it is saved."""

import pytest
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import make_night
from tests.support.result_forms import TIME, check, facts_at, table_url, text_of
from tests.support.tables import enter, match_at, names_at
from tourney.models import JournalEntry, Result

pytestmark = pytest.mark.django_db


# one table: the page


def test_the_page_asks_for_what_the_month_counts_with_its_worth_and_its_reminder(desk, night):
    page = text_of(desk.get(table_url(night, 1)))

    assert "How did it end? One fleet eliminated Both eliminated Time Concession No-show" in page
    assert "Controls Deep Space 9 +20, winner only Only this player has an away team on the station" in page
    assert "of 100 SP" in page
    assert "Scenario end" not in page


def test_a_judges_decision_has_one_way_and_one_name(desk, night):
    page = desk.get(table_url(night, 1)).content.decode()

    assert f'href="{table_url(night, 1)}ruling/">Ruling or penalty</a>' in page
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

    assert "Scenario end Concession No-show Both no-shows Scenario end: the probe leaves." in page


def test_where_bonuses_are_not_known_the_page_says_how_to_add_them(client):
    night = make_night(players=4, open_round=True, pack="dominion-war-3")
    client.force_login(night.organizer)

    page = text_of(client.get(table_url(night, 1)))

    assert "Bonuses of the kit’s sheet This month’s bonuses aren’t in the pack. Enter their Fleet Points" in page
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


def test_before_saving_the_page_shows_both_sums_the_winner_and_why(desk, night):
    first, second = names_at(night.event, 1)
    factions = [entrant.faction for entrant in match_at(night.event, 1).entrants]

    response = check(desk, night, tally_ds9_b="on")

    assert response.status_code == 200
    assert text_of(response) == (
        f"{second} wins, 85 Fleet Points to 50. "
        f"{factions[0]} {first} 1 BP SP limit 100 SP left in {second}’s surviving fleet −50 Fleet Points 50 "
        f"{factions[1]} {second} wins 2 BP SP limit 100 SP left in {first}’s surviving fleet −35 "
        f"Controls Deep Space 9 +20 Fleet Points 85 "
        f"Time was called. {second} wins on Fleet Points, 65 to {first}’s 50, counting only what decides the winner. "
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
    assert text_of(response) == f"Still needed Enter {first}’s SP left."


def test_without_javascript_a_button_checks_the_sum_and_keeps_what_was_typed(desk, night):
    _, second = names_at(night.event, 1)

    response = check(desk, night, part=False)

    page = response.content.decode()
    assert response.status_code == 200
    assert f"{second} wins, 65 Fleet Points to 50." in page
    assert 'name="sp_left_a" value="35"' in page
    assert 'name="preview" value="1">Check the sum</button>' in page


def test_tied_points_say_before_saving_that_the_table_rolls_off(desk, night):
    response = check(desk, night, sp_left_b="35")

    assert "Tied on 65 Fleet Points, so the table rolls off." in text_of(response)


def test_a_no_show_is_worth_the_mean_of_the_others_once_the_round_is_complete(desk, night):
    """Rule 2.11."""
    first, second = names_at(night.event, 1)

    response = check(desk, night, ending="no_show", out="b")

    assert f"{second} was a no-show, so {first} scores like a bye." in text_of(response)
    assert "Fleet Points the round’s average, once the round is complete" in text_of(response)


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


def test_a_tied_table_goes_on_with_the_roll_off_on_the_same_page(desk, night):
    response = desk.post(table_url(night, 1), {**TIME, "sp_left_b": "35"})
    page = text_of(desk.get(response.url))

    assert response.url == table_url(night, 1)
    assert "Table 1 is saved. It’s tied: roll off now." in page
    assert "Roll-off at the table Roll 1" in page


@pytest.mark.parametrize(
    ("typed", "sentences"),
    [
        ({}, ["Choose how the match ended."]),
        ({"ending": "time", "sp_left_a": "35"}, ["Enter {b}’s SP left."]),
        ({"ending": "elimination", "sp_left_a": "35"}, ["Choose whose fleet was eliminated: {a} or {b}."]),
        ({"ending": "concession"}, ["Choose who conceded: {a} or {b}."]),
        ({"ending": "no_show"}, ["Choose who was a no-show: {a} or {b}."]),
        ({"ending": "scenario"}, ["Select a valid choice. scenario is not one of the available choices."]),
        (
            {"ending": "time", "sp_left_a": "101", "sp_left_b": "-1"},
            [
                "{a}’s fleet can’t have 101 SP left: the limit is 100. Count the surviving fleet again.",
                "{b}’s fleet can’t have −1 SP left. Enter 0 or more.",
            ],
        ),
        ({"ending": "time", "sp_left_a": "many", "sp_left_b": "3.5"}, ["Enter a whole number."]),
        (
            {"ending": "time", "sp_left_a": "0", "sp_left_b": "50"},
            ["{a} has no SP left, so that fleet was eliminated. Choose “One fleet eliminated”, or enter what is left."],
        ),
        (
            {**TIME, "tally_ds9_a": "on"},
            ["Only the winner scores “Controls Deep Space 9”, and {a} didn’t win."],
        ),
        (
            {**TIME, "tally_ds9_a": "on", "tally_ds9_b": "on"},
            ["“Controls Deep Space 9” is ticked for both players, but only one can have it. Clear one of them."],
        ),
        ({**TIME, "adjustment_a": "−10"}, ["Give a reason: a ruling needs one (rule 2.12)."]),
        ({**TIME, "adjustment_a": "5000"}, ["Enter 1000 or less."]),
        ({"ending": "double_loss", "sp_left_a": "50", "sp_left_b": "50"}, ["Give a reason: a ruling needs one"]),
    ],
)
def test_what_cannot_be_is_refused_in_sentences_and_what_was_typed_stays(desk, night, typed, sentences):
    first, second = names_at(night.event, 1)

    response = desk.post(table_url(night, 1), typed)

    page = text_of(response)
    assert response.status_code == 422
    assert "Not saved. Your entries are still here." in page
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
    assert "Mission Tokens: 9 + 5 = 14, but only 12 are in play. Count again." in text_of(response)


def test_a_ruling_is_saved_with_its_reason(desk, night):
    """Rule 2.12."""
    desk.post(table_url(night, 1), {**TIME, "adjustment_b": "−10", "ruling": "slow play"})
    desk.post(table_url(night, 2), {**TIME, "ending": "double_loss", "ruling": "a brawl"})

    first, second = (match_at(night.event, table) for table in (1, 2))
    assert (first.result.adjustment_b, first.result.ruling, first.winner) == (-10, "slow play", first.b)
    assert (second.result.ending, second.result.ruling, second.winner) == ("double_loss", "a brawl", None)
