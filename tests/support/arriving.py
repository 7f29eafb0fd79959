"""Who arrives and who leaves, as the desk says it, and how a round stands then."""

from tests.support.nights import BY
from tests.support.tables import enter, on_time
from tourney.actions import arrivals, entrants, rounds
from tourney.actions.arrivals import Decision
from tourney.domain.arrivals import ArrivalOption
from tourney.models import Event
from tourney.queries.arrivals import ArrivalEffect
from tourney.queries.state import EventState, state_of


def arrange(
    event: Event, number: int, option: ArrivalOption, *, reason: str = "by hand", left: int = 0
) -> ArrivalEffect:
    """Do what was shown."""
    decision = Decision(number, option, reason, left)
    shown = arrivals.preview(event, decision, by=BY)
    arrivals.arrange(event, decision, expected=shown.fingerprint, by=BY)
    return shown


def walk_in(event: Event, *names: str) -> list[int]:
    """Registered at the desk, not checked in."""
    return [one.number for one in entrants.register(event, [(name, "Klingon") for name in names], by=BY).entrants]


def seated(state: EventState) -> list[tuple[int, ...]]:
    return [match.numbers for match in state.last_round.matches]


def bye_of(event: Event, number: int = 1) -> int | None:
    bye = state_of(event).round(number).bye
    return bye and bye.a.number


def draft(event: Event, seed: int = 5) -> None:
    rounds.pair_round(event, seed=seed, by=BY)


def play(event: Event) -> None:
    """Every missing result of the round in play, without ties, and the round closed."""
    round = state_of(event).last_round
    for match in round.missing:
        enter(event, match.table, on_time(50 + 5 * match.table, 1 + 2 * match.table), number=round.number)
    rounds.close_round(event, round.number, by=BY)
