"""Who and what is missing before a round is published and before a result is saved (rules 1.4, 7.1, 7.2)."""

import pytest

from tourney.domain.missing import (
    Gap,
    SheetGap,
    Starter,
    TableSheet,
    gaps_at,
    without_faction,
    without_fleet,
)

FACTIONS = [
    ("declared", Starter(1, faction="Borg"), ()),
    ("nothing said", Starter(1), (1,)),
    ("plays without", Starter(1, plays_without=True), ()),
    ("has played a round, as before the question was there", Starter(1, has_played=True), ()),
]


@pytest.mark.parametrize(("case", "starter", "missing"), FACTIONS, ids=[case for case, *_ in FACTIONS])
def test_1_4_a_faction_is_asked_of_whoever_plays_a_first_round_and_has_not_said(case, starter, missing):
    assert without_faction([starter], has_allegiance=True) == missing


def test_1_4_everybody_who_has_not_said_is_named_in_their_order():
    starters = [Starter(3), Starter(1, faction="Klingon"), Starter(2, plays_without=True), Starter(7)]

    assert without_faction(starters, has_allegiance=True) == (3, 7)


def test_1_4_a_month_without_allegiance_asks_nobody():
    assert without_faction([Starter(1), Starter(2)], has_allegiance=False) == ()


FLEETS = [
    ("recorded", Starter(1, has_fleet=True), ()),
    ("not recorded", Starter(1), (1,)),
    ("not recorded, and was seen before an earlier round", Starter(1, has_played=True), ()),
]


@pytest.mark.parametrize(("case", "starter", "missing"), FLEETS, ids=[case for case, *_ in FLEETS])
def test_7_1_a_fleet_is_asked_of_whoever_plays_a_first_round(case, starter, missing):
    assert without_fleet([starter], is_asked=True) == missing
    assert without_fleet([starter], is_asked=False) == ()


def sheet(owner, *, recorded=True, said="signed"):
    return TableSheet(owner, recorded, said)


TABLES = [
    ("both signed", sheet(1), sheet(2), []),
    ("one not signed", sheet(1), sheet(2, said=""), [(2, Gap.NOT_SIGNED)]),
    ("none signed", sheet(1, said=""), sheet(2, said=""), [(1, Gap.NOT_SIGNED), (2, Gap.NOT_SIGNED)]),
    ("a judge is called", sheet(1, said="called"), sheet(2), [(1, Gap.CALLED)]),
    ("one not recorded", sheet(1, recorded=False, said=""), sheet(2), [(1, Gap.NOT_RECORDED)]),
    ("not recorded, though it was signed as on paper", sheet(1, recorded=False), sheet(2), [(1, Gap.NOT_RECORDED)]),
    (
        "one not recorded, one not signed",
        sheet(1, recorded=False, said=""),
        sheet(2, said=""),
        [(1, Gap.NOT_RECORDED), (2, Gap.NOT_SIGNED)],
    ),
    (
        "neither recorded",
        sheet(1, recorded=False, said=""),
        sheet(2, recorded=False, said=""),
        [(1, Gap.NOT_RECORDED), (2, Gap.NOT_RECORDED)],
    ),
]


@pytest.mark.parametrize(("case", "first", "second", "gaps"), TABLES, ids=[case for case, *_ in TABLES])
def test_7_2_what_is_missing_of_the_sheets_of_a_table(case, first, second, gaps):
    assert gaps_at([first, second], is_asked=True) == tuple(SheetGap(*gap) for gap in gaps)
    assert gaps_at([first, second], is_asked=False) == ()


def test_what_is_missing_has_a_word_of_its_own_in_a_form():
    assert [SheetGap(4, gap).code for gap in Gap] == ["fleet4", "sign4", "call4"]
