"""A draft changed by hand with a mouse, a finger and a keyboard; a table changed while two phones watch."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_live import give_card, sign_in, watch
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.serving import Running
from tourney.actions import rounds
from tourney.models import Event
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(running: Running) -> str:
    return f"http://localhost:{running.port}"


@copied
def drafted(players: int = 6) -> Night:
    night = make_night(players=players)
    rounds.pair_round(night.event, seed=1, by=BY)
    return night


def seating(event: Event) -> list[tuple[int, ...]]:
    return [match.numbers for match in state_of(event).last_round.matches]


def at_the_board(page: Page, server: str, night: Night) -> None:
    sign_in(page, server, night.organizer)
    page.goto(f"/e/{night.event.slug}/desk/rounds/1/")


def seat(page: Page, number: int) -> Locator:
    return page.locator(f"#seat-{number}")


def say_why(page: Page) -> None:
    expect(page.get_by_role("textbox", name="Reason")).to_be_focused()
    page.get_by_role("textbox", name="Reason").fill("One car")
    page.get_by_role("button", name="Save change").click()


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_with_a_mouse_a_player_is_dragged_onto_another(open_page, server):
    night, page = drafted(), open_page(LAPTOP)
    at_the_board(page, server, night)
    (a, b), (c, d), rest = seating(night.event)

    page.locator("#board").evaluate("board => board.scrollIntoView()")
    page.mouse.move(*middle(seat(page, a)))
    page.mouse.down()
    page.mouse.move(*middle(seat(page, d)), steps=5)
    expect(seat(page, d)).to_have_class("seat is-over")
    page.mouse.up()
    say_why(page)

    expect(page.locator(".board-steps")).to_contain_text("swapped seats.")
    assert seating(night.event) == [(d, b), (c, a), rest]
    assert_accessible(page)


@pytest.mark.nightly
def test_with_a_finger_a_player_is_dragged_out_by_the_grip_and_back(open_page, server):
    night, page = drafted(), open_page(PHONE)
    at_the_board(page, server, night)
    (a, b), *others = seating(night.event)

    drag_by_touch(page, seat(page, a), seat(page, others[0][0]))
    say_why(page)
    expect(page.locator(".board-steps")).to_contain_text("swapped seats.")
    changed = seating(night.event)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".board-steps")).to_have_count(0)

    assert changed == [(others[0][0], b), (a, others[0][1]), others[1]]
    assert seating(night.event) == [(a, b), *others]


def drag_by_touch(page: Page, held: Locator, over: Locator) -> None:
    """A finger on the grip, moved onto another player in small steps."""
    held.scroll_into_view_if_needed()
    x, y = middle(held.locator(".seat-grip"))
    to_x, to_y = middle(over)
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", (x, y))
    for step in range(1, 9):
        send("touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
    send("touchEnd")


def test_by_keyboard_a_table_is_unpaired_and_made_anew(open_page, server):
    night, page = drafted(), open_page(LAPTOP)
    at_the_board(page, server, night)
    (a, b), *others = seating(night.event)

    page.get_by_role("button", name="Unpair table 1").press("Enter")
    say_why(page)
    expect(page.get_by_role("heading", name="2 players aren’t seated")).to_be_visible()
    expect(page.get_by_role("button", name="Publish")).to_have_count(0)
    assert_accessible(page)
    seat(page, b).press("Enter")
    expect(page.locator(".board-bar")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".board-bar")).to_have_count(0)
    seat(page, b).press("Enter")
    page.locator("button.seat", has=page.get_by_text(state_of(night.event).names[a], exact=True)).press("Enter")

    expect(page.get_by_role("heading", name="Publish round 1")).to_be_visible()
    assert seating(night.event) == [(b, a), *others]


@pytest.mark.nightly
def test_without_javascript_two_taps_and_a_reason_do_the_same(open_page, server):
    night, page = drafted(5), open_page(PHONE, javascript=False)
    at_the_board(page, server, night)
    (a, b), other, (alone,) = seating(night.event)

    seat(page, a).click()
    seat(page, alone).click()
    page.get_by_role("textbox", name="Reason").fill("One car")
    page.get_by_role("button", name="Save change").click()

    expect(page.locator(".board-steps")).to_contain_text("swapped seats.")
    assert seating(night.event) == [(alone, b), other, (a,)]


@pytest.mark.nightly
def test_a_change_of_tables_reaches_both_phones_and_the_wall_at_once(open_page, server):
    night = make_night(players=6, open_round=True)
    first, second, _ = state_of(night.event).last_round.tables
    phones = {match.a: open_page(PHONE, only_told=True) for match in (first, second)}
    for entrant, phone in phones.items():
        give_card(phone, server, night, entrant.number)
        watch(phone, f"/e/{night.event.slug}/me/")
    wall, desk = open_page(LAPTOP, only_told=True), open_page(LAPTOP)
    watch(wall, f"/e/{night.event.slug}/wall/")
    sign_in(desk, server, night.organizer)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/")

    press(desk, desk.get_by_role("link", name="Move table 1"))
    assert_accessible(desk)
    desk.get_by_role("button", name="Move to table 2").click()

    for match, table in (first, 2), (second, 1):
        phone, opponent = phones[match.a], match.b.player.name
        expect(phone.locator("#answer")).to_have_text(f"You’re at table {table} against {opponent}")
        expect(phone.get_by_text(f"Your table has changed; it was table {match.table}.")).to_be_visible()
    expect(wall.get_by_text("moved from table 1").first).to_be_visible()
