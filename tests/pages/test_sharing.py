"""Share results: texts to post, tables and files, read back by other readers than wrote them."""

import csv
import json
import re
from html.parser import HTMLParser
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from jsonschema import Draft202012Validator

from tests.support.months import two_months
from tests.support.nights import BY, Night, make_night
from tests.support.tables import match_at
from tourney.actions import archive, entrants, events, stores, tokens
from tourney.actions.stores import make_store
from tourney.models import Event, Player
from tourney.queries.archive import archive_of
from tourney.queries.state import state_of
from tourney.sharing.queries.tables import TITLES

pytestmark = pytest.mark.django_db

EVERY_TABLE = ("standings", "pairings", "players", "factions", "tokens")


class Copied(HTMLParser):
    """What the buttons of a page copy, as a browser reads the attribute."""

    def __init__(self, text: str):
        super().__init__()
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.texts += [value or "" for name, value in attributes if name == "data-copy"]


def share_page(client: Client, night: Night, name: str = "share") -> str:
    response = client.get(reverse(name, args=[night.event.slug]))
    assert response.status_code == 200
    return response.text


def rows_of(client: Client, night: Night, table: str, name: str = "shared_table") -> list[dict[str, str]]:
    response = client.get(reverse(name, args=[night.event.slug, table]))
    assert response.status_code == 200
    assert response["Content-Disposition"] == f'attachment; filename="{table}-{night.event.slug}.csv"'
    return [*csv.DictReader(StringIO(response.content.decode("utf-8-sig"), newline=""))]


def at_the_desk(client: Client, night: Night) -> Client:
    client.force_login(night.organizer)
    return client


def short_names(night: Night) -> Night:
    """Everybody has a last name, and the store shows its initial."""
    for player in night.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} Zarkonian{player.pk}")
    stores.change_store(night.store, names_shown="initial", by=BY)
    night.event.refresh_from_db()
    return night


# texts


def test_the_final_standings_are_one_text_with_every_player_in_rank_order(client):
    night = make_night(players=8, rounds=3, finish=True, pack="dominion-war-5")
    state = state_of(night.event)

    (text,) = Copied(share_page(client, night)).texts

    head, table, foot = text.split("```")
    lines = table.strip("\n").split("\n")
    assert head.startswith("**The Battle of Cardassia** · Starbase Games\n20 Nov 2026 · Final standings\n")
    assert f"Victorious faction: {state.faction_lines(3)[0].faction}\n" in head
    assert "Numbers: Battle Points · Fleet Points" in head
    assert foot.strip() == f"http://testserver{reverse('standings', args=[night.event.slug])}"
    assert len(lines) == 8
    for line, standing in zip(lines, state.standings(3), strict=True):
        assert str(standing.rank) == line.split()[0].lstrip("=")
        assert state.names[standing.id] in line
        assert line.split()[1:3] == [str(standing.battle_points), str(standing.fleet_points)]
    assert lines[0].endswith("Admiral")


def test_a_text_for_many_players_is_parts_that_discord_takes_with_a_button_each(client):
    night = make_night(players=64, rounds=1)
    for player in night.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} of the long and winding name {player.pk}")
    Event.objects.filter(pk=night.event.pk).update(version=10_000)

    texts = Copied(share_page(client, night)).texts

    assert len(texts) > 1
    assert all(len(text) <= 2_000 for text in texts)
    lines = [line for text in texts for line in text.split("```")[1].strip("\n").split("\n")]
    assert len(lines) == 64


def test_the_pairings_of_the_round_in_play_come_first_and_a_draft_does_not(client):
    night = make_night(players=5, rounds=1, open_round=True)

    pairings, standings = Copied(share_page(client, night)).texts

    assert "Pairings of round 2" in pairings
    assert "Standings after round 1" in standings
    assert match_at(night.event, 1, 2).a.player.name in pairings
    assert any(line.startswith("–") and line.endswith("Bye") for line in pairings.split("\n"))
    drafted = make_night(players=5, rounds=1)
    assert len(Copied(share_page(client, drafted)).texts) == 1


def test_before_round_1_there_is_nothing_to_post_and_the_page_says_when(client):
    text = share_page(client, make_night(players=4))

    assert Copied(text).texts == []
    assert "There is something to post once round 1 is published." in text


def test_a_post_from_the_desk_has_the_names_that_strangers_see(client):
    night = short_names(make_night(players=6, rounds=3, finish=True))

    texts = Copied(share_page(at_the_desk(client, night), night, "desk_share")).texts

    post, again = texts
    assert "Zarkonian" not in post
    assert again.count("Zarkonian") == 6


def test_names_are_neither_markup_nor_mentions(client):
    night = make_night(players=4, rounds=1)
    Player.objects.filter(pk=night.event.entrants.get(number=1).player_id).update(name="```@here")
    Event.objects.filter(pk=night.event.pk).update(version=10_000, name="*@everyone*")

    (text,) = Copied(share_page(client, night)).texts

    assert text.count("```") == 2
    assert "@everyone" not in text
    assert r"\*@" in text


# tables


def test_every_table_there_is_can_be_saved_and_no_other(client):
    night = make_night(players=8, rounds=3, finish=True, pack="dominion-war-5")
    page = share_page(client, night)

    for table in EVERY_TABLE:
        assert reverse("shared_table", args=[night.event.slug, table]) in page
        rows_of(client, night, table)
    early = make_night(players=4, pack="arena")
    answers = {t: client.get(reverse("shared_table", args=[early.event.slug, t])).status_code for t in EVERY_TABLE}
    assert answers == dict.fromkeys(EVERY_TABLE, 404) | {"players": 200}
    assert client.get(reverse("shared_table", args=[night.event.slug, "people"])).status_code == 404
    assert tuple(TITLES) == EVERY_TABLE


def test_standings_and_factions_are_what_the_rules_say(client):
    night = make_night(players=8, rounds=3, finish=True, pack="dominion-war-5")
    state = state_of(night.event)

    standings, factions = rows_of(client, night, "standings"), rows_of(client, night, "factions")

    assert [(row["Rank"], row["Player"], row["Battle Points"], row["Fleet Points"]) for row in standings] == [
        (str(line.rank), state.names[line.id], str(line.battle_points), str(line.fleet_points))
        for line in state.standings(3)
    ]
    for row in standings:
        rounds = [int(row[f"Round {number}: Fleet Points"]) for number in (1, 2, 3)]
        assert sum(rounds) == int(row["Fleet Points"])
    assert standings[0]["Title"] == "Admiral"
    assert [(row["Faction"], row["Battle Points"], row["Players"]) for row in factions] == [
        (line.faction, str(line.battle_points), str(line.players)) for line in state.faction_lines(3)
    ]


def test_pairings_have_a_row_for_each_player_of_each_round_and_no_draft(client):
    night = make_night(players=5, rounds=1, open_round=True, tables=1)

    rows = rows_of(client, night, "pairings")

    assert [row["Round"] for row in rows] == ["1"] * 5 + ["2"] * 5
    first = match_at(night.event, 1, 2)
    assert {row["Player"]: row["Opponent"] for row in rows if row["Round"] == "2" and row["Table"] == "1"} == {
        first.a.player.name: first.b.player.name,
        first.b.player.name: first.a.player.name,
    }
    assert {row["Result"] for row in rows if row["Round"] == "2" and row["Table"] == "1"} == {"Win", "Loss"}
    assert [(row["Table"], row["Opponent"], row["Result"]) for row in rows][4] == ("", "", "Bye")
    assert {row["Result"] for row in rows if row["Round"] == "2" and row["Table"] == "2"} == {""}


def test_no_cell_is_calculated_with_but_numbers_below_zero_stay_numbers(client):
    night = make_night(players=0)
    entrants.register(night.event, [("=1+1", ""), ("Vor", "")], by=BY)

    rows = rows_of(client, night, "players")

    assert [row["Player"] for row in rows] == ["'=1+1", "Vor"]
    assert [row["Checked in"] for row in rows] == ["no", "no"]


def test_heads_and_words_of_a_table_are_in_the_readers_language(client):
    night = make_night(players=4, rounds=1)
    client.cookies["language"] = "de"
    with translation.override("de"):
        heads = [str(translation.gettext(head)) for head in ("Player", "Faction", "Checked in")]

    row = rows_of(client, night, "players")[0]

    assert {*heads} < {*row}
    assert "Player" not in row


def test_strangers_get_short_names_and_the_desk_gets_full_ones(client):
    night = short_names(make_night(players=6, rounds=3, finish=True, pack="dominion-war-5"))

    public = {table: rows_of(client, night, table) for table in EVERY_TABLE}
    own = {table: rows_of(at_the_desk(client, night), night, table, "desk_table") for table in EVERY_TABLE}

    assert "Zarkonian" not in repr(public)
    for table in ("standings", "pairings", "players", "factions"):
        assert "Zarkonian" in repr(own[table]), table


def test_the_ledger_of_a_token_says_who_got_it_and_why_as_its_reader_may_know_it(client):
    months = two_months()
    for player in months.second.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} Zarkonian{player.pk}")
    full = f"{months.first.event.entrants.get(final_line__place=1).player.name}"
    tokens.grant(months.event, months.event.entrants.get(player__name=full).number, by=BY)
    tokens.decline(months.event, months.event.entrants.get(player__name=full).number, reason=f"{full} is shy", by=BY)
    stores.change_store(months.second.store, names_shown="initial", by=BY)

    public = rows_of(client, months.second, "tokens")
    own = rows_of(at_the_desk(client, months.first), months.second, "tokens", "desk_table")

    assert [(row["What happened"], row["Player"]) for row in own] == [("Given", full), ("Declined", full)]
    assert own[1]["Reason"] == f"{full} is shy"
    assert [row["What happened"] for row in public] == ["Given", "Declined"]
    assert public[1]["Reason"] == f"{public[1]['Player']} is shy"
    assert "Zarkonian" not in repr(public)


# files


def test_what_list_fortress_gets_has_everybody_and_every_match_of_the_complete_rounds(client):
    night = make_night(players=5, rounds=3, finish=True)
    state = state_of(night.event)

    response = client.get(reverse("list_fortress", args=[night.event.slug]))
    data = json.loads(response.content)

    assert response["Content-Disposition"] == f'attachment; filename="list-fortress-{night.event.slug}.json"'
    assert (data["name"], data["date"]) == (night.event.name, "2026-11-20")
    assert [(one["name"], one["rank"]["swiss"], one["score"]) for one in data["players"]] == [
        (state.names[line.id], line.rank, line.battle_points) for line in state.standings(3)
    ]
    assert [(one["round-type"], one["round-number"]) for one in data["rounds"]] == [("swiss", n) for n in (1, 2, 3)]
    for round, facts in zip(state.rounds, data["rounds"], strict=True):
        assert [match["result"] for match in facts["matches"]] == ["win", "win", "bye"]
        assert [match["player1"] for match in facts["matches"][:2]] == [
            match.winner.player.name for match in round.tables
        ]
        assert "player2" not in facts["matches"][2]
    mine = [
        match[f"{side}points"]
        for facts in data["rounds"]
        for match in facts["matches"]
        for side in ("player1", "player2")
        if match.get(side) == data["players"][0]["name"]
    ]
    assert sum(mine) == data["players"][0]["mov"]


POINTS = {"type": "integer", "minimum": 0}
MATCH = {
    "type": "object",
    "properties": {
        **{f"player{one}": {"type": "string", "minLength": 1} for one in (1, 2)},
        **{f"player{one}points": POINTS for one in (1, 2)},
        "result": {"enum": ["win", "draw", "bye"]},
    },
    "required": ["player1", "player1points", "result"],
    "dependentRequired": {"player2": ["player2points"], "player2points": ["player2"]},
    "additionalProperties": False,
}
CRYODEX = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "date": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
        "players": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "minLength": 1},
                    "score": POINTS,
                    "mov": POINTS,
                    "sos": {"type": "number"},
                    "dropped": POINTS,
                    "rank": {
                        "type": "object",
                        "properties": {"swiss": {"type": "integer", "minimum": 1}},
                        "required": ["swiss"],
                    },
                },
                "required": ["name", "score", "mov", "sos", "rank"],
                "additionalProperties": False,
            },
        },
        "rounds": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "round-type": {"const": "swiss"},
                    "round-number": {"type": "integer", "minimum": 1},
                    "matches": {"type": "array", "items": MATCH},
                },
                "required": ["round-type", "round-number", "matches"],
            },
        },
    },
    "required": ["name", "date", "players", "rounds"],
}
"""The file of an event as List Fortress reads it."""


@pytest.mark.parametrize(
    "made",
    [{"players": 5, "rounds": 3, "finish": True}, {"players": 4, "rounds": 1}, {"players": 6, "rounds": 2}],
    ids=["finished with a bye", "after a round", "after two"],
)
def test_what_list_fortress_gets_has_the_shape_that_it_reads(client, made: dict):
    night = make_night(**made)

    response = client.get(reverse("list_fortress", args=[night.event.slug]))

    Draft202012Validator(CRYODEX).validate(json.loads(response.content))


def test_there_is_nothing_for_list_fortress_before_a_round_is_complete(client):
    night = make_night(players=4, open_round=True)

    assert client.get(reverse("list_fortress", args=[night.event.slug])).status_code == 404
    assert reverse("list_fortress", args=[night.event.slug]) not in share_page(client, night)


def test_the_archive_of_the_desk_rebuilds_the_event_at_another_store(client):
    night = make_night(players=6, rounds=3, finish=True)

    response = at_the_desk(client, night).get(reverse("desk_archive", args=[night.event.slug]))
    data = json.loads(response.content)

    data["event"]["slug"] = "somewhere-else"
    other = make_store(name="Deck Twelve", time_zone="Europe/Berlin", locale="en_GB", by=BY)
    again = archive.import_event(other, data, by=BY)
    assert archive_of(again)["rounds"] == archive_of(night.event)["rounds"]


def test_a_judge_is_not_offered_the_archive(client):
    night = make_night(players=4)
    address = reverse("desk_archive", args=[night.event.slug])

    assert address in share_page(at_the_desk(client, night), night, "desk_share")
    client.force_login(night.judge)
    assert address not in share_page(client, night, "desk_share")


def test_the_list_to_enter_again_is_rank_name_wins_and_points(client):
    night = make_night(players=5, rounds=3, finish=True)
    state = state_of(night.event)

    again = Copied(share_page(at_the_desk(client, night), night, "desk_share")).texts[-1]

    rows = [*csv.reader(StringIO(again), delimiter="\t")]
    assert [(row[0], row[1], row[3], row[4]) for row in rows] == [
        (str(line.rank), state.names[line.id], str(line.battle_points), str(line.fleet_points))
        for line in state.standings(3)
    ]
    assert sum(int(row[2]) for row in rows) == 3 * 3  # two tables and a bye, three times


# the ways to it


@pytest.mark.parametrize("name", ["desk", "print_centre"])
def test_the_desk_of_a_finished_event_and_its_print_page_lead_there(client, name: str):
    night = make_night(players=4, rounds=3, finish=True)

    page = at_the_desk(client, night).get(reverse(name, args=[night.event.slug])).text

    assert f'href="{reverse("desk_share", args=[night.event.slug])}"' in page


def test_the_public_page_of_a_finished_event_leads_there(client):
    night = make_night(players=4, rounds=3, finish=True)

    page = client.get(reverse("event", args=[night.event.slug])).text

    assert f'href="{reverse("share", args=[night.event.slug])}"' in page


@pytest.mark.parametrize("page", ["desk_share", "share"])
def test_podium_and_standings_are_saved_as_png_and_svg_light_and_dark(client, page: str):
    night = make_night(players=4, rounds=3, finish=True)
    text = at_the_desk(client, night).get(reverse(page, args=[night.event.slug])).text

    found = re.findall(r'href="(/e/[^"]*/standings/picture[^"]*)"', text)
    answers = [Client().get(address) for address in found]
    assert [one.headers["Content-Type"] for one in answers] == ["image/png", "image/svg+xml"] * 2
    assert len({one.content for one in answers}) == 4
    assert [address.rpartition("=")[2] for address in found] == ["light", "light", "dark", "dark"]


def test_while_the_event_is_played_there_is_no_picture_to_save(client):
    night = make_night(players=4, rounds=2)

    assert (
        "standings/picture" not in at_the_desk(client, night).get(reverse("desk_share", args=[night.event.slug])).text
    )


def test_a_reopened_event_has_no_final_standings_to_post(client):
    night = make_night(players=4, rounds=3, finish=True)
    events.reopen_event(night.event, reason="a slip was wrong", by=BY)

    (text,) = Copied(share_page(client, night)).texts

    assert "Standings after round 3" in text
    assert "Admiral" not in text
