"""A judge is called from the card for anything; the desk and the judge's desk hear it, and answer."""

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_me import phone_of, text_of
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, match_at, on_time
from tourney.actions import judge_calls, reports
from tourney.models import Entrant, Event, JudgeCall
from tourney.queries.my_card import tonight_at

pytestmark = pytest.mark.django_db
PRIMARY = re.compile(r'class="button button-(?:primary|signal)[^"]*"[^>]*>(.*?)</(?:a|button)>', re.DOTALL)


@pytest.fixture
def night() -> Night:
    """Four players, round 1 in play."""
    return make_night(players=4, open_round=True)


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    """Who sits at table 1."""
    return match_at(night.event, 1).entrants


def page(client: Client, name: str, slug: str, **query: str) -> HttpResponse:
    return client.get(reverse(name, args=[slug]), query)


def signed_in(night: Night, who: str) -> Client:
    client = Client()
    client.force_login(getattr(night, who))
    return client


def call(night: Night, phone: Client, **facts: str) -> HttpResponse:
    return phone.post(reverse("call_judge", args=[night.event.slug]), {"do": "call", "about": "rules", **facts})


def primaries(html: str) -> list[str]:
    return [" ".join(re.sub("<[^>]*>", "", one).split()) for one in PRIMARY.findall(html)]


def test_a_call_is_made_on_the_card_answered_at_the_desk_and_ended_on_the_card(night, pair):
    phone, desk, slug = phone_of(pair[0]), signed_in(night, "organizer"), night.event.slug
    assert "Call a judge What is it about?" in text_of(page(phone, "me", slug))

    call(night, phone, about="time", words="They take very long", key="k")

    assert "You called a judge. Time: They take very long" in text_of(page(phone, "me", slug))
    seen = text_of(page(desk, "desk", slug))
    assert f"Waiting for a judge Table 1: {pair[0]} calls a judge: Time They take very long" in seen
    answer = reverse("answer_call", args=[slug, JudgeCall.objects.get().pk])
    done = text_of(desk.post(answer, {"do": "coming", "back": "desk"}, follow=True))
    assert f"{pair[0]} sees that a judge is coming." in done
    assert "A judge is coming. Time: They take very long" in text_of(page(phone, "me", slug))
    phone.post(reverse("call_judge", args=[slug]), {"do": "solved"})
    assert "Waiting for a judge" not in text_of(page(desk, "desk", slug))
    gone = desk.post(answer, {"do": "done"})
    assert (gone.status_code, "This call is already over." in text_of(gone)) == (409, True)


def test_neither_the_opponent_nor_the_public_learns_of_a_call(night, pair):
    call(night, phone_of(pair[0]), about="behavior", words="They shout at me")

    for client, name in ((phone_of(pair[1]), "me"), (Client(), "event"), (Client(), "wall")):
        seen = text_of(page(client, name, night.event.slug))
        assert (seen != "", "shout" in seen, "calls a judge" in seen) == (True, False, False)


def test_a_call_without_what_it_is_about_or_with_a_long_note_is_refused(night, pair):
    phone = phone_of(pair[0])

    assert call(night, phone, about="weather").status_code == 404
    long = call(night, phone, words="x" * 201)
    assert (long.status_code, "Use at most 200 characters." in text_of(long)) == (409, True)
    assert call(night, Client()).status_code == 404
    assert not JudgeCall.objects.exists()


def test_before_round_1_a_judge_can_be_called_and_not_once_the_event_is_finished():
    before, over = make_night(players=4), make_night(players=2, rounds=3, finish=True)
    early, late = (phone_of(one.event.entrants.first()) for one in (before, over))

    call(before, early)

    assert "You called a judge." in text_of(page(early, "me", before.event.slug))
    name = before.event.entrants.first().player.name
    desk = text_of(page(signed_in(before, "judge"), "desk", before.event.slug))
    assert f"{name} calls a judge: Rules question" in desk
    sounds = "Play a sound when a judge is needed"
    assert (sounds in desk, sounds in text_of(page(signed_in(over, "judge"), "desk", over.event.slug))) == (True, False)
    assert "Call a judge" not in text_of(page(late, "me", over.event.slug))


def test_the_judges_desk_shows_who_waits_tonight_to_the_staff_alone(night, pair):
    call(night, phone_of(pair[0]), words="Does it stack?")
    judge, address = signed_in(night, "judge"), reverse("store_judge", args=[night.store.slug])

    Event.objects.update(starts_at=timezone.now())
    seen = judge.get(address)

    assert f"Table 1: {pair[0]} calls a judge: Rules question Does it stack?" in text_of(seen)
    assert primaries(seen.content.decode()) == [f"Send a judge to {pair[0]}"]
    part = judge.get(address, headers={"hx-request": "true", "hx-target": "cases"}).content.decode()
    assert part.lstrip().startswith('<div id="cases"')
    answer = reverse("answer_call", args=[night.event.slug, JudgeCall.objects.get().pk])
    assert judge.post(answer, {"do": "done", "back": "judge"}).url == address
    assert "No one is waiting for a judge." in text_of(judge.get(address))
    for other in (Client(), phone_of(pair[0])):
        assert "waiting for a judge" not in text_of(other.get(address))


def test_for_a_judge_the_one_primary_button_is_that_of_who_waits_longest(night, pair):
    judge, organizer = signed_in(night, "judge"), signed_in(night, "organizer")
    desk = reverse("desk", args=[night.event.slug])
    assert primaries(judge.get(desk).content.decode()) == ["Enter results"]

    for entrant, played in zip(pair, (on_time(82, 46), eliminated(left=82)), strict=True):
        reports.report(night.event, 1, entrant.number, played, by=BY)
    call(night, phone_of(pair[1]))

    resolve = f"Resolve Table 1, {pair[0]} against {pair[1]}: disputed"
    assert primaries(judge.get(desk).content.decode()) == [resolve]
    assert resolve not in primaries(organizer.get(desk).content.decode())
    reports.withdraw(night.event, 1, pair[0].number, by=BY)
    assert primaries(judge.get(desk).content.decode()) == [f"Send a judge to {pair[1]}"]
    judge_calls.answer(night.event, JudgeCall.objects.get().pk, by=BY)
    assert primaries(judge.get(desk).content.decode()) == [f"Done with {pair[1]}"]


def test_a_canceled_event_and_one_on_another_day_offer_no_judge_and_no_check_in():
    night = make_night(players=2)
    Event.objects.update(starts_at=timezone.now(), checks_in_by_phone=True)
    Entrant.objects.update(checked_in=False)
    phone, judge = phone_of(night.event.entrants.first()), signed_in(night, "judge")
    offers = ("Call a judge", "I’m here: check in")

    def offered() -> list[bool]:
        return [offer in text_of(page(phone, "me", night.event.slug)) for offer in offers]

    assert (offered(), tonight_at(night.store, timezone.now())) == ([True, True], [night.event])
    Event.objects.update(version=F("version") + 1, starts_at=timezone.now() + timedelta(days=3))
    assert offered() == [False, False]
    today = timezone.now()
    Event.objects.update(version=F("version") + 1, starts_at=today, canceled_at=today, registration_open=False)
    assert (offered(), tonight_at(night.store, timezone.now())) == ([False, False], [])
    assert judge.get(reverse("store_judge", args=[night.store.slug])).status_code == 200
