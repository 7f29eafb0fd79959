"""In every round by dice Battle Points add up, and the bye is the mean (rules 1.2, 2.10)."""

from dataclasses import replace
from fractions import Fraction
from math import ceil

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.domain.points import (
    Ending,
    Played,
    ScoredTable,
    Side,
    endings,
    problems,
    score_match,
    score_round,
)
from scoring.shipped import shipped_packs
from tests.support.scored import (
    at_table,
)

PLAYABLE = [pack if pack.sp_limit else pack.with_choices(sp_limit=120) for pack in shipped_packs()]


@st.composite
def results(draw, rules):
    """A possible result of a match in this month, level ones rolled off."""
    ending = draw(st.sampled_from(endings(rules)))
    out = draw(st.sampled_from([0, 1])) if ending in ("elimination", "concession", "no_show") else None
    sides = []
    for side in (0, 1):
        gone = ending in ("both_eliminated", "no_show") or (ending == "elimination" and side == out)
        counts = () if ending == "no_show" else draw(counted(rules))
        sides.append(Side(0 if gone else draw(st.integers(1, rules.sp_limit)), counts))
    result = Played(ending, tuple(sides), out)
    assume(not problems(rules, result))
    if score_match(rules, result).needs_roll_off:
        result = replace(result, rolled=draw(st.sampled_from([0, 1])))
        assume(not problems(rules, result))
    return result


@st.composite
def counted(draw, rules):
    return tuple((tally.key, draw(st.integers(0, min(tally.max_each or 3, 3)))) for tally in rules.tallies)


@st.composite
def full_rounds(draw):
    rules = draw(st.sampled_from(PLAYABLE))
    matches = draw(st.integers(0, 6))
    found = {(2 * number, 2 * number + 1): draw(results(rules)) for number in range(1, matches + 1)}
    byes = [ScoredTable((1,))] if draw(st.booleans()) else []
    return rules, found, byes


@given(full_rounds())
def test_in_every_round_battle_points_add_up_and_the_bye_is_the_mean(round):
    """Rules 1.3, 2.1, 2.2, 2.10, 2.11."""
    rules, found, byes = round
    scores = score_round(rules, [*(at_table(rules, *match) for match in found.items()), *byes])
    pairs = {
        Ending.NO_SHOW: (rules.bye, rules.no_show),
        Ending.DOUBLE_LOSS: (rules.loss, rules.loss),
    }

    for entrants, result in found.items():
        points = sorted((scores[entrant].battle_points for entrant in entrants), reverse=True)
        assert tuple(points) == pairs.get(result.ending, (rules.win, rules.loss))
    met = [
        scores[entrant].fleet_points
        for entrants, result in found.items()
        if result.ending is not Ending.NO_SHOW
        for entrant in entrants
    ]
    mean = ceil(Fraction(sum(met), len(met))) if met else 0
    for score in scores.values():
        assert score.fleet_points == sum(part.points for part in score.parts)
        if score.outcome in ("bye", "no-show win"):
            assert score.fleet_points == (mean if rules.bye_fleet_points is None else rules.bye_fleet_points)
