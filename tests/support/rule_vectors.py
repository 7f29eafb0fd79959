"""`python -m tests.support.rule_vectors`: what the judge’s rules answer, as JSON for who has the same rules once more.

The scripts of static/js work the rules out without a network. Both sides are held by tests/vectors/*.json: pytest makes
them again from the rules in Python (tests/test_rule_vectors.py), `node --test` asks the scripts (tests/js/). Each file
maps the name of a function to its cases, [arguments, answer].
"""

import json
import os
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, is_dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from scoring.domain.roll_offs import roll_faces
from tests.support.longer import CONTEXT
from tests.support.pseudo import forget_what_was_said, pseudo
from tourney.judge.domain.dice import DiceGoal
from tourney.judge.domain.rule_of_three import Fixed, Modifier, Question, answer
from tourney.judge.domain.rulings import ENGLISH, CitedRuling, highlighted, search
from tourney.judge.domain.scenario_dice import Hand
from tourney.judge.domain.talon_power import SPENDINGS, Act, Curve, ShipRecord, TalonStep, after, played, why_not
from tourney.judge.domain.talon_record import shown
from tourney.judge.domain.talon_words import written
from tourney.runtime.messages import Message

FOLDER = Path(__file__).parents[1] / "vectors"
MADE_BY = "python -m tests.support.rule_vectors"

type Case = tuple[list[Any], Any]
type Cases = dict[str, list[Case]]


# rule 8


def rule_of_3() -> Cases:
    questions = [_question(random.Random(seed)) for seed in range(250)]
    return {"answer": [([_question_in_json(one)], _answer_in_json(one)) for one in questions]}


def _question(dice: random.Random) -> Question:
    numbers = [dice.randint(-9, 9) for _ in range(dice.randint(0, 5))]
    fixed = [dice.choice((None, dice.randint(0, 9))) for _ in range(dice.choice((0, 0, 1, 2)))]
    return Question(
        printed=dice.randint(0, 12),
        fixed=tuple(Fixed(number, dice.choice(("", "Card"))) for number in fixed),
        times=dice.choice((1, 1, 2)),
        divided_by=dice.choice((1, 1, 2)),
        modifiers=tuple(Modifier(number, dice.choice(("", "Scan"))) for number in numbers),
        range_bonus=dice.choice((0, 1)),
        in_play=dice.choice((True, True, False)),
    )


def _question_in_json(question: Question) -> dict:
    return {
        "printed": question.printed,
        "fixed": [{"number": one.number, "label": one.label} for one in question.fixed],
        "times": question.times,
        "dividedBy": question.divided_by,
        "modifiers": [{"number": one.number, "label": one.label} for one in question.modifiers],
        "rangeBonus": question.range_bonus,
        "inPlay": question.in_play,
    }


def _answer_in_json(question: Question) -> dict:
    """The answer as the page shows it."""
    found = answer(question)
    return {
        "shown": found.shown,
        "isRaw": found.raw == found.value,
        "sum": found.sum,
        "cut": str(found.cut_in_words),
        "steps": [{"sum": str(step.sum), "shown": step.shown, "isNothing": step.is_nothing} for step in found.steps],
        "notes": list(map(str, found.notes)),
    }


# rules 4.2, 4.3, 6.3

SEEDS = ("abc", "", "1a2b3c4d", "Ünïcødé ✦", "x" * 40, "a+b&c=d:1", "y" * 60)
"""Of texts that are hashed in one block and in two, in one byte for each letter and in more."""
WISHES = (("hit", "critical"), ("battle stations",), ("evade",), ("critical",), ("hit", "evade", "blank"), ())
MANY = (0, 1, 2, 3, 4, 5, 6, 8, 12, 30)


def dice() -> Cases:
    from tourney.judge.queries.dice import DICE

    rolls = [
        (seed, roll, player, many, die)
        for seed in SEEDS
        for roll, player, many in ((1, 1, 30), (2, 4, 5), (10_000_000, 1, 3))
        for die in DICE
    ]
    wishes = [(die, many, faces) for die in DICE for many in MANY for faces in WISHES]
    leasts = [(*wish, least) for wish in wishes for least in sorted({0, 1, 2, wish[1] // 2, wish[1], wish[1] + 1})]
    return {
        "roll": [(list(one), list(roll_faces(*one[:-1], DICE[one[-1]]))) for one in rolls],
        "exactly": [(list(one), _exactly(*one)) for one in wishes],
        "chances": [(list(one), _chances(*one)) for one in leasts],
        "lying": [_lying(random.Random(seed)) for seed in range(200)],
    }


def _exactly(die: str, many: int, faces: Sequence[str]) -> list[list[str]]:
    """Of 0, 1, … all of the dice: the chance, in percent, and as a fraction."""
    from tourney.judge.queries.dice import odds

    _, _, rows = odds(die, many, DiceGoal(frozenset(faces), 0))
    return [_in_words(one.chance, one) for _, one, _ in rows]


def _chances(die: str, many: int, faces: Sequence[str], least: int) -> list[list[str]]:
    """At least so many, and the same with the best die rolled again."""
    from tourney.judge.queries.dice import odds

    first, again, _ = odds(die, many, DiceGoal(frozenset(faces), least))
    return [_in_words(one.chance, one) for one in (first, again)]


def _in_words(chance: Fraction, odds) -> list[str]:
    return [f"{chance.numerator}/{chance.denominator}", odds.percent, odds.fraction]


def _lying(dice: random.Random) -> Case:
    """Hits, whether that is enough, and the chance that is left."""
    from tourney.judge.forms.dice import LETTERS
    from tourney.judge.queries.dice import DICE, from_hand

    die, many = dice.choice([*DICE]), dice.randint(1, 8)
    letters = [letter for letter, face in LETTERS.items() if face in DICE[die]]
    hand = "".join(dice.choices(letters, k=dice.randint(0, many)))
    faces = dice.sample([LETTERS[letter] for letter in letters], 2)
    least = dice.randint(0, many)
    found = from_hand(die, many, DiceGoal(frozenset(faces), least), hand)
    return [die, many, faces, least, hand], [found.hits, found.is_met, found.chance and found.chance.percent]


# rules 4.1, 4.5

FACTS = {
    "roll-off": [{"first": "Vor", "second": "Kestrel"}, {"first": "A", "second": "B", "third": "C", "fourth": "D"}],
    "target": [{"first": "Vor", "second": "Kestrel"}, {"first": "A", "second": "B", "fourth": "D"}],
    "away-teams": [
        {"first": "Vor", "first_cards": 4, "first_skill": 5, "second": "Kestrel", "second_cards": 3, "second_skill": 8},
        {"first": "Vor", "first_cards": 2, "first_skill": 9, "second": "Kestrel", "second_cards": 1, "second_skill": 1},
        {"first": "Vor", "first_cards": 1, "first_skill": 6, "second": "Kestrel", "second_cards": 2, "second_skill": 6},
    ],
    "tractor-beam": [{"first": "Vor", "second": "Kestrel"}],
    "too-many-beams": [{"first": "Vor", "tokens": tokens} for tokens in (1, 2, 3, 7)],
}
HANDS = ("", "b", "bb", "bbhc-", "hh", "h", "c", "e", "eeb", "-----", "bbbbbb", "?")


def scenario_dice() -> Cases:
    from tourney.judge.queries.dice import played, played_by_hand, roller

    facts = [(what, {"third": "", "fourth": ""} | one) for what, several in FACTS.items() for one in several]
    seeds = [f"{number:08x}" for number in range(15)]
    hands = random.Random(8)
    by_seed = [(*one, seed) for one in facts for seed in seeds]
    by_hand = [(*one, hands.choices(HANDS, k=hands.randint(0, 9))) for one in facts for _ in range(20)]
    return {
        "played": [([*one], _played(played(_procedure(*one[:2]), roller(one[2])))) for one in by_seed],
        "playedByHand": [([*one], _played(played_by_hand(_procedure(*one[:2]), one[2]))) for one in by_hand],
    }


def _procedure(what: str, facts: dict) -> Callable:
    from tourney.judge.forms.scenario_dice import PROCEDURES

    return lambda roll: PROCEDURES[what].play(facts, roll)


def _played(found) -> dict:
    return {
        "sentence": found.outcome and found.outcome.sentence,
        "how": found.outcome and [*found.outcome.how],
        "rolls": [[_hand(hand) for hand in roll] for roll in found.rolls],
        "next": found.next and {name: getattr(found.next, name) for name in found.next.__slots__},
    }


def _hand(hand: Hand) -> str:
    return f"{hand.who}: {hand.die} {', '.join(hand.faces)} = {hand.counted} of {hand.face}"


# rule 9

TEXTS = (
    ("A1", "Target Locks", "A ship may have one target lock at a time; a second one replaces it.", "actions target"),
    ("A2", "Cloaking", "A cloaked ship has its shields face down. It may not be cloaked twice.", "actions cloak"),
    ("B23", "Mines", "A mine goes off when a ship’s base touches it. Friendly ships set mines off, too.", "mines"),
    ("B4", "Range 1", "At range 1–2 the attacker’s bonus is an attack die, which the Rule of 3 does not cap.", "range"),
    ("C5", "Élan of the crew", "É, ñ and ß stand in names: Café “Straße”, naïve Ångström, ﬁnal ﬂight.", "names crew"),
    ("C6", "Ship’s base", "A <b> is text here; & so is &amp; and 2 > 1.", "range base"),
    ("H1", "Ties", "Ties of 10 or more ships’ fleets: see A1, A2 and B23 again, again and again.", "ties target"),
    (
        "ST3",
        "Hikaru’s turn",
        "Sulu’s maneuver is a white 3 turn, once per round; x² and ½ are digits.",
        "crew turns",
    ),
)
RULINGS = [CitedRuling(number, topic, text, tuple(tags.split()), "", "") for number, topic, text, tags in TEXTS]
WORDS = sorted({word for texts in TEXTS for text in texts for word in re.findall(r"\w+", text)})


def rulings() -> Cases:
    dice = random.Random(7)
    asked = ["", "23", "a23", "É", "ﬁ", "mines", "<b", "’s", "straße", "again", "ship ship", "½", "nothing at all"]
    asked += [
        "cloaking",
        "can i fire while cloaked",
        "shooting at range",
        "what is a bonus",
        "who may",
        "crews turn",
    ]
    asked += [" ".join(dice.sample(WORDS, 2)) for _ in range(40)]
    asked += [word[: dice.randint(1, 6)] for word in dice.choices(WORDS, k=80)]
    tags = ["", "target", "range", "crew", "no such tag"]
    searches = [(words, tag) for words in asked for tag in ("", dice.choice(tags))]
    return {
        "understanding": [([], asdict(ENGLISH))],
        "rulings": [
            ([], [{"number": one.number, "topic": one.topic, "text": one.text, "tags": one.tags} for one in RULINGS])
        ],
        "search": [([*one], [found.number for found in search(RULINGS, *one)]) for one in searches],
        "highlighted": [([words], [_highlighted(one, words) for one in RULINGS]) for words in asked],
    }


def _highlighted(ruling: CitedRuling, words: str) -> str:
    """The topic and the text, with [what is highlighted] between brackets."""
    pieces = [*highlighted(ruling.topic, words), *highlighted(ruling.text, words)]
    return "".join(f"[{piece.text}]" if piece.highlighted else piece.text for piece in pieces)


# rule 10


def talon_power() -> Cases:
    """Pages as a digest, since each has ten thousand characters; a few as they are."""
    from tests.pages.test_talon_power import WRONG

    dice = random.Random(10)
    grid = [
        f"speed={speed}&hull={-lost}&stuck={stuck}&fifth={fifth}&play=v{chosen}{'.n' * count}"
        for speed in range(2, 6)
        for lost in range(5)
        for stuck in ("", "on")
        for fifth in ("", "D", "E")
        for chosen in range(speed - 1, speed + 2)
        for count in range(8)
    ]
    drawn = [talon_query(random.Random(seed)) for seed in range(400)]
    wrong = [query.removeprefix("?") for query, _ in WRONG]
    grid = dice.sample(grid, 400)
    with speaking_another() as catalogue:
        abroad = [talon_page(query) for query in (*grid[:100], *drawn[:100], *wrong)]
    return {
        "page": [([query], talon_page(query)) for query in (*drawn[:4], *wrong)],
        "digest": [([query], digest(talon_page(query))) for query in (*grid, *drawn)],
        "abroad": [([catalogue, [*grid[:100], *drawn[:100], *wrong]], list(map(digest, abroad)))],
    }


@contextmanager
def speaking_another() -> Iterator[dict[str, Any]]:
    """French with the letters of a language that nobody speaks; the catalogue fills with what is said, for scripts.

    Who says a sentence in Python and another in the script says that one in English, and is found out.
    """
    from django.utils import translation
    from django.utils.translation import trans_real

    said: dict[str, Any] = {}

    def gettext(id: str) -> str:
        said[id] = pseudo(id.rpartition(CONTEXT)[2])
        return said[id]

    def ngettext(one: str, many: str, number: int) -> str:
        said[one] = [pseudo(one), pseudo(many)]
        return said[one][number != 1]

    french = trans_real.translation("fr")
    with translation.override("fr"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(french, "gettext", gettext)
        patch.setattr(french, "ngettext", ngettext)
        forget_what_was_said()
        yield {"said": said, "plurals": "".join(str(int(number != 1)) for number in range(200))}
    forget_what_was_said()


def digest(page: dict) -> str:
    """The first 16 digits of the SHA-256 of the page as JSON, its keys in order."""
    text = json.dumps(page, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]


def talon_page(query: str) -> dict:
    """All of the page for that address, by the server."""
    from django.http import QueryDict

    from tourney.judge.forms.talon import TalonForm

    form = TalonForm(QueryDict(query).dict())
    record = shown(form.cleaned_data["name"], played(form.ship, form.steps), form.address) if form.is_valid() else None
    return json.loads(json.dumps({"errors": form.wrong, "record": record}, default=_in_json))


def _in_json(value: Any) -> object:
    """A record field by field; what it says, as a sentence."""
    if is_dataclass(value) and not isinstance(value, Message):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return str(value)


def talon_query(dice: random.Random) -> str:
    """The address of a ship of some class in the middle of some round; sometimes one step does not fit."""
    from tourney.judge.forms.talon import TalonForm

    speeds = sorted(dice.sample(range(1, 7), dice.randint(1, 6)))
    curves = [Curve(dice.randint(0, 6), speed, dice.randint(0, 9)) for speed in speeds]
    arcs = dice.choice((["Front", "Right", "Rear", "Left"], ["Bow"], ["A*~ b", "“Ö” & c", "3", "d/e", "(f)", "g+h"]))
    typed = {
        "speed": dice.choice(speeds),
        "hull": -dice.choice((0, 0, 1, 2, 3)),
        "criticals": -dice.choice((0, 0, 0, 1)),
        "name": dice.choice(("Terran CA", "Kestrel’s 1/2 ~*class", "X")),
        "curves": " ".join(f"{curve.power}-{curve.speed}-{curve.turn}" for curve in curves),
        "stuck": dice.choice(("", "", "on")),
        "fifth": dice.choice(("", "D", "E")),
        "arcs": ", ".join(arcs),
        **{f"arc{number + 1}": dice.choice(("", "", "down", *"ABCDEF")) for number in range(len(arcs))},
    }
    ship = TalonForm({name: str(value) for name, value in typed.items()})
    if not ship.is_valid():
        raise ValueError(ship.errors)
    steps = [*_happening(ShipRecord(ship.ship), dice)]
    misfit = [TalonStep(dice.choice([*Act]), dice.randint(0, 3))] if dice.random() < 0.2 else []
    return urlencode(typed | {"play": written([*steps, *misfit])})


def _happening(record: ShipRecord, dice: random.Random) -> Iterator[TalonStep]:
    """Steps that fit, one after the other."""
    for _ in range(dice.randint(0, 25)):
        acts = dice.choice(([Act.NEXT], [*SPENDINGS], [Act.SPEED], [*Act]))
        step = TalonStep(dice.choice(acts), dice.randint(0, 6))
        step = step if step.act in (Act.SPEED, Act.HULL, Act.CRITICALS) else TalonStep(step.act, step.number % 4)
        if not why_not(record, step):
            record = after(record, step)
            yield step


VECTORS = (rule_of_3, dice, scenario_dice, rulings, talon_power)


def as_text(cases: Cases) -> str:
    """The JSON of a file, a case in each line."""
    functions = []
    for name, several in cases.items():
        lines = ",\n".join(f"    {json.dumps(case, ensure_ascii=False, default=str)}" for case in several)
        functions.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    return "{\n" + ",\n".join(functions) + "\n}\n"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")
    import django

    django.setup()
    for make in VECTORS:
        (FOLDER / f"{make.__name__}.json").write_text(as_text(make()), "utf-8")


if __name__ == "__main__":
    main()
