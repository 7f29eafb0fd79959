"""A player's own result in one hand: three taps and a number, and a sentence that says what they mean (rule 2)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from scoring.domain.points import Ending
from tests.browser.test_at_the_table import give_card
from tests.browser.test_narrow_phones import LETTERS
from tests.browser.test_phone_in_hand import SMALL, at_table, box, in_round_2
from tests.support.browsing import PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import BY, Night
from tourney.actions import sign_off
from tourney.models import Entrant, PlayerReport, Round
from tourney.queries.matches import played_of

pytestmark = pytest.mark.django_db(transaction=True)

DEVICES = pytest.mark.parametrize("device", [SMALL, PHONE], ids=["360", "390"])


@pytest.fixture
def night() -> Night:
    """Eight players with fleets of 82 SP, signed, in round 2; its clock runs."""
    night = in_round_2()
    sign_off.sign_all_on_paper(night.event, 2, by=BY)
    Round.objects.filter(event=night.event, number=2).update(ends_at=timezone.now() + timedelta(minutes=20))
    return night


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    return at_table(night)


def form_of(phone: Page, night: Night) -> Page:
    phone.goto(f"/e/{night.event.slug}/rounds/2/report/")
    return phone


def ending(phone: Page, name: str) -> Locator:
    return phone.get_by_role("radio", name=name, exact=True)


def verdict(phone: Page) -> Locator:
    return phone.locator("#verdict")


def primary(phone: Page) -> Locator:
    return phone.locator(":is(.button-primary, .button-signal):visible")


@pytest.mark.many
@DEVICES
def test_three_taps_and_a_number_from_the_card_to_a_report(
    night, pair, device: dict, open_page: Callable[..., Page], server: str
):
    me, other = pair
    give_card(open_page(PHONE), other, server)
    phone = give_card(open_page(device), me, server)

    press(phone, phone.get_by_role("link", name="Enter result"))
    ending(phone, "I won").check()
    phone.get_by_role("textbox", name="Your SP left").fill("46")
    expect(verdict(phone)).to_have_text("You win 100–54. That’s 2 Battle Points and 100 Fleet Points for you.")
    expect(primary(phone)).to_have_count(1)
    expect(primary(phone)).to_be_in_viewport()
    press(phone, phone.get_by_role("button", name=f"Send to {other}"))

    expect(phone.locator("#word")).to_contain_text("You win 100–54.")
    played = played_of(PlayerReport.objects.get())
    assert (played.ending, played.out, played.sides[0].sp_left) == (Ending.ELIMINATION, 1, 46)


@pytest.mark.many
@DEVICES
def test_the_three_endings_are_equally_wide_and_all_others_are_folded(
    night, pair, device: dict, open_page: Callable[..., Page], server: str
):
    me, other = pair
    phone = form_of(give_card(open_page(device), me, server), night)
    three = [box(phone.locator(".ending").filter(has=ending(phone, one))) for one in ("I won", "I lost", "Time")]

    assert len({round(one["width"]) for one in three}) == 1
    assert len({one["y"] for one in three}) == 1
    assert min(one["height"] for one in three) >= 56
    expect(phone.get_by_role("group", name="SP left")).to_be_hidden()
    expect(ending(phone, f"{other} conceded")).to_be_hidden()
    phone.get_by_text("It ended another way").click()
    ending(phone, f"{other} conceded").check()
    phone.get_by_role("textbox", name="SP left").fill("46")
    press(phone, phone.get_by_role("button", name="Send to the desk"))

    played = played_of(PlayerReport.objects.get())
    assert (played.ending, played.out) == (Ending.CONCESSION, 1)


def test_only_the_numbers_that_count_are_asked_for(night, pair, open_page: Callable[..., Page], server: str):
    me, other = pair
    phone = form_of(give_card(open_page(SMALL), me, server), night)
    mine, theirs = (phone.get_by_role("textbox", name=f"{one} SP left") for one in ("Your", f"{other}’s"))
    asked = {}
    for name in ("I won", "I lost", "Time"):
        ending(phone, name).check()
        asked[name] = (mine.is_visible(), theirs.is_visible())

    assert asked == {"I won": (True, False), "I lost": (False, True), "Time": (True, True)}


def test_a_number_is_stepped_typed_or_moved_by_arrows(night, pair, open_page: Callable[..., Page], server: str):
    phone = form_of(give_card(open_page(SMALL), pair[0], server), night)
    ending(phone, "I lost").check()
    number = phone.get_by_role("textbox", name="SP left")
    less, more = (phone.get_by_role("button", name=f"{name}: {pair[1]}’s SP left") for name in ("One less", "One more"))

    less.click()
    expect(number).to_have_value("82")  # all of that fleet is a good beginning
    expect(verdict(phone)).to_contain_text("You lose 18–100.")
    more.click()
    expect(number).to_have_value("82")
    number.fill("77")
    number.press("ArrowDown")
    less.click()

    expect(number).to_have_value("75")
    assert all(box(one)["height"] >= 56 for one in (less, more, number))


def test_a_tap_on_an_ending_is_followed_by_typing_its_number_and_a_key_stays_among_the_endings(
    night, pair, open_page: Callable[..., Page], server: str
):
    phone = form_of(give_card(open_page(SMALL), pair[0], server), night)
    mine, theirs = (phone.get_by_role("textbox", name=f"{whose} SP left") for whose in ("Your", f"{pair[1]}’s"))
    for name, asked in (("I won", mine), ("I lost", theirs), ("Time", mine)):
        ending(phone, name).tap()
        expect(asked).to_be_focused()
        expect(asked).to_be_in_viewport(ratio=1)
    mine.fill("46")

    ending(phone, "I won").tap()  # nothing is left to type
    expect(ending(phone, "I won")).to_be_focused()
    mine.fill("")
    ending(phone, "I won").press("ArrowRight")

    expect(ending(phone, "I lost")).to_be_focused()


@pytest.mark.parametrize(("minutes", "is_chosen"), [(20, False), (-1, True)], ids=["running", "over"])
def test_time_is_chosen_once_the_clock_has_run_out(
    night, pair, minutes: int, is_chosen: bool, open_page: Callable[..., Page], server: str
):
    Round.objects.filter(event=night.event, number=2).update(ends_at=timezone.now() + timedelta(minutes=minutes))

    phone = form_of(give_card(open_page(SMALL), pair[0], server), night)

    expect(ending(phone, "Time")).to_be_checked(checked=is_chosen)


def test_what_was_marked_leads_straight_to_a_filled_in_result(night, pair, open_page: Callable[..., Page], server: str):
    me, other = pair
    phone = give_card(open_page(SMALL), me, server)
    phone.goto(f"/e/{night.event.slug}/rounds/2/fleets/{other.number}/")
    for title in ("Kestrel", "Lark"):
        phone.locator(".tap-of-ship", has_text=title).click()
    expect(phone.locator("#sp-left")).to_have_text("−0")
    expect(primary(phone)).to_have_text("Enter result")

    press(phone, primary(phone))

    expect(ending(phone, "I won")).to_be_checked()
    expect(phone.get_by_role("textbox", name="SP left")).to_have_count(1)
    expect(primary(phone)).to_have_count(1)


def test_both_fleets_marked_are_a_sentence_before_anything_is_typed(
    night, pair, open_page: Callable[..., Page], server: str
):
    me, other = pair
    sign_off.mark_destroyed(night.event, 2, other.number, [1], by=BY)  # 82 − 36 = 46
    sign_off.mark_destroyed(night.event, 2, me.number, [4], by=BY)  # 82 − 5 = 77
    Round.objects.filter(event=night.event, number=2).update(ends_at=timezone.now() - timedelta(minutes=1))

    phone = form_of(give_card(open_page(SMALL), me, server), night)

    expect(verdict(phone)).to_contain_text("You win 54–23.")


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_letters_of_twice_the_size_fit_the_report(night, pair, dark: bool, open_page: Callable[..., Page], server: str):
    phone = form_of(give_card(open_page(SMALL, dark=dark), pair[0], server), night)
    ending(phone, "Time").check()
    assert_accessible(phone)
    phone.evaluate(LETTERS, 200)
    phone.get_by_text("It ended another way").click()

    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert_accessible(phone)


def test_a_result_is_reported_by_keyboard_alone(night, pair, open_page: Callable[..., Page], server: str):
    phone = form_of(give_card(open_page(SMALL), pair[0], server), night)
    ending(phone, "I won").focus()
    phone.keyboard.press("Space")
    for key in ("Tab", "Tab", "Tab"):  # what is rare, one less, the number
        phone.keyboard.press(key)
    phone.keyboard.type("46")
    expect(verdict(phone)).to_contain_text("You win 100–54.")
    phone.get_by_role("button", name="Send to the desk").focus()
    with phone.expect_event("load"):
        phone.keyboard.press("Enter")

    assert PlayerReport.objects.get().sp_left_a == 46


@pytest.mark.nightly
def test_without_scripts_the_number_is_typed_and_the_sum_is_asked_for(
    night, pair, open_page: Callable[..., Page], server: str
):
    phone = form_of(give_card(open_page(SMALL, javascript=False), pair[0], server), night)
    ending(phone, "I won").check()
    phone.get_by_role("textbox", name="Your SP left").fill("46")
    expect(phone.locator("[data-step]:visible")).to_have_count(0)

    press(phone, phone.get_by_role("button", name="Check the sum"))

    expect(verdict(phone)).to_contain_text("You win 100–54.")
    expect(ending(phone, "I won")).to_be_checked()
