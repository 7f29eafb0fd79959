"""What everybody sees of an event, and how players get in."""

import html
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.domain.points import Ending, Played, Side
from scoring.domain.roll_offs import ATTACK_DIE
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tourney.actions import by_hand, entrants, events, results, roll_offs, rounds
from tourney.actions.record import Actor
from tourney.domain.joining import MOST_BY_PHONE
from tourney.models import Entrant, JournalEntry, RollOff
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def url(name: str, night: Night, *args) -> str:
    return reverse(name, args=[night.event.slug, *args])


def text_of(response) -> str:
    """What a page says, without its markup, with single spaces."""
    page = re.sub(r"<head>.*?</head>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(page))


def page(client: Client, name: str, night: Night, *args, **query) -> str:
    response = client.get(url(name, night, *args), query)
    assert response.status_code == 200
    return text_of(response)


def last_round(night: Night):
    return state_of(night.event).last_round


def level_match(sp_left: int = 40) -> Played:
    """Time is called with as much left on both sides."""
    return Played(Ending.TIME, (Side(sp_left), Side(sp_left)))


def eliminated(left: int = 60) -> Played:
    """The second player's fleet is gone, the first has that much left: 100 Fleet Points to 100 - left."""
    return Played(Ending.ELIMINATION, (Side(left), Side()), out=1)


def enter(night: Night, number: int, table: int, played: Played, **more) -> None:
    results.report_result(
        night.event, number, table, results.ResultInput(played), version=more.pop("version", 0), by=BY, **more
    )


# before round 1


def test_before_the_start_the_page_says_when_and_who_and_leads_to_the_join_page(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Romulan")], by=BY)

    response = client.get(url("event", night))

    text = text_of(response)
    assert "Registration is open. Play starts on Friday 20 November at 18:45." in text
    assert "2 registered Vor Klingon Kestrel Romulan" in text
    assert f'href="{url("join", night)}">Join this event</a>' in response.content.decode()


def test_before_the_start_a_closed_registration_sends_people_to_the_counter(client):
    night = make_night(players=3)
    events.open_registration(night.event, False, by=BY)

    response = client.get(url("event", night))

    assert "Registration is closed. Round 1 comes next." in text_of(response)
    assert url("join", night) not in response.content.decode()


def test_the_month_is_told_with_limit_rounds_resource_and_bonuses(client):
    text = page(client, "event", make_night(players=0))

    assert "Fleet limit 100 SP Rounds 3 of 60 minutes" in text
    assert "Every fleet has exactly one resource of this storyline." in text
    assert "Controls Deep Space 9 +20 Counts for the winner only, after the winner is decided" in text


def test_bonuses_that_nobody_knows_are_asked_of_the_organizer(client):
    text = page(client, "event", make_night(players=0, pack="dominion-war-5"))

    assert "Bonuses of this month are not known to us: ask the organizer for the printed overview." in text


# drafts


def test_a_draft_changes_nothing_that_anybody_can_see(client):
    night = make_night(players=7, rounds=1)
    addresses = [url(name, night) for name in ("event", "standings", "roll_offs")]
    addresses += [f"{url('event', night)}?q={entrant.player}" for entrant in state_of(night.event).entrants]
    before = [text_of(client.get(address)) for address in addresses]

    rounds.pair_round(night.event, seed=7, by=BY)

    assert [text_of(client.get(address)) for address in addresses] == before


@pytest.mark.parametrize("role", ["stranger", "organizer"])
def test_a_draft_has_no_public_page(client, role):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=7, by=BY)
    if role == "organizer":
        client.force_login(night.organizer)

    assert client.get(url("pairings", night, 1)).status_code == 404


# find my table


def test_a_player_finds_table_and_opponent_by_name(client):
    night = make_night(players=8, open_round=True)
    match = last_round(night).match_at(3)

    text = page(client, "event", night, q=f" {match.a.player.name.upper()} ")

    assert f"{match.a.player} · Round 1 Table 3 against {match.b.player} {match.b.faction}" in text


def test_accents_and_capitals_do_not_matter_unless_they_tell_two_players_apart(client):
    night = make_night(players=0)
    entrants.register(night.event, [("José", ""), ("Jose", ""), ("Zoë", "")], by=BY)

    assert "Zoë Registered, not checked in yet" in page(client, "event", night, q="zoe")
    assert "José Registered, not checked in yet" in page(client, "event", night, q="josé")
    assert "Jose Registered, not checked in yet" in page(client, "event", night, q="jose")


def test_several_players_of_a_beginning_are_listed_with_their_tables(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", ""), ("Ensign Vorik", ""), ("Trevor", ""), ("Nine of Ten", "")], by=BY)
    entrants.check_in(night.event, by=BY)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    tables = {entrant.player.name: match.table for match in last_round(night).matches for entrant in match.entrants}

    text = page(client, "event", night, q="vo")

    listed = f"Vor Table {tables['Vor']} Ensign Vorik Table {tables['Ensign Vorik']} Round 1 of 3"
    assert f"Which one are you? {listed}" in text


def test_an_exact_name_is_the_answer_and_names_like_it_are_offered(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", ""), ("Vorta", "")], by=BY)

    text = page(client, "event", night, q="vor")

    assert "Vor Registered, not checked in yet Say at the counter that you are here." in text
    assert "Not you? Vorta" in text


def test_an_unknown_name_is_told_what_to_do(client):
    night = make_night(players=4, open_round=True)

    text = page(client, "event", night, q="<nobody>")

    assert "Nobody here is called “<nobody>” Check the spelling" in text


def test_the_player_with_the_bye_is_told_so(client):
    night = make_night(players=5, open_round=True)

    text = page(client, "event", night, q=last_round(night).bye.a.player.name)

    assert "You have the bye this round 2 Battle Points. Fleet Points follow when all results" in text


def test_a_player_who_has_dropped_is_told_so(client):
    night = make_night(players=6, rounds=1)
    entrants.drop(night.event, 2, by=BY)

    assert "Dropped Not paired any more; the points stay." in page(
        client, "event", night, q=state_of(night.event).names[2]
    )


def test_a_late_player_is_told_from_which_round_on_there_is_a_table(client):
    night = make_night(players=4, open_round=True)
    entrants.register(night.event, [("Latecomer", "Klingon")], by=BY)
    assert "Registered, not checked in yet" in page(client, "event", night, q="Latecomer")

    entrants.check_in(night.event, by=BY)

    text = page(client, "event", night, q="Latecomer")
    assert "Not paired in round 1 You are paired from round 2 on." in text


def test_between_rounds_a_player_sees_the_rank_so_far(client):
    night = make_night(players=6, rounds=1)
    first = state_of(night.event).standings(1)[0]

    text = page(client, "event", night, q=state_of(night.event).names[first.id])

    points = f"{first.battle_points} Battle Points, {first.fleet_points} Fleet Points"
    assert (
        f"Not paired yet You are checked in. Your table for round 2 will be shown here. Rank 1 after round 1: {points}"
        in text
    )


# the round in play


def test_pairings_are_listed_by_name_and_by_table(client):
    night = make_night(players=5, open_round=True)
    names = sorted(state_of(night.event).names.values())

    by_name = client.get(url("event", night)).content.decode()
    by_table = page(client, "event", night, by="table")

    assert re.findall(r"<b>(.+?)</b>\s*<small", by_name) == names
    first = last_round(night).match_at(1)
    assert f"Table 1 {first.a.faction} {first.a.player} {first.b.faction} {first.b.player} Playing" in by_table


def test_the_clock_runs_to_the_end_of_the_round(client):
    night = make_night(players=4, open_round=True)
    by = Actor(None, "test", timezone.now() - timedelta(minutes=10))
    rounds.pause_clock(night.event, 1, by=by)
    row = last_round(night).row
    paused = client.get(url("event", night)).content.decode()
    assert f'data-paused-seconds="{row.paused_seconds_left}"' in paused
    assert "The clock is paused." in paused

    rounds.start_clock(night.event, 1, by=by)

    row = last_round(night).row
    running = client.get(url("event", night)).content.decode()
    assert f'data-ends-at="{round(row.ends_at.timestamp() * 1000)}"' in running
    assert "Round 1 of 3 is in play" in running


def test_a_clock_that_has_not_started_shows_the_whole_round(client):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    assert "60:00 The clock has not started. No result is in yet." in page(client, "event", night)


# the live part


def test_the_live_part_is_asked_for_again_only_when_something_changed(client):
    night = make_night(players=4, open_round=True)
    whole = client.get(url("event", night), {"q": "kestrel"}).content.decode()
    polls = re.search(r'hx-get="([^"]+)"\s+hx-trigger="news, every 60s".*?hx-headers=\'([^\']+)\'', whole, re.S)
    address = html.unescape(polls[1])
    tag = re.search(r'W/\\"([\w-]+)\\"', polls[2])[1]
    headers = {"HX-Request": "true", "HX-Target": "now", "If-None-Match": f'W/"{tag}"'}
    unchanged = client.get(address, headers=headers)

    enter(night, 1, 1, eliminated())

    changed = client.get(address, headers=headers)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert changed.status_code == 200
    assert changed.content.decode().strip().startswith('<div id="now"')


@pytest.mark.parametrize(
    ("name", "args", "part"),
    [("event", (), "now"), ("pairings", (1,), "round"), ("standings", (), "ranks"), ("roll_offs", (), "register")],
)
def test_each_page_gives_its_live_part_alone(client, name, args, part):
    night = make_night(players=4, rounds=1)
    whole = client.get(url(name, night, *args)).content.decode()

    fragment = client.get(url(name, night, *args), headers={"HX-Request": "true", "HX-Target": part})

    inner = fragment.content.decode()
    assert "<html" not in inner
    assert f'id="{part}"' in inner
    assert whole.count(f'id="{part}"') == 1
    refreshes = f'hx-trigger="news, every 60s" data-live="{url("live", night)}" data-version="{night.event.version}"'
    assert [" ".join(text.split()).count(refreshes) for text in (whole, inner)] == [1, 1]


def test_a_name_being_typed_is_never_swapped(client):
    night = make_night(players=4, open_round=True)

    part = client.get(url("event", night), headers={"HX-Request": "true", "HX-Target": "now"})

    assert 'name="q"' not in part.content.decode()


# the pairings page


def test_results_show_as_they_come_in_with_the_sum_and_the_reasons(client):
    night = make_night(players=4, open_round=True)
    enter(night, 1, 1, Played(Ending.TIME, (Side(45, (("ds9", 1),)), Side(30))))

    text, match = page(client, "pairings", night, 1), last_round(night).match_at(1)

    a, b = match.a.player.name, match.b.player.name
    assert f"{a} won 2 Battle Points, · 90 Fleet Points" in text
    assert f"{b} 1 Battle Point, · 55 Fleet Points" in text
    assert f"Why? {match.why} {match.score.why}" in text
    parts = f"100 SP limit 100 SP left in {b}'s surviving fleet −30 Controls Deep Space 9 +20"
    assert f"{a} {parts} Fleet Points 90" in text
    assert text.count("Playing") == 1


def test_the_bye_shows_its_mean_as_the_sum_that_it_is(client):
    night = make_night(players=5, open_round=True)
    enter(night, 1, 1, eliminated())
    assert "as soon as all results of the round are in" in page(client, "pairings", night, 1)

    enter(night, 1, 2, Played(Ending.TIME, (Side(10), Side(35))))

    text = page(client, "pairings", night, 1)
    assert "Mean of 4 others: (100+40+65+90) / 4 = 73.75, rounded up 74 Fleet Points 74" in text


def test_a_pairing_by_hand_is_publicly_marked_with_its_reason(client):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    first, second = last_round(night).tables
    by_hand.place(night.event, 1, first.a.number, second.a.number, reason="Brothers play each other at home", by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    text = page(client, "pairings", night, 1)

    assert text.count("By hand Brothers play each other at home Why?") == 2
    assert text.count("Paired by hand: Brothers play each other at home (rule 3.9).") == 2


def test_what_had_to_be_relaxed_is_said_and_the_seed_is_shown(client):
    night = make_night(players=2, rounds=1, open_round=True)
    round = last_round(night)

    text = page(client, "pairings", night, 2)

    assert rounds.relaxed_sentences(state_of(night.event), round) != []
    for sentence in rounds.relaxed_sentences(state_of(night.event), round):
        assert sentence in text
    assert f"Drawn with the seed {round.row.seed} :" in text


def test_a_round_that_is_not_there_is_not_found(client):
    night = make_night(players=4, rounds=1)

    assert [client.get(url("pairings", night, number)).status_code for number in (0, 1, 2)] == [404, 200, 404]


# standings


def test_standings_before_any_result_say_when_they_come(client):
    night = make_night(players=4, open_round=True)

    assert "No standings yet They appear when all results of round 1 are in." in page(client, "standings", night)


def test_standings_show_every_round_and_why_and_no_title_before_the_end(client):
    night = make_night(players=6, rounds=2)
    state = state_of(night.event)

    text = page(client, "standings", night)

    for line in state.standing_lines(2):
        assert line.why in text
    assert "Rank and name Battle Points Fleet Points Round 1 Round 2" in text
    assert "Admiral" not in text
    assert "Standings after round 1" in page(client, "standings_after", night, 1)


def test_standings_wait_for_the_last_result_of_the_round_in_play(client):
    night = make_night(players=4, rounds=1, open_round=True)

    assert "Round 2 is in play and not counted here." in page(client, "standings", night)
    assert [client.get(url("standings_after", night, after)).status_code for after in (0, 1, 2)] == [404, 200, 404]


def test_ranks_are_shared_until_the_roll_off(client):
    night = make_night(players=4, open_round=True)
    enter(night, 1, 1, eliminated())
    enter(night, 1, 2, eliminated())
    first, second = (state_of(night.event).names[line.id] for line in state_of(night.event).standings(1)[:2])

    response = client.get(url("standings", night))

    table = response.content.decode().split("</table>")[0]
    assert re.findall(r'class="rank rank-shared">(\d)', table) == ["1", "1", "3", "3"]
    assert f"Not settled yet: {first} and {second};" in text_of(response)


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

    assert "Latecomer came in round 2" in text
    assert f"{state_of(night.event).names[3]} dropped after round 1" in text


# roll-offs


@copied
def tied_night() -> tuple[Night, tuple[int, ...]]:
    """Four players after round 1, two ties; the winners' group."""
    night = make_night(players=4, open_round=True)
    enter(night, 1, 1, eliminated())
    enter(night, 1, 2, eliminated())
    return night, tuple(sorted(line.id for line in state_of(night.event).standings(1)[:2]))


def test_dice_of_the_software_can_be_computed_again_from_the_page(client):
    night, group = tied_night()
    roll_offs.roll_by_software(night.event, 1, RollOff.Kind.STANDING, group, seed="c0ffee", by=BY)

    response = client.get(url("roll_offs", night))

    text, names = text_of(response), state_of(night.event).names
    assert "by the software, seed c0ffee" in text
    assert f"Attack die: {', '.join(ATTACK_DIE)}." in text
    for number in group:
        digests = [sha256(f"c0ffee:1:{number}:{die}".encode()).digest() for die in range(5)]
        faces = [ATTACK_DIE[digest[0] % 8] for digest in digests]
        assert (
            f"{names[number]} player {number} {' '.join(faces)} {faces.count('battle stations')} Battle Stations"
            in text
        )


def test_throws_of_real_dice_stand_with_their_counts(client):
    night, (first, second) = tied_night()
    for counts in ({first: 2, second: 2}, {first: 1, second: 3}):
        roll_offs.throw_dice(night.event, 1, RollOff.Kind.STANDING, (first, second), counts, by=BY)

    text, names = page(client, "roll_offs", night), state_of(night.event).names

    assert "In the standings · dice on the table" in text
    assert f"Throw 2 {names[second]} 3 Battle Stations {names[first]} 1 Battle Stations" in text
    assert f"Order: {names[second]} and {names[first]}" in text


def test_a_roll_off_whose_tie_is_gone_is_visibly_void(client):
    night, group = tied_night()
    roll_offs.roll_by_software(night.event, 1, RollOff.Kind.STANDING, group, seed="c0ffee", by=BY)
    winner = next(match for match in last_round(night).tables if match.winner.number == group[0])

    enter(night, 1, winner.table, Played(Ending.TIME, (Side(50), Side(20))), version=1)

    response = client.get(url("roll_offs", night))
    assert "Void" in text_of(response)
    assert "This tie no longer exists since a result was corrected" in text_of(response)
    assert "Order:" not in text_of(response)


def test_a_roll_off_at_a_table_names_the_table(client):
    night = make_night(players=4, open_round=True)
    enter(night, 1, 2, level_match())
    assert "Table 2 is level and rolls off." in page(client, "event", night)

    group = tuple(sorted(last_round(night).match_at(2).numbers))
    roll_offs.throw_dice(night.event, 1, RollOff.Kind.TABLE, group, {group[0]: 4, group[1]: 1}, by=BY)

    assert "At table 2 · dice on the table" in page(client, "roll_offs", night)


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
    assert f"Next month the commendation token goes to {admiral}." in text
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


# join


def join(client: Client, night: Night, **typed):
    return client.post(url("join", night), typed)


def test_a_player_joins_with_a_name_and_a_faction(client):
    night = make_night(players=0)

    answer = join(client, night, name="  Ensign   Quill ", faction="Romulan")

    quill = Entrant.objects.get()
    assert (quill.player.name, quill.faction, quill.by_self, quill.checked_in) == (
        "Ensign Quill",
        "Romulan",
        True,
        False,
    )
    assert answer.headers["Location"] == f"{url('join', night)}?in=1"
    text = text_of(client.get(answer.headers["Location"]))
    assert "You are in Ensign Quill Romulan When you are in the store, say so at the counter" in text
    assert JournalEntry.objects.last().by_name == "a player"


def test_the_join_page_asks_for_nothing_but_name_and_faction(client):
    with_factions = client.get(url("join", make_night(players=0))).content.decode()
    assert sorted(set(re.findall(r'name="(\w+)"\s', with_factions)) - {"viewport", "description"}) == [
        "csrfmiddlewaretoken",
        "faction",
        "key",
        "name",
    ]

    without = client.get(url("join", make_night(players=0, pack="temporal-cold-war-2"))).content.decode()
    assert 'name="faction"' not in without


def test_a_name_that_is_taken_is_told_so_plainly(client):
    night = make_night(players=0)
    join(client, night, name="Vor", faction="Klingon")

    answer = join(client, night, name="vOR", faction="Romulan")

    assert answer.status_code == 409
    assert "Vor is already registered. If that is you, you are done:" in text_of(answer)
    assert 'value="vOR"' in answer.content.decode()
    assert [str(entrant) for entrant in Entrant.objects.all()] == ["Vor"]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": "", "faction": "Klingon"}, "Write the name you play under."),
        ({"name": " \u202e\u200b ", "faction": "Klingon"}, "Write a name with at least one letter or digit."),
        ({"name": "…", "faction": "Klingon"}, "Write a name with at least one letter or digit."),
        ({"name": "x" * 61, "faction": "Klingon"}, "at most 60 characters"),
        ({"name": "Vor"}, "Declare the faction you play for."),
        ({"name": "Vor", "faction": "Borg"}, "Borg is not one of the available choices"),
    ],
)
def test_a_form_that_is_not_right_comes_back_with_everything_typed(client, typed, sentence):
    night = make_night(players=0)

    answer = join(client, night, **typed)

    assert answer.status_code == 422
    assert sentence in text_of(answer)
    kept = answer.content.decode()
    assert typed["name"].strip() == "" or f'value="{typed["name"]}"' in kept
    assert (typed.get("faction") == "Klingon") == bool(re.search(r'value="Klingon"[^>]*checked', kept))
    assert not Entrant.objects.exists()


def test_control_characters_are_taken_out_of_a_name(client):
    night = make_night(players=0)

    join(client, night, name="V\x1bo\u202er\tof  Nine", faction="Klingon")

    assert [str(entrant) for entrant in Entrant.objects.all()] == ["Vor of Nine"]


def test_a_typed_faction_takes_the_spelling_of_who_declared_it_first(client):
    night = make_night(players=0, pack="chronological-chaos")

    join(client, night, name="Vor", faction="Mirror Universe")
    join(client, night, name="Kestrel", faction="mirror  UNIVERSE")

    assert [entrant.faction for entrant in Entrant.objects.all()] == ["Mirror Universe"] * 2


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        ("closed", "Registration is closed. Ask at the counter: the organizer can still register you."),
        ("last round", "The last round is already drawn. Ask at the counter"),
        ("finished", "This event is finished. The final ranks are on its page."),
    ],
)
def test_who_cannot_join_is_told_what_to_do(client, why, sentence):
    night = make_night(players=4, rounds={"closed": 0}.get(why, 3), finish=why == "finished")
    if why == "closed":
        events.open_registration(night.event, False, by=BY)

    seen = client.get(url("join", night))
    tried = join(client, night, name="Vor of Nine", faction="Klingon")

    assert (seen.status_code, tried.status_code) == (200, 409)
    assert sentence in text_of(seen)
    assert sentence in text_of(tried)
    assert "<form" not in seen.content.decode()
    assert night.event.entrants.count() == 4


def test_a_late_player_is_told_the_first_round_before_and_after_joining(client):
    night = make_night(players=4, rounds=1)
    sentence = "Round 1 is already drawn, so you are paired from round 2 on."
    assert sentence in page(client, "join", night)

    answer = join(client, night, name="Latecomer", faction="Klingon")

    assert sentence in text_of(client.get(answer.headers["Location"]))


def test_a_player_of_an_earlier_event_is_the_same_player(client):
    night = make_night(players=0)
    join(client, night, name="Vor", faction="Klingon")
    again = make_night(players=0, store=night.store)

    join(client, again, name="VOR", faction="Romulan")

    assert [entrant.player.name for entrant in Entrant.objects.all()] == ["Vor", "Vor"]


def test_the_page_takes_no_more_players_than_it_can_show(client):
    night = make_night(players=0)
    entrants.register(night.event, [(f"Cadet {number}", "") for number in range(MOST_BY_PHONE)], by=BY)

    answer = join(client, night, name="Vor", faction="Klingon")

    assert answer.status_code == 409
    assert "200 players are registered, and this page takes no more. Ask at the counter." in text_of(answer)


@pytest.mark.parametrize("number", ["7", "x", "-1", "²"])
def test_a_number_that_nobody_has_shows_the_form(client, number):
    assert "Your name" in page(client, "join", make_night(players=0), **{"in": number})


# the QR code


def test_the_qr_page_has_both_addresses_as_codes_and_as_text(client):
    night = make_night(players=0)

    response = client.get(url("qr", night), headers={"host": "192.168.1.20:8000"})

    content = response.content.decode()
    assert content.count("<svg viewBox=") == 2
    assert "style=" not in content
    assert f"192.168.1.20:8000/e/{night.event.slug}/join" in text_of(response)
    assert "These codes work on this computer alone" not in text_of(response)


def test_the_qr_page_warns_when_no_phone_could_open_the_address(client):
    response = client.get(url("qr", make_night(players=0)), headers={"host": "localhost:8000"})

    assert "These codes work on this computer alone" in text_of(response)


def test_the_qr_page_leaves_the_join_code_out_when_nobody_can_join(client):
    night = make_night(players=0)
    events.open_registration(night.event, False, by=BY)

    assert client.get(url("qr", night)).content.decode().count("<svg viewBox=") == 1


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

    assert "In play on 30 September 2017: Emergency Power, Improved Hull." in page
