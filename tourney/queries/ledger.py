"""The commendation ledger of a campaign: month by month, who should have had the token, and what became of it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q

from scoring.domain.commendation import Placed, token_after
from tourney.models import Campaign, Entrant, Event, FinalLine, FinalRanking, FinalSeat, Round, Store, TokenLine
from tourney.queries.shown_names import in_public_words, put_public_names, short_names
from tourney.queries.state import EventState, states_of
from tourney.queries.tokens import (
    FIRST_MONTH,
    GIVEN,
    LastMonth,
    TokenState,
    here_when_given,
    not_final_yet,
    offer_of,
    ranks_of,
    token_by,
)


class LedgerDate(NamedTuple):
    """When an event of the campaign was, and whether a round of it was played."""

    pk: int
    starts_at: datetime
    was_played: bool


MONTHS_OF_A_PAGE = 12

WITHOUT = "This month is played without the token."


@dataclass(frozen=True, slots=True)
class LedgerMonth:
    """One month: `kind` is without, first, coming (nobody got it yet), ungranted (and it is over) or given.

    `why` says who should have it, or should have had it; `previous` is the event of the month before.
    """

    event: Event
    kind: str
    why: str
    token: TokenState | None = None
    previous: Event | None = None


def ledger_of(campaign: Campaign, page: str | int | None = 1) -> tuple[Page[LedgerDate], list[LedgerMonth]]:
    """That page of the campaign, and its months, the latest first, in a constant number of queries.

    Players stand in it as everybody may read them.
    """
    closed = Round.objects.filter(event=OuterRef("pk"), state=Round.State.CLOSED)
    marked = campaign.events.annotate(was_played=Exists(closed)).order_by("-starts_at", "-pk")
    moments = [LedgerDate(*one) for one in marked.values_list("pk", "starts_at", "was_played")]
    found = Paginator(moments, MONTHS_OF_A_PAGE).get_page(page)
    previous = {one.pk: _before(one, moments) for one in found}
    events = Event.objects.with_context().in_bulk({*previous, *filter(None, previous.values())})
    shown = [events[pk] for pk in previous if pk in events]
    before = {pk: events.get(one or 0) for pk, one in previous.items()}
    needed = {*shown, *filter(None, before.values())}
    kept = set(FinalRanking.objects.filter(event__in=needed).values_list("event", flat=True))
    open_events = [event for event in needed if event.pk not in kept]
    states = {state.event.pk: state for state in (states_of(open_events, public=True) if open_events else ())}
    ranks = _ranks(campaign.store, {event for event in before.values() if event}, states)
    rows = _rows(campaign, shown)
    here = _here([event for event in shown if event.pk in kept], rows)
    last = {pk: ranks[one] if one else None for pk, one in before.items()}
    months = [
        _month(states[event.pk], rows[event.pk], last[event.pk])
        if event.pk in states
        else _finished(event, rows[event.pk], last[event.pk], here[event.pk])
        for event in shown
    ]
    return found, months


def _before(event: LedgerDate, events: Sequence[LedgerDate]) -> int | None:
    """Of these, the latest first, the id of the last that was played before this one."""
    return next((one.pk for one in events if one.was_played and one.starts_at < event.starts_at), None)


def _ranks(store: Store, events: Collection[Event], states: Mapping[int, EventState]) -> dict[Event, LastMonth]:
    """Of each of these events, by its state where it has one, else by what is kept of it."""
    short = short_names(store)
    order: defaultdict[int, list[Placed]] = defaultdict(list)
    names: defaultdict[int, dict[int, str]] = defaultdict(dict)
    kept = FinalLine.objects.filter(event__in=[event.pk for event in events if event.pk not in states])
    lines = kept.order_by("event", "place").values_list(
        "event", "entrant__player", "entrant__player__name", "rank", "title"
    )
    for event, player, name, rank, title in lines:
        order[event].append(Placed(player, rank, title))
        names[event][player] = short.get(player, name)
    return {
        event: ranks_of(states[event.pk])
        if event.pk in states
        else LastMonth(event, tuple(order[event.pk]), names[event.pk])
        for event in events
    }


def _rows(campaign: Campaign, events: Sequence[Event]) -> dict[int, list[TokenLine]]:
    rows, in_words = defaultdict(list), in_public_words(campaign.store)
    lines = list(TokenLine.objects.filter(event__in=events).select_related("entrant__player"))
    put_public_names(campaign.store, short_names(campaign.store), [row.entrant for row in lines if row.entrant])
    for row in lines:
        row.reason = in_words(row.reason)
        rows[row.event_id].append(row)
    return rows


def _here(events: Sequence[Event], rows: Mapping[int, Sequence[TokenLine]]) -> dict[int, list[Entrant]]:
    """Of each of these finished events, who could get the token when it was given last, or who sat in round 1."""
    given = {event.pk: [row.here for row in rows[event.pk] if row.kind in GIVEN] for event in events}
    asked = Q(
        pk__in=FinalSeat.objects.filter(event__in=[pk for pk in given if not given[pk]], round=1).values("entrant")
    )
    for pk, numbers in given.items():
        if numbers:
            asked |= Q(event=pk, number__in=numbers[-1])
    found = defaultdict(list)
    for entrant in Entrant.objects.filter(asked):
        found[entrant.event_id].append(entrant)
    return found


def _finished(event: Event, rows: Sequence[TokenLine], last: LastMonth | None, here: Sequence[Entrant]) -> LedgerMonth:
    if not event.rules.token:
        return LedgerMonth(event, "without", WITHOUT)
    entrants = {row.entrant.number: row.entrant for row in rows if row.entrant}
    now = token_after(row.facts for row in rows)
    token = TokenState(now, entrants.get(now.holder or 0), entrants.get(now.due or 0), tuple(rows))
    if last is None:
        return LedgerMonth(event, "first", FIRST_MONTH)
    why = last.why(here, now.declined)
    if not last.is_final and not token.is_given:
        why = not_final_yet(last)
    return LedgerMonth(event, "given" if token.is_given else "ungranted", why, token, last.event)


def _month(state: EventState, rows: Sequence[TokenLine], last: LastMonth | None) -> LedgerMonth:
    """A month of which nothing is kept (yet): it is not finished."""
    if not state.rules.token:
        return LedgerMonth(state.event, "without", WITHOUT)
    token = token_by(state, rows)
    if last is None:
        return LedgerMonth(state.event, "first", FIRST_MONTH)
    why = last.why(here_when_given(state, token), token.now.declined)
    if not token.is_given and not (state.is_finished and last.is_final):
        why = offer_of(state, token, last).why
    kind = "given" if token.is_given else "ungranted" if state.is_finished else "coming"
    return LedgerMonth(state.event, kind, why, token, last.event)
