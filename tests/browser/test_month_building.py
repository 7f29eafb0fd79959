"""Rule 7.17 as an organizer types it and a player meets it: the editor's section, the builder with a banned card."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from fleets.domain.cards import CardKind
from fleets.domain.sheet import Sheet
from scoring.shipped import shipped_pack
from tests.browser.test_at_the_table import give_card
from tests.browser.test_packs import leave, sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.builder import catalogue, url
from tests.support.built_fleets import bring
from tests.support.clicking import press
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.nights import make_night, make_store
from tests.support.own_packs import begun
from tourney.models import User

pytestmark = pytest.mark.django_db(transaction=True)
AT_NIGHT = pytest.param(LAPTOP, id="laptop", marks=pytest.mark.nightly)
SIZES = pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), AT_NIGHT])


@pytest.mark.nightly
@SIZES
def test_7_17_an_organizer_bans_a_card_and_is_told_what_does_not_fit(size, open_page: Callable[..., Page], server: str):
    store = make_store()[0]
    user = User.objects.get(username=f"organizer@{store.slug}")
    draft = begun(store, user, shipped_pack("klingon-civil-war-1"))
    page = open_page(size)
    sign_in(page, server, store)
    page.goto(reverse("pack_draft", args=[store.slug, draft.pk]))

    press(page, page.get_by_role("button", name="Add a card rule"))
    expect(page.locator("#card_limits-1-title")).to_be_focused()
    page.keyboard.type("Warp Jump")
    page.keyboard.press("Tab")
    expect(page.locator("#changes")).to_contain_text("Card rule “Warp Jump” added")
    leave(page, "SP of the away team", "24")
    expect(page.locator("#said-fleet-away_team_sp")).to_contain_text("There is no away team, so its SP have no use.")
    leave(page, "SP of the away team", "")
    expect(page.locator("#said-fleet-away_team_sp")).to_be_empty()
    assert_accessible(page)

    press(page, page.get_by_role("button", name="Save as version 1"))
    expect(page.get_by_text("Banned: Warp Jump.")).to_be_visible()
    assert_accessible(page)


@pytest.mark.nightly
@SIZES
def test_7_17_a_player_is_told_of_a_banned_card_before_and_after(size, open_page: Callable[..., Page], server: str):
    catalogue(card(CardKind.TECH, "Warp Jump", 5))
    night = make_night(players=4, pack="chronological-chaos")
    fleet = bring(night.event, 1, Sheet((Numbered().ship(ship_card("Kestrel", 24), captain_card("Captain Vor", 5)),)))
    page = give_card(open_page(size), night.event.entrants.get(number=1), server)
    page.goto(f"{url(fleet)}?add=1&kind=tech&q=warp")

    expect(page.locator("#month")).to_have_text("This month’s fleet rules")
    expect(page.locator(".found-card .builder-error")).to_have_text("Warp Jump is banned this month.")
    assert_accessible(page)
    page.locator(".found-card").click()
    expect(page.locator("#line-3 .builder-error")).to_have_text("Warp Jump is banned this month. (rule 7.17)")
    assert_accessible(page)
