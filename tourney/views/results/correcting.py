"""A correction of an earlier round: everything it changes is shown, with what can be done about later tables."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from tourney.actions.corrections import Correction, do_if_still_as_shown
from tourney.actions.record import Stale
from tourney.forms.corrections import CorrectionForm
from tourney.forms.results import ResultForm
from tourney.queries.corrections import grade_of
from tourney.queries.matches import TableState
from tourney.queries.results import preview
from tourney.queries.state import EventState, state_of
from tourney.views import frame, responses
from tourney.views.effects import asked_about, moved_in_words, weighed_context
from tourney.views.results.shown import verdict


def shown_or_saved(request: HttpRequest, state: EventState, match: TableState, form: ResultForm) -> HttpResponse | None:
    """The page with the effect of the correction; None once it is saved as it was shown. Raises Refused."""
    grade = grade_of(state, match.round.number)
    asked = asked_about(request, state, grade)
    doing = Correction(
        match.round.number,
        match.table,
        form.report(),
        form.version_seen,
        form.cleaned_data.get("reason", ""),
        form.players_seen,
    )
    if "confirm" not in request.POST:
        asked.is_valid()
        return _show(request, state, match, asked, doing)
    if not asked.is_valid():
        return _show(request, state, match, asked, doing, is_sent=True, status=422)
    try:
        effect = do_if_still_as_shown(
            state.event, doing, asked.repair, expected=asked.seen, by=responses.actor_of_request(request)
        )
    except Stale as error:
        state = state_of(state.event)
        round = state.round(match.round.number)
        now = round.match_at(match.table) if round else None
        if now is None or now.version != form.version_seen:
            raise
        return _show(request, state, now, asked_about(request, state, grade), doing, refused=error.reasons, status=409)
    if effect.moved:
        messages.success(request, str(moved_in_words(state, effect)))
    return None


def _show(
    request: HttpRequest,
    state: EventState,
    match: TableState,
    asked: CorrectionForm,
    doing: Correction,
    *,
    is_sent: bool = False,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    if not is_sent:
        asked.errors.clear()
    context = frame.desk_context(
        request,
        state,
        "",
        match=match,
        refused=refused,
        before=verdict(state, match, match.score) if match.score else "",
        after=verdict(state, match, preview(state, match, doing.report)),
        reason=doing.reason,
        **weighed_context(request, state, doing, asked),
    )
    return responses.show(request, "desk/correction.html", context, parts=("ways",), status=status)
