"""A player's page at the desk in a browser: everything is in sight, and a faction is one press."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import BY, Night, make_night
from tourney.actions import entrants
from tourney.models import Entrant

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    """Four players who are checked in, and one who has just come, without a faction."""
    night = make_night(players=4)
    entrants.register(night.event, [("Zephyr", "")], by=BY)
    return night


def go_to(page: Page, night: Night, server: str, number: int = 5) -> Page:
    sign_in(page, night, night.organizer, server)
    page.goto(f"/e/{night.event.slug}/desk/players/{number}/")
    return page


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_press_on_the_faction_saves_it(night, device, dark, open_page: Callable[..., Page], server: str):
    desk = go_to(open_page(device, dark=dark), night, server)
    factions = desk.get_by_role("group", name="Faction")
    expect(factions.get_by_role("button", name="Klingon")).to_be_in_viewport()
    assert_accessible(desk)

    press(desk, factions.get_by_role("button", name="Klingon"))

    expect(desk.get_by_role("status").filter(has_text="Zephyr’s faction is saved.")).to_be_visible()
    expect(factions.get_by_role("button", name="Klingon", pressed=True)).to_be_visible()
    assert Entrant.objects.get(number=5, event=night.event).faction == "Klingon"


def test_a_press_on_the_faction_saves_it_without_a_script(night, open_page: Callable[..., Page], server: str):
    desk = go_to(open_page(LAPTOP, javascript=False), night, server)

    press(desk, desk.get_by_role("group", name="Faction").get_by_role("button", name="Klingon"))

    assert Entrant.objects.get(number=5, event=night.event).faction == "Klingon"


def test_after_round_1_the_reason_is_typed_first_and_enter_changes_no_faction(
    open_page: Callable[..., Page], server: str
):
    night = make_night(players=4, open_round=True)
    declared = Entrant.objects.get(number=1, event=night.event).faction
    desk = go_to(open_page(LAPTOP), night, server, 1)
    reason = desk.get_by_role("form", name="Faction").get_by_label("Reason")

    reason.fill("wrong line")
    with desk.expect_event("load"):
        reason.press("Enter")
    unchanged = Entrant.objects.get(number=1, event=night.event).faction
    reason.fill("wrong line")
    press(desk, desk.get_by_role("group", name="Faction").get_by_role("button", name="Dominion"))

    assert (unchanged, Entrant.objects.get(number=1, event=night.event).faction) == (declared, "Dominion")


@pytest.mark.parametrize("open_round", [False, True], ids=["before", "in play"])
def test_on_a_laptop_the_columns_are_filled_side_by_side(open_round, open_page: Callable[..., Page], server: str):
    """Faction, fleet, card, late arrivals and needs begin in the first screen; neither column ends long before."""
    night = make_night(players=4, open_round=open_round)
    desk = go_to(open_page(LAPTOP), night, server, 1)

    for name in ("Faction", "Fleet and card", "Late arrivals & drops", "Table needs"):
        expect(desk.get_by_role("heading", name=name)).to_be_in_viewport()
    ends = desk.locator(".columns > .stack > :last-child").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    assert abs(ends[0] - ends[1]) < 300


@pytest.mark.parametrize(
    "facts",
    [{"rounds": 2, "open_round": True}, {"rounds": 3, "finish": True}],
    ids=["after two rounds", "finished"],
)
def test_with_rounds_behind_it_both_columns_of_a_players_page_are_filled(facts, open_page, server: str):
    night = make_night(players=4, **facts)
    desk = go_to(open_page(LAPTOP), night, server, 1)

    left, right = (desk.locator(".columns > .stack").nth(column).get_by_role("heading", level=2) for column in (0, 1))
    expect(left.filter(has_text="Rounds")).to_be_visible()
    expect(right.filter(has_text="Table needs")).to_be_in_viewport()
    ends = desk.locator(".columns > .stack > :last-child").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    assert abs(ends[0] - ends[1]) < 300
