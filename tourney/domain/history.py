"""Steps done, undone and done again; and what many changes of rows come to."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from tourney.domain.verbs import Verb

type Row = Mapping[str, object] | None
"""The columns of a row; None where there is no such row."""


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """An entry of the journal: the id of the step that is done, or undone, or done again (`kind` done, undo, redo)."""

    id: int
    kind: str = "done"


@dataclass(frozen=True, slots=True)
class Steps:
    """What can be undone, the last one last, and what can be done again, the next one last; by id."""

    done: tuple[int, ...]
    undone: tuple[int, ...]


def steps_of(entries: Iterable[HistoryStep]) -> Steps:
    """Whatever is done anew ends doing again what was undone before."""
    done: list[int] = []
    undone: list[int] = []
    for entry in entries:
        if entry.kind == Verb.UNDO:
            done.remove(entry.id)
            undone.append(entry.id)
        elif entry.kind == Verb.REDO:
            undone.remove(entry.id)
            done.append(entry.id)
        else:
            done.append(entry.id)
            undone.clear()
    return Steps(tuple(done), tuple(undone))


@dataclass(frozen=True, slots=True)
class Change[Key: Hashable]:
    """What happened to one row.

    Of a row that was there before and after, both have the same columns: all that changed, and maybe others.
    """

    key: Key
    before: Row
    after: Row


def columns_of(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """The columns that have another value in a row after a change, with that value."""
    return {name: value for name, value in after.items() if value != before[name]}


def fits[Key: Hashable](change: Change[Key], now: Row) -> bool:
    """Whether the row is such that the change can be made: as it was before, where the change touches it."""
    before, after = change.before, change.after
    if before is None or after is None or now is None:
        return now == before
    return all(now[name] == before[name] for name in columns_of(before, after))


def net[Key: Hashable](changes: Iterable[Change[Key]]) -> dict[Key, Change[Key]]:
    """What these changes, oldest first, come to for each row; rows that are as they were before are left out."""
    found: dict[Key, Change[Key]] = {}
    for change in changes:
        first = found.get(change.key)
        found[change.key] = _joined(first, change) if first else change
    return {key: change for key, change in found.items() if change.before != change.after}


def _joined[Key: Hashable](first: Change[Key], then: Change[Key]) -> Change[Key]:
    """Both as one change: what the first did not touch was before as the second found it, and is after as it was."""
    before = first.before if first.before is None or then.before is None else {**then.before, **first.before}
    after = then.after if then.after is None or first.after is None else {**first.after, **then.after}
    return Change(first.key, before, after)


def rows_after[Key: Hashable](changes: Iterable[Change[Key]]) -> dict[Key, Row]:
    """The rows that are there after all changes from the first one on."""
    return {key: change.after for key, change in net(changes).items()}


def turned_back[Key: Hashable](changes: Mapping[Key, Change[Key]]) -> dict[Key, Change[Key]]:
    """The changes that take these back."""
    return {key: Change(key, change.after, change.before) for key, change in changes.items()}


def between[Key: Hashable](now: Mapping[Key, Row], then: Mapping[Key, Row]) -> dict[Key, Change[Key]]:
    """The changes that lead from the rows of now to those of then."""
    keys = dict.fromkeys((*now, *then))
    changes = (Change(key, now.get(key), then.get(key)) for key in keys)
    return {change.key: change for change in changes if change.before != change.after}
