"""What can be said before the doors close (rule 3.4)."""

from tourney.domain.swiss.lookahead import MOST_VERTICES


def promise(players: int, rounds: int) -> str:
    """Rule 3.4 in words for a head-count and a number of planned rounds, as they stand before round 1."""
    if players < 2:
        return "At least two players are needed to pair a round (rule 3.3)."
    size = players + players % 2
    planned = "1 round" if rounds == 1 else f"{rounds} rounds"
    head = f"{players} players, {planned}"
    if players >= fewest_for_certain(rounds):
        return (
            f"{head}: nobody meets twice and nobody has a second bye, whoever leaves or arrives, "
            f"while at least {fewest_for_certain(rounds)} are playing (rule 3.4)."
        )
    if rounds >= size:
        return (
            f"{head}: only {size - 1} can be played without a rematch or a second bye; "
            f"from round {size} on somebody meets twice or has a second bye (rules 3.4 and 3.7)."
        )
    if size <= MOST_VERTICES:
        return (
            f"{head}: nobody meets twice and nobody has a second bye if exactly these players stay; "
            f"whoever leaves or arrives, it is certain from {fewest_for_certain(rounds)} players on (rule 3.4)."
        )
    return (
        f"{head}: {size // 2} rounds are certain to have no rematch and no second bye, "
        "for the others the desk says so if it comes to that (rules 3.4 and 3.7)."
    )


def forecast(clean: int, next_round: int, planned: int) -> str:
    """Rule 3.4 in words between rounds: `clean` as `clean_rounds_after` gives it; nothing if all can be clean."""
    first = next_round + clean
    if first > planned:
        return ""
    return (
        f"If exactly these players stay, round {first} cannot be paired "
        "without a rematch or a second bye (rules 3.4 and 3.7)."
    )


def fewest_for_certain(rounds: int) -> int:
    """The fewest players with whom so many rounds never need a rematch or a second bye (rule 3.4)."""
    return (2, 3, 3)[rounds - 1] if rounds <= 3 else 2 * rounds - 1
