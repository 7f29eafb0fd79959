"""Lists of the public pages that are longer than 48 players: in parts that a phone can take, with a search over all."""

import re
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.large_nights import make_large_night
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tourney.actions import simulation
from tourney.queries.shared import SHARED
from tourney.queries.state import state_of
from tourney.views.parts import PLAYERS

pytestmark = pytest.mark.django_db
EVERYBODY = 100
MOST_BYTES = 100_000
"""Of a page on a phone, before compression."""
ROWS = {
    "names": r'<li class="row me-(\d+)-"',
    "tables": r'<li class="pairing(?: pairing-bye)? me-(\d+)-',
    "ranks": r'<tr class="(?:is-dropped )?me-(\d+)-"',
}


@pytest.fixture(scope="module")
def night(stored: None) -> Night:
    """100 players in round 2, some of them with a result."""
    return make_night(players=EVERYBODY, rounds=1, open_round=True, tables=10)


@pytest.fixture
def phone(client: Client) -> Client:
    SHARED.forget()
    return client


def address_of(night: Night, rows: str) -> str:
    event = night.event.slug
    if rows == "ranks":
        return reverse("standings", args=[event])
    return reverse("pairings", args=[event, 2]) + f"?by={rows.removesuffix('s')}"


def html_of(phone: Client, address: str, *, part: str = "") -> str:
    response = phone.get(address, headers={"HX-Request": "true", "HX-Target": part} if part else {})
    assert response.status_code == 200
    return response.content.decode()


def more(address: str, asked: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{asked}"


@pytest.mark.parametrize(
    ("rows", "sizes"), [("names", (48, 96, 100)), ("tables", (24, 48, 50)), ("ranks", (48, 96, 100))]
)
def test_a_list_begins_with_48_players_and_every_page_adds_as_many(phone, night, rows, sizes):
    address = address_of(night, rows)
    pages = [re.findall(ROWS[rows], html_of(phone, more(address, f"page={number}"))) for number in (1, 2, 3)]

    assert tuple(map(len, pages)) == sizes
    assert pages[2][: sizes[1]] == pages[1]
    assert pages[1][: sizes[0]] == pages[0]
    assert len(set(pages[2])) == sizes[2]


def test_the_event_page_lists_as_many_and_the_rest_comes_into_it(phone, night):
    address = night.event.get_absolute_url()

    first, part = html_of(phone, address), html_of(phone, f"{address}?page=3", part="now")

    assert len(re.findall(ROWS["names"], first)) == PLAYERS
    assert len(re.findall(ROWS["names"], part)) == EVERYBODY
    assert 'hx-target="#now"' in first
    assert f'hx-get="{address}?page=3"' in part
    assert "All 100 shown." in part


def test_a_finished_event_lists_its_ranks_in_parts(phone):
    night = make_night(players=60, rounds=1, finish=True)

    html = html_of(phone, night.event.get_absolute_url())

    assert len(re.findall(ROWS["ranks"], html)) == PLAYERS
    assert "48 of 60 shown" in html


def test_the_ranks_before_the_end_come_in_parts_at_the_desk(client):
    night = make_night(players=110, rounds=1)
    client.force_login(night.organizer)
    address = reverse("finish", args=[night.event.slug])

    first, part = html_of(client, address), html_of(client, f"{address}?page=2", part="ranks")

    assert len(re.findall(r'id="rank-1-', first)) == 100
    assert len(re.findall(r'id="rank-1-', part)) == 110
    assert "<form" not in part


@pytest.mark.parametrize("rows", ["names", "tables", "ranks"])
def test_whoever_is_looked_for_stands_above_the_list_wherever_they_are_in_it(phone, night, rows):
    everybody = re.findall(ROWS[rows], html_of(phone, more(address_of(night, rows), "page=3")))
    entrant = state_of(night.event).by_number[int(everybody[-2])]

    html = html_of(phone, more(address_of(night, rows), f"q={entrant.player.name}"))

    found, _, listed = html.partition("<h3>Search results</h3>")[2].partition("<h3>All ")
    assert entrant.player.name in found
    assert len(re.findall(ROWS[rows], listed)) == (PLAYERS // 2 if rows == "tables" else PLAYERS)
    assert f"me-{entrant.number}-" not in found


@pytest.mark.parametrize("rows", ["names", "tables", "ranks"])
def test_a_search_that_fits_many_shows_six_of_them_and_says_how_many_more(phone, night, rows):
    many = [one for one in state_of(night.event).entrants if one.player.name.startswith("Captain")]

    html = html_of(phone, more(address_of(night, rows), "q=captain"))

    found = html.partition("<h3>Search results</h3>")[2].partition("<h3>All ")[0]
    assert len(many) > 6
    said = re.search(r"And (\d+) more. Type more of the name.", found)
    assert 6 + int(said[1]) <= len(many)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("names", "No player called “Zzz” in this round."),
        ("tables", "No player called “Zzz” in this round."),
        ("ranks", "No player called “Zzz” in the standings."),
    ],
)
def test_a_search_without_an_answer_says_so_above_the_list(phone, night, rows, said):
    html = html_of(phone, more(address_of(night, rows), "q=Zzz"))

    assert said in html
    assert re.findall(ROWS[rows], html)
    assert "<h3>Search results</h3>" not in html


@pytest.mark.parametrize("rows", ["names", "tables", "ranks"])
def test_the_own_row_stands_above_the_list_where_that_does_not_reach_it(phone, night, rows):
    everybody = re.findall(ROWS[rows], html_of(phone, more(address_of(night, rows), "page=3")))
    entrants = state_of(night.event).by_number

    last, first = (phone_of(entrants[int(number)].player) for number in (everybody[-2], everybody[0]))

    assert "<h3>You</h3>" in html_of(last, address_of(night, rows))
    assert "<h3>You</h3>" not in html_of(first, address_of(night, rows))


def test_48_players_are_shown_whole_without_a_search(phone):
    night = make_night(players=PLAYERS, rounds=1, open_round=True)

    for rows in ROWS:
        html = html_of(phone, address_of(night, rows))
        assert len(re.findall(ROWS[rows], html)) in (PLAYERS, PLAYERS // 2)
        assert 'id="more"' not in html
        assert 'id="find"' not in html


def test_no_page_of_a_long_night_is_too_long_for_a_phone(phone):
    night = make_large_night(players=60, rounds=11, seed=4)
    simulation.draw(night.event, random=Random(4), by=BY)
    slug = night.event.slug
    pages = [night.event.get_absolute_url(), *(reverse(name, args=[slug]) for name in ("standings", "roll_offs"))]
    pages += [reverse("pairings", args=[slug, number]) for number in (11, 12)]

    sizes = {f"{page}?q={text}": len(phone.get(page, {"q": text}).content) for page in pages for text in ("", "e")}

    assert max(sizes.values()) < MOST_BYTES, sizes
