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
from tests.support.saying import in_english

PACK = MonthPack(slug="a-month", storyline="A Storyline")


@pytest.mark.parametrize(
    ("rule", "choice", "sentence"),
    [
        ("none", "any", "No resources this month."),
        ("exactly one", "storyline", "Each fleet may have exactly one resource, from this storyline."),
        ("at most one", "not retired", "Each fleet may have one resource that isn’t retired, or none."),
        ("any number", "any", "Each fleet may have any number of resources of any kind."),
        ("one per ship", "any", "Each fleet has at least one resource of any kind, and at most one per ship."),
    ],
)
def test_7_11_how_many_resources_and_which(rule, choice, sentence):
    assert str(resource_sentence(ResourceRule(rule, choice))) == sentence


@pytest.mark.parametrize(
    ("points", "per", "to", "decides", "sentence", "in_short"),
    [
        (5, "count", "each", True,
         "Both players score it for each one they have, win or lose. It counts before Fleet Points decide the winner.",
         "+5 each"),
        (20, "flat", "winner", False,
         "Only the winner scores it. It is added after the winner is decided.", "+20, winner only"),
        (-10, "flat", "most", True,
         "The player with more than their opponent scores it. It counts before Fleet Points decide the winner.",
         "−10, player with more"),
        (3, "count", "fewest", False,
         "The player with fewer than their opponent scores it for each one they have. "
         "It is added after the winner is decided.",
         "+3 each, player with fewer"),
    ],
)  # fmt: skip
def test_2_8_who_gets_a_bonus_how_often_and_when(points, per, to, decides, sentence, in_short):
    bonus = Bonus("beacons", "Beacons", points, per, to, decides)

    assert (str(bonus_sentence(bonus)), str(bonus_in_short(bonus))) == (sentence, in_short)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (CardLimit("none", "Warp Jump"), "Banned: Warp Jump."),
        (CardLimit("none", "Gowron", "captain", "Klingon", 4), "Banned: Gowron (Klingon captain, 4 SP)."),
        (CardLimit("none", kind="resource", cost=10), "Banned: resource printed at 10 SP."),
        (CardLimit("at least one", faction="Klingon"), "At least one per fleet: Klingon card."),
        (CardLimit("exactly one", "Gowron"), "Exactly one per fleet: Gowron."),
        (CardLimit("at most one", kind="admiral"), "At most one per fleet: admiral."),
    ],
)
def test_7_17_which_cards_are_banned_and_asked_for(limit, sentence):
    assert str(limit_sentence(limit)) == sentence
    assert in_english(building_sentences(replace(PACK, card_limits=(limit,)))) == (sentence,)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (CostChange("ship", "Klingon", with_card=True, points=-2),
         "Klingon ship, or ship with a Klingon card: 2 SP less."),
        (CostChange("captain or upgrade", "Borg", points=-1, no_penalty=True, side="Borg"),
         "Borg captain or upgrade: 1 SP less and no faction penalty. Only in Borg fleets."),
        (CostChange("upgrade", "Borg", other_factions=True, points=3), "non-Borg upgrade: 3 SP more."),
        (CostChange("crew", no_penalty=True), "crew card: no faction penalty."),
    ],
)  # fmt: skip
def test_7_17_what_costs_less_or_more(change, sentence):
    assert str(change_sentence(change)) == sentence


@pytest.mark.parametrize(
    ("fleet", "sentences"),
    [
        (FleetFormat(), ()),
        (FleetFormat(oversized=0), ("No ships with an oversized base.",)),
        (FleetFormat(oversized=1), ("At most 1 ship with an oversized base.",)),
        (FleetFormat(allowed_factions=("Klingon", "Romulan"), factions_of="ships and captains"),
         ("Allowed factions for ships and captains: Klingon and Romulan.",)),
        (FleetFormat(sides=("Borg", "Rebel")), ("Each player brings one fleet for each side: Borg and Rebel.",)),
        (FleetFormat(away_team=6, away_team_sp=24),
         ("Each player also brings an away team of 6 crew cards, up to 24 SP, on top of the SP limit.",)),
        (FleetFormat(away_team=6),
         ("Each player also brings an away team of 6 crew cards, on top of the SP limit.",)),
    ],
)  # fmt: skip
def test_7_17_how_fleets_are_built_this_month(fleet, sentences):
    assert in_english(building_sentences(replace(PACK, fleet=fleet))) == sentences


def test_7_17_banned_cards_stand_in_one_line_and_the_only_resources_in_another():
    limits = (CardLimit("none", "Lure"), CardLimit("at most one", kind="admiral"), CardLimit("none", "Warp Jump"))
    pack = replace(PACK, resource=ResourceRule(only=("Sabotage", "Protocol")), card_limits=limits)

    assert in_english(building_sentences(pack)) == (
        "Only these resources: Sabotage and Protocol.", "Banned: Lure and Warp Jump.",
        "At most one per fleet: admiral.",
    )  # fmt: skip


def test_2_1_what_a_match_is_worth():
    assert str(match_points_sentence(PACK)) == "Battle Points: 2 for a win, 1 for a loss, 2 for a bye."


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        ("attack", "Tied on Fleet Points: each player rolls 5 attack dice; most Battle Stations wins."),
        (
            "attack against defense",
            "Tied on Fleet Points: one player rolls 5 attack dice, the other 5 defense dice; "
            "most Battle Stations wins.",
        ),
    ],
)
def test_2_7_how_a_tied_table_is_decided(dice, sentence):
    assert str(roll_off_sentence(replace(PACK, table_roll_off=dice))) == sentence
