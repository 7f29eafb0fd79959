"""Journal entries as people read them: the facts before and after, with names instead of numbers."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from tourney.domain.verbs import SEED_TOLD
from tourney.models import Event, JournalEntry, Store
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, in_a_row

PEOPLE = frozenset({"entrant", "entrants", "bye", "group"})
TIMES = frozenset({"starts_at", "ends_at", "finished_at", "shown_until"})
WORDS = {
    "entrants": "players",
    "entrant": "player",
    "paused_left": "seconds left while paused",
    "ends_at": "clock ends at",
    "sp_limit": "SP limit",
    "sp_left_a": "SP left, first player",
    "sp_left_b": "SP left, second player",
    "tallies_a": "counts, first player",
    "tallies_b": "counts, second player",
    "adjustment_a": "ruling, first player",
    "adjustment_b": "ruling, second player",
    "destroyed_a": "destroyed lines, first player",
    "destroyed_b": "destroyed lines, second player",
    "sp_ruling": "reason why SP left stand",
    "unlocked": "unlocked because",
    "fleets_shown": "who sees a fleet",
    "fleets_must_be_legal": "only legal fleets are checked in",
    "fleets_recorded": "recorded and signed fleets",
    "condition_side": "win condition met by",
    "condition": "win condition",
    "dropped_from": "not paired from round",
    "rounds_planned": "rounds",
    "prizes": "prize list",
    "accept_after": "minutes until one player's word can be accepted",
    "names_shown": "names for everybody to read",
    "pack_version": "version of the month pack",
    "plays_without": "plays without a faction",
    "pack": "month pack",
    "parts": "in its parts",
}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One fact: its name, and its value before and after; None where it was not recorded."""

    label: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An entry with its facts; what did not change is left out."""

    entry: JournalEntry
    changes: tuple[FieldChange, ...]


MOST = 8


def done_since(event: Event, version: int) -> list[JournalEntry]:
    """The last things done at the event after it had that version, the last first."""
    return list(JournalEntry.objects.filter(event=event, version__gt=version).order_by("-pk")[:MOST])


def entries_of(event: Event, round: int | None = None) -> QuerySet[JournalEntry]:
    """What was done at the event, or in that round of it, the last first."""
    entries = JournalEntry.objects.filter(event=event).order_by("-pk")
    return entries.filter(Q(after__round=round) | Q(before__round=round)) if round else entries


def entries_of_store(store: Store) -> QuerySet[JournalEntry]:
    """What was done at the store itself, the last first."""
    return store.journal.filter(event=None).order_by("-pk")


def said_of(step: int) -> str:
    """The sentence of an entry that is there, plainly."""
    return plainly(JournalEntry.objects.get(pk=step))


def plainly(entry: JournalEntry) -> str:
    """The sentence of an entry without the seed of its dice or pairings, which the journal shows (rule 3.1)."""
    said = entry.message
    return str(_without_seed(said)) if isinstance(said, Message) else SEED.sub("", said)


SEED = re.compile(r" \(seed \w+\)")
"""In entries from before messages were kept."""


def _without_seed(said: Message) -> Message:
    """Of sentences in a row, also within another one, all but those that tell a seed."""
    params = {
        name: _without_seed(value) if isinstance(value, Message) else value for name, value in said.params.items()
    }
    told = [value for value in params.values() if not (isinstance(value, Message) and value.id == SEED_TOLD)]
    return in_a_row(told) if len(told) < len(params) else replace(said, params=params)


def lines(entries: Iterable[JournalEntry], names: Mapping[int, str]) -> list[JournalLine]:
    """The entries in their order; `names` are those of the event's entrants by number."""
    return [JournalLine(entry, changes(entry.before, entry.after, names)) for entry in entries]


def changes(
    before: dict[str, object] | None, after: dict[str, object] | None, names: Mapping[int, str]
) -> tuple[FieldChange, ...]:
    """The facts that differ; or all there are, when only one side was recorded."""
    before, after = (facts if isinstance(facts, dict) else {} for facts in (before, after))
    keys = list(dict.fromkeys((*before, *after)))
    if before and after:
        keys = [key for key in keys if key not in before or key not in after or before[key] != after[key]]
    return tuple(
        FieldChange(
            WORDS.get(key, key.replace("_", " ")),
            _words(key, before[key], names) if key in before else None,
            _words(key, after[key], names) if key in after else None,
        )
        for key in keys
    )


def _words(key: str, value: Any, names: Mapping[int, str]) -> str:
    """The value in words; as it is where it has another shape, which only an archive from elsewhere can bring."""
    try:
        return _in_words(key, value, names)
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
        return str(value)


def _in_words(key: str, value: Any, names: Mapping[int, str]) -> str:
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key in TIMES:
        return written(datetime.fromisoformat(value), "day, seconds")
    if key in PEOPLE:
        people = value if isinstance(value, list) else [value]
        return ", ".join(_person(person, names) for person in people)
    if key in ("matches", "moved", "tables"):
        return "; ".join(_match(match, names) for match in value)
    if key == "scores":
        return "; ".join(f"{_name(number, names)} {battle}, {fleet}" for number, battle, fleet in value)
    if key == "ranks":
        return "; ".join(f"{rank} {_name(number, names)}" for rank, number in value)
    if key in ("lines", "parts"):
        return "; ".join(str(Message.from_data(one) if isinstance(one, dict) else one) for one in value)
    if key == "throws":
        return "; ".join(_throw(throw, names) for throw in value)
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in value.items())
    return str(value).replace("_", " ")


def _match(numbers: list[int], names: Mapping[int, str]) -> str:
    people = [_name(number, names) for number in numbers]
    return f"{people[0]} has the bye" if len(people) == 1 else " against ".join(people)


def _throw(throw: Mapping[str, Mapping[int, int]], names: Mapping[int, str]) -> str:
    return ", ".join(f"{_name(number, names)} {count}" for number, count in throw["counts"].items())


def _person(person: Any, names: Mapping[int, str]) -> str:
    """An entrant's number, or [number, name, faction] as it was at the time."""
    if isinstance(person, list):
        _, name, faction = person
        return f"{name} ({faction})" if faction else name
    return _name(person, names)


def _name(number: Any, names: Mapping[int, str]) -> str:
    return names.get(int(number), f"player {number}")
