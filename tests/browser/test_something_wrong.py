"""The feared moments at a table: two presses at the desk, and a phone that watches; and two desks at once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import give_card, sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import look_at, press
from tests.support.nights import Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.models import Entrant, Penalty

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    """Five players, round 1 in play, table 2 is done."""
    night = make_night(players=5, open_round=True)
    enter(night.event, 2, on_time(50, 30))
    return night


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    return match_at(night.event, 1).entrants


def something_wrong(desk: Page) -> None:
    """The first of the two presses."""
    press(desk, desk.get_by_role("link", name="Ruling or penalty for table 1"))
    look_at(desk)


CASES = {
    "no-show": (
        "{1} is a no-show",
        "{0} 2 BP, 60 FP {1} 0 BP, 0 FP",
        "{1} was a no-show, so {0} scores like a bye (rule 2.11). Reason: Not at the table in time.",
    ),
    "concession": (
        "{1} concedes",
        "{0} 2 BP, 100 FP {1} 1 BP, 0 FP",
        "{1} conceded, so {0} wins (rule 2.9). Reason: Conceded at the table.",
    ),
    "double loss": (
        "Both lose",
        "{0} 1 BP, 0 FP {1} 1 BP, 0 FP",
        "By a ruling, both players lose (rule 2.12). Reason: Neither player followed the rules.",
    ),
    "ruling": (
        "{0} wins",
        "{0} 2 BP, 0 FP {1} 1 BP, 0 FP",
        "By a ruling, {0} wins (rule 2.12). Reason: Decided by the judge at the table.",
    ),
}


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("case", CASES)
def test_two_presses_decide_a_table_and_the_phone_says_why(
    night, pair, case, open_page: Callable[..., Page], server: str
):
    label, points, sentence = (text.format(*pair) for text in CASES[case])
    desk = sign_in(open_page(LAPTOP), night, night.judge, server)
    phone = give_card(open_page(PHONE), pair[1], server)

    something_wrong(desk)
    button = desk.get_by_role("button", name=label, exact=True)
    expect(button).to_have_accessible_description(points)
    press(desk, button)

    expect(desk.locator(".messages")).to_contain_text(f"Table 1: {label}.")
    expect(desk.locator(".pairing").first).to_contain_text(sentence)
    expect(phone.locator(".answer")).to_contain_text(sentence)
    look_at(phone)
    phone.goto(f"/e/{night.event.slug}/standings/")
    expect(phone.locator(".rulings").first).to_contain_text(sentence)
    look_at(phone)


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_penaltys_button_says_what_it_does_and_asks_once(
    night, pair, device, dark, open_page: Callable[..., Page], server: str
):
    enter(night.event, 1, on_time(40, 60))
    desk = sign_in(open_page(device, dark=dark), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/tables/1/ruling/")
    expect(desk.get_by_role("button", name=f"Deduct 10 FP from {pair[0]}", exact=True)).to_be_visible()
    desk.get_by_label("Fleet Points").fill("")
    desk.get_by_label("Battle Points").fill("-1")
    deduct = desk.get_by_role("button", name=f"Deduct 1 BP from {pair[1]}", exact=True)

    deduct.click()
    dialog = desk.get_by_role("dialog")
    expect(dialog).to_contain_text(f"Deduct 1 BP from {pair[1]}? Round 1: 2 BP, 60 FP now, 1 BP, 60 FP then.")
    assert_accessible(desk)
    dialog.get_by_role("button", name="Cancel").click()
    assert not Penalty.objects.exists()
    deduct.click()
    press(desk, dialog.get_by_role("button", name=f"Deduct 1 BP from {pair[1]}"))

    expect(desk.locator(".messages")).to_contain_text(f"{pair[1]}’s penalty is saved. You can undo it.")
    assert Penalty.objects.get().battle_points == -1


@pytest.mark.nightly
def test_a_penalty_is_two_presses_and_one_step_back(night, pair, open_page: Callable[..., Page], server: str):
    enter(night.event, 1, on_time(40, 60))
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    phone = give_card(open_page(PHONE), pair[1], server)
    sentence = f"{pair[1]} gets −10 Fleet Points (rule 2.12). Reason: Late to the table."

    something_wrong(desk)
    desk.get_by_label("Fleet Points").fill("-15")
    expect(desk.locator("#effects")).to_contain_text("Then: 2 BP, 45 FP")
    desk.get_by_label("Fleet Points").fill("-10")
    expect(desk.locator("#effects")).to_contain_text("Then: 2 BP, 50 FP")
    desk.get_by_role("button", name=f"Deduct 10 FP from {pair[1]}").click()
    press(desk, desk.get_by_role("dialog").get_by_role("button", name="Deduct 10 FP"))

    expect(desk.locator(".pairing").first).to_contain_text(sentence)
    expect(phone.locator(".answer")).to_contain_text(sentence)
    expect(phone.locator(".answer")).to_contain_text("50 Fleet Points")
    look_at(phone)
    press(desk, desk.get_by_role("button", name="Undo"))
    expect(phone.locator(".answer")).not_to_contain_text(sentence)
    expect(phone.locator(".answer")).to_contain_text("60 Fleet Points")


@pytest.mark.nightly
def test_two_desks_at_once_and_nothing_typed_is_lost(night, pair, open_page: Callable[..., Page], server: str):
    mine = sign_in(open_page(LAPTOP), night, night.organizer, server)
    theirs = sign_in(open_page(PHONE), night, night.judge, server)
    phone = give_card(open_page(PHONE), pair[0], server)
    for desk in (mine, theirs):
        something_wrong(desk)

    mine.get_by_label("Reason").first.fill("still at work")
    press(theirs, theirs.get_by_role("button", name=f"{pair[1]} concedes"))
    press(mine, mine.get_by_role("button", name=f"{pair[1]} is a no-show"))

    told = mine.get_by_role("region", name="While this page was open")
    expect(told).to_contain_text(f"{night.judge.username} at")
    expect(told).to_contain_text("result entered.")
    expect(mine.get_by_label("Reason").first).to_have_value("still at work")
    look_at(mine)
    expect(phone.locator(".answer")).to_contain_text("conceded, so")
    press(mine, mine.get_by_role("button", name=f"{pair[1]} is a no-show"))
    expect(phone.locator(".answer")).to_contain_text("was a no-show, so")
    expect(phone.locator(".answer")).to_contain_text("still at work")
