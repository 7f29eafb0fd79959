"""A month pack's rules as plain sentences, for players who read them on a phone."""

from dataclasses import replace

from scoring.domain.building import CardLimit, CostChange, FleetFormat
from scoring.domain.pack import Bonus, MonthPack, ResourceRule
from tourney.runtime.letters import either_of

RESOURCES = {
    "none": "No resources this month.",
    "exactly one": "A fleet may have exactly one resource",
    "at most one": "A fleet has one resource or none",
    "any number": "A fleet has as many resources as it likes",
    "one per ship": "A fleet has at least one resource, and at most as many as it has ships,",
}
CHOICES = {
    "storyline": "of this storyline",
    "any": "of any kind",
    "not retired": "that is not retired",
}
KIND_WORDS = {
    "card": "card",
    "ship": "ship",
    "captain": "captain",
    "admiral": "admiral",
    "upgrade": "upgrade",
    "captain or upgrade": "captain or upgrade",
    "talent": "elite talent",
    "crew": "crew card",
    "tech": "tech card",
    "weapon": "weapon",
    "borg": "Borg upgrade",
    "squadron": "squadron upgrade",
    "resource": "resource",
}
"""What the kinds of cards of rule 7.17 are called, one of them."""
LIMITS = {
    "none": "Banned: {cards}.",
    "at most one": "Each fleet has at most one {cards}.",
    "exactly one": "Each fleet has exactly one {cards}.",
    "at least one": "Each fleet has at least one {cards}.",
}
CHANGES = {
    ("less", False): "Each {cards} costs {points} SP less.",
    ("less", True): "Each {cards} costs {points} SP less and pays no faction penalty.",
    ("more", False): "Each {cards} costs {points} SP more.",
    ("more", True): "Each {cards} costs {points} SP more and pays no faction penalty.",
    ("same", True): "Each {cards} pays no faction penalty.",
}
"""Sentences about a change of cost, by which way it goes and whether the faction penalty is lifted."""


def bonus_sentence(bonus: Bonus) -> str:
    """Rule 2.8: who gets these points, how often, and whether they help to decide the match."""
    each = " for every one" if bonus.per == "count" else ""
    who = {
        "each": f"Counts{each} for both players, win or lose",
        "winner": f"Counts{each} for the winner only",
        "most": f"Counts{each} for the player who has more than the opponent",
        "fewest": f"Counts{each} for the player who has fewer than the opponent",
    }[bonus.to]
    when = "before" if bonus.decides_winner else "after"
    return f"{who}, {when} the winner is decided by Fleet Points."


def bonus_in_short(bonus: Bonus) -> str:
    """Rule 2.8, beside the field it is counted in: "+20, winner only"."""
    points = f"{bonus.points:+}".replace("-", "−") + (" each" if bonus.per == "count" else "")
    who = {"each": "", "winner": ", winner only", "most": ", whoever has more", "fewest": ", whoever has fewer"}
    return points + who[bonus.to]


def resource_sentence(resource: ResourceRule) -> str:
    """Rule 7.11: how many resources, from which choice."""
    if resource.rule == "none":
        return RESOURCES["none"]
    return f"{RESOURCES[resource.rule]} {CHOICES[resource.choice]}."


def match_points_sentence(rules: MonthPack) -> str:
    """Rule 2.1: "2 Battle Points for a win, 1 for a loss, 2 for a bye"."""
    return f"{rules.win} Battle Points for a win, {rules.loss} for a loss, {rules.bye} for a bye."


def roll_off_sentence(rules: MonthPack) -> str:
    """Rules 2.7, 4.1: how a level table is decided."""
    if rules.table_roll_off == "attack":
        return "Level on Fleet Points: each rolls 5 attack dice, and most Battle Stations wins."
    return (
        "Level on Fleet Points: one player rolls 5 attack dice, the other 5 defense dice, "
        "and most Battle Stations wins."
    )


def limit_cards(limit: CardLimit) -> str:
    """Rule 7.17, the cards that a limit is about: "Klingon ship", "Warp Jump (tech card, 5 SP)"."""
    noun = KIND_WORDS[limit.kind]
    if not limit.title:
        return _with_sp(f"{limit.faction} {noun}".strip(), limit.cost)
    kind = [f"{limit.faction} {noun}".strip()] if limit.kind != "card" or limit.faction else []
    facts = ", ".join(kind + ([] if limit.cost is None else [f"{limit.cost} SP"]))
    return f"{limit.title} ({facts})" if facts else limit.title


def limit_sentence(limit: CardLimit) -> str:
    """Rule 7.17: "Banned: Warp Jump.", "Each fleet has at least one Klingon card."."""
    return LIMITS[limit.how_many].format(cards=limit_cards(limit))


def change_cards(change: CostChange) -> str:
    """Rule 7.17, the cards that cost more or less: "non-Borg captain or upgrade"."""
    faction = f"non-{change.faction}" if change.other_factions else change.faction
    cards = f"{faction} {KIND_WORDS[change.kind]}".strip()
    return f"{cards}, or ship with a {change.faction} card" if change.with_card else cards


def change_sentence(change: CostChange) -> str:
    """Rule 7.17: "Each Klingon ship, and each other ship with a Klingon card, costs 2 SP less."."""
    cards = change_cards(replace(change, with_card=False))
    if change.with_card:
        cards += f", and each other ship with a {change.faction} card,"
    way = "same" if not change.points else "less" if change.points < 0 else "more"
    sentence = CHANGES[way, change.no_penalty].format(cards=cards, points=abs(change.points))
    return f"{change.side} fleet: {sentence}" if change.side else sentence


def building_sentences(rules: MonthPack) -> tuple[str, ...]:
    """Rule 7.17: what the month prints about building, a sentence for each thing; none where it prints nothing."""
    fleet = rules.fleet
    banned = [limit_cards(limit) for limit in rules.card_limits if limit.how_many == "none"]
    said = (
        _oversized_sentence(fleet.oversized),
        f"Only {either_of(fleet.allowed_factions)} {fleet.factions_of}." if fleet.allowed_factions else "",
        f"Each player brings one fleet for each side: {', '.join(fleet.sides)}." if fleet.sides else "",
        _away_team_sentence(fleet),
        f"Only these resources: {', '.join(rules.resource.only)}." if rules.resource.only else "",
        f"Banned: {', '.join(banned)}." if banned else "",
        *(limit_sentence(limit) for limit in rules.card_limits if limit.how_many != "none"),
        *map(change_sentence, rules.cost_changes),
    )
    return tuple(sentence for sentence in said if sentence)


def _oversized_sentence(most: int | None) -> str:
    if most is None:
        return ""
    ships = "1 ship" if most == 1 else f"{most} ships"
    return f"At most {ships} with an oversized base." if most else "No ship with an oversized base."


def _away_team_sentence(fleet: FleetFormat) -> str:
    if not fleet.away_team:
        return ""
    sentence = "Each player also brings an away team: {number} crew cards beside the SP limit."
    if fleet.away_team_sp is not None:
        sentence = "Each player also brings an away team: {number} crew cards, {most} SP at most, beside the SP limit."
    return sentence.format(number=fleet.away_team, most=fleet.away_team_sp)


def _with_sp(cards: str, cost: int | None) -> str:
    return cards if cost is None else f"{cards} printed at {cost} SP"
