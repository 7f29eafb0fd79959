"""A month pack's rules as plain sentences, for players who read them on a phone."""

from scoring.domain.building import CardLimit, CostChange, FleetFormat
from scoring.domain.pack import Bonus, MonthPack, ResourceRule
from tourney.runtime.messages import Message, in_a_row, message, nmessage, pmessage

RESOURCES = {
    ("exactly one", "any"): message("Each fleet may have exactly one resource of any kind."),
    ("exactly one", "storyline"): message("Each fleet may have exactly one resource, from this storyline."),
    ("exactly one", "not retired"): message("Each fleet may have exactly one resource, not a retired one."),
    ("at most one", "any"): message("Each fleet may have one resource of any kind, or none."),
    ("at most one", "storyline"): message("Each fleet may have one resource from this storyline, or none."),
    ("at most one", "not retired"): message("Each fleet may have one resource that isn’t retired, or none."),
    ("any number", "any"): message("Each fleet may have any number of resources of any kind."),
    ("any number", "storyline"): message("Each fleet may have any number of resources from this storyline."),
    ("any number", "not retired"): message("Each fleet may have any number of resources that aren’t retired."),
    ("one per ship", "any"): message("Each fleet has at least one resource of any kind, and at most one per ship."),
    ("one per ship", "storyline"): message(
        "Each fleet has at least one resource from this storyline, and at most one per ship."
    ),
    ("one per ship", "not retired"): message(
        "Each fleet has at least one resource that isn’t retired, and at most one per ship."
    ),
}
"""Rule 7.11 by how many resources there may be and what they are chosen from."""
KIND_WORDS = {
    "card": message("card"),
    "ship": message("ship"),
    "captain": message("captain"),
    "admiral": message("admiral"),
    "upgrade": message("upgrade"),
    "captain or upgrade": message("captain or upgrade"),
    "talent": message("elite talent"),
    "crew": message("crew card"),
    "tech": message("tech card"),
    "weapon": message("weapon"),
    "borg": message("Borg upgrade"),
    "squadron": message("squadron upgrade"),
    "resource": message("resource"),
}
"""What the kinds of cards of rule 7.17 are called, one of them."""
BONUSES = {
    ("each", "flat"): message("Both players can score it, win or lose."),
    ("each", "count"): message("Both players score it for each one they have, win or lose."),
    ("winner", "flat"): message("Only the winner scores it."),
    ("winner", "count"): message("Only the winner scores it, for each one they have."),
    ("most", "flat"): message("The player with more than their opponent scores it."),
    ("most", "count"): message("The player with more than their opponent scores it for each one they have."),
    ("fewest", "flat"): message("The player with fewer than their opponent scores it."),
    ("fewest", "count"): message("The player with fewer than their opponent scores it for each one they have."),
}
"""Rule 2.8 by who gets a bonus and how often."""


def yes_or_no(value: bool) -> Message:
    """The word for it."""
    return message("yes") if value else message("no")


def bonus_sentence(bonus: Bonus) -> Message:
    """Rule 2.8: who gets these points, how often, and whether they help to decide the match."""
    if bonus.decides_winner:
        when = message("It counts before Fleet Points decide the winner.")
    else:
        when = message("It is added after the winner is decided.")
    return in_a_row([BONUSES[bonus.to, bonus.per], when])


def bonus_in_short(bonus: Bonus) -> Message:
    """Rule 2.8, beside the field it is counted in: "+20, winner only"."""
    points = f"{bonus.points:+}".replace("-", "−")
    if bonus.per == "count":
        return {
            "each": message("{points} each", points=points),
            "winner": message("{points} each, winner only", points=points),
            "most": message("{points} each, player with more", points=points),
            "fewest": message("{points} each, player with fewer", points=points),
        }[bonus.to]
    return {
        "each": in_a_row([points]),
        "winner": message("{points}, winner only", points=points),
        "most": message("{points}, player with more", points=points),
        "fewest": message("{points}, player with fewer", points=points),
    }[bonus.to]


def resource_sentence(resource: ResourceRule) -> Message:
    """Rule 7.11: how many resources, from which choice."""
    if resource.rule == "none":
        return message("No resources this month.")
    return RESOURCES[resource.rule, resource.choice]


def match_points_sentence(rules: MonthPack) -> Message:
    """Rule 2.1: "Battle Points: 2 for a win, 1 for a loss, 2 for a bye."."""
    return message(
        "Battle Points: {win} for a win, {loss} for a loss, {bye} for a bye.",
        win=rules.win,
        loss=rules.loss,
        bye=rules.bye,
    )


def roll_off_sentence(rules: MonthPack) -> Message:
    """Rules 2.7, 4.1: how a tied table is decided."""
    if rules.table_roll_off == "attack":
        return message("Tied on Fleet Points: each player rolls 5 attack dice; most Battle Stations wins.")
    return message(
        "Tied on Fleet Points: one player rolls 5 attack dice, the other 5 defense dice; most Battle Stations wins."
    )


def limit_cards(limit: CardLimit) -> str | Message:
    """Rule 7.17, the cards that a limit is about: "Klingon ship", "Warp Jump (tech card, 5 SP)"."""
    cards = _of_faction(limit.faction, limit.kind)
    if not limit.title:
        return cards if limit.cost is None else message("{cards} printed at {cost} SP", cards=cards, cost=limit.cost)
    if limit.kind == "card" and not limit.faction:
        if limit.cost is None:
            return limit.title
        return message("{title} ({cost} SP)", title=limit.title, cost=limit.cost)
    if limit.cost is None:
        return message("{title} ({cards})", title=limit.title, cards=cards)
    return message("{title} ({cards}, {cost} SP)", title=limit.title, cards=cards, cost=limit.cost)


def limit_sentence(limit: CardLimit) -> Message:
    """Rule 7.17: "Banned: Warp Jump.", "At least one per fleet: Klingon card."."""
    cards = limit_cards(limit)
    return {
        "none": message("Banned: {cards}.", cards=cards),
        "at most one": message("At most one per fleet: {cards}.", cards=cards),
        "exactly one": message("Exactly one per fleet: {cards}.", cards=cards),
        "at least one": message("At least one per fleet: {cards}.", cards=cards),
    }[limit.how_many]


def change_cards(change: CostChange) -> Message:
    """Rule 7.17, the cards that cost more or less: "non-Borg captain or upgrade"."""
    if change.other_factions:
        kind = KIND_WORDS[change.kind]
        cards = pmessage("cards", "non-{faction} {kind}", faction=change.faction, kind=kind)
    else:
        cards = _of_faction(change.faction, change.kind)
    if change.with_card:
        return message("{cards}, or ship with a {faction} card", cards=cards, faction=change.faction)
    return cards


def change_sentence(change: CostChange) -> Message:
    """Rule 7.17: "Klingon ship, or ship with a Klingon card: 2 SP less."."""
    cards, points = change_cards(change), abs(change.points)
    if not change.points:
        sentence = message("{cards}: no faction penalty.", cards=cards)
    elif change.points < 0 and change.no_penalty:
        sentence = message("{cards}: {points} SP less and no faction penalty.", cards=cards, points=points)
    elif change.points < 0:
        sentence = message("{cards}: {points} SP less.", cards=cards, points=points)
    elif change.no_penalty:
        sentence = message("{cards}: {points} SP more, but no faction penalty.", cards=cards, points=points)
    else:
        sentence = message("{cards}: {points} SP more.", cards=cards, points=points)
    if not change.side:
        return sentence
    return in_a_row([sentence, message("Only in {side} fleets.", side=change.side)])


def building_sentences(rules: MonthPack) -> tuple[Message, ...]:
    """Rule 7.17: what the month prints about building, a sentence for each thing; none where it prints nothing."""
    fleet = rules.fleet
    banned = [limit_cards(limit) for limit in rules.card_limits if limit.how_many == "none"]
    said = (
        _oversized_sentence(fleet.oversized),
        _factions_sentence(fleet),
        message("Each player brings one fleet for each side: {sides}.", sides=fleet.sides) if fleet.sides else None,
        _away_team_sentence(fleet),
        message("Only these resources: {titles}.", titles=rules.resource.only) if rules.resource.only else None,
        message("Banned: {cards}.", cards=banned) if banned else None,
        *(limit_sentence(limit) for limit in rules.card_limits if limit.how_many != "none"),
        *map(change_sentence, rules.cost_changes),
    )
    return tuple(sentence for sentence in said if sentence)


def _of_faction(faction: str, kind: str) -> Message:
    if not faction:
        return KIND_WORDS[kind]
    return pmessage("cards", "{faction} {kind}", faction=faction, kind=KIND_WORDS[kind])


def _oversized_sentence(most: int | None) -> Message | None:
    if most is None:
        return None
    if not most:
        return message("No ships with an oversized base.")
    return nmessage(
        "At most {count} ship with an oversized base.", "At most {count} ships with an oversized base.", most
    )


def _factions_sentence(fleet: FleetFormat) -> Message | None:
    factions = fleet.allowed_factions
    if not factions:
        return None
    return {
        "ships": message("Allowed factions for ships: {factions}.", factions=factions),
        "ships and captains": message("Allowed factions for ships and captains: {factions}.", factions=factions),
        "cards": message("Allowed factions for all cards: {factions}.", factions=factions),
    }[fleet.factions_of]


def _away_team_sentence(fleet: FleetFormat) -> Message | None:
    if not fleet.away_team:
        return None
    if fleet.away_team_sp is None:
        return nmessage(
            "Each player also brings an away team of {count} crew card, on top of the SP limit.",
            "Each player also brings an away team of {count} crew cards, on top of the SP limit.",
            fleet.away_team,
        )
    return nmessage(
        "Each player also brings an away team of {count} crew card, up to {most} SP, on top of the SP limit.",
        "Each player also brings an away team of {count} crew cards, up to {most} SP, on top of the SP limit.",
        fleet.away_team,
        most=fleet.away_team_sp,
    )
