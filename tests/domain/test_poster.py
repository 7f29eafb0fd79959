"""Rule 5.6: the poster of a campaign. Whatever is on it, no text leaves its room, and no room the sheet."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.season import SeasonRules
from scoring.domain.season_words import rules_said
from tourney.printing.domain.poster import (
    PAPERS,
    Drawing,
    NextMonth,
    Paper,
    Poster,
    PosterMonth,
    PosterName,
    Room,
    Victories,
    draw,
    ink,
    sheets,
)
from tourney.printing.domain.poster.paper import EDGE
from tourney.printing.domain.poster.plan import LEGIBLE
from tourney.printing.domain.poster.text import fit, halves, width_of
from tourney.runtime.messages import in_a_row

TOKENS = Path(__file__).parents[2] / "static/css/tokens.css"
TITLES = {1: "Admiral", 2: "Vice Admiral"}
FACTIONS = (("federation", "FED"), ("klingon", "KLI"), ("other", "OWN"), ("", ""))
LONG = "Rear Commandant Bartholomew Featherstone of the Outer Reach."

SEASON = SeasonRules(best_of=3, at_least=2, for_attendance=1, pick_order="months")
RULES = str(in_a_row(rules_said(SEASON)))

names = st.one_of(
    st.text(alphabet="abc MWéж好", min_size=1, max_size=60),
    st.sampled_from(["Vor", "Nine of Ten", LONG, "M" * 60, "好" * 60]),
)


@st.composite
def months(draw) -> PosterMonth:
    people = draw(st.lists(names, min_size=0, max_size=40))
    marks = draw(st.lists(st.sampled_from(FACTIONS), min_size=len(people), max_size=len(people)))
    places = tuple(
        PosterName(rank, False, TITLES.get(rank, ""), name, *faction)
        for rank, (name, faction) in enumerate(zip(people, marks, strict=True), start=1)
    )
    state = draw(st.sampled_from(["", "Ranks after round 2 of 3", "Not played"]))
    return PosterMonth(
        draw(names), draw(names), places, state, *draw(st.sampled_from([("", ""), ("Klingon", "klingon")]))
    )


@st.composite
def posters(draw) -> Poster:
    shown = tuple(draw(st.lists(months(), min_size=0, max_size=12)))
    following = NextMonth(draw(names), draw(names), draw(names))
    victories = tuple(Victories("klingon", number) for number in draw(st.lists(st.integers(1, 12), max_size=5)))
    has_factions = any(place.mark for month in shown for place in month.places)
    season = draw(st.one_of(st.just(""), names, st.just(RULES)))
    return Poster(draw(names), draw(names), draw(names), shown, following, victories, has_factions, season)


@given(posters(), st.sampled_from([*PAPERS.values(), *(paper.turned for paper in PAPERS.values())]))
def test_no_text_leaves_its_room_and_no_room_the_sheet(poster: Poster, paper: Paper):
    drawing = draw(poster, [paper])

    assert [text for text in drawing.texts if text.left < text.room.x] == []
    assert [text for text in drawing.texts if text.left + text.width > text.room.right] == []
    assert [text for text in drawing.texts if text.y - text.size * 80 // 100 < text.room.y - 1] == []
    assert [text for text in drawing.texts if text.y + text.size * 22 // 100 > text.room.bottom + 1] == []
    assert [room for room in rooms(drawing) if not inside(room, paper)] == []


@settings(deadline=None, max_examples=30)
@given(posters())
def test_no_two_texts_share_a_place(poster: Poster):
    drawing = draw(poster, sheets("a4"))

    assert [pair for pair in combinations(rooms(drawing), 2) if overlap(*pair)] == []


@settings(deadline=None, max_examples=30)
@given(posters())
def test_everybody_is_named_or_counted(poster: Poster):
    drawing = draw(poster, sheets("letter"))

    more = [re.fullmatch(r"and (\d+) more", text) for text in joined(drawing)]
    assert sum(int(found[1]) for found in more if found) == drawing.hidden
    written = [room for room in rooms(drawing) if room.y > drawing.sky.bottom]
    everybody = sum(len(month.places) for month in poster.months)
    assert len(written) >= everybody - drawing.hidden


@pytest.mark.parametrize("count", range(1, 13))
def test_a_usual_campaign_hides_nobody(count):
    month = PosterMonth("Month 1 · 20 Nov 2026", "The Siege of AR-558", tuple(places(16)), "", "Klingon", "klingon")

    drawing = draw(Poster("Deck Twelve", "Dominion War", "2026", (month,) * count, NextMonth("", "")), sheets("a4"))

    assert drawing.hidden == 0


def test_forty_in_each_of_three_months_all_have_room():
    month = PosterMonth("Month 1", "Operation Return", tuple(places(40)), "", "Klingon", "klingon")

    drawing = draw(Poster("Deck Twelve", "Dominion War", "2026", (month,) * 3, NextMonth("", "")), sheets("a4"))

    assert (drawing.hidden, min(text.size for text in drawing.texts if text.words == "Kestrel")) == (0, 28)


def test_the_rules_of_the_season_stand_whole_and_legible_at_the_foot():
    month = PosterMonth("Month 1 · 20 Nov 2026", "The Siege of AR-558", tuple(places(16)), "", "Klingon", "klingon")
    poster = Poster("Deck Twelve", "Dominion War", "2026", (month,) * 6, NextMonth("Next", "Month 7"), season=RULES)

    for paper in ("a4", "letter"):
        drawing = draw(poster, sheets(paper))
        lines = [text for text in drawing.texts if len(text.words) > 20 and text.words in RULES]

        assert " ".join(text.words for text in lines) == RULES
        assert min(text.size for text in lines) >= LEGIBLE
        assert {text.room.bottom < drawing.height - EDGE for text in lines} == {True}
        assert drawing.hidden == 0


def test_who_has_no_room_is_counted_at_the_end_of_the_month():
    month = PosterMonth("Month 1", "Operation Return", tuple(places(60)), "", "Klingon", "klingon")

    drawing = draw(Poster("Deck Twelve", "Dominion War", "2026", (month,) * 12, NextMonth("", "")), sheets("a4"))

    more = [text.words for text in drawing.texts if text.words.endswith(" more")]
    named = [text.words for text in drawing.texts if text.words.startswith("Lieutenant")]
    assert more == [f"and {drawing.hidden // 12} more"] * 12
    assert len(named) == 12 * (60 - 1) - drawing.hidden


@pytest.mark.parametrize(
    ("name", "width", "size", "lines", "fitted"),
    [
        ("Vor", 400, 40, ("Vor",), 40),
        ("Commodore Finch", 300, 40, ("Commodore Finch",), 32),
        (LONG, 400, 40, ("Rear Commandant Bartholomew", "Featherstone of the Outer Reach."), 24),
        ("Captain Thistledown-Harrow", 200, 40, ("Captain", "Thistledown-Harrow"), 19),
        ("X" * 60, 300, 40, ("X" * 30, "X" * 30), 14),
    ],
)
def test_a_long_name_shrinks_a_little_or_goes_on_two_lines(name, width, size, lines, fitted):
    found = fit(name, width, size * 3 // 2, size)

    assert (found.lines, found.size) == (lines, fitted)


def test_a_title_is_not_broken_inside_a_word():
    assert halves("THE DOMINION WAR") == ("THE DOMINION", "WAR")


def test_the_second_title_is_about_as_large_as_the_names_below_it():
    month = PosterMonth("Month 1", "Operation Return", tuple(places(12)), "", "Klingon", "klingon")

    drawing = draw(Poster("Deck Twelve", "Dominion War", "2026", (month,) * 2, NextMonth("", "")), sheets("a4"))

    sizes = {text.words: text.size for text in drawing.texts}
    assert sizes["VICE ADMIRAL"] * 10 > sizes["Kestrel"] * 6


def test_one_long_name_is_given_the_width_of_the_sheet():
    people = [*places(11), PosterName(12, False, "", LONG, "klingon", "KLI")]
    month = PosterMonth("Month 1", "Operation Return", tuple(people), "", "Klingon", "klingon")

    drawing = draw(Poster("Deck Twelve", "Dominion War", "2026", (month,), NextMonth("", "")), sheets("a4"))

    assert [(text.words, text.size) for text in drawing.texts if text.words == LONG] == [(LONG, 49)]


def test_an_accent_takes_no_room_and_a_foreign_letter_a_whole_square():
    assert width_of("é", 100) == width_of("e", 100) == 59
    assert width_of("好", 100) == 105


def test_its_colours_are_those_of_the_design_system():
    tokens = TOKENS.read_text()
    day = dict(re.findall(r"--([\w-]+): (?:light-dark\()?(#\w+)", tokens))
    factions = dict(re.findall(r"\.faction-([\w-]+) \{ --faction: light-dark\((#\w+)", tokens))
    own = ("HULL", "ON_HULL", "ON_HULL_MUTED", "SIGNAL", "INK", "MUTED", "LINE", "LINE_STRONG", "BRASS", "BRASS_SOFT")

    assert {name: getattr(ink, name) for name in own} == {name: day[name.lower().replace("_", "-")] for name in own}
    assert factions == ink.FACTIONS


def places(count: int) -> list[PosterName]:
    return [
        PosterName(
            rank, False, TITLES.get(rank, ""), "Kestrel" if rank == 3 else f"Lieutenant {rank}", "klingon", "KLI"
        )
        for rank in range(1, count + 1)
    ]


def rooms(drawing: Drawing) -> list[Room]:
    """The rooms of the texts, each once."""
    return list(dict.fromkeys(text.room for text in drawing.texts))


def joined(drawing: Drawing) -> list[str]:
    """The words of each room, its lines put together."""
    words = {}
    for text in drawing.texts:
        words.setdefault(text.room, []).append(text.words)
    return [" ".join(lines) for lines in words.values()]


def inside(room: Room, paper: Paper) -> bool:
    return room.x >= EDGE and room.right <= paper.width - EDGE and room.y >= EDGE and room.bottom <= paper.height - EDGE


def overlap(one: Room, other: Room) -> bool:
    across = one.x < other.right and other.x < one.right
    return across and one.y < other.bottom and other.y < one.bottom
