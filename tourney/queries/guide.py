"""The guide (docs/guide/*.md, docs/rules.md) as pages in the reader's language, each rendered once; and its search.

Headings name their own anchors, `## If a player is late {#late}`, which translations keep. A translation of a page is
the file of the same name in a folder named for the language (`docs/guide/de/player.md`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tourney.domain.guide import PAGES
from tourney.queries.guide_pictures import show_pictures
from tourney.runtime.letters import plain

DOCS: Path = settings.BASE_DIR / "docs"
WRITTEN_IN = "en"
MOST_FOUND = 20
MOST_OF_A_PASSAGE = 180
NAMED = re.compile(r"\s*\{#([a-z0-9-]+)\}$")
RULE = re.compile(r"\*\*(\d+\.\d+)\*\*")
NUMBER = re.compile(r"(?<![\d.])(\d{1,2}\.\d{1,2})(?![\d.]*\d)")
NOT_TYPED = re.compile("[-'‘’]")
EITHER_GENDER = re.compile(r"·\w*?(s?)\b")
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
OTHER_DOCS: Mapping[str, str] = {"month-packs.md": "months"}
"""What is a page of the guide where rules.md means a document for developers. Links to others are left out."""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below a heading: its anchor ("" for the top of the page), the heading, and the paragraphs as text."""

    anchor: str
    title: str
    level: int
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page in the language in which it is written; `lead` is its first paragraph, `html` what comes below it."""

    name: str
    language: str
    title: str
    lead: SafeString
    html: SafeString
    sections: tuple[Section, ...]

    @property
    def address(self) -> str:
        """Where it is."""
        return address_of(self.name)

    @property
    def contents(self) -> tuple[Section, ...]:
        """The sections by which a reader finds the way on the page."""
        return tuple(one for one in self.sections if one.level == 2)


@dataclass(frozen=True, slots=True)
class Found:
    """A section in which all the words stand, and the passage that has the first of them."""

    page: GuidePage
    section: Section
    passage: str

    @property
    def address(self) -> str:
        """Where the section is."""
        return address_of(self.page.name, self.section.anchor)


def address_of(page: str, anchor: str = "") -> str:
    """The address of a page of the guide, or of a heading there."""
    path = reverse("help") if page == PAGES[0] else reverse("help_page", args=[page])
    return f"{path}#{anchor}" if anchor else path


def address_of_rule(number: str) -> str:
    """Where a rule stands in words: "3.3" in docs/rules.md."""
    return address_of("rules", anchor_of_rule(number))


def anchor_of_rule(number: str) -> str:
    """The anchor of a rule, or of a chapter of rules."""
    return f"r-{number.replace('.', '-')}"


@cache
def numbers_of_rules() -> frozenset[str]:
    """Every number that docs/rules.md has a rule for."""
    return frozenset(RULE.findall(_file_of("rules").read_text("utf-8")))


@lru_cache(maxsize=200)
def page_of(name: str, language: str) -> GuidePage | None:
    """That page in that language, in English if it is not translated; None if there is none of that name."""
    if name not in PAGES:
        return None
    translated = DOCS / "guide" / language / f"{name}.md"
    is_translated = language != WRITTEN_IN and translated.is_file()
    file = translated if is_translated else _file_of(name)
    return rendered(name, file.read_text("utf-8"), language if is_translated else WRITTEN_IN, pictures_in=language)


def pages_in(language: str) -> tuple[GuidePage, ...]:
    """All pages in their order."""
    return tuple(page for name in PAGES if (page := page_of(name, language)))


def search(text: str, language: str) -> tuple[Found, ...]:
    """The sections that hold every word: those first whose heading does, then those that hold them in a row, then those
    in which words begin so. Capitals, accents, hyphens and apostrophes do not matter.
    """
    words = _searched(text).split()
    if not words:
        return ()
    found = [hit for page in pages_in(language) for hit in _hits(page, words)]
    found.sort(key=lambda hit: hit[0])
    return tuple(one for _, one in found[:MOST_FOUND])


def _searched(text: str) -> str:
    """The text as it is searched: “Wi-Fi” by “wifi”, “can’t” with any apostrophe, “joueur·euses” by “joueurs”."""
    return NOT_TYPED.sub("", EITHER_GENDER.sub(r"\1", plain(text)))


def _hits(page: GuidePage, words: Sequence[str]) -> Iterator[tuple[tuple[bool, bool, bool], Found]]:
    """The sections that hold all words, some in their page's title maybe, each with its place among all that do."""
    for section in page.sections:
        title, passages = _searched(section.title), [_searched(one) for one in section.passages]
        here = " ".join((title, *passages))
        if all(word in f"{_searched(page.title)} {here}" for word in words) and any(word in here for word in words):
            place = next((place for word in words for place, text in enumerate(passages) if word in text), 0)
            passage = _around(section.passages[place], words[0]) if passages else ""
            far = (
                any(f" {word}" not in f" {title}" for word in words),
                "".join(words) not in here.replace(" ", ""),
                any(f" {word}" not in f" {here}" for word in words),
            )
            yield far, Found(page, section, passage)


def _around(passage: str, word: str) -> str:
    """So much of the passage that a line or two show the word."""
    if len(passage) <= MOST_OF_A_PASSAGE:
        return passage
    start = max(0, plain(passage).find(word) - MOST_OF_A_PASSAGE // 3)
    start = passage.rfind(" ", 0, start) + 1
    end = passage.rfind(" ", start, start + MOST_OF_A_PASSAGE)
    return f"{'… ' if start else ''}{passage[start:end].rstrip('.,;:')} …"


def _file_of(name: str) -> Path:
    return DOCS / "rules.md" if name == "rules" else DOCS / "guide" / f"{name}.md"


# rendering


def rendered(name: str, text: str, language: str, *, pictures_in: str = WRITTEN_IN) -> GuidePage:
    """A page from its Markdown. Raw HTML in it is text. Its pictures show the product in the reader's language."""
    tokens = MARKDOWN.parse(text)
    _name_headings(tokens)
    if name == "rules":
        _name_rules(tokens)
    show_pictures(tokens, pictures_in)
    for token in tokens:
        if token.type == "inline":
            token.children = [*_with_links(token.children or [], has_rules=name == "rules")]
    title = _title(tokens)
    body = _without_title(tokens)
    end = 3 if body and body[0].type == "paragraph_open" else 0
    return GuidePage(name, language, title, _html(body[:end]), _html(body[end:]), _sections(title, body))


def _html(tokens: Sequence[Token]) -> SafeString:
    html: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(html.replace("<table>", '<table class="table">'))


def _name_headings(tokens: Sequence[Token]) -> None:
    """Each heading gets the anchor that is written behind it; a chapter of rules, “3 Pairing”, that of its number."""
    for opened, inline in pairwise(tokens):
        if opened.type != "heading_open":
            continue
        last = (inline.children or [])[-1]
        if named := NAMED.search(last.content):
            opened.attrSet("id", named[1])
            last.content = NAMED.sub("", last.content)
        elif chapter := re.match(r"(\d+) ", inline.content):
            opened.attrSet("id", anchor_of_rule(chapter[1]))


def _name_rules(tokens: Sequence[Token]) -> None:
    for opened, inline in zip(tokens, tokens[2:], strict=False):
        if opened.type == "list_item_open" and (rule := RULE.match(inline.content)):
            opened.attrSet("id", anchor_of_rule(rule[1]))


def _with_links(children: Sequence[Token], *, has_rules: bool) -> Iterator[Token]:
    """Links to other files lead to their pages here, those to files that are no pages are text; numbers of rules among
    rules are links."""
    kept: list[bool] = []
    is_bold = False
    for child in children:
        if child.type == "link_open":
            to = _address(str(child.attrGet("href") or ""))
            kept.append(to is not None)
            if to is not None:
                child.attrSet("href", to)
                yield child
        elif child.type == "link_close":
            if kept.pop():
                yield child
        elif child.type == "text" and has_rules and not kept and not is_bold:
            yield from _linked_rules(child)
        else:
            is_bold = child.type == "strong_open" or (is_bold and child.type != "strong_close")
            yield child


def _linked_rules(text: Token) -> Iterator[Token]:
    for place, part in enumerate(NUMBER.split(text.content)):
        piece = Token("text", "", 0, content=part)
        if place % 2 and part in numbers_of_rules():
            yield Token("link_open", "a", 1, attrs={"href": f"#{anchor_of_rule(part)}"})
            yield piece
            yield Token("link_close", "a", -1)
        else:
            yield piece


def _address(link: str) -> str | None:
    """Where a link of a file leads on our pages; None where nothing of ours is."""
    if link.startswith(("https://", "http://", "#", "/")):
        return link
    file, _, anchor = link.partition("#")
    name = OTHER_DOCS.get(file) or file.rpartition("/")[2].removesuffix(".md")
    return address_of(name, anchor) if name in PAGES else None


def _title(tokens: Sequence[Token]) -> str:
    return next(text_of(inline) for opened, inline in pairwise(tokens) if opened.tag == "h1")


def _without_title(tokens: Sequence[Token]) -> list[Token]:
    """What stands below the title."""
    end = next(place for place, token in enumerate(tokens) if token.type == "heading_close" and token.tag == "h1")
    return [*tokens[end + 1 :]]


def _sections(title: str, tokens: Sequence[Token]) -> tuple[Section, ...]:
    made = [("", title, 1)]
    passages: list[list[str]] = [[]]
    heading: Token | None = None
    for token in tokens:
        if token.type == "heading_open":
            heading = token
        elif token.type == "heading_close":
            heading = None
        elif token.type == "list_item_open" and token.attrGet("id"):
            number = str(token.attrGet("id")).removeprefix("r-").replace("-", ".")
            made.append((str(token.attrGet("id")), f"{number} {_chapter(made)}", 3))
            passages.append([])
        elif token.type == "inline" and heading:
            made.append((str(heading.attrGet("id") or ""), text_of(token), int(heading.tag[1])))
            passages.append([])
        elif token.type == "inline" and (text := text_of(token)):
            passages[-1].append(text)
    return tuple(Section(*facts, tuple(texts)) for facts, texts in zip(made, passages, strict=True))


def _chapter(made: Sequence[tuple[str, str, int]]) -> str:
    """The words of the last chapter, without its number."""
    return next(title.lstrip("0123456789 ") for _, title, level in reversed(made) if level < 3)


def text_of(inline: Token) -> str:
    """What a reader sees of it, without marks."""
    seen = (child for child in inline.children or [] if child.type != "html_inline")  # a picture
    texts = (" " if child.type in ("softbreak", "hardbreak") else child.content for child in seen)
    return " ".join("".join(texts).split())
