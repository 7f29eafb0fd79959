"""The Fleet Build Sheet as HTML."""

import re

from django.template.loader import render_to_string

from fleets.domain.build_sheet import BuildSheet, blank, build_sheet
from tests.domain.test_build_sheet import DAY, FACTS, RULINGS, a_sheet


def lines(build: BuildSheet) -> list[str]:
    """The text of the page, a table row or a heading per line."""
    html = render_to_string("fleets/parts/build_sheet.html", {"build": build})
    rows = re.split(r"</tr>|</caption>|</div>|</h\d>|</p>", html)
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in rows]


def test_7_15_a_line_by_hand_and_a_ruling_say_so_and_why():
    found = lines(build_sheet(a_sheet(), **FACTS, rulings=RULINGS, rounds=1))

    assert "E Sigma by hand: free this month FED 0" in found
    assert "C Quill allowed: the box says so ROM MIR 3" in found
    assert "Res Command Tokens on Kestrel 5" in found
    assert "Total of ship 1 26" in found
    assert "Total 51" in found


def test_what_somebody_typed_is_text_and_no_html():
    html = render_to_string(
        "fleets/parts/build_sheet.html", {"build": build_sheet(a_sheet(), **FACTS | {"name": "<b>"})}
    )

    assert "&lt;b&gt;" in html
    assert "<dd><b>" not in html


def test_an_empty_sheet_has_as_many_rows_as_it_promises():
    html = render_to_string("fleets/parts/build_sheet.html", {"build": blank(date=DAY, event="Watch", rounds=3)})

    assert html.count("<tr>") == 4 * (1 + 12 + 1) + (1 + 1 + 2) + 2 * (1 + 3)
    assert "None" not in html


def test_every_table_has_a_caption_and_every_heading_cell_a_scope():
    html = render_to_string("fleets/parts/build_sheet.html", {"build": build_sheet(a_sheet(), **FACTS, rounds=2)})

    assert len(re.findall(r"<table", html)) == len(re.findall(r"<caption", html)) == 5
    assert re.findall(r"<th(?! scope=|ead)", html) == []
