"""Two people at the desk: who acts on a page that is not how things stand is told what was done since, and by whom."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.copied import copied
from tests.support.nights import AT, BY, Night, make_night
from tests.support.saying import html_of
from tests.support.tables import eliminated, enter, match_at, on_time
from tourney.actions import announcements, by_hand, entrants, events, penalties, prizes, roll_offs, rounds
from tourney.actions.record import Actor
from tourney.models import Event
from tourney.queries.history import stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

QUILL = Actor(user=None, name="Judge Quill", at=AT + timedelta(minutes=57))


@copied
def drafted() -> Night:
    night = make_night(players=6)
    rounds.pair_round(night.event, seed=7, by=BY)
    return night


@copied
def playing() -> Night:
    """Round 1 is in play, with the result of table 1."""
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, eliminated(left=60))
    return night


@copied
def complete() -> Night:
    night = playing()
    enter(night.event, 2, on_time(50, 30))
    return night


@copied
def closed() -> Night:
    night = complete()
    rounds.close_round(night.event, 1, by=BY)
    return night


@copied
def tied() -> Night:
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(40, 40))
    return night


@copied
def dropped() -> Night:
    night = playing()
    entrants.drop(night.event, 1, by=BY)
    return night


def group(event: Event) -> tuple[int, ...]:
    return tuple(sorted(match_at(event, 1).numbers))


def seated(event: Event) -> tuple[int, ...]:
    return tuple(number for match in state_of(event).round(1).matches for number in match.numbers)


def swap(first: int, second: int) -> Callable[[Event], None]:
    def act(event: Event) -> None:
        numbers = seated(event)
        by_hand.place(event, 1, numbers[first], numbers[second], reason="cousins", by=QUILL)

    return act


def change_minutes(event: Event) -> None:
    facts = {name: getattr(event, name) for name in events.Settings.__slots__}
    events.change_event(event, events.Settings(**facts | {"minutes": 50}), by=QUILL)


def announce_three(event: Event) -> None:
    for text in ("Snacks", "Raffle", "Photo"):
        announcements.announce(event, text, by=QUILL)


@dataclass(frozen=True)
class Write:
    """What is sent from a page (`url` of it, `to` where else), what Judge Quill did before, and what must come back."""

    night: Callable[[], Night]
    url: str
    quill: Callable[[Event], None]
    data: Callable[[Event], dict] = lambda event: {}
    args: tuple = ()
    to: str = ""
    to_args: tuple = ()
    says: tuple[str, ...] = ()
    still_typed: tuple[str, ...] = field(default=())


WRITES = {
    "swap": Write(
        drafted,
        "round",
        swap(0, 2),
        lambda event: {"who": seated(event)[0], "to": seated(event)[4], "reason": "a quarrel"},
        (1,),
        "by_hand",
        (1,),
        ("swapped seats.", "Reason: cousins"),
        ("a quarrel",),
    ),
    "publish": Write(drafted, "round", swap(0, 2), args=(1,), to="publish", to_args=(1,), says=("swapped seats",)),
    "throw away": Write(drafted, "round", swap(0, 2), args=(1,), to="discard", to_args=(1,), says=("swapped seats",)),
    "pair": Write(
        lambda: make_night(players=6),
        "desk",
        lambda event: rounds.pair_round(event, seed=3, by=QUILL),
        lambda event: {"number": 1},
        to="pair",
        says=("Round 1 drafted.", "Round 1 is already paired."),
    ),
    "close, with other points": Write(
        complete,
        "close",
        lambda event: enter(event, 2, on_time(10, 60), version=1, by=QUILL),
        args=(1,),
        says=("table 2",),
    ),
    "close, closed already": Write(
        complete,
        "close",
        lambda event: rounds.close_round(event, 1, by=QUILL),
        args=(1,),
        says=("Round 1 closed.", "Round 1 is already closed."),
    ),
    "finish": Write(
        closed,
        "finish",
        lambda event: enter(event, 2, on_time(10, 70), version=1, by=QUILL, reason="read wrong"),
        lambda event: {"reason": "the shop closes early"},
        says=("table 2", "Reason: read wrong"),
        still_typed=("the shop closes early",),
    ),
    "more minutes": Write(
        playing,
        "desk",
        lambda event: rounds.extend_clock(event, 1, 5, by=QUILL, reason="a spill"),
        lambda event: {"do": "extend", "minutes": "7", "reason": "a long ruling"},
        to="clock",
        to_args=(1,),
        says=("Round 1 clock: 5 minutes added.", "Reason: a spill"),
        still_typed=('value="7"', "a long ruling"),
    ),
    "pause the clock": Write(
        playing,
        "desk",
        lambda event: rounds.pause_clock(event, 1, by=QUILL),
        lambda event: {"do": "pause"},
        to="clock",
        to_args=(1,),
        says=("Round 1 clock paused.",),
    ),
    "drop": Write(
        playing,
        "player",
        lambda event: entrants.drop(event, 1, by=QUILL, reason="the last bus"),
        lambda event: {"do": "drop", "reason": "went home"},
        (1,),
        says=("dropped before round 2.", "Reason: the last bus", "has already dropped."),
    ),
    "faction": Write(
        playing,
        "player",
        lambda event: entrants.change_faction(event, 1, "Dominion", by=QUILL, reason="misread"),
        lambda event: {"do": "faction", "faction": "Romulan", "reason": "said so at the door"},
        (1,),
        says=("declared Dominion.", "Reason: misread"),
        still_typed=("said so at the door",),
    ),
    "settings": Write(
        playing,
        "event_settings",
        change_minutes,
        lambda event: {
            "name": "The long night",
            "date": "2026-11-20",
            "asked_day": "2026-11-20",
            "time": "18:45",
            "rounds_planned": 3,
            "minutes": 60,
            "sp_limit": 100,
            "fleets_shown": "opponent",
            "fleets_recorded": "asked",
            "reported_by": "players",
            "accept_after": 5,
        },
        says=("Settings changed: minutes.", "Minutes per round 50 60 differs"),
        still_typed=('value="The long night"', 'value="60"'),
    ),
    "prizes": Write(
        playing,
        "awards",
        lambda event: prizes.set_prizes(event, "1: a map", expected="", by=QUILL),
        lambda event: {"prizes": "1: a dice tower", "seen": ""},
        says=("Prize list added.",),
        still_typed=("1: a dice tower",),
    ),
    "a result": Write(
        playing,
        "result",
        lambda event: enter(event, 2, on_time(10, 60), by=QUILL),
        lambda event: {"version": 0, "ending": "time", "sp_left_a": 33, "sp_left_b": 44},
        (1, 2),
        says=("result entered. Time was called", "Saved by Judge Quill", "Yours, not saved"),
        still_typed=('value="33"', 'value="44"'),
    ),
    "a row of results": Write(
        playing,
        "results",
        lambda event: enter(event, 2, on_time(10, 60), by=QUILL),
        lambda event: {"t2-version": 0, "t2-ending": "time", "t2-sp_left_a": 33, "t2-sp_left_b": 44},
        (1,),
        says=("Judge Quill entered a result for table 2",),
        still_typed=('value="33"', 'value="44"'),
    ),
    "a no-show": Write(
        playing,
        "ruling",
        lambda event: enter(event, 2, on_time(10, 60), by=QUILL),
        lambda event: {"version": 0, "decide": "no_show a", "reason": "still at work"},
        (1, 2),
        says=("result entered. Time was called",),
        still_typed=("still at work",),
    ),
    "a penalty": Write(
        playing,
        "ruling",
        lambda event: penalties.penalize(event, 1, seated(event)[2], fleet_points=-10, reason="late", by=QUILL),
        lambda event: {"penalize": seated(event)[2], "fleet_points": "-20", "reason": "very late"},
        (1, 2),
        says=("gets −10 Fleet Points by a ruling (rule 2.12).",),
        still_typed=('value="-20"', "very late"),
    ),
    "dice": Write(
        tied,
        "result",
        lambda event: roll_offs.roll_dice(event, 1, "table", group(event), dict.fromkeys(group(event), 2), by=QUILL),
        lambda event: {"roll": 1, **{f"count_{number}": 3 for number in group(event)}},
        (1, 1),
        "table_roll_off",
        (1, 1),
        ("Roll-off in round 1:", "Not saved. Someone else already entered roll 1.", "You typed "),
    ),
    "check-in": Write(
        lambda: make_night(players=4),
        "player",
        lambda event: entrants.remove(event, 2, by=QUILL),
        lambda event: {"do": "check_out"},
        (2,),
        says=("’s registration removed.", "This player is no longer registered."),
    ),
    "bring back": Write(
        dropped,
        "player",
        lambda event: entrants.bring_back(event, 1, by=QUILL),
        lambda event: {"do": "return"},
        (1,),
        says=("is back in the event.", "hasn’t dropped."),
    ),
    "register": Write(
        closed,
        "players",
        lambda event: events.finish_event(event, by=QUILL, reason="the shop closes"),
        lambda event: {"do": "many", "names": "Nine of Ten"},
        says=("Event finished.", "The event is finished. Reopen it first."),
        still_typed=("Nine of Ten",),
    ),
    "an announcement": Write(
        playing,
        "screens",
        announce_three,
        lambda event: {"text": "The bus leaves at ten"},
        says=("Announced: “Raffle”", "3 announcements are already showing."),
        still_typed=("The bus leaves at ten",),
    ),
}


def as_of(page) -> str:
    """The version that the forms of the page carry."""
    return re.search(r'name="as_of" value="(\d+)"', page.content.decode())[1]


def text_of(page) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", html_of(page))).split())


def url(event: Event, name: str, *args) -> str:
    return reverse(name, args=[event.slug, *args])


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_who_acts_on_a_stale_page_is_told_by_whom_and_loses_nothing(client: Client, write: Write):
    night = write.night()
    client.force_login(night.organizer)
    page = url(night.event, write.url, *write.args)
    data = write.data(night.event) | {"as_of": as_of(client.get(page))}
    write.quill(night.event)
    stored = stored_rows(night.event)

    answer = client.post(url(night.event, write.to, *write.to_args) if write.to else page, data)

    told, body = text_of(answer), html.unescape(answer.content.decode())
    assert answer.status_code == 409
    assert re.search(r"While this page was open Judge Quill · 19:42 :", told), told
    assert told.count("then try again if you still need to.") == 1
    assert [sentence for sentence in write.says if sentence not in told] == []
    assert [typed for typed in write.still_typed if typed not in body] == []
    assert stored_rows(night.event) == stored


@pytest.mark.parametrize("name", ["a result", "a no-show", "publish", "more minutes"])
def test_that_somebody_was_faster_is_said_once(client: Client, name: str):
    write, night = WRITES[name], WRITES[name].night()
    client.force_login(night.organizer)
    page = url(night.event, write.url, *write.args)
    data = write.data(night.event) | {"as_of": as_of(client.get(page))}
    write.quill(night.event)

    told = text_of(client.post(url(night.event, write.to, *write.to_args) if write.to else page, data))

    assert told.count(night.event.journal.last().what) == 1
    assert "was faster" not in told
    assert "Compare it, then save again" not in told


def test_the_page_that_comes_back_can_be_pressed_again(client: Client):
    """What others did is known by then, so the second press means it."""
    night = playing()
    rounds.pause_clock(night.event, 1, by=BY)
    client.force_login(night.organizer)
    data = {"do": "extend", "minutes": "7", "as_of": as_of(client.get(url(night.event, "desk")))}
    rounds.extend_clock(night.event, 1, 5, by=QUILL)
    before = state_of(night.event).last_round.row.paused_seconds_left

    again = client.post(url(night.event, "clock", 1), data)
    client.post(url(night.event, "clock", 1), data | {"as_of": as_of(again)})

    assert state_of(night.event).last_round.row.paused_seconds_left - before == 7 * 60


def test_nobody_is_told_of_what_they_have_seen(client: Client):
    night = playing()
    client.force_login(night.organizer)
    enter(night.event, 2, on_time(10, 60), by=QUILL)
    page = url(night.event, "player", 1)

    answer = client.post(page, {"do": "drop", "as_of": as_of(client.get(page)), "reason": "x" * 1000})

    assert answer.status_code == 422
    assert "While this page was open" not in text_of(answer)


@pytest.mark.parametrize("nonsense", ["", "x", "-1", "9" * 20, "²"])
def test_a_version_that_is_none_is_no_version(client: Client, nonsense: str):
    night = playing()
    client.force_login(night.organizer)

    answer = client.post(url(night.event, "clock", 1), {"do": "pause", "as_of": nonsense})

    assert answer.status_code == 302


def test_every_form_of_the_desk_says_what_was_seen(client: Client):
    night = playing()
    client.force_login(night.organizer)

    for name, args in (("desk", ()), ("players", ()), ("round", (1,)), ("result", (1, 2)), ("ruling", (1, 2))):
        body = client.get(url(night.event, name, *args)).content.decode()
        forms = re.findall(r'<form method="post".*?</form>', body, re.DOTALL)
        own = [form for form in forms if "/sign-out/" not in form]
        assert own
        beside = re.findall(r'name="as_of"[^>]*form="(\w+)"', body)
        assert [form for form in own if 'name="as_of"' not in form and id_of(form) not in beside] == []


def id_of(form: str) -> str:
    found = re.search(r'<form[^>]*\bid="(\w+)"', form)
    return found[1] if found else ""
