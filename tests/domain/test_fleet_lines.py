"""What a line of pasted text says, however people write it."""

import pytest

from fleets.domain.cards import CardKind
from fleets.domain.lines import LineMeaning, heads_of, meanings

CAP, CREW = CardKind.CAPTAIN, CardKind.CREW

LINES = {
    "Kestrel": LineMeaning("Kestrel"),
    "Kestrel [20]": LineMeaning("Kestrel", 20),
    "Kestrel (20 SP)": LineMeaning("Kestrel", 20),
    "Captain Vor [3] Cap": LineMeaning("Captain Vor", 3, CAP),
    "Kestrel 20 SP": LineMeaning("Kestrel", 20),
    "Kestrel 20pts": LineMeaning("Kestrel", 20),
    "Kestrel - 24 SP": LineMeaning("Kestrel", 24),
    "Kestrel – 24": LineMeaning("Kestrel", 24),
    "Kestrel: 24": LineMeaning("Kestrel", 24),
    "Kestrel = 24 points": LineMeaning("Kestrel", 24),
    "Kestrel, 24": LineMeaning("Kestrel", 24),
    "Kestrel 24": LineMeaning("Kestrel", 24, is_sure=False),
    "Scout 608 24 SP": LineMeaning("Scout 608", 24),
    "2x Kestrel": LineMeaning("Kestrel", copies=2),
    "2 x Kestrel [20]": LineMeaning("Kestrel", 20, copies=2),
    "2× Kestrel - 20 SP": LineMeaning("Kestrel", 20, copies=2),
    "Kestrel x2": LineMeaning("Kestrel", copies=2),
    "Kestrel x2 [20]": LineMeaning("Kestrel", 20, copies=2),
    "99x Kestrel": LineMeaning("Kestrel", copies=20),
    "1. Kestrel [20]": LineMeaning("Kestrel", 20),
    "2) Captain Vor - 3": LineMeaning("Captain Vor", 3),
    "3. 2x Quill 2 SP": LineMeaning("Quill", 2, copies=2),
    "Ship,Kestrel,FED,20": LineMeaning("Kestrel", 20, CardKind.SHIP, factions=("FED",)),
    "Cap;Captain Vor;Federation/Bajoran;3": LineMeaning("Captain Vor", 3, CAP, factions=("FED", "BAJ")),
    '"Vor, Captain",3': LineMeaning("Vor, Captain", 3),
    "Captain Vor\t3": LineMeaning("Captain Vor", 3),
    "Cap\tCaptain Vor\tFED\t3 SP": LineMeaning("Captain Vor", 3, CAP, factions=("FED",)),
    "2\tQuill\tC\t2": LineMeaning("Quill", 2, CREW, copies=2),
    "Quill\tC\tLark Class\t2": LineMeaning("Quill", 2, CREW, rest=("Lark Class",)),
    "7\t5\tQuill\t2": LineMeaning("Quill", 2, copies=7, rest=("5",)),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_can_mean_that(line):
    assert LINES[line] in meanings(line)


@pytest.mark.parametrize(
    "line",
    ["Scout 608", "U.S.S. Defiant 2", "Attack, Fleet", "2x4", "24 SP", "Kestrel -", "x2", "[5]", "1.", "", ",,,"],
)
def test_a_line_can_always_mean_the_card_of_that_name(line):
    assert line.strip() in [one.title for one in meanings(line)]


TABLE = "Type,Card Title,Faction,Cost (SP),Set,Qty,Note"
ROWS = {
    "Cap,Captain Vor,FED,3,,,": LineMeaning("Captain Vor", 3, CAP, factions=("FED",)),
    "C,Quill,KLI/BAJ,2 SP,Wave 1,2,signed": LineMeaning(
        "Quill", 2, CREW, 2, ("KLI", "BAJ"), note="signed", rest=("Wave 1",)
    ),
    "Sail,Main,XYZ,cheap,,many,": LineMeaning("Main", rest=("Sail", "XYZ", "cheap", "many")),
    "C,,FED,2,,,": LineMeaning("C,,FED,2,,,"),
}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_read_by_the_columns_of_its_table(row):
    heads = heads_of(TABLE)

    assert heads == ("kind", "title", "faction", "cost", "Set", "copies", "note")
    assert meanings(row, heads)[0] == ROWS[row]


@pytest.mark.parametrize("line", ["Kestrel,20", "Title", "Cost,Type", "Title,Card", ""])
def test_what_names_no_columns_is_no_first_line_of_a_table(line):
    assert heads_of(line) == ()


def test_a_line_without_end_is_read_in_the_time_of_its_length():
    for one in ("(" * 20_000, "1" * 20_000, " x 2" * 5_000, "," * 20_000, "a, " * 6_000, "- " * 10_000):
        assert meanings(one[:300])
