"""A pairing as it is drawn: who plays whom at once, and why as soon as somebody asks."""

from functools import cached_property

from tourney.domain.swiss.levels import PairingCandidate, costs
from tourney.domain.swiss.model import Pairing, Reason, Seating
from tourney.domain.swiss.order import Field
from tourney.domain.swiss.reasons import bye_reason, relaxed_reasons, table_reasons


class DrawnPairing(Pairing):
    """A pairing of which `pairs`, `bye` and `seed` are known; what explains it is worked out when it is read, once.

    That takes as long as to draw it, and who only compares pairings never asks.
    """

    def __init__(self, field: Field, choice: PairingCandidate, best: PairingCandidate) -> None:
        """`best` is the pairing that look-ahead (rule 3.4) started from, `choice` the one it took."""
        ids = choice.line.ids
        pairs = tuple([(ids[high], ids[low]) for high, low in choice.tables])
        # A frozen dataclass: its values go where `cached_property` puts those that are worked out later.
        self.__dict__ |= {"pairs": pairs, "bye": choice.bye.id if choice.bye else None, "seed": field.seed}
        self.__dict__["_drawn"] = field, choice, best

    _drawn: tuple[Field, PairingCandidate, PairingCandidate]

    @cached_property
    def _reasons(self) -> list[Reason]:
        return table_reasons(*self._drawn)

    @cached_property
    def tables(self) -> tuple[Seating, ...]:
        """The tables from the top of the order down, with their reasons."""
        return tuple([Seating(a, b, reason) for (a, b), reason in zip(self.pairs, self._reasons, strict=True)])

    @cached_property
    def bye_reason(self) -> Reason | None:
        """Rule 3.5; None without a bye."""
        return bye_reason(*self._drawn)

    @cached_property
    def relaxed(self) -> tuple[Reason, ...]:
        """Rule 3.7."""
        field, choice, _ = self._drawn
        return relaxed_reasons(field, choice, self._reasons)

    @cached_property
    def costs(self) -> tuple[int, ...]:
        """The totals of rule 3.3 b to g."""
        field, choice, _ = self._drawn
        return costs(field, choice)
