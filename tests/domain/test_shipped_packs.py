"""The months that come with the product: complete where the sources are, and honest where they are not."""

import tomllib
from dataclasses import replace

import pytest

from scoring.domain.building import FleetFormat
from scoring.domain.pack import Bonus, MonthPack, ResourceRule, Tally, as_data, parse
from scoring.shipped import PACKS, shipped_pack, shipped_packs

DOMINION_WAR_6 = MonthPack(
    slug="dominion-war-6",
    storyline="Dominion War",
    month=6,
    name="The Last Battle of DS9",
    released="2014-03",
    allegiance=True,
    factions=("Federation", "Klingon", "Romulan", "Dominion"),
    token=True,
    resource=ResourceRule("exactly one", "storyline", "Federation Attack Fighters", "20"),
    tallies=(
        Tally(
            "ds9",
            "Controls Deep Space 9",
            max_each=1,
            max_total=1,
            reminder="Only this player has an away team on the station when the battle ends.",
        ),
    ),
    bonuses=(Bonus("ds9", "Controls Deep Space 9", 20, "flat", "winner", False),),
    awards=("best of each faction",),
    prize_ship="Akorem",
    notes="The SP limit stands on the printed overview.",
)

TEMPORAL_COLD_WAR_2 = MonthPack(
    slug="temporal-cold-war-2",
    storyline="Temporal Cold War",
    month=2,
    name="Future Tense",
    released="2015-11",
    resource=ResourceRule("exactly one", "any", "Advanced Technology", "5"),
    tallies=(
        Tally(
            "mission_tokens",
            "Mission Tokens",
            max_each=12,
            max_total=12,
            reminder="One for each activation phase that ends with this player alone holding the small craft.",
        ),
        Tally(
            "retrieved",
            "Retrieved the small craft",
            max_each=1,
            max_total=1,
            excludes=("destroyed",),
            reminder="One of this player's ships has taken the craft aboard.",
        ),
        Tally(
            "destroyed",
            "Destroyed the small craft",
            max_each=1,
            max_total=1,
            reminder="By an attack or a tractor beam, before anyone retrieved it.",
        ),
    ),
    bonuses=(
        Bonus("mission_tokens", "Mission Tokens", 5, "count", "each", True),
        Bonus("retrieved", "Retrieved the small craft", 20, "flat", "each", True),
        Bonus("destroyed", "Destroyed the small craft", -10, "flat", "each", True),
    ),
    prize_ship="Azati Prime",
    notes="The SP limit stands on the printed overview. The overview does not say whether a craft once "
    "retrieved still counts after its ship is lost: decide before round 1.",
)


def test_dominion_war_month_six_is_exactly_as_printed():
    """Rules 1.1, 1.4, 2.1, 2.8, 5.4, 6.1, 7.11 (S1)."""
    assert shipped_pack("dominion-war-6") == DOMINION_WAR_6


def test_temporal_cold_war_month_two_is_exactly_as_printed():
    """Rules 1.4, 2.8, 6, 7.11 (S3)."""
    assert shipped_pack("temporal-cold-war-2") == TEMPORAL_COLD_WAR_2


def test_the_tournament_of_2016_counts_from_120_and_gives_a_bye_60():
    """Rules 2.2, 2.10, 7.11, 7.12 (S2)."""
    pack = shipped_pack("tournament-2016")

    assert (pack.sp_limit, pack.base, pack.bye_fleet_points, pack.bye_counts_as_win) == (130, 120, 60, True)
    assert pack.resource == ResourceRule("at most one", "not retired")


def test_the_tournament_of_2016_with_blind_boosters_keeps_40_of_its_130_sp_for_them():
    """Rule 7.12 (S2)."""
    pack, plain = shipped_pack("tournament-2016-booster"), shipped_pack("tournament-2016")

    assert pack.fleet == FleetFormat("2016", booster=40)
    names = {"slug": plain.slug, "storyline": plain.storyline, "notes": plain.notes, "fleet": plain.fleet}
    assert replace(pack, **names) == plain


def test_the_months_stand_in_the_order_of_their_storylines():
    assert [pack.slug for pack in shipped_packs()] == [
        "dominion-war-0",
        "dominion-war-1",
        "dominion-war-2",
        "dominion-war-3",
        "dominion-war-4",
        "dominion-war-5",
        "dominion-war-6",
        "the-tholian-web",
        "arena",
        "the-collective-1",
        "the-collective-2",
        "the-collective-3",
        "resistance-is-futile-1",
        "resistance-is-futile-2",
        "resistance-is-futile-3",
        "a-matter-of-honor",
        "peak-performance",
        "q-continuum-1",
        "q-continuum-2",
        "q-continuum-3",
        "year-of-hell",
        "balance-of-terror",
        "temporal-cold-war-1",
        "temporal-cold-war-2",
        "temporal-cold-war-3",
        "the-void",
        "the-doomsday-machine",
        "classic-movies-1",
        "classic-movies-2",
        "classic-movies-3",
        "tin-man",
        "the-corbomite-maneuver",
        "the-trouble-with-tribbles",
        "klingon-civil-war-1",
        "klingon-civil-war-2",
        "klingon-civil-war-3",
        "yesterdays-enterprise",
        "in-a-mirror-darkly",
        "drive",
        "chronological-chaos",
        "resource-rumble",
        "trap-travesty",
        "turret-turmoil",
        "tournament-2016",
        "tournament-2016-booster",
    ]


def test_what_is_not_known_is_said():
    unknown_bonuses = [pack.slug for pack in shipped_packs() if not pack.bonuses_known]
    unknown_limits = [pack.slug for pack in shipped_packs() if pack.sp_limit is None]

    assert unknown_bonuses == [
        "dominion-war-0",
        "dominion-war-1",
        "dominion-war-2",
        "dominion-war-3",
        "dominion-war-4",
        "dominion-war-5",
        "the-tholian-web",
        "arena",
        "the-collective-1",
        "the-collective-2",
        "the-collective-3",
        "resistance-is-futile-2",
        "resistance-is-futile-3",
        "a-matter-of-honor",
        "peak-performance",
        "q-continuum-1",
        "q-continuum-2",
        "q-continuum-3",
        "year-of-hell",
        "temporal-cold-war-1",
        "temporal-cold-war-3",
        "the-void",
    ]
    assert unknown_limits == [
        "dominion-war-0",
        "dominion-war-6",
        "arena",
        "resistance-is-futile-2",
        "a-matter-of-honor",
        "peak-performance",
        "q-continuum-1",
        "q-continuum-2",
        "q-continuum-3",
        "year-of-hell",
        "balance-of-terror",
        "temporal-cold-war-1",
        "temporal-cold-war-2",
        "temporal-cold-war-3",
        "the-void",
    ]


def test_only_the_dominion_war_lists_factions_and_only_from_its_second_month_a_token():
    """Rules 1.4, 6.1."""
    assert {pack.storyline for pack in shipped_packs() if pack.factions} == {"Dominion War"}
    assert [pack.slug for pack in shipped_packs() if pack.token] == [
        "dominion-war-2",
        "dominion-war-3",
        "dominion-war-4",
        "dominion-war-5",
        "dominion-war-6",
    ]


@pytest.mark.parametrize(
    ("slug", "bonuses"),
    [
        ("resistance-is-futile-1", [(5, "count", "each")]),
        ("balance-of-terror", [(10, "count", "each")]),
        ("the-doomsday-machine", [(20, "flat", "each")]),
        ("classic-movies-1", [(5, "count", "each"), (10, "flat", "most")]),
        ("classic-movies-2", [(5, "count", "each"), (10, "flat", "most")]),
        ("classic-movies-3", []),
        ("tin-man", [(5, "flat", "each"), (10, "flat", "each")]),
        ("the-corbomite-maneuver", [(10, "flat", "each")]),
        ("the-trouble-with-tribbles", [(20, "flat", "fewest")]),
        ("klingon-civil-war-1", [(10, "flat", "each"), (20, "flat", "each")]),
        ("klingon-civil-war-2", [(5, "count", "each"), (10, "flat", "most")]),
        ("klingon-civil-war-3", [(5, "count", "each")]),
        ("yesterdays-enterprise", [(10, "flat", "each"), (10, "flat", "each")]),
        ("in-a-mirror-darkly", [(10, "count", "each")]),
        ("drive", [(10, "flat", "each")]),
        ("chronological-chaos", [(10, "count", "each")]),
        ("resource-rumble", [(10, "count", "each")]),
        ("trap-travesty", [(10, "count", "each")]),
        ("turret-turmoil", [(10, "count", "each")]),
    ],
)
def test_known_bonuses_have_the_shape_and_the_points_of_the_month(slug, bonuses):
    """Rule 2.8."""
    assert [(bonus.points, bonus.per, bonus.to) for bonus in shipped_pack(slug).bonuses] == bonuses


@pytest.mark.parametrize("path", sorted(PACKS.glob("*.toml")), ids=lambda path: path.stem)
def test_a_file_is_named_after_its_pack_and_survives_a_round_trip(path):
    pack = parse(tomllib.loads(path.read_text("utf-8")))

    assert path.stem == pack.slug
    assert parse(as_data(pack)) == pack


def test_an_unknown_month_is_a_key_error():
    with pytest.raises(KeyError):
        shipped_pack("dominion-war-7")
