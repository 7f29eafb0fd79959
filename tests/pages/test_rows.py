"""The long lists by Jinja2: what anybody typed stays text in every place of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import unescape

import pytest
from django.urls import reverse
from jinja2 import UndefinedError
from markupsafe import Markup

from scoring.domain.pack import MonthPack
from scoring.domain.points import BonusTerm, MatchScore, Score
from scoring.domain.standings import Standing
from tests.support.nights import make_night
from tourney.models import (
    Campaign,
    Entrant,
    Event,
    Match,
    Player,
    Result,
    Round,
    SheetCheck,
    Store,
    Wish,
)
from tourney.queries.finding import NameSearch, PlayerPlace
from tourney.queries.matches import MatchState, RoundState, SeatScore
from tourney.queries.public import EventSituation, NameLine, PublicTable, RankLine
from tourney.queries.rulings import RulingNote
from tourney.queries.sign_off import SheetStatus
from tourney.queries.wishes import PlayerRequest
from tourney.templatetags.rows import rows, with_its_number

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


def played(
    name: str = "Vor", *, reason: str = "", why: str = "Most SP left.", ruling: str = "", label: str = "SP left"
):
    """A table of two, of which the first has won, with the sum of its points."""
    sides = (entrant(1, name), entrant(2, "Kestrel"))
    won = Score(2, 120, (BonusTerm(label, 100), BonusTerm("bonus", 20)), "win")
    match = MatchState(
        Match(table=4, manual_reason=reason),
        Round(number=1, state=Round.State.PUBLISHED),
        *sides,
        result=Result(sp_ruling=ruling),
        score=MatchScore(0, why, (won, Score(0, None, (), "loss")), needs_roll_off=False),
    )
    scores = zip(sides, match.score.scores, (True, False), strict=True)
    return PublicTable(match, [SeatScore(*line) for line in scores])


def ranked(line: RankLine, *, short: bool = False, finished: bool = True) -> str:
    return rows("ranks.html", lines=[line], store="deck-nine", after=2, short=short, finished=finished, beside=False)


def full(line: RankLine | NameLine | PublicTable) -> str:
    """The row with all that it can say."""
    if isinstance(line, RankLine):
        return ranked(line)
    if isinstance(line, NameLine):
        return rows("names.html", names=[line], beside=False)
    return rows(
        "tables.html", event=Event(slug="night"), round=line.match.round, tables=[line], details=True, beside=False
    )


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
        played(TYPED),
        played(reason=TYPED),
        played(why=TYPED),
        played(ruling=TYPED),
        played(label=TYPED),
        replace(played(), rulings=(RulingNote(1, (1,), (1,), "Penalty", TYPED),)),
    ],
    ids="name title reason faction ruling own-name other-name table-name"
    " player by-hand why sp-ruling label ruling-at-the-table".split(),
)
def test_what_was_typed_is_text(line: RankLine | NameLine | PublicTable):
    html = full(line)

    assert TYPED not in html
    assert TYPED in unescape(html)
    assert "&amp;amp;" in html
    assert "<script" not in html


@dataclass(frozen=True)
class BoardLine:
    """What the board of a draft shows of a match."""

    match: MatchState
    flags: tuple[str, ...] = ()


def board(line: BoardLine, *, picked: Entrant | None = None, asked: bool = False) -> str:
    return rows(
        "board.html", event=Event(slug="night"), round=Round(number=2), tables=[line], picked=picked, asked=asked
    )


def drafted(
    first: str = "Vor", second: str = "Kestrel", *, place: str = "", why: str = "", flag: str = ""
) -> BoardLine:
    match = MatchState(
        Match(table=4, manual_reason=why), Round(number=2), entrant(1, first), entrant(2, second), table_name=place
    )
    return BoardLine(match, (flag,) if flag else ())


@pytest.mark.parametrize(
    ("line", "how"),
    [
        (drafted(first=TYPED), {}),
        (drafted(place=TYPED), {}),
        (drafted(why=TYPED), {}),
        (drafted(flag=TYPED), {}),
        (drafted(second=TYPED), {"picked": entrant(1)}),
        (drafted(first=TYPED), {"picked": entrant(1)}),
        (drafted(), {"picked": entrant(3, TYPED)}),
        (drafted(first=TYPED), {"asked": True}),
    ],
    ids="name table-name by-hand warning opponent picked who-goes asked".split(),
)
def test_what_was_typed_is_text_on_the_board_of_a_draft_too(line: BoardLine, how: dict):
    html = board(line, **how)

    assert TYPED not in html
    assert TYPED in unescape(html)
    assert "&amp;amp;" in html
    assert "<script" not in html


def answer(search: NameSearch) -> str:
    facts = {"event": Event(slug="night"), "situation": EventSituation("playing"), "after": 1, "is_ahead": False}
    return rows("answer.html", found=search, **facts)


def at_a_table(line: NameLine, **more) -> NameSearch:
    round = RoundState(line.match.round, [line.match], MonthPack(slug="a-month", storyline="A Storyline", sp_limit=120))
    place = PlayerPlace(line.own.entrant, "table", round, line.match, line.own, line.other)
    return NameSearch("", (replace(place, **more),))


def fleets(*, own: str = "Vor", other: str = "Kestrel", **mine) -> str:
    """The fleets of a table as one player sees them, who has checked the other's."""
    event = Event(slug="night", sp_limit=100, finished_at=None, campaign=Campaign(store=Store(slug="deck-nine")))
    line = pair(own, other)
    player, opponent = line.own.entrant, line.other.entrant
    player.has_fleet = opponent.has_fleet = False
    check = SheetStatus(player, opponent, **{"kind": "called"} | mine)
    facts = {"fleet": None, "mine": check, "theirs": SheetStatus(opponent, player, "called", own)}
    return rows("my_fleets.html", event=event, place=at_a_table(line).place, first="sign", **facts)


def wishes(words: str) -> str:
    wish = PlayerRequest(Wish(kind="drop", answer="declined", words=words), entrant(1), pair().match)
    facts = {"may_ask": [Wish.Kind.DROP], "place": at_a_table(pair()).place, "key": "key", "token": "token"}
    return rows("my_wishes.html", event=Event(slug="night"), wishes=[wish], **facts)


@pytest.mark.parametrize(
    "made",
    [
        lambda: answer(at_a_table(pair(first=TYPED))),
        lambda: answer(at_a_table(pair(second=TYPED))),
        lambda: answer(at_a_table(pair(place=TYPED))),
        lambda: answer(replace(at_a_table(pair()), others=(entrant(3, TYPED),))),
        lambda: answer(NameSearch(TYPED, ())),
        lambda: answer(NameSearch("", (PlayerPlace(entrant(1, TYPED), "final"),))),
        lambda: answer(NameSearch("", (PlayerPlace(entrant(1, TYPED), "bye"), PlayerPlace(entrant(2), "bye")))),
        lambda: fleets(own=TYPED),
        lambda: fleets(other=TYPED),
        lambda: fleets(title=TYPED),
        lambda: fleets(kind="signed", row=SheetCheck(words=TYPED)),
        lambda: wishes(TYPED),
    ],
    ids="own-name other-name table-name alike searched final choice fleet-own fleet-other called words answer".split(),
)
def test_what_was_typed_is_text_on_a_card(made: Callable[[], str]):
    html = made()

    assert TYPED not in html
    assert TYPED in unescape(html)
    assert "&amp;amp;" in html
    assert "<script" not in html


def test_on_the_board_whoever_is_picked_can_be_put_back_and_go_to_everybody_but_the_opponent():
    own, other = board(drafted(), picked=entrant(1)), board(drafted(), picked=entrant(3, "Onyx"))

    assert ("selected; cancel" in own, "opponent" in own, "swap with" in own) == (True, True, False)
    assert other.count("swap with Onyx") == 2
    assert board(drafted()).count("?pick=") == 4
    assert "?pick=" not in own + other + board(drafted(), asked=True)


def test_a_fact_that_a_list_asks_for_and_nobody_gave_is_an_error():
    with pytest.raises(UndefinedError):
        rows("ranks.html", lines=[rank()], store="deck-nine", after=2, short=True)


def test_a_table_says_who_won_the_sum_of_their_points_and_how_it_was_made():
    html = full(played(reason="they asked"))

    assert '<p class="side is-winner">' in html
    assert '<p class="side is-loser">' in html
    assert re.findall(r"<d[td]>\s*(\S.*?)\s*</d[td]>", html)[:4] == ["SP left", "100", "Bonus", "+20"]
    assert '<p class="pairing-note">they asked</p>' in html
    assert 'data-state="entered"' in html


def test_a_row_of_the_standings_says_rank_title_points_and_every_round():
    html = full(rank())

    assert '<span class="rank"><span class="visually-hidden">Rank</span> 3</span>' in " ".join(html.split())
    assert '<span class="title">Admiral</span>' in html
    assert '<td class="n total">5</td>' in html
    assert '<td class="n">240</td>' in html
    assert "2 <small>120</small>" in html
    assert '<td class="n">–</td>' in html
    assert "1 <small>– bye</small>" in html
    assert "<p>Most points.</p>" in html
    assert 'href="/s/deck-nine/' in html


def test_a_short_row_leaves_out_reasons_and_rounds_and_titles_come_with_the_end():
    html = ranked(rank(), short=True, finished=False)

    assert [said in html for said in ("Most points.", "<small>", "Admiral", "5</td>")] == [False, False, False, True]


@pytest.mark.parametrize(
    ("came_in", "left_after", "note"),
    [
        (None, None, ""),
        (2, None, "joined in round 2"),
        (None, 0, "dropped after round 0"),
        (2, 3, "joined in round 2, dropped after round 3"),
    ],
)
def test_who_came_late_or_left_says_so(came_in, left_after, note):
    html = full(replace(rank(), came_in=came_in, left_after=left_after))

    assert (note in html, "ranked-note" in html.replace("why ranked-note", "")) == (True, bool(note))
    assert ("is-dropped" in html) == (left_after is not None)


def test_a_shared_rank_says_it_for_who_does_not_see_the_sign():
    line = rank()

    html = full(replace(line, standing=replace(line.standing, shared=True)))

    rank_said, shared_said = (f'<span class="visually-hidden">{word}</span>' for word in ("Rank", " shared"))
    assert f'<span class="rank rank-shared">{rank_said} 3{shared_said}</span>' in " ".join(html.split())


def text_of(response) -> str:
    """What a page says, with single spaces."""
    page = re.sub(r"<head>.*?</head>|<[^>]*>", "", response.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", unescape(page))


@pytest.mark.django_db
def test_words_that_stand_in_two_lines_of_a_template_are_two_words_on_the_page(client):
    night = make_night(players=8, rounds=1, open_round=True)
    name = night.event.entrants.first().player.name

    months = text_of(client.get(night.store.get_absolute_url()))
    found = text_of(client.get(night.event.get_absolute_url(), {"q": name}))

    assert "Month 6 · 20 Nov 2026" in months
    assert re.search(r"Rank \d( \(shared\))? after round 1: \d Battle Points?, \d+ Fleet Points", found)
    assert re.findall(r"[a-z][.:,]\d|·\w|\w·", months + found) == []


@pytest.mark.django_db
def test_each_table_of_the_public_pairings_has_details_of_its_own_name(client):
    night = make_night(players=5, rounds=1)

    page = client.get(reverse("pairings", args=[night.event.slug, 1]), {"by": "table"}).content.decode()

    names = [re.sub(r"<[^>]*>|\s+", " ", name).split() for name in re.findall(r"<summary>(.*?)</summary>", page, re.S)]
    assert [name for name in names if name[0] == "Details"] == [
        ["Details", "Table", "1"],
        ["Details", "Table", "2"],
        ["Details", "Bye"],
    ]


def test_the_number_of_a_table_stands_on_the_line_of_its_word_whatever_was_typed():
    said = with_its_number(Markup("You’re at table 4 against {}").format("<b>7 of 9"))

    assert said == "You’re at table\N{NO-BREAK SPACE}4 against &lt;b&gt;7 of 9"
