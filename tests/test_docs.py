"""What is written for people beside the pages is true, and in the words of the pages (README, docs, `make help`)."""

import re
import shlex
from collections.abc import Iterator
from datetime import timedelta
from math import ceil
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

from scoring.domain.pack import MonthPack
from tests.test_catalogues import FILES, NOT_SAID
from tourney.actions import rehearsal, roll_offs, sign_ins
from tourney.actions.mail import LINK_DAYS
from tourney.actions.new_stores import KEPT_DAYS
from tourney.backups.domain.dailies import KEPT as KEPT_BACKUPS
from tourney.domain import recovery_words
from tourney.queries.attempts import WINDOW
from tourney.serving.serve import USUAL_PORT
from tourney.sharing.domain.webhooks import WAITS

ROOT = settings.BASE_DIR
DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
IN_ENGLISH = [file for file in DOCS if file.parent.parent.name != "guide"]
"""All but translations of the guide (tests/test_guide_translated.py)."""
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


READ = re.compile(r"\(([A-Z]+)[),]|\"([A-Z]+)\"")
MADE = re.compile(r"(?:`|^|echo \"|\()(?:[A-Z]+=\S+ )*make [^`\n]*", re.M)
ADDRESS = re.compile(r"/(?!static/|var/)[a-z.][\w/….-]*")
OPTIONAL = re.compile(r"\[[^\]]*\]")
FOR_PEOPLE = [ROOT / "README.md", *sorted(ROOT.glob("docs/guide/*.md"))]
WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
NUMBER = rf"(\d+(?:\.\d+)?|{'|'.join(WORDS)})"
FIGURE = re.compile(
    rf"\b{NUMBER} (?:minutes?|hours?|days?|weeks?|(?:attack |defense )?dice|recovery words|Battle Points?|kB|MB)\b",
    re.I,
)
"""A number with a unit."""
DEMONYMS = {"BR": "Brazilian"}


def figure(pattern: str, value: float) -> tuple[str, float]:
    """A sentence's part with # for the number, and the number."""
    return rf"\b{pattern.replace('#', NUMBER)}", value


A_MONTH = MonthPack(slug="any", storyline="any")
FIGURES = {
    "a rehearsal's life": figure("deleted after # days", rehearsal.LIFE.days),
    "a rehearsal's data": figure("rehearsals after # days", rehearsal.LIFE.days),
    "sign-ins": figure("sign-ins (?:of the last|after) # days", sign_ins.KEPT.days),
    "backups": figure("kept for # days", KEPT_BACKUPS.days),
    "a link for a new password": figure("works once, for # days", LINK_DAYS),
    "tries of a webhook": figure("for up to # hours", ceil(sum(WAITS, timedelta()) / timedelta(hours=1))),
    "a pause after wrong passwords": figure("[Ww]aits? # minutes", WINDOW.total_seconds() / 60),
    "a request for a store": figure("wait for # days", KEPT_DAYS),
    "a round": figure("usually # minutes", A_MONTH.minutes),
    "dice of a roll-off": figure("# attack dice", roll_offs.DICE),
    "words of a card": figure("# recovery words", recovery_words.COUNT),
    "a win, a bye": figure("# Battle Points", A_MONTH.win),
    "a win in the table": figure("# for a win", A_MONTH.win),
    "a loss": figure("# for a loss", A_MONTH.loss),
    "the port": figure("port, usually #", USUAL_PORT),
    "Python": figure("Python # or newer", 3.12),
}
"""What the README and the guide say in numbers."""


def number_of(word: str) -> float:
    """Written in digits or as a word."""
    return WORDS.index(word.lower()) + 1 if word.lower() in WORDS else float(word)


def managed_by(file: Path) -> list[str]:
    """The commands that the file writes with what they are given."""
    text = file.read_text("utf-8")
    return [" ".join(one.split()) for one in re.findall(r"\bmanage\.py ([a-z_]+ +[^\s`#|][^`#|\n]*)", text)]


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


@pytest.mark.parametrize("file", IN_ENGLISH, ids=lambda file: file.stem)
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


def test_what_docs_hand_to_make_is_understood():
    """The names in capitals, as in `make walk IN=de`, are read by the Makefile or by what it starts."""
    texts = [file.read_text("utf-8") for file in (*DOCS, ROOT / "Makefile")]
    sources = [ROOT / "Makefile", *(file for folder in (*OURS, "tests") for file in ROOT.glob(f"{folder}/**/*.py"))]
    read = {one for file in sources for pair in READ.findall(file.read_text("utf-8")) for one in pair}
    named = {one for text in texts for line in MADE.findall(text) for one in re.findall(r"\b([A-Z]+)=", line)}

    assert len(named) > 5
    assert {name for name in named if name not in read} == set()


@pytest.mark.parametrize("line", sorted({one for file in DOCS for one in managed_by(file)}))
def test_commands_that_docs_write_are_understood(line: str):
    """Each with its options, as it would be typed."""
    name, *arguments = shlex.split(OPTIONAL.sub("", line))
    command = load_command_class(get_commands()[name], name)

    command.create_parser("manage.py", name).parse_args(arguments)


def test_addresses_that_docs_name_lead_somewhere():
    addresses = {one for file in DOCS for one in named(file) if ADDRESS.fullmatch(one)}
    lost = []
    for one in sorted(addresses):
        try:
            resolve(one.replace("…", "x"))
        except Resolver404:
            lost.append(one)

    assert len(addresses) > 10
    assert lost == []


def test_figures_are_those_of_the_code():
    """Each number with its unit in the README and the guide is in FIGURES, and the product's own."""
    texts = {file.name: " ".join(file.read_text("utf-8").split()) for file in FOR_PEOPLE}
    found = {what: [] for what in FIGURES}
    left = []
    for name, text in texts.items():
        held = set()
        for what, (pattern, value) in FIGURES.items():
            for one in re.finditer(pattern, text):
                held.add(one.start(1))
                found[what].append((name, number_of(one[1]), value))
        left += [f"{name}: {one[0]}" for one in FIGURE.finditer(text) if one.start(1) not in held]

    assert [what for what, places in found.items() if not places] == []
    assert [(what, *one) for what, places in found.items() for one in places if one[1] != one[2]] == []
    assert left == []


def test_the_readme_names_every_language():
    said = " ".join((ROOT / "README.md").read_text("utf-8").split())
    listed = re.split(r", | and ", re.search(r"It speaks (.+?)\.", said)[1])
    spoken = [Locale.parse(code, sep="-") for code, _ in settings.LANGUAGES]

    names = {" ".join((DEMONYMS.get(one.territory, ""), one.get_language_name("en"))).strip() for one in spoken}
    assert {*listed} == names


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
