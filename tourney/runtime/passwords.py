"""How passwords are kept, and which are refused because they are easily guessed."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.db.models import Manager, Model

from tourney.runtime.messages import Message, message

FEW = 8
"""So many digits and signs do not make a word hard to guess: “quill2026!”."""
SHORT = 3
"""A name of fewer letters says nothing about a password that has them."""
NO_LETTER = re.compile(r"[\W\d_]+")
START, END = re.compile(r"^[\W\d_]+"), re.compile(r"[\W\d_]+$")
LEET = str.maketrans("01345789@$!|", "oleastbgasil")
OWN_NAME = message("This password is your sign-in name with little added. Try three or four random words.")
STORES_NAME = message("This password is the store’s name with little added. Try three or four random words.")
COMMON_WORD = message("This password is a common word with little added. Try three or four random words.")


class Argon2(Argon2PasswordHasher):
    """Argon2id with 64 MiB, three passes and one lane: above what OWASP asks for, the memory and passes of RFC 9106.

    One lane takes one core for the time of a hash; the others answer pages.
    """

    time_cost = 3
    memory_cost = 64 * 1024  # KiB
    parallelism = 1


class SigningIn(Protocol):
    """Who wants a password, as far as it is asked here: a `tourney.models.User`."""

    pk: Any
    store_names: Sequence[str]
    memberships: Manager[Model]

    def get_username(self) -> str:
        """The sign-in name."""


class NotAWordWithDigits:
    """Refuses the sign-in name, the name of a store or a common word, with a few digits or signs about it.

    The stores are those of the user, and those that a form names in `user.store_names`.
    """

    def __init__(self) -> None:
        self.common = CommonPasswordValidator()

    def validate(self, password: str, user: SigningIn | None = None) -> None:
        """Raises ValidationError with a sentence that says which of them it is."""
        words = set(_words_in(password))
        for sentence, name in _names_of(user):
            if any(_is_only(name, word) for word in words):
                raise ValidationError(str(sentence), code="password_is_a_name")
        is_said = password.lower().strip() in self.common.passwords  # by Django's own
        if not is_said and any(word in self.common.passwords for word in words):
            raise ValidationError(str(COMMON_WORD), code="password_is_a_word")

    def get_help_text(self) -> str:
        """One sentence for the page."""
        return str(message("Not your name or a common word with a few digits."))


def _words_in(password: str) -> Iterator[str]:
    """The letters of the password, also as “qu1ll” means them; nothing if there is much beside them."""
    plain = unicodedata.normalize("NFKC", password).casefold()
    ended = END.sub("", plain)
    for text in (plain, ended.translate(LEET), START.sub("", ended).translate(LEET)):
        letters = NO_LETTER.sub("", text)
        if letters and len(plain) - len(letters) <= FEW:
            yield letters


def _names_of(user: SigningIn | None) -> Iterator[tuple[Message, str]]:
    """What is said of a password that is such a name, and its letters."""
    if user is None:
        return
    stores = list(user.store_names)
    if user.pk:
        stores += user.memberships.values_list("store__name", flat=True)
    for sentence, name in ((OWN_NAME, user.get_username()), *((STORES_NAME, name) for name in stores)):
        plain = unicodedata.normalize("NFKC", name).casefold()
        for letters in {NO_LETTER.sub("", plain), NO_LETTER.sub("", plain.partition("@")[0])}:
            if len(letters) >= SHORT:
                yield sentence, letters


def _is_only(name: str, word: str) -> bool:
    """Whether the word is that name, once or repeated."""
    return not word.replace(name, "")
