"""Whether the sentences of a pairing say what is so (rule 3.8), seen from the rules and not from the engine.

what_is_untrue(told)     # "" when every reason is true and can be said
"""

from collections.abc import Callable, Mapping

from tests.support.second_opinion import Told, is_turn_of, repeats_without
from tourney.domain.swiss import Contender, Reason, sentence

type AtTable = Callable[[Told, Contender, Contender, Reason], bool]
type AtBye = Callable[[Told, Contender, Reason], bool]


def what_is_untrue(told: Told) -> str:
    """The first reason that claims what is not so, or is no sentence that names its rule."""
    if (told.bye is None) != (told.pairing.bye_reason is None):
        return "a bye has a reason, and only a bye has one of its own (rule 3.8)"
    for (a, b), table in zip(told.tables, told.pairing.tables, strict=True):
        again = [reason for reason in told.pairing.relaxed if reason.ids == (a.id, b.id)]
        if again != [table.reason] if b.id in a.met else not AT_TABLE[table.reason.kind](told, a, b, table.reason):
            return f"{table} is not so (rule 3.8)"
    if told.bye and not AT_BYE[told.pairing.bye_reason.kind](told, told.bye, told.pairing.bye_reason):
        return f"{told.pairing.bye_reason} is not so (rule 3.8)"
    return _not_said(told)


def _not_said(told: Told) -> str:
    names = {id: f"Ensign {id}" for id in told.by_id}
    reasons = [*(table.reason for table in told.pairing.tables), *told.pairing.relaxed]
    reasons += [told.pairing.bye_reason] if told.pairing.bye_reason else []
    said = [str(sentence(reason, names)) for reason in reasons]
    return next((f"{one!r} names no rule (rule 3.8)" for one in said if "(rule" not in one or one[-1] != "."), "")


# a table of two who have not met


def _drawn(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    return told.number == 1 and reason.numbers == (told.pairing.seed,)


def _drawn_apart(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    wished = any(told.wished_apart(one, two) for one in told.seated for two in told.seated if one is not two)
    return wished and _drawn(told, a, b, reason)


def _neighbours(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    around = [one for one in told.seated if told.place(a) <= told.place(one) <= told.place(b)]
    return told.options.style == "neighbours" and len(around) == 2 and _level(a, b, reason)


def _neighbours_drawn(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    between = [one for one in told.seated if told.place(a) < told.place(one) < told.place(b)]
    tied = [one for one in told.field if told.place(one) in (told.place(a), told.place(b))]
    by_lot = reason.numbers == (a.battle_points, told.pairing.seed)
    return told.options.style == "neighbours" and not between and len(tied) > 2 and by_lot and _same_points(a, b)


def _halves(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    group = [one for one in told.seated if _same_points(one, a)]
    above_a = sum(told.place(one) < told.place(a) for one in group)
    below_b = sum(told.place(one) > told.place(b) for one in group)
    in_halves = above_a < len(group) // 2 and below_b < len(group) // 2
    return told.options.style == "halves" and in_halves and _level(a, b, reason)


def _drawn_in_group(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    by_lot = reason.numbers == (a.battle_points, told.pairing.seed)
    return told.options.style == "random" and by_lot and _same_points(a, b)


def _group_odd(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    size, up = _only_one_down(told, a, b)
    return size % 2 == 1 and up == 0 and reason.numbers == (a.battle_points, size, b.battle_points)


def _rest_of_group_odd(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    size, up = _only_one_down(told, a, b)
    return (size - up) % 2 == 1 and up > 0 and reason.numbers == (a.battle_points, size, b.battle_points, up)


def _only_one_down(told: Told, a: Contender, b: Contender) -> tuple[int, int]:
    """The size of the group of `a` and how many of it play up; 0 and 0 unless these two are the only ones down."""
    group = [one.id for one in told.seated if _same_points(one, a)]
    across = [(one, two) for one, two in told.tables if not _same_points(one, two)]
    if [(one, two) for one, two in across if one.id in group] != [(a, b)]:
        return 0, 0
    return len(group), sum(two.id in group for _, two in across)


def _differences(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    return a.battle_points > b.battle_points and reason.numbers == (a.battle_points, b.battle_points)


def _whole_round(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    return _level(a, b, reason)


def _later_round(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    return told.looks_ahead


def _beside_met(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    one, _, beside = (told.by_id[id] for id in reason.ids)
    return beside.id in one.met and _beside(told, a, b, reason)


def _beside_apart(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    one, _, beside = (told.by_id[id] for id in reason.ids)
    return told.wished_apart(one, beside) > 0 and _beside(told, a, b, reason)


def _beside(told: Told, a: Contender, b: Contender, reason: Reason) -> bool:
    one, other, beside = (told.by_id[id] for id in reason.ids)
    high, low = sorted((told.place(one), told.place(beside)))
    is_next = beside in told.seated and not any(high < told.place(each) < low for each in told.seated)
    return {one.id, other.id} == {a.id, b.id} and is_next and _same_points(a, b)


def _level(a: Contender, b: Contender, reason: Reason) -> bool:
    return _same_points(a, b) and reason.numbers == (a.battle_points,)


def _same_points(one: Contender, two: Contender) -> bool:
    return one.battle_points == two.battle_points


AT_TABLE: Mapping[str, AtTable] = {
    "drawn": _drawn,
    "drawn_apart": _drawn_apart,
    "neighbours": _neighbours,
    "neighbours_drawn": _neighbours_drawn,
    "halves": _halves,
    "drawn_in_group": _drawn_in_group,
    "group_odd": _group_odd,
    "rest_of_group_odd": _rest_of_group_odd,
    "differences": _differences,
    "whole_round": _whole_round,
    "later_round": _later_round,
    "beside_met": _beside_met,
    "beside_apart": _beside_apart,
}


# a bye


def _bye_drawn(told: Told, bye: Contender, reason: Reason) -> bool:
    return told.number == 1 and reason.numbers == (told.pairing.seed,)


def _bye_later_round(told: Told, bye: Contender, reason: Reason) -> bool:
    of_this_round_alone = told.by_id[reason.ids[1]]
    return told.looks_ahead and of_this_round_alone is not bye and is_turn_of(told, of_this_round_alone)


def _bye_rematch(told: Told, bye: Contender, reason: Reason) -> bool:
    first = told.by_id[reason.ids[1]]
    is_first = told.turn(first) == min(map(told.turn, told.field))
    return is_first and repeats_without(told, first) > told.repeats


def _bye_by(singled_out: Callable[[Contender, list[Contender]], bool]) -> AtBye:
    """First in line: `singled_out` by what, among the others with equally few byes."""

    def is_so(told: Told, bye: Contender, reason: Reason) -> bool:
        had_more = [one for one in told.field if one.byes > bye.byes]
        passed_over = {one.id for one in had_more if _standing(one) < _standing(bye)}
        numbers = (bye.battle_points, bye.fleet_points, bye.byes, int(bool(had_more)), told.pairing.seed)
        others = [one for one in told.field if one.byes == bye.byes and one is not bye]
        named = (reason.ids[0], set(reason.ids[1:]), reason.numbers, bye.byes)
        return named == (bye.id, passed_over, numbers, told.fewest_byes) and singled_out(bye, others)

    return is_so


def _by_battle_points(bye: Contender, others: list[Contender]) -> bool:
    return min(one.battle_points for one in others) > bye.battle_points


def _by_fleet_points(bye: Contender, others: list[Contender]) -> bool:
    (points, fleet_points), *_ = sorted((one.battle_points, one.fleet_points) for one in others)
    return points == bye.battle_points and fleet_points > bye.fleet_points


def _by_place(bye: Contender, others: list[Contender]) -> bool:
    lowest = min(map(_standing, others))
    return lowest[:2] == _standing(bye)[:2] and lowest > _standing(bye)


def _by_lot(bye: Contender, others: list[Contender]) -> bool:
    return min(map(_standing, others)) == _standing(bye)


def _standing(one: Contender) -> tuple[int, int, int]:
    return one.battle_points, one.fleet_points, -one.place


AT_BYE: Mapping[str, AtBye] = {
    "bye_drawn": _bye_drawn,
    "bye_later_round": _bye_later_round,
    "bye_rematch": _bye_rematch,
    "bye_only": _bye_by(lambda bye, others: not others),
    "bye_battle_points": _bye_by(_by_battle_points),
    "bye_fleet_points": _bye_by(_by_fleet_points),
    "bye_place": _bye_by(_by_place),
    "bye_lot": _bye_by(_by_lot),
}
