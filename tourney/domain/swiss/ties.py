"""Which ties must be rolled off before the next round when only those that matter are (rule 4.4)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations, product
from math import prod

from tourney.domain.swiss.model import Contender, Pairing

GREATEST_GROUP = 4
MOST_ORDERS = 128

type TiedGroup = tuple[int, ...]
type Pair = Callable[[Sequence[Contender]], Pairing]


def groups_that_matter(
    contenders: Sequence[Contender], groups: Iterable[TiedGroup], pair: Pair
) -> tuple[TiedGroup, ...]:
    """The groups of ids whose order inside changes a table or the bye under some order of the other groups.

    Groups beyond GREATEST_GROUP are taken to matter, and so are all when the others allow more than
    MOST_ORDERS orders together. A group with fewer than two contenders does not matter.
    """
    active = {contender.id for contender in contenders}
    present = {tuple(group): tuple(sorted(active.intersection(group))) for group in groups}
    tied = {group: members for group, members in present.items() if len(members) > 1}
    if not tied:
        return ()
    large = {group for group, members in tied.items() if len(members) > GREATEST_GROUP}
    small = {group: members for group, members in tied.items() if group not in large}
    orders = [list(permutations(members)) for members in small.values()]
    if prod(map(len, orders)) > MOST_ORDERS:
        return tuple(tied)
    results = {chosen: _who_plays(pair(_placed(contenders, chosen))) for chosen in product(*orders)}
    matter = large | {group for index, group in enumerate(small) if _matters(index, results)}
    return tuple(group for group in tied if group in matter)


def _matters(index: int, results: dict[tuple[TiedGroup, ...], frozenset[frozenset[int | None]]]) -> bool:
    """Whether two orders that differ in this group alone seat the round differently."""
    seen: dict[tuple[TiedGroup, ...], frozenset[frozenset[int | None]]] = {}
    for chosen, result in results.items():
        others = chosen[:index] + chosen[index + 1 :]
        if seen.setdefault(others, result) != result:
            return True
    return False


def _placed(contenders: Sequence[Contender], orders: Iterable[TiedGroup]) -> list[Contender]:
    """The contenders with each tied group in one order; places are free up to the size of the group."""
    offsets = {id: offset for order in orders for offset, id in enumerate(order)}
    return [replace(one, place=one.place + offsets.get(one.id, 0)) for one in contenders]


def _who_plays(pairing: Pairing) -> frozenset[frozenset[int | None]]:
    return frozenset(map(frozenset, pairing.pairs)) | {frozenset({pairing.bye})}
