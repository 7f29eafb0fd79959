"""The rows of events, loaded in a constant number of queries; of an event that is known already, what is another."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Exists, OuterRef

from tourney.models import Entrant, Event, Fleet, Match, Penalty, RollOff, Round, Seat, Throw
from tourney.queries.shown_names import put_public_names, put_public_words_of_matches


@dataclass(frozen=True, slots=True)
class Marks:
    """What tells whether rows of an event are still the same: one mark for the entrants, one for each round by its id.

    The database makes them of all that is loaded, so that nothing can change and keep its mark. `version` is the
    event's at the same moment.
    """

    version: int
    entrants: str
    rounds: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Known:
    """What was loaded of the event before, with its marks and the names it was shown with."""

    entrants: list[Entrant]
    marks: Marks
    names: Mapping[int, str]


@dataclass(slots=True)
class Rows:
    """What is stored of one event.

    By its id: the throws of a roll-off; the penalties of a round; the entrants of a match and what each lost, side a
    first. Of `same_rounds` (ids), which are as they were when they were loaded before, only the rounds themselves are
    here.
    """

    entrants: list[Entrant] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    roll_offs: list[RollOff] = field(default_factory=list)
    throws: defaultdict[int, list[Throw]] = field(default_factory=lambda: defaultdict(list))
    penalties: defaultdict[int, list[Penalty]] = field(default_factory=lambda: defaultdict(list))
    matches: list[Match] = field(default_factory=list)
    seats: defaultdict[int, list[tuple[int, list[int]]]] = field(default_factory=lambda: defaultdict(list))
    same_rounds: Collection[int] = ()


def rows_of(events: Sequence[Event], names: Mapping[int, str]) -> dict[int, Rows]:
    """By the id of their event, all of one store. `names` stand in for the players’ own, by the player’s id."""
    rows = {event.pk: Rows() for event in events}
    for entrant in _entrants(events):
        rows[entrant.event_id].entrants.append(entrant)
    _load_rounds(rows)
    found = rows.values()
    if names:
        entrants, matches = ([row for one in found for row in getattr(one, name)] for name in ("entrants", "matches"))
        penalties = [row for one in found for given in one.penalties.values() for row in given]
        put_public_names(events[0].store, names, entrants, matches, penalties)
    return rows


def shared_rows_of(event: Event, marks: Marks, names: Mapping[int, str], known: Known | None) -> Rows:
    """The event's rows with these marks, without what is known already."""
    if known is None or (known.marks.entrants, known.names) != (marks.entrants, names):
        return rows_of([event], names)[event.pk]
    same = frozenset(pk for pk, mark in marks.rounds.items() if known.marks.rounds.get(pk) == mark)
    rows = Rows(entrants=known.entrants, same_rounds=same)
    _load_rounds({event.pk: rows}, without=same)
    if names:
        penalties = [row for given in rows.penalties.values() for row in given]
        put_public_words_of_matches(event.store, rows.matches, penalties)
    return rows


def _entrants(events: Sequence[Event]) -> Sequence[Entrant]:
    has_fleet = Exists(Fleet.objects.filter(entrant=OuterRef("pk")))
    return Entrant.objects.filter(event__in=events).select_related("player").annotate(has_fleet=has_fleet)


def _load_rounds(rows: dict[int, Rows], without: Collection[int] = ()) -> None:
    rounds = {round.pk: round for round in Round.objects.filter(event__in=rows)}
    for round in rounds.values():
        rows[round.event_id].rounds.append(round)
    wanted = [pk for pk in rounds if pk not in without]
    roll_offs = {row.pk: row for row in RollOff.objects.filter(round__in=wanted).order_by("pk")}
    for row in roll_offs.values():
        row.round = rounds[row.round_id]
        rows[row.round.event_id].roll_offs.append(row)
    for throw in Throw.objects.filter(roll_off__in=roll_offs).order_by("number") if roll_offs else ():
        rows[roll_offs[throw.roll_off_id].round.event_id].throws[throw.roll_off_id].append(throw)
    for row in Penalty.objects.filter(round__in=wanted).order_by("pk"):
        rows[rounds[row.round_id].event_id].penalties[row.round_id].append(row)
    for row in Match.objects.filter(round__in=wanted).select_related("result"):
        row.round = rounds[row.round_id]
        rows[row.round.event_id].matches.append(row)
    for round, *seat in Seat.objects.filter(round__in=wanted).values_list("round", "match", "entrant", "destroyed"):
        match, entrant, destroyed = seat
        rows[rounds[round].event_id].seats[match].append((entrant, destroyed))


MARKS = """
    SELECT NULL, version::text FROM tourney_event WHERE id = %(event)s
    UNION ALL SELECT 0, md5(string_agg(row(e, p, f.id)::text, '' ORDER BY e.number))
    FROM tourney_entrant e JOIN tourney_player p ON p.id = e.player_id LEFT JOIN tourney_fleet f ON f.entrant_id = e.id
    WHERE e.event_id = %(event)s
    UNION ALL SELECT r.id, md5(concat(r,
        (SELECT string_agg(row(m, t)::text, '' ORDER BY m.id)
            FROM tourney_match m LEFT JOIN tourney_result t ON t.match_id = m.id WHERE m.round_id = r.id),
        (SELECT string_agg(row(match_id, side, entrant_id, destroyed)::text, '' ORDER BY match_id, side)
            FROM tourney_seat WHERE round_id = r.id),
        (SELECT string_agg(row(n)::text, '' ORDER BY n.id) FROM tourney_penalty n WHERE n.round_id = r.id),
        (SELECT string_agg(row(o)::text, '' ORDER BY o.id) FROM tourney_rolloff o WHERE o.round_id = r.id),
        (SELECT string_agg(row(w)::text, '' ORDER BY w.roll_off_id, w.number)
            FROM tourney_throw w JOIN tourney_rolloff o ON o.id = w.roll_off_id WHERE o.round_id = r.id)))
    FROM tourney_round r WHERE r.event_id = %(event)s
"""


def marks_of(event: Event) -> Marks:
    """As the event's rows are now."""
    with connection.cursor() as cursor:
        cursor.execute(MARKS, {"event": event.pk})
        found = dict(cursor.fetchall())
    return Marks(int(found.pop(None)), found.pop(0) or "", found)
