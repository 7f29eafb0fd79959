"""The feared moments at the desk, each with a phone watching: late, just arrived, leaves, vanished, comes back.

Every one is decided with its effect in sight, reaches the phone without a reload, and one step back undoes it.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.factories import PASSWORD
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney import access
from tourney.actions import entrants, player_cards, rounds
from tourney.models import Player
from tourney.queries.history import stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


class Desk:
    """The organizer's page, at the desk of the night."""

    def __init__(self, page: Page, night: Night):
        self.page, self.night = page, night
        page.goto("/sign-in/")
        page.get_by_label("Name").fill(night.organizer.username)
        page.get_by_label("Password").fill(PASSWORD)
        press(page, page.get_by_role("button", name="Sign in"))
        page.goto(f"{night.event.get_absolute_url()}desk/")

    def choose(self, name: str, moment: str, title: str) -> None:
        """From the desk to the player, to the option, and to what it changes."""
        self.page.get_by_role("link", name="Late arrivals & drops").click()
        press(self.page, self.page.locator("#everybody").get_by_role("link", name=name, exact=True))
        assert_accessible(self.page)
        section = self.page.get_by_role("region", name=moment)
        section.get_by_role("link", name=title).click()
        expect(self.page.get_by_role("heading", name=title)).to_be_visible()
        assert_accessible(self.page)

    def assert_effect(self, *sentences: str) -> None:
        for sentence in sentences:
            expect(self.page.get_by_role("region", name="What changes")).to_contain_text(sentence)

    def confirm(self) -> None:
        self.page.get_by_role("button", name="Save change").click()
        expect(self.page.locator(".messages")).to_contain_text("You can undo it.")

    def take_back(self) -> None:
        self.page.get_by_role("button", name="Undo").click()
        expect(self.page.locator(".messages")).to_contain_text("Undone:")


@pytest.fixture
def watching(open_page: Callable[..., Page], server: str) -> Callable[[Night, Player], Page]:
    """The phone of a player on the public page of the event; it is never reloaded."""

    def watching(night: Night, player: Player) -> Page:
        page = open_page(PHONE)
        key = player_cards.issue(player, by=BY)
        page.context.add_cookies([{"name": access.card_cookie(player.store), "value": key, "url": server}])
        page.goto(night.event.get_absolute_url())
        page.evaluate("window.neverReloaded = true")
        return page

    return watching


def assert_answer(phone: Page, answer: str | re.Pattern) -> None:
    """The phone says so by itself."""
    expect(phone.locator("#answer")).to_contain_text(answer, ignore_case=True)
    assert phone.evaluate("window.neverReloaded") is True


@pytest.mark.nightly
def test_ten_minutes_late_who_has_the_bye_plays_instead_of_waiting(laptop: Page, watching):
    night = make_night(players=5, open_round=True)
    before, round = stored_rows(night.event), state_of(night.event).last_round
    late, there, bye = round.match_at(1).a, round.match_at(1).b, round.bye.a
    phone, desk = watching(night, bye.player), Desk(laptop, night)
    assert_answer(phone, "You have the bye this round")

    desk.choose(str(late), "Isn’t at the table yet", f"{bye}, who has the bye, plays {there} instead of {late}")
    desk.assert_effect("Round 1, table 1", f"Then: {bye} against {there}", f"Without a table in round 1: {late}.")
    desk.confirm()

    assert_answer(phone, f"Table 1 against {there}")
    desk.take_back()
    assert_answer(phone, "You have the bye this round")
    assert stored_rows(night.event) == before


@pytest.mark.nightly
def test_just_arrived_while_round_1_is_in_play_and_plays_who_has_the_bye(laptop: Page, watching):
    night = make_night(players=3, open_round=True)
    bye = state_of(night.event).last_round.bye.a
    phone, desk = watching(night, bye.player), Desk(laptop, night)

    laptop.get_by_role("link", name="Late arrivals & drops").click()
    laptop.get_by_label("Name").fill("Tern")
    laptop.get_by_label("Faction").select_option("Klingon")
    laptop.get_by_role("button", name="Register player and continue").click()
    before = stored_rows(night.event)
    laptop.get_by_role("link", name=f"Tern plays {bye}, who has the bye").click()
    desk.assert_effect(f"Then: {bye} against Tern", "1 other table stays as it is.", "so no bye")
    desk.confirm()

    assert_answer(phone, "Table 2 against Tern")
    desk.take_back()
    assert_answer(phone, "You have the bye this round")
    assert stored_rows(night.event) == before


@pytest.mark.nightly
def test_must_leave_after_this_round_and_the_others_are_paired_without(laptop: Page, watching):
    night = make_night(players=4, open_round=True)
    leaves = match_at(night.event, 1).a
    phone, desk = watching(night, leaves.player), Desk(laptop, night)

    desk.choose(str(leaves), "Leaves after this round", f"{leaves} plays round 1 and then drops")
    desk.assert_effect("Round 2 has 3 players, so one of them has the bye.", "Points stay")
    desk.confirm()
    assert_answer(phone, "Table 1 against")
    for table in (1, 2):
        enter(night.event, table, on_time(40 + 5 * table, 1 + 2 * table))
    rounds.close_round(night.event, 1, by=BY)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 2, by=BY)

    assert state_of(night.event).last_round.match_of(leaves.number) is None
    expect(phone.locator("#answer")).not_to_contain_text("table 1 against")
    assert phone.evaluate("window.neverReloaded") is True


@pytest.mark.nightly
def test_went_home_without_a_word_and_the_opponent_knows_at_once(laptop: Page, watching):
    night = make_night(players=4, open_round=True)
    before, match = stored_rows(night.event), match_at(night.event, 1)
    phone, desk = watching(night, match.b.player), Desk(laptop, night)

    desk.choose(str(match.a), "Left or must leave now", f"{match.a} never sat down: a no-show at table 1")
    desk.assert_effect(f"{match.a}: 0 Battle Points", f"{match.b}: 2 Battle Points", "rule 2.11")
    desk.confirm()

    expect(phone.locator("#now")).to_contain_text("2 Battle Points.")
    assert phone.evaluate("window.neverReloaded") is True
    desk.take_back()
    assert stored_rows(night.event) == before


@pytest.mark.nightly
def test_comes_back_into_the_draft_and_sits_at_a_table(laptop: Page, watching):
    night = make_night(players=5, rounds=1)
    back = state_of(night.event).by_number[1]
    entrants.drop(night.event, back.number, by=BY)
    rounds.pair_round(night.event, seed=3, by=BY)
    before = stored_rows(night.event)
    phone, desk = watching(night, back.player), Desk(laptop, night)

    desk.choose(str(back), "Comes back", f"Round 2 is re-paired with {back}")
    desk.assert_effect("Round 3 has 5 players")
    desk.confirm()
    rounds.publish_round(night.event, 2, by=BY)

    match = state_of(night.event).last_round.match_of(back.number)
    assert_answer(phone, "You have the bye" if match.is_bye else f"Table {match.table} against")
    laptop.reload()
    desk.take_back()
    desk.take_back()
    assert stored_rows(night.event) == before


@pytest.mark.nightly
def test_without_scripts_it_is_chosen_and_confirmed_all_the_same(open_page):
    night = make_night(players=3, open_round=True)
    entrants.register(night.event, [("Tern", "Klingon")], by=BY)
    bye = state_of(night.event).last_round.bye.a
    desk = Desk(open_page(PHONE, javascript=False), night)

    desk.page.get_by_role("link", name="Late arrivals & drops").click()
    desk.page.locator("#everybody").get_by_role("link", name="Tern").click()
    desk.page.get_by_role("link", name=f"Tern plays {bye}, who has the bye").first.click()
    desk.confirm()

    assert match_at(night.event, 2).numbers == (bye.number, 4)
