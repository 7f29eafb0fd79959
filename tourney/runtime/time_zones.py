"""Time zones (IANA) by what people type: a zone's name, a city, or a country, in any language that pages speak.

The cities are those that zones are named after, and what CLDR calls them; the countries and their zones are CLDR's.
"""

import re
import zoneinfo
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from babel import Locale
from babel.core import get_global
from django.conf import settings
from django.utils.translation import to_locale

from tourney.runtime.letters import plain


@cache
def time_zones() -> tuple[str, ...]:
    """The time zones that are places, and UTC: what is offered, not all that is accepted."""
    return (
        "UTC",
        *sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone and zone[:4] != "Etc/"),
    )


def zones_called(typed: str) -> tuple[str, ...]:
    """The time zones that may be meant, A–Z: one, several to choose from, or none. A zone's own name is that zone."""
    if typed in zoneinfo.available_timezones():
        return (typed,)
    words = _words(typed)
    return next((found for names in (_zones(), _cities(), _countries()) if (found := names.get(words))), ())


def _words(text: str) -> str:
    """As it is compared: without capitals, accents, dots and underscores."""
    return " ".join(re.findall(r"\w+", plain(text.replace("’", "").replace("'", "").replace("_", " "))))


@cache
def _zones() -> dict[str, tuple[str, ...]]:
    return {_words(zone): (zone,) for zone in time_zones()}


@cache
def _cities() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for zone in time_zones():
        found[_words(zone.rpartition("/")[2])].add(_of_today(zone))
    for locale in _locales():
        for zone, names in locale.time_zones.items():
            if city := names.get("city"):
                found[_words(city)].add(_of_today(zone))
    return _offered(found)


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    of_country = get_global("territory_zones")
    for locale in _locales():
        for code, name in locale.territories.items():
            found[_words(name)] |= {_of_today(zone) for zone in of_country.get(code, ())}
    return _offered(found)


def _locales() -> Iterator[Locale]:
    return (Locale.parse(to_locale(code)) for code, _ in settings.LANGUAGES)


def _of_today(zone: str) -> str:
    """The name that a zone has now: Asia/Kolkata for Asia/Calcutta."""
    return str(get_global("zone_aliases").get(zone, zone))


def _offered(found: dict[str, set[str]]) -> dict[str, tuple[str, ...]]:
    known = zoneinfo.available_timezones()
    return {words: tuple(sorted(zones & known)) for words, zones in found.items() if words}
