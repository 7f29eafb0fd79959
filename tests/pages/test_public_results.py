"""What everybody sees of results: pairings, standings, roll-offs, the final page."""

import re
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from scoring.domain.roll_offs import ATTACK_DIE, FACE_NAMES
from tests.support.nights import BY, make_night
from tests.support.public_pages import eliminated, enter, last_round, page, text_of, tied_match, tied_night, url
from tourney.actions import by_hand, entrants, roll_offs, rounds
from tourney.models import RollOff
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# the pairings page


def test_results_show_as_they_come_in_with_the_sum_and_the_reasons(client):
    night = make_night(players=4, open_round=True)
    enter(night, 1, 1, Played(Ending.TIME, (Side(45, (("ds9", 1),)), Side(30))))

    text, match = page(client, "pairings", night, 1), last_round(night).match_at(1)

    a, b = match.a.player.name, match.b.player.name
    assert f"{a} won 2 Battle Points, · 90 Fleet Points" in text
    assert f"{b} 1 Battle Point, · 55 Fleet Points" in text
    assert f"Details Table 1 {match.why} {match.score.why}" in text
    parts = f"SP limit 100 SP left in {b}’s surviving fleet −30 Controls Deep Space 9 +20"
    assert f"{a} {parts} Fleet Points 90" in text
    assert text.count("Playing") == 1


def test_the_bye_shows_its_mean_as_the_sum_that_it_is(client):
    night = make_night(players=5, open_round=True)
    enter(night, 1, 1, eliminated())
    assert "gets the round’s average Fleet Points, rounded up, once all results are in." in page(
        client, "pairings", night, 1
    )

    enter(night, 1, 2, Played(Ending.TIME, (Side(10), Side(35))))

    text = page(client, "pairings", night, 1)
    assert "Average of 4 others: (100+40+65+90) / 4 = 73.75, rounded up 74 Fleet Points 74" in text


def test_a_pairing_by_hand_is_publicly_marked_with_its_reason(client):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    first, second = last_round(night).tables
    by_hand.place(night.event, 1, first.a.number, second.a.number, reason="Brothers play each other at home", by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    text = page(client, "pairings", night, 1)

    assert text.count("Paired by hand Brothers play each other at home Details") == 2
    assert text.count("Paired by hand: Brothers play each other at home (rule 3.9).") == 2


def test_what_had_to_be_relaxed_is_said_and_the_seed_is_shown(client):
    night = make_night(players=2, rounds=1, open_round=True)
    round = last_round(night)

    text = page(client, "pairings", night, 2)

    assert rounds.relaxed_sentences(state_of(night.event), round) != []
    for sentence in map(str, rounds.relaxed_sentences(state_of(night.event), round)):
        assert sentence in text
    assert f"Paired with seed {round.row.seed} :" in text


def test_a_round_that_is_not_there_is_not_found(client):
    night = make_night(players=4, rounds=1)

    assert [client.get(url("pairings", night, number)).status_code for number in (0, 1, 2)] == [404, 200, 404]


# standings


def test_standings_before_any_result_say_when_they_come(client):
    night = make_night(players=4, open_round=True)

    assert "No standings yet They appear once all round 1 results are in." in page(client, "standings", night)


def test_standings_show_every_round_and_why_and_no_title_before_the_end(client):
    night = make_night(players=6, rounds=2)
    state = state_of(night.event)

    text = page(client, "standings", night)

    for line in state.standing_lines(2):
        assert str(line.why) in text
    assert "Rank and name Battle Points Fleet Points Round 1 BP · FP Round 2 BP · FP" in text
    assert "Admiral" not in text
    assert "Standings after round 1" in page(client, "standings_after", night, 1)


def test_standings_wait_for_the_last_result_of_the_round_in_play(client):
    night = make_night(players=4, rounds=1, open_round=True)

    assert "Round 2 is in play and not included yet." in page(client, "standings", night)
    assert [client.get(url("standings_after", night, after)).status_code for after in (0, 1, 2)] == [404, 200, 404]


def test_ranks_are_shared_until_the_roll_off(client):
    night = make_night(players=4, open_round=True)
    enter(night, 1, 1, eliminated())
    enter(night, 1, 2, eliminated())
    first, second = (state_of(night.event).names[line.id] for line in state_of(night.event).standings(1)[:2])

    response = client.get(url("standings", night))

    table = response.content.decode().split("</table>")[0]
    ranks = r'class="rank rank-shared"><span class="visually-hidden">Rank</span>\s+(\d)'
    assert re.findall(ranks, table) == ["1", "1", "3", "3"]
    assert f"Roll-offs still to come: {first} and {second};" in text_of(response)


def test_who_came_late_and_who_dropped_is_marked(client):
    night = make_night(players=5, rounds=1)
    entrants.register(night.event, [("Latecomer", "Klingon")], by=BY)
    entrants.check_in(night.event, by=BY)
    entrants.drop(night.event, 3, by=BY)
    rounds.pair_round(night.event, seed=3, by=BY)
    rounds.publish_round(night.event, 2, by=BY)
    for table in (1, 2):
        enter(night, 2, table, eliminated())

    text = page(client, "standings", night)

    assert "Latecomer joined in round 2" in text
    assert f"{state_of(night.event).names[3]} dropped after round 1" in text


def test_dice_of_the_software_can_be_computed_again_from_the_page(client):
    night, group = tied_night()
    roll_offs.roll_by_software(night.event, 1, RollOff.Kind.STANDING, group, seed="c0ffee", by=BY)

    response = client.get(url("roll_offs", night))

    text, names = text_of(response), state_of(night.event).names
    assert "rolled by Flagship, seed c0ffee" in text
    assert (
        "Attack die: Hit, Hit, Hit, Critical Hit, Battle Stations, Battle Stations, Blank, Blank. "
        "On a computer," in text
    )
    for number in group:
        digests = [sha256(f"c0ffee:1:{number}:{die}".encode()).digest() for die in range(5)]
        faces = [str(FACE_NAMES[ATTACK_DIE[digest[0] % 8]]) for digest in digests]
        assert (
            f"{names[number]} player {number} {' '.join(faces)} {faces.count('Battle Stations')} Battle Stations"
            in text
        )


def test_rolls_of_real_dice_stand_with_their_counts(client):
    night, (first, second) = tied_night()
    for counts in ({first: 2, second: 2}, {first: 1, second: 3}):
        roll_offs.roll_dice(night.event, 1, RollOff.Kind.STANDING, (first, second), counts, by=BY)

    text, names = page(client, "roll_offs", night), state_of(night.event).names

    assert "In the standings · rolled at the table" in text
    assert f"Roll 2 {names[first]} 1 Battle Stations {names[second]} 3 Battle Stations" in text
    assert f"Order: {names[second]} and {names[first]}" in text


def test_a_roll_off_whose_tie_is_gone_is_visibly_void(client):
    night, group = tied_night()
    roll_offs.roll_by_software(night.event, 1, RollOff.Kind.STANDING, group, seed="c0ffee", by=BY)
    winner = next(match for match in last_round(night).tables if match.winner.number == group[0])

    enter(night, 1, winner.table, Played(Ending.TIME, (Side(50), Side(20))), version=1)

    response = client.get(url("roll_offs", night))
    assert "Void" in text_of(response)
    assert "A corrected result removed this tie, so the roll-off doesn’t count." in text_of(response)
    assert "Order:" not in text_of(response)


def test_a_roll_off_at_a_table_names_the_table(client):
    night = make_night(players=4, open_round=True)
    enter(night, 1, 2, tied_match())
    assert "Table 2 is tied and rolls off." in page(client, "event", night)

    group = tuple(sorted(last_round(night).match_at(2).numbers))
    roll_offs.roll_dice(night.event, 1, RollOff.Kind.TABLE, group, {group[0]: 4, group[1]: 1}, by=BY)

    assert "Table 2 · rolled at the table" in page(client, "roll_offs", night)


# the final page


def test_the_final_page_has_podium_ranks_faction_awards_and_token(client):
    night = make_night(players=9, rounds=3, finish=True)
    state = state_of(night.event)
    table, factions, names = state.standings(3), state.faction_lines(3), state.names
    admiral, vice = names[table[0].id], names[table[1].id]

    text = page(client, "event", night)

    assert f"{admiral} is Admiral, and {factions[0].faction} is the victorious faction." in text
    assert re.search(rf"Admiral {admiral} \d+ Battle Points .* Vice Admiral {vice} \d+ Battle Points", text)
    assert f"Victorious faction {factions[0].faction}" in text
    for line in factions:
        assert f"{names[line.champion]} {line.faction}" in text
    assert f"Next month’s Commendation Award Token goes to {admiral}." in text
    ranks = text[text.index("Rank and name") :]
    assert sorted(names.values(), key=lambda name: ranks.index(f" {name} ")) == [names[line.id] for line in table]


def test_after_the_end_a_player_finds_title_and_rank(client):
    night = make_night(players=5, rounds=3, finish=True)
    state = state_of(night.event)
    admiral, last = state.standings(3)[0], state.standings(3)[-1]

    assert f"1 {state.names[admiral.id]} Admiral" in page(client, "event", night, q=state.names[admiral.id])
    assert f"{state.names[last.id]} Rank 5" in page(client, "event", night, q=state.names[last.id])


def test_a_month_without_factions_and_token_ends_without_them(client):
    text = page(client, "event", make_night(players=4, rounds=3, pack="temporal-cold-war-2", finish=True))

    assert "is Admiral." in text
    assert "faction" not in text.lower()
    assert "commendation token" not in text


# who sees the way to the desk


@pytest.mark.parametrize("role", [None, "judge", "organizer", "owner"])
def test_those_who_run_the_event_see_the_way_to_the_desk(client, role):
    night = make_night(players=4, rounds=1)
    if role:
        client.force_login(getattr(night, role))

    for name in ("event", "standings", "roll_offs", "join", "qr"):
        assert (url("desk", night) in client.get(url(name, night)).content.decode()) == bool(role)


# cost


@pytest.mark.parametrize("name", ["event", "pairings", "standings", "roll_offs", "join", "qr"])
def test_as_many_queries_for_64_players_as_for_8(client, name):
    counts = []
    for players in (8, 64):
        night = make_night(players=players, rounds=1, open_round=True, tables=2)
        with CaptureQueriesContext(connection) as queries:
            client.get(url(name, night, *((2,) if name == "pairings" else ())), {"q": "kestrel"})
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 11


def test_a_month_with_retired_resources_names_those_still_in_play_on_its_date(client):
    event = make_night(players=2, pack="tournament-2016").event
    event.starts_at = datetime(2017, 9, 30, 17, 0, tzinfo=UTC)
    event.save()

    page = " ".join(client.get(reverse("event", args=[event.slug])).content.decode().split())

    assert "Legal on 30 September 2017: Emergency Power, Improved Hull." in page
