"""The resources of organized play: when each was released and when it retires (rule 7.11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource by name, in play from its release until the first of the month it retires in."""

    name: str
    released: date
    retired: date


def _resource(name: str, released: str, retired: str) -> Resource:
    return Resource(name, date.fromisoformat(f"{released}-01"), date.fromisoformat(f"{retired}-01"))


RESOURCES = (
    _resource("Elite Attack Die", "2013-09", "2015-03"),
    _resource("Command Tokens", "2013-10", "2015-04"),
    _resource("Reinforcements Sideboard", "2013-11", "2015-05"),
    _resource("Flagship", "2013-12", "2015-06"),
    _resource("Hideki Class Attack Fighters", "2014-02", "2015-08"),
    _resource("Federation Attack Fighters", "2014-03", "2015-09"),
    _resource("Skilled Helmsman", "2014-04", "2015-10"),
    _resource("Chief Engineer", "2014-05", "2015-11"),
    _resource("Counter Attack Die", "2014-06", "2015-12"),
    _resource("Fleet Captain", "2014-07", "2016-01"),
    _resource("Officer Cards", "2014-08", "2016-02"),
    _resource("Improved Shields", "2014-09", "2016-03"),
    _resource("Advanced Targeting Systems", "2014-10", "2016-04"),
    _resource("High Yield Photon Torpedoes", "2014-11", "2016-05"),
    _resource("Officer Exchange Program", "2015-01", "2016-07"),
    _resource("Master Strategist Tokens", "2015-03", "2016-09"),
    _resource("Evasive Action Template", "2015-04", "2016-10"),
    _resource("Damage Control Team", "2015-05", "2016-11"),
    _resource("Ready Room", "2015-06", "2016-12"),
    _resource("Emergency Force Fields", "2015-07", "2017-01"),
    _resource("Condition Alert", "2015-08", "2017-02"),
    _resource("Sabotage", "2015-09", "2017-03"),
    _resource("Protocol", "2015-10", "2017-04"),
    _resource("Advanced Technology", "2015-11", "2017-05"),
    _resource("Main Power Grid", "2015-12", "2017-06"),
    _resource("Tactics", "2016-01", "2017-07"),
    _resource("Structural Damage Check", "2016-02", "2017-08"),
    _resource("General Orders", "2016-03", "2017-09"),
    _resource("Emergency Power", "2016-04", "2017-10"),
    _resource("Improved Hull", "2016-06", "2017-12"),
)

LATER = {
    "Intercepted Messages": date(2016, 7, 15),
    "Scan Cycle": date(2016, 9, 15),
    "Fleet Commander": date(2016, 10, 15),
    "Auxiliary Power": date(2016, 11, 15),
    "All Stop": date(2017, 1, 15),
    "Senior Staff": date(2017, 2, 15),
    "Mutiny": date(2017, 3, 15),
    "Co-Pilot": date(2017, 4, 15),
    "Captain's Chair": date(2017, 8, 25),
    "Front-Line Retrofit": date(2017, 10, 25),
}
"""Released after the list was printed, which names no day on which they retire."""

RULES: Mapping[str, tuple[str, ...]] = {
    "Emergency Force Fields": ("costs half of all shields",),
    "Improved Hull": ("costs half of all hull",),
    "Main Power Grid": ("costs 2 for each hull over 3",),
    "Senior Staff": ("extra talents for 1",),
    "Fleet Captain": ("no cost beside kind fleet captain",),
    "Hideki Class Attack Fighters": ("no cost beside class Hideki Class Attack Squadron",),
    "Federation Attack Fighters": ("no cost beside class Federation Attack Squadron",),
}
"""What resources cost beyond what is printed, in the words of `card_rules`. Officers are paid one by one."""


def is_called(title: str, *names: str) -> bool:
    """Whether a resource is one of these, also as "Reinforcement Sideboard", "Ready Room Card", "Protocol Resource"."""
    return any(_plain(title) == _plain(name) for name in names)


def _plain(title: str) -> str:
    words = title.casefold().split()
    while len(words) > 1 and words[-1] in ("card", "cards", "resource"):
        words.pop()
    return " ".join(word.removesuffix("s") for word in words)


def released_on(title: str) -> date | None:
    """The day from which a resource may be played; None for one that is in no list."""
    days = {resource.name: resource.released for resource in RESOURCES} | LATER
    return next((day for name, day in days.items() if is_called(title, name)), None)


def in_play(on: date) -> tuple[Resource, ...]:
    """Rule 7.11: the resources released by that day and not yet retired, oldest first."""
    return tuple(resource for resource in RESOURCES if resource.released <= on < resource.retired)
