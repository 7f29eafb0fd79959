"""Arrivals and departures: who is late, leaves, is gone or comes back; each option with its effect, then one press."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tourney import access
from tourney.actions import arrivals as actions
from tourney.actions import entrants
from tourney.actions.arrivals import Decision
from tourney.actions.record import Refused, Stale
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment, Person
from tourney.forms.arrivals import DecisionForm, WalkInForm
from tourney.models import Entrant, Event
from tourney.queries.arrivals import (
    STAYS,
    ArrivalEffect,
    apart,
    as_it_is,
    fleet_left,
    open_round,
    options_of,
    person_of,
    rule,
    title,
)
from tourney.queries.matches import MatchState
from tourney.queries.players import entrant_named, known_players
from tourney.queries.state import EventState, state_of
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.letters import plain
from tourney.runtime.messages import Message, message
from tourney.views import frame, parts, responses

MOMENTS = {
    Moment.ARRIVES: message("Is here or on the way"),
    Moment.RETURNS: message("Comes back"),
    Moment.LATE: message("Isn’t at the table yet"),
    Moment.DROPS_LATER: message("Leaves after this round"),
    Moment.DROPS_NOW: message("Left or must leave now"),
}


@dataclass(frozen=True, slots=True)
class OptionView:
    """An option on a page: its title, its rule, and its effect; or why it cannot be done now."""

    option: ArrivalOption
    title: Message
    rule: Message | None
    effect: ArrivalEffect | None = None
    reasons: tuple[str, ...] = ()

    @property
    def stays(self) -> Message | None:
        """What stays as it is with this option, in a sentence; None where nothing needs saying."""
        return STAYS.get(self.option.moment)


@dataclass(frozen=True, slots=True)
class Group:
    """The options for one thing that happened; what they all change alike stands in `shared`, not with each."""

    name: Message
    stays: Message | None
    shared: ArrivalEffect
    options: tuple[OptionView, ...]


@login_required
def arrivals(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody of the event by where they are, and somebody new who walks in."""
    if request.method != "POST":
        return _arrivals_now(request, slug)
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = WalkInForm(request.POST, rules=event.rules)
    if not form.is_valid():
        return _show_everybody(request, state_of(event), walk_in=form, status=422)
    try:
        registered = entrants.register(event, [form.person], by=responses.actor_of_request(request))
    except Refused as error:
        form.add_error(None, list(error.reasons))
        return _show_everybody(request, state_of(event), walk_in=form, status=409)
    found = registered.entrants[0] if registered.entrants else entrant_named(event, *registered.already)
    return redirect("arrival", slug, found.number)


@responses.live(*access.ORGANIZERS)
def _arrivals_now(request: HttpRequest, event: Event) -> HttpResponse:
    return _show_everybody(request, state_of(event))


def _show_everybody(
    request: HttpRequest, state: EventState, *, walk_in: WalkInForm | None = None, status: int = 200
) -> HttpResponse:
    people = [(name, *one) for name, people in _groups(state) for one in people]
    listed = parts.parts_of(request, state, "arrivals", people, lambda row, text: text in plain(row[1].player.name))
    shown = groupby(chain.from_iterable(listed.shown), key=lambda row: row[0])
    context = frame.desk_context(
        request,
        state,
        "arrivals",
        listed=listed,
        groups=[(name, [(entrant, where) for _, entrant, where in rows]) for name, rows in shown],
        walk_in=walk_in or WalkInForm(rules=state.rules),
        known=partial(known_players, state.event),
        everybody_tag=responses.live_tag(request, state.event, "everybody"),
    )
    return responses.show(request, "desk/arrivals.html", context, parts=("everybody",), status=status)


EXPECTED, NO_TABLE, HERE, DROPPED = (
    message("Not checked in yet"),
    message("Checked in, without a table"),
    message("Checked in"),
    message("Dropped"),
)


def _groups(state: EventState) -> list[tuple[Message, list[tuple[Entrant, Message | None]]]]:
    """Each group with its players, by name, and where they sit: those first who may need the desk."""
    round = open_round(state)
    groups: dict[Message, list[tuple[Entrant, Message | None]]] = {
        name: [] for name in (EXPECTED, NO_TABLE, HERE, DROPPED)
    }
    for entrant in sorted(state.entrants, key=lambda one: alphabetical(one.player.name)):
        match = round.match_of(entrant.number) if round else None
        person = person_of(entrant)
        group = {Person.EXPECTED: EXPECTED, Person.DROPPED: DROPPED}.get(person, HERE)
        if group is HERE and round and not match:
            group = NO_TABLE
        groups[group].append((entrant, _place(match)))
    return [(name, people) for name, people in groups.items() if people]


def _place(match: MatchState | None) -> Message | None:
    if match is None:
        return None
    return message("Bye") if match.table is None else message("Table {table}", table=match.table)


@login_required
def arrival(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What can be done for one player, each with its effect; `?option` is the one to be confirmed."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    access.found_or_404(state.by_number.get(number))
    key = request.GET.get("option")
    if key is None and request.method != "POST":
        return _show_options(request, state, number)
    option = next((one for one in options_of(state, number) if one.key == key), None)
    if option is None:
        gone = (message("The event has moved on, so that is no longer possible."),)
        return _show_options(request, state, number, refused=gone, status=409)
    if request.method == "POST":
        return _arrange(request, state, number, option)
    return _show_option(request, state, number, option)


def _arrange(request: HttpRequest, state: EventState, number: int, option: ArrivalOption) -> HttpResponse:
    form = DecisionForm(request.POST, option=option)
    if not form.is_valid():
        return _show_option(request, state, number, option, form=form, status=422)
    facts, event = form.cleaned_data, state.event
    decision = Decision(number, option, facts["reason"], facts.get("left", 0))
    try:
        actions.arrange(event, decision, expected=facts["seen"], by=responses.actor_of_request(request))
    except Refused as error:
        status = 422 if isinstance(error, Stale) and "left" in facts else 409
        return _show_option(request, state_of(event), number, option, form=form, refused=error.reasons, status=status)
    done = message("{what}. You can undo it.", what=title(state, number, option))
    messages.success(request, str(done))
    return redirect("desk", event.slug)


def _show_options(
    request: HttpRequest, state: EventState, number: int, *, refused: Sequence[str | Message] = (), status: int = 200
) -> HttpResponse:
    shown = tuple(_shown(request, state, _decision(state, number, option)) for option in options_of(state, number))
    every, shown = _apart(shown)
    found = [(moment, tuple(one for one in shown if one.option.moment is moment)) for moment in MOMENTS]
    groups = [_group(moment, options) for moment, options in found if options]
    context = _context(
        request, state, number, groups=groups, every=every, as_it_is=as_it_is(state, number), refused=refused
    )
    return responses.show(request, "desk/arrival.html", context, status=status)


def _group(moment: Moment, options: tuple[OptionView, ...]) -> Group:
    return Group(MOMENTS[moment], STAYS.get(moment), *_apart(options))


def _apart(shown: tuple[OptionView, ...]) -> tuple[ArrivalEffect, tuple[OptionView, ...]]:
    """What all of them change alike, and the options without it."""
    shared, effects = apart([one.effect for one in shown if one.effect])
    left = iter(effects)
    return shared, tuple(replace(one, effect=next(left)) if one.effect else one for one in shown)


def _show_option(
    request: HttpRequest,
    state: EventState,
    number: int,
    option: ArrivalOption,
    *,
    form: DecisionForm | None = None,
    refused: Sequence[str | Message] = (),
    status: int = 200,
) -> HttpResponse:
    """The page that confirms; the form sends along which effect it shows."""
    decision = _decision(state, number, option)
    if form and form.cleaned_data.get("left") is not None:
        decision = replace(decision, left=form.cleaned_data["left"])
    shown = _shown(request, state, decision)
    facts = {"left": decision.left, "seen": shown.effect.fingerprint if shown.effect else ""}
    if form:
        form.data = {
            name: form.data[name] for name in form.data
        } | facts  # what was typed stays, and the effect is the one shown now
    else:
        form = DecisionForm(initial=facts, option=option)
    context = _context(request, state, number, shown=shown, form=form, refused=refused)
    return responses.show(request, "desk/arrange.html", context, status=status)


def _decision(state: EventState, number: int, option: ArrivalOption) -> Decision:
    return Decision(number, option, left=fleet_left(state, number) if option.way is ArrivalWay.CONCEDES else 0)


def _shown(request: HttpRequest, state: EventState, decision: Decision) -> OptionView:
    shown = OptionView(decision.option, title(state, decision.number, decision.option), rule(state, decision.option))
    try:
        return replace(shown, effect=actions.preview(state.event, decision, by=responses.actor_of_request(request)))
    except Refused as error:
        return replace(shown, reasons=error.reasons)


def _context(request: HttpRequest, state: EventState, number: int, **more: object) -> dict[str, object]:
    round = open_round(state)
    match = round.match_of(number) if round else None
    return frame.desk_context(
        request,
        state,
        "arrivals",
        entrant=state.by_number[number],
        person=person_of(state.by_number[number]).value,
        match=match,
        open_round=round,
        **more,
    )
