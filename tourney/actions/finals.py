"""What a finished event came to is kept, as long as it is finished."""

from collections.abc import Sequence

from django.db import connection, transaction

from tourney.models import Event, FinalLine, FinalRanking, FinalSeat
from tourney.queries.finals import computed_finals, ranking_row, without_finals
from tourney.queries.state import EventState, state_of
from tourney.runtime.packed import insert_packed

TABLES = (FinalSeat, FinalLine, FinalRanking)


def keep_finals(event: Event, state: EventState | None = None) -> None:
    """Write what the event came to anew, under its lock; of an event that is not finished nothing is kept.

    `state` has its rounds as they are, where they are known; `event` is as it is then, else it is read anew.
    """
    for model in TABLES:
        model.objects.filter(event=event.pk)._raw_delete(connection.alias)
    if state is None:
        event = Event.objects.with_context().get(pk=event.pk)
    if not event.is_finished:
        return
    finals = computed_finals(state or state_of(event))
    ranking_row(event, finals).save(force_insert=True)
    insert_packed(finals.lines)
    insert_packed(finals.seats)


OF_LINES = """
    UPDATE tourney_finalline l SET player_id = n.player_id
    FROM tourney_entrant n WHERE n.id = l.entrant_id AND n.id = ANY(%(entries)s)
"""
OF_SEATS = """
    UPDATE tourney_finalseat s SET player_id = n.player_id
    FROM tourney_entrant n WHERE n.id = s.entrant_id AND n.id = ANY(%(entries)s)
"""
OF_OPPONENTS = """
    UPDATE tourney_finalseat s SET opponent_player_id = n.player_id
    FROM tourney_entrant n WHERE n.id = s.opponent_id AND n.id = ANY(%(entries)s)
"""


def keep_players(entries: Sequence[int]) -> None:
    """Whose these entries (ids) are now, also in what is kept of their events."""
    with connection.cursor() as cursor:
        for statement in (OF_LINES, OF_SEATS, OF_OPPONENTS):
            cursor.execute(statement, {"entries": list(entries)})


def keep_missing_finals() -> None:
    """Write what finished events came to, where nothing is kept of it: they were finished by an older version."""
    for event in without_finals(Event.objects.all()):
        with transaction.atomic():
            Event.objects.select_for_update().get(pk=event.pk)
            keep_finals(event)
