"""Entering a whole round by keyboard, a row for each table."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import BY, make_night
from tests.support.result_forms import alone, facts_at, row, rows_url, table_url, text_of
from tests.support.tables import enter, match_at, names_at, on_time
from tourney.actions import reports
from tourney.models import JournalEntry, PlayerReport, Result
from tourney.queries.shared import SHARED

pytestmark = pytest.mark.django_db


# a whole round by keyboard


def test_the_whole_round_is_saved_at_once_and_the_desk_goes_on(desk, night):
    typed = {
        **row(1, ending="elimination", out="b", sp_left_a="60"),
        **row(2, ending="time", sp_left_a="35", sp_left_b="50", tally_ds9_b="on"),
        **row(3, ending="both_eliminated"),
    }

    response = desk.post(rows_url(night), typed)

    assert response.url == reverse("desk", args=[night.event.slug]) + "#next-action"
    page = text_of(desk.get(response.url))
    assert "Saved: tables 1, 2 and 3." in page
    assert "Tied, so roll off: table 3." in page
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

    assert "Nothing to save: no new results were entered." in text_of(desk.get(response.url))
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
    assert "Not saved: 2 tables. Your entries are still here." in page
    assert page.count(f"{first}’s fleet can’t have 350 SP left: the limit is 100.") == 1
    assert page.count("Choose how the match ended.") == 1
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
    assert "Not saved. test entered a result for table 1" in page
    assert (
        "test at 18:45 Yours, not saved How it ended Time Time "
        f"{first}’s SP left 35 35 {second}’s SP left 55 50 differs" in page
    )
    assert "Replace Discard" in page
    assert 'name="t1-sp_left_b" value="50"' in response.content.decode()
    assert 'name="t1-version" value="1"' in response.content.decode()
    assert match_at(night.event, 2).state == "tied"

    desk.post(rows_url(night), row(1, ending="time", sp_left_a="35", sp_left_b="50", version="1"))
    assert facts_at(night.event, 1) == ("time", "", 35, 50, 2)


def test_what_is_there_can_be_kept_instead_of_what_was_typed(desk, night):
    enter(night.event, 1, on_time(35, 55))
    typed = {**row(1, ending="time", sp_left_a="35", sp_left_b="50"), **row(2, ending="both_eliminated"), "keep": "1"}

    response = desk.post(rows_url(night), typed)

    assert response.status_code == 302
    assert facts_at(night.event, 1) == ("time", "", 35, 55, 1)
    assert match_at(night.event, 2).state == "tied"


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
    assert "can’t have 350 SP left" in text_of(wrong)
    assert "Replace Discard" in text_of(late)
    assert 'name="t1-version" value="1"' in saved.content.decode()
    assert text_of(kept) == text_of(saved)
    assert "Saved" not in text_of(desk.get(rows_url(night)))


@pytest.mark.parametrize("headers", [alone(1), {}], ids=["alone", "the whole page"])
def test_a_row_that_is_wrong_says_so_once_beside_what_is_saved_and_is_ready_to_replace_it(desk, night, headers):
    enter(night.event, 1, on_time(35, 55))
    first, second = names_at(night.event, 1)

    answer = desk.post(rows_url(night), row(1, ending="time", sp_left_a="350", sp_left_b="50"), headers=headers)

    page, said = answer.content.decode(), text_of(answer)
    assert answer.status_code == 422
    assert said.count(f"{first}’s fleet can’t have 350 SP left") == 1
    assert f"Saved by test at 18:45 {second} wins, 65 Fleet Points to 45. Replace Discard" in said
    assert [part for part in ('data-wrong="saved"', "data-saved") if part in page] == ['data-wrong="saved"']
    assert 'name="t1-version" value="1"' in page

    desk.post(rows_url(night), row(1, ending="time", sp_left_a="35", sp_left_b="50", version="1"), headers=headers)
    assert facts_at(night.event, 1) == ("time", "", 35, 50, 2)


def test_a_row_that_is_wrong_where_nothing_is_saved_can_be_saved_or_discarded(desk, night):
    typed = row(1, ending="time", sp_left_a="350", sp_left_b="50")

    wrong = desk.post(rows_url(night), typed, headers=alone(1))
    empty = desk.post(rows_url(night), {**typed, "keep": "1"}, headers=alone(1))

    assert text_of(wrong).endswith("Count the surviving fleet again. Save result Discard")
    assert (empty.status_code, 'value="350"' in empty.content.decode()) == (200, False)


def test_the_cursor_is_in_the_field_that_is_wrong(desk, night):
    page = desk.post(rows_url(night), row(2, ending="time", sp_left_a="35", sp_left_b="500")).content.decode()

    assert re.findall(r'name="([^"]+)"[^>]* autofocus', page) == ["t2-sp_left_b"]


def test_how_a_match_ended_and_who_is_asked_have_names_of_their_own(desk, night):
    page = text_of(desk.get(rows_url(night)))

    assert "How it ended How it ended at table 1 – How it ended – Elimination" in page
    assert "Which player? Which player at table 1? – Which player? – 1 " in page


def test_a_row_of_a_round_that_was_closed_meanwhile_says_so(client):
    night = make_night(players=4, rounds=1)
    client.force_login(night.judge)

    answer = client.post(rows_url(night), row(1, ending="time", sp_left_a="1", sp_left_b="2"), headers=alone(1))

    assert answer.status_code == 409
    assert "Round 1 is closed. Only an organizer can edit this result now. Discard" in text_of(answer)
    assert text_of(answer).count("Round 1 is closed.") == 1


def test_what_the_players_report_stands_in_the_row_with_the_way_to_take_it(desk, night):
    pairs = [match_at(night.event, table).entrants for table in (1, 2, 3)]
    for table, words in ((0, (on_time(30, 20),)), (1, (on_time(30, 20), on_time(20, 30))), (2, (on_time(30, 20),) * 2)):
        for entrant, played in zip(pairs[table], words, strict=False):
            reports.report(night.event, 1, entrant.number, played, by=BY)

    page = text_of(desk.get(rows_url(night)))

    (a, b), (c, d), _ = pairs
    assert (
        f"Awaiting confirmation {a} reported: {a} wins, 80 Fleet Points to 70. {b} has no player card, so the desk "
        f"confirms it. Accept {a}’s report Table 2: " in page
    )
    disputed = f"{c} reported: {c} wins, 80 Fleet Points to 70. {d} reported: {d} wins, 80 Fleet Points to 70."
    assert f"Disputed {disputed} Resolve : table 2" in page
    assert "Details of table 3 Agreed" in page


def reported(night, table: int = 1, minutes: int = 0) -> dict[str, str]:
    """The row of that table as a player's report filled it in, so many minutes ago."""
    reports.report(night.event, 1, match_at(night.event, table).a.number, on_time(30, 20), by=BY)
    report = PlayerReport.objects.latest("pk")
    PlayerReport.objects.filter(pk=report.pk).update(at=timezone.now() - timedelta(minutes=minutes))
    return row(table, ending="time", sp_left_a="30", sp_left_b="20", reported=str(report.pk))


def test_a_row_is_filled_in_with_what_a_player_reported(desk, night):
    reported(night)

    page = desk.get(rows_url(night)).content.decode()

    assert re.search(r'name="t1-sp_left_a"\s+value="30"', page)
    assert re.search(r'name="t1-sp_left_b"\s+value="20"', page)
    assert re.search(r'id="row-1"[^>]*data-reported="\d+"', page)
    assert not re.search(r'id="row-2"[^>]*data-reported', page)


@pytest.mark.parametrize("headers", [alone(1), {}], ids=["its row alone", "without a script"])
def test_a_report_is_accepted_by_one_press_in_its_row_from_the_first_second(desk, night, headers):
    sent = reported(night) | ({} if headers else {**reported(night, 2), "accept": "1"})

    desk.post(rows_url(night), sent, headers=headers)

    assert match_at(night.event, 1).played == on_time(30, 20)
    assert "’s report accepted." in JournalEntry.objects.last().what
    assert match_at(night.event, 2).result is None


def test_what_is_changed_in_a_reported_row_is_the_desks_result(desk, night):
    desk.post(rows_url(night), reported(night) | {"t1-sp_left_b": "25"}, headers=alone(1))

    assert match_at(night.event, 1).played == on_time(30, 25)
    assert "result entered." in JournalEntry.objects.last().what


@pytest.mark.parametrize(("minutes", "state"), [(4, "playing"), (6, "done")])
def test_all_results_include_a_report_that_nobody_looked_at_only_after_the_minutes(desk, night, minutes, state):
    sent = reported(night, minutes=minutes)

    desk.post(rows_url(night), sent | row(2, ending="time", sp_left_a="35", sp_left_b="50"))

    assert [match_at(night.event, table).state for table in (1, 2)] == [state, "done"]


@pytest.mark.parametrize("press", [{"preview": "all"}, {"keep": "2"}, {"replace": "2"}], ids=["check", "keep", "other"])
def test_another_button_accepts_no_report(desk, night, press):
    desk.post(rows_url(night), reported(night, minutes=6) | press)

    assert match_at(night.event, 1).result is None


def test_a_row_whose_report_was_changed_says_so_and_is_saved_by_the_next_press(desk, night):
    sent = reported(night)
    reports.report(night.event, 1, match_at(night.event, 1).a.number, on_time(30, 25), by=BY)

    answer = desk.post(rows_url(night), sent, headers=alone(1))
    now = PlayerReport.objects.get()
    desk.post(rows_url(night), sent | {"t1-reported": str(now.pk), "replace": "1"}, headers=alone(1))

    assert answer.status_code == 409
    assert "Not saved. This report was changed or withdrawn. Check it again." in text_of(answer)
    assert re.search(rf'name="t1-reported"\s+value="{now.pk}"', answer.content.decode())
    assert match_at(night.event, 1).played == on_time(30, 20)


def test_a_row_left_empty_is_left_alone_though_somebody_else_filled_it_meanwhile(desk, night):
    enter(night.event, 1, on_time(35, 55))

    response = desk.post(
        rows_url(night), {**row(1, ending="", out="", sp_left_a=""), **row(2, ending="both_eliminated")}
    )

    assert response.status_code == 302
    assert facts_at(night.event, 1) == ("time", "", 35, 55, 1)
    assert match_at(night.event, 2).state == "tied"


def test_a_row_shows_its_sum_while_it_is_typed_and_saves_nothing(desk, night):
    _, second = names_at(night.event, 2)
    typed = {**row(2, ending="time", sp_left_a="35", sp_left_b="50", tally_ds9_b="on"), "preview": "2"}

    response = desk.post(rows_url(night), typed, headers={"HX-Request": "true", "HX-Target": "preview-2"})

    assert text_of(response) == f"{second} wins, 85 Fleet Points to 50. 1: 100 −50 = 50 FP 2: 100 −35 +20 = 85 FP"
    assert response.content.decode().lstrip().startswith('<p id="preview-2"')
    assert not Result.objects.exists()


def test_who_did_not_come_has_no_sum_of_nothing(desk, night):
    typed = {**row(2, ending="no_show", out="b", sp_left_a="", sp_left_b=""), "preview": "2"}

    response = desk.post(rows_url(night), typed, headers={"HX-Request": "true", "HX-Target": "preview-2"})

    assert text_of(response).endswith(" 2: 0 FP")


def test_a_row_says_what_is_missing_while_it_is_typed(desk, night):
    _, second = names_at(night.event, 2)
    typed = {**row(2, ending="time", sp_left_a="35", sp_left_b=""), "preview": "2"}

    response = desk.post(rows_url(night), typed, headers={"HX-Request": "true", "HX-Target": "preview-2"})

    assert text_of(response) == f"Enter {second}’s SP left."


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
        "E Elimination B Both eliminated T Time S Scenario end C Concession N No-show "
        "Tab next field Enter save, next table Ctrl Enter save all"
    ) in page


def test_a_double_loss_is_not_typed_in_a_row(desk, night):
    enter(night.event, 1, Played(Ending.DOUBLE_LOSS, (Side(50), Side(50))), ruling="a brawl")

    page = desk.get(rows_url(night))

    first, second = names_at(night.event, 1)
    assert f"1 {first} 50 FP · {second} 50 FP This ending can’t be entered here: open the table" in text_of(page)
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
        SHARED.forget()
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
