"""Whether a fleet keeps to what the month prints about building (rule 7.17)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.month_costs import is_in_away_team
from fleets.domain.month_rules import HowMany, MonthLimit
from fleets.domain.sheet import CardLine, Sheet, Ship
from tourney.runtime.letters import either_of

OVERSIZED = ("Borg Cube", "Borg Tactical Cube", "Nor Class Orbital Space Station")
ASKED_FOR = {
    HowMany.EXACTLY_ONE: "This month asks for exactly one {cards}, and the fleet has none.",
    HowMany.AT_LEAST_ONE: "This month asks for at least one {cards}, and the fleet has none.",
}
NEW = 10**6
"""The id of a line that is only tried."""


@dataclass(frozen=True, slots=True)
class MonthProblem:
    """Something against the month's rules: a sentence, and the line it is about (0 for the fleet)."""

    sentence: str
    line: int = 0


def against_month(sheet: Sheet) -> Iterator[MonthProblem]:
    """Rule 7.17: everything on the sheet that the month does not allow, or asks for and is not there."""
    for check in CHECKS:
        yield from check(sheet)


def why_not_this_month(sheet: Sheet, card: Card, at: Ship | None) -> tuple[str, ...]:
    """What the month says against one more card there (None: beside the ships), in sentences."""
    line = CardLine(NEW, card)
    if card.kind is CardKind.SHIP:
        tried = replace(sheet, ships=(*sheet.ships, Ship(line)))
    elif at is None or card.kind is CardKind.RESOURCE:
        tried = replace(sheet, other=(*sheet.other, line))
    else:
        there = replace(at, cards=(*at.cards, line))
        tried = replace(sheet, ships=tuple(there if ship is at else ship for ship in sheet.ships))
    return tuple(problem.sentence for problem in against_month(tried) if problem.line == NEW)


def beyond_oversized(sheet: Sheet, most: int) -> tuple[CardLine, ...]:
    """The ships with an oversized base after the first so many."""
    return tuple(ship.line for ship in sheet.ships if ship.card.ship_class in OVERSIZED)[most:]


def _side(sheet: Sheet) -> Iterator[MonthProblem]:
    if sheet.month.sides and not sheet.side_in_play:
        yield MonthProblem(f"Say which side this fleet is on: {either_of(sheet.month.sides)}.")


def _factions(sheet: Sheet) -> Iterator[MonthProblem]:
    month = sheet.month
    for line in sheet.lines if month.factions else ():
        card = line.card
        if card.kind not in month.factions_of or not card.factions or card.has_faction(*month.factions):
            continue
        allowed = either_of([FACTIONS[code] for code in month.factions])
        own = " and ".join(FACTIONS[code] for code in card.factions)
        sentence = f"{card.title} is {own}, and only {allowed} {month.factions_words} are allowed this month."
        yield MonthProblem(sentence, line.id)


def _limits(sheet: Sheet) -> Iterator[MonthProblem]:
    for limit in sheet.month.limits:
        found = [line for line in sheet.lines if limit.cards.takes(line.card)]
        if limit.is_asked_for and not found:
            yield MonthProblem(ASKED_FOR[limit.how_many].format(cards=limit.cards.words))
        yield from _too_many(limit, found)


def _too_many(limit: MonthLimit, found: Sequence[CardLine]) -> Iterator[MonthProblem]:
    if limit.how_many is HowMany.NONE:
        for line in found:
            sentence = f"{line.card.title} is banned this month."
            if not limit.cards.title:
                sentence = f"{line.card.title} is banned this month, like every {limit.cards.words}."
            yield MonthProblem(sentence, line.id)
    elif limit.how_many is not HowMany.AT_LEAST_ONE:
        for line in found[1:]:
            first, other = found[0].card.title, line.card.title
            sentence = f"This month allows one {limit.cards.words}: {first} is one, and {other} another."
            yield MonthProblem(sentence, line.id)


def _oversized(sheet: Sheet) -> Iterator[MonthProblem]:
    most = sheet.month.oversized
    if most is None:
        return
    for line in beyond_oversized(sheet, most):
        sentence = f"{line.card.title} has an oversized base, and this month no ship may have one."
        if most:
            sentence = f"{line.card.title} has an oversized base, and ships with one are limited to {most} this month."
        yield MonthProblem(sentence, line.id)


def _away_team(sheet: Sheet) -> Iterator[MonthProblem]:
    team = sheet.month.away_team
    if team is None:
        return
    found = [line for line in sheet.other if is_in_away_team(line, sheet)]
    if len(found) < team.number:
        yield MonthProblem(f"The away team has {_cards(len(found))}; this month asks for {team.number}.")
    for line in found[team.number :]:
        sentence = f"The away team has {_cards(team.number)} already, so {line.card.title} is one too many."
        yield MonthProblem(sentence, line.id)
    total = sum(line.card.cost for line in found)
    if team.most is not None and total > team.most:
        yield MonthProblem(f"The away team costs {total} SP as printed; at most {team.most} are allowed.")


def _resources(sheet: Sheet) -> Iterator[MonthProblem]:
    if not sheet.month.resource_per_ship:
        return
    found = [line for line in sheet.lines if line.card.kind is CardKind.RESOURCE]
    if not found:
        yield MonthProblem("This month asks for at least one resource, and the fleet has none.")
    for line in found[max(1, len(sheet.ships)) :]:
        sentence = f"A fleet has at most one resource for each ship this month, so {line.card.title} is one too many."
        yield MonthProblem(sentence, line.id)


CHECKS: Sequence[Callable[[Sheet], Iterator[MonthProblem]]] = (
    _side,
    _factions,
    _limits,
    _oversized,
    _away_team,
    _resources,
)


def _cards(number: int) -> str:
    return {0: "no crew card", 1: "one crew card"}.get(number, f"{number} crew cards")
