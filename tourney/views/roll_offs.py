"""Roll-offs: at a table, in the standings, between factions (rule 4)."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring.domain.factions import FactionLine
from scoring.domain.standings import Standing
from tourney import access
from tourney.actions import roll_offs as actions
from tourney.actions.record import Refused
from tourney.domain.progress import names_of
from tourney.forms.roll_offs import RollForm
from tourney.models import Entrant, RollOff
from tourney.queries.matches import TableState
from tourney.queries.roll_offs import Rolling, rolling_of, tied_groups, ties_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, in_a_row, message
from tourney.views import frame, responses
from tourney.views.results.one_table import go_on_after, match_or_404, show_result
from tourney.views.results.shown import verdict, why_read_only

KINDS = (RollOff.Kind.STANDING, RollOff.Kind.FACTION)


@dataclass(frozen=True, slots=True)
class Tied:
    """One of the players who roll: their rank now, and the points that are tied (in a faction's case, its sums)."""

    entrant: Entrant
    rank: int
    battle_points: int
    fleet_points: int


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def table_roll_off(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Dice at a table that is tied (rule 2.7); the page of the table shows them."""
    event = access.event_for(request, slug, *access.DESK)
    state = state_of(event)
    match = match_or_404(state, number, table)
    if request.method != "POST":
        return redirect("result", slug, number, table)
    if why := why_read_only(request, state, match):
        return show_result(request, state, match, refused=[why], status=409)
    group = tuple(sorted(match.numbers))
    wrong, refusal = _roll(request, state, number, rolling_of(state, number, RollOff.Kind.TABLE, group))
    state = state_of(event)
    match = match_or_404(state, number, table)
    if refusal:
        return show_result(request, state, match, refused=(*refusal.reasons, *_typed(request, state)), status=409)
    if wrong:
        return show_result(request, state, match, roll_form=wrong, status=422)
    return _go_on_at_table(request, state, match)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def roll_off(request: HttpRequest, slug: str, number: int, kind: str, group: str) -> HttpResponse:
    """A tie in the standings after a round, or between the best players of level factions (rule 5.3)."""
    event = access.event_for(request, slug, *access.DESK)
    state = state_of(event)
    tied = _group_or_404(state, number, kind, group)
    if request.method != "POST":
        return _show(request, state, number, kind, tied)
    wrong, refusal = _roll(request, state, number, rolling_of(state, number, kind, tied))
    if refusal:
        reasons = (*refusal.reasons, *_typed(request, state))
        return _show(request, state_of(event), number, kind, tied, refused=reasons, status=409)
    if wrong:
        return _show(request, state, number, kind, tied, wrong, status=422)
    return redirect(request.path)


def _group_or_404(state: EventState, number: int, kind: str, text: str) -> tuple[int, ...]:
    """The players of "3-5-8": two or more entrants of the event, ascending, after a round that was published."""
    group = tuple(entrant for entrant in state.by_number if str(entrant) in text.split("-"))
    published = number in [round.number for round in state.public_rounds]
    if len(group) < 2 or text != "-".join(map(str, sorted(group))) or kind not in KINDS or not published:
        raise Http404
    return tuple(sorted(group))


def _roll(
    request: HttpRequest, state: EventState, number: int, rolling: Rolling
) -> tuple[RollForm | None, Refused | None]:
    """Roll by software, or take the roll that was typed. What went wrong: the form that is invalid, or a refusal."""
    tie, by = (state.event, number, rolling.kind, rolling.group), responses.actor_of_request(request)
    if "all" in request.POST and (ties := ties_of(state, number)):
        return None, _roll_all(request, state, number, ties)
    if rolling.group not in tied_groups(state, number, rolling.kind):
        return None, _refusal(actions.roll_dice, *tie, {}, by=by)
    if "software" in request.POST:
        return None, _refusal(actions.roll_by_software, *tie, seed=secrets.token_hex(8), by=by)
    form = RollForm(request.POST, levels=rolling.still_tied, names=state.names, roll=rolling.next_roll)
    if not form.is_valid():
        return form, None
    return None, _refusal(actions.roll_dice, *tie, form.counts, roll=form.cleaned_data["roll"], by=by)


def _roll_all(
    request: HttpRequest, state: EventState, number: int, ties: Sequence[tuple[str, tuple[int, ...]]]
) -> Refused | None:
    """Roll all of them by software, each from its own seed, and say what the dice decided."""
    seeds, by = {tie: secrets.token_hex(8) for tie in ties}, responses.actor_of_request(request)
    refusal = _refusal(actions.roll_all_by_software, state.event, number, seeds, by=by)
    if refusal is None:
        rolled = state_of(state.event)
        decided = [rolling_of(rolled, number, *tie).outcome for tie in ties]
        messages.success(request, str(in_a_row([one for one in decided if one])))
    return refusal


def _typed(request: HttpRequest, state: EventState) -> list[Message]:
    """The dice that were typed and are not saved, in a sentence, so that nothing is lost."""
    counts = {name: request.POST.get(f"count_{number}", "").strip() for number, name in state.names.items()}
    typed = [f"{name} {count}" for name, count in counts.items() if count]
    return [message("You typed {rolls}.", rolls=typed)] if typed else []


def _refusal(action: Callable[..., None], *facts: object, **more: object) -> Refused | None:
    try:
        action(*facts, **more)
    except Refused as error:
        return error
    return None


def _go_on_at_table(request: HttpRequest, state: EventState, match: TableState) -> HttpResponse:
    """To the next table when the dice are on the table anyway; to the dice when they are on the screen, or level."""
    if match.state == "tied" or "software" in request.POST or "all" in request.POST:
        return redirect("result", state.event.slug, match.round.number, match.table)
    if match.score:
        told = message("Table {table}: {verdict}", table=match.table or 0, verdict=verdict(state, match, match.score))
        messages.success(request, str(told))
    return redirect(go_on_after(state.event, match))


def _show(
    request: HttpRequest,
    state: EventState,
    number: int,
    kind: str,
    group: tuple[int, ...],
    form: RollForm | None = None,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    dice = rolling_of(state, number, kind, group)
    may_roll = not state.is_finished and group in tied_groups(state, number, kind)
    if may_roll and form is None:
        form = RollForm(levels=dice.still_tied, names=state.names, roll=dice.next_roll)
    context = frame.desk_context(
        request,
        state,
        "round",
        number=number,
        kind=kind,
        dice=dice,
        dice_url=request.path,
        roll_form=form if may_roll else None,
        may_roll=may_roll,
        names=names_of([state.names[entrant] for entrant in group]),
        tied=_tied(state, number, kind, group),
        next=None if may_roll else frame.next_after(request, state, number),
        **frame.other_ties(state, number, kind, group),
        **more,
    )
    return responses.show(request, "desk/roll_off.html", context, status=status)


def _tied(state: EventState, number: int, kind: str, group: Sequence[int]) -> list[Tied]:
    lines: dict[int, Standing | FactionLine] = {line.id: line for line in state.standings(number)}
    if kind == RollOff.Kind.FACTION:
        lines = {line.champion: line for line in state.faction_lines(number)}
    found = sorted((lines[entrant].rank, entrant) for entrant in group if entrant in lines)
    return [
        Tied(state.by_number[entrant], rank, lines[entrant].battle_points, lines[entrant].fleet_points)
        for rank, entrant in found
    ]
