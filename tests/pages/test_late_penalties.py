"""A penalty of a round that is over: everything it changes is shown before, as for a correction."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages.test_corrections import confirmed, desk_of, hidden
from tests.support.corrected import night_in_round, tables
from tests.support.nights import BY, Night
from tests.support.result_forms import text_of
from tests.support.tables import enter, match_at, on_time
from tourney.actions import penalties, rounds
from tourney.models import Event, JournalEntry, Penalty
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def url_of(night: Night, number: int = 1, table: int = 1) -> str:
    return reverse("ruling", args=[night.event.slug, number, table])


def points_off(night: Night, fleet_points: int = -60) -> dict[str, str]:
    """What the form sends for the winner of table 1."""
    winner = match_at(night.event, 1).a.number
    return {"penalize": str(winner), "fleet_points": str(fleet_points), "battle_points": "-1", "reason": "late again"}


def entries(night: Night) -> list[tuple[str, str]]:
    found = JournalEntry.objects.filter(event=night.event).order_by("-pk").values_list("did", "reason")
    return [one for one in found if "penal" in one[0] or "lift" in one[0]]


def test_everything_a_late_penalty_changes_is_on_one_page_before_it_is_given():
    night = night_in_round(2, 5)

    page = text_of(desk_of(night).post(url_of(night), points_off(night)))

    for words in (
        "Review penalty",
        "Not saved yet",
        "Kestrel gets −1 Battle Point and −60 Fleet Points (rule 2.12).",
        "Reason: late again",
        "Standings after round 1",
        "Points of round 1",
        "Round 2 would have been paired differently: table 1, table 2, the bye.",
        "Leave everyone where they are",
        "Change as few tables as possible",
        "Deduct 1 BP and 60 FP from Kestrel",
    ):
        assert words in page
    assert not Penalty.objects.exists()


def test_the_penalty_and_the_chosen_tables_are_saved_together():
    night = night_in_round(2, 5)
    before, desk = tables(night.event), desk_of(night)
    shown = desk.post(url_of(night), points_off(night))

    response = desk.post(url_of(night), confirmed(shown, "fewest"))

    assert response.url == reverse("round", args=[night.event.slug, 1])
    assert tables(night.event) != before
    assert entries(night) == [("penalize_and_repair", "late again")]
    assert "All phones and screens show it now" in text_of(desk.get(response.url))


def test_from_the_effect_it_goes_back_to_the_form_with_everything_typed():
    night = night_in_round(2, 5)
    desk = desk_of(night)
    shown = desk.post(url_of(night), points_off(night, -35))

    form = desk.post(url_of(night), hidden(shown) | {"edit": "1"}).content.decode()

    assert ['value="-35"' in form, 'value="late again"' in form, "Review penalty" in form] == [
        True,
        True,
        False,
    ]
    assert not Penalty.objects.exists()


def test_a_penalty_of_the_round_in_play_is_given_without_any_page_between():
    night = night_in_round(2, 5)
    winner = match_at(night.event, 1, 2).a.number

    response = desk_of(night).post(url_of(night, 2), points_off(night) | {"penalize": str(winner)})

    assert (response.status_code, entries(night)) == (302, [("penalize", "late again")])


@pytest.mark.parametrize(("words", "status"), [("", 422), ("correct", 302)])
def test_an_older_round_asks_for_the_typed_word(words, status):
    night = night_in_round(3)
    desk = desk_of(night)
    shown = desk.post(url_of(night), points_off(night))

    response = desk.post(url_of(night), confirmed(shown, **{"repair-words": words}))

    assert ("Type “correct”" in text_of(shown), response.status_code) == (True, status)
    assert Penalty.objects.exists() == (status == 302)


def test_a_finished_event_asks_for_the_typed_word_and_stays_finished():
    night = night_in_round(1, 4)
    for table in (1, 2):
        enter(night.event, table, on_time(60 + table, 20 + 5 * table))
    rounds.close_round(night.event, 1, by=BY)
    desk = desk_of(night)
    desk.post(reverse("finish", args=[night.event.slug]), {"reason": "the shop closes"})
    shown = desk.post(url_of(night), points_off(night))

    answers = [desk.post(url_of(night), confirmed(shown, **{"repair-words": words})) for words in ("", "correct")]

    assert "The event is finished Its ranks are public and final. This correction changes them." in text_of(shown)
    assert [answer.status_code for answer in answers] == [422, 302]
    assert (Event.objects.get(pk=night.event.pk).finished_at is None, Penalty.objects.count()) == (False, 1)


def test_taking_a_late_penalty_back_shows_its_effect_and_asks_why():
    night = night_in_round(2, 5)
    winner = match_at(night.event, 1).a.number
    penalties.penalize(night.event, 1, winner, fleet_points=-60, battle_points=-1, reason="late again", by=BY)
    lift, desk = {"lift": str(Penalty.objects.get().pk)}, desk_of(night)

    shown = desk.post(url_of(night), lift)
    without = desk.post(url_of(night), confirmed(shown))
    there = Penalty.objects.count()
    response = desk.post(url_of(night), confirmed(shown, "leave", **{"repair-reason": "it was somebody else"}))

    for words in ("Before: Kestrel gets −1 Battle Point and −60 Fleet Points: late again", "Remove penalty"):
        assert words in text_of(shown)
    assert (without.status_code, there) == (422, 1)
    assert "Give a reason. It stays in the journal." in text_of(without)
    assert (response.status_code, Penalty.objects.count()) == (302, 0)
    assert entries(night)[0] == ("lift_penalty", "it was somebody else")


@pytest.mark.parametrize("lifted", [False, True], ids=["given", "taken back"])
def test_confirmed_twice_it_is_done_once_and_nobody_is_scared(lifted):
    night = night_in_round(2, 5)
    desk, data = desk_of(night), points_off(night)
    if lifted:
        winner = match_at(night.event, 1).a.number
        penalties.penalize(night.event, 1, winner, fleet_points=-60, reason="late again", by=BY)
        data = {"lift": str(Penalty.objects.get().pk)}
    shown = desk.post(url_of(night), data)

    answers = [desk.post(url_of(night), confirmed(shown, **{"repair-reason": "no"})) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert (len(entries(night)), Penalty.objects.count()) == ((2, 0) if lifted else (1, 1))


def test_what_changed_meanwhile_is_shown_anew_with_everything_typed():
    night = night_in_round(2, 5)
    desk = desk_of(night)
    shown = desk.post(url_of(night), points_off(night))
    penalties.penalize(night.event, 1, match_at(night.event, 2).a.number, fleet_points=-50, reason="noise", by=BY)

    response = desk.post(url_of(night), confirmed(shown, "fewest"))

    assert response.status_code == 409
    assert "the effect is no longer the one you saw" in text_of(response)
    assert hidden(response)["reason"] == "late again"
    assert desk.post(url_of(night), confirmed(response)).status_code == 302
    assert Penalty.objects.count() == 2


def test_a_judge_gives_no_penalty_of_a_closed_round():
    night = night_in_round(2, 5)
    judge = Client()
    judge.force_login(night.judge)
    shown = desk_of(night).post(url_of(night), points_off(night))

    assert [judge.post(url_of(night), data).status_code for data in (points_off(night), confirmed(shown))] == [409, 409]
    assert state_of(night.event).round(1).penalties == ()


def test_the_bye_of_a_closed_round_is_penalized_the_same_way():
    night = night_in_round(2, 5)
    bye = state_of(night.event).round(1).bye.a
    page, desk = reverse("bye_ruling", args=[night.event.slug, 1]), desk_of(night)
    shown = desk.post(page, points_off(night) | {"penalize": str(bye.number)})

    response = desk.post(page, confirmed(shown))

    assert "Round 1, bye" in text_of(shown)
    assert (response.status_code, Penalty.objects.get().entrant) == (302, bye)
