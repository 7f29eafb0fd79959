"""What was decided beside the play at single tables of many events, for everybody to read, without the events."""

from collections.abc import Mapping, Sequence

from tourney.models import Event
from tourney.queries.matches import PenaltyState, RoundState
from tourney.queries.rows import rows_of_seats
from tourney.queries.rulings import RulingNote, rulings_at
from tourney.queries.slices import EventSlice


def past_rulings(
    seats: Sequence[tuple[Event, int, int]], names: Mapping[int, str]
) -> dict[tuple[int, int], tuple[RulingNote, ...]]:
    """Those of the tables where somebody sat, by the id of the event and the number of the round, in one query.

    A seat is the event, the number of the round and the id of the entrant. `names` stand in for the players' own
    (`shown_names.short_names`).
    """
    if not seats:
        return {}
    rows, found = rows_of_seats(seats, names), {}
    for event in {event for event, _, _ in seats}:
        event.tables = []  # what the store calls its tables, no ruling says
        part = EventSlice(event, rows[event.pk])
        by_id = {entrant.pk: entrant for entrant in part.entrants}
        for match in part.matches:
            given = [PenaltyState(row, by_id[row.entrant_id]) for row in rows[event.pk].penalties[match.round.pk]]
            round = RoundState(match.round, [match], part.rules, given)
            found[event.pk, round.number] = rulings_at(round, match)
    return found
