"""Steps done, undone and done again; and what many changes of rows come to."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

type Row = Mapping[str, object] | None
"""The columns of a row; None where there is no such row."""


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """An entry of the journal. `kind` is done, undo or redo; these two name the step they concern."""

    id: int
    kind: str = "done"
    concerns: int | None = None


@dataclass(frozen=True, slots=True)
class Steps:
    """What can be undone, the last one last, and what can be done again, the next one last; by id."""

    done: tuple[int, ...]
    undone: tuple[int, ...]


def steps_of(entries: Iterable[HistoryStep]) -> Steps:
    """Whatever is done anew ends doing again what was undone before."""
    done, undone = [], []
    for entry in entries:
        if entry.kind == "undo":
            done.remove(entry.concerns)
            undone.append(entry.concerns)
        elif entry.kind == "redo":
            undone.remove(entry.concerns)
            done.append(entry.concerns)
        else:
            done.append(entry.id)
            undone.clear()
    return Steps(tuple(done), tuple(undone))


@dataclass(frozen=True, slots=True)
class Change[Key: Hashable]:
    """What happened to one row."""

    key: Key
    before: Row
    after: Row


def columns_of(change: Change) -> dict[str, object]:
    """The columns that the change of a row that stays gives another value, with that value."""
    return {name: value for name, value in change.after.items() if value != change.before[name]}


def fits(change: Change, now: Row) -> bool:
    """Whether the row is such that the change can be made: as it was before, where the change touches it."""
    if change.before is None or change.after is None or now is None:
        return now == change.before
    return all(now[name] == change.before[name] for name in columns_of(change))


def net[Key: Hashable](changes: Iterable[Change[Key]]) -> dict[Key, Change[Key]]:
    """What these changes, oldest first, come to for each row; rows that are as they were before are left out."""
    found: dict[Key, Change[Key]] = {}
    for change in changes:
        first = found.get(change.key, change)
        found[change.key] = Change(change.key, first.before, change.after)
    return {key: change for key, change in found.items() if change.before != change.after}


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
