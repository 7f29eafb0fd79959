"""The Talon power record on the device finds what the server finds, word for word, and needs no network for it."""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.templatetags.static import static
from playwright.sync_api import Page

from tests.browser.test_talon_power import ready
from tests.pages.test_talon_power import WRONG
from tourney.judge.domain.talon_power import SPENDINGS, Act, Curve, ShipRecord, TalonStep, after, played, why_not
from tourney.judge.domain.talon_record import shown
from tourney.judge.domain.talon_words import written
from tourney.judge.forms.talon import TalonForm

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/judge/talon-power/"
PAGES = "async ([url, queries]) => { const m = await import(url); return queries.map(m.page) }"
SEEN = """
() => {
    const isSeen = (node) => node.nodeType !== Node.COMMENT_NODE;
    const tell = (node) => node.nodeType === Node.TEXT_NODE
        ? node.textContent.split(/\\s+/).join(" ").trim()
        : [node.localName, [...node.attributes].map(one => `${one.name}=${one.value}`).sort(), tell_all(node)];
    const tell_all = (node) => [...node.childNodes].filter(isSeen).map(tell).filter(String);
    const fields = [...document.getElementById("ship").elements].filter(one => one.name);
    return [
        tell(document.getElementById("record")),
        document.querySelector("#talon > .error-summary").checkVisibility(),
        document.querySelector("#talon > .error-summary").innerText,
        fields.map(one => [one.name, one.type === "checkbox" ? one.checked : one.value]),
    ];
}
"""
GO = "query => { history.pushState(null, '', query); dispatchEvent(new PopStateEvent('popstate')) }"


def test_the_device_finds_what_the_server_finds_for_every_speed_and_every_damage(phone: Page):
    phone.goto(PAGE)
    grid = [
        f"speed={speed}&hull={-lost}&stuck={stuck}&fifth={fifth}&play=v{chosen}{'.n' * count}"
        for speed in range(2, 6)
        for lost in range(5)
        for stuck in ("", "on")
        for fifth in ("", "D", "E")
        for chosen in range(speed - 1, speed + 2)
        for count in range(8)
    ]

    assert on_the_device(phone, grid) == [by_the_server(query) for query in grid]


def test_the_device_finds_what_the_server_finds_for_any_class_in_any_round(phone: Page):
    phone.goto(PAGE)
    queries = [drawn(random.Random(seed)) for seed in range(800)]
    found = [by_the_server(query) for query in queries]

    assert on_the_device(phone, queries) == found
    told = json.dumps(found)
    for words in ("expires", "breaks apart", "no longer fits", "side slip", "absorbs", "Undo to here", "is up again"):
        assert words in told


def test_the_device_says_what_does_not_fit_as_the_server_does(phone: Page):
    phone.goto(PAGE)
    queries = [query.removeprefix("?") for query, _ in WRONG]

    assert on_the_device(phone, queries) == [by_the_server(query) for query in queries]


def test_the_page_made_on_the_device_is_the_page_of_the_server(phone: Page):
    queries = [f"?{drawn(random.Random(seed))}" for seed in range(25)] + [query for query, _ in WRONG[:6]]
    here = []
    phone.goto(PAGE)
    ready(phone)
    for query in queries:
        phone.evaluate(GO, query)
        here.append(phone.evaluate(SEEN))

    there = []
    for query in queries:
        phone.goto(f"{PAGE}{query}")
        there.append(phone.evaluate(SEEN))
    for query, one, other in zip(queries, here, there, strict=True):
        assert (query, one) == (query, other)


def on_the_device(phone: Page, queries: list[str]) -> list[dict]:
    return [
        {"errors": one["errors"], "record": one["record"]}
        for one in phone.evaluate(PAGES, [static("js/talon-power.js"), queries])
    ]


def by_the_server(query: str) -> dict:
    form = TalonForm(QueryDict(query).dict())
    record = shown(form.cleaned_data["name"], played(form.ship, form.steps), form.address) if form.is_valid() else None
    return json.loads(json.dumps({"errors": form.wrong, "record": record and asdict(record)}))


def drawn(dice: random.Random) -> str:
    """The address of a ship of some class in the middle of some round; sometimes one step does not fit."""
    speeds = sorted(dice.sample(range(1, 7), dice.randint(1, 6)))
    curves = [Curve(dice.randint(0, 6), speed, dice.randint(0, 9)) for speed in speeds]
    arcs = dice.choice((["Front", "Right", "Rear", "Left"], ["Bow"], ["A*~ b", "“Ö” & c", "3", "d/e", "(f)", "g+h"]))
    fields = {
        "speed": dice.choice(speeds),
        "hull": -dice.choice((0, 0, 1, 2, 3)),
        "criticals": -dice.choice((0, 0, 0, 1)),
        "name": dice.choice(("Terran CA", "Kestrel’s 1/2 ~*class", "X")),
        "curves": " ".join(f"{curve.power}-{curve.speed}-{curve.turn}" for curve in curves),
        "stuck": dice.choice(("", "", "on")),
        "fifth": dice.choice(("", "D", "E")),
        "arcs": ", ".join(arcs),
        **{f"arc{number + 1}": dice.choice(("", "", "down", *"ABCDEF")) for number in range(len(arcs))},
    }
    ship = TalonForm({name: str(value) for name, value in fields.items()})
    assert ship.is_valid()
    steps = [*happening(ShipRecord(ship.ship), dice)]
    misfit = [TalonStep(dice.choice([*Act]), dice.randint(0, 3))] if dice.random() < 0.2 else []
    return urlencode(fields | {"play": written([*steps, *misfit])})


def happening(record: ShipRecord, dice: random.Random) -> Iterator[TalonStep]:
    """Steps that fit, one after the other."""
    for _ in range(dice.randint(0, 25)):
        acts = dice.choice(([Act.NEXT], [*SPENDINGS], [Act.SPEED], [*Act]))
        step = TalonStep(dice.choice(acts), dice.randint(0, 6))
        step = step if step.act in (Act.SPEED, Act.HULL, Act.CRITICALS) else TalonStep(step.act, step.number % 4)
        if not why_not(record, step):
            record = after(record, step)
            yield step
