"""A round at the desk: paired, changed by hand, published, timed, closed."""

import secrets
from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tourney import access
from tourney.actions import rounds
from tourney.actions.missing import FleetsMissing
from tourney.actions.record import Refused, Stale
from tourney.domain import swiss
from tourney.domain.verbs import facts_of
from tourney.forms.by_hand import ByHandForm
from tourney.forms.rounds import ChoiceForm, ExtendForm, PairForm, PublishForm
from tourney.models import Event, Round
from tourney.queries import choices, public
from tourney.queries.by_hand import board_of
from tourney.queries.choices import PairingChoice
from tourney.queries.clock import clock_of
from tourney.queries.history import last_step_of
from tourney.queries.matches import RoundState
from tourney.queries.missing import missing_fleets
from tourney.queries.shared import staff_state
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import message
from tourney.views import frame, parts, responses
from tourney.views.factions import asked_factions


@login_required
@require_POST
def pair(request: HttpRequest, slug: str) -> HttpResponse:
    """Draft the round that the person meant; the seed is drawn here, stored, and shown (rule 3.1)."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = PairForm(request.POST)
    if not form.is_valid():
        return redirect("desk", slug)
    number = form.cleaned_data["number"]
    try:
        rounds.pair_round(event, seed=secrets.randbelow(2**31), number=number, by=responses.actor_of_request(request))
    except Refused as error:
        return _refused(request, event, error)
    return redirect("round", slug, number)


@login_required
@require_safe
def round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The draft of a round with everything that can be done to it; or the round as it is played, or was."""
    event = access.event_for(request, slug, *access.DESK)
    state = staff_state(event)
    return show_round(request, state, _round_of(state, number))


@login_required
@require_POST
def discard(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Discard the draft."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    try:
        rounds.discard_draft(event, number, by=responses.actor_of_request(request))
    except Refused as error:
        return _refused(request, event, error)
    messages.success(request, str(message("The draft of round {number} is discarded. No one saw it.", number=number)))
    return redirect("desk", slug)


@login_required
@require_POST
def choose(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Rule 3.7: the draft cannot keep everything, and the desk chooses what is to give way, or to stop."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        return _refused(request, event, Refused(message("Choose one of the options shown with the draft.")))
    choice, by = form.cleaned_data["choice"], responses.actor_of_request(request)
    try:
        if choice == ChoiceForm.STOP:
            rounds.discard_draft(event, number, by=by, stop=True)
        else:
            rounds.choose(event, number, PairingChoice(choice), by=by)
    except Refused as error:
        return _refused(request, event, error)
    if choice == ChoiceForm.STOP:
        messages.success(
            request, str(message("Round {number} won’t be played. These would be the final ranks.", number=number))
        )
        return redirect("finish", slug)
    messages.success(
        request, str(message("Round {number} is drafted again as you chose. No one has seen it yet.", number=number))
    )
    return redirect("round", slug, number)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the draft to everybody."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    seen = PublishForm(request.POST).seen
    try:
        rounds.publish_round(event, number, by=responses.actor_of_request(request), without=seen)
    except FleetsMissing as error:
        return show_round(request, *_state_and_round(event, number), refused=error.reasons, status=409)
    except Refused as error:
        return _refused(request, event, error)
    messages.success(
        request, str(message("Round {number} is published. Start the clock when everyone is seated.", number=number))
    )
    return redirect("desk", slug)


@login_required
@require_POST
def clock(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Start, pause or extend the clock of the round."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    do, by = request.POST.get("do"), responses.actor_of_request(request)
    try:
        if do == "start":
            rounds.start_clock(event, number, by=by)
        elif do == "pause":
            rounds.pause_clock(event, number, by=by)
        else:
            form = ExtendForm(request.POST)
            if not form.is_valid():
                return show_round(request, *_state_and_round(event, number), extend=form, status=422)
            try:
                rounds.extend_clock(event, number, by=by, **form.cleaned_data)
            except Stale as error:
                form.add_error(None, list(error.reasons))
                return show_round(request, *_state_and_round(event, number), extend=form, status=409)
    except Refused as error:
        return _refused(request, event, error)
    if request.POST.get("back") == "round":
        return redirect("round", slug, number)
    return redirect("desk", slug)


@login_required
def close(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What the round still waits for, its dice and its points; and the button that closes it."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state, shown = _state_and_round(event, number)
    if request.method != "POST":
        if shown.state == Round.State.DRAFT:
            return redirect("round", slug, number)
        return _show_close(request, state, shown)
    try:
        rounds.close_round(event, number, by=responses.actor_of_request(request))
    except Refused as error:
        return _show_close(request, *_state_and_round(event, number), refused=error.reasons, status=409)
    messages.success(request, str(message("Round {number} is closed.", number=number)))
    return redirect("desk", slug)


def _state_and_round(event: Event, number: int) -> tuple[EventState, RoundState]:
    state = state_of(event)
    return state, _round_of(state, number)


def _round_of(state: EventState, number: int) -> RoundState:
    shown = state.round(number)
    if shown is None:
        raise Http404
    return shown


def show_round(
    request: HttpRequest,
    state: EventState,
    shown: RoundState,
    *,
    moving: ByHandForm | None = None,
    extend: ExtendForm | None = None,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The page of a round; `moving` is a change by hand that is not done yet, `extend` minutes that are wrong."""
    is_draft, in_play = shown.state == Round.State.DRAFT, shown.state == Round.State.PUBLISHED
    if extend:
        frame.autofocus_first_error(extend, "minutes")
    tables = frame.tables_of(state, shown)
    context = frame.desk_context(
        request,
        state,
        "round",
        round=shown,
        refused=refused,
        tables=tables,
        listed=parts.parts_of(request, state, ("round", shown.number), tables, frame.fits),
        sign_off=frame.sign_off_of(tables),
        is_last=shown is state.last_round,
        relaxed=rounds.relaxed_sentences(state, shown),
        ways=choices.ways(state, shown) if is_draft else (),
        forecast=choices.forecast(state, shown) if is_draft and shown.number > 1 else "",
        promise=swiss.promise(_seated(shown), state.event.rounds_planned) if shown.number == 1 else "",
        clock=clock_of(shown.row, state.event.minutes, timezone.now()) if in_play else None,
        extend=extend or ExtendForm(),
        missing=len(shown.missing) + len(shown.tied),
        **(_by_hand(request, state, shown, moving) if is_draft else {}),
    )
    shown_alone = ("draft", "pairings") if is_draft else ("pairings",)
    return responses.show(request, "desk/round.html", context, parts=shown_alone, status=status)


def _by_hand(
    request: HttpRequest, state: EventState, draft: RoundState, moving: ByHandForm | None
) -> dict[str, object]:
    """What the board of a draft needs: what is wrong with it, or missing, who is picked, and what can be taken back."""
    last = last_step_of(state.event)
    chosen = moving.data.get("who", "") if moving and moving.is_asked_why else request.GET.get("pick", "")
    return {
        "board": board_of(state, draft),
        "moving": moving,
        "missing_fleets": missing_fleets(state),
        **asked_factions(state),
        "picked": next((one for one in state.entrants if str(one.number) == chosen), None),
        "last": last if last and facts_of(last.did).is_by_hand else None,
    }


def _seated(shown: RoundState) -> int:
    return sum(len(match.numbers) for match in shown.matches)


def _show_close(
    request: HttpRequest, state: EventState, shown: RoundState, *, refused: Sequence[str] = (), status: int = 200
) -> HttpResponse:
    is_last = shown is state.last_round
    context = frame.desk_context(
        request,
        state,
        "round",
        round=shown,
        refused=refused,
        to_do=frame.to_do(state) if is_last else (),
        rolled=public.roll_offs_of(state, shown.number),
        averaged=[
            (state.by_number[number], score)
            for number, score in shown.scores.items()
            if score.outcome in ("bye", "no-show win")
        ],
        tables=frame.tables_of(state, shown),
    )
    return responses.show(request, "desk/close.html", context, status=status)


def _refused(request: HttpRequest, event: Event, error: Refused) -> HttpResponse:
    back = reverse("desk", args=[event.slug])
    return responses.refused(request, error, store=event.store, event=event, back=back)
