"""The words by which something is found: without capitals, accents and punctuation, in one column of its row."""

import re
from collections.abc import Sequence
from typing import Any

from django.db import models

from tourney.runtime.alphabet import NO_ACCENTS
from tourney.runtime.letters import plain

MOST = 400
"""Characters that count: an entry of an index has its limit, and one letter may be written as eighteen."""
WORD = re.compile(r"\w+")
APOSTROPHES = str.maketrans("", "", "'’‘`")


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared: "Zoë’s Café" is zoes and cafe."""
    small = text.translate(APOSTROPHES).casefold().translate(NO_ACCENTS)
    return WORD.findall(plain(small)[:MOST])


def joined_words(*texts: str) -> str:
    """The words of all these, as the column has them."""
    return " ".join(words_of(" ".join(texts)))


class FoundByField(models.TextField[str, str]):
    """The words of other columns, written with each row; a save of those columns alone names this one as well."""

    def __init__(self, *args: Any, of: Sequence[str] = (), **kwargs: Any) -> None:
        self.of = tuple(of)
        super().__init__(*args, **{"default": "", "editable": False, **kwargs})

    def deconstruct(self) -> Any:
        """To migrations this is any text: how it is made is no matter of the database."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs

    def clone(self) -> models.TextField[str, str]:  # type: ignore[override]  # on purpose none of its own kind
        """The column as migrations know it."""
        _, _, args, kwargs = self.deconstruct()
        return models.TextField(*args, **kwargs)

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """The words as the other columns have them now."""
        found = joined_words(*(getattr(model_instance, name) for name in self.of))
        setattr(model_instance, self.attname, found)
        return found
