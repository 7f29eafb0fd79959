"""Pictures of a finished event: whose they are, what stands on them, and that they are asked for once."""

import xml.etree.ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages.test_me import phone_of
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tourney.actions import events, store_players, stores
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


@copied
def over(players: int = 8) -> Night:
    return make_night(players=players, rounds=3, finish=True, pack="dominion-war-5")


def address(night: Night, number: int | None = None) -> str:
    if number is None:
        return reverse("event_picture", args=[night.event.slug])
    return reverse("player_picture", args=[night.event.slug, number])


def words_of(response) -> list[str]:
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    return [text.text for text in ET.fromstring(response.content).iter(f"{SVG}text")]


def test_a_players_picture_says_rank_title_name_faction_event_and_store(client):
    night = over()
    state = state_of(night.event)

    for line in state.standings(3):
        words = words_of(client.get(address(night, line.id)))
        who = state.by_number[line.id]

        assert {str(line.rank), who.player.name, who.faction, "STARBASE GAMES"} <= set(words)
        assert (line.title or f"Rank {line.rank} of 8").upper() in words
        assert " ".join(words).count("Cardassia") == 1
        assert state.faction_lines(3)[0].faction in words


def test_the_events_picture_has_every_rank_that_has_room_and_counts_the_others(client):
    small, large = over(8), make_night(players=40, rounds=1, finish=True, pack="dominion-war-5")

    everybody, some = words_of(client.get(address(small))), words_of(client.get(address(large)))

    names = set(state_of(small.event).names.values())
    assert names <= set(everybody)
    shown = names_on(large, some)
    assert 10 < len(shown) < 40
    assert f"and {40 - len(shown)} more" in some


def names_on(night: Night, words: list[str]) -> set[str]:
    return set(state_of(night.event).names.values()) & set(words)


def test_names_are_as_strangers_read_them_also_for_the_player():
    night = over()
    line = state_of(night.event).standings(3)[0]
    player = night.event.entrants.get(number=line.id).player
    store_players.rename(player, "Wilhelmina Tannhauser", by=BY)
    stores.change_store(night.store, names_shown="initial", by=BY)

    for path in (address(night, line.id), address(night)):
        words = words_of(phone_of(night.event.entrants.get(number=line.id)).get(path))

        assert "Wilhelmina Tannhauser" not in words
        assert any(word.startswith("Wilhelmina T") for word in words)


def test_by_night_it_is_dark(client):
    night = over()

    light, dark = (client.get(f"{address(night)}?theme={theme}").text for theme in ("light", "dark"))

    assert 'fill="#fff"/>' in light
    assert 'fill="#121d2a"/>' in dark
    assert 'fill="#121d2a"' not in light
    assert client.get(f"{address(night)}?theme=anything").text == light


def test_who_has_it_is_told_that_it_is_the_same_until_the_event_changes(client):
    night = over()
    path = address(night, 1)
    tag = client.get(path)["ETag"]

    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    events.reopen_event(night.event, by=BY, reason="a result was wrong")
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 404


@pytest.mark.parametrize("night", [{"players": 4}, {"players": 4, "rounds": 2}, {"players": 4, "open_round": True}])
def test_before_the_end_there_is_none(night):
    night = make_night(**night)

    assert [Client().get(address(night, number)).status_code for number in (None, 1, 99)] == [404] * 3


def test_nobody_has_the_picture_of_a_number_that_nobody_has(client):
    assert client.get(address(over(), 99)).status_code == 404


def test_what_people_typed_stays_text(client):
    night = over()
    stores.change_store(night.store, name="<b>Sons & Co.</b>", by=BY)

    assert "<B>SONS & CO.</B>" in words_of(client.get(address(night)))
