"""Who starts the month with the Commendation Award Token (rules 6.1, 6.2)."""

from collections.abc import Collection, Mapping, Sequence

from scoring.domain.played import capital


def holder(previous_order: Sequence[int], present: Collection[int]) -> int | None:
    """Rules 6.1, 6.2: the first of last month's players (best rank first) who is present, if anybody."""
    return next((player for player in previous_order if player in present), None)


def why(previous_order: Sequence[int], present: Collection[int], names: Mapping[int, str]) -> str:
    """Rules 6.1, 6.2: one plain sentence about who gets the token. names holds the holder and the Admiral."""
    player = holder(previous_order, present)
    if not previous_order:
        return "There is no previous month, so nobody gets the token."
    if player is None:
        return "Nobody who played the previous month is present, so nobody gets the token."
    if player == previous_order[0]:
        return capital(f"{names[player]} gets the token as Admiral of the previous month.")
    return capital(
        f"{names[player]} gets the token: {names[previous_order[0]]}, Admiral of the previous month, "
        f"is absent, and rank {previous_order.index(player) + 1} is the highest present."
    )
