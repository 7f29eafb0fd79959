"""How long a typed SP left takes to be checked against the fleet that it is left of (rule 2.3)."""

from itertools import count

from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.surviving import left, nearest, reachable
from tests.benchmarks.bench_night import milliseconds, seconds, table

SIZES = ((2, 3), (3, 8), (10, 8))


def fleet_of(ships: int, cards: int) -> Sheet:
    """Ships of 20 SP and more, each with cards of 1 SP and more."""
    ids = count(1)
    return Sheet(
        tuple(
            Ship(
                CardLine(next(ids), Card(CardKind.SHIP, f"Ship {ship}", cost=20 + 3 * ship)),
                tuple(CardLine(next(ids), Card(CardKind.CREW, f"Card {card}", cost=1 + card)) for card in range(cards)),
            )
            for ship in range(ships)
        ),
    )


def bench_what_can_be_left_of_a_fleet():
    rows = [("ships", "cards each", "sums", "one number checked", "what a tap leaves")]
    for ships, cards in SIZES:
        sheet = fleet_of(ships, cards)
        taken = (
            seconds(lambda sheet=sheet: nearest(sheet, 33)),
            seconds(lambda sheet=sheet: left(sheet, {1, 12})),
        )
        rows.append((str(ships), str(cards), str(len(reachable(sheet))), *map(milliseconds, taken)))
    table("What can be left of a fleet, exact (median of 5)", rows)
