"""What the two players of a table say of their match, and how far that is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scoring.domain.points import MatchScore
from tourney.models import Entrant, PlayerReport
from tourney.queries.matches import MatchState, RoundState, TableState, played_of
from tourney.queries.player_cards import cards_of
from tourney.queries.sent import sent_of
from tourney.queries.slices import EventSlice
from tourney.queries.state import EventState


@dataclass(frozen=True, slots=True)
class SideReport:
    """One side's report: by whom, the row, and what it would score as it was sent, before any dice."""

    by: Entrant
    row: PlayerReport
    score: MatchScore


@dataclass(frozen=True, slots=True)
class TableReports:
    """The reports of one match, in the order of its sides.

    From `accept_from` on, one side's word is saved with all others, without anybody looking at it; who looks can accept
    it at any time. `can_answer` says whether who has not answered has a card to answer with.
    """

    match: TableState
    reports: tuple[SideReport, ...]
    accept_from: datetime | None
    can_answer: bool = True

    @property
    def kind(self) -> str:
        """decided (there is a result), disputed (two that differ), waiting (for the other side) or none."""
        if self.match.result:
            return "decided"
        return ("none", "waiting", "disputed")[len(self.reports)]

    def kind_for(self, number: int) -> str:
        """The same as one of the two sees it: waiting is mine (the other is asked) or theirs (this one is asked)."""
        if self.kind == "waiting":
            return "mine" if self.by(number) else "theirs"
        return self.kind

    @property
    def is_agreed(self) -> bool:
        """Whether what counts is what both sides said."""
        return len(self.reports) == 2 and all(self.is_what_counts(report) for report in self.reports)

    @property
    def asked(self) -> Entrant | None:
        """Who has not answered the other's report."""
        return self.match.opponent_of(self.reports[0].by.number) if self.kind == "waiting" else None

    @property
    def unconfirmed(self) -> SideReport | None:
        """The one report of a match that the other side has not answered."""
        return self.reports[0] if self.kind == "waiting" else None

    def by(self, number: int) -> SideReport | None:
        """What that player says."""
        return next((report for report in self.reports if report.by.number == number), None)

    def against(self, number: int) -> SideReport | None:
        """What that player's opponent says."""
        return next((report for report in self.reports if report.by.number != number), None)

    def is_what_counts(self, report: SideReport) -> bool:
        """Whether the result is as this side said, with no ruling upon it."""
        result = self.match.result
        return bool(result and report.row.facts == result.facts and not (result.adjustment_a or result.adjustment_b))


def reports_of(state: EventSlice, matches: Iterable[MatchState]) -> dict[int, TableReports]:
    """The reports by table number, for the matches of one round; none where nobody plays.

    In one query, and one more where somebody has not answered.
    """
    tables = [match for match in matches if isinstance(match, TableState)]
    if not tables:
        return {}
    keys = [match.row.pk for match in tables]
    return _reports(state, tables, PlayerReport.objects.filter(seat__match__in=keys).select_related("seat"))


def reports_in(state: EventState, round: RoundState) -> dict[int, TableReports]:
    """The same for a whole round, with what else was sent if it is the last that everybody may see."""
    if round is not (state.public_rounds or (None,))[-1]:
        return reports_of(state, round.matches)
    return _reports(state, [match for match in round.matches if isinstance(match, TableState)], sent_of(state).reports)


def _reports(state: EventSlice, tables: list[TableState], rows: Iterable[PlayerReport]) -> dict[int, TableReports]:
    by_entrant = {row.seat.entrant_id: row for row in rows}
    found = {match.table: _table(state, match, by_entrant) for match in tables}
    return found | _without_a_card(found)


def _without_a_card(found: Mapping[int, TableReports]) -> dict[int, TableReports]:
    """Those where nobody is asked: who has not answered has no card."""
    asked = {table: told.asked.player.person for table, told in found.items() if told.asked}
    cards = cards_of(asked.values()) if asked else {}
    return {table: replace(found[table], can_answer=False) for table, player in asked.items() if player.pk not in cards}


def _table(state: EventSlice, match: TableState, rows: dict[int, PlayerReport]) -> TableReports:
    sent = [(entrant, row) for entrant in match.entrants if (row := rows.get(entrant.pk))]
    if not sent:
        return TableReports(match, (), None)
    reports = tuple(SideReport(entrant, row, state.as_sent(match, played_of(row))) for entrant, row in sent)
    wait = timedelta(minutes=state.event.accept_after)
    return TableReports(match, reports, reports[0].row.at + wait if len(reports) == 1 else None)
