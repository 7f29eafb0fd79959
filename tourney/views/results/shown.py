"""What both ways of entering a result show: the sum before it is saved, and whether it may be changed."""

from dataclasses import replace

from django.http import HttpRequest

from scoring.domain.played import Played
from scoring.domain.points import MatchScore
from scoring.domain.winner import why
from tourney import access
from tourney.forms.results import ResultForm, facts_in_words
from tourney.models import Round
from tourney.queries import results as queries
from tourney.queries.matches import MatchState, SeatScore, TableState
from tourney.queries.results import ResultInput, names_at
from tourney.queries.slices import EventSlice
from tourney.runtime.messages import Message, message


def why_read_only(request: HttpRequest, state: EventSlice, match: MatchState) -> Message | str:
    """Why this person cannot change this result now, and what to do; empty if they can."""
    number = match.round.number
    if state.is_finished and not may_organize(request, state):
        return message("The event is finished. Only an organizer can edit this result now.")
    if match.round.state == Round.State.DRAFT:
        return message("Round {number} is still a draft. Publish it to enter results.", number=number)
    if match.round.state == Round.State.CLOSED and not may_organize(request, state):
        return message("Round {number} is closed. Only an organizer can edit this result now.", number=number)
    return ""


def preview(state: EventSlice, match: TableState, form: ResultForm | None) -> dict[str, object]:
    """Both sums, the winner and why, before anything is saved; or what is still missing, in sentences."""
    score, missing = match.score, []
    if form and form.is_bound:
        score = queries.preview(state, match, form.report()) if form.can_be_scored else None
        missing = form.sentences
    elif form and form.filled_from:
        score = form.filled_from.score
    return {"missing": missing, **(sums(state, match, score) if score else {})}


def sums(state: EventSlice, match: TableState, score: MatchScore) -> dict[str, object]:
    """Both sums, the winner and why, as the part `sums` of desk/result.html shows them."""
    lines = [
        SeatScore(entrant, one, score.winner == side)
        for side, (entrant, one) in enumerate(zip(match.entrants, score.scores, strict=True))
    ]
    return {"score": score, "lines": lines, "verdict": verdict(state, match, score)}


def side_by_side(
    state: EventSlice, match: TableState, there: ResultInput | None, here: ResultInput | None
) -> list[tuple[str, str, str, bool]]:
    """(what, there, here, whether they differ) for each fact that one of the two has."""
    names = names_at(state, match)
    one, other = (dict(facts_in_words(state.rules, names, report)) for report in (there, here))
    return [
        (what, one.get(what, "–"), other.get(what, "–"), one.get(what) != other.get(what))
        for what in dict.fromkeys([*other, *one])
    ]


def verdict_for(match: TableState, score: MatchScore, number: int) -> Message:
    """The same to the player of that number."""
    mine = match.numbers.index(number)
    own, other = score.scores[mine].fleet_points, score.scores[1 - mine].fleet_points
    if score.winner is None or own is None or other is None:
        return score.why
    if own == other and score.winner == mine:
        return message("You win, with {points} Fleet Points each.", points=own)
    if own == other:
        return message("You lose, with {points} Fleet Points each.", points=own)
    if score.winner == mine:
        return message("You win {mine}–{theirs}.", mine=own, theirs=other)
    return message("You lose {mine}–{theirs}.", mine=own, theirs=other)


def score_for(state: EventSlice, match: TableState, played: Played, score: MatchScore, number: int) -> MatchScore:
    """The same, with its reason as the player of that number reads it."""
    names = [name if of != number else "" for of, name in zip(match.numbers, names_at(state, match), strict=True)]
    first, second = (side.fleet_points for side in score.scores)
    return replace(score, why=why(state.rules, played, (names[0], names[1]), (first, second)))


def verdict(state: EventSlice, match: TableState, score: MatchScore) -> Message:
    """Who won, with both Fleet Points, in a line."""
    points = [side.fleet_points for side in score.scores]
    if score.winner is None or None in points:
        return score.why
    winner, won, lost = names_at(state, match)[score.winner], points[score.winner] or 0, points[1 - score.winner] or 0
    if won == lost:
        return message("{player} wins, with {points} Fleet Points each.", player=winner, points=won)
    return message("{player} wins, {points} Fleet Points to {other}.", player=winner, points=won, other=lost)


def stored_report(match: TableState) -> ResultInput | None:
    """The stored result as input, None without one."""
    row = match.result
    return ResultInput(match.played, row.ruling, sp_ruling=row.sp_ruling) if row and match.played else None


def may_organize(request: HttpRequest, state: EventSlice) -> bool:
    """Whether this user is an organizer or owner here."""
    return access.role_at(request, state.event.store) in access.ORGANIZERS
