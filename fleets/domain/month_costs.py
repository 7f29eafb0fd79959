"""What a month makes cheaper or dearer on a sheet (rule 7.17)."""

from dataclasses import replace

from fleets.domain.as_built import ship_as_built
from fleets.domain.cards import Card, CardKind
from fleets.domain.month_rules import MonthChange
from fleets.domain.sheet import CardLine, Sheet, Ship


def change_of(line: CardLine, ship: Ship, sheet: Sheet | None) -> MonthChange | None:
    """The change of the line's cost on this ship: the first that is about it, as a month's changes never add up."""
    if sheet is None:
        return None
    changes = (one for one in sheet.month.changes if one.points and one.side in ("", sheet.side))
    return next((one for one in changes if _is_about(one, line, ship)), None)


def is_spared(card: Card, sheet: Sheet | None) -> bool:
    """Whether the month takes the faction penalty from the card."""
    if sheet is None:
        return False
    changes = (one for one in sheet.month.changes if one.no_penalty and one.side in ("", sheet.side))
    return any(one.cards.takes(card) for one in changes)


def is_in_away_team(line: CardLine, sheet: Sheet) -> bool:
    """Whether the card is in the month's away team: crew beside the ships."""
    return sheet.month.away_team is not None and line.card.kind is CardKind.CREW and line in sheet.other


def _is_about(change: MonthChange, line: CardLine, ship: Ship) -> bool:
    if line.id != ship.line.id:
        return change.cards.takes(line.card)
    as_built = replace(ship.card, factions=ship_as_built(ship).factions)
    return change.cards.takes(as_built) or (
        change.with_card and as_built.kind in change.cards.kinds and any(change.cards.is_such(one.card) for one in ship)
    )
