"""Take a store over from its archive (docs/store-archive.md): checked row by row, saved whole or not at all."""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.db.models import Field, ForeignKey, Model

from scoring.models import MonthPack
from tourney.actions.archive_check import CHECKS
from tourney.actions.entrants import keep_name_keys
from tourney.actions.record import Actor, record
from tourney.actions.stores import lock_slug
from tourney.domain.pictures import NotAPicture, read_picture
from tourney.domain.store_file import FORMAT, VERSION, lines_of
from tourney.domain.verbs import Verb
from tourney.models import (
    ChainOrigin,
    Entrant,
    Event,
    FinalLine,
    FinalSeat,
    JournalEntry,
    OwnPack,
    PackVersion,
    RowChange,
    Store,
    StoreLogo,
    Webhook,
)
from tourney.queries.history import TABLES
from tourney.queries.integrity import store_problems
from tourney.queries.journal_chain import ChainHead
from tourney.queries.renumbering import ARRAYS_OF_IDS, Renumbering, RowData, columns_of, key_of, name_of
from tourney.queries.store_archive import WAYS, kind_of
from tourney.queries.stores import retired, was_deleted
from tourney.runtime import locales
from tourney.runtime.checked_json import CheckedJSONField, UnreadableValue
from tourney.runtime.error_reports import first_line
from tourney.runtime.found_by import joined_words
from tourney.runtime.json_acceptor import acceptor
from tourney.runtime.messages import message

SCHEMA = json.loads(Path(__file__).with_name("store-1.schema.json").read_text())
MODELS: dict[str, type[Model]] = {kind_of(model): model for model in WAYS}
OTHERS = ("store archive", "chainorigin", "staff", "monthpack")
MOST_PROBLEMS = 20
PART = 500
"""Rows that are saved by one statement at most."""

GREATEST_ID = 2**53
"""Programs that read JSON know every whole number up to here."""
MOST_IDS = 2**40
"""Of one store, with those that lie between them."""
STAY: dict[type[Model], dict[str, Callable[[], object]]] = {
    Store: {"rehearsal_id": lambda: None, "moved_to": str},
    Webhook: {"secret": lambda: secrets.token_urlsafe(32)},
    PackVersion: {"by_id": lambda: None},
    JournalEntry: {"by_id": lambda: None},
    RowChange: {"transaction": lambda: 0},
}
"""What columns hold here that are not in the archive."""


class InvalidStoreArchive(Exception):
    """The archive can't be taken over, and nothing was saved; the text says why."""


@dataclass(slots=True)
class _InArchive:
    """What was found in the lines: the ids of each kind, and what has to be known before any row is saved."""

    ids: dict[str, set[int]] = field(default_factory=dict)
    packs: dict[int, RowData] = field(default_factory=dict)
    players: dict[int, int] = field(default_factory=dict)
    origins: list[RowData] = field(default_factory=list)
    staff: list[tuple[str, str]] = field(default_factory=list)
    head: ChainHead = field(default_factory=lambda: ChainHead(0, ""))
    store: RowData = field(default_factory=dict)
    least: int = GREATEST_ID
    greatest: int = 0
    event_slugs: list[str] = field(default_factory=list)
    pack_slugs: list[str] = field(default_factory=list)


@transaction.atomic
def import_store(data: bytes, *, by: Actor, slug: str = "") -> Store:
    """The store of the archive with everything that is its own, under this slug or that of the archive.

    It writes no entry of the journal: exported again, the store gives the same archive. But an event whose address is
    another's here gets a new one, and its journal says so. The file has been through `store_file.check_file`. Raises
    InvalidStoreArchive.
    """
    found = _found_in(data)
    _refuse_what_is_here(found, slug or found.store["slug"])
    slugs = _other_slugs(found.event_slugs)
    try:
        with transaction.atomic():
            store = _save(data, found, slug or found.store["slug"], slugs)
            _say_what_was_renamed(store, slugs, by)
            _do_what_a_commit_does()
    except (DatabaseError, UnreadableValue) as error:
        raise InvalidStoreArchive(f"The archive contradicts itself, or what is here: {first_line(error)}") from error
    _refuse_what_does_not_add_up(store, found)
    return store


# what is in the file


ACCEPTORS = {
    kind: acceptor(schema, CHECKS) for kind, schema in SCHEMA["properties"].items() if kind in (*OTHERS, *MODELS)
}


def _found_in(data: bytes) -> _InArchive:
    """What the lines hold, each checked by itself. Raises InvalidStoreArchive."""
    found, place = _InArchive(), -1
    order = [*OTHERS[:1], kind_of(Store), *OTHERS[1:], *(kind for kind in MODELS if kind != kind_of(Store))]
    for number, line in enumerate(lines_of(data), start=1):
        kind, row = _checked_line(line, number)
        if order.index(kind) < place or (number == 1) != (kind == order[0]):
            raise InvalidStoreArchive(f"Line {number}: this can’t be here. {AGAIN}")
        place = order.index(kind)
        _take(found, kind, row, number)
    _refuse_incomplete(found)
    return found


AGAIN = "Export the store again."
NEWER = "It was made by a newer version of Flagship than this one. Update first, then import it."


def _checked_line(line: Any, number: int) -> tuple[str, RowData]:
    """What kind of row it is, and the row, as the schema allows it."""
    if not isinstance(line, dict) or len(line) != 1:
        raise InvalidStoreArchive(f"Line {number} is no line of a store’s archive.")
    (kind, row) = next(iter(line.items()))
    if number == 1 and kind == OTHERS[0] and isinstance(row, dict) and row.get("format") == FORMAT:
        version = row.get("version")
        if isinstance(version, int) and version > VERSION:
            raise InvalidStoreArchive(NEWER)
    if kind not in ACCEPTORS:
        raise InvalidStoreArchive(f"Line {number}: “{kind[:40]}” is not known here. {NEWER}")
    if not ACCEPTORS[kind](row):
        known = SCHEMA["properties"][kind]["properties"]
        if isinstance(row, dict) and (more := sorted(set(row) - set(known))):
            raise InvalidStoreArchive(f"Line {number}: “{more[0][:40]}” is not known here. {NEWER}")
        wrong = [name for name in known if not _fits(kind, name, row)]
        raise InvalidStoreArchive(f"Line {number}, {kind}: wrong values of {', '.join(wrong) or 'it'}. {AGAIN}")
    return kind, row


def _fits(kind: str, name: str, row: Any) -> bool:
    schema = SCHEMA["properties"][kind]
    if not isinstance(row, dict) or name not in row:
        return isinstance(row, dict) and name not in schema["required"]
    return acceptor(schema["properties"][name], CHECKS)(row[name])


def _take(found: _InArchive, kind: str, row: RowData, number: int) -> None:
    if kind == OTHERS[0]:
        found.head = ChainHead(row["history"]["number"], row["history"]["hash"])
    elif kind == "chainorigin":
        found.origins.append(row)
    elif kind == "staff":
        found.staff.append((row["name"], row["role"]))
    elif kind == "monthpack":
        found.packs[row["id"]] = row
        _check_pack(row, number)
    else:
        _take_row(found, kind, row, number)


def _take_row(found: _InArchive, kind: str, row: RowData, number: int) -> None:
    model = MODELS[kind]
    _check_values(model, row, number)
    ids = _ids(model, row)
    if wrong := [one for one in ids if not 0 < one <= GREATEST_ID]:
        raise InvalidStoreArchive(f"Line {number}: {wrong[0]} is no id. {AGAIN}")
    found.least, found.greatest = min(found.least, *ids), max(found.greatest, *ids)
    known = found.ids.setdefault(kind, set())
    known.add(row[key_of(model)])
    if model is Store:
        if found.store:
            raise InvalidStoreArchive("The archive has two stores. Export each one separately.")
        found.store = row
    elif model is Entrant:
        found.players[row["id"]] = row["player_id"]
    elif model is Event:
        found.event_slugs.append(row["slug"])
    elif model is OwnPack:
        found.pack_slugs.append(row["slug"])


def _ids(model: type[Model], row: RowData) -> list[int]:
    """All ids in the row, those of what it was before too."""
    columns = columns_of(model)
    ids = [row[name] for name in columns.ids if row.get(name) is not None]
    ids += [one for name in ARRAYS_OF_IDS.get(model, ()) for one in row[name]]
    if model is RowChange:
        inner = columns_of(TABLES[row["table"]]).ids if row["table"] in TABLES else ()
        both = [data for data in (row["before"], row["after"]) if data]
        ids += [data[name] for data in both for name in inner if isinstance(data.get(name), int)]
    return ids


def _check_values(model: type[Model], row: RowData, number: int) -> None:
    """Whether every value is one that its column would take from a page."""
    try:
        for one in model._meta.concrete_fields:
            value = row.get(name_of(one))
            if value is None or one.is_relation:
                continue
            if isinstance(one, CheckedJSONField):
                one.check_value(value)
            elif value != "" and isinstance(value, str | int):
                one.run_validators(value)
        if model is Store and row["locale"] not in locales.OFFERED:
            raise ValidationError(f"{row['locale']} is no locale of a store")
        if model is StoreLogo:
            _check_logo(row)
    except (ValidationError, UnreadableValue, NotAPicture) as error:
        why = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
        raise InvalidStoreArchive(f"Line {number}, {kind_of(model)}: {why} {AGAIN}") from error


def _check_logo(row: RowData) -> None:
    content = bytes.fromhex(row["content"].removeprefix("\\x"))
    picture = read_picture(content)
    if picture.content != content or picture.kind != row["kind"]:
        raise ValidationError("the logo isn’t as Flagship keeps pictures")


def _check_pack(row: RowData, number: int) -> None:
    digest = sha256(json.dumps(row["data"], sort_keys=True).encode()).hexdigest()
    column, names = MonthPack._meta.get_field("data"), ("slug", "version")
    is_its_own = all(row[name] == row["data"].get(name) for name in names)  # else all stores here had it by others
    if digest != row["digest"] or not is_its_own or not column.is_readable(row["data"]):
        raise InvalidStoreArchive(f"Line {number}: the month pack isn’t as it was written. {AGAIN}")


def _refuse_incomplete(found: _InArchive) -> None:
    if not found.store or not found.origins:
        raise InvalidStoreArchive(f"The archive lacks its store, or its history. {AGAIN}")
    if found.greatest - found.least >= MOST_IDS:
        raise InvalidStoreArchive(f"The ids in the archive are too far apart. {AGAIN}")
    numbers = [one["until"] for one in found.origins]
    if numbers != sorted(set(numbers)) or numbers[-1] != found.head.number:
        raise InvalidStoreArchive(f"The archive doesn’t say where its history comes from. {AGAIN}")


def _refuse_what_is_here(found: _InArchive, slug: str) -> None:
    if Store.objects.filter(slug=slug).exists():
        raise InvalidStoreArchive(f"There is a store “{slug}” here already. Choose another short name with --as.")
    if was_deleted(f"/s/{slug}/"):
        raise InvalidStoreArchive(
            f"A store “{slug}” was deleted here, and no other gets its address. Choose another short name with --as."
        )
    taken = OwnPack.objects.filter(slug__in=found.pack_slugs).order_by("slug").values_list("slug", flat=True)
    if names := ", ".join(f"“{one}”" for one in taken[:MOST_PROBLEMS]):
        raise InvalidStoreArchive(f"Month packs of another store have these short names here: {names}.")


def _other_slugs(events: list[str]) -> dict[str, str]:
    """What events are called here whose address another event has."""
    for one in sorted(events):
        lock_slug(one)
    taken = set(Event._base_manager.values_list("slug", flat=True).filter(slug__in=events))
    taken |= retired("/e/", events)
    slugs: dict[str, str] = {}
    for one in events:
        if one in taken:
            numbered = (f"{one[:90]}-{number}" for number in count(2))
            free = (slug for slug in numbered if slug not in {*events, *slugs.values()})
            slugs[one] = next(slug for slug in free if _is_free(slug))
    return slugs


def _is_free(slug: str) -> bool:
    lock_slug(slug)
    return not Event._base_manager.filter(slug=slug).exists() and not was_deleted(f"/e/{slug}/")


RENAMED = """
    INSERT INTO tourney_change (event_id, transaction, "table", "row", before, after)
    SELECT id, pg_current_xact_id()::text::bigint, 'tourney_event', id,
        jsonb_build_object('slug', %(was)s::text), jsonb_build_object('slug', slug)
    FROM tourney_event WHERE slug = %(slug)s
"""


def _say_what_was_renamed(store: Store, slugs: Mapping[str, str], by: Actor) -> None:
    """The history of each event goes on with its new address."""
    for was, slug in slugs.items():
        with connection.cursor() as cursor:
            cursor.execute(RENAMED, {"was": was, "slug": slug})
        event = Event._base_manager.select_related("campaign__store").get(slug=slug)
        what = message("Another event here has the address {was}, so this one is {slug} now.", was=was, slug=slug)
        record(event, by=by, did=Verb.IMPORT_EVENT, what=what, before={"slug": was}, after={"slug": slug})


# what is saved


def _save(data: bytes, found: _InArchive, slug: str, slugs: Mapping[str, str]) -> Store:
    with connection.cursor() as cursor:
        cursor.execute("SELECT reserve_ids(%s)", [found.greatest - found.least + 1])
        (last_here,) = cursor.fetchone()
    above = last_here - found.least + 1
    packs = {number: _pack(row) for number, row in found.packs.items()}
    here = Renumbering(above, packs)
    pk = found.store["id"] + above
    for kind, rows in _rows_by_kind(data):
        model = MODELS[kind]
        checked = (_with_players(model, _pointing_inside(model, row, found), found.players) for row in rows)
        _insert(model, (_row(model, here.row(model, row), slug, slugs) for row in checked))
        if model is Store:
            for origin in found.origins:
                shift, staff = origin["shift"] + above, found.staff if origin is found.origins[-1] else []
                kept = {"until": origin["until"], "shift": shift, "packs": origin["packs"], "staff": staff}
                ChainOrigin.objects.create(store_id=pk, **kept)
            _say_that_it_arrives(pk)
    _say_that_it_arrives(None)
    store = Store.objects.get(pk=pk)
    keep_name_keys(store)
    return store


def _do_what_a_commit_does() -> None:
    """What points to rows is checked, and what was recorded here is chained."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _say_that_it_arrives(store: int | None) -> None:
    """From here on new rows of this store write no history: they bring theirs along."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('flagship.arriving_store', %s, true)", [str(store or "")])


def _pack(row: RowData) -> int:
    facts = {name: row[name] for name in ("slug", "version", "data")}
    return MonthPack.objects.get_or_create(digest=row["digest"], defaults=facts)[0].pk


def _rows_by_kind(data: bytes) -> Iterator[tuple[str, tuple[RowData, ...]]]:
    """The rows of one kind after another, in parts, so that no statement grows with the file."""
    rows: list[RowData] = []
    last = ""
    for line in lines_of(data):
        kind, row = next(iter(line.items()))
        if kind not in MODELS:
            continue
        if kind != last or len(rows) == PART:
            if rows:
                yield last, tuple(rows)
            last, rows = kind, []
        rows.append(row)
    if rows:
        yield last, tuple(rows)


def _pointing_inside(model: type[Model], row: RowData, found: _InArchive) -> RowData:
    """The row, if everything that it points to is in the archive too. Raises InvalidStoreArchive."""
    for one in model._meta.concrete_fields:
        value = row.get(name_of(one))
        if value is None or not isinstance(one, ForeignKey):
            continue
        known = found.packs if one.related_model is MonthPack else found.ids.get(kind_of(one.related_model), ())
        if value not in known:
            raise InvalidStoreArchive(f"A row of {kind_of(model)} points to {one.name} {value}, which isn’t there.")
    if model is RowChange:
        both = [data for data in (row["before"], row["after"]) if data]
        if any(data["pack_id"] not in found.packs for data in both if isinstance(data.get("pack_id"), int)):
            raise InvalidStoreArchive("The history names a month pack that isn’t there.")
    return row


def _with_players(model: type[Model], row: RowData, players: Mapping[int, int]) -> RowData:
    """The row with the players of its entrants, where it keeps them."""
    if model is FinalLine:
        return row | {"player_id": players[row["entrant_id"]]}
    if model is FinalSeat:
        return row | {"player_id": players[row["entrant_id"]], "opponent_player_id": players.get(row["opponent_id"])}
    return row


def _row(model: type[Model], row: RowData, slug: str, slugs: Mapping[str, str]) -> RowData:
    """The row as it is stored here, with what is not in the archive."""
    stay = {name: value() for name, value in STAY.get(model, {}).items()}
    own: RowData = {}
    if model is Store:
        own = {"slug": slug, "found_by": joined_words(row["name"], row.get("place", ""))}
    elif model is Event:
        own = {"slug": slugs.get(row["slug"], row["slug"])}
    return _defaults(model, row) | row | stay | own


def _defaults(model: type[Model], row: RowData) -> RowData:
    """What columns hold that are newer than the archive."""
    newer: list[Field[Any, Any]] = [one for one in model._meta.concrete_fields if name_of(one) not in row]
    return {name_of(one): one.get_default() for one in newer}


def _insert(model: type[Model], rows: Iterable[RowData]) -> None:
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    columns = ", ".join(quote(name_of(one)) for one in model._meta.concrete_fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM jsonb_populate_recordset(NULL::{table}, %s::jsonb)",
            [json.dumps(list(rows))],
        )


def _refuse_what_does_not_add_up(store: Store, found: _InArchive) -> None:
    """Rows, history and journal agree, as they did where the store comes from; else somebody changed the file."""
    events = Event.objects.with_context().filter(campaign__store=store).order_by("pk")
    if problems := store_problems(store, events, [found.head]):
        more = len(problems) - MOST_PROBLEMS
        said = [one.in_english() for one in problems[:MOST_PROBLEMS]] + ([f"… and {more} more."] if more > 0 else [])
        raise InvalidStoreArchive("\n".join(["The archive isn’t as it was recorded:", *said]))
