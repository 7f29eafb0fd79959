"""One story: an event is planned, a player joins, another waits and moves up, it is canceled, the next is planned."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import make_night
from tourney.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


def plan_next(desk: Page, store: str, campaign: str) -> Event:
    """The next month of the campaign, as it is proposed."""
    desk.goto(f"/s/{store}/campaigns/{campaign}/new-event/")
    desk.get_by_label("SP limit", exact=True).fill("100")
    press(desk, desk.get_by_role("button", name="Schedule event"))
    return Event.objects.latest("pk")


def join(phone: Page, event: Event, name: str, link: str) -> None:
    phone.goto(f"/e/{event.slug}/")
    press(phone, phone.get_by_role("link", name=link))
    phone.get_by_label("Name").fill(name)
    phone.get_by_role("radio", name="Klingon").check()
    press(phone, phone.get_by_role("button", name="Join event"))


def test_planned_joined_waited_moved_up_canceled_and_planned_again(open_page: Callable[..., Page], server: str):
    night = make_night(players=4, rounds=3, finish=True, pack="dominion-war-5")
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)

    # Plan: the next month, with one place
    event = plan_next(desk, night.store.slug, night.campaign.slug)
    desk.goto(f"/e/{event.slug}/desk/settings/")
    desk.get_by_text("Places and check-in").click()
    desk.get_by_label("Places").fill("1")
    assert_accessible(desk)
    press(desk, desk.get_by_role("button", name="Save settings"))
    expect(desk.locator(".messages")).to_contain_text("Settings saved.")

    # Join: the first has the place. Wait: the second is number 1
    first, second = open_page(PHONE), open_page(PHONE)
    join(first, event, "Quark of Ferenginar", "Join this event")
    join(second, event, "Rom of Ferenginar", "Join the waiting list")
    expect(second.get_by_text("You’re number 1 on the waiting list.")).to_be_visible()
    second.goto(f"/e/{event.slug}/me/")
    expect(second.get_by_role("heading", name="You’re number 1 on the waiting list")).to_be_visible()
    assert_accessible(second)
    desk.goto(f"/e/{event.slug}/desk/players/?sort=order")
    expect(desk.get_by_text("1 player on the waiting list for one place")).to_be_visible()
    expect(desk.locator("#list .rows .row").first).to_contain_text("Quark of Ferenginar")

    # Move up: the place is given back on one phone and arrives on the other, and at the desk
    first.goto(f"/e/{event.slug}/me/")
    first.get_by_text("I can’t make it").click()
    press(first, first.get_by_role("button", name="Withdraw from event"))
    expect(second.get_by_role("heading", name="You’re number 1 on the waiting list")).to_be_hidden()
    expect(desk.get_by_text("1 player on the waiting list for one place")).to_be_hidden()
    assert [entrant.player.name for entrant in event.entrants.all()] == ["Rom of Ferenginar"]

    # Cancel: the card and the public page say so
    desk.goto(f"/e/{event.slug}/desk/plans/")
    desk.get_by_label("Type “cancel”").fill("cancel")
    press(desk, desk.get_by_role("button", name="Cancel event"))
    expect(second.get_by_text("This event is canceled.")).to_be_visible()
    first.goto(f"/e/{event.slug}/")
    expect(first.get_by_text("This event is canceled.").first).to_be_visible()
    expect(first.get_by_role("link", name="Join this event")).to_have_count(0)

    # Next month: planned again, with those who played last
    again = plan_next(desk, night.store.slug, night.campaign.slug)
    assert again.pk != event.pk
    name = night.event.entrants.first().player.name
    desk.get_by_role("checkbox", name=name, exact=True).check()
    press(desk, desk.get_by_role("button", name="Register ticked players"))
    expect(desk.locator(".messages")).to_contain_text(f"{name} is registered.")
    second.goto(f"/s/{night.store.slug}/")
    expect(second.get_by_role("link", name=again.name).first).to_be_visible()
    assert_accessible(second)
