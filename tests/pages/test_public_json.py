"""Read-only JSON beside the public pages: what it says, held against the document that describes it."""

import json
from copy import deepcopy
from datetime import time, timedelta
from functools import cache

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, resolve, reverse
from jsonschema import Draft202012Validator

from tests.support.nights import BY, Night, make_night
from tests.support.tables import match_at, night_with_ties
from tests.support.years import add_months_before
from tourney.actions import entrants, plans, rounds, stores
from tourney.models import Event, FinalLine, FinalRanking, FinalSeat, Player
from tourney.queries.shared import SHARED
from tourney.queries.state import state_of
from tourney.sharing.views.public_json import ADDRESSES, OPENAPI

pytestmark = pytest.mark.django_db


@cache
def document() -> dict:
    """As it is sent; each object of it closed, so that a field that it does not know fails a test."""
    found = json.loads(Client().get(reverse("openapi")).content)
    closed = deepcopy(found)
    for schema in closed["components"]["schemas"].values():
        if schema["type"] == "object":
            schema["additionalProperties"] = False
    return closed


def held(data: dict, path: str) -> dict:
    """The data, after it was held against the schema of that path."""
    answer = document()["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    Draft202012Validator({**answer, "components": document()["components"]}).validate(data)
    return data


def read(client: Client, night: Night, name: str, **query: object) -> dict:
    """What one of the addresses of an event answers."""
    response = client.get(reverse(f"{name}_json", args=[night.event.slug]), query)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    return held(json.loads(response.content), f"/e/{{event}}/{name}.json")


def read_events(client: Client, night: Night, **query: object) -> dict:
    response = client.get(reverse("events_json", args=[night.store.slug]), query)
    return held(json.loads(response.content), "/s/{store}/events.json")


def read_campaign(client: Client, night: Night) -> dict:
    response = client.get(reverse("campaign_json", args=[night.store.slug, night.campaign.slug]))
    return held(json.loads(response.content), "/s/{store}/campaigns/{campaign}/campaign.json")


def addresses(night: Night) -> list[str]:
    return [
        *(reverse(f"{name}_json", args=[night.event.slug]) for name in ("event", "standings", "pairings")),
        reverse("events_json", args=[night.store.slug]),
        reverse("campaign_json", args=[night.store.slug, night.campaign.slug]),
    ]


# the document


def test_the_document_describes_every_address_and_no_other():
    paths = {*document()["paths"]}

    assert paths == {address for address, _ in ADDRESSES}
    named = {resolve(path.replace("{", "").replace("}", "")).url_name for path in paths}
    of_ours = {name for name in get_resolver().reverse_dict if isinstance(name, str) and name.endswith("_json")}
    assert named == of_ours | {f"{name}_json" for name in ("event", "standings", "pairings", "events", "campaign")}


def test_the_schemas_of_the_document_are_schemas_and_every_one_is_used():
    text = OPENAPI.read_text("utf-8")
    for name, schema in document()["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert f'"#/components/schemas/{name}"' in text, name


def test_what_the_document_does_not_say_fails_here():
    night = make_night(players=4)
    data = read(Client(), night, "pairings")

    validator = Draft202012Validator({"$ref": "#/components/schemas/Pairings", "components": document()["components"]})
    assert not validator.is_valid(data | {"more": 1})
    assert not validator.is_valid(data | {"version": 2})
    assert not validator.is_valid({name: value for name, value in data.items() if name != "round"})


def test_a_page_for_people_names_every_address(client):
    page = client.get(reverse("api")).text

    assert all(address in page for address, _ in ADDRESSES)
    assert reverse("openapi") in page


# what they say


@pytest.mark.parametrize("pack", ["dominion-war-5", "arena"])
@pytest.mark.parametrize(
    "made",
    [
        {"players": 0},
        {"players": 5},
        {"players": 5, "open_round": True, "tables": 1},
        {"players": 5, "rounds": 1},
        {"players": 6, "rounds": 3, "finish": True},
    ],
    ids=["empty", "before", "in play", "between", "finished"],
)
def test_every_answer_is_as_the_document_says(client, made: dict, pack: str):
    night = make_night(pack=pack, **made)

    answers = [read(client, night, name) for name in ("event", "standings", "pairings")]
    answers += [read_events(client, night), read_campaign(client, night)]

    assert {one["version"] for one in answers} == {1}


def test_the_final_standings_are_what_was_kept_and_load_no_event(client):
    night = make_night(players=8, rounds=3, finish=True, pack="dominion-war-5")
    state = state_of(night.event)
    SHARED.forget()

    data = read(client, night, "standings")

    assert (data["is_final"], data["after_round"]) == (True, 3)
    assert [
        (one["rank"], one["player"]["number"], one["battle_points"], one["fleet_points"], one["title"] or "")
        for one in data["standings"]
    ] == [(one.rank, one.id, one.battle_points, one.fleet_points, one.title) for one in state.standings(3)]
    for one in data["standings"]:
        assert [score["round"] for score in one["rounds"]] == [1, 2, 3]
        assert sum(score["battle_points"] for score in one["rounds"]) == one["battle_points"]
    assert [one["faction"] for one in data["factions"]] == [line.faction for line in state.faction_lines(3)]
    assert SHARED.peek(night.event.pk) is None


def test_final_standings_without_anything_kept_are_the_same(client):
    night = make_night(players=6, rounds=3, finish=True, pack="dominion-war-5")
    kept = read(client, night, "standings")
    for model in (FinalSeat, FinalLine, FinalRanking):
        model.objects.all().delete()
    Event.objects.filter(pk=night.event.pk).update(version=10_000)

    assert read(client, night, "standings") == kept


def test_standings_while_it_is_played_are_those_of_the_last_complete_round_or_of_the_one_asked_for(client):
    night = make_night(players=6, rounds=2, open_round=True, tables=1)

    last, first = read(client, night, "standings"), read(client, night, "standings", round=1)

    assert (last["after_round"], first["after_round"], last["is_final"]) == (2, 1, False)
    assert [one["player"]["number"] for one in last["standings"]] == [
        line.id for line in state_of(night.event).standings(2)
    ]


def test_tied_players_share_their_rank(client):
    night = night_with_ties()[0]

    assert [one["shared"] for one in read(client, night, "standings")["standings"]][:2] == [True, True]


@pytest.mark.parametrize("name", ["standings", "pairings"])
@pytest.mark.parametrize("round", ["0", "3", "x", "-1", "", "1" * 30, "²"])
def test_a_round_that_is_not_there_is_not_found(client, name: str, round: str):
    night = make_night(players=4, rounds=1, open_round=True)

    assert client.get(reverse(f"{name}_json", args=[night.event.slug]), {"round": round}).status_code == 404


def test_pairings_are_those_of_the_last_round_that_is_published(client):
    night = make_night(players=5, rounds=1, open_round=True, tables=1)
    rounds_before = read(client, night, "pairings", round=1)

    data = read(client, night, "pairings")

    first = match_at(night.event, 1, 2)
    assert (data["round"], data["in_play"]) == (2, True)
    assert (rounds_before["round"], rounds_before["in_play"]) == (1, False)
    assert [one["table"] for one in data["pairings"]] == [1, 2, None]
    assert [one["state"] for one in data["pairings"]] == ["done", "playing", "bye"]
    assert [side["player"]["number"] for side in data["pairings"][0]["sides"]] == [*first.numbers]
    assert [side["won"] for side in data["pairings"][0]["sides"]].count(True) == 1
    assert [side["won"] for side in data["pairings"][1]["sides"]] == [None, None]


def test_a_draft_is_nobodys_business(client):
    night = make_night(players=4, rounds=1)
    rounds.pair_round(night.event, seed=1, by=BY)

    assert read(client, night, "pairings")["round"] == 1
    assert read(client, night, "event")["round"] == 1
    assert client.get(reverse("pairings_json", args=[night.event.slug]), {"round": 2}).status_code == 404


def test_an_event_names_its_players_with_when_it_is_by_the_stores_clock(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "")], by=BY)
    entrants.check_in(night.event, [1], by=BY)

    data = read(client, night, "event")

    assert (data["state"], data["round"], data["starts_at"]) == ("upcoming", None, "2026-11-20T18:45:00+01:00")
    assert [(one["name"], one["faction"], one["checked_in"]) for one in data["players"]] == [
        ("Vor", "Klingon", True),
        ("Kestrel", None, False),
    ]
    assert data["event"]["url"] == f"http://testserver{night.event.get_absolute_url()}"


def test_what_is_known_before_round_1_is_in_the_event_and_in_the_list(client):
    night = make_night(players=0)
    starts = night.event.starts_at
    facts = {"places": 1, "ends": time(23, 15), "break_minutes": 15, "address": "12 Harbor Road", "entry_fee": "5 €"}
    facts |= {"sign_up_closes_at": starts - timedelta(hours=2), "moved_from": starts - timedelta(days=7)}
    Event.objects.filter(pk=night.event.pk).update(**facts)
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Romulan"), ("Talon", "Klingon")], by=BY)

    data, (listed,) = read(client, night, "event"), read_events(client, night)["events"]

    for one in (data, listed):
        assert (one["places"], one["waiting"], one["ends_at"]) == (1, 2, "2026-11-20T23:15:00+01:00")
        assert (one["sign_up_closes_at"], one["registration_open"]) == ("2026-11-20T16:45:00+01:00", False)
    assert [one["waiting"] for one in data["players"]] == [None, 1, 2]
    assert (data["address"], data["entry_fee"], data["moved_from"][:10]) == ("12 Harbor Road", "5 €", "2026-11-13")
    slots = [
        (one["round"], one["is_break"], one["starts_at"][11:16], one["ends_at"][11:16]) for one in data["timetable"]
    ]
    assert slots == [
        *((1, False, "18:45", "19:45"), (1, True, "19:45", "20:00"), (2, False, "20:00", "21:00")),
        *((2, True, "21:00", "21:15"), (3, False, "21:15", "22:15")),
    ]


def test_a_canceled_event_says_so_in_the_event_and_in_the_list(client):
    night = make_night(players=2)
    plans.cancel_event(night.event, by=BY)

    data, (listed,) = read(client, night, "event"), read_events(client, night)["events"]

    assert [(one["state"], one["registration_open"]) for one in (data, listed)] == [("canceled", False)] * 2


def test_a_stores_events_are_listed_with_who_won_the_latest_first(client):
    night = make_night(players=6, rounds=3, finish=True, pack="dominion-war-5")
    add_months_before(night.event, 60, months=12)

    first, second = read_events(client, night), read_events(client, night, page=2)

    assert (first["page"], first["pages"], len(first["events"]), len(second["events"])) == (1, 2, 50, 11)
    moments = [one["starts_at"] for one in (*first["events"], *second["events"])]
    assert moments == sorted(moments, reverse=True)
    state = state_of(night.event)
    assert [one["name"] for one in first["events"][0]["winners"]] == [state.names[state.standings(3)[0].id]]
    assert first["events"][0]["victorious_faction"] == state.faction_lines(3)[0].faction


def test_a_campaign_has_its_months_and_its_season(client):
    night = make_night(players=6, rounds=3, finish=True)
    make_night(players=6, rounds=3, finish=True, seed=2, store=night.store)

    data = read_campaign(client, night)

    assert [one["state"] for one in data["months"]] == ["finished", "finished"]
    assert data["season"][0]["rank"] == 1
    points = [one["battle_points"] for one in data["season"]]
    assert points == sorted(points, reverse=True)


def test_every_name_is_as_strangers_may_read_it(client):
    night = make_night(players=6, rounds=3, finish=True, pack="dominion-war-5")
    make_night(players=6, rounds=1, open_round=True, seed=2, store=night.store)
    for player in night.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} Zarkonian{player.pk}")
    stores.change_store(night.store, names_shown="initial", by=BY)
    client.force_login(night.owner)

    texts = [
        client.get(address).text
        for event in Event.objects.all()
        for address in addresses(Night(night.store, night.campaign, event, *[None] * 3))
    ]

    assert len(texts) == 10
    assert all('"name"' in text for text in texts)
    assert not any("Zarkonian" in text for text in texts)


# 304, and what it costs


def test_who_has_the_answer_already_is_told_so_until_something_is_new(client):
    night = make_night(players=4, rounds=1, open_round=True)
    tags = {address: client.get(address)["ETag"] for address in addresses(night)}

    again = {address: client.get(address, headers={"If-None-Match": tag}) for address, tag in tags.items()}
    assert {address: one.status_code for address, one in again.items()} == dict.fromkeys(tags, 304)
    assert {one.content for one in again.values()} == {b""}

    Event.objects.filter(pk=night.event.pk).update(name="Another name", version=10_000)
    after = {address: client.get(address, headers={"If-None-Match": tag}) for address, tag in tags.items()}
    assert {address: one.status_code for address, one in after.items()} == dict.fromkeys(tags, 200)
    assert all("Another name" in one.text for one in after.values())


def test_the_document_is_not_sent_twice(client):
    tag = client.get(reverse("openapi"))["ETag"]

    assert client.get(reverse("openapi"), headers={"If-None-Match": tag}).status_code == 304


def queries_for(address: str) -> int:
    """How many queries a reading takes that no other reader's answer is kept for, in a process that knows the packs."""
    client = Client()
    client.cookies["language"] = "en"
    client.get(address)
    SHARED.forget()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_what_an_answer_costs_does_not_grow_with_players_or_months():
    few = make_night(players=4, rounds=3, finish=True, pack="dominion-war-5")
    many = make_night(players=16, rounds=3, finish=True, pack="dominion-war-5")
    add_months_before(many.event, 8, months=20)
    counts = [[queries_for(address) for address in addresses(night)] for night in (few, many)]

    assert counts[0] == counts[1]
    assert counts[0] == [3, 4, 2, 4, 5]
