"""The Talon power record on a phone: a round played and undone with the thumb, a class kept on the device."""

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import PHONE, assert_accessible

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/judge/talon-power/"


def test_a_judge_plays_a_round_with_one_thumb_and_undoes_it(phone: Page):
    phone.goto(PAGE)
    phone.get_by_label("Hull damage").select_option("-1")
    expect(phone.get_by_text("3-2-1")).to_be_visible()
    assert phone.url.endswith(f"{PAGE}?speed=3&hull=-1")

    phone.get_by_role("link", name="Slow down: speed 2").tap()
    expect(phone.get_by_role("heading", name="Impulse A")).to_be_visible()
    phone.get_by_role("link", name="On to impulse B").tap()
    phone.get_by_text("Spend 1 AP on").wait_for()
    phone.get_by_role("link", name="Front", exact=True).tap()
    expect(phone.get_by_text("1 AP: Front reinforced, marker B.")).to_be_visible()
    expect(phone.get_by_text("1 of 1 reinforced")).to_be_visible()
    phone.get_by_role("link", name="On to impulse C").tap()
    expect(phone.get_by_role("heading", name="Impulse C")).to_be_visible()
    assert_accessible(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]

    phone.go_back()
    expect(phone.get_by_role("heading", name="Impulse B")).to_be_visible()
    phone.get_by_role("link", name="Undo", exact=True).first.tap()
    expect(phone.get_by_text("0 of 1 reinforced")).to_be_visible()
    expect(phone.get_by_role("link", name="Front", exact=True)).to_be_visible()


def test_the_address_alone_shows_the_same_record_without_javascript(open_page):
    page = open_page(PHONE, javascript=False)
    page.goto(PAGE)
    page.get_by_label("Speed now").select_option("5")
    page.get_by_role("button", name="Show").tap()
    page.get_by_role("link", name="Slow down: speed 4").tap()
    expect(page.get_by_role("heading", name="Impulse A")).to_be_visible()
    address = page.url
    page.get_by_role("link", name="Undo", exact=True).first.tap()
    expect(page.get_by_role("heading", name="Power Phase")).to_be_visible()

    page.goto(address)
    expect(page.get_by_role("heading", name="Impulse A")).to_be_visible()


def test_what_is_wrong_is_said_while_it_stays_in_its_field(phone: Page):
    phone.goto(f"{PAGE}?name=Kestrel+class&curves=4-2")
    expect(phone.locator("#ship .errorlist")).to_have_count(1)
    phone.get_by_label("Power curves").fill("4-2-1 3-2-2")
    expect(phone.get_by_role("alert")).to_contain_text("Speed 2 has two curves: leave one of them.")
    expect(phone.locator("#ship .errorlist")).to_have_count(0)
    assert_accessible(phone)

    phone.get_by_label("Power curves").fill("4-2-1 3-3-2")
    expect(phone.get_by_role("list", name="Speeds in reach")).to_contain_text("3-3-2")
    expect(phone.get_by_text("Kestrel class · Round 1")).to_be_visible()


def test_a_class_is_kept_on_the_device_and_forgotten_again(phone: Page):
    phone.goto(PAGE)
    phone.get_by_text("Class, shields and more").tap()
    phone.get_by_label("Class", exact=True).fill("Kestrel class")
    phone.get_by_label("Power curves").fill("512 323 134")
    phone.get_by_role("button", name="Keep this class on this device").tap()
    expect(phone.get_by_text("Kestrel class is kept.")).to_be_visible()

    phone.goto(PAGE)
    phone.get_by_text("Class, shields and more").tap()
    phone.get_by_role("link", name="Kestrel class").tap()
    expect(phone.get_by_label("Power curves")).to_have_value("512 323 134")
    expect(phone.get_by_text("3-2-3")).to_be_visible()
    assert_accessible(phone)

    phone.get_by_text("Class, shields and more").tap()
    phone.get_by_role("button", name="Forget Kestrel class").tap()
    expect(phone.get_by_role("link", name="Kestrel class")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("query", ["", "?speed=5&hull=-2", "?speed=3&arc2=down&play=v2.r1.n.n", "?curves=4"])
def test_the_page_is_accessible_by_day_and_by_night(open_page, query, dark):
    page = open_page(PHONE, dark=dark)
    page.goto(f"{PAGE}{query}")

    assert_accessible(page)
