"""A name is found where it stands as a whole word, and left alone inside of longer names."""

import pytest

from tourney.domain.naming import replacing

MARK = "Player 7F"


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("Vor drops.", "Player 7F drops."),
        ("Registered Kestrel, Vor and Quill.", "Registered Kestrel, Player 7F and Quill."),
        ("Vor’s fleet, Vor (Klingon)", "Player 7F’s fleet, Player 7F (Klingon)"),
        ("Vorta, eVor, vor and VOR", "Vorta, eVor, vor and VOR"),
        ("Captain Vor against Vor", "Captain Vor against Player 7F"),
        ("Vor-Tak and Vor", "Vor-Tak and Player 7F"),
    ],
)
def test_only_the_whole_name_gives_way(text, without):
    assert replacing("Vor", MARK, ["Captain Vor", "Vor-Tak", "Kestrel", "Vor"])(text) == without


def test_signs_in_a_name_are_only_signs():
    assert replacing("(V.r)", MARK, [])("(V.r) and (Vor)") == "Player 7F and (Vor)"


def test_facts_are_searched_to_their_depth_and_keys_stay():
    facts = {"entrants": [[1, "Vor", "Klingon"], [2, "Kestrel", ""]], "Vor": {"why": "Vor left"}, "at": None, "n": 3}

    assert replacing("Vor", MARK, [])(facts) == {
        "entrants": [[1, "Player 7F", "Klingon"], [2, "Kestrel", ""]],
        "Vor": {"why": "Player 7F left"},
        "at": None,
        "n": 3,
    }
