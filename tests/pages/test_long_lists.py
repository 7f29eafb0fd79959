"""Lists of the desk that are longer than a hundred rows: they come in parts, and nobody is lost in them."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.nights import Night, make_night
from tests.support.result_forms import row, rows_url, text_of
from tourney.queries.shared import SHARED
from tourney.queries.state import state_of
from tourney.views.parts import at_table

pytestmark = pytest.mark.django_db
PLAYERS, TABLES = 210, 105


@pytest.fixture(scope="module")
def night(stored: None) -> Night:
    """210 players at 105 tables; the first 101 have a result."""
    return make_night(players=PLAYERS, open_round=True, tables=101)


@pytest.fixture
def desk(client: Client, night: Night) -> Client:
    SHARED.forget()
    client.force_login(night.organizer)
    return client


def page(client: Client, address: str, *, part: str = "") -> str:
    headers = {"HX-Request": "true", "HX-Target": part} if part else {}
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def address_of(night: Night, name: str) -> str:
    return rows_url(night) if name == "results" else reverse(name, args=[night.event.slug])


def players_in(html: str) -> list[int]:
    return [int(number) for number in re.findall(r'id="player-(\d+)"', html)]


def tables_in(html: str) -> list[int]:
    return [int(number) for number in re.findall(r'id="(?:table-1|row)-(\d+)"', html)]


def test_the_list_of_players_begins_with_a_hundred_and_every_page_adds_a_hundred(desk, night):
    address = address_of(night, "players")
    pages = [players_in(page(desk, f"{address}?page={number}")) for number in (1, 2, 3)]

    assert [len(numbers) for numbers in pages] == [100, 200, PLAYERS]
    assert pages[0] == pages[2][:100]
    assert pages[1] == pages[2][:200]
    assert sorted(pages[2]) == list(range(1, PLAYERS + 1))


@pytest.mark.parametrize(("asked", "rows"), [("", 100), ("0", 100), ("-1", 100), ("ten", 100), ("²", 100), ("99", 210)])
def test_nonsense_is_the_first_page_and_what_is_beyond_the_last_one(desk, night, asked, rows):
    assert len(players_in(page(desk, f"{address_of(night, 'players')}?page={asked}"))) == rows


def test_the_tables_at_the_desk_and_on_the_page_of_the_round_come_in_parts(desk, night):
    for address in (address_of(night, "desk"), reverse("round", args=[night.event.slug, 1])):
        pages = [tables_in(page(desk, f"{address}?page={number}")) for number in (1, 2)]
        assert pages == [list(range(1, 101)), list(range(1, TABLES + 1))]


def test_reasons_that_are_open_stay_open_when_more_tables_come(desk, night):
    address = reverse("round", args=[night.event.slug, 1])
    pages = [page(desk, f"{address}?page={number}", part="pairings") for number in (1, 2)]

    kept = [re.findall(r'<details class="why"\s+id="([^"]+)"\s+hx-preserve="true">', html) for html in pages]

    assert [len(set(keys)) for keys in kept] == [100, TABLES]
    assert kept[1][:100] == kept[0]


def test_whoever_comes_late_or_leaves_is_in_a_part_or_found_by_name(desk, night):
    address = reverse("arrivals", args=[night.event.slug])
    one_page = re.escape(address) + r"(\d+)/"
    pages = [re.findall(one_page, page(desk, f"{address}?page={number}")) for number in (1, 3)]
    last = state_of(night.event).by_number[int(pages[1][-1])].player.name

    assert [len(numbers) for numbers in pages] == [100, PLAYERS]
    assert len(set(pages[1])) == PLAYERS
    assert pages[1][-1] in re.findall(one_page, page(desk, f"{address}?q={last}", part="everybody"))


def test_the_results_by_keyboard_reach_at_least_as_far_as_the_first_table_that_waits(desk, night):
    first = next(match.table for match in state_of(night.event).last_round.missing)
    assert first == 102

    html = page(desk, rows_url(night))

    assert tables_in(html) == list(range(1, TABLES + 1))
    assert re.search(r"<select[^>]*autofocus", html)[0].startswith(f'<select name="t{first}-ending"')


@pytest.mark.parametrize(("name", "part"), [("desk", "pairings"), ("players", "list")])
def test_a_part_that_refreshes_itself_asks_for_as_much_as_it_shows(desk, night, name, part):
    address = f"{address_of(night, name)}?page=2"

    html = page(desk, address, part=part)

    assert f'hx-get="{address}"' in html
    assert len(players_in(html) or tables_in(html)) in (200, TABLES)
    assert "<html" not in html


def test_more_results_are_added_to_those_that_the_page_has(desk, night):
    html = page(desk, f"{rows_url(night)}?page=2&after=1", part="more")

    assert tables_in(html) == list(range(101, TABLES + 1))
    assert "All 105 shown." in html
    assert "<html" not in html


def test_more_results_leave_the_cursor_where_it_is(desk, night):
    address = rows_url(night)

    assert "autofocus" in page(desk, address)
    assert "autofocus" not in page(desk, f"{address}?page=2&after=1", part="more")
    assert "autofocus" in page(desk, f"{address}?page=2")


@pytest.mark.parametrize("name", ["desk", "results", "players"])
def test_a_search_looks_at_every_row_whatever_is_shown(desk, night, name):
    state = state_of(night.event)
    match = state.last_round.match_at(TABLES)
    player = match.entrants[0].player

    html = page(desk, f"{address_of(night, name)}?q={player.name.upper()}")

    assert player.name in html
    found = players_in(html) if name == "players" else tables_in(html)
    assert (match.a.number if name == "players" else TABLES) in found
    assert 0 < len(found) < 50


@pytest.mark.parametrize("name", ["desk", "results"])
def test_a_table_is_found_by_its_number(desk, night, name):
    names = [entrant.player.name for entrant in state_of(night.event).entrants]
    assert not [one for one in names if "104" in one]

    assert tables_in(page(desk, f"{address_of(night, name)}?q=104")) == [104]


@pytest.mark.parametrize("name", ["desk", "results", "players"])
def test_a_search_without_an_answer_says_so(desk, night, name):
    html = page(desk, f"{address_of(night, name)}?q=%3Cb%3Enobody")

    assert (players_in(html), tables_in(html)) == ([], [])
    assert "Check the spelling" in html
    assert "<b>nobody" not in html


def test_what_was_searched_for_is_on_the_page_of_nobody_else(desk, night):
    for name in ("desk", "results", "players"):
        address = address_of(night, name)
        first = page(desk, address)
        page(desk, f"{address}?q=104")
        again = page(desk, address)
        assert (players_in(again), tables_in(again)) == (players_in(first), tables_in(first))


def test_a_row_that_cannot_be_saved_is_shown_wherever_it_stands(desk, night):
    response = desk.post(f"{rows_url(night)}?q=nobody", row(TABLES, ending="time", sp_left_a="900", sp_left_b="5"))

    assert response.status_code == 422
    assert f'<a href="#row-{TABLES}">' in response.content.decode()
    assert "’s fleet can’t have 900 SP left: the limit is 100." in text_of(response)
    assert tables_in(response.content.decode()) == [TABLES]


@pytest.mark.parametrize("name", ["desk", "results", "players"])
def test_a_list_of_a_hundred_is_shown_whole_without_more_and_without_a_search_of_its_own(client, name):
    night = make_night(players=100, open_round=True)
    client.force_login(night.organizer)

    html = page(client, address_of(night, name))

    assert len(players_in(html) or tables_in(html)) in (50, 100)
    assert 'id="more"' not in html
    assert 'id="find"' not in html


@pytest.mark.parametrize("name", ["desk", "results", "players"])
@pytest.mark.parametrize("query", ["", "?page=9", "?q=a"])
def test_many_players_take_as_many_queries_as_few(desk, client, night, name, query):
    few = make_night(players=6, open_round=True, tables=1)
    asked = []
    for one in (few, night):
        client.force_login(one.organizer)
        address = address_of(one, name) + query
        page(client, address)
        SHARED.forget()
        with CaptureQueriesContext(connection) as queries:
            page(client, address)
        asked.append(len(queries))

    assert asked[0] == asked[1]


@pytest.mark.parametrize(
    ("table", "address"),
    [
        (None, "/desk/"),
        (1, "/desk/#table-2-1"),
        (100, "/desk/#table-2-100"),
        (101, "/desk/?page=2#table-2-101"),
        (250, "/desk/?page=3#table-2-250"),
    ],
)
def test_the_way_to_a_table_brings_all_parts_before_it(table, address):
    assert at_table("/desk/", 2, table) == address
