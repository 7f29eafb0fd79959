"""The least that must always work: a night without JavaScript, and a night of nervous fingers."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import press
from tests.support.nights import PASSWORD, Night, make_night
from tests.support.tables import names_at
from tourney.models import Entrant, JournalEntry, Round

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_round_is_joined_paired_published_found_and_entered_without_javascript(open_page: Callable[..., Page]):
    night = make_night(players=3)
    desk, phone = open_page(LAPTOP, javascript=False), open_page(PHONE, javascript=False)

    phone.goto(f"/e/{night.event.slug}/join/")
    phone.get_by_label("Your name").fill("Nine of Ten")
    phone.get_by_role("radio", name="Romulan").check()
    press(phone, phone.get_by_role("button", name="Join"))
    press(phone, phone.get_by_role("link", name="Go to the event"))
    expect(phone.locator("#answer")).to_have_text("Registered, not checked in yet")

    sign_in(desk, night, "players/")
    press(desk, desk.get_by_role("button", name="Check in Nine of Ten"))
    press(desk, desk.get_by_role("link", name="Overview", exact=True))
    press(desk, desk.get_by_role("button", name="Pair round 1"))
    press(desk, desk.get_by_role("button", name="Publish round 1"))

    seat = Entrant.objects.get(event=night.event, player__name="Nine of Ten").seats.get()
    table, me = seat.match.table, "ab".index(seat.side)
    names = names_at(night.event, table)
    phone.get_by_label("Find my table").fill("nine")
    press(phone, phone.get_by_role("button", name="Find"))
    expect(phone.locator("#answer")).to_have_text(f"Table {table} against {names[1 - me]}")

    press(desk, desk.get_by_role("link", name=f"Enter result of table {table}"))
    desk.get_by_role("radio", name="Time").check()
    for name, left in zip(names, (35, 50), strict=True):
        desk.get_by_role("group", name="SP left").get_by_label(name).fill(str(left))
    press(desk, desk.get_by_role("button", name="Check the sum"))
    expect(desk.locator("#preview")).to_contain_text(f"{names[1]} wins, 65 Fleet Points to 50.")
    press(desk, desk.get_by_role("button", name="Save result"))
    expect(desk.locator(".messages")).to_contain_text(f"Table {table}: {names[1]} wins, 65 Fleet Points to 50.")

    phone.locator("summary").get_by_text("More").click()
    press(phone, phone.get_by_role("link", name="Overview", exact=True))
    phone.get_by_label("Find my table").fill("nine of ten")
    press(phone, phone.get_by_role("button", name="Find"))
    expect(phone.locator(".answer")).to_contain_text(
        ("1 Battle Point, 50 Fleet Points", "2 Battle Points, 65 Fleet Points")[me]
    )


def test_pressing_twice_and_in_a_second_tab_pairs_one_round_and_publishes_it_once(laptop: Page):
    night = make_night(players=6)
    sign_in(laptop, night)
    again = laptop.context.new_page()
    again.goto(laptop.url)

    laptop.get_by_role("button", name="Pair round 1").dblclick()
    expect(laptop.locator("h1")).to_have_text("Round 1")
    press(again, again.get_by_role("button", name="Pair round 1"))
    expect(again.locator("main")).to_contain_text("Round 1 is already paired.")

    again.goto(laptop.url)
    laptop.get_by_role("button", name="Publish round 1").dblclick()
    expect(laptop.get_by_role("heading", name="Start round 1")).to_be_visible()
    press(again, again.get_by_role("button", name="Publish round 1"))
    expect(again.locator("main")).to_contain_text("Round 1 is already published.")

    assert [(round.number, round.state) for round in Round.objects.all()] == [(1, Round.State.PUBLISHED)]
    assert done(night, "pair_round", "publish_round") == ["pair_round", "publish_round"]


def sign_in(page: Page, night: Night, path: str = "") -> None:
    page.goto(f"/sign-in/?next=/e/{night.event.slug}/desk/{path}")
    page.get_by_label("Sign-in name").fill(night.organizer.username)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, page.get_by_role("button", name="Sign in"))


def done(night: Night, *verbs: str) -> list[str]:
    """Which of these acts the journal has, in order."""
    entries = JournalEntry.objects.filter(event=night.event, did__in=verbs)
    return list(entries.order_by("pk").values_list("did", flat=True))
