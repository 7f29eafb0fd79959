"""What stands in the fields of the month pack editor, by their names; and what the page's buttons do with it."""

import re
from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from scoring.domain.pack import MonthPack, as_data
from scoring.domain.pack_guide import CHECKS, FLAG, GUIDES, ROWS, TEXTS, Guide, value_at
from scoring.domain.reading import CONTROL

Typed = dict[str, list[str]]
"""What stands in the page's fields, by their names: "sp_limit", "resource-rule", "tallies-0-name", "tallies-count"."""

MOST_ROWS = 40
LONGEST = 70_000
NEW_ROWS: dict[str, Typed] = {
    "tallies": {},
    "bonuses": {"per": ["flat"], "to": ["each"]},
    "card_limits": {"how_many": ["none"], "kind": ["card"], "faction": [""]},
    "cost_changes": {"kind": ["captain or upgrade"], "faction": [""]},
}
"""What is chosen in a row that nobody has filled yet."""
OTHER_NAMES = r"note|example-limit|(one|two)-[a-z0-9_]+"
ROW_NAMES = "|".join(rf"{rows.field}-(count|\d+-({'|'.join(g.name for g in rows.guides)}))" for rows in ROWS)
NAMES = re.compile(rf"{'|'.join(guide.name for guide in GUIDES)}|{ROW_NAMES}|{OTHER_NAMES}")


def typed_of(pack: MonthPack) -> Typed:
    """The pack as it stands in the fields; `PackForm` makes the same pack of it again."""
    data = as_data(pack)
    typed = _fields_of(GUIDES, data)
    for rows in ROWS:
        put_rows(typed, rows.field, [_fields_of(rows.guides, row) for row in data[rows.field]])
    return typed


def typed_in(posted: QueryDict) -> Typed:
    """What a posted page brings of the fields there are."""
    return {
        name: [CONTROL.sub("", value.replace("\r\n", "\n"))[:LONGEST] for value in posted.getlist(name)]
        for name in posted
        if NAMES.fullmatch(name)
    }


def rows_in(typed: Typed, field: str) -> list[Typed]:
    """The rows of a list, each with its fields by their names within the row."""
    count = min(whole((typed.get(f"{field}-count") or ["0"])[0]) or 0, MOST_ROWS)
    return [
        {name.removeprefix(start): value for name, value in typed.items() if name.startswith(start)}
        for start in (f"{field}-{number}-" for number in range(count))
    ]


def lines_in(typed: Typed, name: str) -> list[str]:
    """The texts of a field that holds one on each line."""
    return [line.strip() for line in text_in(typed, name).split("\n") if line.strip()]


def text_in(typed: Typed, name: str) -> str:
    """The first value of that name, stripped; empty if there is none."""
    return "".join(typed.get(name, [])[:1]).strip()


def whole(text: str) -> int | None:
    """The whole number that the text is, if it is one."""
    text = text.strip().replace("−", "-")
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,9}", text) else None


def with_keys(typed: Typed) -> Typed:
    """Counts that have a name and no short name get one."""
    typed = dict(typed)
    taken = {"".join(row.get("key", [])).strip() for row in rows_in(typed, "tallies")}
    for number, row in enumerate(rows_in(typed, "tallies")):
        words = re.sub(r"[^a-z0-9]+", "_", "".join(row.get("name", [])).lower()).strip("_")[:36]
        if words and not "".join(row.get("key", [])).strip():
            start = words if words[0].isalpha() else f"count_{words}"
            free = next(key for key in (start, *(f"{start}_{n}" for n in range(2, 99))) if key not in taken)
            typed[f"tallies-{number}-key"] = [free]
            taken.add(free)
    return typed


def put_rows(typed: Typed, field: str, rows: Sequence[Typed]) -> None:
    """Replace the rows of a list."""
    for name in [name for name in typed if name.startswith(f"{field}-")]:
        del typed[name]
    typed[f"{field}-count"] = [str(len(rows))]
    for number, row in enumerate(rows):
        typed |= {f"{field}-{number}-{name}": value for name, value in row.items()}


def changed(typed: Typed, do: str) -> Typed:
    """The same after a press of a button: "add:tallies", "remove:bonuses:2", "up:bonuses:2", "faction:Borg"."""
    verb, _, what = do.partition(":")
    field, _, place = what.partition(":")
    typed, number = dict(typed), whole(place)
    rows = rows_in(typed, field) if field in NEW_ROWS else []
    if verb == "faction" and what:
        typed["factions"] = ["\n".join([*lines_in(typed, "factions"), what])]
        typed["allegiance"] = ["on"]
    elif verb == "add" and field in NEW_ROWS and len(rows) < MOST_ROWS:
        put_rows(typed, field, [*rows, dict(NEW_ROWS[field])])
    elif verb in ("remove", "up") and number is not None and number < len(rows):
        row = rows.pop(number)
        put_rows(
            typed, field, rows if verb == "remove" else [*rows[: max(number - 1, 0)], row, *rows[max(number - 1, 0) :]]
        )
    return typed


def following_keys(typed: Typed, before: Typed) -> Typed:
    """Bonuses and exclusions still point to a count whose short name was changed since `before`."""
    old, new = ([(row.get("key") or [""])[0] for row in rows_in(one, "tallies")] for one in (before, typed))
    if len(old) != len(new):
        return typed
    renamed = {a: b for a, b in zip(old, new, strict=True) if a != b and a and b and a not in new}
    points = re.compile(r"bonuses-\d+-tally|tallies-\d+-excludes")
    return {
        name: [renamed.get(one, one) for one in value] if points.fullmatch(name) else value
        for name, value in typed.items()
    }


def _fields_of(guides: Sequence[Guide], data: dict[str, Any]) -> Typed:
    return {
        guide.name: _as_typed(guide, value) for guide in guides if (value := value_at(data, guide.field)) is not False
    }


def _as_typed(guide: Guide, value: Any) -> list[str]:
    if guide.kind == FLAG:
        return ["on"]
    if guide.kind == CHECKS:
        return list(value)
    return ["\n".join(value) if guide.kind == TEXTS else "" if value is None else str(value)]
