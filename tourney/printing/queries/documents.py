"""What is on the lists of a night: the score sheet, past opponents, the check-in list."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.domain.points import Score
from scoring.domain.standings import Standing
from tourney.domain.tables import Table
from tourney.models import Entrant, Round
from tourney.printing.domain.documents import printable
from tourney.queries import public
from tourney.queries.awards import awards_of
from tourney.queries.fleets import Status, fleets_of, statuses
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState
from tourney.queries.tables import tables_needed, tables_of
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.messages import Message, message

SPARE_LINES = 3
EMPTY_LINES = 20


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A row of the score sheet: a score or None for each planned round, and the sums of those that are there.

    `so_far` are Battle and Fleet Points, None before the first score; `standing` is None while it is to be filled in.
    `entrant` is None on an empty row.
    """

    entrant: Entrant | None
    scores: tuple[Score | None, ...]
    so_far: tuple[int, int] | None = None
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A player who has not dropped: what happened in each published round so far, and the number of byes."""

    entrant: Entrant
    met: tuple[str | Message, ...]
    byes: int

    @property
    def longest(self) -> str:
        """Of the names in the row."""
        return max((self.entrant.player.name, *map(str, self.met)), key=len)


def moment_of(state: EventState) -> str:
    """Where the night stands for the printer: before, drafted, playing, between, over or finished."""
    last = state.last_round
    if last and last.state == Round.State.DRAFT:
        return "drafted"
    return public.situation_of(state).kind


def printable_of(state: EventState) -> frozenset[str]:
    """The kinds of documents that there is something to print for."""
    return printable(
        players=bool(state.entrants),
        drawn=bool(state.rounds),
        published=bool(state.public_rounds),
        complete=bool(state.complete_rounds),
        allegiance=state.rules.allegiance,
        gifts=awards_of(state).has_gifts,
    )


def score_lines(state: EventState) -> list[ScoreLine]:
    """Everybody in the order of the standings, those who have not played behind, and some empty rows.

    What is entered of the round in play stands there too. Ranks and final totals stand there once all planned rounds
    are complete; before that they are to be written.
    """
    complete = len(state.complete_rounds)
    planned = max(state.event.rounds_planned, len(state.public_rounds))
    is_full = complete >= planned or state.is_finished
    played = state.standings(complete) if complete else ()
    if is_full:
        return [
            ScoreLine(state.by_number[one.id], _padded(one.rounds, planned), _sums(one.rounds), one) for one in played
        ]
    there = [state.by_number[one.id] for one in played]
    new = [one for one in by_name(state.with_place) if one not in there and one.dropped_from is None]
    known = [(entrant, _known(state, entrant)) for entrant in [*there, *new]]
    lines = [ScoreLine(entrant, _padded(scores, planned), _sums(scores)) for entrant, scores in known]
    return [*lines, *blank_score_lines(planned, SPARE_LINES)]


def blank_score_lines(rounds: int, lines: int = EMPTY_LINES) -> list[ScoreLine]:
    """Rows to be filled in."""
    return [ScoreLine(None, (None,) * rounds)] * lines


def _known(state: EventState, entrant: Entrant) -> list[Score | None]:
    """Of each published round what is known of the score; a table that has still to roll off has none."""
    return [round.scores.get(entrant.number) for round in state.public_rounds]


def _sums(scores: Sequence[Score | None]) -> tuple[int, int] | None:
    there = [score for score in scores if score]
    if not there:
        return None
    return sum(score.battle_points for score in there), sum(score.fleet_points or 0 for score in there)


def _padded(scores: Sequence[Score | None], rounds: int) -> tuple[Score | None, ...]:
    return (*scores, *[None] * (rounds - len(scores)))


def record_lines(state: EventState) -> list[RecordLine]:
    """Whom everybody has met who is still here, and who has had a bye (rules 3.3, 3.5, 3.6), A–Z."""
    rounds = state.public_rounds
    here = state.present(len(rounds) + 1)
    return [
        RecordLine(
            entrant,
            tuple(_met(round, entrant) for round in rounds),
            sum((match := round.match_of(entrant.number)) is not None and match.is_bye for round in rounds),
        )
        for entrant in by_name(here)
    ]


def _met(round: RoundState, entrant: Entrant) -> str | Message:
    match = round.match_of(entrant.number)
    if match is None:
        return "–"
    other = match.opponent_of(entrant.number)
    if other is None:
        return message("Bye")
    opponent = other.player.name
    return opponent if match.is_meeting else message("not played ({opponent})", opponent=opponent)


def check_in_lines(state: EventState) -> list[tuple[Entrant, Status]]:
    """Everybody registered who has not dropped, with the state of the fleet, A–Z. In one query."""
    fleets = statuses(state, fleets_of(state))
    return [(one, fleets[one.number]) for one in by_name(state.with_place) if one.dropped_from is None]


def tables_to_number(state: EventState) -> list[Table]:
    """Every table that the night needs, with its name, by number."""
    room = {table.number: table for table in tables_of(state.event)}
    return [room.get(number) or Table(number) for number in range(1, tables_needed(state) + 1)]


def by_name(entrants: Sequence[Entrant]) -> list[Entrant]:
    """The entrants in alphabetical order, for lists on paper."""
    return sorted(entrants, key=lambda entrant: (alphabetical(entrant.player.name), entrant.number))
