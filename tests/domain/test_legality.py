"""Rules 7.3 to 7.13: what is wrong with a fleet, all at once and in plain words."""

from datetime import date

import pytest

from fleets.domain.cards import Card, CardKind
from fleets.domain.legality import Format, Violation, violations
from fleets.domain.sheet import FLEET, Sheet
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.saying import in_english

DAY = date(2014, 6, 20)
ANY = Format(100, resource_rule="at most one")


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
