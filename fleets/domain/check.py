"""A fleet from elsewhere held against the rules of a month: what it costs, what is wrong, what nobody could check.

found = check(incoming, format, date(2014, 2, 1))
as_text(found)      # for who reads it
as_data(found)      # for programs, as fleet-check-1.schema.json describes it
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from fleets.domain.cost import Costs, LineCost, costs
from fleets.domain.foreign import Incoming
from fleets.domain.legality import Format, Violation, violations
from tourney.runtime.messages import Message, in_english, message

WIDTH = 44
"""Characters of a line before its cost."""


@dataclass(frozen=True, slots=True)
class FleetCheck:
    """The fleet as it was read, with its costs in SP and everything that is wrong; `limit` is None where none is."""

    fleet: Incoming
    costs: Costs
    violations: tuple[Violation, ...]
    limit: int | None

    @property
    def is_legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations

    @property
    def not_checked(self) -> tuple[tuple[int, str, str | Message], ...]:
        """(line, title, clause) of what a card says about building that is left to a person."""
        lines = self.fleet.sheet.lines
        return tuple((line.id, line.card.title, clause) for line in lines for clause in line.not_checked)


def check(incoming: Incoming, format: Format, on: date, *, limit: int | None) -> FleetCheck:
    """The fleet counted and checked on that day; `limit` is that of the format where it has one."""
    sheet = replace(incoming.sheet, month=format.month)
    return FleetCheck(replace(incoming, sheet=sheet), costs(sheet), violations(sheet, format, on), limit)


def as_text(found: FleetCheck) -> str:
    """The fleet line by line with sums, then what is to be said of it."""
    return "\n".join(_lines(found))


def _lines(found: FleetCheck) -> Iterator[str]:
    sheet, titles = found.fleet.sheet, {line.id: line.card.title for line in found.fleet.sheet.lines}
    yield found.fleet.name
    for ship, total in zip(sheet.ships, found.costs.ships, strict=True):
        for line in ship:
            yield _line(found.costs.of(line.id), "  " if line is ship.line else "    ")
        yield _total(message("Ship total"), "    ", total)
    for line in ((sheet.resource,) if sheet.resource else ()) + sheet.other:
        yield _line(found.costs.of(line.id), "  ")
    limit = message("of {limit} SP", limit=found.limit) if found.limit else "SP"
    yield f"{_total(message('Total'), '  ', found.costs.total)} {limit}"
    yield f"  {message('Legal') if found.is_legal else message('Not legal:')}"
    yield from (f"    {problem}" for problem in _problems(found))
    unchecked = [f"{title}: {clause}" for _, title, clause in found.not_checked]
    yield from _listed(message("Check yourself – no rule covers this:"), unchecked)
    yield from _listed(message("Not in the catalogue, taken as written:"), found.fleet.not_recognised)
    yield from _listed(message("Not read:"), found.fleet.skipped)
    yield from _listed(message("Different in the file:"), found.fleet.differences)
    notes = [f"{titles[line.id]}: {line.note_said}" for line in sheet.lines if line.note]
    yield from _listed(message("Notes:"), ([sheet.notes] if sheet.notes else []) + notes)


def _problems(found: FleetCheck) -> list[Message]:
    return [message("Rule {rule}: {problem}", rule=one.rule, problem=one.sentence) for one in found.violations]


def _total(label: Message, indent: str, total: int) -> str:
    return f"{indent + str(label):<{WIDTH}}{total:>4}"


def _line(cost: LineCost, indent: str) -> str:
    line = f"{indent + cost.line.card.title:<{WIDTH}}{cost.total:>4}"
    return f"{line}  {_sum(cost)}" if len(cost.parts) > 1 or cost.line.cost_by_hand is not None else line


def _sum(cost: LineCost) -> str:
    """Every term with its label: 3 printed + 1 faction penalty − 2 Captain Vor."""
    first, *others = cost.parts
    signs = (f" {'−' if part.points < 0 else '+'} {abs(part.points)} {part.label}" for part in others)
    return f"= {first.points} {first.label}{''.join(signs)}"


def _listed(head: Message, what: Sequence[str | Message]) -> Iterator[str]:
    if what:
        yield f"  {head}"
        yield from (f"    {one}" for one in what)


def as_data(found: FleetCheck) -> dict[str, Any]:
    """The same as JSON can hold it, its sentences in English."""
    sheet, of = found.fleet.sheet, found.costs.of
    return {
        "name": found.fleet.name,
        "legal": found.is_legal,
        "total": found.costs.total,
        "ships": [
            {"total": total, "lines": [_line_as_data(of(line.id)) for line in ship]}
            for ship, total in zip(sheet.ships, found.costs.ships, strict=True)
        ],
        "resource": _line_as_data(of(sheet.resource.id)) if sheet.resource else None,
        "other": [_line_as_data(of(line.id)) for line in sheet.other],
        "notes": sheet.notes,
        "violations": [
            {"rule": one.rule, "sentence": in_english(one.sentence), "line": one.line} for one in found.violations
        ],
        "not_fully_checked": [
            {"line": line, "title": title, "clause": in_english(clause)} for line, title, clause in found.not_checked
        ],
        "not_in_catalogue": list(found.fleet.not_recognised),
        "not_read": list(map(in_english, found.fleet.skipped)),
        "differences": list(map(in_english, found.fleet.differences)),
    }


def _line_as_data(cost: LineCost) -> dict[str, Any]:
    card = cost.line.card
    return {
        "line": cost.line.id,
        "kind": card.kind.value,
        "title": card.title,
        "factions": list(card.factions),
        "key": card.key,
        "cost": cost.total,
        "sum": [{"label": in_english(part.label), "points": part.points} for part in cost.parts],
        "note": cost.line.note,
    }
