"""The assistant for corrections, and pairing a round anew: everything is shown before, and nothing typed is lost."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.corrected import night_in_round, tables
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.result_forms import text_of
from tests.support.tables import enter, match_at, on_time
from tourney.actions import results, rounds
from tourney.models import Event, JournalEntry, PlayerReport
from tourney.queries.shared import SHARED

pytestmark = pytest.mark.django_db

TYPED = {
    "ending": "time",
    "sp_left_a": "5",
    "sp_left_b": "80",
    "version": "1",
    "seen_a": "",
    "seen_b": "",
    "reason": "the slip was misread",
}


def url_of(night: Night, table: int = 1, number: int = 1) -> str:
    return reverse("result", args=[night.event.slug, number, table])


def desk_of(night: Night) -> Client:
    desk = Client()
    desk.force_login(night.organizer)
    return desk


def hidden(response) -> dict[str, str]:
    """What the page sends again: the facts that were typed, and the marks of the effects it shows."""
    fields = re.findall(r'<input[^>]*type="hidden"[^>]*>', response.content.decode())
    found = (re.search(r'name="([^"]*)"[^>]*value="([^"]*)"', field) for field in fields)
    return {one[1]: one[2] for one in found if one and one[1] != "csrfmiddlewaretoken"}


def confirmed(response, way: str = "leave", **more: str) -> dict[str, str]:
    return hidden(response) | {"repair-way": way, "confirm": "1"} | more


def test_everything_a_correction_changes_is_on_one_page_before_it_is_saved():
    night = night_in_round(2, 5)
    desk = desk_of(night)

    page = text_of(desk.post(url_of(night), TYPED))

    assert "Not saved yet" in page
    assert "Standings after round 1" in page
    assert "Points of round 1" in page
    assert "Round 2 would have been paired differently: table 1, table 2, the bye." in page
    for choice in ("Leave everyone where they are", "Change as few tables as possible"):
        assert choice in page
    assert "Kestrel should have the bye (rule 3.5)." in page
    assert match_at(night.event, 1).result.version == 1


def test_the_correction_and_the_chosen_tables_are_saved_together():
    night = night_in_round(2, 5)
    desk = desk_of(night)
    shown = desk.post(url_of(night), TYPED)

    response = desk.post(url_of(night), confirmed(shown, "fewest"))

    assert response.url == reverse("round", args=[night.event.slug, 1])
    assert tables(night.event) == {1: frozenset({2, 4}), 2: frozenset({3, 5}), 0: frozenset({1})}
    assert (
        "Tables 1 and 2 of round 2 have changed. All phones and screens show it now; slips printed before are wrong"
        in text_of(desk.get(response.url))
    )
    entry = JournalEntry.objects.filter(event=night.event).last()
    assert (entry.did, entry.reason) == ("correct_and_repair", "the slip was misread")


def test_leaving_everybody_is_what_is_chosen_at_first():
    night = night_in_round(2, 5)
    before = tables(night.event)
    desk = desk_of(night)
    shown = desk.post(url_of(night), TYPED)

    desk.post(url_of(night), confirmed(shown))

    assert (tables(night.event), match_at(night.event, 1).result.sp_left_b) == (before, 80)


def test_from_the_effect_it_goes_back_to_the_form_with_everything_typed():
    night = night_in_round(2, 5)
    desk = desk_of(night)
    shown = desk.post(url_of(night), TYPED)

    form = desk.post(url_of(night), hidden(shown) | {"edit": "1"}).content.decode()

    assert 'value="the slip was misread"' in form
    assert re.search(r'name="sp_left_b"[^>]*value="80"|value="80"[^>]*name="sp_left_b"', form)
    assert match_at(night.event, 1).result.version == 1


def test_where_no_later_table_changes_nothing_is_asked_about_it():
    night = night_in_round(2)
    desk = desk_of(night)

    shown = desk.post(url_of(night), TYPED | {"sp_left_a": "62", "sp_left_b": "26"})

    assert "Round 2 would have been paired the same way." in text_of(shown)
    assert "What should happen to round 2?" not in text_of(shown)
    assert desk.post(url_of(night), confirmed(shown)).status_code == 302
    assert match_at(night.event, 1).result.sp_left_a == 62


def test_a_result_of_the_round_in_play_is_corrected_without_any_page_between():
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(35, 50))

    response = desk_of(night).post(url_of(night), TYPED)

    assert response.status_code == 302
    assert match_at(night.event, 1).result.sp_left_b == 80


# older rounds and finished events


@pytest.mark.many
@pytest.mark.parametrize(("words", "status"), [("", 422), ("yes", 422), ("correct", 302), ("“Correct”", 302)])
def test_an_older_round_asks_for_the_word_that_the_page_shows(words, status):
    night = night_in_round(3)
    desk = desk_of(night)
    shown = desk.post(url_of(night), TYPED)
    assert "Type “correct”" in text_of(shown)

    response = desk.post(url_of(night), confirmed(shown, **{"repair-words": words}))

    assert response.status_code == status
    assert match_at(night.event, 1).result.version == (2 if status == 302 else 1)
    if status == 422:
        assert "Type “correct” to confirm" in text_of(response)


def test_a_finished_event_is_corrected_with_the_word_and_stays_finished():
    night = night_in_round(2, 6)
    event = night.event
    for table in (1, 2, 3):
        enter(event, table, on_time(60 + table, 20 + 5 * table), number=2)
    rounds.close_round(event, 2, by=BY)
    desk = desk_of(night)
    desk.post(reverse("finish", args=[event.slug]), {"reason": "the shop closes"})
    shown = desk.post(url_of(night, number=2), TYPED | {"sp_left_a": "1", "sp_left_b": "99"})

    without = desk.post(url_of(night, number=2), confirmed(shown))
    response = desk.post(url_of(night, number=2), confirmed(shown, **{"repair-words": "correct"}))

    assert "The event is finished Its ranks are public and final. This correction changes them." in text_of(shown)
    assert (without.status_code, response.status_code) == (422, 302)
    assert Event.objects.get(pk=event.pk).finished_at is not None
    assert match_at(event, 1, 2).result.sp_left_b == 99


# two at once


def test_of_two_who_correct_the_same_result_the_second_sees_both_and_loses_nothing():
    night = night_in_round(2, 5)
    first, second = desk_of(night), desk_of(night)
    shown = [desk.post(url_of(night), TYPED | {"sp_left_b": left}) for desk, left in ((first, "80"), (second, "70"))]

    done = first.post(url_of(night), confirmed(shown[0]))
    response = second.post(url_of(night), confirmed(shown[1]))

    assert (done.status_code, response.status_code) == (302, 409)
    page = text_of(response)
    assert "Compare both versions" in page
    assert "the slip was misread" in response.content.decode()
    assert match_at(night.event, 1).result.sp_left_b == 80
    again = second.post(url_of(night), TYPED | {"sp_left_b": "70", "version": "2"})
    assert second.post(url_of(night), confirmed(again)).status_code == 302
    assert match_at(night.event, 1).result.sp_left_b == 70


def test_what_changed_meanwhile_elsewhere_is_shown_anew_with_everything_typed():
    night = night_in_round(2, 5)
    desk = desk_of(night)
    shown = desk.post(url_of(night), TYPED)
    other = results.ResultInput(on_time(5, 90))
    results.report_result(night.event, 1, 2, other, version=1, by=BY, reason="misread too")

    response = desk.post(url_of(night), confirmed(shown, "fewest"))

    assert response.status_code == 409
    assert "the effect is no longer the one you saw" in text_of(response)
    assert hidden(response)["reason"] == "the slip was misread"
    assert desk.post(url_of(night), confirmed(response, "leave")).status_code == 302


# which tables have begun


def test_tables_that_show_that_they_have_begun_are_named_and_others_can_be_ticked():
    night = night_in_round(2, 9)
    before = tables(night.event)
    enter(night.event, 2, on_time(10, 20), number=2)
    desk = desk_of(night)

    shown = desk.post(url_of(night), TYPED)
    ticked = desk.post(
        url_of(night),
        hidden(shown) | {"repair-begun": "3", "look": "1"},
        headers={"HX-Request": "true", "HX-Target": "ways"},
    )
    desk.post(url_of(night), confirmed(shown) | hidden(ticked) | {"repair-way": "fewest", "repair-begun": "3"})

    assert "Table 2 Result in" in text_of(shown)
    assert ticked.content.decode().strip().startswith('<div id="ways"')
    after = tables(night.event)
    assert (after[2], after[3]) == (before[2], before[3])
    assert after != before


def test_ticked_after_it_was_shown_nothing_happens_that_was_not_seen():
    night = night_in_round(2, 9)
    before = tables(night.event)
    desk = desk_of(night)
    shown = desk.post(url_of(night), TYPED)

    response = desk.post(url_of(night), confirmed(shown, "all", **{"repair-begun": "1"}))

    assert (response.status_code, tables(night.event)) == (409, before)


# a round by itself


def repair_url(night: Night, number: int = 2) -> str:
    return reverse("repair", args=[night.event.slug, number])


def test_a_round_left_as_it_was_can_be_paired_anew_later_from_its_own_page():
    night = night_in_round(2, 5)
    desk = desk_of(night)
    desk.post(url_of(night), confirmed(desk.post(url_of(night), TYPED)))
    assert repair_url(night) in desk.get(reverse("round", args=[night.event.slug, 2])).content.decode()
    shown = desk.get(repair_url(night))

    without = desk.post(repair_url(night), confirmed(shown, "fewest"))
    response = desk.post(repair_url(night), confirmed(shown, "fewest", **{"repair-reason": "as the results are"}))

    assert without.status_code == 422
    assert "Give a reason for re-pairing the round." in text_of(without)
    assert response.url == reverse("round", args=[night.event.slug, 2])
    assert tables(night.event) == {1: frozenset({2, 4}), 2: frozenset({3, 5}), 0: frozenset({1})}


def test_3_9_two_who_change_places_by_hand_are_shown_first_and_marked_for_everybody():
    night = night_in_round(2)
    before = tables(night.event)
    first, second = (str(min(before[table])) for table in (1, 2))
    desk = desk_of(night)
    chosen = {"repair-way": "hand", "repair-first": first, "repair-second": second}

    shown = desk.post(repair_url(night), chosen | {"look": "1"})
    unseen = desk.post(repair_url(night), chosen | {"confirm": "1", "repair-reason": "came together"})
    done = desk.post(repair_url(night), confirmed(shown, "hand", **chosen, **{"repair-reason": "came together"}))

    assert "Swap the two players" in text_of(shown)
    assert (unseen.status_code, done.status_code) == (409, 302)
    public = Client().get(reverse("pairings", args=[night.event.slug, 2]) + "?by=table")
    assert "Paired by hand: came together (rule 3.9)." in text_of(public)


def test_where_nothing_can_be_better_the_page_says_so():
    night = night_in_round(2)

    page = text_of(desk_of(night).get(repair_url(night)))

    assert "No table has to change: the unstarted tables can’t be paired better" in page


def test_a_closed_round_is_not_paired_anew():
    night = night_in_round(2)

    response = desk_of(night).get(repair_url(night, 1))

    assert response.status_code == 409
    assert "Round 1 isn’t open, so its tables stay as they are." in text_of(response)


# pages that were opened before


def test_a_result_typed_for_two_who_were_moved_meanwhile_is_not_saved_for_others():
    night = night_in_round(2, 5)
    desk = desk_of(night)
    opened = hidden(desk.get(url_of(night, 1, 2)))
    desk.post(url_of(night), confirmed(desk.post(url_of(night), TYPED), "fewest"))

    late = desk.post(url_of(night, 1, 2), TYPED | opened)
    in_a_row = {f"t1-{name}": value for name, value in (TYPED | opened).items()}
    by_keyboard = desk.post(reverse("results", args=[night.event.slug, 2]), in_a_row)

    for response in (late, by_keyboard):
        assert response.status_code == 409
        assert "Not saved. The pairings changed: Vor and Onyx are at table 1 now." in text_of(response)
    assert match_at(night.event, 1, 2).result is None


def test_a_report_that_waited_on_a_phone_is_not_taken_for_the_new_match():
    night = night_in_round(2, 5)
    event = night.event
    sender = match_at(event, 1, 2).b
    phone = phone_of(sender.player)
    report = reverse("report", args=[event.slug, 2])
    opened = hidden(phone.get(report))
    desk = desk_of(night)
    desk.post(url_of(night), confirmed(desk.post(url_of(night), TYPED), "fewest"))

    response = phone.post(report, {"ending": "time", "sp_left_a": "5", "sp_left_b": "80"} | opened)

    assert response.status_code == 409
    assert "The pairings changed" in text_of(response)
    assert not PlayerReport.objects.filter(seat__round__event=event).exists()


def test_the_number_of_queries_does_not_grow_with_the_tables():
    few = night_in_round(2, 9)
    many = night_in_round(2, 17, store=few.store)
    desk, counts = desk_of(few), []
    for night in (few, few, many):
        SHARED.forget()
        with CaptureQueriesContext(connection) as queries:
            page = text_of(desk.post(url_of(night), TYPED))
        assert "Change as few tables as possible" in page
        assert "Re-pair all tables" in page
        counts.append(len(queries))

    assert counts[1] == counts[2]


@pytest.mark.parametrize(("players", "is_offered"), [(4, False), (5, True), (6, True)])
def test_places_change_by_hand_only_where_two_tables_or_the_bye_have_not_begun(client, players, is_offered):
    """Table 1 has its result: of four players only one table is left, whose two play each other anyway."""
    night = make_night(players=players, open_round=True)
    enter(night.event, 1, on_time(40, 30))
    client.force_login(night.organizer)

    page = text_of(client.get(reverse("repair", args=[night.event.slug, 1])))

    assert ("Swap two players" in page) is is_offered
