"""Bounds of a text from outside, checked before its parser runs.

A parser may take far more time and memory than the text is long: dotted keys of TOML grow with the square of their
length, brackets end in a RecursionError, a number of a thousand digits breaks later code. What stands in quotes or in a
comment does not count, and each check passes over the text once.
"""

import re
from dataclasses import dataclass

from tourney.runtime.messages import Message, message

JSON_QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
TOML_QUOTED = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+"{0,5}'''
    r"""|'''(?:[^']|'(?!''))*+'{0,5}"""
    r"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?"""
    r"""|'[^'\n]*+'?"""
    r"|\#[^\n]*+",
    re.DOTALL,
)
"""What is open at the end of the text is taken whole, as the parsers do."""

NO_BRACKET = re.compile(r"[^\[\]{}]+")
SEPARATOR = re.compile(r"[,:=\n]")
BETWEEN_SEPARATORS = re.compile(r"[^,=\n\[\]{}]+")
WORD = re.compile(r"[^\s,:=\[\]{}]+")


class OutOfBounds(Exception):
    """The text holds more than its parser is given; its `args` are one message that says what, and what to do."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a text may hold.

    depth: brackets inside one another, and dots in a dotted key; parts: keys, entries of lists and, in TOML, lines;
    word: characters of a number or a name without quotes; line: characters of a line of a table.
    """

    depth: int
    parts: int
    word: int = 100
    line: int = 65_536


def check_json(text: str, bounds: Bounds) -> None:
    """Raise OutOfBounds if the JSON is too deep, or holds too many values or too long a number."""
    plain = JSON_QUOTED.sub(" ", text)
    _check_depth(plain, bounds)
    _check_parts(len(re.findall(r"[,:]", plain)), bounds)
    _check_words(plain, bounds)


def check_toml(text: str, bounds: Bounds) -> None:
    """Raise OutOfBounds if the TOML is too deep, or holds too many lines, keys and entries or too long a number."""
    plain = TOML_QUOTED.sub(" ", text)
    _check_depth(plain, bounds)
    _check_parts(len(SEPARATOR.findall(plain)) + text.count("\n") - plain.count("\n"), bounds)
    _check_words(plain.replace(".", " "), bounds)
    if max((piece.group().count(".") for piece in BETWEEN_SEPARATORS.finditer(plain)), default=0) > bounds.depth:
        raise OutOfBounds(_too_deep(bounds))


def check_table(text: str, bounds: Bounds) -> None:
    """Raise OutOfBounds if the CSV has too many lines, or one that is too long."""
    lines = text.split("\n")
    _check_parts(len(lines), bounds)
    if max(map(len, lines)) > bounds.line:
        raise OutOfBounds(
            message(
                "A line of the file is longer than {limit} characters. Shorten it and try again.",
                limit=f"{bounds.line:,}",
            )
        )


def shown(text: str, most: int = 60) -> str:
    """The text as a sentence can quote it: its first characters, those that cannot be printed written as escapes."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text[:most])


def _check_depth(plain: str, bounds: Bounds) -> None:
    depth = 0
    for bracket in NO_BRACKET.sub("", plain):
        depth += 1 if bracket in "[{" else -1
        if depth > bounds.depth:
            raise OutOfBounds(_too_deep(bounds))


def _check_parts(parts: int, bounds: Bounds) -> None:
    if parts > bounds.parts:
        raise OutOfBounds(
            message("The file has more than {limit} entries. Split it or export it again.", limit=f"{bounds.parts:,}")
        )


def _check_words(plain: str, bounds: Bounds) -> None:
    if max((len(word) for word in WORD.findall(plain)), default=0) > bounds.word:
        raise OutOfBounds(
            message(
                "A name or number in the file is longer than {limit} characters. Shorten it and try again.",
                limit=bounds.word,
            )
        )


def _too_deep(bounds: Bounds) -> Message:
    return message("The file is nested more than {limit} levels deep. Export it again.", limit=bounds.depth)
