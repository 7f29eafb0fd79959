"""The front door for fleets from elsewhere: what is told apart, what comes back the same, what is refused."""

import json
from base64 import b64encode, urlsafe_b64encode
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.foreign import Find, Incoming, NotAFleet, one_line, spelled
from fleets.domain.intake import read, write
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.table import as_csv
from fleets.domain.texts import as_text
from tests.domain.test_fleet_texts import KNOWN, OURS
from tests.support.fleets_for_tests import Numbered, real_cards, shared, ship_card
from tests.support.saying import in_english
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


@given(sheets(), st.text(max_size=60))
def test_notes_and_the_assignment_of_the_resource_survive_every_format(sheet, notes):
    sheet = replace(sheet, notes=one_line(notes))
    (ours,) = read(write(sheet, "Night watch"), of(sheet))

    assert (ours.sheet.notes, ours.sheet.resource_at) == (sheet.notes, sheet.resource_at)


CSV = """\ufeffType,Card Title,Faction,Cost (SP),Place,Note
Ship,Kestrel,FED,20,Ship 1,
Cap,Captain Vor,FED,3,Ship 1,
Ship,Lark,KLI,22,Ship 2,
C,Quill,FED,0,Ship 2,"paid, twice"
Res,Command Tokens,,5,"Resource on ship 2, card 1",
,'=Orders,,2,Other,
Total,,,52,,
"""


def test_a_fleet_survives_a_table_that_no_spreadsheet_calculates_with():
    numbered = Numbered()
    quill = numbered.line(QUILL, cost_by_hand=0, note="paid, twice")
    ships = (numbered.ship(KESTREL, VOR), numbered.ship(LARK, quill))
    orders = numbered.line(Card(CardKind.OTHER, "=Orders", cost=2))
    sheet = Sheet(ships, numbered.line(TOKENS), quill.id, (orders,))

    (found,) = read(as_csv(sheet, "Night watch"), find)

    assert as_csv(sheet, "Night watch").decode().replace("\r\n", "\n") == CSV
    assert shape(found.sheet) == shape(
        replace(sheet, other=(replace(orders, card=replace(orders.card, title="'=Orders")),))
    )
    assert (found.skipped, found.sheet.ships[1].cards[0].note) == ((), "paid, twice")
    assert found.sheet.ship_of(found.sheet.resource_at) == found.sheet.ships[1]


def test_real_fleets_survive_a_table():
    cards = real_cards()
    catalogue = among(*cards.values())
    for fleet in read(shared("player-fleets.spacedocksquads"), catalogue):
        (again,) = read(as_csv(fleet.sheet, fleet.name), catalogue)
        assert (shape(again.sheet), again.skipped) == (shape(fleet.sheet), ())


@pytest.mark.parametrize("at", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("form", [write, write_fleet, as_text])
def test_where_the_resource_is_survives_with_the_notes(form, at):
    numbered = Numbered()
    ships = (numbered.ship(KESTREL, VOR, QUILL), numbered.ship(LARK))
    sheet = Sheet(ships, numbered.line(TOKENS), at, notes="Strike Force (5)")

    (found,) = read(form(sheet, "Night watch"), find)

    assert found.sheet == sheet
    assert found.skipped == ()


@pytest.mark.parametrize("value", [None, 3, {}, {"ship": 9, "card": 0}, {"ship": 1, "card": 9}, {"ship": 0, "card": 0}])
def test_a_resource_assigned_to_what_is_not_there_is_the_fleets(value):
    facts = {"ships": [{"shipId": "Kestrel"}], "resource": "Command Tokens", "resourceAssignedTo": value}

    assert read(json.dumps(facts), find)[0].sheet.resource_at == 0


@pytest.mark.parametrize("notes", ["N" * 501, "N " * 400])
def test_of_notes_that_are_too_long_the_rest_is_listed(notes):
    (found,) = read(f"Kestrel [20]\nNotes: {notes}", find)

    assert len(found.sheet.notes) <= 500
    assert found.skipped != ()


def squad(**facts) -> str:
    """A file of Space Dock: Kestrel with one upgrade, of which these are the facts."""
    upgrade = {"upgradeId": "Quill", "upgradeTitle": "Quill"} | facts
    return json.dumps({"ships": [{"shipId": "Kestrel", "shipTitle": "Kestrel", "upgrades": [upgrade]}]})


@pytest.mark.parametrize(
    ("file", "cost", "differences"),
    [
        (squad(calculatedCost=2), 2, ()),
        (squad(calculatedCost=5), 2, ("Quill: 5 SP as imported, 2 SP by the rules. Counted as 2 SP.",)),
        (
            squad(calculatedCost=2, costIsOverridden=True, overriddenCost=0),
            0,
            ("Quill: 0 SP as imported, 2 SP by the rules. Kept at 0 SP.",),
        ),
        (
            squad(upgradeId="u9", upgradeTitle="Photon Torpedoes", calculatedCost=4),
            4,
            ("Photon Torpedoes: the catalogue has no card “u9”. Used one of the same name for 4 SP.",),
        ),
        (
            squad(upgradeId="u9", calculatedCost=4),
            2,
            (
                "Quill: the catalogue has no card “u9”. Used one of the same name for 2 SP.",
                "Quill: 4 SP as imported, 2 SP by the rules. Counted as 2 SP.",
            ),
        ),
        (squad(upgradeId="u9"), 2, ("Quill: the catalogue has no card “u9”. Used one of the same name for 2 SP.",)),
        (squad(upgradeId="quill"), 2, ()),
        (squad(upgradeId="u9", upgradeTitle="Home-made", calculatedCost=7), 7, ()),
    ],
)
def test_what_another_program_says_otherwise_is_said_with_both_costs(file, cost, differences):
    (found,) = read(file, find)

    assert costs(found.sheet).of(found.sheet.ships[0].cards[0].id).total == cost
    assert in_english(found.differences) == differences


def test_totals_that_another_program_says_otherwise_are_said_with_both():
    file = json.loads(squad()) | {"cost": 90}
    file["ships"][0]["calculatedCost"] = 30

    (found,) = read(json.dumps(file), find)

    assert in_english(found.differences) == (
        "Kestrel: 30 SP as imported, 22 SP here.",
        "Fleet total: 90 SP as imported, 22 SP here.",
    )


def test_our_own_file_cannot_make_a_card_cheaper_than_the_catalogue_says():
    """Rule 7.15: what differs from the catalogue stands by hand."""
    sheet = Sheet((Numbered().ship(replace(KESTREL, cost=1), VOR),))

    (found,) = read(write(sheet, "Cheap"), find)

    by_hand = replace(sheet.ships[0].line, card=replace(KESTREL, cost=1, key=""))
    said = ("Kestrel: 1 SP in the file, 20 SP in the catalogue. Kept by hand at 1 SP.",)
    assert in_english(found) == Incoming(
        "Cheap", Sheet((replace(sheet.ships[0], line=by_hand),)), ("Kestrel",), differences=said
    )


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
    said = ("Captain Vor: 0 SP as imported, 3 SP by the rules. Kept at 0 SP.",)
    assert in_english(found) == Incoming("Fleet", Sheet((ship,), CardLine(4, TOKENS)), ("Home-made",), differences=said)


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
    said = [sentence for fleet in squads for sentence in fleet.differences]
    assert [one for one in said if not str(one).endswith("by the rules. Kept at 0 SP.")] == []  # overridden there
    for fleet in (*squads, two_ships):
        (again,) = read(write_fleet(fleet.sheet, fleet.name), catalogue)
        assert (again.sheet, again.name) == (fleet.sheet, fleet.name)
        (pasted,) = read(as_text(fleet.sheet, fleet.name), catalogue)
        assert (pasted.name, shape(pasted.sheet)) == (fleet.name, shape(fleet.sheet))


# what is refused


BROKEN = "The file is damaged: it isn’t valid JSON. Export the fleet again."
TOO_DEEP = "The file is nested more than 30 levels deep. Export it again."
TOO_MANY = "The file has more than 100,000 entries. Split it or export it again."
TOO_LONG_A_WORD = "A name or number in the file is longer than 100 characters. Shorten it and try again."


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "There are no cards in the text. Paste one card per line with its cost in brackets: Kestrel [20]."),
        (b"\xff\xfe", "This isn’t a fleet file: its text isn’t UTF-8. Choose another."),
        (b" " * 1_000_001, "The file is larger than 1 MB – too large for a fleet. Choose another."),
        ("x" * 20_001, "The text is longer than 20,000 characters – too long for a fleet."),
        ("Kestrel [20]\n" * 201, "The text has more than 200 cards – too many for a fleet."),
        ('{"ships": ', BROKEN),
        ('{"ships": [], "cost": NaN}', BROKEN),
        ('{"ships": [], "cost": -Infinity}', BROKEN),
        ('{"ships": [], "cost": ' + "9" * 5_000 + "}", TOO_LONG_A_WORD),
        ('{"ships": ' + "[" * 200_000, TOO_DEEP),
        ('{"ships": [' + "{}," * 100_000 + "{}]}", TOO_MANY),
        ("{}", "The file has no fleet. Export it again from Space Dock."),
        ("[]", "The file has 0 fleets. Choose one with 1 to 500."),
        (
            '{"format": "flagship-fleet", "version": 1}',
            "The fleet file can’t be used: ships should be a list of at most 200.",
        ),
        (
            '{"ships": [{"cards": [{"name": "Quill", "type": "C"}]}]}',
            "A ship in the list has no ship card. Copy the list again from Utopia.",
        ),
        (
            json.dumps({"ships": [{"id": "ship:Kestrel"}] * 201}),
            "The fleet has more than 200 cards – too many for a fleet.",
        ),
        ("https://utopia.example/", "This address has no fleet in it. Copy all of it, with everything after the #."),
        (
            "#" + b64encode(b'{"ships": [').decode(),
            "The address is incomplete. Copy it again, with everything after the #.",
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

    with pytest.raises(NotAFleet, match="nested too deep"):
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
