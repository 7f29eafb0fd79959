"""Drawing a round at the desk, and choosing what gives way when not everything can be kept (rule 3.7)."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.rounds_at_the_desk import everybody_met, seating, signed_in, stop_url, url
from tourney.actions import history, penalties, rounds
from tourney.models import Event, Round
from tourney.queries.history import history_of, stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# pair


def test_one_press_drafts_the_round_and_shows_it(client):
    night = make_night(players=5)
    signed_in(client, night)

    response = client.post(url(night.event, "pair"), {"number": 1})

    seed = Round.objects.get().seed
    assert response.headers["Location"] == url(night.event, "round", 1)
    assert f"from the seed {seed}." in client.get(response.headers["Location"]).content.decode()
    assert 0 <= seed < 2**31


def test_a_double_press_pairs_once_and_says_so(client):
    night = make_night(players=5)
    signed_in(client, night)
    client.post(url(night.event, "pair"), {"number": 1})

    again = client.post(url(night.event, "pair"), {"number": 1})

    assert again.status_code == 409
    assert "Round 1 is already paired." in again.content.decode()
    assert Round.objects.count() == 1


def test_a_draft_with_rematches_offers_the_ways_to_go_on_with_their_effects(client):
    night = everybody_met()

    page = signed_in(client, night).get(url(night.event, "round", 4)).content.decode()

    assert "Some pairing rules can’t be kept" in page
    assert "Rematch the oldest meeting" in page
    assert page.count("meet again. They met in round 1.") == 2
    assert page.count("Every table changes.") == 1
    assert "Stop after round 3" in page
    assert page.count(f'action="{url(night.event, "choose", 4)}"') == 1


def test_a_judge_reads_what_gives_way_and_chooses_nothing(client):
    night = everybody_met()

    page = signed_in(client, night, "judge").get(url(night.event, "round", 4)).content.decode()

    assert "no pairing of this round has fewer repeat opponents" in page
    assert url(night.event, "choose", 4) not in page


def test_one_press_drafts_the_way_that_was_chosen(client):
    night = everybody_met()
    first = {frozenset(pair) for pair in seating(night.event, 1)}

    response = signed_in(client, night).post(url(night.event, "choose", 4), {"choice": "oldest"}, follow=True)

    assert response.redirect_chain == [(url(night.event, "round", 4), 302)]
    assert {frozenset(pair) for pair in seating(night.event, 4)} == first
    assert "Round 4 is drafted again as you chose. No one has seen it yet." in response.content.decode()


def test_to_stop_shows_the_final_ranks_and_keeps_the_draft_until_they_are_confirmed(client):
    night = everybody_met()
    before, client = stored_rows(night.event), signed_in(client, night)

    offered = client.get(url(night.event, "round", 4)).content.decode()
    page = client.get(stop_url(night)).content.decode()
    without = client.post(stop_url(night), {"stop": "4", "reason": ""})

    assert stop_url(night) in offered
    for words in (
        "Finish after round 3 of 4",
        "Round 4 isn’t played, and its draft is discarded.",
        "Back to the draft",
    ):
        assert words in page
    assert (without.status_code, stored_rows(night.event)) == (422, before)
    assert "Round 4 isn’t played" in without.content.decode()


def test_a_confirmed_stop_is_one_step_and_one_step_back_brings_the_draft_again(client):
    night = everybody_met()
    before = stored_rows(night.event)

    response = signed_in(client, night).post(stop_url(night), {"stop": "4", "reason": "everybody has met"})

    event = Event.objects.get(pk=night.event.pk)
    last = history_of(event).last
    assert (response.status_code, event.finished_at is None, Round.objects.count()) == (302, False, 3)
    assert (last.did, last.reason) == ("stop_event", "everybody has met")
    assert last.what.startswith("Draft of round 4 discarded: the event ends after round 3 (rule 3.7). Event finished.")
    history.undo(event, last.pk, by=BY)
    assert stored_rows(event) == before


def test_a_draft_that_was_published_meanwhile_is_not_stopped(client):
    night = everybody_met()
    rounds.publish_round(night.event, 4, by=BY)

    response = signed_in(client, night).post(stop_url(night), {"stop": "4", "reason": "everybody has met"})

    assert response.status_code == 409
    assert "Round 4 is already published." in response.content.decode()
    assert Event.objects.get(pk=night.event.pk).finished_at is None


def test_where_final_ranks_need_dice_the_draft_goes_by_a_press_that_says_so(client):
    """Rule 4.4: between rounds this month rolls only ties that change the pairing; for final ranks every tie."""
    night = everybody_met()
    first, second = state_of(night.event).standings(3)[:2]
    even = {
        "battle_points": second.battle_points - first.battle_points,
        "fleet_points": second.fleet_points - first.fleet_points,
    }
    penalties.penalize(night.event, 3, first.id, reason="late", by=BY, **even)
    client = signed_in(client, night)

    page = client.get(stop_url(night)).content.decode()
    drafted = Round.objects.count()
    response = client.post(url(night.event, "choose", 4), {"choice": "stop"}, follow=True)

    assert "1 thing to do first" in page
    assert "Discard draft and continue" in page
    assert (drafted, Round.objects.count()) == (4, 3)
    assert response.redirect_chain == [(url(night.event, "finish"), 302)]
    assert "tied in the standings, roll off" in response.content.decode()


@pytest.mark.parametrize("data", [{}, {"choice": "anything"}])
def test_a_choice_that_does_not_exist_changes_nothing(client, data):
    night = everybody_met()
    before = seating(night.event, 4)

    response = signed_in(client, night).post(url(night.event, "choose", 4), data)

    assert response.status_code == 409
    assert "Choose one of the options shown with the draft." in response.content.decode()
    assert seating(night.event, 4) == before


def stopping(client: Client, *, rounds_closed: int = 2) -> tuple[Night, str, dict]:
    """The page on which round 3, a draft, is not played; with what its form would send."""
    night = make_night(players=5, rounds=rounds_closed)
    rounds.pair_round(night.event, seed=3, by=BY)
    client.force_login(night.organizer)
    address = f"{reverse('finish', args=[night.event.slug])}?stop=3"
    assert 'value="3"' in client.get(address).text
    return night, address, {"stop": "3", "reason": "the shop closes"}


def test_a_reason_to_stop_is_kept_where_the_draft_is_another_one_meanwhile(client):
    night, address, sent = stopping(client)
    seen = str(Event.objects.get(pk=night.event.pk).version)
    rounds.discard_draft(night.event, 3, by=BY)
    rounds.pair_round(night.event, seed=4, by=BY)
    penalties.penalize(night.event, 2, 1, reason="late", fleet_points=-1, by=BY)

    refused = client.post(address, sent | {"as_of": seen})

    assert refused.status_code == 409
    assert 'value="the shop closes"' in refused.text
    assert 'name="stop" value="3"' in refused.text


def test_to_stop_leads_on_where_the_draft_is_gone_already(client):
    night, address, sent = stopping(client)
    rounds.discard_draft(night.event, 3, by=BY)

    assert 'name="stop" value' not in client.get(address).text
    assert client.post(address, sent).status_code == 409
    assert client.post(address, sent | {"stop": ""}).status_code == 302
