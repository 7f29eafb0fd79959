"""The result of my table, on the phone: my word, the opponent's word, and what counts in the end (rule 7.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from scoring.domain.points import MatchScore, Played
from scoring.domain.roll_offs import ATTACK_DIE
from tourney import access
from tourney.actions import judge_calls, reports, wishes
from tourney.actions.missing import SheetsMissing
from tourney.actions.record import Actor, Refused
from tourney.actions.reports import ReportOutcome
from tourney.forms.fields import sentences_of
from tourney.forms.reports import JudgeCallForm, KeyForm, ReportForm, new_key
from tourney.forms.roll_offs import RollForm
from tourney.models import Entrant, Event, ReportedBy, RollOff, Round
from tourney.models.reports import KEY_LENGTH
from tourney.queries.clock import clock_of
from tourney.queries.matches import TableState, played_of
from tourney.queries.player_cards import has_card
from tourney.queries.reports import reports_of
from tourney.queries.results import names_at
from tourney.queries.roll_offs import dice_said, die_of, rolling_of
from tourney.queries.slices import EventSlice, seat_slice
from tourney.queries.state import EventState, state_of
from tourney.queries.surviving import Fleets, fleets_at
from tourney.runtime.messages import Message, message
from tourney.views import responses
from tourney.views.event import frame_context, own_entrant
from tourney.views.results.reported import report_context
from tourney.views.results.shown import preview, score_for, verdict, verdict_for

PARTS = ("word", "preview")
"""What htmx asks for."""


@dataclass(frozen=True, slots=True)
class AtTable[State: EventSlice]:
    """Who holds this device's card, and the match it plays in the round that was asked for."""

    event: Event
    state: State
    me: Entrant
    match: TableState

    @property
    def seat(self) -> tuple[Event, int, int]:
        """Event, number of the round and number of the entrant."""
        return self.event, self.match.round.number, self.me.number

    def act(self) -> Actor:
        """The player acts, under the name itself, whatever everybody reads. Raises TooManySteps."""
        return replace(responses.actor_of_player(self.me.player), name=self.me.player.full_name)


@require_http_methods(["GET", "HEAD", "POST"])
@responses.live()
def report(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Report how the match ended; confirm what the opponent reported, or say what is different.

    What is sent is read beside the match alone, as it is then saved under the lock.
    """
    if request.method != "POST":
        return show_table(request, here_or_404(request, event, round))
    is_sent = "preview" not in request.POST
    here = access.found(_match_at(event, access.found(access.entrant_at(request, event)).number, round))
    do = request.POST.get("do")
    if do in ("confirm", "withdraw"):
        return _press(request, here, do)
    form = _form(here, data=request.POST)
    is_valid = form.is_valid()
    if is_valid and is_sent:
        return _send(request, here, form)
    if not is_sent and access.htmx_of(request).target == "preview":
        context = {"match": here.match, "form": form, **_preview(here, form)}
        return responses.show(request, "event/report.html", context, parts=PARTS)
    now = access.found(_again(here))
    form = _form(now, data=request.POST)
    return show_table(request, now, form, status=200 if not is_sent and (is_valid or access.htmx_of(request)) else 422)


@require_POST
def wish(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the desk for something, or do not ask for it any more; back to the card."""
    event = access.event_for(request, slug)
    entrant = access.found(access.entrant_at(request, event))
    form = KeyForm(request.POST)
    act = {"ask": wishes.ask, "take_back": wishes.withdraw}.get(request.POST.get("do", ""))
    if act is None or not form.is_valid() or not form.cleaned_data["kind"]:
        raise Http404
    facts, by = form.cleaned_data, responses.actor_of_player(entrant.player)
    try:
        act(event, entrant.number, facts["kind"], by=by, key=facts["key"])
    except Refused as error:
        return responses.refused(request, error, store=event.store, event=event, back=reverse("me", args=[slug]))
    return redirect("me", slug)


@require_POST
def call_judge(request: HttpRequest, slug: str) -> HttpResponse:
    """Call a judge for anything, or say that none is needed any more; back to the card."""
    event = access.event_for(request, slug)
    entrant = access.found(access.entrant_at(request, event))
    do, back = request.POST.get("do"), reverse("me", args=[slug])
    by = responses.actor_of_player(entrant.player)
    try:
        if do == "solved":
            judge_calls.cancel(event, entrant.number, by=by, key=request.POST.get("key", "")[:KEY_LENGTH])
        else:
            form = JudgeCallForm(request.POST)
            access.found_or_404(None if "about" in form.errors else form)
            if not form.is_valid():
                raise Refused(*sentences_of(form))
            facts = form.cleaned_data
            judge_calls.call(event, entrant.number, facts["about"], words=facts["words"], key=facts["key"], by=by)
    except Refused as error:
        return responses.refused(request, error, store=event.store, event=event, back=back)
    return redirect(back)


def here_or_404(request: HttpRequest, event: Event, number: int) -> AtTable[EventState]:
    """Where who holds this card plays in that round."""
    state = state_of(event)
    me = access.found(own_entrant(request, state))
    return access.found(_at_table(state, me, number))


def _at_table(state: EventState, me: Entrant, number: int) -> AtTable[EventState] | None:
    """Where that player sits in a round that everybody sees; None without a table."""
    match = next((round.match_of(me.number) for round in state.public_rounds if round.number == number), None)
    return AtTable(state.event, state, me, match) if isinstance(match, TableState) else None


def _match_at(event: Event, entrant: int, number: int) -> AtTable[EventSlice] | None:
    """The same with that match alone, however large the event is."""
    part, match = seat_slice(event, number, entrant) or (None, None)
    if part is None or not isinstance(match, TableState) or match.round.state == Round.State.DRAFT:
        return None
    return AtTable(event, part, part.by_number[entrant], match)


def _press(request: HttpRequest, here: AtTable[EventSlice], do: str) -> HttpResponse:
    form, by = KeyForm(request.POST), here.act()
    facts: Mapping[str, Any] = form.cleaned_data if form.is_valid() else {"key": "", "seen": None}
    try:
        if do == "withdraw":
            answer = reports.withdraw(*here.seat, by=by, key=facts["key"])
        else:
            answer = reports.confirm(*here.seat, facts["seen"] or 0, by=by, key=facts["key"])
    except Refused as error:
        return _refused(request, here, error)
    return _answer(request, here, answer)


def _send(request: HttpRequest, here: AtTable[EventSlice], form: ReportForm) -> HttpResponse:
    facts, by = form.cleaned_data, here.act()
    try:
        played, players = form.report().played, form.players_seen
        answer = reports.report(*here.seat, played, words=facts["words"], key=facts["key"], by=by, players=players)
    except Refused as error:
        return _refused(request, here, error, players_seen=(players or here.match.numbers))
    return _answer(request, here, answer, form)


def _refused(
    request: HttpRequest, here: AtTable[EventSlice], error: Refused, *, players_seen: tuple[int, ...] | None = None
) -> HttpResponse:
    """The table as it stands now, with what was typed for these players; elsewhere where it is gone."""
    now = _again(here)
    if now is None:
        back = reverse("me", args=[here.event.slug])
        return responses.refused(request, error, store=here.event.store, event=here.event, back=back)
    form = _form(now, data=request.POST) if now.match.numbers == here.match.numbers == players_seen else None
    return show_table(request, now, form, refused=error.reasons, to_sign=_to_sign(now, error), status=409)


def _to_sign(here: AtTable[EventState], error: Refused) -> Entrant | None:
    """Whose sheet this player can sign, so that the report is taken (rule 7.2)."""
    other = here.match.opponent_of(here.me.number)
    if isinstance(error, SheetsMissing) and other and other.number in error.missing.unsigned:
        return other
    return None


def _again(here: AtTable[EventSlice]) -> AtTable[EventState] | None:
    """The same place as it stands now; None where the table is gone, or the player is."""
    state = state_of(here.event)
    me = state.by_number.get(here.me.number)
    return _at_table(state, me, here.match.round.number) if me else None


def _answer(
    request: HttpRequest, here: AtTable[EventSlice], answer: ReportOutcome, form: ReportForm | None = None
) -> HttpResponse:
    """Say what became of it; the page then shows how things stand."""
    state, match = answer.state, answer.match
    other = match.opponent_of(here.me.number)
    if answer.is_new and answer.score and answer.kind == "decided":
        messages.success(request, str(message("Agreed. {verdict}", verdict=verdict(state, match, answer.score))))
    elif answer.is_new:
        sent = message("Sent. {opponent} has to confirm it.", opponent=str(other))
        if other and not has_card(other.player):
            sent = message("Sent. {opponent} has no player card, so the desk confirms it.", opponent=str(other))
        said = {
            "mine": sent,
            "disputed": message("Sent. You and {opponent} disagree, so the desk resolves it.", opponent=str(other)),
        }
        messages.success(request, str(said.get(answer.kind, message("Report withdrawn."))))
    elif answer.kind == "decided":
        messages.warning(request, str(_too_late(answer, form)))
    else:
        messages.info(request, str(message("Nothing changed. Your report had already arrived.")))
    return redirect("report", state.event.slug, match.round.number)


def _too_late(answer: ReportOutcome, form: ReportForm | None) -> Message:
    """What was sent too late, and whether it is what counts."""
    if form is None:
        return message("Not saved. The match already has a result.")
    score = answer.state.scored(answer.match, form.report().played)[1]
    if score == answer.score:
        return message("Not saved. The match already has this result.")
    sent = verdict(answer.state, answer.match, answer.state.as_sent(answer.match, form.report().played))
    return message(
        "Not saved. The match already has a result. You sent: {verdict} If the result is wrong, go to the desk.",
        verdict=sent,
    )


def _form(
    here: AtTable[EventSlice],
    *,
    data: Mapping[str, Any] | None = None,
    said: Played | None = None,
    fleets: Fleets | None = None,
) -> ReportForm:
    return ReportForm(
        data,
        rules=here.state.rules,
        numbers=here.match.numbers,
        names=names_at(here.state, here.match),
        fleets=fleets or fleets_at(here.state, here.match),
        marked=here.match.destroyed,
        me=here.match.numbers.index(here.me.number),
        said=said,
        is_time=clock_of(here.match.round, here.event.minutes, timezone.now()).phase == "over",
    )


def _preview(here: AtTable[Any], form: ReportForm) -> dict[str, object]:
    """What the form says as it is, in a sentence to who sends it, with the sums; what is still missing, once typed."""
    tried = form if form.is_bound else _form(here, data=form.as_filled_in())
    found = preview(here.state, here.match, tried)
    if not isinstance(score := found.get("score"), MatchScore):
        return found if form.is_bound else {}
    played, _ = here.state.scored(here.match, tried.report().played)
    return found | {
        "score": score_for(here.state, here.match, played, score, here.me.number),
        "verdict": verdict_for(here.match, score, here.me.number),
        "own_score": score.scores[here.match.numbers.index(here.me.number)],
    }


def _dice(here: AtTable[EventState], form: RollForm | None) -> dict[str, object]:
    """The roll-off at this table, if there is one to make here, or one was made; who says what of the next roll."""
    state, match, me = here.state, here.match, here.me.number
    group = tuple(sorted(match.numbers))
    dice = rolling_of(state, match.round.number, RollOff.Kind.TABLE, group)
    if match.state != "tied" or state.is_finished or state.event.reported_by == ReportedBy.DESK:
        return {"dice": dice} if dice.rolls and not dice.is_void and match.is_by_dice else {}
    said = dice_said(match, dice.next_roll)
    theirs = next((word for one, word in said.items() if one != me), None)
    other = match.opponent_of(me)
    form = form or RollForm(levels=(match.numbers,), names=state.names, roll=dice.next_roll)
    theirs_needed = message("Enter how many Battle Stations {player} rolled.", player=str(other))
    needed = {me: message("Enter how many Battle Stations you rolled.")}
    both = (me, *(one for one in match.numbers if one != me))
    return {
        "dice": dice,
        "roll_form": form,
        "roll_fields": [(form[f"count_{one}"], one == me, needed.get(one, theirs_needed)) for one in both],
        "my_dice": said.get(me),
        "their_dice": theirs,
        "dice_differ": bool(theirs and theirs.counts and me in said and said[me].counts not in (None, theirs.counts)),
        "other_has_card": (has_phone := other is not None and has_card(other.player)),
        "offers_roll": has_phone and all(word.counts for word in said.values()),
        "is_mixed": len({die_of(state, RollOff.Kind.TABLE, group, one) for one in group}) > 1,
        "rolls_attack": die_of(state, RollOff.Kind.TABLE, group, me) == ATTACK_DIE,
    }


def _fleet_of(owner: Entrant, me: Entrant) -> Message:
    """Whose fleet, in a link."""
    return message("your fleet") if owner == me else message("{name}’s fleet", name=str(owner))


def show_table(
    request: HttpRequest,
    here: AtTable[EventState],
    form: ReportForm | None = None,
    *,
    refused: Sequence[str] = (),
    to_sign: Entrant | None = None,
    roll_form: RollForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of the result as it is for this player, and of its dice."""
    state, match = here.state, here.match
    said = reports_of(state, [match])[match.table]
    told = report_context(state, match, here.me, said)
    fleets, other = fleets_at(state, match), match.opponent_of(here.me.number)
    by_players = state.event.reported_by == ReportedBy.PLAYERS
    if told["report_status"] == "decided" or not by_players:
        form = None
    elif form is None and (told["report_status"] == "none" or "own" in request.GET):
        word = said.by(here.me.number) or said.against(here.me.number)
        form = _form(here, said=played_of(word.row) if word else None, fleets=fleets)
    context = frame_context(
        request,
        state,
        "me",
        match=match,
        by_players=by_players,
        key=new_key(),
        form=form,
        rules=state.rules,
        taps=[
            (
                _fleet_of(entrant, here.me),
                reverse("destroyed", args=[state.event.slug, match.round.number, entrant.number]),
            )
            for entrant, fleet in zip(match.entrants, fleets, strict=True)
            if fleet
        ],
        refused=refused,
        to_sign=to_sign,
        is_first=told["report_status"] != "theirs" and to_sign is None,
        other_can_answer=form is None or other is None or has_card(other.player),
        tag=responses.live_tag(request, state.event, "word"),
        **told,
        **_dice(here, roll_form),
        **(_preview(here, form) if form else {}),
    )
    return responses.show(request, "event/report.html", context, parts=PARTS, status=status)
