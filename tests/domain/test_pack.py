"""Month packs: the format is checked as a whole, and reads back what it writes (docs/month-packs.md)."""

import re
import tomllib
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from scoring.domain.building import (
    FACTION_NAMES,
    CardLimit,
    CostChange,
)
from scoring.domain.pack import (
    Bonus,
    InvalidPack,
    LimitNotChosen,
    Tally,
    as_data,
    parse,
)
from scoring.shipped import shipped_pack

SMALLEST = {"format": 1, "slug": "a-month", "storyline": "A Storyline"}
TALLY = {"key": "beacons", "name": "Beacons"}
BANNED = {"how_many": "none", "title": "Warp Jump"}
CHEAPER = {"kind": "crew", "points": -1}
BONUS = {
    "tally": "beacons",
    "name": "Beacons",
    "points": 5,
    "per": "count",
    "to": "each",
    "decides_winner": True,
}


def errors_of(data):
    with pytest.raises(InvalidPack) as raised:
        parse(data)
    return [(error.field, str(error.message)) for error in raised.value.errors]


def test_the_smallest_pack_is_three_rounds_of_sixty_minutes_with_the_usual_points():
    """Rules 1.1, 2.1, 2.2, 2.9, 2.10, 3.2, 4.4, 5.1."""
    assert as_data(parse(SMALLEST)) == {
        "format": 1,
        "slug": "a-month",
        "version": 1,
        "storyline": "A Storyline",
        "month": None,
        "name": "",
        "released": "",
        "language": "en",
        "rounds": 3,
        "minutes": 60,
        "sp_limit": None,
        "fleet_point_base": None,
        "win": 2,
        "bye": 2,
        "loss": 1,
        "no_show": 0,
        "bye_fleet_points": None,
        "bye_counts_as_win": False,
        "concession": "eliminated",
        "allegiance": False,
        "factions": [],
        "token": False,
        "resource": {"rule": "exactly one", "choice": "any", "name": "", "cost": "", "only": []},
        "fleet": {
            "format": "storyline",
            "booster": 0,
            "oversized": None,
            "allowed_factions": [],
            "factions_of": "ships",
            "sides": [],
            "away_team": 0,
            "away_team_sp": None,
        },
        "card_limits": [],
        "cost_changes": [],
        "tallies": [],
        "bonuses": [],
        "bonuses_known": True,
        "win_conditions": [],
        "ends_when": "",
        "table_roll_off": "attack",
        "titles": ["Admiral", "Vice Admiral"],
        "awards": [],
        "pairing_style": "neighbours",
        "roll_offs_between_rounds": "every",
        "keep_factions_apart": False,
        "prize_ship": "",
        "notes": "",
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"format": 2}, ("format", "2 doesn’t fit here. Type the number 1.")),
        ({"slug": "A Month"}, ("slug", "“A Month” doesn’t fit here. Type something like dominion-war-6.")),
        ({"storyline": " "}, ("storyline", "' ' doesn’t fit here. Type a text in quotation marks.")),
        ({"storyline": 5}, ("storyline", "5 doesn’t fit here. Type a text in quotation marks.")),
        ({"name": "x" * 81}, ("name", "This has 81 characters; the most is 80. Shorten it.")),
        ({"name": "Ends "}, ("name", "This begins or ends with a space. Remove it.")),
        ({"month": -1}, ("month", "-1 doesn’t fit here. Type a whole number from 0 to 99.")),
        ({"released": "2014-13"}, ("released", "“2014-13” doesn’t fit here. Type something like 2014-03.")),
        ({"rounds": 0}, ("rounds", "0 doesn’t fit here. Type a whole number from 1 to 12.")),
        ({"rounds": "3"}, ("rounds", "'3' doesn’t fit here. Type a whole number from 1 to 12.")),
        ({"rounds": True}, ("rounds", "true doesn’t fit here. Type a whole number from 1 to 12.")),
        ({"rounds": 3.0}, ("rounds", "3.0 doesn’t fit here. Type a whole number from 1 to 12.")),
        ({"rounds": None}, ("rounds", "null doesn’t fit here. Type a whole number from 1 to 12.")),
        ({"sp_limit": 0}, ("sp_limit", "0 doesn’t fit here. Type a whole number from 1 to 1000.")),
        ({"win": []}, ("win", "A list doesn’t fit here. Type a whole number from 0 to 100.")),
        ({"token": "yes"}, ("token", "'yes' doesn’t fit here. Type true or false.")),
        (
            {"concession": "no"},
            ("concession", "'no' doesn’t fit here. Type one of these: 'eliminated', 'as it stands'."),
        ),
        ({"titles": "Admiral"}, ("titles", "'Admiral' doesn’t fit here. Type a list of texts in square brackets.")),
        (
            {"titles": ["Captain", ""]},
            ("titles[1]", "'' doesn’t fit here. Type a text of one line, without a space at its beginning or end."),
        ),
        ({"titles": ["x" * 41]}, ("titles[0]", "This has 41 characters; the most is 40. Shorten it.")),
        ({"titles": [5]}, ("titles[0]", "5 doesn’t fit here. Type a text in quotation marks.")),
        ({"notes": "a\0b"}, ("notes", "This has characters that can’t be shown. Type it again.")),
        ({"name": "a\nb"}, ("name", "This has characters that can’t be shown on one line. Type it again.")),
        (
            {"win": 10**30},
            ("win", "A number of more than 19 digits doesn’t fit here. Type a whole number from 0 to 100."),
        ),
        ({"titles": ["A", "A"]}, ("titles[1]", "“A” is listed twice. Remove one of them.")),
        ({"resource": 20}, ("resource", "20 doesn’t fit here. Type a table of fields.")),
        (
            {"resource": {"price": 5}},
            ("resource.price", "There is no field of this name. Known are: rule, choice, name, cost, only."),
        ),
        ({"tallies": {}}, ("tallies", "A table doesn’t fit here. Type a list of tables.")),
        ({"tallies": [TALLY | {"key": "Beacons"}]}, ("tallies[0].key", None)),
        ({"bonus": []}, ("bonus", "There is no field of this name. Did you mean bonuses?")),
        (
            {"factions": ["Federation"]},
            ("factions", "This can’t be here while allegiance is false. Change that, or remove this."),
        ),
        (
            {"awards": ["a medal"]},
            ("awards[0]", "'a medal' doesn’t fit here. Type one of these: 'best of each faction'."),
        ),
        (
            {"awards": ["best of each faction"]},
            ("awards[0]", "This can’t be here while allegiance is false. Change that, or remove this."),
        ),
        (
            {"sp_limit": 100, "fleet": {"booster": 101}},
            ("fleet.booster", "This is more than the limit, 100 SP. Lower this number, or raise the limit."),
        ),
        (
            {"fleet": {"format": "2014"}},
            ("fleet.format", "'2014' doesn’t fit here. Type one of these: 'storyline', '2016'."),
        ),
        (
            {"resource": {"rule": "none", "name": "Spare Dice"}},
            (
                "resource.rule",
                "The month brings a resource that no fleet may have. Change this, or clear its name and cost.",
            ),
        ),
        (
            {"resource": {"rule": "none", "only": ["Spare Dice"]}},
            ("resource.only", "This can’t be here while rule is 'none'. Change that, or remove this."),
        ),
        (
            {"fleet": {"allowed_factions": ["Klingon", "Borgs"]}},
            ("fleet.allowed_factions[1]", "“Borgs” isn’t a faction on cards. Did you mean Borg?"),
        ),
        (
            {"fleet": {"away_team_sp": 24}},
            ("fleet.away_team_sp", "This can’t be here while away_team is 0. Change that, or remove this."),
        ),
        ({"fleet": {"oversize": 0}}, ("fleet.oversize", "There is no field of this name. Did you mean oversized?")),
        (
            {"card_limits": [{"how_many": "none"}]},
            (
                "card_limits[0].title",
                "This would cover every card. Type a title, or choose a faction or a kind.",
            ),
        ),
        (
            {"card_limits": [{"how_many": "none", "faction": "Starfleet"}]},
            (
                "card_limits[0].faction",
                f"“Starfleet” isn’t a faction on cards. Known are: {', '.join(FACTION_NAMES)}.",
            ),
        ),
        ({"card_limits": [BANNED | {"kind": "officer"}]}, ("card_limits[0].kind", None)),
        (
            {"card_limits": [BANNED, BANNED]},
            ("card_limits[1]", "This is the same as a rule above. Change it, or remove one of the two."),
        ),
        (
            {"cost_changes": [{"kind": "crew", "points": 0}]},
            (
                "cost_changes[0].points",
                "0 SP changes nothing. Type a number below 0 for cheaper or above 0 for more expensive, "
                "or set no_penalty to true.",
            ),
        ),
        (
            {"cost_changes": [CHEAPER | {"other_factions": True}]},
            ("cost_changes[0].other_factions", "No faction is chosen to leave out. Add one, or type false."),
        ),
        (
            {"cost_changes": [CHEAPER | {"with_card": True, "faction": "Borg"}]},
            (
                "cost_changes[0].with_card",
                "This works only for ships of a faction. Set kind to 'ship' and add a faction, or type false.",
            ),
        ),
        (
            {"cost_changes": [CHEAPER | {"side": "Borg"}]},
            (
                "cost_changes[0].side",
                "“Borg” isn’t one of this month’s sides. Add it to fleet.sides, or correct it.",
            ),
        ),
        (
            {"cost_changes": [CHEAPER, CHEAPER]},
            ("cost_changes[1]", "This is the same as a change above. Change it, or remove one of the two."),
        ),
        (
            {"tallies": [TALLY, TALLY]},
            ("tallies[1].key", "The key “beacons” is taken by an earlier tally. Choose a different one."),
        ),
        (
            {"tallies": [TALLY | {"max_each": 5, "max_total": 4}]},
            ("tallies[0].max_each", "This is more than max_total, 4. Lower this number, or raise the other."),
        ),
        (
            {"tallies": [TALLY | {"excludes": ["beacons"]}]},
            ("tallies[0].excludes[0]", "There is no other tally with the key “beacons”. Correct it, or remove it."),
        ),
        (
            {"bonuses": [BONUS]},
            ("bonuses[0].tally", "There is no tally with the key “beacons”. Add one to tallies."),
        ),
        (
            {"tallies": [TALLY], "bonuses": [BONUS | {"points": 0}]},
            (
                "bonuses[0].points",
                "0 points changes nothing. Type a number above 0 for a bonus, or below 0 for a penalty.",
            ),
        ),
        (
            {"tallies": [TALLY], "bonuses": [BONUS | {"to": "winner"}]},
            (
                "bonuses[0].decides_winner",
                "Only the winner gets these points, so they can’t decide who wins. Type false, or change “to”.",
            ),
        ),
        (
            {"tallies": [TALLY], "bonuses": [BONUS, BONUS]},
            ("bonuses[1]", "This is the same as a bonus above. Change it, or remove one of the two."),
        ),
    ],
)
def test_one_mistake_gives_one_error_with_the_name_of_the_field(change, expected):
    field, message = expected
    (error,) = errors_of(SMALLEST | change)

    assert error == (field, message or error[1])


def test_all_mistakes_are_told_at_once():
    data = {
        "format": 1,
        "slug": "a-month",
        "roundz": 3,
        "minutes": "an hour",
        "allegiance": "yes",
        "factions": ["Federation"],
        "tallies": [TALLY | {"max_each": 5, "max_total": "many"}, 7],
        "bonuses": [{"tally": "bacons", "points": 5, "per": "count", "to": "everybody"}],
    }

    assert errors_of(data) == [
        ("storyline", "This is missing. Type a text in quotation marks."),
        ("minutes", "'an hour' doesn’t fit here. Type a whole number from 1 to 600."),
        ("allegiance", "'yes' doesn’t fit here. Type true or false."),
        ("tallies[1]", "7 doesn’t fit here. Type a table of fields."),
        ("tallies[0].max_total", "'many' doesn’t fit here. Type a whole number from 1 to 1998."),
        ("bonuses[0].name", "This is missing. Type a text in quotation marks."),
        ("bonuses[0].to", "'everybody' doesn’t fit here. Type one of these: 'each', 'winner', 'most', 'fewest'."),
        ("bonuses[0].decides_winner", "This is missing. Type true or false."),
        ("roundz", "There is no field of this name. Did you mean rounds?"),
        ("bonuses[0].tally", "There is no tally with the key “bacons”. Type one of these: 'beacons'."),
    ]


def test_what_is_no_table_at_all_is_told_once():
    assert errors_of(["a-month"]) == [("", "A list doesn’t fit here. Type a table of fields.")]


def test_an_unknown_field_with_no_likeness_names_those_that_exist():
    (error,) = errors_of(SMALLEST | {"tallies": [TALLY | {"zzz": 1}]})

    assert error == (
        "tallies[0].zzz",
        "There is no field of this name. Known are: key, name, max_each, max_total, excludes, reminder.",
    )


def test_the_organizers_choices_are_checked_like_the_file():
    """Rule 1.1: rounds and minutes are settings."""
    pack = parse(SMALLEST)

    assert pack.with_choices() == pack
    assert pack.with_choices(sp_limit=120, rounds=4, minutes=75) == parse(
        SMALLEST | {"sp_limit": 120, "rounds": 4, "minutes": 75}
    )
    with pytest.raises(InvalidPack, match=r"sp_limit: -5 doesn’t fit here. Type a whole number from 1 to 1000."):
        pack.with_choices(sp_limit=-5)


@pytest.mark.parametrize(("limit", "base", "expected"), [(120, None, 120), (130, 120, 120), (None, 120, 120)], ids=str)
def test_fleet_points_start_from_the_limit_unless_the_pack_has_a_base_of_its_own(limit, base, expected):
    """Rule 2.2."""
    assert parse(SMALLEST | {"sp_limit": limit, "fleet_point_base": base}).base == expected


def test_without_a_limit_there_is_no_base_yet():
    """Rule 2.2."""
    with pytest.raises(LimitNotChosen, match=r"A Storyline has no SP limit yet"):
        _ = parse(SMALLEST).base


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "A Storyline"),
        ({"month": 2}, "A Storyline, month 2"),
        ({"month": 2, "name": "The Beacons"}, "A Storyline, month 2: The Beacons"),
        ({"name": "The Beacons"}, "A Storyline: The Beacons"),
    ],
)
def test_the_heading_says_what_is_known(fields, expected):
    assert str(parse(SMALLEST | fields).heading) == expected


def test_the_documentation_shows_a_pack_that_reads_and_names_every_field():
    text = (Path(__file__).parents[2] / "docs/month-packs.md").read_text("utf-8")
    example = parse(tomllib.loads(re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]))

    assert example == replace(shipped_pack("dominion-war-6"), notes="")
    data = as_data(example)
    rows = (CardLimit(), CostChange(), Tally("", ""), Bonus("", "", 1, "", "", decides_winner=False))
    within = {name for table in (data["fleet"], data["resource"], *map(asdict, rows)) for name in table}
    assert [field for field in {*data, *within} if f"`{field}`" not in text] == []
