"""The Talon power record on a phone: a round played and undone with one thumb, with and without a network."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import PHONE, assert_accessible
from tests.support.nights import BY, make_night, make_store
from tourney.judge.actions import talon_classes
from tourney.models import TalonClass

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/judge/talon-power/"
KEPT = """
async () => {
    while (!await caches.match(location.href, { ignoreVary: true })) await new Promise(done => setTimeout(done, 50));
}
"""
TOUCH = 44  # CSS pixels


def do(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).tap()


def ready(page: Page) -> None:
    """The device answers from now on; before, what is pressed is a link as it is without JavaScript."""
    page.locator("[data-keep]:not([hidden])").wait_for(state="attached")


def moment(page: Page, name: str) -> None:
    expect(page.locator("#moment")).to_have_text(name)


def in_sight(*places: Locator) -> bool:
    """Whether all of it is on the screen as it is scrolled now, above the bar with the next impulse."""
    boxes = [place.bounding_box() for place in places]
    bar = places[0].page.locator(".talon-go")
    bottom = bar.bounding_box()["y"] if bar.is_visible() else PHONE["viewport"]["height"]
    return all(box and box["y"] >= 0 and box["y"] + box["height"] <= bottom for box in boxes)


def choose_class(page: Page) -> None:
    page.get_by_text("shields and more").tap()


def test_a_judge_plays_a_whole_round_with_one_thumb_and_undoes_it(phone: Page):
    phone.goto(PAGE)
    phone.get_by_label("Hull damage", exact=True).select_option("-1")
    expect(phone.get_by_text("3-2-1")).to_be_visible()
    assert phone.url.endswith(f"{PAGE}?speed=3&hull=-1")

    do(phone, "Slow down to speed 2")
    moment(phone, "Impulse A")
    do(phone, "On to impulse B")
    do(phone, "Front")
    expect(phone.get_by_text("1 AP: Front reinforced, marker B.")).to_be_visible()
    assert_accessible(phone)
    do(phone, "On to impulse C")
    do(phone, "Move 1 hex, then impulse D")
    expect(phone.get_by_text("Power 3 allows only 1 reinforcement.").first).to_be_visible()
    do(phone, "Side slip with her next move")
    expect(phone.get_by_text("She has a side slip marker")).to_be_visible()
    for step in ("On to impulse E", "On to impulse F", "Don’t spend: move, then the Power Phase"):
        do(phone, step)
    moment(phone, "Power Phase")
    expect(phone.get_by_text("Terran CA · Round 2")).to_be_visible()
    do(phone, "Keep speed 2")
    do(phone, "On to impulse B")
    expect(phone.get_by_text("In B the reinforcement on Front expires.")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]

    phone.go_back()
    moment(phone, "Impulse A")
    for _ in range(10):
        phone.locator("#undo").tap()
    moment(phone, "Power Phase")
    expect(phone.locator("#undo")).to_be_hidden()
    expect(phone.get_by_label("Hull damage", exact=True)).to_have_value("-1")
    assert phone.url.endswith(f"{PAGE}?speed=3&hull=-1")


@pytest.mark.nightly
def test_the_impulse_and_all_that_a_point_can_be_spent_on_are_in_sight_at_once(phone: Page):
    phone.goto(f"{PAGE}?speed=3&play=v2")

    spends = phone.locator(".talon-spend").all()
    assert len(spends) == 12
    assert in_sight(phone.locator("#moment"), phone.locator(".talon-panel"), *spends)
    for place in [*spends, *phone.locator(".talon-go a").all()]:
        assert place.bounding_box()["height"] >= TOUCH

    phone.get_by_text("Undo all").scroll_into_view_if_needed()
    do(phone, "Don’t spend: on to B")
    moment(phone, "Impulse B")
    assert in_sight(phone.locator(".talon-panel"))


@pytest.mark.nightly
def test_the_speeds_in_reach_are_in_sight_as_the_page_opens(phone: Page):
    phone.goto(PAGE)

    assert in_sight(phone.locator("#moment"), *phone.locator(".talon-speed .button").all())


@pytest.mark.nightly
def test_damage_in_the_round_warns_of_the_break_up_before_it_comes(phone: Page):
    phone.goto(f"{PAGE}?speed=5&play=v5")
    ready(phone)
    do(phone, "Hull damage: take 1 Power")
    place = phone.get_by_role("link", name="Hull damage: take 1 Power").bounding_box()
    for lost in ("−2", "−3"):  # under the same thumb, whatever comes above it
        phone.touchscreen.tap(place["x"] + 22, place["y"] + 22)
        expect(phone.locator(".talon-lost").first).to_have_text(lost)
    expect(phone.locator(".message-warning")).to_have_text(
        "At the next Power Phase: No speed is legal. She breaks apart at the end of the Power Phase."
    )
    do(phone, "Hull damage: give back 1 Power")
    expect(phone.locator(".message-warning")).to_contain_text("She must go to speed 4.")
    assert_accessible(phone)


@pytest.mark.nightly
def test_a_way_back_leads_to_the_moment_before_its_step_and_undo_all_to_the_beginning(phone: Page):
    phone.goto(f"{PAGE}?speed=3&play=v2.w.n.n.s.n")
    do(phone, "Undo to here, step 2: 1 AP: weapon charged.")
    moment(phone, "Impulse A")
    assert phone.url.endswith("?speed=3&play=v2")
    do(phone, "Undo all")
    moment(phone, "Power Phase")
    expect(phone.locator(".talon-ship")).to_have_attribute("open", "")


@pytest.mark.nightly
def test_once_visited_a_round_is_set_played_and_undone_without_a_network(open_page: Callable[..., Page]):
    store, _ = make_store()
    talon_classes.add(store, by=BY, name="Kestrel class", curves="5-1-2 3-2-3 1-3-4")
    page = f"/s/{store.slug}{PAGE}"
    phone = open_page(PHONE, worker=True)
    phone.goto(page)
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.evaluate(KEPT)

    phone.context.set_offline(True)
    phone.goto(f"{page}?speed=3&hull=-1&play=v2.n")
    expect(phone.locator(".network").first).to_contain_text("Not connected. This page is from ")
    moment(phone, "Impulse B")
    do(phone, "Charge a battery if she has an empty one")
    expect(phone.get_by_text("1 AP: battery charged.")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("1 AP: battery charged.")).to_be_visible()
    phone.locator("#undo").tap()
    do(phone, "Undo all")
    choose_class(phone)
    do(phone, "Kestrel class 5-1-2 3-2-3 1-3-4")
    expect(phone.get_by_text("Kestrel class · Round 1")).to_be_visible()
    phone.get_by_label("Criticals", exact=True).select_option("-2")
    do(phone, "Slow down to speed 1")
    assert phone.locator(".talon-curve dd").all_inner_texts() == ["3", "1", "2"]
    assert_accessible(phone)


@pytest.mark.nightly
def test_the_page_works_without_javascript(open_page: Callable[..., Page]):
    page = open_page(PHONE, javascript=False)
    page.goto(PAGE)
    page.get_by_label("Speed now").select_option("5")
    page.get_by_role("button", name="Show record").tap()
    do(page, "Slow down to speed 4")
    moment(page, "Impulse A")
    address = page.url
    page.locator("#undo").tap()
    moment(page, "Power Phase")

    page.goto(address)
    moment(page, "Impulse A")


@pytest.mark.nightly
def test_what_is_wrong_is_said_while_it_stays_in_its_field(phone: Page):
    phone.goto(f"{PAGE}?name=Kestrel+class&curves=4-2")
    expect(phone.locator("#ship .errorlist")).to_have_count(1)
    phone.get_by_label("Power curves").fill("4-2-1 3-2-2")
    expect(phone.get_by_role("alert")).to_contain_text("Speed 2 has two curves. Remove one of them.")
    expect(phone.locator("#ship .errorlist")).to_have_count(0)
    expect(phone.locator("#record")).to_be_hidden()
    assert_accessible(phone)

    phone.get_by_label("Power curves").fill("4-2-1 3-3-2")
    expect(phone.get_by_role("list", name="Speeds in reach")).to_contain_text("3-3-2")
    expect(phone.get_by_text("Kestrel class · Round 1")).to_be_visible()


@pytest.mark.nightly
def test_what_was_looked_up_on_the_chart_holds_for_the_next_class_too(phone: Page):
    phone.goto(f"{PAGE}?speed=5")
    do(phone, "E")
    expect(phone.get_by_text("The row for 5 has one more mark, in D or E; our")).to_be_hidden()
    choose_class(phone)
    do(phone, "Terran CA 4-2-1 3-3-2 2-4-2 1-5-3")

    expect(phone.get_by_label("Fifth mark for 5")).to_have_value("E")
    expect(phone.get_by_label("Speed now")).to_have_value("3")


@pytest.mark.nightly
def test_what_was_typed_before_the_device_could_listen_counts(phone: Page):
    held = []
    phone.route("**/talon-power*.js", lambda route: held.append(route))
    phone.goto(PAGE, wait_until="commit")
    phone.get_by_label("Speed now").select_option("5")
    expect(phone.get_by_role("list", name="Speeds in reach")).to_contain_text("4-2-1")
    for route in held:
        route.continue_()

    expect(phone.get_by_role("list", name="Speeds in reach")).to_contain_text("1-5-3")
    expect(phone).to_have_url(re.compile(r"\?speed=5$"))


@pytest.mark.nightly
def test_arcs_are_named_and_set_before_the_round(phone: Page):
    phone.goto(PAGE)
    choose_class(phone)
    phone.get_by_label("Shield arcs", exact=True).fill("Bow, Stern")
    phone.get_by_label("Bow", exact=True).select_option("down")
    phone.get_by_label("Stern", exact=True).select_option("A")
    do(phone, "Slow down to speed 2")

    expect(phone.get_by_text("In A the reinforcement on Stern expires.")).to_be_visible()
    expect(phone.locator(".talon-spend", has_text="Bow")).to_have_text("Bow This arc is down.")
    expect(phone.get_by_role("link", name="Stern", exact=True)).to_be_visible()


@pytest.mark.nightly
def test_a_class_is_kept_on_the_device_and_forgotten_again(phone: Page):
    phone.goto(PAGE)
    choose_class(phone)
    phone.get_by_label("Ship class", exact=True).fill("Kestrel class")
    phone.get_by_label("Power curves").fill("512 323 134")
    phone.get_by_role("button", name="Save on this device").tap()
    expect(phone.get_by_text("Kestrel class is saved on this device.")).to_be_visible()

    phone.goto(PAGE)
    choose_class(phone)
    do(phone, "Kestrel class 512 323 134")
    expect(phone.get_by_label("Power curves")).to_have_value("512 323 134")
    expect(phone.get_by_text("3-2-3")).to_be_visible()
    choose_class(phone)
    assert_accessible(phone)

    phone.get_by_role("button", name="Remove Kestrel class").tap()
    expect(phone.get_by_role("link", name="Kestrel class 512 323 134")).to_have_count(0)


@pytest.mark.nightly
def test_a_judge_saves_a_class_for_the_store_and_a_player_chooses_it(
    open_page: Callable[..., Page], server: str, phone: Page
):
    night = make_night(players=2)
    page = f"/s/{night.store.slug}{PAGE}"
    judge = sign_in(open_page(PHONE), night, night.judge, server)
    judge.goto(page)
    choose_class(judge)
    judge.get_by_label("Ship class", exact=True).fill("Kestrel class")
    judge.get_by_label("Power curves").fill("512 323 134")
    do(judge, f"Save for {night.store.name}")
    expect(judge.get_by_label("Power curves")).to_have_value("512 323 134")
    assert_accessible(judge)
    judge.get_by_role("button", name=f"Save for {night.store.name}").tap()
    expect(judge.get_by_text(f"Kestrel class is saved. Everyone at {night.store.name} can choose it.")).to_be_visible()
    assert TalonClass.objects.values_list("name", "curves", "saved_by").get() == (
        *("Kestrel class", "5-1-2 3-2-3 1-3-4"),
        night.judge.username,
    )

    phone.goto(f"/e/{night.event.slug}/")
    do(phone, "Rules")
    phone.get_by_role("listitem").get_by_role("link", name="Talon power record").tap()
    choose_class(phone)
    do(phone, "Kestrel class 5-1-2 3-2-3 1-3-4")
    expect(phone.get_by_text("Kestrel class · Round 1")).to_be_visible()
    expect(phone.get_by_role("banner")).to_contain_text(night.store.name)


@pytest.mark.nightly
@pytest.mark.many(each=["dark"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("query", ["", "?speed=5&hull=-2", "?speed=3&arc2=down&play=v2.r1.n.n", "?curves=4"])
def test_the_page_is_accessible_by_day_and_by_night(open_page: Callable[..., Page], query, dark):
    page = open_page(PHONE, dark=dark)
    page.goto(f"{PAGE}{query}")

    assert_accessible(page)
