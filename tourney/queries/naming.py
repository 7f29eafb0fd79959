"""Where the name of a player stands in texts of the store."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Model, prefetch_related_objects
from django.db.models.expressions import RawSQL

from fleets.domain import card_data
from tourney.domain.naming import Rewording, replacing
from tourney.domain.verbs import Verb
from tourney.models import (
    Delivery,
    Event,
    Fleet,
    FleetStep,
    HouseRuling,
    JournalEntry,
    JudgeCall,
    Match,
    PackDraft,
    PackVersion,
    Penalty,
    PlayedSheet,
    Player,
    PlayerReport,
    Result,
    Round,
    RowChange,
    Seat,
    SheetCheck,
    Store,
    TalonClass,
    TokenLine,
    Wish,
)
from tourney.models.habits import WRITTEN
from tourney.runtime.checked_json import CheckedJSONField

TEXTS: tuple[tuple[type[Model], str, tuple[str, ...]], ...] = (
    (SheetCheck, "seat__round__event__campaign__store", ("by_name", "words")),
    (Result, "match__round__event__campaign__store", ("entered_by", "ruling", "sp_ruling")),
    (Penalty, "round__event__campaign__store", ("given_by", "reason")),
    (PlayerReport, "seat__round__event__campaign__store", ("words",)),
    (Wish, "seat__round__event__campaign__store", ("words",)),
    (JudgeCall, "entrant__event__campaign__store", ("words",)),
    (Match, "round__event__campaign__store", ("manual_reason",)),
    (Round, "event__campaign__store", ("manual_reason",)),
    (Event, "campaign__store", ("prizes", "announcements", "tables", "join_word")),
    (Event, "campaign__store", ("description", "address", "entry_fee", "bring", "shop_link")),
    (Store, "pk", ("event_template",)),
    (TokenLine, "event__campaign__store", ("by_name", "reason", "said")),
    (Fleet, "player__store", ("name", "data", "unlocked", "rulings")),
    (FleetStep, "fleet__player__store", ("before",)),
    (PlayedSheet, "event__campaign__store", ("data",)),
    (Seat, "round__event__campaign__store", ("played_sheet",)),
    (HouseRuling, "store", ("topic", "text")),
    (TalonClass, "store", ("name",)),
    (PackVersion, "own__store", ("note",)),
    (PackDraft, "store", ("typed",)),
    (Delivery, "webhook__store", ("answer",)),
    (RowChange, "event__campaign__store", ("before", "after")),
    (JournalEntry, "store", ("by_name", "what", "reason", "before", "after", "said")),
)
"""Every field where somebody, or the program, may have written a player's name; and the way to its store."""
SHEETS = {
    (model._meta.db_table, column)
    for model, column in ((Fleet, "data"), (FleetStep, "before"), (PlayedSheet, "data"), (Seat, "played_sheet"))
}
"""Columns with a sheet, whose cards may be called as a player is."""
WITHOUT_HISTORY = {Fleet._meta.db_table, FleetStep._meta.db_table}
"""Whose texts may be cut; in the history, and in what it knows, the mark is all that is different."""


def names_of_player(player: Player) -> list[str]:
    """The name, and those of before a merge or a change of it that are nobody else's now; the longest first."""
    names = {player.name, *player.older_names.values_list("name", flat=True)}
    people = [player.pk, *player.older_names.values_list("pk", flat=True)]
    renamed = player.store.journal.filter(did=Verb.RENAME_PLAYER, before__player__in=people)
    earlier = {entry.before["name"] for entry in renamed if entry.before}
    others = player.store.players.exclude(pk__in=people).filter(name__in=earlier)
    return sorted(names | earlier.difference(others.values_list("name", flat=True)), key=len, reverse=True)


def replacer(player: Player, name: str, mark: str) -> Rewording:
    """What puts the mark in place of that name of the player, and leaves the names of others alone."""
    others = player.store.players.exclude(name=name).values_list("name", flat=True)
    return replacing(name, mark, others)


def without_name(player: Player, name: str, mark: str) -> Iterator[tuple[Model, Sequence[str]]]:
    """The rows of the store where the name stood, with the mark in its place, unsaved; and the fields it stood in."""
    replaced = replacer(player, name, mark)
    for model, store, fields in TEXTS:
        for row in model._default_manager.filter(**{store: player.store_id}).iterator():
            changed = [field for field in _of_players(row, fields) if _put(row, field, replaced)]
            if changed:
                yield row, changed


def entries_naming(player: Player) -> list[JournalEntry]:
    """The journal entries of the store that name the player."""
    replaced = [replacer(player, name, "") for name in names_of_player(player)]
    _, _, fields = TEXTS[-1]
    found = [
        entry
        for entry in player.store.journal.iterator()
        if any(
            _reworded(entry, field, one) != getattr(entry, field)
            for one in replaced
            for field in _of_players(entry, fields)
        )
    ]
    prefetch_related_objects(found, "event")
    return found


def _of_players(row: Model, fields: Sequence[str]) -> Sequence[str]:
    """The name of somebody who signed in is no player's."""
    is_user = isinstance(row, JournalEntry) and row.is_by_staff
    return fields[1:] if is_user else fields


def _put(row: Model, field: str, replaced: Rewording) -> bool:
    before = getattr(row, field)
    after = _reworded(row, field, replaced)
    if after == before:
        return False
    column = row._meta.get_field(field)
    longest = getattr(column, "max_length", None)
    if longest and isinstance(after, str):
        after = after[:longest]
    elif isinstance(column, CheckedJSONField) and not column.is_readable(after):
        after = RawSQL("%s::jsonb", [json.dumps(after)])  # a name goes from what nobody can read, too
    setattr(row, field, after)
    return True


def _reworded(row: Model, field: str, replaced: Rewording) -> Any:
    value = getattr(row, field)
    if field == "said" and isinstance(row, JournalEntry | TokenLine):
        return _in_message(value, replaced)
    if isinstance(row, Store):
        return {name: replaced(one) if name in WRITTEN else one for name, one in value.items()}
    if isinstance(row, RowChange) and value:
        return {name: _in_column(row.table, name, one, replaced) for name, one in value.items()}
    return _in_column(row._meta.db_table, field, value, replaced)


def _in_column(table: str, name: str, value: Any, replaced: Rewording) -> Any:
    if (table, name) not in SHEETS:
        return replaced(value)
    return card_data.reworded(value, replaced, cut=table in WITHOUT_HISTORY)


def _in_message(data: Any, replaced: Rewording) -> Any:
    """The message with other names in its parameters: what the catalogue knows it by is nobody's name."""
    if isinstance(data, dict) and "id" in data:
        params = {name: _in_message(value, replaced) for name, value in data.get("with", {}).items()}
        return {**data, **({"with": params} if params else {})}
    if isinstance(data, list):
        return [_in_message(one, replaced) for one in data]
    return replaced(data)
