"""Style sheets, scripts and templates: colours have their names in one place, and lines end where people read."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CSS = ROOT / "static/css"
LONGEST = 120

NOT_A_VALUE = re.compile(r"/\*.*?\*/|\"[^\"]*\"|'[^']*'|url\([^)]*\)", re.DOTALL)
DECLARED = re.compile(r":([^:;{}]+)(?=[;}])")
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\("
    r"|(?<![\w-])(?:black|blue|brown|cyan|gold|gray|green|grey|magenta|navy|orange|pink|purple|red|silver|teal|white"
    r"|yellow)(?![\w-])",
    re.IGNORECASE,
)

HEX = re.compile(r"(?<=[\"'}])#[0-9a-f]{6}\b")


def colours_in(css: str) -> list[str]:
    """What is a colour of its own among the values of a style sheet."""
    values = DECLARED.findall(NOT_A_VALUE.sub("", css))
    return [colour for value in values for colour in COLOUR.findall(value)]


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ("a { color: #fff; border: 1px solid RGB(0 0 0 / 50%) }", ["#fff", "RGB("]),
        ("#add:hover { color: var(--ink); white-space: nowrap } /* color: red; */", []),
        ("a { background: linear-gradient(red, transparent); content: 'red' }", ["red"]),
        ("@page { @top-left { color: black; content: '#000' } }", ["black"]),
    ],
)
def test_a_colour_is_found_wherever_it_is_a_value(css: str, found: list[str]):
    assert colours_in(css) == found


@pytest.mark.parametrize("sheet", sorted(set(CSS.glob("*.css")) - {CSS / "tokens.css"}), ids=lambda sheet: sheet.name)
def test_colours_have_their_names_in_tokens_alone(sheet: Path):
    assert colours_in(sheet.read_text("utf-8")) == []


def test_what_browsers_are_told_beside_style_sheets_are_colours_of_tokens_too():
    """The colour of a window's frame, in a meta element and in the manifest; the poster's are held by its own test."""
    places = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "tourney").rglob("views/**/*.py")]
    found = {f"{path.name} {one}" for path in places for one in HEX.findall(path.read_text("utf-8"))}
    tokens = (CSS / "tokens.css").read_text("utf-8")

    assert found
    assert {one for one in found if one.split()[1] not in tokens} == set()


@pytest.mark.parametrize("pattern", ["static/css/*.css", "static/js/*.js", "tests/js/*.js", "templates/**/*.*"])
def test_no_line_is_longer_than_people_read(pattern: str):
    assert [*long_lines(pattern)] == []


BROKEN = re.compile(r"\{\{[^}]*\n[^}]*\}\}|\{%[^%]*\n[^%]*%\}")
"""A variable or a tag that goes on in the next line: Django shows it as it is written."""


def test_no_variable_or_tag_of_djangos_is_broken_over_lines():
    files = [file for file in sorted((ROOT / "templates").rglob("*.*")) if "rows" not in file.parts]

    assert len(files) > 200
    assert [(file.name, broken) for file in files for broken in BROKEN.findall(file.read_text("utf-8"))] == []


def long_lines(pattern: str) -> Iterator[str]:
    """`file:line` of every line that is longer than LONGEST."""
    for path in sorted(ROOT.glob(pattern)):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if len(line) > LONGEST:
                yield f"{path.relative_to(ROOT)}:{number}"
