"""Whether a fleet keeps to what the month prints about building (rule 7.17)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.month_costs import is_in_away_team
from fleets.domain.month_rules import HowMany, MonthLimit
from fleets.domain.sheet import CardLine, Sheet, Ship
from tourney.runtime.messages import Message, Param, message, nmessage, pmessage

OVERSIZED = ("Borg Cube", "Borg Tactical Cube", "Nor Class Orbital Space Station")
NEW = 10**6
"""The id of a line that is only tried."""


@dataclass(frozen=True, slots=True)
class MonthProblem:
    """Something against the month's rules: a sentence, and the line it is about (0 for the fleet)."""

    sentence: Message
    line: int = 0


def against_month(sheet: Sheet) -> Iterator[MonthProblem]:
    """Rule 7.17: everything on the sheet that the month does not allow, or asks for and is not there."""
    for check in CHECKS:
        yield from check(sheet)


def why_not_this_month(sheet: Sheet, card: Card, at: Ship | None) -> tuple[Message, ...]:
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
        yield MonthProblem(message("Choose the fleet’s side: {sides}.", sides=_one_of(sheet.month.sides)))


def _factions(sheet: Sheet) -> Iterator[MonthProblem]:
    month = sheet.month
    for line in sheet.lines if month.factions else ():
        card = line.card
        if card.kind not in month.factions_of or not card.factions or card.has_faction(*month.factions):
            continue
        own = tuple(FACTIONS[code] for code in card.factions)
        facts: dict[str, Param] = {
            "card": card.title,
            "factions": own,
            "allowed": _one_of([FACTIONS[code] for code in month.factions]),
        }
        sentence = message("{card} is {factions}. Only {allowed} cards are allowed this month.", **facts)
        if month.factions_of == {CardKind.SHIP}:
            sentence = message("{card} is {factions}. Only {allowed} ships are allowed this month.", **facts)
        elif month.factions_of == {CardKind.SHIP, CardKind.CAPTAIN}:
            sentence = message(
                "{card} is {factions}. Only {allowed} ships and captains are allowed this month.", **facts
            )
        yield MonthProblem(sentence, line.id)


def _limits(sheet: Sheet) -> Iterator[MonthProblem]:
    for limit in sheet.month.limits:
        found = [line for line in sheet.lines if limit.cards.takes(line.card)]
        if limit.is_asked_for and not found:
            sentence = message("This month requires exactly one {cards}. Add one.", cards=limit.cards.words)
            if limit.how_many is HowMany.AT_LEAST_ONE:
                sentence = message("This month requires at least one {cards}. Add one.", cards=limit.cards.words)
            yield MonthProblem(sentence)
        yield from _too_many(limit, found)


def _too_many(limit: MonthLimit, found: Sequence[CardLine]) -> Iterator[MonthProblem]:
    if limit.how_many is HowMany.NONE:
        for line in found:
            title = line.card.title
            sentence = message("{card} is banned this month.", card=title)
            if not limit.cards.title:
                sentence = message(
                    "{card} is banned this month, like every {cards}.", card=title, cards=limit.cards.words
                )
            yield MonthProblem(sentence, line.id)
    elif limit.how_many is not HowMany.AT_LEAST_ONE:
        for line in found[1:]:
            first, other = found[0].card.title, line.card.title
            sentence = message(
                "This month allows only one {cards}, but the fleet has {first} and {other}.",
                cards=limit.cards.words,
                first=first,
                other=other,
            )
            yield MonthProblem(sentence, line.id)


def _oversized(sheet: Sheet) -> Iterator[MonthProblem]:
    most = sheet.month.oversized
    if most is None:
        return
    for line in beyond_oversized(sheet, most):
        sentence = message("{ship} has an oversized base, which isn’t allowed this month.", ship=line.card.title)
        if most:
            sentence = nmessage(
                "{ship} has an oversized base. This month allows {count} ship with one.",
                "{ship} has an oversized base. This month allows {count} ships with one.",
                most,
                ship=line.card.title,
            )
        yield MonthProblem(sentence, line.id)


def _away_team(sheet: Sheet) -> Iterator[MonthProblem]:
    team = sheet.month.away_team
    if team is None:
        return
    found = [line for line in sheet.other if is_in_away_team(line, sheet)]
    if len(found) < team.number:
        yield MonthProblem(_too_few(len(found), team.number))
    for line in found[team.number :]:
        sentence = nmessage(
            "The away team has room for {count} crew card, so {card} is one too many.",
            "The away team has room for {count} crew cards, so {card} is one too many.",
            team.number,
            card=line.card.title,
        )
        yield MonthProblem(sentence, line.id)
    total = sum(line.card.cost for line in found)
    if team.most is not None and total > team.most:
        yield MonthProblem(
            message("The away team costs {total} SP as printed. Limit: {limit} SP.", total=total, limit=team.most)
        )


def _resources(sheet: Sheet) -> Iterator[MonthProblem]:
    if not sheet.month.resource_per_ship:
        return
    found = [line for line in sheet.lines if line.card.kind is CardKind.RESOURCE]
    if not found:
        yield MonthProblem(message("This month requires at least one resource. Add one."))
    for line in found[max(1, len(sheet.ships)) :]:
        sentence = message(
            "This month allows one resource per ship, so {resource} is one too many.", resource=line.card.title
        )
        yield MonthProblem(sentence, line.id)


CHECKS: Sequence[Callable[[Sheet], Iterator[MonthProblem]]] = (
    _side,
    _factions,
    _limits,
    _oversized,
    _away_team,
    _resources,
)


def _too_few(found: int, asked: int) -> Message:
    if not found:
        return message("The away team has no crew cards; this month requires {asked}.", asked=asked)
    return nmessage(
        "The away team has {count} crew card; this month requires {asked}.",
        "The away team has {count} crew cards; this month requires {asked}.",
        found,
        asked=asked,
    )


def _one_of(names: Sequence[str]) -> Message | str:
    """ "A or B", "A, B or C"; the name if it is the only one."""
    *most, last = names
    if not most:
        return last
    some: Message | str = most[0]
    for one in most[1:]:
        some = pmessage("a list", "{some}, {one}", some=some, one=one)
    return pmessage("a list", "{some} or {last}", some=some, last=last)
