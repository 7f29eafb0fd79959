"""Players who come again: what is remembered of the last time, and until when they may withdraw alone."""

from collections.abc import Iterable, Sequence

from tourney.runtime.messages import Message, message


def faction_again(last: str, factions: Sequence[str], *, allegiance: bool) -> str | None:
    """Rule 1.4: the faction to join with as last time: "" where none is declared, None where it has to be asked.

    `last` is the one declared last, `factions` are the month's; a month with allegiance and no list takes any.
    """
    if not allegiance:
        return ""
    if not factions:
        return last or None
    return next((name for name in factions if name.casefold() == last.casefold()), None)


def why_not_withdraw(rounds: Iterable[str], *, is_finished: bool) -> tuple[Message, ...]:
    """What keeps a player from withdrawing, or changing the faction, without the desk; `rounds` are their states."""
    if is_finished:
        return (message("This event is finished."),)
    states = set(rounds)
    if states - {"draft"}:
        return (message("Round 1 has started. Ask at the counter."),)
    return (message("Round 1 is being paired. Ask at the counter."),) if states else ()
