"""The sheet of a fleet: who sees it and when, what it says, and how it is signed or a judge called (rules 7.2, 7.3)."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from fleets.domain import editing
from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import Sheet
from tests.pages.test_me import in_play, phone, phone_of, text_of
from tests.support.built_fleets import ATTACK_FIGHTERS, DARTS, bring, bring_all
from tests.support.fleets_for_tests import Numbered, captain_card, ship_card
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter
from tourney.actions import fleets, sign_off
from tourney.models import Event, FleetsShown, JournalEntry, SheetCheck
from tourney.queries.shared import SHARED
from tourney.queries.state import state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db


def url(night: Night, number: int) -> str:
    return reverse("sheet", args=[night.event.slug, number])


def sheet_of(client: Client, night: Night, number: int) -> str:
    response = client.get(url(night, number))
    assert response.status_code == 200
    return text_of(response)


def judge(night: Night) -> Client:
    client = Client()
    client.force_login(night.judge)
    return client


def shown(night: Night, setting: str) -> Night:
    Event.objects.filter(pk=night.event.pk).update(fleets_shown=setting)
    return night


# what it says


def test_the_sheet_shows_ships_lines_totals_and_the_resource():
    night = make_night(players=2)
    bring(night.event, 1)

    text = sheet_of(phone(night, 1), night, 1)

    ship = (
        "Kestrel 36 SP Type Card Faction SP Ship Kestrel Lark Class Federation FED 24 Cap Captain Vor Federation FED 5"
    )
    assert f"{ship} C Quill Federation FED 2 W Darts Federation FED 5" in text
    assert "Resource 20 SP Type Card Faction SP Res Federation Attack Fighters 20 Assigned to the whole fleet." in text
    assert "Ship 1 36 Ship 2 26 Resource 20 Total (limit 100 SP) 82" in text
    assert "Not locked: it can change until round 1." in text


def test_a_cost_of_several_parts_is_a_sum_and_what_was_typed_says_by_hand():
    night = make_night(players=2)
    lines = Numbered()
    ship = lines.ship(
        ship_card("Kestrel", 24),
        captain_card("Captain Onyx", 4, factions=("ROM", "IND")),
        Card(CardKind.CREW, "Somebody", ("FED",), 3),
        lines.line(DARTS, cost_by_hand=2, note="errata of the month"),
    )
    bring(night.event, 1, Sheet((ship,), lines.line(ATTACK_FIGHTERS), ship.line.id))

    text = sheet_of(phone(night, 1), night, 1)

    assert "Captain Onyx 4 + 1 faction penalty Romulan ROM Independent IND 5 C" in text
    assert "C Somebody Entered by hand Federation FED 3" in text
    assert "W Darts Entered by hand Note: errata of the month Federation FED 2" in text
    assert "Assigned to Kestrel." in text


def test_what_is_wrong_and_what_was_allowed_stand_on_the_sheet():
    night = make_night(players=2)
    lines = Numbered()
    bring(night.event, 1, Sheet((lines.ship(ship_card("Kestrel", 124)),)))
    text = sheet_of(phone(night, 1), night, 1)
    assert "1. 2 problems The fleet costs 124 SP, 24 over the 100 SP limit. (rule 7.5)" in text
    assert "(rule 7.5) Kestrel needs a captain. (rule 7.8)" in text

    fleets.allow(night.event, 1, "7.8", 1, reason="the captain is at home", by=BY)
    fleets.allow(night.event, 1, "7.5", 0, reason="lost on the way", by=BY)
    text = sheet_of(phone(night, 1), night, 1)

    assert "Kestrel needs a captain. Allowed: the captain is at home" in text
    assert "Allowed: lost on the way" in text
    assert "Legal" in text
    assert "wrong" not in text


def test_the_lock_and_the_reason_of_an_unlocking_are_told():
    night, me, other = in_play()
    assert "Locked: fleets can’t change between rounds." in sheet_of(phone_of(me), night, other.number)

    fleets.unlock(night.event, other.number, reason="typed wrong", by=BY)
    assert "Unlocked by the organizer: typed wrong" in sheet_of(phone_of(me), night, other.number)


def test_an_empty_sheet_and_one_on_paper_say_so():
    night, me, other = in_play(with_fleets=False)
    bring(night.event, me.number, Sheet())

    assert "This sheet is empty" in sheet_of(phone_of(me), night, me.number)
    assert f"This fleet is on paper Ask {other} for the paper sheet" in sheet_of(phone_of(me), night, other.number)


def test_the_rounds_stand_on_the_sheet_as_they_are_played():
    night = make_night(players=3, rounds=1, open_round=True)
    state = state_of(night.event)
    number = state.rounds[0].bye.a.number
    bring_all(night.event)
    other = state.rounds[1].match_of(number).opponent_of(number)
    average = state.rounds[0].scores[number].fleet_points

    before = sheet_of(phone(night, number), night, number)
    sign_off.sign(night.event, 2, other.number, by=BY)
    enter(night.event, 1, eliminated(left=66), number=2)
    after = sheet_of(phone(night, number), night, number)

    points = state_of(night.event).rounds[1].scores[number].fleet_points
    result = "W" if points == 100 else "L"
    bye = f"Round Opponent Signed Result Fleet Points Running total 1 Bye – B {average} {average} 2 {other}"
    assert f"{bye} No – – –" in before
    assert f"{bye} Yes {result} {points} {average + points}" in after


# who sees it


@pytest.mark.parametrize(
    ("setting", "before", "after"),
    [
        (FleetsShown.OPPONENT, (403, 403, 404), (200, 403, 404)),
        (FleetsShown.ROUND_1, (403, 403, 404), (200, 200, 200)),
        (FleetsShown.ALL, (200, 200, 200), (200, 200, 200)),
    ],
)
def test_opponents_other_entrants_and_strangers_see_it_when_the_event_says(setting, before, after):
    drawn, me, other = in_play()
    third = state_of(drawn.event).last_round.match_at(2).a
    early = make_night(players=4, store=drawn.store)
    bring_all(early.event)

    def answers(night: Night, numbers: tuple[int, int], owner: int) -> tuple[int, ...]:
        visitors = (*(phone(shown(night, setting), number) for number in numbers), Client())
        return tuple(visitor.get(url(night, owner)).status_code for visitor in visitors)

    assert answers(early, (1, 2), 3) == before
    assert answers(drawn, (me.number, third.number), other.number) == after


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        (FleetsShown.OPPONENT, "Only this round’s opponent can see this fleet"),
        (FleetsShown.ROUND_1, "Fleets are shown when round 1 is published"),
    ],
)
def test_an_entrant_is_told_when_the_fleet_will_be_shown(setting, sentence):
    night = shown(make_night(players=2), setting)
    bring_all(night.event)

    page = text_of(phone(night, 1).get(url(night, 2)))

    assert sentence in page
    assert "Kestrel Lark Class" not in page


def test_the_desk_sees_every_fleet_at_any_time_and_there_is_no_fleet_of_nobody():
    night = make_night(players=2)
    bring_all(night.event)

    assert "’s fleet" in sheet_of(judge(night), night, 2)
    assert judge(night).get(url(night, 9)).status_code == 404


# signing


def test_the_opponent_signs_and_is_back_on_the_card():
    night, me, other = in_play()
    client = phone_of(me)
    assert "It matches: sign the fleet" in sheet_of(client, night, other.number)

    response = client.post(url(night, other.number), {"do": "sign"}, follow=True)

    check = SheetCheck.objects.get()
    assert response.redirect_chain == [(reverse("me", args=[night.event.slug]), 302)]
    assert f"You signed {other}’s fleet." in text_of(response)
    assert (check.seat.entrant, check.state, check.by_name) == (me, "signed", me.player.name)
    assert "You signed this fleet at" in sheet_of(client, night, other.number)


def test_a_line_is_marked_and_a_judge_called():
    night, me, other = in_play()
    client = phone_of(me)

    client.post(url(night, other.number), {"do": "call", "line": "4", "words": " only four "})

    check = SheetCheck.objects.get()
    assert (check.state, check.line, check.words) == ("called", 4, "only four")
    assert "You called a judge about Darts : only four" in sheet_of(client, night, other.number)
    assert JournalEntry.objects.last().by_name == me.player.name


def test_a_call_is_taken_back():
    night, me, other = in_play()
    client = phone_of(me)
    client.post(url(night, other.number), {"do": "call", "line": "4"})

    response = client.post(url(night, other.number), {"do": "take_back"}, follow=True)

    assert "Call withdrawn." in text_of(response)
    assert not SheetCheck.objects.exists()


@pytest.mark.parametrize(
    ("data", "status", "sentence"),
    [
        ({"do": "call"}, 409, "Mark the line that doesn’t match, or tell the judge what’s wrong."),
        ({"do": "call", "line": "99", "words": "only four"}, 409, "This card is no longer in the fleet."),
        ({"do": "take_back"}, 409, "There’s no signature or call to remove."),
        ({"do": "settle", "words": "only four"}, 409, "’s fleet this round."),
        ({"do": "call", "words": "only four" * 30}, 422, "Use at most 200 characters."),
        ({}, 422, "It matches: sign the fleet"),
        ({"do": "anything"}, 422, "It matches: sign the fleet"),
    ],
)
def test_what_cannot_be_done_is_said_on_the_sheet_and_nothing_typed_is_lost(data, status, sentence):
    night, me, other = in_play()

    response = phone_of(me).post(url(night, other.number), data)

    assert (response.status_code, sentence in text_of(response)) == (status, True)
    assert f'value="{data.get("words", "")}"' in response.content.decode()
    assert not SheetCheck.objects.exists()


def test_nobody_but_the_opponent_signs():
    night, me, other = in_play()
    third = state_of(night.event).last_round.match_at(2).a
    shown(night, FleetsShown.ROUND_1)

    def answer(client: Client, number: int) -> int:
        return client.post(url(night, number), {"do": "sign"}).status_code

    assert answer(phone_of(third), other.number) == 409
    assert answer(phone_of(me), me.number) == 409
    assert answer(judge(night), other.number) == 409
    assert answer(Client(), other.number) == 404
    assert not SheetCheck.objects.exists()


def test_a_page_left_open_after_the_round_signs_nothing():
    night = shown(make_night(players=2, rounds=1), FleetsShown.ROUND_1)
    bring_all(night.event)

    response = phone(night, 1).post(url(night, 2), {"do": "sign"})

    assert response.status_code == 409
    assert "isn’t at a table, so there’s nothing to sign." in text_of(response)


def test_a_sheet_that_was_changed_since_it_was_shown_is_not_signed():
    night, me, other = in_play()
    fleets.unlock(night.event, other.number, reason="typed wrong", by=BY)
    fleets.step(other.fleet, lambda sheet: editing.remove(sheet, 4), did=message("Darts removed."), by=BY)

    response = phone_of(me).post(url(night, other.number), {"do": "sign", "version": "0"})
    assert response.status_code == 409
    assert f"{other}’s fleet has changed. Compare it again, then sign." in text_of(response)

    again = phone_of(me).post(url(night, other.number), {"do": "sign", "version": "1"})
    assert (again.status_code, SheetCheck.objects.get().seat.entrant) == (302, me)


# the desk


def test_a_judge_settles_the_call_with_a_note_of_what_was_decided():
    night, me, other = in_play()
    sign_off.call_judge(night.event, 1, me.number, line=4, words="only four", by=BY)
    client = judge(night)
    assert f"{me} called a judge about Darts only four Decision" in sheet_of(client, night, other.number)

    without = client.post(url(night, other.number), {"do": "settle"})
    done = client.post(url(night, other.number), {"do": "settle", "words": "Four is right"}, follow=True)

    assert (without.status_code, "Enter what you decided." in text_of(without)) == (409, True)
    assert done.redirect_chain == [(reverse("desk", args=[night.event.slug]), 302)]
    assert f"Resolved and signed for {me}." in text_of(done)
    assert JournalEntry.objects.last().reason == "Four is right"


def test_a_call_leads_to_where_the_sheet_is_unlocked_and_a_judge_reads_who_can():
    night, me, other = in_play()
    sign_off.call_judge(night.event, 1, me.number, line=4, words="only four", by=BY)
    organizer = Client()
    organizer.force_login(night.organizer)
    unlock = reverse("entrant_fleet", args=[night.event.slug, other.number])

    pages = [client.get(url(night, other.number)) for client in (organizer, judge(night))]

    assert f'<a href="{unlock}#sheet-state">unlock and fix it first</a>' in pages[0].content.decode()
    assert "Unlock fleet" in text_of(organizer.get(unlock))
    assert "If the sheet itself is wrong, ask an organizer to unlock it first." in text_of(pages[1])
    assert unlock not in pages[1].content.decode()


def test_what_a_judge_settled_is_not_taken_back_by_the_player():
    night, me, other = in_play()
    sign_off.call_judge(night.event, 1, me.number, line=4, words="", by=BY)
    sign_off.settle(night.event, 1, me.number, decided="Four is right", by=BY)

    refused = phone(night, me.number).post(url(night, other.number), {"do": "take_back"})

    assert (refused.status_code, SheetCheck.objects.count()) == (409, 1)
    assert "A judge resolved this, so only a judge can undo it." in text_of(refused)


def test_a_judge_takes_a_call_back():
    night, me, other = in_play()
    sign_off.call_judge(night.event, 1, me.number, line=4, words="", by=BY)

    judge(night).post(url(night, other.number), {"do": "take_back"})

    assert not SheetCheck.objects.exists()
    assert JournalEntry.objects.last().by == night.judge


@pytest.mark.parametrize("page", ["desk", "round"])
def test_the_desk_shows_at_each_table_what_is_signed_and_who_calls(page):
    night, me, _ = in_play(6)
    sign_off.sign(night.event, 1, me.number, by=BY)
    sign_off.sign_on_paper(night.event, 1, 2, by=BY)
    caller, owner = state_of(night.event).last_round.match_at(3).entrants
    sign_off.call_judge(night.event, 1, caller.number, line=4, words="only four", by=BY)

    response = judge(night).get(reverse(page, args=[night.event.slug, *([1] if page == "round" else [])]))
    text = text_of(response)

    assert "Fleets signed at 1 of 3 tables." in text
    assert "1 of 2 fleets signed Mark as signed on paper : table 1" in text
    assert "Fleets signed" in text
    assert f"Judge called {caller} about {owner}’s fleet: Darts only four" in text
    assert f'href="{url(night, owner.number)}"' in response.content.decode()


def test_a_call_is_the_first_thing_to_do_at_the_desk():
    night, me, other = in_play()
    enter_first = judge(night)
    sign_off.call_judge(night.event, 1, me.number, line=0, words="another ship", by=BY)

    page = enter_first.get(reverse("desk", args=[night.event.slug])).content.decode()

    called = f"Table 1: {me} calls a judge about {other}’s fleet: “another ship”"
    assert re.search(
        rf'class="button button-primary"\s+href="{url(night, other.number)}">\s*Resolve[^/]*{called}', page
    )
    assert page.index(called) < page.index('id="tables"')


def test_a_store_without_fleets_sees_nothing_of_it_and_asks_nothing_more():
    night, *_ = in_play(with_fleets=False)
    client = judge(night)

    def look(page: str, *args) -> tuple[str, int]:
        client.get(reverse(page, args=[night.event.slug, *args]))
        SHARED.forget()
        with CaptureQueriesContext(connection) as queries:
            response = client.get(reverse(page, args=[night.event.slug, *args]))
        return text_of(response).lower(), len(queries)

    desk, round = look("desk"), look("round", 1)
    bring_all(night.event)

    assert ("fleets" in desk[0], "signed on paper" in round[0]) == (False, False)
    assert (look("desk")[1], look("round", 1)[1]) == (desk[1] + 1, round[1] + 1)


@pytest.mark.parametrize(("back", "page"), [("desk", "desk"), ("round", "round"), ("", "desk")])
def test_one_press_signs_a_table_on_paper_and_goes_on_to_the_next(back, page):
    night, *_ = in_play(6)
    sign_off.sign_on_paper(night.event, 1, 2, by=BY)
    client = judge(night)
    place = reverse(page, args=[night.event.slug, *([1] if page == "round" else [])])

    def press(table: int) -> str:
        return client.post(reverse("signed", args=[night.event.slug, 1, table]), {"back": back}).headers["Location"]

    assert (press(1), press(3)) == (f"{place}#table-1-3", f"{place}#table-1-3")
    assert SheetCheck.objects.filter(state="signed", on_paper=True, by_name=night.judge.username).count() == 4


def test_one_press_signs_all_tables_on_paper():
    night, *_ = in_play(6)

    response = judge(night).post(reverse("all_signed", args=[night.event.slug, 1]), follow=True)

    assert "Signed on paper: 3 tables." in text_of(response)
    assert "All fleets are signed." in text_of(response)
    assert SheetCheck.objects.filter(on_paper=True).count() == 6


@pytest.mark.parametrize("name", ["signed", "all_signed"])
def test_paper_for_a_round_that_is_over_is_refused(name):
    night = make_night(players=4, rounds=1)

    response = judge(night).post(reverse(name, args=[night.event.slug, 1, *([1] if name == "signed" else [])]))

    assert response.status_code == 409
    assert "Round 1 isn’t in play." in text_of(response)


# queries


def test_large_nights_and_large_fleets_ask_as_much_as_small_ones():
    counts = []
    for players, ships in ((4, 1), (24, 6)):
        night, me, other = in_play(players, with_fleets=False)
        lines = Numbered()
        sheet = Sheet(tuple(lines.ship(ship_card(f"Ship {n}"), DARTS, DARTS) for n in range(ships)))
        for entrant in night.event.entrants.all():
            bring(night.event, entrant.number, sheet)
        for match in state_of(night.event).last_round.tables:
            sign_off.call_judge(night.event, 1, match.a.number, line=1, words="", by=BY)
        visits = ((phone_of(me), url(night, other.number)), (judge(night), reverse("desk", args=[night.event.slug])))
        for client, place in visits:
            client.get(place)
            with CaptureQueriesContext(connection) as queries:
                client.get(place)
            counts.append(len(queries))

    assert counts[:2] == counts[2:]
