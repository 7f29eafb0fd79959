"""The editor's fields: they hold every pack, and say what does not fit, what to do, and where."""

from dataclasses import replace

import pytest
from django.http import QueryDict

from scoring.domain.building import CardLimit, CostChange, FleetFormat
from scoring.domain.pack import Bonus, MonthPack, ResourceRule, Tally
from scoring.shipped import shipped_pack, shipped_packs
from tests.support.saying import in_english as said
from tourney.month_packs.forms.draft import PackForm
from tourney.month_packs.forms.example import example
from tourney.month_packs.forms.typed import changed, following_keys, typed_in, typed_of

DS9 = shipped_pack("dominion-war-6")
FUTURE_TENSE = shipped_pack("temporal-cold-war-2")
EVERYTHING = MonthPack(
    slug="everything",
    version=3,
    storyline="Everything",
    month=0,
    name="All fields",
    released="2020-02",
    rounds=4,
    minutes=75,
    sp_limit=130,
    fleet_point_base=120,
    win=3,
    bye=1,
    loss=0,
    no_show=1,
    bye_fleet_points=60,
    bye_counts_as_win=True,
    concession="as it stands",
    allegiance=True,
    factions=("Borg", "Federation"),
    token=True,
    resource=ResourceRule("at most one", "not retired", "Sabotage", "5", ("Sabotage", "Protocol")),
    fleet=FleetFormat("2016", 40, 0, ("Klingon", "Borg"), "ships and captains", ("Borg", "Rebel"), 6, 24),
    card_limits=(
        CardLimit("none", "Warp Jump"),
        CardLimit("at least one", "", "card", "Klingon"),
        CardLimit("exactly one", "Gowron", "captain", "Klingon", 4),
        CardLimit("at most one", kind="admiral"),
    ),
    cost_changes=(
        CostChange("ship", "Klingon", with_card=True, points=-2),
        CostChange("captain or upgrade", "Borg", points=-1, no_penalty=True, side="Borg"),
        CostChange("upgrade", "Borg", other_factions=True, points=3, side="Rebel"),
        CostChange("crew", no_penalty=True),
    ),
    tallies=(Tally("beacons", "Beacons", 3, 5, ("mines",), "At the end."), Tally("mines", "Mines", 1)),
    bonuses=(
        Bonus("mines", "Mines", -10, "flat", "each", True),
        Bonus("beacons", "Beacons", 5, "count", "winner", False),
        Bonus("beacons", "Most beacons", 10, "flat", "most", True),
        Bonus("beacons", "Fewest beacons", 1, "flat", "fewest", False),
    ),
    bonuses_known=False,
    win_conditions=("Holds the gate", "Holds the key"),
    ends_when="the gate closes",
    table_roll_off="attack against defense",
    titles=("First", "Second", "Third"),
    awards=("best of each faction",),
    pairing_style="halves",
    roll_offs_between_rounds="pairing",
    keep_factions_apart=True,
    prize_ship="Raven",
    notes="One line.\n\nAnother.",
)


def posted(typed: dict) -> dict:
    """The same as a browser sends it."""
    data = QueryDict(mutable=True)
    for name, values in typed.items():
        data.setlist(name, [value.replace("\n", "\r\n") for value in values])
    return typed_in(data)


@pytest.mark.parametrize("pack", [*shipped_packs(), EVERYTHING], ids=lambda pack: pack.slug)
def test_every_field_of_a_pack_comes_back_from_the_page_as_it_was(pack):
    form = PackForm(posted(typed_of(pack)), version=pack.version)

    assert (form.rules, form.complaints) == (pack, {})


@pytest.mark.parametrize(
    ("change", "name", "sentence"),
    [
        ({"storyline": " "}, "storyline", "Name the storyline. It appears on every event of this month."),
        ({"name": "x" * 81}, "name", "This has 81 characters; the most is 80. Shorten it."),
        ({"released": "spring"}, "released", "Type year and month like 2014-03."),
        ({"slug": "My Pack"}, "slug",
         "Use lower-case letters and digits with single hyphens between them: dominion-war-6."),
        ({"rounds": ""}, "rounds", "This is empty. Type a whole number."),
        ({"rounds": "three"}, "rounds", "“three” isn’t a whole number. Type digits only, like 12."),
        ({"rounds": "13"}, "rounds", "Type a whole number from 1 to 12."),
        ({"sp_limit": "0"}, "sp_limit", "Type a whole number from 1 to 1000."),
        ({"win": "-1"}, "win", "Type a whole number from 0 to 100."),
        ({"concession": "maybe"}, "concession",
         "Choose one of the list."),
        ({"fleet-booster": "101", "sp_limit": "100"}, "fleet-booster",
         "This is more than the limit, 100 SP. Lower this number, or raise the limit."),
        ({"resource-rule": "none"}, "resource-rule",
         "The month brings a resource that no fleet may have. Change this, or clear its name and cost."),
        ({"titles": "Admiral\nAdmiral"}, "titles", "“Admiral” is listed twice. Remove one of them."),
        ({"allegiance": None, "awards": None}, "factions",
         "Players don’t declare a faction. Tick that they do, or clear the list."),
        ({"allegiance": None, "factions": ""}, "awards",
         "This award needs factions. Let players declare a faction, or untick it."),
        ({"tallies-0-name": ""}, "tallies-0-name", "Name what is counted. Players see it at the table."),
        ({"tallies-0-key": "D S 9"}, "tallies-0-key",
         "Start with a lower-case letter; then letters, digits and underscores: mission_tokens."),
        ({"tallies-0-max_each": "2"}, "tallies-0-max_each",
         "This is more than both players together can have, 1. Lower this number, or raise the other."),
        ({"tallies-0-excludes": "gone"}, "tallies-0-excludes", "“gone” is no longer counted. Untick it."),
        ({"bonuses-0-points": ""}, "bonuses-0-points",
         "Type how many Fleet Points: above 0 for a bonus, below 0 for a penalty."),
        ({"bonuses-0-points": "0"}, "bonuses-0-points",
         "0 points changes nothing. Type a number above 0 for a bonus, or below 0 for a penalty."),
        ({"bonuses-0-tally": ""}, "bonuses-0-tally", "Choose what these points are for."),
        ({"bonuses-0-tally": "gone"}, "bonuses-0-tally",
         "“gone” is no longer counted. Choose what these points are for."),
        ({"bonuses-0-decides_winner": "on"}, "bonuses-0-decides_winner",
         "Only the winner gets these points, so they can’t decide who wins. "
         "Untick this, or give them to each player."),
        ({"notes": "x" * 2001}, "notes", "This has 2001 characters; the most is 2000. Shorten it."),
    ],
)  # fmt: skip
def test_a_field_that_does_not_fit_says_why_and_what_to_do(change, name, sentence):
    typed = typed_of(DS9) | {key: [value] for key, value in change.items() if value is not None}
    for key in (key for key, value in change.items() if value is None):
        del typed[key]

    form = PackForm(following_keys(posted(typed), typed_of(DS9)))

    assert form.rules is None
    assert said(form.complaints) == {name: [sentence]}


LIMIT = {"card_limits-count": "1", "card_limits-0-how_many": "none", "card_limits-0-kind": "card"}
CHANGE = {"cost_changes-count": "1", "cost_changes-0-kind": "ship", "cost_changes-0-points": "-2"}


@pytest.mark.parametrize(
    ("change", "name", "sentence"),
    [
        ({"fleet-away_team_sp": "24"}, "fleet-away_team_sp",
         "There is no away team. Type how many cards it has, or clear this field."),
        ({"fleet-allowed_factions": "Gorn"}, "fleet-allowed_factions",
         "“Gorn” isn’t a faction on cards. Choose one from the list."),
        (LIMIT | {"card_limits-0-how_many": "exactly one"}, "card_limits-0-title",
         "This would cover every card. Type a title, or choose a faction or a kind."),
        (LIMIT | {"card_limits-0-title": "Lure", "card_limits-0-cost": "few"}, "card_limits-0-cost",
         "“few” isn’t a whole number. Type digits only, like 12."),
        (CHANGE | {"cost_changes-0-points": ""}, "cost_changes-0-points",
         "Type the SP: below 0 for cheaper, above 0 for more expensive, 0 if only the penalty is lifted."),
        (CHANGE | {"cost_changes-0-points": "0"}, "cost_changes-0-points",
         "0 SP changes nothing. Type a number below 0 for cheaper, above 0 for more expensive, or lift the penalty."),
        (CHANGE | {"cost_changes-0-with_card": "on"}, "cost_changes-0-with_card",
         "This works only for ships of a faction. Choose “Ship” and a faction, or untick this."),
        (CHANGE | {"cost_changes-0-other_factions": "on"}, "cost_changes-0-other_factions",
         "No faction is chosen to leave out. Choose one, or untick this."),
        (CHANGE | {"cost_changes-0-side": "Borg"}, "cost_changes-0-side",
         "“Borg” isn’t one of this month’s sides. Type a side as named above, or clear this for every fleet."),
    ],
)  # fmt: skip
def test_7_17_a_building_rule_that_does_not_fit_says_why_and_what_to_do(change, name, sentence):
    form = PackForm(posted(typed_of(DS9) | {key: [value] for key, value in change.items()}))

    assert form.rules is None
    assert said(form.complaints) == {name: [sentence]}


def test_7_17_a_row_in_which_only_something_is_chosen_is_one():
    typed = changed(changed(typed_of(DS9), "add:card_limits"), "add:cost_changes")
    chosen = {"card_limits-0-faction": ["Klingon"], "card_limits-0-how_many": ["at least one"]}

    assert PackForm(typed).rules == DS9
    assert PackForm(typed | chosen).rules.card_limits == (CardLimit("at least one", faction="Klingon"),)


def test_7_17_a_row_is_called_by_what_is_typed_or_chosen_in_it():
    typed = changed(typed_of(shipped_pack("resistance-is-futile-2")), "add:card_limits")
    banned = {"card_limits-0-title": ["Warp Jump"]}

    def titles(typed):
        return [row.title for part in PackForm(typed).parts for _, rows in part.lists for row in rows]

    assert said(titles(typed)) == ["", "Borg captain or upgrade", "non-Borg captain or upgrade"]
    assert titles(typed | banned)[0] == "Warp Jump"


def test_two_bonuses_that_say_the_same_are_told_at_the_second():
    typed = typed_of(DS9)
    typed |= {name.replace("-0-", "-1-"): value for name, value in typed.items() if name.startswith("bonuses-0-")}

    form = PackForm(typed | {"bonuses-count": ["2"]})

    assert said(form.complaints) == {
        "bonuses-1": ["This is the same as a bonus above. Change it, or remove one of the two."]
    }


def test_a_row_in_which_nothing_is_typed_is_no_row():
    typed = changed(changed(typed_of(DS9), "add:tallies"), "add:bonuses")

    assert PackForm(typed).rules == DS9


def test_what_is_wrong_after_an_empty_row_stands_at_its_own_row():
    typed = changed(changed(changed(typed_of(DS9), "add:bonuses"), "add:bonuses"), "up:bonuses:2")

    form = PackForm(typed | {"bonuses-2-name": ["Late"], "bonuses-2-points": ["0"], "bonuses-2-tally": ["ds9"]})

    assert said(form.complaints) == {
        "bonuses-2-points": ["0 points changes nothing. Type a number above 0 for a bonus, or below 0 for a penalty."]
    }


def test_a_new_count_gets_a_short_name_of_its_own():
    typed = changed(changed(typed_of(DS9), "add:tallies"), "add:tallies")
    typed |= {"tallies-1-name": ["Controls the 2nd Gate!"], "tallies-2-name": ["Controls the 2nd gate"]}

    assert [tally.key for tally in PackForm(typed).rules.tallies] == [
        "ds9", "controls_the_2nd_gate", "controls_the_2nd_gate_2",
    ]  # fmt: skip


def test_bonuses_and_exclusions_follow_a_count_whose_short_name_changes():
    before = typed_of(FUTURE_TENSE)
    typed = following_keys(before | {"tallies-2-key": ["burned"]}, before)

    rules = PackForm(typed).rules

    assert [bonus.tally for bonus in rules.bonuses] == ["mission_tokens", "retrieved", "burned"]
    assert rules.tallies[1].excludes == ("burned",)


@pytest.mark.parametrize(
    ("do", "keys"),
    [
        ("remove:tallies:1", ["mission_tokens", "destroyed"]),
        ("up:tallies:2", ["mission_tokens", "destroyed", "retrieved"]),
        ("up:tallies:0", ["mission_tokens", "retrieved", "destroyed"]),
        ("remove:tallies:9", ["mission_tokens", "retrieved", "destroyed"]),
        ("remove:everything:0", ["mission_tokens", "retrieved", "destroyed"]),
        ("anything", ["mission_tokens", "retrieved", "destroyed"]),
    ],
)
def test_rows_come_and_go_by_a_press(do, keys):
    form = PackForm(changed(typed_of(FUTURE_TENSE), do))

    assert [key for key, _ in form.counts] == keys


def test_a_known_faction_is_added_by_a_press_and_players_then_declare_one():
    rules = PackForm(changed(changed(typed_of(FUTURE_TENSE), "faction:Borg"), "faction:Kazon")).rules

    assert (rules.allegiance, rules.factions) == (True, ("Borg", "Kazon"))


@pytest.mark.parametrize("pack", [*shipped_packs(), EVERYTHING], ids=lambda pack: pack.slug)
def test_every_pack_has_an_example_that_adds_up(pack):
    shown = example(pack, {})

    for match in shown.matches:
        for _, score in match.scores:
            assert score.fleet_points == sum(part.points for part in score.parts)
    assert [bool(match.score) for match in shown.matches] == [True, True]
    assert shown.bye.fleet_points == (pack.bye_fleet_points or shown.bye.parts[0].points)


def test_the_example_is_computed_with_the_rules_as_typed():
    """Rules 2.2, 2.6, 2.8, 2.10: (150 + 65 + 38 + 60) / 4 = 78.25."""
    dearer = replace(DS9, bonuses=(replace(DS9.bonuses[0], points=50),))

    shown = example(dearer, {})

    assert [score.fleet_points for match in shown.matches for _, score in match.scores] == [150, 65, 38, 60]
    assert str(shown.bye.parts[0].label) == "Average of 4 others: (150+65+38+60) / 4 = 78.25, rounded up"
    assert shown.bye.fleet_points == 79


def test_an_example_that_cannot_be_says_why():
    typed = {"one-ending": ["time"], "one-sp_left_a": ["20"], "two-ending": ["time"], "two-sp_left_a": ["many"]}

    first, second = example(DS9, typed).matches

    assert first.form.sentences == ["Enter Kestrel’s SP left."]
    assert second.form.sentences == ["Enter a whole number."]
