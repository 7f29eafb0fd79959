"""The front door for fleets from elsewhere: what is told apart, what comes back the same, what is refused."""

import json
from base64 import b64encode, urlsafe_b64encode
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import assume, given

from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.foreign import Find, Incoming, NotAFleet, spelled
from fleets.domain.intake import read, write
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.texts import as_text
from tests.domain.test_fleet_texts import KNOWN, OURS
from tests.support.fleets_for_tests import Numbered, real_cards, shared, ship_card
from tests.support.sheets_by_dice import plain_sheets, sheets

KESTREL, LARK, VOR, QUILL, TOKENS = KNOWN[0], KNOWN[1], KNOWN[2], KNOWN[4], KNOWN[9]
CLOAK = Card(CardKind.FLAGSHIP, "Romulan", key="6001")
FLAGSHIP = Card(CardKind.RESOURCE, "Flagship", cost=10, key="4004")
CATALOGUE = (*KNOWN, CLOAK, FLAGSHIP)


def among(*cards: Card) -> Find:
    """A catalogue of these cards."""
    return lambda keys, titles: [one for one in cards if one.key in keys or spelled(one.title) in titles]


def of(sheet: Sheet) -> Find:
    """A catalogue of the cards that a sheet took from one."""
    return among(*(line.card for line in sheet.lines if line.card.key))


find = among(*CATALOGUE)


def shape(sheet: Sheet) -> tuple:
    """Title, kind and cost of every line, by ship; the same for the resource and for all else."""
    found = costs(sheet)

    def said(line: CardLine) -> tuple[str, CardKind, int]:
        return line.card.title, line.card.kind, found.of(line.id).total

    ships = [[said(line) for line in ship] for ship in sheet.ships]
    return ships, sheet.resource and said(sheet.resource), list(map(said, sheet.other))


# out and in again


@given(sheets())
def test_any_sheet_survives_our_own_file(sheet):
    by_hand = tuple(line.card.title for line in sheet.lines if not line.card.key)

    assert read(write(sheet, "Night watch"), of(sheet)) == (Incoming("Night watch", sheet, by_hand),)


@given(plain_sheets())
def test_a_sheet_survives_text_with_titles_kinds_costs_and_ships(sheet):
    (found,) = read(as_text(sheet, "Night watch"), of(sheet))

    assert (found.name, shape(found.sheet)) == ("Night watch", shape(sheet))


@given(plain_sheets())
def test_a_sheet_survives_space_dock_but_for_what_has_no_place_there(sheet):
    """Known ships cost what the catalogue says, other lines are one sum, and typed upgrades lose their kind."""
    sheet = replace(sheet, resource=sheet.resource and replace(sheet.resource, cost_by_hand=None))
    sheet = replace(sheet, ships=tuple(map(with_what_has_a_place, sheet.ships)))
    assume(all(line.card.title.isdigit() is False for line in sheet.lines))
    (found,) = read(write_fleet(sheet, "Night watch"), of(sheet))

    ships, resource, other = shape(sheet)
    lost = {line.card.title for line in sheet.lines if not line.card.key and line.card.kind not in KEPT}
    expected = [[(title, CardKind.OTHER if title in lost else kind, sp) for title, kind, sp in ship] for ship in ships]
    sum_of_other = sum(sp for _, _, sp in other)
    additional = [("Additional points", CardKind.OTHER, sum_of_other)] if sum_of_other else []
    assert (found.name, shape(found.sheet)) == ("Night watch", (expected, resource, additional))


KEPT = {CardKind.SHIP, CardKind.CAPTAIN, CardKind.FLAGSHIP, CardKind.RESOURCE}


def with_what_has_a_place(ship: Ship) -> Ship:
    """The ship without costs by hand that a file cannot hold, and with at most one flagship card, after the captain."""
    captain, *rest = ship.cards
    flagships = [
        replace(line, cost_by_hand=None) for line in rest if line.card.kind is CardKind.FLAGSHIP and line.card.key
    ]
    others = [line for line in rest if line.card.kind is not CardKind.FLAGSHIP]
    return Ship(replace(ship.line, cost_by_hand=None), (captain, *flagships[:1], *others))


def test_our_own_file_cannot_make_a_card_cheaper_than_the_catalogue_says():
    """Rule 7.15: what differs from the catalogue stands by hand."""
    sheet = Sheet((Numbered().ship(replace(KESTREL, cost=1), VOR),))

    (found,) = read(write(sheet, "Cheap"), find)

    by_hand = replace(sheet.ships[0].line, card=replace(KESTREL, cost=1, key=""))
    assert found == Incoming("Cheap", Sheet((replace(sheet.ships[0], line=by_hand),)), ("Kestrel",))


@pytest.mark.parametrize(
    ("resource", "title"), [("4999", "Resource 4999"), ("Command Crates", "Command Crates")], ids=["number", "title"]
)
def test_a_resource_that_space_dock_names_by_a_number_alone_is_called_so(resource, title):
    file = {"ships": [{"shipId": "Kestrel", "shipTitle": "Kestrel", "upgrades": []}], "resource": resource}

    (found,) = read(json.dumps(file), find)

    assert found.sheet.resource.card.title == title
    assert title in found.not_recognised


def test_the_catalogue_is_asked_once_whatever_there_is_to_find():
    asked = []

    def once(keys, titles):
        asked.append((keys, titles))
        return []

    fleet = {"ships": [{"shipId": "s1", "upgrades": [{"upgradeId": "u1", "upgradeTitle": "O’Brien"}] * 20}]}
    read(json.dumps([fleet] * 10), once)

    assert asked == [({"s1", "u1"}, {"o'brien"})]


# what it is told apart from


SAVED = {
    "ships": [
        {
            "id": "ship:Kestrel",
            "captain": {"id": "captain:Captain Vor", "upgradeSlots": [{}, {"id": "talent:engage_71120"}]},
            "resource": {"id": "flagship:6001"},
            "upgrades": [{}, {"id": "crew:Quill"}],
        },
        {"id": "ship:S013"},
    ],
    "resource": {"id": "resource:4004", "upgradeSlots": [{"id": "crew:Quill"}, {}]},
}
ADDRESS = "https://utopia.example/index.html#" + b64encode(json.dumps(SAVED).encode()).decode()
LISTED = {
    "cost": 29,
    "ships": [
        {
            "cards": [
                {"name": "Kestrel", "type": "Ship", "faction": "FED", "cost": 20, "index": 0},
                {"name": "Captain Vor", "type": "Captain", "faction": "FED", "cost": 0, "index": 1},
                {"name": "Home-made", "type": "C", "faction": "BAJ/FED", "cost": 4, "index": 2},
            ],
            "cost": 24,
        }
    ],
    "resource": {"name": "Command Tokens", "cost": 5},
}


def test_utopias_address_is_read_with_everything_where_it_belongs():
    (found,) = read(ADDRESS, find)

    first = Ship(
        CardLine(1, KESTREL),
        (
            CardLine(2, CLOAK),
            CardLine(3, VOR),
            CardLine(4, Card(CardKind.TALENT, "engage 71120")),
            CardLine(5, QUILL),
        ),
    )
    second = Ship(CardLine(6, Card(CardKind.SHIP, "S013")))
    beside = CardLine(8, QUILL, cost_by_hand=0, note="comes with the resource")
    assert found == Incoming(
        "Fleet", Sheet((first, second), CardLine(7, FLAGSHIP), 1, (beside,)), ("engage 71120", "S013")
    )


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS.partition("#")[2],
        "#" + ADDRESS.partition("#")[2],
        ADDRESS.rstrip("="),
        f"\n  {ADDRESS}\n",
        "https://utopia.example/#" + quote(b64encode(json.dumps(SAVED).encode()).decode(), safe=""),
        "https://utopia.example/#" + urlsafe_b64encode(json.dumps(SAVED).encode()).decode(),
        json.dumps(SAVED),
        ADDRESS.encode(),
    ],
)
def test_an_address_is_read_however_it_was_copied(text):
    assert read(text, find) == read(ADDRESS, find)


def test_utopias_list_is_read_and_keeps_its_costs():
    (found,) = read(json.dumps(LISTED), find)

    ship = Ship(
        CardLine(1, KESTREL),
        (
            CardLine(2, VOR, cost_by_hand=0, note="imported so"),
            CardLine(3, Card(CardKind.CREW, "Home-made", ("BAJ", "FED"), 4)),
        ),
    )
    assert found == Incoming("Fleet", Sheet((ship,), CardLine(4, TOKENS)), ("Home-made",))


def test_a_ship_without_a_name_is_found_in_utopias_list_by_its_faction_and_class():
    lark = replace(ship_card("Klingon Starship", 18), key="s1")
    wren = replace(lark, key="s2", ship_class="Wren Class")
    ship = {"name": "Generic Wren Class", "type": "Ship", "faction": "KLI", "cost": 18}

    (found,) = read(json.dumps({"ships": [{"cards": [ship]}]}), among(lark, wren))

    assert found == Incoming("Fleet", Sheet((Ship(CardLine(1, wren)),)))


def test_a_known_card_that_cannot_stand_where_it_is_listed_is_one_by_hand_there():
    (found,) = read("Kestrel [20]\nResource: Quill [2]\nOther: Lark [22]", find)

    resource, beside = Card(CardKind.RESOURCE, "Quill", ("FED",), 2), Card(CardKind.OTHER, "Lark", ("KLI",), 22)
    assert found.sheet == Sheet((Ship(CardLine(1, KESTREL)),), CardLine(2, resource), other=(CardLine(3, beside),))


def test_text_and_files_are_told_apart_by_what_is_in_them():
    sheet = Sheet((Numbered().ship(KESTREL, VOR),))
    as_it_is = (Incoming("Watch", sheet),)

    assert read(OURS.encode(), find)[0].name == "Night watch"
    assert read(as_text(sheet, "Watch"), find) == as_it_is
    assert read(b"\xef\xbb\xbf" + write_fleet(sheet, "Watch"), find) == as_it_is
    assert read(b"[" + write_fleet(sheet, "Watch") + b"]", find) == as_it_is
    assert read(write(sheet, "Watch"), find) == as_it_is


def test_real_fleets_are_read():
    cards = real_cards()
    catalogue = among(*cards.values())
    squads = read(shared("player-fleets.spacedocksquads"), catalogue)
    (two_ships,) = read(shared("romulan_2_ship.spacedock"), catalogue)

    assert (len(squads), sum(len(fleet.sheet.ships) for fleet in squads)) == (10, 22)
    assert {title for fleet in (*squads, two_ships) for title in fleet.not_recognised} == set()
    for fleet in (*squads, two_ships):
        (again,) = read(write_fleet(fleet.sheet, fleet.name), catalogue)
        assert (again.sheet, again.name) == (fleet.sheet, fleet.name)
        (pasted,) = read(as_text(fleet.sheet, fleet.name), catalogue)
        assert (pasted.name, shape(pasted.sheet)) == (fleet.name, shape(fleet.sheet))


# what is refused


BROKEN = "The file is broken: it is no JSON. Export the fleet again."
TOO_DEEP = "The file is nested more than 30 levels deep. Export it again."
TOO_MANY = "The file has more than 100,000 entries. Split it or export it again."
TOO_LONG_A_WORD = "A name or number in the file is longer than 100 characters. Shorten it and try again."


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "There is no card in the text. Paste one card per line, its cost in brackets: Kestrel [20]."),
        (b"\xff\xfe", "The file is not written in UTF-8, so it is no fleet file. Choose another."),
        (b" " * 1_000_001, "The file is larger than 1 MB, which no fleet is. Choose another."),
        ("x" * 20_001, "The text is longer than 20,000 characters, which no fleet is."),
        ("Kestrel [20]\n" * 201, "The text has more than 200 cards, which no fleet has."),
        ('{"ships": ', BROKEN),
        ('{"ships": [], "cost": NaN}', BROKEN),
        ('{"ships": [], "cost": -Infinity}', BROKEN),
        ('{"ships": [], "cost": ' + "9" * 5_000 + "}", TOO_LONG_A_WORD),
        ('{"ships": ' + "[" * 200_000, TOO_DEEP),
        ('{"ships": [' + "{}," * 100_000 + "{}]}", TOO_MANY),
        ("{}", "There is no fleet in the file. Export it again from Space Dock."),
        ("[]", "The file holds 0 fleets. It should hold 1 to 30."),
        (
            '{"format": "flagship-fleet", "version": 1}',
            "The fleet file is not right: ships should be a list of at most 200.",
        ),
        (
            '{"ships": [{"cards": [{"name": "Quill", "type": "C"}]}]}',
            "A ship of the list has no ship card. Copy the list again from Utopia.",
        ),
        (
            json.dumps({"ships": [{"id": "ship:Kestrel"}] * 201}),
            "The fleet has more than 200 cards, which no fleet has.",
        ),
        ("https://utopia.example/", "There is no fleet in the address. Copy it whole, with all that follows the #."),
        (
            "#" + b64encode(b'{"ships": [').decode(),
            "The address is not whole. Copy it again, with all that follows the #.",
        ),
    ],
)  # fmt: skip
def test_what_is_no_fleet_is_refused_with_a_sentence(data, message):
    with pytest.raises(NotAFleet) as refused:
        read(data, find)
    assert str(refused.value) == message


def test_cards_nested_without_end_are_refused():
    card = {"id": "ship:Kestrel"}
    for _ in range(10):
        card = {"id": "crew:Quill", "upgrades": [card]}

    with pytest.raises(NotAFleet, match="nested deeper"):
        read(json.dumps({"ships": [card]}), find)


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({"name": "A\0B", "ships": [{"shipId": "x\0y", "shipTitle": "Ke\0s\ntrel\u202e", "upgrades": []}]}),
        json.dumps({"ships": [{"id": "ship:Ke\0s\ntrel\u202e"}]}),
        json.dumps({"ships": [{"cards": [{"name": "Ke\0s\ntrel\u202e", "type": "Ship"}]}]}),
        "Ke\0s\ttrel\u202e [20]",
    ],
)
def test_what_cannot_be_printed_never_gets_into_a_title(data):
    (found,) = read(data, find)

    assert [line.card.title for line in found.sheet.lines] == ["Ke s trel"]
    assert found.name.isprintable()
