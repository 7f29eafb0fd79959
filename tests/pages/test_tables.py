"""The tables of the room at the desk, needs of players, and where the name of a table is shown."""

import pytest
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tourney.actions import rounds, tables
from tourney.domain.tables import Needs, Table
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def url(night: Night, name: str, *args) -> str:
    return reverse(name, args=[night.event.slug, *args])


def signed_in(client, night: Night, role: str = "organizer"):
    client.force_login(getattr(night, role))
    return client


def text_of(response) -> str:
    return " ".join(response.content.decode().split())


def test_tables_get_names_marks_and_a_number(client):
    night = make_night(players=4)
    data = {"count": "3", "other_tables": "on", "name_2": "The corner", "quiet_2": "on", "closed_1": "on"}

    response = signed_in(client, night).post(url(night, "tables"), data)

    night.event.refresh_from_db()
    assert response.headers["Location"] == url(night, "tables")
    plain = {"name": "", "near_door": False, "quiet": False, "closed": False}
    assert night.event.tables == [
        plain | {"number": 1, "closed": True},
        plain | {"number": 2, "name": "The corner", "quiet": True},
        plain | {"number": 3},
    ]
    assert night.event.other_tables
    page = client.get(url(night, "tables"))
    assert 'value="The corner"' in text_of(page)
    assert "required" not in str(page.context["form"]["count"])


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"count": ""}, "Enter how many tables there are; 0 means as many as needed."),
        ({"count": "61"}, "less than or equal to 60"),
        ({"count": "2", "name_1": "x" * 31}, "at most 30 characters"),
    ],
)
def test_what_is_no_table_is_asked_for_again(client, data, sentence):
    night = make_night(players=4)

    response = signed_in(client, night).post(url(night, "tables"), data)

    assert (response.status_code, sentence in text_of(response)) == (422, True)


def test_a_draft_says_when_the_room_has_too_few_tables(client):
    night = make_night(players=6)
    signed_in(client, night).post(url(night, "tables"), {"count": "3", "closed_1": "on"})
    night.event.refresh_from_db()
    rounds.pair_round(night.event, seed=1, by=BY)

    draft = text_of(client.get(url(night, "round", 1)))

    assert [draft.count(f"The store has no table {number}. Add one") for number in (2, 3, 4)] == [0, 0, 1]


def test_needs_are_saved_with_the_player_and_shown_to_the_desk_alone(client):
    night = make_night(players=4, open_round=True)
    player = night.event.entrants.get(number=1).player

    signed_in(client, night).post(url(night, "player", 1), {"do": "needs", "fixed": "77", "quiet": "on"})

    player.refresh_from_db()
    assert (player.fixed_table, player.near_door, player.quiet) == (77, False, True)
    assert "always table 77 and quiet spot" in text_of(client.get(url(night, "tables")))
    client.logout()
    public = [client.get(url(night, *page)) for page in (("event",), ("pairings", 1), ("wall",))]
    words = ("always table", "table 77", "quiet spot", "need")
    assert not any(
        word in text_of(page) for page in (*public, phone_of(player).get(url(night, "me"))) for word in words
    )


def test_the_name_of_a_table_stands_wherever_its_number_does(client):
    night = make_night(players=4, open_round=True)
    tables.change_tables(night.event, [Table(1, "The corner"), Table(2)], False, by=BY)
    match = state_of(night.event).last_round.match_at(1)
    signed_in(client, night)

    pages = {
        "phone": phone_of(match.a.player).get(url(night, "me")),
        "find": client.get(url(night, "event"), {"q": match.a.player.name}),
        "pairings": client.get(url(night, "pairings", 1)),
        "wall": client.get(url(night, "wall")),
        "desk": client.get(url(night, "desk")),
        "round": client.get(url(night, "round", 1)),
        "result": client.get(url(night, "result", 1, 1)),
        "paper": client.get(url(night, "paper"), {"doc": "slips"}),
    }

    assert [place for place, response in pages.items() if "The corner" not in response.content.decode()] == []


def test_a_match_goes_to_another_table_and_its_players_read_from_where(client):
    night = make_night(players=4, open_round=True)
    match = state_of(night.event).last_round.match_at(1)

    page = signed_in(client, night).get(url(night, "move_table", 1, 1))
    response = client.post(url(night, "move_table", 1, 1), {"to": "3"})

    assert [choice.number for choice in page.context["choices"]] == [3, 2]
    assert response.headers["Location"] == url(night, "round", 1)
    phone = text_of(phone_of(match.a.player).get(url(night, "me")))
    assert f"You’re at table 3 against {match.b.player.name}" in phone
    assert "Your table has changed; it was table 1." in phone
    assert "Moved here from table 1." in text_of(client.get(url(night, "pairings", 1)))


def test_a_move_that_cannot_be_says_why(client):
    night = make_night(players=4, open_round=True)
    signed_in(client, night)

    empty, same = (client.post(url(night, "move_table", 1, 1), {"to": to}) for to in ("", "1"))

    assert (empty.status_code, same.status_code) == (422, 409)
    assert "They’re already at table 1." in text_of(same)


def test_a_result_typed_for_others_at_that_table_is_not_saved_for_those_who_sit_there_now(client):
    night = make_night(players=4, open_round=True)
    signed_in(client, night)
    form = client.get(url(night, "result", 1, 1)).context["form"]
    data = {"version": "0", "players": form["players"].value(), "ending": "elimination", "out": "b", "sp_left_a": "40"}
    tables.move_table(night.event, 1, 1, 2, by=BY)
    others = state_of(night.event).last_round.match_at(1)

    refused = client.post(url(night, "result", 1, 1), data)
    again = client.post(url(night, "result", 1, 1), data | {"players": refused.context["form"]["players"].value()})

    sentence = f"The pairings changed: {others.a.player.name} and {others.b.player.name} are at table 1 now."
    assert (refused.status_code, sentence in text_of(refused), again.status_code) == (409, True, 302)
    assert [match.table for match in state_of(night.event).last_round.missing] == [2]


def test_a_draft_seats_by_needs_without_a_query_for_each_player(client, django_assert_max_num_queries):
    night = make_night(players=12)
    for number in range(1, 7):
        tables.change_needs(night.event.entrants.get(number=number).player, Needs(fixed=number), by=BY)
    signed_in(client, night)

    with django_assert_max_num_queries(40):
        response = client.post(url(night, "pair"), {"number": 1})

    assert response.headers["Location"] == url(night, "round", 1)
