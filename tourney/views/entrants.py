"""The players of an event: registered, checked in, changed, dropped."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from tourney import access
from tourney.actions import entrants, events, joining, places, store_players, tables
from tourney.actions.record import Refused
from tourney.domain.places import to_release
from tourney.forms.entrants import DropForm, FactionForm, FilterForm, ManyForm, Names, OneForm, RenameForm
from tourney.forms.fields import sentences_of
from tourney.forms.joining import WordForm
from tourney.forms.tables import NeedsForm
from tourney.models import Event, Player
from tourney.queries.joining import crowds_of
from tourney.queries.matches import MatchState, SeatScore
from tourney.queries.months import is_ahead
from tourney.queries.next_month import played_before
from tourney.queries.places import claims_of
from tourney.queries.players import earlier_name_of, is_anybody_waiting, known_players, similar_players
from tourney.queries.shared import staff_state
from tourney.queries.state import EventState, state_of
from tourney.queries.tables import needs_in
from tourney.queries.tokens import desk_token_of
from tourney.runtime.letters import plain
from tourney.runtime.messages import Message, message, nmessage
from tourney.views import frame, parts, responses
from tourney.views.desk import head_of
from tourney.views.player_lines import PlayerLine, lines_of


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """One round of a player: the match, the own line of it, the opponent's (None with a bye)."""

    match: MatchState
    own: SeatScore
    other: SeatScore | None


@login_required
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is registered and who is here; new ones are added, many at once or one by one."""
    if request.method != "POST":
        return _players_now(request, slug)
    event = access.event_for(request, slug, *access.ORGANIZERS)
    do = request.POST.get("do")
    if do in ("open", "close"):
        return _registration(request, event, is_open=do == "open")
    if do == "release":
        return _release(request, event)
    if do in ("word", "no_word"):
        return _word(request, event, is_asked=do == "word")
    if do == "before":
        return _register_again(request, event)
    return _register(request, event, many=do == "many")


@responses.live(*access.DESK)
def _players_now(request: HttpRequest, event: Event) -> HttpResponse:
    return _show_players(request, staff_state(event))


def _registration(request: HttpRequest, event: Event, *, is_open: bool) -> HttpResponse:
    try:
        events.open_registration(event, is_open, by=responses.actor_of_request(request))
    except Refused as error:
        return _refused(request, event, error)
    messages.success(
        request,
        str(
            message("Players can register by phone.")
            if is_open
            else message("Players can no longer register by phone.")
        ),
    )
    return redirect("players", event.slug)


def _release(request: HttpRequest, event: Event) -> HttpResponse:
    try:
        names = places.release_places(event, by=responses.actor_of_request(request))
    except Refused as error:
        return _refused(request, event, error)
    messages.success(request, str(places.released(names)))
    return redirect("players", event.slug)


def _word(request: HttpRequest, event: Event, *, is_asked: bool) -> HttpResponse:
    """Tonight's word is asked of who registers by phone, from now on, or no longer."""
    form = WordForm(request.POST)
    if is_asked and not form.is_valid():
        return _show_players(request, state_of(event), word=form, status=422)
    try:
        if is_asked:
            word = joining.ask_for_word(event, form.cleaned_data["word"], by=responses.actor_of_request(request))
            messages.success(
                request,
                str(message("Tonight’s join code is “{word}”. Reprint the QR code to put it on the sign.", word=word)),
            )
        else:
            joining.ask_for_no_word(event, by=responses.actor_of_request(request))
            messages.success(request, str(message("Players register by phone without a join code.")))
    except Refused as error:
        return _refused(request, event, error)
    return redirect("players", event.slug)


class _Sent(TypedDict, total=False):
    """A form of the page, as it was sent."""

    one: OneForm
    many: ManyForm


def _as_sent(form: OneForm | ManyForm) -> _Sent:
    return {"one": form} if isinstance(form, OneForm) else {"many": form}


def _register(request: HttpRequest, event: Event, *, many: bool) -> HttpResponse:
    one = None if many else OneForm(request.POST, rules=event.rules)
    form = one or ManyForm(request.POST, rules=event.rules)
    if not form.is_valid():
        return _show_players(request, state_of(event), status=422, **_as_sent(form))
    if one and (similar := similar_players(event.store, one.person[0], in_public=False)):
        same = request.POST.get("same", "")
        if meant := next((player for player in similar if same == str(player.pk)), None):
            one.cleaned_data["name"] = meant.name
        elif same != "new":
            return _show_players(request, state_of(event), one=one, similar=similar, status=409)
    names = Names((one.person,)) if one else form.cleaned_data["names"]
    by, here = responses.actor_of_request(request), form.cleaned_data["here"]
    try:
        registered = entrants.register(event, names.people, by=by, checked_in=here)
    except Refused as error:
        return _show_players(request, state_of(event), refused=error.reasons, status=409, **_as_sent(form))
    _say(request, registered, names, here)
    return redirect(f"{_back_url(request, event)}{'#id_one_name' if _is_from_desk(request) else ''}")


def _register_again(request: HttpRequest, event: Event) -> HttpResponse:
    """Those who are ticked in the list of last month's players, all in one step."""
    ticked = set(request.POST.getlist("player"))
    people = [(one.player.name, one.faction) for one in played_before(state_of(event)) if str(one.player.pk) in ticked]
    try:
        if people:
            registered = entrants.register(event, people, by=responses.actor_of_request(request))
            _say(request, registered, Names(tuple(people)), here=False)
        else:
            messages.warning(request, str(message("Nobody new is ticked. Tick who is coming.")))
    except Refused as error:
        return _refused(request, event, error)
    return redirect(_back_url(request, event))


def _say(request: HttpRequest, registered: entrants.Registered, names: Names, here: bool) -> None:
    """What became of the list, in as many sentences as it needs."""
    if new := [one for one in registered.entrants if one.player.name not in registered.waiting]:
        messages.success(request, str(_registered([one.player.name for one in new], here and new[0].checked_in)))
    if registered.waiting:
        messages.warning(request, str(message("On the waiting list: {names}.", names=registered.waiting)))
    if registered.already:
        messages.warning(
            request, str(message("Already registered, left as before: {players}.", players=registered.already))
        )
    if registered.twice:
        messages.warning(request, str(message("In the list twice, counted once: {players}.", players=registered.twice)))
    if names.left_out:
        left_out = [f"“{text}”" for text in names.left_out]
        messages.info(
            request,
            str(
                message("This month is played without factions, so these were left out: {factions}.", factions=left_out)
            ),
        )


def _registered(names: Sequence[str], checked_in: bool) -> Message:
    if len(names) == 1 and checked_in:
        return message("{player} is registered and checked in.", player=names[0])
    if len(names) == 1:
        return message("{player} is registered.", player=names[0])
    if checked_in:
        return nmessage(
            "{count} player registered and checked in.", "{count} players registered and checked in.", len(names)
        )
    return nmessage("{count} player registered.", "{count} players registered.", len(names))


def _show_players(
    request: HttpRequest,
    state: EventState,
    *,
    status: int = 200,
    refused: tuple[str, ...] = (),
    one: OneForm | None = None,
    many: ManyForm | None = None,
    word: WordForm | None = None,
    similar: Sequence[Player] = (),
) -> HttpResponse:
    event = state.event
    filter_form = FilterForm(request.GET)
    one, many = one or OneForm(rules=event.rules), many or ManyForm(rules=event.rules)
    if many.is_bound or one.is_bound or not state.rounds:
        frame.autofocus_first_error(*((many, "names") if many.is_bound else (one, "name")))
    text, show, sort = filter_form.chosen()
    context = frame.desk_context(
        request,
        state,
        "players",
        refused=refused,
        head=head_of(state),
        filter=filter_form,
        filtered=bool(text or show),
        query=request.GET.urlencode(),
        sort=sort,
        sorts=_sorts(request, with_factions=bool(event.rules.allegiance)),
        listed=parts.parts_of(request, state, ("players", show, sort), lines_of(state, show, sort), _fits),
        one=one,
        many=many,
        known=partial(known_players, event),
        similar=similar,
        crowds=crowds_of(state),
        releasable=_releasable(state),
        word_form=word or WordForm(),
        crowd_tag=responses.live_tag(request, event, "crowd"),
        desk_token=state.memoized("desk_token", lambda: desk_token_of(state)),
        list_tag=responses.live_tag(request, event, "list"),
        token_tag=responses.live_tag(request, event, "token-now"),
    )
    return responses.show(request, "desk/players.html", context, parts=("list", "token-now", "crowd"), status=status)


def _sorts(request: HttpRequest, *, with_factions: bool) -> list[tuple[str, object, str]]:
    """Each order of the list with its name and the query that leads to it, as it is filtered."""
    query = request.GET.copy()
    for name in ("page", "after", "sort"):
        query.pop(name, None)
    kept = query.urlencode()
    return [
        (sort, label, "&".join(filter(None, (kept, sort and f"sort={sort}"))))
        for sort, label in FilterForm.SORTS
        if sort != "faction" or with_factions
    ]


def _releasable(state: EventState) -> int:
    """How many places could be released for who waits, on the day, until round 1 is drawn."""
    if not state.is_before or is_ahead(state.event, timezone.now()):
        return 0
    return len(to_release(claims_of(state.entrants), state.event.places))


def _fits(line: PlayerLine, text: str) -> bool:
    """Whether a search for that text finds the player."""
    return text in plain(line.entrant.player.name)


@login_required
@require_POST
def check_in_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody registered is here."""
    event = access.event_for(request, slug, *access.DESK)
    try:
        count = entrants.check_in(event, by=responses.actor_of_request(request))
    except Refused as error:
        return _refused(request, event, error)
    if not access.htmx_of(request):
        messages.success(
            request,
            str(
                nmessage("{count} player checked in.", "{count} players checked in.", count)
                if count
                else message("Everyone was already checked in.")
            ),
        )
    return _back_to_the_list(request, event)


@login_required
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One player of the event: what they played, and everything that can be done for them."""
    event = access.event_for(request, slug, *access.DESK)
    state = state_of(event)
    if request.method != "POST":
        if number not in state.by_number:
            raise Http404
        return _show_player(request, state, number)
    verb = VERBS.get(request.POST.get("do", ""))
    if verb is None:
        raise Http404
    roles, act = verb
    event = access.event_for(request, slug, *roles)
    if number not in state.by_number:
        return _refused(request, event, Refused(message("This player is no longer registered.")))
    try:
        return act(request, state, number)
    except Refused as error:
        if _is_from_desk(request):
            return _refused(request, event, error)
        return _show_player(request, state, number, refused=error.reasons, status=409)


def _check_in(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    entrants.check_in(state.event, [number], by=responses.actor_of_request(request))
    return _back_to_the_list(request, state.event, number)


def _check_out(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    entrants.check_out(state.event, number, by=responses.actor_of_request(request))
    return _back_to_the_list(request, state.event, number)


def _faction(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    form = _faction_form(state, number, request.POST)
    if not form.is_valid():
        return _show_player(request, state, number, faction=form, status=422)
    reason = form.cleaned_data.get("reason", "")
    try:
        entrants.change_faction(
            state.event, number, form.cleaned_data["faction"], by=responses.actor_of_request(request), reason=reason
        )
    except Refused as error:
        return _show_player(request, state, number, faction=form, refused=error.reasons, status=409)
    messages.success(request, str(message("{player}’s faction is saved.", player=_name(state, number))))
    return redirect("player", state.event.slug, number)


def _drop(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    form = DropForm(request.POST)
    if not form.is_valid():
        return _show_player(request, state, number, drop=form, status=422)
    try:
        first = entrants.drop(
            state.event, number, by=responses.actor_of_request(request), reason=form.cleaned_data["reason"]
        )
    except Refused as error:
        return _show_player(request, state, number, drop=form, refused=error.reasons, status=409)
    messages.success(
        request,
        str(
            message(
                "{player} won’t be paired from round {number} on, and keeps all points.",
                player=_name(state, number),
                number=first,
            )
        ),
    )
    return redirect("players", state.event.slug)


def _return(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    entrants.bring_back(state.event, number, by=responses.actor_of_request(request))
    messages.success(
        request,
        str(message("{player} is back and will be paired from the next round on.", player=_name(state, number))),
    )
    return redirect("players", state.event.slug)


def _remove(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    entrants.remove(state.event, number, by=responses.actor_of_request(request))
    messages.success(request, str(message("{player} is no longer registered.", player=_name(state, number))))
    return redirect("players", state.event.slug)


def _rename(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    form = RenameForm(request.POST)
    if not form.is_valid():
        if _is_from_desk(request):
            raise Refused(*sentences_of(form))
        return _show_player(request, state, number, rename=form, status=422)
    try:
        store_players.rename(
            state.by_number[number].player, form.cleaned_data["name"], by=responses.actor_of_request(request)
        )
    except Refused as error:
        if _is_from_desk(request):
            raise
        return _show_player(request, state, number, rename=form, refused=error.reasons, status=409)
    if _is_from_desk(request):
        return _back_to_the_list(request, state.event, number)
    messages.success(request, str(message("The name is saved: {player}.", player=form.cleaned_data["name"])))
    return redirect("player", state.event.slug, number)


def _paid(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    paid = request.POST["do"] == "paid"
    entrants.mark_paid(state.event, number, paid, by=responses.actor_of_request(request))
    return _back_to_the_list(request, state.event, number)


def _needs(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    form = NeedsForm(request.POST)
    if not form.is_valid():
        return _show_player(request, state, number, needs=form, status=422)
    tables.change_needs(state.by_number[number].player, form.needs, by=responses.actor_of_request(request))
    messages.success(
        request,
        str(
            message(
                "{player}’s table needs are saved. They apply from the next pairing on.", player=_name(state, number)
            )
        ),
    )
    return redirect("player", state.event.slug, number)


VERBS: dict[str, tuple[tuple[str, ...], Callable[[HttpRequest, EventState, int], HttpResponse]]] = {
    "check_in": (access.DESK, _check_in),
    "check_out": (access.DESK, _check_out),
    "faction": (access.ORGANIZERS, _faction),
    "drop": (access.ORGANIZERS, _drop),
    "return": (access.ORGANIZERS, _return),
    "remove": (access.ORGANIZERS, _remove),
    "paid": (access.DESK, _paid),
    "not_paid": (access.DESK, _paid),
    "needs": (access.ORGANIZERS, _needs),
    "rename": (access.ORGANIZERS, _rename),
}


def _show_player(
    request: HttpRequest,
    state: EventState,
    number: int,
    *,
    faction: FactionForm | None = None,
    drop: DropForm | None = None,
    needs: NeedsForm | None = None,
    rename: RenameForm | None = None,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    line = next(line for line in lines_of(state) if line.entrant.number == number)
    context = frame.desk_context(
        request,
        state,
        "players",
        line=line,
        played=list(_played(state, number)),
        faction_form=faction or (_faction_form(state, number) if state.rules.allegiance else None),
        drop_form=drop or DropForm(),
        rename_form=rename or RenameForm(initial={"name": line.entrant.player.name}),
        earlier_name=earlier_name_of(line.entrant.player),
        needs_form=needs or NeedsForm.of(needs_in(state)[number]),
        refused=refused,
    )
    return responses.show(request, "desk/player.html", context, status=status)


def _played(state: EventState, number: int) -> Iterator[PlayedLine]:
    for round in state.public_rounds:
        if match := round.match_of(number):
            sides = sorted(round.lines(match), key=lambda side: side.entrant.number != number)
            yield PlayedLine(match, sides[0], sides[1] if len(sides) > 1 else None)


def _faction_form(state: EventState, number: int, data: QueryDict | None = None) -> FactionForm:
    entrant = state.by_number.get(number)
    is_first = entrant is not None and not entrant.faction and number not in state.seated_numbers
    return FactionForm(
        data,
        rules=state.rules,
        needs_reason=bool(state.public_rounds) and not is_first,
        initial={"faction": entrant.faction if entrant else ""},
    )


def _name(state: EventState, number: int) -> str:
    return state.names[number]


def _back_to_the_list(request: HttpRequest, event: Event, number: int | None = None) -> HttpResponse:
    """The list as it was filtered, at the player's row; on the Overview, the next step once nobody is waited for."""
    query = QueryDict(request.POST.get("query", "")).urlencode()
    place = f"#player-{number}" if number and not access.htmx_of(request) else ""
    if _is_from_desk(request) and not is_anybody_waiting(event):
        place = ""
    return redirect(f"{_back_url(request, event)}{'?' if query else ''}{query}{place}")


def _is_from_desk(request: HttpRequest) -> bool:
    """Whether this was pressed on the Overview, which lists the players until round 1 is drawn."""
    return request.POST.get("back") == "desk"


def _back_url(request: HttpRequest, event: Event) -> str:
    return reverse("desk" if _is_from_desk(request) else "players", args=[event.slug])


def _refused(request: HttpRequest, event: Event, error: Refused) -> HttpResponse:
    """A part of the Overview has no room for why: it goes to the page as it is now, with a message."""
    back = _back_url(request, event)
    if _is_from_desk(request) and access.htmx_of(request):
        messages.warning(request, str(error))
        return HttpResponseClientRedirect(back)
    return responses.refused(request, error, store=event.store, event=event, back=back)
