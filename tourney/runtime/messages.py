"""Sentences as values: rules and actions say what they mean, and whoever shows it says it in the reader's language.

    message("{name} is checked in.", name="Lark")
    nmessage("{count} table is playing.", "{count} tables are playing.", 3)
    pmessage("two players", "tied")

The English sentence is its id in the catalogue (locale/), which `manage.py makemessages` collects by these three names.
Parameters are named and in braces, and are facts, other messages, or lists of both: never halves of a sentence.
`str()` of a message is the sentence in the language of now.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from string import Formatter
from typing import Any, Protocol, Self

type Param = str | int | Message | Sequence[str | int | Message]
"""What stands in a sentence: a name, a number, another message, or several that are listed."""


class Translator(Protocol):
    """What knows the sentences of the language of now; the functions are those of GNU gettext."""

    def gettext(self, message: str, /) -> str:
        """The sentence."""
        ...

    def pgettext(self, context: str, message: str, /) -> str:
        """The sentence in that meaning."""
        ...

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """The form that goes with the number."""
        ...


class English:
    """The sentences as they are written in the code."""

    def gettext(self, message: str, /) -> str:
        """The sentence itself."""
        return message

    def pgettext(self, context: str, message: str, /) -> str:
        """The sentence itself."""
        return message

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """The first where the number is 1."""
        return singular if number == 1 else plural


ENGLISH = English()


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence of the catalogue with its parameters; `plural` goes with a `count`, `context` says which meaning."""

    id: str
    params: Mapping[str, Param] = field(default_factory=dict)
    plural: str = ""
    context: str = ""

    def __str__(self) -> str:
        return self.said_by(_translator)

    def in_english(self) -> str:
        """The sentence as it is written in the code, whatever the language of now is."""
        return self.said_by(ENGLISH)

    def said_by(self, translator: Translator) -> str:
        """The sentence as that translator says it."""
        if self.plural:
            count = self.params["count"]
            pattern = translator.ngettext(self.id, self.plural, count if isinstance(count, int) else 0)
        elif self.context:
            pattern = translator.pgettext(self.context, self.id)
        else:
            pattern = translator.gettext(self.id)
        if not self.params:
            return pattern
        facts = {  # most parameters are a name or a number, and are their own words
            name: value
            if value.__class__ is str or (isinstance(value, int) and value >= 0)
            else said(value, translator)
            for name, value in self.params.items()
        }
        return pattern.format_map(facts)

    def __hash__(self) -> int:
        return hash((self.id, self.context, tuple(sorted((name, repr(value)) for name, value in self.params.items()))))

    def as_data(self) -> dict[str, Any]:
        """As JSON can keep it; `from_data` reads it."""
        data: dict[str, Any] = {"id": self.id}
        data |= {name: value for name, value in (("plural", self.plural), ("context", self.context)) if value}
        if self.params:
            data["with"] = {name: _kept(value) for name, value in self.params.items()}
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Message":
        """What `as_data` wrote. Raises LookupError, TypeError or ValueError where no sentence comes of it."""
        params = {str(name): _read(value) for name, value in data.get("with", {}).items()}
        texts = [data["id"], data.get("plural", ""), data.get("context", "")]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("id, plural and context of a message are texts")
        if not texts[0]:
            raise ValueError("a message has an id")
        read = cls(texts[0], params, texts[1], texts[2])
        if read.plural and not isinstance(params["count"], int):
            raise TypeError("the count of a message is a whole number")
        for pattern in filter(None, (read.id, read.plural)):
            _check(pattern, params)
        return read


class Printed(str):
    """A text of data, as the name of a bonus in a month pack: for programs what was written, for readers a translation.

    Programs compare and keep it as the text it is; `str()`, templates and sentences say it in the reader's language if
    it is written in English and the catalogue knows it. `language` is the code of the one it is written in.
    """

    __slots__ = ("begins", "language")

    language: str
    begins: bool

    def __new__(cls, text: str, language: str = "en", begins: bool = False) -> Self:
        """The text; with `begins` it is shown as it begins a sentence, with its first letter large."""
        made = super().__new__(cls, text)
        made.language, made.begins = language, begins
        return made

    def __str__(self) -> str:
        return self.said_by(_translator)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __html__(self) -> str:
        return escape(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Printed, (self.as_written, self.language, self.begins)

    @property
    def as_written(self) -> str:
        """The text itself, whoever reads."""
        return super().__str__()

    def said_by(self, translator: Translator) -> str:
        """As that translator says it."""
        text = translator.gettext(self.as_written) if self and self.language == "en" else self.as_written
        return text[:1].upper() + text[1:] if self.begins else text


def message(id: str, /, **params: Param) -> Message:
    """A sentence with its parameters."""
    return Message(id, params)


def nmessage(singular: str, plural: str, count: int, /, **params: Param) -> Message:
    """A sentence that differs with a number, which stands in it as {count}."""
    return Message(singular, {"count": count, **params}, plural)


def pmessage(context: str, id: str, /, **params: Param) -> Message:
    """A sentence, or often a word, that means several things in English: `context` says which."""
    return Message(id, params, context=context)


def in_a_row(sentences: Iterable[Param]) -> Message:
    """Whole sentences one after another. No catalogue has anything to say of the spaces between them."""
    params = {f"s{number}": sentence for number, sentence in enumerate(sentences, start=1)}
    return Message(" ".join(f"{{{name}}}" for name in params), params)


def said(value: Param, translator: Translator | None = None) -> str:
    """A parameter as it stands in a sentence: a list is "Lark, Onyx and Quill"."""
    translator = translator or _translator
    if isinstance(value, Message | Printed):
        return value.said_by(translator)
    if isinstance(value, str | int):
        return str(minus(value))
    *most, last = (said(one, translator) for one in value) if value else ("",)
    if not most:
        return last
    all_but_last = most[0]
    for one in most[1:]:
        all_but_last = pmessage("a list", "{some}, {one}", some=all_but_last, one=one).said_by(translator)
    return pmessage("a list", "{some} and {last}", some=all_but_last, last=last).said_by(translator)


def minus[T](value: T) -> T | str:
    """A number below zero as people write it, “−2” with a real minus; anything else is left as it is."""
    return str(value).replace("-", "−") if isinstance(value, int) and value < 0 else value


def in_english(value: Param) -> str:
    """The same in English, whatever the language of now: for what is compared, and what programs read."""
    return said(value, ENGLISH)


def kept_message(data: Any, otherwise: str) -> str | Message:
    """The message that a row keeps as data; that text where it keeps none, or what is none."""
    try:
        return Message.from_data(data) if data is not None else otherwise
    except (LookupError, TypeError, ValueError, AttributeError):
        return otherwise


def _kept(value: Param) -> object:
    if isinstance(value, Message):
        return value.as_data()
    if isinstance(value, Printed):
        is_said = value.language == "en" and not {"{", "}"} & {*value}
        return {"id": value.as_written} if is_said and value else value.as_written
    return value if isinstance(value, str | int) else [_kept(one) for one in value]


def _read(value: object) -> Any:
    if isinstance(value, Mapping):
        return Message.from_data(value)
    if isinstance(value, list):
        return tuple(_read(one) for one in value)
    if isinstance(value, str | int):
        return value
    raise TypeError("a parameter of a message is a text, a whole number, a message or a list")


def _check(pattern: str, params: Mapping[str, Param]) -> None:
    """Raise ValueError for a pattern that asks for more than a parameter as it is: it may come from a stranger's file.

    Raises KeyError for a parameter that is not there.
    """
    for _, name, spec, conversion in Formatter().parse(pattern):
        if name is not None and (spec or conversion or not name.isidentifier()):
            raise ValueError(f"{name!r} is no parameter")
        if name is not None and name not in params:
            raise KeyError(name)


_translator: Translator = ENGLISH


def speak(translator: Translator) -> None:
    """From now on, sentences come from there."""
    global _translator
    _translator = translator
