"""The texts of cards that decide about fleets, in words that a person can type and a program can check.

    one per ship                            no second card of this title on the ship
    no captain                              the ship takes none
    only on CONDITION                       the ship must be such
    only under CONDITION                    the captain must be such
    adds tech 1, crew 2                     slots for the ship, of an elite talent for the captain
    costs 5 more unless on CONDITION        or "unless under CONDITION"
    weapon costs 1 less                     also "upgrade", "talent", "ship", one faction's "FED crew", "… on CONDITION"
    talent costs 3                          whatever is printed
    no penalty                              for itself; "no penalty on CONDITION"
    upgrade without penalty                 also "talent", "crew", … for the other cards of the ship

A condition is one or more of these, joined by "or" (all of a list joined by "and" first):

    faction FED    class Galaxy Class    class with Hirogen    title U.S.S. Voyager    hull up to 3    hull from 4
    skill up to 5
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fleets.domain.cards import FACTIONS, UPGRADES, Card, Kind

WHAT = "upgrade|ship|captain|talent|crew|tech|weapon|borg|squadron"


class UnknownRule(Exception):
    """The text is none of the rules above."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a ship or a captain must be; met when one of the alternatives is met in all its parts."""

    alternatives: tuple[tuple[tuple[str, str], ...], ...] = ()

    def holds(self, card: Card | None) -> bool:
        """Whether that ship or captain meets it; nobody meets only the empty condition."""
        if not self.alternatives:
            return True
        return card is not None and any(all(_is(card, *part) for part in parts) for parts in self.alternatives)

    def __str__(self) -> str:
        return " or ".join(" and ".join(_words(*part) for part in parts) for parts in self.alternatives)


@dataclass(frozen=True, slots=True)
class Selector:
    """Which cards of a ship a rule speaks of."""

    kinds: frozenset[Kind]
    faction: str = ""
    on: Condition = Condition()

    def takes(self, card: Card, ship: Card) -> bool:
        """Whether it speaks of this card on that ship."""
        return card.kind in self.kinds and (not self.faction or card.has_faction(self.faction)) and self.on.holds(ship)


@dataclass(frozen=True, slots=True)
class OnePerShip:
    """No second card of the same title on the ship."""


@dataclass(frozen=True, slots=True)
class NoCaptain:
    """The ship takes no captain."""


@dataclass(frozen=True, slots=True)
class Only:
    """The ship, or the captain, must be such."""

    of: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Adds:
    """Slots that the card brings."""

    slots: tuple[tuple[Kind, int], ...]


@dataclass(frozen=True, slots=True)
class CostsMore:
    """Additional SP for the card itself unless the ship, or the captain, is such."""

    points: int
    of: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class CostsLess:
    """SP off for cards of the ship."""

    points: int
    cards: Selector


@dataclass(frozen=True, slots=True)
class CostsExactly:
    """A printed cost for cards of the ship, whatever is printed on them."""

    points: int
    cards: Selector


@dataclass(frozen=True, slots=True)
class NoPenalty:
    """No faction penalty: for the card itself where `cards` is None, else for those cards of the ship."""

    on: Condition
    cards: Selector | None = None


type CardRule = OnePerShip | NoCaptain | Only | Adds | CostsMore | CostsLess | CostsExactly | NoPenalty


@lru_cache(maxsize=4096)
def read_rule(text: str) -> CardRule:
    """The rule that a text says. Raises UnknownRule."""
    for pattern, build in _PATTERNS:
        if match := re.fullmatch(pattern, text.strip()):
            return build(match)
    raise UnknownRule(f"“{text}” is no rule of a card")


def rules_of(card: Card) -> Iterator[CardRule]:
    """The rules of a card; every text of it must be one."""
    return (read_rule(text) for text in card.rules)


def _condition(text: str | None) -> Condition:
    if not text:
        return Condition()
    return Condition(tuple(tuple(_part(part) for part in one.split(" and ")) for one in text.split(" or ")))


def _part(text: str) -> tuple[str, str]:
    for what in ("faction", "class with", "class", "title", "hull up to", "hull from", "skill up to"):
        if text.startswith(f"{what} "):
            value = text.removeprefix(f"{what} ").strip()
            if what == "faction" and value not in FACTIONS:
                break
            if what.startswith(("hull", "skill")) and not value.isdecimal():
                break
            return what, value
    raise UnknownRule(f"“{text}” is nothing that a ship or a captain can be")


def _is(card: Card, what: str, value: str) -> bool:
    if what == "faction":
        return card.has_faction(value)
    if what == "class":
        return card.ship_class == value
    if what == "class with":
        return value in card.ship_class
    if what == "title":
        return card.title == value
    if what == "hull up to":
        return card.hull <= int(value)
    return card.hull >= int(value) if what == "hull from" else card.skill <= int(value)


def _words(what: str, value: str) -> str:
    if what == "faction":
        return FACTIONS[value]
    if what == "class":
        return value
    if what == "class with":
        return f"{value} class"
    if what == "title":
        return f"“{value}”"
    more = "more" if what == "hull from" else "less"
    return f"{'captain skill' if what == 'skill up to' else 'hull'} {value} or {more}"


def _selector(what: str, faction: str | None = None, on: str | None = None) -> Selector:
    if faction and faction not in FACTIONS:
        raise UnknownRule(f"“{faction}” is no faction")
    kinds = UPGRADES if what == "upgrade" else frozenset({Kind(what)})
    return Selector(kinds, faction or "", _condition(on))


def _slots(text: str) -> tuple[tuple[Kind, int], ...]:
    found = [part.split() for part in text.split(",")]
    return tuple((Kind(kind), int(number)) for kind, number in found)


_PATTERNS = (
    (r"one per ship", lambda m: OnePerShip()),
    (r"no captain", lambda m: NoCaptain()),
    (r"only (on|under) (.+)", lambda m: Only({"on": "ship", "under": "captain"}[m[1]], _condition(m[2]))),
    (rf"adds ((?:{WHAT}) \d+(?:, (?:{WHAT}) \d+)*)", lambda m: Adds(_slots(m[1]))),
    (
        r"costs (\d+) more unless (on|under) (.+)",
        lambda m: CostsMore(int(m[1]), {"on": "ship", "under": "captain"}[m[2]], _condition(m[3])),
    ),
    (
        rf"(?:([A-Z]+) )?({WHAT}) costs (\d+) less(?: on (.+))?",
        lambda m: CostsLess(int(m[3]), _selector(m[2], m[1], m[4])),
    ),
    (rf"({WHAT}) costs (\d+)", lambda m: CostsExactly(int(m[2]), _selector(m[1]))),
    (r"no penalty(?: on (.+))?", lambda m: NoPenalty(_condition(m[1]))),
    (rf"(?:([A-Z]+) )?({WHAT}) without penalty", lambda m: NoPenalty(Condition(), _selector(m[2], m[1]))),
)
