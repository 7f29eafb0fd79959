"""The month pack editor's form: what was typed, field by field, and the pack that it makes."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scoring.domain.building import CostChange
from scoring.domain.pack import FORMAT, InvalidPack, MonthPack, parse
from scoring.domain.pack_guide import (
    CHECKS,
    CHOICE,
    FLAG,
    GUIDES,
    KINDS,
    NUMBER,
    ROWS,
    SECTIONS,
    TEXTS,
    Guide,
    GuideSection,
    GuideTable,
    plainly,
)
from scoring.domain.reading import FieldError
from scoring.domain.words import KIND_WORDS, change_cards
from tourney.month_packs.forms.typed import NEW_ROWS, Typed, lines_in, rows_in, text_in, whole, with_keys
from tourney.runtime.messages import Message, message


@dataclass(frozen=True, slots=True)
class DraftField:
    """A field of the page: its name, what stands in it, and what is wrong with that."""

    name: str
    guide: Guide
    values: tuple[str, ...]
    errors: tuple[Message, ...]
    choices: tuple[tuple[str, str | Message], ...] = ()

    @property
    def value(self) -> str:
        """The field's text, empty if nothing was typed."""
        return self.values[0] if self.values else ""

    @property
    def options(self) -> list[tuple[str, str | Message, bool]]:
        """Value, words, and whether it is chosen."""
        return [(value, words, value in self.values) for value, words in self.choices]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One table of a list: `name` is "tallies-0"; `boxes` by the names of their fields."""

    name: str
    number: int
    boxes: dict[str, DraftField]
    errors: tuple[Message, ...]

    @property
    def title(self) -> str | Message:
        """What stands over the row: its name or title, or else what is chosen; empty while there is neither."""
        value = {name: box.value for name, box in self.boxes.items()}
        if typed := value.get("name") or value.get("title"):
            return typed
        kind, faction = value.get("kind", ""), value.get("faction", "")
        if kind not in KIND_WORDS:
            return faction
        if not faction:
            return "" if kind == "card" else KINDS[kind]
        change = CostChange(kind=kind, faction=faction, other_factions=bool(value.get("other_factions")))
        return change_cards(change)


@dataclass(frozen=True, slots=True)
class DraftSection:
    """A section with its fields and rows; `wrong` says how many of them do not fit."""

    section: GuideSection
    boxes: dict[str, DraftField]
    lists: tuple[tuple[GuideTable, tuple[DraftRow, ...]], ...]

    @property
    def wrong(self) -> int:
        """The number of fields and rows that have errors."""
        rows = [row for _, rows in self.lists for row in rows]
        boxes = [*self.boxes.values(), *(box for row in rows for box in row.boxes.values())]
        return sum(bool(box.errors) for box in boxes) + sum(bool(row.errors) for row in rows)


class PackForm:
    """The fields as typed; `rules` is their pack, None while one of them does not fit. A row without words is none."""

    def __init__(
        self, typed: Typed, *, version: int = 1, refuse_slug: Callable[[str], Message | None] = lambda slug: None
    ) -> None:
        self.typed, self.version = with_keys(typed), version
        self._wrong: dict[str, list[Message]] = defaultdict(list)
        self._places = {rows.field: self._filled(rows) for rows in ROWS}
        data: dict[str, Any] = {"format": FORMAT, "version": version, "resource": {}, "fleet": {}}
        for guide in GUIDES:
            table, _, key = guide.field.rpartition(".")
            self._read(guide, guide.name, data[table] if table else data, key)
        for rows in ROWS:
            data[rows.field] = [self._row(rows, number) for number in self._places[rows.field]]
        if reason := refuse_slug(data.get("slug", "")):
            self._wrong["slug"].append(reason)
        self.rules = self._parsed(data)

    @cached_property
    def parts(self) -> list[DraftSection]:
        """The sections of the page, with their fields and rows."""
        return [
            DraftSection(
                section,
                {guide.name: self._box(guide, guide.name) for guide in section.guides},
                tuple((rows, self._shown(rows)) for rows in section.rows),
            )
            for section in SECTIONS
        ]

    @property
    def wrong(self) -> int:
        """How many fields do not fit."""
        return sum(part.wrong for part in self.parts)

    @property
    def complaints(self) -> dict[str, list[Message]]:
        """What is wrong, by the name of the field."""
        return {name: found for name, found in self._wrong.items() if found}

    def boxes(self) -> Iterable[DraftField]:
        """Every field of the page."""
        for part in self.parts:
            yield from part.boxes.values()
            for _, rows in part.lists:
                for row in rows:
                    yield from row.boxes.values()

    @property
    def counts(self) -> list[tuple[str, str]]:
        """Short name and name of everything that is counted."""
        rows = range(len(rows_in(self.typed, "tallies")))
        found = ((text_in(self.typed, f"tallies-{n}-key"), text_in(self.typed, f"tallies-{n}-name")) for n in rows)
        return [(key, words or key) for key, words in found if key]

    @property
    def factions(self) -> list[str]:
        """The factions as they are typed, one a line."""
        return lines_in(self.typed, "factions")

    # what was typed, as the format wants it

    def _read(self, guide: Guide, name: str, data: dict[str, object], key: str) -> None:
        text = text_in(self.typed, name)
        if guide.kind == FLAG:
            data[key] = name in self.typed
        elif guide.kind == TEXTS:
            data[key] = lines_in(self.typed, name)
        elif guide.kind == CHECKS:
            data[key] = self.typed.get(name, [])
        elif not text and (guide.missing or (guide.kind == NUMBER and not guide.if_empty)):
            self._wrong[name].append(guide.missing or message("This is empty. Type a whole number."))
        elif guide.kind == NUMBER and text and whole(text) is None:
            self._wrong[name].append(
                message("“{text}” isn’t a whole number. Type digits only, like 12.", text=text[:20])
            )
        elif guide.kind == NUMBER:
            data[key] = whole(text)
        else:
            data[key] = text

    def _row(self, rows: GuideTable, number: int) -> dict[str, object]:
        row: dict[str, object] = {}
        for guide in rows.guides:
            self._read(guide, f"{rows.field}-{number}-{guide.name}", row, guide.field)
        return row

    def _filled(self, rows: GuideTable) -> list[int]:
        """The numbers of the rows in which somebody has typed something."""
        typing = [guide.name for guide in rows.guides if guide.kind not in (FLAG, CHOICE, CHECKS)]
        choosing = [guide.name for guide in rows.guides if rows.by_choices and guide.kind in (FLAG, CHOICE)]
        new = NEW_ROWS[rows.field]
        return [
            number
            for number, row in enumerate(rows_in(self.typed, rows.field))
            if any("".join(row.get(name, [])).strip() for name in typing)
            or any(row.get(name) and row[name] != new.get(name) for name in choosing)
        ]

    def _parsed(self, data: dict[str, object]) -> MonthPack | None:
        try:
            rules = parse(data)
        except InvalidPack as error:
            for one in error.errors:
                self._hear(one)
            return None
        return None if self.complaints else rules

    def _hear(self, error: FieldError) -> None:
        """Keep a complaint of the parser with its field, unless something is known to be wrong there already."""
        row = re.fullmatch(rf"({'|'.join(self._places)})\[(\d+)\](?:\.(\w+).*)?", error.field)
        if row:
            name = f"{row[1]}-{self._places[row[1]][int(row[2])]}" + (f"-{row[3]}" if row[3] else "")
            path = f"{row[1]}.{row[3]}"
        else:
            path = re.sub(r"\[\d+\]$", "", error.field)
            name = path.replace(".", "-")
        said = plainly(BY_PATH.get(path), error)
        if not self._wrong[name] or (not error.is_alone and said not in self._wrong[name]):
            self._wrong[name].append(said)

    # what the page shows

    def _shown(self, rows: GuideTable) -> tuple[DraftRow, ...]:
        return tuple(
            DraftRow(
                name,
                number,
                {guide.name: self._box(guide, f"{name}-{guide.name}") for guide in rows.guides},
                tuple(self._wrong.get(name, ())),
            )
            for number in range(len(rows_in(self.typed, rows.field)))
            for name in (f"{rows.field}-{number}",)
        )

    def _box(self, guide: Guide, name: str) -> DraftField:
        values = tuple(self.typed.get(name, ()))
        return DraftField(name, guide, values, tuple(self._wrong.get(name, ())), self._choices(guide, name, values))

    def _choices(self, guide: Guide, name: str, values: Sequence[str]) -> tuple[tuple[str, str | Message], ...]:
        if guide.choices or guide.kind not in (CHOICE, CHECKS):
            return guide.choices
        own, counts = text_in(self.typed, name.replace("-excludes", "-key")), dict(self.counts)
        known = tuple((key, words) for key, words in counts.items() if key != own or guide.kind == CHOICE)
        gone = tuple(
            (key, message("“{key}”, no longer counted", key=key)) for key in values if key and key not in counts
        )
        return (("", message("Choose")), *known, *gone) if guide.kind == CHOICE else (*known, *gone)


BY_PATH = {guide.field: guide for guide in GUIDES} | {
    f"{rows.field}.{guide.field}": guide for rows in ROWS for guide in rows.guides
}
