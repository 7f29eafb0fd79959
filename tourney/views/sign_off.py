"""The fleet of an entrant for reading, signed by the opponent of the round or settled by a judge (rules 7.2, 7.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tourney import access
from tourney.actions import sign_off
from tourney.actions.record import Refused
from tourney.forms.sign_off import LONGEST, CheckForm
from tourney.models import Entrant, Event, FleetsShown
from tourney.queries.fleets import fleet_of, may_see
from tourney.queries.sheets import parts_of, rounds_of, signers_of
from tourney.queries.shown_names import put_public_words
from tourney.queries.sign_off import SheetStatus, checks_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, message, nmessage
from tourney.views import frame, parts, responses
from tourney.views.event import frame_context, own_entrant

SIGNATURE_REMOVED, CALL_WITHDRAWN = message("Signature removed."), message("Call withdrawn.")


@dataclass(frozen=True, slots=True)
class Look:
    """Somebody looks at the sheet of `owner`: `viewer` is who has a card here, `is_desk` whether one may judge.

    `check` is what the owner's opponent says of the sheet in the round in play.
    """

    state: EventState
    owner: Entrant
    viewer: Entrant | None
    is_desk: bool
    check: SheetStatus | None

    @property
    def is_opponent(self) -> bool:
        """Whether this is who signs the sheet now."""
        return bool(self.check and self.viewer and self.check.by.number == self.viewer.number)

    @property
    def table(self) -> int | None:
        """Where the owner plays in the last round."""
        match = self.state.rounds[-1].match_of(self.owner.number) if self.state.rounds else None
        return match.table if match else None

    @property
    def may_see(self) -> bool:
        """Whether this visitor may see the fleet."""
        return self.is_desk or may_see(self.state, self.viewer.number if self.viewer else None, self.owner.number)


@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The sheet; for the opponent with the signature, for the desk with what it is called for."""
    look = _look(request, access.event_for(request, slug), number)
    if not look.may_see:
        access.found_or_404(look.viewer)
        return _later(request, look)
    if request.method != "POST":
        return _show(request, look)
    if not look.is_desk:
        access.found_or_404(look.viewer)
    form = CheckForm(request.POST)
    if not form.is_valid():
        return _show(request, look, form, status=422)
    try:
        said = _act(request, look, form.cleaned_data)
    except Refused as error:
        return _show(request, look, form, refused=error.reasons, status=409)
    messages.success(request, str(said))
    return redirect("me" if look.is_opponent else "desk", slug)


@login_required
@require_POST
def signed(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Sign both fleets of a table as on paper; back to the next table that is not."""
    event = access.event_for(request, slug, *access.DESK)
    try:
        sign_off.sign_on_paper(event, number, table, by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=event.store, event=event, back=reverse("desk", args=[slug]))
    return redirect(parts.at_table(_back(request, slug, number), number, _next_unsigned(event, number, table)))


@login_required
@require_POST
def all_signed(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The fleets of all tables were signed on paper."""
    event = access.event_for(request, slug, *access.DESK)
    try:
        tables = sign_off.sign_all_on_paper(event, number, by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=event.store, event=event, back=reverse("desk", args=[slug]))
    done = nmessage("Signed on paper: {count} table.", "Signed on paper: {count} tables.", tables)
    messages.success(request, str(done))
    return redirect(_back(request, slug, number))


def _look(request: HttpRequest, event: Event, number: int) -> Look:
    is_desk = access.role_at(request, event.store) in access.DESK
    state = state_of(event, public=not is_desk and request.method != "POST")
    owner = access.found(state.by_number.get(number))
    return Look(state, owner, own_entrant(request, state), is_desk, _check(state, number))


def _check(state: EventState, number: int) -> SheetStatus | None:
    round = state.last_round if frame.in_play(state) else None
    match = round.match_of(number) if round else None
    found = checks_of(state, [match]) if match else {}
    return next((both.about(number) for both in found.values()), None)


def _act(request: HttpRequest, look: Look, facts: Mapping[str, Any]) -> Message:
    """Do it; what was done, as a sentence."""
    if look.check is None:
        raise Refused(message("{player} isn’t at a table, so there’s nothing to sign.", player=str(look.owner)))
    if look.viewer and look.is_opponent and facts["do"] in ("sign", "call", "take_back"):
        return _as_opponent(look, look.viewer, look.check, **facts)
    if look.is_desk and facts["do"] in ("settle", "take_back"):
        return _as_judge(request, look, look.check, **facts)
    raise Refused(
        message(
            "Only {opponent} can sign {player}’s fleet this round.",
            opponent=str(look.check.by),
            player=str(look.owner),
        )
    )


def _as_opponent(
    look: Look, viewer: Entrant, check: SheetStatus, do: str, line: int, words: str, version: int | None
) -> Message:
    seat = look.state.event, look.state.rounds[-1].number, viewer.number
    by = responses.actor_of_player(viewer.player)
    if do == "sign":
        sign_off.sign(*seat, by=by, version=version)
        return message("You signed {player}’s fleet.", player=str(look.owner))
    if do == "call":
        sign_off.call_judge(*seat, line=line, words=words, by=by)
        return message("Judge called. Stay at your table.")
    if check.words and check.kind == "signed":
        raise Refused(message("A judge resolved this, so only a judge can undo it."))
    sign_off.withdraw(*seat, by=by)
    return CALL_WITHDRAWN if check.kind == "called" else SIGNATURE_REMOVED


def _as_judge(request: HttpRequest, look: Look, check: SheetStatus, do: str, words: str, **_: object) -> Message:
    seat = look.state.event, look.state.rounds[-1].number, check.by.number
    if do == "settle":
        sign_off.settle(*seat, decided=words, by=responses.actor_of_request(request))
        return message("Resolved and signed for {player}.", player=str(check.by))
    sign_off.withdraw(*seat, by=responses.actor_of_request(request))
    return CALL_WITHDRAWN if check.kind == "called" else SIGNATURE_REMOVED


def _show(
    request: HttpRequest, look: Look, form: CheckForm | None = None, *, refused: Sequence[str] = (), status: int = 200
) -> HttpResponse:
    fleet = fleet_of(look.state, look.owner.number) if look.owner.has_fleet else None
    if fleet and not look.is_desk:
        put_public_words(look.state.event.store, [fleet.row])
    context = frame_context(
        request,
        look.state,
        "fleet",
        look=look,
        owner=look.owner,
        check=look.check if look.is_opponent or look.is_desk else None,
        fleet=fleet,
        parts=parts_of(fleet) if fleet else [],
        rounds=rounds_of(look.state, look.owner, signers_of(look.state)) if fleet else [],
        form=form,
        longest=LONGEST,
        refused=refused,
    )
    return responses.show(request, "event/sheet.html", context, status=status)


def _later(request: HttpRequest, look: Look) -> HttpResponse:
    """Rule 7: another player's fleet, before the event shows it to this one."""
    only_opponent = look.state.event.fleets_shown == FleetsShown.OPPONENT
    context = frame_context(request, look.state, "fleet", owner=look.owner, only_opponent=only_opponent)
    return responses.show(request, "event/sheet_later.html", context, status=403)


def _back(request: HttpRequest, slug: str, number: int) -> str:
    if request.POST.get("back") == "round":
        return reverse("round", args=[slug, number])
    return reverse("desk", args=[slug])


def _next_unsigned(event: Event, number: int, table: int) -> int:
    """The next table after this one that is not signed, or this one."""
    state = state_of(event)
    found = checks_of(state, state.rounds[number - 1].matches)
    return next((other for other in sorted(found) if other > table and not found[other].is_signed), table)
