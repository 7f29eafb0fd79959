"""Long lists in a browser: the keyboard goes on into the next part, the search loses nothing, and paper shows all."""

from io import BytesIO

import pypdfium2
import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from tests.browser.test_results import sign_in
from tests.support.browsing import LAPTOP, assert_accessible
from tests.support.clicking import look_at
from tests.support.nights import Night, make_night
from tests.support.tables import match_at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(server: str) -> Night:
    """102 tables in play, none of which has a result."""
    return make_night(players=204, open_round=True)


def test_the_keyboard_goes_on_into_the_next_part_and_finds_a_table_without_losing_what_is_typed(laptop: Page, night):
    sign_in(laptop, night, "results/")
    rows, keys = laptop.locator(".entry-row"), laptop.keyboard
    expect(rows).to_have_count(100)
    laptop.locator("[name=t1-sp_left_a]").fill("35")
    laptop.locator("[name=t100-ending]").focus()

    for key in ("B", "Enter"):
        keys.press(key)
    expect(laptop.locator("[name=t101-ending]")).to_be_focused()
    expect(rows).to_have_count(102)
    expect(laptop.locator("#row-100[data-saved]")).to_contain_text("Roll off")
    for key in ("B", "Enter"):
        keys.press(key)
    expect(laptop.locator("#row-101[data-saved]")).to_contain_text("Roll off")
    expect(laptop.locator("[name=t102-ending]")).to_be_focused()

    laptop.get_by_label("Find a table").fill("7")
    expect(rows.filter(visible=True)).to_have_count(1)
    keys.press("Enter")
    expect(laptop.locator("[name=t7-ending]")).to_be_focused()
    laptop.get_by_label("Find a table").fill("nobody at all")
    expect(laptop.get_by_text("Nothing found.")).to_be_visible()
    laptop.get_by_label("Find a table").fill("")
    expect(rows.filter(visible=True)).to_have_count(102)
    expect(laptop.locator("[name=t1-sp_left_a]")).to_have_value("35")
    assert_accessible(laptop)
    assert match_at(night.event, 101).result.ending == "both_eliminated"


@pytest.mark.nightly
def test_what_was_refused_further_down_is_seen_there_when_the_page_is_opened_again(laptop: Page, night):
    sign_in(laptop, night, "results/?page=2")
    laptop.locator("[name=t101-sp_left_a]").fill("150")
    laptop.locator("[name=t101-sp_left_a]").press("Enter")
    row = laptop.get_by_role("group", name="Table 101:")
    expect(row.get_by_role("alert")).to_contain_text("Choose how the match ended.")

    laptop.goto(f"/e/{night.event.slug}/desk/")
    laptop.get_by_role("link", name="Show saved result").click()

    expect(row).to_contain_text("Not saved: the result of round 1, table 101")
    expect(row).to_be_in_viewport()
    expect(laptop.locator(".outbox")).to_have_count(0)


@pytest.mark.parametrize("javascript", [False, True])
def test_more_tables_take_nothing_away_that_was_typed(open_page, night, javascript: bool):
    page = open_page(LAPTOP, javascript=javascript)
    sign_in(page, night, "results/")
    rows, typed = page.locator(".entry-row"), {"t1-sp_left_b": "35", "t2-sp_left_a": "7", "t3-sp_left_a": "ten"}
    for name, value in typed.items():
        page.locator(f"[name={name}]").fill(value)
    page.locator("[name=t1-ending]").select_option("time")
    page.locator("[name=t2-ending]").select_option("elimination")
    page.locator("[name=t2-out]").select_option("b")

    page.get_by_role("button", name="Show 2 more").click()

    expect(rows).to_have_count(102)
    for name, value in typed.items():
        expect(page.locator(f"[name={name}]")).to_have_value(value)
    expect(page.locator("[name=t1-ending]")).to_have_value("time")
    expect(page.locator("[name=t2-out]")).to_have_value("b")


def test_without_a_script_what_is_typed_in_a_row_that_was_found_stays_among_all_the_others(open_page, night):
    page = open_page(LAPTOP, javascript=False)
    sign_in(page, night, "results/?q=102")
    field = page.locator("[name=t102-sp_left_a]")
    expect(page.locator(".entry-row")).to_have_count(1)
    field.fill("8")

    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".entry-row")).to_have_count(102)
    expect(field).to_have_value("8")

    page.locator("[name=t102-ending]").select_option("time")
    page.locator("[name=t102-sp_left_b]").fill("35")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved: table 102.")).to_be_visible()


@pytest.mark.nightly
def test_what_is_typed_stays_when_more_is_asked_for_after_the_session_has_ended(laptop: Page, night):
    sign_in(laptop, night, "results/")
    laptop.locator("[name=t1-sp_left_a]").fill("35")
    Session.objects.all().delete()

    with laptop.expect_response("**page=2&after=1") as answer:
        laptop.get_by_label("Find a table").fill("1")
    assert answer.value.status == 204
    with laptop.expect_response("**page=2&after=1"):
        laptop.get_by_role("button", name="Show 2 more").click()
    laptop.get_by_label("Find a table").fill("")

    expect(laptop.locator(".entry-row").filter(visible=True)).to_have_count(100)
    expect(laptop.locator("[name=t1-sp_left_a]")).to_have_value("35")


@pytest.mark.nightly
def test_paper_shows_what_the_page_does_after_the_session_has_ended(laptop: Page, night):
    sign_in(laptop, night, "results/")
    first, last = (match_at(night.event, table).a.player.name for table in (1, 100))
    laptop.goto(f"/e/{night.event.slug}/desk/rounds/1/")
    expect(laptop.locator("#pairings .pairing")).to_have_count(100)
    Session.objects.all().delete()

    paper = text_of_paper(laptop)

    assert first in paper
    assert last in paper
    expect(laptop.locator("#pairings .pairing")).to_have_count(100)


@pytest.mark.nightly
def test_a_search_before_the_rest_is_there_finds_it(laptop: Page, night):
    sign_in(laptop, night, "results/")
    name = match_at(night.event, 102).a.player.name
    laptop.locator("[name=t1-sp_left_a]").fill("35")

    laptop.get_by_label("Find a table").press_sequentially(name)
    laptop.keyboard.press("Enter")

    expect(laptop.locator("#row-102")).to_be_visible()
    expect(laptop.locator("#row-1")).to_be_hidden()
    expect(laptop.locator("[name=t1-sp_left_a]")).to_have_value("35")


@pytest.mark.nightly
def test_the_desk_finds_a_table_and_shows_more_and_paper_shows_every_row(laptop: Page, night):
    sign_in(laptop, night, "results/")
    last = match_at(night.event, 102).a.player.name
    laptop.goto(f"/e/{night.event.slug}/desk/")
    tables = laptop.locator("#pairings .pairing")
    expect(tables).to_have_count(100)
    look_at(laptop)

    laptop.get_by_label("Find a table").press_sequentially("102")
    expect(tables).to_have_count(1)
    expect(tables).to_contain_text(last)
    expect(laptop.get_by_label("Find a table")).to_be_focused()
    laptop.get_by_label("Find a table").fill("")
    expect(tables).to_have_count(100)
    assert last in text_of_paper(laptop)
    expect(tables).to_have_count(102)

    laptop.goto(f"/e/{night.event.slug}/desk/players/")
    players = laptop.locator("#list .row")
    expect(players).to_have_count(100)
    laptop.get_by_role("link", name="Show 100 more").click()
    expect(players).to_have_count(200)
    laptop.reload()
    expect(players).to_have_count(200)
    laptop.get_by_role("link", name="Show 4 more").click()
    expect(players).to_have_count(204)
    expect(laptop.locator("#more")).to_have_text("All 204 shown.")
    expect(laptop.locator("#more-next")).to_be_focused()
    assert_accessible(laptop)


def text_of_paper(page: Page) -> str:
    pdf = pypdfium2.PdfDocument(BytesIO(page.pdf()))
    return "\n".join(sheet.get_textpage().get_text_bounded() for sheet in pdf)
