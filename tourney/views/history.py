"""The steps of an event at the desk: take the last one back, do it again, go back to a snapshot, prove the history."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tourney import access
from tourney.actions import history as actions
from tourney.actions.record import Refused
from tourney.domain.verbs import facts_of
from tourney.forms.history import RestoreForm, UndoForm
from tourney.models import Event, JournalEntry
from tourney.queries.history import compare, history_of, rows_at, snapshots_of, state_at, step_of, steps_kept
from tourney.queries.integrity import event_problems
from tourney.queries.journal import said_of
from tourney.queries.journal_chain import head_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, message
from tourney.views import frame, responses

IN_A_LINE = 9
"""So many words of a step are said above the page that names the next one: its button shall not move much."""


@login_required
@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """What can be taken back or done again, and the snapshots; `?prove` compares everything with the history."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    found = history_of(event)
    context = frame.desk_context(
        request,
        state_of(event),
        "history",
        last=found.last,
        means=facts_of(found.last.did).undone if found.last else "",
        next=found.next,
        snapshots=snapshots_of(event),
        done=found.steps.done,
        head=head_of(event.store),
        **(_proof(event) if "prove" in request.GET else {}),
    )
    return responses.show(request, "desk/history.html", context)


def _proof(event: Event) -> dict[str, object]:
    return {"proved": True, "problems": event_problems(event), "rows": len(rows_at(event))}


@login_required
@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the last step back, if it is still the one that was seen."""
    return _step(request, slug, actions.undo, lambda step: message("Undone: {step}", step=step))


@login_required
@require_POST
def redo(request: HttpRequest, slug: str) -> HttpResponse:
    """Redo what was undone last."""
    return _step(request, slug, actions.redo, lambda step: message("Redone: {step}", step=step))


def _step(request: HttpRequest, slug: str, act: Callable[..., None], done: Callable[[str], Message]) -> HttpResponse:
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = UndoForm(request.POST)
    access.found_or_404(form if form.is_valid() else None)
    try:
        act(event, form.cleaned_data["step"], by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=event.store, back=reverse("history", args=[slug]), event=event)
    what = said_of(form.cleaned_data["step"])
    messages.success(request, str(done(Truncator(what).words(IN_A_LINE).replace(".…", "…"))))
    return redirect(form.cleaned_data["back"] or "history", slug)


@login_required
def snapshot(request: HttpRequest, slug: str, entry: int) -> HttpResponse:
    """The event as it stood then beside another moment (now, unless `?with` names one); and the way back to it."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    then = access.found(step_of(event, entry))
    form = RestoreForm(responses.posted(request))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                actions.restore(event, then, by=responses.actor_of_request(request), reason=form.cleaned_data["reason"])
            except Refused as error:
                form.add_error(None, list(error.reasons))
                status = 409
            else:
                messages.success(request, _("The event was restored. You can undo this like any other step."))
                return redirect("history", slug)
    return _show_snapshot(request, event, then, form, status)


def _show_snapshot(
    request: HttpRequest, event: Event, then: JournalEntry, form: RestoreForm, status: int
) -> HttpResponse:
    now = state_of(event)
    snapshots = snapshots_of(event)
    other = next((one for one in snapshots if str(one.pk) == request.GET.get("with")), None)
    context = frame.desk_context(
        request,
        now,
        "history",
        then=then,
        other=other,
        snapshots=[one for one in snapshots if one != then],
        is_now=steps_kept(event).last() == then,
        compared=compare(state_at(event, then), _moment(event, other, now)),
        form=form,
    )
    return responses.show(request, "desk/snapshot.html", context, status=status)


def _moment(event: Event, entry: JournalEntry | None, now: EventState) -> EventState:
    return state_at(event, entry) if entry else now
