"""Reading tables of untrusted data field by field, keeping every complaint."""

import dataclasses
import difflib
import re
from collections.abc import Collection, Mapping, Sized
from dataclasses import dataclass
from enum import Enum
from typing import Final, overload

from tourney.runtime.bounds import shown
from tourney.runtime.messages import Message, message, nmessage


class Required(Enum):
    """The default of a field that must be there."""

    REQUIRED = "required"


REQUIRED: Final = Required.REQUIRED
MOST_ROWS = 100
"""How many entries a list may have: some checks compare each with each."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
BREAKS = re.compile(rf"{CONTROL.pattern}|[\t\n\u0085\u2028\u2029]")
NO_TEXT = message("Type a text.")
CHOOSE = message("Choose one of the list.")
SPACES = message("This begins or ends with a space. Remove it.")
CHARACTERS = message("This has characters that can’t be shown on one line. Type it again.")


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field, by its dotted path ("bonuses[1].points"), and what is expected there.

    message: for people who read a file, in the words of the format, which are English.
    plain: the same for people who see a page and no file. is_form: a text that is not written as the field asks.
    is_alone: it is about this field alone, so that it says nothing new where something is known to be wrong already.
    """

    field: str
    message: str
    plain: Message | None = dataclasses.field(default=None, compare=False)
    is_form: bool = dataclasses.field(default=False, compare=False)
    is_alone: bool = dataclasses.field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.field or 'the whole'}: {self.message}"


class Reader:
    """One table. Each method takes a field, answers a usable value, and notes what was wrong with it."""

    def __init__(self, data: object, errors: list[FieldError], path: str = "") -> None:
        self.errors = errors
        self.path = path
        self._known: list[str] = []
        self._readable = isinstance(data, Mapping)
        self._data: Mapping[str, object] = data if isinstance(data, Mapping) else {}
        if not self._readable:
            self.complain("", f"is {_seen(data)}; a table of fields is expected")

    def complain(self, key: str, wrong: str, plain: Message | None = None, *, is_form: bool = False) -> None:
        """Add an error at a key, as a sentence; reading goes on."""
        self.errors.append(FieldError(self._at(key), wrong, plain, is_form, is_alone=True))

    def text(
        self,
        key: str,
        default: str | Required = REQUIRED,
        *,
        longest: int = 200,
        like: str = "",
        example: str = "",
        lines: bool = False,
    ) -> str:
        """A text of one line, or of several; `like` is a pattern for the whole text."""
        value = self._value(key, default, "a text", NO_TEXT)
        if value is default:
            return "" if default is REQUIRED else default
        if not isinstance(value, str):
            return self._wrong(key, value, "a text", "", NO_TEXT)
        if default is REQUIRED and not value.strip():
            return self._wrong(key, value, "a text that is not empty", "", NO_TEXT)
        if len(value) > longest:
            self.complain(
                key, f"has {len(value)} characters; at most {longest} are expected", _too_long(value, longest)
            )
        elif value != value.strip():
            self.complain(key, f"is {value!r}; a text without spaces at its ends is expected", SPACES)
        elif (CONTROL if lines else BREAKS).search(value):
            expected = "a text" if lines else "a single line"
            self.complain(key, f"is {value[:60]!r}; {expected} without control characters is expected", CHARACTERS)
        elif value and like and not re.fullmatch(like, value, re.ASCII):
            plain = message("“{text}” doesn’t fit here. Type something like {example}.", text=value, example=example)
            self.complain(key, f"is {value!r}; something like {example!r} is expected", plain, is_form=True)
        return value

    @overload
    def number(self, key: str, default: int | Required = REQUIRED, *, low: int, high: int) -> int: ...

    @overload
    def number(self, key: str, default: None, *, low: int, high: int) -> int | None: ...

    def number(self, key: str, default: int | Required | None = REQUIRED, *, low: int, high: int) -> int | None:
        """A whole number from low to high; null (or nothing) only where the default is None."""
        expected = f"a whole number from {low} to {high}" if low < high else f"the number {low}"
        plain = message("Type a whole number from {low} to {high}.", low=low, high=high)
        value = self._value(key, default, expected, plain)
        if value is default:
            return low if default is REQUIRED else default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            return self._wrong(key, value, expected, low if default is REQUIRED else default, plain)
        return value

    def flag(self, key: str, default: bool | Required = REQUIRED) -> bool:
        """The boolean at a key, or `default`; anything else becomes an error."""
        value = self._value(key, default, "true or false")
        if value is default:
            return False if default is REQUIRED else default
        return (
            value
            if isinstance(value, bool)
            else self._wrong(key, value, "true or false", True, message("Tick the box or leave it empty."))
        )

    def choice(self, key: str, options: Collection[str], default: str | Required = REQUIRED) -> str:
        """The text at a key, one of `options`, or `default`; anything else becomes an error."""
        expected = "one of " + ", ".join(repr(option) for option in options)
        value = self._value(key, default, expected, CHOOSE)
        if value is default:
            return "" if default is REQUIRED else default
        if not isinstance(value, str) or value not in options:
            return self._wrong(key, value, expected, "", CHOOSE)
        return value

    def texts(self, key: str, default: tuple[str, ...] = (), *, longest: int = 200) -> tuple[str, ...]:
        """A list of different texts, none of them empty."""
        value = self._value(key, default, "a list of texts")
        if value is default:
            return default
        if not isinstance(value, list | tuple):
            return self._wrong(key, value, "a list of texts", ())
        if self._has_too_many(key, value):
            return ()
        for index, item in enumerate(value):
            is_text = isinstance(item, str) and bool(item.strip()) and item == item.strip() and not BREAKS.search(item)
            if not is_text or len(item) > longest:
                self._wrong(
                    f"{key}[{index}]", item, f"a text of 1 to {longest} characters", None, _too_long(item, longest)
                )
            elif item in value[:index]:
                plain = message("“{text}” is listed twice. Remove one of them.", text=item)
                self.complain(f"{key}[{index}]", f"says {item!r} a second time; each may be listed once", plain)
        return tuple(item for item in value if isinstance(item, str))

    def table(self, key: str) -> "Reader":
        """The table under that key; an empty one when nothing is there."""
        return Reader(self._value(key, {}, "a table of fields"), self.errors, self._at(key))

    def tables(self, key: str) -> list["Reader"]:
        """The list of tables under that key; an empty list when nothing is there."""
        value = self._value(key, [], "a list of tables")
        if not isinstance(value, list | tuple):
            return self._wrong(key, value, "a list of tables", [])
        if self._has_too_many(key, value):
            return []
        return [Reader(item, self.errors, f"{self._at(key)}[{index}]") for index, item in enumerate(value)]

    def refuse_unknown(self) -> None:
        """Complain about every field nobody asked for, with the nearest name that exists."""
        for key in self._data:
            if key in self._known:
                continue
            name = shown(str(key))
            near = difflib.get_close_matches(name, self._known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "; known are " + ", ".join(self._known)
            self.complain(name, f"is not a field of this table{hint}")

    def _has_too_many(self, key: str, value: Sized) -> bool:
        if len(value) <= MOST_ROWS:
            return False
        plain = message("This has too many entries; the most is {most}. Remove some.", most=MOST_ROWS)
        self.complain(key, f"has {len(value):,} entries; at most {MOST_ROWS} are expected", plain)
        return True

    def _value(self, key: str, default: object, expected: str, plain: Message | None = None) -> object:
        self._known.append(key)
        if key not in self._data:
            if default is REQUIRED and self._readable:
                self.complain(key, f"is missing; {expected} is expected", plain)
            return default
        value = self._data[key]
        if value is None and default is not None:
            self.complain(key, f"is null; {expected} is expected", plain)
            return default
        return value

    def _wrong[Usable](
        self, key: str, value: object, expected: str, instead: Usable, plain: Message | None = None
    ) -> Usable:
        self.complain(key, f"is {_seen(value)}; {expected} is expected", plain)
        return instead

    def _at(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path and key else self.path or key


def _too_long(value: object, longest: int) -> Message:
    if not isinstance(value, str):
        return NO_TEXT
    if len(value) <= longest:
        return CHARACTERS
    return nmessage(
        "This has {count} character; the most is {most}. Shorten it.",
        "This has {count} characters; the most is {most}. Shorten it.",
        len(value),
        most=longest,
    )


def _seen(value: object) -> str:
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of more than 19 digits"
    return "null" if value is None else repr(value)[:60]
