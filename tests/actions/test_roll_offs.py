"""Roll-offs: what each roll decides, when dice are refused, and when a roll-off is void (rule 4)."""

from random import Random

import pytest

from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE, battle_stations, roll_faces
from tests.support.copied import copied
from tests.support.nights import BY, make_night
from tests.support.tables import eliminated, enter, match_at, night_with_ties, on_time
from tourney.actions import entrants, events, roll_offs, rounds
from tourney.actions.record import Refused, Stale
from tourney.actions.simulation import roll_off_standings
from tourney.domain.progress import names_of
from tourney.models import Event, JournalEntry, Roll, RollOff
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def tied_table(**more):
    """An event whose table 1 is tied, and the numbers who sit there, first player first."""
    event = make_night(players=4, open_round=True, **more).event
    enter(event, 1, on_time(40, 40))
    return event, match_at(event, 1).numbers


def roll(event: Event, group, *counts: int, kind: str = "standing", **more) -> None:
    roll_offs.roll_dice(event, 1, kind, group, dict(zip(group, counts, strict=False)), by=BY, **more)


def levels(event: Event, group, kind: str = "standing"):
    return state_of(event).roll_off(1, kind, group).levels


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


def test_most_battle_stations_wins_the_roll_off_at_the_table():
    """Rules 2.7, 4.1."""
    event, (first, second) = tied_table()

    roll(event, (first, second), 1, 4, kind="table")

    match = match_at(event, 1)
    assert (match.state, match.winner) == ("done", match.b)


def test_a_roll_is_in_the_journal_with_what_it_decided():
    event, group = tied_table()
    first, second = group
    names = state_of(event).names

    roll_offs.roll_dice(event, 1, "table", group, {first: 4, second: 1}, by=BY)

    entry = last_entry(event)
    assert (entry.did, entry.what) == (
        "throw_dice",
        f"Roll-off in round 1: {names[first]} 4 and {names[second]} 1. {names[first]} is ahead of {names[second]}.",
    )
    assert entry.after == {
        "round": 1,
        "kind": "table",
        "group": sorted(group),
        "throws": [{"counts": {str(first): 4, str(second): 1}, "faces": {}, "seed": ""}],
    }


def test_who_is_tied_again_rolls_again_until_the_tie_is_broken():
    """Rule 4.1."""
    event, group = tied_table()

    roll(event, group, 2, 2, kind="table")
    assert match_at(event, 1).state == "tied"
    roll(event, group, 0, 0, kind="table")
    roll(event, group, 3, 2, kind="table")

    assert match_at(event, 1).winner == match_at(event, 1).a
    assert Roll.objects.count() == 3


def test_of_three_the_two_who_are_still_tied_roll_on_alone():
    """Rules 4.1, 5.2."""
    night, (one, two, three), _ = night_with_ties()

    roll(night.event, (one, two, three), 1, 3, 1)
    assert levels(night.event, (one, two, three)) == ((two,), (one, three))
    roll_offs.roll_dice(night.event, 1, "standing", (one, two, three), {one: 0, three: 5}, by=BY)

    ranks = {line.id: (line.rank, line.shared) for line in state_of(night.event).standings(1)}
    assert [ranks[number] for number in (two, three, one)] == [(1, False), (2, False), (3, False)]


def test_two_pairs_that_a_group_of_four_fell_into_may_roll_one_after_the_other():
    """Rule 4.1."""
    event = make_night(players=8, open_round=True).event
    for table in (1, 2, 3, 4):
        enter(event, table, eliminated())
    group = tuple(sorted(match_at(event, table).numbers[0] for table in (1, 2, 3, 4)))
    roll(event, group, 3, 3, 1, 1)

    roll_offs.roll_dice(event, 1, "standing", group, {group[0]: 2, group[1]: 0}, by=BY)
    roll_offs.roll_dice(event, 1, "standing", group, {group[2]: 2, group[3]: 4}, by=BY)

    assert levels(event, group) == ((group[0],), (group[1],), (group[3],), (group[2],))


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ((6, 1, 1), "5 dice can’t show 6 Battle Stations. Enter 0 to 5 (rule 4.1)."),
        ((-1, 1, 1), "5 dice can’t show −1 Battle Stations. Enter 0 to 5 (rule 4.1)."),
        ((3, 1), "Roll 1 isn’t complete. Everyone who is still tied rolls."),
        ((), "Roll 1 must name each player who rolled exactly once."),
    ],
)
def test_a_roll_that_cannot_be_is_refused(counts, sentence):
    night, winners, _ = night_with_ties()

    with pytest.raises(Refused) as refusal:
        roll(night.event, winners, *counts)

    assert refusal.value.reasons == (sentence,)
    assert not RollOff.objects.exists()


def test_a_roll_of_somebody_who_is_not_tied_any_more_is_refused():
    night, winners, losers = night_with_ties()
    roll(night.event, winners, 5, 1, 1)

    for stranger in (winners[0], losers[0]):
        with pytest.raises(Refused, match="Roll 2 names a player who was no longer tied"):
            roll_offs.roll_dice(night.event, 1, "standing", winners, {winners[1]: 1, winners[2]: 2, stranger: 3}, by=BY)

    assert Roll.objects.count() == 1


def test_the_same_roll_typed_by_two_people_counts_once():
    event, group = tied_table()
    roll(event, group, 2, 2, kind="table", roll=1)

    with pytest.raises(Stale, match=r"Not saved\. Someone else already entered roll 1"):
        roll(event, group, 2, 2, kind="table", roll=1)

    assert Roll.objects.count() == 1


def test_who_is_not_tied_does_not_roll():
    night, winners, losers = night_with_ties()

    for kind, group in (("standing", winners[:2]), ("standing", (*winners, losers[0])), ("table", winners[:2])):
        with pytest.raises(Refused, match="These players aren’t tied"):
            roll(night.event, group, 1, 2, 3, 4, kind=kind)


def test_the_standings_wait_with_their_roll_offs_until_every_table_is_done():
    event = make_night(players=6, open_round=True).event
    for table in (1, 2):
        enter(event, table, eliminated())
    group = tuple(sorted(match_at(event, table).numbers[0] for table in (1, 2)))

    with pytest.raises(Refused, match="These players aren’t tied"):
        roll(event, group, 1, 2)


def test_a_round_that_was_never_played_has_nothing_to_roll_for():
    event = make_night(players=4).event

    with pytest.raises(Refused, match="These players aren’t tied"):
        roll(event, (1, 2), 1, 2)


def test_a_broken_tie_is_not_rolled_again():
    night, winners, _ = night_with_ties()
    roll(night.event, winners, 3, 2, 1)
    first, second, third = (state_of(night.event).names[number] for number in winners)
    sentence = f"This tie is already broken: {first} is first. {second} is second. {third} is third."

    for act in (
        lambda: roll(night.event, winners, 1, 2, 3),
        lambda: roll_offs.roll_by_software(night.event, 1, "standing", winners, seed="aa", by=BY),
    ):
        with pytest.raises(Refused) as refusal:
            act()
        assert refusal.value.reasons == (sentence,)


def test_a_finished_event_rolls_no_dice():
    night, winners, _ = night_with_ties()
    roll_off_standings(night.event, random=Random(1), by=BY)
    rounds.close_round(night.event, 1, by=BY)
    champions = state_of(night.event).faction_tie(1)
    if champions:
        roll_offs.roll_by_software(night.event, 1, "faction", champions, seed="aa", by=BY)
    events.finish_event(night.event, by=BY, reason="the shop closes")

    with pytest.raises(Refused, match=r"The event is finished\. Reopen it first\."):
        roll(night.event, winners, 1, 2, 3)


def test_software_rolls_until_nobody_is_tied_and_everybody_can_roll_the_same_again():
    """Rule 4.3."""
    night, winners, _ = night_with_ties()

    roll_offs.roll_by_software(night.event, 1, "standing", winners, seed="00c0ffee", by=BY)

    rolled = state_of(night.event).roll_off(1, "standing", winners)
    assert rolled.is_broken
    for row in rolled.rolls:
        assert row.seed == "00c0ffee"
        assert row.faces == {number: list(roll_faces("00c0ffee", row.number, int(number))) for number in row.counts}
        assert row.counts == {number: battle_stations(faces) for number, faces in row.faces.items()}
    assert last_entry(night.event).what.startswith("Roll-off in round 1, rolled by Flagship: ")


def test_software_goes_on_where_dice_on_the_table_left_the_players_tied():
    night, winners, _ = night_with_ties()
    roll(night.event, winners, 5, 1, 1)

    roll_offs.roll_by_software(night.event, 1, "standing", winners, seed="00c0ffee", by=BY)

    rolled = state_of(night.event).roll_off(1, "standing", winners)
    assert rolled.levels[0] == (winners[0],)
    assert set(rolled.rolls[1].counts) == {str(winners[1]), str(winners[2])}
    assert rolled.rolls[1].number == 2


def test_in_months_with_two_kinds_of_dice_the_higher_number_rolls_defense_dice_at_the_table():
    event, group = tied_table(pack="drive")
    first, second = sorted(group)

    roll_offs.roll_by_software(event, 1, "table", group, seed="00c0ffee", by=BY)

    faces = state_of(event).roll_off(1, "table", group).rolls[0].faces
    assert faces[str(first)] == list(roll_faces("00c0ffee", 1, first, die=ATTACK_DIE))
    assert faces[str(second)] == list(roll_faces("00c0ffee", 1, second, die=DEFENSE_DIE))


def test_a_correction_that_dissolves_the_tie_makes_its_roll_off_void_and_a_new_one_valid_again():
    """Rule 4.3."""
    event, group = tied_table()
    roll(event, group, 1, 4, kind="table")

    enter(event, 1, on_time(40, 60), version=1)
    state = state_of(event)
    assert state.is_void(state.roll_offs[0])
    assert match_at(event, 1).winner == match_at(event, 1).b
    with pytest.raises(Refused, match="These players aren’t tied"):
        roll(event, group, 1, 4, kind="table")

    enter(event, 1, on_time(60, 60), version=2)
    state = state_of(event)
    assert not state.is_void(state.roll_offs[0])


def test_a_roll_off_in_the_standings_is_void_once_a_correction_dissolved_its_tie():
    """Rule 4.3."""
    night, winners, _ = night_with_ties()
    roll(night.event, winners, 3, 2, 1)
    assert not state_of(night.event).is_void(state_of(night.event).roll_offs[0])

    enter(night.event, 1, eliminated(left=10, out=0), version=1)

    state = state_of(night.event)
    assert state.is_void(state.roll_offs[0])


def test_nobody_rolls_for_a_later_round_while_a_corrected_table_of_an_earlier_one_is_tied():
    """Rules 2.7, 4.3: without the points of that table the ties of the later round are not the real ones."""
    event = make_night(players=4, open_round=True).event
    enter(event, 1, eliminated())
    enter(event, 2, eliminated())
    roll_off_standings(event, random=Random(1), by=BY)
    rounds.close_round(event, 1, by=BY)
    rounds.publish_round(event, rounds.pair_round(event, seed=1, by=BY).number, by=BY)
    two = match_at(event, 1).numbers
    for match in state_of(event).round(2).tables:
        enter(event, match.table, eliminated(out=1 if match.numbers[0] in two else 0), number=2)
    roll_off_standings(event, random=Random(1), by=BY)
    rounds.close_round(event, 2, by=BY)

    enter(event, 1, on_time(40, 40), version=1, reason="wrong slip")

    assert str(state_of(event).next_step.reasons[0]).startswith("Table 1 of round 1 is tied after a correction")
    with pytest.raises(Refused, match="These players aren’t tied"):
        roll_offs.roll_by_software(event, 2, "standing", two, seed="00c0ffee", by=BY)


def test_the_best_of_two_tied_factions_roll_for_the_victory():
    """Rule 5.3."""
    event = night_with_tied_factions()
    champions = state_of(event).faction_tie(1)
    assert [state_of(event).by_number[number].faction for number in champions] == ["Klingon", "Romulan"]

    roll(event, champions, 1, 3, kind="faction")

    lines = state_of(event).faction_lines(1)
    assert [(line.faction, line.rank, line.shared) for line in lines] == [("Romulan", 1, False), ("Klingon", 2, False)]
    assert state_of(event).faction_tie(1) == ()


def test_champions_who_rolled_for_their_ranks_do_not_roll_again_for_the_victory():
    """Rule 5.3: exactly they have rolled after the last round, and that roll counts."""
    event = night_with_tied_factions(same_scores=True)
    winners = state_of(event).ties(1)[0]
    assert state_of(event).faction_tie(1) == winners

    with pytest.raises(Refused, match=r"share a rank\. Roll for that first: .* \(rule 5\.3\)"):
        roll(event, winners, 1, 3, kind="faction")
    roll(event, winners, 3, 1)

    lines = state_of(event).faction_lines(1)
    assert [(line.faction, line.rank, line.shared) for line in lines] == [("Klingon", 1, False), ("Romulan", 2, False)]
    assert state_of(event).faction_tie(1) == ()
    with pytest.raises(Refused, match=r"These players’ factions aren’t tied.* \(rule 5\.3\)"):
        roll(event, winners, 1, 3, kind="faction")


def test_the_roll_that_the_victory_waits_for_is_named_by_its_own_rule():
    """Rules 4.1, 5.3."""
    event = night_with_tied_factions()
    Event.objects.filter(pk=event.pk).update(rounds_planned=1)
    event.refresh_from_db()
    names = names_of([state_of(event).names[number] for number in state_of(event).faction_tie(1)])

    with pytest.raises(Refused) as refusal:
        rounds.close_round(event, 1, by=BY)

    assert refusal.value.reasons == (f"The victorious faction is tied: {names} roll off (rule 5.3).",)


@copied
def night_with_tied_factions(same_scores: bool = False) -> Event:
    """Two Klingons and two Romulans after round 1; each faction has one winner and one loser.

    `same_scores`: both tables ended by the same score, so that the champions share a rank.
    """
    event = make_night(players=0).event
    people = [("Vor", "Klingon"), ("Kestrel", "Klingon"), ("Quill", "Romulan"), ("Onyx", "Romulan")]
    entrants.register(event, people, by=BY, checked_in=True)
    rounds.publish_round(event, rounds.pair_round(event, seed=1, by=BY).number, by=BY)
    left = {"Klingon": (60, 10), "Romulan": (70, 20)}
    for match, winning in zip(state_of(event).round(1).tables, left, strict=True):
        winner = [entrant.faction for entrant in match.entrants].index(winning)
        own, other = left["Klingon" if same_scores else winning]
        enter(event, match.table, on_time(other, own) if winner else on_time(own, other))
    return event
