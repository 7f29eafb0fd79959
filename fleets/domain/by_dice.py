"""A legal fleet made up by chance: for rehearsals, simulations and the demo."""

from collections.abc import Sequence
from datetime import date
from random import Random

from fleets.domain import editing
from fleets.domain.cards import UPGRADES, Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.legality import Format, violations
from fleets.domain.month_rules import MonthRules
from fleets.domain.sheet import FLEET, Sheet
from tourney.runtime.messages import nmessage

A_SHIP = 28
"""What a ship with its captain may cost on average, in SP, so that some are left for upgrades."""

TRIES = 400
SPARE = 3


class NoFleet(Exception):
    """No legal fleet could be made of these cards; the message says why."""


def fleet_by_dice(cards: Sequence[Card], format: Format, on: date, *, random: Random, faction: str = "") -> Sheet:
    """A legal fleet of these cards, mostly of one faction (a code), with few SP left over. Raises NoFleet.

    The same random gives the same fleet, whatever the order of the cards.
    """
    known = sorted(cards, key=lambda card: (card.kind, card.key))
    factions = (faction,) if faction and faction in (format.month.factions or (faction,)) else format.month.factions
    of_faction = [card for card in known if not factions or card.has_faction(*factions)]
    ships = [card for card in of_faction if card.kind is CardKind.SHIP]
    captains = [card for card in of_faction if card.kind is CardKind.CAPTAIN]
    upgrades = [card for card in of_faction if card.kind in UPGRADES]
    sheet = Sheet(side=next(iter(format.month.sides), ""), month=format.month)
    sheet = _with_an_away_team(_with_a_resource(sheet, known, format, on, random), known)
    rest = format.sp_limit - costs(sheet).resource
    fewest = format.tournament.fewest_ships if format.tournament else max(1, rest // A_SHIP)
    for _ in range(TRIES):
        pool, at = (ships, FLEET) if len(sheet.ships) < fewest else (upgrades, _a_ship(sheet, random))
        if not pool:
            break
        pool = pool if sheet.ships else _asked_for(known, CardKind.SHIP, format.month) or pool
        tried = editing.add(sheet, random.choice(pool), at)
        if len(tried.ships) > len(sheet.ships) and captains:
            tried = editing.add(tried, random.choice(captains), tried.ships[-1].line.id)
        share = min(fewest, len(tried.ships))
        if sum(costs(tried).ships) * fewest <= rest * share and _may_stand(tried, format, on, fewest):
            sheet = tried
        if costs(sheet).total >= format.sp_limit - SPARE:
            break
    if found := violations(sheet, format, on):
        raise NoFleet(
            nmessage(
                "No legal fleet can be built from {count} card. {problem}",
                "No legal fleet can be built from {count} cards. {problem}",
                len(known),
                problem=found[0].sentence,
            )
        )
    return sheet


def _with_a_resource(sheet: Sheet, cards: Sequence[Card], format: Format, on: date, random: Random) -> Sheet:
    """The sheet with one of the resources that the month allows, if it allows any."""
    resources = [card for card in cards if card.kind is CardKind.RESOURCE]
    allowed = [card for card in resources if not _wrong_about_line(editing.add(sheet, card), format, on)]
    return editing.add(sheet, random.choice(allowed)) if allowed and format.resource_rule != "none" else sheet


def _may_stand(sheet: Sheet, format: Format, on: date, fewest: int) -> bool:
    """Whether nothing is wrong but what more ships and cards put right."""
    found = {one.rule for one in violations(sheet, format, on) if one.line or one.rule != "7.17"}
    return found <= ({"7.12"} if len(sheet.ships) < fewest else set())


def _with_an_away_team(sheet: Sheet, cards: Sequence[Card]) -> Sheet:
    """The sheet with the cheapest crew that the month asks for beside the ships."""
    team = sheet.month.away_team
    crew = {card.title: card for card in cards if card.kind is CardKind.CREW}
    for card in sorted(crew.values(), key=lambda card: card.cost)[: team.number if team else 0]:
        sheet = editing.add(sheet, card)
    return sheet


def _asked_for(cards: Sequence[Card], kind: CardKind, month: MonthRules) -> list[Card]:
    """The cards of the kind with which a fleet has what the month asks for."""
    asked = [limit.cards for limit in month.limits if limit.is_asked_for]
    return [card for card in cards if card.kind is kind and any(one.takes(card) for one in asked)]


def _wrong_about_line(sheet: Sheet, format: Format, on: date) -> bool:
    return any(violation.line for violation in violations(sheet, format, on))


def _a_ship(sheet: Sheet, random: Random) -> int:
    return random.choice(sheet.ships).line.id
