"""Sheets as Hypothesis makes them: any sheet at all, or one with names and kinds that every format can carry."""

from dataclasses import replace

from hypothesis import strategies as st

from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship

RULES = (
    "one per ship",
    "no penalty",
    "only on faction KLI or hull from 4",
    "adds tech 1, crew 2",
    "weapon costs 1 less",
)
RULES_BY_THE_FLEET = (*RULES, "costs half of all hull", "one FED upgrade costs 2 less", "costs attack plus 1")
TITLES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp", "Zs")), min_size=1, max_size=30)
PLAIN_TITLES = st.from_regex(r"[Kestrlvé][Kestrlvé9'.-]{0,8}( [Kestrlvé9'.-]{1,8}){0,2}", fullmatch=True)
ON_SHIPS = [kind for kind in CardKind if kind not in {CardKind.SHIP, CardKind.RESOURCE}]


@st.composite
def cards(draw, kind: CardKind | None = None, titles: st.SearchStrategy[str] = TITLES, rules=RULES) -> Card:
    """A card by hand (without a key)."""
    return Card(
        kind=kind or draw(st.sampled_from(list(CardKind))),
        title=draw(titles),
        factions=tuple(draw(st.lists(st.sampled_from(list(FACTIONS)), unique=True, max_size=2))),
        cost=draw(st.integers(0, 60)),
        unique=draw(st.booleans()),
        mirror_unique=draw(st.booleans()),
        ship_class=draw(st.sampled_from(["", "Lark Class"])),
        hull=draw(st.integers(0, 9)),
        slots=tuple(draw(st.dictionaries(st.sampled_from(list(CardKind)), st.integers(1, 4), max_size=3)).items()),
        rules=tuple(draw(st.lists(st.sampled_from(rules), unique=True, max_size=2))),
    )


@st.composite
def sheets(draw) -> Sheet:
    """Any sheet; some of its cards are of a catalogue, where each key is one card."""
    ids = iter(range(1, 100))

    def line(kind: CardKind | None = None) -> CardLine:
        id = next(ids)
        card = draw(cards(kind, rules=RULES_BY_THE_FLEET))
        return CardLine(
            id,
            replace(card, key=draw(st.sampled_from(["", f"k{id}"]))),
            draw(st.none() | st.integers(0, 60)),
            draw(st.sampled_from(["", "by ruling"])),
            draw(st.booleans()),
        )

    on_ship = st.lists(st.sampled_from(ON_SHIPS), max_size=3)
    ships = tuple(
        Ship(line(CardKind.SHIP), tuple(line(kind) for kind in draw(on_ship))) for _ in range(draw(st.integers(0, 3)))
    )
    other = tuple(line(draw(st.sampled_from(list(CardKind)[1:]))) for _ in range(draw(st.integers(0, 2))))
    resource = line(CardKind.RESOURCE) if draw(st.booleans()) else None
    taken = [one.id for ship in ships for one in ship]
    return Sheet(ships, resource, draw(st.sampled_from([FLEET, *taken])) if resource else FLEET, other)


@st.composite
def plain_sheets(draw) -> Sheet:
    """Ships with one captain each, who stands first, different plain titles, and costs by hand here and there."""
    titles = iter(draw(st.lists(PLAIN_TITLES, min_size=24, max_size=24, unique_by=str.lower)))
    ids = iter(range(1, 30))

    def line(kind: CardKind) -> CardLine:
        id = next(ids)
        card = draw(cards(kind, st.just(next(titles))))
        by_hand = draw(st.none() | st.integers(0, 60))
        return CardLine(id, replace(card, key=draw(st.sampled_from(["", f"k{id}"]))), by_hand)

    def ship() -> Ship:
        first = line(CardKind.SHIP)
        kinds = draw(st.lists(st.sampled_from([kind for kind in ON_SHIPS if kind is not CardKind.CAPTAIN]), max_size=3))
        return Ship(first, tuple(line(kind) for kind in (CardKind.CAPTAIN, *kinds)))

    ships = tuple(ship() for _ in range(draw(st.integers(1, 3))))
    resource = line(CardKind.RESOURCE) if draw(st.booleans()) else None
    return Sheet(
        ships, resource, FLEET, tuple(line(draw(st.sampled_from(ON_SHIPS))) for _ in range(draw(st.integers(0, 2))))
    )
