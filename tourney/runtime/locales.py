"""How a store writes days and times, and on which paper it prints: by the locale (CLDR) that is its own.

    activate("en_US")
    written(moment, "day, time")  # Nov 20, 2026, 6:05 PM

Words are those of the reader's language; 12 or 24 hours are the store's habit whoever reads.
"""

import re
from contextvars import ContextVar
from datetime import date, datetime
from functools import lru_cache

from babel import Locale
from babel.dates import format_date, format_skeleton, format_time
from babel.numbers import get_territory_currencies
from django.conf import settings
from django.utils import translation
from django.utils.timezone import is_aware, localtime
from django.utils.translation.trans_real import parse_accept_lang_header

USUAL = "en_GB"
OFFERED = tuple(
    "en_US en_GB en_AU en_CA en_IE en_NZ en_ZA de_DE de_AT de_CH fr_FR fr_BE fr_CA fr_CH es_ES es_AR es_CL es_CO es_MX "
    "pt_BR pt_PT".split()
)
"""The locales a store may have."""
OF_LANGUAGES = {"en": USUAL, "de": "de_DE", "fr": "fr_FR", "es": "es_ES", "pt-br": "pt_BR"}
"""How somebody reads who reads another language than the store's."""
LETTER_PAPER = frozenset("BZ CA CL CO CR GT MX NI PA PH PR SV US VE".split())
"""The countries whose printers hold US Letter, by CLDR."""
OF_ZONES = {
    "America/Sao_Paulo": "pt_BR",
    "America/Toronto": "en_CA",
    "America/Vancouver": "en_CA",
    "Europe/Berlin": "de_DE",
    "Europe/Paris": "fr_FR",
    "Europe/Madrid": "es_ES",
    "Pacific/Auckland": "en_NZ",
}
OF_CONTINENTS = {"America/": "en_US", "US/": "en_US", "Canada/": "en_CA", "Australia/": "en_AU"}

PLAIN = {"day": "medium", "long day": "long", "full day": "full"}
SKELETONS = {"short day": "MMMd", "month": "yMMMM", "short month": "MMM"}
YEAR = re.compile(r"[ ,]*('de' )?y$")
"""How the patterns of full days end."""
CLOCKS = {"time": "short", "seconds": "medium"}

_active: ContextVar[str] = ContextVar("locale", default=USUAL)


def activate(locale: str) -> None:
    """From now on this request is that store's."""
    _active.set(locale if locale in OFFERED else USUAL)


def active() -> str:
    """The locale of the store whose request this is, as CLDR writes it: en_US."""
    return _active.get()


def written(moment: date, form: str) -> str:
    """A day or moment as the active store writes it, in the reader's language.

    `form` names parts, separated by a comma and a blank: time, seconds, day, short day, long day, full day (with its
    weekday), weekday (and the day without the year), month, short month. Raises KeyError for another.
    """
    if isinstance(moment, datetime) and is_aware(moment):
        moment = localtime(moment).replace(tzinfo=None)
    language = translation.get_language()
    return ", ".join(_part(moment, part, active(), language) for part in form.split(", ")).replace("\u202f", "\u00a0")


def of_reader() -> str:
    """The locale of what is written now: the reader's language, at the active store where it speaks that."""
    return _of_reader(active(), translation.get_language())


def currency_at(locale: str) -> str:
    """The code of the currency of that country: USD."""
    return get_territory_currencies(locale.rpartition("_")[2])[0]


def weekdays() -> list[str]:
    """The days of the week, from Monday, in the reader's language."""
    names = _locale(_of_reader(active(), translation.get_language())).days["stand-alone"]["wide"]
    return [names[day] for day in range(7)]


def _part(moment: date, part: str, store: str, language: str) -> str:
    own, reader = _locale(store), _locale(_of_reader(store, language))
    if part in CLOCKS and isinstance(moment, datetime):
        return format_time(moment, own.time_formats[CLOCKS[part]].pattern, locale=reader)
    if part in PLAIN:
        return format_date(moment, PLAIN[part], locale=reader)
    if part == "weekday":
        return format_date(moment, YEAR.sub("", reader.date_formats["full"].pattern), locale=reader)
    return format_skeleton(SKELETONS[part], moment, locale=reader)


def _of_reader(store: str, language: str) -> str:
    """The store's own where it speaks that language."""
    return store if store.split("_")[0] == language.split("-")[0] else OF_LANGUAGES.get(language, store)


@lru_cache(maxsize=50)
def _locale(name: str) -> Locale:
    return Locale.parse(name)


def choices() -> list[tuple[str, str]]:
    """(locale, its own name) of all that a store may have: Deutsch (Österreich)."""
    return [(name, _locale(name).get_display_name(name) or name) for name in OFFERED]


def language_at(locale: str) -> str:
    """The code of the language that screens and paper of such a store speak, as Django writes it."""
    codes = (locale.replace("_", "-").lower(), locale.split("_")[0])
    return next((code for code in codes if code in dict(settings.LANGUAGES)), "en")


def paper_at(locale: str) -> str:
    """The paper that printers hold there: letter or a4."""
    return "letter" if locale.rpartition("_")[2] in LETTER_PAPER else "a4"


def locale_in(time_zone: str) -> str:
    """A guess, for a store of which only the time zone is known."""
    of_continent = next((locale for start, locale in OF_CONTINENTS.items() if time_zone.startswith(start)), USUAL)
    return OF_ZONES.get(time_zone, of_continent)


def locale_asked_for(accepted: str, time_zone: str) -> str:
    """A guess by what a browser accepts (the header Accept-Language), else by the time zone.

    Where the country is none of those offered, the language is that of the time zone's own locale if it can be, or else
    of the first that speaks it.
    """
    there = locale_in(time_zone)
    for asked, _ in parse_accept_lang_header(accepted.lower()):
        language, _, country = asked.partition("-")
        if (name := f"{language}_{country.upper()}") in OFFERED:
            return name
        if own := [name for name in OFFERED if name.startswith(f"{language}_")]:
            return there if there in own else own[0]
    return there
