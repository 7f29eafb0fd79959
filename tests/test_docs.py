"""What is written for people beside the pages is true, and in the words of the pages (README, docs, `make help`)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import get_commands, load_command_class

from tests.test_catalogues import FILES, NOT_SAID

ROOT = settings.BASE_DIR
DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
OURS = ("tourney", "fleets")
INDEX = re.compile(r"<!-- index: made.*?<!-- end of the index -->", re.S)
BLOCK = re.compile(r"^```.*?^```", re.S | re.M)
CODE = re.compile(r"`[^`\n]+`")
MORE_NOT_SAID = {
    r"\bstands? (in|at|on|there|once|twice|beside|behind|under|for)\b": "is",
    r"\b(by|of) (itself|themselves)\b": "automatically, on its own; or leave it out",
    r"\bgoes? on (as|working|by|from|into)\b": "continue, keep",
    r"\b(taken?|took|takes|taking) back\b": "undo, withdraw",
    r"\bdone again\b": "redo",
    r"\bforgotten\b|\bforgetting\b|\bforgets?\b": "erase personal data",
    r"\bgone home\b|\bmends?\b": "left early; fix",
    r"\bpages? \*\*(Now|Steps|People)\*\*": "Overview, History, Staff",
    r"\bcolour|\blicence|\bhonour|\bneighbour(?!s\")": "American spelling",
}
NOT_SAID_HERE = NOT_SAID | MORE_NOT_SAID
FILE = re.compile(r"(?!/|var/)[\w.-]+(/[\w.-]+)+\.(py|js|toml|css|md|html|json|csv)")
FOLDERS = (".ci", "docs", "fleets", "locale", "scoring", "static", "templates", "tests", "tourney")
ELSEWHERE = ["draw/manager.py", "participants/utils.py"]
"""Files of another program (docs/performance.md)."""


def prose(text: str) -> str:
    """The text without code and without what a script writes."""
    return CODE.sub("`…`", BLOCK.sub("", INDEX.sub("", text)))


def named(file: Path) -> Iterator[str]:
    """What the file names as code, line by line."""
    return (one.strip("`") for one in CODE.findall(BLOCK.sub("", INDEX.sub("", file.read_text("utf-8")))))


def nobody_would_say(text: str) -> list[tuple[str, str]]:
    """Each such word, with what is said in its place."""
    flat = " ".join(text.split())
    return [
        (flat[max(0, found.start() - 30) : found.end() + 30], better)
        for never, better in NOT_SAID_HERE.items()
        for found in re.finditer(never, flat, re.IGNORECASE)
    ]


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.stem)
def test_docs_say_nothing_that_nobody_would_say(file: Path):
    assert nobody_would_say(prose(file.read_text("utf-8"))) == []


def test_the_commands_say_nothing_that_nobody_would_say():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    said = ["\n".join(re.findall(r'@echo "(.*)"', makefile))]
    for name, app in get_commands().items():
        if app in OURS:
            said.append(load_command_class(app, name).create_parser("manage.py", name).format_help())

    assert len(said) > 10
    assert [found for text in said for found in nobody_would_say(text)] == []


def test_files_that_docs_name_exist():
    named_here = {one for file in DOCS for one in named(file) if FILE.fullmatch(one)}
    known = [f"/{path}" for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*")]
    left = [one for one in sorted(named_here) if not any(path.endswith(f"/{one}") for path in known)]

    assert len(named_here) > 50
    assert left == ELSEWHERE


def test_commands_that_docs_name_exist():
    texts = [file.read_text("utf-8") for file in DOCS]
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    made = {one for text in texts for one in re.findall(r"(?:`|^|[A-Z]=\S+ )make ([a-z-]+)", text, re.M)}
    managed = {one for text in texts for one in re.findall(r"\bmanage\.py\s+([a-z_]+)", text)}

    assert len(made) > 10
    assert made - targets == set()
    assert len(managed) > 10
    assert managed - {*get_commands()} == set()


def test_pages_and_buttons_that_docs_name_are_called_so():
    """In the README and docs/operating.md a name in bold is what a page, a tab or a button says."""
    texts = ((ROOT / file).read_text("utf-8") for file in ("README.md", "docs/operating.md"))
    names = {" ".join(name.split()) for text in texts for name in re.findall(r"\*\*([A-Z][^*.?]+)\*\*", text)}

    assert len(names) > 15
    assert not_said(names) == set()


def test_the_guide_calls_pages_and_buttons_what_they_are_called():
    """In docs/guide every word in bold is what the product says, and nothing else is in bold."""
    texts = (file.read_text("utf-8") for file in ROOT.glob("docs/guide/*.md"))
    names = {" ".join(name.split()) for text in texts for name in re.findall(r"\*\*([^*]+)\*\*", text)}

    assert len(names) > 100
    assert not_said(names) == set()


def not_said(names: set[str]) -> set[str]:
    """Those that no page says. A name with a number in it, “Pair round 1”, is said where a sentence has its place."""
    said = said_on_pages()
    numbered = {re.sub(r"%\(\w+\)s|\{\w+\}", "#", one) for one in said}
    return {one for one in names - said if "#" in one or re.sub(r"\d+", "#", one) not in numbered - said}


def said_on_pages() -> set[str]:
    """What the catalogue of sentences has, without what only screen readers get, and what templates ask for by now."""
    known: set[str] = set()
    for file in {file.name: file for file in FILES}.values():
        with file.open("rb") as opened:
            known |= {form for one in read_po(opened) for form in ([one.id] if isinstance(one.id, str) else one.id)}
    templates = (file.read_text("utf-8") for file in ROOT.glob("templates/**/*.html"))
    seen = {re.sub(r'<span class="visually-hidden">.*?</span>', "", one).strip() for one in known}
    return known | seen | {one for text in templates for one in re.findall(r'{% translate "([^"]+)" %}', text)}
