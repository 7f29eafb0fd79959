"""What players of an event sent from their phones, and where its token is: one query of what was four."""

from dataclasses import dataclass

from django.db import connection

from tourney.models import JudgeCall, PlayerReport, Seat, TokenLine, Wish
from tourney.queries.state import EventState
from tourney.runtime.packed import Packed, packed, unpacked, with_columns

OF_SEAT = ("id", "match_id", "round_id", "entrant_id", "side")
"""What is read of a seat; the rest is asked for by who needs it."""

_SEAT = f"json_build_array({', '.join(f's.{column}' for column in OF_SEAT)})"

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
            FROM tourney_tokenline x WHERE x.event_id = %(event)s)
"""


@dataclass(frozen=True, slots=True)
class SentRows:
    """The rows: all calls, those first that nobody has answered; all wishes; reports of the last public round; the
    lines of the token's ledger.
    """

    calls: tuple[JudgeCall, ...]
    wishes: tuple[Wish, ...]
    reports: tuple[PlayerReport, ...]
    token: tuple[TokenLine, ...]


def sent_of(state: EventState) -> SentRows:
    """What was sent for this state. Memoized by it: change nothing in these rows."""
    return state.memoized("sent", lambda: _sent_of(state))


def _sent_of(state: EventState) -> SentRows:
    last = state.public_rounds[-1].number if state.public_rounds else 0
    with connection.cursor() as cursor:
        cursor.execute(QUERY, {"event": state.event.pk, "round": last})
        calls, wishes, reports, token = cursor.fetchone()
    return SentRows(
        tuple(unpacked(JudgeCall, one) for one in calls or ()),
        tuple(_seated(Wish, *one) for one in wishes or ()),
        tuple(_seated(PlayerReport, *one) for one in reports or ()),
        tuple(unpacked(TokenLine, one) for one in token or ()),
    )


def _seated[Row: (Wish, PlayerReport)](model: type[Row], values: Packed, seat: Packed) -> Row:
    row = unpacked(model, values)
    row.seat = with_columns(Seat, OF_SEAT, seat)
    return row
