"""The commendation ledger of a campaign: month by month, who should have had the token, and what became of it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tourney.models import Campaign, Event, TokenLine
from tourney.queries.shown_names import in_public_words
from tourney.queries.state import EventState, states_of
from tourney.queries.tokens import (
    FIRST_MONTH,
    LastMonth,
    TokenState,
    here_when_given,
    offer_of,
    ranks_of,
    token_by,
)

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


def ledger_of(campaign: Campaign) -> list[LedgerMonth]:
    """The months of the campaign, the latest first, in a constant number of queries.

    Players stand in it as everybody may read them.
    """
    events = list(campaign.events.with_context().order_by("starts_at", "pk"))
    rows = defaultdict(list)
    in_words = in_public_words(campaign.store)
    for row in TokenLine.objects.filter(event__in=events):
        row.reason = in_words(row.reason)
        rows[row.event_id].append(row)
    months: list[LedgerMonth] = []
    played: list[EventState] = []
    for state in states_of(events, public=True) if events else ():
        months.append(_month(state, rows[state.event.pk], _before(state, played)))
        if state.closed_rounds:
            played.append(state)
    return months[::-1]


def _before(state: EventState, played: Sequence[EventState]) -> LastMonth | None:
    earlier = [one for one in played if one.event.starts_at < state.event.starts_at]
    return ranks_of(earlier[-1]) if earlier else None


def _month(state: EventState, rows: Sequence[TokenLine], last: LastMonth | None) -> LedgerMonth:
    if not state.rules.token:
        return LedgerMonth(state.event, "without", WITHOUT)
    token = token_by(state, rows)
    if last is None:
        return LedgerMonth(state.event, "first", FIRST_MONTH)
    over = state.is_finished and last.is_final
    why = last.why(here_when_given(state, token), token.now.declined)
    if not over and not token.is_given:
        why = offer_of(state, token, last).why
    kind = "given" if token.is_given else "ungranted" if state.is_finished else "coming"
    return LedgerMonth(state.event, kind, why, token, last.event)
