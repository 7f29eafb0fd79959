"""manage.py check_fleets: fleets of a file, held against the rules of a month."""

import json
import os
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from jsonschema import Draft202012Validator

from fleets.catalogue import take_over
from fleets.domain import check
from fleets.domain.cards import CardKind
from fleets.domain.intake import write
from fleets.domain.sheet import Sheet
from fleets.domain.space_dock import Catalogue, CatalogueEntry, read_catalogue
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.table import as_csv
from fleets.domain.texts import as_text
from tests.support.built_fleets import two_ships
from tests.support.fleets_for_tests import Numbered, captain_card, card, shared, ship_card
from tests.support.serving import ROOT

SCHEMA = json.loads(Path(check.__file__).with_name("fleet-check-1.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)
ODD = card(CardKind.TECH, "Odd Device", 3, rules=("not checked: May be odd.",))
CARDS = (*(line.card for line in two_ships().lines), captain_card("Captain Brine", 5, factions=("KLI",)), ODD)


@pytest.fixture
def cards(db) -> None:
    take_over(Catalogue("1", tuple(CatalogueEntry(one) for one in CARDS)), source="test")


def checked(file: Path | str, *options: str) -> tuple[int, str]:
    """What the command ends with, and what it prints."""
    out = StringIO()
    try:
        call_command("check_fleets", str(file), *options, stdout=out)
    except SystemExit as error:
        return int(error.code), out.getvalue()
    return 0, out.getvalue()


def as_json(file: Path | str, *options: str) -> tuple[int, dict]:
    """The same as JSON, which the schema describes."""
    code, text = checked(file, *options, "--json")
    facts = json.loads(text)
    assert [error.message for error in VALID.iter_errors(facts)] == []
    return code, facts


def test_lines_have_sums_and_what_is_to_be_said_of_the_fleet_follows(cards, tmp_path):
    file = tmp_path / "fleet.txt"
    file.write_text(
        "Fleet: Night watch\nKestrel [24]\n- Captain Brine [6] Cap\n- Odd Device [3] T\n- Odd Device [3] T\n"
        "- Gizmo [9] C\nFleet: Two\nNotes: for the first round\n"
    )

    code, text = checked(file, "--pack", "dominion-war-1", "--date", "2014-02-28")

    assert code == 1
    assert [line.rstrip() for line in text.splitlines()] == [
        "Night watch",
        "  Kestrel                                     24",
        "    Captain Brine                              6  = 5 printed + 1 faction penalty",
        "    Odd Device                                 3",
        "    Odd Device                                 3",
        "    Gizmo                                      9",
        "    Ship total                                45",
        "  Total                                       45 of 100 SP",
        "  Not legal:",
        *(f"    Rule {one['rule']}: {one['sentence']}" for one in found_wrong(file)),
        "  Check yourself – no rule covers this:",
        "    Odd Device: May be odd.",
        "    Odd Device: May be odd.",
        "  Not in the catalogue, taken as written:",
        "    Gizmo",
        "  Not read:",
        "    Two",
        "  Notes:",
        "    for the first round",
    ]


def found_wrong(file: Path) -> list[dict]:
    _, facts = as_json(file, "--pack", "dominion-war-1", "--date", "2014-02-28")
    [fleet] = facts["fleets"]
    assert fleet["violations"]
    return fleet["violations"]


def test_json_says_the_same(cards, tmp_path):
    file = tmp_path / "fleet.txt"
    file.write_text("Fleet: Night watch\nKestrel [24]\n- Captain Brine [6] Cap\n")

    code, facts = as_json(file, "--pack", "dominion-war-1", "--date", "2014-02-28")

    [fleet] = facts["fleets"]
    assert (code, facts["pack"], facts["date"], facts["sp_limit"]) == (
        0,
        "dominion-war-1",
        "2014-02-28",
        100,
    )
    assert (fleet["legal"], fleet["total"], fleet["violations"]) == (True, 30, [])
    assert fleet["ships"][0]["lines"][1]["sum"] == [
        {"label": "printed", "points": 5},
        {"label": "faction penalty", "points": 1},
    ]


@pytest.mark.parametrize(
    ("ending", "write_it"),
    [
        ("txt", lambda sheet, name: as_text(sheet, name).encode()),
        ("csv", as_csv),
        ("spacedock", write_fleet),
        ("json", write),
    ],
)
def test_whatever_the_pages_read_is_read(cards, tmp_path, ending, write_it):
    file = tmp_path / f"fleet.{ending}"
    file.write_bytes(write_it(two_ships(), "Vanguard"))

    code, facts = as_json(file)

    [fleet] = facts["fleets"]
    assert (fleet["total"], len(fleet["ships"]), fleet["not_in_catalogue"]) == (82, 2, [])
    assert code == (0 if fleet["legal"] else 1)


def test_the_limit_and_the_day_are_those_of_the_month(cards, tmp_path):
    numbered = Numbered()
    ships = [
        numbered.ship(ship_card(f"Kestrel {one}", 40), captain_card(f"Vor {one}", 5, factions=("FED",)))
        for one in (1, 2, 3)
    ]
    file = tmp_path / "fleet.json"
    file.write_bytes(write(Sheet(tuple(ships)), "Large"))

    fleets = [as_json(file, *more)[1]["fleets"][0] for more in ([], ["--pack", "dominion-war-1"])]

    assert [{one["rule"] for one in fleet["violations"]} for fleet in fleets] == [set(), {"7.5"}]


def test_fleets_come_from_standard_input(cards, monkeypatch):
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(write(two_ships(), "Vanguard"))))

    assert as_json("-")[1]["fleets"][0]["name"] == "Vanguard"


@pytest.mark.parametrize(
    ("written", "options", "sentence"),
    [
        (b"", [], "There are no cards in the text."),
        (b"\xff\xfe", [], "its text isn’t UTF-8"),
        (b"{", [], "damaged"),
        (b"Kestrel [24]", ["--pack", "dominion-war-99"], "There is no month pack “dominion-war-99”."),
        (b"Kestrel [24]", ["--date", "28.2.2014"], "“28.2.2014” isn’t a date. Write it like 2014-02-28."),
        (None, [], "can’t be read: No such file or directory."),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(cards, tmp_path, written, options, sentence):
    file = tmp_path / "fleet.txt"
    if written is not None:
        file.write_bytes(written)

    with pytest.raises(CommandError, match=sentence.replace(".", r"\.")) as error:
        checked(file, *options)

    assert error.value.returncode == 2


def test_without_cards_nothing_is_called_illegal(db, tmp_path):
    file = tmp_path / "fleet.txt"
    file.write_text("Kestrel [24]")

    with pytest.raises(CommandError, match="The card catalogue is empty"):
        checked(file)


def test_the_fleets_of_players_are_read_and_described(db, tmp_path):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="Data.xml")
    for name, count in (("player-fleets.spacedocksquads", None), ("romulan_2_ship.spacedock", 1)):
        file = tmp_path / name
        file.write_bytes(shared(name))

        code, facts = as_json(file)

        wanted = count or len(json.loads(shared(name)))
        assert len(facts["fleets"]) == wanted
        assert code == (0 if all(fleet["legal"] for fleet in facts["fleets"]) else 1)
        for fleet in facts["fleets"]:
            lines = [line for ship in fleet["ships"] for line in ship["lines"]] + fleet["other"]
            lines += [fleet["resource"]] if fleet["resource"] else []
            assert sum(line["cost"] for line in lines) == fleet["total"]
            assert all(sum(part["points"] for part in line["sum"]) == line["cost"] for line in lines)


@pytest.mark.django_db(transaction=True)
def test_a_program_sees_what_it_ends_with(tmp_path):
    take_over(Catalogue("1", tuple(CatalogueEntry(one) for one in CARDS)), source="test")
    file = tmp_path / "fleet.txt"
    file.write_text("Kestrel [24]\n- Captain Vor [5] Cap")
    (tmp_path / "alone.txt").write_text("Kestrel [24]")

    assert run(tmp_path / "alone.txt", "dominion-war-1").returncode == 1
    with pytest.raises(CommandError):
        checked(file, "--pack", "dominion-war-99")
    assert checked(file, "--pack", "dominion-war-1")[0] == 0


def run(file: Path, pack: str) -> subprocess.CompletedProcess:
    """The command in a process of its own, with the database of the tests."""
    name = connection.settings_dict["NAME"]
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    command = [sys.executable, "manage.py", "check_fleets", str(file), "--pack", pack]
    return subprocess.run(command, cwd=ROOT, capture_output=True, env=os.environ | {"DATABASE_URL": url})
