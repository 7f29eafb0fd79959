"""Cards of the public catalogue, each with a clause of its text: a legal and an illegal fleet, or what a card costs.

`cards_by_the_letter.tsv` has a case in each line. Its fleet is one ship and the cards on it, "*" being the card itself,
"all=3" three slots of each kind. Expected is "legal", "illegal", what the card itself costs, or with "last 3" what the
last one costs.
"""

import csv
from datetime import date
from pathlib import Path

import pytest

from fleets.domain.card_texts import card_texts
from fleets.domain.cards import UPGRADES, Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.errata import corrected
from fleets.domain.legality import Format, violations
from fleets.domain.sheet import Sheet, Ship
from tests.support.fleets_for_tests import Numbered

with Path(__file__).with_name("cards_by_the_letter.tsv").open() as file:
    CASES = list(csv.DictReader(file, delimiter="\t"))
NUMBERS = {"cost", "attack", "hull", "skill"}


def slots(text: str) -> tuple[tuple[CardKind, int], ...]:
    """ "crew 2, tech 1" """
    parts = (part.split() for part in text.split(",") if part)
    return tuple((CardKind(kind), int(number)) for kind, number in parts)


def other(text: str) -> Card:
    """A card of the fleet, "kind=crew;title=One;faction=FED;cost=1"; of a ship with its slots beside."""
    facts = dict(part.split("=") for part in text.split(";"))
    every = int(facts.pop("all", 0))
    room = tuple((CardKind(name), int(facts.pop(name))) for name in list(facts) if name in set(CardKind))
    room += tuple((kind, every) for kind in sorted(UPGRADES) if every)
    kind = CardKind(facts.pop("kind", "ship"))
    names = {"faction": "factions", "class": "ship_class"}
    given = {names.get(name, name): int(value) if name in NUMBERS else value for name, value in facts.items()}
    return Card(**{**given, "kind": kind, "factions": (facts["faction"],), "key": facts["title"], "slots": room})


def card_itself(case: dict[str, str]) -> Card:
    """The card of the case with the facts of its line, and the rules that were read on it."""
    factions = tuple(case["factions"].split("/")) if case["factions"] else ()
    facts = (CardKind(case["kind"]), case["title"], factions, int(case["cost"]), case["key"])
    return corrected(Card(*facts, slots=slots(case["slots"]), rules=card_texts()[case["key"]].rules))


def built(case: dict[str, str]) -> Ship:
    ship, *cards = [card_itself(case) if one == "*" else other(one) for one in case["fleet"].split(" + ")]
    return Numbered().ship(ship, *cards)


def test_the_table_has_at_least_three_hundred_cards_each_with_a_case_that_goes_either_way():
    outcomes = {key: {one["expected"] for one in CASES if one["key"] == key} for key in {one["key"] for one in CASES}}

    assert len(outcomes) >= 300
    assert sum("illegal" in found for found in outcomes.values()) >= 200
    assert [key for key, found in outcomes.items() if found == {"legal"}] == []


@pytest.mark.parametrize("title", sorted({case["title"] for case in CASES}))
def test_what_a_card_says_is_honoured(title):
    for case in (case for case in CASES if case["title"] == title):
        assert (case, outcome(case)) == (case, case["expected"])


def test_every_clause_of_the_table_is_quoted():
    texts = card_texts()

    assert [
        (case["key"], case["clause"])
        for case in CASES
        if not any(one.startswith(case["clause"]) for one in ("besides", *texts[case["key"]].clauses))
    ] == []


def outcome(case: dict[str, str]) -> str:
    ship = built(case)
    sheet = Sheet((ship,))
    if case["expected"] in ("legal", "illegal"):
        found = violations(sheet, Format(999, resource_rule="at most one"), date(2016, 3, 1))
        return "illegal" if any(one.rule == "7.10" for one in found) else "legal"
    if case["expected"].startswith("last"):
        return f"last {costs(sheet).of(ship.cards[-1].id).total}"
    line = next(line for line in ship.cards if line.card.key == case["key"])
    return str(costs(sheet).of(line.id).total)
