from random import Random

import pytest

from tests.support.copied import copied
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tourney.actions import entrants, events, rounds, simulation, stores
from tourney.actions.record import Refused
from tourney.domain.joining import MOST_ENTRANTS
from tourney.models import Entrant, Event, JournalEntry, Player
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def empty_event(pack: str = "dominion-war-6", **night) -> Event:
    return make_night(players=0, pack=pack, **night).event


def registered(event: Event) -> list[tuple[int, str, str, bool]]:
    """Number, name, faction and presence of every entrant."""
    rows = Entrant.objects.filter(event=event)
    return list(rows.values_list("number", "player__name", "faction", "checked_in"))


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


@copied
def with_draft(players: int = 5) -> Event:
    event = make_night(players=players).event
    rounds.pair_round(event, seed=1, by=BY)
    return event


# registration


def test_a_faction_typed_in_other_capitals_is_the_one_declared_before():
    """Rule 5.3: its points add up."""
    event = empty_event(pack="chronological-chaos")
    entrants.register(event, [("Vor", "Klingon"), ("Kestrel", "klingon")], by=BY)
    entrants.register(event, [("Quill", "KLINGON"), ("Onyx", "romulan")], by=BY)

    entrants.change_faction(event, 4, "Romulan", by=BY)
    entrants.change_faction(event, 3, "rOMULAN", by=BY)

    assert [faction for _, _, faction, _ in registered(event)] == ["Klingon", "Klingon", "Romulan", "Romulan"]


@pytest.mark.parametrize(("name", "again"), [("Vor", "vOR"), ("İan", "ian"), ("ΟΔΟΣ", "οδοσ")])
def test_capitals_never_make_another_player_in_any_script(name, again):
    night = make_night(players=0)
    later = make_night(players=0, store=night.store).event
    entrants.register(night.event, [(name, "")], by=BY)

    assert entrants.register(night.event, [(again, "")], by=BY).already == (again,)
    assert entrants.register(later, [(again, ""), (name, "")], by=BY).twice == (again,)
    assert registered(later) == [(1, name, "", False)]


def test_people_are_registered_in_their_order_and_counted_from_one():
    event = empty_event()

    entrants.register(event, [("Vor", "Klingon"), ("Kestrel", "")], by=BY)
    entrants.register(event, [("Quill", "Romulan")], by=BY, checked_in=True)

    assert registered(event) == [
        (1, "Vor", "Klingon", False),
        (2, "Kestrel", "", False),
        (3, "Quill", "Romulan", True),
    ]


def test_a_registration_is_one_entry_that_names_everybody():
    event = empty_event()

    entrants.register(event, [("Vor", "Klingon"), ("Kestrel", "")], by=BY)

    entry = last_entry(event)
    assert (entry.did, entry.what) == ("register", "Registered: Vor (Klingon) and Kestrel.")
    assert entry.after == {"entrants": [[1, "Vor", "Klingon"], [2, "Kestrel", ""]]}


def test_registered_and_checked_in_at_once_says_both_in_the_journal():
    event = empty_event()

    entrants.register(event, [("Vor", "")], by=BY, checked_in=True)

    assert last_entry(event).what == "Registered and checked in: Vor."


def test_a_name_written_twice_counts_once_as_first_written():
    event = empty_event()

    told = entrants.register(event, [("Vor", "Klingon"), ("Kestrel", ""), ("VOR", "Romulan")], by=BY)

    assert registered(event) == [(1, "Vor", "Klingon", False), (2, "Kestrel", "", False)]
    assert (told.already, told.twice) == ((), ("Vor",))


def test_who_is_registered_already_stays_as_before_and_is_reported():
    event = empty_event()
    entrants.register(event, [("Vor", "Klingon"), ("Ödön", "")], by=BY)

    told = entrants.register(event, [("vor", "Romulan"), ("Quill", ""), ("ÖDÖN", "")], by=BY)

    assert registered(event) == [
        (1, "Vor", "Klingon", False),
        (2, "Ödön", "", False),
        (3, "Quill", "", False),
    ]
    assert [row.player.name for row in told.entrants] == ["Quill"]
    assert told.already == ("vor", "ÖDÖN")


def test_nobody_new_leaves_no_entry():
    event = empty_event()
    entrants.register(event, [("Vor", "")], by=BY)
    before = JournalEntry.objects.count()

    entrants.register(event, [("Vor", "")], by=BY)

    assert JournalEntry.objects.count() == before


def test_a_player_of_an_earlier_event_is_the_same_player_whatever_the_capitals():
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon")], by=BY)
    later = make_night(players=0, store=night.store).event

    entrants.register(later, [("VOR", "Romulan"), ("Quill", "")], by=BY)

    assert sorted(Player.objects.values_list("name", flat=True)) == ["Quill", "Vor"]
    assert registered(later) == [(1, "Vor", "Romulan", False), (2, "Quill", "", False)]


def test_the_same_name_at_two_stores_is_two_players():
    elsewhere = stores.make_store(name="Another Harbor", time_zone="UTC", by=BY)

    for event in (empty_event(), empty_event(store=elsewhere)):
        entrants.register(event, [("Vor", "")], by=BY)

    assert Player.objects.filter(name="Vor").count() == 2


def test_a_number_is_not_given_away_again_while_a_later_one_exists():
    event = empty_event()
    entrants.register(event, [("Vor", ""), ("Quill", "")], by=BY)
    entrants.remove(event, 1, by=BY)

    entrants.register(event, [("Kestrel", "")], by=BY)

    assert [row[:2] for row in registered(event)] == [(2, "Quill"), (3, "Kestrel")]


def test_players_register_themselves_only_while_registration_is_open():
    event = empty_event()
    entrants.register(event, [("Vor", "")], by=BY, by_self=True)
    events.open_registration(event, False, by=BY)

    with refused("Registration is closed. Ask at the counter."):
        entrants.register(event, [("Quill", "")], by=BY, by_self=True)
    entrants.register(event, [("Kestrel", "")], by=BY)

    assert list(Entrant.objects.values_list("player__name", "by_self")) == [("Vor", True), ("Kestrel", False)]


def test_a_late_arrival_is_paired_from_the_next_round_on():
    event = make_night(players=4, rounds=1).event

    entrants.register(event, [("Zephyr", "Klingon")], by=BY, checked_in=True)
    rounds.pair_round(event, seed=1, by=BY)

    draft = state_of(event).last_round
    assert sorted(number for match in draft.matches for number in match.numbers) == [1, 2, 3, 4, 5]


# check-in


def test_check_in_counts_who_was_not_there_yet():
    event = empty_event()
    entrants.register(event, [("Vor", ""), ("Quill", ""), ("Kestrel", "")], by=BY)

    assert entrants.check_in(event, [2], by=BY) == 1
    assert entrants.check_in(event, [2], by=BY) == 0
    assert entrants.check_in(event, by=BY) == 2

    assert [row[3] for row in registered(event)] == [True, True, True]
    what = list(JournalEntry.objects.filter(did="check_in").values_list("what", flat=True))
    assert what == ["Checked in: Quill.", "Checked in: Vor and Kestrel."]


def test_check_in_all_leaves_out_who_dropped():
    event = empty_event()
    entrants.register(event, [("Vor", ""), ("Quill", "")], by=BY)
    entrants.drop(event, 1, by=BY)

    entrants.check_in(event, by=BY)

    assert [row[3] for row in registered(event)] == [False, True]


def test_a_check_in_is_taken_back_before_the_first_seat():
    event = empty_event()
    entrants.register(event, [("Vor", "")], by=BY, checked_in=True)

    entrants.check_out(event, 1, by=BY)
    entrants.check_out(event, 1, by=BY)

    assert registered(event) == [(1, "Vor", "", False)]
    assert JournalEntry.objects.filter(did="check_out").count() == 1


@pytest.mark.parametrize("act", [entrants.check_out, entrants.remove])
def test_who_sits_in_a_draft_cannot_vanish_from_it(act):
    event = with_draft()
    name = state_of(event).names[1]

    with pytest.raises(Refused, match=f"{name} is in the draft of round 1. Discard the draft first."):
        act(event, 1, by=BY)


@pytest.mark.parametrize("act", [entrants.check_out, entrants.remove])
def test_who_has_played_stays_in_the_record(act):
    event = make_night(players=4, rounds=1).event
    name = state_of(event).names[1]

    with pytest.raises(Refused, match=f"{name} has already been paired. Drop {name} inst"):
        act(event, 1, by=BY)

    assert len(registered(event)) == 4


def test_a_removed_entry_is_gone_and_the_journal_keeps_what_it_was():
    event = empty_event()
    entrants.register(event, [("Vor", "Klingon")], by=BY)

    entrants.remove(event, 1, by=BY)

    entry = last_entry(event)
    assert registered(event) == []
    assert (entry.what, entry.before) == ("Vor’s registration removed.", {"entrants": [[1, "Vor", "Klingon"]]})
    assert Player.objects.filter(name="Vor").exists()


# allegiance (rule 1.4)


def test_before_round_1_the_allegiance_changes_without_a_reason():
    event = with_draft()
    before = state_of(event).by_number[1].faction
    other = "Romulan" if before != "Romulan" else "Klingon"

    entrants.change_faction(event, 1, other, by=BY)

    entry = last_entry(event)
    assert registered(event)[0][2] == other
    assert (entry.before, entry.after) == (
        {"entrant": 1, "faction": before},
        {"entrant": 1, "faction": other},
    )


def test_after_round_1_is_published_a_change_of_allegiance_needs_a_reason():
    event = make_night(players=4, open_round=True).event
    other = "Romulan" if registered(event)[0][2] != "Romulan" else "Klingon"

    with pytest.raises(Refused, match="Give a reason for changing the faction"):
        entrants.change_faction(event, 1, other, by=BY)
    entrants.change_faction(event, 1, other, by=BY, reason="wrong line on the sheet")

    assert registered(event)[0][2] == other
    assert last_entry(event).reason == "wrong line on the sheet"


def test_the_same_allegiance_again_leaves_no_entry():
    event = make_night(players=4, open_round=True).event
    before = JournalEntry.objects.count()

    entrants.change_faction(event, 1, registered(event)[0][2], by=BY)

    assert JournalEntry.objects.count() == before


def test_a_month_without_allegiance_takes_none():
    event = empty_event("tournament-2016")
    entrants.register(event, [("Vor", "")], by=BY)

    with pytest.raises(Refused, match="Factions aren’t declared this month"):
        entrants.change_faction(event, 1, "Klingon", by=BY)


# drop and return


def test_who_drops_between_rounds_is_not_in_the_next_one():
    event = make_night(players=5, rounds=1).event

    assert entrants.drop(event, 2, by=BY, reason="last bus") == 2
    rounds.pair_round(event, seed=1, by=BY)

    entry = JournalEntry.objects.get(did="drop")
    assert state_of(event).last_round.match_of(2) is None
    assert (entry.after, entry.reason) == ({"entrant": 2, "dropped_from": 2}, "last bus")


def test_who_drops_during_a_round_still_plays_it():
    event = make_night(players=4, open_round=True).event

    assert entrants.drop(event, 2, by=BY) == 2

    assert state_of(event).last_round.match_of(2) is not None


def test_who_arrived_after_the_draft_drops_from_that_round_on():
    event = with_draft()
    entrants.register(event, [("Zephyr", "")], by=BY, checked_in=True)

    assert entrants.drop(event, 6, by=BY) == 1


def test_who_sits_in_the_draft_cannot_drop_from_it():
    event = with_draft()

    with pytest.raises(Refused, match="Discard the draft, then drop the player and re-pair"):
        entrants.drop(event, 1, by=BY)


def test_nobody_drops_twice_or_returns_without_having_dropped():
    event = make_night(players=4, rounds=1).event
    name = state_of(event).names[1]

    with pytest.raises(Refused, match=f"{name} hasn’t dropped."):
        entrants.bring_back(event, 1, by=BY)
    entrants.drop(event, 1, by=BY)
    with pytest.raises(Refused, match=f"{name} has already dropped."):
        entrants.drop(event, 1, by=BY)


def test_who_returns_is_paired_again_and_has_no_points_for_the_missed_round():
    event = make_night(players=5, rounds=1).event
    entrants.drop(event, 2, by=BY)
    missed = draw_and_play(event, seed=2)

    entrants.bring_back(event, 2, by=BY)
    rounds.pair_round(event, seed=3, by=BY)

    state = state_of(event)
    assert 2 not in missed
    assert state.last_round.match_of(2) is not None
    assert next(line for line in state.standings(2) if line.id == 2).rounds[1] is None


def draw_and_play(event: Event, seed: int) -> dict:
    """The scores of one more round, played to its end."""
    by = simulation.draw(event, random=Random(seed), by=BY)
    simulation.play_round(event, random=Random(seed), by=by)
    return state_of(event).last_round.scores


# never on a finished event, never on somebody who is gone


@pytest.mark.parametrize(
    "act",
    [
        lambda event: entrants.register(event, [("Zephyr", "")], by=BY),
        lambda event: entrants.check_in(event, by=BY),
        lambda event: entrants.check_out(event, 1, by=BY),
        lambda event: entrants.change_faction(event, 1, "Borg", by=BY, reason="why not"),
        lambda event: entrants.remove(event, 1, by=BY),
        lambda event: entrants.drop(event, 1, by=BY),
        lambda event: entrants.bring_back(event, 1, by=BY),
    ],
    ids=["register", "check_in", "check_out", "change_faction", "remove", "drop", "bring_back"],
)
def test_a_finished_event_is_left_alone(act):
    event = make_night(players=4, rounds=1, finish=True).event
    before = registered(event), JournalEntry.objects.count()

    with pytest.raises(Refused, match="The event is finished"):
        act(event)

    assert (registered(event), JournalEntry.objects.count()) == before


def test_the_desk_adds_no_more_than_an_event_takes_and_none_of_too_many():
    event = make_night(players=2).event
    people = [(f"Cadet {number}", "") for number in range(MOST_ENTRANTS - 1)]

    with refused(f"An event has at most {MOST_ENTRANTS} players. 2 are registered, and this list has 1999 more."):
        entrants.register(event, people, by=BY)

    assert len(registered(event)) == 2


@pytest.mark.parametrize(
    "act",
    [entrants.check_out, entrants.remove, entrants.drop, entrants.bring_back],
    ids=lambda act: act.__name__,
)
def test_what_is_asked_for_an_entry_that_was_removed_meanwhile_is_refused(act):
    event = empty_event()

    with pytest.raises(Refused, match="no longer registered"):
        act(event, 7, by=BY)


def test_the_number_of_somebody_removed_is_not_given_to_the_next():
    event = make_night(players=2).event
    entrants.register(event, [("Nadir", "")], by=BY)
    entrants.remove(event, 3, by=BY)

    entrants.register(event, [("Orrin", "")], by=BY)

    assert list(event.entrants.values_list("number", "player__name")) == [(1, "Kestrel"), (2, "Vor"), (4, "Orrin")]
