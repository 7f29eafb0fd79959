"""Rules 7.11 and 7.12: what the format of an event asks of a fleet, its resource, its size and its blind booster."""

from dataclasses import replace
from datetime import date

import pytest

from fleets.domain.cards import Card, CardKind
from fleets.domain.legality import Format, Tournament
from fleets.domain.sheet import CardLine, Sheet, Ship
from tests.domain.test_legality import ANY, DAY, KESTREL, fleet, token, wrong
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.saying import in_english

OF_2016 = Format(130, resource_rule="at most one", tournament=Tournament())


@pytest.mark.parametrize(
    ("format", "resource", "on", "sentences"),
    [
        (Format(100), None, DAY, []),
        (Format(100), token(), DAY, []),
        (ANY, None, DAY, []),
        (
            Format(100, resource_rule="none"),
            token(),
            DAY,
            ["This event is played without resources, but the fleet has Command Tokens."],
        ),
        (
            Format(100, resources=("Flagship",)),
            token(),
            DAY,
            ["This event’s resource is Flagship, not Command Tokens."],
        ),
        (
            Format(100, resources=("Flagship", "Fleet Captain")),
            token(),
            DAY,
            ["Command Tokens isn’t allowed at this event. These are: Flagship and Fleet Captain."],
        ),
        (Format(100, retire=True), token(), date(2015, 3, 31), []),
        (
            Format(100, retire=True),
            token(),
            date(2015, 4, 1),
            ["The resource Command Tokens was retired before this event’s date."],
        ),
        (
            Format(100, retire=True),
            token(),
            date(2013, 9, 30),
            ["The resource Command Tokens isn’t out yet on this event’s date."],
        ),
        (Format(100, retire=True), token("Home-made"), DAY, []),
        (Format(100, available=True), token(), date(2015, 4, 1), []),
        (
            Format(100, available=True),
            token(),
            date(2013, 9, 30),
            ["The resource Command Tokens isn’t out yet on this event’s date."],
        ),
        (Format(100), token(), date(2013, 9, 30), []),
        (Format(100, resources=("Reinforcements Sideboard",)), token("Reinforcement Sideboard"), DAY, []),
    ],
)
def test_7_11_resources(format, resource, on, sentences):
    assert (
        in_english([sentence for rule, sentence, _ in wrong(fleet(KESTREL, resource=resource), format, on)])
        == sentences
    )


def three(*cards: Card) -> tuple[tuple[Card, ...], ...]:
    """Three ships, the first with these cards."""
    return (
        (ship_card(), captain_card(), *cards),
        (ship_card("Lark"), captain_card("Captain Onyx")),
        (ship_card("Wren"), captain_card("Captain Pike")),
    )


@pytest.mark.parametrize(
    ("case", "sheet", "sentences"),
    [
        ("three ships", fleet(*three()), []),
        ("two ships", fleet(*three()[:2]), ["The fleet has 2 ships; this format requires at least 3."]),
        ("50 SP on a ship", fleet(*three(card(CardKind.CREW, "Quill", 27))), []),
        (
            "51 SP on a ship",
            fleet(*three(card(CardKind.CREW, "Quill", 28))),
            ["Kestrel costs 51 SP with everything on it. Limit: 50 SP."],
        ),
        (
            "with the resource",
            fleet(*three(card(CardKind.CREW, "Quill", 25)), resource=token(), at=1),
            ["Kestrel costs 53 SP with everything on it. Limit: 50 SP."],
        ),
        (
            "a large ship with 8 SP of upgrades",
            fleet((ship_card(cost=43), captain_card(cost=6), card(CardKind.CREW, "Quill", 8)), *three()[1:]),
            [],
        ),
        (
            "a large ship with 9",
            fleet((ship_card(cost=43), captain_card(cost=6), card(CardKind.CREW, "Quill", 9)), *three()[1:]),
            [
                (
                    "Kestrel costs 58 SP with everything on it. Limit with its captain, its admiral and 8 SP of "
                    "upgrades: 57 SP."
                )
            ],
        ),
        (
            "two oversized bases",
            fleet(
                *three()[:1],
                (ship_card("Cube", 30, ship_class="Borg Cube"), captain_card("Captain Onyx")),
                (ship_card("Station", 30, ship_class="Nor Class Orbital Space Station"), captain_card("Captain Pike")),
            ),
            ["Station has an oversized base. This format allows 1 ship with one."],
        ),
    ],
)
def test_7_12_the_2016_format(case, sheet, sentences):
    assert in_english([sentence for rule, sentence, _ in wrong(sheet, OF_2016)]) == sentences


def test_7_12_the_blind_booster_is_apart():
    boosted = replace(OF_2016, tournament=Tournament(fewest_ships=1), booster=40)
    numbered = Numbered()
    own = numbered.ship(ship_card(cost=89), captain_card(cost=3))
    drawn = numbered.ship(ship_card("Wren", 30), captain_card("Captain Pike", 4))
    mixed = replace(drawn, line=replace(drawn.line, booster=True))

    assert in_english(
        [
            sentence
            for _, sentence, _ in wrong(Sheet((own, mixed)), boosted)
            if "with everything on it" not in str(sentence)
        ]
    ) == [
        "Without the blind booster, the fleet costs 96 SP. Limit: 90 SP.",
        "Only one of Captain Pike and Wren is from the blind booster. Don’t mix them.",
    ]
    assert in_english([sentence for _, sentence, _ in wrong(Sheet((mixed,)), ANY)]) == [
        "This event has no blind booster, but Wren is from one."
    ]


@pytest.mark.parametrize(
    ("cost", "sentences"),
    [(37, []), (38, ["The blind booster’s cards cost 41 SP. Limit: 40 SP."])],
)
def test_7_12_the_cards_of_the_blind_booster_cost_what_is_kept_for_them(cost, sentences):
    drawn = Numbered().ship(ship_card(cost=cost), captain_card(cost=3))
    drawn = Ship(replace(drawn.line, booster=True), tuple(replace(line, booster=True) for line in drawn.cards))

    boosted = replace(OF_2016, tournament=Tournament(fewest_ships=1), booster=40)

    assert in_english([sentence for _, sentence, _ in wrong(Sheet((drawn,)), boosted)]) == sentences


def test_7_11_one_resource_is_enough_unless_the_month_says_otherwise():
    extra = CardLine(90, token())
    two = replace(fleet(KESTREL, resource=token()), other=(extra,))

    assert in_english([sentence for _, sentence, _ in wrong(two)]) == [
        "This event allows only one resource, but the fleet has Command Tokens and Command Tokens."
    ]
    assert wrong(two, Format(100, resource_rule="any number")) == []


STATION = ship_card("Ring", 40, ship_class="Nor Class Orbital Space Station")


FLAGSHIP = card(CardKind.FLAGSHIP, "Independent Flagship", 10, factions=("IND",))


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        pytest.param(fleet((*KESTREL, FLAGSHIP), resource=token("Flagship")), [], id="a ship can be one"),
        pytest.param(fleet(KESTREL, resource=token("Flagship"), at=1), [], id="the resource on a ship"),
        pytest.param(
            fleet((STATION, captain_card(), FLAGSHIP), resource=token("Flagship")),
            ["Ring is a station, so it can’t be a flagship. Move Independent Flagship to a ship."],
            id="the card on a station",
        ),
        pytest.param(
            fleet((STATION, captain_card()), resource=token("Flagship"), at=1),
            ["Ring is a station, so it can’t be a flagship. Move Flagship to a ship."],
            id="the resource on a station",
        ),
        pytest.param(
            fleet((STATION, captain_card(), FLAGSHIP), resource=token("Flagship"), at=1),
            ["Ring is a station, so it can’t be a flagship. Move Independent Flagship to a ship."],
            id="both, said once",
        ),
        pytest.param(
            fleet(
                (ship_card("Turret", 10, ship_class="Orbital Weapon Platform"), captain_card(), FLAGSHIP),
                resource=token("Flagship"),
            ),
            ["Turret is a station, so it can’t be a flagship. Move Independent Flagship to a ship."],
            id="a stationary platform",
        ),
        pytest.param(fleet((STATION, captain_card()), resource=token("Flagship")), [], id="the resource of the fleet"),
        pytest.param(fleet((STATION, captain_card()), resource=token(), at=1), [], id="another resource on a station"),
    ],
)
def test_7_11_a_station_is_no_flagship(sheet, expected):
    assert in_english([sentence for rule, sentence, _ in wrong(sheet) if rule == "7.11"]) == expected
