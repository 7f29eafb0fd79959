"""The commendation ledger of a campaign: month by month, who should have had the token, and what became of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import Exists, OuterRef

from scoring.domain.commendation import Placed, token_after
from tourney.domain.naming import Rewording
from tourney.models import Campaign, Entrant, Event, Player, Round, TokenLine
from tourney.queries.months import OF_EVENT, PACK, packs_of_events
from tourney.queries.shown_names import in_public_words, short_names
from tourney.queries.state import EventState, states_of
from tourney.queries.tokens import (
    FIRST_MONTH,
    GIVEN,
    LastMonth,
    TokenState,
    checked_in_when_given,
    not_final_yet,
    offer_of,
    ranks_of,
    token_by,
)
from tourney.runtime.messages import Message, message
from tourney.runtime.packed import Packed, packed, unpacked, with_columns


class LedgerDate(NamedTuple):
    """When an event of the campaign was, and whether a round of it was played."""

    pk: int
    starts_at: datetime
    was_played: bool


MONTHS_OF_A_PAGE = 12

WITHOUT = message("This month is played without the token.")


@dataclass(frozen=True, slots=True)
class LedgerMonth:
    """One month: `kind` is without, first, coming (nobody got it yet), ungranted (and it is over) or given.

    `why` says who should have it, or should have had it; `previous` is the event of the month before.
    """

    event: Event
    kind: str
    why: str | Message
    token: TokenState | None = None
    previous: Event | None = None


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """An event as the ledger reads it. `is_kept`: it is finished, and what it came to is stored.

    Of one that is kept: `last`, its ranks for the month after it; `here`, who could get its token, by player and
    number. `lines` are what became of the token, the oldest first.
    """

    event: Event
    is_kept: bool
    last: LastMonth
    here: tuple[tuple[int, int], ...]
    lines: tuple[TokenLine, ...]


EVENTS = f"""
    SELECT e.{", e.".join(OF_EVENT)}, pack.digest, f.event_id IS NOT NULL, (
        SELECT json_agg(json_build_array(p.id, p.name, l.rank, l.title) ORDER BY l.place)
        FROM tourney_finalline l JOIN tourney_player p ON p.id = l.player_id
        WHERE l.event_id = e.id AND e.id = ANY(%(before)s)
    ), (
        SELECT json_agg(json_build_array(n.player_id, n.number) ORDER BY n.number) FROM tourney_entrant n
        WHERE n.event_id = e.id AND f.event_id IS NOT NULL AND e.id = ANY(%(shown)s) AND CASE
            WHEN given.here IS NULL THEN EXISTS (
                SELECT FROM tourney_finalseat s WHERE s.entrant_id = n.id AND s.round = 1
            )
            ELSE n.number = ANY(given.here)
        END
    ), (
        SELECT json_agg(json_build_array({packed(TokenLine, "t")}, {packed(Entrant, "h")}, p.name) ORDER BY t.number)
        FROM tourney_tokenline t LEFT JOIN tourney_entrant h ON h.id = t.entrant_id
        LEFT JOIN tourney_player p ON p.id = h.player_id WHERE t.event_id = e.id AND e.id = ANY(%(shown)s)
    )
    FROM tourney_event e JOIN scoring_monthpack pack ON pack.id = e.pack_id
    LEFT JOIN tourney_finalranking f ON f.event_id = e.id
    LEFT JOIN LATERAL (
        SELECT t.here FROM tourney_tokenline t WHERE t.event_id = e.id AND t.kind = ANY(%(given)s)
        ORDER BY t.number DESC LIMIT 1
    ) given ON true
    WHERE e.id = ANY(%(shown)s) OR e.id = ANY(%(before)s)
"""
"""Events and all that the ledger says of them, as they are at one moment."""


def ledger_of(campaign: Campaign, page: str | int | None = 1) -> tuple[Page[LedgerDate], list[LedgerMonth]]:
    """The ledger's page of that number, with its months, the latest first, in a constant number of queries.

    Players stand in it as everybody may read them.
    """
    closed = Round.objects.filter(event=OuterRef("pk"), state=Round.State.CLOSED)
    marked = campaign.events.filter(canceled_at=None).annotate(was_played=Exists(closed)).order_by("-starts_at", "-pk")
    moments = [LedgerDate(*one) for one in marked.values_list("pk", "starts_at", "was_played")]
    found = Paginator(moments, MONTHS_OF_A_PAGE).get_page(page)
    previous = {one.pk: _before(one, moments) for one in found}
    events = _events(campaign, [*previous], [one for one in previous.values() if one])
    states = _open_states([one.event for one in events.values() if not one.is_kept])
    last = {pk: ranks_of(states[pk]) if pk in states else one.last for pk, one in events.items()}
    before = {pk: last.get(one or 0) for pk, one in previous.items()}
    months = [
        _month(states[pk], events[pk].lines, before[pk]) if pk in states else _finished(events[pk], before[pk])
        for pk in previous
        if pk in events
    ]
    return found, months


def _events(campaign: Campaign, shown: Sequence[int], before: Sequence[int]) -> dict[int, LedgerEvent]:
    """The events that are shown, and those before them, by the id, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(EVENTS, {"shown": list(shown), "before": list(before), "given": [kind.value for kind in GIVEN]})
        rows = cursor.fetchall()
    width, names = len(OF_EVENT), short_names(campaign.store)
    in_words = in_public_words(campaign.store) if names else None
    packs = packs_of_events({(row[PACK], row[width]) for row in rows})
    found = {}
    for row in rows:
        event = with_columns(Event, OF_EVENT, row[:width])
        event.campaign, event.pack = campaign, packs[event.pack_id]
        is_kept, ranks, here, lines = row[width + 1 :]
        found[event.pk] = LedgerEvent(
            event,
            is_kept,
            LastMonth(
                event,
                tuple(Placed(player, rank, title) for player, _, rank, title in ranks or ()),
                {player: names.get(player, name) for player, name, *_ in ranks or ()},
            ),
            tuple((player, number) for player, number in here or ()),
            tuple(_line(campaign, names, in_words, *line) for line in lines or ()),
        )
    return found


def _line(
    campaign: Campaign,
    names: Mapping[int, str],
    in_words: Rewording | None,
    line: Packed,
    entrant: Packed | None,
    name: str,
) -> TokenLine:
    """With whom it is about, as everybody may read it."""
    row = unpacked(TokenLine, line)
    row.reason = in_words(str(row.why)) if in_words else str(row.why)
    row.entrant = unpacked(Entrant, entrant) if entrant else None
    if row.entrant:
        pk = row.entrant.player_id
        columns: tuple[Any, ...] = pk, campaign.store_id, names.get(pk, name)
        row.entrant.player = with_columns(Player, ("id", "store_id", "name"), columns)
    return row


def _open_states(events: Collection[Event]) -> dict[int, EventState]:
    """Of those of which nothing is kept."""
    if not events:
        return {}
    rows = list(Event.objects.with_context().filter(pk__in=[event.pk for event in events]))
    return {state.event.pk: state for state in states_of(rows, public=True)}


def _before(event: LedgerDate, events: Sequence[LedgerDate]) -> int | None:
    """Of these, the latest first, the id of the last that was played before this one."""
    return next((one.pk for one in events if one.was_played and one.starts_at < event.starts_at), None)


def _finished(found: LedgerEvent, last: LastMonth | None) -> LedgerMonth:
    event, rows = found.event, found.lines
    if not event.rules.token:
        return LedgerMonth(event, "without", WITHOUT)
    entrants = {row.entrant.number: row.entrant for row in rows if row.entrant}
    now = token_after(row.facts for row in rows)
    token = TokenState(now, entrants.get(now.holder or 0), entrants.get(now.due or 0), rows)
    if last is None:
        return LedgerMonth(event, "first", FIRST_MONTH)
    present = {player for player, _ in found.here}
    why: str | Message = last.why_of(present, {player for player, number in found.here if number in now.declined})
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
    why: str | Message = last.why(checked_in_when_given(state, token), token.now.declined)
    if not token.is_given and not (state.is_finished and last.is_final):
        why = offer_of(state, token, last).why
    kind = "given" if token.is_given else "ungranted" if state.is_finished else "coming"
    return LedgerMonth(state.event, kind, why, token, last.event)
