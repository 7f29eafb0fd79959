"""The desk answers what came from phones: it takes one side's report, and grants or declines wishes."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from tourney import access
from tourney.actions import entrants, judge_calls, reports, wishes
from tourney.actions.missing import SheetsMissing
from tourney.actions.record import Refused, Stale
from tourney.forms.reports import DeclineForm, KeyForm
from tourney.forms.results import signing_in
from tourney.models import Event, Wish
from tourney.queries.slices import table_slice
from tourney.queries.state import state_of
from tourney.queries.wishes import wish_at
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.results.one_table import form_of_concession, go_on, match_or_404, show_result


@login_required
@require_POST
def take_report(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """What one side of the table reported becomes the result."""
    event = access.event_for(request, slug, *access.DESK)
    part, match = access.found(table_slice(event, number, table))
    form = KeyForm(request.POST)
    seen = form.cleaned_data["seen"] or 0 if form.is_valid() else 0
    try:
        by = responses.actor_of_request(request)
        score = reports.take(event, number, table, seen, by=by, signing=signing_in(request.POST))
    except SheetsMissing as error:
        state = state_of(event)
        match = match_or_404(state, number, table)
        return show_result(request, state, match, missing_sheets=error.missing, taking=seen, status=409)
    except Refused as error:
        state = state_of(event)
        return show_result(request, state, match_or_404(state, number, table), refused=error.reasons, status=409)
    return go_on(request, part, match, score)


@login_required
@require_POST
def answer_wish(request: HttpRequest, slug: str, wish: int) -> HttpResponse:
    """Let a player go after this round, or enter the concession; or say no to what was asked."""
    event = access.event_for(request, slug, *access.DESK)
    asked = access.found(wish_at(event, wish))
    form = DeclineForm(request.POST)
    words = form.cleaned_data["words"] if form.is_valid() else ""
    try:
        if request.POST.get("do") == "decline":
            wishes.decline(event, wish, words=words, by=responses.actor_of_request(request))
            messages.success(
                request, str(message("Declined. {player} sees it on their card.", player=str(asked.seat.entrant)))
            )
        elif request.POST.get("do") == "pass_on" and asked.kind == Wish.Kind.DROP:
            wishes.pass_on(event, wish, by=responses.actor_of_request(request))
            messages.success(
                request, str(message("Passed on. {player} sees it on their card.", player=str(asked.seat.entrant)))
            )
        elif asked.kind == Wish.Kind.CONCEDE:
            return _concede(request, event, asked)
        else:
            may = access.role_at(request, event.store) in access.ORGANIZERS
            access.found_or_404(may or None)
            by = responses.actor_of_request(request)
            first = entrants.drop(event, asked.seat.entrant.number, by=by, has_asked=True)
            messages.success(
                request,
                str(
                    message(
                        "{player} won’t be paired from round {number} on.", player=str(asked.seat.entrant), number=first
                    )
                ),
            )
    except Refused as error:
        return responses.refused(request, error, store=event.store, event=event, back=reverse("desk", args=[slug]))
    return redirect("desk", slug)


def _concede(request: HttpRequest, event: Event, asked: Wish) -> HttpResponse:
    """Rule 2.9: the concession is entered. What keeps it from that stands on the page of the table, to be resolved."""
    by, signing = responses.actor_of_request(request), signing_in(request.POST)
    try:
        part, match, score = wishes.approve_concession(event, asked.pk, by=by, signing=signing)
    except Stale:
        raise
    except Refused as error:
        return _at_its_table(request, event, asked, error)
    return go_on(request, part, match, score)


def _at_its_table(request: HttpRequest, event: Event, asked: Wish, error: Refused) -> HttpResponse:
    missing = error.missing if isinstance(error, SheetsMissing) else None
    refused = () if missing else error.reasons
    state = state_of(event)
    found = match_or_404(state, asked.seat.round.number, asked.seat.match.table or 0)
    form = form_of_concession(request, state, found, asked.seat.side)
    return show_result(request, state, found, form=form, missing_sheets=missing, refused=refused, status=409)


@login_required
@require_POST
def answer_call(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    """A judge is coming to a player who called one, or is done there; back to where that was said."""
    event = access.event_for(request, slug, *access.DESK)
    back = reverse("desk", args=[slug])
    if request.POST.get("back") == "judge":
        back = reverse("store_judge", args=[event.store.slug])
    by = responses.actor_of_request(request)
    try:
        if request.POST.get("do") == "done":
            player = judge_calls.end(event, call, by=by)
            said = message("{player}’s call for a judge is done.", player=str(player))
        else:
            player = judge_calls.answer(event, call, by=by)
            said = message("{player} sees that a judge is coming.", player=str(player))
    except Refused as error:
        return responses.refused(request, error, store=event.store, event=event, back=back)
    messages.success(request, str(said))
    return redirect(back)
