"""Each rule of a card is a sentence that says what it means, with no code of a faction in it."""

import re

import pytest

from fleets.domain.card_rules import not_checked, read_rule
from fleets.domain.card_sentences import sentence
from fleets.domain.card_texts import card_texts
from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.resources import RULES
from tourney.runtime.messages import message

CODES = re.compile(rf"\b({'|'.join(code for code in FACTIONS if len(code) > 1)})\b")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("one per ship", "One per ship."),
        ("no captain", "The ship can’t have a captain."),
        ("no admiral", "The ship can’t have an admiral."),
        ("needs no captain", "The ship needs no captain."),
        ("second captain", "The ship may have a second captain."),
        ("only on faction FED and hull up to 3", "Only on a ship that is: Federation and hull 3 or less."),
        ("only under faction FER", "Only under a captain that is: Ferengi."),
        ("only in a fleet with title Quill", "Only in a fleet with another card that is: “Quill”."),
        ("not with title Quill", "Not in a fleet with another card that is: “Quill”."),
        ("crew only faction KLI", "Each crew on the ship must be: Klingon."),
        ("adds tech 1, crew 2", "Adds these slots: 1 Tech and 2 Crew."),
        (
            "adds talent 1 for faction KLI under faction KLI",
            "Adds these slots: 1 Elite talent. They are only for cards that are: Klingon. "
            "This counts only under a captain that is: Klingon.",
        ),
        (
            "adds talent 1 or one free talent",
            "Adds an elite talent slot. If the captain has a talent icon, one elite talent may be free instead.",
        ),
        ("talents only title Quill", "Elite talents in its slots must be: “Quill”."),
        ("needs no slot", "Needs no slot."),
        (
            "needs no slot beside title Quill",
            "Needs no slot. This counts only beside a card of the ship that is: “Quill”.",
        ),
        ("takes borg 1, weapon 1", "Takes these slots: 1 Borg and 1 Weapon."),
        ("fits weapon, crew, tech", "Fits in any one of these slots: Crew, Tech and Weapon."),
        ("turns 1 crew, tech into weapon", "The ship may use 1 of these slots as Weapon: Crew and Tech."),
        ("turns any crew into weapon", "The ship may use any of these slots as Weapon: Crew."),
        (
            "hides 2 crew",
            "2 cards may lie face down under this one, for free and without a slot: crew.",
        ),
        ("gives faction IND", "The ship is also Independent."),
        ("talent of any faction", "Elite talent: may be on a ship and under a captain of any faction."),
        ("costs 5 more unless on faction SPE", "5 SP more, unless on a ship that is: Species 8472."),
        (
            "costs 5 more unless under skill up to 5",
            "5 SP more, unless under a captain that is: captain skill 5 or less.",
        ),
        ("costs attack", "Costs as much as the ship’s attack."),
        ("costs attack plus 1", "Costs as much as the ship’s attack and 1 SP more."),
        ("FED crew costs 1 less", "Federation crew: 1 SP less."),
        ("upgrade costs 2 less to at least 1", "upgrade: 2 SP less. Never less than 1 SP."),
        ("tech for any ship costs 1 less for all ships", "tech for any ship on any ship of the fleet: 1 SP less."),
        ("one upgrade costs 2 less", "upgrade: 2 SP less for the 1 most expensive one."),
        ("3 non-BOR tech costs 1 less", "non-Borg tech: 1 SP less for each of the 3 most expensive ones."),
        ("talent costs 3", "elite talent: 3 SP each."),
        ("one talent costs 3", "elite talent: 3 SP for the 1 most expensive one."),
        ("2 weapon up to 5 SP costs 3", "weapon up to 5 SP: 3 SP each for the 2 most expensive ones."),
        ("title Quill costs 2 less", "“Quill”: 2 SP less."),
        ("no penalty", "No faction penalty."),
        ("no penalty on faction FED", "No faction penalty. This counts only on a ship that is: Federation."),
        ("ROM upgrade without penalty", "Romulan upgrade: no faction penalty."),
        ("one talent without penalty", "elite talent: no faction penalty for 1 of them."),
        ("non-KLI upgrade with double penalty", "non-Klingon upgrade: double faction penalty."),
        (
            "talent costs 3 in a fleet with title Quill",
            "elite talent: 3 SP each. This counts only in a fleet with a card that is: “Quill”.",
        ),
        ("costs half of all hull", "Costs half of the fleet’s hull points, rounded up."),
        ("costs half of all shields", "Costs half of the fleet’s shields, rounded up."),
        ("costs 2 for each hull over 3", "Costs 2 SP for each hull point over 3."),
        ("extra talents for 1", "One more elite talent on a ship for each of its crew, for 1 SP each."),
        ("no cost beside title Quill", "Free in a fleet with a card that is: “Quill”."),
        ("sideboard of 20 SP", "Sideboard: cards beside the ships of 20 SP in all, for free."),
        ("not checked: This costs more.", "Not fully checked: This costs more."),
        ("not checked: its rule “SomethingNew”", "Not fully checked: its rule “SomethingNew”."),
    ],
)
def test_a_rule_is_a_sentence(rule, said):
    assert str(sentence(read_rule(rule))) == said


def test_every_rule_that_comes_with_flagship_is_a_sentence_without_codes():
    of_texts = [rule for text in card_texts().values() for rule in text.rules]
    rules = {*of_texts, *(rule for rules in RULES.values() for rule in rules)}
    said = {rule: str(sentence(read_rule(rule))) for rule in rules}

    assert len(said) > 100
    assert {rule: one for rule, one in said.items() if CODES.search(one) or one[-1] != "." or "{" in one} == {}


def test_what_is_left_to_a_person_is_as_printed_or_names_the_rule_that_nobody_has_read():
    odd = Card(CardKind.TECH, "Odd", rules=("not checked: This costs more", "not checked: its rule “SomethingNew”"))

    assert not_checked(odd) == ("This costs more", message("its rule “{name}”", name="SomethingNew"))
