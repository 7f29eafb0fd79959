"""What players ask of the desk on their card, and what it answers."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring.domain.points import Ending
from tests.pages.test_me import phone_of, text_of
from tests.support.built_fleets import bring_all
from tests.support.nights import BY, Night, make_night
from tests.support.tables import match_at
from tourney.actions import entrants, wishes
from tourney.actions.record import Stale
from tourney.models import Entrant, Wish

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Four players, round 1 in play."""
    return make_night(players=4, open_round=True)


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    """Who sits at table 1."""
    return match_at(night.event, 1).entrants


@pytest.fixture
def phones(pair) -> tuple[Client, Client]:
    return tuple(map(phone_of, pair))


def card(night: Night) -> str:
    return reverse("me", args=[night.event.slug])


def wish_url(night: Night) -> str:
    return reverse("wish", args=[night.event.slug])


def test_to_leave_is_asked_on_the_card_and_granted_at_the_desk(client, night, pair, phones):
    before = text_of(phones[0].get(card(night)))
    asked = text_of(phones[0].post(wish_url(night), {"do": "ask", "kind": "drop", "key": "k"}, follow=True))
    client.force_login(night.organizer)
    desk = text_of(client.get(reverse("desk", args=[night.event.slug])))
    answer = reverse("answer_wish", args=[night.event.slug, Wish.objects.get().pk])

    client.post(answer, {"do": "grant"})

    assert "Drop or concede" in before
    assert "You asked to drop after round 1: waiting for the desk." in asked
    assert f"Requests from players {pair[0]} Has to drop after round 1 · " in desk
    assert Entrant.objects.get(pk=pair[0].pk).dropped_from == 2
    assert "You asked to drop after round 1: approved." in text_of(phones[0].get(card(night)))
    journal = text_of(client.get(reverse("journal", args=[night.event.slug])))
    assert f"{pair[0]} asked on the phone to drop, and dropped before round 2." in journal


def test_what_the_desk_declines_says_why(client, night, pair, phones):
    wishes.ask(night.event, pair[0].number, "concede", by=BY)
    client.force_login(night.judge)
    answer = reverse("answer_wish", args=[night.event.slug, Wish.objects.get().pk])

    client.post(answer, {"do": "decline", "words": "two minutes are left"})
    again = client.post(answer, {"do": "decline"})

    assert "You asked to concede: declined. The desk says: two minutes are left" in text_of(phones[0].get(card(night)))
    assert again.status_code == 409


def test_2_9_a_concession_is_told_to_the_opponent_and_confirmed_by_one_press(client, night, pair, phones):
    before = text_of(phones[0].get(card(night)))
    phones[1].post(wish_url(night), {"do": "ask", "kind": "concede"})
    client.force_login(night.judge)
    answer = reverse("answer_wish", args=[night.event.slug, Wish.objects.get().pk])
    asked = text_of(phones[0].get(card(night)))

    done = text_of(client.post(answer, {"do": "grant"}, follow=True))
    again = client.post(answer, {"do": "grant"})

    told = f"{pair[1]} asked to concede: waiting for the desk."
    assert (told in before, told in asked) == (False, True)
    match = match_at(night.event, 1)
    assert (match.played.ending, match.played.out) == (Ending.CONCESSION, 1)
    assert f"Table 1: {pair[0]} wins" in done
    assert "You asked to concede: approved." in text_of(phones[1].get(card(night)))
    assert told not in text_of(phones[0].get(card(night)))
    assert again.status_code == 409


def test_2_9_a_concession_that_waits_for_signatures_shows_them_on_the_form_of_its_table(client, night, pair):
    bring_all(night.event)
    wishes.ask(night.event, pair[1].number, "concede", by=BY)
    client.force_login(night.judge)

    answer = client.post(reverse("answer_wish", args=[night.event.slug, Wish.objects.get().pk]), {"do": "grant"})

    page = answer.content.decode()
    assert answer.status_code == 409
    assert re.search(r'value="concession"[^>]*checked', page)
    assert f"{pair[1]} hasn’t signed {pair[0]}’s fleet." in page
    assert match_at(night.event, 1).result is None


def test_2_9_a_concession_can_be_entered_at_its_table_too(client, night, pair, phones):
    wishes.ask(night.event, pair[1].number, "concede", by=BY)
    client.force_login(night.judge)
    link = reverse("result", args=[night.event.slug, 1, 1]) + "?concede=b"

    desk = client.get(reverse("desk", args=[night.event.slug])).content.decode()
    form = client.get(link).content.decode()
    client.post(link, {"version": 0, "ending": "concession", "out": "b", "sp_left_a": "40"})

    assert f'href="{link}"' in desk
    assert re.search(r'value="concession"[^>]*checked', form)
    assert re.search(r'name="out"\s+value="b"[^>]*checked', form)
    assert "You asked to concede: approved." in text_of(phones[1].get(card(night)))


def test_a_wish_is_taken_back_on_the_card(night, pair, phones):
    phones[0].post(wish_url(night), {"do": "ask", "kind": "drop"})

    phones[0].post(wish_url(night), {"do": "take_back", "kind": "drop"})

    assert not Wish.objects.exists()


def test_a_judge_cannot_let_a_player_go_and_reads_who_can(client, night, pair):
    wishes.ask(night.event, pair[0].number, "drop", by=BY)
    desk = reverse("desk", args=[night.event.slug])
    client.force_login(night.organizer)
    organizer = text_of(client.get(desk))
    client.force_login(night.judge)
    judge = text_of(client.get(desk))

    answer = client.post(reverse("answer_wish", args=[night.event.slug, Wish.objects.get().pk]), {"do": "grant"})

    why = "Only an organizer or the owner can approve a drop."
    assert (why in organizer, why in judge) == (False, True)
    assert answer.status_code == 404
    assert Entrant.objects.get(pk=pair[0].pk).dropped_from is None


def test_a_judge_passes_it_on_and_an_organizer_and_the_player_read_so(client, night, pair, phones):
    wishes.ask(night.event, pair[0].number, "drop", by=BY)
    desk = reverse("desk", args=[night.event.slug])
    answer = reverse("answer_wish", args=[night.event.slug, Wish.objects.get().pk])
    offer = "Pass on to an organizer the request of"
    client.force_login(night.organizer)
    organizer = text_of(client.get(desk))
    client.force_login(night.judge)
    judge = text_of(client.get(desk))

    done = text_of(client.post(answer, {"do": "pass_on"}, follow=True))
    client.post(answer, {"do": "pass_on"})

    assert (offer in organizer, offer in judge, offer in done) == (False, True, False)
    assert f"Passed on. {pair[0]} sees it on their card." in done
    assert "Passed on to an organizer." in done
    assert "You asked to drop after round 1: passed on to an organizer." in text_of(phones[0].get(card(night)))
    client.force_login(night.organizer)
    assert "A judge passed this on to you." in text_of(client.get(desk))
    assert night.event.journal.filter(did="pass_on").count() == 1
    client.post(answer, {"do": "grant"})
    assert "You asked to drop after round 1: approved." in text_of(phones[0].get(card(night)))


def test_what_is_answered_or_nobody_elses_is_not_passed_on(client, night, pair):
    wishes.ask(night.event, pair[0].number, "concede", by=BY)
    wishes.ask(night.event, pair[1].number, "drop", by=BY)
    concession, drop = (Wish.objects.get(kind=kind) for kind in ("concede", "drop"))
    client.force_login(night.judge)
    wishes.decline(night.event, drop.pk, by=BY)

    answer = client.post(reverse("answer_wish", args=[night.event.slug, drop.pk]), {"do": "pass_on"})

    assert answer.status_code == 409
    assert "This request was already answered or withdrawn." in text_of(answer)
    with pytest.raises(Stale):
        wishes.pass_on(night.event, concession.pk, by=BY)
    assert not Wish.objects.filter(passed_on=True).exists()


@pytest.mark.parametrize("facts", [{}, {"do": "ask"}, {"do": "ask", "kind": "win"}, {"do": "x", "kind": "drop"}])
def test_nothing_else_can_be_asked(night, phones, facts):
    assert phones[0].post(wish_url(night), facts).status_code == 404


def test_what_cannot_be_asked_any_more_is_refused(night, pair, phones):
    entrants.drop(night.event, pair[0].number, by=BY)

    answer = phones[0].post(wish_url(night), {"do": "ask", "kind": "drop"})

    assert answer.status_code == 409
    assert "You’ve already dropped." in text_of(answer)
