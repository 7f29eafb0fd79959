"""A list that looks the same for everybody but for the reader's own row, packed once for all of them."""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property

CLASS = 'class="'
OWN = re.compile(r"me-([0-9]+)-")
LONG = 8_000
"""Characters from which on it pays to keep a list packed."""
CHUNK = 16_000
"""Characters at least of what is packed together: the reader's own chunk is packed anew."""
START_OF_TAG = re.compile(r"\n(?=\s*<)")
"""Between two tags: what people typed has no such character, since it is escaped."""


def with_own(html: str, number: int | None) -> str:
    """The HTML with the classes `me-7-` of that number made `is-me`; what only looks like one, as a name may, stays."""
    if number is None:
        return html
    first, *rest = html.split(f"me-{number}-")
    done = [first]
    for piece in rest:
        is_class = '"' not in done[-1][done[-1].rfind(CLASS) + len(CLASS) :] if CLASS in done[-1] else False
        done += ["is-me" if is_class else f"me-{number}-", piece]
    return "".join(done)


class SharedHtml:
    """HTML that many read, cut between tags."""

    def __init__(self, html: str) -> None:
        self.html = html
        self._packed: dict[int, bytes] = {}

    @cached_property
    def chunks(self) -> list[str]:
        """The whole, cut into pieces of a length that suits."""
        ends, last = [], 0
        for found in START_OF_TAG.finditer(self.html):
            if found.start() - last >= CHUNK:
                ends.append(last := found.start())
        return [self.html[start:end] for start, end in zip([0, *ends], [*ends, len(self.html)], strict=True)]

    @cached_property
    def own_chunks(self) -> dict[int, set[int]]:
        """Which chunks name a reader, by the reader's number."""
        found = defaultdict(set)
        for place, chunk in enumerate(self.chunks):
            for number in OWN.findall(chunk):
                found[int(number)].add(place)
        return dict(found)

    def packed_for(self, number: int | None, pack: Callable[[str], bytes]) -> list[bytes]:
        """Each chunk packed, with the rows of that reader marked; `pack` is the same with every call."""
        own = self.own_chunks.get(number, set()) if number is not None else set()
        return [
            pack(with_own(chunk, number)) if place in own else self._packed_chunk(place, pack)
            for place, chunk in enumerate(self.chunks)
        ]

    def _packed_chunk(self, place: int, pack: Callable[[str], bytes]) -> bytes:
        if place not in self._packed:
            self._packed[place] = pack(self.chunks[place])
        return self._packed[place]


class OwnHtml:
    """Shared HTML as the reader of that number sees it."""

    __slots__ = ("number", "shared")

    def __init__(self, shared: SharedHtml, number: int | None) -> None:
        self.shared, self.number = shared, number

    def __str__(self) -> str:
        return with_own(self.shared.html, self.number)

    def packed(self, pack: Callable[[str], bytes]) -> list[bytes]:
        """The same, packed in chunks."""
        return self.shared.packed_for(self.number, pack)


class Pieces:
    """What a template shows of shared HTML is put aside, and a mark left in its place that nobody can type."""

    def __init__(self) -> None:
        self._put: list[OwnHtml] = []

    def put(self, piece: OwnHtml) -> str:
        """The mark in place of that piece."""
        self._put.append(piece)
        return f"\0{len(self._put) - 1}\0"

    def of(self, html: str) -> list[str | OwnHtml]:
        """What was rendered, with the pieces where their marks stand."""
        texts = html.split("\0")
        return [self._put[int(text)] if place % 2 else text for place, text in enumerate(texts)]
