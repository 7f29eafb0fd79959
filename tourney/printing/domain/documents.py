"""What is printed on a night, when, and how it lies on the sheets."""

from collections.abc import Sequence
from dataclasses import dataclass

SLIPS_PER_PAGE = (1, 2, 3, 4, 6)
USUAL_SLIPS = 4
NUMBERS_PER_PAGE = 2
SIZES = {"a4": "A4", "letter": "US Letter"}
LETTERS_IN_A_LINE = 24
LETTER_ZONES = ("America/", "US/", "Canada/")


GROUPS = {
    "before": "Before the first round",
    "round": "The round",
    "ranks": "Ranks and the end of the night",
    "hand": "To go on by hand",
}
GROUP_OF_THE_MOMENT = {"before": "before", "drafted": "round", "playing": "round"}
"""What is looked for first at each moment of the night; else the ranks."""


@dataclass(frozen=True, slots=True)
class Document:
    """Something to print. `asks` names what can be chosen for it: round, after, per_page, copies; `group` is of GROUPS.

    `needs` is what must be there: players, draft (a round, if only as a draft), round (one that everybody sees),
    standings (a complete round), factions, gifts (somebody gets something).
    """

    kind: str
    group: str
    title: str
    about: str
    needs: str = ""
    asks: tuple[str, ...] = ()


DOCUMENTS = {
    document.kind: document
    for document in (
        Document(
            "pairings", "round", "Pairings A–Z", "To hang up: every name with table and opponent.", "draft", ("round",)
        ),
        Document(
            "tables",
            "round",
            "Pairings by table",
            "Every table with its two players, the bye last.",
            "draft",
            ("round",),
        ),
        Document(
            "slips",
            "round",
            "Match slips",
            "One for each table, sorted when the stack is cut, with a code that opens the result.",
            "draft",
            ("round", "per_page"),
        ),
        Document("standings", "ranks", "Standings", "Ranks, Battle Points and Fleet Points.", "standings", ("after",)),
        Document("factions", "ranks", "Factions", "The combined points of each faction.", "factions", ("after",)),
        Document(
            "score-sheet",
            "ranks",
            "Score sheet",
            "Everybody, round by round; what is open is filled in by hand.",
            "players",
        ),
        Document(
            "blank-score-sheet", "hand", "Empty score sheet", "For a night that is kept by hand.", asks=("copies",)
        ),
        Document("record", "hand", "Who has met whom", "Opponents of every round, and who has had a bye.", "round"),
        Document(
            "by-hand", "hand", "Pairing by hand", "How the next round is paired on paper, with an empty list of tables."
        ),
        Document(
            "check-in",
            "before",
            "Check-in list",
            "Names with boxes to tick, and lines for those who walk in.",
            "players",
        ),
        Document(
            "build-sheets",
            "before",
            "Fleet Build Sheets",
            "Of all players; who has no fleet here gets an empty one with the name on it.",
            "players",
        ),
        Document("blank-sheet", "before", "Empty Fleet Build Sheet", "To be filled in by hand.", asks=("copies",)),
        Document("awards", "ranks", "Awards", "Who gets what, with boxes to tick when it is handed over.", "gifts"),
        Document(
            "signatures", "ranks", "List to sign", "Everybody who played, with a line for the signature.", "players"
        ),
        Document("table-numbers", "before", "Table numbers", "Two on a sheet, to be cut.", "players"),
        Document(
            "tents", "before", "Table tents", "One on a sheet, to be folded: the number on both sides.", "players"
        ),
    )
}

BUNDLE = ("pairings", "tables", "slips", "standings", "record", "score-sheet", "by-hand")
"""Everything to finish the night by hand."""

USUAL = {
    "before": ("check-in", "build-sheets", "table-numbers"),
    "playing": ("pairings", "slips", "standings"),
    "between": ("standings", "factions"),
    "over": ("standings", "factions", "score-sheet", "awards", "signatures"),
    "finished": ("standings", "factions", "score-sheet", "awards", "signatures"),
}
"""What is printed at each moment of the night; nothing while a draft waits."""


def group_of(moment: str) -> str:
    """The group (a key of GROUPS) that somebody looks for at that moment."""
    return GROUP_OF_THE_MOMENT.get(moment, "ranks")


def usual_set(moment: str, *, can_print: frozenset[str]) -> tuple[str, ...]:
    """What one press prints now, of what there is (kinds of documents)."""
    return tuple(kind for kind in USUAL.get(moment, ()) if kind in can_print)


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


def usual_size(time_zone: str) -> str:
    """The paper (a key of SIZES) that printers hold where the store is."""
    return "letter" if time_zone.startswith(LETTER_ZONES) else "a4"


def letters(names: Sequence[str], spare: int = 0) -> str:
    """How large a list of these names is set, with so many empty rows: large, medium or small, as fits one sheet.

    A long name takes more than one line.
    """
    lines = spare + sum(-(-len(name) // LETTERS_IN_A_LINE) for name in names)
    return "large" if lines <= 14 else "medium" if lines <= 22 else "small"
