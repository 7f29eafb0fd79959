"""What a month prints about building (rules 7.12, 7.17): `fleet`, `card_limits` and `cost_changes` of its pack."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.domain.reading import FieldError, Reader, nearest, not_while
from tourney.runtime.bounds import shown
from tourney.runtime.messages import in_a_row, message

FLEET_FORMATS = ("storyline", "2016")
FACTION_NAMES = (
    "Federation", "Klingon", "Romulan", "Dominion", "Borg", "Species 8472", "Kazon", "Xindi", "Bajoran", "Ferengi",
    "Vulcan", "Independent", "Mirror Universe", "Q Continuum",
)  # fmt: skip
"""Rule 7.4: what stands on cards. A month may let players choose others to play for; a card has one of these."""
FACTIONS_OF = ("ships", "ships and captains", "cards")
UPGRADE_KINDS = ("talent", "crew", "tech", "weapon", "borg", "squadron")
LIMIT_KINDS = ("card", "ship", "captain", "admiral", "upgrade", *UPGRADE_KINDS, "resource")
CHANGE_KINDS = ("ship", "captain", "admiral", "upgrade", "captain or upgrade", *UPGRADE_KINDS)
HOW_MANY = ("none", "at most one", "exactly one", "at least one")


@dataclass(frozen=True, slots=True)
class FleetFormat:
    """Rules 7.12, 7.17: how fleets are built. `booster` is how many SP of the limit are kept for the blind booster.

    `oversized`: the most ships with such a base; None leaves it to the format. `allowed_factions`: the only ones for
    what `factions_of` says; all where there are none. Each player has a fleet for each of the `sides`. An away team has
    `away_team` crew cards, of `away_team_sp` SP together.
    """

    format: str = "storyline"
    booster: int = 0
    oversized: int | None = None
    allowed_factions: tuple[str, ...] = ()
    factions_of: str = "ships"
    sides: tuple[str, ...] = ()
    away_team: int = 0
    away_team_sp: int | None = None


@dataclass(frozen=True, slots=True)
class CardLimit:
    """Rule 7.17: how many such cards a fleet may have. An empty title or faction is any; so is the cost None."""

    how_many: str = "none"
    title: str = ""
    kind: str = "card"
    faction: str = ""
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class CostChange:
    """Rule 7.17: what such cards cost more or, below zero, less, in SP, in every fleet or in those of one side.

    `other_factions`: all cards but those of the faction. `with_card`: also a ship with a card of the faction on it.
    """

    kind: str = "captain or upgrade"
    faction: str = ""
    other_factions: bool = False
    with_card: bool = False
    points: int = 0
    no_penalty: bool = False
    side: str = ""


def read_fleet(reader: Reader) -> FleetFormat:
    """The table `fleet`; complaints are with the reader."""
    fleet = FleetFormat(
        format=reader.choice("format", FLEET_FORMATS, "storyline"),
        booster=reader.number("booster", 0, low=0, high=1000),
        oversized=reader.number("oversized", None, low=0, high=20),
        allowed_factions=reader.texts("allowed_factions", longest=40),
        factions_of=reader.choice("factions_of", FACTIONS_OF, "ships"),
        sides=reader.texts("sides", longest=40),
        away_team=reader.number("away_team", 0, low=0, high=20),
        away_team_sp=reader.number("away_team_sp", None, low=0, high=1000),
    )
    reader.refuse_unknown()
    return fleet


def read_card_limit(reader: Reader) -> CardLimit:
    """A row of `card_limits`; complaints are with the reader."""
    limit = CardLimit(
        how_many=reader.choice("how_many", HOW_MANY),
        title=reader.text("title", "", longest=80),
        kind=reader.choice("kind", LIMIT_KINDS, "card"),
        faction=reader.text("faction", "", longest=40),
        cost=reader.number("cost", None, low=0, high=999),
    )
    reader.refuse_unknown()
    return limit


def read_cost_change(reader: Reader) -> CostChange:
    """A row of `cost_changes`; complaints are with the reader."""
    change = CostChange(
        kind=reader.choice("kind", CHANGE_KINDS),
        faction=reader.text("faction", "", longest=40),
        other_factions=reader.flag("other_factions", False),
        with_card=reader.flag("with_card", False),
        points=reader.number("points", low=-50, high=50),
        no_penalty=reader.flag("no_penalty", False),
        side=reader.text("side", "", longest=40),
    )
    reader.refuse_unknown()
    return change


def building_contradictions(
    fleet: FleetFormat, limits: Sequence[CardLimit], changes: Sequence[CostChange], sp_limit: int | None
) -> list[FieldError]:
    """What is wrong between fields that are each well-formed, and the factions that no card has."""
    found = _of_fleet(fleet, sp_limit)
    for number, limit in enumerate(limits):
        found += _of_limit(f"card_limits[{number}]", limit, again=limit in limits[:number])
    for number, change in enumerate(changes):
        found += _of_change(f"cost_changes[{number}]", change, fleet.sides, again=change in changes[:number])
    return found


def _of_fleet(fleet: FleetFormat, sp_limit: int | None) -> list[FieldError]:
    names = enumerate(fleet.allowed_factions)
    found = [one for number, name in names for one in _faction(f"fleet.allowed_factions[{number}]", name)]
    if sp_limit is not None and fleet.booster > sp_limit:
        wrong = message(
            "This is more than the limit, {limit} SP. Lower this number, or raise the limit.", limit=sp_limit
        )
        found.append(FieldError("fleet.booster", wrong))
    if fleet.away_team_sp is not None and not fleet.away_team:
        wrong = not_while("away_team", "0")
        plain = message("There is no away team. Type how many cards it has, or clear this field.")
        found.append(FieldError("fleet.away_team_sp", wrong, plain))
    return found


def _of_limit(at: str, limit: CardLimit, *, again: bool) -> list[FieldError]:
    found = _faction(f"{at}.faction", limit.faction)
    if limit.kind == "card" and not limit.title and not limit.faction:
        wrong = message("This would cover every card. Type a title, or choose a faction or a kind.")
        found.append(FieldError(f"{at}.title", wrong))
    if again:
        wrong = message("This is the same as a rule above. Change it, or remove one of the two.")
        found.append(FieldError(at, wrong))
    return found


def _of_change(at: str, change: CostChange, sides: tuple[str, ...], *, again: bool) -> list[FieldError]:
    found = _faction(f"{at}.faction", change.faction)
    if not change.points and not change.no_penalty:
        plain = message(
            "0 SP changes nothing. Type a number below 0 for cheaper, above 0 for more expensive, or lift the penalty."
        )
        wrong = message(
            "0 SP changes nothing. Type a number below 0 for cheaper or above 0 for more expensive, "
            "or set {field} to true.",
            field="no_penalty",
        )
        found.append(FieldError(f"{at}.points", wrong, plain))
    if change.other_factions and not change.faction:
        plain = message("No faction is chosen to leave out. Choose one, or untick this.")
        wrong = message("No faction is chosen to leave out. Add one, or type false.")
        found.append(FieldError(f"{at}.other_factions", wrong, plain))
    if change.with_card and (change.kind != "ship" or not change.faction or change.other_factions):
        plain = message("This works only for ships of a faction. Choose “Ship” and a faction, or untick this.")
        wrong = message(
            "This works only for ships of a faction. Set {field} to {value} and add a faction, or type false.",
            field="kind",
            value="'ship'",
        )
        found.append(FieldError(f"{at}.with_card", wrong, plain))
    if change.side and change.side not in sides:
        wrong = message(
            "“{side}” isn’t one of this month’s sides. Add it to {field}, or correct it.",
            side=shown(change.side),
            field="fleet.sides",
        )
        plain = message(
            "“{side}” isn’t one of this month’s sides. Type a side as named above, or clear this for every fleet.",
            side=shown(change.side),
        )
        found.append(FieldError(f"{at}.side", wrong, plain))
    if again:
        wrong = message("This is the same as a change above. Change it, or remove one of the two.")
        found.append(FieldError(at, wrong))
    return found


def _faction(at: str, name: str) -> list[FieldError]:
    if name in ("", *FACTION_NAMES):
        return []
    wrong = message("“{name}” isn’t a faction on cards.", name=shown(name))
    plain = message("“{name}” isn’t a faction on cards. Choose one from the list.", name=shown(name))
    return [FieldError(at, in_a_row([wrong, nearest(name, FACTION_NAMES)]), plain)]
