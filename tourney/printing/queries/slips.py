"""What is on a match slip: what is known of the two players, and what was entered already."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from fleets.domain.initiative import Bid, initiative
from scoring.domain.pack import MonthPack, Tally
from scoring.domain.points import Ending, Played, sides_with_sp
from scoring.domain.words import bonus_in_short
from tourney.models import Entrant
from tourney.queries.fleets import fleets_of
from tourney.queries.matches import MatchState, RoundState, TableState
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

ELIMINATED = (Ending.ELIMINATION, Ending.BOTH_ELIMINATED)
BOTH = (Ending.BOTH_ELIMINATED, Ending.BOTH_NO_SHOWS)


@dataclass(frozen=True, slots=True)
class SlipSide:
    """A player of a table; `total` of the fleet in SP is None where no fleet is known, `goes_first` by rule 7.16.

    `so_far` are the Battle and Fleet Points of the rounds before, None in round 1. What follows is of the result, empty
    until there is one: a number is None where there is none, `rolled` are the Battle Stations of each roll in words.
    """

    entrant: Entrant
    total: int | None
    goes_first: bool
    so_far: tuple[int, int] | None = None
    has_won: bool = False
    is_out: bool = False
    has_conceded: bool = False
    was_absent: bool = False
    sp_left: int | None = None
    fleet_points: int | None = None
    rolled: str | None = None


class _Entered(TypedDict, total=False):
    """What a result says of a `SlipSide`."""

    has_won: bool
    is_out: bool
    has_conceded: bool
    was_absent: bool
    sp_left: int | None
    fleet_points: int | None
    rolled: str | None


@dataclass(frozen=True, slots=True)
class Tick:
    """A box with words beside it, ticked if it was entered so."""

    words: str | Message
    is_ticked: bool = False


@dataclass(frozen=True, slots=True)
class SlipField:
    """Something of the month to be marked for each side: a box to tick, or a number to write.

    `counts` are those of both sides, None until they are entered.
    """

    name: str
    worth: str | Message
    is_box: bool
    counts: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Slip:
    """A match to be written on. `initiative` says why a player has it, or what decides it; empty if it isn’t known."""

    match: MatchState
    sides: tuple[SlipSide, SlipSide]
    initiative: str | Message
    endings: tuple[Tick, ...]
    marks: tuple[SlipField, ...]

    @property
    def entered(self) -> str | Message:
        """What the desk has of it already, in a word or two; empty while nothing is."""
        result = self.match.result
        if result is None:
            return ""
        if result.ending == Ending.DOUBLE_LOSS:
            return message("Double loss")
        if result.ruling:
            return message("Entered, with a ruling")
        return message("Entered") if self.is_decided else message("Roll-off needed")

    @property
    def is_decided(self) -> bool:
        """Whether there is a result that needs no dice any more."""
        return self.match.state == "done"


def slips_of(state: EventState, round: RoundState) -> list[Slip]:
    """A slip for each table of the round, in table order. In one query."""
    fleets = fleets_of(state, [number for match in round.tables for number in match.numbers])
    totals = {number: fleet.total for number, fleet in fleets.items() if not fleet.is_empty}
    return [_slip(state, round, match, totals) for match in round.tables]


def _slip(state: EventState, round: RoundState, match: TableState, totals: Mapping[int, int]) -> Slip:
    found = initiative([Bid(totals.get(one.number), one.faction) for one in match.entrants])
    first = found.side if found else None
    a, b = (
        SlipSide(
            entrant,
            totals.get(entrant.number),
            goes_first=side == first,
            so_far=_so_far(state, round, entrant.number),
            **_entered(state.rules, round, match, side),
        )
        for side, entrant in enumerate(match.entrants)
    )
    why = found.why if found else ""
    return Slip(match, (a, b), why, endings_of(state.rules, match.played), tallies_of(state.rules, match.played))


def _so_far(state: EventState, round: RoundState, number: int) -> tuple[int, int] | None:
    """Battle and Fleet Points of the rounds before this one, as far as they are known."""
    before = [one.scores[number] for one in state.rounds[: round.number - 1] if number in one.scores]
    if round.number == 1:
        return None
    return sum(score.battle_points for score in before), sum(score.fleet_points or 0 for score in before)


def _entered(rules: MonthPack, round: RoundState, match: MatchState, side: int) -> _Entered:
    """What the result says of one side."""
    played = match.played
    if played is None or match.score is None:
        return {}
    is_it = played.out == side or played.ending in BOTH
    number = match.numbers[side]
    score = round.lines(match)[side].score
    rolls = [dict(roll.counts) for roll in match.roll_off.facts.rolls] if match.roll_off else ()
    return {
        "has_won": match.score.winner == side,
        "is_out": is_it and played.ending in ELIMINATED,
        "has_conceded": is_it and played.ending == Ending.CONCESSION,
        "was_absent": is_it and played.ending in (Ending.NO_SHOW, Ending.BOTH_NO_SHOWS),
        "sp_left": _sp_left(rules, played, side, is_out=is_it and played.ending in ELIMINATED),
        "fleet_points": score.fleet_points if score else None,
        "rolled": ", ".join(str(counts[number]) for counts in rolls if number in counts) or None,
    }


def _sp_left(rules: MonthPack, played: Played, side: int, *, is_out: bool) -> int | None:
    """Rule 2.6: nothing of an eliminated fleet; None where it counts for nobody."""
    if is_out:
        return 0
    return played.sides[side].sp_left if side in sides_with_sp(rules, played.ending, played.out) else None


def endings_of(rules: MonthPack, played: Played | None = None) -> tuple[Tick, ...]:
    """Rule 1.2: how a battle can end this month, but for what is ticked beside a player's name."""
    ending = played.ending if played else None
    condition = played.condition if played else None
    scenario = [rules.ends_when] if rules.ends_when else []
    return (
        Tick(message("time called"), ending == Ending.TIME),
        Tick(message("fleet eliminated"), ending in ELIMINATED),
        *(Tick(words, ending == Ending.SCENARIO and condition is None) for words in scenario),
        *(
            Tick(words, condition is not None and condition[1] == place)
            for place, words in enumerate(rules.win_conditions)
        ),
    )


def tallies_of(rules: MonthPack, played: Played | None = None) -> tuple[SlipField, ...]:
    """What is counted at a table this month (rule 2.8), in the order of the pack."""
    return tuple(
        SlipField(
            tally.name,
            _worth(rules, tally),
            tally.max_each == 1,
            (played.counts[0].get(tally.key, 0), played.counts[1].get(tally.key, 0)) if played else (None, None),
        )
        for tally in rules.tallies
    )


def _worth(rules: MonthPack, tally: Tally) -> str:
    return "; ".join(str(bonus_in_short(bonus)) for bonus in rules.bonuses if bonus.tally == tally.key)
