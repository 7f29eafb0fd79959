"""What forms ask of fields and columns: choices that are known late, and how long a text may be."""

from typing import Any

from django import forms
from django.db.models import Model
from django.utils.functional import lazystr

from tourney.runtime.messages import Message, message


class WholeNumberInput(forms.NumberInput):
    """A field for a whole number of few digits, for which phones show digits."""

    def __init__(self) -> None:
        super().__init__(attrs={"inputmode": "numeric", "class": "number"})


class ConfirmationField(forms.CharField):
    """A word to type, which shows that somebody means it: in the reader's language, or in English."""

    widget = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"})

    def __init__(self, word: Message, **more: Any) -> None:
        self.word = word
        self.missing = message("Type “{word}” to confirm.", word=word)
        label = lazystr(message("Type “{word}”", word=word))
        super().__init__(label=label, max_length=40, error_messages={"required": lazystr(self.missing)}, **more)

    def clean(self, value: Any) -> str:
        """The word in English. Raises ValidationError for another one."""
        typed, word = super().clean(value).strip("“”„«»\"' ").casefold(), self.word.in_english()
        if typed not in (word.casefold(), str(self.word).casefold()):
            raise forms.ValidationError(str(self.missing))
        return word


MOST_DIGITS = 18
"""Of an id: every whole number of so many digits fits into a column."""


def id_in(text: str) -> int:
    """The id that was sent; 0, which no row has, for what is none. Those of a store that was moved may be long."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else 0


def choice_field(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """The field of that name, to offer other choices. Raises LookupError for one that offers none."""
    field = form.fields[name]
    if isinstance(field, forms.ChoiceField):
        return field
    raise LookupError(f"{name} offers no choices")


def choices_of(form: forms.BaseForm, name: str) -> list[tuple[str, str]]:
    """What the field of that name offers, as (value, label). Raises LookupError where it offers nothing."""
    offered: Any = choice_field(form, name).choices  # the stubs name all it can be set to; what it gives are pairs
    return [(value, label) for value, label in offered]


def longest(model: type[Model], column: str) -> int:
    """How many characters a text column takes. Raises LookupError for another column."""
    length = getattr(model._meta.get_field(column), "max_length", None)
    if isinstance(length, int):
        return length
    raise LookupError(f"{column} is no text of a limited length")


def sentences_of(form: forms.BaseForm) -> list[str]:
    """Everything that is missing or wrong in the form, as sentences."""
    return [str(sentence) for errors in form.errors.values() for sentence in errors]
