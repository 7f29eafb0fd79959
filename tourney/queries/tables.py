"""Rule 3.11: the tables of the room, what players need of them, and which table each match of a round gets."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tourney.domain.tables import Needs, Party, Table, seat, unmet
from tourney.models import Event, Player
from tourney.queries.matches import MatchState
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

FIXED = 1000


def tables_of(event: Event) -> tuple[Table, ...]:
    """The tables the store has, in the order of their numbers; none where nobody has said."""
    return tuple(Table(**row) for row in event.tables)


def tables_needed(state: EventState) -> int:
    """How many tables the night needs at most, as far as is known: those there are, and those of all registered."""
    used = max((match.table for round in state.rounds for match in round.tables), default=0)
    here = sum(entrant.dropped_from is None for entrant in state.entrants)
    return max(used, here // 2, len(state.event.tables), 1)


def needs_of(*players: Player) -> dict[int, Needs]:
    """What each of them needs, by the player's id; for the desk alone.

    What somebody needed before a merge counts where the one who was kept needs nothing of that kind.
    """
    return _with_older_names(Player.objects.filter(pk__in=[player.pk for player in players]))


def _with_older_names(players: Iterable[Player]) -> dict[int, Needs]:
    found = {player.pk: Needs(player.fixed_table, player.near_door, player.quiet) for player in players}
    older = Player.objects.filter(merged_into__in=found).exclude(fixed_table=None, near_door=False, quiet=False)
    rows = older.order_by("pk").values_list("merged_into_id", "fixed_table", "near_door", "quiet")
    for person, fixed, near_door, quiet in rows:
        known = found[person]
        found[person] = Needs(known.fixed or fixed, known.near_door or near_door, known.quiet or quiet)
    return found


def needs_in(state: EventState) -> Mapping[int, Needs]:
    """What everybody at the event needs, by the entrant's number; for the desk alone."""

    def load() -> dict[int, Needs]:
        found = _with_older_names(entrant.player for entrant in state.entrants)
        return {entrant.number: found[entrant.player_id] for entrant in state.entrants}

    return state.memoized("needs", load)


def in_words(needs: Needs) -> tuple[Message, ...]:
    """Like "always table 3", "near the door"."""
    fixed = (message("always table {table}", table=needs.fixed),) if needs.fixed else ()
    door = (message("near the door"),) if needs.near_door else ()
    return (*fixed, *door, *((message("quiet spot"),) if needs.quiet else ()))


def numbers_for(
    state: EventState, round_number: int, pairs: Sequence[tuple[int, int]], *, taken: Collection[int] = ()
) -> tuple[int, ...]:
    """The tables of these pairs of entrant numbers in that round, without those `taken` already."""
    seated = {number for pair in pairs for number in pair}
    sat = _sat(state, round_number) if state.event.other_tables else {}
    needs = needs_in(state)
    parties = [Party(tuple(needs[one] for one in pair), tuple(_tables(sat, pair))) for pair in pairs]
    others = [needs[one].fixed for one in needs if one not in seated]
    return seat(parties, tables_of(state.event), kept_free={table for table in others if table}, taken=taken)


def lacking(state: EventState, match: MatchState) -> list[Message]:
    """What its players need and this table is not, though another may be; or that the store has no such table.

    In sentences, for the desk alone.
    """
    room = _room(state)
    if not room.tables and not room.needs:
        return []
    table = match.table or 0
    here = room.tables.get(table, Table(table))
    needy = [(entrant, room.needs[entrant.number]) for entrant in match.entrants if entrant.number in room.needs]
    found = [
        _lack(str(entrant), lack, needs)
        for entrant, needs in needy
        for lack in unmet(needs, here)
        if lack in room.offers
    ]
    if room.tables and table and table not in {*room.tables, *(needs.fixed for _, needs in needy)}:
        found.append(message("The store has no table {table}. Add one, or open a closed one.", table=table))
    return [*found, *([message("This table is closed.")] if here.closed else [])]


def _lack(player: str, lack: str, needs: Needs) -> Message:
    if lack == "fixed":
        return message("{player} always sits at table {table}.", player=player, table=needs.fixed or 0)
    if lack == "quiet":
        return message("{player} needs a quiet table.", player=player)
    return message("{player} needs a table near the door.", player=player)


def lacks(state: EventState, table: int, pair: Sequence[int]) -> int:
    """How much these players lack at that table: a fixed table counts more than everything else (rule 3.11)."""
    room = _room(state)
    here = room.tables.get(table, Table(table))
    needs = (room.needs[number] for number in pair if number in room.needs)
    return sum(FIXED if lack == "fixed" else 1 for one in needs for lack in unmet(one, here))


@dataclass(frozen=True, slots=True)
class _Room:
    """The tables of the store by their numbers, what they can offer, and what is needed, by entrant, if anything."""

    tables: Mapping[int, Table]
    offers: Collection[str]
    needs: Mapping[int, Needs]


def _room(state: EventState) -> _Room:
    def look() -> _Room:
        tables = {table.number: table for table in tables_of(state.event)}
        offers = {"fixed", *(lack for table in tables.values() for lack in _offers(table))}
        return _Room(tables, offers, {number: one for number, one in needs_in(state).items() if one != Needs()})

    return state.memoized("room", look)


def _offers(table: Table) -> list[str]:
    marks = {"near the door": table.near_door, "quiet": table.quiet}
    return [mark for mark, there in marks.items() if there and not table.closed]


def sat_here_before(state: EventState, match: MatchState) -> list[tuple[str, int]]:
    """Who sits at this table again: the name, and the round of the last time."""
    last = {
        number: round.number
        for round in state.rounds[: match.round.number - 1]
        for before in round.tables
        if before.table == match.table
        for number in before.numbers
    }
    return [(state.names[number], last[number]) for number in match.numbers if number in last]


def _sat(state: EventState, before: int) -> Mapping[int, Counter[int]]:
    """How often each entrant sat at each table in the rounds before."""
    sat: dict[int, Counter[int]] = {}
    for match in (match for round in state.rounds[: before - 1] for match in round.tables):
        for number in match.numbers:
            sat.setdefault(number, Counter())[match.table] += 1
    return sat


def _tables(sat: Mapping[int, Counter[int]], pair: Iterable[int]) -> Iterable[int]:
    return (table for number in pair if number in sat for table in sat[number].elements())
