"""What finished events came to, read from what was kept of each; computed where nothing is kept (yet)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from operator import attrgetter

from scoring.domain.factions import FactionLine
from scoring.domain.standings import Standing
from tourney.models import Event, EventQuerySet, FinalLine, FinalRanking, FinalSeat
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.rulings import rulings_at
from tourney.queries.shown_names import put_public_names, short_names
from tourney.queries.state import EventState, states_of

WITH_PLAYERS = "entrant__player"


@dataclass(slots=True)
class Finals:
    """A finished event: after how many rounds, its lines by place, its factions, and the seats that were asked for.

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


def standing_of(line: FinalLine) -> Standing:
    """The line as the rules have it, without what happened in each round."""
    return Standing(
        id=line.entrant.number,
        rank=line.rank,
        shared=line.shared,
        battle_points=line.battle_points,
        fleet_points=line.fleet_points,
        rounds=(),
        dropped=line.dropped,
        title=line.title,
    )


def finals_of(events: Sequence[Event], *, first: int | None = None, public: bool = True) -> dict[int, Finals]:
    """Of each of these finished events of one store, by its id; `first`: only so many lines of each.

    In a constant number of queries. `public` is for the names that everybody may read.
    """
    if not events:
        return {}
    found = {
        row.event_id: Finals(row.rounds, _faction_lines(row)) for row in FinalRanking.objects.filter(event__in=events)
    }
    lines = FinalLine.objects.filter(event__in=[*found]).select_related(WITH_PLAYERS).order_by("event", "place")
    for line in lines if first is None else lines.filter(place__lte=first):
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


def wrong_finals(state: EventState) -> list[str]:
    """Where what is kept of a finished event is not what its rows come to: sentences, [] if all of it is."""
    row = FinalRanking.objects.filter(event=state.event).first()
    if row is None:
        return []
    if not state.is_finished:
        return ["Final ranks are kept, but the event isn’t finished."]
    finals = computed_finals(state)
    agrees = {
        "The factions": (row.rounds, _faction_lines(row)) == (finals.rounds, finals.factions),
        "The final ranks": _values(FinalLine.objects.filter(event=state.event)) == _values(finals.lines),
        "The players’ rounds": _values(FinalSeat.objects.filter(event=state.event)) == _values(finals.seats),
    }
    return [f"{what} that are kept aren’t what the results come to." for what, right in agrees.items() if not right]


def _faction_lines(row: FinalRanking) -> tuple[FactionLine, ...]:
    return tuple(FactionLine(**line) for line in row.factions)


def _values(rows: Iterable[FinalLine | FinalSeat]) -> set[tuple[object, ...]]:
    """The rows by what they say; no two say the same."""
    return {tuple(getattr(row, one.attname) for one in row._meta.concrete_fields if one.name != "id") for row in rows}


def _line(state: EventState, place: int, line: Standing) -> FinalLine:
    return FinalLine(
        entrant=state.by_number[line.id],
        event=state.event,
        place=place,
        rank=line.rank,
        shared=line.shared,
        title=line.title,
        battle_points=line.battle_points,
        fleet_points=line.fleet_points,
        dropped=line.dropped,
    )


def _seats(event: Event, round: RoundState, match: MatchState) -> Iterable[FinalSeat]:
    scores, is_ruled = round.scores, bool(rulings_at(round, match))
    is_game = match.state == "done" and match.is_meeting
    for entrant in match.entrants:
        opponent = match.opponent_of(entrant.number)
        score, theirs = scores[entrant.number], scores[opponent.number] if opponent else None
        yield FinalSeat(
            event_id=event.pk,
            entrant=entrant,
            round=round.number,
            opponent=opponent,
            outcome=score.outcome,
            battle_points=score.battle_points,
            fleet_points=score.fleet_points,
            opponent_fleet_points=theirs.fleet_points if theirs else None,
            is_game=is_game,
            is_by_dice=match.is_by_dice,
            is_ruled=is_ruled,
        )


def seats_by_event(seats: Iterable[FinalSeat]) -> dict[int, list[FinalSeat]]:
    """By the event's id, in the order of the rounds."""
    found = defaultdict(list)
    for seat in sorted(seats, key=attrgetter("round")):
        found[seat.event_id].append(seat)
    return found
