"""Rule 3.8: why each table, bye and exception is as it is. A kind is used only where its sentence is true."""

from collections.abc import Iterable

from tourney.domain.swiss.levels import PairingCandidate, PositionPair, repeats, wishes
from tourney.domain.swiss.model import Contender, Reason
from tourney.domain.swiss.order import Field, SeatingOrder, in_standings


def table_reasons(field: Field, choice: PairingCandidate, best: PairingCandidate) -> list[Reason]:
    """The reason of each table; `best` is the pairing that look-ahead (rule 3.4) started from."""
    met = zip(choice.tables, repeats(choice.line, choice.tables), strict=True)
    if field.first_round:
        return [_rematch(choice.line, table, times) if times else _drawn(field, choice, table) for table, times in met]
    return [
        _rematch(choice.line, table, times)
        if times
        else _by_order(field, choice, table) or _by_float(choice, table) or _by_whole(choice, table, best)
        for table, times in met
    ]


def bye_reason(field: Field, choice: PairingCandidate, best: PairingCandidate) -> Reason | None:
    """The reason of the bye (rule 3.5), None without one."""
    bye = choice.bye
    if bye is None or best.bye is None:
        return None
    if bye != best.bye:
        return Reason("bye_later_round", (bye.id, best.bye.id))
    if bye != field.first_for_bye:
        return Reason("bye_rematch", (bye.id, field.first_for_bye.id))
    if field.first_round and bye.byes == 0:
        return Reason("bye_drawn", (bye.id,), (field.seed,))
    return _first_in_line(field, bye)


def relaxed_reasons(field: Field, choice: PairingCandidate, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Rule 3.7: the rematches among the `reasons` of the tables, and the second bye that could not be avoided.

    Their kinds are "rematch", "rematch_chosen", "second_bye_all" and "second_bye_rematch".
    """
    rematches = [reason for reason in reasons if reason.kind in ("rematch", "rematch_chosen")]
    bye = choice.bye
    if bye is None or not bye.byes:
        return tuple(rematches)
    kind = "second_bye_all" if all(contender.byes for contender in field.order) else "second_bye_rematch"
    return (*rematches, Reason(kind, (bye.id,), (bye.byes,)))


def _rematch(line: SeatingOrder, table: PositionPair, times: int) -> Reason:
    """Rules 3.3 b and 3.7: these two have met so often before."""
    kind = "rematch_chosen" if line.options.no_second_bye else "rematch"
    return Reason(kind, tuple([line.seated[position].id for position in table]), (times,))


def _drawn(field: Field, choice: PairingCandidate, table: PositionPair) -> Reason:
    """Rule 3.1; two who are not drawn beside each other were moved there by the wishes of rule 3.3 f."""
    high, low = table
    moved = low != high ^ 1 and _anybody_apart(choice.line)
    return Reason("drawn_apart" if moved else "drawn", (), (field.seed,))


def _anybody_apart(line: SeatingOrder) -> bool:
    groups = [one.group for one in line.seated if one.group]
    factions = [one.faction for one in line.seated if one.faction and line.options.keep_factions_apart]
    return len(set(groups)) < len(groups) or len(set(factions)) < len(factions)


def _by_order(field: Field, choice: PairingCandidate, table: PositionPair) -> Reason | None:
    """Rule 3.2: two with the same Battle Points who stand as the style wants them."""
    line, (high, low) = choice.line, table
    above, below = line.seated[high], line.seated[low]
    ids, points = (above.id, below.id), above.battle_points
    if points != below.battle_points:
        return None
    if line.options.style == "halves":
        size, start = line.group_sizes[points], line.group_starts[points]
        halves = high - start < size // 2 and low - start >= size - size // 2
        return Reason("halves", ids, (points,)) if halves else None
    if low != high + 1:
        return None
    if line.options.style == "random":
        return Reason("drawn_in_group", ids, (points, field.seed))
    place, next_place = in_standings(above), in_standings(below)
    if field.level[place] == field.level[next_place] == 1 + (place == next_place):
        return Reason("neighbours", ids, (points,))
    return Reason("neighbours_drawn", ids, (points, field.seed))


def _by_float(choice: PairingCandidate, table: PositionPair) -> Reason | None:
    """Rule 3.3 d: the only one of a group who plays down, so the rest of it is odd without those who play up."""
    line, (high, low) = choice.line, table
    above, below = line.seated[high], line.seated[low]
    points, size = above.battle_points, line.group_sizes[above.battle_points]
    if points == below.battle_points:
        return None
    down, up = choice.floats_down[points], choice.floats_up[points]
    if down != 1:
        return None
    numbers = (points, size, below.battle_points)
    if up:
        return Reason("rest_of_group_odd", (above.id, below.id), (*numbers, up))
    return Reason("group_odd", (above.id, below.id), numbers)


def _by_whole(choice: PairingCandidate, table: PositionPair, best: PairingCandidate) -> Reason:
    """Rule 3.4, or what the round as a whole needs."""
    above, below = [choice.line.seated[position] for position in table]
    if choice != best:
        return Reason("later_round", (above.id, below.id))
    if above.battle_points != below.battle_points:
        numbers = (above.battle_points, below.battle_points)
        return Reason("differences", (above.id, below.id), numbers)
    return _beside(choice, table) or Reason("whole_round", (above.id, below.id), (above.battle_points,))


def _beside(choice: PairingCandidate, table: PositionPair) -> Reason | None:
    """What stands between one of the two and the neighbour whom rule 3.2 would have given."""
    line, (high, low) = choice.line, table
    if line.options.style == "halves":
        return None
    for one, other in ((high, low), (low, high)):
        beside = one ^ 1
        ids = (line.seated[one].id, line.seated[other].id, line.seated[beside].id)
        pair = (min(one, beside), max(one, beside))
        if repeats(line, [pair])[0]:
            return Reason("beside_met", ids)
        if wishes(line, [pair])[0]:
            return Reason("beside_apart", ids)
    return None


def _first_in_line(field: Field, bye: Contender) -> Reason:
    """Rule 3.5: what singled out the first in line among those with equally few byes."""
    others = [one for one in field.order if one.byes == bye.byes and one.id != bye.id]
    had_more = [one for one in field.order if one.byes > bye.byes]
    lower = [one.id for one in had_more if _standing(one) < _standing(bye)]
    numbers = (bye.battle_points, bye.fleet_points, bye.byes, int(bool(had_more)), field.seed)
    return Reason(_what_decided(bye, others), (bye.id, *lower), numbers)


def _what_decided(bye: Contender, others: list[Contender]) -> str:
    if not others:
        return "bye_only"
    if all(one.battle_points > bye.battle_points for one in others):
        return "bye_battle_points"
    level = [one for one in others if one.battle_points == bye.battle_points]
    if all(one.fleet_points > bye.fleet_points for one in level):
        return "bye_fleet_points"
    if all(_standing(one) > _standing(bye) for one in level):
        return "bye_place"
    return "bye_lot"


def _standing(contender: Contender) -> tuple[int, int, int]:
    """Greater is better."""
    return (contender.battle_points, contender.fleet_points, -contender.place)
