"""Arrivals and departures at the desk: everybody in one place, the options with their effect, the confirmation."""

import html
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.saying import html_of
from tourney.actions import entrants
from tourney.queries.history import history_of, stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(client) -> Night:
    """Round 1 is in play with five players, so one has the bye; Tern has just walked in, as number 6."""
    night = make_night(players=5, open_round=True)
    entrants.register(night.event, [("Tern", "Klingon")], by=BY)
    client.force_login(night.organizer)
    return night


def text_of(response) -> str:
    """What a reader sees, in one line."""
    body = re.sub(r"<[^>]+>", " ", html_of(response))
    return " ".join(html.unescape(body).split())


def url(night: Night, name: str = "arrival", *args, option: str = "") -> str:
    return reverse(name, args=[night.event.slug, *args]) + (f"?option={option}" if option else "")


def seen_on(response) -> str:
    return re.search(r'name="seen" value="(\w*)"', response.content.decode())[1]


def confirm(client, night: Night, number: int, option: str, **facts):
    """Look at the option, then press the button."""
    address = url(night, "arrival", number, option=option)
    return client.post(address, {"seen": seen_on(client.get(address)), **facts}, follow=True)


def bye_of(night: Night) -> str:
    return state_of(night.event).last_round.bye.a.player.name


def test_it_is_one_tap_from_the_desk_and_from_the_row_of_a_player(client, night):
    desk, players = (client.get(url(night, name)).content.decode() for name in ("desk", "players"))

    assert f'href="{url(night, "arrivals")}"' in desk
    assert f'href="{url(night, "arrival", 6)}"' in players


def test_everybody_stands_where_they_are(client, night):
    entrants.drop(night.event, 1, by=BY)
    entrants.register(night.event, [("Heron", "Klingon")], by=BY, checked_in=True)

    text = text_of(client.get(url(night, "arrivals")))

    places = [
        text.index(words) for words in ("Not checked in yet Tern", "Checked in, without a table Heron", "Dropped")
    ]
    assert places == sorted(places)
    assert f"{bye_of(night)} Bye" in text


def test_somebody_new_is_registered_and_the_options_follow(client, night):
    response = client.post(url(night, "arrivals"), {"name": "Skua", "faction": "Romulan"})

    assert (response.status_code, response.url) == (302, url(night, "arrival", 7))
    assert not night.event.entrants.get(number=7).checked_in


def test_somebody_who_is_registered_already_is_found(client, night):
    response = client.post(url(night, "arrivals"), {"name": "tern", "faction": ""})

    assert response.url == url(night, "arrival", 6)


def test_a_new_player_without_a_name_is_asked_for_it(client, night):
    response = client.post(url(night, "arrivals"), {"name": "", "faction": "Romulan"})

    assert response.status_code == 422
    assert "Enter the player’s name." in text_of(response)


def test_each_option_stands_with_its_effect_and_nothing_is_saved(client, night):
    before = stored_rows(night.event)

    text = text_of(client.get(url(night, "arrival", 6)))

    assert f"Tern plays {bye_of(night)}, who has the bye" in text
    assert f"Round 1, table 3 Then: {bye_of(night)} against Tern" in text
    assert "Tern starts in round 2 Missed rounds score nothing and don’t count as byes (rule 3.6)." in text
    assert "Without a table in round 1: Tern." in text
    assert "Or change nothing Tern isn’t paired from round 2 on." in text
    assert stored_rows(night.event) == before


def test_what_all_ways_change_alike_is_said_once(client, night):
    """Of one who sits at a table: two ways to be late, one to leave, three to be gone."""
    number = state_of(night.event).last_round.match_at(1).a.number

    text = text_of(client.get(url(night, "arrival", number)))

    said = ("A late player stays in the event.", "A player who drops isn’t paired any more", "if exactly these players")
    assert [text.count(sentence) for sentence in said] == [1, 1, 1]
    assert (
        text.count("Either way: 1 other table stays as it is. Round 2 has 5 players, so one of them has the bye.") == 1
    )
    assert text.count("Either way: 1 other table stays as it is. Round 2 has 4 players, so no bye.") == 1


def test_one_way_alone_says_all_that_it_changes(client):
    night = make_night(players=4, rounds=1)
    client.force_login(night.organizer)

    text = text_of(client.get(url(night, "arrival", 1)))

    assert "With every option" not in text
    assert "Round 2 has 3 players" in text


def test_chosen_confirmed_done_and_one_step_back(client, night):
    before, bye = stored_rows(night.event), bye_of(night)

    done = confirm(client, night, 6, "arrives-bye-player", reason="Bus was late")

    assert done.redirect_chain == [(url(night, "desk"), 302)]
    assert f"Tern plays {bye}, who has the bye. You can undo it." in text_of(done)
    pairings = text_of(client.get(reverse("pairings", args=[night.event.slug, 1])))
    assert "Paired by hand" in pairings
    assert "Bus was late" in pairings
    client.post(url(night, "undo"), {"step": history_of(night.event).last.pk})
    assert stored_rows(night.event) == before


def test_the_reason_is_asked_for_where_a_hand_seats_somebody(client, night):
    before = stored_rows(night.event)
    address = url(night, "arrival", 6, option="arrives-bye-player")

    response = client.post(address, {"seen": seen_on(client.get(address)), "reason": " "})

    assert response.status_code == 422
    assert "Give a reason for seating them by hand." in text_of(response)
    assert stored_rows(night.event) == before


def test_an_effect_that_is_not_the_one_shown_is_shown_anew_and_nothing_typed_is_lost(client, night):
    address = url(night, "arrival", 6, option="arrives-bye-player")
    seen = seen_on(client.get(address))
    entrants.register(night.event, [("Heron", "Klingon")], by=BY, checked_in=True)

    response = client.post(address, {"seen": seen, "reason": "Bus was late"})

    assert response.status_code == 409
    assert "Nothing changed. The effect is no longer the one you saw. Check it again." in text_of(response)
    assert 'value="Bus was late"' in response.content.decode()
    again = client.post(address, {"seen": seen_on(response), "reason": "Bus was late"})
    assert again.status_code == 302


def test_an_option_that_is_gone_says_so_and_shows_what_there_is(client, night):
    confirm(client, night, 6, "arrives-bye-player", reason="Bus was late")

    response = client.get(url(night, "arrival", 6, option="arrives-bye-player"))

    assert response.status_code == 409
    assert "The event has moved on, so that is no longer possible." in text_of(response)
    assert "Tern plays round 1 and then drops" in text_of(response)


def test_another_number_of_sp_left_shows_what_it_would_score_before_it_is_saved(client, night):
    match = state_of(night.event).last_round.match_at(1)
    address = url(night, "arrival", match.a.number, option="gone-concedes")
    first = client.get(address)

    other = client.post(address, {"seen": seen_on(first), "reason": "", "left": "35"})
    done = client.post(address, {"seen": seen_on(other), "reason": "", "left": "35"})

    assert f"{match.a}: 1 Battle Point, 0 Fleet Points" in text_of(first)
    assert (other.status_code, done.status_code) == (422, 302)
    assert f"{match.a}: 1 Battle Point, 65 Fleet Points" in text_of(other)
    assert state_of(night.event).last_round.scores[match.a.number].fleet_points == 65


def test_what_cannot_be_done_is_shown_with_its_reason(client):
    night = make_night(players=2)
    client.force_login(night.organizer)
    entrants.register(night.event, [("Tern", "Klingon")], by=BY)
    night.event.fleets_must_be_legal = True
    night.event.save()

    text = text_of(client.get(url(night, "arrival", 3)))

    assert "Not checked in: Tern has no legal fleet." in text
    assert "Not possible now" in text


def test_when_all_rounds_are_drawn_there_is_nothing_to_arrange(client):
    night = make_night(players=4, rounds=3)
    client.force_login(night.organizer)

    text = text_of(client.get(url(night, "arrival", 1)))

    assert "Nothing to change No further round is planned, so there is nothing to do." in text


def test_at_a_finished_event_the_page_says_what_to_do_first(client):
    night = make_night(players=4, rounds=3, finish=True)
    client.force_login(night.organizer)

    assert "The event is finished. Reopen it to change who plays." in text_of(client.get(url(night, "arrivals")))


def test_nobody_is_no_player(client, night):
    assert client.get(url(night, "arrival", 99)).status_code == 404


def test_the_phone_of_the_player_shows_the_table_at_once(client, night):
    tern = night.event.entrants.get(number=6)
    phone = phone_of(tern.player)

    confirm(client, night, 6, "arrives-bye-player", reason="Bus was late")

    assert f"You’re at table 3 against {state_of(night.event).last_round.match_at(3).a}" in text_of(
        phone.get(reverse("event", args=[night.event.slug]))
    )


def test_the_page_of_one_player_asks_no_more_of_a_hall_full_of_people_who_did_not_come(client, night):
    asked = []
    for first in (0, 30):
        names = [(f"Late {number}", "Klingon") for number in range(first, first + 30)]
        entrants.register(night.event, names, by=BY)
        with CaptureQueriesContext(connection) as queries:
            client.get(url(night, "arrival", 6))
        asked.append(len(queries))

    assert asked[0] == asked[1]


def test_who_walked_in_last_is_offered_first_as_an_opponent(client, night):
    names = [(f"Late {number}", "Klingon") for number in range(9)]
    entrants.register(night.event, names, by=BY)

    text = text_of(client.get(url(night, "arrival", 6)))

    offered = re.findall(r"Tern plays (Late \d), who has no table either", text)
    assert [*dict.fromkeys(offered)] == [f"Late {number}" for number in (8, 7, 6, 5, 4, 3)]


def test_an_option_says_what_it_changes_and_nothing_of_what_it_leaves_out(client, night):
    said = text_of(client.get(url(night, "arrival", 1, option="leaves-after")))

    assert "What changes" in said
    assert "None" not in said
