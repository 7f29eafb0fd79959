"""Reasons in plain words (rule 3.8): a sentence for each kind, naming the rule; names come from outside."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tourney.domain.swiss.model import Reason

UNKNOWN = Reason("unknown")
"""What stands in for a stored reason that cannot be read."""

type Phrase = Callable[[Sequence[str], Sequence[int]], str]


def sentence(reason: Reason, names: Mapping[int, str]) -> str:
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


def _points(count: int) -> str:
    return f"{count} Battle Point{'' if count == 1 else 's'}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _rematch(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{who[0]} and {who[1]} have met {_times(numbers[0])} already: "
        "no pairing of this round has fewer repeated opponents (rules 3.3 b and 3.7)."
    )


def _rematch_chosen(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{who[0]} and {who[1]} have met {_times(numbers[0])} already: the desk chose the oldest meeting (rule 3.7)."


def _drawn(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"Drawn at random: round 1 (rule 3.1, seed {numbers[0]})."


def _drawn_apart(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        "Drawn at random for round 1, then moved as little as possible to keep players apart "
        f"where that is wished (rules 3.1 and 3.3 f, seed {numbers[0]})."
    )


def _neighbours(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"Both have {_points(numbers[0])} and stand next to each other among those playing (rule 3.2)."


def _neighbours_drawn(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"Both have {_points(numbers[0])} and stand next to each other among those playing; "
        f"places still tied were drawn (rule 3.2, seed {numbers[1]})."
    )


def _halves(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"Both have {_points(numbers[0])}: {who[0]} from the top half of that group meets "
        f"{who[1]} from the bottom half (rule 3.2)."
    )


def _drawn_in_group(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"Both have {_points(numbers[0])}; drawn inside that group (rule 3.2, seed {numbers[1]})."


def _group_odd(who: Sequence[str], numbers: Sequence[int]) -> str:
    points, size, below = numbers
    group = (
        f"{who[0]} is the only one seated with {_points(points)}"
        if size == 1
        else f"The group with {_points(points)} is odd ({size} seated)"
    )
    return f"{group}, so {who[0]} plays down against {who[1]}, who has {below} (rule 3.3 d)."


def _rest_of_group_odd(who: Sequence[str], numbers: Sequence[int]) -> str:
    points, size, below, up = numbers
    return (
        f"Of the {size} seated with {_points(points)}, {up} {'meets' if up == 1 else 'meet'} somebody with "
        f"more and an odd number is left, so {who[0]} plays down against {who[1]}, "
        f"who has {below} (rule 3.3 d)."
    )


def _later_round(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        "Another pairing looks as good or better for this round alone, "
        "but then not all planned rounds could do without a rematch or a second bye (rule 3.4)."
    )


def _differences(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{numbers[0]} against {_points(numbers[1])}: after repeated opponents and the bye, "
        "the differences over the whole round are smallest this way (rule 3.3 d)."
    )


def _whole_round(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"Both have {_points(numbers[0])}; after everything that comes before it, "
        "this is the closest pairing of the whole round (rule 3.3 g)."
    )


def _beside_met(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{who[2]} stands next to {who[0]} among those playing, but they have met already (rule 3.3 b); "
        "over the whole round this is the closest pairing left (rule 3.3 g)."
    )


def _beside_apart(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{who[2]} stands next to {who[0]} among those playing, but it is wished to keep them apart "
        "(rule 3.3 f); over the whole round this is the closest pairing left (rule 3.3 g)."
    )


def _by_hand(who: Sequence[str], numbers: Sequence[int]) -> str:
    return "Made by hand by the organizer (rule 3.9)."


def _again(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{_opposed(who, numbers)}: no pairing of those who had not begun to play is better (rules 3.3 and 3.4)."


def _again_fewest(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{_opposed(who, numbers)}: no pairing of those who had not begun to play is better (rules 3.3 and 3.4), "
        "and none as good changes fewer tables."
    )


def _opposed(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{who[0]} with {_points(numbers[0])} against {who[1]} with {numbers[1]}"


def _rematch_again(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{who[0]} and {who[1]} have met {_times(numbers[0])} already: no pairing of those who had not begun "
        "to play has fewer repeated opponents (rules 3.3 b and 3.7)."
    )


def _bye_again(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"Of those who had not begun to play, {who[0]} is first in line for the bye (rule 3.5)."


def _bye_again_rematch(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"Of those who had not begun to play, {who[0]} has the bye: "
        "with anybody before in line more opponents would meet again (rules 3.3 b and 3.5)."
    )


def _bye_again_later(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"Of those who had not begun to play, {who[0]} has the bye: otherwise fewer of the planned rounds "
        "could do without a rematch or a second bye (rule 3.4)."
    )


def _second_bye_again(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{who[0]} gets another bye: nobody who had not begun to play could have it "
        "with fewer byes and no more repeated opponents (rules 3.5 and 3.7)."
    )


def _bye_drawn(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"The bye of round 1 is drawn at random (rule 3.1, seed {numbers[0]})."


def _bye(decided: Callable[[Sequence[int]], str]) -> Phrase:
    """First in line for the bye; the names after the first stand lower but have had more byes."""

    def phrase(who: Sequence[str], numbers: Sequence[int]) -> str:
        byes, others_had_more = numbers[2], numbers[3]
        among = ""
        if others_had_more:
            among = "of those with the fewest byes, " if byes else "of those without a bye, "
        elif byes:
            among = "everybody has had a bye; "
        lower = ""
        if len(who) > 1:
            stand, had = "stands" if len(who) == 2 else "stand", "more byes" if byes else "a bye"
            lower = f"; {_listed(who[1:])} {stand} lower but already had {had}"
        fewest = f"{who[0]} has the fewest Battle Points, {numbers[0]}{decided(numbers)}"
        return _capital(f"{among}{fewest}{lower} (rule 3.5).")

    return phrase


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _bye_only(who: Sequence[str], numbers: Sequence[int]) -> str:
    had = "had fewer byes than everybody else" if numbers[2] else "not had a bye yet"
    return f"{who[0]} is the only one who has {had} (rule 3.5)."


def _bye_rematch(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{who[1]} is first in line for the bye (rule 3.5), but then more opponents would meet again (rule 3.3 b)."


def _bye_later_round(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"For this round alone the bye would go to {who[1]} (rule 3.5), "
        "but then not all planned rounds could do without a rematch or a second bye (rule 3.4)."
    )


def _second_bye_all(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{who[0]} gets another bye: everybody has had one (rules 3.5 and 3.7)."


def _second_bye_rematch(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{who[0]} gets another bye: with anybody who has had none "
        "more opponents would meet again (rules 3.3 b and 3.7)."
    )


def _stayed(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{_opposed(who, numbers)}: this table stayed as it was when others were paired anew (rule 3.9)."


def _rematch_stayed(who: Sequence[str], numbers: Sequence[int]) -> str:
    return (
        f"{who[0]} and {who[1]} have met {_times(numbers[0])} already: their table stayed as it was "
        "when others were paired anew (rules 3.3 b and 3.9)."
    )


def _bye_stayed(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{who[0]} kept the bye when others were paired anew (rule 3.9)."


def _second_bye_stayed(who: Sequence[str], numbers: Sequence[int]) -> str:
    return f"{who[0]} gets another bye, which stayed as it was when others were paired anew (rules 3.5 and 3.9)."


def _unknown(who: Sequence[str], numbers: Sequence[int]) -> str:
    return "The reason for this pairing can’t be read."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
    "bye_battle_points": _bye(lambda numbers: ""),
    "bye_fleet_points": _bye(lambda numbers: f", and of those level the fewest Fleet Points, {numbers[1]}"),
    "bye_place": _bye(lambda numbers: ", and of those level on all points the lowest place"),
    "bye_lot": _bye(lambda numbers: f", level with others, and was drawn by seed {numbers[4]}"),
    "bye_only": _bye_only,
    "bye_rematch": _bye_rematch,
    "bye_later_round": _bye_later_round,
    "second_bye_all": _second_bye_all,
    "second_bye_rematch": _second_bye_rematch,
    UNKNOWN.kind: _unknown,
}
