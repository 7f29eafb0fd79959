"""Rule 3.9: a draft is changed by hand at the desk, and what came too late or was not asked right is said in words."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.public_pages import text_of
from tourney.actions import rounds
from tourney.models import Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Round 1 is drafted for six players at three tables."""
    night = make_night(players=6)
    rounds.pair_round(night.event, seed=1, by=BY)
    return night


@pytest.fixture
def desk(night) -> Client:
    client = Client()
    client.force_login(night.organizer)
    return client


def sent_to(night: Night) -> str:
    return reverse("by_hand", args=[night.event.slug, 1])


def tables(night: Night) -> dict[int, int]:
    """Who sits at which table, by their numbers."""
    return dict(Seat.objects.filter(match__round__event=night.event).values_list("entrant__number", "match__table"))


def test_two_change_places_and_the_page_of_the_round_shows_it(night, desk):
    before = tables(night)
    other = next(number for number in before if before[number] != before[1])

    answer = desk.post(sent_to(night), {"who": 1, "to": other, "reason": "came by one car"})

    assert answer.url == reverse("round", args=[night.event.slug, 1])
    assert tables(night) == before | {1: before[other], other: before[1]}


def test_the_reason_is_asked_once(night, desk):
    first = desk.post(sent_to(night), {"table": 1})

    assert first.status_code == 422
    assert "Unpair table 1" in text_of(first)
    assert desk.post(sent_to(night), {"table": 1, "reason": "brothers"}).status_code == 302
    assert desk.post(sent_to(night), {"table": 2}).status_code == 302


@pytest.mark.parametrize("sent", [{}, {"who": 1}, {"who": 1, "to": "x"}], ids=["nothing", "no place", "no such place"])
def test_what_is_not_asked_whole_says_what_to_do(night, desk, sent):
    before = tables(night)

    answer = desk.post(sent_to(night), {**sent, "reason": "brothers"})

    assert answer.status_code == 409
    assert "Choose a player, then a place." in text_of(answer)
    assert tables(night) == before


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"table": 1, "reason": "late"}, "Round 1 has no draft to change any more."),
        ({"do": "engine"}, "Round 1 has no draft to change any more."),
    ],
    ids=["by hand", "back to the engine"],
)
def test_a_round_that_was_published_meanwhile_is_no_draft(night, desk, sent, sentence):
    rounds.publish_round(night.event, 1, by=BY)

    page, part = desk.post(sent_to(night), sent), desk.post(sent_to(night), sent, headers={"HX-Request": "true"})

    assert page.status_code == 409
    assert sentence in text_of(page)
    assert part.headers["HX-Redirect"] == reverse("desk", args=[night.event.slug])


def test_a_step_that_is_not_the_last_one_is_not_taken_back(night, desk):
    steps = night.event.journal
    desk.post(sent_to(night), {"table": 1, "reason": "brothers"})
    first = steps.latest("pk").pk
    desk.post(sent_to(night), {"table": 2})

    late = desk.post(sent_to(night), {"do": "undo", "step": first})
    last = desk.post(sent_to(night), {"do": "undo", "step": steps.latest("pk").pk})

    assert late.status_code == 409
    assert last.url == reverse("round", args=[night.event.slug, 1])
    assert len(set(tables(night))) == 4


def test_the_engines_tables_come_back_in_one_step(night, desk):
    before = tables(night)
    desk.post(sent_to(night), {"table": 1, "reason": "brothers"})

    answer = desk.post(sent_to(night), {"do": "engine"})

    assert answer.url == reverse("round", args=[night.event.slug, 1])
    assert tables(night) == before
