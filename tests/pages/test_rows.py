"""The rows that are written in Python: what anybody typed stays text in every place of them."""

from dataclasses import replace
from html import escape

import pytest

from scoring.domain.points import Score
from scoring.domain.standings import Standing
from tourney.models import Entrant, Match, Player, Round
from tourney.queries.matches import MatchState, SeatScore
from tourney.queries.public import NameLine, RankLine
from tourney.queries.rulings import RulingNote
from tourney.templatetags.rows import name_row, rank_row

TYPED = """"><script>alert('me-1-')</script>&amp;"""
WON = Score(2, 120, (), "win")


def entrant(number: int, name: str = "Vor", faction: str = "Klingon") -> Entrant:
    return Entrant(pk=number, number=number, faction=faction, player=Player(pk=70 + number, name=name))


def rank(name: str = "Vor", *, faction: str = "Klingon", title: str = "Admiral", why: str = "Most points.") -> RankLine:
    standing = Standing(1, 3, False, 5, 240, (WON, None, Score(1, None, (), "bye")), False, title)
    return RankLine(standing, entrant(1, name, faction), why, came_in=None, left_after=None)


def pair(first: str = "Vor", second: str = "Kestrel", place: str = "Deck 9") -> NameLine:
    sides = [entrant(1, first), entrant(2, second)]
    match = MatchState(Match(table=4), Round(number=1), *sides, table_name=place)
    own, other = (SeatScore(side, None, False) for side in sides)
    return NameLine(match, own, other)


def full(line: RankLine) -> str:
    return rank_row(line, "deck-nine", 2, short=False, finished=True)


@pytest.mark.parametrize(
    "line",
    [
        rank(TYPED),
        rank(title=TYPED),
        rank(why=TYPED),
        rank(faction=TYPED),
        replace(rank(), rulings=(RulingNote(1, (1,), (1,), "Penalty", TYPED),)),
        pair(first=TYPED),
        pair(second=TYPED),
        pair(place=TYPED),
    ],
    ids=["name", "title", "reason", "faction", "ruling", "own name", "the other's name", "name of a table"],
)
def test_what_was_typed_is_text(line: RankLine | NameLine):
    html = full(line) if isinstance(line, RankLine) else name_row(line)

    assert TYPED not in html
    assert escape(TYPED) in html.replace("&#39;", "&#x27;")
    assert "<script" not in html


def test_a_row_of_the_standings_says_rank_title_points_and_every_round():
    html = full(rank())

    assert '<span class="rank">3</span>' in html
    assert '<span class="title">Admiral</span>' in html
    assert '<td class="n total">5</td><td class="n">240</td>' in html
    assert "2 <small>120</small>" in html
    assert '<td class="n">–</td>' in html
    assert "1 <small>– bye</small>" in html
    assert "<p>Most points.</p>" in html
    assert 'href="/s/deck-nine/' in html


def test_a_short_row_leaves_out_reasons_and_rounds_and_titles_come_with_the_end():
    html = rank_row(rank(), "deck-nine", 2, short=True, finished=False)

    assert [said in html for said in ("Most points.", "<small>", "Admiral", "5</td>")] == [False, False, False, True]


@pytest.mark.parametrize(
    ("came_in", "left_after", "note"),
    [
        (None, None, ""),
        (2, None, "came in round 2"),
        (None, 0, "dropped after round 0"),
        (2, 3, "came in round 2 drop"),
    ],
)
def test_who_came_late_or_left_says_so(came_in, left_after, note):
    html = full(replace(rank(), came_in=came_in, left_after=left_after))

    assert (note in html, "ranked-note" in html.replace("why ranked-note", "")) == (True, bool(note))
    assert ("is-dropped" in html) == (left_after is not None)


def test_a_shared_rank_says_it_for_who_does_not_see_the_sign():
    line = rank()

    html = full(replace(line, standing=replace(line.standing, shared=True)))

    assert '<span class="rank rank-shared">3<span class="visually-hidden"> shared</span></span>' in html
