"""What people bring, by dice: fleets in every format that is read, whole, bent and broken."""

import json
from base64 import b64encode
from collections.abc import Callable
from random import Random
from typing import Any

from fleets.domain.cards import Card, CardKind
from fleets.domain.intake import write
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.table import as_csv
from fleets.domain.texts import as_text

LETTERS = "aB7 [](),;:-x'\"=#{}\\\t\n\0\u200b\u202e\ud800\u0301ß漢🙂"
SCRAPS: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 10**30, 1.5, "", "x" * 116, "9" * 131, "Q " * 90, [], {}, [[]], {"id": 1}, "no captain"),
    *("ship:Kestrel", "Kestrel", "\ud800", "\0", {"kind": "ship"}, "one per ship", "costs attack plus 1"),
)
KINDS_ON_SHIPS = [kind for kind in CardKind if kind not in (CardKind.SHIP, CardKind.RESOURCE)]


def file_by_dice(seed: int, cards: tuple[Card, ...]) -> bytes | str:
    """What the person of that seed brings; the same for the same cards."""
    random = Random(seed)
    given = random.choice(WRITERS)(random, cards)
    bend = random.choice([as_it_is, as_it_is, with_other_values, with_other_values, with_other_letters, cut])
    return bend(random, given)


def sheet_by_dice(random: Random, cards: tuple[Card, ...]) -> Sheet:
    """A sheet of these cards and of others that stand by hand, legal or not."""
    ships = [card for card in cards if card.kind is CardKind.SHIP]
    others = [card for card in cards if card.kind in KINDS_ON_SHIPS]
    numbers = iter(range(1, 200))

    def line(known: list[Card], kind: CardKind) -> CardLine:
        card = random.choice(known) if random.random() < 0.7 else Card(kind, title(random), cost=random.randrange(999))
        by_hand = random.choice([None, None, None, 0, 999])
        return CardLine(next(numbers), card, by_hand, random.choice(["", "", title(random)]))

    fleet = tuple(
        Ship(
            line(ships, CardKind.SHIP),
            tuple(line(others, random.choice(KINDS_ON_SHIPS)) for _ in range(random.randrange(6))),
        )
        for _ in range(random.randrange(1, 5))
    )
    resource = line([card for card in cards if card.kind is CardKind.RESOURCE], CardKind.RESOURCE)
    other = tuple(line(others, CardKind.OTHER) for _ in range(random.randrange(3)))
    at = random.choice([0, 1, 2])
    notes = title(random) if random.random() < 0.5 else ""
    return Sheet(fleet, resource, at if at in {one.id for ship in fleet for one in ship} else 0, other, notes=notes)


def title(random: Random) -> str:
    """A title that a sheet can hold."""
    drawn = "".join(random.choice(LETTERS) for _ in range(random.choice([1, 5, 20, 120])))
    return "".join(one for one in drawn if one.isprintable()).strip() or "Quill"


def _own(random: Random, cards: tuple[Card, ...]) -> bytes:
    return write(sheet_by_dice(random, cards), title(random))


def _squad(random: Random, cards: tuple[Card, ...]) -> bytes:
    return write_fleet(sheet_by_dice(random, cards), title(random))


def _squads(random: Random, cards: tuple[Card, ...]) -> bytes:
    return b"[%s]" % b",".join(_squad(random, cards) for _ in range(random.randrange(1, 4)))


def _text(random: Random, cards: tuple[Card, ...]) -> str:
    return as_text(sheet_by_dice(random, cards), title(random))


def _table(random: Random, cards: tuple[Card, ...]) -> bytes:
    return as_csv(sheet_by_dice(random, cards), "")


def _saved(random: Random, cards: tuple[Card, ...]) -> str:
    def card() -> dict[str, Any]:
        one = random.choice(cards)
        return {"id": f"{one.kind.value}:{random.choice([one.key, title(random)])}"}

    ships = [card() | {"captain": card(), "upgrades": [card(), {}]} for _ in range(random.randrange(1, 4))]
    return json.dumps({"ships": ships, "resource": card()})


def _address(random: Random, cards: tuple[Card, ...]) -> str:
    return f"https://elsewhere.example/#{b64encode(_saved(random, cards).encode()).decode()}"


def _listed(random: Random, cards: tuple[Card, ...]) -> str:
    def card(kind: str) -> dict[str, Any]:
        return {"name": random.choice(cards).title, "type": kind, "faction": "FED/BAJ", "cost": random.randrange(1200)}

    ships = [{"cards": [card("Ship"), card("C"), card("W")]} for _ in range(random.randrange(1, 4))]
    return json.dumps({"ships": ships, "resource": card("Res"), "cost": 44})


def _bytes(random: Random, cards: tuple[Card, ...]) -> bytes:
    return random.randbytes(random.randrange(300))


def _letters(random: Random, cards: tuple[Card, ...]) -> str:
    return "".join(random.choice(LETTERS) for _ in range(random.randrange(400)))


WRITERS: list[Callable[[Random, tuple[Card, ...]], bytes | str]] = [
    *(_own, _own, _squad, _squads, _text, _table, _saved, _address, _listed, _bytes, _letters)
]


def as_it_is(random: Random, given: bytes | str) -> bytes | str:
    """The same."""
    return given


def with_other_values(random: Random, given: bytes | str) -> bytes | str:
    """JSON with some of its values replaced; anything else as it is."""
    try:
        found = json.loads(given)
    except ValueError:
        return with_other_letters(random, given)
    for _ in range(random.randrange(1, 4)):
        found = _bent(random, found)
    return json.dumps(found)


def _bent(random: Random, found: Any) -> Any:
    if not isinstance(found, dict | list) or not found or random.random() < 0.1:
        return random.choice(SCRAPS)
    place = random.choice(list(found) if isinstance(found, dict) else range(len(found)))
    bent = dict(found) if isinstance(found, dict) else list(found)
    bent[place] = _bent(random, found[place])
    return bent


def with_other_letters(random: Random, given: bytes | str) -> bytes | str:
    """A few letters, or bytes, replaced by others."""
    drawn = list(given)
    for _ in range(random.randrange(1, 6) if drawn else 0):
        at = random.randrange(len(drawn))
        drawn[at] = random.randrange(256) if isinstance(given, bytes) else random.choice(LETTERS)
    return bytes(drawn) if isinstance(given, bytes) else "".join(drawn)


def cut(random: Random, given: bytes | str) -> bytes | str:
    """What is left when the end is missing."""
    return given[: random.randrange(len(given) + 1)]
