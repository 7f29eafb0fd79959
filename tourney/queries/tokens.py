"""The Commendation Award Token of an event, as far as the months before it decide (rules 6.1, 6.2)."""

from dataclasses import dataclass

from scoring.domain import commendation
from tourney.models import Event, Player
from tourney.queries.state import EventState, state_of


@dataclass(frozen=True, slots=True)
class TokenHint:
    """Who should get the token; `holder` is None while nobody who could is here. `admiral` won last month."""

    previous: Event
    admiral: Player
    holder: Player | None
    why: str


def token_hint(state: EventState) -> TokenHint | None:
    """Rules 6.1, 6.2 for who is here, or sat in round 1; None without a token or without a month before."""
    event = state.event
    previous = _month_before(event) if state.rules.token else None
    if previous is None:
        return None
    before = state_of(previous)
    table = before.standings(len(before.closed_rounds))
    order = [before.by_number[standing.id].player for standing in table]
    if not order:
        return None
    players = {player.pk: player for player in order}
    present = {entrant.player_id for entrant in _present(state)}
    holder = commendation.holder(list(players), present)
    names = {pk: player.name for pk, player in players.items()}
    why = commendation.why(list(players), present, names)
    return TokenHint(previous, order[0], players.get(holder), why)


def _month_before(event: Event) -> Event | None:
    """The last finished event of the campaign that began before this one."""
    finished = Event.objects.with_context().filter(campaign=event.campaign, finished_at__isnull=False)
    return finished.filter(starts_at__lt=event.starts_at).order_by("starts_at", "pk").last()


def _present(state: EventState):
    """The token is given at the start: who comes or goes later changes nothing."""
    if state.public_rounds:
        return [entrant for match in state.rounds[0].matches for entrant in match.entrants]
    return state.present(1)
