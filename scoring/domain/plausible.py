"""Why a result cannot be right, in sentences the organizer can act on (rules 1.2, 2.3–2.12)."""

from collections.abc import Iterator

from scoring.domain.bonuses import SIDES, Problem, tally_problems, winner_only_problems
from scoring.domain.pack import LimitNotChosen, MonthPack
from scoring.domain.played import NAMES, NOT_PLAYED, Ending, Name, Played, capital
from scoring.domain.winner import LEADS, is_tied, winner
from tourney.runtime.messages import Message, message

WHO_IS_OUT = {
    Ending.ELIMINATION: message("Choose whose fleet was eliminated: {first} or {second}."),
    Ending.CONCESSION: message("Choose who conceded: {first} or {second}."),
    Ending.NO_SHOW: message("Choose who was a no-show: {first} or {second}."),
    Ending.RULING: message("Choose who loses by the ruling: {first} or {second}."),
}


def endings(rules: MonthPack) -> tuple[Ending, ...]:
    """Rule 1.2: how a match can end in this month.

    The scenario can end it only where the pack names a trigger or a win condition, or does not know them all.
    """
    scenario = bool(rules.ends_when or rules.win_conditions or not rules.bonuses_known)
    return tuple(ending for ending in Ending if scenario or ending is not Ending.SCENARIO)


def problems(rules: MonthPack, played: Played, names: tuple[Name, Name] = NAMES) -> tuple[Problem, ...]:
    """Every reason why this cannot be the result of a match in this month; none when it can.

    Fields: "ending", "out", "condition", "rolled", "sp_left_a", "sp_left_b", "tally_<key>_a" and so on;
    a is side 0. Each message is a sentence that says what is wrong and what to do.
    """
    found = [
        *_limit(rules),
        *_ending(rules, played),
        *_out(played, names),
        *_condition(rules, played),
        *_sp_left(rules, played, names),
        *_elimination(played, names),
        *_nothing_played(played, names),
        *_counted_twice(played),
        *tally_problems(rules, played.counts, names),
    ]
    return tuple(found or (*_rolled(rules, played), *_winner_only(rules, played, names)))


def _limit(rules: MonthPack) -> Iterator[Problem]:
    try:
        rules.base  # noqa: B018
    except LimitNotChosen as missing:
        yield Problem("sp_limit", missing.message)


def _ending(rules: MonthPack, played: Played) -> Iterator[Problem]:
    if played.ending not in endings(rules):
        yield Problem(
            "ending",
            message("This month’s scenario never ends a battle. Choose “Time” or an elimination."),
        )


def _out(played: Played, names: tuple[Name, Name]) -> Iterator[Problem]:
    if played.ending in WHO_IS_OUT:
        if played.out not in (0, 1) and "" in names:
            yield Problem("out", message("Choose how the match ended."))
        elif played.out not in (0, 1):
            yield Problem("out", message(WHO_IS_OUT[played.ending].id, first=names[0], second=names[1]))
    elif played.out is not None:
        yield Problem("out", message("With this ending, no single player is out. Clear it, or choose another ending."))


def _condition(rules: MonthPack, played: Played) -> Iterator[Problem]:
    if played.condition is None:
        return
    side, index = played.condition
    if not rules.win_conditions:
        yield Problem("condition", message("This month has no win conditions. Leave it empty."))
    elif side not in (0, 1) or not 0 <= index < len(rules.win_conditions):
        known = [
            message("{number} “{condition}”", number=number, condition=text)
            for number, text in enumerate(rules.win_conditions, start=1)
        ]
        yield Problem(
            "condition", message("Choose who won, and by which win condition: {conditions}.", conditions=known)
        )
    elif played.ending not in (*LEADS, Ending.ELIMINATION):
        yield Problem(
            "condition",
            message("With this ending, no win condition decides. Leave it empty, or choose another ending."),
        )


def _sp_left(rules: MonthPack, played: Played, names: tuple[Name, Name]) -> Iterator[Problem]:
    for side, letter in enumerate(SIDES):
        left, name = played.sides[side].sp_left, names[side]
        if left < 0:
            yield Problem(
                f"sp_left_{letter}",
                message("Your fleet can’t have {left} SP left. Enter 0 or more.", left=left)
                if name == ""
                else message(
                    "{name}’s fleet can’t have {left} SP left. Enter 0 or more.", name=capital(name), left=left
                ),
            )
        elif rules.sp_limit is not None and left > rules.sp_limit:
            yield Problem(
                f"sp_left_{letter}",
                message(
                    "Your fleet can’t have {left} SP left: the limit is {limit}. Count the surviving fleet again.",
                    left=left, limit=rules.sp_limit,
                )
                if name == ""
                else message(
                    "{name}’s fleet can’t have {left} SP left: the limit is {limit}. Count the surviving fleet again.",
                    name=capital(name), left=left, limit=rules.sp_limit,
                ),
            )  # fmt: skip


def _elimination(played: Played, names: tuple[Name, Name]) -> Iterator[Problem]:
    """The ending says who has SP left, and the SP left say who was eliminated: they must agree."""
    gone = {Ending.BOTH_ELIMINATED: (0, 1), Ending.ELIMINATION: (played.out,)}.get(played.ending, ())
    for side, letter in enumerate(SIDES):
        if side in gone and played.sides[side].sp_left > 0:
            yield Problem(
                f"sp_left_{letter}",
                message(
                    "Your fleet was eliminated, but {left} SP are entered as left. "
                    "Enter 0, or choose how the battle really ended.",
                    left=played.sides[side].sp_left,
                )
                if names[side] == ""
                else message(
                    "{name}’s fleet was eliminated, but {left} SP are entered as left. "
                    "Enter 0, or choose how the battle really ended.",
                    name=capital(names[side]), left=played.sides[side].sp_left,
                ),
            )  # fmt: skip
    empty = tuple(side for side in (0, 1) if played.sides[side].sp_left == 0)
    if played.ending in (Ending.TIME, Ending.SCENARIO) and len(empty) == 2:
        yield Problem("ending", message("Neither fleet has SP left. Choose “Both eliminated”, or enter what is left."))
    elif played.ending in (Ending.TIME, Ending.SCENARIO) and empty:
        yield Problem("ending", _was_eliminated(names, empty[0]))
    elif played.ending is Ending.ELIMINATION and played.out in (0, 1) and 1 - played.out in empty:
        yield Problem(
            f"sp_left_{SIDES[1 - played.out]}",
            message("You have no SP left either. Choose “Both eliminated”, or enter what is left.")
            if names[1 - played.out] == ""
            else message(
                "{name} has no SP left either. Choose “Both eliminated”, or enter what is left.",
                name=capital(names[1 - played.out]),
            ),
        )
    elif played.ending is Ending.CONCESSION and played.out in (0, 1) and 1 - played.out in empty:
        yield Problem(f"sp_left_{SIDES[1 - played.out]}", _was_eliminated(names, 1 - played.out))


def _was_eliminated(names: tuple[Name, Name], side: int) -> Message:
    """In the words of the page that it is for: a player chooses "I won", the desk "One fleet eliminated"."""
    name = capital(names[side])
    if names[side] == "":
        return message("You have no SP left, so your fleet was eliminated. Choose “I lost”, or enter what is left.")
    if names[1 - side] == "":
        return message(
            "{name} has no SP left, so that fleet was eliminated. Choose “I won”, or enter what is left.", name=name
        )
    return message(
        "{name} has no SP left, so that fleet was eliminated. Choose “One fleet eliminated”, or enter what is left.",
        name=name,
    )


def _nothing_played(played: Played, names: tuple[Name, Name]) -> Iterator[Problem]:
    if played.ending not in NOT_PLAYED:
        return
    for side, letter in enumerate(SIDES):
        if played.sides[side].sp_left > 0:
            yield Problem(
                f"sp_left_{letter}",
                message("No one played, so {name} has no SP left to count. Leave it empty.", name=names[side]),
            )
        for key, count in played.sides[side].tallies:
            if count:
                yield Problem(
                    f"tally_{key}_{letter}",
                    message(
                        "No one played, so there is nothing to count for {name}. Leave it empty.", name=names[side]
                    ),
                )


def _counted_twice(played: Played) -> Iterator[Problem]:
    for side, letter in enumerate(SIDES):
        keys = [key for key, _ in played.sides[side].tallies]
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            yield Problem(f"tally_{key}_{letter}", message("This is entered twice. Enter it once."))


def _rolled(rules: MonthPack, played: Played) -> Iterator[Problem]:
    if played.rolled is None:
        return
    if not is_tied(rules, played):
        yield Problem("rolled", message("Only a tied battle has a roll-off, and this one isn’t tied. Leave it empty."))
    elif played.rolled not in (0, 1):
        yield Problem("rolled", message("Choose who won the roll-off."))


def _winner_only(rules: MonthPack, played: Played, names: tuple[Name, Name]) -> tuple[Problem, ...]:
    """Rule 2.8. Where dice decide, either side may have the mark: it is made before the winner is known."""
    if is_tied(rules, played):
        return ()
    return winner_only_problems(rules, played.counts, names, winner(rules, played))
