"""A tied table on two phones: the dice are typed on one and confirmed on the other, or rolled for both (rule 4.1)."""

from collections.abc import Callable

import pytest
from django.db.models import QuerySet
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import give_card, sign_in
from tests.browser.test_narrow_phones import LETTERS
from tests.browser.test_phone_in_hand import SMALL, at_table, box, in_round_2
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import Night
from tests.support.tables import enter, on_time
from tourney.models import Entrant, Roll, RollOff

pytestmark = pytest.mark.django_db(transaction=True)

DEVICES = pytest.mark.parametrize("device", [SMALL, PHONE], ids=["360", "390"])
PRIMARY = ":is(.button-primary, .button-signal):visible"


@pytest.fixture
def night() -> Night:
    """Table 1 of round 2 is tied, 58 Fleet Points each."""
    night = in_round_2()
    enter(night.event, 1, on_time(42, 42), number=2)
    return night


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    return at_table(night)


def phones_of(pair, open_page: Callable[..., Page], server: str, device: dict, *, dark: bool = False) -> list[Page]:
    phones = [give_card(open_page(device, dark=dark), one, server) for one in pair]
    for phone in phones:
        phone.reload()
        press(phone, phone.get_by_role("link", name="Roll off"))
    return phones


def enter_dice(phone: Page, other: Entrant, mine: int, theirs: int) -> None:
    for whose, count in (("Your", mine), (f"{other}’s", theirs)):
        phone.get_by_role("group", name=f"{whose} Battle Stations").get_by_role("radio", name=str(count)).check()
    press(phone, phone.get_by_role("button", name=f"Send to {other}"))


def rolls() -> QuerySet[Roll]:
    return Roll.objects.filter(roll_off__kind=RollOff.Kind.TABLE).order_by("number")


def rolled() -> list[dict[int, int]]:
    return [{int(number): count for number, count in roll.counts.items()} for roll in rolls()]


@pytest.mark.many
@DEVICES
def test_dice_typed_on_one_phone_are_confirmed_on_the_other(
    night, pair, device: dict, open_page: Callable[..., Page], server: str
):
    me, other = pair
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    mine, theirs = phones_of(pair, open_page, server, device)
    expect(mine.locator("#word")).to_contain_text("you each roll 5 attack dice; most Battle Stations wins.")
    expect(mine.locator(PRIMARY)).to_have_count(1)

    enter_dice(mine, other, 3, 1)

    expect(mine.locator("#roll")).to_contain_text(f"You entered: {me} 3, {other} 1. Waiting for {other} to confirm.")
    expect(theirs.locator("#roll")).to_contain_text(f"{me} entered: {me} 3, {other} 1. Is that right?")
    expect(theirs.locator(PRIMARY)).to_have_count(1)
    assert rolled() == []
    desk.goto(f"/e/{night.event.slug}/desk/rounds/2/tables/1/")
    expect(desk.locator("#dice")).to_contain_text(f"{me} entered: {me} 3, {other} 1.")
    press(theirs, theirs.get_by_role("button", name="Yes, that’s right"))

    expect(theirs.locator("#word")).to_contain_text("You lose, with 58 Fleet Points each.")
    expect(mine.locator("#word")).to_contain_text("You win, with 58 Fleet Points each.")
    assert rolled() == [{me.number: 3, other.number: 1}]


def test_who_typed_something_else_leaves_it_to_the_desk(night, pair, open_page: Callable[..., Page], server: str):
    me, other = pair
    mine, theirs = phones_of(pair, open_page, server, SMALL)
    enter_dice(mine, other, 3, 1)
    theirs.get_by_text("No, enter different dice").click()

    enter_dice(theirs, me, 2, 1)

    for phone in (mine, theirs):
        expect(phone.locator("#roll")).to_contain_text("entered different dice, so the desk decides.")
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/2/tables/1/")
    expect(desk.locator("#dice")).to_contain_text("The players entered different dice.")
    assert rolled() == []


@pytest.mark.nightly
def test_the_software_rolls_once_both_have_agreed(night, pair, open_page: Callable[..., Page], server: str):
    me, _ = pair
    mine, theirs = phones_of(pair, open_page, server, SMALL)

    press(mine, mine.get_by_role("button", name="Roll for us"))
    expect(theirs.locator("#roll")).to_contain_text(f"{me} is ready for Flagship to roll.")
    expect(theirs.locator(PRIMARY)).to_have_count(1)
    assert rolled() == []
    press(theirs, theirs.get_by_role("button", name="Roll for us"))

    for phone in (mine, theirs):
        expect(phone.locator("#word .dice").first).to_be_visible()
        expect(phone.locator("#word")).to_contain_text("with 58 Fleet Points each.")
    assert {bool(roll.seed) for roll in rolls()} == {True}


@pytest.mark.nightly
def test_an_equal_roll_is_rolled_again_on_both_phones(night, pair, open_page: Callable[..., Page], server: str):
    mine, theirs = phones_of(pair, open_page, server, SMALL)
    enter_dice(mine, pair[1], 2, 2)

    press(theirs, theirs.get_by_role("button", name="Yes, that’s right"))

    for phone in (mine, theirs):
        expect(phone.locator("#roll .badge")).to_have_text("Roll 2")
        expect(phone.locator("#roll")).to_contain_text("are tied and roll again.")


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_dice_are_pressed_with_letters_of_twice_the_size(
    night, pair, dark: bool, open_page: Callable[..., Page], server: str
):
    phone = phones_of(pair, open_page, server, SMALL, dark=dark)[0]
    assert all(box(one)["height"] >= 56 for one in phone.locator(".pip").all())
    assert_accessible(phone)
    phone.evaluate(LETTERS, 200)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert_accessible(phone)
