"""The commendation token from hand to hand: the desk gives it, a phone spends it, the ledger keeps it (rule 6)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import give_card, sign_in
from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.months import dethrone, draw, two_months
from tests.support.nights import BY
from tourney.actions import tokens
from tourney.models import JournalEntry, TokenLine

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_the_token_of_an_absent_admiral_goes_to_the_next_is_spent_in_round_2_and_a_correction_is_shown(
    open_page: Callable[..., Page], server: str
):
    months = two_months([1, 2, 3], guests=["Ensign Quill"])
    admiral, vice = months.order[:2]
    desk = sign_in(open_page(LAPTOP), months.second, months.first.organizer, server)
    card = desk.get_by_role("region", name="Commendation Award Token")
    expect(card).to_contain_text(f"{admiral}, Admiral of month 5, isn’t here; {vice}, Vice Admiral, is the highest")
    look_at(desk)
    press(desk, card.get_by_role("button", name=f"Give it to {vice}"))
    expect(card).to_contain_text(f"{vice} has it and hasn’t spent it yet.")

    phone = give_card(open_page(PHONE), months.who(1), server)
    phone.goto(f"/e/{months.event.slug}/me/")
    expect(phone.get_by_role("heading", name="You have the commendation token")).to_be_visible()
    draw(months.event, close=True)
    draw(months.event)
    expect(phone.get_by_text("Spend it this round")).to_be_visible()
    phone.get_by_text("Spend it this round").tap()
    look_at(phone)
    press(phone, phone.get_by_role("button", name="Spend token now"))
    expect(phone.get_by_role("heading", name="Token spent in round 2")).to_be_visible()

    expect(card).to_contain_text(f"{vice} spent it in round 2.")
    dethrone(months, 1)
    _, due = months.ledger()[-1]
    expect(card).to_contain_text(f"By the corrected ranks, {due} should have had it.")
    press(desk, card.get_by_role("link", name="Ledger"))
    look_at(desk)
    press(desk, desk.get_by_role("link", name="All months"))
    month = desk.get_by_role("region", name=months.event.name)
    story = f"Given to {vice}.*{vice} spent it in round 2.*{due} should have had the commendation token"
    expect(month).to_contain_text(re.compile(story, re.DOTALL))
    look_at(desk)


@pytest.mark.nightly
def test_a_corrected_result_that_changes_the_admiral_stands_in_the_ledger(open_page: Callable[..., Page]):
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    draw(months.event)
    tokens.spend(months.event, 1, by=BY)
    phone = open_page(PHONE)

    new = dethrone(months)

    phone.goto(f"/s/{months.first.store.slug}/campaigns/{months.first.campaign.slug}/tokens/")
    month = phone.get_by_role("region", name=months.event.name)
    expect(month).to_contain_text(f"The ranks of month 5 were corrected. {new} should have had the commendation token.")
    expect(month).to_contain_text(f"{months.order[0]} spent it in round 1, and it stays spent (rule 6.4).")
    look_at(phone)


@pytest.mark.nightly
def test_a_token_spent_without_a_network_waits_and_is_spent_once(open_page: Callable[..., Page], server: str):
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    draw(months.event)
    phone = give_card(open_page(PHONE), months.who(0), server)
    phone.goto(f"/e/{months.event.slug}/me/")
    phone.get_by_text("Spend it this round").tap()

    phone.context.set_offline(True)
    phone.get_by_role("button", name="Spend token now").click()
    waiting = phone.locator(".outbox-waiting")
    expect(waiting).to_contain_text("Waiting for the network: your token, spent in round 1")
    phone.context.set_offline(False)

    expect(phone.locator(".outbox")).to_contain_text("Sent: your token, spent in round 1.")
    expect(phone.get_by_role("heading", name="Token spent in round 1")).to_be_visible()
    assert TokenLine.objects.filter(kind="spent").count() == 1
    assert JournalEntry.objects.filter(did="spend_token").count() == 1


@pytest.mark.nightly
def test_without_javascript_it_is_spent_in_two_taps(open_page: Callable[..., Page], server: str):
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    draw(months.event)
    phone = give_card(open_page(PHONE, javascript=False), months.who(0), server)
    phone.goto(f"/e/{months.event.slug}/me/")

    phone.get_by_text("Spend it this round").tap()
    press(phone, phone.get_by_role("button", name="Spend token now"))

    expect(phone.get_by_role("heading", name="Token spent in round 1")).to_be_visible()
