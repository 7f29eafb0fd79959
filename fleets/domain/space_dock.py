"""The public Space Dock catalogue and its fleet files, read into our cards and sheets.

Card texts are not taken over, only facts: titles, factions, costs, slots, dates. What a card changes about fleet
building is said by `card_texts`; of a card that is not among them, by the name of a special rule that the file has
(`space_dock_rules`), and what else its text says about building is quoted as not checked.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from xml.parsers import expat

from fleets.domain.card_data import LONGEST, InvalidData, card_as_data, card_from_data
from fleets.domain.card_rules import NOT_CHECKED, OF_SPECIAL, not_checked
from fleets.domain.card_texts import rules_by_text
from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.resources import RESOURCES, RULES
from fleets.domain.space_dock_rules import PARTLY, rules_of_special
from tourney.runtime.bounds import shown
from tourney.runtime.messages import Message, message

MOST_BYTES = 20_000_000
MOST_CARDS = 20_000
MOST_ELEMENTS = 1_500_000
MOST_FIELDS = 100
MOST_SETS = 20
LONGEST_SET = 160
MOST_OF_SPECIAL = 80
DEEPEST = 12
ENCODINGS = {"utf-8": "UTF-8", "utf-16": "UTF-16", "iso-8859-1": "ISO-8859-1", "us-ascii": "US-ASCII"}
DECLARED = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
CODE_OF = {name: code for code, name in FACTIONS.items()}
SHIP_SLOTS = {
    "Crew": CardKind.CREW,
    "Tech": CardKind.TECH,
    "Weapon": CardKind.WEAPON,
    "Borg": CardKind.BORG,
    "SquadronUpgrade": CardKind.SQUADRON,
}
ADDED_SLOTS = {"TalentAdd": "talent", "CrewAdd": "crew", "TechAdd": "tech", "WeaponAdd": "weapon"}
KINDS = {
    "Ship": CardKind.SHIP,
    "Captain": CardKind.CAPTAIN,
    "Admiral": CardKind.ADMIRAL,
    "Talent": CardKind.TALENT,
    "Crew": CardKind.CREW,
    "Tech": CardKind.TECH,
    "Weapon": CardKind.WEAPON,
    "Borg": CardKind.BORG,
    "Squadron": CardKind.SQUADRON,
    "Resource": CardKind.RESOURCE,
    "Flagship": CardKind.FLAGSHIP,
    "Fleet Captain": CardKind.FLEET_CAPTAIN,
    "Officer": CardKind.OFFICER,
}
CALLED = {
    "master_strategist_tokens_71997r": "Master Strategist Tokens",
    "emergency_force_fields_72001r": "Emergency Force Fields",
    "mutiny_72225r": "Mutiny",
}
"""Resources that the file calls otherwise than the publisher's list does (rule 7.11), whose dates count too."""
RELEASED = {resource.name: resource.released for resource in RESOURCES}
ELEMENTS = ("Ship", "Captain", "Admiral", "Upgrade", "Resource", "Flagship", "FleetCaptain", "Officer")


class NotACatalogue(Exception):
    """The file cannot be read; the message says what is wrong with it and what to do."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A card of the catalogue with the day from which it can be played, if that is known, and the sets it comes in."""

    card: Card
    released: date | None = None
    sets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The cards, and in `not_understood` what was left out or could not be said in our words, in sentences."""

    version: str
    entries: tuple[CatalogueEntry, ...]
    not_understood: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set as the file names it: its own name, that of its wave or storyline, and the day it came out."""

    name: str
    series: str
    released: date | None

    @property
    def title(self) -> str:
        """Both names, as cards and filters have them; empty without any."""
        return set_title(self.series, self.name)


def set_title(series: str, name: str) -> str:
    """What a set is called: "Wave 2: U.S.S. Excelsior"; in one line, and no longer than LONGEST_SET."""
    words = ": ".join(" ".join(part.split()) for part in (series, name) if part.strip())
    return "".join(one for one in words if one.isprintable())[:LONGEST_SET].strip()


@dataclass(slots=True)
class _CatalogueParser:
    """What the parser has gathered so far."""

    version: str = ""
    elements: int = 0
    cards: int = 0
    rows: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    sets: dict[str, "CardSet"] = field(default_factory=dict)
    reading: str = ""
    path: list[str] = field(default_factory=list)
    row: dict[str, str] | None = None
    text: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.path.append(name)
        self.elements += 1
        if len(self.path) > DEEPEST:
            raise NotACatalogue(
                message("The file is nested more than {limit} levels deep. Choose another.", limit=DEEPEST)
            )
        if self.elements > MOST_ELEMENTS:
            raise NotACatalogue(
                message("The file has more than {limit} elements. Choose another.", limit=f"{MOST_ELEMENTS:,}")
            )
        self.text.clear()
        if len(self.path) == 1:
            self.version = attributes.get("version", "")
        elif name == "Set" and "id" in attributes:
            self.reading = attributes["id"]
            series, day = attributes.get("overallSetName", ""), attributes.get("releaseDate", "")
            self.sets[self.reading] = CardSet("", series, _day(day))
        elif name in ELEMENTS and len(self.path) == 3:
            self.row = {}

    def end(self, name: str) -> None:
        self.path.pop()
        if self.row is None:
            if name == "Set" and self.reading:
                self.sets[self.reading] = replace(self.sets[self.reading], name="".join(self.text))
                self.reading = ""
            return
        if len(self.path) == 2:
            self.cards += 1
            if self.cards <= MOST_CARDS:
                self.rows.append((name, self.row))
            self.row = None
        elif len(self.row) < MOST_FIELDS:
            self.row.setdefault(name, "".join(self.text).strip())
            self.text.clear()


def read_catalogue(data: bytes) -> Catalogue:
    """The catalogue in a file of Space Dock's XML. Raises NotACatalogue.

    Refused are files beyond MOST_BYTES, files that declare a document type or entities or another encoding than
    ENCODINGS, and files with too many or too deeply nested elements.
    """
    if len(data) > MOST_BYTES:
        raise NotACatalogue(too_large())
    found = _parse(data)
    if not found.rows:
        raise NotACatalogue(message("The file has no cards. Choose Space Dock’s Data.xml."))
    refuse_too_many(found.cards)
    entries: dict[str, CatalogueEntry] = {}
    wrong: list[Message] = []
    for element, row in found.rows:
        try:
            entry = _entry(element, row, found.sets)
            card_from_data(card_as_data(entry.card))
        except InvalidData as error:
            title, id = shown(row.get("Title", ""), LONGEST), shown(row.get("Id", "–"), LONGEST)
            wrong.append(
                message(
                    "{element} “{title}” ({id}) skipped: {problem}.",
                    element=element,
                    title=title,
                    id=id,
                    problem=error.problem,
                )
            )
            continue
        for clause in not_checked(entry.card):
            wrong.append(
                message(
                    "{element} “{title}” ({id}) isn’t fully checked: {clause}",
                    element=element,
                    title=entry.card.title,
                    id=entry.card.key,
                    clause=clause,
                )
            )
        entries[entry.card.key] = entry
    return Catalogue(found.version, tuple(entries.values()), tuple(wrong))


def refuse_too_many(cards: int) -> None:
    """Raise NotACatalogue if a file has more than MOST_CARDS."""
    if cards > MOST_CARDS:
        raise NotACatalogue(
            message(
                "The file has {number} cards; the limit is {limit}. Choose another.",
                number=f"{cards:,}",
                limit=f"{MOST_CARDS:,}",
            )
        )


def too_large() -> Message:
    """What is said of a file of more than MOST_BYTES."""
    return message(
        "The file is larger than {limit} MB – too large for a catalogue. Choose another.", limit=MOST_BYTES // 10**6
    )


def _parse(data: bytes) -> _CatalogueParser:
    found = _CatalogueParser()
    parser = expat.ParserCreate(_encoding(data))  # no codec of Python's by the name that the file declares
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = found.start
    parser.EndElementHandler = found.end
    parser.CharacterDataHandler = found.text.append
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotACatalogue(
            message(
                "The file isn’t valid XML: {problem} at line {line}, column {column}.",
                problem=expat.ErrorString(error.code),
                line=error.lineno,
                column=error.offset + 1,
            )
        ) from error
    return found


def _encoding(data: bytes) -> str:
    """The encoding that the file begins in or declares. Raises NotACatalogue for one that is not of ENCODINGS."""
    if data.startswith(UTF_16):
        return "UTF-16"
    declared = DECLARED.match(data)
    name = declared[1].decode() if declared else "utf-8"
    if name.lower() not in ENCODINGS:
        raise NotACatalogue(message("The file’s encoding is “{name}”. Save it as UTF-8.", name=name))
    return ENCODINGS[name.lower()]


def _refuse_doctype(*_: object) -> None:
    raise NotACatalogue(message("The file declares a document type, which no catalogue does. Choose another."))


def _entry(element: str, row: Mapping[str, str], sets: Mapping[str, "CardSet"]) -> CatalogueEntry:
    kind = KINDS.get(row.get("Type", "") if element == "Upgrade" else element)
    kind = {"FleetCaptain": CardKind.FLEET_CAPTAIN}.get(element, kind)
    if kind is None:
        raise InvalidData(message("“{name}” isn’t a known kind of card", name=shown(row.get("Type", ""))))
    if not row.get("Id") or not row.get("Title"):
        raise InvalidData(message("it has no id or no title"))
    title = CALLED.get(row["Id"], row["Title"])
    resource_rules = RULES.get(title, ()) if kind is CardKind.RESOURCE else ()
    card = Card(
        kind=kind,
        title=title,
        factions=_factions(row),
        cost=_number(row, "AdmiralCost" if kind is CardKind.ADMIRAL else "Cost"),
        key=row["Id"],
        unique=row.get("Unique", "").upper() == "Y",
        mirror_unique=row.get("MirrorUniverseUnique", "").upper() == "Y",
        ship_class=row.get("ShipClass", ""),
        **{name: _number(row, name.title().removesuffix("s")) for name in ("agility", "hull", "shields")},
        skill=_number(row, "CaptainSkillBonus" if kind is CardKind.FLEET_CAPTAIN else "Skill"),
        attack=_number(row, "Attack") if kind in {CardKind.SHIP, CardKind.FLAGSHIP} else 0,
        slots=tuple(_slots(kind, row)),
        rules=(*_rules(row), *resource_rules),
    )
    by_list = RELEASED.get(title) if kind is CardKind.RESOURCE else None
    found = [sets[name] for one in row.get("Set", "").split(",")[:MOST_SETS] if (name := one.strip()) in sets]
    released = by_list or min((one.released for one in found if one.released), default=None)
    return CatalogueEntry(card, released, tuple(dict.fromkeys(title for one in found if (title := one.title))))


def _factions(row: Mapping[str, str]) -> tuple[str, ...]:
    names = [row.get(name, "") for name in ("Faction", "AdditionalFaction")]
    unknown = [name for name in names if name and name not in CODE_OF]
    if unknown:
        raise InvalidData(message("“{name}” isn’t a known faction", name=shown(unknown[0])))
    return tuple(dict.fromkeys(CODE_OF[name] for name in names if name))


def _number(row: Mapping[str, str], name: str) -> int:
    """The number in that field; 0 where there is none."""
    text = row.get(name, "")
    if not text or text == "*":
        return 0
    if not re.fullmatch(r"-?\d{1,3}", text):
        raise InvalidData(message("“{text}” in {field} isn’t a number", text=shown(text), field=name))
    return int(text)


def _slots(kind: CardKind, row: Mapping[str, str]) -> Iterator[tuple[CardKind, int]]:
    if kind is CardKind.SHIP:
        found = [(slot, _number(row, name)) for name, slot in SHIP_SLOTS.items()]
    elif kind is CardKind.ADMIRAL:
        found = [(CardKind.TALENT, _number(row, "AdmiralTalent"))]
    elif kind is CardKind.FLAGSHIP:
        found = [(slot, _number(row, name)) for name, slot in {"Talent": CardKind.TALENT, **SHIP_SLOTS}.items()]
    else:
        found = [(CardKind.TALENT, _number(row, "Talent"))] if kind is CardKind.CAPTAIN else []
    return ((slot, number) for slot, number in found if number)


def _rules(row: Mapping[str, str]) -> tuple[str, ...]:
    """What the card says about building: by its printed text, and where nobody has read that by its special rule."""
    special = row.get("Special", "")
    named = rules_of_special(special)
    is_known = named is not None and special not in PARTLY
    unknown = () if is_known else (NOT_CHECKED + OF_SPECIAL.format(shown(special, MOST_OF_SPECIAL)),)
    return rules_by_text(row["Id"], row.get("Ability", ""), (*(named or ()), *_added(row), *unknown))


def _added(row: Mapping[str, str]) -> tuple[str, ...]:
    found = [(what, _number(row, name)) for name, what in ADDED_SLOTS.items()]
    added = ", ".join(f"{what} {number}" for what, number in found if number)
    no_captain = ("no captain",) if row.get("CaptainLimit") == "0" else ()
    return (*((f"adds {added}",) if added else ()), *no_captain)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
