"""Journal entries as people read them: the facts before and after, with names instead of numbers."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import BooleanField, F, Func, JSONField, Q, QuerySet, Value
from django.db.models.functions import Cast
from django.utils import timezone

from tourney.domain.verbs import SEED_TOLD, VERBS_OF, Kind, Verb
from tourney.models import (
    Entrant,
    Event,
    FleetsRecorded,
    FleetsShown,
    JournalEntry,
    Match,
    NamesShown,
    Player,
    ReportedBy,
    Role,
    RollOff,
    SheetCheck,
    Store,
    Wish,
)
from tourney.queries.choices import WORDS as WAYS_OF_PAIRING
from tourney.queries.judge_calls import ABOUT
from tourney.queries.results import ENDING_NAMES
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, in_a_row, message, minus, pmessage

PEOPLE = frozenset({"entrant", "entrants", "bye", "group"})
TIMES = frozenset({"starts_at", "canceled_at", "sign_up_closes_at", "ends_at", "finished_at", "shown_until"})
LABELS = {
    "accept_after": pmessage(
        "a fact in the journal", "minutes until “Save all results” includes an unconfirmed report"
    ),
    "added": pmessage("a fact in the journal", "added"),
    "address": pmessage("a fact in the journal", "address"),
    "adjustment_a": pmessage("a fact in the journal", "ruling, first player"),
    "adjustment_b": pmessage("a fact in the journal", "ruling, second player"),
    "announcement": pmessage("a fact in the journal", "announcement"),
    "asks_for_word": pmessage("a fact in the journal", "join code"),
    "battle_points": pmessage("a fact in the journal", "Battle Points"),
    "break_minutes": pmessage("a fact in the journal", "minutes of a break"),
    "beside": pmessage("a fact in the journal", "beside published ruling"),
    "bring": pmessage("a fact in the journal", "what to bring"),
    "bye": pmessage("a fact in the journal", "bye"),
    "call": pmessage("a fact in the journal", "call for a judge"),
    "canceled_at": pmessage("a fact in the journal", "canceled at"),
    "changed": pmessage("a fact in the journal", "changed"),
    "checks_in_by_phone": pmessage("a fact in the journal", "players check in by phone"),
    "choice": pmessage("a fact in the journal", "choice"),
    "condition": pmessage("a fact in the journal", "win condition"),
    "condition_side": pmessage("a fact in the journal", "win condition met by"),
    "curves": pmessage("a fact in the journal", "curves"),
    "description": pmessage("a fact in the journal", "description"),
    "destroyed_a": pmessage("a fact in the journal", "destroyed cards, first player"),
    "destroyed_b": pmessage("a fact in the journal", "destroyed cards, second player"),
    "dice": pmessage("a fact in the journal", "dice"),
    "dropped_from": pmessage("a fact in the journal", "not paired from round"),
    "ending": pmessage("a fact in the journal", "how it ended"),
    "ends": pmessage("a fact in the journal", "end"),
    "ends_at": pmessage("a fact in the journal", "clock ends at"),
    "entrant": pmessage("a fact in the journal", "player"),
    "entrants": pmessage("a fact in the journal", "players"),
    "entry_fee": pmessage("a fact in the journal", "entry fee"),
    "faction": pmessage("a fact in the journal", "faction"),
    "finished_at": pmessage("a fact in the journal", "finished at"),
    "fleet_points": pmessage("a fact in the journal", "Fleet Points"),
    "fleets_must_be_legal": pmessage("a fact in the journal", "only players with a legal fleet can be checked in"),
    "fleets_recorded": pmessage("a fact in the journal", "recorded and signed fleets"),
    "fleets_shown": pmessage("a fact in the journal", "who sees a player’s fleet"),
    "format": pmessage("a fact in the journal", "format"),
    "group": pmessage("a fact in the journal", "tied players"),
    "host": pmessage("a fact in the journal", "server"),
    "is_on": pmessage("a fact in the journal", "turned on"),
    "kept": pmessage("a fact in the journal", "name that stays"),
    "kind": pmessage("a fact in the journal", "kind"),
    "kinds": pmessage("a fact in the journal", "news that is sent"),
    "line": pmessage("a fact in the journal", "line of the fleet"),
    "lines": pmessage("a fact in the journal", "lines of the fleet"),
    "locale": pmessage("a fact in the journal", "country and language"),
    "mark": pmessage("a fact in the journal", "shown as"),
    "matches": pmessage("a fact in the journal", "matches"),
    "minutes": pmessage("a fact in the journal", "minutes per round"),
    "moved": pmessage("a fact in the journal", "matches"),
    "name": pmessage("a fact in the journal", "name"),
    "names_shown": pmessage("a fact in the journal", "names of players on public pages"),
    "note": pmessage("a fact in the journal", "note"),
    "on_paper": pmessage("a fact in the journal", "signed on paper"),
    "other": pmessage("a fact in the journal", "other name"),
    "other_tables": pmessage("a fact in the journal", "new table each round, where possible"),
    "out": pmessage("a fact in the journal", "out"),
    "pack": pmessage("a fact in the journal", "month pack"),
    "pack_version": pmessage("a fact in the journal", "version of the month pack"),
    "paid": pmessage("a fact in the journal", "paid"),
    "parts": pmessage("a fact in the journal", "in its parts"),
    "paused_left": pmessage("a fact in the journal", "seconds left while paused"),
    "places": pmessage("a fact in the journal", "places"),
    "players": pmessage("a fact in the journal", "numbers of the players in the store"),
    "plays_without": pmessage("a fact in the journal", "plays without a faction"),
    "prizes": pmessage("a fact in the journal", "prize list"),
    "ranks": pmessage("a fact in the journal", "ranks"),
    "reason": pmessage("a fact in the journal", "reason"),
    "registration_open": pmessage("a fact in the journal", "players may register by phone"),
    "reported_by": pmessage("a fact in the journal", "who reports results"),
    "retired": pmessage("a fact in the journal", "retired"),
    "role": pmessage("a fact in the journal", "role"),
    "room": pmessage("a fact in the journal", "tables in the room"),
    "round": pmessage("a fact in the journal", "round"),
    "rounds_planned": pmessage("a fact in the journal", "rounds"),
    "rule": pmessage("a fact in the journal", "rule"),
    "ruling": pmessage("a fact in the journal", "reason for the ruling"),
    "scores": pmessage("a fact in the journal", "scores"),
    "seed": pmessage("a fact in the journal", "seed"),
    "shop_link": pmessage("a fact in the journal", "shop link"),
    "shown_until": pmessage("a fact in the journal", "shown until"),
    "sign_up_closes_at": pmessage("a fact in the journal", "sign-up closes"),
    "sp_left_a": pmessage("a fact in the journal", "SP left, first player"),
    "sp_left_b": pmessage("a fact in the journal", "SP left, second player"),
    "sp_limit": pmessage("a fact in the journal", "SP limit"),
    "sp_ruling": pmessage("a fact in the journal", "reason for allowing the SP left"),
    "starts_at": pmessage("a fact in the journal", "start"),
    "state": pmessage("a fact in the journal", "state"),
    "step": pmessage("a fact in the journal", "journal entry"),
    "table": pmessage("a fact in the journal", "table"),
    "tables": pmessage("a fact in the journal", "tables"),
    "tallies_a": pmessage("a fact in the journal", "counts, first player"),
    "tallies_b": pmessage("a fact in the journal", "counts, second player"),
    "text": pmessage("a fact in the journal", "text"),
    "throws": pmessage("a fact in the journal", "rolls"),
    "time_zone": pmessage("a fact in the journal", "time zone"),
    "topic": pmessage("a fact in the journal", "topic"),
    "unchanged": pmessage("a fact in the journal", "unchanged"),
    "unlocked": pmessage("a fact in the journal", "reason for unlocking"),
    "wish": pmessage("a fact in the journal", "request"),
    "words": pmessage("a fact in the journal", "message"),
}
"""What the facts of actions are called; an archive from elsewhere may bring others."""
OF_TABLES = {
    "closed": pmessage("a fact in the journal", "closed"),
    "near the door": pmessage("a fact in the journal", "near the door"),
    "no name": pmessage("a fact in the journal", "no name"),
    "quiet": pmessage("a fact in the journal", "quiet"),
}
"""What is kept of a table in the room besides its name."""
SIDES = {
    "a": pmessage("a fact in the journal", "first player"),
    "b": pmessage("a fact in the journal", "second player"),
}
VALUES: Mapping[str, Mapping[Any, object]] = {
    "choice": WAYS_OF_PAIRING,
    "condition_side": SIDES,
    "ending": ENDING_NAMES,
    "fleets_recorded": dict(FleetsRecorded.choices),
    "fleets_shown": dict(FleetsShown.choices),
    "kind": dict(RollOff.Kind.choices),
    "kinds": {
        "tables_published": message("Tables published"),
        "round_closed": message("Round closed"),
        "ranks_final": message("Final ranks"),
        "next_date": message("Next date"),
        "announcement": message("Announcement"),
    },
    "names_shown": {
        NamesShown.FULL: pmessage("a fact in the journal", "in full"),
        NamesShown.INITIAL: pmessage("a fact in the journal", "first name and initial"),
    },
    "out": SIDES,
    "reported_by": dict(ReportedBy.choices),
    "role": dict(Role.choices),
    "state": dict(SheetCheck.State.choices),
    "call": dict(ABOUT),
    "wish": {
        Wish.Kind.CONCEDE: pmessage("a fact in the journal", "concede"),
        Wish.Kind.DROP: pmessage("a fact in the journal", "drop"),
    },
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


def entries_of(
    event: Event, *, round: int | None = None, kind: Kind | None = None, entrant: Entrant | None = None
) -> QuerySet[JournalEntry]:
    """What was done at the event, the last first: in that round of it, of that kind, and what names that player."""
    entries = JournalEntry.objects.filter(event=event).order_by("-pk")
    if round:
        entries = entries.filter(Q(after__round=round) | Q(before__round=round))
    if kind:
        entries = entries.filter(did__in=VERBS_OF[kind])
    return entries.filter(_names(entrant)) if entrant else entries


def _names(entrant: Entrant) -> Q:
    """Who did it, who is in the sentence or among the facts, or at whose table it was where no name is said."""
    names = _names_of(entrant.player)
    tables = Match.objects.filter(seats__entrant=entrant, table__isnull=False).values_list("round__number", "table")
    cleared = (Q(before__round=round, before__table=table) for round, table in tables)
    return (
        _says(names)
        | Q(_any_of("before", PERSON, [entrant.number]))
        | Q(_any_of("after", PERSON, [entrant.number]))
        | Q(did=Verb.TAKE_BACK_RESULT) & reduce(or_, cleared, Q(pk=None))
    )


def _names_of(player: Player) -> list[str]:
    return [player.name, *player.older_names.values_list("name", flat=True)]


def _says(names: Sequence[str]) -> Q:
    """Who is called so did it, or is in the sentence."""
    return Q(by=None, by_name__in=names) | Q(_any_of("said", "$.** ? (@ == $sought[*])", names))


def _any_of(column: str, path: str, sought: Sequence[str | int]) -> Func:
    """Whether one of the values stands where the path of the JSON leads."""
    values = Cast(Value(json.dumps({"sought": [*sought]})), JSONField())
    silent = Value(True)
    where = Func(Value(path), template="%(expressions)s::jsonpath")
    return Func(F(column), where, values, silent, function="jsonb_path_exists", output_field=BooleanField())


PERSON = (
    '$.keyvalue() ? (@.key == "entrant" || @.key == "entrants" || @.key == "bye" || @.key == "group")'
    ".value.** ? (@ == $sought[*])"
)
"""Where the facts of an entry have the numbers of players."""


MOST_EXPORTED = 20_000
"""Entries in a file, the newest; a night of a thousand players has fewer."""


@dataclass(frozen=True, slots=True)
class ExportedEntry:
    """An entry for programs: its time in ISO 8601, at the store, the key of its verb, its sentence for readers."""

    at: str
    by: str
    did: str
    sentence: str
    reason: str
    before: Any
    after: Any


def exported(entries: QuerySet[JournalEntry], most: int = MOST_EXPORTED) -> Iterator[ExportedEntry]:
    """The first of the entries as they are written into files."""
    for entry in entries[:most].iterator(chunk_size=1000):
        yield ExportedEntry(
            timezone.localtime(entry.at).isoformat(timespec="seconds"),
            entry.by_whom,
            entry.did,
            entry.sentence,
            entry.reason,
            entry.before,
            entry.after,
        )


def entries_of_store(store: Store, *, kind: Kind | None = None, player: Player | None = None) -> QuerySet[JournalEntry]:
    """What was done at the store itself, the last first: of that kind, and what names that player."""
    entries = store.journal.filter(event=None).order_by("-pk")
    if kind:
        entries = entries.filter(did__in=VERBS_OF[kind])
    return entries.filter(_says(_names_of(player))) if player else entries


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
        return str(pmessage("a fact in the journal", "none"))
    if isinstance(value, bool):
        return str(pmessage("a fact in the journal", "yes") if value else pmessage("a fact in the journal", "no"))
    if isinstance(value, str) and value in VALUES.get(key, ()):
        return str(VALUES[key][value])
    if key == "kinds":
        return ", ".join(str(VALUES[key].get(kind, kind)) for kind in value)
    if key in TIMES:
        return written(datetime.fromisoformat(value), "day, seconds")
    if key in PEOPLE:
        people = value if isinstance(value, list) else [value]
        return ", ".join(_person(person, names) for person in people)
    if key in ("matches", "moved", "tables"):
        return "; ".join(_match(match, names) for match in value)
    if key == "scores":
        return "; ".join(f"{_name(number, names)} {minus(battle)}, {minus(fleet)}" for number, battle, fleet in value)
    if key == "ranks":
        return "; ".join(f"{rank} {_name(number, names)}" for rank, number in value)
    if key in ("lines", "parts"):
        return "; ".join(str(Message.from_data(one) if isinstance(one, dict) else one) for one in value)
    if key == "throws":
        return "; ".join(_roll(roll, names) for roll in value)
    if key == "room":
        return "; ".join(f"{number}: {_table(kept)}" for number, kept in value.items())
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {minus(count)}" for name, count in value.items())
    return str(minus(value)).replace("_", " ")


def _table(kept: str) -> str:
    name, *marks = kept.split(", ")
    return ", ".join(str(OF_TABLES.get(part, part)) for part in (name, *marks))


def _match(numbers: list[int], names: Mapping[int, str]) -> str:
    player, *opponent = [_name(number, names) for number in numbers]
    if not opponent:
        return str(message("{player} has the bye", player=player))
    return str(message("{player} against {opponent}", player=player, opponent=opponent[0]))


def _roll(roll: Mapping[str, Mapping[int, int]], names: Mapping[int, str]) -> str:
    return ", ".join(f"{_name(number, names)} {count}" for number, count in roll["counts"].items())


def _person(person: Any, names: Mapping[int, str]) -> str:
    """An entrant's number, or [number, name, faction] as it was at the time."""
    if isinstance(person, list):
        _, name, faction = person
        return f"{name} ({faction})" if faction else name
    return _name(person, names)


def _name(number: Any, names: Mapping[int, str]) -> str:
    return names.get(int(number)) or str(message("player {number}", number=int(number)))
