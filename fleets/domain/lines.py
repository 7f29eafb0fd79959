"""What one line of pasted text says of a card: its title, its cost, its kind, and how many of it.

    Kestrel [20]    Kestrel (20 SP)    Kestrel - 24 SP    Kestrel: 24    Kestrel 24      the cost, with brackets or not
    2x Kestrel      Kestrel x2         1. Kestrel         2) Kestrel                     how many, and numbered lists
    Cap,Captain Vor,FED,3              Captain Vor<tab>3                                 a row of a table

A line can mean several things: "Captain Vor 5" is a captain of that name, or one that costs 5 SP. `meanings` gives all
of them, and whoever has a catalogue takes the first that it knows.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from fleets.domain.cards import CODES, FACTIONS, CardKind

MOST_COPIES = 20
MOST_CELLS = 12
KIND_OF = {code: kind for kind, code in CODES.items() if code}
KINDS: Mapping[str, CardKind] = {
    **{code.casefold(): kind for code, kind in KIND_OF.items()},
    **{kind.value: kind for kind in CardKind},
    "elite talent": CardKind.TALENT,
    "fleetcaptain": CardKind.FLEET_CAPTAIN,
}
FACTION_OF = {name.casefold(): code for code, name in FACTIONS.items()} | {code.casefold(): code for code in FACTIONS}
HEADS = {
    "title": ("title", "card title", "card", "name", "card name"),
    "cost": ("cost", "cost (sp)", "sp", "points", "pts"),
    "kind": ("type", "kind", "code"),
    "faction": ("faction", "factions"),
    "copies": ("qty", "quantity", "count", "copies", "number"),
    "place": ("place",),
    "note": ("note", "notes"),
}
HEAD_OF = {name: head for head, names in HEADS.items() for name in names}
UNITS = r"(?:SP|pts?|points?)"
BRACKETS = re.compile(
    rf"(?P<title>.*?)\s*(?:[\[(]\s*(?P<cost>\d{{1,3}})\s*{UNITS}?\s*[\])]\s*(?P<code>[A-Za-z]{{0,4}}))?", re.IGNORECASE
)
BEHIND = re.compile(
    rf"(?P<title>.*?[^\s:=,–—-])\s*(?:[-–—:=,]\s*(?P<cost>\d{{1,3}})\s*{UNITS}?|\s(?P<sp>\d{{1,3}})\s*{UNITS})\.?",
    re.IGNORECASE,
)
BARE = re.compile(r"(?P<title>.*\S)\s+(?P<cost>\d{1,3})")
NUMBERED = re.compile(r"#?\d{1,3}[.)]\s+(?P<rest>.*\S)")
TIMES = re.compile(r"(?P<copies>\d{1,2})\s?[x×]\s+(?P<rest>.*\S)", re.IGNORECASE)
TIMES_AFTER = re.compile(r"(?P<rest>.*\S)\s+[x×]\s?(?P<copies>\d{1,2})(?P<more>\s*[\[(,:–—-].*)?", re.IGNORECASE)
NUMBER = re.compile(rf"(?P<cost>\d{{1,3}})\s*{UNITS}?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LineMeaning:
    """What a line says: `cost` in SP (None: nothing), `factions` as codes, `place` and `note` of our own table.

    `is_sure` is false where the cost may be the end of a title; `rest` are cells that say nothing that is known.
    """

    title: str
    cost: int | None = None
    kind: CardKind | None = None
    copies: int = 1
    factions: tuple[str, ...] = ()
    place: str = ""
    note: str = ""
    is_sure: bool = True
    rest: tuple[str, ...] = ()


def meanings(line: str, heads: tuple[str, ...] = ()) -> tuple[LineMeaning, ...]:
    """All that the line can mean, the likeliest first; never nothing. `heads` are the columns of its table, if any."""
    row = _by_heads(line, heads) if heads else _by_cells(line)
    if row and (heads or "\t" in line):
        return row, replace(row, kind=None)
    found = tuple(_of_text(" ".join(line.split())))
    return (*found[:1], row, replace(row, kind=None), *found[1:]) if row else found


def heads_of(line: str) -> tuple[str, ...]:
    """The columns that the line names, as it writes them where they are not known; empty for what is no such line."""
    cells = tuple(HEAD_OF.get(cell.casefold(), cell) for cell in _cells(line))
    return cells if "title" in cells and len(set(cells) & HEADS.keys()) > 1 else ()


def _of_text(plain: str) -> Iterator[LineMeaning]:
    if match := NUMBERED.fullmatch(plain):
        plain = match["rest"]
    copies = 1
    if match := TIMES.fullmatch(plain):
        plain, copies = match["rest"], int(match["copies"])
    elif match := TIMES_AFTER.fullmatch(plain):
        plain, copies = match["rest"] + (match["more"] or ""), int(match["copies"])
    yield from (replace(one, copies=min(max(copies, 1), MOST_COPIES)) for one in _priced(plain))


def _priced(plain: str) -> Iterator[LineMeaning]:
    match = BRACKETS.fullmatch(plain)
    if match and match["cost"] and match["title"]:
        yield LineMeaning(match["title"], int(match["cost"]), KIND_OF.get(match["code"] or ""))
        return
    yield LineMeaning(plain)
    if match := BEHIND.fullmatch(plain):
        yield LineMeaning(match["title"], int(match["cost"] or match["sp"]))
    elif match := BARE.fullmatch(plain):
        yield LineMeaning(match["title"], int(match["cost"]), is_sure=False)


def _cells(line: str) -> list[str]:
    """The cells of a row, without the empty one at the end of a line that closes with a comma."""
    delimiter = next((one for one in "\t;" if one in line), ",")
    if delimiter not in line:
        return []
    cells = [" ".join(cell.split()) for cell in next(csv.reader([line], delimiter=delimiter))]
    return cells if len(cells) <= MOST_CELLS else []


def _by_heads(line: str, heads: tuple[str, ...]) -> LineMeaning | None:
    cells = [(head, cell) for head, cell in zip(heads, _cells(line), strict=False) if cell]
    facts = dict(reversed(cells))
    if not facts.get("title"):
        return None
    rest, cost, copies = [], None, 1
    for head, cell in cells:
        match = NUMBER.fullmatch(cell)
        if head == "cost" and match:
            cost = int(match["cost"])
        elif head == "copies" and match:
            copies = min(max(int(match["cost"]), 1), MOST_COPIES)
        elif (
            head in {"cost", "copies"}
            or head not in HEADS
            or (head == "kind" and cell.casefold() not in KINDS)
            or (head == "faction" and not _factions(cell))
        ):
            rest.append(cell)
    return LineMeaning(
        facts["title"],
        cost,
        KINDS.get(facts.get("kind", "").casefold()),
        copies,
        _factions(facts.get("faction", "")),
        place=facts.get("place", ""),
        note=facts.get("note", ""),
        rest=tuple(rest),
    )


def _by_cells(line: str) -> LineMeaning | None:
    """A row of a table without a first line, by what its cells look like; it has at least a cost or a kind."""
    cells = [cell for cell in _cells(line) if cell]
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    kind = next((cell for cell in cells if cell.casefold() in KINDS), "")
    words = [cell for cell in cells if cell not in numbers and cell != kind]
    factions = next((cell for cell in words if _factions(cell)), "") if len(words) > 1 else ""
    titles = [cell for cell in words if cell != factions]
    if not titles or not (numbers or kind):
        return None
    copies = int(numbers[0]) if len(numbers) > 1 and cells[0] == numbers[0] and numbers[0].isdecimal() else 1
    used = numbers[-1:] + (numbers[:1] if copies > 1 else [])
    rest = [cell for cell in (*numbers, *titles[1:]) if cell not in used]
    cost = NUMBER.fullmatch(numbers[-1]) if numbers else None
    return LineMeaning(
        titles[0],
        int(cost["cost"]) if cost else None,
        KINDS.get(kind.casefold()),
        min(max(copies, 1), MOST_COPIES),
        _factions(factions),
        rest=tuple(rest),
    )


def _factions(cell: str) -> tuple[str, ...]:
    """The codes of one or two factions, empty for what is none."""
    parts = [part.strip().casefold() for part in cell.split("/")]
    found = [FACTION_OF[part] for part in parts if part in FACTION_OF]
    return tuple(dict.fromkeys(found)) if len(found) == len(parts) <= len(FACTIONS) else ()
