"""Two players against each other over all months, for everybody to read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from scoring.domain.points import Score
from tourney.models import Entrant, Event, Player
from tourney.queries.matches import MatchState, RoundState, TableState
from tourney.queries.shown_names import in_public, short_names
from tourney.queries.state import EventState, states_of
from tourney.runtime.packed import with_columns

type GameMoment = tuple[datetime, int, int]
"""When a game was played: the start of its event, the event's id, and the round."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table at which two players met: what each got there, in the order they were asked for."""

    event: Event
    round: int
    lines: tuple[tuple[Entrant, Score], ...]
    is_by_dice: bool


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players against each other, the last meeting first; `won` counts for each in the same order."""

    players: tuple[Player, Player]
    meetings: tuple[Meeting, ...]
    won: tuple[int, int]


OF_EVENT = ("id", "slug", "name", "starts_at")
"""The columns that are read of an event, in the order of its model."""
OF_ENTRANT = ("id", "player_id", "number", "faction")
"""The columns that are read of an entrant, in the order of its model."""

MEETINGS = f"""
    SELECT EXISTS (SELECT FROM tourney_entrant n WHERE n.player_id = %(one)s)
        AND EXISTS (SELECT FROM tourney_entrant o WHERE o.player_id = %(other)s),
    ARRAY(
        SELECT n.event_id FROM tourney_entrant n JOIN tourney_entrant o ON o.event_id = n.event_id
        WHERE n.player_id = %(one)s AND o.player_id = %(other)s
        AND NOT EXISTS (SELECT FROM tourney_finalranking f WHERE f.event_id = n.event_id)
    ), (
        SELECT json_agg(json_build_array(
            json_build_array(e.{", e.".join(OF_EVENT)}), s.round, s.is_by_dice,
            json_build_array(n.{", n.".join(OF_ENTRANT)}), json_build_array(s.battle_points, s.fleet_points, s.outcome),
            json_build_array(o.{", o.".join(OF_ENTRANT)}), json_build_array(t.battle_points, t.fleet_points, t.outcome)
        ))
        FROM tourney_finalseat s JOIN tourney_entrant n ON n.id = s.entrant_id
        JOIN tourney_entrant o ON o.id = s.opponent_id
        JOIN tourney_finalseat t ON t.entrant_id = o.id AND t.round = s.round
        JOIN tourney_event e ON e.id = s.event_id
        WHERE s.player_id = %(one)s AND s.opponent_player_id = %(other)s AND s.is_game
    )
"""
"""Whether both played at all, the events of both of which nothing is kept, and what is kept of their games."""


def duel_of(one: Player, other: Player) -> Duel | None:
    """Every meeting of the two, in a constant number of queries; None if one of them was in no event."""
    with connection.cursor() as cursor:
        cursor.execute(MEETINGS, {"one": one.pk, "other": other.pk})
        both_played, not_kept, kept = cursor.fetchone()
    if not both_played:
        return None
    names = short_names(one.store)
    people = in_public(one, names), in_public(other, names)
    meetings = [_kept_meeting(people, *facts) for facts in kept or ()]
    meetings += _open_meetings(not_kept, one, other)
    meetings.sort(key=lambda found: found[0], reverse=True)
    won, lost = (sum(meeting.lines[side][1].outcome == "win" for _, meeting in meetings) for side in (0, 1))
    return Duel(people, tuple(meeting for _, meeting in meetings), (won, lost))


def played_games(states: Iterable[EventState]) -> Iterator[tuple[EventState, RoundState, TableState]]:
    """Every table that was played to its end in a published round, in the order of play."""
    for state in states:
        for round in state.public_rounds:
            for match in round.tables:
                if match.state == "done" and match.is_meeting:
                    yield state, round, match


def when_played(event: Event, round: int) -> GameMoment:
    """When the games of that round were played, for sorting."""
    return event.starts_at, event.pk, round


def _kept_meeting(
    people: tuple[Player, Player],
    event: list[Any],
    round: int,
    is_by_dice: bool,
    *sides: list[Any],
) -> tuple[GameMoment, Meeting]:
    """The event, the round, and of each side its entrant and its points."""
    *columns, starts_at = event
    row = with_columns(Event, OF_EVENT, [*columns, datetime.fromisoformat(starts_at)])
    lines = tuple(
        (_entrant(entrant, person), Score(points[0], points[1], (), points[2]))
        for person, entrant, points in zip(people, sides[::2], sides[1::2], strict=True)
    )
    return when_played(row, round), Meeting(row, round, lines, is_by_dice)


def _entrant(values: list[Any], person: Player) -> Entrant:
    entrant = with_columns(Entrant, OF_ENTRANT, values)
    entrant.player = person
    return entrant


def _open_meetings(events: list[int], one: Player, other: Player) -> list[tuple[GameMoment, Meeting]]:
    """Their games in events of which nothing is kept: those that are not finished."""
    if not events:
        return []
    rows = Event.objects.with_context().filter(pk__in=events).order_by("starts_at", "pk")
    return [
        (when_played(state.event, round.number), _meeting(state, round, match, one))
        for state, round, match in played_games(states_of(list(rows), public=True))
        if {entrant.player_id for entrant in match.entrants} == {one.pk, other.pk}
    ]


def _meeting(state: EventState, round: RoundState, match: MatchState, first: Player) -> Meeting:
    sides = sorted(match.entrants, key=lambda entrant: entrant.player_id != first.pk)
    lines = tuple((side, round.scores[side.number]) for side in sides)
    return Meeting(state.event, round.number, lines, match.is_by_dice)
