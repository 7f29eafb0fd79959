"""The texts of cards that decide about fleets, in words that a person can type and a program can check.

    one per ship                            no second card of this title on the ship
    no captain, no admiral                  the ship takes none
    needs no captain                        the ship may go without one
    second captain                          the ship may have two
    only on CONDITION                       the ship must be such
    only under CONDITION                    the captain must be such
    only in a fleet with CONDITION          another card of the fleet must be such
    not with CONDITION                      no other card of the fleet may be such
    crew only CONDITION                     every card of that kind on the ship must be such
    adds tech 1, crew 2                     slots for the ship, of an elite talent for the captain
    adds talent 1 for CONDITION             slots for such cards alone
    adds talent 1 or one free talent        where the captain has a talent icon, the slot or no cost of one talent
    talents only CONDITION                  the elite talents in the slots of this card must be such
    needs no slot                           also "needs no slot under CONDITION"
    takes borg 1, weapon 1                  the slots that it fills, instead of one of its kind
    fits crew, tech, weapon                 the slots that it may fill, instead of its kind alone
    turns 1 crew, tech into weapon          so many slots may be of another kind; "any" for all of them
    hides 2 CARDS                           so many cards face down under this one, without cost and without a slot
    gives faction IND                       the ship is of that faction, too
    talent of any faction                   what such cards ask of the faction of ship and captain does not count
    costs 5 more unless on CONDITION        or "unless under CONDITION"
    costs attack plus 1                     the attack of its ship instead of what is printed; also "costs attack"
    CARDS costs 1 less                      "one CARDS costs 2 less", "3 CARDS costs 1 less" for the dearest alone
    talent costs 3                          whatever is printed; "one CARDS costs 3" for the dearest alone
    no penalty                              for itself
    CARDS without penalty                   for the other cards of the ship; "CARDS with double penalty"
    not checked: TEXT                       what the card says beyond that, as a person has to check it

Behind a rule of cost, of slots or about penalties may stand "on CONDITION", "under CONDITION", "beside CONDITION"
(another card of the ship) or "in a fleet with CONDITION"; behind a discount "to at least 1" and "for all ships" too.

CARDS are those of the ship that the card is on: "upgrade", "talent", "crew", "ship" and the other kinds; those of one
faction "FED crew", all but one "non-BOR tech"; "weapon up to 5 SP" as printed; "tech for any ship"; "title Quill".

A resource looks at the whole fleet:

    costs half of all hull                  rounded up; also "shields"
    costs 2 for each hull over 3            hull points of the ship it is assigned to; without one, ships with more
    extra talents for 1                     one more elite talent on a ship for each of its crew, each for so many SP
    no cost beside CONDITION                nothing where a card of the fleet is such: its cost is printed there
    sideboard of 20 SP                      cards beside the ships, one of a kind, so many SP in all, without cost

A condition is one or more of these, joined by "or" (all of a list joined by "and" first), each also behind "not":

    faction FED    class Galaxy Class    class with Hirogen    title U.S.S. Voyager    title with Tholian
    kind fleet captain    hull up to 3    hull from 4    attack up to 3    skill from 5    cost up to 4
    talents from 1
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from fleets.domain.cards import FACTIONS, KIND_WORDS, UPGRADES, Card, CardKind
from tourney.runtime.bounds import shown
from tourney.runtime.messages import Message, message, pmessage

WHAT = "upgrade|ship|captain|talent|crew|tech|weapon|borg|squadron"
NUMBER, SLOTS = "[0-9]{1,3}", "[0-9]{1,2}"
"""How a rule writes SP, hull and the like, and a number of slots: what could not stand on a card is no rule."""
CARDS = (
    rf"(?:(?P<non>non-)?(?P<faction>[A-Z]+) )?(?P<what>{WHAT})(?: up to (?P<most>{NUMBER}) SP)?"
    r"(?P<plain> for any ship)?|title (?P<title>.+?)"
)
HOW_MANY = r"(?:(?P<number>one|[2-9]) )?"
WHERE = r"(?: (?P<where>on|under|beside|in a fleet with) (?P<such>.+?))?"
TEXTS = ("faction", "class with", "class", "title with", "title", "kind")
NUMBERS = tuple(f"{name} {way}" for name in ("hull", "attack", "skill", "cost", "talents") for way in ("up to", "from"))
NOT_CHECKED = "not checked: "
OF_SPECIAL = "its rule “{}”"
"""What is left to a person of a card with a rule of Space Dock that nobody has read, as it is stored."""
IN_NUMBERS = {
    "hull up to": message("hull {number} or less", number=0),
    "hull from": message("hull {number} or more", number=0),
    "attack up to": message("attack {number} or less", number=0),
    "attack from": message("attack {number} or more", number=0),
    "skill up to": message("captain skill {number} or less", number=0),
    "skill from": message("captain skill {number} or more", number=0),
    "cost up to": message("printed cost {number} SP or less", number=0),
    "cost from": message("printed cost {number} SP or more", number=0),
    "talents up to": message("{number} or fewer talent icons", number=0),
    "talents from": message("{number} or more talent icons", number=0),
}
"""NUMBERS as a sentence has them."""


class UnknownRule(Exception):
    """The text is none of the rules above; the message says which part of it."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a ship or a captain must be; met when one of the alternatives is met in all its parts."""

    alternatives: tuple[tuple[tuple[str, str], ...], ...] = ()

    def holds(self, card: Card | None) -> bool:
        """Whether that ship or captain meets it; nobody meets only the empty condition."""
        if not self.alternatives:
            return True
        return card is not None and any(all(_is(card, *part) for part in parts) for parts in self.alternatives)

    @property
    def said(self) -> Message | str:
        """What is asked for, as a part of a sentence: "Federation and hull 4 or more"."""
        return _either([_both([_words(*part) for part in parts]) for parts in self.alternatives])

    def __str__(self) -> str:
        return str(self.said)


@dataclass(frozen=True, slots=True)
class Where:
    """When a rule counts: by the "ship", its "captain", another card of the ship ("beside") or of the "fleet"."""

    of: str = ""
    condition: Condition = Condition()


@dataclass(frozen=True, slots=True)
class Selector:
    """Which cards of a ship a rule speaks of.

    `most` is the highest printed cost; `plain` takes those alone that name no ship and no class.
    """

    kinds: frozenset[CardKind]
    faction: str = ""
    without: str = ""
    title: str = ""
    most: int | None = None
    plain: bool = False

    def takes(self, card: Card) -> bool:
        """Whether it speaks of this card."""
        return (
            card.kind in self.kinds
            and (not self.faction or card.has_faction(self.faction))
            and not card.has_faction(self.without)
            and self.title in ("", card.title)
            and (self.most is None or card.cost <= self.most)
            and not (self.plain and any(_names_a_ship(rule) for rule in rules_of(card)))
        )


@dataclass(frozen=True, slots=True)
class OnePerShip:
    """No second card of the same title on the ship."""


@dataclass(frozen=True, slots=True)
class NoCaptain:
    """The ship takes no captain."""


@dataclass(frozen=True, slots=True)
class NoAdmiral:
    """The ship takes no admiral."""


@dataclass(frozen=True, slots=True)
class NeedsNoCaptain:
    """The ship may go without a captain."""


@dataclass(frozen=True, slots=True)
class SecondCaptain:
    """The ship may have two captains."""


@dataclass(frozen=True, slots=True)
class Only:
    """The ship or the captain must be such, or another card of the fleet."""

    where: Where


@dataclass(frozen=True, slots=True)
class NotWith:
    """No other card of the fleet may be such."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class HoldsOnly:
    """Every card of that kind on the ship must be such."""

    kind: CardKind
    condition: Condition


@dataclass(frozen=True, slots=True)
class TalentsOnly:
    """The elite talents in the slots of this card must be such."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Adds:
    """Slots that the card brings; with a condition for such cards alone."""

    slots: tuple[tuple[CardKind, int], ...]
    for_such: Condition
    where: Where


@dataclass(frozen=True, slots=True)
class AddsTalentOrFree:
    """A slot for an elite talent; or one talent without cost, if the captain has an icon of its own."""


@dataclass(frozen=True, slots=True)
class NeedsNoSlot:
    """The card fills no slot."""

    where: Where


@dataclass(frozen=True, slots=True)
class Takes:
    """The slots that the card fills, instead of one of its kind."""

    slots: tuple[tuple[CardKind, int], ...]


@dataclass(frozen=True, slots=True)
class Fits:
    """The kinds of slots of which it may fill one, instead of its kind alone."""

    kinds: frozenset[CardKind]


@dataclass(frozen=True, slots=True)
class Turns:
    """So many slots of these kinds may be of the other ones; all of them where `number` is None."""

    number: int | None
    kinds: frozenset[CardKind]
    into: frozenset[CardKind]


@dataclass(frozen=True, slots=True)
class Hides:
    """So many cards of the ship lie face down under this one."""

    number: int
    cards: Selector


@dataclass(frozen=True, slots=True)
class OfAnyFaction:
    """What cards of the kind ask of the faction of ship and captain does not count."""

    kind: CardKind


@dataclass(frozen=True, slots=True)
class GivesFaction:
    """The ship is of that faction, too."""

    faction: str


@dataclass(frozen=True, slots=True)
class CostsMore:
    """Additional SP for the card itself unless it is met."""

    points: int
    unless: Where


@dataclass(frozen=True, slots=True)
class CostsAttack:
    """The ship's attack and so many SP more, instead of what is printed on the card itself."""

    more: int


@dataclass(frozen=True, slots=True)
class CostsLess:
    """SP off for cards of the ship, or for the `number` dearest of them alone."""

    points: int
    cards: Selector
    number: int | None
    where: Where
    least: int = 0
    all_ships: bool = False


@dataclass(frozen=True, slots=True)
class CostsExactly:
    """A printed cost for cards of the ship, whatever is printed on them; or for the `number` dearest alone."""

    points: int
    cards: Selector
    number: int | None
    where: Where


@dataclass(frozen=True, slots=True)
class NoPenalty:
    """No faction penalty: for the card itself where `cards` is None, else for those cards of the ship."""

    where: Where
    cards: Selector | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class DoublePenalty:
    """Those cards of the ship pay the faction penalty twice."""

    cards: Selector


@dataclass(frozen=True, slots=True)
class NotChecked:
    """What a person has to check."""

    text: str


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


@dataclass(frozen=True, slots=True)
class Sideboard:
    """A resource that lets cards stand beside the ships without cost, of so many printed SP in all."""

    most: int


type RuleOfUpgrade = CostsAttack | CostsMore | Fits | NeedsNoSlot | NotWith | OnePerShip | Only | Takes
type RuleForOthers = (
    Adds | AddsTalentOrFree | CostsExactly | CostsLess | DoublePenalty | GivesFaction | Hides | NoPenalty | Turns
)
type RuleOfShip = HoldsOnly | NeedsNoCaptain | NoAdmiral | NoCaptain | OfAnyFaction | SecondCaptain | TalentsOnly
type RuleOfResource = CostsHalf | CostsPerHull | ExtraTalents | NoCostBeside | Sideboard
type CardRule = RuleOfUpgrade | RuleForOthers | RuleOfShip | RuleOfResource | NotChecked


@lru_cache(maxsize=4096)
def read_rule(text: str) -> CardRule:
    """The rule that a text says. Raises UnknownRule."""
    for pattern, build in _PATTERNS:
        if match := re.fullmatch(pattern, text.strip()):
            return build(match)
    raise UnknownRule(message("“{text}” isn’t a rule for cards", text=shown(text)))


def rules_of(card: Card) -> Iterator[CardRule]:
    """The rules of a card; every text of it must be one."""
    return (read_rule(text) for text in card.rules)


def not_checked(card: Card) -> tuple[str | Message, ...]:
    """What the card says about building that a person has to check, clause by clause."""
    return tuple(clause_said(rule.text) for rule in rules_of(card) if isinstance(rule, NotChecked))


def clause_said(text: str) -> str | Message:
    """Such a clause as people read it: as printed, or which rule of Space Dock it is."""
    before, after = OF_SPECIAL.split("{}")
    if text.startswith(before) and text.endswith(after):
        return message("its rule “{name}”", name=text.removeprefix(before).removesuffix(after))
    return text


def _names_a_ship(rule: CardRule) -> bool:
    where = rule.where if isinstance(rule, Only) else rule.unless if isinstance(rule, CostsMore) else Where()
    parts = (part for parts in where.condition.alternatives for part in parts)
    return where.of == "ship" and any(what.startswith(("title", "class")) for what, _ in parts)


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
    raise UnknownRule(message("“{text}” isn’t something a card can be", text=shown(text)))


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
        number: int = (
            dict(card.slots).get(CardKind.TALENT, 0) if what.startswith("t") else getattr(card, what.split()[0])
        )
        return number >= int(value) if what.endswith("from") else number <= int(value)
    text = {"class": card.ship_class, "title": card.title, "kind": card.kind.value}[what.split()[0]]
    return value in text if what.endswith("with") else value == text


def _either(parts: Sequence[Message | str]) -> Message | str:
    """All of them, joined by "or"; empty for none."""
    said, *others = parts or ("",)
    for one in others:
        said = pmessage("what a card asks for", "{some} or {last}", some=said, last=one)
    return said


def _both(parts: Sequence[Message | str]) -> Message | str:
    """All of them, joined by "and"; empty for none."""
    said, *others = parts or ("",)
    for one in others:
        said = pmessage("what a card asks for", "{some} and {last}", some=said, last=one)
    return said


def _words(what: str, value: str) -> Message | str:
    if what.startswith("not "):
        return pmessage("what a card asks for", "not {such}", such=_words(what.removeprefix("not "), value))
    if what in NUMBERS:
        return replace(IN_NUMBERS[what], params={"number": int(value)})
    match what:
        case "class with":
            return message("{name} class", name=value)
        case "title":
            return message("“{title}”", title=value)
        case "title with":
            return message("a title with “{title}”", title=value)
        case "kind":
            return KIND_WORDS[CardKind(value)]
    return FACTIONS.get(value, value) if what == "faction" else value


def _selector(match: re.Match[str]) -> Selector:
    faction = match["faction"] or ""
    if faction and faction not in FACTIONS:
        raise UnknownRule(message("“{name}” isn’t a faction", name=shown(faction)))
    kinds = (
        frozenset(CardKind) if match["title"] else UPGRADES if match["what"] == "upgrade" else {CardKind(match["what"])}
    )
    return Selector(
        frozenset(kinds),
        faction="" if match["non"] else faction,
        without=faction if match["non"] else "",
        title=match["title"] or "",
        most=int(match["most"]) if match["most"] else None,
        plain=bool(match["plain"]),
    )


def _number(match: re.Match[str]) -> int | None:
    """For how many cards, None for all of them."""
    number = match["number"]
    return None if number is None else 1 if number == "one" else int(number)


def _where(match: re.Match[str]) -> Where:
    return Where(_WHO[match["where"]], _condition(match["such"])) if match["where"] else Where()


def _kinds(text: str) -> frozenset[CardKind]:
    return frozenset(CardKind(kind) for kind in text.split(", "))


def _slots(text: str) -> tuple[tuple[CardKind, int], ...]:
    found = [part.split() for part in text.split(",")]
    return tuple((CardKind(kind), int(number)) for kind, number in found)


_WHO = {"on": "ship", "under": "captain", "beside": "beside", "in a fleet with": "fleet"}
_SLOTS = rf"(?:{WHAT}) {SLOTS}(?:, (?:{WHAT}) {SLOTS})*"
_KINDS = rf"(?:{WHAT})(?:, (?:{WHAT}))*"
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], CardRule]], ...] = (
    (rf"{NOT_CHECKED}(.+)", lambda m: NotChecked(m[1])),
    (r"one per ship", lambda m: OnePerShip()),
    (r"no captain", lambda m: NoCaptain()),
    (r"no admiral", lambda m: NoAdmiral()),
    (r"needs no captain", lambda m: NeedsNoCaptain()),
    (r"second captain", lambda m: SecondCaptain()),
    (r"only (?P<where>on|under|in a fleet with) (?P<such>.+)", lambda m: Only(_where(m))),
    (r"not with (.+)", lambda m: NotWith(_condition(m[1]))),
    (r"talents only (.+)", lambda m: TalentsOnly(_condition(m[1]))),
    (rf"({WHAT}) only (.+)", lambda m: HoldsOnly(CardKind(m[1]), _condition(m[2]))),
    (r"adds talent 1 or one free talent", lambda m: AddsTalentOrFree()),
    (
        rf"adds ({_SLOTS})(?: for (.+?))?{WHERE}",
        lambda m: Adds(_slots(m[1]), _condition(m[2]), _where(m)),
    ),
    (rf"needs no slot{WHERE}", lambda m: NeedsNoSlot(_where(m))),
    (rf"takes ({_SLOTS})", lambda m: Takes(_slots(m[1]))),
    (rf"fits ({_KINDS})", lambda m: Fits(_kinds(m[1]))),
    (
        rf"turns (any|{SLOTS}) ({_KINDS}) into ({_KINDS})",
        lambda m: Turns(None if m[1] == "any" else int(m[1]), _kinds(m[2]), _kinds(m[3])),
    ),
    (rf"hides ({SLOTS}) (?:{CARDS})", lambda m: Hides(int(m[1]), _selector(m))),
    (rf"gives faction ({'|'.join(FACTIONS)})", lambda m: GivesFaction(m[1])),
    (rf"({WHAT}) of any faction", lambda m: OfAnyFaction(CardKind(m[1]))),
    (
        rf"costs ({NUMBER}) more unless (?P<where>on|under) (?P<such>.+)",
        lambda m: CostsMore(int(m[1]), _where(m)),
    ),
    (rf"costs attack(?: plus ({NUMBER}))?", lambda m: CostsAttack(int(m[1] or 0))),
    (
        rf"{HOW_MANY}(?:{CARDS}) costs (?P<points>{NUMBER}) less(?: to at least (?P<least>{SLOTS}))?"
        rf"(?P<all> for all ships)?{WHERE}",
        lambda m: CostsLess(
            int(m["points"]), _selector(m), _number(m), _where(m), int(m["least"] or 0), all_ships=bool(m["all"])
        ),
    ),
    (
        rf"{HOW_MANY}(?:{CARDS}) costs (?P<points>{NUMBER}){WHERE}",
        lambda m: CostsExactly(int(m["points"]), _selector(m), _number(m), _where(m)),
    ),
    (rf"no penalty{WHERE}", lambda m: NoPenalty(_where(m))),
    (
        rf"{HOW_MANY}(?:{CARDS}) without penalty{WHERE}",
        lambda m: NoPenalty(_where(m), _selector(m), _number(m)),
    ),
    (rf"(?:{CARDS}) with double penalty", lambda m: DoublePenalty(_selector(m))),
    (r"costs half of all (hull|shields)", lambda m: CostsHalf(m[1])),
    (rf"costs ({NUMBER}) for each hull over ({NUMBER})", lambda m: CostsPerHull(int(m[1]), int(m[2]))),
    (rf"extra talents for ({NUMBER})", lambda m: ExtraTalents(int(m[1]))),
    (r"no cost beside (.+)", lambda m: NoCostBeside(_condition(m[1]))),
    (rf"sideboard of ({NUMBER}) SP", lambda m: Sideboard(int(m[1]))),
)
