"""What a stored JSON value may look like: a type of Python's, or of msgspec's, with its bounds.

read = reader_of(list_of(tuple[text(200), Instant | None]))
read([["Pizza is here", None]])      # gives the value back, or raises msgspec.ValidationError
"""

from collections.abc import Callable
from datetime import UTC, datetime
from math import isfinite
from typing import Annotated, Any

from msgspec import Meta, Struct, convert, defstruct

from tourney.runtime.messages import Message, message

type JSONReader[Value] = Callable[[Any], Value]
"""Takes a value as JSON gives it back; raises what it likes where the value is none that it reads."""

GREATEST = 2**63 - 1
DEEPEST = 40
MOST = 20_000


Instant = Annotated[datetime, Meta(tz=True)]
"""An instant in ISO 8601, with its distance from UTC."""


def instant(moment: datetime | None) -> str | None:
    """A moment as JSON keeps it: ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat() if moment else None


class WrongShape(ValueError):
    """The value is none that a database can hold; `problem` says why."""

    def __init__(self, problem: Message) -> None:
        super().__init__(problem)
        self.problem = problem


class ExactRecord(Struct, forbid_unknown_fields=True):
    """An object with the names of its fields and no others."""


def reader_of(shape: Any, *, by_number: bool = False) -> JSONReader[Any]:
    """Reads a value of that type as JSON gives it; `by_number`: names of objects may be numbers, which takes longer.

    It raises msgspec.ValidationError, which says what was expected and at which path.
    """
    # msgspec takes a type to pieces at each call, unless it is a Struct's
    stored: Any = defstruct("Stored", [("value", shape)], array_like=True)
    options: dict[str, Any] = {"str_keys": True} if by_number else {}

    def read(value: Any) -> Any:
        return convert((value,), stored, **options).value

    return read


def text(longest: int) -> Any:
    """The type of a text of at most so many characters."""
    return Annotated[str, Meta(max_length=longest)]


def number(least: int, most: int) -> Any:
    """The type of a whole number within these bounds."""
    return Annotated[int, Meta(ge=least, le=most)]


def list_of(shape: Any, most: int = MOST) -> Any:
    """The type of a list of at most so many."""
    return Annotated[list[shape], Meta(max_length=most)]


def table_of(name: Any, shape: Any, most: int = MOST) -> Any:
    """The type of an object of at most so many names, text or number, with values of one type."""
    return Annotated[dict[name, shape], Meta(max_length=most)]


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
            raise WrongShape(message("a number in it is too large"))
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise WrongShape(message("{value} isn’t a number that can be saved", value=str(value)))
        return value
    if not isinstance(value, dict | list | tuple):
        raise WrongShape(message("a value of the type {type} can’t be saved", type=type(value).__name__))
    if depth == DEEPEST:
        raise WrongShape(message("it’s nested more than {count} levels deep", count=DEEPEST))
    if isinstance(value, dict):
        return {_name(name): as_stored(inner, depth + 1) for name, inner in value.items()}
    return [as_stored(inner, depth + 1) for inner in value]


def _name(name: Any) -> str:
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise WrongShape(message("a name in it isn’t text"))
    return _text(str(name))


def _text(text: str) -> str:
    if "\0" in text or (not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)):
        raise WrongShape(message("a text in it has a character that can’t be saved"))
    return text
