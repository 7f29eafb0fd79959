"""Rules 7.3 to 7.13: what is wrong with a fleet, all at once and in plain words."""

from dataclasses import replace
from datetime import date

import pytest

from fleets.domain.cards import Card, CardKind
from fleets.domain.legality import Format, Tournament, Violation, violations
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.saying import in_english

DAY = date(2014, 6, 20)
ANY = Format(100, resource_rule="at most one")
OF_2016 = Format(130, resource_rule="at most one", tournament=Tournament())


def fleet(*ships: tuple[Card, ...], resource: Card | None = None, at: int = FLEET, **facts) -> Sheet:
    numbered = Numbered()
    built = tuple(numbered.ship(*cards) for cards in ships)
    return Sheet(built, numbered.line(resource) if resource else None, at, **facts)


def token(title: str = "Command Tokens", cost: int = 5) -> Card:
    return card(CardKind.RESOURCE, title, cost, factions=())


def wrong(sheet: Sheet, format: Format = ANY, on: date = DAY) -> list[tuple[str, str, int]]:
    return [(found.rule, found.sentence, found.line) for found in violations(sheet, format, on)]


KESTREL = (ship_card(), captain_card())
SENIOR_STAFF = card(CardKind.RESOURCE, "Senior Staff", 0, factions=(), rules=("extra talents for 1",))
NOT_TWO = ("not with title Third",)
RETROFIT = card(CardKind.RESOURCE, "Retrofit", 5, factions=(), rules=("adds tech 1",))


def test_a_legal_fleet_has_nothing_wrong():
    lark = (
        ship_card("Lark", 22),
        captain_card("Captain Onyx"),
        card(CardKind.CREW, "Quill"),
        card(CardKind.TALENT, "Feint"),
    )

    assert wrong(fleet(KESTREL, lark, resource=token()), Format(100)) == []


@pytest.mark.parametrize(
    ("rule", "sheet", "sentence", "line"),
    [
        ("7.3", fleet(), "The fleet has no ships. Add one.", 0),
        (
            "7.5",
            fleet((ship_card(cost=99), captain_card())),
            "The fleet costs 102 SP, 2 over the 100 SP limit.",
            0,
        ),
        ("7.8", fleet((ship_card(),)), "Kestrel needs a captain.", 1),
        (
            "7.8",
            fleet((*KESTREL, captain_card("Captain Onyx"))),
            "Kestrel already has a captain, so Captain Onyx can’t be on it too.",
            3,
        ),
        (
            "7.8",
            fleet((ship_card("Octahedron", rules=("no captain",)), captain_card())),
            "Octahedron can’t have a captain, but Captain Vor is on it.",
            2,
        ),
        (
            "7.8",
            fleet((*KESTREL, card(CardKind.ADMIRAL, "Brine"), card(CardKind.ADMIRAL, "Harrow"))),
            "A fleet can have only one admiral, but this one has Brine and Harrow.",
            4,
        ),
        (
            "7.9",
            fleet((*KESTREL, card(CardKind.CREW, "Captain Vor", unique=True))),
            "Captain Vor is unique, but it’s in the fleet twice.",
            3,
        ),
        (
            "7.10",
            fleet((*KESTREL, card(CardKind.TECH, "Relay"), card(CardKind.TECH, "Beacon"))),
            "Kestrel has 1 tech slot, so Beacon doesn’t fit.",
            4,
        ),
        (
            "7.10",
            fleet((*KESTREL, card(CardKind.BORG, "Node"))),
            "Kestrel has no Borg slots, so Node doesn’t fit.",
            3,
        ),
        (
            "7.10",
            fleet((*KESTREL, card(CardKind.TALENT, "Feint"), card(CardKind.TALENT, "Gambit"))),
            "Kestrel has 1 elite talent slot, so Gambit doesn’t fit.",
            4,
        ),
        (
            "7.10",
            fleet((*KESTREL, *[card(CardKind.WEAPON, "Torpedoes", rules=("one per ship",))] * 2)),
            "Torpedoes is limited to one per ship, and Kestrel already has it.",
            4,
        ),
        (
            "7.10",
            fleet((*KESTREL, card(CardKind.TECH, "Relay", rules=("only on faction KLI or class with Nebula",)))),
            "Relay is only for these ships: Klingon or Nebula class. Kestrel isn’t one.",
            3,
        ),
        (
            "7.10",
            fleet((*KESTREL, card(CardKind.TALENT, "Feint", rules=("only under faction KLI",)))),
            "Feint is only for these captains: Klingon. Captain Vor isn’t one.",
            3,
        ),
        (
            "7.10",
            fleet((*KESTREL, card(CardKind.WEAPON, "Phasers", rules=("only on attack up to 3 and not faction FED",)))),
            "Phasers is only for these ships: attack 3 or less and not Federation. Kestrel isn’t one.",
            3,
        ),
        (
            "7.10",
            fleet(
                (*KESTREL, card(CardKind.CREW, "Third", rules=("not with title Quill",)), card(CardKind.CREW, "Quill"))
            ),
            "Third can’t be in a fleet with Quill.",
            3,
        ),
        (
            "7.10",
            fleet(
                (
                    ship_card(),
                    captain_card(rules=("talents only faction KLI",)),
                    card(CardKind.ADMIRAL, "Brine", slots=((CardKind.TALENT, 1),)),
                    *[card(CardKind.TALENT, "Feint"), card(CardKind.TALENT, "Gambit")],
                )
            ),
            "Captain Vor has elite talent slots only for: Klingon. Gambit doesn’t qualify.",
            5,
        ),
        (
            "7.10",
            fleet(
                (*KESTREL, card(CardKind.CREW, "Quill"), *[card(CardKind.TALENT, "Feint")] * 3), resource=SENIOR_STAFF
            ),
            "Kestrel has 2 elite talent slots, so Feint doesn’t fit.",
            6,
        ),
        (
            "7.13",
            fleet((ship_card("Midge", 6, hull=1, ship_class="Type 7 Shuttlecraft"), captain_card())),
            "Midge needs its own ship with hull 4 or more, and the fleet has none left.",
            1,
        ),
    ],
)
def test_7_each_rule_has_its_sentence_and_its_line(rule, sheet, sentence, line):
    assert in_english(wrong(sheet)) == [(rule, sentence, line)]


@pytest.mark.parametrize(
    ("rule", "sheet"),
    [
        ("7.8 no captain where none is taken", fleet(KESTREL, (ship_card("Cloud", 8, rules=("no captain",)),))),
        ("7.9 a name that is not unique", fleet((*KESTREL, *[card(CardKind.CREW, "Ensign")] * 2))),
        (
            "7.9 the Mirror Universe is a set of its own",
            fleet((*KESTREL, card(CardKind.CREW, "Captain Vor", mirror_unique=True))),
        ),
        (
            "7.10 a card adds a slot",
            fleet((*KESTREL, card(CardKind.TECH, "Relay", rules=("adds tech 1",)), card(CardKind.TECH, "Beacon"))),
        ),
        (
            "7.10 an admiral brings a talent",
            fleet(
                (
                    *KESTREL,
                    card(CardKind.ADMIRAL, "Brine", slots=((CardKind.TALENT, 1),)),
                    *[card(CardKind.TALENT, "Feint")] * 2,
                )
            ),
        ),
        (
            "7.10 a flagship card makes it such a ship",
            fleet(
                (
                    *KESTREL,
                    card(CardKind.FLAGSHIP, "Flagship", 0, factions=("IND", "KLI")),
                    card(CardKind.TECH, "Relay", rules=("only on faction KLI",)),
                ),
                resource=token("Flagship", 10),
            ),
        ),
        (
            "7.10 a resource adds a talent for each crew",
            fleet(
                (*KESTREL, card(CardKind.CREW, "Quill"), *[card(CardKind.TALENT, "Feint")] * 2), resource=SENIOR_STAFF
            ),
        ),
        (
            "7.10 a resource adds a slot to its ship",
            fleet((*KESTREL, card(CardKind.TECH, "Relay"), card(CardKind.TECH, "Beacon")), resource=RETROFIT, at=1),
        ),
        (
            "7.10 a talent that its captain asks for",
            fleet(
                (
                    ship_card(),
                    captain_card(rules=("talents only title Feint", "adds talent 1")),
                    *[card(CardKind.TALENT, "Feint")] * 2,
                )
            ),
        ),
        (
            "7.10 what is only not for a faction",
            fleet(
                (
                    ship_card(factions=("KLI",)),
                    captain_card(),
                    card(CardKind.WEAPON, "Phasers", rules=("only on not faction FED",)),
                )
            ),
        ),
        ("7.10 alone where it may not be with itself", fleet((*KESTREL, card(CardKind.CREW, "Third", rules=NOT_TWO)))),
        (
            "7.13 each small ship with its own large one",
            fleet(KESTREL, (ship_card("Midge", 6, hull=1, ship_class="Type 7 Shuttlecraft"), captain_card("Onyx"))),
        ),
    ],
)
def test_7_what_is_allowed(rule, sheet):
    assert wrong(sheet) == []


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


@pytest.mark.parametrize(
    ("cards", "sentences"),
    [
        ((card(CardKind.WEAPON, "Darts", 3),), []),
        (
            (card(CardKind.WEAPON, "Torpedoes", 4),),
            ["Torpedoes costs 4 SP. A shuttlecraft carries weapons of up to 3 SP."],
        ),
        ((card(CardKind.WEAPON, "Antimatter Mines", 6),), []),
        ((card(CardKind.ADMIRAL, "Brine"),), ["A shuttlecraft can’t have an admiral, but Brine is on Midge."]),
    ],
)
def test_7_13_shuttlecraft(cards, sentences):
    midge = ship_card("Midge", 6, hull=1, ship_class="Type 7 Shuttlecraft")

    assert (
        in_english([s for _, s, _ in wrong(fleet(KESTREL, (midge, captain_card("Captain Onyx"), *cards)))]) == sentences
    )


def test_7_13_squadrons_carry_squadron_upgrades_only():
    swarm = ship_card("Swarm", 16, hull=5, ship_class="Hideki Class Attack Squadron", slots=((CardKind.SQUADRON, 2),))
    cards = (card(CardKind.SQUADRON, "Cover"), card(CardKind.CREW, "Quill"), captain_card("Captain Onyx"))

    assert in_english(
        [sentence for _, sentence, _ in wrong(fleet(KESTREL, (swarm, *cards), resource=token(), at=3))]
    ) == [
        "Swarm can’t have a captain, but Captain Onyx is on it.",
        "Swarm has no crew slots, so Quill doesn’t fit.",
        "Swarm is a squadron, so it can’t carry Quill.",
        "A squadron can’t have a resource, but Command Tokens is assigned to Swarm.",
    ]


def test_7_11_one_resource_is_enough_unless_the_month_says_otherwise():
    extra = CardLine(90, token())
    two = replace(fleet(KESTREL, resource=token()), other=(extra,))

    assert in_english([sentence for _, sentence, _ in wrong(two)]) == [
        "This event allows only one resource, but the fleet has Command Tokens and Command Tokens."
    ]
    assert wrong(two, Format(100, resource_rule="any number")) == []


def test_7_15_everything_wrong_is_said_at_once_and_what_is_allowed_stays_visible():
    numbered = Numbered()
    cards = (card(CardKind.BORG, "Node", 90), captain_card(), captain_card("Captain Onyx"))
    sheet = Sheet((numbered.ship(ship_card(), *cards),))
    said = "Kestrel has no Borg slots, so Node doesn’t fit."
    rulings = {
        ("7.10", 2, said): "the box says so",
        ("7.8", 2, said): "about nothing that is wrong",
        ("7.5", 0, "The fleet costs 110 SP, 10 more than the 100 SP of this event."): "a guest",
    }

    assert in_english(violations(sheet, Format(100), DAY, rulings)) == (
        Violation("7.5", "The fleet costs 116 SP, 16 over the 100 SP limit."),
        Violation("7.8", "Kestrel already has a captain, so Captain Onyx can’t be on it too.", 4),
        Violation("7.10", "Kestrel has no Borg slots, so Node doesn’t fit.", 2, "the box says so"),
    )


def test_a_sheet_typed_by_hand_is_checked_like_any_other():
    """Rule 7.15: cards without a catalogue, which say nothing of slots or uniqueness."""
    typed = (
        Card(CardKind.SHIP, "Home-made", ("KLI",), 30),
        Card(CardKind.CAPTAIN, "Onyx", ("KLI",), 3),
        Card(CardKind.CREW, "Quill"),
    )
    ship = Numbered().ship(*typed)

    assert wrong(Sheet((ship,))) == []
    assert [line.by_hand for line in ship] == [True, True, True]


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
