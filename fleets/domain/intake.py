"""The front door for fleets from elsewhere: files, addresses and pasted text, told apart by what is in them.

    read(data, find)    a .spacedock or .spacedocksquads file, a fleet file of our own, Utopia's address, its list as
                        JSON or its text, or plain lines like "Kestrel [20]"
    write(sheet, name)  a fleet file of our own, the only format that carries everything

The catalogue is asked once per reading, whatever its size: the readers run once to learn which cards are meant
(`wanted`), then again with those cards (`read_among`).
"""

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from fleets.domain.card_data import FORMAT, InvalidData, sheet_as_data, sheet_from_data
from fleets.domain.cards import Card
from fleets.domain.foreign import (
    LONGEST_NAME,
    UNNAMED,
    CardLookup,
    Find,
    Incoming,
    KnownCards,
    NotAFleet,
    RecordingLookup,
    Wanted,
    in_place,
    one_line,
)
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.space_dock_fleets import read_fleets
from fleets.domain.texts import read_text
from fleets.domain.utopia import is_listed, is_saved, json_of_address, read_listed, read_saved
from tourney.runtime.bounds import Bounds, OutOfBounds, check_json
from tourney.runtime.messages import Message, message

MOST_BYTES = 1_000_000
BOUNDS = Bounds(depth=30, parts=100_000)
INCOMPLETE = message("The address is incomplete. Copy it again, with everything after the #.")
BROKEN = message("The file is damaged: it isn’t valid JSON. Export the fleet again.")

type FleetReader = Callable[[CardLookup], tuple[Incoming, ...]]


class Call(Protocol):
    """Calls the function with what is given, somewhere, and answers what it returns. Raises what it raises."""

    def __call__[*Given, Answer](self, function: Callable[[*Given], Answer], *given: *Given) -> Answer: ...


def here[*Given, Answer](function: Callable[[*Given], Answer], *given: *Given) -> Answer:
    """The answer of the function, called at once in this process."""
    return function(*given)


def read(data: bytes | str, find: Find, call: Call = here) -> tuple[Incoming, ...]:
    """The fleets in a file, an address or a text, each with at least one line. Raises NotAFleet.

    `call` says where the two readings happen: here, or in a process of their own.
    """
    return call(read_among, data, tuple(find(*call(wanted, data))))


def wanted(data: bytes | str) -> tuple[frozenset[str], frozenset[str]]:
    """The keys and titles (as `spelled`) of the cards that may be meant. Raises NotAFleet."""
    reader, asked = _reader(_text(data)), RecordingLookup()
    with suppress(NotAFleet):
        reader(asked)
    return frozenset(asked.keys), frozenset(asked.titles)


def read_among(data: bytes | str, cards: Iterable[Card]) -> tuple[Incoming, ...]:
    """The fleets, made of these cards where one of them is meant. Raises NotAFleet."""
    reader = _reader(_text(data))
    return tuple(replace(one, sheet=in_place(one.sheet)) for one in reader(KnownCards(cards)))


def write(sheet: Sheet, name: str) -> bytes:
    """The fleet as a file of our own, with everything that is on the sheet."""
    return json.dumps({**sheet_as_data(sheet), "name": name}, ensure_ascii=False, indent=1).encode()


def _text(data: bytes | str) -> str:
    size = len(data) if isinstance(data, bytes) else len(data.encode(errors="replace"))
    if size > MOST_BYTES:
        raise NotAFleet(
            message(
                "The file is larger than {limit} MB – too large for a fleet. Choose another.", limit=MOST_BYTES // 10**6
            )
        )
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise NotAFleet(message("This isn’t a fleet file: its text isn’t UTF-8. Choose another.")) from error
    return text.strip().removeprefix("\ufeff")


def _reader(text: str) -> FleetReader:
    """How to read it, by what it looks like."""
    if inside := json_of_address(text):
        return _reader_of_json(_json(inside, INCOMPLETE))
    if text[:1] == "{" or (text[:1] == "[" and text[1:].lstrip()[:1] in {"{", "]"}):
        return _reader_of_json(_json(text, BROKEN))
    if text.startswith(("http://", "https://")) and len(text.split()) == 1:
        raise NotAFleet(message("This address has no fleet in it. Copy all of it, with everything after the #."))
    return lambda look: (read_text(text, look),)


def _reader_of_json(found: object) -> FleetReader:
    if isinstance(found, dict):
        if found.get("format") == FORMAT:
            return lambda look: (_read_own(found, look),)
        if is_saved(found):
            return lambda look: (read_saved(found, look),)
        if is_listed(found):
            return lambda look: (read_listed(found, look),)
    return lambda look: tuple(
        Incoming(fleet.name, fleet.sheet, fleet.not_recognised, differences=fleet.differences)
        for fleet in read_fleets(found, look)
    )


def _json(text: str, refusal: Message) -> object:
    def no_number(name: str) -> None:
        raise ValueError(f"{name} is no number")

    try:
        check_json(text, BOUNDS)
        return json.loads(text, parse_constant=no_number)
    except OutOfBounds as error:
        raise NotAFleet(*error.args) from error
    except (ValueError, RecursionError) as error:
        raise NotAFleet(refusal) from error


def _read_own(found: Mapping[str, Any], look: CardLookup) -> Incoming:
    """A file of our own. A card that the catalogue does not have like that stays as it is, but as one by hand."""
    try:
        sheet = sheet_from_data(found)
    except InvalidData as error:
        raise NotAFleet(message("The fleet file can’t be used: {problem}.", problem=error.problem)) from error
    not_recognised: list[str] = []
    differences: list[Message] = []

    def checked(line: CardLine) -> CardLine:
        known = look(Wanted(key=line.card.key)) if line.card.key else None
        if known == line.card:
            return line
        if known and known.cost != line.card.cost:
            sentence = message(
                "{card}: {stated} SP in the file, {ours} SP in the catalogue. Kept by hand at {stated} SP.",
                card=line.card.title,
                stated=line.card.cost,
                ours=known.cost,
            )
            differences.append(sentence)
        not_recognised.append(line.card.title)
        return replace(line, card=replace(line.card, key=""))

    sheet = replace(
        sheet,
        ships=tuple(Ship(checked(ship.line), tuple(map(checked, ship.cards))) for ship in sheet.ships),
        resource=sheet.resource and checked(sheet.resource),
        other=tuple(map(checked, sheet.other)),
    )
    return Incoming(
        one_line(found.get("name"), LONGEST_NAME) or UNNAMED,
        sheet,
        tuple(not_recognised),
        differences=tuple(differences),
    )
