"""What the printed texts of cards say about building: which clauses there are, and the rules that honour them.

The files in `fleets/cards/texts` name cards by the keys of the public catalogue. Of each card they quote the clauses
that are about building, with the rules that honour them in the words of `card_rules`; none where a clause is honoured
by a rule of section 7, or is about play. `besides` are rules that stand elsewhere on the card, `note` says why a rule
is not what other programs make of the card. A clause that no entry quotes is to be checked by a person.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fleets.domain.card_rules import NOT_CHECKED, UnknownRule, read_rule

FOLDER = Path(__file__).parent.parent / "cards" / "texts"
LONGEST_CLAUSE = 100
ABOUT_BUILDING = re.compile(
    r"""
    \badd\ (?:up\ to\ |an\ )?(?:\d\ )?(?:additional\ )?
        (?:\[(?:CREW|TECH|WEAPON|BORG|TALENT|ELITE\ TALENT)\]|tech\ upgrade|up[gd]rade\ slot)
    |gain\ \d\ additional\ \[|gains\ the\ \[\w+\]\ faction|switch\ one\ of\ your|treat\ any\ of\ the
    |not\ require\ an|without\ requiring|(?:may|can)\ fill|must\ be\ filled|must\ use\ 1|counts\ as
    |only\ be\ (?:purchased|assigned|equipped|fielded|deployed)|may\ only\ (?:have|field|include)
    |cannot\ (?:be\ (?:assigned|deployed|equipped|in\ the\ same|used\ with)|deploy|equip|assign|have\ a\ cost|refer)
    |can\ ?not\ be\ equipped|may\ not\ (?:be\ (?:deployed|assigned|equipped)|assign)|same\ (?:ship\ or\ )?fleet
    |(?:no|any)\ (?:ship|squadron)\ (?:may|can)\ be\ (?:equipped|assigned)|more\ than\ (?:1|one)\b
    |[+-]\d+\ (?:SP|squadron\ points?)|costs?\ (?:of\ )?[+-]\d|costs?\ exactly|costs?\ \d+\ SP|spend\ \d+\ SP
    |(?:at\ a\ cost|costs?)\ of\ \d\ SP\b(?!\ or)|the\ cost\ of\ (?:this|these|that)|total\ cost\ of|for\ free\b
    |equal\ to\ th(?:e|is)\ ship's\ Primary|faction\ penalty|regardless\ of\ faction|may\ use\ any\ upgrades
    |(?:may|can)\ field|may\ (?:deploy|equip|purchase)|may\ be\ equipped\ to
    |\d\ [^.]{0,80}face\ down\ (?:beneath|beside|under)|(?:upgrade|place\ it)\ face\ down\ beneath
    |place\ a\ captain\ card\ under|2nd\ captain|do\ not\ need\ to\ have\ a\ captain|must\ assign
    |must\ be\ assigned\ a\ captain|must\ be\ an?\ \w+\ \[|considered\ to\ be\ (?:a\ "support|both)|maximum\ of
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The words in which cards speak of building; rather too many than too few."""


class InvalidCardTexts(Exception):
    """A file of card texts holds what is no rule; the text says where."""


@dataclass(frozen=True, slots=True)
class CardText:
    """What a card says about building: clauses as printed, each with its rules, and why they are what they are."""

    clauses: Mapping[str, tuple[str, ...]]
    besides: tuple[str, ...] = ()
    note: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """All rules of the card, each once."""
        return tuple(dict.fromkeys(rule for rules in (*self.clauses.values(), self.besides) for rule in rules))


@cache
def card_texts() -> Mapping[str, CardText]:
    """The texts that come with Flagship, by the key of the card. Raises InvalidCardTexts."""
    found: dict[str, CardText] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for key, facts in tomllib.loads(path.read_text()).items():
            if key in found:
                raise InvalidCardTexts(f"{path.name}: {key} stands twice")
            found[key] = _read(facts, f"{path.name}: {key}")
    return found


def rules_by_text(key: str, text: str, otherwise: Sequence[str]) -> tuple[str, ...]:
    """The rules of a card by its printed text: of its entry or else those, and what is left to a person."""
    entry = card_texts().get(key)
    return tuple(dict.fromkeys((*(entry.rules if entry else otherwise), *_not_quoted(text, entry))))


def clauses(text: str, quoted: Sequence[str] = ()) -> Iterator[str]:
    """The clauses of a printed text that are about building and not among those, each cut to a readable length."""
    text = " ".join(text.split())
    spans = [(at, at + len(quote)) for quote in quoted if (at := text.find(quote)) >= 0]
    told = 0
    for match in ABOUT_BUILDING.finditer(text):
        if match.start() < told or any(start < match.end() and match.start() < end for start, end in spans):
            continue
        start = max(text.rfind(". ", 0, match.start()) + 2, 0) if ". " in text[: match.start()] else 0
        end = text.find(". ", match.end())
        told = len(text) if end < 0 else end + 1
        start = max(start, match.start() - LONGEST_CLAUSE // 2)
        clause = text[start:told].rstrip(".")
        yield clause if len(clause) <= LONGEST_CLAUSE else f"{clause[: LONGEST_CLAUSE - 1]}…"


def _not_quoted(text: str, entry: CardText | None) -> Iterator[str]:
    for clause in clauses(text, tuple(entry.clauses) if entry else ()):
        yield NOT_CHECKED + "".join(one if one.isprintable() else " " for one in clause.replace(";", ","))


def _read(facts: Any, path: str) -> CardText:
    if not isinstance(facts, dict):
        raise InvalidCardTexts(f"{path} should be a table of clauses")
    note = facts.get("note", "")
    if not isinstance(note, str):
        raise InvalidCardTexts(f"{path}: the note should be a text")
    clauses = {clause: _rules(rules, f"{path}: “{clause}”") for clause, rules in facts.items() if clause != "note"}
    return CardText(
        {clause: clauses[clause] for clause in clauses if clause != "besides"}, clauses.get("besides", ()), note
    )


def _rules(rules: Any, path: str) -> tuple[str, ...]:
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise InvalidCardTexts(f"{path} should be a list of rules")
    for rule in rules:
        try:
            read_rule(rule)
        except UnknownRule as error:
            raise InvalidCardTexts(f"{path}: {error}") from error
    return tuple(rules)
