"""Whether a fleet is legal: every rule of section 7 on its own, and all that is wrong at once.

for violation in violations(sheet, Format(sp_limit=100), on=date(2026, 11, 20)):
    violation.rule, violation.sentence, violation.line, violation.allowed
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from fleets.domain.allowed import NO_RULINGS, Rulings, why_allowed
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
from fleets.domain.cards import FACTIONS, KIND_WORDS, UPGRADES, Card, CardKind
from fleets.domain.cost import ON_SIDEBOARD, Costs, costs, is_on_sideboard
from fleets.domain.month_checks import against_month, beyond_oversized
from fleets.domain.month_rules import NOTHING_PRINTED, MonthRules
from fleets.domain.resources import RESOURCES, is_called, released_on
from fleets.domain.sheet import BROUGHT_BY, FLEET, ON_ONE_SHIP, CardLine, Sheet, Ship
from fleets.domain.slots import kept_for_others, slots_with_resource, without_slot
from tourney.runtime.messages import Message, Param, message, nmessage

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
    sentence: Message
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
    return tuple(replace(one, allowed=why_allowed(rulings, one.rule, one.line, one.sentence)) for one in found)


def sp_limit(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.5."""
    total, limit = asked.costs.total, asked.format.sp_limit
    if total > limit:
        yield Violation(
            "7.5",
            message(
                "The fleet costs {total} SP, {over} over the {limit} SP limit.",
                total=total,
                over=total - limit,
                limit=limit,
            ),
        )


def a_ship(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.3: a fleet is made of ships."""
    if not asked.sheet.ships:
        yield Violation("7.3", message("The fleet has no ships. Add one."))


def captains(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.8: one captain per ship, none on a squadron."""
    for ship in asked.sheet.ships:
        found = [line for line in ship.cards if line.card.kind is CardKind.CAPTAIN]
        name = ship.card.title
        if takes_no_captain(ship.card):
            for line in found:
                sentence = message(
                    "{ship} can’t have a captain, but {captain} is on it.", ship=name, captain=line.card.title
                )
                yield Violation("7.8", sentence, line.id)
        elif not found and not _says(ship, NeedsNoCaptain):
            yield Violation("7.8", message("{ship} needs a captain.", ship=name), ship.line.id)
        most = 2 if _has_second_captain(asked.sheet, ship) else 1
        for line in found[most:] if not takes_no_captain(ship.card) else ():
            sentence = message(
                "{ship} already has a captain, so {captain} can’t be on it too.", ship=name, captain=line.card.title
            )
            yield Violation("7.8", sentence, line.id)


def admirals(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.8: at most one face-up admiral per fleet."""
    found = [line for line in asked.sheet.lines if line.card.kind is CardKind.ADMIRAL]
    for line in found[1:]:
        first = found[0].card.title
        sentence = message(
            "A fleet can have only one admiral, but this one has {first} and {other}.",
            first=first,
            other=line.card.title,
        )
        yield Violation("7.8", sentence, line.id)
    for line in found:
        ship = asked.sheet.ship_of(line.id)
        if ship and any(isinstance(rule, NoAdmiral) for rule in rules_of(ship.card)):
            sentence = message(
                "{ship} can’t have an admiral, but {admiral} is on it.",
                ship=ship.card.title,
                admiral=line.card.title,
            )
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
            yield Violation("7.9", message("{card} is unique, but it’s in the fleet twice.", card=card.title), line.id)
        seen.add(name)


def slots(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.10: upgrades fit the slots of the ship, elite talents those of captain and admiral.

    Nobody knows the slots of a ship that was typed by hand.
    """
    for ship in (ship for ship in asked.sheet.ships if ship.card.key):
        room = slots_with_resource(ship, asked.sheet)
        for line in without_slot(ship, asked.sheet):
            kind, card = line.card.kind, line.card.title
            facts: dict[str, Param] = {"ship": ship.card.title, "kind": KIND_WORDS[kind], "card": card}
            sentence = message("{ship} has no {kind} slots, so {card} doesn’t fit.", **facts)
            if kept := kept_for_others(line, ship, asked.sheet):
                by, such = kept
                sentence = _only_such(by.card, kind, such, line.card)
            elif room[kind]:
                sentence = nmessage(
                    "{ship} has {count} {kind} slot, so {card} doesn’t fit.",
                    "{ship} has {count} {kind} slots, so {card} doesn’t fit.",
                    room[kind],
                    **facts,
                )
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
        sentence = message(
            "This event is played without resources, but the fleet has {resource}.", resource=line.card.title
        )
        yield Violation("7.11", sentence, line.id)
    for line in found[1:] if rule in ("exactly one", "at most one") else ():
        sentence = message(
            "This event allows only one resource, but the fleet has {first} and {other}.",
            first=found[0].card.title,
            other=line.card.title,
        )
        yield Violation("7.11", sentence, line.id)
    for line in found if rule != "none" else ():
        yield from _not_in_play(asked, line)


def with_resource(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: flagship cards, fleet captains and officers come with their resource."""
    resources = [line.card.title for line in asked.sheet.lines if line.card.kind is CardKind.RESOURCE]
    for kind, name in BROUGHT_BY.items():
        found = [line for line in asked.sheet.lines if line.card.kind is kind]
        for line in found if not any(is_called(title, name) for title in resources) else ():
            sentence = message(
                "{card} comes with the resource {resource}, which the fleet doesn’t have.",
                card=line.card.title,
                resource=name,
            )
            yield Violation("7.11", sentence, line.id)
        if kind not in ON_ONE_SHIP:
            continue
        for line in found[1:]:
            sentence = message(
                "A fleet can have only one {kind}, but this one has {first} and {other}.",
                kind=KIND_WORDS[kind],
                first=found[0].card.title,
                other=line.card.title,
            )
            yield Violation("7.11", sentence, line.id)
        assigned = asked.sheet.ship_of(asked.sheet.resource_at)
        if found and assigned and is_called(resources[0] if resources else "", name) and found[0] not in assigned.cards:
            sentence = message(
                "The resource {resource} is assigned to {ship}, but the card it brings isn’t on that ship.",
                resource=name,
                ship=assigned.card.title,
            )
            yield Violation("7.11", sentence, found[0].id)


def flagships(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: the flagship card of a faction is for a ship of it, an Independent one for any."""
    for ship, line in _on_ships(asked, CardKind.FLAGSHIP):
        names = line.card.factions
        if names and "IND" not in names and not ship.card.has_faction(*names):
            sentence = message(
                "{flagship} needs a ship of its own faction, and {ship} isn’t one.",
                flagship=line.card.title,
                ship=ship.card.title,
            )
            yield Violation("7.11", sentence, line.id)


def fleet_captains(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: a fleet captain is a unique captain; one of a faction stands on a ship of it, with a captain of it."""
    for ship, line in _on_ships(asked, CardKind.FLEET_CAPTAIN):
        captain, names = ship.captain, line.card.factions
        if captain and captain.card.key and not (captain.card.unique or captain.card.mirror_unique):
            sentence = message(
                "A fleet captain must be a unique captain, and {captain} isn’t unique.", captain=captain.card.title
            )
            yield Violation("7.11", sentence, line.id)
        for card in (ship.card, captain.card if captain else ship.card) if names and "IND" not in names else ():
            if not card.has_faction(*names):
                sentence = message(
                    "{card} needs a captain and a ship of its own faction, and {other} isn’t of that faction.",
                    card=line.card.title,
                    other=card.title,
                )
                yield Violation("7.11", sentence, line.id)


def officers(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: an officer is assigned to a crew card, two at most to each."""
    for ship in asked.sheet.ships:
        found = [line for line in ship.cards if line.card.kind is CardKind.OFFICER]
        crew = sum(line.card.kind is CardKind.CREW for line in ship.cards)
        for line in found[OFFICERS_PER_CREW * crew :]:
            sentence = message(
                "Officers go with crew cards, up to {most} each. {ship} has no crew card left for {officer}.",
                most=OFFICERS_PER_CREW,
                ship=ship.card.title,
                officer=line.card.title,
            )
            yield Violation("7.11", sentence, line.id)


def sideboard(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: the Reinforcements Sideboard holds one card of a kind, and so many SP as printed."""
    resource = asked.sheet.resource
    rule = next((one for one in rules_of(resource.card) if isinstance(one, Sideboard)), None) if resource else None
    if resource is None or rule is None:
        return
    found = [line for line in asked.sheet.other if is_on_sideboard(line, asked.sheet)]
    total = sum(line.card.cost for line in found)
    if total > rule.most:
        sentence = message(
            "The sideboard costs {total} SP as printed. Limit: {limit} SP.", total=total, limit=rule.most
        )
        yield Violation("7.11", sentence, resource.id)
    for kind in ON_SIDEBOARD:
        of_kind = [line for line in found if line.card.kind is kind]
        for line in of_kind[1:]:
            sentence = message(
                "The sideboard holds one card of each kind, and {card} is already there.", card=of_kind[0].card.title
            )
            yield Violation("7.11", sentence, line.id)


def _on_ships(asked: _Asked, kind: CardKind) -> Iterator[tuple[Ship, CardLine]]:
    return ((ship, line) for ship in asked.sheet.ships for line in ship.cards if line.card.kind is kind)


def _not_in_play(asked: _Asked, line: CardLine) -> Iterator[Violation]:
    names, title = asked.format.resources, line.card.title
    if names and not is_called(title, *names):
        sentence = message("This event’s resource is {resource}, not {other}.", resource=names[0], other=title)
        if len(names) > 1:
            sentence = message(
                "{resource} isn’t allowed at this event. These are: {allowed}.", resource=title, allowed=names
            )
        yield Violation("7.11", sentence, line.id)
    released = released_on(title)
    retired = next((one.retired for one in RESOURCES if is_called(title, one.name)), None)
    is_early = (asked.format.retire or asked.format.available) and released is not None and asked.on < released
    if is_early or (asked.format.retire and retired is not None and asked.on >= retired):
        sentence = message("The resource {resource} was retired before this event’s date.", resource=title)
        if is_early:
            sentence = message("The resource {resource} isn’t out yet on this event’s date.", resource=title)
        yield Violation("7.11", sentence, line.id)


def tournament(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.12: the 2016 format."""
    rules = asked.format.tournament
    if rules is None:
        return
    ships = asked.sheet.ships
    if len(ships) < rules.fewest_ships:
        yield Violation("7.12", _too_few_ships(len(ships), rules.fewest_ships))
    for line in beyond_oversized(asked.sheet, rules.oversized):
        sentence = nmessage(
            "{ship} has an oversized base. This format allows {count} ship with one.",
            "{ship} has an oversized base. This format allows {count} ships with one.",
            rules.oversized,
            ship=line.card.title,
        )
        if not rules.oversized:
            sentence = message("{ship} has an oversized base, which this format doesn’t allow.", ship=line.card.title)
        yield Violation("7.12", sentence, line.id)
    for ship, total in zip(ships, asked.costs.ships, strict=True):
        yield from _too_dear(asked, rules, ship, total)


def booster(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.12: so many SP are kept for the blind booster, whose cards are not mixed with the others."""
    kept = asked.format.booster
    inside = [line for line in asked.sheet.lines if line.booster]
    if not kept:
        for line in inside:
            sentence = message("This event has no blind booster, but {card} is from one.", card=line.card.title)
            yield Violation("7.12", sentence, line.id)
        return
    of_booster = sum(asked.sp(line) for line in inside)
    rest, room = asked.costs.total - of_booster, asked.format.sp_limit - kept
    if of_booster > kept:
        sentence = message(
            "The blind booster’s cards cost {total} SP. Limit: {limit} SP.", total=of_booster, limit=kept
        )
        yield Violation("7.12", sentence)
    if rest > room:
        sentence = message(
            "Without the blind booster, the fleet costs {total} SP. Limit: {limit} SP.", total=rest, limit=room
        )
        yield Violation("7.12", sentence)
    for ship in asked.sheet.ships:
        for line in ship.cards:
            if line.booster != ship.line.booster and line.card.kind in {CardKind.CAPTAIN, CardKind.ADMIRAL, *UPGRADES}:
                sentence = message(
                    "Only one of {card} and {ship} is from the blind booster. Don’t mix them.",
                    card=line.card.title,
                    ship=ship.card.title,
                )
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
        sentence = message(
            "{card} needs its own ship with hull {hull} or more, and the fleet has none left.",
            card=line.card.title,
            hull=CARRIER_HULL,
        )
        yield Violation("7.13", sentence, line.id)


def stations(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.11: a station is no flagship, whether the card lies on it or the resource is assigned to it."""
    resource = asked.sheet.resource
    for ship in (ship for ship in asked.sheet.ships if is_station(ship.card)):
        found = [line for line in ship.cards if line.card.kind is CardKind.FLAGSHIP]
        if not found and resource and resource.card.title == FLAGSHIP and asked.sheet.resource_at == ship.line.id:
            found = [resource]
        for line in found:
            sentence = message(
                "{station} is a station, so it can’t be a flagship. Move {card} to a ship.",
                station=ship.card.title,
                card=line.card.title,
            )
            yield Violation("7.11", sentence, line.id)


def squadrons(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.13: squadrons carry squadron upgrades only, and no resource."""
    for ship in (ship for ship in asked.sheet.ships if is_squadron(ship.card)):
        for line in ship.cards:
            if line.card.kind not in {CardKind.SQUADRON, CardKind.CAPTAIN}:
                sentence = message(
                    "{squadron} is a squadron, so it can’t carry {card}.",
                    squadron=ship.card.title,
                    card=line.card.title,
                )
                yield Violation("7.13", sentence, line.id)
        if asked.sheet.resource and asked.sheet.resource_at in {line.id for line in ship}:
            name = asked.sheet.resource.card.title
            sentence = message(
                "A squadron can’t have a resource, but {resource} is assigned to {squadron}.",
                resource=name,
                squadron=ship.card.title,
            )
            yield Violation("7.13", sentence, ship.line.id)


def shuttles(asked: _Asked) -> Iterator[Violation]:
    """Rule 7.13: a shuttlecraft has no admiral, and no weapon over 3 SP but Antimatter Mines."""
    for ship in (ship for ship in asked.sheet.ships if is_shuttle(ship.card)):
        for line in ship.cards:
            if line.card.kind is CardKind.ADMIRAL:
                sentence = message(
                    "A shuttlecraft can’t have an admiral, but {admiral} is on {ship}.",
                    admiral=line.card.title,
                    ship=ship.card.title,
                )
                yield Violation("7.13", sentence, line.id)
            if line.card.kind is not CardKind.WEAPON or line.card.title == MINES or _has_limit_of_its_own(ship):
                continue
            if asked.sp(line) > SHUTTLE_WEAPON:
                sentence = message(
                    "{weapon} costs {cost} SP. A shuttlecraft carries weapons of up to {limit} SP.",
                    weapon=line.card.title,
                    cost=asked.sp(line),
                    limit=SHUTTLE_WEAPON,
                )
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
            yield Violation("7.10", _only_such(line.card, rule.kind, rule.condition, other.card), other.id)


def _only_such(by: Card, kind: CardKind, condition: Condition, other: Card) -> Message:
    return message(
        "{by} has {kind} slots only for: {condition}. {card} doesn’t qualify.",
        by=by.title,
        kind=KIND_WORDS[kind],
        condition=condition.said,
        card=other.title,
    )


def _against_text(asked: _Asked, ship: Ship, line: CardLine, rule: CardRule) -> Message | None:
    title = line.card.title
    if isinstance(rule, OnePerShip):
        first = next(one for one in ship if one.card.title == title)
        if first is line:
            return None
        return message(
            "{card} is limited to one per ship, and {ship} already has it.", card=title, ship=ship.card.title
        )
    if not isinstance(rule, Only) or is_met(rule.where, ship, asked.sheet, line):
        return None
    condition = rule.where.condition
    facts: dict[str, Param] = {"card": title, "condition": condition.said}
    if rule.where.of == "fleet":
        return message("{card} is only for fleets that also have: {condition}.", **facts)
    asks_captain = rule.where.of == "captain"
    card = captain_as_built(ship) if asks_captain else ship_as_built(ship)
    if card and _lifts_factions(ship, line.card, condition, card):
        return None
    if not asks_captain:
        return message("{card} is only for these ships: {condition}. {ship} isn’t one.", ship=ship.card.title, **facts)
    if card:
        return message(
            "{card} is only for these captains: {condition}. {captain} isn’t one.", captain=card.title, **facts
        )
    if line is ship.line:
        return None  # that it has no captain is said by rule 7.8
    return message(
        "{card} is only for these captains: {condition}. {ship} has no captain.", ship=ship.card.title, **facts
    )


def _lifts_factions(ship: Ship, card: Card, condition: Condition, asked_for: Card) -> bool:
    """Whether a card of the ship lets such cards on it whatever faction they ask for."""
    lifted = any(isinstance(rule, OfAnyFaction) and rule.kind is card.kind for _, rule in rules_on(ship))
    return lifted and condition.holds(replace(asked_for, factions=tuple(FACTIONS)))


def _not_with(asked: _Asked, line: CardLine, rule: CardRule) -> Message | None:
    if not isinstance(rule, NotWith):
        return None
    other = next((one for one in asked.sheet.lines if one is not line and rule.condition.holds(one.card)), None)
    if other is None:
        return None
    return message("{card} can’t be in a fleet with {other}.", card=line.card.title, other=other.card.title)


def _too_dear(asked: _Asked, rules: Tournament, ship: Ship, total: int) -> Iterator[Violation]:
    """50 SP with all that is assigned to the ship; a ship printed at 43 or more may pass it by leaders and 8 SP."""
    assigned = {line.id for line in ship}
    if asked.sheet.resource and asked.sheet.resource_line != FLEET and asked.sheet.resource_line in assigned:
        total += asked.costs.resource
    most, beyond = rules.most_per_ship, 0
    if ship.card.cost >= rules.large_ship:
        leaders = [line for line in ship.cards if line.card.kind in {CardKind.CAPTAIN, CardKind.ADMIRAL}]
        beyond = asked.sp(ship.line) + sum(asked.sp(line) for line in leaders) + rules.upgrades_beyond
        most = max(most, beyond)
    if total <= most:
        return
    facts: dict[str, Param] = {"ship": ship.card.title, "total": total, "limit": most}
    sentence = message("{ship} costs {total} SP with everything on it. Limit: {limit} SP.", **facts)
    if beyond:
        sentence = message(
            "{ship} costs {total} SP with everything on it. "
            "Limit with its captain, its admiral and {upgrades} SP of upgrades: {limit} SP.",
            upgrades=rules.upgrades_beyond,
            **facts,
        )
    yield Violation("7.12", sentence, ship.line.id)


def _too_few_ships(number: int, fewest: int) -> Message:
    if not number:
        return message("The fleet has no ships; this format requires at least {fewest}.", fewest=fewest)
    return nmessage(
        "The fleet has {count} ship; this format requires at least {fewest}.",
        "The fleet has {count} ships; this format requires at least {fewest}.",
        number,
        fewest=fewest,
    )
