import re
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.actions import by_hand, entrants, history, penalties, results, roll_offs, rounds, simulation
from tourney.models import Event, JournalEntry, Round
from tourney.queries.history import history_of, stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def url(event: Event, name: str, *args) -> str:
    return reverse(name, args=[event.slug, *args])


def signed_in(client: Client, night: Night, role: str = "organizer") -> Client:
    client.force_login(getattr(night, role))
    return client


@copied
def drafted(players: int = 6, rounds_before: int = 0) -> Night:
    night = make_night(players=players, rounds=rounds_before)
    rounds.pair_round(night.event, seed=7, by=BY)
    return night


def seating(event: Event, number: int = 1) -> list[tuple[int, ...]]:
    return [match.numbers for match in state_of(event).round(number).matches]


# pair


def test_one_press_drafts_the_round_and_shows_it(client):
    night = make_night(players=5)
    signed_in(client, night)

    response = client.post(url(night.event, "pair"), {"number": 1})

    seed = Round.objects.get().seed
    assert response.headers["Location"] == url(night.event, "round", 1)
    assert f"with the seed {seed}:" in client.get(response.headers["Location"]).content.decode()
    assert 0 <= seed < 2**31


def test_a_double_press_pairs_once_and_says_so(client):
    night = make_night(players=5)
    signed_in(client, night)
    client.post(url(night.event, "pair"), {"number": 1})

    again = client.post(url(night.event, "pair"), {"number": 1})

    assert again.status_code == 409
    assert "Round 1 has been paired already. Nothing was changed." in again.content.decode()
    assert Round.objects.count() == 1


# what gives way when not everything can be kept (rule 3.7)


@copied
def everybody_met() -> Night:
    """Four who have met in three rounds, and a draft of a fourth."""
    night = make_night(players=4)
    Event.objects.filter(pk=night.event.pk).update(rounds_planned=4)
    night.event.refresh_from_db()
    by = BY
    for _ in range(3):
        by = simulation.draw(night.event, random=Random(3), by=by)
        by = simulation.play_round(night.event, random=Random(4), by=by)
    rounds.pair_round(night.event, seed=5, by=by)
    return night


def test_a_draft_with_rematches_offers_the_ways_to_go_on_with_their_effects(client):
    night = everybody_met()

    page = signed_in(client, night).get(url(night.event, "round", 4)).content.decode()

    assert "Not everything can be kept" in page
    assert "The oldest meeting again" in page
    assert page.count("meet again; they met in round 1.") == 2
    assert page.count("Every table changes.") == 1
    assert "Stop after round 3" in page
    assert page.count(f'action="{url(night.event, "choose", 4)}"') == 1


def test_a_judge_reads_what_gives_way_and_chooses_nothing(client):
    night = everybody_met()

    page = signed_in(client, night, "judge").get(url(night.event, "round", 4)).content.decode()

    assert "no pairing of this round has fewer repeated opponents" in page
    assert url(night.event, "choose", 4) not in page


def test_one_press_drafts_the_way_that_was_chosen(client):
    night = everybody_met()
    first = {frozenset(pair) for pair in seating(night.event, 1)}

    response = signed_in(client, night).post(url(night.event, "choose", 4), {"choice": "oldest"}, follow=True)

    assert response.redirect_chain == [(url(night.event, "round", 4), 302)]
    assert {frozenset(pair) for pair in seating(night.event, 4)} == first
    assert "Round 4 is drafted again as you chose. Nobody has seen it yet." in response.content.decode()


def stop_url(night: Night) -> str:
    return f"{url(night.event, 'finish')}?stop=4"


def test_to_stop_shows_the_final_ranks_and_keeps_the_draft_until_they_are_confirmed(client):
    night = everybody_met()
    before, client = stored_rows(night.event), signed_in(client, night)

    offered = client.get(url(night.event, "round", 4)).content.decode()
    page = client.get(stop_url(night)).content.decode()
    without = client.post(stop_url(night), {"stop": "4", "reason": ""})

    assert stop_url(night) in offered
    for words in ("Finish after round 3 of 4", "Round 4 is not played: its draft goes with this.", "Back to the draft"):
        assert words in page
    assert (without.status_code, stored_rows(night.event)) == (422, before)
    assert "Round 4 is not played" in without.content.decode()


def test_a_confirmed_stop_is_one_step_and_one_step_back_brings_the_draft_again(client):
    night = everybody_met()
    before = stored_rows(night.event)

    response = signed_in(client, night).post(stop_url(night), {"stop": "4", "reason": "everybody has met"})

    event = Event.objects.get(pk=night.event.pk)
    last = history_of(event).last
    assert (response.status_code, event.finished_at is None, Round.objects.count()) == (302, False, 3)
    assert (last.did, last.reason) == ("stop_event", "everybody has met")
    assert last.what.startswith(
        "Draft of round 4 thrown away by choice: the event ends after round 3 (rule 3.7). Event finished."
    )
    history.undo(event, last.pk, by=BY)
    assert stored_rows(event) == before


def test_a_draft_that_was_published_meanwhile_is_not_stopped(client):
    night = everybody_met()
    rounds.publish_round(night.event, 4, by=BY)

    response = signed_in(client, night).post(stop_url(night), {"stop": "4", "reason": "everybody has met"})

    assert response.status_code == 409
    assert "Round 4 is already published. Nothing was changed." in response.content.decode()
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
    assert "Throw the draft away, and do it" in page
    assert (drafted, Round.objects.count()) == (4, 3)
    assert response.redirect_chain == [(url(night.event, "finish"), 302)]
    assert "tied in the standings, roll off" in response.content.decode()


@pytest.mark.parametrize("data", [{}, {"choice": "anything"}])
def test_a_choice_that_does_not_exist_changes_nothing(client, data):
    night = everybody_met()
    before = seating(night.event, 4)

    response = signed_in(client, night).post(url(night.event, "choose", 4), data)

    assert response.status_code == 409
    assert "Choose one of the ways shown with the draft. Nothing was changed." in response.content.decode()
    assert seating(night.event, 4) == before


# the draft


def test_a_draft_shows_every_table_with_its_reason_and_can_be_published(client):
    night = drafted(players=5)

    page = signed_in(client, night).get(url(night.event, "round", 1)).content.decode()

    assert page.count("Drawn at random: round 1 (rule 3.1, seed 7).") == 2
    assert "The bye of round 1 is drawn at random (rule 3.1, seed 7)." in page
    assert f'action="{url(night.event, "publish", 1)}"' in page
    assert f'action="{url(night.event, "by_hand", 1)}"' in page
    assert f'action="{url(night.event, "discard", 1)}"' in page
    assert "5 players, 3 rounds: nobody meets twice" in page


def test_a_judge_sees_the_draft_and_can_do_nothing_to_it(client):
    night = drafted()

    page = signed_in(client, night, "judge").get(url(night.event, "round", 1)).content.decode()

    assert "Drawn at random" in page
    for name in ("publish", "by_hand", "discard"):
        assert url(night.event, name, 1) not in page


def test_two_players_change_places_by_hand(client):
    night = drafted()
    (a, b), (c, d), _ = seating(night.event)

    response = signed_in(client, night).post(
        url(night.event, "by_hand", 1), {"who": a, "to": c, "reason": "one car"}, follow=True
    )

    page = response.content.decode()
    assert seating(night.event)[:2] == [(c, b), (a, d)]
    assert page.count("By hand: one car") == 2
    assert "changed places in round 1, by hand." in page


def test_the_first_tap_picks_a_player_and_the_second_says_where_to(client):
    night = drafted()
    (a, b), (c, _), _ = seating(night.event)
    signed_in(client, night)

    first = client.get(url(night.event, "round", 1)).content.decode()
    second = client.get(url(night.event, "round", 1), {"pick": a}).content.decode()

    assert f'href="{url(night.event, "round", 1)}?pick={a}"' in first
    assert f'name="who" value="{a}"' in second
    for to in (b, c, "bye", "wait"):
        assert f'value="{to}"' in second


def test_the_reason_is_asked_once_for_a_draft(client):
    night = drafted()
    (a, b), (c, d), (e, f) = seating(night.event)
    signed_in(client, night)
    address = url(night.event, "by_hand", 1)

    asked = client.post(address, {"who": a, "to": c})
    before = seating(night.event)
    done = client.post(address, {"who": a, "to": c, "reason": "one car", "do": "because"})
    again = client.post(address, {"who": b, "to": e})

    assert (asked.status_code, done.status_code, again.status_code) == (422, 302, 302)
    assert "why?" in asked.content.decode()
    assert before == [(a, b), (c, d), (e, f)]
    assert seating(night.event) == [(c, e), (a, d), (b, f)]
    assert {match.row.manual_reason for match in state_of(night.event).round(1).matches} == {"one car"}


def test_while_a_reason_is_asked_for_the_round_cannot_be_published_without_the_change(client):
    night = drafted()
    (a, _), (c, _), _ = seating(night.event)

    asked = signed_in(client, night).post(url(night.event, "by_hand", 1), {"who": a, "to": c}).content.decode()

    assert f"{state_of(night.event).names[a]} takes the place of {state_of(night.event).names[c]}: why?" in asked
    assert "One change is not done yet" in asked
    assert url(night.event, "publish", 1) not in asked


def test_who_is_picked_cannot_be_sent_to_their_own_opponent(client):
    night = drafted()
    (a, _), (c, d), (e, f) = seating(night.event)

    page = signed_in(client, night).get(url(night.event, "round", 1) + f"?pick={a}").content.decode()

    targets = {int(number) for number in re.findall(r'name="to"\s+value="(\d+)"', page)}
    assert targets == {c, d, e, f}


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [
        ({"reason": "", "do": "because"}, 422, "Say why, once for this draft."),
        ({"to": ""}, 409, "Choose a player, and then where to."),
        ({"who": "99"}, 409, "Choose two different players of this draft."),
        ({"reason": "x" * 201}, 422, "at most 200 characters"),
    ],
    ids=["no reason", "only one", "a stranger", "a novel"],
)
def test_a_change_that_is_not_whole_is_asked_for_again(client, changes, status, sentence):
    night = drafted()
    (a, _), (c, _), _ = seating(night.event)
    before = seating(night.event)
    data = {"who": a, "to": c, "reason": "one car"} | changes

    response = signed_in(client, night).post(url(night.event, "by_hand", 1), data)

    assert (response.status_code, sentence in response.content.decode()) == (status, True)
    assert seating(night.event) == before


def test_a_change_that_comes_to_nothing_is_refused_on_the_page(client):
    night = drafted()
    (a, b), *_ = seating(night.event)

    response = signed_in(client, night).post(url(night.event, "by_hand", 1), {"who": a, "to": b, "reason": "one car"})

    assert response.status_code == 409
    assert "These two already play each other" in response.content.decode()


def test_a_change_of_a_round_that_was_published_meanwhile_is_refused(client):
    night = drafted()
    (a, _), (c, _), _ = seating(night.event)
    rounds.publish_round(night.event, 1, by=BY)
    data = {"who": a, "to": c, "reason": "one car"}

    response = signed_in(client, night).post(url(night.event, "by_hand", 1), data)
    part = client.post(url(night.event, "by_hand", 1), data, headers={"HX-Request": "true", "HX-Target": "draft"})

    assert response.status_code == 409
    assert "There is no draft of round 1 to change any more." in response.content.decode()
    assert part.headers["HX-Redirect"] == url(night.event, "desk")


def test_a_table_is_broken_and_the_round_waits_until_both_have_a_place_again(client):
    night = drafted()
    (a, b), *others = seating(night.event)
    signed_in(client, night)
    address, names = url(night.event, "by_hand", 1), state_of(night.event).names
    both = " and ".join(names[one] for one in sorted((a, b)))

    page = client.post(address, {"table": 1, "reason": "one car"}, follow=True).content.decode()
    refused = client.post(url(night.event, "publish", 1))
    client.post(address, {"who": b, "to": a})

    assert "2 players without a place" in " ".join(page.split())
    assert f"{both} could play each other (rule 3.3 a)." in page
    assert refused.status_code == 409
    assert f"{both} have no place in round 1." in refused.content.decode()
    assert seating(night.event) == [(b, a), *others]


def test_the_last_change_is_taken_back_and_everything_with_one_press(client):
    night = drafted()
    before = seating(night.event)
    (a, _), (c, _), (e, _) = before
    signed_in(client, night)
    address = url(night.event, "by_hand", 1)
    client.post(address, {"who": a, "to": c, "reason": "one car"})
    between = seating(night.event)
    client.post(address, {"who": c, "to": e})
    step = JournalEntry.objects.latest("pk").pk

    client.post(address, {"do": "undo", "step": step})
    taken_back = seating(night.event)
    page = client.post(address, {"do": "engine"}, follow=True).content.decode()

    assert taken_back == between
    assert seating(night.event) == before
    assert "By hand" not in page


def test_a_pairing_made_by_hand_is_flagged_when_the_two_have_met(client):
    night = drafted(players=4, rounds_before=1)
    met = seating(night.event, 1)[0]
    (a, b), (c, d) = seating(night.event, 2)
    place = {a: b, b: a, c: d, d: c}
    by_hand.place(night.event, 2, place[met[0]], met[1], reason="they insist", by=BY)

    page = signed_in(client, night).get(url(night.event, "round", 2)).content.decode()

    assert page.count("They met in round 1 (rule 3.3 b).") == 2  # with four players both tables are then repeated


def test_two_who_have_met_can_meet_again_or_stop(client):
    """Rule 3.7."""
    night = drafted(players=2, rounds_before=1)

    page = signed_in(client, night).get(url(night.event, "round", 2)).content.decode()

    assert "meet again; they met in round 1." in page
    assert "This draft" in page
    assert "Stop after round 1" in page


def test_who_checked_in_after_the_draft_waits_for_a_place_before_it_is_published(client):
    night = drafted()
    entrants.register(night.event, [("Zephyr", "")], by=BY, checked_in=True)

    page = " ".join(signed_in(client, night).get(url(night.event, "round", 1)).content.decode().split())
    response = client.post(url(night.event, "publish", 1))

    assert "Without a place: 1" in page
    assert response.status_code == 409
    assert "Zephyr has no place in round 1." in response.content.decode()


def test_a_draft_leads_to_the_round_before_it_where_that_was_wrong(client):
    """A result of round 1 is corrected after round 2 was drafted, and the draft is left as it was."""
    night = drafted(players=6, rounds_before=1)
    signed_in(client, night)
    before = " ".join(client.get(url(night.event, "round", 2)).content.decode().split())
    winner = match_at(night.event, 1).winner
    other_way = on_time(10, 90) if winner.number == match_at(night.event, 1).a.number else on_time(90, 10)
    enter(night.event, 1, other_way, version=1, reason="read the wrong way round")

    after = " ".join(client.get(url(night.event, "round", 2)).content.decode().split())

    assert "Was round 1 wrong?" in before
    assert f'<a class="button" href="{url(night.event, "round", 1)}">' in before
    anew = f'<a href="{url(night.event, "repair", 2)}">See what pairing it anew changes</a>'
    assert (anew in before, anew in after) == (False, True)


def test_the_first_draft_has_no_round_before_it(client):
    night = drafted()

    assert "Was round 0 wrong?" not in signed_in(client, night).get(url(night.event, "round", 1)).content.decode()


def test_a_draft_is_thrown_away(client):
    night = drafted()
    signed_in(client, night)

    response = client.post(url(night.event, "discard", 1))
    again = client.post(url(night.event, "discard", 1))

    assert response.headers["Location"] == url(night.event, "desk")
    assert Round.objects.count() == 0
    assert again.status_code == 409
    assert "There is no draft of round 1. It may have been thrown away meanwhile." in again.content.decode()
    assert client.get(url(night.event, "round", 1)).status_code == 404


def test_a_draft_is_published_once(client):
    night = drafted()
    signed_in(client, night)

    first = client.post(url(night.event, "publish", 1), follow=True)
    again = client.post(url(night.event, "publish", 1))

    assert "Round 1 is published. Start the clock when everybody sits." in first.content.decode()
    assert again.status_code == 409
    assert "Round 1 is already published. Nothing was changed." in again.content.decode()


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

    assert "A result can still be corrected at its table" in page
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
    assert "The clock of round 1 is running already." in response.content.decode()


# close


def test_the_page_before_closing_lists_what_is_missing_and_has_no_button(client):
    night = make_night(players=5, open_round=True, tables=1)

    page = signed_in(client, night).get(url(night.event, "close", 1)).content.decode()

    assert "1 thing missing" in page
    assert f'<a href="{url(night.event, "result", 1, 2)}">Table 2, ' in page
    assert "they are known when every result is in." in page
    assert ">Close round 1</button>" not in page


def test_the_fleet_points_of_the_bye_are_shown_as_the_sum_that_they_are(client):
    """Rule 2.10."""
    night = make_night(players=5, open_round=True)
    for table, left in ((1, 30), (2, 45)):
        played = Played(Ending.ELIMINATION, (Side(left), Side(0)), out=1)
        results.report_result(night.event, 1, table, results.ResultInput(played), version=0, by=BY)

    page = signed_in(client, night).get(url(night.event, "close", 1)).content.decode()

    total = " ".join(page[page.index('<dl class="sum">') : page.index("</dl>")].split())
    assert "<dt>mean of 4 others: (100+70+100+55) / 4 = 81.25, rounded up</dt> <dd> 82 </dd>" in total
    assert total.endswith('<div class="sum-total"> <dt>Fleet Points</dt> <dd> 82 </dd> </div>')


def test_roll_offs_that_are_done_are_shown_with_their_order(client):
    night = make_night(players=4, open_round=True)
    for table in (1, 2):
        played = Played(Ending.ELIMINATION, (Side(40), Side(0)), out=1)
        results.report_result(night.event, 1, table, results.ResultInput(played), version=0, by=BY)
    state = state_of(night.event)
    first, second = state.ties(1)
    roll_offs.throw_dice(night.event, 1, "standing", first, {first[0]: 1, first[1]: 3}, by=BY)

    page = signed_in(client, night).get(url(night.event, "close", 1)).content.decode()

    names = state.names
    assert f"{names[first[1]]} and {names[first[0]]}, in this order" in page
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
    assert "Round 1 is already closed. Nothing was changed." in again.content.decode()
    assert "Round 1: points" in " ".join(client.get(url(night.event, "close", 1)).content.decode().split())


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
