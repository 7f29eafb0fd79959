"""Fleets at the table in a browser: two phones sign, a judge is called, and the desk sees it (rule 7.2)."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.built_fleets import bring_all
from tests.support.clicking import press
from tests.support.nights import BY, Night, make_night, now
from tourney import access
from tourney.actions import judge_calls, player_cards
from tourney.models import Entrant, Event, SheetCheck, User
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}


@pytest.fixture
def night() -> Night:
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    return night


def seated(night: Night) -> tuple[Entrant, ...]:
    return state_of(night.event).last_round.match_at(1).entrants


def give_card(page: Page, entrant: Entrant, server: str) -> Page:
    """The page of that player's phone, which has shown a form before: it has the cookie of forms."""
    key = player_cards.issue(entrant.player, by=BY)
    cookies = {access.card_cookie(entrant.player.store): key, settings.CSRF_COOKIE_NAME: "t" * 32}
    page.context.add_cookies([{"name": name, "value": value, "url": server} for name, value in cookies.items()])
    page.goto(f"/e/{entrant.event.slug}/me/")
    return page


def sign_in(page: Page, night: Night, user: User, server: str) -> Page:
    """The desk of that user."""
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(user)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
    page.goto(f"/e/{night.event.slug}/desk/")
    return page


def test_both_players_sign_on_their_phones_and_the_desk_sees_it(night, open_page: Callable[..., Page], server: str):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    phones = [give_card(open_page(PHONE), entrant, server) for entrant in seated(night)]
    first_table = desk.locator(".pairing").first

    for phone, other in zip(phones, reversed(seated(night)), strict=True):
        expect(phone.get_by_role("heading", name=f"Table 1 against {other}")).to_be_in_viewport()
        check = phone.get_by_role("link", name="Check and sign")
        expect(check).to_be_in_viewport()
        press(phone, check)
        expect(phone.get_by_role("heading", name=f"{other}’s fleet")).to_be_visible()
        expect(phone.get_by_role("radio")).to_have_count(0)
        press(phone, phone.get_by_role("button", name="It matches: sign the fleet"))
        expect(phone.locator(".messages")).to_have_text(f"You signed {other}’s fleet.")

    expect(first_table).to_contain_text("Fleets signed")
    expect(phones[0].locator(".my-fleets")).to_contain_text(f"{seated(night)[1]} has signed it.")
    assert_accessible(phones[0])


@pytest.mark.nightly
def test_a_player_marks_a_line_and_the_call_comes_to_the_desk_which_settles_it(
    night, open_page: Callable[..., Page], server: str
):
    me, other = seated(night)
    desk = sign_in(open_page(LAPTOP), night, night.judge, server)
    phone = give_card(open_page(PHONE), me, server)
    press(phone, phone.get_by_role("link", name="Check and sign"))

    phone.get_by_text("Something doesn’t match").click()
    phone.get_by_role("row", name="Darts").click()
    expect(phone.get_by_role("radio", name="Darts doesn’t match")).to_be_checked()
    assert_accessible(phone)
    phone.get_by_label("What doesn’t match?").fill("Only four are here")
    with phone.expect_event("load"):
        phone.keyboard.press("Enter")

    expect(phone.locator(".my-fleets")).to_contain_text("You called a judge about Darts.")
    call = desk.get_by_role("link", name=f"Table 1: {me} calls a judge about {other}’s fleet, Darts")
    expect(call).to_be_visible()
    press(desk, call)
    desk.get_by_label("Decision").fill("Four is right")
    press(desk, desk.get_by_role("button", name=f"Resolve and sign for {me}"))

    expect(desk.locator(".messages")).to_have_text(f"Resolved and signed for {me}.")
    expect(phone.locator(".my-fleets")).to_contain_text("by the judge: Four is right")


@pytest.mark.nightly
def test_a_judge_is_called_for_a_rule_without_javascript(night, open_page: Callable[..., Page], server: str):
    me, _ = seated(night)
    phone = give_card(open_page(PHONE, javascript=False), me, server)

    phone.locator("#call-judge > summary").click()
    phone.get_by_label("Note for the judge").fill("Does it stack?")
    press(phone, phone.get_by_role("button", name="Call a judge"))

    expect(phone.locator("#my-call")).to_contain_text("You called a judge. Rules question: Does it stack?")


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("device", [PHONE, SMALL], ids=["390", "360"])
def test_a_judge_is_called_in_three_taps_and_the_phone_hears_that_one_is_coming(
    night, device, dark, open_page: Callable[..., Page], server: str
):
    me, _ = seated(night)
    desk = sign_in(open_page(LAPTOP, dark=dark), night, night.judge, server)
    tools = sign_in(open_page(LAPTOP, dark=dark), night, night.judge, server)
    Event.objects.update(starts_at=timezone.now())
    tools.goto(f"/s/{night.store.slug}/judge/")
    phone = give_card(open_page(device, dark=dark), me, server)

    phone.locator("#call-judge > summary").click()
    phone.get_by_role("radio", name="Behavior").check()
    phone.get_by_label("Note for the judge").fill("They take my dice")
    assert_accessible(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press(phone, phone.get_by_role("button", name="Call a judge"))
    expect(phone.locator("#my-call")).to_contain_text("You called a judge. Behavior: They take my dice")
    assert_accessible(phone)

    for staff in (desk, tools):
        expect(staff.locator(".judge-case")).to_contain_text(f"Table 1: {me} calls a judge: Behavior")
        expect(staff.locator(".judge-case")).to_contain_text("They take my dice")
        expect(staff.locator(".button-primary, .button-signal")).to_have_text(f"Send a judge to {me}")
        assert_accessible(staff)
    expect(desk).to_have_title(re.compile(f"^● Table 1: {me} calls a judge: Behavior"))
    desk.locator("h1").click()
    expect(desk).not_to_have_title(re.compile("●"))
    colors = "one => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]"
    ink, ground = desk.locator("#next-action").evaluate(colors)
    assert ink != ground
    press(tools, tools.get_by_role("button", name=f"Send a judge to {me}"))
    expect(tools.locator(".messages")).to_have_text(f"{me} sees that a judge is coming.")
    expect(phone.locator("#my-call")).to_contain_text("A judge is coming.")
    assert_accessible(phone)
    expect(desk.locator(".judge-case")).to_contain_text("A judge is coming.")
    press(phone, phone.get_by_role("button", name="Solved: no judge needed"))

    expect(phone.locator("#call-judge > summary")).to_be_visible()
    expect(desk.locator(".judge-case")).to_have_count(0)
    expect(tools.locator("#cases")).to_contain_text("No one is waiting for a judge.")


def test_the_part_that_brings_a_call_never_shows_two_primary_actions(night, laptop: Page, server: str):
    """htmx would give what has an id its old classes first: the press of before beside that of the call."""
    me, _ = seated(night)
    Event.objects.update(starts_at=timezone.now())
    desk = sign_in(laptop, night, night.judge, server)
    desk.evaluate("""() => {
      window.loud = [];
      const count = () => document.querySelectorAll("#now :is(.button-primary, .button-signal)").length;
      document.addEventListener("htmx:afterSwap", () => window.loud.push(count()));
    }""")

    judge_calls.call(night.event, me.number, "behavior", by=now())
    expect(desk.locator("#now .judge-case")).to_have_count(1)
    desk.wait_for_function("window.loud.length")

    assert {*desk.evaluate("window.loud")} == {1}


@pytest.mark.nightly
def test_a_judge_is_called_without_javascript(night, open_page: Callable[..., Page], server: str):
    me, _ = seated(night)
    phone = give_card(open_page(PHONE, javascript=False), me, server)
    press(phone, phone.get_by_role("link", name="Check and sign"))

    phone.get_by_text("Something doesn’t match").click()
    phone.get_by_role("radio", name="Darts doesn’t match").check()
    press(phone, phone.get_by_role("button", name="Call a judge"))

    expect(phone.locator(".my-fleets")).to_contain_text("You called a judge about Darts.")


@pytest.mark.nightly
def test_one_key_per_table_signs_on_paper(night, laptop: Page, server: str):
    sign_in(laptop, night, night.organizer, server)

    laptop.get_by_role("link", name="Enter result of table 1").focus()
    with laptop.expect_event("load"):
        laptop.keyboard.press("s")
    expect(laptop.locator(".pairing").first).to_contain_text("Fleets signed")
    expect(laptop.get_by_role("link", name="Enter result of table 2")).to_be_focused()
    with laptop.expect_event("load"):
        laptop.keyboard.press("S")

    expect(laptop.get_by_text("All fleets are signed.")).to_be_visible()
    assert SheetCheck.objects.filter(state="signed", on_paper=True).count() == 4


def test_what_is_offered_of_a_fleet_ends_where_its_row_does(night, phone: Page, server: str):
    phone = give_card(phone, seated(night)[0], server)
    ends = """links => links.map(link => {
        const text = document.createRange();
        text.selectNodeContents(link);
        const row = link.closest(".row");
        const end = row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingRight);
        return Math.round(end - text.getBoundingClientRect().right);
    })"""
    offered = phone.locator(".my-fleets .button-quiet")

    expect(offered.last).to_be_visible()
    assert set(offered.evaluate_all(ends)) == {0}
