"""Whoever hears a page is told of every field and button whose it is and what it is for; others see it beside it."""

from collections import Counter
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.every_page import FOR_A_PLAYER, make_places
from tourney import access
from tourney.models import Store, User

pytestmark = pytest.mark.django_db(transaction=True)

FIELDS = {"combobox", "textbox", "searchbox", "spinbutton", "checkbox", "button", "DisclosureTriangle"}
PAGES = (
    "/e/{tonight}/desk/",
    "/e/{tonight}/desk/players/",
    "/e/{tonight}/desk/rounds/2/",
    "/e/{tonight}/desk/rounds/2/results/",
    "/e/{tonight}/desk/rounds/2/tables/1/",
    "/e/{tonight}/desk/rounds/2/tables/4/",
    "/e/{tonight}/desk/rounds/2/close/",
    "/e/{tonight}/desk/finish/",
    "/e/{tied}/desk/rounds/1/roll-off/standing/{winners}/",
    "/e/{drafted}/desk/rounds/2/",
    "/e/{over}/desk/awards/",
    "/e/{over}/standings/",
)
FOR_A_STRANGER = (
    "/",
    "/offline/",
    "/card/{card}/",
    "/s/{store}/",
    "/s/{store}/judge/",
    "/s/{store}/judge/rulings/?q=mines",
    "/e/{empty}/",
    "/e/{empty}/join/",
    "/e/{tonight}/",
    "/e/{tonight}/?q=Kestrel",
    "/e/{tonight}/me/",
    "/e/{tonight}/rounds/2/",
    "/e/{tonight}/standings/",
    "/e/{over}/",
    "/e/{over}/roll-offs/",
    "/e/{over}/wall/",
    "/e/{over}/share/",
)


@pytest.fixture
def places() -> dict[str, str]:
    return make_places()


@pytest.fixture
def owner(open_page: Callable[..., Page], places, server: str) -> Page:
    """The desk's laptop."""
    client, name = Client(), settings.SESSION_COOKIE_NAME
    client.force_login(User.objects.get(username=f"owner@{places['store']}"))
    page = open_page(LAPTOP)
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
    return page


def heard(page: Page) -> list[tuple[str, str]]:
    """(role, name) of every field and button, as a screen reader is told them."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = ((node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"])
    return [(role, name) for role, name in named if role in FIELDS]


def test_every_field_and_button_of_the_desk_has_a_name_of_its_own(owner, places):
    alike = {}
    for path in PAGES:
        owner.goto(path.format(**places))
        counted = Counter(heard(owner))
        if wrong := [one for one, times in counted.items() if times > 1 or not one[1].strip()]:
            alike[path] = wrong

    assert alike == {}


def test_the_answers_of_a_row_of_results_show_what_was_asked(owner, places):
    owner.goto("/e/{tonight}/desk/rounds/2/results/".format(**places))
    row = owner.locator("#row-2")

    ending, out = row.locator(".entry-how select").all()[:2]
    expect(ending).to_have_accessible_name("How it ended at table 2")
    expect(out).to_have_accessible_name("Which player at table 2?")
    expect(row.get_by_text("How it ended", exact=True).first).to_be_visible()
    expect(row.get_by_text("Which player?", exact=True).first).to_be_visible()


def test_a_roll_off_asks_each_player_for_battle_stations(owner, places):
    owner.goto("/e/{tied}/desk/rounds/1/roll-off/standing/{winners}/".format(**places))

    expect(owner.locator("#dice .number").first).to_have_accessible_name("Vor: Battle Stations")


RANKS = {
    "/e/{over}/desk/awards/": ".rank",
    "/e/{over}/wall/": ".wall-rank",
    "/e/{over}/standings/": ".rank",
    "/e/{tonight}/desk/finish/": ".rank",
    "/s/{store}/campaigns/{campaign}/": ".month-ranks .rank",
}


def test_a_rank_is_heard_as_one(owner, places):
    for path, rank in RANKS.items():
        owner.goto(path.format(**places))

        texts = [" ".join(text.split()) for text in owner.locator(rank).all_text_contents()]
        assert texts, path
        assert [text for text in texts if not text.replace("=", "").startswith("Rank ")] == [], path


POINTS = {
    "/e/{tonight}/desk/": "Numbers: Battle Points · Fleet Points",
    "/e/{tonight}/rounds/1/": "Numbers: Battle Points · Fleet Points",
    "/e/{over}/wall/": "Battle and Fleet Points",
    "/e/{tied}/wall/?show=clock": "Battle and Fleet Points",
}


def test_points_stand_under_what_they_are(owner, places):
    owner.set_viewport_size({"width": 1920, "height": 1080})
    for path, said in POINTS.items():
        owner.goto(path.format(**places))
        expect(owner.get_by_text(said, exact=True).first).to_be_visible()


def test_a_round_without_results_explains_no_points(owner, places):
    owner.goto("/e/{drafted}/desk/rounds/1/".format(**places))
    expect(owner.locator(".points-key")).to_be_visible()
    owner.locator(".side-points").evaluate_all("points => points.forEach(one => one.remove())")

    expect(owner.locator(".points-key")).to_be_hidden()


NAMED = FIELDS | {"link", "radio", "switch", "image", "navigation", "region", "dialog", "meter", "progressbar"}
"""Roles that say nothing without a name."""
SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}


@pytest.mark.parametrize("paths", [FOR_A_PLAYER, FOR_A_STRANGER], ids=["a player", "a stranger"])
def test_nothing_on_a_page_of_players_is_without_a_name(open_page: Callable[..., Page], places, server: str, paths):
    phone, unnamed = open_page(SMALL), {}
    if paths is FOR_A_PLAYER:
        card = access.card_cookie(Store.objects.get(slug=places["store"]))
        phone.context.add_cookies([{"name": card, "value": places["card"], "url": server}])
    for path in paths:
        phone.goto(path.format(**places))
        every_fold = "folds => folds.forEach(one => one.open = true)"
        phone.locator("details").evaluate_all(every_fold)
        nodes = phone.context.new_cdp_session(phone).send("Accessibility.getFullAXTree")["nodes"]
        told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
        assert ("link", "Skip to content") in told
        if wrong := [role for role, name in told if role in NAMED and not name.strip()]:
            unnamed[path] = wrong

    assert unnamed == {}
