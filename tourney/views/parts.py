"""Long lists: the first rows, more where somebody asks for them, and a search over all of them."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from tourney import access
from tourney.queries.matches import MatchState
from tourney.queries.state import EventState
from tourney.runtime.letters import plain

SIZE = 100
"""Rows in a part of a list of the desk."""
PLAYERS = 48
"""Players in a part of a list that phones read: none of those pages is over 100 kB before compression."""


@dataclass(frozen=True, slots=True)
class Parts[Row]:
    """A list as far as a page shows it: `shown` are its first parts, the last of them maybe shorter; of `total` rows.

    `text` is what was searched for; what that found is kept for nobody else. `query` stands before `page` in addresses.
    """

    shown: tuple[tuple[Row, ...], ...]
    total: int
    size: int
    is_long: bool
    text: str
    query: str

    @property
    def rows(self) -> int:
        """How many rows are shown."""
        return sum(map(len, self.shown))

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to be asked for."""
        return self.rows == self.total

    @property
    def page(self) -> int:
        """How many parts are shown; at least one."""
        return len(self.shown) or 1

    @property
    def next(self) -> int:
        """How many rows the next part has."""
        return min(self.size, self.total - self.rows)

    @property
    def pages(self) -> int:
        """How many parts there are."""
        return -(-self.total // self.size) or 1


def parts_of[Row](
    request: HttpRequest,
    state: EventState,
    key: Hashable,
    rows: Sequence[Row],
    fits: Callable[[Row, str], bool] | None = None,
    *,
    least: int = 1,
    size: int = SIZE,
) -> Parts[Row]:
    """The rows that the address asks for by `page` and `q`, in `least` parts at least; the state has them by `key`.

    `fits` says whether a row is found by a text of `plain` letters; without it, `q` is another matter. Nonsense for a
    page is the first one.
    """
    text = request.GET.get("q", "").strip() if fits else ""
    if fits and text:
        letters = plain(text)
        parts = _split([row for row in rows if fits(row, letters)], size)
    else:
        parts = state.memoized(("parts", key), lambda: _split(rows, size))
    total = sum(map(len, parts))
    query = request.GET.copy()
    query.pop("page", None)
    query.pop("after", None)
    before = f"{query.urlencode()}&" if query else ""
    shown = parts[: max(least, _number(request, "page"))]
    if not text:
        shown = state.memoized(("parts", key, len(shown)), lambda: shown)  # the same object for `{% kept %}`
    return Parts(shown, total, size, len(rows) > size, text, before)


def added[Row](request: HttpRequest, listed: Parts[Row]) -> tuple[tuple[Row, ...], ...]:
    """The parts to show: all of them, or where htmx asks for `more` those after what the page has (`after`)."""
    return listed.shown[_number(request, "after", least=0) :] if is_more(request) else listed.shown


def is_more(request: HttpRequest) -> bool:
    """Whether htmx asks for rows that are added to those that the page has."""
    htmx = access.htmx_of(request)
    return bool(htmx) and htmx.target == "more"


def at_table(page: str, number: int, table: int | None) -> str:
    """The address of that table of that round in the list of a page, with all parts before it; the page for a bye."""
    if not table:
        return page
    part = -(-table // SIZE)  # tables are in the order of their numbers, though some may be missing
    return f"{page}{f'?page={part}' if part > 1 else ''}#table-{number}-{table}"


def fits_match(match: MatchState, text: str) -> bool:
    """Whether that is the match's table, or stands in the name of somebody who sits there."""
    return text == str(match.table) or any(text in plain(entrant.player.name) for entrant in match.entrants)


def _split[Row](rows: Sequence[Row], size: int) -> tuple[tuple[Row, ...], ...]:
    return tuple(tuple(rows[first : first + size]) for first in range(0, len(rows), size))


def _number(request: HttpRequest, name: str, *, least: int = 1) -> int:
    text = request.GET.get(name, "")
    return max(least, int(text)) if text.isascii() and text.isdigit() and len(text) < 5 else least
