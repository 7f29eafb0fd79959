"""The desk's pages read one state of the event that is kept by its version: what staff see there is never older."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, make_night
from tests.support.result_forms import text_of
from tests.support.tables import match_at, on_time
from tourney.actions import entrants, reports, results, stores
from tourney.queries.results import ResultInput
from tourney.queries.shared import shared_state, staff_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    night = make_night(players=4, open_round=True)
    night.store.players.filter(pk=match_at(night.event, 1).a.player_id).update(name="Kestrel Vor")
    return night


def as_staff(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_at_a_store_that_shortens_names_the_desk_keeps_its_own_state_with_the_full_ones(night):
    stores.change_store(night.store, names_shown="initial", by=BY)
    night.event.refresh_from_db()

    desk = as_staff(night.judge).get(reverse("desk", args=[night.event.slug]))
    public = Client().get(reverse("event", args=[night.event.slug]))

    assert "Kestrel Vor" in text_of(desk)
    assert "Kestrel Vor" not in public.content.decode()
    assert staff_state(night.event) is not shared_state(night.event)


def test_every_step_is_on_the_desk_with_the_next_look(night):
    client, page = as_staff(night.judge), reverse("desk", args=[night.event.slug])
    first, _ = match_at(night.event, 1).numbers
    assert "Awaiting confirmation" not in text_of(client.get(page))

    reports.report(night.event, 1, first, on_time(35, 50), by=BY)
    assert "Awaiting confirmation" in text_of(client.get(page))
    results.report_result(night.event, 1, 2, ResultInput(on_time(35, 50)), version=0, by=BY)
    assert "Edit result of table 2" in text_of(client.get(page))
    entrants.drop(night.event, first, by=BY)
    assert "Dropped" in text_of(client.get(reverse("players", args=[night.event.slug])))


def test_a_judge_does_not_get_what_an_organizer_has_looked_at(night):
    page = reverse("desk", args=[night.event.slug])
    organizer, judge = (as_staff(one) for one in (night.organizer, night.judge))

    only_theirs = {reverse(name, args=[night.event.slug]) for name in ("event_settings", "finish", "undo")}
    seen = organizer.get(page).content.decode(), judge.get(page).content.decode()

    there = [{address for address in only_theirs if f'"{address}"' in one} for one in seen]
    assert there[0]
    assert there[1] < there[0]
