"""Who stands where: the order of rule 3.2 and the order of rule 3.5."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

from tourney.domain.swiss.model import Contender, NoPairing, Options


def in_standings(contender: Contender) -> tuple[int, ...]:
    """Rule 3.2: Battle Points, Fleet Points, roll-off."""
    return (-contender.battle_points, -contender.fleet_points, contender.place)


def in_line_for_bye(contender: Contender) -> tuple[int, ...]:
    """Rule 3.5: fewest byes, fewest Battle Points, fewest Fleet Points, lower place."""
    return (contender.byes, contender.battle_points, contender.fleet_points, -contender.place)


def by_standings(contenders: Iterable[Contender]) -> list[Contender]:
    """Sorted by `in_standings`, one number at a time, the last first: quicker than by all at once."""
    line = sorted(contenders, key=attrgetter("place"))
    line.sort(key=attrgetter("fleet_points"), reverse=True)
    line.sort(key=attrgetter("battle_points"), reverse=True)
    return line


def by_group(contenders: Iterable[Contender]) -> list[Contender]:
    """Rule 3.2, setting "random": sorted by Battle Points only."""
    return sorted(contenders, key=attrgetter("battle_points"), reverse=True)


ORDERS: Mapping[str, Callable[[Iterable[Contender]], list[Contender]]] = {
    "neighbours": by_standings,
    "halves": by_standings,
    "random": by_group,
}


@dataclass(frozen=True)
class SeatingOrder:
    """The seated contenders of a round, an even number, best first; costs speak of positions in it, from 0.

    `keep_factions_apart` is set in round 1 only (rule 3.3 f).
    """

    seated: tuple[Contender, ...]
    options: Options

    @cached_property
    def points(self) -> list[int]:
        """The Battle Points by position."""
        return [contender.battle_points for contender in self.seated]

    @cached_property
    def ids(self) -> list[int]:
        """The ids by position."""
        return [contender.id for contender in self.seated]

    @cached_property
    def met(self) -> list[tuple[int, ...]]:
        """The ids of the opponents so far by position."""
        return [contender.met for contender in self.seated]

    @cached_property
    def floaters(self) -> frozenset[int]:
        """The positions of those who have floated down."""
        return frozenset([position for position, one in enumerate(self.seated) if one.floated_down])

    @cached_property
    def households(self) -> list[str]:
        """The households and travel groups by position; nothing if there are none."""
        groups = [contender.group for contender in self.seated]
        return groups if any(groups) else []

    @cached_property
    def factions(self) -> list[str]:
        """The factions by position; nothing if there are none."""
        factions = [contender.faction for contender in self.seated]
        return factions if any(factions) else []

    @cached_property
    def group_sizes(self) -> Mapping[int, int]:
        """How many are seated with so many Battle Points."""
        return Counter(self.points)

    @cached_property
    def group_starts(self) -> Mapping[int, int]:
        """The position of the first with so many Battle Points."""
        last = len(self.points) - 1
        return {points: last - back for back, points in enumerate(reversed(self.points))}


@dataclass(frozen=True)
class Field:
    """Everybody active: `drawn` as the seed drew them, `order` best first; `options` as they hold this round."""

    drawn: tuple[Contender, ...]
    seed: int
    options: Options
    first_round: bool

    @cached_property
    def order(self) -> tuple[Contender, ...]:
        """Rule 3.2; what is still level stands as it was drawn."""
        return tuple(ORDERS[self.options.style](self.drawn))

    @cached_property
    def bye_order(self) -> tuple[Contender, ...]:
        """Rule 3.5, next bye first; what is still level, from the last drawn on."""
        return tuple(sorted(self._last_drawn_first, key=in_line_for_bye))

    @cached_property
    def first_for_bye(self) -> Contender:
        """Rule 3.5: whose turn it is to have the bye."""
        few = [one for one in self._last_drawn_first if one.byes == self.fewest_byes]
        lowest = min([one.battle_points for one in few])
        return min([one for one in few if one.battle_points == lowest], key=in_line_for_bye)

    @property
    def _last_drawn_first(self) -> Sequence[Contender]:
        return self.drawn[::-1]

    @cached_property
    def fewest_byes(self) -> int:
        """How many byes those with the fewest have had."""
        return min([contender.byes for contender in self.drawn])

    @cached_property
    def level(self) -> Mapping[tuple[int, ...], int]:
        """How many stand at one point of the order before anything is drawn."""
        return Counter(map(in_standings, self.drawn))

    @property
    def has_bye(self) -> bool:
        """Whether one contender is left over (rule 3.3 a)."""
        return len(self.drawn) % 2 == 1

    def line(self, bye: Contender | None) -> SeatingOrder:
        """The seated when `bye` sits out."""
        return SeatingOrder(tuple([one for one in self.order if one is not bye]), self.options)


def field_of(contenders: Iterable[Contender], seed: int, options: Options, first_round: bool) -> Field:
    """The field of one round, the same for every order of the input.

    In round 1 points, places and floats say nothing and the style is "neighbours" in the drawn order (rule
    3.1). Raises NoPairing with fewer than two contenders and ValueError when an id comes twice.
    """
    known = sorted(contenders, key=attrgetter("id"))
    if len(known) < 2:
        raise NoPairing
    if len({one.id for one in known}) < len(known):
        raise ValueError(f"an id comes twice: {[one.id for one in known]}")
    if first_round:
        known = [replace(one, battle_points=0, fleet_points=0, place=0, floated_down=False) for one in known]
        options = replace(options, style="neighbours")
    else:
        options = replace(options, keep_factions_apart=False)
    random.Random(seed).shuffle(known)
    return Field(tuple(known), seed, options, first_round)
