"""A month pack's rules as plain sentences, for players who read them on a phone."""

from scoring.domain.pack import Bonus, MonthPack, ResourceRule

RESOURCES = {
    "none": "No resources this month.",
    "exactly one": "A fleet may have exactly one resource",
    "at most one": "A fleet has one resource or none",
    "any number": "A fleet has as many resources as it likes",
}
CHOICES = {
    "storyline": "of this storyline",
    "any": "of any kind",
    "not retired": "that is not retired",
}


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
