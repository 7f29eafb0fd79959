"""The tables of the room at the desk, and a match that goes to another one (rule 3.11)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tourney import access
from tourney.actions import tables as actions
from tourney.actions.record import Refused
from tourney.domain.tables import Needs
from tourney.forms.tables import MoveForm, TablesForm
from tourney.models import Entrant, Round
from tourney.queries.matches import MatchState
from tourney.queries.state import EventState, state_of
from tourney.queries.tables import in_words, needs_in, tables_needed, tables_of
from tourney.runtime.messages import Message, message, said
from tourney.views import frame, responses
from tourney.views.results.one_table import match_or_404


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A table to go to: its number and name, and who sits there now."""

    number: int
    name: str
    match: MatchState | None


@login_required
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Names, marks and number of the tables, for the rounds to come; and who needs what of them."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    form = TablesForm(
        responses.posted(request),
        tables=tables_of(event),
        other_tables=event.other_tables,
        suggested=tables_needed(state),
    )
    refused: Sequence[str] = ()
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                actions.change_tables(
                    event, form.tables, form.cleaned_data["other_tables"], by=responses.actor_of_request(request)
                )
            except Refused as error:
                status, refused = 409, error.reasons
            else:
                messages.success(request, str(message("Tables saved. They apply to rounds paired from now on.")))
                return redirect("tables", slug)
    context = frame.desk_context(request, state, "settings", form=form, refused=refused, needs=_needs(state))
    return responses.show(request, "desk/tables.html", context, status=status)


@login_required
def move_table(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Where a match can go: free tables, and those whose players would come here."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    match = match_or_404(state, number, table)
    form = MoveForm(responses.posted(request))
    refused: Sequence[str] = ()
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            to = form.cleaned_data["to"]
            try:
                actions.move_table(event, number, table, to, by=responses.actor_of_request(request))
            except Refused as error:
                status, refused = 409, error.reasons
            else:
                messages.success(request, str(_done(match, to)))
                return redirect("round", slug, number)
    context = frame.desk_context(
        request,
        state,
        "round",
        round=state.round(number),
        match=match,
        choices=_choices(state, match),
        form=form,
        refused=refused,
    )
    return responses.show(request, "desk/move_table.html", context, status=status)


def _done(match: MatchState, to: int) -> Message:
    names = [entrant.player.name for entrant in match.entrants]
    if match.round.state == Round.State.DRAFT:
        return message("{players} move to table {table}.", players=names, table=to)
    return message("{players} move to table {table}. Their phones and the screens show it.", players=names, table=to)


def _choices(state: EventState, match: MatchState) -> list[TableChoice]:
    """The store's open tables, those in use, and one more; the free ones first."""
    room, round = tables_of(state.event), state.rounds[match.round.number - 1]
    used = {one.table for one in round.tables}
    closed = {table.number for table in room if table.closed}
    numbers = {table.number for table in room} | used | {max(used) + 1}
    found = [
        TableChoice(number, state.table_names.get(number, ""), round.match_at(number))
        for number in sorted(numbers - closed - {match.table})
    ]
    return sorted(found, key=lambda choice: choice.match is not None)


def _needs(state: EventState) -> list[tuple[Entrant, str]]:
    """Who of this event needs something, in words."""
    needs = needs_in(state)
    return [(one, said(in_words(needs[one.number]))) for one in state.entrants if needs[one.number] != Needs()]
