"""Results of tables, and what they score by the rules of some months."""

from scoring.domain.points import (
    BonusTerm,
    Played,
    ScoredTable,
    Side,
    problems,
    score_match,
)
from scoring.shipped import shipped_pack

NAMES = ("Vor", "Kestrel")
STATION = shipped_pack("dominion-war-6").with_choices(sp_limit=120)
CRAFT = shipped_pack("temporal-cold-war-2").with_choices(sp_limit=120)
TOURNAMENT = shipped_pack("tournament-2016")
PROBE = shipped_pack("classic-movies-3")
CHAOS = shipped_pack("chronological-chaos")
LIMIT = BonusTerm("SP limit", 120)


def left(name, points):
    return BonusTerm(f"SP left in {name}’s surviving fleet", -points)


def played(ending, first=0, second=0, *, out=None, rolled=None, condition=None, tallies=({}, {})):
    sides = [Side(points, tuple(counts.items())) for points, counts in zip((first, second), tallies, strict=True)]
    return Played(ending, tuple(sides), out, condition, rolled)


def at_table(rules, entrants, result, names=NAMES):
    return ScoredTable(entrants, score_match(rules, result, names))


def messages(rules, result):
    return [(problem.field, str(problem.message)) for problem in problems(rules, result, NAMES)]
