"""Dice of the judge's desk on the device: the same as the server's, face by face and word by word, and offline."""

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from playwright.sync_api import Page, expect

from scoring.domain.roll_offs import roll
from tests.browsing import PHONE, assert_accessible
from tests.nights import make_store
from tourney.judge.domain.dice import DiceGoal
from tourney.judge.domain.scenario_dice import ScenarioOutcome
from tourney.judge.forms.dice import LETTERS
from tourney.judge.forms.scenario_dice import PROCEDURES
from tourney.judge.queries.dice import DICE, DicePlay, Odds, from_hand, from_seed, odds, played, played_by_hand, roller

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/judge/dice/"
SCENARIOS = "/judge/scenarios/"
SEEDS = ("abc", "", "1a2b3c4d", "Ünïcødé ✦", "x" * 40, "a+b&c=d:1")


# the same as the server's


def test_the_same_seed_shows_the_same_faces(phone: Page):
    """Rule 4.3; the number of throws and dice makes the text that is hashed longer and shorter than one block."""
    phone.goto(PAGE)
    asked = [
        (seed, throw, player, many, die)
        for seed in (*SEEDS, "y" * 60)
        for throw, player, many in ((1, 1, 30), (2, 4, 5), (10_000_000, 1, 3))
        for die in DICE
    ]

    shown = phone.evaluate("asked => asked.map((one) => dice.roll(...one))", asked)

    assert shown == [[*roll(*one, DICE[die])] for *one, die in asked]


def test_the_odds_are_the_same_fractions(phone: Page):
    """Rules 4.2 and 6.3: every wish on up to 12 dice, and on 30."""
    phone.goto(PAGE)
    wishes = (("hit", "critical"), ("battle stations",), ("evade",), ("critical",), ("hit", "evade", "blank"), ())
    asked = [
        (die, many, {"faces": faces, "least": least})
        for die in DICE
        for many in (*range(13), 30)
        for faces in wishes
        for least in {0, 1, 2, many // 2, many, many + 1}
    ]

    shown = phone.evaluate(
        """asked => asked.map(([die, many, wish]) => [
            ...[dice.chance(die, many, wish), dice.chanceWithAgain(die, many, wish)],
            ...dice.exactly(die, many, wish.faces).map((weight) => [weight, dice.outOf(many)]),
        ].map((chance) => [...chance.map(String), dice.percent(chance), dice.fraction(chance)]))""",
        asked,
    )

    def expected(die, many, wish):
        first, again, rows = odds(die, many, DiceGoal(frozenset(wish["faces"]), wish["least"]))
        return [(one.chance, one.percent, one.fraction) for one in (first, again, *(exactly for _, exactly, _ in rows))]

    as_shown = [[(Fraction(int(a), int(b)), *words) for a, b, *words in chances] for chances in shown]
    assert as_shown == [expected(*one) for one in asked]
    assert len(asked) > 500


def test_the_odds_of_what_lies_there_are_the_same(phone: Page):
    phone.goto(PAGE)
    dice = random.Random(4)
    asked = []
    for _ in range(200):
        die, many = dice.choice([*DICE]), dice.randint(1, 8)
        letters = [letter for letter, face in LETTERS.items() if face in DICE[die]]
        hand = "".join(dice.choices(letters, k=dice.randint(0, many)))
        faces = dice.sample([LETTERS[letter] for letter in letters], 2)
        asked.append((die, many, {"faces": faces, "least": dice.randint(0, many)}, hand))

    shown = phone.evaluate(
        """asked => asked.map(([die, many, wish, hand]) => {
            const faces = dice.written(hand, die);
            const isAll = faces.length === many;
            const chance = isAll ? dice.chanceAgain(die, faces, wish) : dice.chanceFrom(die, many, faces, wish);
            const words = [dice.percent, dice.fraction].map((inWords) => chance && inWords(chance));
            return [dice.hits(wish, faces), dice.isMet(wish, faces), ...words];
        })""",
        asked,
    )

    def expected(die, many, wish, hand):
        lying = from_hand(die, many, DiceGoal(frozenset(wish["faces"]), wish["least"]), hand)
        chance: Odds | None = lying.chance
        return [lying.hits, lying.is_met, chance and chance.percent, chance and chance.fraction]

    assert shown == [expected(*one) for one in asked]


FACTS = {
    "roll-off": [{"first": "Vor", "second": "Kestrel"}, {"first": "A", "second": "B", "third": "C", "fourth": "D"}],
    "target": [{"first": "Vor", "second": "Kestrel"}, {"first": "A", "second": "B", "fourth": "D"}],
    "away-teams": [
        {"first": "Vor", "first_cards": 4, "first_skill": 5, "second": "Kestrel", "second_cards": 3, "second_skill": 8},
        {"first": "Vor", "first_cards": 2, "first_skill": 9, "second": "Kestrel", "second_cards": 1, "second_skill": 1},
        {"first": "Vor", "first_cards": 1, "first_skill": 6, "second": "Kestrel", "second_cards": 2, "second_skill": 6},
    ],
    "tractor-beam": [{"first": "Vor", "second": "Kestrel"}],
    "too-many-beams": [{"first": "Vor", "tokens": tokens} for tokens in (1, 2, 3, 7)],
}


def whole(facts: dict) -> dict:
    return {"third": "", "fourth": ""} | facts


def test_every_procedure_ends_in_the_same_words(phone: Page):
    phone.goto(SCENARIOS)
    seeds = [f"{number:08x}" for number in range(150)] + [*SEEDS]
    asked = [(what, whole(facts), seed) for what, all_facts in FACTS.items() for facts in all_facts for seed in seeds]

    shown = phone.evaluate("asked => asked.map((one) => scenarioDice.played(...one))", asked)

    assert shown == [
        as_json(played(lambda roll, what=what, facts=facts: PROCEDURES[what].play(facts, roll), roller(seed)))
        for what, facts, seed in asked
    ]


def test_dice_of_the_table_lead_to_the_same_words_and_questions(phone: Page):
    phone.goto(SCENARIOS)
    dice = random.Random(8)
    some = ["", "b", "bb", "bbhc-", "hh", "h", "c", "e", "eeb", "-----", "bbbbbb", "?"]
    asked = [
        (what, whole(facts), dice.choices(some, k=dice.randint(0, 9)))
        for what, all_facts in FACTS.items()
        for facts in all_facts
        for _ in range(60)
    ]

    shown = phone.evaluate("asked => asked.map((one) => scenarioDice.playedByHand(...one))", asked)

    assert shown == [
        as_json(played_by_hand(lambda roll, what=what, facts=facts: PROCEDURES[what].play(facts, roll), hands))
        for what, facts, hands in asked
    ]


def as_json(one: DicePlay) -> dict:
    def hands(throws):
        return [
            [
                {
                    "who": hand.who,
                    "die": hand.die,
                    "faces": [*hand.faces],
                    "face": hand.face,
                    "count": hand.count,
                    "counted": hand.counted,
                }
                for hand in throw
            ]
            for throw in throws
        ]

    def outcome(one: ScenarioOutcome) -> dict:
        return {"sentence": one.sentence, "throws": hands(one.throws), "how": [*one.how]}

    return {
        "outcome": one.outcome and outcome(one.outcome),
        "throws": hands(one.throws),
        "next": one.next and {name: getattr(one.next, name) for name in one.next.__slots__},
    }


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


def test_dice_on_the_table_are_tapped_as_they_lie(phone: Page):
    phone.goto(f"{PAGE}?die=attack&dice=3&least=2")
    phone.get_by_role("button", name="By hand").click()
    phone.get_by_role("button", name="Hit", exact=True).click()
    expect(phone.locator("[data-total]")).to_have_text("75 %")
    phone.get_by_role("button", name="Blank", exact=True).click()
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    expect(phone.locator("[data-verdict]")).to_have_text("Not met: fewer than 2")
    assert_accessible(phone)

    phone.get_by_role("button", name="Take die 2 away: blank").click()
    phone.get_by_role("button", name="Critical Hit", exact=True).click()

    expect(phone.locator("[data-verdict]")).to_have_text("Met: at least 2")
    assert phone.url.endswith("&by=hand&hand=hbc")
    phone.get_by_role("button", name="Roll here").click()
    expect(phone.locator("[name='pick']")).to_have_count(3)


def test_a_roll_off_of_the_table_ends_in_one_sentence(phone: Page):
    phone.goto(f"{SCENARIOS}?what=roll-off")
    phone.get_by_role("textbox", name="Player 1").fill("Vor")
    phone.get_by_role("textbox", name="Player 2").fill("Kestrel")
    phone.get_by_role("button", name="By hand").click()

    expect(phone.locator("[data-total]")).to_have_text("Vor")
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    phone.get_by_role("button", name="No more Battle Stations").click()
    expect(phone.locator("[data-total]")).to_have_text("Kestrel")
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    for face in ("Hit", "Blank", "Blank", "Blank"):
        phone.get_by_role("button", name=face, exact=True).click()
    expect(phone.locator("#total-name")).to_have_text("Throw 2")
    assert_accessible(phone)
    phone.get_by_role("button", name="No Battle Stations").click()
    phone.get_by_role("button", name="Battle Stations", exact=True).click()
    phone.get_by_role("button", name="No more Battle Stations").click()

    expect(phone.locator("[data-total]")).to_have_text("Kestrel is ahead of Vor.")
    expect(phone.locator("[data-total]")).to_be_in_viewport()
    assert_accessible(phone)
    phone.get_by_role("button", name="Last dice").click()
    expect(phone.locator("[data-total]")).to_have_text("Kestrel")


# without a network


UNTIL_KEPT = """
async path => {
    while (!(await caches.match(location.origin + path, { ignoreVary: true })))
        await new Promise(resolve => setTimeout(resolve, 50));
}
"""


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
    phone.get_by_role("button", name="Re-roll chosen").click()
    lying = from_seed("attack", 6, wish, "abc", (frozenset({1}),))
    assert phone.locator(".judge-die input").evaluate_all("all => all.map(one => one.ariaLabel)") == [
        f"Die {die.place + 1}: {die.face}{', throw 2' if die.throw > 1 else ''}" for die in lying.dice
    ]

    phone.goto(f"{SCENARIOS}?what=tractor-beam&first=Vor&second=Kestrel&seed=abc")
    facts = {"first": "Vor", "second": "Kestrel"}
    found = played(lambda roll: PROCEDURES["tractor-beam"].play(facts, roll), roller("abc")).outcome
    expect(phone.locator("[data-total]")).to_have_text(found.sentence)
    phone.get_by_role("link", name="DS9’s target").click()
    phone.get_by_role("button", name="Roll", exact=True).click()
    expect(phone.locator("[data-total]")).to_contain_text("DS9 fires at Player")
    rolled_offline, sentence = phone.url, phone.locator("[data-total]").inner_text()

    phone.goto(f"/s/{store.slug}/judge/dice/?die=defense&dice=2&least=2")
    expect(phone.locator("[data-total]")).to_have_text("14.1 %")
    expect(phone.locator(".app-header")).to_contain_text(store.name)

    phone.context.set_offline(False)
    plain = open_page(PHONE, javascript=False)
    plain.goto(rolled_offline)
    expect(plain.locator("[data-total]")).to_have_text(sentence)


def test_whoever_opened_the_desk_has_every_tool_without_a_network(open_page: Callable[..., Page]):
    store, _ = make_store()
    phone = open_page(PHONE, worker=True)
    phone.goto(f"/s/{store.slug}/judge/")
    phone.evaluate(UNTIL_KEPT, f"/s/{store.slug}/judge/scenarios/")
    phone.context.set_offline(True)

    phone.get_by_role("link", name="Dice", exact=True).last.click()
    phone.get_by_role("button", name="Roll", exact=True).click()
    expect(phone.locator(".judge-die")).to_have_count(4)
    expect(phone.locator(".app-header")).to_contain_text(store.name)
    phone.get_by_role("navigation", name="The judge’s desk").get_by_role("link", name="Rulings").click()
    phone.get_by_label("Search the rulings").fill("hikaru")
    expect(phone.locator("#ST3")).to_be_visible()
    phone.context.set_offline(False)


# without a script


def test_dice_on_the_table_are_typed_without_a_script(open_page: Callable[..., Page]):
    page = open_page(PHONE, javascript=False)
    page.goto(f"{SCENARIOS}?what=tractor-beam")
    page.get_by_role("textbox", name="The attacker").fill("Vor")
    page.get_by_role("textbox", name="The attacker").press("Enter")
    page.get_by_role("button", name="By hand").click()
    expect(page.locator("[data-total]")).to_have_text("Vor")
    page.get_by_role("button", name="Battle Stations", exact=True).click()
    page.get_by_role("button", name="Hit", exact=True).click()
    page.get_by_role("button", name="Take die 2 away: hit").click()
    page.get_by_role("button", name="No more Battle Stations").click()
    page.get_by_role("button", name="No Battle Stations").click()

    says = "The ship that was hit loses the tractor beam: 1 Battle Station against 0. Its Target Lock Tokens go."
    expect(page.locator("[data-total]")).to_have_text(says)
    page.get_by_role("button", name="New dice").click()
    expect(page.locator("[data-total]")).to_have_text("Vor")
