"""What stands on the paper of a night: slips, the score sheet, who has met whom, the check-in list."""

from collections.abc import Sequence
from dataclasses import dataclass

from fleets.domain.initiative import Bid, initiative
from scoring.domain.pack import MonthPack, Tally
from scoring.domain.points import Score
from scoring.domain.standings import Standing
from scoring.domain.words import bonus_in_short
from tourney.domain.paper import printable
from tourney.models import Entrant, Round
from tourney.queries import public
from tourney.queries.finding import plain
from tourney.queries.fleets import Status, fleets_of, statuses
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.state import EventState

SPARE_LINES = 3
EMPTY_LINES = 20


@dataclass(frozen=True, slots=True)
class SlipSide:
    """A player of a table; `total` of the fleet in SP is None where no fleet is known, `goes_first` by rule 7.16."""

    entrant: Entrant
    total: int | None
    goes_first: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """A match to be written on. `initiative` says why somebody has it, or what decides it; empty if nobody knows."""

    match: MatchState
    sides: tuple[SlipSide, SlipSide]
    initiative: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Something of the month to be marked for each side: a box to tick, or a number to write."""

    name: str
    worth: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A row of the score sheet: a score or None for each planned round. `standing` is None while it is to be filled in.

    `entrant` is None on an empty row.
    """

    entrant: Entrant | None
    scores: tuple[Score | None, ...]
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Somebody who is still here: what happened in each published round so far, and the number of byes."""

    entrant: Entrant
    met: tuple[str, ...]
    byes: int


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
    )


def slips_of(state: EventState, round: RoundState) -> list[Slip]:
    """A slip for each table of the round, in table order. In one query."""
    fleets = fleets_of(state, [number for match in round.tables for number in match.numbers])
    totals = {number: fleet.total for number, fleet in fleets.items() if not fleet.is_empty}
    return [_slip(match, totals) for match in round.tables]


def _slip(match: MatchState, totals: dict[int, int]) -> Slip:
    found = initiative([Bid(totals.get(one.number), one.faction) for one in match.entrants])
    first = found.side if found else None
    sides = tuple(
        SlipSide(entrant, totals.get(entrant.number), side == first) for side, entrant in enumerate(match.entrants)
    )
    return Slip(match, sides, found.why if found else "")


def marks_of(rules: MonthPack) -> list[Mark]:
    """What is counted at a table this month (rule 2.8), in the order of the pack."""
    return [Mark(tally.name, _worth(rules, tally), tally.max_each == 1) for tally in rules.tallies]


def _worth(rules: MonthPack, tally: Tally) -> str:
    return "; ".join(bonus_in_short(bonus) for bonus in rules.bonuses if bonus.tally == tally.key)


def endings_of(rules: MonthPack) -> list[str]:
    """Rule 1.2: how a battle can end this month."""
    scenario = [rules.ends_when, *rules.win_conditions]
    return ["time is called", "a fleet is eliminated", *filter(None, scenario), "conceded", "did not come"]


def score_lines(state: EventState) -> list[ScoreLine]:
    """Everybody in the order of the standings, those who have not played behind, and some empty rows.

    Totals and ranks stand there once all planned rounds are complete; before that they are to be written.
    """
    complete = len(state.complete_rounds)
    planned = max(state.event.rounds_planned, complete)
    is_full = complete >= planned or state.is_finished
    played = state.standings(complete) if complete else ()
    lines = [
        ScoreLine(state.by_number[one.id], _padded(one.rounds, planned), one if is_full else None) for one in played
    ]
    if is_full:
        return lines
    there = {one.id for one in played}
    new = [one for one in by_name(state.entrants) if one.number not in there and one.dropped_from is None]
    empty = (None,) * planned
    return [*lines, *(ScoreLine(entrant, empty) for entrant in new), *blank_score_lines(planned, SPARE_LINES)]


def blank_score_lines(rounds: int, lines: int = EMPTY_LINES) -> list[ScoreLine]:
    """Rows to be filled in."""
    return [ScoreLine(None, (None,) * rounds)] * lines


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


def _met(round: RoundState, entrant: Entrant) -> str:
    match = round.match_of(entrant.number)
    if match is None:
        return "–"
    if match.is_bye:
        return "Bye"
    opponent = match.opponent_of(entrant.number).player.name
    return opponent if match.is_meeting else f"not played ({opponent})"


def check_in_lines(state: EventState) -> list[tuple[Entrant, Status]]:
    """Everybody registered who has not dropped, with the state of the fleet, A–Z. In one query."""
    fleets = statuses(state, fleets_of(state))
    return [(one, fleets[one.number]) for one in by_name(state.entrants) if one.dropped_from is None]


def tables_needed(state: EventState) -> int:
    """How many tables the night needs at most, as far as is known: those there are, and those of all registered."""
    used = max((match.table for round in state.rounds for match in round.tables), default=0)
    here = sum(entrant.dropped_from is None for entrant in state.entrants)
    return max(used, here // 2, len(state.event.tables), 1)


def by_name(entrants: Sequence[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda entrant: (plain(entrant.player.name), entrant.number))
