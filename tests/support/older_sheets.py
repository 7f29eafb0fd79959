"""Rounds that closed before sheets had rows of their own: each seat has a copy, and the history another."""

from django.db import connection

from tests.support.copied import WITHOUT_TRIGGERS
from tourney.models import Event

AS_BEFORE = """
    UPDATE tourney_change SET {side} = {side} - 'sheet_id' || jsonb_build_object(
        'played_sheet', (SELECT data FROM tourney_playedsheet WHERE id = ({side} ->> 'sheet_id')::bigint)
    ) WHERE event_id = %s AND "table" = 'tourney_seat' AND {side} ? 'sheet_id'
"""
STATEMENTS = (
    *(AS_BEFORE.format(side=side) for side in ("before", "after")),
    "DELETE FROM tourney_change WHERE event_id = %s AND \"table\" = 'tourney_playedsheet'",
    """UPDATE tourney_seat t SET sheet_id = NULL, played_sheet = s.data
        FROM tourney_playedsheet s WHERE s.id = t.sheet_id AND s.event_id = %s""",
    "DELETE FROM tourney_playedsheet WHERE event_id = %s",
)


def as_before_sheets_had_rows(event: Event) -> None:
    """The rows and the history of the event as older Flagship left them; ask before the transaction is chained."""
    with connection.cursor() as cursor:
        cursor.execute(WITHOUT_TRIGGERS, ["replica"])
        for statement in STATEMENTS:
            cursor.execute(statement, [event.pk])
        cursor.execute(WITHOUT_TRIGGERS, ["origin"])
