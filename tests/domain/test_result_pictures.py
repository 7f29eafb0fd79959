"""The pictures of a finished event as drawings: nothing leaves its room, and the colours are those of the pages."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.printing.domain.poster import Drawing, PosterName
from tourney.printing.domain.result_pictures import (
    HEIGHT,
    THEMES,
    WIDTH,
    EventResult,
    Occasion,
    PlayerResult,
    draw_event,
    draw_player,
)

TOKENS = Path(__file__).parents[2] / "static/css/tokens.css"
LETTERS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=60)
MARKS = st.sampled_from(["", "klingon", "other"])
OCCASIONS = st.builds(Occasion, LETTERS, LETTERS, LETTERS, st.sampled_from(["", "Federation"]), st.just("federation"))
PLACES = st.builds(
    PosterName, st.integers(1, 999), st.booleans(), st.sampled_from(["", "Vice Admiral"]), LETTERS, MARKS
)


def assert_fits(drawing: Drawing) -> None:
    """Every text inside its room, and every room inside the picture."""
    for text in drawing.texts:
        assert text.room.x <= text.left <= text.left + text.width <= text.room.right, text
        assert 0 <= text.y - text.size * 72 // 100 <= text.y <= HEIGHT, text
        assert -20 <= text.room.x < text.room.right <= WIDTH, text
    assert all(0 <= mark.x <= mark.x + mark.size <= WIDTH for mark in drawing.marks)


@given(OCCASIONS, PLACES, LETTERS, st.sampled_from([*THEMES]))
def test_whatever_it_says_a_players_picture_holds_it(occasion, place, faction, theme):
    assert_fits(draw_player(PlayerResult(occasion, place, 999, faction, "99 Battle Points, 999 Fleet Points"), theme))


@given(OCCASIONS, st.lists(PLACES, min_size=1, max_size=60), st.sampled_from([*THEMES]))
def test_whatever_it_says_an_events_picture_holds_it(occasion, places, theme):
    drawing = draw_event(EventResult(occasion, tuple(places)), theme)

    assert_fits(drawing)
    assert 0 <= drawing.hidden < len(places)


@pytest.mark.parametrize("players", [1, 2, 3, 8, 16])
def test_a_usual_night_is_shown_whole(players):
    titles = ["Admiral", "Vice Admiral"]
    places = [PosterName(n + 1, False, (*titles, *[""] * 60)[n], f"Player {n}", "borg") for n in range(players)]

    drawing = draw_event(EventResult(Occasion("Store", "Event", "today"), tuple(places)), "light")

    assert drawing.hidden == 0
    assert {place.name for place in places} <= {text.words for text in drawing.texts}


@pytest.mark.parametrize(("theme", "which"), [("light", 1), ("dark", 2)])
def test_its_colours_are_those_of_the_design_system(theme, which):
    tokens = TOKENS.read_text()
    pair = r"light-dark\((#\w+), (#\w+)\)"
    named = {found[1]: found[1 + which] for found in re.finditer(rf"--([\w-]+): {pair}", tokens)}
    factions = {
        found[1]: found[1 + which] for found in re.finditer(rf"\.faction-([\w-]+) {{ --faction: {pair}", tokens)
    }
    inks = THEMES[theme]

    assert (inks.paper, inks.ink, inks.muted, inks.line) == tuple(
        named[name] for name in ("surface", "ink", "muted", "line")
    )
    assert (inks.brass, inks.brass_soft) == (named["brass"], named["brass-soft"])
    assert inks.factions == factions
