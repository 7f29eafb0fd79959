"""What is printed on a night, when, and how it lies on the sheets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tourney.runtime.messages import Message, message, nmessage

SLIPS_PER_PAGE = (1, 2, 3, 4, 6)
USUAL_SLIPS = 4
NUMBERS_PER_PAGE = 2
SIZES = {"a4": "A4", "letter": "US Letter"}
LETTERS_IN_A_LINE = 24


GROUPS = {
    "before": message("Before the first round"),
    "round": message("During the round"),
    "ranks": message("Ranks and wrap-up"),
    "hand": message("Paper fallback"),
}
GROUP_OF_THE_MOMENT = {"before": "before", "drafted": "round", "playing": "round"}
"""What is looked for first at each moment of the night; else the ranks."""


@dataclass(frozen=True, slots=True)
class Document:
    """Something to print: its entry in the table, with everything that is known without an event.

    `asks` names what can be chosen for it: round, after, per_page, copies; `group` is of GROUPS.
    `needs` is what must be there: players, draft (a round, if only as a draft), round (one that everybody sees),
    standings (a complete round), factions, gifts (somebody gets something).
    `usual_at` are the moments at which it is printed as a matter of course; nothing is while a draft waits.
    `in_bundle` is its place in the round bundle, from 1, None outside. `has_head`: event and title stand above it.
    `is_one_sheet`: it goes on one sheet whoever plays; of all others the sheets are counted (`sheets_in_words`).
    """

    kind: str
    group: str
    title: Message
    about: Message
    needs: str = ""
    asks: tuple[str, ...] = ()
    usual_at: tuple[str, ...] = ()
    in_bundle: int | None = None
    has_head: bool = True
    is_one_sheet: bool = False

    @property
    def template(self) -> str:
        """The path of what lays it out."""
        return f"paper/{self.kind}.html"


DOCUMENTS = {
    document.kind: document
    for document in (
        Document(
            "pairings",
            "round",
            message("Pairings A–Z"),
            message("To post on the wall: each player’s table and opponent."),
            needs="draft",
            asks=("round",),
            usual_at=("playing",),
            in_bundle=1,
        ),
        Document(
            "tables",
            "round",
            message("Pairings by table"),
            message("Each table with its two players; the bye comes last."),
            needs="draft",
            asks=("round",),
            in_bundle=2,
        ),
        Document(
            "slips",
            "round",
            message("Match slips"),
            message("One per table, in order once you cut the stack. The code opens the result."),
            needs="draft",
            asks=("round", "per_page"),
            usual_at=("playing",),
            in_bundle=3,
            has_head=False,
        ),
        Document(
            "standings",
            "ranks",
            message("Standings"),
            message("Ranks, Battle Points and Fleet Points."),
            needs="standings",
            asks=("after",),
            usual_at=("playing", "between", "over", "finished"),
            in_bundle=4,
        ),
        Document(
            "factions",
            "ranks",
            message("Factions"),
            message("Each faction’s combined points."),
            needs="factions",
            asks=("after",),
            usual_at=("between", "over", "finished"),
            is_one_sheet=True,
        ),
        Document(
            "score-sheet",
            "ranks",
            message("Score sheet"),
            message("All players, round by round. Fill in the rest by hand."),
            needs="players",
            usual_at=("over", "finished"),
            in_bundle=6,
        ),
        Document(
            "blank-score-sheet",
            "hand",
            message("Blank score sheet"),
            message("For running an event by hand."),
            asks=("copies",),
            is_one_sheet=True,
        ),
        Document(
            "record",
            "hand",
            message("Past opponents"),
            message("Who has played whom, and who has had a bye."),
            needs="round",
            in_bundle=5,
        ),
        Document(
            "by-hand",
            "hand",
            message("Pairing by hand"),
            message("How to pair the next round on paper, with a blank list of tables."),
            in_bundle=7,
        ),
        Document(
            "check-in",
            "before",
            message("Check-in list"),
            message("Names with boxes to tick, and blank lines for walk-ins."),
            needs="players",
            usual_at=("before",),
        ),
        Document(
            "build-sheets",
            "before",
            message("Fleet Build Sheets"),
            message("One per player. Players without a fleet get a blank sheet with their name on it."),
            needs="players",
            usual_at=("before",),
            has_head=False,
        ),
        Document(
            "blank-sheet",
            "before",
            message("Blank Fleet Build Sheet"),
            message("To fill in by hand."),
            asks=("copies",),
            has_head=False,
            is_one_sheet=True,
        ),
        Document(
            "awards",
            "ranks",
            message("Awards"),
            message("Who gets what, with boxes to tick as you hand it out."),
            needs="gifts",
            usual_at=("over", "finished"),
        ),
        Document(
            "signatures",
            "ranks",
            message("Sign-in sheet"),
            message("Everyone who played, with a line to sign."),
            needs="players",
            usual_at=("over", "finished"),
        ),
        Document(
            "table-numbers",
            "before",
            message("Table numbers"),
            message("Two per sheet, to cut apart."),
            needs="players",
            usual_at=("before",),
            has_head=False,
        ),
        Document(
            "tents",
            "before",
            message("Table tents"),
            message("One per sheet, to fold. The number is on both sides."),
            needs="players",
            has_head=False,
        ),
    )
}

BUNDLE = tuple(
    document.kind
    for document in sorted(DOCUMENTS.values(), key=lambda document: document.in_bundle or 0)
    if document.in_bundle
)
"""Everything to finish the night by hand, in this order."""

USUAL = {
    moment: tuple(document.kind for document in DOCUMENTS.values() if moment in document.usual_at)
    for moment in ("before", "drafted", "playing", "between", "over", "finished")
}
"""What is printed at each moment of the night."""


class ForEach[Work]:
    """What a layer above does for documents, by their kinds; each work is registered where it is written."""

    def __init__(self) -> None:
        self.works: dict[str, Work] = {}

    def __call__(self, kind: str) -> Callable[[Work], Work]:
        """A decorator: this is the work for that document.

        Raises LookupError, at import, for a kind that is not in the table or that has its work already.
        """
        if kind not in DOCUMENTS or kind in self.works:
            raise LookupError(f"“{kind}” is no document, or has its work already.")
        return lambda work: self.works.setdefault(kind, work)


def sheets_in_words(counts: Mapping[str, int]) -> Message:
    """How many sheets documents take together, by their kinds: "1 sheet", "about 5 sheets".

    "About" where a list among them goes on to a second sheet: how high its rows get is up to the fonts of who prints.
    What has no head lies so many on each sheet, or each on its own.
    """
    total = sum(counts.values())
    if any(DOCUMENTS[kind].has_head and count > 1 for kind, count in counts.items()):
        return nmessage("about {count} sheet", "about {count} sheets", total)
    return nmessage("{count} sheet", "{count} sheets", total)


def group_of(moment: str) -> str:
    """The group (a key of GROUPS) that somebody looks for at that moment."""
    return GROUP_OF_THE_MOMENT.get(moment, "ranks")


def usual_set(moment: str, *, can_print: frozenset[str]) -> tuple[str, ...]:
    """What one press prints now, of what there is (kinds of documents)."""
    return tuple(kind for kind in USUAL[moment] if kind in can_print)


def bundle(*, can_print: frozenset[str]) -> tuple[str, ...]:
    """The round bundle, of what there is; nothing before a round is published."""
    return tuple(kind for kind in BUNDLE if kind in can_print) if "record" in can_print else ()


def printable(
    *, players: bool, drawn: bool, published: bool, complete: bool, allegiance: bool, gifts: bool
) -> frozenset[str]:
    """The kinds of documents that there is something to print for."""
    there = {
        "": True,
        "players": players,
        "draft": drawn,
        "round": published,
        "standings": complete,
        "factions": complete and allegiance,
        "gifts": gifts,
    }
    return frozenset(kind for kind, document in DOCUMENTS.items() if there[document.needs])


def cut_and_stack(count: int, per_page: int) -> tuple[tuple[int, ...], ...]:
    """Which of `count` slips (0, 1, 2 …) lie on each page, at its places in reading order.

    Cut through all pages at once and laid on one another, place after place, the stacks are sorted: with P pages,
    page p holds the slips p, p + P, p + 2P and so on.
    """
    pages = -(-count // per_page)
    return tuple(tuple(range(page, count, pages)) for page in range(pages))


def letters(names: Sequence[str], spare: int = 0) -> str:
    """How large a list of these names is set, with so many empty rows: large, medium or small, as fits one sheet.

    A long name takes more than one line.
    """
    lines = spare + sum(-(-len(name) // LETTERS_IN_A_LINE) for name in names)
    return "large" if lines <= 14 else "medium" if lines <= 22 else "small"
