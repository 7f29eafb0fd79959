"""A month pack as a file: nothing is lost on the way out and in, and what is wrong is told with its line."""

from dataclasses import replace

import pytest

from scoring.domain.pack import MonthPack, Tally
from scoring.domain.pack_file import MOST_BYTES, MOST_REASONS, NotAPack, line_of, read, write
from scoring.shipped import shipped_packs

TOO_DEEP = "The file is nested more than 8 levels deep. Export it again."
TOO_LONG_A_WORD = "A name or number in the file is longer than 100 characters. Shorten it and try again."
START = 'format = 1\nslug = "a-month"\nstoryline = "A Storyline"\n'


@pytest.mark.parametrize("pack", shipped_packs(), ids=lambda pack: pack.slug)
def test_every_shipped_pack_is_read_back_as_it_was_written(pack):
    assert read(write(pack)) == pack
    assert read(write(pack).encode()) == pack


def test_quotes_line_breaks_and_signs_of_all_kinds_survive():
    pack = MonthPack(
        slug="a-month",
        storyline='The "Long" \\ Night №5 – 夜',
        tallies=(Tally("a", "Tally = [1] # no comment"),),
        notes='One line.\nAnother, with a\ttab and "quotes".',
    )

    assert read(write(pack)) == pack
    assert read(write(pack).replace("\n", "\r\n")) == pack
    assert read(b"\xef\xbb\xbf" + write(pack).encode()) == pack


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (
            "",
            ("format: This is missing. Type the number 1.", "slug: This is missing. Type a text in quotation marks.",
             "storyline: This is missing. Type a text in quotation marks."),
        ),
        (
            START + "rounds = 13\n",
            ("Line 4, rounds: 13 doesn’t fit here. Type a whole number from 1 to 12.",),
        ),
        (
            START + "round = 3\n",
            ("Line 4, round: There is no field of this name. Did you mean rounds?",),
        ),
        (
            START + "[resource]\nrule = 'two'\ncost = 5\n",
            ("Line 5, resource.rule: 'two' doesn’t fit here. Type one of these: 'exactly one', 'at most one', "
             "'any number', 'one per ship', 'none'.",
             "Line 6, resource.cost: 5 doesn’t fit here. Type a text in quotation marks."),
        ),
        (
            START + "[[tallies]]\nkey = 'a'\nname = 'A'\n\n[[tallies]]\nname = 'B'\n",
            ("Line 8, tallies[1].key: This is missing. Type a text in quotation marks.",),
        ),
        (
            START + "[fleet]\nsides = ['Borg']\nallowed_factions = ['Klingons']\n\n[[card_limits]]\nhow_many = 'none'\n"
            "title = 'Lure'\nkind = 'talents'\n\n[[cost_changes]]\nkind = 'ship'\npoints = -2\nside = 'Rebel'\n",
            ("Line 11, card_limits[0].kind: 'talents' doesn’t fit here. Type one of these: 'card', 'ship', 'captain', "
             "'admiral', 'upgrade', 'talent', 'crew', 'tech', 'weapon', 'borg', 'squadron', 'resource'.",
             "Line 6, fleet.allowed_factions[0]: “Klingons” isn’t a faction on cards. Did you mean Klingon?",
             "Line 16, cost_changes[0].side: “Rebel” isn’t one of this month’s sides. "
             "Add it to fleet.sides, or correct it."),
        ),
        (
            START + "titles = ['Admiral', 'Admiral']\n",
            ("Line 4, titles[1]: “Admiral” is listed twice. Remove one of them.",),
        ),
        ("slug: a-month\n",
         ("Line 1, column 5 isn’t valid TOML: “Expected '=' after a key in a key/value pair”.",)),
        (START + "notes =", ("The end of the file isn’t valid TOML: “Invalid value”.",)),
        (START + 'notes = "open\n', ("Line 4, column 14 isn’t valid TOML: “Illegal character '\\n'”.",)),
        (START + 'name = "a\\nb"\n',
         ("Line 4, name: This has characters that can’t be shown on one line. Type it again.",)),
        (b"format = 1\n\xff\n", ("Line 2 isn’t UTF-8 text. Save the file as UTF-8, then choose it again.",)),
        (b"#" * (MOST_BYTES + 1),
         ("The file is larger than 64 KB. A month pack has only a few KB. Choose a different file.",)),
        ("a = " + "[" * 5000, (TOO_DEEP,)),
        ("a." * 32_000 + "a = 1", (TOO_DEEP,)),
        ("[" + "a." * 32_000 + "a]", (TOO_DEEP,)),
        (START + "rounds = 0x" + "f" * 5000, (TOO_LONG_A_WORD,)),
        (START + "rounds = 0x" + "f" * 90 + "\n",
         ("Line 4, rounds: A number of more than 19 digits doesn’t fit here. Type a whole number from 1 to 12.",)),
        ("[[bonuses]]\n" * 5000, ("The file has more than 4,000 entries. Split it or export it again.",)),
        (START + "[[tallies]]\n" * 101,
         ("tallies: This has too many entries; the most is 100. Remove some.",)),
        (START + f"titles = {list(map(str, range(101)))}",
         ("Line 4, titles: This has too many entries; the most is 100. Remove some.",)),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_told_with_its_line(text, reasons):
    with pytest.raises(NotAPack) as raised:
        read(text)

    assert tuple(map(str, raised.value.reasons)) == reasons


def test_a_line_is_found_in_the_table_it_belongs_to():
    text = write(replace(shipped_packs()[0], tallies=(Tally("a", "A"), Tally("b", "B"))))
    lines = text.splitlines()

    assert lines[line_of(text, "tallies[1].name") - 1] == 'name = "B"'
    assert lines[line_of(text, "resource.cost") - 1].startswith("cost = ")
    assert lines[line_of(text, "storyline") - 1].startswith("storyline = ")
    assert line_of(text, "nowhere") is None


def test_of_very_many_reasons_the_first_are_told_and_how_many_more():
    with pytest.raises(NotAPack) as raised:
        read(START + "".join(f"field_{number} = 1\n" for number in range(1000)))

    assert str(raised.value.reasons[0]).startswith("Line 4, field_0: There is no field of this name.")
    assert tuple(map(str, raised.value.reasons[MOST_REASONS:])) == ("And 950 more.",)
