"""The Rule of 3 and dice on a phone: live, shareable, without a script, and without a network."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import PHONE, assert_accessible

pytestmark = pytest.mark.django_db(transaction=True)

RULE = "/judge/rule-of-3/"


@pytest.mark.nightly
def test_a_judge_finds_seven_dice_with_a_thumb(phone: Page):
    """Rule 8: Agility 1, cloaked, +4 and −2."""
    phone.goto(RULE)
    phone.get_by_label("Value").select_option("agility")
    phone.get_by_label("Printed number").fill("1")
    phone.get_by_label("Cloaked", exact=True).check()
    expect(phone.locator("[data-total]")).to_have_text("5")

    phone.get_by_role("button", name="Add a modifier of +3").click()
    expect(phone.locator("[data-total]")).to_have_text("8")
    phone.get_by_role("textbox", name="Modifier 1", exact=True).fill("+4")
    expect(phone.locator("[data-total]")).to_have_text("8")
    expect(phone.locator("[data-cut]")).to_have_text("Rule of 3: +4 counts as +3")
    phone.get_by_role("button", name="Add a modifier of −2").click()

    expect(phone.locator("[data-total]")).to_have_text("7")
    expect(phone).to_have_url(
        f"{phone.evaluate('location.origin')}{RULE}?value=agility&printed=1&cloak=yes&mod=4&mod=-2"
    )
    assert_accessible(phone)
    phone.reload()
    expect(phone.locator("[data-total]")).to_have_text("7")
    phone.get_by_role("button", name="Remove modifier 1").click()
    expect(phone.locator("[data-total]")).to_have_text("3")


@pytest.mark.nightly
def test_the_answer_stays_in_sight_while_something_is_typed(phone: Page):
    phone.goto(RULE)

    phone.get_by_role("button", name="Add a modifier of +3").scroll_into_view_if_needed()
    phone.mouse.wheel(0, 300)

    expect(phone.locator("[data-total]")).to_be_in_viewport()


@pytest.mark.nightly
def test_a_wrong_number_is_said_and_the_right_one_counts(phone: Page):
    phone.goto(RULE)

    phone.get_by_role("textbox", name="Modifier 1", exact=True).fill("much")
    expect(phone.locator("[data-total]")).to_be_hidden()
    phone.get_by_role("textbox", name="Modifier 1", exact=True).blur()
    expect(phone.get_by_role("alert")).to_contain_text("“much” isn’t a valid modifier")
    assert_accessible(phone)
    phone.get_by_role("textbox", name="Modifier 1", exact=True).fill("-1")

    expect(phone.locator("[data-total]")).to_have_text("2")


@pytest.mark.nightly
def test_it_works_without_a_script(open_page):
    page = open_page(PHONE, javascript=False)
    page.goto(f"{RULE}?value=agility&printed=1&cloak=yes")

    page.get_by_role("button", name="Add a modifier of −1").click()

    expect(page.locator("[data-total]")).to_have_text("4")


@pytest.mark.nightly
def test_without_a_network_the_device_works_it_out(phone: Page):
    phone.goto(f"{RULE}?value=agility&printed=1&mod=2&mod_label=Scan")
    phone.context.set_offline(True)

    phone.get_by_label("Cloaked", exact=True).check()
    expect(phone.locator("[data-total]")).to_have_text("7")
    phone.get_by_role("button", name="Add a modifier of +3").click()
    expect(phone.locator("[data-total]")).to_have_text("8")
    expect(phone.locator("[data-cut]")).to_have_text("Rule of 3: +5 counts as +3")
    phone.get_by_role("button", name="Remove modifier 1").click()
    expect(phone.locator("[data-sum]")).to_have_text("5 + 3")
    phone.get_by_label("Value").select_option("hull")
    expect(phone.locator("[data-total]")).to_have_text("4")
    expect(phone.get_by_text("Cloaked", exact=True)).to_be_hidden()
    phone.get_by_label("SP or Fleet Points").check()

    expect(phone.locator("[data-cost]")).to_be_visible()
    phone.context.set_offline(False)


def test_dice_are_rolled_and_one_of_them_again(phone: Page):
    phone.goto("/judge/dice/?die=attack&dice=4&least=2")
    expect(phone.locator("[data-total]")).to_have_text("68.8%")
    phone.get_by_label("Number of dice").fill("1")
    phone.get_by_role("spinbutton", name="At least").fill("1")
    expect(phone.locator("[data-total]")).to_have_text("50%")

    phone.get_by_label("Defense dice").check()
    expect(phone.locator("[data-total]")).to_have_text("37.5%")
    phone.get_by_role("checkbox", name="Blank").check()
    expect(phone.locator("[data-total]")).to_have_text("75%")

    phone.get_by_role("button", name="Roll", exact=True).click()
    expect(phone.locator(".judge-die")).to_have_count(1)
    first = phone.url
    phone.locator(".judge-die").click()
    phone.get_by_role("button", name="Re-roll chosen dice").click()

    expect(phone.get_by_text("Roll 2: die 1 again")).to_be_visible()
    assert phone.url == f"{first}&again=0"
    assert_accessible(phone)


@pytest.mark.nightly
def test_a_roll_off_ends_in_one_sentence(phone: Page):
    phone.goto("/judge/scenarios/?what=roll-off")
    phone.get_by_role("textbox", name="Player 1").fill("Vor")
    phone.get_by_role("textbox", name="Player 2").fill("Kestrel")

    phone.get_by_role("button", name="Roll", exact=True).click()

    sentence = phone.locator("[data-total]").inner_text()
    assert sentence in ("Vor is ahead of Kestrel.", "Kestrel is ahead of Vor.")
    phone.reload()
    expect(phone.locator("[data-total]")).to_have_text(sentence)
    assert_accessible(phone)
