"""A fleet on the table, for its two players and the desk: tap what was destroyed (rules 2.3 to 2.6)."""

from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from scoring.domain.points import Ending, InvalidResult, Played, Side
from tourney import access
from tourney.actions import sign_off
from tourney.actions.record import Refused
from tourney.forms.destroyed import Lines
from tourney.models import Entrant, Event, ReportedBy, Round
from tourney.queries.matches import TableState
from tourney.queries.reports import reports_of
from tourney.queries.state import EventState, state_of
from tourney.queries.surviving import MarkedSheet, fleets_at, marked_sheet
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.event import frame_context, own_entrant
from tourney.views.results.shown import verdict, verdict_for


class MarksForm(forms.Form):
    """What is ticked on a sheet, and what was ticked when the page was made."""

    destroyed = Lines(required=False)
    seen = forms.CharField(required=False)

    @property
    def lines(self) -> frozenset[int]:
        """The ids of the lines that are ticked."""
        ticked: frozenset[int] = self.cleaned_data["destroyed"]
        return ticked

    @property
    def lines_seen(self) -> frozenset[int]:
        """The ids of the lines that were ticked on the page before."""
        return Lines().clean(self.cleaned_data["seen"].split())


@dataclass(frozen=True, slots=True)
class FleetAtTable:
    """A fleet of the table: whose, what is left of it, and what that gives the opponent. `sheet` may be missing."""

    owner: Entrant
    opponent: Entrant
    url: str
    sheet: MarkedSheet | None
    seen: str
    base: int

    @property
    def fleet_points(self) -> int:
        """Rule 2.2, without bonuses; 0 without a sheet."""
        return self.base - self.sheet.sp_left if self.sheet else 0


@require_http_methods(["GET", "HEAD", "POST"])
@responses.live()
def destroyed(request: HttpRequest, event: Event, round: int, number: int) -> HttpResponse:
    """The fleet of an entrant in that round; each tap is saved."""
    state = state_of(event)
    match = _match_or_404(request, state, round, number)
    if request.method == "POST":
        return _save(request, state, match, number)
    fleets = _fleets(state, match)
    fleet = next(one for one in fleets if one.owner.number == number)
    context = frame_context(
        request,
        state,
        "me",
        match=match,
        fleets=fleets,
        fleet=fleet,
        read_only=_why_read_only(state, match),
        as_it_stands=_as_it_stands(request, state, match, fleets),
        **_reporting(request, state, match),
        tag=responses.live_tag(request, event, "sheet"),
    )
    return responses.show(request, "event/destroyed.html", context, parts=("sheet", "score"))


def _match_or_404(request: HttpRequest, state: EventState, round: int, number: int) -> TableState:
    """The match of that player in a published round, for those who sit there, and for the desk."""
    found = access.found(next((one for one in state.public_rounds if one.number == round), None))
    match = found.match_of(number)
    if not isinstance(match, TableState):
        raise Http404
    if access.role_at(request, state.event.store) not in access.DESK:
        viewer = own_entrant(request, state)
        access.found_or_404(viewer if viewer and viewer.number in match.numbers else None)
    return match


def _save(request: HttpRequest, state: EventState, match: TableState, number: int) -> HttpResponse:
    event, form = state.event, MarksForm(request.POST)
    if form.is_valid():
        player = access.player_at(request, event.store)
        by = (
            responses.actor_of_request(request)
            if request.user.is_authenticated or not player
            else responses.actor_of_player(player)
        )
        try:
            sign_off.mark_destroyed(event, match.round.number, number, form.lines, by=by, base=form.lines_seen)
        except Refused as error:
            if not access.htmx_of(request):  # there the page itself says it, as soon as it asks again
                messages.warning(request, str(error))
    return redirect("destroyed", event.slug, match.round.number, number)


def _fleets(state: EventState, match: TableState) -> list[FleetAtTable]:
    """Both fleets of the table with their marks, in the order of the seats."""
    found = []
    for side, (entrant, row) in enumerate(zip(match.entrants, fleets_at(state, match), strict=True)):
        marks = match.destroyed[side]
        found.append(
            FleetAtTable(
                owner=entrant,
                opponent=match.entrants[1 - side],
                url=reverse("destroyed", args=[state.event.slug, match.round.number, entrant.number]),
                sheet=marked_sheet(row, marks) if row else None,
                seen=" ".join(map(str, sorted(marks))),
                base=state.rules.base,
            )
        )
    return found


def _why_read_only(state: EventState, match: TableState) -> str:
    """Why nothing can be marked any more, with the result; empty while the battle goes on."""
    if match.score is None:
        return ""
    result = verdict(state, match, match.score)
    if match.round.state != Round.State.PUBLISHED:
        return str(message("Round {round} is over: {result}", round=match.round.number, result=result))
    return str(message("Result entered: {result} Ask the desk to fix mistakes.", result=result))


def _reporting(request: HttpRequest, state: EventState, match: TableState) -> dict[str, object]:
    """Whether who holds this card reports the result of the table, and how far that is."""
    own = own_entrant(request, state)
    if own not in match.entrants or match.result or state.event.reported_by != ReportedBy.PLAYERS:
        return {"may_report": False}
    told = reports_of(state, [match])[match.table]
    return {"may_report": True, "report_status": told.kind_for(own.number)}


def _as_it_stands(request: HttpRequest, state: EventState, match: TableState, fleets: list[FleetAtTable]) -> str:
    """Who would win if time were called now, as soon as both fleets are marked; bonuses are not known here."""
    sheets = [fleet.sheet for fleet in fleets if fleet.sheet and fleet.sheet.is_marked]
    if match.score or len(sheets) < 2:
        return ""
    gone = [side for side in (0, 1) if sheets[side].is_eliminated]
    ending = {0: Ending.TIME, 1: Ending.ELIMINATION, 2: Ending.BOTH_ELIMINATED}[len(gone)]
    sides = Side(sheets[0].sp_left), Side(sheets[1].sp_left)
    try:
        _, score = state.scored(match, Played(ending, sides, out=gone[0] if len(gone) == 1 else None))
    except InvalidResult:
        return ""
    own = own_entrant(request, state)
    return str(verdict_for(match, score, own.number) if own in match.entrants else verdict(state, match, score))
