"""What a stranger can send to each parser: only the parser's own refusal ever comes out, with a sentence to show.

Mutations of good files by Hypothesis, and by name every file that once did more than be refused.
"""

import copy
import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fleets.domain.card_data import InvalidData, sheet_as_data, sheet_from_data
from fleets.domain.card_rules import UnknownRule, read_rule
from fleets.domain.card_table import read_table
from fleets.domain.cards import Card, CardKind
from fleets.domain.foreign import MOST_TRIED, KnownCards, NotAFleet, Wanted
from fleets.domain.intake import read, write
from fleets.domain.space_dock import NotACatalogue, read_catalogue
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.space_dock_rules import rules_of_special
from fleets.domain.texts import MOST_ON_A_SHIP, read_text
from fleets.domain.utopia import json_of_address
from scoring.domain import pack_file
from scoring.domain.pack import InvalidPack, as_data, parse
from scoring.domain.prizes import InvalidPrizes, parse_prizes
from scoring.shipped import shipped_packs
from tests.domain.test_card_table import TABLE
from tests.domain.test_fleet_texts import KNOWN, OURS, UTOPIA
from tests.domain.test_intake import ADDRESS, LISTED, SAVED, find
from tests.domain.test_space_dock import CATALOGUE, FLEET
from tourney.domain import archive_file
from tourney.judge.domain.talon_words import curves_of, steps_of

TRIES = settings.default.max_examples
MANY = settings(max_examples=max(min(4 * TRIES, 200), TRIES))
SHEET = read_text(OURS, KnownCards(KNOWN)).sheet
PACKS = [pack_file.write(pack).encode() for pack in shipped_packs()[:6]]
FLEETS = [write(SHEET, "Night watch"), write_fleet(SHEET, "Night watch"), json.dumps(FLEET).encode(), OURS.encode()]
FLEETS += [json.dumps(SAVED).encode(), json.dumps(LISTED).encode(), ADDRESS.encode(), UTOPIA.encode()]
SCRAPS = [
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\\ud800", b"&#x0;", b"<![CDATA[", b"<!DOCTYPE x [", b"null", b"-1", b"1e999"),
    *(b"9" * 5000, b"0x" + b"f" * 5000, b"[" * 2000, b"{" * 2000, b'{"a":' * 500, b"a." * 2000, b'"' * 7, b"'''"),
    *(b"(" * 300, b" (a)" * 80, b"OPS" * 2000, b"NoMoreThanOnePerShip" * 50, b"Captain" * 500, b" and not" * 14),
    *(b",", b";", b"\\", b"NaN"),
    *("\u0301" * 500, "\u202e", "\u2028", "٣", "²", "İ", "ﷺ" * 50),
]  # fmt: skip
ODD = [
    None,
    True,
    [],
    {},
    "",
    "\ud800",
    "\0",
    "x" * 500,
    "\u0301" * 200,
    10**300,
    -1,
    1.5,
    float("inf"),
    [[[]]],
    {"\ud800": 1},
]


@st.composite
def mutated(draw, wholes: list[bytes]) -> bytes:
    """One of the files with some places cut out, doubled or written over."""
    data = draw(st.sampled_from(wholes))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 20)))
        scrap = draw(st.sampled_from(SCRAPS) | st.binary(max_size=4))
        piece = scrap.encode() if isinstance(scrap, str) else scrap
        data = data[:start] + draw(st.sampled_from([b"", data[start:stop] * 2, piece])) + data[stop:]
    return data


@st.composite
def changed(draw, whole: Any) -> Any:
    """The value with one to three values in it replaced by others, or given a field more."""
    value = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 3))):
        at = value
        while isinstance(at, dict | list) and at:
            key = draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
            if not isinstance(at[key], dict | list) or not at[key] or draw(st.integers(0, 3)) == 0:
                more = draw(st.sampled_from(["", "x\ud800", "\0", "kind"]))
                at[more if more and isinstance(at, dict) else key] = copy.deepcopy(draw(st.sampled_from(ODD)))
                break
            at = at[key]
    return value


def refusal_of(reading: Callable[[Any], object], given: Any, refusal: type[Exception]) -> str:
    """The sentence with which it was refused, which can be shown; nothing where it was read."""
    said = ""
    try:
        reading(given)
    except refusal as error:
        said = str(error) or "nothing"
    said.encode()
    assert said != "nothing"
    return said


@MANY
@given(mutated(PACKS), st.booleans())
def test_pack_texts(data, as_text):
    refusal_of(pack_file.read, data.decode(errors="replace") if as_text else data, pack_file.NotAPack)


@MANY
@given(mutated([CATALOGUE.encode(), CATALOGUE.encode("utf-16")]))
def test_catalogues(data):
    refusal_of(read_catalogue, data, NotACatalogue)


@MANY
@given(mutated([TABLE.encode(), TABLE.replace(",", ";").encode()]))
def test_tables_of_cards(data):
    refusal_of(read_table, data, NotACatalogue)


@MANY
@given(mutated(FLEETS), st.booleans())
def test_fleets(data, as_text):
    given = data.decode(errors="surrogateescape") if as_text else data
    refusal_of(lambda given: read(given, find), given, NotAFleet)


@MANY
@given(mutated([json.dumps(SAVED).encode()]))
def test_fleets_inside_of_an_address(data):
    refusal_of(lambda given: read(given, find), b"#" + b64encode(data), NotAFleet)


@MANY
@given(changed(sheet_as_data(SHEET)))
def test_sheets_as_data(data):
    refusal_of(sheet_from_data, data, InvalidData)


@MANY
@given(st.sampled_from([SAVED, LISTED, FLEET]).flatmap(changed))
def test_fleets_of_others_as_data(data):
    refusal_of(lambda data: read(json.dumps(data), find), data, NotAFleet)


@MANY
@given(st.sampled_from([as_data(pack) for pack in shipped_packs()]).flatmap(changed))
def test_packs_as_data(data):
    refusal_of(parse, data, InvalidPack)


RULES = (
    "costs less more unless on under only not or and title class with hull up to from 5 FED upgrade non-KLI adds tech"
)
OTHERS = ", : - – 1 everybody 999 prize v4 w . 4-2-1 ٣ ² \ud800 \0 # % = +"


@MANY
@given(mutated([json.dumps(as_data(pack), indent=1).encode() for pack in shipped_packs()[:3]]))
def test_archives(data):
    refusal_of(archive_file.read, data, archive_file.NotAnArchive)


WORDS = st.lists(st.sampled_from([*RULES.split(" "), *OTHERS.split(" ")]), max_size=25)


@MANY
@given(WORDS, st.sampled_from(["", " ", "\n"]))
def test_what_is_typed_in_words(words, between):
    text = between.join(words)

    refusal_of(read_rule, text, UnknownRule) if text.isprintable() else None
    refusal_of(curves_of, text, ValueError)
    refusal_of(parse_prizes, text.replace("\ud800", ""), InvalidPrizes)
    refusal_of(steps_of, text.replace("\ud800", ""), ValueError)
    assert json_of_address(text) is None
    rules_of_special(text)


# by name


@pytest.mark.parametrize(
    "encoding", ["rot13", "base64", "hex", "zlib", "utf-7", "idna", "unicode_escape", "unknown", "cp1252"]
)
def test_an_encoding_that_no_catalogue_has_is_named(encoding):
    data = CATALOGUE.replace('version="1.0"', f'version="1.0" encoding="{encoding}"').encode()

    assert refusal_of(read_catalogue, data, NotACatalogue) == (
        f"The file’s encoding is “{encoding}”. Save it as UTF-8."
    )


@pytest.mark.parametrize("encoding", ["UTF-8", "utf-8", "UTF-16", "ISO-8859-1", "us-ascii"])
def test_the_encodings_of_catalogues_are_read(encoding):
    text = CATALOGUE.replace('version="1.0"', f'version="1.0" encoding="{encoding}"')

    assert read_catalogue(text.encode(encoding)) == read_catalogue(CATALOGUE.encode())


@pytest.mark.parametrize("special", ["OPS" * 2000, "x" + "NoMoreThanOnePerShip" * 100, "Only" + "Captain" * 2000])
def test_a_rule_of_a_catalogue_without_end_is_not_understood(special):
    found = read_catalogue(CATALOGUE.replace("SomethingNew", special).encode())

    assert f"isn’t fully checked: its rule “{special[:80]}”" in str(found.not_understood[0])


def test_a_catalogue_nested_without_end_is_refused():
    assert refusal_of(read_catalogue, b"<a>" * 100_000, NotACatalogue) == (
        "The file is nested more than 12 levels deep. Choose another."
    )


@pytest.mark.parametrize("kind", [[], {}, [["crew"]], 5, None, "\ud800"])
def test_a_kind_that_is_no_text_is_refused(kind):
    data = sheet_as_data(SHEET)
    data["ships"][0]["cards"][0]["card"]["kind"] = kind

    assert refusal_of(sheet_from_data, data, InvalidData).startswith(
        "ships[0].cards[0].card.kind should be one of: ship,"
    )


def test_a_field_of_a_card_that_no_text_can_hold_is_quoted_in_escapes():
    data = json.dumps(sheet_as_data(SHEET)).replace('"title"', '"x\\ud800": 1, "title"')

    assert refusal_of(lambda data: read(data, find), data, NotAFleet).endswith("card has an unknown field “x\\ud800”.")


def test_on_a_ship_with_very_many_cards_the_cost_there_is_not_tried_any_more():
    asked = []

    def look(wanted: Wanted) -> Card | None:
        asked.append(len(wanted.ship.cards) if wanted.ship else None)
        return KnownCards(KNOWN)(wanted)

    read_text("Kestrel [20]\n" + "- Quill [2]\n" * 100, look)

    assert max(cards for cards in asked if cards is not None) == MOST_ON_A_SHIP
    assert asked[-1] is None


def test_of_very_many_cards_of_one_title_the_cost_is_tried_with_few():
    tried = []

    class Counted(Card):
        def has_faction(self, *codes: str) -> bool:
            tried.append(self.key)
            return super().has_faction(*codes)

    cards = [Counted(CardKind.CREW, "Quill", ("KLI",), number % 40, f"q{number:05}") for number in range(5_000)]
    look = KnownCards(cards)
    (fleet,) = read("Kestrel [20]\n- Quill [7]", lambda keys, titles: [*cards, *KNOWN])

    assert look(Wanted("Quill", CardKind.CREW.value, cost=7)).cost == 7
    assert fleet.sheet.ships[0].cards[0].card.title == "Quill"
    assert 0 < len(set(tried)) <= MOST_TRIED
