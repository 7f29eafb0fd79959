"""The Overview: a round is on the first screen, players are checked in there, and the next press is at hand."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_live import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible_by_day_and_night
from tests.support.built_fleets import bring_all
from tests.support.clicking import look_at, press
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.actions import entrants, reports, sign_off
from tourney.models import Entrant, Player, Round
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)

DEVICES = pytest.mark.parametrize(
    "device",
    [pytest.param(LAPTOP, id="laptop"), pytest.param(PHONE, id="phone", marks=pytest.mark.nightly)],
)
BOTH = pytest.mark.parametrize("device", [pytest.param(LAPTOP, id="laptop"), pytest.param(PHONE, id="phone")])


@copied
def nine_waiting() -> Night:
    """Nine who registered, three of them with a faction."""
    night = make_night(players=0)
    names = ("Cinder", "Kestrel", "Lark", "Marrow", "Onyx", "Quill", "Tern", "Vor", "Zephyr")
    entrants.register(night.event, [(name, "" if place % 3 else "Klingon") for place, name in enumerate(names)], by=BY)
    return night


def overview(page: Page, night: Night, server: str) -> Page:
    sign_in(page, server, night.organizer)
    page.goto(f"/e/{night.event.slug}/desk/")
    return page


def tie_again(night: Night, table: int) -> None:
    """Round 1 is closed: its result at the table is corrected to a tie, which is rolled off while round 2 is played."""
    version = match_at(night.event, table).row.result.version
    enter(night.event, table, on_time(40, 40), version=version, reason="misread")


def bottom_of(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["y"] + box["height"]


# a round in play


@pytest.mark.parametrize(("language", "most"), [("en", 300), ("de", 330)])
def test_the_next_step_and_four_tables_are_on_the_first_screen_of_a_laptop(
    open_page, server: str, language: str, most: int
):
    night = make_night(players=9, rounds=1, open_round=True, tables=1)
    desk = open_page(LAPTOP)
    desk.context.add_cookies([{"name": "language", "value": language, "url": server}])
    overview(desk, night, server)
    expect(desk.locator("html")).to_have_attribute("lang", language)

    head = desk.locator(".page-header").bounding_box()
    assert head
    assert bottom_of(desk.locator(".next-step")) - head["y"] <= most
    for place in range(4):
        expect(desk.locator("#pairings .pairing").nth(place)).to_be_in_viewport(ratio=1)
    assert desk.evaluate("document.documentElement.scrollWidth") == 1280
    assert_accessible_by_day_and_night(desk)


def test_signed_fleets_and_a_dispute_leave_room_for_four_tables(laptop: Page, server: str):
    night = make_night(players=12, open_round=True)
    bring_all(night.event)
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    enter(night.event, 2, on_time(56, 42))
    for entrant, left in zip(match_at(night.event, 3).entrants, (82, 66), strict=True):
        reports.report(night.event, 1, entrant.number, on_time(left, 46), by=BY)
    desk = overview(laptop, night, server)
    expect(desk.locator(".judge-case")).to_have_count(1)
    expect(desk.locator(".pairing-checks")).to_have_count(6)

    for place in range(4):
        expect(desk.locator("#pairings .pairing").nth(place)).to_be_in_viewport(ratio=1)
    assert desk.evaluate("document.documentElement.scrollWidth") == 1280
    look_at(desk)


def test_four_tables_are_seen_while_no_fleet_is_signed(laptop: Page, server: str):
    night = make_night(players=12, open_round=True)
    bring_all(night.event)
    enter(night.event, 2, on_time(56, 42))
    desk = overview(laptop, night, server)
    expect(desk.get_by_role("button", name="Mark as signed on paper : table")).to_have_count(6)

    for place in range(4):
        expect(desk.locator("#pairings .pairing").nth(place)).to_be_in_viewport(ratio=1)
    assert desk.evaluate("document.documentElement.scrollWidth") == 1280
    look_at(desk)


@pytest.mark.parametrize("ties", [1, 2])
def test_ties_of_earlier_rounds_leave_the_head_as_low_as_ever(laptop: Page, server: str, ties: int):
    night = make_night(players=12, rounds=1, open_round=True, seed=2)  # by which its first two tables are no ties
    for table in range(1, ties + 1):
        tie_again(night, table)
    desk = overview(laptop, night, server)
    expect(desk.locator(".missing li")).to_have_count(ties)

    head = desk.locator(".page-header").bounding_box()
    assert head
    assert bottom_of(desk.locator(".next-step")) - head["y"] <= 300
    for place in range(4):
        expect(desk.locator("#pairings .pairing").nth(place)).to_be_in_viewport(ratio=1)


@pytest.mark.many
@BOTH
def test_the_ranks_are_final_is_a_sentence_in_one_line(open_page, server: str, device: dict):
    night = make_night(players=4, rounds=3, finish=True)
    desk = overview(open_page(device), night, server)

    heading = desk.get_by_role("heading", name="The ranks are final")
    assert heading.evaluate("one => one.getClientRects().length && one.offsetHeight < 40")
    look_at(desk)


# before round 1


@BOTH
def test_nine_players_are_checked_in_with_nine_presses_and_the_next_one_pairs_round_1(
    open_page, server: str, device: dict
):
    night = nine_waiting()
    desk = overview(open_page(device), night, server)
    expect(desk.locator(".check-row").first).to_be_in_viewport(ratio=1)
    look_at(desk)

    waiting = desk.locator(".check-row").get_by_role("button", name="Check in")
    for left in range(8, -1, -1):
        waiting.first.click()
        expect(waiting).to_have_count(left)
    pair = desk.get_by_role("button", name="Pair round 1")
    expect(pair).to_be_in_viewport(ratio=1)
    expect(pair).to_be_focused()
    look_at(desk)
    with desk.expect_event("load"):
        desk.keyboard.press("Enter")

    assert night.event.entrants.filter(checked_in=True).count() == 9
    assert Round.objects.get(event=night.event).state == Round.State.DRAFT


def test_everybody_is_checked_in_with_one_press_and_the_next_one_pairs(laptop: Page, server: str):
    night = nine_waiting()
    desk = overview(laptop, night, server)

    desk.get_by_role("button", name="Check in all 9").click()
    expect(desk.locator(".check-row .badge-present")).to_have_count(9)
    expect(desk.get_by_role("button", name="Pair round 1")).to_be_focused()


@pytest.mark.nightly
def test_news_of_others_take_the_cursor_nowhere(laptop: Page, server: str):
    night = nine_waiting()
    desk = overview(laptop, night, server)
    name = desk.get_by_label("Name", exact=True).last
    name.fill("Ash")

    entrants.check_in(night.event, by=BY)
    expect(desk.get_by_role("button", name="Pair round 1")).to_be_visible()

    expect(name).to_be_focused()
    expect(name).to_have_value("Ash")


def test_without_scripts_the_last_check_in_comes_back_to_the_button_that_pairs(open_page, server: str):
    night = nine_waiting()
    entrants.check_in(night.event, range(1, 9), by=BY)
    desk = overview(open_page(PHONE, javascript=False), night, server)

    press(desk, desk.get_by_role("button", name="Check in Zephyr"))

    expect(desk.get_by_role("button", name="Pair round 1")).to_be_in_viewport(ratio=1)


@DEVICES
def test_one_choice_in_the_row_saves_the_faction_and_it_can_be_chosen_again(open_page, server: str, device: dict):
    night = nine_waiting()
    desk = overview(open_page(device), night, server)
    kestrel = Entrant.objects.filter(event=night.event, player__name="Kestrel")

    for faction in ("Romulan", "Dominion"):
        chosen = desk.get_by_label("Kestrel Faction")
        chosen.select_option(faction)
        expect(chosen.locator("option[selected]")).to_have_text(faction)
        expect(chosen.locator("option[value='']")).to_have_count(0)
        assert kestrel.get().faction == faction

    desk.get_by_label("Lark Faction").select_option("No faction")
    expect(desk.get_by_text("5 players have no faction yet")).to_have_count(0)
    expect(desk.get_by_label("Lark Faction").locator("option[value='']")).to_have_count(0)
    assert Entrant.objects.get(event=night.event, player__name="Lark").plays_without


@DEVICES
def test_a_name_is_corrected_in_its_row(open_page, server: str, device: dict):
    night = nine_waiting()
    desk = overview(open_page(device), night, server)

    row = desk.locator("#player-2")
    row.get_by_label("Rename Kestrel").click()
    row.get_by_label("Name", exact=True).fill("Kestrel Ash")
    look_at(desk)
    row.get_by_label("Name", exact=True).press("Enter")

    expect(desk.get_by_role("button", name="Check in Kestrel Ash")).to_be_visible()
    expect(desk.locator(".rename[open]")).to_have_count(0)
    assert night.event.entrants.get(number=2).player.name == "Kestrel Ash"


def test_a_name_of_another_player_is_refused_and_the_page_says_what_to_do(laptop: Page, server: str):
    night = nine_waiting()
    desk = overview(laptop, night, server)

    desk.get_by_label("Rename Kestrel").click()
    desk.locator("#player-2").get_by_label("Name", exact=True).fill("vor")
    press(desk, desk.get_by_role("button", name="Save name of Kestrel"))

    expect(desk.locator(".messages")).to_contain_text("“vor” is already a player here. Merge the two instead.")
    assert Player.objects.filter(store=night.store, name="Kestrel").exists()


@DEVICES
def test_one_name_after_the_other_is_added_with_the_keyboard_alone(open_page, server: str, device: dict):
    night = nine_waiting()
    desk = overview(open_page(device), night, server)

    desk.locator("#id_one_name").fill("Ash")
    for added, following in (("Ash", "Birch"), ("Birch", "")):
        with desk.expect_event("load"):
            desk.keyboard.press("Enter")
        expect(desk.locator(".messages")).to_contain_text(f"{added} is registered and checked in.")
        expect(desk.locator("#id_one_name")).to_be_focused()
        desk.keyboard.type(following)

    assert [*night.event.entrants.filter(checked_in=True).values_list("player__name", flat=True)] == ["Ash", "Birch"]


# after the last press of a round


@pytest.mark.many
@BOTH
def test_after_save_all_results_the_round_is_closed_and_the_next_one_paired_at_one_place(
    open_page, server: str, device: dict
):
    night = make_night(players=2, open_round=True)
    desk = open_page(device)
    sign_in(desk, server, night.organizer)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/results/")
    for keys in ("C", "Tab", "1", "Tab", "Tab", "4", "0"):  # the first concedes, the second has 40 SP left
        desk.keyboard.press(keys)

    press(desk, desk.get_by_role("button", name="Save all results"))
    expect(desk.locator("#next-action")).to_be_focused()
    expect(desk.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
    for step in ("Close round 1", "Pair round 2"):
        expect(desk.locator("#next-action")).to_have_text(step)
        expect(desk.locator("#next-action")).to_be_in_viewport(ratio=1)
        press(desk, desk.locator("#next-action"))

    assert Round.objects.get(event=night.event, number=2).state == Round.State.DRAFT


@pytest.mark.many
@BOTH
def test_after_the_last_tie_the_round_is_closed_beside_the_dice(open_page, server: str, device: dict):
    night = make_night(players=2, open_round=True)
    enter(night.event, 1, on_time(40, 40))
    desk = open_page(device)
    sign_in(desk, server, night.organizer)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/tables/1/")

    press(desk, desk.get_by_role("button", name="Roll for me"))
    close = desk.get_by_role("button", name="Close round 1")
    expect(close).to_be_in_viewport(ratio=1)
    look_at(desk)
    press(desk, close)
    expect(desk.locator("#next-action")).to_be_in_viewport(ratio=1)

    assert state_of(night.event).next_step.kind == "pair"


@pytest.mark.many
@BOTH
def test_of_several_ties_all_are_rolled_or_the_next_one_is_at_one_place(open_page, server: str, device: dict):
    night = make_night(players=6, open_round=True)
    for table in (1, 2, 3):
        enter(night.event, table, on_time(10 * table, 10 * table))
    desk = overview(open_page(device), night, server)

    press(desk, desk.locator("#next-action"))
    for table in (1, 2):
        expect(desk.get_by_role("button", name="Roll all for me")).to_be_in_viewport(ratio=1)
        expect(desk.get_by_role("link", name="Next tie")).to_be_in_viewport(ratio=1)
        named = [player.player.name for player in match_at(night.event, table).entrants]
        expect(desk.locator("#dice .field label")).to_have_text([f"{name}: Battle Stations" for name in named])
        press(desk, desk.get_by_role("link", name="Next tie"))
    look_at(desk)
    press(desk, desk.get_by_role("button", name="Roll all for me"))

    expect(desk.get_by_role("button", name="Close round 1")).to_be_in_viewport(ratio=1)
    assert state_of(night.event).last_round.tied == []
