"""Two battles and a bye, scored by a month pack while it is edited."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from scoring.domain.pack import MonthPack
from scoring.domain.points import Ending, MatchScore, Score, ScoredTable, endings, score_match, score_round
from scoring.domain.words import bonus_in_short
from tourney.forms.fields import choices_of
from tourney.forms.results import ResultForm, endings_by_letter
from tourney.month_packs.forms.typed import Typed, text_in, whole

LIMIT = 100
NAMES = {"one": ("Vor", "Kestrel"), "two": ("Quill", "Tamsin")}
BYE = "Nine of Ten"
SEATS = {"one": (1, 2), "two": (3, 4)}
BYE_SEAT = 5
"""What the players are called among the scores."""


class ExampleForm(ResultForm):
    """A battle that nobody fought: the facts of a result, without fleets and rulings."""

    def __init__(self, data: Mapping[str, object], *, prefix: str, rules: MonthPack) -> None:
        super().__init__(data, prefix=prefix, rules=rules, names=NAMES[prefix])
        for name in ("adjustment_a", "adjustment_b", "ruling"):
            del self.fields[name]
        self.fields["ending"].widget = forms.Select(choices=_endings(rules))
        self.fields["out"].widget = forms.Select(choices=[("", _("No one")), *choices_of(self, "out")])
        if "condition" in self.fields:
            self.fields["condition"].widget = forms.Select(choices=choices_of(self, "condition"))


@dataclass(frozen=True, slots=True)
class ExampleMatch:
    """One of the two: its form, and both scores as far as the facts allow."""

    prefix: str
    form: ExampleForm
    names: tuple[str, str]
    score: MatchScore | None
    scores: tuple[tuple[str, Score], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """asks_limit: the pack leaves the SP limit open, so the example has one of its own, `limit`."""

    matches: tuple[ExampleMatch, ...]
    bye: Score | None
    bye_name: str
    asks_limit: bool
    limit: str


def example(rules: MonthPack, typed: Typed) -> Example:
    """What the example of the draft comes to by these rules."""
    asks, limit = rules.sp_limit is None, text_in(typed, "example-limit") or str(LIMIT)
    if asks:
        number = whole(limit)
        rules = replace(rules, sp_limit=number if number in range(1, 1001) else LIMIT)
    data = MultiValueDict(_first(rules) | typed if "one-ending" not in typed else typed)
    found = {prefix: ExampleForm(data, prefix=prefix, rules=rules) for prefix in NAMES}
    played = {prefix: _scored(form, rules) for prefix, form in found.items()}
    tables = [ScoredTable(SEATS[prefix], score) for prefix, score in played.items()]
    scores = score_round(rules, [*tables, ScoredTable((BYE_SEAT,))])
    matches = tuple(
        ExampleMatch(prefix, form, NAMES[prefix], played[prefix], _of(prefix, scores, played[prefix]))
        for prefix, form in found.items()
    )
    return Example(matches, scores[BYE_SEAT], BYE, asks, limit)


def _endings(rules: MonthPack) -> list[tuple[str, str]]:
    """As the desk's fast entry has them."""
    return endings_by_letter(rules)


def shape(rules: MonthPack) -> Hashable:
    """What the fields of the example follow from."""
    counts = tuple((tally.key, tally.name, tally.max_each == 1) for tally in rules.tallies)
    worth = tuple((bonus.tally, bonus_in_short(bonus)) for bonus in rules.bonuses)
    return counts, worth, endings(rules), rules.win_conditions, rules.sp_limit is None


def _of(prefix: str, scores: Mapping[int, Score], score: MatchScore | None) -> tuple[tuple[str, Score], ...]:
    if score is None:
        return ()
    return tuple((name, scores.get(SEATS[prefix][side], score.scores[side])) for side, name in enumerate(NAMES[prefix]))


def _scored(form: ExampleForm, rules: MonthPack) -> MatchScore | None:
    form.is_valid()
    return score_match(rules, form.report().played, form.names) if form.can_be_scored else None


def _first(rules: MonthPack) -> Typed:
    """A win by elimination with a bonus for the winner, and a battle that time ended."""
    limit = rules.sp_limit or LIMIT
    facts = {
        "one-ending": [Ending.ELIMINATION.value], "one-out": ["b"], "one-sp_left_a": [str(limit * 35 // 100)],
        "two-ending": [Ending.TIME.value], "two-sp_left_a": [str(limit * 40 // 100)],
        "two-sp_left_b": [str(limit * 62 // 100)],
    }  # fmt: skip
    if rules.tallies:
        tally = rules.tallies[0]
        count = "on" if tally.max_each == 1 else str(min(2, tally.max_each or 2, tally.max_total or 2))
        facts[f"one-tally_{tally.key}_a"] = [count]
    return facts
