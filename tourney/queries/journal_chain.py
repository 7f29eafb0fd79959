"""The journal's hash chain, computed once more without the functions of the database, and what is wrong with it.

Each text of an entry is written as a netstring (`4:text,`; `-,` for null), and all of them are hashed by SHA-256
together with the link's nonce; migration `journal_chain` does the same where the links are made.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.db import connection

from scoring.models import MonthPack
from tourney.models import ChainOrigin, Event, JournalLink, Store
from tourney.queries.renumbering import Renumbering
from tourney.queries.snapshot import repeatable_read
from tourney.runtime.messages import Message, message

GENESIS = "0" * 64
SHORTEST = 8
"""Hexadecimal digits that a head given by hand has at least."""

LINKS = """
    SELECT l.number, l.entry_id, coalesce(l.redacted_for_id, 0), l.nonce, l.content_hash, l.changes_hash, l.chain_hash,
        e.id IS NOT NULL,
        ARRAY[e.id::text, e.store_id::text, e.event_id::text, e.version::text,
            to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), coalesce(e.by_elsewhere, e.by_id)::text,
            e.by_name::text,
            e.did::text, e.what, e.before::text, e.after::text, e.reason]
            || CASE WHEN e.said IS NULL THEN '{}' ELSE ARRAY[e.said::text] END,
        f.after ->> 'mark'
    FROM tourney_journallink l
    LEFT JOIN tourney_journalentry e ON e.id = l.entry_id
    LEFT JOIN tourney_journalentry f ON f.id = l.redacted_for_id AND f.did = 'forget' AND f.store_id = l.store_id
    WHERE l.store_id = %(store)s AND (%(event)s::bigint IS NULL OR e.event_id = %(event)s) ORDER BY l.number
"""
CHANGES = """
    SELECT entry_id, event_id::text, "table"::text, "row"::text, before::text, after::text FROM (
        SELECT c.* FROM tourney_change c JOIN tourney_journalentry e ON e.id = c.entry_id
        WHERE e.store_id = %(store)s AND (%(event)s::bigint IS NULL OR e.event_id = %(event)s)
        UNION ALL
        SELECT c.* FROM tourney_campaign JOIN tourney_event v ON v.campaign_id = tourney_campaign.id,
            packed_changes(v.id) c JOIN tourney_journalentry e ON e.id = c.entry_id
        WHERE tourney_campaign.store_id = %(store)s AND e.store_id = %(store)s
            AND (%(event)s::bigint IS NULL OR v.id = %(event)s AND e.event_id = %(event)s)
    ) AS of_entries ORDER BY id
"""
NOT_CHAINED = """
    SELECT e.id FROM tourney_journalentry e WHERE e.store_id = %(store)s
        AND NOT EXISTS (SELECT FROM tourney_journallink l WHERE l.entry_id = e.id) ORDER BY e.id
"""


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The last link of a store's chain: whoever keeps it can tell later whether anything up to it was changed."""

    number: int
    hash: str

    def __str__(self) -> str:
        """As on paper: the number, and the first 16 digits of the hash in fours."""
        digits = self.hash[:16].upper()
        return f"{self.number:,} · {'-'.join(digits[at : at + 4] for at in range(0, len(digits), 4))}"

    def as_data(self) -> dict[str, object]:
        """The head as the archive writes it."""
        return {"number": self.number, "hash": self.hash}


@dataclass(frozen=True, slots=True)
class _Link:
    number: int
    entry: int
    redacted_for: int
    nonce: str
    content_hash: str
    changes_hash: str
    chain_hash: str
    has_entry: bool
    texts: list[str | None]
    mark: str | None
    made_by: Renumbering | None = None
    """From the ids of here to those by which the link was made, where that was at another installation."""


def head_of(store: Store) -> ChainHead | None:
    """The store's head now; None where nothing was committed yet."""
    last = JournalLink.objects.filter(store=store).order_by("number").values_list("number", "chain_hash").last()
    return ChainHead(*last) if last else None


def chain_problems(store: Store, known: Iterable[ChainHead] = ()) -> list[Message]:
    """What is wrong with the store's chain, its entries and the changes they explain, as sentences; [] for nothing.

    `known` are heads that somebody kept; their hash may be the beginning of one.
    """
    with repeatable_read():
        links = _links(store, None)
        contents = _changes(store, None, links)
        unchained = [entry for (entry,) in _rows(NOT_CHAINED, store)]
    problems = [*_wrong_chain(links), *_wrong_entries(links, contents)]
    problems += [message("Journal entry {entry} was added past the chain.", entry=entry) for entry in unchained]
    return problems + [sentence for head in known for sentence in _wrong_head(links, head)]


def entry_problems(event: Event) -> list[Message]:
    """Which entries of this event, or the changes they explain, are not as they were written."""
    with repeatable_read():
        links = _links(event.store, event.pk)
        contents = _changes(event.store, event.pk, links)
    return list(_wrong_entries(links, contents))


def _links(store: Store, event: int | None) -> list[_Link]:
    """The links, each with the texts of its entry as they were when it was made."""
    links, place = [_Link(*row) for row in _rows(LINKS, store, event)], 0
    for until, made_by in _origins(store):
        while place < len(links) and links[place].number <= until:
            links[place] = _as_made(links[place], made_by)
            place += 1
    return links


def _origins(store: Store) -> list[tuple[int, Renumbering]]:
    """Up to which number links were made by other ids, and how those here become them again."""
    origins = list(store.origins.all())
    digests = {digest for origin in origins for digest in origin.packs}
    here = dict(MonthPack.objects.filter(digest__in=digests).values_list("digest", "pk"))
    return [(origin.until, Renumbering(-origin.shift, _packs_there(origin, here))) for origin in origins]


def _packs_there(origin: ChainOrigin, here: Mapping[str, int]) -> dict[int, int]:
    return {here[digest]: there for digest, there in origin.packs.items() if digest in here}


def _as_made(link: _Link, made_by: Renumbering) -> _Link:
    if not link.has_entry:
        return replace(link, made_by=made_by)
    *ids, version, at, by, name, did, what, before, after = link.texts[:11]
    ids = [one and str(int(one) + made_by.shift) for one in ids]
    facts = [made_by.facts_as_text(did or "", text) for text in (before, after)]
    return replace(link, made_by=made_by, texts=[*ids, version, at, by, name, did, what, *facts, *link.texts[11:]])


def _wrong_chain(links: list[_Link]) -> Iterator[Message]:
    before, last = GENESIS, 0
    for link in links:
        if link.number == last + 2:
            yield message("Number {number} of the history is missing.", number=last + 1)
        elif link.number != last + 1:
            yield message("Numbers {first} to {last} of the history are missing.", first=last + 1, last=link.number - 1)
        elif link.chain_hash != _chain_hash(before, link):
            yield message(
                "Number {number} of the history doesn’t follow from the one before: it was rewritten.",
                number=link.number,
            )
        before, last = link.chain_hash, link.number


def _wrong_entries(links: list[_Link], changes: dict[int, "_Changes"]) -> Iterator[Message]:
    """Only the latest link of an entry has to fit: earlier ones are of names that were erased since."""
    for link in {link.entry: link for link in links}.values():
        inner = changes.get(link.entry, _NOTHING)
        which = {"entry": link.entry, "number": link.number}
        if not link.has_entry:
            yield message("Journal entry {entry} (number {number}) was deleted.", **which)
            continue
        if link.content_hash != _content_hash(link):
            yield message("Journal entry {entry} (number {number}) was changed after it was written.", **which)
        if link.changes_hash != _sha256(f"{link.nonce} {inner.digest()}"):
            yield message(
                "The recorded changes of journal entry {entry} (number {number}) were changed later.", **which
            )
        if link.redacted_for and not _names_the_mark(link, inner):
            yield message(
                "Journal entry {entry} (number {number}) was rewritten, but not because a player’s data was erased.",
                **which,
            )


def _names_the_mark(link: _Link, changes: "_Changes") -> bool:
    mark = link.mark
    return bool(mark) and any(mark in text for text in (*link.texts, *changes.texts) if mark and text)


def _wrong_head(links: list[_Link], head: ChainHead) -> Iterator[Message]:
    last = links[-1].number if links else 0
    if head.number > last:
        yield message(
            "The history ends at number {last}, but number {noted} was noted: the rest is gone.",
            last=f"{last:,}",
            noted=f"{head.number:,}",
        )
        return
    found = next((link for link in links if link.number == head.number), None)
    if found is not None and not found.chain_hash.startswith(head.hash):
        noted, stored = ChainHead(head.number, head.hash), ChainHead(head.number, found.chain_hash)
        yield message(
            "Number {noted} was noted, but the history has {stored}: it was rewritten.",
            noted=str(noted),
            stored=str(stored),
        )


def read_head(text: str) -> ChainHead:
    """A head as paper (`1,234 · 9F3A-61C2-…`) or the archive (`1234:9f3a…`, whole) gives it. Raises ValueError."""
    number, _, digits = text.replace(" ", "").replace("·", ":").partition(":")
    number, digits = number.replace(",", ""), digits.replace("-", "").lower()
    if not number.isascii() or not number.isdigit() or len(number) > 10 or not SHORTEST <= len(digits) <= 64:
        raise ValueError(text)
    int(digits, 16)
    return ChainHead(int(number), digits)


# hashes


class _Changes:
    """The changes of one entry: their hash; and their texts, where the entry was redacted."""

    def __init__(self) -> None:
        self._hash = sha256()
        self.texts: list[str | None] = []

    def add(self, texts: Iterable[str | None]) -> None:
        self._hash.update(b"".join(map(_netstring, texts)))

    def digest(self) -> str:
        return self._hash.hexdigest()


_NOTHING = _Changes()


def _changes(store: Store, event: int | None, links: list[_Link]) -> dict[int, _Changes]:
    redacted = {link.entry for link in links if link.redacted_for}
    made_by = {link.entry: link.made_by for link in links}
    found: dict[int, _Changes] = defaultdict(_Changes)
    for entry, *texts in _rows(CHANGES, store, event):
        if there := made_by.get(entry):
            texts = _change_as_made(there, *texts)
        found[entry].add(texts)
        if entry in redacted:
            found[entry].texts += texts[-2:]
    return found


def _change_as_made(made_by: Renumbering, event: str, table: str, row: str, *data: str | None) -> list[str | None]:
    """The texts of a change as they were where it was made."""
    ids = [str(int(one) + made_by.shift) for one in (event, row)]
    return [ids[0], table, ids[1], *(made_by.change_as_text(table, text) for text in data)]


def _rows(sql: str, store: Store, event: int | None = None) -> Iterator[tuple[Any, ...]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, {"store": store.pk, "event": event})
        yield from cursor


def _content_hash(link: _Link) -> str:
    return sha256(b"".join(map(_netstring, [link.nonce, *link.texts]))).hexdigest()


def _chain_hash(before: str, link: _Link) -> str:
    shift = link.made_by.shift if link.made_by else 0
    ids = (one and one + shift for one in (link.entry, link.redacted_for))
    parts = (before, link.number, *ids, link.content_hash, link.changes_hash)
    return _sha256(" ".join(map(str, parts)))


def _netstring(text: str | None) -> bytes:
    if text is None:
        return b"-,"
    data = text.encode()
    return b"%d:%b," % (len(data), data)


def _sha256(text: str) -> str:
    return sha256(text.encode()).hexdigest()
