"""What a stored JSON value may look like, as readers that say no.

read = list_of(record(text=text(200), until=maybe(text(40))))
read([{"text": "Pizza is here", "until": None}])      # gives the value back, or raises WrongShape
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from math import isfinite
from typing import Any

type Reader[Value] = Callable[[Any], Value]
"""Takes a value as JSON gives it back; raises what it likes where the value is none that it reads."""

GREATEST = 2**63 - 1
DEEPEST = 40
MOST = 20_000


class WrongShape(ValueError):
    """The value is none that the reader reads; the text says what it should be."""


def as_stored(value: Any, depth: int = 0) -> Any:
    """The value as JSON gives it back: lists for tuples, text for names that are numbers.

    Raises WrongShape for what a database cannot hold, or gives back as something else: NUL, half of a letter, a number
    beyond 64 bits or not finite, another type, more than DEEPEST levels.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        if abs(value) > GREATEST:
            raise WrongShape("a number in it is too large to be stored")
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise WrongShape(f"{value} is no number that can be stored")
        return value
    if not isinstance(value, dict | list | tuple):
        raise WrongShape(f"a value of the type {type(value).__name__} cannot be stored")
    if depth == DEEPEST:
        raise WrongShape(f"it is nested more than {DEEPEST} levels deep")
    if isinstance(value, dict):
        return {_name(name): as_stored(inner, depth + 1) for name, inner in value.items()}
    return [as_stored(inner, depth + 1) for inner in value]


def _name(name: Any) -> str:
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise WrongShape("a name in it is no text")
    return _text(str(name))


def _text(text: str) -> str:
    if "\0" in text or (not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)):
        raise WrongShape("a text in it holds a character that cannot be stored")
    return text


def text(longest: int) -> Reader[str]:
    """Text of at most so many characters."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise WrongShape(f"it should be text of at most {longest} characters")
        return value

    return read


def number(least: int, most: int) -> Reader[int]:
    """A whole number within these bounds."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise WrongShape(f"it should be a whole number from {least} to {most}")
        return value

    return read


def digits(least: int, most: int) -> Reader[int]:
    """A name that is a whole number within these bounds, without a sign."""
    in_bounds = number(least, most)

    def read(value: Any) -> int:
        if not isinstance(value, str) or not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise WrongShape(f"it should be a number from {least} to {most} in digits")
        return in_bounds(int(value))

    return read


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise WrongShape("it should be true or false")
    return value


def moment(value: Any) -> datetime:
    """An instant in ISO 8601, with its distance from UTC."""
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        found = datetime.min
    if found.tzinfo is None:
        raise WrongShape("it should be an instant like 2026-11-20T17:45:00+00:00")
    return found


def maybe[Value](read: Reader[Value]) -> Reader[Value | None]:
    """Nothing, or what the reader reads."""
    return lambda value: None if value is None else read(value)


def list_of[Value](read: Reader[Value], most: int = MOST) -> Reader[list[Value]]:
    """A list of at most so many of what the reader reads."""

    def read_list(value: Any) -> list[Value]:
        if not isinstance(value, list) or len(value) > most:
            raise WrongShape(f"it should be a list of at most {most}")
        return [read(one) for one in value]

    return read_list


def pair[First, Second](first: Reader[First], second: Reader[Second]) -> Reader[tuple[First, Second]]:
    """A list of two, each with a reader of its own."""

    def read(value: Any) -> tuple[First, Second]:
        if not isinstance(value, list) or len(value) != 2:
            raise WrongShape("it should be a list of two")
        return first(value[0]), second(value[1])

    return read


def table_of[Name, Value](read_name: Reader[Name], read: Reader[Value], most: int = MOST) -> Reader[dict[Name, Value]]:
    """An object of at most so many names, each read by the first reader, with values for the second."""

    def read_table(value: Any) -> dict[Name, Value]:
        if not isinstance(value, dict) or len(value) > most:
            raise WrongShape(f"it should be an object of at most {most} names")
        return {read_name(name): read(inner) for name, inner in value.items()}

    return read_table


def record(**readers: Reader[object]) -> Reader[Mapping[str, object]]:
    """An object with exactly these names."""

    def read(value: Any) -> Mapping[str, object]:
        if not isinstance(value, dict) or value.keys() != readers.keys():
            raise WrongShape(f"it should be an object with the names {', '.join(readers)}")
        return {name: reader(value[name]) for name, reader in readers.items()}

    return read


def table(value: Any) -> dict[str, Any]:
    """An object, whatever it holds."""
    if not isinstance(value, dict):
        raise WrongShape("it should be an object")
    return value
