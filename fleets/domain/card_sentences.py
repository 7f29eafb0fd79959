"""The rules of cards (`card_rules`) as sentences, for people who read what a card means for building."""

from collections.abc import Collection

from fleets.domain.card_rules import (
    Adds,
    AddsTalentOrFree,
    CardRule,
    Condition,
    CostsAttack,
    CostsExactly,
    CostsHalf,
    CostsLess,
    CostsMore,
    CostsPerHull,
    DoublePenalty,
    ExtraTalents,
    Fits,
    GivesFaction,
    Hides,
    HoldsOnly,
    NeedsNoCaptain,
    NeedsNoSlot,
    NoAdmiral,
    NoCaptain,
    NoCostBeside,
    NoPenalty,
    NotChecked,
    NotWith,
    OfAnyFaction,
    OnePerShip,
    Only,
    RuleForOthers,
    RuleOfResource,
    RuleOfShip,
    RuleOfUpgrade,
    SecondCaptain,
    Selector,
    Sideboard,
    Takes,
    TalentsOnly,
    Turns,
    Where,
    clause_said,
)
from fleets.domain.cards import FACTIONS, KIND_LABELS, KIND_WORDS, UPGRADES, CardKind
from tourney.runtime.messages import Message, in_a_row, message, nmessage, pmessage


def sentence(rule: CardRule) -> Message:
    """What the rule says, in one or more sentences."""
    match rule:
        case NotChecked():
            return message("Not fully checked: {clause}.", clause=clause_said(rule.text.rstrip(".")))
        case CostsAttack() | CostsMore() | Fits() | NeedsNoSlot() | NotWith() | OnePerShip() | Only() | Takes():
            return _of_upgrade(rule)
        case HoldsOnly() | NeedsNoCaptain() | NoAdmiral() | NoCaptain() | OfAnyFaction() | SecondCaptain():
            return _of_ship(rule)
        case TalentsOnly():
            return _of_ship(rule)
        case CostsHalf() | CostsPerHull() | ExtraTalents() | NoCostBeside() | Sideboard():
            return _of_resource(rule)
    return _for_others(rule)


def _of_upgrade(rule: RuleOfUpgrade) -> Message:
    match rule:
        case CostsAttack(0):
            return message("Costs as much as the ship’s attack.")
        case CostsAttack(more):
            return message("Costs as much as the ship’s attack and {points} SP more.", points=more)
        case CostsMore(points, Where("captain", condition)):
            return message(
                "{points} SP more, unless under a captain that is: {condition}.", points=points, **_is(condition)
            )
        case CostsMore(points, where):
            return message(
                "{points} SP more, unless on a ship that is: {condition}.", points=points, **_is(where.condition)
            )
        case Fits(kinds):
            return message("Fits in any one of these slots: {kinds}.", kinds=_labels(kinds))
        case NeedsNoSlot(where):
            return _where(message("Needs no slot."), where)
        case NotWith(condition):
            return message("Not in a fleet with another card that is: {condition}.", **_is(condition))
        case OnePerShip():
            return message("One per ship.")
        case Takes(slots):
            return message("Takes these slots: {slots}.", slots=_slots(slots))
        case Only(Where("captain", condition)):
            return message("Only under a captain that is: {condition}.", **_is(condition))
        case Only(Where("fleet", condition)):
            return message("Only in a fleet with another card that is: {condition}.", **_is(condition))
    return message("Only on a ship that is: {condition}.", **_is(rule.where.condition))


def _of_ship(rule: RuleOfShip) -> Message:
    match rule:
        case HoldsOnly(kind, condition):
            return message("Each {kind} on the ship must be: {condition}.", kind=KIND_WORDS[kind], **_is(condition))
        case NeedsNoCaptain():
            return message("The ship needs no captain.")
        case NoAdmiral():
            return message("The ship can’t have an admiral.")
        case NoCaptain():
            return message("The ship can’t have a captain.")
        case OfAnyFaction(kind):
            return message("{kind}: may be on a ship and under a captain of any faction.", kind=KIND_LABELS[kind])
        case SecondCaptain():
            return message("The ship may have a second captain.")
    return message("Elite talents in its slots must be: {condition}.", **_is(rule.condition))


def _of_resource(rule: RuleOfResource) -> Message:
    match rule:
        case CostsHalf("hull"):
            return message("Costs half of the fleet’s hull points, rounded up.")
        case CostsHalf():
            return message("Costs half of the fleet’s shields, rounded up.")
        case CostsPerHull(points, over):
            return message("Costs {points} SP for each hull point over {over}.", points=points, over=over)
        case ExtraTalents(points):
            return message("One more elite talent on a ship for each of its crew, for {points} SP each.", points=points)
        case NoCostBeside(condition):
            return message("Free in a fleet with a card that is: {condition}.", **_is(condition))
    return message("Sideboard: cards beside the ships of {points} SP in all, for free.", points=rule.most)


def _for_others(rule: RuleForOthers) -> Message:
    match rule:
        case Adds(slots, such, where):
            said = message("Adds these slots: {slots}.", slots=_slots(slots))
            if such.alternatives:
                said = in_a_row([said, message("They are only for cards that are: {condition}.", **_is(such))])
            return _where(said, where)
        case AddsTalentOrFree():
            return message(
                "Adds an elite talent slot. If the captain has a talent icon, one elite talent may be free instead."
            )
        case GivesFaction(faction):
            return message("The ship is also {faction}.", faction=FACTIONS[faction])
        case Hides(number, cards):
            return nmessage(
                "{count} card may lie face down under this one, for free and without a slot: {cards}.",
                "{count} cards may lie face down under this one, for free and without a slot: {cards}.",
                number,
                cards=_cards(cards),
            )
        case Turns():
            return _turns(rule)
        case DoublePenalty(cards):
            return message("{cards}: double faction penalty.", cards=_cards(cards))
        case CostsLess():
            return _where(_costs_less(rule), rule.where)
        case CostsExactly():
            return _where(_costs_exactly(rule), rule.where)
    return _where(_no_penalty(rule), rule.where)


def _costs_less(rule: CostsLess) -> Message:
    cards, points = _cards(rule.cards), rule.points
    if rule.number is not None:
        said = nmessage(
            "{cards}: {points} SP less for the {count} most expensive one.",
            "{cards}: {points} SP less for each of the {count} most expensive ones.",
            rule.number,
            cards=cards,
            points=points,
        )
    elif rule.all_ships:
        said = message("{cards} on any ship of the fleet: {points} SP less.", cards=cards, points=points)
    else:
        said = message("{cards}: {points} SP less.", cards=cards, points=points)
    return in_a_row([said, message("Never less than {least} SP.", least=rule.least)]) if rule.least else said


def _costs_exactly(rule: CostsExactly) -> Message:
    cards, points = _cards(rule.cards), rule.points
    if rule.number is None:
        return message("{cards}: {points} SP each.", cards=cards, points=points)
    return nmessage(
        "{cards}: {points} SP for the {count} most expensive one.",
        "{cards}: {points} SP each for the {count} most expensive ones.",
        rule.number,
        cards=cards,
        points=points,
    )


def _turns(rule: Turns) -> Message:
    kinds, into = _labels(rule.kinds), _labels(rule.into)
    if rule.number is None:
        return message("The ship may use any of these slots as {into}: {kinds}.", into=into, kinds=kinds)
    return nmessage(
        "The ship may use {count} of these slots as {into}: {kinds}.",
        "The ship may use {count} of these slots as {into}: {kinds}.",
        rule.number,
        into=into,
        kinds=kinds,
    )


def _no_penalty(rule: NoPenalty) -> Message:
    if rule.cards is None:
        return message("No faction penalty.")
    if rule.number is None:
        return message("{cards}: no faction penalty.", cards=_cards(rule.cards))
    return nmessage(
        "{cards}: no faction penalty for {count} of them.",
        "{cards}: no faction penalty for {count} of them.",
        rule.number,
        cards=_cards(rule.cards),
    )


def _where(said: Message, where: Where) -> Message:
    """The sentence, and where it counts."""
    if not where.of:
        return said
    counts = {
        "ship": message("This counts only on a ship that is: {condition}.", **_is(where.condition)),
        "captain": message("This counts only under a captain that is: {condition}.", **_is(where.condition)),
        "beside": message("This counts only beside a card of the ship that is: {condition}.", **_is(where.condition)),
        "fleet": message("This counts only in a fleet with a card that is: {condition}.", **_is(where.condition)),
    }
    return in_a_row([said, counts[where.of]])


def _is(condition: Condition) -> dict[str, Message | str]:
    return {"condition": condition.said}


def _cards(cards: Selector) -> Message:
    """Which cards, one of them: "non-Borg tech up to 5 SP"."""
    if cards.title:
        return message("“{title}”", title=cards.title)
    kind = message("upgrade") if cards.kinds == UPGRADES else KIND_WORDS[next(iter(cards.kinds))]
    if cards.faction:
        said = pmessage("cards", "{faction} {kind}", faction=FACTIONS[cards.faction], kind=kind)
    elif cards.without:
        said = pmessage("cards", "non-{faction} {kind}", faction=FACTIONS[cards.without], kind=kind)
    else:
        said = kind
    if cards.most is not None:
        said = message("{cards} up to {most} SP", cards=said, most=cards.most)
    return message("{cards} for any ship", cards=said) if cards.plain else said


def _labels(kinds: Collection[CardKind]) -> list[str | int | Message]:
    return [KIND_LABELS[kind] for kind in CardKind if kind in kinds]


def _slots(slots: tuple[tuple[CardKind, int], ...]) -> list[str | int | Message]:
    return [pmessage("slots", "{number} {kind}", number=number, kind=KIND_LABELS[kind]) for kind, number in slots]
