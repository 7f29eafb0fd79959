"""The desk: what to do next, the event's end and re-opening, its settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.domain.factions import FactionLine, victorious
from scoring.domain.pack import BEST_OF_EACH_FACTION
from tourney import access
from tourney.actions import events, rounds
from tourney.actions.dry_run import tried
from tourney.actions.record import Refused, refuse_if_finished
from tourney.domain import swiss
from tourney.domain.verbs import Verb, facts_of
from tourney.forms.entrants import OneForm
from tourney.forms.events_settings import EventSettingsForm, FinishForm, ReopenForm
from tourney.forms.rounds import ExtendForm
from tourney.models import Event, JournalEntry, Role, RollOff, Round
from tourney.queries import public
from tourney.queries.clock import Clock, clock_of
from tourney.queries.finale import next_of
from tourney.queries.history import LatelyDone, lately_done
from tourney.queries.next_month import month_after, played_before
from tourney.queries.packs import asks_bonuses, may_type_bonuses
from tourney.queries.players import known_players
from tourney.queries.shared import staff_state
from tourney.queries.state import EventState, state_of
from tourney.queries.tokens import desk_token_of, token_of
from tourney.queries.wishes import wishes_of
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message
from tourney.views import frame, parts, rehearsal, responses
from tourney.views.event import ranks_context
from tourney.views.factions import asked_factions
from tourney.views.player_lines import lines_of

PARTS = dict.fromkeys(("now", "pairings", "clock", "side"), "desk/desk.html") | dict.fromkeys(
    ("rehearsal", "findings"), "rehearsal/panel.html"
)
RECENT = 5


@dataclass(frozen=True, slots=True)
class Headcount:
    """How many are registered, here, not checked in, gone, and waiting for a place."""

    registered: int
    present: int
    waiting: int
    dropped: int
    queued: int


@dataclass(frozen=True, slots=True)
class DeskSide:
    """Beside what is next: who plays, who leads after the rounds that are `complete`, and what was done last.

    Until a round is drawn (`is_before`), the players themselves are listed, and how others register stands here.
    """

    head: Headcount
    is_before: bool
    complete: int
    leader: FactionLine | None
    entries: tuple[JournalEntry, ...]


@login_required
@require_safe
@responses.live(*access.DESK)
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """One page that always shows what to do next."""
    state = staff_state(event)
    shown = state.public_rounds[-1] if state.public_rounds else None
    tables = frame.tables_of(state, shown) if shown else []
    cases, is_judge = frame.judge_cases(state), access.role_at(request, event.store) == Role.JUDGE
    context = frame.desk_context(
        request,
        state,
        "desk",
        step=state.next_step,
        to_do=state.memoized("to_do", lambda: _to_do(state)),
        head=head_of(state),
        is_all_in=_is_all_in(request, state),
        promise=_promise(state),
        shown=shown,
        results_in=len(shown.tables) - len(shown.missing) if shown else 0,
        listed=parts.parts_of(request, state, ("desk", shown.number), tables, frame.fits) if shown else None,
        **_check_in(request, state),
        cases=cases,
        is_judge=is_judge,
        loud="button-quiet" if is_judge and cases else "button-signal",
        desk_token=state.memoized("desk_token", lambda: desk_token_of(state)),
        wishes=state.memoized("wishes", lambda: tuple(one for one in wishes_of(state) if one.kind == "asked")),
        sign_off=frame.sign_off_of(tables),
        clock=_clock(state),
        extend=ExtendForm(),
        asks_bonuses=state.memoized("asks_bonuses", lambda: asks_bonuses(state)),
        **asked_factions(state),
        side=_side_of(state),
        next_month=month_after(event) if state.is_finished or event.is_canceled else None,
        **_ended(state),
        before=played_before(state),
        **_last_step(state),
        **rehearsal.panel(state),
        **{f"{part}_tag": responses.live_tag(request, event, part) for part in PARTS},
    )
    return responses.show(request, "desk/desk.html", context, parts=PARTS)


def _ended(state: EventState) -> dict[str, object]:
    """The podium and the next date, once the ranks are final."""
    if not state.is_finished:
        return {}
    ranks = ranks_context(state, len(state.complete_rounds))
    coming = {"next": next_of(state, timezone.now())}
    return {"podium": ranks["podium"], "victorious": ranks["victorious"], "coming": coming}


def _to_do(state: EventState) -> tuple[frame.ToDo, ...]:
    """What the last round waits for; while results are missing, none of the tables that are listed below."""
    return frame.corrected_to_do(state) if state.next_step.kind == "results" else frame.to_do(state)


def _check_in(request: HttpRequest, state: EventState) -> dict[str, object]:
    """Until round 1 is drawn, everybody registered, to be checked in here; and the form that adds one more."""
    if not state.is_before:
        return {"players": None}
    return {
        "players": parts.parts_of(request, state, "check-in", lines_of(state)),
        "one": OneForm(rules=state.event.rules),
        "known": partial(known_players, state.event),
    }


def _is_all_in(request: HttpRequest, state: EventState) -> bool:
    """Whether this answers the press that checked in the last of them: the next one is of the step that follows."""
    htmx = access.htmx_of(request)
    was_pressed = bool(htmx) and (htmx.trigger or "").startswith("check-")
    last = _lately_done(state).entries[:1]
    return was_pressed and not head_of(state).waiting and any(entry.did == Verb.CHECK_IN.value for entry in last)


def head_of(state: EventState) -> Headcount:
    """The numbers of players at the head of the desk. Memoized by the state."""
    return state.memoized("headcount", lambda: _head_of(state))


def _head_of(state: EventState) -> Headcount:
    here = state.present(len(state.rounds) + 1)
    return Headcount(
        registered=len(state.with_place),
        present=len(here),
        waiting=sum(not one.checked_in and one.dropped_from is None for one in state.with_place),
        dropped=sum(entrant.dropped_from is not None for entrant in state.entrants),
        queued=len(state.waiting_list),
    )


def _side_of(state: EventState) -> DeskSide:
    return state.memoized("desk_side", lambda: _made_side(state))


def _made_side(state: EventState) -> DeskSide:
    return DeskSide(
        head_of(state),
        state.is_before,
        len(state.complete_rounds),
        _leader(state),
        _lately_done(state).entries,
    )


def _last_step(state: EventState) -> dict[str, object]:
    """What can be taken back, and what that would mean."""
    last = _lately_done(state).last_step
    return {"last_step": last, "means": facts_of(last.did).undone} if last else {}


def _lately_done(state: EventState) -> LatelyDone:
    return state.memoized("lately_done", lambda: lately_done(state.event, RECENT))


def _promise(state: EventState) -> Message | None:
    """Rule 3.4 for who is here, until round 1 is drawn."""
    if state.rounds:
        return None
    return swiss.promise(len(state.present(1)), state.event.rounds_planned)


def _clock(state: EventState) -> Clock | None:
    number = frame.in_play(state)
    return clock_of(state.rounds[-1].row, state.event.minutes, timezone.now()) if number else None


def _leader(state: EventState) -> FactionLine | None:
    """The faction that leads after the last complete round, if exactly one does."""
    complete = len(state.complete_rounds)
    return victorious(state.faction_lines(complete)) if complete else None


@login_required
def finish(request: HttpRequest, slug: str) -> HttpResponse:
    """Rule 5: the final ranks, what is still open, and the button that makes them final."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    if event.is_finished and request.method != "POST":
        return redirect(event)
    asked = (request.POST if request.method == "POST" else request.GET).get("stop")
    state, end, stop = _as_it_would_end(request, event, asked)
    form = FinishForm(_posted(request), initial={"stop": stop})
    form.ask_reason(len(end.rounds) < event.rounds_planned)
    if request.method != "POST":
        return _show_finish(request, state, end, form)
    if not form.is_valid():
        return _show_finish(request, state, end, form, status=422)
    reason, instead_of = form.cleaned_data.get("reason", ""), form.cleaned_data["stop"]
    try:
        events.finish_event(event, by=responses.actor_of_request(request), reason=reason, instead_of=instead_of)
    except Refused as error:
        state, end, stop = _as_it_would_end(request, event, asked)
        form = FinishForm(initial={"stop": stop, "reason": reason})
        form.ask_reason(len(end.rounds) < event.rounds_planned)
        return _show_finish(request, state, end, form, refused=error.reasons, status=409)
    messages.success(request, str(message("The ranks are final.")))
    return redirect(event)


def _as_it_would_end(request: HttpRequest, event: Event, asked: object) -> tuple[EventState, EventState, int | None]:
    """The event as it is; as it would be finished; and the drafted round that would go, if one is `asked` to."""
    state = state_of(event)
    stop = _not_played(state, asked)
    try:
        return state, _without_draft(request, event, stop) if stop else state, stop
    except Refused:  # the draft was published or discarded this moment
        state = state_of(event)
        return state, state, None


def _not_played(state: EventState, number: object) -> int | None:
    """The drafted round that is not to be played (rule 3.7), if it is that; its draft stays until the event ends."""
    last = state.last_round
    if last is None or last.state != Round.State.DRAFT or last.number < 2:
        return None
    return last.number if str(number) == str(last.number) else None


def _without_draft(request: HttpRequest, event: Event, number: int) -> EventState:
    by = responses.actor_of_request(request).for_parts()
    return tried(event, lambda event: rounds.discard_draft(event, number, by=by, stop=True), lambda state: state)


def _show_finish(
    request: HttpRequest,
    state: EventState,
    end: EventState,
    form: FinishForm,
    *,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """`end` is the event as it would be finished: without the draft that is not to be played, or just as it is."""
    played = len(end.complete_rounds)
    table = public.rank_lines(end, played)
    factions = end.faction_lines(played) if played else ()
    with_awards = BEST_OF_EACH_FACTION in end.rules.awards
    context = frame.desk_context(
        request,
        state,
        "desk",
        form=form,
        refused=refused,
        stop=None if end is state else state.rounds[-1].number,
        open=_open_points(end),
        after=played,
        token=token_of(state),
        rounds_played=range(1, played + 1),
        lines=table,
        end=end,
        listed=parts.parts_of(request, end, ("finish", played), table),
        titles=[(line.standing.title, end.names[line.standing.id]) for line in table if line.standing.title],
        factions=factions,
        best=[(line.faction, end.names[line.champion]) for line in factions] if with_awards else [],
    )
    return responses.show(request, "desk/finish.html", context, parts=("ranks",), status=status)


def _open_points(state: EventState) -> list[frame.ToDo]:
    """What keeps the ranks from being final, each with its page (rules 4.4, 5.3)."""
    last = state.last_round
    if last is None:
        return [frame.ToDo(message("No round has been played yet"), reverse("desk", args=[state.event.slug]))]
    page = reverse("round", args=[state.event.slug, last.number])
    if last.state == Round.State.DRAFT:
        return [frame.ToDo(message("Round {number} is a draft: publish or discard it", number=last.number), page)]
    if len(state.complete_rounds) < len(state.rounds):
        return list(frame.to_do(state))
    groups = [(RollOff.Kind.STANDING, group) for group in state.ties(last.number)]
    if not groups and (champions := state.faction_tie(last.number)):
        groups = [(RollOff.Kind.FACTION, champions)]
    found = [frame.tie_to_do(state, last.number, *group) for group in groups]
    if last.state == Round.State.PUBLISHED:
        close = reverse("close", args=[state.event.slug, last.number])
        found.append(frame.ToDo(message("Round {number} isn’t closed yet", number=last.number), close))
    return found


@login_required
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a finished event again, with a reason."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    if not event.is_finished and request.method != "POST":
        return redirect("desk", slug)
    form = ReopenForm(_posted(request))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                events.reopen_event(event, by=responses.actor_of_request(request), reason=form.cleaned_data["reason"])
            except Refused as error:
                form.add_error(None, list(error.reasons))
                status = 409
            else:
                messages.success(request, str(message("Event reopened.")))
                return redirect("desk", slug)
    context = frame.desk_context(request, state_of(event), "desk", form=form)
    return responses.show(request, "desk/reopen.html", context, status=status)


@login_required
def event_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Name, time, rounds, minutes, SP limit and registration of the event; to be read only once it is finished."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = EventSettingsForm(_posted(request), initial=EventSettingsForm.facts_of(event))
    status, both = 200, []
    if request.method == "POST":
        status = 422
        if form.is_valid() or event.is_finished:
            try:
                refuse_if_finished(event)
                events.change_event(event, form.settings, by=responses.actor_of_request(request))
            except Refused as error:
                form.add_error(None, list(error.reasons))
                event.refresh_from_db()
                both = frame.both_versions(form, _settings_of(event))
                status = 409
            else:
                messages.success(request, str(message("Settings saved.")))
                return redirect("event_settings", slug)
    if form.is_bound:
        frame.autofocus_first_error(form, "name")
    state, facts = state_of(event), []
    if event.is_finished:
        days = {"date": written(event.starts_at, "full day"), "time": written(event.starts_at, "time")}
        facts = frame.read_only(_settings_of(event), days)
    types_bonuses = not event.is_finished and may_type_bonuses(event)
    context = frame.desk_context(
        request, state, "settings", form=form, both=both, facts=facts, types_bonuses=types_bonuses
    )
    return responses.show(request, "desk/settings.html", context, status=status)


def _settings_of(event: Event) -> EventSettingsForm:
    return EventSettingsForm(initial=EventSettingsForm.facts_of(event))


def _posted(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None
