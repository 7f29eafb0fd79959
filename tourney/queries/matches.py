"""Matches, rounds and roll-offs as they stand: rows with what the rules make of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scoring.domain import roll_offs
from scoring.domain.pack import MonthPack as Rules
from scoring.domain.points import NOT_PLAYED, Ending, MatchScore, Played, Score, ScoredTable, Side, score_round
from scoring.domain.points import PointsPenalty as PenaltyFacts
from tourney.domain import swiss
from tourney.models import Entrant, Match, Penalty, PlayerReport, Result, Roll, RollOff, Round
from tourney.runtime.messages import Message, message


@dataclass
class RollOffState:
    """A roll-off with its rolls so far."""

    row: RollOff
    rolls: list[Roll]

    @cached_property
    def group(self) -> tuple[int, ...]:
        """The entrant numbers of the tie, ascending."""
        return tuple(self.row.group)

    @cached_property
    def facts(self) -> roll_offs.RollOffRolls:
        """The roll-off as the rules read it."""
        rolls = tuple(roll_facts(roll.counts) for roll in self.rolls)
        return roll_offs.RollOffRolls(round=self.row.round.number, group=self.group, rolls=rolls)

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The groups of entrant numbers that the rolls left, best first."""
        return roll_offs.levels(self.group, self.facts.rolls)

    @property
    def still_tied(self) -> tuple[tuple[int, ...], ...]:
        """The groups of entrant numbers that have to roll again."""
        return roll_offs.still_tied(self.group, self.facts.rolls)

    @property
    def is_broken(self) -> bool:
        """Whether no tie is left."""
        return not self.still_tied


def fitting(row: RollOff, rolls: Sequence[Roll]) -> list[Roll]:
    """The rolls of a roll-off up to the first that cannot be read, or does not fit those before it (rule 4.1)."""
    rolls = list(rolls)
    while rolls:
        try:
            roll_offs.levels(row.group, [roll_facts(roll.counts) for roll in rolls])
        except roll_offs.RollDoesNotFit:
            rolls.pop()
        else:
            break
    return rolls


@dataclass(slots=True)
class MatchState:
    """A match, or a bye (`b` is None). `state` is bye, playing, level (roll-off at the table to do) or done.

    `destroyed` are the lines of each side's fleet that were marked as destroyed (rule 2.3), `marked` the SP left
    by that where somebody asked for it (None: no fleet is known). `table_name` is what the store calls its table.
    `sheets` are, side by side, whether a fleet is recorded and what is said of the opponent's (rule 7.2), known where
    the match was loaded alone.
    """

    row: Match
    round: Round
    a: Entrant
    b: Entrant | None
    result: Result | None = None
    played: Played | None = None
    score: MatchScore | None = None
    roll_off: RollOffState | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    table_name: str = ""
    destroyed: tuple[frozenset[int], ...] = ()
    sheets: tuple[tuple[bool, str], ...] = ()
    marked: tuple[int | None, ...] = ()
    entrants: tuple[Entrant, ...] = field(init=False)
    numbers: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.entrants = (self.a,) if self.b is None else (self.a, self.b)
        self.numbers = tuple(entrant.number for entrant in self.entrants)

    @property
    def table(self) -> int | None:
        """The table's number, None for a bye."""
        return self.row.table

    @property
    def place(self) -> Message:
        """Where it is played, in words."""
        if self.table is None:
            return message("Bye")
        if self.table_name:
            return message("Table {number}, {name}", number=self.table, name=self.table_name)
        return message("Table {number}", number=self.table)

    @property
    def is_bye(self) -> bool:
        """Whether only one sits here."""
        return self.b is None

    @property
    def is_meeting(self) -> bool:
        """Whether two met here, or will: a no-show is no meeting (rule 3.6)."""
        return not self.is_bye and not (self.result and self.result.ending in NOT_PLAYED)

    @property
    def state(self) -> str:
        """One of bye, playing, level and done."""
        if self.is_bye:
            return "bye"
        if self.score is None:
            return "playing"
        return "tied" if self.score.needs_roll_off else "done"

    @property
    def winner(self) -> Entrant | None:
        """The entrant who won, None while it plays and without a winner."""
        return None if self.score is None or self.score.winner is None else self.entrants[self.score.winner]

    @property
    def is_by_dice(self) -> bool:
        """Whether the roll-off at the table decided it (rule 4.1)."""
        return self.played is not None and self.played.rolled is not None

    @property
    def version(self) -> int:
        """The version of the stored result, 0 without one."""
        return self.result.version if self.result else 0

    @property
    def why(self) -> Message:
        """One sentence that names the rule (rule 3.8); a hand-made pairing says so (rule 3.9)."""
        if self.row.manual_reason:
            return message("Paired by hand: {reason} (rule 3.9).", reason=self.row.manual_reason)
        return swiss.sentence(swiss.sayable(self.row.reason, self.names), self.names)

    def opponent_of(self, number: int) -> Entrant | None:
        """The other entrant at the table, None for a bye."""
        return next((entrant for entrant in self.entrants if entrant.number != number), None)


@dataclass(slots=True)
class TableState(MatchState):
    """A match of two players at a table."""

    b: Entrant
    entrants: tuple[Entrant, Entrant] = field(init=False)
    numbers: tuple[int, int] = field(init=False)

    @property
    def table(self) -> int:
        """The table's number."""
        return self.row.table or 0


@dataclass(frozen=True, slots=True)
class PenaltyState:
    """A penalty and whose it is."""

    row: Penalty
    entrant: Entrant

    @property
    def facts(self) -> PenaltyFacts:
        """The penalty as the rules read it."""
        row = self.row
        return PenaltyFacts(self.entrant.number, row.battle_points, row.fleet_points, row.reason)


@dataclass(slots=True)
class SeatScore:
    """One player's line of a match, for pages: the entrant, the score so far (None while playing), whether it won."""

    entrant: Entrant
    score: Score | None
    won: bool


class RoundState:
    """A round with its matches in table order, the bye last, and the penalties given for it, the first first."""

    def __init__(
        self, row: Round, matches: list[MatchState], rules: Rules, penalties: Sequence[PenaltyState] = ()
    ) -> None:
        self.row, self.number, self.state = row, row.number, row.state
        self.matches = sorted(matches, key=lambda match: (match.table is None, match.table or 0))
        self.rules, self.penalties = rules, tuple(penalties)

    @cached_property
    def tables(self) -> list[TableState]:
        """The matches without the bye."""
        return [match for match in self.matches if isinstance(match, TableState)]

    @cached_property
    def bye(self) -> MatchState | None:
        """The match that is the bye, None if there is none."""
        return next((match for match in self.matches if match.is_bye), None)

    @cached_property
    def missing(self) -> list[TableState]:
        """The matches without a result."""
        return [match for match in self.tables if match.state == "playing"]

    @cached_property
    def tied(self) -> list[TableState]:
        """The matches whose tie waits for a roll-off."""
        return [match for match in self.tables if match.state == "tied"]

    @property
    def has_results(self) -> bool:
        """Whether the result of a table is in."""
        return len(self.missing) < len(self.tables)

    @property
    def is_complete(self) -> bool:
        """Whether every result is in and no table is tied."""
        return not self.missing and not self.tied

    @cached_property
    def scores(self) -> dict[int, Score]:
        """What is known of each player's score of this round, by entrant number (rule 2)."""
        tables = [ScoredTable(match.numbers, match.score) for match in self.matches]
        return score_round(self.rules, tables, [penalty.facts for penalty in self.penalties])

    @property
    def is_by_hand(self) -> bool:
        """Whether anybody in this round sits where a hand put them (rule 3.9)."""
        return any(match.row.manual_reason for match in self.matches)

    def match_at(self, table: int) -> TableState | None:
        """The match at that table, None if there is none."""
        return self._at_table.get(table)

    @cached_property
    def _at_table(self) -> dict[int, TableState]:
        return {match.table: match for match in self.tables}

    def match_of(self, number: int) -> MatchState | None:
        """The match of that entrant number, None for who does not sit."""
        return self._match_of.get(number)

    def match_with(self, number: int) -> MatchState:
        """The match of that entrant number. Raises KeyError for who does not sit."""
        return self._match_of[number]

    @cached_property
    def _match_of(self) -> dict[int, MatchState]:
        return {number: match for match in self.matches for number in match.numbers}

    def lines(self, match: MatchState) -> list[SeatScore]:
        """One line per player of the match; a level table shows what it has so far."""
        so_far: tuple[Score | None, ...] = match.score.scores if match.score else (None, None)
        return [
            SeatScore(
                entrant,
                self.scores.get(entrant.number, so_far[side]),
                match.winner is entrant or match.is_bye,
            )
            for side, entrant in enumerate(match.entrants)
        ]


def roll_facts(counts: Mapping[str, int]) -> roll_offs.DiceRoll:
    """A roll as the rules read it, from the stored counts by entrant number."""
    return roll_offs.DiceRoll(tuple(sorted((int(number), count) for number, count in counts.items())))


def played_of(result: Result | PlayerReport) -> Played:
    """The stored facts of a match in the shape of the rules."""
    sides = (
        Side(result.sp_left_a, tuple(sorted(result.tallies_a.items())), result.adjustment_a),
        Side(result.sp_left_b, tuple(sorted(result.tallies_b.items())), result.adjustment_b),
    )
    condition = None
    if result.condition is not None:
        condition = ("ab".index(result.condition_side), result.condition)
    out = "ab".index(result.out) if result.out else None
    return Played(ending=Ending(result.ending), sides=sides, out=out, condition=condition)
