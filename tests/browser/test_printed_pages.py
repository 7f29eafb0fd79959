"""Public pages printed from the browser: headings stay with what they are of, and rows are whole."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.support.browsing import LAPTOP
from tests.support.nights import make_night
from tests.support.pdf import pages_of

pytestmark = pytest.mark.django_db(transaction=True)

FOOT = range(180, 246, 6)
"""Millimetres by which a page is pushed down, so that its first heading comes to the foot of the paper."""
PUSH = """(millimetres) => {
    const place = document.querySelector("#pushes") ?? document.createElement("div");
    place.id = "pushes";
    place.style.height = `${millimetres}mm`;
    document.querySelector("main").prepend(place);
}"""
ROWS = """rows => rows.map(row => {
    const seen = row.cloneNode(true);
    seen.querySelectorAll(".visually-hidden, .why").forEach(one => one.remove());
    return seen.textContent;
})"""


@pytest.fixture
def printed(open_page: Callable[..., Page], server: str) -> Callable[[str], Page]:
    """A public page of a night of three rounds that is finished."""
    night = make_night(players=24, rounds=3, finish=True)

    def at(path: str) -> Page:
        page = open_page(LAPTOP)
        page.goto(f"/e/{night.event.slug}/{path}")
        return page

    return at


@pytest.mark.parametrize(
    ("path", "heading", "first"),
    [("standings/", "Finalstandings", "1Kestrel"), ("rounds/3/", "Round3", "1Kestrel"), ("", "Allranks", "1Kestrel")],
)
def test_no_heading_is_left_alone_at_the_foot_of_a_page(printed, path: str, heading: str, first: str):
    page = printed(path)
    lead = 138 if path == "" else 0  # the podium stands above, and who gets the token

    for millimetres in FOOT:
        page.evaluate(PUSH, millimetres - lead)
        sheets = map(letters, pages_of(page.pdf(format="A4")))
        headed = next(sheet for sheet in sheets if heading in sheet)
        assert first in headed.partition(heading)[2], millimetres


def test_no_row_is_cut_by_the_end_of_a_page(printed):
    page = printed("standings/")
    rows = page.locator("tbody tr").evaluate_all(ROWS)

    for millimetres in range(0, 40, 8):
        page.evaluate(PUSH, millimetres)
        sheets = list(map(letters, pages_of(page.pdf(format="A4"))))
        assert [row for row in rows if not any(letters(row) in sheet for sheet in sheets)] == []


def test_the_lines_between_rows_go_from_edge_to_edge(printed):
    page = printed("standings/")
    page.emulate_media(media="print")

    assert page.locator("tbody th").first.evaluate("cell => getComputedStyle(cell).position") == "static"


def letters(text: str) -> str:
    """The text without blanks and signs: a hyphen where a line ends is another one in a PDF."""
    return re.sub(r"\W", "", text)
