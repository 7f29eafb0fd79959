"""The lists of months, opponents and posters by Jinja2: what anybody typed stays text in every place of them."""

from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse

from scoring.domain.factions import FactionLine
from scoring.domain.pack import as_data
from scoring.domain.points import Score
from scoring.domain.records import HeadToHead
from scoring.domain.standings import Standing
from scoring.models import MonthPack
from scoring.shipped import shipped_pack
from tests.pages.test_rows import TYPED, entrant
from tests.support.nights import AT
from tourney.models import Campaign, Event, Player, Store
from tourney.printing.domain.poster import PosterName, Room, Text
from tourney.queries.months import CampaignMonth, EventOutcome, RankedPlayer
from tourney.queries.player_months import PlayedRound, PlayerMonth
from tourney.queries.records import Opponent
from tourney.queries.rulings import RulingNote
from tourney.templatetags.rows import rows

STORE = "deck-nine"
FIRST = Standing(1, 1, False, 5, 240, (), False, "Admiral")
FINISHED = EventOutcome(
    3, (RankedPlayer(7, "Vor", "Klingon", FIRST),), (FactionLine("Klingon", 1, False, 9, 400, 1, 3),)
)


def event(name: str = "The Void", storyline: str = "Dominion War", *, finished: bool = True) -> Event:
    campaign = Campaign(pk=3, slug="dominion-war", storyline=storyline, store=Store(slug=STORE))
    pack = MonthPack(data=as_data(shipped_pack("dominion-war-6")))
    return Event(
        slug="night",
        name=name,
        campaign=campaign,
        pack=pack,
        starts_at=AT,
        rounds_planned=3,
        finished_at=AT if finished else None,
    )


def month(event: Event, outcome: EventOutcome = FINISHED) -> CampaignMonth:
    return CampaignMonth(event, "finished", False, 12, round=3, outcome=outcome)


def won(name: str = "Vor", faction: str = "Klingon", title: str = "Admiral", leading: str = "Klingon") -> EventOutcome:
    first = RankedPlayer(7, name, faction, replace(FIRST, title=title))
    return replace(FINISHED, first=(first,), factions=(replace(FINISHED.factions[0], faction=leading),))


def own(
    event: Event,
    opponent: str = "Kestrel",
    faction: str = "Klingon",
    title: str = "Admiral",
    ruling: str = "",
    token="",
) -> PlayerMonth:
    notes = (RulingNote(1, (1,), (1,), "Penalty", ruling),) if ruling else ()
    against, nobody = Score(2, 120, (), "win"), Score(1, 60, (), "bye")
    sittings = (
        PlayedRound(1, entrant(2, opponent), against, Score(0, 54, (), ""), notes, is_by_dice=True),
        PlayedRound(2, None, nobody),
    )
    final = replace(FIRST, title=title)
    return PlayerMonth(event, entrant(1, "Vor", faction), sittings, final, True, True, token)


def in_lists(*months: CampaignMonth) -> str:
    """As rows, and as cards."""
    return rows("months.html", months=months, store=STORE, with_campaign=True) + rows(
        "month_cards.html", months=months, store=STORE
    )


def of_player(month: PlayerMonth) -> str:
    return rows("player_months.html", months=[month], store=STORE)


def met(name: str) -> str:
    opponent = Opponent(HeadToHead(9, 2, 1, 0), Player(pk=9, name=name), event())
    return rows("opponents.html", opponents=[opponent], player=7, store=STORE)


def on_poster(words: str) -> str:
    text = Text(words, 1, 2, 30, "#fff", Room(0, 0, 10, 10), "middle", True, 10)
    names = (PosterName(1, True, words, words, "klingon", "KLI"),)
    return rows("poster_texts.svg", texts=[text]) + rows("poster_words.html", places=names)


@pytest.mark.parametrize(
    "html",
    [
        lambda: in_lists(month(event(TYPED))),
        lambda: in_lists(month(event(storyline=TYPED))),
        lambda: in_lists(month(event(), won(TYPED))),
        lambda: in_lists(month(event(), won(faction=TYPED))),
        lambda: in_lists(month(event(), won(title=TYPED))),
        lambda: in_lists(month(event(), won(leading=TYPED))),
        lambda: of_player(own(event(TYPED))),
        lambda: of_player(own(event(storyline=TYPED))),
        lambda: of_player(own(event(), opponent=TYPED)),
        lambda: of_player(own(event(), faction=TYPED)),
        lambda: of_player(own(event(), title=TYPED)),
        lambda: of_player(own(event(), ruling=TYPED)),
        lambda: met(TYPED),
        lambda: on_poster(TYPED),
    ],
    ids="month campaign name faction title leading own-month own-campaign opponent own-faction own-title ruling met"
    " poster".split(),
)
def test_what_was_typed_is_text(html):
    shown = html()

    assert TYPED not in shown
    assert TYPED in unescape(shown)
    assert "&amp;amp;" in shown
    assert "<script" not in shown


def test_a_month_says_its_number_its_day_in_the_time_of_the_store_who_won_and_which_faction():
    shown = " ".join(in_lists(month(event())).split())

    for said in ("Month 6 ·", '<span class="nowrap">20 Nov 2026</span>', "12 players", "Victorious faction: Klingon"):
        assert said in shown
    assert shown.count('<span class="badge badge-finished">Finished</span>') == 2
    assert shown.count(f'href="/s/{STORE}/players/7/"') == 2


def test_the_campaign_of_a_month_stands_apart_from_its_number():
    shown = " ".join(rows("months.html", months=[month(event())], store=STORE, with_campaign=True).split())

    assert "Dominion War · Month 6 · <span" in shown


def test_ranks_so_far_have_no_titles_and_say_after_which_round():
    playing = CampaignMonth(event(finished=False), "playing", False, 12, round=2, in_play=True, so_far=won())

    shown = " ".join(rows("month_cards.html", months=[playing], store=STORE).split())

    assert "Round 2 of 3 is in play. After round 3:" in shown
    assert 'aria-label="Top ranks after round 3"' in shown
    assert ["Admiral" in shown, "Leading" in shown, "Victorious" in shown] == [False, True, False]


def test_a_player_reads_each_round_with_its_end_and_points():
    shown = " ".join(of_player(own(event(), token="spent in round 2")).split())

    for said in (
        '<span class="sitting-won">Won against</span>',
        '<span class="small muted nowrap">rolled off</span>',
        '<b>120</b> <span class="muted">: 54</span>',
        "Bye",
        "<b>60</b>",
        "spent in round 2",
        f'<a href="{reverse("sheet", args=["night", 1])}">Fleet</a>',
    ):
        assert said in shown


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("loss", "Lost to"),
        ("no-show win", "Won by no-show against"),
        ("no-show", "No-show against"),
        ("", "Playing"),
    ],
)
def test_a_round_says_how_it_ended_for_the_player(outcome, said):
    score = Score(0, 54, (), outcome) if outcome else None
    sitting = PlayedRound(1, entrant(2, "Kestrel"), score)

    shown = of_player(replace(own(event()), sittings=(sitting,)))

    assert f"{said} <a href=" in shown
