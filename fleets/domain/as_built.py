"""Ships and captains as their cards make them, and when a rule of a card counts."""

from collections.abc import Iterator
from dataclasses import replace

from fleets.domain.card_rules import CardRule, GivesFaction, Hides, Where, rules_of
from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import CardLine, Sheet, Ship

RAISED = ("attack", "agility", "hull", "shields")


def ship_as_built(ship: Ship) -> Card:
    """The ship card with the factions that its cards give and the numbers that a flagship card adds."""
    flagships = [line.card for line in ship.cards if line.card.kind is CardKind.FLAGSHIP]
    given = {rule.faction: None for _, rule in rules_on(ship) if isinstance(rule, GivesFaction)}
    if not flagships and not given:
        return ship.card
    numbers = {name: sum(getattr(card, name) for card in (ship.card, *flagships)) for name in RAISED}
    factions = tuple(dict.fromkeys((*_factions(ship.card, *flagships), *given)))
    return replace(ship.card, factions=factions, **numbers)


def captain_as_built(ship: Ship) -> Card | None:
    """Its captain with the skill that a fleet captain adds, who may be Independent, too; None where there is none."""
    if ship.captain is None:
        return None
    card = ship.captain.card
    ranks = [line.card for line in ship.cards if line.card.kind is CardKind.FLEET_CAPTAIN]
    if not ranks:
        return card
    return replace(card, factions=_factions(card, *ranks), skill=card.skill + sum(rank.skill for rank in ranks))


def ship_factions(ship: Ship) -> tuple[str, ...]:
    """The factions of the ship; a flagship card adds its own."""
    return ship_as_built(ship).factions


def is_met(where: Where, ship: Ship, sheet: Sheet | None = None, line: CardLine | None = None) -> bool:
    """Whether a rule of that line of the ship counts; what asks for other ships needs the sheet."""
    match where.of:
        case "ship":
            return where.condition.holds(ship_as_built(ship))
        case "captain":
            return where.condition.holds(captain_as_built(ship))
        case "beside":
            return any(where.condition.holds(one.card) for one in ship if one is not line)
        case "fleet":
            others = (one for one in sheet.lines if one is not line and one is not ship.line) if sheet else ()
            return any(where.condition.holds(one.card) for one in others)
    return True


def rules_on(ship: Ship) -> Iterator[tuple[CardLine, CardRule]]:
    """Every rule of the ship and of the cards on it, with the line that says it; of a card face down there is none."""
    away = {line.id for line, _ in hidden(ship)}
    return ((line, rule) for line, rule in printed_rules_on(ship) if line.id not in away)


def printed_rules_on(ship: Ship) -> Iterator[tuple[CardLine, CardRule]]:
    """The same with the cards that lie face down: where they may be built is asked of them, too."""
    return ((line, rule) for line in ship for rule in rules_of(line.card))


def hidden(ship: Ship) -> tuple[tuple[CardLine, CardLine], ...]:
    """The cards that lie face down under another one, each with that one: the dearest, as a player would choose."""
    found: list[tuple[CardLine, CardLine]] = []
    for under, rule in printed_rules_on(ship):
        if isinstance(rule, Hides):
            away = {line.id for line, _ in found}
            fitting = [
                line
                for line in ship.upgrades
                if line is not under and line.id not in away and rule.cards.takes(line.card)
            ]
            fitting.sort(key=lambda line: -line.card.cost)
            found += [(line, under) for line in fitting[: rule.number]]
    return tuple(found)


def _factions(*cards: Card) -> tuple[str, ...]:
    return tuple({code: None for card in cards for code in card.factions})
