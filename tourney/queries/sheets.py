"""A fleet as a sheet to read (rule 7.3): part by part, each line with its cost as a sum; and the rounds it played."""

from collections.abc import Sequence
from dataclasses import dataclass

from fleets.domain.cards import CODES, FACTIONS
from fleets.domain.cost import PRINTED, LineCost
from fleets.domain.legality import Violation
from fleets.domain.sheet import FLEET, CardLine
from tourney.models import Entrant, SheetCheck
from tourney.queries.fleets import FleetState
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

RESULTS = {"win": "W", "no-show win": "W", "loss": "L", "no-show": "L", "bye": "B"}


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of the sheet; `violations` are those about it, with what was allowed."""

    line: CardLine
    cost: LineCost
    violations: tuple[Violation, ...]

    @property
    def code(self) -> str:
        """Rule 7.3: the type code."""
        return CODES[self.line.card.kind]

    @property
    def factions(self) -> tuple[tuple[str, str], ...]:
        """Code and name of each faction of the card."""
        return tuple((code, FACTIONS.get(code, code)) for code in self.line.card.factions)

    @property
    def sum(self) -> str:
        """The cost as people would write it, "4 + 1 faction penalty"; empty without a sum."""
        first, *others = self.cost.parts
        if self.line.cost_by_hand is not None or (not others and first.label == PRINTED):
            return ""
        start = str(first.points) if first.label == PRINTED else f"{first.points} {first.label}"
        return " ".join((start, *(f"{'−' if p.points < 0 else '+'} {abs(p.points)} {p.label}" for p in others)))

    @property
    def wrong(self) -> tuple[Violation, ...]:
        """The violations that nobody has allowed."""
        return tuple(violation for violation in self.violations if not violation.allowed)

    @property
    def allowed(self) -> tuple[Violation, ...]:
        """The violations that an organizer has allowed."""
        return tuple(violation for violation in self.violations if violation.allowed)


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A ship with its cards, the resource, or what stands beside them; `short` is its name in the totals."""

    short: Message
    title: str | Message
    total: int
    lines: tuple[SheetLine, ...]
    note: str | Message = ""


def parts_of(fleet: FleetState) -> list[SheetPart]:
    """The ships in their order, then the resource, then the others, where there are any."""
    sheet, costs = fleet.sheet, fleet.costs
    parts = [
        SheetPart(
            message("Ship {number}", number=number),
            ship.card.title,
            costs.ships[number - 1],
            _lines(fleet, tuple(ship)),
        )
        for number, ship in enumerate(sheet.ships, 1)
    ]
    if sheet.resource:
        name = message("Resource")
        parts.append(SheetPart(name, name, costs.resource, _lines(fleet, (sheet.resource,)), _assigned(fleet)))
    if sheet.other:
        parts.append(SheetPart(message("Other"), message("Other"), costs.other, _lines(fleet, sheet.other)))
    return parts


@dataclass(frozen=True, slots=True)
class RoundLine:
    """Rule 7.3: a round on the sheet; `opponent` is None with a bye, numbers are None as long as they are open.

    `signed` is whether the opponent has signed the sheet, `result` is W, L or B, `so_far` adds the Fleet Points up.
    """

    number: int
    opponent: Entrant | None
    signed: bool
    result: str
    battle_points: int | None
    fleet_points: int | None
    so_far: int | None


type Signers = frozenset[tuple[int, int]]
"""Who has signed the opponent's sheet: pairs of a match and an entrant, by their pks."""


def signers_of(state: EventState) -> Signers:
    """Rule 7.2 for all rounds of the event, in one query."""
    checks = SheetCheck.objects.filter(state=SheetCheck.State.SIGNED, seat__round__event=state.event)
    return frozenset(checks.values_list("seat__match", "seat__entrant"))


def rounds_of(state: EventState, owner: Entrant, signers: Signers) -> list[RoundLine]:
    """The published rounds in which this entrant sits."""
    lines: list[RoundLine] = []
    so_far: int | None = 0
    for round in state.public_rounds:
        match = round.match_of(owner.number)
        if match is None:
            continue
        score = round.scores.get(owner.number)
        points = score.fleet_points if score else None
        so_far = None if so_far is None or points is None else so_far + points
        result = RESULTS.get(score.outcome, "") if score else ""
        opponent = match.opponent_of(owner.number)
        signed = opponent is not None and (match.row.pk, opponent.pk) in signers
        battle_points = score.battle_points if score else None
        lines.append(RoundLine(round.number, opponent, signed, result, battle_points, points, so_far))
    return lines


def _lines(fleet: FleetState, lines: Sequence[CardLine]) -> tuple[SheetLine, ...]:
    return tuple(
        SheetLine(line, fleet.costs.of(line.id), tuple(one for one in fleet.violations if one.line == line.id))
        for line in lines
    )


def _assigned(fleet: FleetState) -> Message:
    at = fleet.sheet.resource_at
    card = next((line.card.title for line in fleet.sheet.lines if line.id == at), "")
    if at == FLEET or not card:
        return message("Assigned to the whole fleet.")
    return message("Assigned to {card}.", card=card)
