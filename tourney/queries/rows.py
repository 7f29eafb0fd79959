"""The rows of events, loaded in one query; of an event that is known already, what is another."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection

from tourney.models import Entrant, Event, Match, Penalty, Player, Result, Roll, RollOff, Round, Store
from tourney.queries.shown_names import put_public_names
from tourney.runtime.packed import Packed, digest, packed, unpacked, version_of

ROUND_OF_MATCH, RESULT_OF_MATCH = Match._meta.get_field("round"), Match._meta.get_field("result")
MATCH_OF_RESULT = Result._meta.get_field("match")
ROUND_OF_ROLL_OFF, PLAYER_OF_ENTRANT = RollOff._meta.get_field("round"), Entrant._meta.get_field("player")
"""Where Django keeps a row that belongs to another: what is loaded together is put there as it is."""


@dataclass(frozen=True, slots=True)
class RowDigests:
    """What tells whether rows of an event are the same: a digest for the entrants, and one for each round by its id.

    The database makes them of the stored version of every row that is loaded, so that nothing can change and keep its
    digest.
    """

    entrants: str
    rounds: dict[int, str]


@dataclass(frozen=True, slots=True)
class CachedRows:
    """What was loaded of the event before, with its digests and the names it was shown with."""

    entrants: list[Entrant]
    digests: RowDigests
    names: Mapping[int, str]


@dataclass(slots=True)
class EventRows:
    """What is stored of one event, with the version and the digests it has at that moment.

    By its id: the rolls of a roll-off; the penalties of a round; the entrants of a match and what each lost, side a
    first; and, where a match was asked for alone, of each side whether a fleet is recorded, and what is said of the
    opponent's (rule 7.2), empty for nothing. `has_fleets` is then whether anybody's is recorded at the event. Of
    `same_rounds` (ids), which are as they were when they were loaded before, nothing is here.
    """

    version: int = 0
    digests: RowDigests = field(default_factory=lambda: RowDigests("", {}))
    entrants: list[Entrant] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    roll_offs: list[RollOff] = field(default_factory=list)
    rolls: defaultdict[int, list[Roll]] = field(default_factory=lambda: defaultdict(list))
    penalties: defaultdict[int, list[Penalty]] = field(default_factory=lambda: defaultdict(list))
    matches: list[Match] = field(default_factory=list)
    seats: defaultdict[int, list[tuple[int, list[int]]]] = field(default_factory=lambda: defaultdict(list))
    sheets: dict[int, tuple[tuple[bool, str], ...]] = field(default_factory=dict)
    has_fleets: bool = False
    same_rounds: list[int] = field(default_factory=list)


def rows_of(events: Sequence[Event], names: Mapping[int, str], *, with_digests: bool = False) -> dict[int, EventRows]:
    """The rows of these events, all of one store, by the event's id. `names` stand in for the players’ own, by id.

    `with_digests` is for who asks `rows_since` later.
    """
    rows = _load([event.pk for event in events], QUERY if with_digests else QUERY_ONCE)
    if names:
        _put_names(events[0].store, rows, names)
    return rows


def rows_with_last_round(event: Event) -> EventRows:
    """The event’s rows without the rounds before its last one."""
    return _load([event.pk], QUERY_LAST)[event.pk]


def rows_since(event: Event, names: Mapping[int, str], known: CachedRows) -> EventRows:
    """The event's rows without what is known already."""
    if known.names != names:
        return rows_of([event], names, with_digests=True)[event.pk]
    rows = _load([event.pk], QUERY, known)[event.pk]
    newcomers = () if rows.entrants is known.entrants else rows.entrants
    put_public_names(event.store, names, newcomers, rows.matches, _penalties([rows]))
    return rows


def _put_names(store: Store, rows: Mapping[int, EventRows], names: Mapping[int, str]) -> None:
    found = rows.values()
    entrants, matches = ([row for one in found for row in getattr(one, name)] for name in ("entrants", "matches"))
    put_public_names(store, names, entrants, matches, _penalties(found))


def _penalties(rows: Iterable[EventRows]) -> list[Penalty]:
    return [penalty for one in rows for given in one.penalties.values() for penalty in given]


_OF_ENTRANTS = """
    FROM tourney_entrant e JOIN tourney_player p ON p.id = e.player_id LEFT JOIN tourney_fleet f ON f.entrant_id = e.id
    WHERE e.event_id = event.id
"""
_OF_MATCHES = "FROM tourney_match m LEFT JOIN tourney_result t ON t.match_id = m.id WHERE m.round_id = r.id"
_OF_SEATS = "FROM tourney_seat s WHERE s.round_id = r.id"
_OF_PENALTIES = "FROM tourney_penalty n WHERE n.round_id = r.id"
_OF_ROLL_OFFS = "FROM tourney_rolloff o WHERE o.round_id = r.id"
_OF_ROLLS = "FROM tourney_throw w JOIN tourney_rolloff o ON o.id = w.roll_off_id WHERE o.round_id = r.id"

_DIGEST_OF_ENTRANTS = (
    f"(SELECT row('entrants', {digest(version_of('e'), version_of('p'), 'f.id')})::text {_OF_ENTRANTS})"
)
_DIGEST_OF_ROUND = f"""
    row(r.id, {version_of("r")}, (SELECT {digest(version_of("m"), version_of("t"))} {_OF_MATCHES}),
        (SELECT {digest(version_of("s"))} {_OF_SEATS}), (SELECT {digest(version_of("n"))} {_OF_PENALTIES}),
        (SELECT {digest(version_of("o"))} {_OF_ROLL_OFFS}), (SELECT {digest(version_of("w"))} {_OF_ROLLS}))::text
"""


def _query(of_entrants: str = "''", of_round: str = "''", rounds: str = "true") -> str:
    """The SQL that packs events with these of their `rounds` (SQL), and with these digests (SQL).

    What has a digest of the parameter `known` comes without contents.
    """
    return f"""
    WITH event AS MATERIALIZED (
        SELECT event.id, event.version, {of_entrants} AS digest
        FROM tourney_event event WHERE event.id = ANY (%(events)s)
    )
    SELECT event.id, 0, event.version, event.digest, CASE WHEN event.digest <> ALL (%(known)s) THEN (
        SELECT json_agg(json_build_array({packed(Entrant, "e")}, {packed(Player, "p")}, f.id IS NOT NULL)
            ORDER BY e.number) {_OF_ENTRANTS}
    ) END
    FROM event
    UNION ALL
    SELECT event.id, r.number, r.id, marked.digest,
        CASE WHEN event.digest <> ALL (%(known)s) OR marked.digest <> ALL (%(known)s) THEN json_build_array(
            {packed(Round, "r")},
            (SELECT json_agg(json_build_array({packed(Match, "m")}, {packed(Result, "t")})) {_OF_MATCHES}),
            (SELECT json_agg(json_build_array(s.match_id, s.entrant_id, s.destroyed) ORDER BY s.side) {_OF_SEATS}),
            (SELECT json_agg({packed(Penalty, "n")} ORDER BY n.id) {_OF_PENALTIES}),
            (SELECT json_agg({packed(RollOff, "o")} ORDER BY o.id) {_OF_ROLL_OFFS}),
            (SELECT json_agg({packed(Roll, "w")} ORDER BY w.number) {_OF_ROLLS})
        ) END
    FROM event JOIN tourney_round r ON r.event_id = event.id AND {rounds}
    CROSS JOIN LATERAL (SELECT {of_round} AS digest OFFSET 0) AS marked
    ORDER BY 2
"""


QUERY = _query(_DIGEST_OF_ENTRANTS, _DIGEST_OF_ROUND)
QUERY_ONCE = _query()
"""Without digests, which take a third of the database's time: no row is known, and none will be."""
QUERY_LAST = _query(rounds="r.number = (SELECT max(l.number) FROM tourney_round l WHERE l.event_id = event.id)")


_IS_RECORDED = "f.data->'ships' IS DISTINCT FROM '[]'"
"""Whether a fleet has a ship, or cannot be read (any more): as `Fleet.objects.recorded()`."""

MATCH = f"""
    WITH here AS MATERIALIZED (
        SELECT m.id, m.round_id FROM tourney_round r JOIN tourney_match m ON m.round_id = r.id
        WHERE r.event_id = %(event)s AND r.number = %(round)s AND (m.table = %(table)s OR m.id = (
            SELECT s.match_id FROM tourney_entrant e JOIN tourney_seat s ON s.entrant_id = e.id AND s.round_id = r.id
            WHERE e.event_id = %(event)s AND e.number = %(entrant)s
        ))
    )
    SELECT
        (SELECT json_agg({packed(Round, "r")} ORDER BY r.number) FROM tourney_round r WHERE r.event_id = %(event)s),
        (SELECT json_build_array({packed(Match, "m")}, {packed(Result, "t")})
            FROM here JOIN tourney_match m USING (id) LEFT JOIN tourney_result t ON t.match_id = m.id),
        (SELECT json_agg(json_build_array(s.destroyed, {packed(Entrant, "e")}, {packed(Player, "p")}, f.id IS NOT NULL)
            ORDER BY s.side)
            FROM here JOIN tourney_seat s ON s.match_id = here.id JOIN tourney_entrant e ON e.id = s.entrant_id
            JOIN tourney_player p ON p.id = e.player_id LEFT JOIN tourney_fleet f ON f.entrant_id = e.id),
        (SELECT json_agg(json_build_array(f.id IS NOT NULL AND {_IS_RECORDED}, coalesce(c.state, '')) ORDER BY s.side)
            FROM here JOIN tourney_seat s ON s.match_id = here.id
            LEFT JOIN tourney_fleet f ON f.entrant_id = s.entrant_id
            LEFT JOIN tourney_sheetcheck c ON c.seat_id = s.id),
        EXISTS (SELECT FROM tourney_fleet f JOIN tourney_entrant e ON e.id = f.entrant_id
            WHERE e.event_id = %(event)s AND {_IS_RECORDED}),
        (SELECT json_agg(json_build_array({packed(RollOff, "o")},
            (SELECT json_agg({packed(Roll, "w")} ORDER BY w.number) FROM tourney_throw w WHERE w.roll_off_id = o.id)))
            FROM here JOIN tourney_rolloff o ON o.round_id = here.round_id
            WHERE o.kind = 'table' AND o."group" = (
                SELECT array_agg(e.number ORDER BY e.number)
                FROM tourney_seat s JOIN tourney_entrant e ON e.id = s.entrant_id WHERE s.match_id = here.id))
"""


def rows_of_match(event: Event, number: int, *, table: int | None = None, entrant: int | None = None) -> EventRows:
    """The event's rounds, and of that round the match at the table, or the entrant's, with all that belongs to it."""
    with connection.cursor() as cursor:
        cursor.execute(MATCH, {"event": event.pk, "round": number, "table": table, "entrant": entrant})
        rounds, match, seats, sheets, has_fleets, roll_offs = cursor.fetchone()
    rows = EventRows(rounds=[unpacked(Round, one) for one in rounds or ()], has_fleets=has_fleets)
    if match is None:
        return rows
    round = next(one for one in rows.rounds if one.number == number)
    _put_match(rows, round, match, seats, roll_offs)
    rows.sheets[rows.matches[-1].pk] = tuple((is_recorded, said) for is_recorded, said in sheets)
    return rows


SEATED = f"""
    SELECT r.event_id, {packed(Round, "r")}, json_build_array({packed(Match, "m")}, {packed(Result, "t")}),
        (SELECT json_agg(json_build_array(s.destroyed, {packed(Entrant, "e")}, {packed(Player, "p")}, false)
            ORDER BY s.side)
            FROM tourney_seat s JOIN tourney_entrant e ON e.id = s.entrant_id
            JOIN tourney_player p ON p.id = e.player_id WHERE s.match_id = m.id),
        (SELECT json_agg({packed(Penalty, "n")} ORDER BY n.id) FROM tourney_penalty n WHERE n.round_id = r.id
            AND n.entrant_id IN (SELECT s.entrant_id FROM tourney_seat s WHERE s.match_id = m.id)),
        (SELECT json_agg(json_build_array({packed(RollOff, "o")},
            (SELECT json_agg({packed(Roll, "w")} ORDER BY w.number) FROM tourney_throw w WHERE w.roll_off_id = o.id)))
            FROM tourney_rolloff o WHERE o.round_id = r.id AND o.kind = 'table' AND o."group" = (
                SELECT array_agg(e.number ORDER BY e.number)
                FROM tourney_seat s JOIN tourney_entrant e ON e.id = s.entrant_id WHERE s.match_id = m.id))
    FROM unnest(%(events)s::bigint[], %(rounds)s::int[], %(entrants)s::bigint[]) AS asked (event, round, entrant)
    JOIN tourney_round r ON r.event_id = asked.event AND r.number = asked.round
    JOIN tourney_seat own ON own.round_id = r.id AND own.entrant_id = asked.entrant
    JOIN tourney_match m ON m.id = own.match_id LEFT JOIN tourney_result t ON t.match_id = m.id
"""


def rows_of_seats(seats: Sequence[tuple[Event, int, int]], names: Mapping[int, str]) -> dict[int, EventRows]:
    """The rows of these seats, all of one store, by the event's id: their matches with all that belongs to them.

    A seat is the event, the number of the round and the id of the entrant; there is one at least. `names` as for
    `rows_of`. Who has a fleet is not asked.
    """
    events, numbers, entrants = zip(*((event.pk, number, entrant) for event, number, entrant in seats), strict=True)
    found: defaultdict[int, EventRows] = defaultdict(EventRows)
    with connection.cursor() as cursor:
        cursor.execute(SEATED, {"events": list(events), "rounds": list(numbers), "entrants": list(entrants)})
        for event, number, match, seated, penalties, roll_offs in cursor.fetchall():
            rows, round = found[event], unpacked(Round, number)
            rows.rounds.append(round)
            rows.penalties[round.pk] += [unpacked(Penalty, one) for one in penalties or ()]
            _put_match(rows, round, match, seated, roll_offs)
    _put_names(seats[0][0].store, found, names)
    return found


def _load(events: Sequence[int], query: str, known: CachedRows | None = None) -> dict[int, EventRows]:
    """By the event's id; what has a digest that is known is not there again."""
    digests = [known.digests.entrants, *known.digests.rounds.values()] if known else []
    with connection.cursor() as cursor:
        cursor.execute(query, {"events": list(events), "known": digests})
        found = cursor.fetchall()
    rows = {}
    for event, number, key, stored, contents in found:
        if number == 0:
            is_known = known is not None and known.digests.entrants == stored
            entrants = known.entrants if known and is_known else [_entrant(*one) for one in contents or ()]
            rows[event] = EventRows(key, RowDigests(stored, {}), entrants)
            continue
        rows[event].digests.rounds[key] = stored
        if contents is None:
            rows[event].same_rounds.append(key)
        else:
            _put_round(rows[event], *contents)
    return rows


def _entrant(values: Packed, player: Packed, has_fleet: bool) -> Entrant:
    entrant = unpacked(Entrant, values)
    PLAYER_OF_ENTRANT.set_cached_value(entrant, unpacked(Player, player))
    entrant.has_fleet = has_fleet
    return entrant


def _put_round(
    rows: EventRows,
    values: Packed,
    matches: list[tuple[Packed, Packed | None]] | None,
    seats: list[tuple[int, int, list[int]]] | None,
    penalties: list[Packed] | None,
    roll_offs: list[Packed] | None,
    rolls: list[Packed] | None,
) -> None:
    """What the database packed of a round; None where there is nothing of that kind."""
    round = unpacked(Round, values)
    rows.rounds.append(round)
    for match, result in matches or ():
        rows.matches.append(_match(round, match, result))
    for of_match, entrant, destroyed in seats or ():
        rows.seats[of_match].append((entrant, destroyed))
    for penalty in penalties or ():
        rows.penalties[round.pk].append(unpacked(Penalty, penalty))
    for roll_off in roll_offs or ():
        _put_roll_off(rows, round, roll_off)
    _put_rolls(rows, rolls)


def _put_match(
    rows: EventRows,
    round: Round,
    match: tuple[Packed, Packed | None],
    seats: Sequence[tuple[list[int], Packed, Packed, bool]],
    roll_offs: Sequence[tuple[Packed, list[Packed] | None]] | None,
) -> None:
    """A match that the database packed with its entrants and its table roll-offs."""
    rows.matches.append(_match(round, *match))
    for destroyed, entrant, player, has_fleet in seats:
        rows.entrants.append(_entrant(entrant, player, has_fleet))
        rows.seats[rows.matches[-1].pk].append((rows.entrants[-1].pk, destroyed))
    for roll_off, rolls in roll_offs or ():
        _put_roll_off(rows, round, roll_off)
        _put_rolls(rows, rolls)


def _put_roll_off(rows: EventRows, round: Round, values: Packed) -> None:
    rows.roll_offs.append(unpacked(RollOff, values))
    ROUND_OF_ROLL_OFF.set_cached_value(rows.roll_offs[-1], round)


def _put_rolls(rows: EventRows, rolls: list[Packed] | None) -> None:
    for roll in (unpacked(Roll, roll) for roll in rolls or ()):
        rows.rolls[roll.roll_off_id].append(roll)


def _match(round: Round, values: Packed, result: Packed | None) -> Match:
    match, found = unpacked(Match, values), unpacked(Result, result) if result else None
    ROUND_OF_MATCH.set_cached_value(match, round)
    RESULT_OF_MATCH.set_cached_value(match, found)
    if found:
        MATCH_OF_RESULT.set_cached_value(found, match)
    return match
