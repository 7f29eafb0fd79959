"""What the pictures of a finished event show, in the language that is active, of a state with public names."""

from scoring.domain.factions import victorious
from tourney.models import Entrant
from tourney.printing.domain.poster import Brand, PosterName
from tourney.printing.domain.result_pictures import EventResult, Occasion, PlayerResult
from tourney.printing.queries.branding import color_of
from tourney.queries.faction_marks import faction_slug
from tourney.queries.finding import standing_after
from tourney.queries.state import EventState
from tourney.runtime.locales import written
from tourney.runtime.messages import nmessage


def player_result(state: EventState, number: int) -> PlayerResult | None:
    """The result of the player of that number; None before the end, and for nobody who played."""
    entrant = state.by_number.get(number)
    if entrant is None or not state.is_finished:
        return None
    after = len(state.closed_rounds)
    line = standing_after(state, entrant, after)
    if line is None:
        return None
    points = nmessage(
        "{count} Battle Point, {fleet_points} Fleet Points",
        "{count} Battle Points, {fleet_points} Fleet Points",
        line.battle_points,
        fleet_points=line.fleet_points,
    )
    place = _place(entrant, line.rank, line.title, shared=line.shared)
    return PlayerResult(_occasion(state), place, len(state.standings(after)), entrant.faction, str(points))


def event_result(state: EventState) -> EventResult | None:
    """The final ranks; None before the end, and where nobody played."""
    lines = state.standings(len(state.closed_rounds)) if state.is_finished and state.closed_rounds else ()
    places = [_place(state.by_number[line.id], line.rank, line.title, shared=line.shared) for line in lines]
    return EventResult(_occasion(state), tuple(places)) if places else None


def _place(entrant: Entrant, rank: int, title: str, *, shared: bool) -> PosterName:
    mark = faction_slug(entrant.faction) if entrant.faction else ""
    return PosterName(rank=rank, shared=shared, title=title, name=entrant.player.name, mark=mark)


def _occasion(state: EventState) -> Occasion:
    event, first = state.event, victorious(state.faction_lines(len(state.closed_rounds)))
    victor = first.faction if first else ""
    return Occasion(
        store=event.store.name,
        event=event.name,
        date=written(event.starts_at, "long day"),
        victor=victor,
        victor_mark=faction_slug(victor) if victor else "",
        brand=Brand(color_of(event.store)),
    )
