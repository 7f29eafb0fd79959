"""The Fleet Build Sheet as HTML."""

import re

import pytest
from django.template.loader import render_to_string

from fleets.domain.build_sheet import AfterRow, BuildSheet, blank, build_sheet
from tests.domain.test_build_sheet import DAY, FACTS, RULINGS, a_sheet
from tests.support.built_fleets import night_with_fleets
from tests.support.tables import eliminated, enter, match_at
from tourney.printing.queries.build_sheets import build_sheets_of
from tourney.queries.state import state_of


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
    assert "Ship 1 total 26" in found
    assert "Total 51" in found


def test_what_somebody_typed_is_text_and_no_html():
    html = render_to_string(
        "fleets/parts/build_sheet.html", {"build": build_sheet(a_sheet(), **FACTS | {"name": "<b>"})}
    )

    assert "&lt;b&gt;" in html
    assert "<dd><b>" not in html


def test_a_blank_sheet_has_as_many_rows_as_it_promises():
    html = render_to_string("fleets/parts/build_sheet.html", {"build": blank(date=DAY, event="Watch", rounds=3)})

    assert html.count("<tr>") == 4 * (1 + 12 + 1) + (1 + 1 + 2) + 2 * (1 + 3)
    assert "None" not in html


def test_every_table_has_a_caption_and_every_heading_cell_a_scope():
    html = render_to_string("fleets/parts/build_sheet.html", {"build": build_sheet(a_sheet(), **FACTS, rounds=2)})

    assert len(re.findall(r"<table", html)) == len(re.findall(r"<caption", html)) == 5
    assert re.findall(r"<th(?! scope=|ead)", html) == []


def test_7_3_battle_points_stand_beside_the_fleet_points():
    after = (AfterRow(1, "W", 2, 105, 105), AfterRow(2, "L", 0, -3, 102))
    found = lines(build_sheet(a_sheet(), **FACTS, rounds=3, after=after))

    assert "Round W/L/B Battle Points Fleet Points Cumulative Opponent’s initials" in found
    assert {"1 W 2 105 105", "2 L 0 −3 102"} <= {*found}


@pytest.mark.django_db
def test_7_3_the_rounds_of_a_player_stand_on_the_sheet_as_they_were_played():
    night = night_with_fleets(players=2)
    enter(night.event, 1, eliminated(left=56))
    winner = match_at(night.event, 1).a

    found = {sheet.name: sheet.after[0] for sheet in build_sheets_of(state_of(night.event))}

    assert found.pop(winner.player.name) == AfterRow(1, "W", 2, 100, 100)
    assert [*found.values()] == [AfterRow(1, "L", 1, 44, 44)]
