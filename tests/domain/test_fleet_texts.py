"""Fleets as lines of text, ours and those of others."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fleets.domain.card_data import sheet_as_data, sheet_from_data
from fleets.domain.cards import Card, Kind
from fleets.domain.cost import costs
from fleets.domain.sheet import Line, Sheet
from fleets.domain.texts import NotAText, as_text, read_text
from tests.fleets_for_tests import Numbered, captain_card, card, ship_card

KNOWN = (
    ship_card("Kestrel", 20),
    ship_card("Lark", 22, factions=("KLI",)),
    captain_card("Captain Vor", 3),
    captain_card("Captain Onyx", 4, factions=("KLI",)),
    card(Kind.CREW, "Quill", 2),
    card(Kind.WEAPON, "Photon Torpedoes", 5),
    card(Kind.WEAPON, "Photon Torpedoes", 4, ship_class="aft"),
    card(Kind.RESOURCE, "Command Tokens", 5, factions=()),
)


def find(title: str, cost: int | None) -> Card | None:
    same = [one for one in KNOWN if one.title.casefold() == title.casefold()]
    return next((one for one in same if one.cost == cost), same[0] if same else None)


def shape(sheet: Sheet) -> list[tuple[str, str, int]]:
    """Title, kind and cost of each line."""
    return [(cost.line.card.title, cost.line.card.kind.value, cost.total) for cost in costs(sheet).lines]


OURS = """Night watch

Kestrel [20]
- Captain Vor [3] Cap
- Photon Torpedoes [4] W
Ship Total [27]

Lark [22]
- Captain Onyx [4] Cap
- Quill [3] C
Ship Total [29]

Resource: Command Tokens [5]
Other: Orders [2]
Fleet Total [63]"""


def test_a_fleet_is_written_and_read_again():
    numbered = Numbered()
    sheet = Sheet(
        (numbered.ship(KNOWN[0], KNOWN[2], KNOWN[6]), numbered.ship(KNOWN[1], KNOWN[3], KNOWN[4])),
        numbered.line(KNOWN[7]),
        other=(numbered.line(Card(Kind.OTHER, "Orders", cost=2)),),
    )

    assert as_text(sheet, "Night watch") == OURS
    assert read_text(OURS, find).sheet == sheet
    assert read_text(OURS, find).not_recognised == ("Orders",)


@pytest.mark.parametrize(
    ("case", "text", "expected", "not_recognised"),
    [
        (
            "a plain list",
            "Kestrel (20)\nCaptain Vor (3)\nQuill (2)\nCommand Tokens (5)",
            [
                ("Kestrel", "ship", 20),
                ("Captain Vor", "captain", 3),
                ("Quill", "crew", 2),
                ("Command Tokens", "resource", 5),
            ],
            (),
        ),
        (
            "capitals, bullets and SP",
            "KESTREL [20 SP]\n• captain vor [3 pts]\n\tquill",
            [("Kestrel", "ship", 20), ("Captain Vor", "captain", 3), ("Quill", "crew", 2)],
            (),
        ),
        (
            "the resource under its heading",
            "Kestrel [20]\nResource\nCommand Tokens [5]\nFleet Total [25]",
            [("Kestrel", "ship", 20), ("Command Tokens", "resource", 5)],
            (),
        ),
        (
            "what nobody knows stays by hand",
            "Home-made [30]\n- Somebody [4] Cap\n- Something [3]",
            [("Home-made", "ship", 30), ("Somebody", "captain", 4), ("Something", "other", 3)],
            ("Home-made", "Somebody", "Something"),
        ),
        (
            "another cost than ours",
            "Kestrel [20]\n- Quill [0]",
            [("Kestrel", "ship", 20), ("Quill", "crew", 0)],
            (),
        ),
        (
            "the one of several with that cost",
            "Kestrel\n- Photon Torpedoes [4]",
            [("Kestrel", "ship", 20), ("Photon Torpedoes", "weapon", 4)],
            (),
        ),
    ],
)
def test_what_others_write_is_understood(case, text, expected, not_recognised):
    found = read_text(text, find)

    assert (shape(found.sheet), found.not_recognised) == (expected, not_recognised)


def test_a_cost_that_is_not_ours_stands_by_hand_and_says_so():
    quill = read_text("Kestrel [20]\n- Quill [0]", find).sheet.ships[0].cards[0]

    assert quill == Line(2, KNOWN[4], cost_by_hand=0, note="pasted so")


NOTHING = "There is no card in the text. Paste one card per line, its cost in brackets: Kestrel [20]."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", NOTHING),
        ("Night watch\n\nFleet Total [0]", NOTHING),
        ("Kestrel [20]\n" * 201, "The text has more than 200 cards, which no fleet has."),
        ("x" * 20_001, "The text is longer than 20,000 characters, which no fleet is."),
    ],
)
def test_what_is_no_fleet_is_refused_with_a_sentence(text, message):
    with pytest.raises(NotAText) as refused:
        read_text(text, find)
    assert str(refused.value) == message


@settings(deadline=None, max_examples=200)
@given(
    st.text(st.characters(codec="utf-8"), max_size=200) | st.lists(st.sampled_from(OURS.splitlines())).map("\n".join)
)
def test_any_text_is_read_or_refused(text):
    try:
        found = read_text(text, find)
    except NotAText:
        return
    assert len(found.sheet.lines) >= 1
    assert sheet_from_data(sheet_as_data(found.sheet)) == found.sheet
