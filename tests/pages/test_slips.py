"""Match slips: what a table has to write, and what is printed on them because it was entered already."""

import pytest
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.pages.test_me import text_of
from tests.pages.test_paper import paper
from tests.support.nights import Night, make_night
from tests.support.tables import eliminated, enter, on_time
from tourney.printing.queries.slips import Slip, SlipField, SlipSide, Tick, slips_of
from tourney.queries.state import state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db

DS9 = (("ds9", 1),)
TIME, OUT = "time called", "fleet eliminated"


def slip_of(night: Night, number: int = 1, table: int = 1) -> Slip:
    state = state_of(night.event)
    return slips_of(state, state.round(number))[table - 1]


def said(side: SlipSide) -> tuple:
    ticks = {"won": side.has_won, "out": side.is_out, "conceded": side.has_conceded, "absent": side.was_absent}
    return {word for word, is_ticked in ticks.items() if is_ticked}, side.sp_left, side.fleet_points


@pytest.mark.parametrize(
    ("played", "ticked", "first", "second"),
    [
        (on_time(30, 12), {TIME}, ({"won"}, 30, 88), (set(), 12, 70)),
        (eliminated(out=1, left=60), {OUT}, ({"won"}, 60, 100), ({"out"}, 0, 40)),
        (Played(Ending.CONCESSION, (Side(60), Side()), out=1), set(), ({"won"}, 60, 100), ({"conceded"}, None, 40)),
        (Played(Ending.NO_SHOW, (Side(), Side()), out=0), set(), ({"absent"}, None, 0), ({"won"}, None, None)),
        (Played(Ending.BOTH_NO_SHOWS, (Side(), Side())), set(), ({"absent"}, None, 0), ({"absent"}, None, 0)),
    ],
)
def test_what_is_entered_is_printed_at_each_player(played, ticked, first, second):
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, played)

    slip = slip_of(night)

    assert str(slip.entered) == "Entered"
    assert {str(tick.words) for tick in slip.endings if tick.is_ticked} == ticked
    assert [said(side) for side in slip.sides] == [first, second]


def test_a_table_without_a_result_has_boxes_and_lines_to_write_on():
    night = make_night(players=4, open_round=True)

    slip = slip_of(night)

    assert (slip.entered, slip.endings) == ("", (Tick(message(TIME)), Tick(message(OUT))))
    assert slip.marks == (SlipField("Controls Deep Space 9", "+20, winner only", True, (None, None)),)
    assert [said(side) for side in slip.sides] == [(set(), None, None)] * 2


def test_each_player_has_boxes_for_a_concession_and_for_not_coming():
    text = text_of(paper(make_night(players=2, open_round=True), "doc=slips"))

    assert (text.count("conceded"), text.count("no-show")) == (2, 2)


def test_a_bonus_that_is_entered_is_ticked():
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, Played(Ending.TIME, (Side(30, DS9), Side(12))))

    assert [mark.counts for mark in slip_of(night).marks] == [(1, 0)]


def test_4_1_a_tied_table_has_its_points_and_still_rolls_off():
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(20, 20))

    slip = slip_of(night)

    assert (str(slip.entered), slip.is_decided) == ("Roll-off needed", False)
    assert [(side.fleet_points, side.rolled) for side in slip.sides] == [(80, None)] * 2


def test_the_points_of_the_rounds_before_stand_at_the_names_from_round_2_on():
    night = make_night(players=4, rounds=2, open_round=True)
    rounds = state_of(night.event).rounds

    assert [side.so_far for side in slip_of(night, 1).sides] == [None, None]
    assert [side.so_far for side in slip_of(night, 3).sides] == [
        tuple(
            sum(getattr(round.scores[side.entrant.number], points) for round in rounds[:2])
            for points in ("battle_points", "fleet_points")
        )
        for side in slip_of(night, 3).sides
    ]


@pytest.mark.parametrize(
    ("document", "host", "is_warned"),
    [
        ("slips", "localhost:8000", True),
        ("slips", "testserver", False),
        ("pairings", "localhost:8000", False),
    ],
)
def test_paper_with_codes_that_no_phone_can_open_says_so_before_it_is_printed(client, document, host, is_warned):
    night = make_night(players=4, open_round=True)
    client.force_login(night.organizer)

    page = client.get(reverse("paper", args=[night.event.slug]), {"doc": document}, headers={"host": host})

    assert page.status_code == 200
    assert ("The codes only work on this computer" in text_of(page)) is is_warned
