"""Reasons in plain words (rule 3.8): whole sentences for each kind, naming the rule; names come from outside."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tourney.domain.swiss.model import Reason
from tourney.runtime.messages import Message, Param, message, nmessage, pmessage

UNKNOWN = Reason("unknown")
"""What stands in for a stored reason that cannot be read."""

type Phrase = Callable[[Sequence[str], Sequence[int]], Message]


def sentence(reason: Reason, names: Mapping[int, str]) -> Message:
    """The sentence of a reason; `names` holds every id of the reason. Raises KeyError for an unknown kind."""
    return PHRASES[reason.kind]([names[id] for id in reason.ids], reason.numbers)


def read_reason(data: Mapping[str, Any]) -> Reason:
    """The reason that `as_data` wrote. Raises LookupError, TypeError or ValueError where no sentence comes of it."""
    reason = Reason.from_data(data)
    if not all(type(one) is int for one in (*reason.ids, *reason.numbers)):
        raise ValueError("ids and numbers of a reason are whole numbers")
    _try_phrase(reason.kind, len(reason.ids), reason.numbers)
    return reason


@lru_cache(maxsize=4096)
def _try_phrase(kind: str, names: int, numbers: Sequence[int]) -> None:
    """Raise what `sentence` would raise. Remembered: hundreds of tables of an event say the same of other players."""
    PHRASES[kind](["?"] * names, numbers)


def sayable(data: Mapping[str, Any], names: Mapping[int, str]) -> Reason:
    """The stored reason, if a sentence can be made of it with the players there are; else that it cannot be read."""
    try:
        reason = Reason.from_data(data)
        sentence(reason, names)
    except (LookupError, TypeError, ValueError):
        return UNKNOWN
    return reason


# tables


def _rematch(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{player} and {opponent} have already met once: no pairing of this round has fewer repeat opponents "
        "(rules 3.3 b and 3.7).",
        "{player} and {opponent} have already met {count} times: no pairing of this round has fewer repeat opponents "
        "(rules 3.3 b and 3.7).",
        numbers[0],
        player=who[0],
        opponent=who[1],
    )


def _rematch_chosen(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{player} and {opponent} have already met once: the desk chose the oldest meeting (rule 3.7).",
        "{player} and {opponent} have already met {count} times: the desk chose the oldest meeting (rule 3.7).",
        numbers[0],
        player=who[0],
        opponent=who[1],
    )


def _drawn(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message("Round 1 is drawn at random (rule 3.1).")


def _drawn_apart(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "Drawn at random for round 1, then changed as little as possible to keep players apart as requested "
        "(rules 3.1 and 3.3 f).",
    )


def _neighbours(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "Both have {count} Battle Point and are next to each other in the order of those playing (rule 3.2).",
        "Both have {count} Battle Points and are next to each other in the order of those playing (rule 3.2).",
        numbers[0],
    )


def _neighbours_drawn(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "Both have {count} Battle Point and are next to each other in the order of those playing. "
        "Places still tied were drawn (rule 3.2).",
        "Both have {count} Battle Points and are next to each other in the order of those playing. "
        "Places still tied were drawn (rule 3.2).",
        numbers[0],
    )


def _halves(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "Both have {count} Battle Point: {player} from the top half of that group meets {opponent} from the bottom "
        "half (rule 3.2).",
        "Both have {count} Battle Points: {player} from the top half of that group meets {opponent} from the bottom "
        "half (rule 3.2).",
        numbers[0],
        player=who[0],
        opponent=who[1],
    )


def _drawn_in_group(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "Both have {count} Battle Point and were drawn within that group (rule 3.2).",
        "Both have {count} Battle Points and were drawn within that group (rule 3.2).",
        numbers[0],
    )


def _group_odd(who: Sequence[str], numbers: Sequence[int]) -> Message:
    points, size, below = numbers
    if size == 1:
        return nmessage(
            "{player} is the only one seated with {count} Battle Point and so plays down against {opponent}, "
            "who has {below} (rule 3.3 d).",
            "{player} is the only one seated with {count} Battle Points and so plays down against {opponent}, "
            "who has {below} (rule 3.3 d).",
            points,
            player=who[0],
            opponent=who[1],
            below=below,
        )
    return nmessage(
        "An odd number of players ({size}) is seated with {count} Battle Point, so {player} plays down against "
        "{opponent}, who has {below} (rule 3.3 d).",
        "An odd number of players ({size}) is seated with {count} Battle Points, so {player} plays down against "
        "{opponent}, who has {below} (rule 3.3 d).",
        points,
        size=size,
        player=who[0],
        opponent=who[1],
        below=below,
    )


def _rest_of_group_odd(who: Sequence[str], numbers: Sequence[int]) -> Message:
    points, size, below, up = numbers
    return nmessage(
        "With {up} of the {size} players on {count} Battle Point playing up, an odd number is left, so {player} plays "
        "down against {opponent}, who has {below} (rule 3.3 d).",
        "With {up} of the {size} players on {count} Battle Points playing up, an odd number is left, so {player} plays "
        "down against {opponent}, who has {below} (rule 3.3 d).",
        points,
        up=up,
        size=size,
        player=who[0],
        opponent=who[1],
        below=below,
    )


def _later_round(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "Another pairing looks as good or better for this round alone, but then not all planned rounds could avoid "
        "a rematch or a second bye (rule 3.4)."
    )


def _differences(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{count} Battle Point against {below}: after repeat opponents and the bye, this pairing keeps the differences "
        "across the whole round smallest (rule 3.3 d).",
        "{count} Battle Points against {below}: after repeat opponents and the bye, this pairing keeps the differences "
        "across the whole round smallest (rule 3.3 d).",
        numbers[0],
        below=numbers[1],
    )


def _whole_round(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "Both have {count} Battle Point. After everything that comes first, this is the closest pairing of the whole "
        "round (rule 3.3 g).",
        "Both have {count} Battle Points. After everything that comes first, this is the closest pairing of the whole "
        "round (rule 3.3 g).",
        numbers[0],
    )


def _beside_met(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "{neighbor} is next to {player} in the order of those playing, but they have already met (rule 3.3 b). "
        "Across the whole round this is the closest pairing left (rule 3.3 g).",
        neighbor=who[2],
        player=who[0],
    )


def _beside_apart(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "{neighbor} is next to {player} in the order of those playing, but they are to be kept apart (rule 3.3 f). "
        "Across the whole round this is the closest pairing left (rule 3.3 g).",
        neighbor=who[2],
        player=who[0],
    )


def _by_hand(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message("Paired by hand by the organizer (rule 3.9).")


# tables of a round that was re-paired while others stayed


def _again(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{player} with {count} Battle Point against {opponent} with {other}: no pairing of the players who had not "
        "started is better (rules 3.3 and 3.4).",
        "{player} with {count} Battle Points against {opponent} with {other}: no pairing of the players who had not "
        "started is better (rules 3.3 and 3.4).",
        numbers[0],
        player=who[0],
        opponent=who[1],
        other=numbers[1],
    )


def _again_fewest(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{player} with {count} Battle Point against {opponent} with {other}: no pairing of the players who had not "
        "started is better (rules 3.3 and 3.4), and none as good changes fewer tables.",
        "{player} with {count} Battle Points against {opponent} with {other}: no pairing of the players who had not "
        "started is better (rules 3.3 and 3.4), and none as good changes fewer tables.",
        numbers[0],
        player=who[0],
        opponent=who[1],
        other=numbers[1],
    )


def _rematch_again(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{player} and {opponent} have already met once: no pairing of the players who had not started has fewer "
        "repeat opponents (rules 3.3 b and 3.7).",
        "{player} and {opponent} have already met {count} times: no pairing of the players who had not started has "
        "fewer repeat opponents (rules 3.3 b and 3.7).",
        numbers[0],
        player=who[0],
        opponent=who[1],
    )


def _stayed(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{player} with {count} Battle Point against {opponent} with {other}: this table stayed as it was when others "
        "were re-paired (rule 3.9).",
        "{player} with {count} Battle Points against {opponent} with {other}: this table stayed as it was when others "
        "were re-paired (rule 3.9).",
        numbers[0],
        player=who[0],
        opponent=who[1],
        other=numbers[1],
    )


def _rematch_stayed(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return nmessage(
        "{player} and {opponent} have already met once: their table stayed as it was when others were re-paired "
        "(rules 3.3 b and 3.9).",
        "{player} and {opponent} have already met {count} times: their table stayed as it was when others were "
        "re-paired (rules 3.3 b and 3.9).",
        numbers[0],
        player=who[0],
        opponent=who[1],
    )


# byes


def _bye_drawn(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message("The bye of round 1 is drawn at random (rule 3.1).")


FIRST_FOR_BYE = {
    "bye_battle_points": (
        message("{player} has the fewest Battle Points, {points} (rule 3.5)."),
        message("Everyone has had a bye. {player} has the fewest Battle Points, {points} (rule 3.5)."),
        message("Of the players without a bye, {player} has the fewest Battle Points, {points} (rule 3.5)."),
        message("Of the players with the fewest byes, {player} has the fewest Battle Points, {points} (rule 3.5)."),
    ),
    "bye_fleet_points": (
        message(
            "{player} has the fewest Battle Points, {points}, and of those tied the fewest Fleet Points, "
            "{fleet_points} (rule 3.5)."
        ),
        message(
            "Everyone has had a bye. {player} has the fewest Battle Points, {points}, and of those tied the fewest "
            "Fleet Points, {fleet_points} (rule 3.5)."
        ),
        message(
            "Of the players without a bye, {player} has the fewest Battle Points, {points}, and of those tied the "
            "fewest Fleet Points, {fleet_points} (rule 3.5)."
        ),
        message(
            "Of the players with the fewest byes, {player} has the fewest Battle Points, {points}, and of those tied "
            "the fewest Fleet Points, {fleet_points} (rule 3.5)."
        ),
    ),
    "bye_place": (
        message(
            "{player} has the fewest Battle Points, {points}, and of those tied on all points the lowest place "
            "(rule 3.5)."
        ),
        message(
            "Everyone has had a bye. {player} has the fewest Battle Points, {points}, and of those tied on all points "
            "the lowest place (rule 3.5)."
        ),
        message(
            "Of the players without a bye, {player} has the fewest Battle Points, {points}, and of those tied on all "
            "points the lowest place (rule 3.5)."
        ),
        message(
            "Of the players with the fewest byes, {player} has the fewest Battle Points, {points}, and of those tied "
            "on all points the lowest place (rule 3.5)."
        ),
    ),
    "bye_lot": (
        message(
            "{player} has the fewest Battle Points, {points}, tied with others, and was drawn at random (rule 3.5)."
        ),
        message(
            "Everyone has had a bye. {player} has the fewest Battle Points, {points}, tied with others, and was drawn "
            "at random (rule 3.5)."
        ),
        message(
            "Of the players without a bye, {player} has the fewest Battle Points, {points}, tied with others, and was "
            "drawn at random (rule 3.5)."
        ),
        message(
            "Of the players with the fewest byes, {player} has the fewest Battle Points, {points}, tied with others, "
            "and was drawn at random (rule 3.5)."
        ),
    ),
}
"""By what singled out the first in line: where nobody had a bye, all had, others had one, others had more."""


def _bye(kind: str) -> Phrase:
    """First in line for the bye; the names after the first have a lower place but have had more byes."""

    def phrase(who: Sequence[str], numbers: Sequence[int]) -> Message:
        points, fleet_points, byes, others_had_more, _seed = numbers
        variant = FIRST_FOR_BYE[kind][2 * bool(others_had_more) + bool(byes)]
        params: dict[str, Param] = {"player": who[0], "points": points, "fleet_points": fleet_points}
        first = replace(variant, params=params)
        if len(who) == 1:
            return first
        passed_over = tuple(who[1:])
        return pmessage(
            "two sentences",
            "{first} {second}",
            first=first,
            second=message("Lower in the order, but with more byes already: {names}.", names=passed_over)
            if byes
            else message("Lower in the order, but with a bye already: {names}.", names=passed_over),
        )

    return phrase


def _bye_only(who: Sequence[str], numbers: Sequence[int]) -> Message:
    if numbers[2]:
        return message("{player} is the only one who has had fewer byes than everyone else (rule 3.5).", player=who[0])
    return message("{player} is the only one who has not had a bye yet (rule 3.5).", player=who[0])


def _bye_rematch(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "{player} is first in line for the bye (rule 3.5), but then more opponents would meet again (rule 3.3 b).",
        player=who[1],
    )


def _bye_later_round(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "For this round alone the bye would go to {player} (rule 3.5), but then not all planned rounds could avoid "
        "a rematch or a second bye (rule 3.4).",
        player=who[1],
    )


def _second_bye_all(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message("{player} gets another bye: everyone has had one (rules 3.5 and 3.7).", player=who[0])


def _second_bye_rematch(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "{player} gets another bye: giving it to a player without one would make more opponents meet again "
        "(rules 3.3 b and 3.7).",
        player=who[0],
    )


def _bye_again(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "Of the players who had not started, {player} is first in line for the bye (rule 3.5).", player=who[0]
    )


def _bye_again_rematch(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "Of the players who had not started, {player} has the bye: giving it to anyone earlier in line would make more "
        "opponents meet again (rules 3.3 b and 3.5).",
        player=who[0],
    )


def _bye_again_later(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "Of the players who had not started, {player} has the bye: otherwise fewer of the planned rounds could avoid "
        "a rematch or a second bye (rule 3.4).",
        player=who[0],
    )


def _second_bye_again(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "{player} gets another bye: no player who had not started could have it with fewer byes and no more repeat "
        "opponents (rules 3.5 and 3.7).",
        player=who[0],
    )


def _bye_stayed(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message("{player} kept the bye when others were re-paired (rule 3.9).", player=who[0])


def _second_bye_stayed(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message(
        "{player} gets another bye, which stayed as it was when others were re-paired (rules 3.5 and 3.9).",
        player=who[0],
    )


def _unknown(who: Sequence[str], numbers: Sequence[int]) -> Message:
    return message("The reason for this pairing can’t be read.")


PHRASES: Mapping[str, Phrase] = {
    "rematch": _rematch,
    "rematch_chosen": _rematch_chosen,
    "drawn": _drawn,
    "drawn_apart": _drawn_apart,
    "neighbours": _neighbours,
    "neighbours_drawn": _neighbours_drawn,
    "halves": _halves,
    "drawn_in_group": _drawn_in_group,
    "group_odd": _group_odd,
    "rest_of_group_odd": _rest_of_group_odd,
    "later_round": _later_round,
    "differences": _differences,
    "whole_round": _whole_round,
    "beside_met": _beside_met,
    "beside_apart": _beside_apart,
    "paired_again": _again,
    "paired_again_fewest": _again_fewest,
    "rematch_again": _rematch_again,
    "bye_again": _bye_again,
    "bye_again_rematch": _bye_again_rematch,
    "bye_again_later": _bye_again_later,
    "second_bye_again": _second_bye_again,
    "stayed": _stayed,
    "rematch_stayed": _rematch_stayed,
    "bye_stayed": _bye_stayed,
    "second_bye_stayed": _second_bye_stayed,
    "by_hand": _by_hand,
    "bye_drawn": _bye_drawn,
    **{kind: _bye(kind) for kind in FIRST_FOR_BYE},
    "bye_only": _bye_only,
    "bye_rematch": _bye_rematch,
    "bye_later_round": _bye_later_round,
    "second_bye_all": _second_bye_all,
    "second_bye_rematch": _second_bye_rematch,
    UNKNOWN.kind: _unknown,
}
