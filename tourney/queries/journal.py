"""Journal entries as people read them: the facts before and after, with names instead of numbers."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from tourney.domain.verbs import SEED_TOLD
from tourney.models import (
    Event,
    FleetsRecorded,
    FleetsShown,
    JournalEntry,
    NamesShown,
    ReportedBy,
    Role,
    RollOff,
    SheetCheck,
    Store,
    Wish,
)
from tourney.queries.choices import WORDS as WAYS_OF_PAIRING
from tourney.queries.results import ENDING_NAMES
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, in_a_row, message, pmessage

PEOPLE = frozenset({"entrant", "entrants", "bye", "group"})
TIMES = frozenset({"starts_at", "ends_at", "finished_at", "shown_until"})
FACT = "a fact in the journal"
LABELS = {
    "accept_after": pmessage(FACT, "minutes until an unconfirmed report can be accepted"),
    "added": pmessage(FACT, "added"),
    "adjustment_a": pmessage(FACT, "ruling, first player"),
    "adjustment_b": pmessage(FACT, "ruling, second player"),
    "announcement": pmessage(FACT, "announcement"),
    "asks_for_word": pmessage(FACT, "join code"),
    "battle_points": pmessage(FACT, "Battle Points"),
    "beside": pmessage(FACT, "beside published ruling"),
    "bye": pmessage(FACT, "bye"),
    "changed": pmessage(FACT, "changed"),
    "choice": pmessage(FACT, "choice"),
    "condition": pmessage(FACT, "win condition"),
    "condition_side": pmessage(FACT, "win condition met by"),
    "curves": pmessage(FACT, "curves"),
    "destroyed_a": pmessage(FACT, "destroyed cards, first player"),
    "destroyed_b": pmessage(FACT, "destroyed cards, second player"),
    "dropped_from": pmessage(FACT, "not paired from round"),
    "ending": pmessage(FACT, "how it ended"),
    "ends_at": pmessage(FACT, "clock ends at"),
    "entrant": pmessage(FACT, "player"),
    "entrants": pmessage(FACT, "players"),
    "faction": pmessage(FACT, "faction"),
    "finished_at": pmessage(FACT, "finished at"),
    "fleet_points": pmessage(FACT, "Fleet Points"),
    "fleets_must_be_legal": pmessage(FACT, "only players with a legal fleet can be checked in"),
    "fleets_recorded": pmessage(FACT, "recorded and signed fleets"),
    "fleets_shown": pmessage(FACT, "who sees a player’s fleet"),
    "group": pmessage(FACT, "tied players"),
    "kept": pmessage(FACT, "name that stays"),
    "kind": pmessage(FACT, "kind"),
    "line": pmessage(FACT, "line of the fleet"),
    "lines": pmessage(FACT, "lines of the fleet"),
    "locale": pmessage(FACT, "country and language"),
    "mark": pmessage(FACT, "shown as"),
    "matches": pmessage(FACT, "matches"),
    "minutes": pmessage(FACT, "minutes per round"),
    "moved": pmessage(FACT, "matches"),
    "name": pmessage(FACT, "name"),
    "names_shown": pmessage(FACT, "names of players on public pages"),
    "note": pmessage(FACT, "note"),
    "on_paper": pmessage(FACT, "signed on paper"),
    "other": pmessage(FACT, "other name"),
    "other_tables": pmessage(FACT, "new table each round, where possible"),
    "out": pmessage(FACT, "out"),
    "pack": pmessage(FACT, "month pack"),
    "pack_version": pmessage(FACT, "version of the month pack"),
    "parts": pmessage(FACT, "in its parts"),
    "paused_left": pmessage(FACT, "seconds left while paused"),
    "players": pmessage(FACT, "numbers of the players in the store"),
    "plays_without": pmessage(FACT, "plays without a faction"),
    "prizes": pmessage(FACT, "prize list"),
    "ranks": pmessage(FACT, "ranks"),
    "reason": pmessage(FACT, "reason"),
    "registration_open": pmessage(FACT, "players may register by phone"),
    "reported_by": pmessage(FACT, "who reports results"),
    "retired": pmessage(FACT, "retired"),
    "role": pmessage(FACT, "role"),
    "room": pmessage(FACT, "tables in the room"),
    "round": pmessage(FACT, "round"),
    "rounds_planned": pmessage(FACT, "rounds"),
    "rule": pmessage(FACT, "rule"),
    "ruling": pmessage(FACT, "reason for the ruling"),
    "scores": pmessage(FACT, "scores"),
    "seed": pmessage(FACT, "seed"),
    "shown_until": pmessage(FACT, "shown until"),
    "sp_left_a": pmessage(FACT, "SP left, first player"),
    "sp_left_b": pmessage(FACT, "SP left, second player"),
    "sp_limit": pmessage(FACT, "SP limit"),
    "sp_ruling": pmessage(FACT, "reason for allowing the SP left"),
    "starts_at": pmessage(FACT, "start"),
    "state": pmessage(FACT, "state"),
    "step": pmessage(FACT, "journal entry"),
    "table": pmessage(FACT, "table"),
    "tables": pmessage(FACT, "tables"),
    "tallies_a": pmessage(FACT, "counts, first player"),
    "tallies_b": pmessage(FACT, "counts, second player"),
    "text": pmessage(FACT, "text"),
    "throws": pmessage(FACT, "rolls"),
    "time_zone": pmessage(FACT, "time zone"),
    "topic": pmessage(FACT, "topic"),
    "unchanged": pmessage(FACT, "unchanged"),
    "unlocked": pmessage(FACT, "reason for unlocking"),
    "wish": pmessage(FACT, "request"),
    "words": pmessage(FACT, "message"),
}
"""What the facts of actions are called; an archive from elsewhere may bring others."""
OF_TABLES = {
    "closed": pmessage(FACT, "closed"),
    "near the door": pmessage(FACT, "near the door"),
    "no name": pmessage(FACT, "no name"),
    "quiet": pmessage(FACT, "quiet"),
}
"""What is kept of a table in the room besides its name."""
SIDES = {"a": pmessage(FACT, "first player"), "b": pmessage(FACT, "second player")}
VALUES: Mapping[str, Mapping[Any, object]] = {
    "choice": WAYS_OF_PAIRING,
    "condition_side": SIDES,
    "ending": ENDING_NAMES,
    "fleets_recorded": dict(FleetsRecorded.choices),
    "fleets_shown": dict(FleetsShown.choices),
    "kind": dict(RollOff.Kind.choices),
    "names_shown": dict(NamesShown.choices),
    "out": SIDES,
    "reported_by": dict(ReportedBy.choices),
    "role": dict(Role.choices),
    "state": dict(SheetCheck.State.choices),
    "wish": dict(Wish.Kind.choices),
}
"""What the values of a fact are called, where there are only some."""
ROOM_TABLE = re.compile(r"table ([0-9]+)")
"""What the facts of players who changed tables are called."""


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
            _label(key),
            _words(key, before[key], names) if key in before else None,
            _words(key, after[key], names) if key in after else None,
        )
        for key in keys
    )


def _label(key: str) -> str:
    """The name of a fact; as it is written where an archive from elsewhere brings one."""
    if table := ROOM_TABLE.fullmatch(key):
        return str(message("table {table}", table=table[1]))
    return str(LABELS.get(key, key.replace("_", " ")))


def _words(key: str, value: Any, names: Mapping[int, str]) -> str:
    """The value in words; as it is where it has another shape, which only an archive from elsewhere can bring."""
    try:
        return _in_words(key, value, names)
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
        return str(value)


def _in_words(key: str, value: Any, names: Mapping[int, str]) -> str:
    if value is None or value in ("", [], {}):
        return str(pmessage(FACT, "none"))
    if isinstance(value, bool):
        return str(pmessage(FACT, "yes") if value else pmessage(FACT, "no"))
    if isinstance(value, str) and value in VALUES.get(key, ()):
        return str(VALUES[key][value])
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
    if key == "room":
        return "; ".join(f"{number}: {_table(kept)}" for number, kept in value.items())
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in value.items())
    return str(value).replace("_", " ")


def _table(kept: str) -> str:
    name, *marks = kept.split(", ")
    return ", ".join(str(OF_TABLES.get(part, part)) for part in (name, *marks))


def _match(numbers: list[int], names: Mapping[int, str]) -> str:
    player, *opponent = [_name(number, names) for number in numbers]
    if not opponent:
        return str(message("{player} has the bye", player=player))
    return str(message("{player} against {opponent}", player=player, opponent=opponent[0]))


def _throw(throw: Mapping[str, Mapping[int, int]], names: Mapping[int, str]) -> str:
    return ", ".join(f"{_name(number, names)} {count}" for number, count in throw["counts"].items())


def _person(person: Any, names: Mapping[int, str]) -> str:
    """An entrant's number, or [number, name, faction] as it was at the time."""
    if isinstance(person, list):
        _, name, faction = person
        return f"{name} ({faction})" if faction else name
    return _name(person, names)


def _name(number: Any, names: Mapping[int, str]) -> str:
    return names.get(int(number)) or str(message("player {number}", number=int(number)))
