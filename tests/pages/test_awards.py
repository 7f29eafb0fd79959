"""The awards at the desk: who gets what, the prize list, the list to sign."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, make_night
from tests.support.tables import night_with_ties
from tourney.actions import entrants
from tourney.actions.prizes import set_prizes
from tourney.models import Event
from tourney.queries.awards import Gift, awards_of, participants_of, prizes_won
from tourney.queries.state import state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db

LIST = "1: flagship model\n2-3: booster\n9: ladle\neverybody: promo card"


@pytest.fixture
def night():
    return make_night(players=6, rounds=3, finish=True)


@pytest.fixture
def organizer(client: Client, night) -> Client:
    client.force_login(night.organizer)
    return client


def awards(event: Event) -> str:
    return reverse("awards", args=[event.slug])


def map_elements(faction: str) -> Gift:
    return Gift(message("Set of map elements"), why=message("best of {faction}", faction=faction))


def test_each_player_gets_what_the_rank_and_the_faction_have_a_right_to(night):
    """Rules 5.1 and 5.4."""
    set_prizes(night.event, LIST, expected="", by=BY)
    state = state_of(Event.objects.with_context().get(pk=night.event.pk))

    found = awards_of(state)

    champions = {line.champion: line.faction for line in state.faction_lines(3)}
    by_rank = {1: ("flagship model",), 2: ("booster",), 3: ("booster",)}
    expected = [
        (
            line.rank,
            state.names[line.id],
            (
                *(
                    [Gift(message("Set of map elements"), why=message("best of {faction}", faction=champions[line.id]))]
                    if line.id in champions
                    else ()
                ),
                *map(Gift, by_rank.get(line.rank, ())),
                Gift("promo card"),
            ),
        )
        for line in state.standings(3)
    ]
    assert [(line.standing.rank, line.entrant.player.name, line.gifts) for line in found.lines] == expected
    assert [(prize.what, pieces) for prize, pieces in found.left_over] == [("ladle", 1)]


def test_who_shares_a_rank_is_told_to_roll_for_what_is_not_enough():
    """Rules 4.4 and 5.2: three winners are tied after round 1."""
    night, winners, _ = night_with_ties()
    set_prizes(night.event, "1: flagship model\n1-3: booster", expected="", by=BY)
    state = state_of(Event.objects.with_context().get(pk=night.event.pk))
    names = [state.names[number] for number in winners]

    gifts = {line.standing.id: line.gifts for line in awards_of(state).lines}

    rolled = Gift(
        "flagship model",
        condition=message("{pieces} for {names}: roll off", pieces=1, names=tuple(names)),
    )
    assert [gifts[number][-2:] for number in winners] == [(rolled, Gift("booster"))] * 3


def test_the_page_saves_the_list_and_shows_who_gets_what(organizer, night):
    answer = organizer.post(awards(night.event), {"prizes": LIST.replace("\n", "\r\n"), "seen": ""}, follow=True)

    text = words(answer)
    first = state_of(night.event).standings(3)[0]
    assert Event.objects.get(pk=night.event.pk).prizes == LIST
    assert "Prize list saved." in text
    assert "The ranks are final." in text
    assert f"{state_of(night.event).names[first.id]} Admiral" in text
    assert "Not awarded, as nobody has the rank: ladle" in text


def test_a_list_that_cannot_be_read_is_shown_again_with_every_line_that_is_wrong(organizer, night):
    answer = organizer.post(awards(night.event), {"prizes": "first: cup\n1: ship\n4-2: mug", "seen": ""})

    assert answer.status_code == 422
    text = words(answer)
    assert "Line 1, “first: cup”" in text
    assert "Line 3, “4-2: mug”" in text
    assert "first: cup\n1: ship\n4-2: mug" in answer.content.decode()
    assert Event.objects.get(pk=night.event.pk).prizes == ""


def test_who_was_slower_sees_the_newer_list_and_keeps_what_was_typed(organizer, night):
    set_prizes(night.event, "1: cup", expected="", by=BY)

    answer = organizer.post(awards(night.event), {"prizes": "1: mug", "seen": ""})

    assert answer.status_code == 409
    html = answer.content.decode()
    assert "Not saved. Someone else changed the prize list." in html
    assert 'name="seen" value="1: cup"' in html
    assert re.search(r"<textarea[^>]*>\s*1: mug</textarea>", html)
    assert Event.objects.get(pk=night.event.pk).prizes == "1: cup"


def test_last_months_list_is_taken_with_one_press(organizer, night):
    before = make_night(players=0, store=night.store).event
    Event.objects.filter(pk=before.pk).update(starts_at="2026-10-20T18:00Z", prizes=LIST)

    assert "Use this prize list" in words(organizer.get(awards(night.event)))
    answer = organizer.post(awards(night.event), {"do": "carry over", "seen": ""})

    assert answer.status_code == 302
    assert Event.objects.get(pk=night.event.pk).prizes == LIST
    assert "Use this prize list" not in words(organizer.get(awards(night.event)))


def test_without_a_list_before_there_is_none_to_take(organizer, night):
    assert organizer.post(awards(night.event), {"do": "carry over"}).status_code == 404


def test_a_judge_sees_the_awards_but_does_not_write_the_list(client, night):
    client.force_login(night.judge)

    assert 'name="prizes"' not in client.get(awards(night.event)).content.decode()
    assert client.post(awards(night.event), {"prizes": "1: cup", "seen": ""}).status_code == 404


def test_before_the_first_round_is_complete_there_are_no_ranks_yet(client):
    night = make_night(players=4, open_round=True)
    client.force_login(night.organizer)

    assert "No ranks yet" in words(client.get(awards(night.event)))


def test_everybody_who_played_signs_from_a_to_z(organizer, night):
    absent = night.event.entrants.create(
        player=night.store.players.create(name="Aardvark"), number=7, registered_at=BY.at, checked_in=False
    )

    answer = organizer.get(reverse("paper", args=[night.event.slug]), {"doc": "signatures"})

    names = re.findall(r'<th scope="row">(.*?)</th>', answer.content.decode())
    played = [one.player.name for one in night.event.entrants.exclude(pk=absent.pk)]
    assert names == sorted(played, key=str.casefold)


def test_before_round_1_those_who_are_here_sign():
    night = make_night(players=3)
    night.event.entrants.filter(number=2).update(checked_in=False)

    assert {entrant.number for entrant in participants_of(state_of(night.event))} == {1, 3}


def test_who_dropped_is_told_to_have_prizes_set_aside_only_with_prizes(client):
    """Rule 5.5."""
    night, winners, _ = night_with_ties()
    set_prizes(night.event, "1-3: booster", expected="", by=BY)
    state = state_of(Event.objects.with_context().get(pk=night.event.pk))
    empty_handed = next(line.standing.id for line in awards_of(state).lines if not line.gifts)
    for number in (winners[0], empty_handed):
        entrants.drop(night.event, number, by=BY)
    client.force_login(night.organizer)

    page = client.get(awards(night.event)).content.decode()

    told = re.findall(r"Dropped after round 1(: set the prizes aside)?\n", page)
    assert told == [": set the prizes aside", ""]


def test_the_public_page_names_the_winners_of_the_prizes(client, night):
    set_prizes(night.event, LIST, expected="", by=BY)
    state = state_of(Event.objects.with_context().get(pk=night.event.pk))
    first, second, third, *_ = (state.names[line.id] for line in state.standings(3))

    assert [(what, str(names)) for what, names in prizes_won(state)] == [
        ("flagship model", first),
        ("booster", f"{second} and {third}"),
        ("promo card", "Everyone"),
    ]
    assert "flagship model" in words(client.get(night.event.get_absolute_url()))


def words(answer) -> str:
    """The page as it reads."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
