"""The rules of a season in plain sentences, and why a player's line is as it is (rule 5.8)."""

from collections.abc import Iterator, Sequence

from scoring.domain.season import SeasonLine, SeasonRules
from tourney.runtime.messages import Message, in_a_row, message, minus, nmessage

PICKS = {
    "rank": message("Grand prizes are picked by season rank."),
    "months": message("Grand prizes are picked by months played, then by season rank."),
    "reversed": message("Grand prizes are picked by season rank, from the last to the first."),
}
MOST_NAMED = 6
"""Months that are named one by one; of more only their number is said."""


def rules_said(rules: SeasonRules) -> tuple[Message, ...]:
    """What counts, whatever of it was set."""
    return tuple(_said(rules))


def why(line: SeasonLine, rules: SeasonRules, months: Sequence[str]) -> Message:
    """What the line's Battle Points are made of, and what the player lacks; `months` are the names of by_month."""
    return in_a_row(_why(line, rules, months))


def _said(rules: SeasonRules) -> Iterator[Message]:
    if rules.best_of is None:
        yield message("Every finished month counts.")
    else:
        yield nmessage("Each player’s best month counts.", "Each player’s best {count} months count.", rules.best_of)
    if rules.for_attendance:
        yield nmessage(
            "Every month played adds {count} Battle Point.",
            "Every month played adds {count} Battle Points.",
            rules.for_attendance,
        )
    if rules.at_least is not None and rules.pick_order:
        yield nmessage(
            "Players with fewer than {count} month rank behind everyone else and pick no grand prize.",
            "Players with fewer than {count} months rank behind everyone else and pick no grand prize.",
            rules.at_least,
        )
    elif rules.at_least is not None:
        yield nmessage(
            "Players with fewer than {count} month rank behind everyone else.",
            "Players with fewer than {count} months rank behind everyone else.",
            rules.at_least,
        )
    if rules.pick_order:
        yield PICKS[rules.pick_order]


def _why(line: SeasonLine, rules: SeasonRules, months: Sequence[str]) -> Iterator[Message]:
    yield from _sum(line, rules, months)
    if line.attendance:
        yield nmessage(
            "Plus {points} for {count} month played.",
            "Plus {points} for {count} months played.",
            line.months,
            points=line.attendance,
        )
    if not line.is_qualified and rules.at_least is not None:
        yield nmessage(
            "Played {played} of at least {count} month.",
            "Played {played} of at least {count} months.",
            rules.at_least,
            played=line.months,
        )
    if line.pick is not None and line.pick_shared:
        yield message("Grand prize pick {number}, tied: a roll-off decides.", number=line.pick)
    elif line.pick is not None:
        yield message("Grand prize pick {number}.", number=line.pick)


def _sum(line: SeasonLine, rules: SeasonRules, months: Sequence[str]) -> Iterator[Message]:
    counted = line.counted
    points = " + ".join(str(minus(one)) for one in counted)
    if line.left_out:
        yield nmessage(
            "Best {best} of {count} month: {points}.",
            "Best {best} of {count} months: {points}.",
            line.months,
            best=len(counted),
            points=points,
        )
        yield _not_counted(line, months)
    elif line.earlier or len(counted) > 2 * MOST_NAMED:
        yield nmessage("{count} month counts.", "All {count} months count.", line.months)
    else:
        yield nmessage("{count} month: {points}.", "{count} months: {points}.", line.months, points=points)


def _not_counted(line: SeasonLine, months: Sequence[str]) -> Message:
    if len(line.left_out) > MOST_NAMED:
        return nmessage("{count} other month doesn’t count.", "{count} other months don’t count.", len(line.left_out))
    named = [
        message("{points} in {month}", points=line.by_month[place] or 0, month=months[place]) for place in line.left_out
    ]
    return message("Not counted: {months}.", months=named)
