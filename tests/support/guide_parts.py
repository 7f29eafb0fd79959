"""A page of the guide in its parts, one for each heading: what a translation has as the English page has it."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it.token import Token

from tourney.queries.guide import MARKDOWN, NAMED

QUOTED = re.compile("“([^“”]+)”")


@dataclass
class Part:
    """What stands below a heading, which is named by its level and its anchor: “## late”."""

    heading: str
    links: Counter[str] = field(default_factory=Counter)
    code: Counter[str] = field(default_factory=Counter)
    pictures: Counter[str] = field(default_factory=Counter)
    items: int = 0
    rows: int = 0
    bold: list[str] = field(default_factory=list)
    text: str = ""

    @property
    def quoted(self) -> list[str]:
        """What stands in American quotation marks."""
        return QUOTED.findall(self.text)


def parts_of(text: str) -> list[Part]:
    """The parts of a file. What stands above the first heading, as a mark does, is in none."""
    parts: list[Part] = []
    tokens = MARKDOWN.parse(text)
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "heading_open":
            parts.append(Part("#" * int(token.tag[1])))
        elif parts:
            if token.type == "inline" and before and before.type == "heading_open":
                named = NAMED.search(token.content)
                parts[-1].heading += f" {named[1]}" if named else ""
            _add(token, parts[-1])
    return parts


def _add(token: Token, part: Part) -> None:
    part.items += token.type == "list_item_open"
    part.rows += token.type == "tr_open"
    if token.type in ("fence", "code_block"):
        part.code[token.content] += 1
    children = token.children or []
    part.links.update(str(one.attrGet("href")) for one in children if one.type == "link_open")
    part.code.update(one.content for one in children if one.type == "code_inline")
    part.pictures.update(str(one.attrGet("src")) for one in children if one.type == "image")
    part.bold += _bold(children)
    texts = (" " if one.type == "softbreak" else one.content for one in children)
    part.text = f"{part.text} {''.join(texts)}".strip(" ")


def _bold(children: list[Token]) -> Iterator[str]:
    """Each run of words in bold, in single blanks."""
    words: list[str] | None = None
    for one in children:
        if one.type == "strong_open":
            words = []
        elif one.type == "strong_close" and words is not None:
            yield " ".join("".join(words).split())
            words = None
        elif words is not None:
            words.append(" " if one.type == "softbreak" else one.content)
