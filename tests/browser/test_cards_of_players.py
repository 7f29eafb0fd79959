"""Cards of players in a browser: issued and re-issued at the desk, a friend's, forged keys, a notice, forget me."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import look_at, press
from tests.support.nights import BY, Night, make_night
from tourney import access
from tourney.actions import player_cards, rounds
from tourney.models import Entrant
from tourney.queries.state import state_of
from tourney.views.throttle import MOST_KEYS

pytestmark = pytest.mark.django_db(transaction=True)


def desk_of(page: Page, night: Night, server: str) -> Page:
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(night.organizer)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
    return page


def give_card(page: Page, entrant: Entrant, server: str) -> Page:
    key = player_cards.issue(entrant.player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(entrant.player.store), "value": key, "url": server}])
    return page


def link_on(page: Page) -> str:
    return page.locator("[data-copy]").get_attribute("data-copy")


def take_card(page: Page, link: str, name: str) -> None:
    """Scan the code, and press the button."""
    page.goto(link)
    press(page, page.get_by_role("button", name=f"Use {name}’s card"))


def test_a_card_is_issued_in_two_taps_and_the_link_before_is_dead_at_once(open_page: Callable[..., Page], server: str):
    night = make_night(players=4, open_round=True)
    name = str(night.event.entrants.get(number=1))
    desk, old, new = desk_of(open_page(LAPTOP), night, server), open_page(PHONE), open_page(PHONE)
    links = []

    for button, phone in ("Issue card", old), ("Issue new card", new):
        desk.goto(f"/e/{night.event.slug}/desk/players/1/")
        press(desk, desk.get_by_role("link", name="Player card"))
        press(desk, desk.get_by_role("button", name=button))
        look_at(desk)
        links.append(link_on(desk))
        take_card(phone, links[-1], name)
        expect(phone.get_by_role("heading", name=name)).to_be_visible()
        assert "/card/" not in phone.url

    assert old.goto(links[0]).status == 404
    old.goto(f"/s/{night.store.slug}/me/")
    expect(old.get_by_role("heading", name="No player card on this phone yet")).to_be_visible()
    new.reload()
    expect(new.get_by_role("heading", name=name)).to_be_visible()


@pytest.mark.nightly
def test_on_paper_the_card_is_small_and_alone(open_page: Callable[..., Page], server: str):
    night = make_night(players=4)
    desk = desk_of(open_page(LAPTOP), night, server)
    desk.goto(f"/e/{night.event.slug}/desk/players/1/card/")
    press(desk, desk.get_by_role("button", name="Issue card"))

    desk.emulate_media(media="print")

    card = desk.locator(".player-card").bounding_box()
    millimetre = 96 / 25.4
    assert (round(card["width"] / millimetre), card["height"] / millimetre < 100) == (97, True)
    for unwanted in ("h1", ".tabs", "[data-copy]", ".app-header"):
        expect(desk.locator(unwanted)).not_to_be_visible()
    expect(desk.locator(".player-card .qr svg")).to_be_visible()


@pytest.mark.nightly
def test_a_friends_card_moves_on_to_the_friends_phone(open_page: Callable[..., Page]):
    night = make_night(players=0)
    mine, friends = open_page(PHONE), open_page(PHONE)
    for name in ("Vor", "Kestrel"):
        mine.goto(f"/e/{night.event.slug}/join/")
        mine.get_by_label("Your name").fill(name)
        mine.get_by_role("radio", name="Klingon").check()
        press(mine, mine.get_by_role("button", name="Join"))
    expect(mine.get_by_role("heading", name="Kestrel’s card")).to_be_visible()
    look_at(mine)

    friends.goto(link_on(mine))
    look_at(friends)
    press(friends, friends.get_by_role("button", name="Use Kestrel’s card"))

    expect(friends.get_by_role("heading", name="Kestrel")).to_be_visible()
    mine.reload()
    expect(mine.locator(".qr")).to_have_count(0)


@pytest.mark.nightly
def test_forged_keys_are_not_found_and_then_not_answered(phone: Page):
    statuses = [phone.goto(f"/card/forged-{number}/").status for number in range(MOST_KEYS + 1)]

    assert statuses == [404] * MOST_KEYS + [429]
    expect(phone.get_by_role("heading", name="This link doesn’t work")).to_be_visible()
    look_at(phone)


@pytest.mark.nightly
def test_a_phone_shows_its_code_and_another_becomes_the_players_too(open_page: Callable[..., Page], server: str):
    night = make_night(players=2)
    first, second = give_card(open_page(PHONE), night.event.entrants.get(number=1), server), open_page(PHONE)
    first.goto(f"/s/{night.store.slug}/me/")

    press(first, first.get_by_role("button", name="Show my code"))
    look_at(first)
    take_card(second, link_on(first), str(night.event.entrants.get(number=1)))

    expect(second.get_by_role("heading", name=str(night.event.entrants.get(number=1)))).to_be_visible()


@pytest.mark.nightly
def test_somebody_is_forgotten_by_the_own_phone(open_page: Callable[..., Page], server: str):
    night = make_night(players=4, rounds=3, finish=True)
    player = night.event.entrants.get(number=1).player
    phone = give_card(open_page(PHONE), night.event.entrants.get(number=1), server)
    phone.goto(f"/s/{night.store.slug}/me/")
    press(phone, phone.get_by_role("link", name="Erase my data"))
    look_at(phone)

    phone.get_by_label("The name, once more").fill("somebody else")
    press(phone, phone.get_by_role("button", name=f"Erase {player}’s personal data"))
    expect(phone.get_by_role("alert")).to_contain_text(f"That’s not the name. Type {player}.")
    phone.get_by_label("The name, once more").fill(player.name)
    press(phone, phone.get_by_role("button", name=f"Erase {player}’s personal data"))

    expect(phone.locator(".messages")).to_contain_text(re.compile("Your data is erased. .*“Player [2-9A-Z]{2}”."))
    phone.goto(f"/e/{night.event.slug}/standings/")
    expect(phone.get_by_role("main")).to_contain_text(re.compile("Player [2-9A-Z]{2}"))
    expect(phone.get_by_role("main")).not_to_contain_text(player.name)
    phone.goto(f"/s/{night.store.slug}/me/")
    expect(phone.get_by_role("heading", name="No player card on this phone yet")).to_be_visible()


@pytest.mark.nightly
def test_a_phone_that_was_asked_to_tells_when_something_changes(open_page: Callable[..., Page], server: str):
    night = make_night(players=4)
    asked, silent = (give_card(open_page(PHONE), night.event.entrants.get(number=n), server) for n in (1, 2))
    for phone in (asked, silent):
        phone.goto(f"/e/{night.event.slug}/me/")
    toggle = asked.get_by_label("Play a sound and vibrate when something changes for me")
    expect(toggle).not_to_be_checked()
    toggle.check()
    assert_accessible(asked)
    asked.reload()
    expect(toggle).to_be_checked()
    before = silent.title()

    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    table = state_of(night.event).last_round.match_of(1).table
    expect(asked).to_have_title(f"● Table {table}")
    expect(silent.locator("#card")).to_have_attribute("data-news", re.compile("Table"))
    assert silent.title() == before
    asked.locator("h1").tap()
    expect(asked).to_have_title(before)
