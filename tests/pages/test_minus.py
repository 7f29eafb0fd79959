"""Points below zero have a real minus, “−2”, wherever somebody reads them, and a hyphen for programs."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.public_pages import text_of
from tourney import access
from tourney.actions import events, penalties, player_cards
from tourney.runtime.messages import message, minus

pytestmark = pytest.mark.django_db

HYPHEN = re.compile(r"(?<![\w.\-/:])-\d+")
"""A number below zero as programs write it: a date or a range has something right before its hyphen."""
MINUS = re.compile(r"−[79]\d*")


def penalized(**more) -> Night:
    """Everybody has lost far more points in the round that was played than they had."""
    night = make_night(players=5, rounds=1, **more)
    for entrant in night.event.entrants.all():
        taken = {"battle_points": -9, "fleet_points": -900}
        penalties.penalize(night.event, 1, entrant.number, reason="early", by=BY, **taken)
    return night


def owner(night: Night) -> Client:
    client = Client()
    client.force_login(night.owner)
    return client


def url(night: Night, name: str, *args) -> str:
    return reverse(name, args=[night.event.slug, *args])


def pages_of(night: Night) -> dict[str, str]:
    first = night.event.entrants.earliest("number")
    sat = night.event.rounds.get(number=1).matches.get(table=1).seats.get(side="a").entrant
    other = night.event.rounds.get(number=1).matches.get(table=1).seats.get(side="b").entrant
    bye = night.event.rounds.get(number=1).matches.get(table=None).seats.get().entrant
    papers = ("standings", "score-sheet", "factions", "slips", "record", "build-sheets")
    store = night.store.slug
    return {
        "event": url(night, "event"),
        "where somebody sits": f"{url(night, 'event')}?q={bye.player.name}",
        "round": url(night, "pairings", 1),
        "standings": url(night, "standings"),
        "wall": f"{url(night, 'wall')}?show=standings",
        "round at the desk": url(night, "round", 1),
        "results": url(night, "results", 1),
        "result": url(night, "result", 1, 1),
        "closing": url(night, "close", 1),
        "player at the desk": url(night, "player", first.number),
        "desk": url(night, "desk"),
        "late": url(night, "arrival", sat.number),
        "to share": url(night, "desk_share"),
        "paper": f"{url(night, 'paper')}?{'&'.join(f'doc={one}' for one in papers)}",
        "player": reverse("store_player", args=[store, sat.player_id]),
        "against": reverse("head_to_head", args=[store, sat.player_id, other.player_id]),
        "campaign": reverse("campaign", args=[store, night.campaign.slug]),
        "poster": reverse("poster", args=[store, night.campaign.slug]),
        "journal": url(night, "journal"),
    }


NUMBERS = {
    *("event", "where somebody sits", "standings", "round", "round at the desk", "closing"),
    *("player at the desk", "to share", "paper", "player"),
}
"""Pages on which points of a player or a match stand at any time."""


@pytest.mark.parametrize("is_finished", [False, True])
def test_points_below_zero_have_a_real_minus_on_every_page(is_finished: bool):
    night = penalized()
    if is_finished:
        events.finish_event(night.event, by=BY, reason="the store closes")
    client = owner(night)

    wrong, without = {}, set()
    for name, address in pages_of(night).items():
        response = client.get(address, follow=True)
        assert response.status_code == 200, name
        text = text_of(response)
        if found := [text[max(0, one.start() - 30) : one.end()] for one in HYPHEN.finditer(text)]:
            wrong[name] = found
        if not MINUS.search(text):
            without.add(name)

    assert wrong == {}
    assert NUMBERS & without == set()


def test_the_wall_and_a_players_own_card_have_it_too():
    night = penalized()
    sat = night.event.entrants.earliest("number")
    phone = Client()
    phone.cookies[access.card_cookie(night.store)] = player_cards.issue(sat.player, by=BY)

    for page in (phone.get(url(night, "me")), phone.get(f"{url(night, 'wall')}?show=standings")):
        assert MINUS.search(text_of(page))
        assert HYPHEN.findall(text_of(page)) == []


def test_programs_get_the_hyphen():
    night = penalized()
    client = owner(night)

    for name, args in (("standings_json", ()), ("desk_table", ("standings",)), ("list_fortress", ())):
        text = client.get(url(night, name, *args)).content.decode()
        assert re.search(r"-[79]\d*", text)
        assert "−" not in text


def test_a_sentence_writes_it_too_and_keeps_its_fact():
    sentence = message("{player} gets {points}.", player="Vor", points=-2)

    assert str(sentence) == "Vor gets −2."
    assert sentence.as_data()["with"]["points"] == -2
    assert [minus(one) for one in (-12, 0, 7, None, "-2")] == ["−12", 0, 7, None, "-2"]
