"""An archive read back gives the same event; the commands write and read it."""

import json
from copy import deepcopy
from datetime import time
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from fleets.domain.card_data import sheet_as_data
from scoring.domain.points import Ending, Played, Side
from tests.support.archives import (
    archive_elsewhere,
    archive_with_fleets,
    archive_with_reports,
    rolled_at_a_table,
)
from tests.support.built_fleets import night_with_fleets, two_ships
from tests.support.nights import AT, BY, make_night, make_store
from tests.support.tables import enter, match_at, on_time
from tourney.actions import (
    by_hand,
    entrants,
    events,
    penalties,
    roll_offs,
    rounds,
    simulation,
    tables,
)
from tourney.actions.archive import SCHEMA, InvalidArchive, import_event
from tourney.actions.archive_check import IS_RIGHT
from tourney.domain.tables import Table
from tourney.models import Event, Fleet
from tourney.printing.queries.score_sheet import as_data
from tourney.queries.archive import archive_of
from tourney.queries.state import state_of
from tourney.queries.surviving import fleets_at

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "night",
    [
        {"players": 9, "rounds": 3, "finish": True},
        {"players": 13, "rounds": 1, "open_round": True, "tables": 2},
        {"players": 5, "rounds": 2, "pack": "temporal-cold-war-2"},
        {"players": 0},
    ],
    ids=["finished", "round in play", "other month", "nobody yet"],
)
def test_an_archive_read_back_gives_the_same_archive_and_the_same_standings(night):
    archive, standings = archive_elsewhere(**night)
    store, _ = make_store("Another Harbor")

    event = import_event(store, archive, by=BY)

    assert archive_of(event) == archive
    assert as_data(state_of(event)) == standings


def test_fleets_with_their_rulings_signatures_and_marks_come_back():
    archive = archive_with_fleets()
    store, _ = make_store("Another Harbor")

    event = import_event(store, archive, by=BY)

    matches = archive["rounds"][0]["matches"]
    assert archive_of(event) == archive
    assert [entrant["fleet"] is None for entrant in archive["entrants"]] == [False, False, False, True, False]
    assert [match["checks"][0] and match["checks"][0]["state"] for match in matches] == ["signed", "signed", None]
    assert [1, 6] in matches[0]["destroyed"]
    assert matches[1]["result"]["sp_ruling"] == "by the scenario"
    assert (archive["event"]["fleets_shown"], archive["event"]["fleets_must_be_legal"]) == ("all", True)
    assert archive["event"]["fleets_recorded"] == "required"
    assert [entrant["plays_without"] for entrant in archive["entrants"]] == [False, False, False, False, True]


def test_what_players_were_told_comes_back_and_an_archive_from_before_has_none():
    with transaction.atomic():
        event = make_night(players=2).event
        Event.objects.filter(pk=event.pk).update(address="12 Harbor Road", ends=time(23, 15), break_minutes=15)
        archive = json.loads(json.dumps(archive_of(Event.objects.get(pk=event.pk))))
        transaction.set_rollback(True)
    old = deepcopy(archive)
    for name in ("description", "address", "ends", "entry_fee", "bring", "break_minutes", "shop_link"):
        del old["event"][name]
    stores = [make_store(name)[0] for name in ("Another Harbor", "Old Harbor")]

    event = import_event(stores[0], archive, by=BY)
    earlier = import_event(stores[1], old | {"event": old["event"] | {"slug": "old"}}, by=BY)

    assert archive_of(event) == archive
    assert (event.ends, event.break_minutes) == (time(23, 15), 15)
    assert (earlier.address, earlier.ends, earlier.has_facts) == ("", None, False)


def test_a_closed_round_is_corrected_with_the_fleets_that_played_after_an_import_too():
    with transaction.atomic():
        event = night_with_fleets({4: None}).event
        simulation.play_round(event, random=Random(1), by=simulation.actor_at(AT))
        Fleet.objects.update(data=sheet_as_data(two_ships(resource=None)))
        archive = json.loads(json.dumps(archive_of(event)))
        transaction.set_rollback(True)
    store, _ = make_store("Another Harbor")

    imported = import_event(store, archive, by=BY)

    state = state_of(imported)
    played = {
        number: fleet and fleet.sheet == two_ships()
        for match in state.round(1).matches
        for number, fleet in zip(match.numbers, fleets_at(state, match), strict=True)
    }
    assert archive_of(imported) == archive
    assert played == {1: True, 2: True, 3: True, 4: None}


def test_an_archive_from_before_there_were_fleets_is_read_as_one_without():
    archive, standings = archive_elsewhere(players=5, rounds=1)
    old = deepcopy(archive)
    for name in ("fleets_shown", "fleets_must_be_legal", "fleets_recorded", "reported_by", "accept_after", "prizes"):
        del old["event"][name]
    for entrant in old["entrants"]:
        del entrant["fleet"], entrant["plays_without"]
    for match in old["rounds"][0]["matches"]:
        del match["destroyed"], match["played"], match["checks"], match["reports"], match["wishes"]
        if match["result"]:
            del match["result"]["sp_ruling"]
    store, _ = make_store("Another Harbor")

    event = import_event(store, old, by=BY)

    assert archive_of(event) == archive
    assert as_data(state_of(event)) == standings


def test_reports_and_wishes_come_back():
    archive = archive_with_reports()
    store, _ = make_store("Another Harbor")

    event = import_event(store, archive, by=BY)

    agreed, disputed = archive["rounds"][0]["matches"]
    assert archive_of(event) == archive
    assert [report["sp_left_b"] for report in agreed["reports"]] == [20, 20]
    assert [report["ending"] for report in disputed["reports"]] == ["elimination", "time"]
    answers = [[wish["answer"] for wish in asked] for match in (agreed, disputed) for asked in match["wishes"]]
    assert answers == [["granted"], [], ["declined"], [""]]


def test_a_read_back_event_can_be_played_on():
    archive, _ = archive_elsewhere(players=8, rounds=1)
    store, _ = make_store("Another Harbor")
    event = import_event(store, archive, by=BY)

    simulation.draw(event, random=Random(1), by=simulation.actor_at(AT))

    assert [round.number for round in state_of(event).rounds] == [1, 2]


@pytest.mark.parametrize("pack", ["dominion-war-6", "drive"], ids=["attack dice", "attack against defense"])
def test_what_the_software_rolled_comes_back_as_it_was(pack):
    """Rule 4.3."""
    archive = rolled_at_a_table(pack)
    store, _ = make_store("Another Harbor")

    assert archive_of(import_event(store, archive, by=BY)) == archive


def test_everything_that_can_happen_at_a_table_comes_back():
    """A swap, a bye, a moved table, a condition, rulings, no-show, void dice, a correction, a paused clock, a drop."""
    with transaction.atomic():
        event = make_night(players=9, pack="chronological-chaos").event
        rounds.pair_round(event, seed=1, by=BY)
        seats = [match.numbers[0] for match in state_of(event).round(1).matches]
        by_hand.place(event, 1, seats[0], seats[-1], reason="they are cousins", by=BY)
        tables.change_tables(event, [Table(1), Table(9, "Corner", quiet=True)], True, by=BY)
        event.refresh_from_db(fields=["tables", "other_tables"])
        rounds.publish_round(event, 1, by=BY)
        tables.move_table(event, 1, 4, 9, by=BY)
        tables.move_table(event, 1, 9, 4, by=BY)
        tables.move_table(event, 1, 3, 9, by=BY)
        enter(event, 1, on_time(40, 40))
        roll_offs.roll_by_software(event, 1, "table", match_at(event, 1).numbers, seed="00c0ffee", by=BY)
        enter(event, 1, on_time(40, 60, condition=(1, 0)), version=1)
        enter(event, 2, Played(Ending.NO_SHOW, (Side(), Side()), out=1))
        enter(event, 9, Played(Ending.DOUBLE_LOSS, (Side(40), Side(40, adjustment=-10))), ruling="slow play")
        enter(event, 4, Played(Ending.RULING, (Side(40), Side(50)), out=1), ruling="a forgotten ship")
        penalties.penalize(event, 1, seats[0], fleet_points=-10, reason="late", by=BY)
        penalties.penalize(event, 1, seats[-1], battle_points=-1, reason="rude", by=BY)
        rounds.start_clock(event, 1, by=BY)
        rounds.pause_clock(event, 1, by=BY)
        entrants.drop(event, seats[1], by=BY, reason="the last bus")
        archive, standings = archive_of(event), as_data(state_of(event))
        transaction.set_rollback(True)
    store, _ = make_store("Another Harbor")

    event = import_event(store, archive, by=BY)

    assert archive_of(event) == archive
    assert as_data(state_of(event)) == standings
    assert [state_of(event).is_void(roll_off) for roll_off in state_of(event).roll_offs] == [True]
    assert match_at(event, 9).row.moved_from == 3


def test_the_commands_write_a_file_and_read_it_back(tmp_path, capsys):
    file = tmp_path / "event.json"
    with transaction.atomic():
        event = make_night(players=6, rounds=3, finish=True).event
        slug = event.slug
        call_command("export_event", slug, to=file)
        transaction.set_rollback(True)
    make_store("Another Harbor")

    call_command("import_event", file)
    call_command("export_event", slug, to=tmp_path / "again.json")

    assert (tmp_path / "again.json").read_text() == file.read_text()


def test_an_archive_that_is_right_needs_no_reader_that_names_what_is_wrong():
    """The slow one takes most of the time that a whole import takes."""
    found = [archive_with_fleets(), archive_with_reports(), rolled_at_a_table()]

    assert [IS_RIGHT(archive) for archive in found] == [True, True, True]
    assert not IS_RIGHT(found[0] | {"version": 3})


def statements_of_import(archive: dict) -> int:
    """How many statements write its rows, at a store that has its campaign."""
    store, _ = make_store("Another Harbor")
    events.make_campaign(store, storyline=archive["event"]["campaign"], by=BY)
    archive["event"]["slug"] += f"-{len(archive['entrants'])}"
    with CaptureQueriesContext(connection) as queries:
        import_event(store, archive, by=BY)
    return sum('INSERT INTO "tourney_' in one["sql"] for one in queries)


def test_reading_back_64_players_takes_as_many_statements_as_24():
    few, many = (archive_elsewhere(players=players, rounds=1, finish=True)[0] for players in (24, 64))

    assert statements_of_import(many) == statements_of_import(few)


def fields_of(schema: dict) -> set[str]:
    """Every field that the schema names, at any depth."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inner += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    return set(schema.get("properties", {})).union(*map(fields_of, inner))


def test_every_field_of_the_schema_is_documented():
    text = (Path(__file__).parents[2] / "docs" / "archive.md").read_text()

    assert {field for field in fields_of(SCHEMA) if f"`{field}`" not in text} == set()


def test_an_archive_of_format_1_is_read_and_written_again_in_format_2():
    archive, standings = archive_elsewhere(players=5, rounds=1)
    old = deepcopy(archive) | {"version": 1}
    for entry in old["journal"]:
        del entry["said"]
    store, _ = make_store("Another Harbor")

    event = import_event(store, old, by=BY)

    plain = archive | {"journal": [entry | {"said": None} for entry in archive["journal"]]}
    assert archive_of(event) == plain
    assert as_data(state_of(event)) == standings


def test_what_is_no_message_is_refused_with_its_path():
    archive, _ = archive_elsewhere(players=0)
    archive["journal"][0]["said"] = {"id": "{name.__class__} made.", "with": {"name": "Vor"}}
    store, _ = make_store("Another Harbor")

    with pytest.raises(InvalidArchive, match=r"^\$\.journal\[0\]\.said: is no message"):
        import_event(store, archive, by=BY)
