"""SP left, counted from the ships that were destroyed, or typed, and what a fleet cannot leave."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from fleets.domain.sheet import Sheet
from tests.support.built_fleets import night_with_fleets, two_ships
from tests.support.nights import BY
from tests.support.result_forms import facts_at, marks_at, row, rows_url, table_url, text_of
from tests.support.tables import match_at, names_at, on_time
from tourney.actions import results, sign_off
from tourney.models import JournalEntry, Result
from tourney.queries.shared import SHARED

pytestmark = pytest.mark.django_db


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
    night = night_with_fleets(dict.fromkeys((1, 2, 3, 4), sheet), signed=True)
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
    counted = "46 of 82 SP left 46 according to the ticks 77 of 82 SP left 77 according to the ticks"
    assert f"{first} 1 BP" in page
    assert page.endswith(f"{second} wins, 54 Fleet Points to 23. {counted}")
    assert marks_at(fleets) == [[], []]


def test_without_javascript_a_button_counts(judge, fleets):
    typed = {"ending": "time", "destroyed_a": ["1"], "destroyed_b": ["4"], "version": "0", "preview": "1"}

    response = judge.post(table_url(fleets, 1), typed)

    page = response.content.decode()
    assert 'name="preview" value="1">Count SP left</button>' in page
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
    assert f"Enter {first}’s SP left, or tick what was destroyed." in text_of(response)


def test_a_typed_number_that_is_not_what_is_ticked_is_asked_about_and_settled(judge, fleets):
    first, _ = names_at(fleets.event, 1)
    typed = {"ending": "time", "sp_left_a": "77", "destroyed_a": ["1"], "sp_left_b": "82", "version": "0"}

    response = judge.post(table_url(fleets, 1), typed)

    assert response.status_code == 422
    assert f"{first} has 77 SP left by the number, but 46 SP by what’s ticked. Which is right?" in text_of(response)
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
    assert f"Not saved. {first}’s fleet was marked differently on a phone." in text_of(response)
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
        f"{first}’s fleet can’t have 45 SP left. Nearest possible: 44 or 46. "
        "Count again, or ask an organizer to override it."
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

    assert (
        f"{first}’s fleet can’t have 45 SP left. Nearest possible: 44 or 46. Count again, or give a reason to keep it."
        in text_of(asked)
    )
    assert 'class="asks-sp-ruling"' in asked.content.decode()
    assert saved.status_code == 302
    result = match_at(fleets.event, 1).result
    assert (result.sp_left_a, result.sp_ruling) == (45, "half a ship, by the scenario")
    assert JournalEntry.objects.filter(event=fleets.event).last().reason == "half a ship, by the scenario"
    page = organizer.get(reverse("pairings", args=[fleets.event.slug, 1]) + "?by=table")
    assert "SP left set by a ruling: half a ship, by the scenario" in text_of(page)


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
        f"{first}’s fleet can’t have 45 SP left. Nearest possible: 44 or 46. "
        "Count again, or open the table, where an organizer can override this."
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
        SHARED.forget()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url_of(night)).status_code == 200
        counts.append(len(queries))

    assert counts[1] == counts[2]
