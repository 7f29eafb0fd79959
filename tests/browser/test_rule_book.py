"""The rulings on a phone: found while somebody types, marked, and there without a network."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import PHONE, assert_accessible
from tests.support.nights import BY, make_store
from tourney.judge.actions import house_rulings
from tourney.judge.domain.rulings import highlighted, search
from tourney.judge.queries.published import published

pytestmark = pytest.mark.django_db(transaction=True)

RULINGS = [one for section in published() for one in section.rulings]
WORDS = sorted({word for one in RULINGS for word in re.findall(r"\w+", f"{one.number} {one.topic} {one.text}")})
QUICK = 50  # ms
SHOWN = "items => items.filter(item => item.checkVisibility()).map(item => item.id)"
TIMES = """
words => words.map(word => {
    const field = document.getElementById("q");
    const before = performance.now();
    field.value = word;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.getBoundingClientRect(); // what it takes to lay the page out belongs to it
    return performance.now() - before;
})
"""


def shown(page: Page) -> list[str]:
    return page.locator(".ruling").evaluate_all(SHOWN)


def numbers(words: str = "", tag: str = "") -> list[str]:
    return [one.number for one in search(RULINGS, words, tag)]


def test_what_is_typed_is_found_and_marked_and_the_address_says_it(phone: Page):
    phone.goto("/judge/rulings/")
    assert shown(phone) == numbers()

    phone.get_by_label("Search rulings").press_sequentially("tärget loc")
    expect(phone.get_by_role("status")).to_have_text(f"{len(numbers('target loc'))} of {len(RULINGS)} rulings")
    assert shown(phone) == numbers("target loc") != []
    assert phone.locator("#A36 mark").all_inner_texts() == ["Target", "Loc", "Target", "Loc"]
    assert_accessible(phone)

    expect(phone).to_have_url(re.compile(r"\?q=t%C3%A4rget\+loc$"))
    phone.reload()
    assert shown(phone) == numbers("target loc")
    phone.get_by_label("Search rulings").fill("")
    assert shown(phone) == numbers()
    expect(phone.locator("mark")).to_have_count(0)


@pytest.mark.nightly
def test_a_topic_narrows_what_is_found_and_pressed_again_does_not(phone: Page):
    phone.goto("/judge/rulings/?q=range")
    topic = phone.get_by_role("navigation", name="Topics").get_by_role("link", name="mines", exact=True)
    topic.click()
    assert shown(phone) == ["A42"]
    expect(topic).to_have_attribute("aria-current", "true")
    topic.click()
    assert shown(phone) == numbers("range")


@pytest.mark.nightly
def test_nothing_found_says_what_to_do(phone: Page):
    phone.goto("/judge/rulings/")
    phone.get_by_label("Search rulings").fill("warp core breach")
    expect(phone.get_by_role("heading", name="No rulings found")).to_be_visible()
    assert_accessible(phone)
    phone.get_by_role("link", name="Show all rulings").click()
    assert shown(phone) == numbers()


@pytest.mark.nightly
def test_the_page_finds_and_marks_what_the_server_does(phone: Page):
    dice = random.Random(7)
    asked = ["", "23", "É", "mines", "<b", " ".join(dice.sample(WORDS, 2))]
    asked += [word[: dice.randint(1, 6)] for word in dice.sample(WORDS, 6)]
    phone.goto("/judge/rulings/")

    for words in asked:
        phone.get_by_label("Search rulings").fill(words)
        hits = search(RULINGS, words)
        assert (words, shown(phone)) == (words, [one.number for one in hits])
        pieces = [piece for one in hits for text in (one.topic, one.text) for piece in highlighted(text, words)]
        marks = phone.locator(".ruling mark").evaluate_all("marks => marks.map(mark => mark.textContent)")
        assert marks == [piece.text for piece in pieces if piece.highlighted]


@pytest.mark.nightly
def test_a_search_takes_less_than_the_blink_of_an_eye(phone: Page):
    phone.goto("/judge/rulings/")
    took = sorted(phone.evaluate(TIMES, ["m", "mi", "min", "mine", "t", "target", "target lock", "", "a", "ca"] * 3))
    print(f"search: median {took[len(took) // 2]:.1f} ms, slowest {took[-1]:.1f} ms")

    assert took[len(took) // 2] < QUICK


@pytest.mark.nightly
def test_what_a_house_ruled_is_found_and_stays_text(phone: Page):
    store, _ = make_store()
    house_rulings.add(store, by=BY, topic="<img src=x onerror=alert(1)>", text="<b>Boom</b>", beside="A42")
    phone.goto(f"/s/{store.slug}/judge/rulings/")
    phone.get_by_label("Search rulings").fill("img boom")

    assert shown(phone) == ["H1"]
    expect(phone.locator("#H1 h3")).to_have_text("<img src=x onerror=alert(1)>")
    expect(phone.locator("#H1 .ruling-text")).to_have_text("<b>Boom</b>")
    assert phone.locator("#H1 mark").all_inner_texts() == ["img", "Boom"]


@pytest.mark.nightly
def test_once_visited_the_rulings_open_and_are_searched_without_a_network(open_page: Callable[..., Page]):
    store, _ = make_store()
    phone = open_page(PHONE, worker=True)
    phone.goto("/judge/rulings/")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for path in ("/judge/", "/judge/rulings/", f"/s/{store.slug}/judge/", f"/s/{store.slug}/judge/rulings/?q=cloak"):
        phone.goto(path)

    phone.context.set_offline(True)
    phone.goto("/judge/")
    expect(phone.locator(".network").first).to_contain_text("Not connected. This page is from ")
    phone.get_by_role("navigation", name="Judge’s desk").get_by_role("link", name="Rulings").click()
    expect(phone.get_by_role("heading", name="Rulings", exact=True)).to_be_visible()
    phone.get_by_label("Search rulings").fill("hikaru")
    expect(phone.locator(".ruling:visible")).to_have_count(1)
    assert shown(phone) == ["ST3"]
    phone.goto(f"/s/{store.slug}/judge/rulings/?q=hikaru")
    expect(phone.locator(".ruling:visible")).to_have_count(1)
    assert shown(phone) == ["ST3"]


NARROW = """numbers => numbers.filter(number => {
    const text = document.createRange();
    text.selectNodeContents(number);
    const body = number.closest(".ruling").querySelector(".ruling-body").getBoundingClientRect();
    return text.getClientRects().length > 1 || text.getBoundingClientRect().right > body.left - 8;
}).map(number => number.textContent.trim())"""


def test_on_a_phone_each_number_keeps_apart_from_its_ruling(phone: Page):
    phone.goto("/judge/rulings/")

    assert phone.locator(".ruling-number").evaluate_all(NARROW) == []
