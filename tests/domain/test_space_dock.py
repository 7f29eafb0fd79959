"""The public catalogue and its fleet files, against a real one where it is at hand."""

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import pytest

from fleets.domain.card_rules import UnknownRule, read_rule
from fleets.domain.card_texts import card_texts
from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.foreign import KnownCards, NotAFleet
from fleets.domain.legality import Format, violations
from fleets.domain.resources import RESOURCES, RULES
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.space_dock import Catalogue, CatalogueEntry, NotACatalogue, read_catalogue
from fleets.domain.space_dock_fleets import read_fleets, write_fleet
from fleets.domain.space_dock_rules import BY_NAME, PARTLY, rules_of_special
from tests.support.fleets_for_tests import real_cards, shared
from tests.support.saying import in_english

CATALOGUE = """<?xml version="1.0"?>
<Data version="7">
  <Ships><Ship><Title>Kestrel</Title><Unique>Y</Unique><ShipClass>Lark Class</ShipClass><Faction>Klingon</Faction>
    <AdditionalFaction>Mirror Universe</AdditionalFaction><Attack>3</Attack><Agility>2</Agility><Hull>4</Hull>
    <Shield>1</Shield><Cost>20</Cost><Crew>2</Crew><Tech>
    </Tech><Weapon>1</Weapon><Id>s1</Id><Set>a</Set><Ability>Long text.</Ability></Ship></Ships>
  <Upgrades><Upgrade><Title>Relay</Title><Type>Tech</Type><Faction>Federation</Faction><Cost>4</Cost><Id>u1</Id>
    <Special>PenaltyOnShipOtherThanDefiant</Special><Attack>5</Attack></Upgrade>
    <Upgrade><Title>Odd</Title><Type>Tech</Type><Faction>Federation</Faction><Cost>4</Cost><Id>u2</Id>
    <Special>SomethingNew</Special></Upgrade>
    <Upgrade><Title>Broken</Title><Type>Tech</Type><Faction>Nobody</Faction><Cost>4</Cost><Id>u3</Id></Upgrade></Upgrades>
  <Sets><Set id="a" releaseDate="2014-02-01">A set</Set></Sets>
</Data>"""


def test_a_catalogue_is_read_into_cards_and_says_what_it_does_not_understand():
    found = read_catalogue(CATALOGUE.encode())

    ship = Card(
        CardKind.SHIP,
        "Kestrel",
        ("KLI", "MIR"),
        20,
        "s1",
        unique=True,
        ship_class="Lark Class",
        attack=3,
        agility=2,
        hull=4,
        shields=1,
        slots=((CardKind.CREW, 2), (CardKind.WEAPON, 1)),
    )
    relay = Card(CardKind.TECH, "Relay", ("FED",), 4, "u1", rules=("costs 5 more unless on class Defiant Class",))
    odd = Card(CardKind.TECH, "Odd", ("FED",), 4, "u2", rules=("not checked: its rule “SomethingNew”",))
    assert found.version == "7"
    assert found.entries == (
        CatalogueEntry(ship, date(2014, 2, 1), ("A set",)),
        CatalogueEntry(relay),
        CatalogueEntry(odd),
    )
    assert in_english(found.not_understood) == (
        "Upgrade “Odd” (u2) isn’t fully checked: its rule “SomethingNew”",
        "Upgrade “Broken” (u3) skipped: “Nobody” isn’t a known faction.",
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file isn’t valid XML: no element found at line 1, column 1."),
        (b"<Data><Ships>", "The file isn’t valid XML: no element found at line 1, column 14."),
        (b"no XML", "The file isn’t valid XML: syntax error at line 1, column 1."),
        (b"<Data/>", "The file has no cards. Choose Space Dock’s Data.xml."),
        (
            b'<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><Data>&d;</Data>',
            "The file declares a document type, which no catalogue does. Choose another.",
        ),
        (b" " * 20_000_001, "The file is larger than 20 MB – too large for a catalogue. Choose another."),
    ],
)
def test_what_is_no_catalogue_is_refused_with_a_sentence(data, message):
    with pytest.raises(NotACatalogue) as refused:
        read_catalogue(data)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("inside", "times", "message"),
    [
        ("<Ship/>", 20_001, "The file has 20,001 cards; the limit is 20,000. Choose another."),
        ("<a/>", 1_500_000, "The file has more than 1,500,000 elements. Choose another."),
        ("<a>", 12, "The file is nested more than 12 levels deep. Choose another."),
    ],
)
def test_a_catalogue_beyond_its_bounds_is_refused_with_a_sentence(inside, times, message):
    with pytest.raises(NotACatalogue) as refused:
        read_catalogue(f"<Data><Ships>{inside * times}</Ships></Data>".encode())
    assert str(refused.value) == message


def upgrade(fields: str) -> Catalogue:
    """The catalogue of one upgrade with these fields."""
    return read_catalogue(f"<Data><Upgrades><Upgrade>{fields}</Upgrade></Upgrades></Data>".encode())


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ("<Title>Main</Title><Type>Sail</Type><Id>u9</Id>", "“Main” (u9) skipped: “Sail” isn’t a known kind of card"),
        ("<Title>Quill</Title><Type>Crew</Type>", "“Quill” (–) skipped: it has no id or no title"),
        ("<Type>Crew</Type><Id>u9</Id>", "“” (u9) skipped: it has no id or no title"),
        (
            "<Title>Quill</Title><Type>Crew</Type><Id>u9</Id><Cost>three</Cost>",
            "“Quill” (u9) skipped: “three” in Cost isn’t a number",
        ),
    ],
)
def test_a_card_that_cannot_be_read_is_left_out_and_named(fields, sentence):
    found = upgrade(fields)

    assert in_english((found.entries, found.not_understood)) == ((), (f"Upgrade {sentence}.",))


@pytest.mark.parametrize(("between", "cost"), [(96, 3), (97, 0)])
def test_the_first_hundred_fields_of_a_card_are_read(between, cost):
    fields = "".join(f"<More{number}/>" for number in range(between))

    (entry,) = upgrade(f"<Title>Quill</Title><Type>Crew</Type><Id>u9</Id>{fields}<Cost>3</Cost>").entries

    assert entry.card == Card(CardKind.CREW, "Quill", cost=cost, key="u9")


@pytest.mark.parametrize(
    ("special", "rules"),
    [
        ("", ()),
        ("NoMoreThanOnePerShip", ("one per ship",)),
        ("NoMoreThanOnePerShipFederation", ("only on faction FED", "one per ship")),
        ("NoMoreThanOnePerShipAndOnlySpecies8472Ship", ("one per ship", "only on faction SPE")),
        ("OnlyBorgShipAndNoMoreThanOnePerShip", ("one per ship", "only on faction BOR")),
        ("OnlyVulcanCaptainVulcanShip", ("only on faction VUL", "only under faction VUL")),
        ("OnlyKlingonCaptainShip", ("only on faction KLI", "only under faction KLI")),
        ("OnlyDominionCaptain", ("only under faction DOM",)),
        ("OnlyShipClass_Prometheus_Class", ("only on class Prometheus Class",)),
        ("OnlyShipClass_CONTAINS_Hirogen", ("only on class with Hirogen",)),
        ("OnlyShip_I.S.S._Enterprise", ("only on title I.S.S. Enterprise",)),
        ("OPSOnlyShipClass_Bajoran_Lightship", ("one per ship", "only on class Bajoran Lightship")),
        ("Plus5NotKlingon", ("costs 5 more unless on faction KLI",)),
        ("PlusFiveIfNotBorgShip", ("costs 5 more unless on faction BOR",)),
        ("PlusFiveForNonKazon", ("costs 5 more unless on faction KAZ",)),
        ("Plus5NotShipClass_Oberth_Class", ("costs 5 more unless on class Oberth Class",)),
        ("Plus3NotFederationNoMoreThanOnePerShip", ("one per ship", "costs 3 more unless on faction FED")),
        ("Something", None),
        ("OnlyBreenCaptain", None),
        ("OnlyTholianCaptain", ("only under title Loskene or title with Tholian",)),
        ("OnlyTholianShip", ("only on class Tholian Vessel",)),
        ("OnlyDominionHV4", ("only on faction DOM and hull from 4",)),
        ("OnlyFedShipHV4CostPWVP1", ("only on faction FED and hull from 4", "costs attack plus 1")),
        ("OnlyXindiANDCostPWV", ("only on faction XIN", "costs attack")),
        ("OnlyNonBorgShipAndNonBorgCaptain", ("only on not faction BOR", "only under not faction BOR", "adds borg 1")),
        ("OneDominionUpgradeCostsMinusTwo", ("one DOM upgrade costs 2 less",)),
        ("addoneweaponslot1xindi2less", ("adds weapon 1", "one XIN weapon costs 2 less")),
        ("TwoBajoranTalents", ("adds talent 2", "talents only faction BAJ")),
        ("KuvahMagh2Less", ("talents only title Kuvah'Magh", "title Kuvah'Magh costs 2 less")),
        ("not_with_jean_luc_picard", ("not with title Jean-Luc Picard",)),
        ("sakonna_gavroche", ("adds weapon 1", "weapon up to 5 SP costs 2 less")),
        ("limited_max_weapon_3", ("one per ship", "only on attack up to 3")),
        ("BSVT", ("only on hull up to 7", "ship costs 10 less", "ship costs 5 less on class Borg Sphere")),
        (
            "KTemoc",
            ("talents only faction KLI", "KLI upgrade costs 1 less", "non-KLI upgrade with double penalty"),
        ),
        ("Movar", None),
    ],
)
def test_the_names_of_special_rules_are_said_in_our_words(special, rules):
    assert rules_of_special(special) == rules


@pytest.mark.parametrize(
    "text",
    [
        *(
            "one per ship",
            "no captain",
            "only on class Galaxy Class",
            "only under skill up to 5",
            "not with title Hugh",
        ),
        *(
            "adds tech 1, crew 2",
            "talents only faction KLI",
            "costs 5 more unless on faction FED",
            "costs attack plus 1",
        ),
        *(
            "FED crew costs 1 less",
            "one DOM upgrade costs 2 less",
            "upgrade costs 1 less on faction IND",
            "talent costs 3",
        ),
        *("weapon up to 5 SP costs 2 less", "title Reman Bodyguards costs 2 less", "no penalty on not faction BOR"),
        *("talent without penalty", "non-KLI upgrade with double penalty", "costs half of all shields"),
        *("costs 2 for each hull over 3", "extra talents for 1", "no cost beside kind fleet captain"),
    ],
)
def test_the_rules_that_a_person_can_type_are_read(text):
    assert read_rule(text)


@pytest.mark.parametrize(
    "text",
    [
        *("one per fleet", "only on faction XYZ", "adds sails 2", "only on hull from four", ""),
        *(
            "costs attack plus 9999",
            "costs 1 for each hull over 1000",
            f"extra talents for {'9' * 100}",
            "adds tech 100",
        ),
        *("costs 1000 more unless on faction FED", "crew costs 1000 less", "talent costs ３", "only on hull from 1000"),
    ],
)
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(UnknownRule):
        read_rule(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("XYZ crew costs 1 less", "“XYZ” isn’t a faction"),
        ("non-XYZ upgrade costs 1 less", "“XYZ” isn’t a faction"),
        ("only on hull from four", "“hull from four” isn’t something a card can be"),
        ("flies", "“flies” isn’t a rule for cards"),
    ],
)
def test_of_a_rule_it_says_what_is_not_understood(text, sentence):
    with pytest.raises(UnknownRule) as refused:
        read_rule(text)
    assert str(refused.value) == sentence


# fleets


CARDS = [entry.card for entry in read_catalogue(CATALOGUE.encode()).entries]
FLEET = {
    "name": "  Two \n lines ",
    "ships": [
        {"shipId": "s1", "captain": {"upgradeId": "c9", "upgradeTitle": "Captain Vor"}, "upgrades": [
            {"upgradeId": "u1", "costIsOverridden": True, "overriddenCost": 0, "calculatedCost": 9}]},
    ],
    "additionalPoints": 5,
}  # fmt: skip


def test_a_fleet_is_read_and_what_is_no_card_stays_there_by_hand():
    cards = {card.key: card for card in CARDS}
    (found,) = read_fleets(FLEET, KnownCards(CARDS))

    ship = Ship(
        CardLine(1, cards["s1"]),
        (
            CardLine(2, Card(CardKind.CAPTAIN, "Captain Vor")),
            CardLine(3, cards["u1"], cost_by_hand=0, note="imported so"),
        ),
    )
    assert found.name == "Two lines"
    assert found.sheet == Sheet((ship,), other=(CardLine(4, Card(CardKind.OTHER, "Additional points", cost=5)),))
    assert (found.not_recognised, found.calculated) == (("Captain Vor",), ((3, 9),))


def test_cards_of_the_sideboard_stand_beside_the_ships():
    relay, odd = CARDS[1:]
    sideboard = {"shipId": "side", "sideboard": True, "captain": None, "upgrades": [{"upgradeId": "u2"}]}
    (found,) = read_fleets(
        {"ships": [sideboard, {"shipId": "s1", "upgrades": [{"upgradeId": "u1"}]}]}, KnownCards(CARDS)
    )

    assert found.sheet == Sheet((Ship(CardLine(2, CARDS[0]), (CardLine(3, relay),)),), other=(CardLine(1, odd),))


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([], "The file has 0 fleets. Choose one with 1 to 500."),
        ([1] * 501, "The file has 501 fleets. Choose one with 1 to 500."),
        ({}, "The file has no fleet. Export it again from Space Dock."),
        ([1], "The file is damaged where a fleet should be. Export it again from Space Dock."),
        ({"ships": 3}, "The file is damaged: “ships” isn’t a list. Export it again from Space Dock."),
        ({"ships": [3]}, "The file is damaged where a ship should be. Export it again from Space Dock."),
        (
            {"ships": [{"upgrades": [{}] * 300}]},
            "A fleet in the file has more than 200 cards – too many for a fleet.",
        ),
    ],
)
def test_what_is_no_fleet_is_refused_with_a_sentence(found, message):
    with pytest.raises(NotAFleet) as refused:
        read_fleets(found, KnownCards([]))
    assert str(refused.value) == message


def test_a_fleet_is_written_and_read_again():
    (found,) = read_fleets(FLEET, KnownCards(CARDS))
    (again,) = read_fleets(json.loads(write_fleet(found.sheet, "Two lines")), KnownCards(CARDS))

    by_hand = replace(found.sheet.ships[0].cards[0], cost_by_hand=0, note="imported so")
    ship = replace(found.sheet.ships[0], cards=(by_hand, found.sheet.ships[0].cards[1]))
    assert (again.name, again.sheet) == ("Two lines", replace(found.sheet, ships=(ship,)))


# the real files


def test_the_public_catalogue_is_read_whole_and_every_rule_of_it_can_be_checked():
    found = read_catalogue(shared("spacedock-Data.xml"))
    kinds = Counter(entry.card.kind for entry in found.entries)

    assert (kinds[CardKind.SHIP], kinds[CardKind.CAPTAIN], kinds[CardKind.ADMIRAL], kinds[CardKind.FLAGSHIP]) == (
        286,
        274,
        30,
        8,
    )
    assert sum(kinds.values()) == 286 + 274 + 30 + 927 + 40 + 8 + 8 + 4
    assert [sentence for sentence in found.not_understood if "skipped" in str(sentence)] == []
    assert all(read_rule(text) for entry in found.entries for text in entry.card.rules)
    assert all(entry.released for entry in found.entries)


def fleets_of_players():
    look = KnownCards(real_cards().values())
    return [
        fleet
        for name in ("player-fleets.spacedocksquads", "romulan_2_ship.spacedock")
        for fleet in read_fleets(json.loads(shared(name)), look)
    ]


def test_what_is_not_understood_of_the_public_catalogue_is_said_by_name():
    found = read_catalogue(shared("spacedock-Data.xml"))
    said = Counter(
        re.fullmatch(r".* “(.+)” \(.*\) isn’t fully checked: .+", str(one))[1] for one in found.not_understood
    )

    assert said == {
        "Gareb": 2,
        "Warp Drive Refit": 1,
        "Aft Torpedo Launcher": 3,
        "Klingon Helmsman": 1,
        "Standby Battle Stations": 1,
        "Officer Exchange Program": 1,
    }


def test_every_clause_that_is_quoted_stands_on_its_card_and_what_is_not_checked_has_its_reason():
    printed = {row["Id"]: " ".join(row.get("Ability", "").split()) for row in rows_of(shared("spacedock-Data.xml"))}
    texts = card_texts()

    assert [key for key in texts if key not in printed] == []
    assert [(key, one) for key, text in texts.items() for one in text.clauses if one not in printed[key]] == []
    left = [text for text in texts.values() if any(rule.startswith("not checked") for rule in text.rules)]
    assert len(left) == 8
    assert all(text.note for text in left)


def rows_of(data: bytes) -> list[dict[str, str]]:
    """The cards of a catalogue, as the file has them."""
    parts = (part for part in ElementTree.fromstring(data) if part.tag not in ("Sets", "ShipClassDetails"))
    return [{field.tag: field.text or "" for field in row} for part in parts for row in part]


@pytest.mark.parametrize(
    "special",
    [special for special, rules in {**BY_NAME, **PARTLY}.items() if rules],
)
def test_every_special_that_is_understood_stands_in_the_public_catalogue(special):
    assert f"<Special>{special}</Special>".encode() in shared("spacedock-Data.xml")


def test_the_resources_of_the_public_catalogue_have_their_names_and_formulas():
    resources = {one.card.title: one.card for one in read_catalogue(shared("spacedock-Data.xml")).entries}

    assert [one.name for one in RESOURCES if one.name not in resources] == []
    assert {title: resources[title].rules for title in RULES} == RULES
    assert resources["Mutiny"].cost == 10


def test_every_card_of_real_fleets_costs_what_another_program_says():
    """Overridden costs are taken away for it: the other program says beside them what it would have calculated."""
    compared = 0
    for fleet in fleets_of_players():
        as_calculated = [
            Ship(ship.line, tuple(replace(line, cost_by_hand=None) for line in ship.cards))
            for ship in fleet.sheet.ships
        ]
        found = costs(replace(fleet.sheet, ships=tuple(as_calculated)))
        assert [(id, found.of(id).total) for id, _ in fleet.calculated] == list(fleet.calculated), fleet.name
        compared += len(fleet.calculated)
    assert compared == 94


def test_every_ship_of_real_fleets_costs_what_another_program_says():
    """It counts the resource Flagship, 10 SP, with the ship that has the flagship card."""
    for fleet in fleets_of_players():
        found = costs(fleet.sheet)
        totals = [
            total + (found.resource if fleet.sheet.resource_at == ship.line.id else 0)
            for ship, total in zip(fleet.sheet.ships, found.ships, strict=True)
        ]
        expected = [calculated for calculated in fleet.calculated_ships if calculated is not None]
        assert (fleet.name, totals if expected else []) == (fleet.name, expected)


def test_real_fleets_come_back_from_their_files_the_same():
    look = KnownCards(real_cards().values())
    for fleet in fleets_of_players():
        (again,) = read_fleets(json.loads(write_fleet(fleet.sheet, fleet.name)), look)
        assert again.sheet == fleet.sheet


def test_real_fleets_are_legal_but_for_what_is_wrong_with_them():
    format, day = Format(100), date(2014, 4, 1)
    wrong = {
        fleet.name: [found.rule for found in violations(fleet.sheet, format, day)] for fleet in fleets_of_players()
    }

    assert {name: rules for name, rules in wrong.items() if rules} == {
        "Dominion": ["7.5"],
        "Dom OP4 no fs": ["7.5"],
    }
