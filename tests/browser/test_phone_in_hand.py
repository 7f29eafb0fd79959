"""The pages of an event in one hand: a line on top, a bar under the thumb, and on the first screen what to do."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_at_the_table import give_card
from tests.browser.test_narrow_phones import LETTERS
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.built_fleets import bring_all
from tests.support.clicking import press
from tests.support.copied import copied
from tests.support.every_page import FOR_A_PLAYER, make_places
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter, match_at, night_with_ties, on_time
from tourney import access
from tourney.actions import entrants, fleets, reports, rounds, sign_off
from tourney.models import Entrant, Event, Store
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2}
ON_ITS_SIDE = SMALL | {"viewport": {"width": 640, "height": 360}}
PAGES = ("me/", "", "rounds/2/", "standings/", "rounds/2/report/", "rounds/2/fleets/{other}/", "fleets/{other}/")


@copied
def in_round_2() -> Night:
    """Eight players with fleets, in the second of three rounds."""
    night = make_night(players=8, rounds=1, open_round=True)
    bring_all(night.event)
    return night


def at_table(night: Night, table: int = 1) -> tuple[Entrant, Entrant]:
    return match_at(night.event, table, state_of(night.event).last_round.number).entrants


def bar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Main menu")


def box(element: Locator) -> dict[str, float]:
    found = element.bounding_box()
    return found | {"bottom": found["y"] + found["height"], "right": found["x"] + found["width"]}


def assert_on_first_screen(page: Page, *elements: Locator) -> None:
    """Whole, below the line on top and above the bar, without scrolling."""
    assert page.evaluate("scrollY") == 0
    least, most = box(page.locator(".app-header"))["bottom"], box(bar(page))["y"]
    for one in elements:
        expect(one).to_be_visible()
        assert least <= box(one)["y"] < box(one)["bottom"] <= most, one


# the line and the bar


def test_a_player_has_a_line_of_48_pixels_on_top_and_a_bar_of_four_below(open_page: Callable[..., Page], server: str):
    night = in_round_2()
    me, other = at_table(night)
    phone = give_card(open_page(SMALL), me, server)
    seen = {}
    for path in PAGES:
        phone.goto(f"/e/{night.event.slug}/{path.format(other=other.number)}")
        items = bar(phone).locator(":is(a, summary):visible")
        marked = bar(phone).locator("a[aria-current='page']:visible").all_inner_texts()
        seen[path] = [one.strip() for one in marked]

        assert [one.strip() for one in items.all_inner_texts()] == ["My table", "Pairings", "Standings", "More"]
        assert box(phone.locator(".app-header"))["height"] <= 48
        assert box(bar(phone))["bottom"] == 640
        assert all(box(one)["height"] >= 56 and box(one)["width"] >= 80 for one in items.all())
    at_my_table = {path: ["My table"] for path in (PAGES[0], *PAGES[4:])}
    assert seen == at_my_table | {"": [], "rounds/2/": ["Pairings"], "standings/": ["Standings"]}
    assert_accessible(phone)


COVERED = """bar => {
  const covered = [];
  for (const one of document.querySelectorAll("main :is(input, select, textarea, a, button, summary)")) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest("[class*=visually-hidden]")) continue;
    one.focus();
    const { top, bottom, height } = one.getBoundingClientRect();
    if (document.activeElement === one && height < 400 && (bottom > bar || top < 0)) covered.push(one.outerHTML);
  }
  return covered;
}"""


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    "path", ["me/", "fleets/", "fleets/{fleet}/", "judge/", "judge/rulings/", "judge/dice/", "judge/scenarios/"]
)
def test_a_players_pages_at_the_store_have_the_same_bar_and_nothing_under_it(
    path: str, dark: bool, open_page: Callable[..., Page], server: str
):
    night = in_round_2()
    Event.objects.filter(pk=night.event.pk).update(starts_at=timezone.now())
    me, _ = at_table(night)
    fleet = fleets.make_fleet(me.player, "Spare", by=BY)
    phone = give_card(open_page(SMALL, dark=dark), me, server)

    phone.goto(f"/s/{night.store.slug}/{path.format(fleet=fleet.pk)}")

    items = bar(phone).locator(":is(a, summary):visible")
    assert [one.strip() for one in items.all_inner_texts()] == ["My table", "Pairings", "Standings", "More"]
    assert box(phone.locator(".app-header"))["height"] <= 48
    assert box(bar(phone))["bottom"] == 640
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    head = phone.locator(".page-header, .judge-header").filter(has=phone.locator("h1")).first
    below = head.locator("xpath=following-sibling::*[not(self::script)][1]")
    assert box(below)["y"] - box(head)["bottom"] >= 8
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.outerHTML)"
    assert phone.locator("main .button:visible").evaluate_all(cut) == []
    assert phone.evaluate(COVERED, box(bar(phone))["y"]) == []
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert box(phone.locator(".app-footer"))["bottom"] < box(bar(phone))["y"] + 1  # a part of a pixel
    weights = [one.evaluate("one => getComputedStyle(one).fontWeight") for one in items.all()]
    assert weights == ["400", "400", "400", "600"]
    items.last.click()
    expect(bar(phone).locator(".bar-menu [aria-current=page]")).to_have_count(1)
    expect(bar(phone).locator(".bar-menu [aria-current=page]")).to_be_in_viewport(ratio=1)
    assert_accessible(phone)


def test_who_only_follows_the_event_has_the_overview_in_place_of_a_table(open_page: Callable[..., Page]):
    night, before = in_round_2(), make_night(players=2)
    phone = open_page(SMALL)
    named = []
    for event in (night.event, before.event):
        phone.goto(f"/e/{event.slug}/")
        named.append([one.strip() for one in bar(phone).locator(":is(a, summary):visible").all_inner_texts()])

    assert named == [["Overview", "Pairings", "Standings", "More"], ["Overview", "Join", "More"]]


@pytest.mark.parametrize("javascript", [True, False], ids=["with scripts", "without"])
def test_more_unfolds_above_the_bar_and_a_press_beside_it_folds_it(
    open_page: Callable[..., Page], server: str, javascript: bool
):
    night = in_round_2()
    phone = give_card(open_page(SMALL, javascript=javascript), at_table(night)[0], server)
    more = bar(phone).get_by_text("More")
    rules = bar(phone).get_by_role("link", name="Rules")

    more.click()
    expect(rules).to_be_in_viewport()
    assert box(rules)["bottom"] <= box(more)["y"]
    phone.mouse.click(180, 100)
    expect(rules).to_be_hidden()
    more.click()
    press(phone, rules)
    expect(phone).to_have_url(f"{server}/s/{night.store.slug}/judge/?event={night.event.slug}")


def test_the_bar_is_walked_by_keyboard(open_page: Callable[..., Page], server: str):
    phone = give_card(open_page(SMALL), at_table(in_round_2())[0], server)

    bar(phone).get_by_role("link", name="Standings").focus()
    phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(bar(phone).get_by_role("link", name="Rules")).to_be_visible()
    assert_accessible(phone)
    phone.keyboard.press("Tab")
    expect(bar(phone).get_by_role("link", name="Overview")).to_be_focused()


def test_a_laptop_has_the_sections_in_its_header_and_paper_has_none(open_page: Callable[..., Page], server: str):
    laptop = give_card(open_page(LAPTOP), at_table(in_round_2())[0], server)

    assert box(bar(laptop))["bottom"] < 80
    expect(bar(laptop).get_by_role("link", name="Overview")).to_be_visible()
    expect(bar(laptop).get_by_text("More")).to_be_hidden()
    laptop.set_viewport_size({"width": 360, "height": 640})
    laptop.emulate_media(media="print")
    expect(bar(laptop)).to_be_hidden()
    assert laptop.evaluate("getComputedStyle(document.body).paddingBottom") == "0px"


def test_the_bar_leaves_the_end_of_the_page_and_every_field_in_sight(open_page: Callable[..., Page], server: str):
    night = in_round_2()
    phone = give_card(open_page(SMALL), at_table(night)[0], server)
    phone.goto(f"/e/{night.event.slug}/rounds/2/report/")
    covered = []
    for field in phone.locator("main :is(input, textarea, a, button):visible").all():
        field.focus()
        edges = [box(one)["y"] for one in (bar(phone), phone.locator(".action-bar"))]
        is_in_bar = field.evaluate("field => Boolean(field.closest('.action-bar'))")
        if box(field)["bottom"] > (edges[0] if is_in_bar else min(edges)):
            covered.append(field.evaluate("field => field.outerHTML"))
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")

    assert covered == []
    assert box(phone.locator(".app-footer"))["bottom"] < box(bar(phone))["y"] + 1  # a part of a pixel


def test_the_bar_follows_the_night_and_stays_unfolded(open_page: Callable[..., Page], server: str):
    night = make_night(players=4)
    phone = give_card(open_page(SMALL), night.event.entrants.first(), server)
    shown = bar(phone).locator(":is(a, summary):visible")
    expect(shown).to_have_text(["My table", "Overview", "My fleets", "More"])

    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    expect(shown).to_have_text(["My table", "Pairings", "Standings", "More"])
    expect(bar(phone).locator("a[aria-current='page']")).to_have_text("My table")
    bar(phone).get_by_text("More").click()
    enter(night.event, 1, eliminated(left=56), number=1)
    enter(night.event, 2, on_time(82, 46), number=1)
    expect(phone.locator("#card")).to_contain_text("All results are in.")
    expect(bar(phone).get_by_role("link", name="Rules")).to_be_in_viewport()
    rounds.close_round(night.event, 1, by=BY)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 2, by=BY)
    paired = bar(phone).get_by_role("link", name="Pairings")
    expect(paired).to_have_attribute("href", f"/e/{night.event.slug}/rounds/2/")


# the first screen


def running() -> tuple[Entrant, str, str]:
    me, other = at_table(in_round_2())
    sign_off.sign(me.event, 2, me.number, by=BY)
    return me, f"You’re at table 1 against {other}", "Enter result"


def to_sign() -> tuple[Entrant, str, str]:
    me, other = at_table(in_round_2())
    return me, f"You’re at table 1 against {other}", f"Check and sign {other}’s fleet"


def to_confirm() -> tuple[Entrant, str, str]:
    me, other = at_table(in_round_2())
    reports.report(me.event, 2, other.number, eliminated(left=56), by=BY)
    return me, f"You’re at table 1 against {other}", "Yes, that’s right"


def disputed() -> tuple[Entrant, str, str]:
    me, other = at_table(in_round_2())
    reports.report(me.event, 2, other.number, eliminated(left=56), by=BY)
    reports.report(me.event, 2, me.number, on_time(82, 46), by=BY)
    return me, f"You’re at table 1 against {other}", "Compare reports"


@pytest.mark.many(each=["prepare"])
@pytest.mark.parametrize("device", [SMALL, PHONE, ON_ITS_SIDE], ids=["360", "390", "on its side"])
@pytest.mark.parametrize("prepare", [running, to_sign, to_confirm, disputed])
def test_the_first_screen_has_table_opponent_clock_and_what_to_do(
    open_page: Callable[..., Page], server: str, prepare: Callable[[], tuple[Entrant, str, str]], device: dict
):
    me, answer, action = prepare()
    phone = give_card(open_page(device), me, server)

    assert_on_first_screen(
        phone,
        phone.get_by_role("heading", name=answer),
        phone.locator("a, button").filter(has_text=action),
        phone.locator(".clock"),
    )
    expect(phone.locator("main .button-primary")).to_have_text(action)


def absent() -> tuple[Entrant, str]:
    night = make_night(players=2)
    entrants.check_out(night.event, 1, by=BY)
    return night.event.entrants.get(number=1), "Registered, not checked in yet|check in at the counter|Build my fleet"


def level() -> tuple[Entrant, str]:
    night = in_round_2()
    enter(night.event, 1, on_time(42, 42), number=2)
    return at_table(night)[0], "You’re at table 1|roll 5 attack dice"


def with_a_bye() -> tuple[Entrant, str]:
    night = make_night(players=5, open_round=True)
    return state_of(night.event).last_round.bye.a, "You have the bye this round"


def between() -> tuple[Entrant, str]:
    night = make_night(players=4, rounds=1)
    return night.event.entrants.first(), "Your table for round 2 will appear here.|My rounds|Round 1"


def tied() -> tuple[Entrant, str]:
    night, winners, _ = night_with_ties(pack="dominion-war-5")
    return night.event.entrants.get(number=winners[0]), "You won 100–40|are tied and roll off"


def finished() -> tuple[Entrant, str]:
    night = make_night(players=8, rounds=3, finish=True)
    last = state_of(night.event).standings(3)[-1]
    return night.event.entrants.get(number=last.id), "You finished at rank 8|Rank 8 of 8"


@pytest.mark.parametrize("prepare", [absent, level, with_a_bye, between, tied, finished])
def test_the_first_screen_says_what_comes_in_every_other_state(
    open_page: Callable[..., Page], server: str, prepare: Callable[[], tuple[Entrant, str]]
):
    me, said = prepare()
    phone = give_card(open_page(SMALL), me, server)

    assert_on_first_screen(phone, *(phone.locator("main").get_by_text(one).first for one in said.split("|")))


def test_four_lines_of_a_fleet_to_mark_are_on_the_first_screen(open_page: Callable[..., Page], server: str):
    phone = give_card(open_page(SMALL), at_table(in_round_2())[0], server)

    press(phone, phone.get_by_role("link", name="Mark what was destroyed"))
    lines, score = phone.locator(".tap"), phone.locator("#score")

    assert_on_first_screen(phone, *(lines.nth(number) for number in range(4)), score)
    assert box(lines.nth(3))["bottom"] <= box(score)["y"]


@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_letters_of_twice_the_size_fit_the_bar_and_the_card(open_page: Callable[..., Page], server: str, dark: bool):
    phone = give_card(open_page(SMALL, dark=dark), at_table(in_round_2())[0], server)
    phone.evaluate(LETTERS, 200)

    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    cut = "bar => [...bar.querySelectorAll('a, summary')].filter(one => one.scrollWidth > one.clientWidth).length"
    assert bar(phone).evaluate(cut) == 0
    assert box(bar(phone))["height"] <= 80
    phone.get_by_role("link", name="Check and sign").scroll_into_view_if_needed()
    expect(phone.get_by_role("link", name="Check and sign")).to_be_in_viewport()
    assert_accessible(phone)


def test_the_card_follows_the_night_inside_of_its_new_frame(open_page: Callable[..., Page], server: str):
    night = in_round_2()
    me, other = at_table(night)
    phone = give_card(open_page(SMALL), me, server)

    enter(night.event, 1, eliminated(left=56), number=2)

    answer = "You won 100–44" if state_of(night.event).last_round.match_at(1).winner == me else "You lost 44–100"
    expect(phone.get_by_role("heading", name=answer)).to_be_visible()
    expect(phone.locator(".my-rounds")).to_contain_text(f"{answer} against {other}")
    expect(phone.locator("main .button-primary")).to_have_count(0)


# what a thumb hits


TOO_SMALL = """() => [...document.querySelectorAll("a, button, input, select, textarea, summary, label:has(input)")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
  .filter((one) => !one.matches(".skip-link, [type=hidden], label input, .visually-hidden, :disabled"))
  .filter((one) => {
    const run = one.closest("p, li, dd, small, .hint, .muted, figcaption");
    const said = run?.textContent.replaceAll(/\\s+/g, " ").trim().length ?? 0;
    const own = one.textContent.replaceAll(/\\s+/g, " ").trim().length;
    return !(one.matches("a") && getComputedStyle(one).display === "inline" && said > own + 1);
  })
  .filter((one) => {
    const style = getComputedStyle(one, "::after"), spread = style.position === "absolute" && style.content !== "none";
    const area = spread ? one.offsetParent ?? one : one;
    return area.getBoundingClientRect().height < 43.5;
  })
  .map((one) => `${one.outerHTML.slice(0, 120)} ${Math.round(one.getBoundingClientRect().height)}`)"""
"""What can be pressed and is lower than 44 pixels; links in running text are exempt (WCAG 2.5.8)."""


def test_whatever_a_player_presses_is_44_pixels_high(open_page: Callable[..., Page], server: str):
    places, small = make_places(), {}
    phone = open_page(SMALL)
    name = access.card_cookie(Store.objects.get(slug=places["store"]))
    phone.context.add_cookies([{"name": name, "value": places["card"], "url": server}])
    for path in (*FOR_A_PLAYER, "/e/{tonight}/rounds/2/", "/e/{over}/", "/e/{over}/standings/", "/e/{over}/roll-offs/"):
        phone.goto(path.format(**places))
        if found := phone.evaluate(TOO_SMALL):
            small[path] = found

    assert small == {}


def test_a_page_of_players_has_one_primary_button_at_most(open_page: Callable[..., Page], server: str):
    places, many = make_places(), {}
    phone = open_page(SMALL)
    name = access.card_cookie(Store.objects.get(slug=places["store"]))
    phone.context.add_cookies([{"name": name, "value": places["card"], "url": server}])
    for path in FOR_A_PLAYER:
        phone.goto(path.format(**places))
        if (count := phone.locator(":is(.button-primary, .button-signal):visible").count()) > 1:
            many[path] = count

    assert many == {}
