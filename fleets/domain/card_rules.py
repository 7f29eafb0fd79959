"""The texts of cards that decide about fleets, in words that a person can type and a program can check.

    one per ship                            no second card of this title on the ship
    no captain                              the ship takes none
    only on CONDITION                       the ship must be such
    only under CONDITION                    the captain must be such
    not with CONDITION                      no other card of the fleet may be such
    adds tech 1, crew 2                     slots for the ship, of an elite talent for the captain
    talents only CONDITION                  the elite talents in the slots of this card must be such
    costs 5 more unless on CONDITION        or "unless under CONDITION"
    costs attack plus 1                     the attack of its ship instead of what is printed; also "costs attack"
    CARDS costs 1 less                      "… on CONDITION"; "one CARDS costs 2 less" for the dearest of them alone
    talent costs 3                          whatever is printed
    no penalty                              for itself; "no penalty on CONDITION"
    CARDS without penalty                   for the other cards of the ship; "CARDS with double penalty"

CARDS are those of the ship that the card is on: "upgrade", "talent", "crew", "ship" and the other kinds; those of one
faction "FED crew", of all but one "non-BOR tech"; "weapon up to 5 SP" as printed; or "title Quill".

A resource looks at the whole fleet:

    costs half of all hull                  rounded up; also "shields"
    costs 2 for each hull over 3            hull points of the ship it is assigned to; without one, ships with more
    extra talents for 1                     one more elite talent on a ship for each of its crew, each for so many SP
    no cost beside CONDITION                nothing where a card of the fleet is such: its cost is printed there

A condition is one or more of these, joined by "or" (all of a list joined by "and" first), each also behind "not":

    faction FED    class Galaxy Class    class with Hirogen    title U.S.S. Voyager    title with Tholian
    kind fleet captain    hull up to 3    hull from 4    attack up to 3    skill up to 5
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fleets.domain.cards import FACTIONS, UPGRADES, Card, CardKind

WHAT = "upgrade|ship|captain|talent|crew|tech|weapon|borg|squadron"
NUMBER, SLOTS = "[0-9]{1,3}", "[0-9]{1,2}"
"""How a rule writes SP, hull and the like, and a number of slots: what could not stand on a card is no rule."""
CARDS = (
    rf"(?:(?P<non>non-)?(?P<faction>[A-Z]+) )?(?P<what>{WHAT})(?: up to (?P<most>{NUMBER}) SP)?|title (?P<title>.+?)"
)
TEXTS = ("faction", "class with", "class", "title with", "title", "kind")
NUMBERS = ("hull up to", "hull from", "attack up to", "skill up to")


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
    """Which cards of a ship a rule speaks of; `most` is the highest printed cost."""

    kinds: frozenset[CardKind]
    faction: str = ""
    without: str = ""
    title: str = ""
    most: int | None = None
    on: Condition = Condition()

    def takes(self, card: Card, ship: Card) -> bool:
        """Whether it speaks of this card on that ship."""
        return (
            card.kind in self.kinds
            and (not self.faction or card.has_faction(self.faction))
            and not card.has_faction(self.without)
            and self.title in ("", card.title)
            and (self.most is None or card.cost <= self.most)
            and self.on.holds(ship)
        )


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
class NotWith:
    """No other card of the fleet may be such."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class TalentsOnly:
    """The elite talents in the slots of this card must be such."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Adds:
    """Slots that the card brings."""

    slots: tuple[tuple[CardKind, int], ...]


@dataclass(frozen=True, slots=True)
class CostsMore:
    """Additional SP for the card itself unless the ship, or the captain, is such."""

    points: int
    of: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class CostsAttack:
    """The ship's attack and so many SP more, instead of what is printed on the card itself."""

    more: int


@dataclass(frozen=True, slots=True)
class CostsLess:
    """SP off for cards of the ship, or for the dearest of them alone."""

    points: int
    cards: Selector
    only_one: bool = False


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


@dataclass(frozen=True, slots=True)
class DoublePenalty:
    """Those cards of the ship pay the faction penalty twice."""

    cards: Selector


@dataclass(frozen=True, slots=True)
class CostsHalf:
    """A resource for half of all "hull" or "shields" of the fleet, rounded up."""

    of: str


@dataclass(frozen=True, slots=True)
class CostsPerHull:
    """A resource for so many SP per hull point over a number on its ship; or per ship with more, of a fleet."""

    points: int
    over: int


@dataclass(frozen=True, slots=True)
class ExtraTalents:
    """A resource that lets a ship have one more elite talent for each of its crew, each for so many SP."""

    points: int


@dataclass(frozen=True, slots=True)
class NoCostBeside:
    """A resource whose cost is printed on a card of the fleet that is such."""

    condition: Condition


type RuleOfUpgrade = Adds | CostsAttack | CostsExactly | CostsLess | CostsMore | NoPenalty | NotWith | OnePerShip | Only
type RuleOfShip = DoublePenalty | NoCaptain | TalentsOnly
type RuleOfResource = CostsHalf | CostsPerHull | ExtraTalents | NoCostBeside
type CardRule = RuleOfUpgrade | RuleOfShip | RuleOfResource


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
    if text.startswith("not "):
        what, value = _part(text.removeprefix("not "))
        return f"not {what}", value
    for what in (*TEXTS, *NUMBERS):
        value = text.removeprefix(f"{what} ").strip()
        if text.startswith(f"{what} ") and _can_be(what, value):
            return what, value
    raise UnknownRule(f"“{text}” is nothing that a card can be")


def _can_be(what: str, value: str) -> bool:
    if what == "faction":
        return value in FACTIONS
    if what == "kind":
        return value in set(CardKind)
    return what in TEXTS or bool(re.fullmatch(NUMBER, value))


def _is(card: Card, what: str, value: str) -> bool:
    if what.startswith("not "):
        return not _is(card, what.removeprefix("not "), value)
    if what == "faction":
        return card.has_faction(value)
    if what in NUMBERS:
        number: int = getattr(card, what.split()[0])
        return number >= int(value) if what.endswith("from") else number <= int(value)
    text = {"class": card.ship_class, "title": card.title, "kind": card.kind.value}[what.split()[0]]
    return value in text if what.endswith("with") else value == text


def _words(what: str, value: str) -> str:
    if what.startswith("not "):
        return f"not {_words(what.removeprefix('not '), value)}"
    if what in NUMBERS:
        name = "captain skill" if what.startswith("skill") else what.split()[0]
        return f"{name} {value} or {'more' if what.endswith('from') else 'less'}"
    return {
        "faction": FACTIONS.get(value, value),
        "class with": f"{value} class",
        "title": f"“{value}”",
        "title with": f"a title with “{value}”",
    }.get(what, value)


def _selector(match: re.Match[str], on: str | None = None) -> Selector:
    faction = match["faction"] or ""
    if faction and faction not in FACTIONS:
        raise UnknownRule(f"“{faction}” is no faction")
    kinds = (
        frozenset(CardKind) if match["title"] else UPGRADES if match["what"] == "upgrade" else {CardKind(match["what"])}
    )
    return Selector(
        frozenset(kinds),
        faction="" if match["non"] else faction,
        without=faction if match["non"] else "",
        title=match["title"] or "",
        most=int(match["most"]) if match["most"] else None,
        on=_condition(on),
    )


def _slots(text: str) -> tuple[tuple[CardKind, int], ...]:
    found = [part.split() for part in text.split(",")]
    return tuple((CardKind(kind), int(number)) for kind, number in found)


_WHO = {"on": "ship", "under": "captain"}
_PATTERNS = (
    (r"one per ship", lambda m: OnePerShip()),
    (r"no captain", lambda m: NoCaptain()),
    (r"only (on|under) (.+)", lambda m: Only(_WHO[m[1]], _condition(m[2]))),
    (r"not with (.+)", lambda m: NotWith(_condition(m[1]))),
    (r"talents only (.+)", lambda m: TalentsOnly(_condition(m[1]))),
    (rf"adds ((?:{WHAT}) {SLOTS}(?:, (?:{WHAT}) {SLOTS})*)", lambda m: Adds(_slots(m[1]))),
    (
        rf"costs ({NUMBER}) more unless (on|under) (.+)",
        lambda m: CostsMore(int(m[1]), _WHO[m[2]], _condition(m[3])),
    ),
    (rf"costs attack(?: plus ({NUMBER}))?", lambda m: CostsAttack(int(m[1] or 0))),
    (
        rf"(?P<one>one )?(?:{CARDS}) costs (?P<points>{NUMBER}) less(?: on (?P<on>.+))?",
        lambda m: CostsLess(int(m["points"]), _selector(m, m["on"]), only_one=bool(m["one"])),
    ),
    (rf"(?:{CARDS}) costs (?P<points>{NUMBER})", lambda m: CostsExactly(int(m["points"]), _selector(m))),
    (r"no penalty(?: on (.+))?", lambda m: NoPenalty(_condition(m[1]))),
    (rf"(?:{CARDS}) without penalty", lambda m: NoPenalty(Condition(), _selector(m))),
    (rf"(?:{CARDS}) with double penalty", lambda m: DoublePenalty(_selector(m))),
    (r"costs half of all (hull|shields)", lambda m: CostsHalf(m[1])),
    (rf"costs ({NUMBER}) for each hull over ({NUMBER})", lambda m: CostsPerHull(int(m[1]), int(m[2]))),
    (rf"extra talents for ({NUMBER})", lambda m: ExtraTalents(int(m[1]))),
    (r"no cost beside (.+)", lambda m: NoCostBeside(_condition(m[1]))),
)
