"""Rule 1.4 for players who come again, and until when they withdraw alone."""

import pytest

from tourney.domain.regulars import faction_again, why_not_withdraw

WAR = ("Federation", "Klingon", "Romulan", "Dominion")


@pytest.mark.parametrize(
    ("last", "factions", "allegiance", "again"),
    [
        ("Klingon", WAR, True, "Klingon"),
        ("klingon", WAR, True, "Klingon"),
        ("Borg", WAR, True, None),
        ("", WAR, True, None),
        ("Borg", (), True, "Borg"),
        ("", (), True, None),
        ("Klingon", (), False, ""),
        ("Klingon", WAR, False, ""),
    ],
)
def test_the_faction_of_last_time_is_kept_where_the_month_has_it(last, factions, allegiance, again):
    assert faction_again(last, factions, allegiance=allegiance) == again


@pytest.mark.parametrize(
    ("rounds", "is_finished", "reasons"),
    [
        ((), False, []),
        (("draft",), False, ["Round 1 is being paired. Ask at the counter."]),
        (("published",), False, ["Round 1 has started. Ask at the counter."]),
        (("closed", "draft"), False, ["Round 1 has started. Ask at the counter."]),
        ((), True, ["This event is finished."]),
        (("closed",), True, ["This event is finished."]),
    ],
)
def test_a_player_withdraws_alone_until_round_1_is_paired(rounds, is_finished, reasons):
    assert [str(reason) for reason in why_not_withdraw(rounds, is_finished=is_finished)] == reasons
