"""A penalty of an earlier round, given or taken back: its effect is shown first, and saved as it was shown."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from tourney.actions.corrections import Lifting, Penalizing, do_if_still_as_shown
from tourney.actions.record import Stale
from tourney.forms.corrections import CorrectionForm
from tourney.models import Penalty
from tourney.queries.corrections import Grade, grade_of
from tourney.queries.matches import MatchState
from tourney.queries.repairs import AS_IT_IS
from tourney.queries.rulings import penalty_in_words, points_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, message
from tourney.views import frame, responses
from tourney.views.effects import asked_about, moved_in_words, weighed_context

type PenaltyChange = Penalizing | Lifting

REASON = message("asked for by the desk")


def shown_or_saved(
    request: HttpRequest, state: EventState, match: MatchState, doing: PenaltyChange
) -> HttpResponse | None:
    """The page with the effect of an earlier round's penalty; None once it is done. Raises Refused."""
    grade = grade_of(state, match.round.number)
    if grade is Grade.PLAIN:
        doing.act(AS_IT_IS, responses.actor_of_request(request))(state.event)
        return None
    asked = _asked(request, state, grade, doing)
    if "confirm" not in request.POST:
        asked.is_valid()
        return _show(request, state, match, asked, doing)
    if not asked.is_valid():
        return _show(request, state, match, asked, doing, is_sent=True, status=422)
    try:
        effect = do_if_still_as_shown(
            state.event, _why(doing, asked), asked.repair, expected=asked.seen, by=responses.actor_of_request(request)
        )
    except Stale as error:
        state = state_of(state.event)
        if _is_done(state, doing):
            return None
        asked = _asked(request, state, grade, doing)
        return _show(request, state, match, asked, doing, refused=error.reasons, status=409)
    if effect.moved:
        messages.success(request, str(moved_in_words(state, effect)))
    return None


def _asked(request: HttpRequest, state: EventState, grade: Grade, doing: PenaltyChange) -> CorrectionForm:
    return asked_about(request, state, grade, ask_reason=isinstance(doing, Lifting))


def _why(doing: PenaltyChange, asked: CorrectionForm) -> PenaltyChange:
    """With the reason of taking it back, as far as it is typed."""
    if isinstance(doing, Penalizing):
        return doing
    return Lifting(doing.number, doing.penalty, asked["reason"].value() or str(REASON))


def _is_done(state: EventState, doing: PenaltyChange) -> bool:
    """Whether it was pressed twice, or two people did the same."""
    round = state.round(doing.number)  # None if the event went back to before it
    given = [one.row for one in round.penalties] if round else []
    if isinstance(doing, Lifting):
        return doing.penalty not in [row.pk for row in given]
    wanted = (doing.entrant, doing.battle_points, doing.fleet_points, doing.reason)
    return wanted in [(row.entrant.number, row.battle_points, row.fleet_points, row.reason) for row in given]


def _show(
    request: HttpRequest,
    state: EventState,
    match: MatchState,
    asked: CorrectionForm,
    doing: PenaltyChange,
    *,
    is_sent: bool = False,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    if not is_sent:
        asked.errors.clear()
    before, after = _in_words(state, doing)
    context = frame.desk_context(
        request,
        state,
        "",
        match=match,
        refused=refused,
        before=before,
        after=after,
        is_lifted=isinstance(doing, Lifting),
        reason=doing.reason,
        action=_action(state, doing),
        **weighed_context(request, state, _why(doing, asked), asked),
    )
    parts = {"ways": "desk/correction.html"}
    return responses.show(request, "desk/penalty.html", context, parts=parts, status=status)


def _action(state: EventState, doing: PenaltyChange) -> Message:
    """What the button does."""
    if isinstance(doing, Lifting):
        return message("Remove penalty")
    return penalty_in_words(state.names[doing.entrant], doing.battle_points, doing.fleet_points)


def _in_words(state: EventState, doing: PenaltyChange) -> tuple[Message | str, Message]:
    """What counts until now, and what would count then."""
    if isinstance(doing, Lifting):
        one = next(one for one in state.rounds[doing.number - 1].penalties if one.row.pk == doing.penalty)
        points = points_of(one.row)
        name = str(one.entrant)
        return (
            message("{player} gets {points}: {reason}", player=name, points=points, reason=one.row.reason),
            message("{player} no longer gets {points}.", player=name, points=points),
        )
    points = points_of(Penalty(battle_points=doing.battle_points, fleet_points=doing.fleet_points))
    return "", message("{player} gets {points} (rule 2.12).", player=state.names[doing.entrant], points=points)
