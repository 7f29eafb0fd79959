"""Two months of a campaign one after the other: what the story takes along, on every surface that tells it."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import give_card, sign_in
from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.months import dethrone, draw, play_on, two_months
from tests.support.nights import BY
from tourney.actions import simulation
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_the_story_goes_on_from_month_to_month(open_page: Callable[..., Page], server: str):
    months = two_months([1, 2, 3], guests=["Ensign Quill"])
    admiral, vice = months.order[:2]
    store, campaign = months.first.store.slug, months.first.campaign.slug
    book = f"/s/{store}/campaigns/{campaign}/"

    # The Admiral of month one is absent: the desk gives the token to the next, whose phone spends it in round 2
    desk = sign_in(open_page(LAPTOP), months.second, months.first.organizer, server)
    press(desk, desk.get_by_role("button", name=f"Give it to {vice}"))
    phone = give_card(open_page(PHONE), months.who(1), server)
    phone.goto(f"/e/{months.event.slug}/me/")
    draw(months.event, close=True)
    draw(months.event)
    phone.get_by_text("Spend it this round").tap()
    press(phone, phone.get_by_role("button", name="Spend token now"))
    simulation.play_round(months.event, random=Random(2), by=BY)
    play_on(months.event, 1)

    # The desk ends month two
    desk.goto(f"/e/{months.event.slug}/desk/finish/")
    look_at(desk)
    press(desk, desk.get_by_role("button", name=re.compile("Finish")))
    order = names_in_order(months.event)
    expect(phone.locator("#card")).to_contain_text(f"{order.index(vice) + 1}")

    # Everybody reads the book: both months on the poster, the season, the player over both
    guest = open_page(LAPTOP)
    guest.goto(f"{book}poster/")
    drawn = " ".join(guest.locator("svg text").all_text_contents())
    for name in (admiral, vice, "Ensign Quill", "The Battle of Cardassia", "The Last Battle of DS9"):
        assert name in drawn
    look_at(guest)
    guest.goto(book)
    season = guest.get_by_role("region", name="Season so far")
    expect(season).to_contain_text(vice)
    before = season.inner_text()
    look_at(guest)
    season.get_by_role("table").get_by_role("link", name=vice, exact=True).click()
    expect(guest.get_by_role("heading", level=1, name=vice)).to_be_visible()
    expect(guest.get_by_role("main")).to_contain_text("The Battle of Cardassia")
    look_at(guest)

    # Corrected results of month one make somebody else its Admiral, who should have had the token
    dethrone(months)
    new = dethrone(months, 1)
    assert new not in (admiral, vice)
    guest.goto(book)
    assert season.inner_text() != before
    guest.goto(f"{book}tokens/")
    month = guest.get_by_role("region", name=months.event.name)
    expect(month).to_contain_text(re.compile(f"{vice} spent it in round 2.*{new} should have had the", re.DOTALL))
    look_at(guest)


def names_in_order(event) -> list[str]:
    state = state_of(event)
    return [state.names[line.id] for line in state.standings(len(state.closed_rounds))]
