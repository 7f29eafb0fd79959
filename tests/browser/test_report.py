"""Two phones and a desk in a browser: a result is reported, confirmed, disputed and decided (rule 7.2)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import give_card, sign_in
from tests.support.browsing import LAPTOP, PHONE
from tests.support.built_fleets import bring_all
from tests.support.clicking import look_at, press
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.actions import sign_off
from tourney.models import Entrant, PlayerReport

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    """Four players with fleets, round 1 in play."""
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    return night


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    return match_at(night.event, 1).entrants


def fill_in(phone: Page, left: dict[Entrant, int]) -> None:
    """Time was called, with so many SP left."""
    press(phone, phone.locator("#report"))
    phone.get_by_role("radio", name="Time").check()
    for entrant, sp in left.items():
        phone.get_by_role("group", name="SP left").get_by_label(entrant.player.name).fill(str(sp))


def button(phone: Page, name: str):
    return phone.get_by_role("button", name=name)


def test_one_reports_the_other_confirms_and_the_desk_sees_it(night, pair, open_page: Callable[..., Page], server: str):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    mine, theirs = (give_card(open_page(PHONE), entrant, server) for entrant in pair)
    verdict = f"{pair[0]} wins, 54 Fleet Points to 18."
    expect(mine.locator("#report")).to_be_in_viewport()

    fill_in(mine, {pair[0]: 82, pair[1]: 46})
    expect(mine.locator("#preview .result-verdict")).to_have_text(verdict)
    expect(mine.locator("#verdict")).to_be_in_viewport()
    look_at(mine)
    press(mine, button(mine, f"Send to {pair[1]}"))

    expect(mine.locator("#word")).to_contain_text("Awaiting confirmation")
    look_at(mine)
    expect(theirs.locator("#card")).to_contain_text(f"{pair[0]} reported: {verdict}")
    expect(theirs.locator("#report")).to_be_in_viewport()
    look_at(theirs)
    expect(desk.locator(".pairing").first).to_contain_text(f"waiting for {pair[1]}")
    press(theirs, theirs.get_by_role("link", name="Check and confirm"))
    look_at(theirs)
    press(theirs, button(theirs, "Yes, that’s right"))

    expect(theirs.locator(".messages")).to_contain_text(f"Agreed. {verdict}")
    expect(mine.locator("#word")).to_contain_text("Official result")
    expect(desk.locator(".pairing").first).to_contain_text("Agreed")


@pytest.mark.nightly
def test_a_refused_report_is_put_right_on_the_page_that_says_why(
    night, pair, open_page: Callable[..., Page], server: str
):
    """The answer takes the place of the page, whose scripts go on: asking, counting, sending without a network."""
    phone = give_card(open_page(PHONE), pair[0], server)
    fill_in(phone, {pair[0]: 200, pair[1]: 46})
    button(phone, f"Send to {pair[1]}").click()
    expect(phone.locator(".field-error, .error-summary, .errorlist").first).to_be_visible()
    expect(phone.locator("main")).to_have_count(1)
    look_at(phone)

    phone.get_by_role("group", name="SP left").get_by_label(pair[0].player.name).fill("82")
    phone.context.set_offline(True)
    button(phone, f"Send to {pair[1]}").click()
    expect(phone.locator(".outbox-waiting")).to_contain_text("Waiting for the network: your report for table 1")
    phone.context.set_offline(False)

    expect(phone.locator(".outbox")).to_contain_text("Sent: your report for table 1.")
    assert PlayerReport.objects.get().seat.entrant == pair[0]


@pytest.mark.nightly
def test_two_blind_reports_that_differ_are_decided_at_the_desk(
    night, pair, open_page: Callable[..., Page], server: str
):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    desk = sign_in(open_page(LAPTOP), night, night.judge, server)
    mine, theirs = (give_card(open_page(PHONE), entrant, server) for entrant in pair)
    fill_in(mine, {pair[0]: 82, pair[1]: 46})
    fill_in(theirs, {pair[0]: 82, pair[1]: 80})

    press(mine, button(mine, f"Send to {pair[1]}"))
    expect(theirs.locator("#word")).to_contain_text(f"{pair[0]} reported")
    expect(theirs.get_by_role("group", name="SP left").get_by_label(pair[1].player.name)).to_have_value("80")
    press(theirs, button(theirs, f"Send to {pair[0]}"))

    expect(theirs.locator("#word")).to_contain_text("Reports differ")
    look_at(theirs)
    expect(mine.locator("#word")).to_contain_text("Reports differ")
    dispute = desk.get_by_role("link", name=f"Table 1, {pair[0]} against {pair[1]}: disputed")
    expect(dispute).to_be_visible()
    look_at(desk)
    press(desk, dispute)
    look_at(desk)
    press(desk, button(desk, f"Accept {pair[1]}’s report"))

    expect(desk.locator(".messages")).to_contain_text("Table 1: ")
    expect(theirs.locator("#word")).to_contain_text("Official result")
    expect(mine.locator("#word")).to_contain_text("You reported something else")
    look_at(mine)


@pytest.mark.nightly
def test_to_leave_is_asked_on_the_phone_and_granted_at_the_desk(
    night, pair, open_page: Callable[..., Page], server: str
):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    phone = give_card(open_page(PHONE), pair[0], server)

    phone.get_by_text("Drop or concede").click()
    look_at(phone)
    press(phone, button(phone, "Ask to drop after round 1"))
    expect(phone.locator("#card")).to_contain_text("You asked to drop after round 1: waiting for the desk.")
    grant = button(desk, f"Approve the drop of {pair[0]}")
    expect(grant).to_be_visible()
    look_at(desk)
    press(desk, grant)

    expect(phone.locator("#card")).to_contain_text("You asked to drop after round 1: approved.")


@pytest.mark.nightly
def test_the_desk_declines_with_a_word_that_survives_news(night, pair, open_page: Callable[..., Page], server: str):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    phone = give_card(open_page(PHONE), pair[0], server)
    phone.get_by_text("Drop or concede").click()
    press(phone, button(phone, "Ask to concede this match"))
    desk.reload()
    desk.locator("summary", has_text="Decline").click()
    desk.get_by_label("Reason").fill("Two minutes are left")
    enter(night.event, 2, on_time(56, 46))
    expect(desk.locator(".pairing").nth(1)).to_contain_text("Edit result")
    look_at(desk)

    press(desk, button(desk, f"Decline the request of {pair[0]}"))

    said = "You asked to concede: declined. The desk says: Two minutes are left"
    expect(phone.locator("#card")).to_contain_text(said)


@pytest.mark.nightly
def test_a_result_is_reported_and_confirmed_without_javascript(
    night, pair, open_page: Callable[..., Page], server: str
):
    mine, theirs = (give_card(open_page(PHONE, javascript=False), entrant, server) for entrant in pair)
    fill_in(mine, {pair[0]: 82, pair[1]: 46})
    press(mine, button(mine, "Check the sum"))
    expect(mine.locator("#preview .result-verdict")).to_have_text(f"{pair[0]} wins, 54 Fleet Points to 18.")
    press(mine, button(mine, f"Send to {pair[1]}"))
    theirs.reload()

    press(theirs, theirs.get_by_role("link", name="Check and confirm"))
    press(theirs, button(theirs, "Yes, that’s right"))

    expect(theirs.locator(".messages")).to_contain_text("Agreed.")
