"""Short addresses of events (/7F3): typed from the wall or from paper, and where they lead."""

import pytest
from django.test import Client

from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.public_pages import text_of
from tourney.actions import events, rehearsal, rounds
from tourney.domain.short_codes import code_of
from tourney.queries.short_addresses import short_code_of

pytestmark = pytest.mark.django_db
AT_THE_STORE = {"host": "192.168.1.20:8000"}


def short(night: Night) -> str:
    return f"/{short_code_of(night.event)}"


def leads_to(address: str, client: Client | None = None) -> str:
    response = (client or Client()).get(address)
    assert response.status_code == 302
    return response.headers["Location"]


def test_until_play_starts_it_leads_to_the_page_to_join_and_then_to_the_event():
    before, playing = make_night(players=4), make_night(players=4, open_round=True)
    over = make_night(players=4, rounds=3, finish=True)

    assert leads_to(short(before)) == f"/e/{before.event.slug}/join/"
    assert leads_to(short(playing)) == f"/e/{playing.event.slug}/"
    assert leads_to(short(over)) == f"/e/{over.event.slug}/"


def test_a_draft_changes_nothing_and_closed_registration_leads_to_the_event():
    drafted, closed = make_night(players=4), make_night(players=4)
    rounds.pair_round(drafted.event, seed=1, by=BY)
    events.open_registration(closed.event, False, by=BY)

    assert leads_to(short(drafted)) == f"/e/{drafted.event.slug}/join/"
    assert leads_to(short(closed)) == f"/e/{closed.event.slug}/"


def test_who_is_in_comes_to_the_event():
    night = make_night(players=2)

    assert leads_to(short(night), phone_of(night.event.entrants.first().player)) == f"/e/{night.event.slug}/"


def test_small_letters_and_a_slash_at_the_end_lead_there_too():
    night = make_night(players=0)

    assert leads_to(short(night).lower()) == leads_to(f"{short(night)}/") == f"/e/{night.event.slug}/join/"


def test_a_word_that_a_code_brought_goes_along():
    night = make_night(players=0)

    assert leads_to(f"{short(night)}?word=amber+47") == f"/e/{night.event.slug}/join/?word=amber+47"


@pytest.mark.parametrize("address", ["/222", "/9ZZZZZZZ", "/7F", "/7A3", "/7F3F3F3F3", "/B33"])
def test_what_is_no_events_code_is_not_found(client, address):
    assert client.get(address).status_code == 404


def test_a_rehearsal_has_none():
    copy = rehearsal.begin(make_night(players=4).event, rehearsal.RehearsalPlan(0), by=BY, seed=1)

    assert short_code_of(copy) == ""
    assert Client().get(f"/{code_of(copy.pk)}").status_code == 404


def test_the_wall_the_sign_and_paper_show_it():
    night = make_night(players=4, open_round=True)
    address = f"192.168.1.20:8000{short(night)}"
    desk = Client()
    desk.force_login(night.organizer)
    wall = Client().get(f"/e/{night.event.slug}/wall/", headers=AT_THE_STORE)
    sign = desk.get(f"/e/{night.event.slug}/qr/", headers=AT_THE_STORE)

    assert f"My table {address} " in text_of(wall)
    assert f"Or go to: {address} " in text_of(sign)
    for document in ("check-in", "pairings", "tables", "slips"):
        paper = desk.get(f"/e/{night.event.slug}/desk/print/paper/", {"doc": document}, headers=AT_THE_STORE)
        assert (document, address in text_of(paper)) == (document, True)


def test_paper_printed_where_no_phone_can_open_it_has_none():
    night = make_night(players=4, open_round=True)
    desk = Client()
    desk.force_login(night.organizer)

    paper = desk.get(f"/e/{night.event.slug}/desk/print/paper/", {"doc": "pairings"}, headers={"host": "localhost"})

    assert short(night) not in text_of(paper)
