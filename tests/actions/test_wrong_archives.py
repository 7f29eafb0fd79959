"""What is wrong with an archive is refused by its path, and nothing is saved."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.support.archives import (
    archive_elsewhere,
    archive_with_fleets,
    archive_with_reports,
    refusal_of,
    rolled_at_a_table,
    spoiled,
)
from tests.support.nights import BY, make_night, make_store
from tourney.actions.archive import InvalidArchive, import_event
from tourney.domain.joining import MOST_ENTRANTS
from tourney.models import Event
from tourney.queries.archive import archive_of

pytestmark = pytest.mark.django_db


@pytest.mark.many
@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("event.fleets_recorded", "maybe", "$.event.fleets_recorded: "),
        ("event.reported_by", "nobody", "$.event.reported_by: "),
        ("event.accept_after", 601, "$.event.accept_after: "),
        ("event.shop_link", "javascript:alert(1)", "$.event.shop_link: "),
        ("event.ends", "24:00", "$.event.ends: "),
        ("event.prizes", "1: ship\nthe rest", "$.event.prizes: Line 2, “the rest”: "),
        ("rounds.0.matches.0.reports", [None], "$.rounds[0].matches[0].reports: there is one for each seat"),
        ("rounds.0.matches.0.reports.0.ending", "no_show", "$.rounds[0].matches[0].reports[0].ending: "),
        ("rounds.0.matches.0.reports.1.sp_left_a", 101, "$.rounds[0].matches[0].reports[1].sp_left_a: "),
        ("rounds.0.matches.0.reports.1.condition", 1, "$.rounds[0].matches[0].reports[1].condition_side: "),
        ("rounds.0.matches.0.wishes.0.0.answer", "later", "$.rounds[0].matches[0].wishes[0][0].answer: "),
        ("rounds.0.matches.0.wishes", [[]], "$.rounds[0].matches[0].wishes: there is one for each seat"),
    ],
)
def test_what_is_wrong_with_a_report_is_refused_by_its_path(path, value, message):
    archive = archive_with_reports()

    errors = refusal_of(spoiled(archive, path, value))

    assert any(error.startswith(message) for error in errors), errors
    assert not Event.objects.exists()


@pytest.mark.many
@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("entrants.0.fleet.sheet", {}, "$.entrants[0].fleet.sheet: the fleet should say format “flagship-fleet”"),
        ("entrants.0.fleet.sheet.ships.0.ship.card.cost", -1, "$.entrants[0].fleet.sheet: ships[0].ship.card.cost"),
        ("entrants.0.fleet.name", " ", "$.entrants[0].fleet.name: "),
        ("entrants.0.fleet.rulings", [{"rule": "7.5"}], "$.entrants[0].fleet.rulings[0]: "),
        ("event.fleets_shown", "nobody", "$.event.fleets_shown: "),
        ("rounds.0.matches.0.destroyed", [[1]], "$.rounds[0].matches[0].destroyed: there is one for each seat"),
        ("rounds.0.matches.0.destroyed", [[0], []], "$.rounds[0].matches[0].destroyed[0][0]: "),
        ("rounds.0.matches.0.played", [None], "$.rounds[0].matches[0].played: there is one for each seat"),
        (
            "rounds.0.matches.0.played",
            [{}, None],
            "$.rounds[0].matches[0].played[0]: only a closed round has",
        ),
        ("rounds.0.matches.0.played", [{}, None], "$.rounds[0].matches[0].played[0]: the fleet should say format"),
        ("rounds.0.matches.0.checks", [None], "$.rounds[0].matches[0].checks: there is one for each seat"),
        ("rounds.0.matches.0.checks.0.state", "perhaps", "$.rounds[0].matches[0].checks[0].state: "),
        ("rounds.0.matches.1.result.sp_ruling", "x" * 201, "$.rounds[0].matches[1].result.sp_ruling: "),
    ],
)
def test_what_is_wrong_with_a_fleet_is_refused_by_its_path(path, value, message):
    archive = archive_with_fleets()

    errors = refusal_of(spoiled(archive, path, value))

    assert any(error.startswith(message) for error in errors), errors
    assert not Event.objects.exists()


def nested(depth: int) -> list:
    return [nested(depth - 1)] if depth else []


@pytest.mark.many
@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "other", "$.format: "),
        ("version", 2, "$.version: "),
        ("event.starts_at", "tomorrow", "$.event.starts_at: "),
        ("event.sp_limit", 0, "$.event.sp_limit: "),
        ("entrants.0.name", "", "$.entrants[0].name: "),
        ("entrants.1.number", 1, "$.entrants[1].number: 1 is used twice"),
        ("pack.rounds", "three", "$.pack.rounds: "),
        ("rounds.0.number", 2, "$.rounds[0].number: 2 is where round 1 should be"),
        ("rounds.0.matches.0.seats", [1, 99], "$.rounds[0].matches[0].seats[1]: there is no entrant 99"),
        ("rounds.0.matches.0.result.sp_left_a", 101, "$.rounds[0].matches[0].result.sp_left_a: "),
        ("rounds.0.matches.0.table", None, "$.rounds[0].matches[0].table: a match of two has a table"),
        ("rounds.0.state", "draft", "$.rounds[0].state: only the last round can be draft"),
        ("journal.0.at", None, "$.journal[0].at: "),
        ("rounds.0.matches.0.extra", 1, "$.rounds[0].matches[0]: "),
        ("rounds.0.matches.0.result.sp_left_a", -1, "$.rounds[0].matches[0].result.sp_left_a: -1 is less than"),
        ("rounds.0.matches.0.result.tallies_a", {"ds8": 1}, "$.rounds[0].matches[0].result.tallies_a.ds8: "),
        ("rounds.0.matches.0.result.adjustment_a", 5, "$.rounds[0].matches[0].result.ruling: a ruling needs"),
        ("rounds.0.matches.0.result.condition_side", "a", "$.rounds[0].matches[0].result.condition_side: "),
        ("rounds.0.matches.0.result", None, "$.rounds[0].matches[0].result: a closed round has every result"),
        ("rounds.0.matches.0.reason", {}, "$.rounds[0].matches[0].reason: 'kind' is a required property"),
        ("rounds.0.matches.0.reason.kind", "luck", "$.rounds[0].matches[0].reason: no sentence can be made"),
        ("rounds.1.matches.0.reason.ids", [99, 1], "$.rounds[1].matches[0].reason: no sentence can be made"),
        ("rounds.0.matches.0.reason.numbers", [], "$.rounds[0].matches[0].reason: no sentence can be made"),
        (
            "rounds.0.relaxed",
            [{"kind": "rematch", "ids": [1, 2], "numbers": []}],
            "$.rounds[0].relaxed[0]: no sentence",
        ),
        ("rounds.0.matches.0.table", 9, "$.rounds[0].matches[1].table: tables ascend"),
        ("rounds.0.matches", [], "$.rounds[0].matches: a round has a table at least"),
        ("rounds.0.published_at", None, "$.rounds[0].published_at: "),
        ("rounds.1.closed_at", None, "$.rounds[1].closed_at: "),
        ("rounds.1.paused_left", 5, "$.rounds[1].paused_left: only a round in play has a clock"),
        ("rounds.0.seed", 2**63, "$.rounds[0].seed: the number is too large"),
        ("rounds.0.seed", 7.0, "$.rounds[0].seed: 7.0 is no whole number"),
        ("event.rounds_planned", 1, "$.event.rounds_planned: 1 planned, but 2 are drawn"),
        ("event.slug", "new\n", "$.event.slug: "),
        ("event.starts_at", "2026-13-45T00:00:00+00:00", "$.event.starts_at: "),
        ("event.starts_at", "9999-12-31T23:59:59+00:00", "$.event.starts_at: "),
        ("event.starts_at", "2026-11-20T17:45:00+00:00\n", "$.event.starts_at: "),
        ("entrants.0.name", " ", "$.entrants[0].name: "),
        ("entrants.0.name", "Vor\0", "$.entrants[0].name: holds a character that cannot be stored"),
        ("entrants.0.number", 9, "$.entrants[1].number: 2 comes after 9; numbers ascend"),
        ("journal.0.after", {"round": float("nan")}, "$.journal[0].after.round: nan is no whole number"),
        ("journal.0.after", {"\ud800": 1}, "$.journal[0].after: a name in it holds a character"),
        ("journal.0.after", {"round": nested(40)}, "$.journal[0].after.round[0][0]"),
    ],
)
def test_a_wrong_field_is_refused_by_its_path_and_nothing_is_saved(path, value, message):
    archive, _ = archive_elsewhere(players=8, rounds=2)
    store, _ = make_store("Another Harbor")

    with pytest.raises(InvalidArchive) as refusal:
        import_event(store, spoiled(archive, path, value), by=BY)

    assert any(error.startswith(message) for error in refusal.value.errors), refusal.value.errors
    assert not Event.objects.exists()


def test_a_player_who_sits_twice_in_a_round_is_refused():
    archive, _ = archive_elsewhere(players=8, rounds=1)
    store, _ = make_store("Another Harbor")
    first = archive["rounds"][0]["matches"][0]["seats"][0]
    other = archive["rounds"][0]["matches"][1]["seats"][1]

    with pytest.raises(InvalidArchive) as refusal:
        import_event(store, spoiled(archive, "rounds.0.matches.1.seats", [first, other]), by=BY)

    assert refusal.value.errors == [f"$.rounds[0].matches[1].seats[0]: entrant {first} sits twice in this round"]


def test_a_round_with_two_byes_is_refused():
    archive, _ = archive_elsewhere(players=7, open_round=True)
    *tables, bye = archive["rounds"][0]["matches"]
    first, second = tables.pop()["seats"]
    byes = [bye, {**bye, "seats": [first]}, {**bye, "seats": [second]}]

    assert refusal_of(spoiled(archive, "rounds.0.matches", tables + byes)) == [
        "$.rounds[0].matches[3].seats: a round has one bye at most (rule 3.3 a)",
        "$.rounds[0].matches[4].seats: a round has one bye at most (rule 3.3 a)",
    ]


PENALTY = {
    "entrant": 1,
    "battle_points": 0,
    "fleet_points": -10,
    "reason": "late",
    "by": "test",
    "at": "2026-11-20T18:00:00+00:00",
}


@pytest.mark.many
@pytest.mark.parametrize(
    ("penalties", "message"),
    [
        ([PENALTY | {"entrant": 99}], "$.rounds[0].penalties[0].entrant: entrant 99 does not sit in this round"),
        ([PENALTY | {"fleet_points": 0}], "$.rounds[0].penalties[0].fleet_points: a penalty changes points"),
        ([PENALTY, PENALTY], "$.rounds[0].penalties[1]: the same penalty is given once"),
    ],
)
def test_what_is_wrong_with_a_penalty_is_refused_by_its_path(penalties, message):
    archive, _ = archive_elsewhere(players=4, open_round=True)

    assert refusal_of(spoiled(archive, "rounds.0.penalties", penalties)) == [message]


def test_a_draft_has_no_penalties():
    archive, _ = archive_elsewhere(players=4, open_round=True)
    archive["rounds"][0] |= {"state": "draft", "published_at": None, "ends_at": None, "penalties": [PENALTY]}

    assert refusal_of(archive) == ["$.rounds[0].penalties[0]: a draft has no penalties"]


def test_an_archive_holds_no_more_players_than_an_event_takes():
    archive, _ = archive_elsewhere(players=4)
    first = archive["entrants"][0]
    archive["entrants"] = [first | {"number": n, "name": f"Cadet {n}"} for n in range(1, MOST_ENTRANTS + 2)]

    assert refusal_of(archive) == [f"$.entrants: an event has at most {MOST_ENTRANTS} players"]


def test_an_event_is_not_finished_before_a_round_is_closed():
    archive, _ = archive_elsewhere(players=4, open_round=True)

    assert refusal_of(spoiled(archive, "event.finished_at", "2026-11-20T22:00:00+00:00")) == [
        "$.event.finished_at: an event is finished after a closed round"
    ]


def test_a_draft_with_a_result_or_dice_is_refused():
    archive, _ = archive_elsewhere(players=4, open_round=True, tables=2)
    draft = archive["rounds"][0] | {"state": "draft", "published_at": None, "ends_at": None}
    draft["roll_offs"] = [{"kind": "standing", "group": [1, 2], "throws": []}]

    assert refusal_of(spoiled(archive, "rounds.0", draft)) == [
        "$.rounds[0].matches[0].result: a draft has no result",
        "$.rounds[0].matches[1].result: a draft has no result",
        "$.rounds[0].roll_offs[0]: a draft has no roll-off",
    ]


def test_faces_that_the_seed_does_not_give_are_refused():
    """Rule 4.3."""
    archive = rolled_at_a_table()
    here = "rounds.0.roll_offs.0.throws.0"

    for path, value in ((f"{here}.seed", "00c0ffef"), (f"{here}.seed", ""), (f"{here}.faces", {})):
        assert refusal_of(spoiled(archive, path, value)) == [
            "$.rounds[0].roll_offs[0].throws[0].faces: not what the seed gives (rule 4.3)"
        ]


def test_dice_of_strangers_and_of_two_who_do_not_meet_are_refused():
    """Rules 4.1, 4.3."""
    archive = rolled_at_a_table()
    first, other = (match["seats"][0] for match in archive["rounds"][0]["matches"][:2])
    by_hand = {"counts": {str(first): 3, str(other): 2}, "faces": {}, "seed": ""}
    roll_off = {"kind": "table", "group": sorted([first, other]), "throws": [by_hand]}
    stranger = {**roll_off, "kind": "standing", "throws": [{**by_hand, "counts": {"1": 1, "99": 2}}]}

    assert refusal_of(spoiled(archive, "rounds.0.roll_offs", [roll_off, stranger])) == [
        "$.rounds[0].roll_offs[0].group: these two do not sit at one table in this round",
        "$.rounds[0].roll_offs[1].throws: Roll 1 names a player who was no longer tied. Leave that one out.",
    ]


def test_one_group_rolls_off_once_in_a_round():
    """Rule 4.3."""
    archive = rolled_at_a_table()
    (roll_off,) = archive["rounds"][0]["roll_offs"]

    assert refusal_of(spoiled(archive, "rounds.0.roll_offs", [roll_off, roll_off])) == [
        "$.rounds[0].roll_offs[1].group: this group has rolled off here already"
    ]


def test_two_tables_of_the_room_cannot_have_one_number():
    archive = archive_of(make_night(players=4).event)
    row = {"number": 1, "name": "", "near_door": False, "quiet": False, "closed": False}
    archive["event"] |= {"slug": "elsewhere", "tables": [row, row | {"name": "Corner"}]}
    store, _ = make_store("Another Harbor")

    with pytest.raises(InvalidArchive) as wrong:
        import_event(store, archive, by=BY)

    assert wrong.value.errors == ["$.event.tables: each number is one table’s"]


def test_an_event_that_exists_is_not_imported_again():
    night = make_night(players=4, rounds=1)

    with pytest.raises(InvalidArchive, match="exists here already"):
        import_event(night.store, archive_of(night.event), by=BY)


def test_a_file_that_is_not_json_is_refused_in_words(tmp_path):
    make_store("Another Harbor")
    file = tmp_path / "event.json"
    file.write_text("{")

    with pytest.raises(CommandError, match=r"^Nothing changed\. .* was not imported\.\nThis isn’t a JSON file"):
        call_command("import_event", file)


def test_a_file_that_is_nested_without_end_is_refused_in_words(tmp_path):
    make_store("Another Harbor")
    file = tmp_path / "event.json"
    file.write_text("[" * 200_000)

    with pytest.raises(CommandError, match=r"was not imported\.\nThe file is nested more than 60 levels deep\."):
        call_command("import_event", file)


def test_a_name_that_no_text_can_hold_is_told_in_escapes():
    archive, _ = archive_elsewhere(players=0)
    store, _ = make_store("Another Harbor")

    with pytest.raises(InvalidArchive) as refusal:
        import_event(store, archive | {"x\ud800": {"y": "\0"}}, by=BY)

    assert refusal.value.errors[-1] == "$.x\\ud800.y: holds a character that cannot be stored"


def test_of_very_many_errors_the_first_are_told_in_short():
    archive, _ = archive_elsewhere(players=0)
    store, _ = make_store("Another Harbor")

    with pytest.raises(InvalidArchive) as refusal:
        import_event(store, archive | {"rounds": ["x" * 10_000] * 1_500}, by=BY)

    assert len(refusal.value.errors) == 1000
    assert max(map(len, refusal.value.errors)) < 400
