"""A store as lines of its archive (docs/store-archive.md): every row that is the store's, by ids of the file's own.

The ids in the file are those of the database, less what makes the lowest 1: the same store gives the same file wherever
it is.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection
from django.db.models import F, Min, Model, QuerySet

from fleets.models import CatalogueCard, CatalogueImport
from scoring.models import MonthPack
from tourney.domain.store_file import FORMAT, VERSION
from tourney.domain.verbs import Verb
from tourney.models import (
    Attempt,
    Campaign,
    CardSteps,
    ChainOrigin,
    DeletedStore,
    Delivery,
    Entrant,
    Event,
    FinalLine,
    FinalRanking,
    FinalSeat,
    Fleet,
    FleetStep,
    HouseRuling,
    IdempotencyKey,
    Invitation,
    Joining,
    JournalEntry,
    JournalLink,
    JudgeCall,
    Match,
    Membership,
    NameKeys,
    OwnPack,
    PackDraft,
    PackedHistory,
    PackVersion,
    Penalty,
    PlayedSheet,
    Player,
    PlayerCard,
    PlayerMerge,
    PlayerReport,
    PushKey,
    PushSubscription,
    Rehearsal,
    Result,
    RetiredAddress,
    Roll,
    RollOff,
    Round,
    RowChange,
    Seat,
    SheetCheck,
    SignInAttempt,
    Store,
    StoreLogo,
    StoreRequest,
    TalonClass,
    TokenLine,
    User,
    Webhook,
    Wish,
)
from tourney.queries.journal_chain import GENESIS, ChainHead, head_of
from tourney.queries.player_cards import secret_mark
from tourney.queries.renumbering import Renumbering, RowData, key_of
from tourney.queries.snapshot import repeatable_read

EVENT = "event__campaign__store"
WAYS: dict[type[Model], str] = {
    Store: "pk",
    StoreLogo: "store",
    Webhook: "store",
    Campaign: "store",
    OwnPack: "store",
    PackVersion: "own__store",
    HouseRuling: "store",
    TalonClass: "store",
    Player: "store",
    PlayerCard: "player__store",
    PlayerMerge: "store",
    Event: "campaign__store",
    Entrant: EVENT,
    Round: EVENT,
    Match: f"round__{EVENT}",
    PlayedSheet: EVENT,
    Seat: f"round__{EVENT}",
    Result: f"match__round__{EVENT}",
    PlayerReport: f"seat__round__{EVENT}",
    Wish: f"seat__round__{EVENT}",
    IdempotencyKey: f"entrant__{EVENT}",
    Penalty: f"round__{EVENT}",
    RollOff: f"round__{EVENT}",
    Roll: f"roll_off__round__{EVENT}",
    Fleet: "player__store",
    FleetStep: "fleet__player__store",
    SheetCheck: f"seat__round__{EVENT}",
    JudgeCall: f"entrant__{EVENT}",
    TokenLine: EVENT,
    FinalRanking: EVENT,
    FinalLine: EVENT,
    FinalSeat: EVENT,
    JournalEntry: "store",
    RowChange: EVENT,
    JournalLink: "store",
}
"""The models whose rows are in the archive, each after those it points to, with the way to their store."""

OTHERWISE: dict[type[Model], str] = {
    MonthPack: "those that its events, its own packs and its history name",
    PackedHistory: "as the rows that were packed",
    ChainOrigin: "with another for what was written here, as the file's ids ask for",
    Membership: "as name and role: an account stays where it is",
}
"""What else is in the archive, and how."""

LEFT_OUT: dict[type[Model], str] = {
    User: "an account belongs to a person and to an installation; the journal has its name",
    Invitation: "its link leads to an installation",
    SignInAttempt: "of accounts and devices of an installation",
    Attempt: "kept for minutes, against guessing",
    Joining: "keyed digests of addresses, kept until the event is finished",
    PackDraft: "what one account was typing; nothing is made of it yet",
    NameKeys: "made anew of the names and the store’s number",
    CardSteps: "kept for minutes, against haste",
    PushKey: "the key pair of an installation",
    PushSubscription: "bound to the key pair of an installation; the phone asks again",
    Delivery: "what was sent from an installation, and from where it is tried again",
    Rehearsal: "a copy that is thrown away within days, with a store of its own",
    StoreRequest: "of whoever asked an installation for a store",
    DeletedStore: "of a store that is gone from an installation",
    RetiredAddress: "of a store that is gone from an installation",
    CatalogueCard: "of the installation; each fleet has its own copy of its cards",
    CatalogueImport: "of the installation",
}
"""What is not, and why."""

COLUMNS_LEFT_OUT: dict[type[Model], Mapping[str, str]] = {
    Store: {
        "rehearsal_id": "a rehearsal has no archive",
        "moved_to": "where it went, which is known where it left",
        "found_by": "made anew of its name and place",
    },
    Webhook: {"secret": "a new one is made, which the receiver has to be told"},
    PackVersion: {"by_id": "an account; by_name is kept"},
    JournalEntry: {"by_id": "an account; by_elsewhere has its number, over which the chain goes"},
    RowChange: {"transaction": "a number of the database, of use only until it commits"},
    FinalLine: {"player_id": "that of its entrant"},
    FinalSeat: {"player_id": "that of its entrant", "opponent_player_id": "that of its opponent"},
}


OLDER_KINDS: dict[type[Model], str] = {Roll: "throw"}
"""Models whose lines are called what they were called in the first archives."""


def kind_of(model: type[Model]) -> str:
    """What a line with a row of that model begins with."""
    return OLDER_KINDS.get(model, str(model._meta.model_name))


def lines_of_store(store: Store) -> Iterator[dict[str, Any]]:
    """The lines of its archive, as it stands at one moment. A rehearsal, which nobody gets by its name, has none."""
    with repeatable_read():
        store = Store.objects.get(pk=store.pk)
        head = head_of(store) or ChainHead(0, GENESIS)
        packs = list(MonthPack.objects.filter(pk__in=packs_of(store)).order_by("digest"))
        to_file = Renumbering(1 - _lowest_id(store), {pack.pk: number for number, pack in enumerate(packs, start=1)})
        yield {"store archive": {"format": FORMAT, "version": VERSION, "history": head.as_data()}}
        for model in WAYS:
            for row in _rows(store, model):
                yield {kind_of(model): to_file.row(model, row)}
            if model is Store:
                yield from _origins(store, head.number, to_file, {pack.digest: pack.pk for pack in packs})
                yield from ({"staff": {"name": name, "role": role}} for name, role in staff_of(store))
                yield from ({"monthpack": _pack(to_file, pack)} for pack in packs)


def staff_of(store: Store) -> list[tuple[str, str]]:
    """Who works at the store; of one that came from elsewhere, where nobody does yet, who did there."""
    here = Membership.objects.filter(store=store).order_by("user__username").values_list("user__username", "role")
    last = store.origins.last()
    return list(here) or [(name, role) for name, role in (last.staff if last else ())]


def _pack(to_file: Renumbering, pack: MonthPack) -> RowData:
    plain = {name: getattr(pack, name) for name in ("slug", "version", "digest", "data")}
    return {"id": to_file.packs[pack.pk], **plain}


def _origins(store: Store, last: int, to_file: Renumbering, packs: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """By which ids the links were made: those of before, and where there are links since, those of here."""
    until = 0
    for origin in store.origins.all():
        until, shift = origin.until, origin.shift + to_file.shift
        yield {"chainorigin": {"until": until, "shift": shift, "packs": origin.packs}}
    if last > until:
        yield {"chainorigin": {"until": last, "shift": to_file.shift, "packs": packs}}


def _of_store(store: Store, model: type[Model]) -> QuerySet[Model]:
    return model._base_manager.filter(**{WAYS[model]: store.pk})


def _lowest_id(store: Store) -> int:
    own = [_of_store(store, model).order_by() for model in WAYS]
    # Of the keys alone the database would look for the first in all of the table, from the lowest one of any store.
    lowest: list[int | None] = [rows.aggregate(least=Min(F("pk") + 0))["least"] for rows in own]
    with connection.cursor() as cursor:
        cursor.execute('SELECT least(min(id), min("row")) FROM store_changes(%s)', [store.pk])
        (in_history,) = cursor.fetchone()
    found: list[int] = [one for one in (*lowest, in_history) if one is not None]
    return min(found)


PACKS = """
    SELECT pack_id FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id WHERE c.store_id = %(store)s
    UNION SELECT origin_id FROM tourney_ownpack WHERE store_id = %(store)s
    UNION SELECT v.pack_id FROM tourney_packversion v JOIN tourney_ownpack o ON o.id = v.own_id
        WHERE o.store_id = %(store)s
    UNION SELECT (value ->> 'pack_id')::bigint
        FROM store_changes(%(store)s) t, LATERAL (VALUES (t.before), (t.after)) AS both_of (value)
        WHERE t."table" = 'tourney_event' AND value ? 'pack_id'
"""


def packs_of(store: Store) -> list[int]:
    """The ids of all month packs that the store or its history names."""
    with connection.cursor() as cursor:
        cursor.execute(PACKS, {"store": store.pk})
        return [pack for (pack,) in cursor.fetchall()]


def _rows(store: Store, model: type[Model]) -> Iterator[RowData]:
    """The rows as the database writes them in JSON, by their keys; those of the history are packed or not."""
    keys, params = _of_store(store, model).order_by().values("pk").query.sql_with_params()
    key = connection.ops.quote_name(key_of(model))
    rows = f"{connection.ops.quote_name(model._meta.db_table)} t WHERE {key} IN ({keys})"
    if model is RowChange:
        rows, params = "store_changes(%s) t", (store.pk,)
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT to_jsonb(t)::text FROM {rows} ORDER BY {key}", params)
        for (text,) in cursor:
            yield _as_kept(model, json.loads(text))


def _as_kept(model: type[Model], row: RowData) -> RowData:
    """The row without the columns that stay, and with what is told instead of them."""
    if model is JournalEntry:
        row["by_elsewhere"] = row["by_id"] if row["by_elsewhere"] is None else row["by_elsewhere"]
    elif model is PlayerCard and row["words_hash"]:
        row["words_secret"] = row["words_secret"] or secret_mark()
    left_out = COLUMNS_LEFT_OUT.get(model, {})
    return {name: value for name, value in row.items() if name not in left_out}


def file_name(store: Store) -> str:
    """What the file is called."""
    return f"store-{store.slug}.jsonl.gz"


def event_known_as(store: Store, slug: str) -> Event | None:
    """The event that the store knows by that part of its address; it may have had to take another as the store came."""
    events = Event.objects.filter(campaign__store=store)
    renamed = store.journal.filter(did=Verb.IMPORT_EVENT, before__slug=slug)
    return events.filter(slug=slug).first() or events.filter(journal__in=renamed).first()
