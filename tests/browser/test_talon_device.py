"""The Talon power record as the device shows it is the page of the server; what it finds, tests/vectors says."""

import random

import pytest
from playwright.sync_api import Page

from tests.browser.test_talon_power import ready
from tests.pages.test_talon_power import WRONG
from tests.support.rule_vectors import talon_query
from tests.support.tenth import everything_runs

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/judge/talon-power/"
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


def test_the_page_made_on_the_device_is_the_page_of_the_server(phone: Page):
    seeds, wrong = (20, 6) if everything_runs() else (2, 1)
    queries = [f"?{talon_query(random.Random(seed))}" for seed in range(seeds)] + [query for query, _ in WRONG[:wrong]]
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
