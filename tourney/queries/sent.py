"""What players of an event sent from their phones, and where its token comes from and is: one query."""

from dataclasses import dataclass

from django.db import connection

from tourney.models import Event, JudgeCall, PlayerReport, Seat, TokenLine, Wish
from tourney.queries.state import EventState
from tourney.runtime.packed import Packed, packed, unpacked, with_columns

OF_SEAT = ("id", "match_id", "round_id", "entrant_id", "side")
"""What is read of a seat; the rest is asked for by who needs it."""

_SEAT = f"json_build_array({', '.join(f's.{column}' for column in OF_SEAT)})"

LAST_MONTH = """
    SELECT l.id FROM tourney_event l JOIN tourney_event here ON here.id = %(event)s
    WHERE l.campaign_id = here.campaign_id AND l.starts_at < here.starts_at AND l.deleted_at IS NULL
        AND EXISTS (SELECT FROM tourney_round r WHERE r.event_id = l.id AND r.state = 'closed')
    ORDER BY l.starts_at DESC, l.id DESC LIMIT 1
"""
"""The last event of the campaign that was played before this one: a round of it is closed."""

QUERY = f"""
    SELECT
        (SELECT json_agg({packed(JudgeCall, "x")} ORDER BY x.is_answered, x.at, x.id)
            FROM tourney_judge_call x JOIN tourney_entrant e ON e.id = x.entrant_id WHERE e.event_id = %(event)s),
        (SELECT json_agg(json_build_array({packed(Wish, "x")}, {_SEAT}) ORDER BY x.id)
            FROM tourney_wish x JOIN tourney_seat s ON s.id = x.seat_id JOIN tourney_round r ON r.id = s.round_id
            WHERE r.event_id = %(event)s),
        (SELECT json_agg(json_build_array({packed(PlayerReport, "x")}, {_SEAT}) ORDER BY x.id)
            FROM tourney_report x JOIN tourney_seat s ON s.id = x.seat_id JOIN tourney_round r ON r.id = s.round_id
            WHERE r.event_id = %(event)s AND r.number = %(round)s),
        (SELECT json_agg({packed(TokenLine, "x")} ORDER BY x.number)
            FROM tourney_tokenline x WHERE x.event_id = %(event)s),
        ({LAST_MONTH})
"""


@dataclass(frozen=True, slots=True)
class SentRows:
    """The rows: all calls, those first that nobody has answered; all wishes; reports of the last public round; the
    lines of the token's ledger; and the id of the event of last month, None before the second.
    """

    calls: tuple[JudgeCall, ...]
    wishes: tuple[Wish, ...]
    reports: tuple[PlayerReport, ...]
    token: tuple[TokenLine, ...]
    last_month: int | None


def sent_of(state: EventState) -> SentRows:
    """What was sent for this state. Memoized by it: change nothing in these rows."""
    return state.memoized("sent", lambda: _sent_of(state))


def _sent_of(state: EventState) -> SentRows:
    last = state.public_rounds[-1].number if state.public_rounds else 0
    with connection.cursor() as cursor:
        cursor.execute(QUERY, {"event": state.event.pk, "round": last})
        calls, wishes, reports, token, last_month = cursor.fetchone()
    return SentRows(
        tuple(unpacked(JudgeCall, one) for one in calls or ()),
        tuple(_seated(Wish, *one) for one in wishes or ()),
        tuple(_seated(PlayerReport, *one) for one in reports or ()),
        tuple(unpacked(TokenLine, one) for one in token or ()),
        last_month,
    )


def last_month_of(event: Event) -> int | None:
    """The same id, of an event of which nothing else is asked."""
    with connection.cursor() as cursor:
        cursor.execute(LAST_MONTH, {"event": event.pk})
        found = cursor.fetchone()
    return found[0] if found else None


def _seated[Row: (Wish, PlayerReport)](model: type[Row], values: Packed, seat: Packed) -> Row:
    row = unpacked(model, values)
    row.seat = with_columns(Seat, OF_SEAT, seat)
    return row
