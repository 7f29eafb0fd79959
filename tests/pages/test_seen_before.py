"""Pages that are refreshed in parts, and pages that others have overtaken: nobody is refused for their own steps."""

import re

import pytest
from django.urls import reverse

from scoring.domain.points import Ending
from tests.support.nights import BY, make_night
from tests.support.tables import eliminated, enter
from tourney.actions import penalties, rounds, tables
from tourney.models import Penalty, Round, SheetCheck
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def as_of(body: str, action: str) -> str:
    """What the form that goes there says it has seen."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', body, re.DOTALL)[0]
    return re.search(r'name="as_of" value="(\d+)"', form)[1]


def test_who_moved_players_by_hand_can_discard_the_draft_from_the_same_page(client):
    night = make_night(players=4)
    client.force_login(night.organizer)
    rounds.pair_round(night.event, seed=7, by=BY)
    first, second = state_of(night.event).last_round.tables
    htmx = {"HX-Request": "true", "HX-Target": "draft"}
    typed = {"who": first.numbers[0], "to": second.numbers[0], "reason": "brothers", "why": "brothers", "do": "because"}

    part = client.post(reverse("by_hand", args=[night.event.slug, 1]), typed, headers=htmx, follow=True)
    discard = reverse("discard", args=[night.event.slug, 1])
    client.post(discard, {"as_of": as_of(part.content.decode(), discard)})

    assert part.status_code == 200
    assert not Round.objects.filter(event=night.event).exists()


def test_a_ruling_is_not_given_to_others_who_sit_at_the_table_by_now(client):
    night = make_night(players=4, open_round=True)
    client.force_login(night.judge)
    url = reverse("ruling", args=[night.event.slug, 1, 1])
    body = client.get(url).content.decode()
    sent = dict(re.findall(r'name="(version|players|as_of)" value="([^"]*)"', body))
    tables.move_table(night.event, 1, 1, 2, by=BY)

    answer = client.post(url, {**sent, "decide": f"{Ending.NO_SHOW} a", "reason": "Did not come"})

    assert answer.status_code == 409
    assert [match.result for match in state_of(night.event).last_round.tables] == [None, None]


def test_a_judge_lifts_no_penalty_of_a_closed_round_from_a_table_in_play(client):
    night = make_night(players=4, rounds=1, open_round=True)
    client.force_login(night.judge)
    penalties.penalize(night.event, 1, 1, fleet_points=-10, reason="late", by=BY)
    given = Penalty.objects.get()

    answer = client.post(reverse("ruling", args=[night.event.slug, 2, 1]), {"lift": given.pk})

    assert answer.status_code == 404
    assert [*Penalty.objects.all()] == [given]


def test_the_result_of_others_who_sit_at_the_table_by_now_is_not_taken_back(client):
    night = make_night(players=4, open_round=True)
    client.force_login(night.organizer)
    for table in (1, 2):
        enter(night.event, table, eliminated(left=50 + table))
    url = reverse("result", args=[night.event.slug, 1, 1])
    body = client.get(url).content.decode()
    sent = dict(re.findall(r'name="(version|players|as_of)" value="([^"]*)"', body))
    tables.move_table(night.event, 1, 1, 2, by=BY)

    answer = client.post(url, {**sent, "take_back": "1"})

    assert answer.status_code == 409
    assert [match.version for match in state_of(night.event).last_round.tables] == [1, 1]


def test_fleets_of_others_who_sit_at_the_table_by_now_are_not_signed(client):
    night = make_night(players=4, open_round=True)
    client.force_login(night.judge)
    night.event.refresh_from_db()
    seen = night.event.version
    tables.move_table(night.event, 1, 1, 2, by=BY)

    answer = client.post(reverse("signed", args=[night.event.slug, 1, 1]), {"as_of": seen})

    assert answer.status_code == 409
    assert not SheetCheck.objects.exists()
