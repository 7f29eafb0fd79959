"""Rows as nobody can save them: what an older version, or a hand in the database, may have left behind."""

import json
from typing import Any

from django.db import connection, models
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, Night, make_store
from tourney.actions.archive import import_event
from tourney.models import Event, Fleet, Match
from tourney.queries.archive import archive_of

BROKEN: dict[str, Any] = {
    "format": "flagship-fleet",
    "version": 1,
    "ships": [],
    "resource": {"id": 1, "card": {"kind": "resource", "title": "7" * 131}},
    "other": [],
}
"""A sheet as it was stored once: no reader of sheets takes a title so long."""

PAPER = ("pairings", "slips", "standings", "score-sheet", "record", "by-hand", "check-in", "build-sheets", "signatures")


def overwrite(row: models.Model, column: str, value: Any) -> None:
    """Write the value into the row's column, past everything that checks it."""
    table = connection.ops.quote_name(row._meta.db_table)
    name = connection.ops.quote_name(row._meta.get_field(column).column)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {name} = %s::jsonb WHERE id = %s", [json.dumps(value), row.pk])


def break_fleet(event: Event, number: int, sheet: Any = BROKEN) -> Fleet:
    """The fleet of that entrant, which nobody can read from now on."""
    fleet = Fleet.objects.select_related("player__store").get(entrant__event=event, entrant__number=number)
    overwrite(fleet, "data", sheet)
    return fleet


def pages_about(night: Night, number: int, phone: Client, desk: Client) -> dict[str, int]:
    """Every page that says something of that entrant, or of what is theirs, with what it answers."""
    slug, store = night.event.slug, night.store.slug
    entrant = night.event.entrants.get(number=number)
    asked = [(client, name, (slug,)) for client, name in ((phone, "event"), (phone, "me"), (phone, "standings"))]
    asked += [(phone, "roll_offs", (slug,)), (phone, "wall", (slug,)), (phone, "sheet", (slug, number))]
    asked += [(phone, name, (store,)) for name in ("my_card", "my_data", "my_fleets", "import_fleets")]
    asked += [(phone, "store_player", (store, entrant.player_id)), (desk, "sheet", (slug, number))]
    names = ("desk", "players", "arrivals", "print_centre", "journal", "history", "finish", "event_settings")
    asked += [(desk, name, (slug,)) for name in names]
    asked += [(desk, name, (slug, number)) for name in ("player", "entrant_fleet", "player_card")]
    for fleet in Fleet.objects.filter(player=entrant.player_id):
        asked += [(client, name, (store, fleet.pk)) for client in (phone, desk) for name in ("fleet", "fleet_sheet")]
        asked += [(desk, "fleet_file", (store, fleet.pk, form)) for form in ("text", "spacedock", "json")]
    for match in Match.objects.filter(seats__entrant=entrant).select_related("round"):
        at = (slug, match.round.number)
        asked += [(phone, "pairings", at), *((desk, name, at) for name in ("round", "results"))]
        if match.table and match.round.state == "published":
            asked += [(desk, "close", at), (phone, "destroyed", (*at, number)), (phone, "report", at)]
            asked += [(desk, "move_table", (*at, match.table)), (desk, "ruling", (*at, match.table))]
        if match.table:
            asked += [(desk, "result", (*at, match.table))]
    whose = {phone: "phone", desk: "desk"}
    paths = [(client, reverse(name, args=args)) for client, name, args in asked]
    paths += [(desk, f"{reverse('paper', args=[slug])}?doc={kind}") for kind in PAPER]
    return {f"{whose[client]} {path}": client.get(path).status_code for client, path in paths}


def not_shown(answers: dict[str, int]) -> dict[str, int]:
    """Those of many pages that are not there, nor lead to where they are; of paper, some are not for every moment."""
    assert len(answers) > 20
    return {path: status for path, status in answers.items() if status not in (200, 302, 409 if "?doc=" in path else 0)}


def exported_and_imported(night: Night) -> tuple[dict, Event]:
    """The archive of the night's event, and the event that another store makes of it."""
    archive = json.loads(json.dumps(archive_of(night.event)))
    other, _ = make_store("Deck Twelve")
    again = archive | {"event": archive["event"] | {"slug": "again"}}
    return archive, import_event(other, again, by=BY)
