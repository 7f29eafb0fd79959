"""Dice of the judge's desk on the device: the same as the server's, face by face and word by word, and offline."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import PHONE, assert_accessible
from tests.support.nights import make_store
from tourney.judge.domain.dice import DiceGoal
from tourney.judge.forms.scenario_dice import PROCEDURES
from tourney.judge.queries.dice import FACES, from_seed, played, roller

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/judge/dice/"
SCENARIOS = "/judge/scenarios/"


# the same as the server's; of the rules, tests/vectors says so


ADDRESSES = [
    "/judge/rule-of-3/?value=agility&printed=1&cloak=yes&mod=4&mod_label=Own+cards&mod=-2&bonus=on",
    "/judge/rule-of-3/?where=cost&value=sp&printed=26&mod=-10",
    "/judge/rule-of-3/?value=primary&printed=5&half=on&set=3&set_label=Card&set=5",
    PAGE,
    f"{PAGE}?die=defense&dice=7&least=3&face=battle+stations",
    f"{PAGE}?die=attack&dice=6&least=3&seed=abc&again=0-3&again=3-5",
    f"{PAGE}?die=attack&dice=2&least=1&seed=abc&again=3&again=0",
    f"{PAGE}?die=attack&dice=4&least=2&by=hand&hand=h-",
    f"{PAGE}?die=attack&dice=4&least=2&by=hand&hand=h-bb",
    SCENARIOS,
    f"{SCENARIOS}?what=target&first=Vor&fourth=Anvil&seed=abc",
    f"{SCENARIOS}?what=away-teams&first_cards=4&first_skill=5&second_cards=3&second_skill=8&seed=abc",
    f"{SCENARIOS}?what=too-many-beams&tokens=2&seed=abc",
    f"{SCENARIOS}?what=tractor-beam&by=hand&thrown=bb&hand=e",
    f"{SCENARIOS}?what=roll-off&by=hand&thrown=bb&thrown=b",
]


@pytest.mark.many
@pytest.mark.parametrize("address", ADDRESSES)
def test_the_page_of_the_server_is_the_page_of_the_device(open_page: Callable[..., Page], address):
    plain, live = open_page(PHONE, javascript=False), open_page(PHONE)
    plain.goto(address)
    live.goto(address)

    assert outline(live) == outline(plain)
    assert live.url == plain.url


OUTLINE = """
all => all.filter(one => one.checkVisibility()).map(one => [[...one.classList], one.ariaLabel, one.value])
"""


def outline(page: Page) -> list:
    """What is said and shown, and which dice and buttons there are."""
    parts = page.locator("#answer :is(h2, p, li, dt, dd, td, th, b, button, input, .judge-die, .die)")
    return [page.locator("#answer").inner_text().split(), parts.evaluate_all(OUTLINE)]


# with a thumb


@pytest.mark.nightly
def test_dice_on_the_table_are_tapped_as_they_lie(phone: Page):
    phone.goto(f"{PAGE}?die=attack&dice=3&least=2")
    phone.get_by_role("button", name="Enter by hand").click()
    phone.get_by_role("button", name="Hit", exact=True).click()
    expect(phone.locator("[data-total]")).to_have_text("75%")
    phone.get_by_role("button", name="Blank", exact=True).click()
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    expect(phone.locator("[data-verdict]")).to_have_text("Not met: fewer than 2")
    assert_accessible(phone)

    phone.get_by_role("button", name="Remove die 2: Blank").click()
    phone.get_by_role("button", name="Critical Hit", exact=True).click()

    expect(phone.locator("[data-verdict]")).to_have_text("Met: at least 2")
    assert phone.url.endswith("&by=hand&hand=hbc")
    phone.get_by_role("button", name="Roll here").click()
    expect(phone.locator("[name='pick']")).to_have_count(3)


@pytest.mark.nightly
def test_a_roll_off_of_the_table_ends_in_one_sentence(phone: Page):
    phone.goto(f"{SCENARIOS}?what=roll-off")
    phone.get_by_role("textbox", name="Player 1").fill("Vor")
    phone.get_by_role("textbox", name="Player 2").fill("Kestrel")
    phone.get_by_role("button", name="Enter by hand").click()

    expect(phone.locator("[data-total]")).to_have_text("Vor")
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    phone.get_by_role("button", name="No more Battle Stations").click()
    expect(phone.locator("[data-total]")).to_have_text("Kestrel")
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    for face in ("Hit", "Blank", "Blank", "Blank"):
        phone.get_by_role("button", name=face, exact=True).click()
    expect(phone.locator("#total-name")).to_have_text("Roll 2")
    assert_accessible(phone)
    phone.get_by_role("button", name="No Battle Stations").click()
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    phone.get_by_role("button", name="No more Battle Stations").click()

    expect(phone.locator("[data-total]")).to_have_text("Kestrel is ahead of Vor.")
    expect(phone.locator("[data-total]")).to_be_in_viewport()
    assert_accessible(phone)
    phone.get_by_role("button", name="Undo last dice").click()
    expect(phone.locator("[data-total]")).to_have_text("Kestrel")


# without a network


UNTIL_KEPT = """
async path => {
    const kept = address => caches.match(new URL(address, location.origin), { ignoreVary: true });
    while (!await kept(path)) await new Promise(resolve => setTimeout(resolve, 50));
    const page = await (await kept(path)).text();
    const files = [...page.matchAll(/(?:href|src)="(\\/static\\/[^"#]+)/g)].map(([, file]) => file);
    const found = await Promise.all(files.map(kept));
    return files.filter((_, place) => !found[place]);
}
"""
"""Until the page is on the device; the files that it lacks then."""


def test_once_visited_every_tool_answers_any_address_without_a_network(open_page: Callable[..., Page]):
    store, _ = make_store()
    phone = open_page(PHONE, worker=True)
    phone.goto("/judge/")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for page in ("rule-of-3", "dice", "scenarios"):
        phone.goto(f"/judge/{page}/")
    phone.goto(f"/s/{store.slug}/judge/dice/")
    phone.context.set_offline(True)

    phone.goto("/judge/rule-of-3/")
    phone.get_by_role("link", name="Primary weapon lowered by 5").click()
    expect(phone.locator("[data-total]")).to_have_text("1")

    phone.goto(f"{PAGE}?die=attack&dice=6&least=3&seed=abc")
    wish = DiceGoal(frozenset({"hit", "critical"}), 3)
    lying = from_seed("attack", 6, wish, "abc", ())
    expect(phone.locator("[data-total]")).to_have_text(f"{lying.hits} of 6")
    phone.locator(".judge-die").nth(1).click()
    phone.get_by_role("button", name="Re-roll chosen dice").click()
    lying = from_seed("attack", 6, wish, "abc", (frozenset({1}),))
    assert phone.locator(".judge-die input").evaluate_all("all => all.map(one => one.ariaLabel)") == [
        f"Die {die.place + 1}: {FACES[die.face]}{', roll 2' if die.roll > 1 else ''}" for die in lying.dice
    ]

    phone.goto(f"{SCENARIOS}?what=tractor-beam&first=Vor&second=Kestrel&seed=abc")
    facts = {"first": "Vor", "second": "Kestrel"}
    found = played(lambda roll: PROCEDURES["tractor-beam"].play(facts, roll), roller("abc")).outcome
    expect(phone.locator("[data-total]")).to_have_text(str(found.sentence))
    phone.get_by_role("link", name="DS9’s target").click()
    phone.get_by_role("button", name="Roll", exact=True).click()
    expect(phone.locator("[data-total]")).to_contain_text("DS9 fires at Player")
    rolled_offline, sentence = phone.url, phone.locator("[data-total]").inner_text()

    phone.goto(f"/s/{store.slug}/judge/dice/?die=defense&dice=2&least=2")
    expect(phone.locator("[data-total]")).to_have_text("14.1%")
    expect(phone.locator(".app-header")).to_contain_text(store.name)

    phone.context.set_offline(False)
    plain = open_page(PHONE, javascript=False)
    plain.goto(rolled_offline)
    expect(plain.locator("[data-total]")).to_have_text(sentence)


@pytest.mark.nightly
def test_whoever_opened_the_desk_has_every_tool_without_a_network(open_page: Callable[..., Page]):
    store, _ = make_store()
    phone = open_page(PHONE, worker=True)
    phone.goto(f"/s/{store.slug}/judge/")
    for tool in ("dice", "scenarios", "rulings"):
        assert phone.evaluate(UNTIL_KEPT, f"/s/{store.slug}/judge/{tool}/") == []
    phone.context.set_offline(True)

    phone.get_by_role("link", name="Dice", exact=True).last.click()
    phone.get_by_role("button", name="Roll", exact=True).click()
    expect(phone.locator(".judge-die")).to_have_count(4)
    expect(phone.locator(".app-header")).to_contain_text(store.name)
    phone.get_by_role("navigation", name="Judge’s desk").get_by_role("link", name="Rulings").click()
    phone.get_by_label("Search rulings").fill("hikaru")
    expect(phone.locator("#ST3")).to_be_visible()
    phone.context.set_offline(False)


# without a script


@pytest.mark.nightly
def test_dice_on_the_table_are_typed_without_a_script(open_page: Callable[..., Page]):
    page = open_page(PHONE, javascript=False)
    page.goto(f"{SCENARIOS}?what=tractor-beam")
    page.get_by_role("textbox", name="The attacker").fill("Vor")
    page.get_by_role("textbox", name="The attacker").press("Enter")
    page.get_by_role("button", name="Enter by hand").click()
    expect(page.locator("[data-total]")).to_have_text("Vor")
    page.get_by_role("button", name="Battle Stations", exact=True).click()
    page.get_by_role("button", name="Hit", exact=True).click()
    page.get_by_role("button", name="Remove die 2: Hit").click()
    page.get_by_role("button", name="No more Battle Stations").click()
    page.get_by_role("button", name="No Battle Stations").click()

    says = "The ship that was hit loses the tractor beam: 1 Battle Station against 0. Remove its Target Lock Tokens."
    expect(page.locator("[data-total]")).to_have_text(says)
    page.get_by_role("button", name="Enter new dice").click()
    expect(page.locator("[data-total]")).to_have_text("Vor")
