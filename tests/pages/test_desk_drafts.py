"""A draft at the desk: looked at, changed by hand, discarded, published."""

import re

import pytest

from tests.support.nights import BY
from tests.support.rounds_at_the_desk import drafted, seating, signed_in, url
from tests.support.saying import html_of
from tests.support.tables import enter, match_at, on_time
from tourney.actions import by_hand, entrants, rounds
from tourney.models import JournalEntry, Round
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# the draft


def test_a_draft_shows_every_table_with_its_reason_and_can_be_published(client):
    night = drafted(players=5)

    page = html_of(signed_in(client, night).get(url(night.event, "round", 1)))

    assert page.count("Round 1 is drawn at random (rule 3.1).") == 2
    assert "The bye of round 1 is drawn at random (rule 3.1)." in page
    assert page.count("seed 7") == 1
    assert f'action="{url(night.event, "publish", 1)}"' in page
    assert f'action="{url(night.event, "by_hand", 1)}"' in page
    assert f'action="{url(night.event, "discard", 1)}"' in page
    assert "5 players, 3 rounds: no rematches" in page


def test_a_judge_sees_the_draft_and_can_do_nothing_to_it(client):
    night = drafted()

    page = signed_in(client, night, "judge").get(url(night.event, "round", 1)).content.decode()

    assert "Round 1 is drawn at random" in page
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
    assert "swapped seats." in page


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
    assert "reason?" in asked.content.decode()
    assert before == [(a, b), (c, d), (e, f)]
    assert seating(night.event) == [(c, e), (a, d), (b, f)]
    assert {match.row.manual_reason for match in state_of(night.event).round(1).matches} == {"one car"}


def test_while_a_reason_is_asked_for_the_round_cannot_be_published_without_the_change(client):
    night = drafted()
    (a, _), (c, _), _ = seating(night.event)

    asked = signed_in(client, night).post(url(night.event, "by_hand", 1), {"who": a, "to": c}).content.decode()

    assert f"Swap {state_of(night.event).names[a]} and {state_of(night.event).names[c]} – reason?" in asked
    assert "One change isn’t saved yet" in asked
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
        ({"reason": "", "do": "because"}, 422, "Give a reason, once for this draft."),
        ({"to": ""}, 409, "Choose a player, then a place."),
        ({"who": "99"}, 409, "Choose two different players in this draft."),
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
    assert "Round 1 has no draft to change any more." in response.content.decode()
    assert part.headers["HX-Redirect"] == url(night.event, "desk")


def test_a_table_is_unpaired_and_the_round_waits_until_both_have_a_place_again(client):
    night = drafted()
    (a, b), *others = seating(night.event)
    signed_in(client, night)
    address, names = url(night.event, "by_hand", 1), state_of(night.event).names
    both = " and ".join(names[one] for one in sorted((a, b)))

    page = html_of(client.post(address, {"table": 1, "reason": "one car"}, follow=True))
    refused = client.post(url(night.event, "publish", 1))
    client.post(address, {"who": b, "to": a})

    assert "2 players aren’t seated" in " ".join(page.split())
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

    page = html_of(signed_in(client, night).get(url(night.event, "round", 2)))

    assert page.count("They met in round 1 (rule 3.3 b).") == 2  # with four players both tables are then repeated


def test_two_who_have_met_can_meet_again_or_stop(client):
    """Rule 3.7."""
    night = drafted(players=2, rounds_before=1)

    page = signed_in(client, night).get(url(night.event, "round", 2)).content.decode()

    assert "meet again. They met in round 1." in page
    assert "Current draft" in page
    assert "Stop after round 1" in page


def test_who_checked_in_after_the_draft_waits_for_a_place_before_it_is_published(client):
    night = drafted()
    entrants.register(night.event, [("Zephyr", "")], by=BY, checked_in=True)

    page = " ".join(signed_in(client, night).get(url(night.event, "round", 1)).content.decode().split())
    response = client.post(url(night.event, "publish", 1))

    assert "Not seated: 1" in page
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

    assert "Fix round 1" in before
    assert f'<a class="button" href="{url(night.event, "round", 1)}">' in before
    anew = f'<a href="{url(night.event, "repair", 2)}">Preview re-pairing</a>'
    assert (anew in before, anew in after) == (False, True)


def test_the_first_draft_has_no_round_before_it(client):
    night = drafted()

    assert "Fix round 0" not in signed_in(client, night).get(url(night.event, "round", 1)).content.decode()


def test_a_draft_is_discarded(client):
    night = drafted()
    signed_in(client, night)

    response = client.post(url(night.event, "discard", 1))
    again = client.post(url(night.event, "discard", 1))

    assert response.headers["Location"] == url(night.event, "desk")
    assert Round.objects.count() == 0
    assert again.status_code == 409
    assert "There is no draft of round 1 any more." in again.content.decode()
    assert client.get(url(night.event, "round", 1)).status_code == 404


def test_a_draft_is_published_once(client):
    night = drafted()
    signed_in(client, night)

    first = client.post(url(night.event, "publish", 1), follow=True)
    again = client.post(url(night.event, "publish", 1))

    assert "Round 1 is published. Start the clock when everyone is seated." in first.content.decode()
    assert again.status_code == 409
    assert "Round 1 is already published." in again.content.decode()
