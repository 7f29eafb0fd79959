"""Our own CSV format of cards."""

from datetime import date

import pytest

from fleets.domain.card_table import read_table
from fleets.domain.cards import Card, CardKind
from fleets.domain.space_dock import Catalogue, CatalogueEntry, NotACatalogue

TABLE = """Kind,Title,Factions,Cost,Unique,Class,Hull,Slots,Rules,Released
Ship,Kestrel,Klingon/MIR,20,yes,Lark Class,4,"crew 2, weapon 1",,2014-02-28
tech,Relay,federation,4,,,,,one per ship; costs 5 more unless on class Lark Class,
"""


def test_a_table_is_read_into_cards():
    kestrel = Card(
        CardKind.SHIP,
        "Kestrel",
        ("KLI", "MIR"),
        20,
        "ship/kestrel/lark class/20",
        unique=True,
        ship_class="Lark Class",
        hull=4,
        slots=((CardKind.CREW, 2), (CardKind.WEAPON, 1)),
    )
    relay = Card(
        CardKind.TECH,
        "Relay",
        ("FED",),
        4,
        "tech/relay//4",
        rules=("one per ship", "costs 5 more unless on class Lark Class"),
    )

    assert read_table(TABLE.encode()) == Catalogue(
        "", (CatalogueEntry(kestrel, date(2014, 2, 28)), CatalogueEntry(relay))
    )


def test_semicolons_and_the_mark_of_a_spreadsheet_are_understood():
    data = "\ufeffkind;title;cost\ncrew;Quill;3\n\n;;\n".encode()

    assert read_table(data).entries == (CatalogueEntry(Card(CardKind.CREW, "Quill", cost=3, key="crew/quill//3")),)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("sail,Quill,3", "card.kind should be one of: ship, captain, "),
        ("crew,,3", "card.title should be one line of 1 to 120 characters"),
        ("crew,Quill,three", "“three” in column “cost” isn’t a number"),
        ("crew,Quill,-3", "“-3” in column “cost” isn’t a number"),
        ("crew,Quill,3,Nobody", "“Nobody” isn’t a faction"),
        ("crew,Quill,3,,maybe", "“maybe” in column “unique” is neither yes nor no"),
        ("crew,Quill,3,,,fly", "card.rules: “fly” isn’t a rule for cards"),
        ("crew,Quill,3,,,,someday", "“someday” in column “released” isn’t a date like 2014-02-28"),
        ("crew,Quill,3,,,,,sail 2", "card.slots should be one of: ship, captain, "),
        ("crew,Quill,2", "“Quill” is already listed"),
    ],
)
def test_a_line_that_is_no_card_is_left_out_and_named(line, sentence):
    data = f"kind,title,cost,factions,unique,rules,released,slots\ncrew,Quill,2\n{line}\n"
    found = read_table(data.encode())

    assert [entry.card.title for entry in found.entries] == ["Quill"]
    (said,) = found.not_understood
    assert str(said).startswith(f"Line 3 skipped: {sentence}")
    assert str(said).endswith(".")


def test_a_table_with_more_cards_than_there_is_room_for_is_refused():
    with pytest.raises(NotACatalogue) as refused:
        read_table(b"kind,title,cost\n" + b"crew,Quill,3\n" * 20_001)
    assert str(refused.value) == "The file has 20,001 cards; the limit is 20,000. Choose another."


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file has no column “kind”. "),
        (b"kind,title\n", "The file has no column “cost”. "),
        (b"kind,title,cost,sails\n", "The file has an unknown column “sails”. "),
        (b"kind,title,cost\n", "The file has no cards."),
        (b"\xff\xfe", "The file’s text isn’t UTF-8. Save it again as “CSV UTF-8”."),
        (
            b'kind,title,cost\ncrew,"' + b"x\n" * 70_000 + b'",3',
            "The file isn’t a CSV table. Line 65538 can’t be read: ",
        ),
        (b"kind,title,cost\n" + b"," * 65_537, "A line of the file is longer than 65,536 characters."),
        (b"kind,title,cost\n" + b"\n" * 200_000, "The file has more than 200,000 entries."),
        (b" " * 20_000_001, "The file is larger than 20 MB – too large for a catalogue."),
    ],
)
def test_what_is_no_table_is_refused_with_a_sentence(data, message):
    with pytest.raises(NotACatalogue) as refused:
        read_table(data)
    assert str(refused.value).startswith(message)
