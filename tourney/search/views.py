"""Search everywhere, at the desk of an event and at a store: only what this visitor may open (tourney/access.py)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from tourney import access
from tourney.judge.queries.rule_book import book_of
from tourney.judge.templatetags import TOOLS
from tourney.models import Entrant, Event, Round, Store
from tourney.queries.matches import MatchState
from tourney.queries.shared import staff_state
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message
from tourney.search.domain import found, table_number
from tourney.search.queries import events_named, players_named
from tourney.views import frame, responses

LONGEST = 60
"""Letters of a text that are searched for."""
MOST = 8
"""Hits of a kind that are shown."""
FOUND = dict.fromkeys(("found", "search-box"), "search/box.html")
STAFF, ORGANIZERS, OWNERS = access.DESK, access.ORGANIZERS, access.OWNERS


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found: where it is, what it is called, and what tells it from another of that name."""

    url: str
    title: str | Message
    note: str | Message = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class HitGroup:
    """Hits of a kind; `more` is the page with all of them where there are more."""

    title: Message
    hits: Sequence[Hit]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A page by what its navigation calls it, and the roles that may open it."""

    title: Message
    name: str
    roles: Sequence[str] = STAFF


DESK_PLACES = (
    Place(message("Overview"), "desk"),
    Place(message("Players"), "players"),
    Place(message("Late arrivals & drops"), "arrivals", ORGANIZERS),
    Place(message("Print"), "print_centre"),
    Place(message("Share results"), "desk_share"),
    Place(message("Screens"), "screens"),
    Place(message("Awards"), "awards"),
    Place(message("Journal"), "journal"),
    Place(message("History"), "history", ORGANIZERS),
    Place(message("Settings"), "event_settings", ORGANIZERS),
    Place(message("Tables"), "tables", ORGANIZERS),
    Place(message("QR code"), "qr"),
    Place(message("Public page"), "event"),
    Place(message("Standings"), "standings"),
)
STORE_PLACES = (
    Place(message("Events"), "store_home"),
    Place(message("Packs"), "packs"),
    Place(message("Cards"), "cards"),
    Place(message("Rules"), "store_judge"),
    *(Place(tool.title, tool.store_url) for tool in TOOLS),
    Place(message("Players"), "store_players", ORGANIZERS),
    Place(message("Create campaign"), "new_campaign", ORGANIZERS),
    Place(message("Staff"), "staff", OWNERS),
    Place(message("Settings"), "store_settings", OWNERS),
    Place(message("Settings for new events"), "event_template", OWNERS),
    Place(message("Store journal"), "store_journal", OWNERS),
)


@login_required
@require_safe
def desk_search(request: HttpRequest, slug: str) -> HttpResponse:
    """At the desk of an event: its table and players first, then pages and what the store has."""
    event = access.event_for(request, slug, *access.DESK)
    state = staff_state(event)
    text, role = _text(request), _role(request, event.store)
    groups = [*_at_event(state, text, role), *_at_store(event.store, text, role)] if text else []
    context = frame.desk_context(request, state, "search", groups=groups, text=text, most=LONGEST)
    return _answer(request, "desk/search.html", context, groups)


@login_required
@require_safe
def store_search(request: HttpRequest, slug: str) -> HttpResponse:
    """At a store, for who runs it."""
    store = access.store_for(request, slug, *access.DESK)
    text, role = _text(request), _role(request, store)
    groups = [*_at_store(store, text, role)] if text else []
    context = responses.store_context(request, store, section="search", groups=groups, text=text, most=LONGEST)
    return _answer(request, "store/search.html", context, groups)


def _answer(
    request: HttpRequest, template: str, context: dict[str, object], groups: Sequence[HitGroup]
) -> HttpResponse:
    """The page or its part; the first hit itself, where Enter was pressed in the dialog (`go`)."""
    htmx = access.htmx_of(request)
    if "go" in request.GET and groups and not htmx:
        return redirect(groups[0].hits[0].url)
    more = {
        "total": sum(len(group.hits) for group in groups),
        "here": request.path,
        "is_told": bool(htmx) and htmx.target == "found",
    }
    return responses.show(request, template, context | more, parts=FOUND)


def _text(request: HttpRequest) -> str:
    return " ".join(request.GET.get("q", "").replace("\0", "").split())[:LONGEST]


def _role(request: HttpRequest, store: Store) -> str:
    return access.role_at(request, store) or ""


def _at_event(state: EventState, text: str, role: str) -> Iterator[HitGroup]:
    tables = [_table_hit(state.event, match) for match in _tables(state, text)]
    yield from _group(message("Tables"), tables)
    players = sorted(state.entrants, key=lambda one: alphabetical(one.player.name))
    hits = [_entrant_hit(state, one) for one in found(players, text, lambda one: [one.player.name])]
    yield from _group(message("Players at this event"), hits, reverse("players", args=[state.event.slug]))
    places = (
        *_rounds(state),
        *(
            (place.title, reverse(place.name, args=[state.event.slug]), place.roles)
            for place in DESK_PLACES
            if _is_open(state, place)
        ),
    )
    yield from _group(message("Pages of this event"), _pages(places, text, role))


def _at_store(store: Store, text: str, role: str) -> Iterator[HitGroup]:
    """Nothing of a store that nobody has a role at: that of a rehearsal."""
    slug, query = [store.slug], urlencode({"q": text})
    if store.rehearsal_id is None:
        places = ((place.title, reverse(place.name, args=slug), place.roles) for place in STORE_PLACES)
        yield from _group(message("Pages of the store"), _pages(places, text, role))
        if role in ORGANIZERS:
            players = [
                Hit(reverse("store_player", args=[*slug, one.pk]), one.name) for one in players_named(store, text)
            ]
            yield from _group(
                message("Players of the store"), players, f"{reverse('store_players', args=slug)}?{query}"
            )
        events = [
            Hit(reverse("desk", args=[one.slug]), one.name, f"{one.storyline} · {written(one.starts_at, 'day')}")
            for one in events_named(store, text)
        ]
        yield from _group(message("Events"), events, reverse("store_home", args=slug))
    page = reverse("store_rulings", args=slug)
    rulings = [
        Hit(
            f"{page}#{one.ruling.number}",
            one.ruling.topic,
            f"{one.ruling.number} · {one.ruling.section}",
            one.ruling.language,
        )
        for one in book_of(store, words=text).found
    ]
    yield from _group(message("Rulings"), rulings, f"{page}?{query}")


def _group(title: Message, hits: Sequence[Hit], more: str = "") -> Iterator[HitGroup]:
    if hits:
        yield HitGroup(title, hits[:MOST], more if len(hits) > MOST else "")


def _tables(state: EventState, text: str) -> list[MatchState]:
    number = table_number(text, "table", str(message("Table")))
    match = state.last_round.match_at(number) if number and state.last_round else None
    return [match] if match else []


def _table_hit(event: Event, match: MatchState) -> Hit:
    return Hit(_url_of(event, match), message("Table {table}", table=match.table or 0), _round_and_names(match))


def _entrant_hit(state: EventState, entrant: Entrant) -> Hit:
    match = state.last_round.match_of(entrant.number) if state.last_round else None
    where = message("Table {table}", table=match.table) if match and match.table else ""
    return Hit(reverse("player", args=[state.event.slug, entrant.number]), entrant.player.name, where)


def _url_of(event: Event, match: MatchState) -> str:
    """Nothing is entered at a table of a draft."""
    if match.round.state == Round.State.DRAFT:
        return reverse("round", args=[event.slug, match.round.number])
    return frame.table_url(event.slug, match)


def _round_and_names(match: MatchState) -> Message | str:
    names = [entrant.player.name for entrant in match.entrants]
    return message("{player} against {opponent}", player=names[0], opponent=names[1]) if len(names) > 1 else names[0]


type Page = tuple[Message, str, Sequence[str]]
"""What it is called, its address, and who may open it."""


def _pages(places: Iterable[Page], text: str, role: str) -> list[Hit]:
    """By what a page is called in the reader's language, and in English, which those who help may use."""
    mine = [place for place in places if role in place[2]]
    return [Hit(url, title) for title, url, _ in found(mine, text, lambda place: [str(place[0]), place[0].id])]


def _rounds(state: EventState) -> Iterator[Page]:
    slug, in_play = state.event.slug, frame.in_play(state)
    if in_play:
        yield message("Results"), reverse("results", args=[slug, in_play]), STAFF
    for round in state.rounds:
        yield message("Round {number}", number=round.number), reverse("round", args=[slug, round.number]), STAFF


def _is_open(state: EventState, place: Place) -> bool:
    """Whether there is anything on the page yet, as its tab says (`desk/parts/tabs.html`)."""
    needs = {"awards": state.closed_rounds, "standings": state.public_rounds, "arrivals": not state.is_finished}
    return bool(needs.get(place.name, True))
