"""What a month pack says about building fleets, as the rules of fleets read it (rule 7.17)."""

from fleets.domain.cards import FACTIONS, UPGRADES, CardKind
from fleets.domain.month_rules import (
    BUILT,
    HowMany,
    MonthAwayTeam,
    MonthCards,
    MonthChange,
    MonthLimit,
    MonthRules,
)
from scoring.domain import words
from scoring.domain.building import CardLimit, CostChange
from scoring.domain.pack import MonthPack

CODES = {name: code for code, name in FACTIONS.items()}
GROUPS = {
    "card": BUILT,
    "ships": frozenset({CardKind.SHIP}),
    "ships and captains": frozenset({CardKind.SHIP, CardKind.CAPTAIN}),
    "cards": BUILT,
    "upgrade": UPGRADES,
    "captain or upgrade": frozenset({CardKind.CAPTAIN, *UPGRADES}),
}
"""What the words of a pack mean that stand for several kinds of cards."""


def month_rules(rules: MonthPack) -> MonthRules:
    """Rule 7.17: what the month prints. How many ships may be oversized in the format of 2016 is its own rule."""
    fleet = rules.fleet
    return MonthRules(
        factions=tuple(CODES[name] for name in fleet.allowed_factions),
        factions_of=GROUPS[fleet.factions_of],
        oversized=None if fleet.format == "2016" else fleet.oversized,
        sides=fleet.sides,
        away_team=MonthAwayTeam(fleet.away_team, fleet.away_team_sp) if fleet.away_team else None,
        resource_per_ship=rules.resource.rule == "one per ship",
        limits=tuple(map(_limit, rules.card_limits)),
        changes=tuple(map(_change, rules.cost_changes)),
    )


def _limit(limit: CardLimit) -> MonthLimit:
    any_kind = limit.kind == "card" and limit.title
    cards = MonthCards(
        words.limit_cards(limit),
        frozenset(CardKind) if any_kind else _kinds(limit.kind),
        faction=CODES.get(limit.faction, ""),
        title=limit.title,
        cost=limit.cost,
    )
    return MonthLimit(cards, HowMany(limit.how_many))


def _change(change: CostChange) -> MonthChange:
    cards = MonthCards(
        words.change_cards(change),
        _kinds(change.kind),
        faction=CODES.get(change.faction, ""),
        is_other=change.other_factions,
    )
    return MonthChange(cards, change.points, change.with_card, change.no_penalty, change.side)


def _kinds(word: str) -> frozenset[CardKind]:
    return GROUPS.get(word) or frozenset({CardKind(word)})
