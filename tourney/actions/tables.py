"""Rule 3.11: the tables of the room, what players need of them, and a match that goes to another table."""

from collections.abc import Sequence
from dataclasses import asdict

from django.db import transaction

from tourney.actions.record import (
    NOTHING_CHANGED,
    Actor,
    Refused,
    bump_version_and_notify,
    locked,
    record,
    record_at_store,
    refuse_if_done_since,
    refuse_if_finished,
)
from tourney.domain.tables import Needs, Table
from tourney.domain.verbs import DRAWN, Verb
from tourney.models import Event, Match, Player, Round
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.state import state_of
from tourney.queries.tables import tables_of
from tourney.runtime.messages import ENGLISH, Param, message, said

HIGHEST = 999
NOTHING_NEEDED = {"fixed_table": None, "near_door": False, "quiet": False}


@transaction.atomic
def change_tables(event: Event, tables: Sequence[Table], other_tables: bool, *, by: Actor) -> None:
    """What the room has, for the rounds that are paired from now on; the store's next event begins with it."""
    event = locked(event)
    refuse_if_finished(event)
    before = _facts(event)
    event.tables, event.other_tables = [asdict(table) for table in tables], other_tables
    event.save()
    if before != _facts(event):
        record(
            event, by=by, did=Verb.CHANGE_TABLES, what=message("Tables changed."), before=before, after=_facts(event)
        )


@transaction.atomic
def change_needs(player: Player, needs: Needs, *, by: Actor) -> None:
    """What a player needs of a table, for all months. The journal says that it changed, not what: it is private.

    What somebody needed before they were found to be one with this player counts no more.
    """
    theirs = Event.objects.select_for_update().filter(
        pk__in=player.entries.filter(event__finished_at=None).values("event")
    )
    events = list(theirs.order_by("pk"))  # before the player, as everybody does
    Player.objects.filter(pk=player.pk).update(fixed_table=needs.fixed, near_door=needs.near_door, quiet=needs.quiet)
    Player.objects.filter(merged_into=player).update(**NOTHING_NEEDED)
    record_at_store(
        player.store, by=by, did=Verb.CHANGE_NEEDS, what=message("{player}’s table needs changed.", player=str(player))
    )
    for event in events:
        bump_version_and_notify(event)


@transaction.atomic
def move_table(event: Event, number: int, table: int, to: int, *, by: Actor) -> None:
    """A match of a round that is not closed goes to another table; who sits there comes to this one. Raises Refused."""
    event = locked(event)
    refuse_if_done_since(event, by, *DRAWN)
    state = state_of(event)
    round = state.round(number)
    match = round.match_at(table) if round else None
    if round is None or match is None:
        raise Refused(NOTHING_CHANGED, message("There’s no table {table} in round {round}.", table=table, round=number))
    if round.state == Round.State.CLOSED:
        raise Refused(message("Round {round} is closed, so its tables can’t change.", round=number))
    if to == table:
        raise Refused(message("They’re already at table {table}.", table=table))
    if not 1 <= to <= HIGHEST or any(one.number == to and one.closed for one in tables_of(event)):
        raise Refused(message("Table {table} isn’t in use tonight. Choose another, or open it under Tables.", table=to))
    other = round.match_at(to)
    _put(round, match, to)
    if other:
        _put(round, other, table)
    facts: dict[str, Param] = {"round": number, "table": table, "to": to, "players": _names(match)}
    what = message("Round {round}: {players} moved from table {table} to table {to}.", **facts)
    if other:
        what = message(
            "Round {round}: {players} moved from table {table} to table {to}, and {others} from {to} to {table}.",
            others=_names(other),
            **facts,
        )
    record(
        event,
        by=by,
        did=Verb.MOVE_TABLE,
        what=what,
        before={"round": number, **_where((match, table), (other, to))},
        after={"round": number, **_where((match, to), (other, table))},
    )


def _put(round: RoundState, match: MatchState, table: int) -> None:
    """At that table; once everybody knows the tables, it is remembered which one they know."""
    row = match.row
    if round.state != Round.State.DRAFT:
        known = row.moved_from or row.table
        row.moved_from = known if known != table else None
    row.table = table
    Match.objects.filter(pk=row.pk).update(table=table, moved_from=row.moved_from)


def _where(*seated: tuple[MatchState | None, int]) -> dict[str, object]:
    return {f"table {table}": _who(match) for match, table in seated if match}


def _who(match: MatchState) -> str:
    return said(_names(match), ENGLISH)


def _names(match: MatchState) -> list[str]:
    return [entrant.player.name for entrant in match.entrants]


def _facts(event: Event) -> dict[str, object]:
    rows = {str(table.number): _in_words(table) for table in tables_of(event)}
    return {"room": rows, "other_tables": event.other_tables}


def _in_words(table: Table) -> str:
    marks = {"near the door": table.near_door, "quiet": table.quiet, "closed": table.closed}
    return ", ".join([table.name or "no name", *(mark for mark, there in marks.items() if there)])
