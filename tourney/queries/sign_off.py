"""Rule 7.2: who has signed the opponent's sheet in a round, and who waits for a judge."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.models import Entrant, Fleet, SheetCheck
from tourney.queries.matches import MatchState, TableState
from tourney.queries.state import EventState


@dataclass(frozen=True, slots=True)
class SheetStatus:
    """What the player `by` says of the sheet of `owner`: `kind` is unsigned, signed or called.

    A call is about the line with this title (empty: the whole sheet). `words` are the player's, or what a judge
    decided who signed for the player.
    """

    by: Entrant
    owner: Entrant
    kind: str
    title: str = ""
    row: SheetCheck | None = None

    @property
    def words(self) -> str:
        """What the player wrote to the judge, empty if nothing."""
        return self.row.words if self.row else ""


@dataclass(frozen=True, slots=True)
class TableChecks:
    """Both players' looks at one table of a round."""

    match: MatchState
    checks: tuple[SheetStatus, ...]

    @property
    def signed(self) -> int:
        """The number of signed sheets at the table."""
        return sum(check.kind == "signed" for check in self.checks)

    @property
    def is_signed(self) -> bool:
        """Whether every sheet at the table is signed."""
        return self.signed == len(self.checks)

    @property
    def calls(self) -> tuple[SheetStatus, ...]:
        """The sheets for which a judge was called."""
        return tuple(check for check in self.checks if check.kind == "called")

    def by(self, number: int) -> SheetStatus:
        """What this player says. Raises StopIteration for anybody who sits elsewhere."""
        return next(check for check in self.checks if check.by.number == number)

    def about(self, number: int) -> SheetStatus:
        """What is said of this player's sheet. Raises StopIteration for anybody who sits elsewhere."""
        return next(check for check in self.checks if check.owner.number == number)


def checks_of(state: EventState, matches: Iterable[MatchState]) -> dict[int, TableChecks]:
    """The checks by table number, for those of these matches of one round where somebody's fleet is known here.

    No query where there is no such match; else one, and one more if a line is in question.
    """
    tables = [match for match in matches if isinstance(match, TableState)]
    asked = [match for match in tables if any(one.has_fleet for one in match.entrants)]
    if not asked:
        return {}
    rows = {row.seat.entrant_id: row for row in _rows(asked)}
    titles = _titles(rows.values(), asked)
    return {match.table: TableChecks(match, tuple(_checks(match, rows, titles))) for match in asked}


def _rows(matches: list[TableState]) -> Iterable[SheetCheck]:
    found = SheetCheck.objects.filter(seat__match__in=[match.row.pk for match in matches])
    return found.select_related("seat")


def _checks(
    match: TableState, rows: Mapping[int, SheetCheck], titles: Mapping[tuple[int, int], str]
) -> Iterator[SheetStatus]:
    for by, owner in (match.entrants, match.entrants[::-1]):
        row = rows.get(by.pk)
        kind = row.state if row else "unsigned"
        yield SheetStatus(by, owner, kind, titles.get((owner.pk, row.line), "") if row else "", row)


def _titles(rows: Iterable[SheetCheck], matches: list[TableState]) -> dict[tuple[int, int], str]:
    """What stands in the lines in question: by entrant (its pk) and the id of the line."""
    opponents = {by.pk: owner for match in matches for by, owner in (match.entrants, match.entrants[::-1])}
    wanted: defaultdict[int, set[int]] = defaultdict(set)
    for row in rows:
        if row.line:
            wanted[opponents[row.seat.entrant_id].pk].add(row.line)
    if not wanted:
        return {}
    fleets = Fleet.objects.filter(entrant__in=list(wanted))
    return {
        (entrant, line.id): line.card.title
        for fleet in fleets
        if (entrant := fleet.entrant_id) is not None
        for line in fleet.sheet.lines
        if line.id in wanted[entrant]
    }
