"""Rule 7.11: flagship cards, fleet captains, officers and the sideboard, with the resources that they come with."""

from dataclasses import replace
from datetime import date

import pytest

from fleets.domain.card_texts import card_texts
from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.intake import read, write
from fleets.domain.legality import Format, Tournament, violations
from fleets.domain.sheet import FLEET, Sheet
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.surviving import left, reachable
from fleets.domain.table import as_csv
from fleets.domain.texts import as_text
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.saying import in_english

ANY = Format(200)
TALENT = ((CardKind.TALENT, 1),)


def resource(title: str, cost: int = 10, *rules: str) -> Card:
    return card(CardKind.RESOURCE, title, cost, factions=(), rules=rules)


def rank(kind: CardKind, title: str, factions: tuple[str, ...], key: str = "", cost: int = 0, **facts) -> Card:
    rules = card_texts()[key].rules if key else ()
    return card(kind, title, cost, factions=factions, rules=rules, **facts)


def wrong(sheet: Sheet, format: Format = ANY) -> list[tuple[str, int]]:
    found = violations(sheet, format, date(2014, 8, 1))
    return [(one.sentence, one.line) for one in found if one.rule in ("7.10", "7.11", "7.12")]


def fleet(*cards: Card, has: Card | None, ship: Card | None = None, at: int = FLEET) -> Sheet:
    """The first ship with these cards, and a second one."""
    numbered = Numbered()
    ships = (
        numbered.ship(ship or ship_card(), *cards),
        numbered.ship(ship_card("Wren", factions=("KLI",)), captain_card("Onyx", factions=("KLI",))),
    )
    return Sheet(ships, numbered.line(has) if has else None, at)


FLAGSHIP = resource("Flagship")
KLINGON = rank(CardKind.FLAGSHIP, "Klingon", ("KLI",), hull=1, attack=1)
INDEPENDENT = rank(CardKind.FLAGSHIP, "Independent (Klingon)", ("IND",), slots=TALENT)
FLEET_CAPTAIN = resource("Fleet Captain", 5, "no cost beside kind fleet captain")
FEDERATION = rank(CardKind.FLEET_CAPTAIN, "Federation", ("FED",), cost=5)
OF_CREW = rank(CardKind.FLEET_CAPTAIN, "Independent (Klingon)", ("IND",), "independent_klingon_collectiveop2", cost=5)
OFFICERS = resource("Officer Cards", 0)
FIRST, SECOND, THIRD = (
    rank(CardKind.OFFICER, f"{name} Officer", ("IND",), cost=3) for name in ("First", "Second", "Third")
)
SIDEBOARD = resource("Reinforcements Sideboard", 10, "sideboard of 20 SP")
QUILL = card(CardKind.CREW, "Quill")


@pytest.mark.parametrize(
    ("sheet", "sentences"),
    [
        (fleet(captain_card(), INDEPENDENT, has=FLAGSHIP), []),
        (
            fleet(captain_card(), INDEPENDENT, has=None),
            [("Independent (Klingon) comes with the resource Flagship, which the fleet doesn’t have.", 3)],
        ),
        (
            fleet(captain_card(), KLINGON, has=FLAGSHIP),
            [("Klingon needs a ship of its own faction, and Kestrel isn’t one.", 3)],
        ),
        (
            fleet(captain_card(), INDEPENDENT, INDEPENDENT, has=FLAGSHIP),
            [
                (
                    (
                        "A fleet can have only one flagship, but this one has Independent (Klingon) and Independent "
                        "(Klingon)."
                    ),
                    4,
                )
            ],
        ),
        (fleet(captain_card(), INDEPENDENT, has=FLAGSHIP, at=1), []),
        (
            fleet(captain_card(), INDEPENDENT, has=FLAGSHIP, at=4),
            [("The resource Flagship is assigned to Wren, but the card it brings isn’t on that ship.", 3)],
        ),
        (fleet(captain_card(), FEDERATION, has=FLEET_CAPTAIN), []),
        (
            fleet(captain_card(unique=False), FEDERATION, has=FLEET_CAPTAIN),
            [("A fleet captain must be a unique captain, and Captain Vor isn’t unique.", 3)],
        ),
        (
            fleet(captain_card(factions=("KLI",)), FEDERATION, has=FLEET_CAPTAIN),
            [("Federation needs a captain and a ship of its own faction, and Captain Vor isn’t of that faction.", 3)],
        ),
        (
            fleet(captain_card(), FEDERATION, has=FLEET_CAPTAIN, ship=ship_card(factions=("KLI",))),
            [("Federation needs a captain and a ship of its own faction, and Kestrel isn’t of that faction.", 3)],
        ),
        (fleet(captain_card(factions=("KLI",)), OF_CREW, has=FLEET_CAPTAIN), []),
        (fleet(captain_card(), QUILL, FIRST, SECOND, has=OFFICERS), []),
        (
            fleet(captain_card(), QUILL, FIRST, SECOND, THIRD, has=OFFICERS),
            [("Officers go with crew cards, up to 2 each. Kestrel has no crew card left for Third Officer.", 6)],
        ),
        (
            fleet(captain_card(), QUILL, FIRST, has=None),
            [("First Officer comes with the resource Officer Cards, which the fleet doesn’t have.", 4)],
        ),
    ],
)
def test_what_comes_with_a_resource_has_its_rules(sheet, sentences):
    assert in_english(wrong(sheet)) == sentences


def test_the_hull_of_a_flagship_card_counts_where_a_card_asks_for_hull():
    relay = card(CardKind.TECH, "Relay", rules=("only on hull from 5",))
    large = ship_card(factions=("KLI",))

    assert wrong(fleet(captain_card(), KLINGON, relay, has=FLAGSHIP, ship=large)) == []
    assert len(wrong(fleet(captain_card(), relay, has=None, ship=large))) == 1


def test_the_resource_of_a_flagship_counts_among_the_50_sp_of_its_ship_and_is_lost_with_it():
    sheet = fleet(captain_card(cost=3), INDEPENDENT, has=FLAGSHIP, ship=ship_card(cost=38))
    of_2016 = Format(200, tournament=Tournament(fewest_ships=1))

    assert in_english([sentence for sentence, _ in wrong(sheet, of_2016)]) == [
        "Kestrel costs 51 SP with everything on it. Limit: 50 SP."
    ]
    assert left(sheet, {1}).sp == 20 + 3
    assert {0, 23, 51} <= set(reachable(sheet))


def test_an_independent_fleet_captain_pays_no_penalty_and_makes_cards_cheaper_on_all_ships():
    numbered = Numbered()
    first = numbered.ship(ship_card(), captain_card(factions=("KLI",)), OF_CREW)
    second = numbered.ship(ship_card("Wren"), captain_card("Onyx"), card(CardKind.CREW, "Quill", 4))
    sheet = Sheet((first, second), numbered.line(FLEET_CAPTAIN))

    assert [costs(sheet).of(line.id).total for line in (first.cards[0], second.cards[1])] == [3, 3]
    assert costs(sheet).resource == 0


def test_a_fleet_captain_brings_a_talent_or_makes_one_free():
    feint, gambit = card(CardKind.TALENT, "Feint", 5), card(CardKind.TALENT, "Gambit", 3)
    one = fleet(captain_card(slots=TALENT), OF_CREW, feint, has=FLEET_CAPTAIN)
    two = fleet(captain_card(slots=TALENT), OF_CREW, feint, gambit, has=FLEET_CAPTAIN)
    without_icon = fleet(captain_card(slots=()), OF_CREW, feint, has=FLEET_CAPTAIN)

    assert [costs(sheet).of(4).total for sheet in (one, two, without_icon)] == [0, 5, 5]
    assert [wrong(sheet) for sheet in (one, two, without_icon)] == [[], [], []]


def test_cards_of_the_sideboard_cost_nothing_and_have_a_limit_of_their_own():
    sheet = fleet(captain_card(), has=SIDEBOARD)
    numbered = [
        Card(CardKind.CREW, "Darts", cost=12),
        Card(CardKind.TECH, "Relay", cost=9),
        Card(CardKind.CREW, "Onyx II"),
    ]
    lines = tuple(replace(sheet.ships[0].line, id=90 + n, card=one) for n, one in enumerate(numbered))
    full = replace(sheet, other=lines)

    assert costs(full).total == costs(sheet).total
    assert left(full, set()).sp == left(sheet, set()).sp
    assert in_english([sentence for sentence, _ in wrong(full)]) == [
        "The sideboard costs 21 SP as printed. Limit: 20 SP.",
        "The sideboard holds one card of each kind, and Darts is already there.",
    ]
    assert wrong(replace(sheet, other=lines[1:])) == []


@pytest.mark.parametrize(("bonus", "wrong"), [(0, 1), (1, 1), (2, 0)])
def test_a_fleet_captain_adds_to_the_skill_that_cards_ask_for(bonus, wrong):
    numbered = Numbered()
    rank_card = replace(FEDERATION, skill=bonus)
    talent = card(CardKind.TECH, "Feint", 3, rules=("only under skill from 6",))
    ship = numbered.ship(ship_card(), replace(captain_card(), skill=4), rank_card, talent)
    sheet = Sheet((ship,), numbered.line(FLEET_CAPTAIN), resource_at=1)

    found = violations(sheet, Format(100), date(2014, 8, 1))

    assert [one.line for one in found if one.line == 4] == [4] * wrong


@pytest.mark.parametrize("form", [write, write_fleet, as_csv, lambda sheet, name: as_text(sheet, name).encode()])
def test_the_sideboard_comes_back_from_every_file_and_survives_as_it_was(form):
    kinds = (CardKind.CAPTAIN, CardKind.CREW, CardKind.WEAPON)
    beside = [replace(card(kind, f"Spare {kind}", 4), key=f"s-{kind}") for kind in kinds]
    numbered = Numbered()
    ship = numbered.ship(replace(ship_card(), key="ship"), replace(captain_card(), key="vor"))
    resource_line = numbered.line(replace(SIDEBOARD, key="side"))
    sheet = Sheet((ship,), resource_line, FLEET, tuple(map(numbered.line, beside)))

    (found,) = read(form(sheet, "Reserve"), lambda keys, titles: [line.card for line in sheet.lines])

    assert [line.card for line in found.sheet.other] == beside
    assert (found.not_recognised, found.skipped, found.differences) == ((), (), ())
    assert costs(found.sheet).total == costs(sheet).total
    assert (left(found.sheet, []), reachable(found.sheet)) == (left(sheet, []), reachable(sheet))
    assert violations(found.sheet, ANY, date(2014, 1, 1)) == violations(sheet, ANY, date(2014, 1, 1))
