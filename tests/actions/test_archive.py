import json
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction

from tests.nights import AT, BY, make_night, make_store
from tourney.actions import rehearsal
from tourney.actions.archive import SCHEMA, InvalidArchive, import_event
from tourney.models import Event
from tourney.queries.archive import archive_of
from tourney.queries.score_sheet import as_data
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def archive_elsewhere(**night) -> tuple[dict, dict]:
    """The archive and standings of an event that is gone again, as if it came from another installation."""
    with transaction.atomic():
        event = make_night(**night).event
        archive, standings = archive_of(event), as_data(state_of(event))
        transaction.set_rollback(True)
    return json.loads(json.dumps(archive)), standings


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


def test_a_read_back_event_can_be_played_on():
    archive, _ = archive_elsewhere(players=8, rounds=1)
    store, _ = make_store("Another Harbor")
    event = import_event(store, archive, by=BY)

    rehearsal.draw(event, random=Random(1), by=rehearsal.stamp_at(AT))

    assert [round.number for round in state_of(event).rounds] == [1, 2]


def spoiled(archive: dict, path: str, value: object) -> dict:
    copy = deepcopy(archive)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = copy
    for step in way:
        place = place[step]
    place[last] = value
    return copy


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
        ("rounds.0.number", 2, "$.rounds[0].number: 2 stands where round 1 is expected"),
        ("rounds.0.matches.0.seats", [1, 99], "$.rounds[0].matches[0].seats[1]: there is no entrant 99"),
        ("rounds.0.matches.0.result.sp_left_a", 101, "$.rounds[0].matches[0].result.sp_left_a: "),
        ("rounds.0.matches.0.table", None, "$.rounds[0].matches[0].table: a match of two has a table"),
        ("rounds.0.state", "draft", "$.rounds[0].state: only the last round can be draft"),
        ("journal.0.at", None, "$.journal[0].at: "),
        ("rounds.0.matches.0.extra", 1, "$.rounds[0].matches[0]: "),
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


def test_an_event_that_exists_is_not_imported_again():
    night = make_night(players=4, rounds=1)

    with pytest.raises(InvalidArchive, match="exists here already"):
        import_event(night.store, archive_of(night.event), by=BY)


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


def test_a_file_that_is_not_json_is_refused_in_words(tmp_path):
    make_store("Another Harbor")
    file = tmp_path / "event.json"
    file.write_text("{")

    with pytest.raises(CommandError, match=r"is no JSON file.*Nothing was changed"):
        call_command("import_event", file)


def fields_of(schema: dict) -> set[str]:
    """Every field that the schema names, at any depth."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inner += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    return set(schema.get("properties", {})).union(*map(fields_of, inner))


def test_every_field_of_the_schema_is_documented():
    text = (Path(__file__).parents[2] / "docs" / "archive.md").read_text()

    assert {field for field in fields_of(SCHEMA) if f"`{field}`" not in text} == set()
