"""Our own catalogue format: a CSV table with a card per line (docs/cards.md)."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from io import StringIO

from fleets.domain.card_data import InvalidData, card_from_data
from fleets.domain.cards import FACTIONS, Card
from fleets.domain.space_dock import (
    MOST_BYTES,
    MOST_SETS,
    Catalogue,
    CatalogueEntry,
    NotACatalogue,
    refuse_too_many,
    set_title,
    too_large,
)
from tourney.runtime.bounds import Bounds, OutOfBounds, check_table, shown
from tourney.runtime.messages import Message, message

COLUMNS = (
    *("kind", "title", "factions", "cost", "unique", "mirror unique", "class"),
    *("attack", "agility", "hull", "shields", "skill", "slots", "rules", "released", "sets", "key"),
)
NEEDED = ("kind", "title", "cost")
NUMBERS = ("cost", "attack", "agility", "hull", "shields", "skill")
DIGITS = 6
BOUNDS = Bounds(depth=0, parts=200_000)
YES = {"yes": True, "y": True, "x": True, "no": False, "n": False, "": False}
CODE_OF = {name.casefold(): code for code, name in FACTIONS.items()} | {code.casefold(): code for code in FACTIONS}


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the file, by column name."""

    number: int
    cells: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return (self.cells.get(name) or "").strip()


def read_table(data: bytes) -> Catalogue:
    """The cards of a CSV file in UTF-8, separated by commas or semicolons. Raises NotACatalogue.

    A line that is no card is left out and named in `not_understood`.
    """
    if len(data) > MOST_BYTES:
        raise NotACatalogue(too_large())
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotACatalogue(message("The file’s text isn’t UTF-8. Save it again as “CSV UTF-8”.")) from error
    try:
        check_table(text, BOUNDS)
    except OutOfBounds as error:
        raise NotACatalogue(*error.args) from error
    entries: dict[str, CatalogueEntry] = {}
    wrong: list[Message] = []
    refuse_too_many(sum(1 for _ in _rows(text)))
    for row in _rows(text):
        try:
            entry = CatalogueEntry(_card(row), _day(row["released"]), _sets(row["sets"]))
        except InvalidData as error:
            wrong.append(message("Line {number} skipped: {problem}.", number=row.number, problem=error.problem))
            continue
        if entry.card.key in entries:
            wrong.append(
                message("Line {number} skipped: “{card}” is already listed.", number=row.number, card=entry.card.title)
            )
        entries.setdefault(entry.card.key, entry)
    if not entries and not wrong:
        raise NotACatalogue(message("The file has no cards. Choose another."))
    return Catalogue("", tuple(entries.values()), tuple(wrong))


def _rows(text: str) -> Iterator[_Row]:
    first = text.partition("\n")[0]
    reader = csv.reader(StringIO(text), delimiter=";" if first.count(";") > first.count(",") else ",")
    try:
        heads = [head.strip().casefold() for head in next(reader, [])]
        unknown = [head for head in heads if head not in COLUMNS]
        missing = [name for name in NEEDED if name not in heads]
        if unknown or missing:
            columns = ", ".join(COLUMNS)
            if unknown:
                name = shown(unknown[0])
                raise NotACatalogue(
                    message(
                        "The file has an unknown column “{name}”. Known are: {columns}.", name=name, columns=columns
                    )
                )
            raise NotACatalogue(
                message("The file has no column “{name}”. Known are: {columns}.", name=missing[0], columns=columns)
            )
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield _Row(reader.line_num, dict(zip(heads, cells, strict=False)))
    except csv.Error as error:
        raise NotACatalogue(
            message(
                "The file isn’t a CSV table. Line {line} can’t be read: {problem}.",
                line=reader.line_num,
                problem=str(error),
            )
        ) from error


def _card(row: _Row) -> Card:
    return card_from_data(
        {
            "kind": row["kind"].casefold(),
            "title": row["title"],
            "factions": [_faction(name) for name in row["factions"].split("/") if name.strip()],
            "ship_class": row["class"],
            "key": row["key"] or "/".join(row[name].casefold() for name in ("kind", "title", "class", "cost")),
            "unique": _yes(row["unique"], "unique"),
            "mirror_unique": _yes(row["mirror unique"], "mirror unique"),
            "slots": dict(_slot(part) for part in row["slots"].split(",") if part.strip()),
            "rules": [part.strip() for part in row["rules"].split(";") if part.strip()],
            **{name: _number(row[name], name) for name in NUMBERS},
        }
    )


def _faction(name: str) -> str:
    code = CODE_OF.get(name.strip().casefold())
    if code is None:
        raise InvalidData(message("“{name}” isn’t a faction", name=shown(name.strip())))
    return code


def _yes(text: str, name: str) -> bool:
    if text.casefold() not in YES:
        raise InvalidData(message("“{text}” in column “{column}” is neither yes nor no", text=shown(text), column=name))
    return YES[text.casefold()]


def _number(text: str, name: str) -> int:
    if text and not (text.isascii() and text.isdecimal() and len(text) <= DIGITS):
        raise InvalidData(message("“{text}” in column “{column}” isn’t a number", text=shown(text, 20), column=name))
    return int(text or 0)


def _slot(text: str) -> tuple[str, int]:
    kind, _, number = text.strip().rpartition(" ")
    return kind, _number(number, "slots")


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidData(
            message("“{text}” in column “{column}” isn’t a date like 2014-02-28", text=shown(text), column="released")
        ) from error


def _sets(text: str) -> tuple[str, ...]:
    titles = (set_title("", one) for one in text.split(";")[:MOST_SETS])
    return tuple(dict.fromkeys(title for title in titles if title))
