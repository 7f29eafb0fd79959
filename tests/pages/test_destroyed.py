"""The fleet of a player on the table: its two players and the desk tap what was destroyed."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.built_fleets import night_with_fleets
from tests.support.nights import BY, Night
from tests.support.result_forms import text_of
from tests.support.tables import enter, match_at, on_time
from tourney import access
from tourney.actions import player_cards, rounds
from tourney.models import JournalEntry, Seat
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Four players with 82 SP each, round 1 in play."""
    return night_with_fleets()


def url(night: Night, owner: int, number: int = 1) -> str:
    return reverse("destroyed", args=[night.event.slug, number, owner])


def phone_of(night: Night, number: int) -> Client:
    """A device that holds the card of that entrant."""
    client = Client()
    player = night.event.entrants.get(number=number).player
    client.cookies[access.card_cookie(night.store)] = player_cards.issue(player, by=BY)
    return client


def marks(night: Night, owner: int) -> list[int]:
    return Seat.objects.get(round__event=night.event, entrant__number=owner).destroyed


@pytest.fixture
def table(night) -> tuple[int, int]:
    """The two players of table 1, by number."""
    return match_at(night.event, 1).numbers


def tap(client: Client, night: Night, owner: int, *lines: int, seen: str = ""):
    return client.post(url(night, owner), {"destroyed": lines, "seen": seen}, follow=True)


def test_the_sheet_of_the_opponent_lists_every_ship_and_card_with_its_code_and_sp(night, table):
    me, other = table
    name = match_at(night.event, 1).names[other]

    page = text_of(phone_of(night, me).get(url(night, other)))

    assert f"{name}’s fleet" in page
    assert (
        "Ship Kestrel 24 SP Cap Captain Vor 5 SP C Quill 2 SP W Darts 5 SP Its cards were lost with it. "
        "Ship Lark 22 SP Cap Captain Onyx 4 SP Its cards were lost with it. "
        "Res Federation Attack Fighters lost only with the whole fleet 20 SP"
    ) in page


@pytest.mark.parametrize(
    ("tapped", "left", "points"),
    [
        ([], 82, 18),
        ([4], 77, 23),  # 2.3 an upgrade: 82 − 5
        ([1], 46, 54),  # 2.3 a ship with its cards: 82 − 24 − 5 − 2 − 5; 2.4 the resource stays
        ([1, 4], 46, 54),  # 2.3 and nothing twice
        ([1, 6], 42, 58),  # 46 − 4
        ([1, 5], 0, 100),  # 2.4, 2.6 all ships: nothing is left, the resource neither
    ],
)
def test_2_3_each_tap_is_saved_and_answers_with_the_sum(night, table, tapped, left, points):
    me, other = table

    page = text_of(tap(phone_of(night, me), night, other, *tapped))

    assert marks(night, other) == tapped
    assert f"Base points 100 SP left of 82 −{left} {match_at(night.event, 1).names[me]}’s Fleet Points {points}" in page
    assert ("The whole fleet is eliminated." in page) is (left == 0)
    assert "Bonuses are added when the result is entered." in page


def test_a_tap_again_takes_it_back(night, table):
    me, other = table
    phone = phone_of(night, me)
    tap(phone, night, other, 1, 4)

    tap(phone, night, other, 4, seen="1 4")

    assert marks(night, other) == [4]


def test_two_who_mark_the_same_fleet_on_two_phones_do_not_undo_one_another(night, table):
    me, other = table
    tap(phone_of(night, me), night, other, 4)

    tap(phone_of(night, other), night, other, 3)
    tap(phone_of(night, other), night, other, 3, 4)

    assert marks(night, other) == [3, 4]


def test_htmx_gets_the_sum_alone(night, table):
    me, other = table
    headers = {"HX-Request": "true", "HX-Target": "score"}

    answer = phone_of(night, me).post(url(night, other), {"destroyed": [1], "seen": ""}, headers=headers, follow=True)

    page = answer.content.decode()
    assert page.lstrip().startswith('<section id="score"')
    assert 'name="seen" value="1"' in page


def test_once_both_fleets_are_marked_the_page_says_who_would_win(night, table):
    first, second = table
    phone = phone_of(night, first)
    before = text_of(tap(phone, night, second, 1))

    after = text_of(tap(phone, night, first, 4))
    all_gone = text_of(tap(phone, night, second, 1, 5, seen="1"))

    assert "If the battle ended now" not in before
    assert "If the battle ended now: You win 54–23." in after
    assert "If the battle ended now: You win 100–23." in all_gone


def test_the_journal_says_who_marked_what(night, table):
    me, other = table
    tap(phone_of(night, me), night, other, 1)

    entry = JournalEntry.objects.filter(event=night.event).last()

    names = match_at(night.event, 1).names
    assert (entry.did, entry.by_name, entry.what) == (
        "mark_destroyed",
        names[me],
        f"Round 1, table 1: destroyed in {names[other]}’s fleet so far: Kestrel.",
    )
    assert (entry.before["lines"], entry.after["lines"]) == ([], [1])


def test_the_card_of_a_player_leads_there_until_the_result_is_entered(night, table):
    me, other = table
    card = reverse("me", args=[night.event.slug])

    playing = phone_of(night, me).get(card).content.decode()
    enter(night.event, 1, on_time(82, 46))
    entered = phone_of(night, me).get(card).content.decode()

    assert (url(night, other) in playing, url(night, other) in entered) == (True, False)


def test_only_the_two_of_the_table_and_the_desk_see_it(night, table, client):
    _, other = table
    stranger = next(number for number in (1, 2, 3, 4) if number not in table)
    client.force_login(night.judge)

    answers = [one.get(url(night, other)).status_code for one in (phone_of(night, stranger), Client(), client)]

    assert answers == [404, 404, 200]
    assert phone_of(night, stranger).post(url(night, other), {"destroyed": [1]}).status_code == 404
    assert marks(night, other) == []


@pytest.mark.parametrize(("number", "owner"), [(1, 99), (2, 1)])
def test_who_does_not_sit_in_a_published_round_has_no_fleet_on_a_table(night, client, number, owner):
    client.force_login(night.owner)

    assert client.get(url(night, owner, number)).status_code == 404


def test_a_bye_has_nothing_to_mark(client):
    night = night_with_fleets(players=5)
    client.force_login(night.owner)
    bye = state_of(night.event).round(1).bye.a.number

    assert client.get(url(night, bye)).status_code == 404


def test_without_a_fleet_the_page_says_what_to_do(client):
    night = night_with_fleets(dict.fromkeys((1, 2, 3, 4)))
    client.force_login(night.owner)

    page = text_of(client.get(url(night, 1)))

    assert (
        f"No fleet recorded for {night.event.entrants.get(number=1)} Count the SP left on the table and tell the desk."
        in page
    )
    assert "<input" not in page


def test_when_the_result_is_entered_the_page_reads_only(night, table):
    me, other = table
    phone = phone_of(night, me)
    tap(phone, night, other, 1)
    enter(night.event, 1, on_time(82, 46) if table[1] == other else on_time(46, 82))

    page = phone.get(url(night, other))
    refused = tap(phone, night, other, 5, seen="1")

    assert "Result entered:" in text_of(page)
    assert "disabled" in page.content.decode()
    assert "Table 1 already has a result. Ask the desk to edit it." in text_of(refused)
    assert marks(night, other) == [1]


def test_when_the_round_is_over_the_page_says_so(night, table):
    me, other = table
    enter(night.event, 1, on_time(82, 46))
    enter(night.event, 2, on_time(77, 42))
    rounds.close_round(night.event, 1, by=BY)

    page = phone_of(night, me).get(url(night, other))

    assert "Round 1 is over:" in text_of(page)


def test_the_page_is_not_sent_again_until_something_happens(night, table):
    me, other = table
    phone = phone_of(night, me)
    phone.get(url(night, other))  # from now on it has the secret of its forms
    first = phone.get(url(night, other))

    again = phone.get(url(night, other), headers={"If-None-Match": first["ETag"]})
    tap(phone_of(night, other), night, other, 4)
    then = phone.get(url(night, other), headers={"If-None-Match": first["ETag"]})

    assert (again.status_code, then.status_code) == (304, 200)


def test_the_number_of_queries_does_not_grow_with_the_tables(client):
    few = night_with_fleets(players=4)
    many = night_with_fleets(players=16, store=few.store)
    client.force_login(few.owner)
    counts = []
    for night in (few, few, many, many):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url(night, 1)).status_code == 200
        counts.append(len(queries))

    assert counts[1] == counts[3]


def test_the_desk_sees_at_each_table_what_is_marked_so_far(client, night, table):
    first, second = table
    tap(phone_of(night, first), night, second, 1)
    client.force_login(night.judge)
    desk = reverse("desk", args=[night.event.slug])

    one = text_of(client.get(desk))
    enter(night.event, 1, on_time(82, 46))
    entered = text_of(client.get(desk))

    assert one.count("Marked by the players: 82 SP left / 46 SP left") == 1
    assert "Marked by the players:" not in entered


def test_the_desk_counts_all_marks_in_as_many_queries_as_one(client):
    few = night_with_fleets(players=4)
    many = night_with_fleets(players=16, store=few.store)
    client.force_login(few.owner)
    Seat.objects.filter(match__table__isnull=False).update(destroyed=[1])
    counts = []
    for night in (few, few, many, many):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("desk", args=[night.event.slug])).status_code == 200
        counts.append(len(queries))

    assert counts[1] == counts[3]
