"""Every field of the month pack format has a name, a sentence and words for its values."""

from dataclasses import fields, is_dataclass, replace

import pytest

from scoring.domain.building import CardLimit, CostChange, FleetFormat
from scoring.domain.pack import Bonus, InvalidPack, MonthPack, ResourceRule, Tally, as_data, parse
from scoring.domain.pack_difference import FieldDifference, differences, in_short, merged
from scoring.domain.pack_guide import GUIDES, ROWS, in_words, plainly
from scoring.shipped import shipped_pack
from tests.support.saying import in_english as said

DS9 = shipped_pack("dominion-war-6")
FUTURE_TENSE = shipped_pack("temporal-cold-war-2")
BY_FIELD = {guide.field: guide for guide in GUIDES} | {
    f"{rows.field}.{guide.field}": guide for rows in ROWS for guide in rows.guides
}
GIVEN_BY_SAVING = {"version"}


def test_the_guide_speaks_of_every_field_of_the_format_once():
    tables = {
        "resource": ResourceRule,
        "fleet": FleetFormat,
        "card_limits": CardLimit,
        "cost_changes": CostChange,
        "tallies": Tally,
        "bonuses": Bonus,
    }
    leaves = [item.name for item in fields(MonthPack) if item.name not in tables]
    within = [f"{name}.{item.name}" for name, table in tables.items() if is_dataclass(table) for item in fields(table)]

    paths = [guide.field for guide in GUIDES] + [f"{rows.field}.{one.field}" for rows in ROWS for one in rows.guides]
    assert sorted(paths) == sorted({*leaves, *within} - GIVEN_BY_SAVING)


def test_every_field_says_in_one_sentence_what_it_does():
    for guide in BY_FIELD.values():
        assert guide.label
        assert str(guide.explains).endswith(".")
        assert "TODO" not in str(guide.explains)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("sp_limit", 120, "120 SP"),
        ("sp_limit", None, "set for each event"),
        ("bonuses.points", -10, "−10 points"),
        ("token", True, "yes"),
        ("pairing_style", "halves", "Top half against bottom half"),
        ("awards", ["best of each faction"], "Map elements for the best of each faction"),
        ("factions", [], "players type their own"),
        ("name", "", "none"),
        ("released", "2014-03", "2014-03"),
    ],
)
def test_a_value_is_said_as_people_say_it(field, value, words):
    assert str(in_words(BY_FIELD[field], value)) == words


@pytest.mark.parametrize(
    ("field", "value", "plain"),
    [
        ("rounds", 13, "Type a whole number from 1 to 12."),
        ("name", "a" * 81, "This has 81 characters; the most is 80. Shorten it."),
        ("titles", ["Admiral", "Admiral"], "“Admiral” is listed twice. Remove one of them."),
        ("released", "spring", "Type year and month like 2014-03."),
    ],
)
def test_the_complaint_of_a_file_becomes_a_sentence_for_a_page(field, value, plain):
    with pytest.raises(InvalidPack) as refusal:
        parse(as_data(DS9) | {field: value})

    (error,) = refusal.value.errors
    assert str(plainly(BY_FIELD[field], error)) == plain


def test_what_a_month_prints_about_building_is_told_by_its_names():
    before = replace(DS9, card_limits=(CardLimit("none", "Lure"), CardLimit("at least one", faction="Klingon")))
    changes = (CostChange("ship", "Klingon", with_card=True, points=-2),)
    fleet = FleetFormat(oversized=0, allowed_factions=("Klingon",))

    limits = (before.card_limits[1], CardLimit("none", "Warp Jump"))
    found = differences(before, replace(before, card_limits=limits, cost_changes=changes, fleet=fleet))

    assert str(in_short(found)) == (
        "Ships with an oversized base: as in the format → 0 ships. Only these factions: all factions → Klingon. "
        "Card rule “Warp Jump” added. Card rule “Lure” removed. "
        "Cost change “Klingon ship, or ship with a Klingon card” added."
    )
    assert str(found[-1].after) == (
        "Kind: Ship. Faction: Klingon. Also ships with a card of the faction: yes. Change: −2 SP."
    )


def test_the_same_pack_has_no_differences_whatever_its_version_and_address():
    assert differences(DS9, replace(DS9, version=7, slug="another")) == ()


def test_differences_are_told_field_by_field_with_both_values():
    bonus = replace(DS9.bonuses[0], points=25)

    found = differences(DS9, replace(DS9, sp_limit=120, factions=("Federation", "Borg"), bonuses=(bonus,), token=False))

    assert said(found) == (
        FieldDifference("Fleets", "SP limit", "set for each event", "120 SP"),
        FieldDifference("Bonuses", "Controls Deep Space 9: Fleet Points", "20 points", "25 points"),
        FieldDifference(
            "Factions",
            "Factions to choose from",
            "Federation, Klingon, Romulan and Dominion",
            "Federation and Borg",
            "Factions to choose from: Borg added; Klingon, Romulan and Dominion removed.",
        ),
        FieldDifference("Ranks and awards", "Commendation Award Token", "yes", "no"),
    )


def test_rows_that_come_and_go_have_a_sentence_of_their_own():
    tally = Tally("beacons", "Beacons", max_each=3)
    bonus = Bonus("beacons", "Beacons", 5, "count", "each", True)
    more = replace(DS9, tallies=(*DS9.tallies, tally), bonuses=(*DS9.bonuses, bonus))

    came, went = differences(DS9, more), differences(more, DS9)

    assert [str(one.sentence) for one in came] == ["Count “Beacons” added.", "Bonus “Beacons” added."]
    assert [str(one.sentence) for one in went] == ["Count “Beacons” removed.", "Bonus “Beacons” removed."]
    assert (came[0].before, str(came[0].after)) == ("–", "Most for one player: 3.")
    assert str(in_short(came)) == "Count “Beacons” added. Bonus “Beacons” added."


def test_another_order_of_rows_is_a_difference():
    turned = replace(FUTURE_TENSE, bonuses=FUTURE_TENSE.bonuses[::-1])

    assert [(one.label, one.before, one.after) for one in said(differences(FUTURE_TENSE, turned))] == [
        (
            "Order of bonuses",
            "Mission Tokens, Retrieved the small craft and Destroyed the small craft",
            "Destroyed the small craft, Retrieved the small craft and Mission Tokens",
        )
    ]


def test_two_changes_of_one_pack_come_together_and_mine_stays_where_both_changed():
    theirs = replace(DS9, sp_limit=100, rounds=4, notes="Theirs.")
    mine = replace(DS9, sp_limit=120, titles=("Admiral",))

    assert merged(DS9, theirs, mine) == as_data(
        replace(DS9, sp_limit=120, rounds=4, notes="Theirs.", titles=("Admiral",))
    )
