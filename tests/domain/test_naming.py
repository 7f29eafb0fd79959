"""A name is found where it stands as a whole word, and left alone inside of longer names; and how it is shortened."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tourney.domain.naming import is_one_typo_apart, keys_asked, keys_kept, renaming, replacing, shortened, similar

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


def test_many_names_give_way_at_once():
    replaced = renaming({"Vor": "V", "Captain Vor": "Captain V.", "Kestrel": "Kestrel"})

    assert replaced("Captain Vor beat Vor, then Kestrel") == "Captain V. beat V, then Kestrel"


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Vor Kestrel"], ["Vor K."]),
        (["Vor", "Vor Kestrel"], ["Vor", "Vor K."]),
        (["Nine of Ten", "Ensign Quill", "Kestrel"], ["Nine T.", "Ensign Q.", "Kestrel"]),
        (["Vor Kane", "Vor Kestrel", "Vor Quill"], ["Vor Ka.", "Vor Ke.", "Vor Q."]),
        (["Vor Kestrel", "vor kesh"], ["Vor Kest.", "vor kesh"]),
        (["Vor Kes", "Vor Kestrel"], ["Vor Kes", "Vor Kest."]),
        (["Vor of Kestrel", "Vor Kestrel"], ["Vor of Kestrel", "Vor Kestrel"]),
        (["Vor K.", "Vor Kestrel"], ["Vor K.", "Vor Ke."]),
        (["Vor K", "Quill Ng", "Tal Lee K"], ["Vor K", "Quill N.", "Tal K."]),
        (["(Vor) Kestrel!", "Vor-Tak Ka’Plan", "Élan Éclair"], ["Vor K.", "Vor-Tak K.", "Élan É."]),
        (["Vor Kestrel ★", "★", "Vor ★"], ["Vor K.", "★", "Vor ★"]),
        ([], []),
    ],
)
def test_a_name_is_shortened_as_far_as_nobody_is_taken_for_another(names, short):
    assert shortened(names) == dict(zip(names, short, strict=True))


@given(st.lists(st.text("ab .", min_size=1, max_size=9).filter(str.strip), unique_by=str.casefold))
def test_short_names_are_as_different_as_the_names(names):
    names = list({" ".join(name.split()): None for name in names})

    short = shortened(names)

    assert set(short) == set(names)
    assert len(set(short.values())) == len(names)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("vor", "vor", False),
        ("vor", "vo", True),
        ("vor", "voor", True),
        ("vor", "vur", True),
        ("vor", "vro", True),
        ("vor", "orv", False),
        ("kestrel", "kestrle", True),
        ("kestrel", "kastrle", False),
        ("abcd", "badc", False),
        ("", "", False),
        ("", "v", True),
        ("v", "k", True),
        ("", "vo", False),
    ],
)
def test_one_typo_is_a_letter_wrong_missing_too_many_or_two_exchanged(one, other, apart):
    assert is_one_typo_apart(one, other) is is_one_typo_apart(other, one) is apart


@pytest.mark.parametrize(
    ("typed", "known", "meant"),
    [
        ("Vór", ["Vor", "Kestrel"], ["Vor"]),
        ("Vor-Tak", ["Vor Tak"], ["Vor Tak"]),
        ("Kestrle", ["Kestrel", "Vor"], ["Kestrel"]),
        ("Kestrel", ["Kestrell", "Kestrel Onyx", "Késtrel"], ["Késtrel", "Kestrell"]),
        ("Vor", ["Vor Kestrel", "Vorta"], ["Vor Kestrel"]),
        ("Vor Kestrel", ["Vor"], ["Vor"]),
        ("Vor Kestrel", ["Vor Onyx", "Kestrel"], []),
        ("Vur", ["Vor"], []),
        ("Bot 12", ["Bot 13", "Bot 2"], []),
        ("Kestrel", [], []),
        ("--", ["Vor"], []),
    ],
)
def test_a_new_name_may_mean_a_known_one(typed, known, meant):
    assert [known[place] for place in similar(typed, dict(enumerate(known)))] == meant


NAMES = st.lists(st.text("abéÉ1-’ ", min_size=1, max_size=5), min_size=1, max_size=3).map(" ".join)


@given(NAMES, NAMES)
@example("Kestrel Onyx", "Kestrel Onix")
@example("Kestrel", "kestrel onyx")
@example("Kestrel Onyx", "Késtrel")
@example("Kestrle", "Kestrel")
@example("Ann A", "Anna")
def test_two_similar_names_have_a_key_in_common(asked: str, known: str):
    if similar(asked, {1: known}):
        assert {*keys_asked(asked, 7)} & {*keys_kept(known, 7)}


def test_names_of_two_stores_have_no_key_in_common():
    assert not {*keys_asked("Kestrel", 7)} & {*keys_kept("Kestrel", 8)}
    assert not {*keys_asked("Kestrel Onyx", 7)} & {*keys_kept("Kestrel Sable", 7)}
