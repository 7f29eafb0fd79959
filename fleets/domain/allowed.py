"""Which violations an organizer has allowed (rule 7.15)."""

import re
from collections.abc import Iterator, Mapping

from tourney.runtime.messages import Message, Param, in_english

type Rulings = Mapping[tuple[str, int, str], str]
"""Reasons of the organizer for allowing what a rule forbids, by its number, the line (0: the fleet) and the sentence.

The sentence is in English, whatever language was read; it may be an older wording of the same. What is allowed is this
very violation: not the next one of the same rule, nor a greater one.
"""

NO_RULINGS: Rulings = {}
DATE = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}")
"""Dates, which stood in sentences once."""

IN_LETTERS = {"1": "|one", "2": "|two"}
"""Numbers that older wordings had in letters, as alternatives of a pattern."""


def why_allowed(rulings: Rulings, rule: str, line: int, sentence: Message) -> str:
    """The reason for which this violation is allowed; empty if it is not."""
    if not rulings:
        return ""
    if reason := rulings.get((rule, line, in_english(sentence))):
        return reason
    older = (
        why for (of, at, text), why in rulings.items() if (of, at) == (rule, line) and says_the_same(text, sentence)
    )
    return next(older, "")


def says_the_same(text: str, sentence: Message) -> bool:
    """Whether an older wording says what the sentence says: the same names and numbers, and no other number."""
    rest = DATE.sub("", text)
    for fact in sorted(_facts(sentence), key=len, reverse=True):
        pattern = rf"(?<!\w)(?:{re.escape(fact)}{IN_LETTERS.get(fact, '')})(?!\w)"
        rest = re.sub(pattern, " ", rest)
        if not re.search(pattern, text):
            return False
    return not re.search(r"\d", rest)


def _facts(value: Param) -> Iterator[str]:
    """The names and numbers of a sentence, those of sentences in it too."""
    if isinstance(value, Message):
        for fact in value.params.values():
            yield from _facts(fact)
    elif isinstance(value, str | int):
        yield str(value)
    else:
        for one in value:
            yield from _facts(one)
