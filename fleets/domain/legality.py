"""Whether a fleet is legal: every rule of section 7 on its own, and all that is wrong at once.

for violation in violations(sheet, Format(sp_limit=100), on=date(2026, 11, 20)):
    violation.rule, violation.sentence, violation.line, violation.allowed
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from fleets.domain.as_built import captain_as_built, is_met, printed_rules_on, rules_on, ship_as_built
from fleets.domain.card_rules import (
    CardRule,
    Condition,
    HoldsOnly,
    NeedsNoCaptain,
    NoAdmiral,
    NoCaptain,
    NotWith,
    OfAnyFaction,
    OnePerShip,
    Only,
    SecondCaptain,
    Sideboard,
    rules_of,
)
from fleets.domain.cards import FACTIONS, UPGRADES, Card, CardKind
from fleets.domain.cost import ON_SIDEBOARD, Costs, costs, is_on_sideboard
from fleets.domain.month_checks import against_month, beyond_oversized
from fleets.domain.month_rules import NOTHING_PRINTED, MonthRules
from fleets.domain.resources import RESOURCES, is_called, released_on
from fleets.domain.sheet import BROUGHT_BY, FLEET, ON_ONE_SHIP, CardLine, Sheet, Ship
from fleets.domain.slots import kept_for_others, slots_with_resource, without_slot

type Rulings = Mapping[tuple[str, int, str], str]
"""Reasons of the organizer for allowing what a rule forbids: by its number, the line (0: the fleet) and the sentence.

What is allowed is this very violation: not the next one of the same rule, nor a greater one.
"""

NO_RULINGS: Rulings = {}
CARRIER_HULL = 4
SHUTTLE_WEAPON = 3
OFFICERS_PER_CREW = 2
MINES = "Antimatter Mines"
FLAGSHIP = "Flagship"
SUPPORT_VEHICLE = "Borg Support Vehicle Token"


@dataclass(frozen=True, slots=True)
class Tournament:
    """Rule 7.12: what the 2016 format asks for beyond the limit, in ships and SP."""

    fewest_ships: int = 3
    most_per_ship: int = 50
    large_ship: int = 43
    upgrades_beyond: int = 8
    oversized: int = 1


@dataclass(frozen=True, slots=True)
class Format:
    """What a month asks of a fleet. `resources` names the only ones allowed, if there are any such.

    `resource_rule` is "exactly one" as printed, "at most one", "any number" or "none"; a fleet without one is legal.
    `available` refuses resources that are not released, `retire` those that are retired, too (rule 7.11).
    `booster` SP of the limit are kept for the blind booster (rule 7.12). `month` is what else is printed (rule 7.17).
    """

    sp_limit: int
    resource_rule: str = "exactly one"
    resources: tuple[str, ...] = ()
    available: bool = False
    retire: bool = False
    tournament: Tournament | None = None
    booster: int = 0
    month: MonthRules = NOTHING_PRINTED


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong: the rule, a sentence, the line it is about (0 for the fleet), why it is allowed."""

    rule: str
    sentence: str
    line: int = 0
    allowed: str = ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the rules look at."""

    sheet: Sheet
    format: Format
    on: date
    costs: Costs

    def sp(self, line: CardLine) -> int:
        return self.costs.of(line.id).total


def violations(sheet: Sheet, format: Format, on: date, rulings: Rulings = NO_RULINGS) -> tuple[Violation, ...]:
    """Everything that is wrong with the fleet on that day, rule by rule; what a ruling allowed says so (rule 7.15)."""
    sheet = replace(sheet, month=format.month)
    asked = _Asked(sheet, format, on, costs(sheet))
    found = (violation for rule in RULES for violation in rule(asked))
    return tuple(replace(one, allowed=rulings.get((one.rule, one.line, one.sentence), "")) for one in found)


def sp_limit(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.5."""
    total, limit = asked.costs.total, asked.format.sp_limit
    if total > limit:
        yield Violation("7.5", f"The fleet costs {total} SP, {total - limit} more than the {limit} SP of this event.")


def a_ship(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.3: a fleet is made of ships."""
    if not asked.sheet.ships:
        yield Violation("7.3", "There is no ship in the fleet. Add one.")


def captains(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.8: one captain per ship, none on a squadron."""
    for ship in asked.sheet.ships:
        found = [line for line in ship.cards if line.card.kind is CardKind.CAPTAIN]
        name = ship.card.title
        if takes_no_captain(ship.card):
            for line in found:
                yield Violation("7.8", f"{name} takes no captain, but {line.card.title} is assigned to it.", line.id)
        elif not found and not _says(ship, NeedsNoCaptain):
            yield Violation("7.8", f"{name} has no captain. Every ship has one.", ship.line.id)
        most = 2 if _has_second_captain(asked.sheet, ship) else 1
        for line in found[most:] if not takes_no_captain(ship.card) else ():
            yield Violation("7.8", f"{name} has a captain already, so {line.card.title} cannot be another.", line.id)


def admirals(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.8: at most one face-up admiral per fleet."""
    found = [line for line in asked.sheet.lines if line.card.kind is CardKind.ADMIRAL]
    for line in found[1:]:
        first = found[0].card.title
        yield Violation(
            "7.8", f"A fleet has one admiral at most: {first} is one, and {line.card.title} another.", line.id
        )
    for line in found:
        ship = asked.sheet.ship_of(line.id)
        if ship and any(isinstance(rule, NoAdmiral) for rule in rules_of(ship.card)):
            sentence = f"{ship.card.title} takes no admiral, but {line.card.title} is assigned to it."
            yield Violation("7.8", sentence, line.id)


def unique_names(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.9: a unique name once per fleet over all card types; those of the Mirror Universe are a set apart."""
    seen: set[tuple[str, bool]] = set()
    for line in asked.sheet.lines:
        card = line.card
        if not card.unique and not card.mirror_unique:
            continue
        name = (card.title.casefold(), card.mirror_unique)
        if name in seen:
            yield Violation("7.9", f"{card.title} is unique and stands twice in the fleet.", line.id)
        seen.add(name)


def slots(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.10: upgrades fit the slots of the ship, elite talents those of captain and admiral.

    Nobody knows the slots of a ship that was typed by hand.
    """
    for ship in (ship for ship in asked.sheet.ships if ship.card.key):
        room = slots_with_resource(ship, asked.sheet)
        for line in without_slot(ship, asked.sheet):
            kind = line.card.kind
            word = "elite talent" if kind is CardKind.TALENT else kind.value
            have = f"{room[kind]} {word} slot{'' if room[kind] == 1 else 's'}" if room[kind] else f"no {word} slot"
            sentence = f"{ship.card.title} has {have}, so {line.card.title} has no place on it."
            if kept := kept_for_others(line, ship, asked.sheet):
                by, such = kept
                sentence = f"{by.card.title} has room for this {kind.value} only: {such}. {line.card.title} is not."
            yield Violation("7.10", sentence, line.id)


def card_texts(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.10: what cards say about the ship, the captain, other cards of the fleet and their own number."""
    for ship in asked.sheet.ships:
        for line, rule in printed_rules_on(ship):
            wrong = _not_with(asked, line, rule) or _against_text(asked, ship, line, rule)
            if wrong:
                yield Violation("7.10", wrong, line.id)
            if isinstance(rule, HoldsOnly):
                yield from _held(ship, line, rule)
    resource, assigned = asked.sheet.resource, asked.sheet.ship_of(asked.sheet.resource_at)
    if resource and assigned:
        for rule in rules_of(resource.card):
            if wrong := _against_text(asked, assigned, resource, rule):
                yield Violation("7.10", wrong, resource.id)


def resource(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: how many, which, and not retired on that day."""
    rule = asked.format.resource_rule
    found = [line for line in asked.sheet.lines if line.card.kind is CardKind.RESOURCE]
    for line in found if rule == "none" else ():
        sentence = f"This event is played without resources, but the fleet has {line.card.title}."
        yield Violation("7.11", sentence, line.id)
    for line in found[1:] if rule in ("exactly one", "at most one") else ():
        sentence = f"This event allows one resource: {found[0].card.title} is one, and {line.card.title} another."
        yield Violation("7.11", sentence, line.id)
    for line in found if rule != "none" else ():
        yield from _not_in_play(asked, line)


def with_resource(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: flagship cards, fleet captains and officers come with their resource."""
    resources = [line.card.title for line in asked.sheet.lines if line.card.kind is CardKind.RESOURCE]
    for kind, name in BROUGHT_BY.items():
        found = [line for line in asked.sheet.lines if line.card.kind is kind]
        for line in found if not any(is_called(title, name) for title in resources) else ():
            sentence = f"{line.card.title} comes with the resource {name}, which the fleet does not have."
            yield Violation("7.11", sentence, line.id)
        if kind not in ON_ONE_SHIP:
            continue
        for line in found[1:]:
            first, other = found[0].card.title, line.card.title
            yield Violation(
                "7.11", f"A fleet has one {kind.value} at most: {first} is one, and {other} another.", line.id
            )
        assigned = asked.sheet.ship_of(asked.sheet.resource_at)
        if found and assigned and is_called(resources[0] if resources else "", name) and found[0] not in assigned.cards:
            sentence = f"The resource {name} is assigned to {assigned.card.title}, but the card that it brings is not."
            yield Violation("7.11", sentence, found[0].id)


def flagships(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: the flagship card of a faction is for a ship of it, an Independent one for any."""
    for ship, line in _on_ships(asked, CardKind.FLAGSHIP):
        names = line.card.factions
        if names and "IND" not in names and not ship.card.has_faction(*names):
            sentence = f"{line.card.title} is a flagship card for a ship of its faction. {ship.card.title} is not."
            yield Violation("7.11", sentence, line.id)


def fleet_captains(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: a fleet captain is a unique captain; one of a faction stands on a ship of it, with a captain of it."""
    for ship, line in _on_ships(asked, CardKind.FLEET_CAPTAIN):
        captain, names = ship.captain, line.card.factions
        if captain and captain.card.key and not (captain.card.unique or captain.card.mirror_unique):
            sentence = f"A fleet captain is a unique captain, and {captain.card.title} is not unique."
            yield Violation("7.11", sentence, line.id)
        for card in (ship.card, captain.card if captain else ship.card) if names and "IND" not in names else ():
            if not card.has_faction(*names):
                sentence = f"{line.card.title} is for a captain and a ship of its faction. {card.title} is not."
                yield Violation("7.11", sentence, line.id)


def officers(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: an officer is assigned to a crew card, two at most to each."""
    for ship in asked.sheet.ships:
        found = [line for line in ship.cards if line.card.kind is CardKind.OFFICER]
        crew = sum(line.card.kind is CardKind.CREW for line in ship.cards)
        for line in found[OFFICERS_PER_CREW * crew :]:
            sentence = f"An officer needs a crew card, two at most with each: {ship.card.title} has none left for"
            yield Violation("7.11", f"{sentence} {line.card.title}.", line.id)


def sideboard(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: the Reinforcements Sideboard holds one card of a kind, and so many SP as printed."""
    resource = asked.sheet.resource
    rule = next((one for one in rules_of(resource.card) if isinstance(one, Sideboard)), None) if resource else None
    if resource is None or rule is None:
        return
    found = [line for line in asked.sheet.other if is_on_sideboard(line, asked.sheet)]
    total = sum(line.card.cost for line in found)
    if total > rule.most:
        sentence = f"The cards on the sideboard cost {total} SP as printed; at most {rule.most} are allowed."
        yield Violation("7.11", sentence, resource.id)
    for kind in ON_SIDEBOARD:
        of_kind = [line for line in found if line.card.kind is kind]
        for line in of_kind[1:]:
            sentence = f"The sideboard holds one card of each kind: {of_kind[0].card.title} is there already."
            yield Violation("7.11", sentence, line.id)


def _on_ships(asked: _Asked, kind: CardKind) -> Iterator[tuple[Ship, CardLine]]:
    return ((ship, line) for ship in asked.sheet.ships for line in ship.cards if line.card.kind is kind)


def _not_in_play(asked: _Asked, line: CardLine) -> Iterator[Violation]:
    names, title = asked.format.resources, line.card.title
    if names and not is_called(title, *names):
        allowed = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
        yield Violation("7.11", f"The resource of this event is {allowed}, not {title}.", line.id)
    released = released_on(title)
    retired = next((one.retired for one in RESOURCES if is_called(title, one.name)), None)
    is_early = (asked.format.retire or asked.format.available) and released is not None and asked.on < released
    if is_early or (asked.format.retire and retired is not None and asked.on >= retired):
        when = "not released yet" if is_early else f"retired on {retired:%-d %B %Y}"
        sentence = f"The resource {title} is {when} (this event is on {asked.on:%-d %B %Y})."
        yield Violation("7.11", sentence, line.id)


def tournament(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.12: the 2016 format."""
    rules = asked.format.tournament
    if rules is None:
        return
    ships = asked.sheet.ships
    if len(ships) < rules.fewest_ships:
        yield Violation(
            "7.12", f"The fleet has {_ships(len(ships))}; this format asks for at least {rules.fewest_ships}."
        )
    for line in beyond_oversized(asked.sheet, rules.oversized):
        yield Violation("7.12", f"{line.card.title} is one more ship with an oversized base than is allowed.", line.id)
    for ship, total in zip(ships, asked.costs.ships, strict=True):
        yield from _too_dear(asked, rules, ship, total)


def booster(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.12: so many SP are kept for the blind booster, whose cards are not mixed with the others."""
    kept = asked.format.booster
    inside = [line for line in asked.sheet.lines if line.booster]
    if not kept:
        for line in inside:
            yield Violation("7.12", f"This event has no blind booster, but {line.card.title} is from one.", line.id)
        return
    of_booster = sum(asked.sp(line) for line in inside)
    rest, room = asked.costs.total - of_booster, asked.format.sp_limit - kept
    if of_booster > kept:
        yield Violation("7.12", f"The blind booster's cards cost {of_booster} SP; {kept} are kept for them.")
    if rest > room:
        yield Violation("7.12", f"Without the blind booster the fleet costs {rest} SP; at most {room} are allowed.")
    for ship in asked.sheet.ships:
        for line in ship.cards:
            if line.booster != ship.line.booster and line.card.kind in {CardKind.CAPTAIN, CardKind.ADMIRAL, *UPGRADES}:
                sentence = f"{line.card.title} and {ship.card.title} are mixed: one of them is from the blind booster."
                yield Violation("7.12", sentence, line.id)


def carriers(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.13: every shuttlecraft, attack squadron or support vehicle needs its own ship of hull 4 or more."""
    small = [ship.line for ship in asked.sheet.ships if is_shuttle(ship.card) or is_squadron(ship.card)]
    small += [line for line in asked.sheet.lines if line.card.title == SUPPORT_VEHICLE]
    large = [
        s
        for s in asked.sheet.ships
        if not is_shuttle(s.card) and not is_squadron(s.card) and ship_as_built(s).hull >= CARRIER_HULL
    ]
    for line in small[len(large) :]:
        need = f"needs a ship of its own with hull {CARRIER_HULL} or more"
        sentence = f"{line.card.title} {need}, and the fleet has none left for it."
        yield Violation("7.13", sentence, line.id)


def stations(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: a station is no flagship, whether the card lies on it or the resource is assigned to it."""
    resource = asked.sheet.resource
    for ship in (ship for ship in asked.sheet.ships if is_station(ship.card)):
        found = [line for line in ship.cards if line.card.kind is CardKind.FLAGSHIP]
        if not found and resource and resource.card.title == FLAGSHIP and asked.sheet.resource_at == ship.line.id:
            found = [resource]
        for line in found:
            sentence = f"{ship.card.title} is a station, so it can’t be a flagship. Move {line.card.title} to a ship."
            yield Violation("7.11", sentence, line.id)


def squadrons(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.13: squadrons carry squadron upgrades only, and no resource."""
    for ship in (ship for ship in asked.sheet.ships if is_squadron(ship.card)):
        for line in ship.cards:
            if line.card.kind not in {CardKind.SQUADRON, CardKind.CAPTAIN}:
                yield Violation(
                    "7.13", f"{ship.card.title} is a squadron, so it cannot carry {line.card.title}.", line.id
                )
        if asked.sheet.resource and asked.sheet.resource_at in {line.id for line in ship}:
            name = asked.sheet.resource.card.title
            yield Violation(
                "7.13", f"A squadron has no resource, but {name} is assigned to {ship.card.title}.", ship.line.id
            )


def shuttles(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.13: a shuttlecraft has no admiral, and no weapon over 3 SP but Antimatter Mines."""
    for ship in (ship for ship in asked.sheet.ships if is_shuttle(ship.card)):
        for line in ship.cards:
            if line.card.kind is CardKind.ADMIRAL:
                yield Violation(
                    "7.13", f"A shuttlecraft has no admiral, but {line.card.title} is on {ship.card.title}.", line.id
                )
            if line.card.kind is not CardKind.WEAPON or line.card.title == MINES or _has_limit_of_its_own(ship):
                continue
            if asked.sp(line) > SHUTTLE_WEAPON:
                most = f"a shuttlecraft carries weapons up to {SHUTTLE_WEAPON} SP"
                sentence = f"{line.card.title} costs {asked.sp(line)} SP; {most}."
                yield Violation("7.13", sentence, line.id)


def month(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.17: what the month prints about building."""
    return (Violation("7.17", problem.sentence, problem.line) for problem in against_month(asked.sheet))


RULES: Sequence[Callable[[_Asked], Iterator[Violation]]] = (
    *(sp_limit, a_ship, captains, admirals, unique_names, slots, card_texts),
    *(
        resource,
        with_resource,
        flagships,
        fleet_captains,
        officers,
        sideboard,
        tournament,
        booster,
        carriers,
        stations,
        squadrons,
        shuttles,
        month,
    ),
)


def takes_no_captain(ship: Card) -> bool:
    """Rule 7.8: a squadron, and a ship that says so."""
    return is_squadron(ship) or any(isinstance(rule, NoCaptain) for rule in rules_of(ship))


def is_station(ship: Card) -> bool:
    """A space station or a stationary platform, by its class."""
    return ship.ship_class.endswith(("Station", "Platform"))


def is_squadron(ship: Card) -> bool:
    """An attack squadron, by its class."""
    return ship.ship_class.endswith(("Attack Squadron", "Attack Fighters"))


def is_shuttle(ship: Card) -> bool:
    """A shuttlecraft, by its class."""
    return "Shuttle" in ship.ship_class


def _says(ship: Ship, *rules: type) -> bool:
    """Whether the ship or a card on it has such a rule."""
    return any(isinstance(rule, rules) for _, rule in rules_on(ship))


def _has_second_captain(sheet: Sheet, ship: Ship) -> bool:
    """By a resource that is assigned to this ship, or to none: then the first ship with two captains has it."""
    if sheet.resource is None or not any(isinstance(rule, SecondCaptain) for rule in rules_of(sheet.resource.card)):
        return False
    with_two = (one for one in sheet.ships if sum(line.card.kind is CardKind.CAPTAIN for line in one.cards) > 1)
    return ship is (sheet.ship_of(sheet.resource_at) or next(with_two, None))


def _has_limit_of_its_own(ship: Ship) -> bool:
    """Whether a shuttlecraft says itself which weapons it carries."""
    return any(isinstance(rule, HoldsOnly) and rule.kind is CardKind.WEAPON for rule in rules_of(ship.card))


def _held(ship: Ship, line: CardLine, rule: HoldsOnly) -> Iterator[Violation]:
    for other in ship.cards:
        if other.card.kind is rule.kind and not rule.condition.holds(other.card):
            such = f"{line.card.title} has room for this {rule.kind.value} only: {rule.condition}."
            yield Violation("7.10", f"{such} {other.card.title} is not.", other.id)


def _against_text(asked: _Asked, ship: Ship, line: CardLine, rule: CardRule) -> str:
    title = line.card.title
    if isinstance(rule, OnePerShip):
        first = next(one for one in ship if one.card.title == title)
        return "" if first is line else f"{title} is allowed once per ship, and {ship.card.title} has it already."
    if not isinstance(rule, Only) or is_met(rule.where, ship, asked.sheet, line):
        return ""
    condition = rule.where.condition
    if rule.where.of == "fleet":
        return f"{title} is only for a fleet with this: {condition}."
    asks_captain = rule.where.of == "captain"
    card = captain_as_built(ship) if asks_captain else ship_as_built(ship)
    if card and _lifts_factions(ship, line.card, condition, card):
        return ""
    if asks_captain and card is None and line is ship.line:
        return ""  # that it has none is said by itself
    who = f"{card.title} is not" if card else f"{ship.card.title} has none"
    return f"{title} is only for this {rule.where.of}: {condition}. {who}."


def _lifts_factions(ship: Ship, card: Card, condition: Condition, asked_for: Card) -> bool:
    """Whether a card of the ship lets such cards on it whatever faction they ask for."""
    lifted = any(isinstance(rule, OfAnyFaction) and rule.kind is card.kind for _, rule in rules_on(ship))
    return lifted and condition.holds(replace(asked_for, factions=tuple(FACTIONS)))


def _not_with(asked: _Asked, line: CardLine, rule: CardRule) -> str:
    if not isinstance(rule, NotWith):
        return ""
    other = next((one for one in asked.sheet.lines if one is not line and rule.condition.holds(one.card)), None)
    return f"{line.card.title} is not allowed in a fleet with {other.card.title}." if other else ""


def _too_dear(asked: _Asked, rules: Tournament, ship: Ship, total: int) -> Iterator[Violation]:
    """50 SP with all that is assigned to the ship; a ship printed at 43 or more may pass it by leaders and 8 SP."""
    assigned = {line.id for line in ship}
    if asked.sheet.resource and asked.sheet.resource_line != FLEET and asked.sheet.resource_line in assigned:
        total += asked.costs.resource
    most, why = rules.most_per_ship, ""
    if ship.card.cost >= rules.large_ship:
        leaders = [line for line in ship.cards if line.card.kind in {CardKind.CAPTAIN, CardKind.ADMIRAL}]
        beyond = asked.sp(ship.line) + sum(asked.sp(line) for line in leaders) + rules.upgrades_beyond
        most = max(most, beyond)
        why = f" with its captain, its admiral and {rules.upgrades_beyond} SP of upgrades"
    if total > most:
        sentence = (
            f"{ship.card.title} costs {total} SP with all that is assigned to it; at most {most} are allowed{why}."
        )
        yield Violation("7.12", sentence, ship.line.id)


def _ships(number: int) -> str:
    return {0: "no ship", 1: "one ship"}.get(number, f"{number} ships")
