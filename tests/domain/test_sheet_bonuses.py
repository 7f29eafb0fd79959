"""Rule 2.8: bonuses as a kit's sheet prints them, and the pack that comes of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.pack import Bonus, Tally
from scoring.domain.pack_sheet import SheetBonus, is_alike, is_said_by_lines, lines_of, with_bonuses
from scoring.shipped import shipped_pack, shipped_packs

UNKNOWN = shipped_pack("dominion-war-1")
TOKENS = SheetBonus("Mission tokens", 5, "count", "each")
MOST = SheetBonus("mission TOKENS", 10, "flat", "most")
STATION = SheetBonus("Controls the station", 20, "flat", "winner")


def test_lines_become_what_is_counted_and_what_it_is_worth():
    pack = with_bonuses(UNKNOWN, [STATION, TOKENS])

    assert pack.bonuses_known
    assert pack.tallies == (
        Tally("controls_the_station", "Controls the station", max_each=1),
        Tally("mission_tokens", "Mission tokens"),
    )
    assert pack.bonuses == (
        Bonus("controls_the_station", "Controls the station", 20, "flat", "winner", decides_winner=False),
        Bonus("mission_tokens", "Mission tokens", 5, "count", "each", decides_winner=True),
    )


def test_lines_of_the_same_name_count_the_same_thing():
    pack = with_bonuses(UNKNOWN, [TOKENS, MOST])

    assert [tally.key for tally in pack.tallies] == ["mission_tokens"]
    assert [bonus.tally for bonus in pack.bonuses] == ["mission_tokens"] * 2


def test_a_sheet_without_bonuses_is_known_to_have_none():
    pack = with_bonuses(UNKNOWN, [])

    assert (pack.bonuses_known, pack.bonuses, pack.tallies) == (True, (), ())
    assert is_alike(pack, UNKNOWN)


@given(
    st.lists(
        st.builds(
            SheetBonus,
            st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=80),
            st.integers(-1000, 1000).filter(bool),
            st.sampled_from(["flat", "count"]),
            st.sampled_from(["each", "winner", "most", "fewest"]),
        ),
        max_size=8,
    )
)
def test_what_is_typed_can_be_typed_again(lines):
    pack = with_bonuses(UNKNOWN, lines)

    assert lines_of(pack) == tuple(lines)
    assert is_said_by_lines(pack)


@pytest.mark.parametrize(("slug", "said"), [("dominion-war-1", True), ("dominion-war-6", False)])
def test_a_pack_that_says_more_is_told_from_one_that_lines_can_say(slug, said):
    assert is_said_by_lines(shipped_pack(slug)) is said


def test_the_months_whose_bonuses_are_not_known_lack_them_altogether():
    assert all(not pack.bonuses and not pack.tallies for pack in shipped_packs() if not pack.bonuses_known)
