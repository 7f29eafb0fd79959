"""Cards found as people type them."""

import pytest

from fleets.domain.finding import has_words, is_near, near_words, rank


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("obrien", "Miles O'Brien"),
        ("o'brien", "Miles O’Brien"),
        ("o’brien", "Miles O'Brien"),
        ("o`brien", "Miles O'Brien"),
        ("o brien", "Miles O'Brien"),
        ("TPol", "T'Pol"),
        ("neghvar", "I.K.S. Negh'var"),
        ("Negh’Var", "I.K.S. Negh'var"),
        ("thylek", "Thy'lek Shran"),
        ("vorcha bonus", "Photon Torpedoes (Vor'cha Bonus)"),
        ("uss defiant", "U.S.S. Defiant"),
        ("u.s.s. defiant", "USS Defiant"),
        ("U.S.S Defiant", "U.S.S. Defiant"),
        ("irw", "I.R.W. Khazara"),
        ("iks", "I.K.S. Gr'oth"),
        ("hms bounty", "H.M.S. Bounty"),
        ("jt esteban", "J.T. Esteban"),
        ("ds9", "Deep Space 9"),
        ("DS9", "Deep Space 9"),
        ("ds 9", "Deep Space 9"),
        ("deep space nine", "Deep Space 9"),
        ("deep space 9", "Deep Space 9"),
        ("enterprise d", "U.S.S. Enterprise-D"),
        ("enterprised", "U.S.S. Enterprise-D"),
        ("nx01", "Enterprise NX-01"),
        ("nx-01", "Enterprise NX-01"),
        ("jean luc", "Jean-Luc Picard"),
        ("bird of prey", "Korok's Bird-of-Prey"),
        ("romulan/borg", "Romulan/Borg Starship"),
        ("needs many", "The Needs of the Many..."),
        ("ELITE", "elite"),
        ("elite", "Élite"),
        ("élite", "Elite"),
        ("strasse", "STRAßE"),
        ("picard kirk", "Kirk and Picard"),
    ],
)
def test_a_card_is_found_however_it_is_typed(typed, card):
    assert has_words(typed, card)


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("obrian", "Miles O'Brien"),
        ("picard kirk", "Jean-Luc Picard"),
        ("ds9", "Deep Space 4"),
        ("", "Deep Space 9"),
        ("%_", "Deep Space 9"),
        ("...", "The Needs of the Many..."),
        ("9%", "Deep Space 9"),
        ("<d>", "Deep Space 9"),
    ],
)
def test_another_card_is_not_found(typed, card):
    assert not has_words(typed, card)


@pytest.mark.parametrize(
    ("typed", "word", "expected"),
    [
        ("picerd", "picard", True),
        ("pickard", "picard", True),
        ("picrd", "picard", True),
        ("picrad", "picard", True),
        ("ficard", "picard", True),
        ("picarx", "picard", True),
        ("picardo", "picard", True),
        ("pick", "picard", False),
        ("picka", "picard", True),
        ("wrof", "worf", True),
        ("wor", "worf", False),
        ("kira", "kirk", True),
        ("kira", "kirks", False),
        ("torpedos", "torpedoes", True),
        ("pikkard", "picard", False),
        ("picardos", "picard", False),
        ("klingno", "klingon", True),
        ("1701", "1702", False),
        ("nx01", "nx02", False),
        ("", "picard", False),
        ("picard", "", False),
    ],
)
def test_one_letter_may_be_wrong_missing_too_many_or_swapped(typed, word, expected):
    assert is_near(typed, word) is expected


def test_near_are_words_that_the_typed_word_stands_in_too():
    assert near_words("picrad luc", ["Jean-Luc Picard", "Lucsly"]) == [
        frozenset({"picard"}),
        frozenset({"luc", "jeanluc", "lucsly"}),
    ]


@pytest.mark.parametrize(
    ("typed", "title", "expected"),
    [
        ("tpol", "T'Pol", 0),
        ("uss ent", "U.S.S. Enterprise-D", 0),
        ("enterprise d", "U.S.S. Enterprise-D", 1),
        ("enterprise d", "U.S.S. Enterprise-A", 3),
        ("ds9", "Deep Space 9", 1),
        ("card", "Jean-Luc Picard", 2),
        ("federation", "Jean-Luc Picard", 3),
    ],
)
def test_a_title_that_begins_so_comes_first(typed, title, expected):
    assert rank(typed, title) == expected
