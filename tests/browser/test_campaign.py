"""The campaign from month to month in a browser: its page, a player, two against each other, and short names."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.nights import PASSWORD, Night, make_night
from tourney.models import Event, Player
from tourney.queries.campaigns import overview_of
from tourney.queries.records import record_of

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Captain Wolfeschlegelsteinhausenbergerdorff of the Long Road"


@pytest.fixture
def night(server: str) -> Night:
    """Two finished months of one campaign; one of its players has a long name."""
    first = make_night(players=6, rounds=3, finish=True, seed=1)
    second = make_night(players=6, rounds=3, finish=True, seed=2, store=first.store)
    Event.objects.filter(pk=second.event.pk).update(starts_at=second.event.starts_at + timedelta(days=28))
    Player.objects.filter(pk=first.event.entrants.get(number=1).player_id).update(name=LONG)
    return first


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_way_from_the_store_to_a_player_and_a_rival(night, device, open_page: Callable[..., Page]):
    page = open_page(device)
    person = night.event.entrants.get(number=1).player
    rival = record_of(person).opponents[0]
    fleet_admiral = overview_of(night.campaign, night.event.starts_at).leaders[0].name

    page.goto(night.store.get_absolute_url())
    press(page, page.get_by_role("link", name=night.campaign.storyline))
    season = page.get_by_role("region", name="Season so far")
    expect(season.locator(".podium-name")).to_have_text(fleet_admiral)
    fits(page)
    press(page, season.get_by_role("table").get_by_role("link", name=LONG))
    expect(page.get_by_role("heading", level=1)).to_have_text(LONG)
    fits(page)
    press(page, page.get_by_role("region", name="Opponents").get_by_role("link", name=rival.player.name, exact=True))
    expect(page.locator(".duel b")).to_have_text([str(rival.line.won), str(rival.line.lost)])
    fits(page)


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and axe-core finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], page.url
    look_at(page)


@pytest.mark.nightly
def test_an_owner_lets_names_be_shown_short_and_everybody_reads_them_so(night, open_page: Callable[..., Page]):
    visitor, owner = open_page(PHONE), open_page(LAPTOP)
    visitor.goto(f"/e/{night.event.slug}/standings/")
    expect(visitor.get_by_role("link", name=LONG)).to_be_visible()

    owner.goto(f"/sign-in/?next=/s/{night.store.slug}/settings/")
    owner.get_by_label("Name").fill(night.owner.username)
    owner.get_by_label("Password").fill(PASSWORD)
    press(owner, owner.get_by_role("button", name="Sign in"))
    owner.get_by_role("radio", name="First name and initial").check()
    press(owner, owner.get_by_role("button", name="Save"))

    visitor.reload()
    expect(visitor.get_by_role("link", name="Captain R.")).to_be_visible()
    expect(visitor.get_by_text(LONG)).to_have_count(0)
    visitor.goto(f"/e/{night.event.slug}/?q={LONG}")
    expect(visitor.locator("#answer")).to_be_visible()
    owner.goto(f"/e/{night.event.slug}/desk/players/")
    expect(owner.get_by_role("link", name=LONG)).to_be_visible()


@pytest.mark.nightly
def test_all_the_store_has_for_its_owner_is_in_sight_on_a_phone(night, open_page: Callable[..., Page]):
    owner = open_page(PHONE)
    owner.goto(f"/sign-in/?next=/s/{night.store.slug}/")
    owner.get_by_label("Name").fill(night.owner.username)
    owner.get_by_label("Password").fill(PASSWORD)
    press(owner, owner.get_by_role("button", name="Sign in"))

    nav = owner.locator(".app-nav")

    entries = ["Events", "Packs", "Cards", "Rules", "Players", "Staff", "Settings"]
    expect(nav.get_by_role("link")).to_have_text(entries)
    assert nav.evaluate("nav => nav.scrollWidth <= nav.clientWidth")
