"""Reading tables of untrusted data field by field, keeping every complaint."""

import dataclasses
import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from enum import Enum
from typing import Final, overload

from tourney.runtime.bounds import shown
from tourney.runtime.messages import Message, in_a_row, message, nmessage


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
CONTROLS = message("This has characters that can’t be shown. Type it again.")
MISSING = message("This is missing.")
TEXT = message("Type a text in quotation marks.")
TEXTS = message("Type a list of texts in square brackets.")
TRUE_OR_FALSE = message("Type true or false.")
TABLE = message("Type a table of fields.")
TABLES = message("Type a list of tables.")
TICK = message("Tick the box or leave it empty.")


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field, by its dotted path ("bonuses[1].points"), and what to do.

    message: for people who read a file, with the names of its fields and its values as they are written.
    plain: the same for people who see a page and no file, where that differs.
    is_form: a text that is not written as the field asks.
    is_alone: it is about this field alone, so that it says nothing new where something is known to be wrong already.
    """

    field: str
    message: Message
    plain: Message | None = dataclasses.field(default=None, compare=False)
    is_form: bool = dataclasses.field(default=False, compare=False)
    is_alone: bool = dataclasses.field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.field or 'the whole'}: {self.message.in_english()}"


class Reader:
    """One table. Each method takes a field, answers a usable value, and notes what was wrong with it."""

    def __init__(self, data: object, errors: list[FieldError], path: str = "") -> None:
        self.errors = errors
        self.path = path
        self._known: list[str] = []
        self._readable = isinstance(data, Mapping)
        self._data: Mapping[str, object] = data if isinstance(data, Mapping) else {}
        if not self._readable:
            self._wrong("", data, TABLE, None)

    def complain(self, key: str, wrong: Message, plain: Message | None = None, *, is_form: bool = False) -> None:
        """Add an error at a key; reading goes on."""
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
        value = self._value(key, default, TEXT, NO_TEXT)
        if value is default:
            return "" if default is REQUIRED else default
        if not isinstance(value, str):
            return self._wrong(key, value, TEXT, "", NO_TEXT)
        if default is REQUIRED and not value.strip():
            return self._wrong(key, value, TEXT, "", NO_TEXT)
        if len(value) > longest:
            self.complain(key, _too_long(value, longest))
        elif value != value.strip():
            self.complain(key, SPACES)
        elif (CONTROL if lines else BREAKS).search(value):
            self.complain(key, CONTROLS if lines else CHARACTERS)
        elif value and like and not re.fullmatch(like, value, re.ASCII):
            wrong = message(
                "“{text}” doesn’t fit here. Type something like {example}.", text=shown(value), example=example
            )
            self.complain(key, wrong, is_form=True)
        return value

    @overload
    def number(self, key: str, default: int | Required = REQUIRED, *, low: int, high: int) -> int: ...

    @overload
    def number(self, key: str, default: None, *, low: int, high: int) -> int | None: ...

    def number(self, key: str, default: int | Required | None = REQUIRED, *, low: int, high: int) -> int | None:
        """A whole number from low to high; null (or nothing) only where the default is None."""
        asked = message("Type a whole number from {low} to {high}.", low=low, high=high)
        if low == high:
            asked = message("Type the number {number}.", number=low)
        value = self._value(key, default, asked, asked)
        if value is default:
            return low if default is REQUIRED else default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            return self._wrong(key, value, asked, low if default is REQUIRED else default, asked)
        return value

    def flag(self, key: str, default: bool | Required = REQUIRED) -> bool:
        """The boolean at a key, or `default`; anything else becomes an error."""
        value = self._value(key, default, TRUE_OR_FALSE, TICK)
        if value is default:
            return False if default is REQUIRED else default
        return value if isinstance(value, bool) else self._wrong(key, value, TRUE_OR_FALSE, True, TICK)

    def choice(self, key: str, options: Collection[str], default: str | Required = REQUIRED) -> str:
        """The text at a key, one of `options`, or `default`; anything else becomes an error."""
        asked = one_of(options)
        value = self._value(key, default, asked, CHOOSE)
        if value is default:
            return "" if default is REQUIRED else default
        if not isinstance(value, str) or value not in options:
            return self._wrong(key, value, asked, "", CHOOSE)
        return value

    def texts(self, key: str, default: tuple[str, ...] = (), *, longest: int = 200) -> tuple[str, ...]:
        """A list of different texts, none of them empty."""
        value = self._value(key, default, TEXTS)
        if value is default:
            return default
        if not isinstance(value, list | tuple):
            return self._wrong(key, value, TEXTS, ())
        if self._has_too_many(key, value):
            return ()
        for index, item in enumerate(value):
            at = f"{key}[{index}]"
            if isinstance(item, str) and len(item) > longest:
                self.complain(at, _too_long(item, longest))
            elif not isinstance(item, str):
                self._wrong(at, item, TEXT, None, NO_TEXT)
            elif not item.strip() or item != item.strip() or BREAKS.search(item):
                asked = message("Type a text of one line, without a space at its beginning or end.")
                self._wrong(at, item, asked, None, CHARACTERS)
            elif item in value[:index]:
                self.complain(at, message("“{text}” is listed twice. Remove one of them.", text=shown(item)))
        return tuple(item for item in value if isinstance(item, str))

    def table(self, key: str) -> "Reader":
        """The table under that key; an empty one when nothing is there."""
        return Reader(self._value(key, {}, TABLE), self.errors, self._at(key))

    def tables(self, key: str) -> list["Reader"]:
        """The list of tables under that key; an empty list when nothing is there."""
        value = self._value(key, [], TABLES)
        if not isinstance(value, list | tuple):
            return self._wrong(key, value, TABLES, [])
        if self._has_too_many(key, value):
            return []
        return [Reader(item, self.errors, f"{self._at(key)}[{index}]") for index, item in enumerate(value)]

    def refuse_unknown(self) -> None:
        """Complain about every field nobody asked for, with the nearest name that exists."""
        for key in self._data:
            if key in self._known:
                continue
            name = shown(str(key))
            self.complain(name, in_a_row([message("There is no field of this name."), nearest(name, self._known)]))

    def _has_too_many(self, key: str, value: Sized) -> bool:
        if len(value) <= MOST_ROWS:
            return False
        self.complain(key, message("This has too many entries; the most is {most}. Remove some.", most=MOST_ROWS))
        return True

    def _value(self, key: str, default: object, asked: Message, plain: Message | None = None) -> object:
        self._known.append(key)
        if key not in self._data:
            if default is REQUIRED and self._readable:
                self.complain(key, in_a_row([MISSING, asked]), plain)
            return default
        value = self._data[key]
        if value is None and default is not None:
            return self._wrong(key, value, asked, default, plain)
        return value

    def _wrong[Usable](
        self, key: str, value: object, asked: Message, instead: Usable, plain: Message | None = None
    ) -> Usable:
        self.complain(key, in_a_row([does_not_fit(value), asked]), plain)
        return instead

    def _at(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path and key else self.path or key


def one_of(options: Iterable[str]) -> Message:
    """What to do where a text must be one of these."""
    return message("Type one of these: {options}.", options=", ".join(map(repr, options)))


def not_while(field: str, value: str) -> Message:
    """That this can't be there while another field is so."""
    return message(
        "This can’t be here while {field} is {value}. Change that, or remove this.", field=field, value=value
    )


def nearest(name: str, known: Sequence[str]) -> Message:
    """The known name that is most like this one, as a question; all of them where none is."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return message("Did you mean {name}?", name=near[0])
    return message("Known are: {names}.", names=", ".join(known))


def does_not_fit(value: object) -> Message:
    """That this can't be the value of a field, as the file writes it."""
    if isinstance(value, Mapping):
        return message("A table doesn’t fit here.")
    if isinstance(value, list | tuple):
        return message("A list doesn’t fit here.")
    if isinstance(value, int) and value.bit_length() > 64:
        return message("A number of more than 19 digits doesn’t fit here.")
    if isinstance(value, bool) or value is None:
        return message("{value} doesn’t fit here.", value={True: "true", False: "false", None: "null"}[value])
    return message("{value} doesn’t fit here.", value=repr(value)[:60])


def _too_long(value: str, longest: int) -> Message:
    return nmessage(
        "This has {count} character; the most is {most}. Shorten it.",
        "This has {count} characters; the most is {most}. Shorten it.",
        len(value),
        most=longest,
    )
