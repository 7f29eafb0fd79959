"""What can be said before the doors close (rule 3.4)."""

from tourney.domain.swiss.lookahead import MOST_VERTICES
from tourney.runtime.messages import Message, message, nmessage


def promise(players: int, rounds: int) -> Message:
    """Rule 3.4 in words for a head-count and a number of planned rounds, as they stand before round 1."""
    if players < 2:
        return message("A round needs at least two players (rule 3.3).")
    size = players + players % 2
    if players >= fewest_for_certain(rounds):
        return nmessage(
            "{players} players, {count} round: no rematches and no second byes, no matter who drops or arrives, "
            "as long as at least {fewest} are playing (rule 3.4).",
            "{players} players, {count} rounds: no rematches and no second byes, no matter who drops or arrives, "
            "as long as at least {fewest} are playing (rule 3.4).",
            rounds,
            players=players,
            fewest=fewest_for_certain(rounds),
        )
    if rounds >= size:
        return message(
            "{players} players, {rounds} rounds: only {clean} can be played without a rematch or a second bye. "
            "From round {first} on, someone has one (rules 3.4 and 3.7).",
            players=players,
            rounds=rounds,
            clean=size - 1,
            first=size,
        )
    if size <= MOST_VERTICES:
        return message(
            "{players} players, {rounds} rounds: no rematches and no second byes if exactly these players stay. "
            "If players drop or arrive, that is certain with {fewest} or more (rule 3.4).",
            players=players,
            rounds=rounds,
            fewest=fewest_for_certain(rounds),
        )
    return message(
        "{players} players, {rounds} rounds: {clean} rounds are certain to have no rematches and no second byes. "
        "The desk says so if a later round can’t avoid them (rules 3.4 and 3.7).",
        players=players,
        rounds=rounds,
        clean=size // 2,
    )


def forecast(clean: int, next_round: int, planned: int) -> Message | None:
    """Rule 3.4 in words between rounds: `clean` as `clean_rounds_after` gives it; None if all can be clean."""
    first = next_round + clean
    if first > planned:
        return None
    return message(
        "If exactly these players stay, round {round} can’t be paired without a rematch or a second bye "
        "(rules 3.4 and 3.7).",
        round=first,
    )


def fewest_for_certain(rounds: int) -> int:
    """The fewest players with whom so many rounds never need a rematch or a second bye (rule 3.4)."""
    return (2, 3, 3)[rounds - 1] if rounds <= 3 else 2 * rounds - 1
