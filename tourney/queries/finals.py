"""What finished events came to, read from what was kept of each; computed where nothing is kept (yet)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scoring.domain.factions import FactionLine
from scoring.domain.standings import Standing
from tourney.models import Event, EventQuerySet, FinalLine, FinalRanking, FinalSeat
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.rulings import is_ruled
from tourney.queries.shown_names import put_public_names, short_names
from tourney.queries.state import EventState, states_of
from tourney.runtime.messages import Message, message
from tourney.runtime.packed import new_row

WITH_PLAYERS = "entrant__player"


@dataclass(slots=True)
class Finals:
    """A finished event: after how many rounds, its lines by place, its factions, and all seats where it was computed.

    Of lines and seats each has its entrant and player.
    """

    rounds: int
    factions: tuple[FactionLine, ...]
    lines: list[FinalLine] = field(default_factory=list)
    seats: list[FinalSeat] = field(default_factory=list)


def computed_finals(state: EventState) -> Finals:
    """What the event came to by its rows, as rows that are not saved; it is finished."""
    after = len(state.closed_rounds)
    return Finals(
        rounds=after,
        factions=state.faction_lines(after) if after else (),
        lines=[_line(state, place, line) for place, line in enumerate(state.standings(after), start=1)],
        seats=[
            seat
            for round in state.closed_rounds
            for match in round.matches
            for seat in _seats(state.event, round, match)
        ],
    )


def ranking_row(event: Event, finals: Finals) -> FinalRanking:
    """The row of the event itself, not saved."""
    return FinalRanking(event=event, rounds=finals.rounds, factions=[asdict(line) for line in finals.factions])


def finals_of(events: Sequence[Event], *, public: bool = True) -> dict[int, Finals]:
    """Of each of these finished events of one store, by its id, in a constant number of queries.

    `public` is for the names that everybody may read.
    """
    if not events:
        return {}
    kept = FinalRanking.objects.filter(event__in=events)
    found = {row.event_id: Finals(row.rounds, faction_lines(row.factions)) for row in kept}
    lines = FinalLine.objects.filter(event__in=[*found]).select_related(WITH_PLAYERS).order_by("event", "place")
    for line in lines:
        found[line.event_id].lines.append(line)
    if public:
        store = events[0].store
        put_public_names(store, short_names(store), [line.entrant for one in found.values() for line in one.lines])
    missing = [event for event in events if event.pk not in found]
    computed = states_of(missing, public=public) if missing else ()
    return found | {state.event.pk: computed_finals(state) for state in computed}


def without_finals(events: EventQuerySet) -> list[Event]:
    """Of these events those that are finished and of which nothing is kept (yet)."""
    return list(events.with_context().filter(final_ranking=None).exclude(finished_at=None))


WRONG_FACTIONS = message("The stored factions aren’t what the results come to.")
WRONG_RANKS = message("The stored final ranks aren’t what the results come to.")
WRONG_ROUNDS = message("The stored rounds of the players aren’t what the results come to.")


def wrong_finals(state: EventState) -> list[Message]:
    """Where what is kept of a finished event is not what its rows come to: sentences, [] if all of it is."""
    row = FinalRanking.objects.filter(event=state.event).first()
    if row is None:
        return []
    if not state.is_finished:
        return [message("Final ranks are stored, but the event isn’t finished.")]
    finals = computed_finals(state)
    agrees = {
        WRONG_FACTIONS: (row.rounds, faction_lines(row.factions)) == (finals.rounds, finals.factions),
        WRONG_RANKS: _values(FinalLine.objects.filter(event=state.event)) == _values(finals.lines),
        WRONG_ROUNDS: _values(FinalSeat.objects.filter(event=state.event)) == _values(finals.seats),
    }
    return [wrong for wrong, right in agrees.items() if not right]


def faction_lines(stored: Iterable[Mapping[str, Any]]) -> tuple[FactionLine, ...]:
    """The factions of a finished event, from the JSON of its row."""
    return tuple(FactionLine(**line) for line in stored)


def _values(rows: Iterable[FinalLine | FinalSeat]) -> set[tuple[object, ...]]:
    """The rows by what they say; no two say the same."""
    return {tuple(getattr(row, one.attname) for one in row._meta.concrete_fields if one.name != "id") for row in rows}


def _line(state: EventState, place: int, line: Standing) -> FinalLine:
    entrant = state.by_number[line.id]
    return new_row(
        FinalLine,
        entrant=entrant,
        event=state.event,
        player=entrant.player,
        place=place,
        rank=line.rank,
        shared=line.shared,
        title=line.title,
        battle_points=line.battle_points,
        fleet_points=line.fleet_points,
        dropped=line.dropped,
    )


def _seats(event: Event, round: RoundState, match: MatchState) -> Iterable[FinalSeat]:
    scores, ruled = round.scores, is_ruled(round, match)
    is_game = match.state == "done" and match.is_meeting
    for entrant in match.entrants:
        opponent = match.opponent_of(entrant.number)
        score, theirs = scores[entrant.number], scores[opponent.number] if opponent else None
        yield new_row(
            FinalSeat,
            event=event,
            entrant=entrant,
            round=round.number,
            opponent=opponent,
            player=entrant.player,
            opponent_player=opponent.player if opponent else None,
            outcome=score.outcome,
            battle_points=score.battle_points,
            fleet_points=score.fleet_points,
            opponent_fleet_points=theirs.fleet_points if theirs else None,
            is_game=is_game,
            is_by_dice=match.is_by_dice,
            is_ruled=ruled,
        )
