"""What both players' phones say of the dice of a tied table (rules 2.7, 4.1), and what becomes of it."""

import pytest

from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.actions import roll_offs
from tourney.actions.record import Refused, Stale
from tourney.models import Entrant, Event, JournalEntry, Roll, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Table 1 of round 1 is tied."""
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(30, 30))
    return night


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    return match_at(night.event, 1).entrants


def say(night: Night, who: Entrant, counts: tuple[int, int] | None, roll: int = 1, **more) -> None:
    """That player's phone says so of the roll, in the order of the sides."""
    by_number = dict(zip(match_at(night.event, 1).numbers, counts, strict=True)) if counts else None
    roll_offs.say_dice(night.event, 1, who.number, by_number, roll=roll, seed="s", by=BY, **more)


def test_one_word_alone_rolls_nothing_and_the_same_from_the_other_is_the_roll(night, pair):
    say(night, pair[0], (3, 1))
    assert not Roll.objects.exists()

    say(night, pair[1], (3, 1), confirms=True)

    assert match_at(night.event, 1).winner == pair[0]
    assert JournalEntry.objects.last().by_name == "both players"
    assert not Seat.objects.exclude(dice=[]).exists()


def test_two_that_differ_are_no_roll(night, pair):
    say(night, pair[0], (3, 1))
    say(night, pair[1], (2, 1))

    assert not Roll.objects.exists()
    assert match_at(night.event, 1).state == "tied"


def test_software_rolls_only_when_both_have_asked(night, pair):
    say(night, pair[0], None)
    assert not Roll.objects.exists()

    say(night, pair[1], None)

    assert match_at(night.event, 1).state == "done"
    assert {roll.seed for roll in Roll.objects.all()} == {"s"}


def test_the_same_key_counts_once(night, pair):
    say(night, pair[0], (3, 1), key="k")
    say(night, pair[0], (2, 1), key="k")

    assert Seat.objects.get(entrant=pair[0]).dice == [1, 3, 1]


def test_who_confirms_what_was_changed_since_is_told_so(night, pair):
    say(night, pair[0], (3, 1))
    say(night, pair[0], (3, 2))

    with pytest.raises(Stale, match="changed the dice"):
        say(night, pair[1], (3, 1), confirms=True)
    assert not Roll.objects.exists()


def test_a_roll_that_the_desk_entered_first_is_not_entered_again(night, pair):
    numbers = match_at(night.event, 1).numbers
    roll_offs.roll_dice(night.event, 1, "table", numbers, dict.fromkeys(numbers, 2), by=BY)

    with pytest.raises(Stale, match="already entered roll 1"):
        say(night, pair[0], (3, 1))


def test_4_1_five_dice_show_no_six_battle_stations(night, pair):
    with pytest.raises(Refused, match="5 dice can’t show 6"):
        say(night, pair[0], (6, 1))


def test_where_only_the_desk_enters_results_two_phones_roll_nothing(night, pair):
    Event.objects.update(reported_by="desk")

    for who in pair:
        with pytest.raises(Refused, match="The desk enters results at this event"):
            say(night, who, (3, 1))
    assert (match_at(night.event, 1).state, Roll.objects.exists()) == ("tied", False)
