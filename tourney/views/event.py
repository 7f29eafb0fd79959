"""The public pages of an event: now, pairings, standings, roll-offs. What is not published is not here."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from time import time
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from fleets.domain.resources import in_play
from scoring.domain import words
from scoring.domain.factions import FactionLine, victorious
from scoring.domain.pack import BEST_OF_EACH_FACTION
from tourney import access
from tourney.actions.rounds import relaxed_sentences
from tourney.models import Entrant, Event, Store
from tourney.queries import public
from tourney.queries.awards import prizes_won
from tourney.queries.clock import clock_shown
from tourney.queries.finale import next_of
from tourney.queries.finding import NameSearch, find, place_of
from tourney.queries.matches import RoundState
from tourney.queries.months import is_ahead
from tourney.queries.my_card import entered_event, tonight_of
from tourney.queries.next_month import month_after
from tourney.queries.shared import shared_state
from tourney.queries.state import EventState
from tourney.queries.tokens import token_of
from tourney.runtime.kept import VersionedCache, memory
from tourney.runtime.letters import plain
from tourney.runtime.shared_html import OwnHtml, Pieces, SharedHtml
from tourney.views import parts, responses

TOP = 6
PODIUM = 3
MOST_BESIDE = 6
"""Rows that a search shows above a long list."""


@require_safe
@responses.live()
def event(request: HttpRequest, event: Event) -> HttpResponse:
    """Where the event stands and where the reader sits."""
    state = shared_state(event)
    found = _found(request, state)
    situation = public.situation_of(state)
    after = len(state.complete_rounds)
    if situation.kind == "finished":
        listed = _ranks_listed(request, state, after, None)
    else:
        listed = _round_listed(request, state, situation.round, None, order="name")
    context = frame_context(
        request,
        state,
        "event",
        situation=situation,
        found=found,
        me=_me(found),
        token=token_of(state),
        tag=responses.live_tag(request, event, "now"),
        **listed,
        **ranks_context(state, after),
        month=_month_facts(state),
    )
    if situation.kind == "finished":
        context["coming"] = {"next": next_of(state, timezone.now())}
        if context["may_organize"]:
            context["next_month"] = month_after(event)
    context["tonight"] = _tonight(request, event, found, context)
    return responses.show(request, "event/event.html", context, parts=("now",))


TONIGHT = frozenset(
    "state event store situation token round by clock listed keep after lines top podium factions victorious awards "
    "prizes coming".split()
)
"""What `event/parts/tonight.html` sees, nothing of which is a reader's own where nobody is looked for."""
_tonights: VersionedCache[SharedHtml] = VersionedCache(memory(0.05), lambda shared: len(shared.html))


def _tonight(request: HttpRequest, event: Event, found: NameSearch | None, context: dict[str, object]) -> SafeString:
    """Where the event stands, made once in a second for all who look for nobody, with the reader's own row marked.

    Not longer, for the sake of the clock in it.
    """
    has_card = context["own"] is not None
    facts = {name: fact for name, fact in context.items() if name in TONIGHT}
    facts |= {
        "own": has_card,
        "found": {"place": found and found.place},
        "request": {"path": request.path, "get_host": request.get_host()},
    }

    def made() -> SharedHtml:
        return SharedHtml(render_to_string("event/parts/tonight.html", facts))

    if request.META["QUERY_STRING"]:
        shared = made()
    else:
        key = event.pk, get_language(), has_card, request.get_host()
        shared = _tonights.get(key, (event.version, int(time())), lambda _: made())
    own = OwnHtml(shared, _me(found))
    pieces: Pieces | None = getattr(request, "pieces", None)
    return mark_safe(pieces.put(own) if pieces else str(own))


@require_safe
@responses.live()
def pairings(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One published round: who sits where and why, and the results as they come in."""
    state = shared_state(event)
    round = access.found(next((round for round in state.public_rounds if round.number == number), None))
    found = _found(request, state)
    context = frame_context(
        request,
        state,
        "pairings",
        found=found,
        me=_me(found),
        relaxed=relaxed_sentences(state, round),
        tag=responses.live_tag(request, event, "round"),
        **_round_listed(request, state, round, found, order="table"),
    )
    return responses.show(request, "event/pairings.html", context, parts=("round",))


@require_safe
@responses.live()
def standings(request: HttpRequest, event: Event, after: int | None = None) -> HttpResponse:
    """The standings after a complete round, the latest one unless `after` names another."""
    state = shared_state(event)
    complete = len(state.complete_rounds)
    if after is not None and not 1 <= after <= complete:
        raise Http404
    shown = complete if after is None else after
    found = _found(request, state)
    context = frame_context(
        request,
        state,
        "standings",
        situation=public.situation_of(state),
        found=found,
        me=_me(found),
        tag=responses.live_tag(request, event, "ranks"),
        complete=complete,
        is_latest=shown == complete,
        **_ranks_listed(request, state, shown, found),
        **ranks_context(state, shown),
    )
    return responses.show(request, "event/standings.html", context, parts=("ranks",))


@require_safe
@responses.live()
def roll_offs(request: HttpRequest, event: Event) -> HttpResponse:
    """The register of roll-offs (rule 4.3)."""
    state = shared_state(event)
    register = state.memoized("register", lambda: public.roll_off_lines(state))
    listed = parts.parts_of(request, state, "register", register, _rolled, size=parts.PLAYERS // 2)
    context = frame_context(
        request,
        state,
        "roll_offs",
        listed=listed,
        register=[(number, list(lines)) for number, lines in groupby(chain(*listed.shown), _round_of)],
        dice=public.dice_of(state),
        tag=responses.live_tag(request, event, "register"),
    )
    return responses.show(request, "event/roll_offs.html", context, parts=("register",))


def _round_of(line: public.RollOffLine) -> int:
    return line.row.round.number


def _rolled(line: public.RollOffLine, text: str) -> bool:
    """Whether that stands in the name of somebody who rolled."""
    return text in plain(line.who)


@require_safe
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """204: no stream from here, keep asking. `tourney.serving.live` answers before Django where it can."""
    access.event_for(request, slug)
    return HttpResponse(status=204)


def frame_context(request: HttpRequest, state: EventState, section: str, **more: object) -> dict[str, object]:
    """The context of `event/frame.html`. Sections: event, me, pairings, standings, roll_offs, join, qr, fleet.

    `keep` is the query that lets the reader stay found on the next page; `own` is who has a card on this device;
    `is_ahead` says that the event is not today.
    """
    name = request.GET.get("q", "")
    keep = f"?{urlencode({'q': name})}" if name else ""
    own = own_entrant(request, state)
    ahead = is_ahead(state.event, timezone.now())
    return responses.event_context(
        request, state.event, state=state, section=section, keep=keep, own=own, is_ahead=ahead, **more
    )


@dataclass(frozen=True, slots=True)
class NightBar:
    """The event of today whose bar a player's pages at the store have; `own` is the player there."""

    event: Event
    state: EventState
    own: Entrant | None
    section: str


def night_bar(request: HttpRequest, store: Store, section: str) -> dict[str, object]:
    """The `bar` of `store/frame.html`: of the event that a player came from or plays today.

    It is asked for where it is shown. None without a card on this device, and for who works there. Sections: card,
    fleets, rules.
    """
    return {"bar": SimpleLazyObject(partial(_night_bar, request, store, section))}


def _night_bar(request: HttpRequest, store: Store, section: str) -> NightBar | None:
    player = access.player_at(request, store)
    if player is None or access.role_at(request, store):
        return None
    came_from = entered_event(player, request.GET.get("event", ""))
    event = came_from or tonight_of(player, timezone.now(), access.last_event(request))
    if event is None:
        return None
    state = shared_state(event)
    return NightBar(state.event, state, own_entrant(request, state), section)


def own_entrant(request: HttpRequest, state: EventState) -> Entrant | None:
    """Whose card this device holds, as an entrant of the event."""
    person = access.person_at(request, state.event.store)
    return access.entrant_if_sender_matches(request, state.by_player.get(person or 0))


def _found(request: HttpRequest, state: EventState) -> NameSearch | None:
    """Who was looked for; without a name, whose card this device holds."""
    own = own_entrant(request, state)
    if own and not request.GET.get("q"):
        return NameSearch("", (place_of(state, own),))
    return find(state, request.GET.get("q", ""))


def _me(found: NameSearch | None) -> int | None:
    """The number of the player who was looked for, to mark the rows that are theirs."""
    return found.place.entrant.number if found and found.place else None


def _round_listed(
    request: HttpRequest, state: EventState, round: RoundState | None, found: NameSearch | None, *, order: str
) -> dict[str, object]:
    """The pairings of a round in the order the reader chose: by name or by table."""
    if round is None:
        return {"round": None}
    chosen = request.GET.get("by")
    by = chosen if chosen in ("name", "table") else order
    rows: Sequence[public.PublicTable | public.NameLine]
    key: Hashable
    if by == "table":
        key, size = ("tables", round.number), parts.PLAYERS // 2
        rows = state.memoized(key, lambda: public.tables_of(round))
    else:
        key, size = ("names", round.number), parts.PLAYERS
        rows = state.memoized(key, lambda: public.names_in(round))
    return {
        "round": round,
        "by": by,
        "clock": clock_shown(state, round),
        **_listed(request, state, key, rows, found, size),
    }


def _ranks_listed(request: HttpRequest, state: EventState, after: int, found: NameSearch | None) -> dict[str, object]:
    """The ranks after that many rounds."""
    rows = public.rank_lines(state, after)
    return _listed(request, state, ("ranks", after), rows, found, parts.PLAYERS)


def _listed(
    request: HttpRequest,
    state: EventState,
    key: Hashable,
    rows: Sequence[public.PublicTable | public.NameLine | public.RankLine],
    found: NameSearch | None,
    size: int,
) -> dict[str, object]:
    """A list in parts of `size` rows (`listed`); `beside` a long one the rows of those who were looked for.

    Without a search that is the reader's own, where it is not among those shown.
    """
    listed = parts.parts_of(request, state, key, rows, size=size)
    numbers = {place.entrant.number for place in found.places} if found and listed.is_long else set()
    looked_at = rows if found and found.text else rows[listed.rows :]
    beside = [row for row in looked_at if not numbers.isdisjoint(row.numbers)] if numbers else []
    found_rows = [beside[:MOST_BESIDE]] if beside else []
    return {"listed": listed, "beside": found_rows, "not_beside": len(beside[MOST_BESIDE:])}


def ranks_context(state: EventState, after: int) -> dict[str, object]:
    """The standings after that many rounds with their podium and factions, as `event/parts` show them."""
    return state.memoized(("ranks", after), lambda: _ranks(state, after))


def _ranks(state: EventState, after: int) -> dict[str, object]:
    lines = public.rank_lines(state, after)
    factions = state.faction_lines(after) if after else ()
    return {
        "after": after,
        "lines": lines,
        "top": [lines[:TOP]],
        "podium": lines[: max(PODIUM, len(state.rules.titles))],
        "factions": factions,
        "victorious": victorious(factions),
        "awards": _awards(state, factions),
        "prizes": prizes_won(state) if state.is_finished else [],
        "rounds_played": range(1, after + 1),
    }


def _awards(state: EventState, factions: tuple[FactionLine, ...]) -> list[tuple[str, str]]:
    """Rule 5.4: each faction and the name of its highest ranked player, where the month gives that award."""
    if BEST_OF_EACH_FACTION not in state.rules.awards:
        return []
    return [(line.faction, state.names[line.champion]) for line in factions]


def _month_facts(state: EventState) -> dict[str, object]:
    return state.memoized("month", lambda: _month(state))


def _month(state: EventState) -> dict[str, object]:
    rules = state.rules
    retires = rules.resource.choice == "not retired"
    return {
        "rules": rules,
        "reminders": [tally for tally in rules.tallies if tally.reminder],
        "resource": words.resource_sentence(rules.resource),
        "building": words.building_sentences(rules),
        "in_play": in_play(timezone.localdate(state.event.starts_at)) if retires else None,
        "match_points": words.match_points_sentence(rules),
        "roll_off": words.roll_off_sentence(rules),
    }
