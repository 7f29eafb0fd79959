"""My card at an event: what a player wants to know now, on the phone that holds the card."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from scoring.domain.commendation import EFFECT
from tourney import access
from tourney.actions import tokens
from tourney.actions.record import Refused
from tourney.forms.reports import new_key
from tourney.forms.tokens import SpendForm
from tourney.models import Entrant, Event, Wish
from tourney.queries import public
from tourney.queries.clock import clock_shown
from tourney.queries.finale import finale_of
from tourney.queries.finding import NameSearch, PlayerPlace, place_of, standing_after
from tourney.queries.fleets import FleetState, fleet_of, fleets_of
from tourney.queries.judge_calls import ABOUT, player_calls, why_no_call
from tourney.queries.matches import RoundState, TableState
from tourney.queries.my_rounds import my_rounds
from tourney.queries.regulars import remembered
from tourney.queries.reports import TableReports, reports_in
from tourney.queries.shared import shared_state
from tourney.queries.sign_off import SheetStatus, TableChecks, checks_of
from tourney.queries.state import EventState
from tourney.queries.tokens import TokenState, battle_now, my_token_of, token_of
from tourney.queries.wishes import PlayerRequest, round_of_wishes, why_not_ask, wishes_of
from tourney.runtime.messages import Message, message
from tourney.templatetags.rows import rows
from tourney.views import responses
from tourney.views.addresses import renew_card
from tourney.views.event import frame_context, own_entrant
from tourney.views.results.reported import report_context

IN_WORDS = {
    "bye": message("Bye"),
    "unpaired": message("Not paired"),
    "waiting": message("Checked in"),
    "absent": message("Not checked in"),
    "queued": message("On the waiting list"),
    "dropped": message("Dropped"),
    "final": message("Finished"),
}


@require_safe
@responses.live()
def me(request: HttpRequest, event: Event) -> HttpResponse:
    """My table, my opponent's fleet, my fleet and my rank; without a card on this device, what a card is."""
    state = shared_state(event)
    context = frame_context(request, state, "me", tag=responses.live_tag(request, event, "card"), **_now_context(state))
    own = context["own"] if isinstance(context["own"], Entrant) else None
    context |= {"may_check_in": _may_check_in(context), "may_call": not why_no_call(state, timezone.now())}
    player = context["player"] = own.player if own else access.player_at(request, event.store)
    if own:
        context |= _card_context(state, own, _fleet_of(request, state, own))
        context["first"] = _first(context)
        context["finale"] = finale_of(state, own, timezone.now())
        context["picture_name"] = f"{event.slug}-{own.number}"
        context["my_rounds"] = rows("my_rounds.html", **_rounds_context(state, own))
        context |= {"news": json.dumps(_news(context)), "changes": _changes(context)}
    elif player:
        context["again"] = last = remembered(player)
        context["again_faction"] = last.faction_at(event)
    response = responses.show(request, "event/me.html", context, parts=("card",))
    if player is None or access.htmx_of(request):
        return response
    get_token(request)  # before the page has a form: the stream may bring one (views/live_parts.py)
    return renew_card(request, response, event.store)


@require_POST
def spend_token(request: HttpRequest, slug: str) -> HttpResponse:
    """Rule 6.3: I spend my token in that round; back to the card."""
    event = access.event_for(request, slug)
    entrant = access.found(access.entrant_at(request, event))
    form = SpendForm(request.POST)
    access.found_or_404(form if form.is_valid() else None)
    facts, by = form.cleaned_data, responses.actor_of_player(entrant.player)
    try:
        tokens.spend(event, facts["round"], entrant=entrant.number, key=facts["key"], by=by)
    except Refused as error:
        return responses.refused(request, error, store=event.store, event=event, back=reverse("me", args=[slug]))
    return redirect("me", slug)


def _now_context(state: EventState) -> dict[str, object]:
    situation = public.situation_of(state)
    round = situation.round
    return {
        "situation": situation,
        "round": round,
        "after": len(state.complete_rounds),
        "clock": clock_shown(state, round),
    }


class CardRequest(HttpRequest):
    """A request for a card, with the fleets that were loaded for many cards at once, by entrant number."""

    fleets: dict[int, FleetState]


def load_fleets(requests: Sequence[HttpRequest], event: Event) -> None:
    """Load in one query what the cards that these requests ask for show of their players' own fleets."""
    state = shared_state(event)
    owners = [own for request in requests if (own := own_entrant(request, state)) and own.has_fleet]
    found = fleets_of(state, [own.number for own in owners]) if owners else {}
    for request in requests:
        cast(CardRequest, request).fleets = found


def _fleet_of(request: HttpRequest, state: EventState, own: Entrant) -> FleetState | None:
    if not own.has_fleet:
        return None
    loaded: dict[int, FleetState] | None = getattr(request, "fleets", None)
    return fleet_of(state, own.number) if loaded is None else loaded.get(own.number)


def _card_context(state: EventState, own: Entrant, fleet: FleetState | None) -> dict[str, object]:
    """The answer for this player, the own fleet, and what both say of the other's while they play."""
    place = place_of(state, own)
    match = place.match if isinstance(place.match, TableState) and place.kind == "table" else None
    said = state.memoized(("said", place.round and place.round.number), lambda: _said(state, place.round))
    checks = said.checks.get(match.table) if match else None
    return {
        "found": NameSearch("", (place,)),
        "asks_faction": state.asks_faction(own),
        "place": place,
        "fleet": fleet,
        "mine": checks and checks.by(own.number),
        "theirs": checks and checks.about(own.number),
        "key": new_key(),
        "may_ask": [kind for kind in Wish.Kind if not why_not_ask(state, own.number, kind)],
        "wishes": _wishes(state, own, said.wishes),
        "concedes": _concession_of_opponent(place, said.wishes),
        "call": next((one for one in player_calls(state) if one.by.number == own.number), None),
        "call_about": ABOUT,
        **_token_context(state, own, place),
        **(report_context(state, match, own, said.reports[match.table]) if match else {}),
    }


def _may_check_in(context: Mapping[str, Any]) -> bool:
    """Whether players who have a place check in on their phones now."""
    return context["event"].checks_in_by_phone and context["state"].is_before and not context["is_ahead"]


def _first(context: dict[str, object]) -> str:
    """What a player is to do next: "sign" the other's sheet, "report" the result, before round 1 the own "fleet"."""
    mine, status, place, fleet = (context.get(one) for one in ("mine", "report_status", "place", "fleet"))
    if isinstance(place, PlayerPlace) and place.round is None and place.kind in ("absent", "waiting"):
        is_ready = isinstance(fleet, FleetState) and not fleet.is_unreadable and fleet.is_legal
        return "" if is_ready else "fleet"
    if status == "none" and isinstance(mine, SheetStatus) and mine.kind == "unsigned":
        return "sign"
    return "report" if status in ("none", "theirs", "disputed") else ""


def _rounds_context(state: EventState, own: Entrant) -> dict[str, object]:
    """The player's rounds so far, and the rank that they led to."""
    after = len(state.complete_rounds)
    standing = standing_after(state, own, after)
    return {"event": state.event, "lines": my_rounds(state, own), "standing": standing, "after": after}


@dataclass(frozen=True, slots=True)
class Said:
    """What all players of a round said by phone; reports and checks by table number, wishes by entrant number."""

    reports: dict[int, TableReports]
    checks: dict[int, TableChecks]
    wishes: dict[int, list[PlayerRequest]]


def _said(state: EventState, round: RoundState | None) -> Said:
    matches = round.matches if round else []
    wishes = defaultdict(list)
    for one in wishes_of(state):
        wishes[one.by.number].append(one)
    return Said(reports_in(state, round) if round else {}, checks_of(state, matches), wishes)


def _token_context(state: EventState, own: Entrant, place: PlayerPlace) -> dict[str, object]:
    """My token, with what it takes to spend it now; and that of my opponent, who may roll again."""
    mine = my_token_of(state, own)
    battle = battle_now(state, own.number) if mine and mine.kind == "held" else None
    return {
        "my_token": mine,
        "their_token": _opponents(token_of(state), place),
        "effect": EFFECT,
        "spend": battle
        and SpendForm(initial={"round": battle.round.number}, auto_id=f"spend-{battle.round.number}-%s"),
    }


def _opponents(token: TokenState | None, place: PlayerPlace) -> TokenState | None:
    if token is None or place.other is None or place.kind != "table" or not token.of(place.other.entrant):
        return None
    return token if token.state in ("held", "spent") else None


def _news(context: Mapping[str, Any]) -> list[str]:
    """In a few words each what matters to the player now, and is to be done, the most urgent first.

    A phone that was asked to tells what is new among it.
    """
    checks = [one for one in (context["theirs"], context["mine"]) if one]
    news: list[Message | str] = []
    if context.get("report_status") == "theirs":
        news.append(message("Check and confirm {player}’s report", player=str(context["other"])))
    if context.get("report_status") == "disputed":
        news.append(message("Disputed: stay at your table for the judge"))
    if any(one.kind == "called" for one in checks):
        news.append(message("Judge called: stay at your table"))
    if (call := context["call"]) and call.row.is_answered:
        news.append(message("A judge is coming"))
    if context["concedes"]:
        news.append(message("{player} asked to concede", player=str(context["concedes"].by)))
    news.append(_news_of(context["place"], context["event"]))
    return [*map(str, news), *(one.text for one in context["announced"])]


def _changes(context: Mapping[str, Any]) -> str:
    """What else is told when it is another than before: signatures, the report, tokens, answers of the desk."""
    checked = [context[whose] and context[whose].kind for whose in ("theirs", "mine")]
    asked = [(one.row.kind, one.kind) for one in context["wishes"]]
    mine, theirs = context["my_token"], context["their_token"]
    call, concedes = context["call"], context["concedes"] is not None
    called = call and (call.row.pk, call.row.is_answered)
    return repr(
        (checked, context.get("report_status"), mine and mine.kind, theirs and theirs.state, asked, called, concedes)
    )


def _news_of(place: PlayerPlace, event: Event) -> Message:
    if place.kind == "table" and place.match:
        if place.match.state == "tied":
            return message("{place}, roll off", place=place.match.place)
        return message("{place}, result", place=place.match.place) if place.match.state == "done" else place.match.place
    if place.kind == "queued":
        return message("Number {number} on the waiting list", number=place.queue)
    if place.kind == "absent" and event.places is not None:
        return message("You have a place")
    if place.standing and place.kind in ("final", "waiting"):
        return message("Rank {rank}", rank=place.standing.rank)
    return IN_WORDS.get(place.kind, message("News"))


def _wishes(state: EventState, own: Entrant, wishes: dict[int, list[PlayerRequest]]) -> list[PlayerRequest]:
    """What this player asked for in the last round, and what became of it."""
    round = round_of_wishes(state, own.number)
    return [one for one in wishes.get(own.number, ()) if round and one.match.round.pk == round.row.pk]


def _concession_of_opponent(place: PlayerPlace, wishes: dict[int, list[PlayerRequest]]) -> PlayerRequest | None:
    """Rule 2.9: what the opponent of this match asked the desk for, and waits to hear of."""
    if place.other is None or place.match is None:
        return None
    asked = (one for one in wishes.get(place.other.entrant.number, ()) if one.match is place.match)
    return next((one for one in asked if one.row.kind == Wish.Kind.CONCEDE and one.kind == "asked"), None)
