"""A part of one event as it stands: the matches that were loaded, with their entrants and what they score."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.points import MatchScore, Played, score_checked, score_match
from tourney.models import Event, RollOff, Round
from tourney.queries.matches import MatchState, RollOffState, TableState, fitting, played_of
from tourney.queries.rows import EventRows, rows_of_match

type ScoreOf = Callable[[Rules, Played, tuple[str, str]], MatchScore]
"""What scores the facts of a match by rules, for players of these names."""


class EventSlice:
    """The rows of all rounds, and some of the event's matches with their entrants and table roll-offs.

    Enough for whatever concerns a match alone, however large the event is. What needs all of them, such as the
    standings, asks for an `EventState` (`queries/state.py`).
    """

    def __init__(self, event: Event, rows: EventRows) -> None:
        self.event, self.rules = event, event.rules
        self.entrants = rows.entrants
        self.by_number = {entrant.number: entrant for entrant in self.entrants}
        self.names = {entrant.number: entrant.player.name for entrant in self.entrants}
        self.table_names = {row["number"]: row["name"] for row in event.tables}
        self.roll_offs = [RollOffState(row, fitting(row, rows.rolls[row.pk])) for row in rows.roll_offs]
        self.round_rows = rows.rounds
        self.has_fleets = rows.has_fleets
        self.matches = self._matches(rows)

    def _matches(self, rows: EventRows) -> list[MatchState]:
        by_id = {entrant.pk: entrant for entrant in self.entrants}
        at_table = {
            (roll_off.row.round_id, roll_off.group): roll_off
            for roll_off in self.roll_offs
            if roll_off.row.kind == RollOff.Kind.TABLE
        }
        matches = []
        for row in rows.matches:
            seats = rows.seats[row.pk]
            a, b = by_id[seats[0][0]], by_id[seats[1][0]] if len(seats) > 1 else None
            result = getattr(row, "result", None)
            state = TableState(row, row.round, a, b, result) if b else MatchState(row, row.round, a, b, result)
            state.names, state.table_name = self.names, self.table_names.get(row.table or 0, "")
            state.destroyed = tuple(frozenset(destroyed) for _, destroyed in seats)
            state.sheets = rows.sheets.get(row.pk, ())
            state.roll_off = at_table.get((row.round_id, tuple(sorted(state.numbers))))
            if isinstance(state, TableState):
                self.score_result(state)
            matches.append(state)
        return matches

    def score_result(self, match: TableState) -> None:
        """Of a result, which was checked when it was saved."""
        if match.result is not None:
            match.played, match.score = self._scored(match, played_of(match.result), score_checked)

    def scored(self, match: TableState, played: Played) -> tuple[Played, MatchScore]:
        """These facts at that table with what they score; a roll-off decided there breaks the tie, if it is one."""
        return self._scored(match, played, score_match)

    def as_sent(self, match: TableState, played: Played) -> MatchScore:
        """What these facts of a player score without the dice that were rolled at that table afterwards."""
        return score_match(self.rules, played, (self.names[match.a.number], self.names[match.b.number]))

    def _scored(self, match: TableState, played: Played, score_of: ScoreOf) -> tuple[Played, MatchScore]:
        names = self.names[match.a.number], self.names[match.b.number]
        score = score_of(self.rules, played, names)
        if score.needs_roll_off and match.roll_off and match.roll_off.is_broken:
            winner = match.roll_off.levels[0][0]
            played = replace(played, rolled=match.numbers.index(winner))
            score = score_of(self.rules, played, names)
        return played, score

    @property
    def is_finished(self) -> bool:
        """Whether the event is finished."""
        return self.event.is_finished

    @cached_property
    def seated_numbers(self) -> frozenset[int]:
        """Everybody of these who sits in a published round: their fleets are locked (rule 7.1)."""
        published = (match for match in self.matches if match.round.state != Round.State.DRAFT)
        return frozenset(number for match in published for number in match.numbers)


def table_slice(event: Event, number: int, table: int) -> tuple[EventSlice, TableState] | None:
    """The match at that table of that round, a draft too, in one query; None if there is none."""
    part = EventSlice(event, rows_of_match(event, number, table=table))
    return next(((part, match) for match in part.matches if isinstance(match, TableState)), None)


def seat_slice(event: Event, number: int, entrant: int) -> tuple[EventSlice, MatchState] | None:
    """The match, or the bye, of that entrant in that round, in one query; None for who does not sit there."""
    part = EventSlice(event, rows_of_match(event, number, entrant=entrant))
    return next(((part, match) for match in part.matches), None)
