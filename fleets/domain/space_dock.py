"""The public Space Dock catalogue and its fleet files, read into our cards and sheets.

Card texts are not taken over, only facts: titles, factions, costs, slots, dates. What a card changes about fleet
building stands in the file as the name of a special rule; `space_dock_rules` says it in our words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from xml.parsers import expat

from fleets.domain.card_data import LONGEST, InvalidData, card_as_data, card_from_data
from fleets.domain.cards import FACTIONS, Card, Kind
from fleets.domain.resources import RESOURCES, RULES
from fleets.domain.space_dock_rules import PARTLY, rules_of_special

MOST_BYTES = 20_000_000
CODE_OF = {name: code for code, name in FACTIONS.items()}
SHIP_SLOTS = {
    "Crew": Kind.CREW,
    "Tech": Kind.TECH,
    "Weapon": Kind.WEAPON,
    "Borg": Kind.BORG,
    "SquadronUpgrade": Kind.SQUADRON,
}
ADDED_SLOTS = {"TalentAdd": "talent", "CrewAdd": "crew", "TechAdd": "tech", "WeaponAdd": "weapon"}
KINDS = {
    "Ship": Kind.SHIP,
    "Captain": Kind.CAPTAIN,
    "Admiral": Kind.ADMIRAL,
    "Talent": Kind.TALENT,
    "Crew": Kind.CREW,
    "Tech": Kind.TECH,
    "Weapon": Kind.WEAPON,
    "Borg": Kind.BORG,
    "Squadron": Kind.SQUADRON,
    "Resource": Kind.RESOURCE,
    "Flagship": Kind.FLAGSHIP,
    "Fleet Captain": Kind.FLEET_CAPTAIN,
    "Officer": Kind.OFFICER,
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
    """The file cannot be read; the text says what is wrong with it and what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A card of the catalogue with the day from which it can be played, if that is known."""

    card: Card
    released: date | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The cards, and in `not_understood` what was left out or could not be said in our words, in sentences."""

    version: str
    entries: tuple[Entry, ...]
    not_understood: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    """What the parser has gathered so far."""

    version: str = ""
    rows: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    sets: dict[str, str] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)
    row: dict[str, str] | None = None
    text: list[str] = field(default_factory=list)


def read_catalogue(data: bytes) -> Catalogue:
    """The catalogue in a file of Space Dock's XML. Raises NotACatalogue.

    Files beyond MOST_BYTES and files that declare a document type or entities are refused unread.
    """
    if len(data) > MOST_BYTES:
        raise NotACatalogue(f"The file is larger than {MOST_BYTES // 10**6} MB, which no catalogue is. Choose another.")
    found = _parse(data)
    if not found.rows:
        raise NotACatalogue("There is no card in the file. It should be the Data.xml of Space Dock.")
    entries, wrong = {}, []
    for element, row in found.rows:
        try:
            entry = _entry(element, row, found.sets)
            card_from_data(card_as_data(entry.card))
        except (ValueError, InvalidData) as error:
            title, id = _short(row.get("Title", "")), _short(row.get("Id", "no id"))
            wrong.append(f"{element} “{title}” ({id}): {error}. It was left out.")
            continue
        special = row.get("Special", "")
        if special in PARTLY or rules_of_special(special) is None:
            how = "checked in part" if special in PARTLY else "not checked"
            wrong.append(f"{element} “{entry.card.title}” ({entry.card.key}): its rule “{special}” is {how}.")
        entries[entry.card.key] = entry
    return Catalogue(found.version, tuple(entries.values()), tuple(wrong))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _parse(data: bytes) -> _Reading:
    found = _Reading()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = lambda name, attributes: _start(found, name, attributes)
    parser.EndElementHandler = lambda name: _end(found, name)
    parser.CharacterDataHandler = found.text.append
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise NotACatalogue(f"The file is no well-formed XML: {expat.ErrorString(error.code)} at {place}.") from error
    except ValueError as error:
        raise NotACatalogue("The file is written in an encoding that cannot be read. Save it as UTF-8.") from error
    return found


def _refuse_doctype(*_: object) -> None:
    raise NotACatalogue("The file declares a document type, which a catalogue never does. It was not read.")


def _start(found: _Reading, name: str, attributes: Mapping[str, str]) -> None:
    found.path.append(name)
    found.text.clear()
    if len(found.path) == 1:
        found.version = attributes.get("version", "")
    elif name == "Set" and "id" in attributes:
        found.sets[attributes["id"]] = attributes.get("releaseDate", "")
    elif name in ELEMENTS and len(found.path) == 3:
        found.row = {}


def _end(found: _Reading, name: str) -> None:
    found.path.pop()
    if found.row is None:
        return
    if len(found.path) == 2:
        found.rows.append((name, found.row))
        found.row = None
    else:
        found.row.setdefault(name, "".join(found.text).strip())
        found.text.clear()


def _entry(element: str, row: Mapping[str, str], sets: Mapping[str, str]) -> Entry:
    kind = KINDS.get(row.get("Type", "") if element == "Upgrade" else element)
    kind = {"FleetCaptain": Kind.FLEET_CAPTAIN}.get(element, kind)
    if kind is None:
        raise ValueError(f"“{row.get('Type', '')}” is no kind of card that is known")
    if not row.get("Id") or not row.get("Title"):
        raise ValueError("it has no id or no title")
    title = CALLED.get(row["Id"], row["Title"])
    resource_rules = RULES.get(title, ()) if kind is Kind.RESOURCE else ()
    card = Card(
        kind=kind,
        title=title,
        factions=_factions(row),
        cost=_number(row, "AdmiralCost" if kind is Kind.ADMIRAL else "Cost"),
        key=row["Id"],
        unique=row.get("Unique", "").upper() == "Y",
        mirror_unique=row.get("MirrorUniverseUnique", "").upper() == "Y",
        ship_class=row.get("ShipClass", ""),
        **{name: _number(row, name.title().removesuffix("s")) for name in ("agility", "hull", "shields", "skill")},
        attack=_number(row, "Attack") if kind in {Kind.SHIP, Kind.FLAGSHIP} else 0,
        slots=tuple(_slots(kind, row)),
        rules=(*(rules_of_special(row.get("Special", "")) or ()), *_added(row), *resource_rules),
    )
    by_list = RELEASED.get(title) if kind is Kind.RESOURCE else None
    return Entry(card, by_list or _released(row.get("Set", ""), sets))


def _factions(row: Mapping[str, str]) -> tuple[str, ...]:
    names = [row.get(name, "") for name in ("Faction", "AdditionalFaction")]
    unknown = [name for name in names if name and name not in CODE_OF]
    if unknown:
        raise ValueError(f"“{unknown[0]}” is no faction that is known")
    return tuple(dict.fromkeys(CODE_OF[name] for name in names if name))


def _number(row: Mapping[str, str], name: str) -> int:
    """The number in that field; 0 where there is none."""
    text = row.get(name, "")
    if not text or text == "*":
        return 0
    if not re.fullmatch(r"-?\d{1,3}", text):
        raise ValueError(f"“{text}” is no number ({name})")
    return int(text)


def _slots(kind: Kind, row: Mapping[str, str]) -> Iterator[tuple[Kind, int]]:
    if kind is Kind.SHIP:
        found = [(slot, _number(row, name)) for name, slot in SHIP_SLOTS.items()]
    elif kind is Kind.ADMIRAL:
        found = [(Kind.TALENT, _number(row, "AdmiralTalent"))]
    elif kind is Kind.FLAGSHIP:
        found = [(slot, _number(row, name)) for name, slot in {"Talent": Kind.TALENT, **SHIP_SLOTS}.items()]
    else:
        found = [(Kind.TALENT, _number(row, "Talent"))] if kind is Kind.CAPTAIN else []
    return ((slot, number) for slot, number in found if number)


def _added(row: Mapping[str, str]) -> tuple[str, ...]:
    found = [(what, _number(row, name)) for name, what in ADDED_SLOTS.items()]
    added = ", ".join(f"{what} {number}" for what, number in found if number)
    no_captain = ("no captain",) if row.get("CaptainLimit") == "0" else ()
    return (*((f"adds {added}",) if added else ()), *no_captain)


def _released(names: str, sets: Mapping[str, str]) -> date | None:
    """The day of the first of the sets, several with commas, in which the card came."""
    days = [_day(sets.get(name.strip(), "")) for name in names.split(",")]
    return min((day for day in days if day), default=None)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
