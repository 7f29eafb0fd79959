"""The card catalogue in a browser: found while typing, imported with and without scripts, refused with a sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from fleets.starter import load
from tests.domain.test_card_table import TABLE
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.nights import PASSWORD, make_store
from tourney.models import Store, User

pytestmark = pytest.mark.django_db(transaction=True)

TOO_LARGE = 100_000_000


@pytest.fixture
def place(server: str) -> tuple[Store, User]:
    store, users = make_store()
    load()
    return store, users["owner"]


def sign_in(page: Page, place: tuple[Store, User]) -> None:
    store, owner = place
    page.goto(f"/sign-in/?next=/s/{store.slug}/cards/")
    page.get_by_label("Name").fill(owner.username)
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_event("load"):
        page.get_by_role("button", name="Sign in").click()


def test_a_card_is_found_while_its_name_is_typed(phone: Page, place):
    sign_in(phone, place)
    phone.get_by_label("Find a card").press_sequentially("negh")

    expect(phone.locator("#found .row").first).to_contain_text("I.K.S. Negh'var")
    expect(phone.locator("#found .row").first).to_contain_text("Klingon")
    assert phone.url.endswith("?q=negh")
    assert_accessible(phone)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("javascript", [True, False], ids=["with scripts", "without"])
def test_an_owner_imports_a_table_and_reads_the_report(
    open_page: Callable[..., Page], place, tmp_path: Path, javascript
):
    page = open_page(LAPTOP, javascript=javascript)
    file = tmp_path / "cards.csv"
    file.write_text(TABLE + "sail,Quill,,1\n", encoding="utf-8")
    sign_in(page, place)
    page.get_by_label("Card file").set_input_files(file)
    page.get_by_role("button", name="Import").click()

    expect(page.locator(".message-success")).to_contain_text("cards.csv imported: 2 added")
    report = page.locator(".message-success")
    report.get_by_text("1 line couldn’t be read").click()
    expect(report.get_by_text("Line 4 skipped: card.kind should be one of")).to_be_visible()


@pytest.mark.nightly
def test_a_file_of_100_mb_is_refused_with_a_sentence_and_the_next_one_is_taken(
    open_page: Callable[..., Page], place, tmp_path: Path
):
    page = open_page(PHONE, dark=True)
    large, small = tmp_path / "large.csv", tmp_path / "cards.csv"
    with large.open("wb") as file:
        file.truncate(TOO_LARGE)
    small.write_text(TABLE, encoding="utf-8")
    sign_in(page, place)
    page.get_by_label("Card file").set_input_files(large)
    page.get_by_role("button", name="Import").click()

    sentence = "The file is larger than 20 MB, which no catalogue is. Choose another."
    expect(page.locator(".error-summary")).to_contain_text(sentence)
    page.get_by_label("Card file").set_input_files(small)
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".message-success")).to_contain_text("2 added")
