"""A month pack's rules as sentences for players (rules 2.1, 2.7, 2.8, 7.11)."""

from dataclasses import replace

import pytest

from scoring.domain.building import CardLimit, CostChange, FleetFormat
from scoring.domain.pack import Bonus, MonthPack, ResourceRule
from scoring.domain.words import (
    bonus_in_short,
    bonus_sentence,
    building_sentences,
    change_sentence,
    limit_sentence,
    match_points_sentence,
    resource_sentence,
    roll_off_sentence,
)

PACK = MonthPack(slug="a-month", storyline="A Storyline")


@pytest.mark.parametrize(
    ("rule", "choice", "sentence"),
    [
        ("none", "any", "No resources this month."),
        ("exactly one", "storyline", "A fleet may have exactly one resource of this storyline."),
        ("at most one", "not retired", "A fleet has one resource or none that is not retired."),
        ("any number", "any", "A fleet has as many resources as it likes of any kind."),
        ("one per ship", "any", "A fleet has at least one resource, and at most as many as it has ships, of any kind."),
    ],
)
def test_7_11_how_many_resources_and_which(rule, choice, sentence):
    assert resource_sentence(ResourceRule(rule, choice)) == sentence


@pytest.mark.parametrize(
    ("points", "per", "to", "decides", "sentence", "in_short"),
    [
        (5, "count", "each", True,
         "Counts for every one for both players, win or lose, before the winner is decided by Fleet Points.",
         "+5 each"),
        (20, "flat", "winner", False,
         "Counts for the winner only, after the winner is decided by Fleet Points.", "+20, winner only"),
        (-10, "flat", "most", True,
         "Counts for the player who has more than the opponent, before the winner is decided by Fleet Points.",
         "−10, whoever has more"),
        (3, "count", "fewest", False,
         "Counts for every one for the player who has fewer than the opponent, "
         "after the winner is decided by Fleet Points.",
         "+3 each, whoever has fewer"),
    ],
)  # fmt: skip
def test_2_8_who_gets_a_bonus_how_often_and_when(points, per, to, decides, sentence, in_short):
    bonus = Bonus("beacons", "Beacons", points, per, to, decides)

    assert (bonus_sentence(bonus), bonus_in_short(bonus)) == (sentence, in_short)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (CardLimit("none", "Warp Jump"), "Banned: Warp Jump."),
        (CardLimit("none", "Gowron", "captain", "Klingon", 4), "Banned: Gowron (Klingon captain, 4 SP)."),
        (CardLimit("none", kind="resource", cost=10), "Banned: resource printed at 10 SP."),
        (CardLimit("at least one", faction="Klingon"), "Each fleet has at least one Klingon card."),
        (CardLimit("exactly one", "Gowron"), "Each fleet has exactly one Gowron."),
        (CardLimit("at most one", kind="admiral"), "Each fleet has at most one admiral."),
    ],
)
def test_7_17_which_cards_are_banned_and_asked_for(limit, sentence):
    assert limit_sentence(limit) == sentence
    assert building_sentences(replace(PACK, card_limits=(limit,))) == (sentence,)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (CostChange("ship", "Klingon", with_card=True, points=-2),
         "Each Klingon ship, and each other ship with a Klingon card, costs 2 SP less."),
        (CostChange("captain or upgrade", "Borg", points=-1, no_penalty=True, side="Borg"),
         "Borg fleet: Each Borg captain or upgrade costs 1 SP less and pays no faction penalty."),
        (CostChange("upgrade", "Borg", other_factions=True, points=3), "Each non-Borg upgrade costs 3 SP more."),
        (CostChange("crew", no_penalty=True), "Each crew card pays no faction penalty."),
    ],
)  # fmt: skip
def test_7_17_what_costs_less_or_more(change, sentence):
    assert change_sentence(change) == sentence


@pytest.mark.parametrize(
    ("fleet", "sentences"),
    [
        (FleetFormat(), ()),
        (FleetFormat(oversized=0), ("No ship with an oversized base.",)),
        (FleetFormat(oversized=1), ("At most 1 ship with an oversized base.",)),
        (FleetFormat(allowed_factions=("Klingon", "Romulan"), factions_of="ships and captains"),
         ("Only Klingon or Romulan ships and captains.",)),
        (FleetFormat(sides=("Borg", "Rebel")), ("Each player brings one fleet for each side: Borg, Rebel.",)),
        (FleetFormat(away_team=6, away_team_sp=24),
         ("Each player also brings an away team: 6 crew cards, 24 SP at most, beside the SP limit.",)),
        (FleetFormat(away_team=6),
         ("Each player also brings an away team: 6 crew cards beside the SP limit.",)),
    ],
)  # fmt: skip
def test_7_17_how_fleets_are_built_this_month(fleet, sentences):
    assert building_sentences(replace(PACK, fleet=fleet)) == sentences


def test_7_17_banned_cards_stand_in_one_line_and_the_only_resources_in_another():
    limits = (CardLimit("none", "Lure"), CardLimit("at most one", kind="admiral"), CardLimit("none", "Warp Jump"))
    pack = replace(PACK, resource=ResourceRule(only=("Sabotage", "Protocol")), card_limits=limits)

    assert building_sentences(pack) == (
        "Only these resources: Sabotage, Protocol.", "Banned: Lure, Warp Jump.", "Each fleet has at most one admiral.",
    )  # fmt: skip


def test_2_1_what_a_match_is_worth():
    assert match_points_sentence(PACK) == "2 Battle Points for a win, 1 for a loss, 2 for a bye."


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        ("attack", "Level on Fleet Points: each rolls 5 attack dice, and most Battle Stations wins."),
        (
            "attack against defense",
            "Level on Fleet Points: one player rolls 5 attack dice, the other 5 defense dice, "
            "and most Battle Stations wins.",
        ),
    ],
)
def test_2_7_how_a_level_table_is_decided(dice, sentence):
    assert roll_off_sentence(MonthPack(slug="a-month", storyline="A Storyline", table_roll_off=dice)) == sentence
