"""A result before it is saved: its facts, what they would score, and why they cannot be."""

from collections.abc import Sequence
from dataclasses import dataclass

from fleets.domain.surviving import left
from scoring.domain.pack import MonthPack
from scoring.domain.points import Ending, MatchScore, Played, problems, sides_with_sp
from tourney.models import Match, Result
from tourney.models.play import TableFacts
from tourney.queries.matches import MatchState, TableState
from tourney.queries.slices import EventSlice
from tourney.queries.surviving import Fleets, why_not_left
from tourney.runtime.messages import Message, message

FACTS = (*TableFacts.FACT_FIELDS, "adjustment_a", "adjustment_b", "ruling", "sp_ruling")
ENDING_NAMES = {
    Ending.ELIMINATION: message("One fleet eliminated"),
    Ending.BOTH_ELIMINATED: message("Both eliminated"),
    Ending.TIME: message("Time"),
    Ending.SCENARIO: message("Scenario end"),
    Ending.CONCESSION: message("Concession"),
    Ending.NO_SHOW: message("No-show"),
    Ending.BOTH_NO_SHOWS: message("Both no-shows"),
    Ending.DOUBLE_LOSS: message("Double loss"),
    Ending.RULING: message("Ruling"),
}
"""How a match ended, as it is chosen and shown."""
DESTROYED_UNKNOWN = (None, None)


@dataclass(frozen=True, slots=True)
class ResultInput:
    """The facts of one match as entered, and the reason of a ruling in it (rule 2.12).

    `destroyed` are the lines of each side's own fleet that are gone (rule 2.3); None leaves what is marked there
    as it is. `sp_ruling` says why SP left stand that the fleet cannot leave. `expected_destroyed` are the lines that
    were marked when the person began, None where they do not matter.
    """

    played: Played
    ruling: str = ""
    destroyed: tuple[frozenset[int] | None, ...] = DESTROYED_UNKNOWN
    sp_ruling: str = ""
    expected_destroyed: tuple[frozenset[int] | None, ...] = DESTROYED_UNKNOWN


def preview(state: EventSlice, match: TableState, report: ResultInput) -> MatchScore:
    """What these facts would score, before anything is saved; dice rolled at this table count. Raises InvalidResult."""
    return state.scored(match, report.played)[1]


def why_not(state: EventSlice, match: TableState, report: ResultInput, fleets: Fleets) -> list[str | Message]:
    """Why these facts cannot be the result of that match, all reasons as sentences; empty if they can."""
    if wrong := problems(state.rules, report.played, names_at(state, match)):
        return [problem.message for problem in wrong]
    if needs_ruling(report.played) and not report.ruling:
        return [message("A ruling needs a reason. It stays in the journal (rule 2.12).")]
    return _wrong_sp_left(state, match, report, fleets)


def unreachable(
    rules: MonthPack, played: Played, names: Sequence[str], fleets: Fleets, stored: Played | None = None
) -> dict[int, str | Message]:
    """Rule 2.3: why the SP left of a side cannot be, by side, where they count; the name of the reader is empty.

    What is stored already for that side is not questioned again.
    """
    sentences = {
        side: why_not_left(fleets[side], played.sides[side].sp_left, names[side])
        for side in sides_with_sp(rules, Ending(played.ending), played.out)
        if stored is None or stored.sides[side].sp_left != played.sides[side].sp_left
    }
    return {side: sentence for side, sentence in sentences.items() if sentence}


def next_without_result(match: MatchState) -> int | None:
    """The next table of that round without a result, after the last one the first again; None if all have one."""
    waiting = Match.objects.filter(round=match.round, table__isnull=False, result=None).order_by("table")
    missing = [table or 0 for table in waiting.values_list("table", flat=True)]
    return next((table for table in missing if table > (match.table or 0)), missing[0] if missing else None)


def needs_ruling(played: Played) -> bool:
    """Rule 2.12: an adjusted score, a double loss, or a win that a judge gave is a ruling."""
    return played.ending in (Ending.DOUBLE_LOSS, Ending.RULING) or any(side.adjustment for side in played.sides)


def facts_of(row: Result) -> dict[str, object]:
    """A result's facts as data, for the journal and the archive."""
    return {name: getattr(row, name) for name in FACTS}


def _wrong_sp_left(state: EventSlice, match: TableState, report: ResultInput, fleets: Fleets) -> list[str | Message]:
    """Why SP left do not fit the fleets as they are now: another number than the marks leave, or one nobody can."""
    rules, played, names = state.rules, report.played, names_at(state, match)
    wrong: list[str | Message] = []
    for side in sides_with_sp(rules, Ending(played.ending), played.out):
        marked, fleet, typed = report.destroyed[side], fleets[side], played.sides[side].sp_left
        if marked and fleet and (counted := left(fleet.sheet, marked).sp) != typed:
            wrong.append(
                message(
                    "The cards marked in {player}’s fleet leave {counted} SP, not {typed}. Check them again.",
                    player=names[side],
                    counted=counted,
                    typed=typed,
                )
            )
    if not report.sp_ruling:
        wrong += unreachable(rules, played, names, fleets, match.played).values()
    return wrong


def names_at(state: EventSlice, match: TableState) -> tuple[str, str]:
    """Of the two players, in the order of the sides."""
    return state.names[match.a.number], state.names[match.b.number]
