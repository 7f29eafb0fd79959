"""My card: what a player's phone says before, during and after the rounds."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.built_fleets import bring, bring_all, too_dear, two_ships
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night, make_store
from tests.support.saying import html_of
from tests.support.tables import eliminated, enter
from tourney import access
from tourney.actions import entrants, events, fleets, player_cards, rounds, sign_off
from tourney.models import Entrant, Event
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def url(night: Night, name: str = "me", *args) -> str:
    return reverse(name, args=[night.event.slug, *args])


def phone_of(entrant: Entrant) -> Client:
    """A phone that holds the card of that player."""
    client = Client()
    store = entrant.player.store
    client.cookies[access.card_cookie(store)] = player_cards.issue(entrant.player, by=BY)
    return client


def phone(night: Night, number: int) -> Client:
    return phone_of(night.event.entrants.get(number=number))


def text_of(response) -> str:
    """What a page says, without its markup, with single spaces."""
    page = re.sub(r"<head>.*?</head>|<[^>]+>", " ", html_of(response), flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(page))


def card_of(night: Night, number: int) -> str:
    response = phone(night, number).get(url(night))
    assert response.status_code == 200
    return text_of(response)


@copied
def in_play(players: int = 4, *, with_fleets: bool = True) -> tuple[Night, Entrant, Entrant]:
    """Round 1 in play, and who sits at table 1."""
    night = make_night(players=players, open_round=True)
    if with_fleets:
        bring_all(night.event)
    return night, *state_of(night.event).last_round.match_at(1).entrants


# whose card


def test_without_a_card_the_page_says_what_a_card_is_and_where_to_get_it(client):
    night = make_night(players=2)

    response = client.get(url(night))

    assert response.status_code == 200
    assert "No player card on this phone yet Your card is a personal link" in text_of(response)
    assert "Ask for your card at the counter and scan its code with this phone." in text_of(response)


def test_a_player_who_is_not_in_the_event_joins_there_and_is_led_to_the_join_page_to_choose():
    night = make_night(players=2)
    before = events.make_event(night.campaign, night.event.pack.rules, starts_at=BY.at, sp_limit=100, by=BY)
    guest = entrants.register(before, [("Latecomer", "Klingon")], by=BY).entrants[0]
    client = phone_of(guest)

    assert "You’re not registered for this event" in text_of(client.get(url(night)))
    assert "Join as Latecomer" in text_of(client.get(url(night)))
    entrants.change_faction(before, guest.number, "", by=BY)
    assert f'href="{url(night, "join")}">Join this event</a>' in client.get(url(night)).content.decode()
    events.open_registration(night.event, False, by=BY)
    assert "Registration is closed. Ask at the counter." in text_of(client.get(url(night)))


def test_a_card_of_another_store_is_no_card_here():
    night = make_night(players=2)
    store, _ = make_store("Deck Twelve")
    other = make_night(players=2, store=store)
    key = player_cards.issue(other.event.entrants.first().player, by=BY)
    client = Client()
    client.cookies[access.card_cookie(night.store)] = key

    assert "No player card on this phone yet" in text_of(client.get(url(night)))


def test_an_issued_card_makes_the_one_before_worthless():
    night = make_night(players=2)
    client = phone(night, 1)
    tag = client.get(url(night))["ETag"]
    player_cards.issue(night.event.entrants.get(number=1).player, by=BY)

    response = client.get(url(night), headers={"If-None-Match": tag})

    assert (response.status_code, "No player card on this phone yet" in text_of(response)) == (200, True)


# before round 1


def test_before_round_1_the_card_says_whether_i_am_checked_in():
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon")], by=BY)
    assert "Registered, not checked in yet At the store, check in at the counter to get a table." in card_of(night, 1)

    entrants.check_in(night.event, by=BY)
    assert "You’re checked in. Your table for round 1 will appear here." in card_of(night, 1)


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        (two_ships(), "Vanguard Legal 82 of 100 SP. Edit my fleet All my fleets"),
        (too_dear(), "Vanguard 101 of 100 SP, 1 problem . Edit my fleet"),
    ],
    ids=["legal", "wrong"],
)
def test_before_round_1_the_card_says_what_my_fleet_is_worth(sheet, says):
    night = make_night(players=2)
    fleet = bring(night.event, 1, sheet)
    page = phone(night, 1).get(url(night))

    assert f"My fleet {says}" in text_of(page)
    assert f'href="{reverse("fleet", args=[night.store.slug, fleet.pk])}"' in page.content.decode()


def test_without_a_fleet_the_card_leads_to_my_fleets():
    night = make_night(players=2)
    page = phone(night, 1).get(url(night))

    assert "No fleet for this event yet Build it here, or bring it on paper. Build my fleet" in text_of(page)
    assert f'href="{reverse("my_fleets", args=[night.store.slug])}"' in page.content.decode()


# in a round


def test_in_a_round_the_card_says_table_opponent_clock_and_what_is_to_sign():
    night, me, other = in_play()
    page = phone_of(me).get(url(night))
    text = text_of(page)

    assert f"You’re at table 1 against {other}" in text
    assert "Round 1 of 3 in play" in text
    assert f"Check and sign {other}’s fleet Enter result Mark what was destroyed" in text
    assert f"{other}’s fleet Compare it with the table, then sign. Your fleet" in text
    assert f"Your fleet: Vanguard 82 of 100 SP. {other} hasn’t signed it yet." in text
    assert f'href="{url(night, "sheet", other.number)}"' in page.content.decode()


def test_while_i_play_the_card_has_the_bonuses_and_afterwards_who_still_plays():
    night, me, _ = in_play()
    mine = phone_of(me)
    playing = text_of(mine.get(url(night)))
    enter(night.event, 1, eliminated(left=56))

    over = text_of(mine.get(url(night)))

    third, fourth = state_of(night.event).last_round.match_at(2).entrants
    assert "This month’s bonuses Controls Deep Space 9 +20 Only the winner scores it" in playing
    assert "Still playing" not in playing
    assert f"Still playing {third} against {fourth} Table 2" in over
    assert "This month’s bonuses" not in over


def test_a_signature_is_told_to_both():
    night, me, other = in_play()
    sign_off.sign(night.event, 1, me.number, by=BY)

    assert f"{other}’s fleet Signed You signed it at 18:45. View" in card_of(night, me.number)
    assert f"Signed 82 of 100 SP. {me} has signed it." in card_of(night, other.number)


def test_a_call_of_a_judge_is_told_to_both():
    night, me, other = in_play()
    sign_off.call_judge(night.event, 1, me.number, line=4, words="only four", by=BY)

    assert f"{other}’s fleet Judge called You called a judge about Darts." in card_of(night, me.number)
    assert f"Judge called 82 of 100 SP. {me} called a judge about Darts." in card_of(night, other.number)


def test_what_the_judge_decided_is_told():
    night, me, other = in_play()
    sign_off.call_judge(night.event, 1, me.number, line=4, words="", by=BY)
    sign_off.settle(night.event, 1, me.number, decided="Four is right", by=BY)

    assert f"{other}’s fleet Signed Signed for you by the judge: Four is right View" in card_of(night, me.number)


def test_where_nobody_has_a_fleet_there_is_nothing_to_sign():
    night, me, _ = in_play(with_fleets=False)

    assert "sign" not in card_of(night, me.number).lower()


def test_one_who_plays_with_paper_signs_the_other_and_is_signed():
    night, me, other = in_play(with_fleets=False)
    bring(night.event, other.number)

    assert f"Your fleet is on paper {other} hasn’t signed it yet." in card_of(night, me.number)
    assert f"{me}’s fleet Compare it with the table, then sign." in card_of(night, other.number)


def test_the_bye_and_the_result_are_told():
    night, me, other = in_play(players=5)
    enter(night.event, 1, eliminated(left=66))

    assert "You have the bye this round" in card_of(night, state_of(night.event).last_round.bye.a.number)
    assert f"You won 100–34 {other.faction} Table 1 against {other} 2 Battle Points, 100 Fleet" in card_of(
        night, me.number
    )


def test_between_rounds_the_card_says_rank_and_points_and_in_the_end_the_title():
    night = make_night(players=4, rounds=1)
    line = state_of(night.event).standings(1)[0]
    assert f"after round 1: {line.battle_points} Battle Points, {line.fleet_points} Fleet Points" in card_of(
        night, line.id
    )

    over = make_night(players=4, rounds=3, finish=True, store=night.store)
    first = state_of(over.event).standings(3)[0]
    card = card_of(over, first.id)
    assert f"You’re {first.title}" in card
    assert f"Rank 1 of 4 · {first.battle_points} Battle Points, {first.fleet_points} Fleet Points" in card


def test_my_rounds_have_opponent_points_and_rank_the_latest_first():
    night = make_night(players=4, rounds=2)
    state = state_of(night.event)
    me = state.standings(2)[0].id
    lines = []
    for number in (2, 1):
        match, scores = state.round(number).match_of(me), state.round(number).scores
        rank, before = (next((one.rank for one in state.standings(n) if one.id == me), 0) for n in (number, number - 1))
        other = match.opponent_of(me)
        points = f"{scores[me].fleet_points}–{scores[other.number].fleet_points}"
        word = "won" if match.winner.number == me else "lost"
        moved = f", up from {before}" if before > rank else f", down from {before}" if 0 < before < rank else ""
        lines.append(f"Round {number} You {word} {points} against {other} {scores[me].battle_points} Battle Point")
        lines.append(f" Rank {rank}{moved}")
    text = card_of(night, me).partition("My rounds ")[2]

    assert [one for one in lines if one not in text] == []
    assert [text.index(one) for one in lines] == sorted(text.index(one) for one in lines)


# live


def test_the_card_refreshes_itself_as_one_part():
    night, me, other = in_play()
    client = phone_of(me)
    client.get(url(night))  # from now on it has the secret of its forms
    response = client.get(url(night), headers={"HX-Request": "true", "HX-Target": "card"})

    assert response.content.decode().lstrip().startswith('<div id="card"')
    unchanged = client.get(
        url(night), headers={"HX-Request": "true", "HX-Target": "card", "If-None-Match": response["ETag"]}
    )
    sign_off.sign(night.event, 1, other.number, by=BY)
    news = client.get(
        url(night), headers={"HX-Request": "true", "HX-Target": "card", "If-None-Match": response["ETag"]}
    )
    assert (unchanged.status_code, news.status_code) == (304, 200)


def test_the_same_page_of_two_players_has_two_tags():
    night, me, other = in_play()

    tags = {client.get(url(night))["ETag"] for client in (phone_of(me), phone_of(other), Client())}

    assert len(tags) == 3


@pytest.mark.parametrize("name", ["event", "standings", "me"])
def test_whose_card_a_phone_holds_is_asked_together_with_the_event(client, name):
    night, me, _ = in_play()
    counts = []
    for visitor in (client, phone_of(me)):
        visitor.get(url(night, name))
        with CaptureQueriesContext(connection) as queries:
            visitor.get(url(night, name))
        counts.append(len(queries))

    assert counts == [1, 2 if name == "me" else 1]


def test_a_card_of_a_large_night_asks_as_much_as_of_a_small_one():
    counts = []
    for players in (4, 24):
        night, me, _ = in_play(players)
        client = phone_of(me)
        client.get(url(night))
        with CaptureQueriesContext(connection) as queries:
            client.get(url(night))
        counts.append(len(queries))

    assert counts[0] == counts[1]


# the other pages


def test_the_event_page_finds_me_without_typing_and_has_my_table_among_its_sections(client):
    night, me, other = in_play()
    stranger, mine = text_of(client.get(url(night, "event"))), text_of(phone_of(me).get(url(night, "event")))

    assert (f"You’re at table 1 against {other}" in mine, "My table" in mine) == (True, True)
    assert (f"table 1 against {other}" in stranger.lower(), "My table" in stranger) == (False, False)


def test_a_name_that_is_typed_counts_more_than_the_card():
    night, me, other = in_play()

    page = phone_of(me).get(url(night, "event"), {"q": other.player.name})

    assert f"Table 1 against {me}" in text_of(page)


def test_my_row_is_marked_in_pairings_and_standings():
    night = make_night(players=4, rounds=1)

    pages = [phone(night, 1).get(url(night, *page)).content.decode() for page in (("standings",), ("pairings", 1))]

    assert [page.count("is-me") for page in pages] == [1, 1]


def test_a_locked_fleet_that_was_unlocked_leads_to_the_builder_again():
    night, me, _ = in_play()
    fleets.unlock(night.event, me.number, reason="typed wrong", by=BY)

    page = phone_of(me).get(url(night)).content.decode()

    assert f'href="{reverse("fleet", args=[night.store.slug, me.fleet.pk])}"' in page


def test_a_draft_changes_nothing_on_the_card():
    night = make_night(players=4)
    before = card_of(night, 1)
    rounds.pair_round(night.event, seed=1, by=BY)

    assert card_of(night, 1) == before
    assert Event.objects.get(pk=night.event.pk).rounds.count() == 1
