"""In which language a reader is answered, and messages in Django's words."""

from collections.abc import Mapping
from functools import lru_cache

from django.http import HttpRequest
from django.utils import translation

from tourney.runtime import messages


def language_of(cookies: Mapping[str, str], accepted: str) -> str:
    """The code of the language that Django's own middleware takes: what was chosen, else what the browser asks for.

    `accepted` is the header Accept-Language.
    """
    request = HttpRequest()
    request.COOKIES, request.META = dict(cookies), {"HTTP_ACCEPT_LANGUAGE": accepted}
    return translation.get_language_from_request(request)


@lru_cache(maxsize=3000)
def sentence_of(message: str, language: str | None) -> str:
    """The sentence in that language, which is the one that is active: looked up once, not for each row."""
    return translation.gettext(message)


class _Django:
    """The sentences of the language that this thread has active."""

    def gettext(self, message: str, /) -> str:
        return sentence_of(message, translation.get_language())

    def pgettext(self, context: str, message: str, /) -> str:
        return translation.pgettext(context, message)

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return translation.ngettext(singular, plural, number)


def speak_as_django() -> None:
    """From now on messages are said in the language that Django has active."""
    messages.speak(_Django())
