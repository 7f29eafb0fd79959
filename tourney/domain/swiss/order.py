"""Who stands where: the order of rule 3.2, the order of rule 3.5, and who has met whom."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from tourney.domain.swiss.model import Contender, NoPairing, Options

type Meetings = Mapping[tuple[int, int], int]
type Lots = Mapping[int, int]


def in_standings(contender: Contender, lots: Lots) -> tuple[int, ...]:
    """Rule 3.2: Battle Points, Fleet Points, roll-off; what is still level is drawn."""
    return (-contender.battle_points, -contender.fleet_points, contender.place, lots[contender.id])


def drawn_in_group(contender: Contender, lots: Lots) -> tuple[int, ...]:
    """Rule 3.2, setting "random": drawn inside each group of equal Battle Points."""
    return (-contender.battle_points, lots[contender.id])


def in_line_for_bye(contender: Contender, lots: Lots) -> tuple[int, ...]:
    """Rule 3.5: fewest byes, fewest Battle Points, fewest Fleet Points, lower place, then drawn."""
    return (
        contender.byes,
        contender.battle_points,
        contender.fleet_points,
        -contender.place,
        -lots[contender.id],
    )


ORDERS: Mapping[str, Callable[[Contender, Lots], tuple[int, ...]]] = {
    "neighbours": in_standings,
    "halves": in_standings,
    "random": drawn_in_group,
}


@dataclass(frozen=True, slots=True)
class Line:
    """The seated contenders of a round, an even number, best first; costs speak of positions in it, from 0.

    `group_sizes` counts the seated by Battle Points; `keep_factions_apart` is set in round 1 only (rule 3.3
    f).
    """

    seated: tuple[Contender, ...]
    meetings: Meetings
    style: str
    keep_factions_apart: bool
    group_sizes: Mapping[int, int]
    group_starts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody active: `order` best first, `bye_order` next bye first; `meetings` counts by pair of ids."""

    order: tuple[Contender, ...]
    bye_order: tuple[Contender, ...]
    meetings: Meetings
    seed: int
    style: str
    keep_factions_apart: bool
    first_round: bool

    @property
    def has_bye(self) -> bool:
        """Whether one contender is left over (rule 3.3 a)."""
        return len(self.order) % 2 == 1

    def line(self, bye: Contender | None) -> Line:
        """The seated when `bye` sits out."""
        seated = tuple(contender for contender in self.order if contender != bye)
        starts = {
            points: next(group)[0]
            for points, group in groupby(enumerate(seated), key=lambda numbered: numbered[1].battle_points)
        }
        return Line(
            seated=seated,
            meetings=self.meetings,
            style=self.style,
            keep_factions_apart=self.keep_factions_apart,
            group_sizes=Counter(contender.battle_points for contender in seated),
            group_starts=starts,
        )


def field_of(contenders: Iterable[Contender], seed: int, options: Options, first_round: bool) -> Field:
    """The field of one round, the same for every order of the input.

    In round 1 points, places and floats say nothing and the style is "neighbours" in the drawn order (rule
    3.1). Raises NoPairing with fewer than two contenders and ValueError when an id comes twice.
    """
    known = sorted(contenders, key=lambda contender: contender.id)
    ids = [contender.id for contender in known]
    if len(known) < 2:
        raise NoPairing
    if len(set(ids)) < len(ids):
        raise ValueError(f"an id comes twice: {ids}")
    if first_round:
        known = [
            replace(contender, battle_points=0, fleet_points=0, place=0, floated_down=False) for contender in known
        ]
    lots = _draw(ids, seed)
    order = ORDERS[options.style]
    return Field(
        order=tuple(sorted(known, key=lambda contender: order(contender, lots))),
        bye_order=tuple(sorted(known, key=lambda contender: in_line_for_bye(contender, lots))),
        meetings=_meetings(known),
        seed=seed,
        style="neighbours" if first_round else options.style,
        keep_factions_apart=first_round and options.keep_factions_apart,
        first_round=first_round,
    )


def _draw(ids: list[int], seed: int) -> Lots:
    drawn = list(ids)
    random.Random(seed).shuffle(drawn)
    return {id: lot for lot, id in enumerate(drawn)}


def _meetings(contenders: Iterable[Contender]) -> Meetings:
    meetings: dict[tuple[int, int], int] = {}
    for contender in contenders:
        for opponent, times in Counter(contender.met).items():
            for pair in ((contender.id, opponent), (opponent, contender.id)):
                meetings[pair] = max(times, meetings.get(pair, 0))
    return meetings
