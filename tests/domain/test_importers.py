"""Whatever an importer of fleets is given: what it makes of it can be stored and read again, or it says no."""

import json
from base64 import b64encode
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleets.domain.card_data import FORMAT, VERSION, InvalidData, sheet_as_data, sheet_from_data
from fleets.domain.cards import CODES, CardKind
from fleets.domain.foreign import Incoming, KnownCards, NotAFleet, in_place
from fleets.domain.intake import read
from fleets.domain.space_dock_fleets import read_fleets
from fleets.domain.texts import read_text
from fleets.domain.utopia import read_listed, read_saved
from tests.domain.test_broken_files import read_or_refused
from tests.domain.test_fleet_texts import KNOWN
from tests.domain.test_intake import find

look = KnownCards(KNOWN)

NUMBERS = st.integers(-5, 1200) | st.integers(10**118, 10**131) | st.just(-(10**130))
TITLES = st.sampled_from([card.title for card in KNOWN]) | st.text(max_size=140)
LONG = st.integers(100, 400).map(lambda length: "Q" * length) | st.text(min_size=1, max_size=3).map(
    lambda one: one * 130
)
SCRAPS = (
    st.none() | st.booleans() | NUMBERS | st.floats() | TITLES | LONG | st.lists(TITLES, max_size=2)
) | st.dictionaries(st.text(max_size=5), NUMBERS, max_size=2)


def table(**fields: st.SearchStrategy) -> st.SearchStrategy[dict]:
    """An object with some of these fields; now and then one of them is anything."""
    mixed = {name: st.one_of(field, field, field, SCRAPS) for name, field in fields.items()}
    return st.fixed_dictionaries({}, optional=mixed)


def lists(one: st.SearchStrategy) -> st.SearchStrategy[list]:
    return st.lists(one, max_size=4)


UPGRADE = table(
    upgradeId=TITLES | LONG | NUMBERS,
    upgradeTitle=TITLES | LONG,
    calculatedCost=NUMBERS,
    costIsOverridden=st.booleans(),
    overriddenCost=NUMBERS,
)
SPACE_DOCK = table(
    name=TITLES | LONG,
    notes=LONG,
    cost=NUMBERS,
    additionalPoints=NUMBERS,
    resource=TITLES | LONG | NUMBERS,
    ships=lists(
        table(
            shipId=TITLES | LONG | NUMBERS,
            shipTitle=TITLES | LONG,
            calculatedCost=NUMBERS,
            sideboard=st.booleans(),
            captain=UPGRADE,
            flagship=TITLES | LONG | NUMBERS,
            upgrades=lists(UPGRADE),
        )
    ),
).map(lambda facts: {"ships": []} | facts)
ID = st.tuples(st.sampled_from([kind.value for kind in CardKind]) | TITLES, TITLES | LONG).map(":".join)
SLOT = table(id=ID)
SAVED = table(
    ships=lists(table(id=ID, captain=table(id=ID, upgradeSlots=lists(SLOT)), upgrades=lists(SLOT), resource=SLOT)),
    resource=table(id=ID, upgradeSlots=lists(SLOT)),
)
CARD = table(name=TITLES | LONG, type=st.sampled_from([*CODES.values(), "Captain"]), faction=TITLES, cost=NUMBERS)
LISTED = table(
    ships=lists(table(cards=st.tuples(lists(CARD)).map(lambda cards: [{"name": "S", "type": "Ship"}, *cards[0]]))),
    resource=CARD,
)
LINE = table(
    id=NUMBERS,
    card=table(
        kind=st.sampled_from([kind.value for kind in CardKind]),
        title=TITLES | LONG,
        factions=st.lists(st.sampled_from(["FED", "KLI"])),
        cost=NUMBERS,
        slots=st.dictionaries(st.sampled_from([kind.value for kind in CardKind]), NUMBERS),
        rules=st.lists(TITLES | st.just("no captain")),
    ),
    cost_by_hand=NUMBERS,
    note=TITLES | LONG,
)
OWN = table(
    ships=lists(table(ship=LINE, cards=lists(LINE))), resource=LINE, resource_at=NUMBERS, other=lists(LINE)
).map(lambda facts: {"format": FORMAT, "version": VERSION, "name": "Own"} | facts)
TEXT = st.lists(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "- ", "Resource: ", "Fleet: ", "Other: ", "  "]),
        TITLES | LONG,
        st.sampled_from(["", " [20]", " [999]", " [5] Cap", " (Captain) [3]", " (Lark Class) [4]"]),
    ),
    max_size=6,
).map("\n".join)

READERS: dict[str, tuple[Callable, st.SearchStrategy]] = {
    "Space Dock": (lambda found: read_fleets(found, look), SPACE_DOCK | st.lists(SPACE_DOCK, max_size=3)),
    "Utopia's address": (lambda found: (read_saved(found, look),), SAVED),
    "Utopia's list": (lambda found: (read_listed(found, look),), LISTED),
    "text": (lambda found: (read_text(found, look),), TEXT),
}


def can_be_stored(one: Incoming) -> bool:
    """Whether the sheet survives the database, and its name a column of names."""
    sheet = in_place(one.sheet)
    stored = json.loads(json.dumps(sheet_as_data(sheet)))
    return sheet_from_data(stored) == sheet and one.name.isprintable() and 0 < len(one.name) <= 80


@pytest.mark.parametrize("reader", READERS)
@given(data=st.data())
def test_what_a_reader_makes_of_anything_can_be_stored_and_read_again(reader, data):
    read_it, files = READERS[reader]
    found = read_or_refused(lambda: read_it(data.draw(files)), NotAFleet)

    assert found if isinstance(found, str) else all(map(can_be_stored, found))


@given(file=(SPACE_DOCK | SAVED | LISTED | OWN).map(json.dumps) | TEXT, is_address=st.booleans())
def test_what_comes_through_the_front_door_can_be_stored_and_read_again(file, is_address):
    given = f"https://elsewhere.example/#{b64encode(file.encode()).decode()}" if is_address else file
    found = read_or_refused(lambda: read(given, find), NotAFleet)

    assert found if isinstance(found, str) else all(map(can_be_stored, found))


@given(file=OWN | SCRAPS)
def test_a_fleet_file_of_our_own_is_read_or_refused_with_a_sentence(file):
    sheet = read_or_refused(lambda: sheet_from_data(file), InvalidData)

    assert sheet if isinstance(sheet, str) else sheet_from_data(sheet_as_data(sheet)) == sheet


@pytest.mark.parametrize(
    "number",
    ["7" * 131, "Q" * 115 + " of a title", "\u200b\u202e"],
    ids=["digits", "words", "nothing that is seen"],
)
@pytest.mark.parametrize("place", ["resource", "flagship", "captain", "ship", "upgrade"])
def test_a_card_whose_only_name_is_too_long_gets_as_much_of_it_as_a_line_holds(place, number):
    upgrade, file = {"upgradeId": number}, {"name": "P", "ships": [{"shipId": 1, "upgrades": []}]}
    if place == "resource":
        file |= {"resource": number}
    else:
        ship = {"flagship": number, "captain": upgrade, "upgrade": [upgrade], "ship": number}[place]
        file["ships"][0][{"ship": "shipId", "upgrade": "upgrades"}.get(place, place)] = ship

    (found,) = read(json.dumps(file), find)

    assert can_be_stored(found)
    assert max(len(line.card.title) for line in found.sheet.lines) <= 120
