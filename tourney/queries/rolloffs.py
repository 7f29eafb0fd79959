"""Who may roll: the groups that are tied at this moment."""

from tourney.models import RollOff
from tourney.queries.state import EventState


def tied_groups(state: EventState, number: int, kind: str) -> list[tuple[int, ...]]:
    """The groups that may roll now in that round, each ascending."""
    round = state.round(number)
    if round is None:
        return []
    if kind == RollOff.Kind.TABLE:
        return [tuple(sorted(match.numbers)) for match in round.level]
    if number > len(state.complete_rounds):
        return []
    groups = state.ties(number) if kind == RollOff.Kind.STANDING else [state.faction_tie(number)]
    return [tuple(sorted(group)) for group in groups if group]
