"""What everybody sees of an event before its results: the start, drafts, tables, the clock, the live part."""

import html
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.nights import BY, make_night
from tests.support.public_pages import eliminated, enter, last_round, page, text_of, url
from tourney.actions import entrants, events, rounds
from tourney.actions.record import Actor
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# before round 1


def test_before_the_start_the_page_says_when_and_who_and_leads_to_the_join_page(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon"), ("Kestrel", "Romulan")], by=BY)

    response = client.get(url("event", night))

    text = text_of(response)
    assert "Registration is open. Play starts Friday, 20 November at 18:45." in text
    assert "2 players registered Vor Klingon Kestrel Romulan" in text
    assert f'href="{url("join", night)}"> Join this event </a>' in " ".join(response.content.decode().split())


def test_before_the_start_a_closed_registration_sends_people_to_the_counter(client):
    night = make_night(players=3)
    events.open_registration(night.event, False, by=BY)

    response = client.get(url("event", night))

    assert "Registration is closed. Round 1 is next." in text_of(response)
    assert url("join", night) not in response.content.decode()


def test_the_month_is_told_with_limit_rounds_resource_and_bonuses(client):
    text = page(client, "event", make_night(players=0))

    assert "Fleet limit 100 SP Rounds 3 rounds of 60 minutes each" in text
    assert "Each fleet may have exactly one resource, from this storyline." in text
    assert "Controls Deep Space 9 +20 Only the winner scores it. It is added after the winner is decided." in text


def test_bonuses_that_nobody_knows_are_asked_of_the_organizer(client):
    text = page(client, "event", make_night(players=0, pack="dominion-war-5"))

    assert "We don’t have this month’s bonuses. Ask the organizer for the printed overview." in text


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
    for number in (1, 2, 3, 4):
        entrants.play_without(night.event, number, by=BY)
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

    assert "Vor Registered, not checked in yet At the store, check in at the counter to get a table." in text
    assert "Not you? Vorta" in text


def test_an_unknown_name_is_told_what_to_do(client):
    night = make_night(players=4, open_round=True)

    text = page(client, "event", night, q="<nobody>")

    assert "No player called “<nobody>” Check the spelling" in text


def test_the_player_with_the_bye_is_told_so(client):
    night = make_night(players=5, open_round=True)

    text = page(client, "event", night, q=last_round(night).bye.a.player.name)

    assert "You have the bye this round 2 Battle Points. Fleet Points follow once all results" in text


def test_a_player_who_has_dropped_is_told_so(client):
    night = make_night(players=6, rounds=1)
    entrants.drop(night.event, 2, by=BY)

    assert "Dropped You won’t be paired again, but you keep your points." in page(
        client, "event", night, q=state_of(night.event).names[2]
    )


def test_a_late_player_is_told_from_which_round_on_there_is_a_table(client):
    night = make_night(players=4, open_round=True)
    entrants.register(night.event, [("Latecomer", "Klingon")], by=BY)
    assert "Registered, not checked in yet" in page(client, "event", night, q="Latecomer")

    entrants.check_in(night.event, by=BY)

    text = page(client, "event", night, q="Latecomer")
    assert "Not paired in round 1 You start in round 2." in text


def test_between_rounds_a_player_sees_the_rank_so_far(client):
    night = make_night(players=6, rounds=1)
    first = state_of(night.event).standings(1)[0]

    text = page(client, "event", night, q=state_of(night.event).names[first.id])

    points = f"{first.battle_points} Battle Points, {first.fleet_points} Fleet Points"
    assert (
        f"Not paired yet You’re checked in. Your table for round 2 will appear here. Rank 1 after round 1: {points}"
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
    assert "Round 1 of 3 in play" in running


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
