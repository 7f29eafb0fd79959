"""Rule 3.7: when a round cannot keep everything, the desk chooses, and the choice stays readable."""

from itertools import combinations
from random import Random

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.copied import copied
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tourney.actions import by_hand, entrants, results, rounds, simulation
from tourney.models import Event, JournalEntry
from tourney.queries.choices import ChoicePreview, PairingChoice, forecast, ways
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@copied
def night_before_round(number: int, *, players: int, planned: int | None = None) -> Event:
    """An event whose next round is this one; each of the rounds before is played."""
    event = make_night(players=players).event
    Event.objects.filter(pk=event.pk).update(rounds_planned=planned or number)
    event.refresh_from_db()
    by = BY
    for _ in range(number - 1):
        by = simulation.draw(event, random=Random(3), by=by)
        by = simulation.play_round(event, random=Random(4), by=by)
    return event


@copied
def drafted(number: int, *, players: int, planned: int | None = None) -> Event:
    event = night_before_round(number, players=players, planned=planned)
    rounds.pair_round(event, seed=5, by=BY)
    return event


def seats(event: Event, number: int) -> set[frozenset[str]]:
    state = state_of(event)
    return {frozenset(state.names[one] for one in match.numbers) for match in state.round(number).matches}


def met_in(event: Event, number: int) -> set[frozenset[str]]:
    return {pair for pair in seats(event, number) if len(pair) == 2}


def seat_by_hand(event: Event, number: int, pairs: set[frozenset[str]]) -> None:
    """Change places until exactly these meet."""
    numbers = {entrant.player.name: entrant.number for entrant in state_of(event).entrants}
    for pair in pairs:
        one, other = sorted(pair)
        (beside,) = next(seated for seated in seats(event, number) if one in seated) - {one}
        if beside != other:
            by_hand.place(event, number, numbers[beside], numbers[other], reason="one car", by=BY)


def ways_of(event: Event) -> list[ChoicePreview]:
    state = state_of(event)
    return ways(state, state.last_round)


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


def test_nothing_is_to_be_chosen_while_nobody_meets_again_and_nobody_has_a_second_bye():
    assert ways_of(drafted(3, players=4)) == []
    assert ways_of(drafted(3, players=3)) == []


def test_four_who_have_all_met_can_repeat_the_closest_meeting_or_the_oldest():
    event = drafted(4, players=4)

    usual, oldest = ways_of(event)
    assert (usual.choice, usual.is_draft, usual.new_tables) == (PairingChoice.USUAL, True, 0)
    assert (oldest.choice, str(oldest.title), oldest.is_draft) == (
        PairingChoice.OLDEST,
        "Rematch the oldest meeting",
        False,
    )
    assert (oldest.new_tables, oldest.tables) == (2, 2)
    assert all("meet again. They met in round 1." in str(effect) for effect in oldest.effects[:2])


def test_a_table_to_which_somebody_did_not_come_is_not_called_a_meeting():
    """Rule 3.6: two whose first table was a no-show have met in round 2 only."""
    event = make_night(players=2).event
    Event.objects.filter(pk=event.pk).update(rounds_planned=3)
    event.refresh_from_db()
    simulation.draw(event, random=Random(3), by=BY)
    no_show = Played(Ending.NO_SHOW, (Side(), Side()), out=0)
    results.report_result(event, 1, 1, results.ResultInput(no_show), version=0, by=BY)
    rounds.close_round(event, 1, by=BY)
    simulation.draw(event, random=Random(3), by=BY)
    simulation.play_round(event, random=Random(4), by=BY)
    rounds.pair_round(event, seed=5, by=BY)

    (way,) = ways_of(event)

    assert str(way.effects[0]).endswith(" meet again. They met in round 2.")


def test_the_oldest_meeting_is_drafted_when_it_is_chosen_and_the_journal_says_so():
    event = drafted(4, players=4)
    seed, before = state_of(event).last_round.row.seed, state_of(event).last_round.matches

    rounds.choose(event, 4, PairingChoice.OLDEST, by=BY)

    entry, draft = last_entry(event), state_of(event).last_round
    assert met_in(event, 4) == met_in(event, 1)
    assert (draft.state, draft.row.seed) == ("draft", seed)
    assert entry.did == "choose"
    assert entry.what == (
        "Round 4 re-paired by choice: a rematch of the oldest meeting, "
        "and no further bye while someone has had fewer (rule 3.7)."
    )
    assert entry.before == {"round": 4, "seed": seed, "matches": [list(match.numbers) for match in before]}
    assert entry.after == {
        "round": 4,
        "seed": seed,
        "tables": [list(match.numbers) for match in draft.tables],
        "bye": None,
        "choice": "oldest",
    }
    assert [way.is_draft for way in ways_of(event)] == [False, True]


def test_a_choice_can_be_taken_back_by_choosing_again():
    event = drafted(4, players=4)
    usual = seats(event, 4)

    rounds.choose(event, 4, PairingChoice.OLDEST, by=BY)
    rounds.choose(event, 4, PairingChoice.USUAL, by=BY)

    assert seats(event, 4) == usual


def test_what_was_chosen_is_published_with_the_round():
    event = drafted(4, players=4)
    rounds.choose(event, 4, PairingChoice.OLDEST, by=BY)

    rounds.publish_round(event, 4, by=BY)

    tables = state_of(event).last_round.tables
    names = [(match.a.player.name, match.b.player.name) for match in tables]
    chosen = [f"{a} and {b} have already met once: the desk chose the oldest meeting (rule 3.7)." for a, b in names]
    assert last_entry(event).what == " ".join(["Round 4 published.", *chosen])
    assert [str(match.why) for match in tables] == chosen


@pytest.mark.parametrize(("number", "byes", "another"), [(4, 2, "a second"), (7, 3, "another")])
def test_another_bye_gives_way_to_a_rematch_when_that_is_chosen(number, byes, another):
    """Three have had equally many byes when one of them leaves; somebody new has had none and could sit out alone."""
    event = night_before_round(number, players=3)
    state = state_of(event)
    leader, second, third = (line.entrant for line in state.standing_lines(number - 1))
    entrants.drop(event, third.number, by=BY)
    entrants.register(event, [("Late Lark", "Federation")], by=BY)
    entrants.check_in(event, by=BY)
    rounds.pair_round(event, seed=5, by=BY)
    rematch = {frozenset({leader.player.name, second.player.name}), frozenset({"Late Lark"})}

    usual, oldest = ways_of(event)
    assert seats(event, number) != rematch
    assert (usual.is_draft, f"then has {byes} byes." in " ".join(map(str, usual.effects))) == (True, True)
    assert str(oldest.title) == f"A rematch rather than {another} bye"
    assert "They met in round" in str(oldest.effects[0])

    rounds.choose(event, number, PairingChoice.OLDEST, by=BY)

    assert seats(event, number) == rematch


def test_five_after_everybody_had_a_bye_have_one_way_only():
    (way,) = ways_of(drafted(6, players=5))

    assert way.is_draft
    assert any(str(effect).endswith("then has 2 byes.") for effect in way.effects)


def test_with_the_same_bye_either_way_only_the_meetings_are_older():
    """Five play a seventh round: somebody has a second bye in both ways, so no bye is spared."""
    usual, oldest = ways_of(drafted(7, players=5))

    assert [str(way.title) for way in (usual, oldest)] == [
        "As few repeat opponents as possible",
        "Rematch the oldest meeting",
    ]
    assert str(usual.effects[2]) == str(oldest.effects[2]) == "Quill then has 2 byes."
    assert (str(usual.effects[3]), str(oldest.effects[3])) == (
        "Opponents are at most 2 Battle Points apart.",
        "Opponents are at most 3 Battle Points apart.",
    )


@pytest.mark.parametrize(
    ("number", "effects"),
    [
        (
            6,
            (
                "Vor and Quill meet again. They met in round 3.",
                "Kestrel then has 2 byes.",
                "Opponents are at most 1 Battle Point apart.",
            ),
        ),
        (
            7,
            (
                "Quill and Kestrel meet again. They met in rounds 1 and 4.",
                "Vor then has 3 byes.",
                "At every table both players have the same Battle Points.",
            ),
        ),
    ],
)
def test_what_gives_way_is_told_in_whole_sentences(number, effects):
    (way,) = ways_of(drafted(number, players=3))

    assert tuple(map(str, way.effects)) == effects


def test_places_changed_by_hand_make_the_draft_none_of_the_ways():
    event = drafted(4, players=4)
    engine = [met_in(event, 4), met_in(event, 1)]
    (neither,) = [pairs for pairs in (met_in(event, number) for number in (1, 2, 3)) if pairs not in engine]

    seat_by_hand(event, 4, neither)

    assert [way.is_draft for way in ways_of(event)] == [False, False]


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (3, "There is no draft of round 3 any more."),
        (5, "There is no draft of round 5 any more."),
    ],
)
def test_there_is_nothing_to_choose_without_a_draft(number, reason):
    event = drafted(4, players=4)

    with refused(reason):
        rounds.choose(event, number, PairingChoice.OLDEST, by=BY)


def test_a_published_round_is_not_drafted_again():
    event = drafted(4, players=4)
    rounds.publish_round(event, 4, by=BY)
    before = seats(event, 4)

    with refused("Round 4 is already published."):
        rounds.choose(event, 4, PairingChoice.OLDEST, by=BY)

    assert seats(event, 4) == before


def test_what_is_drafted_already_is_not_drafted_again():
    event = drafted(4, players=4)

    with refused("The draft already seats everyone this way."):
        rounds.choose(event, 4, PairingChoice.USUAL, by=BY)


def test_to_stop_is_a_draft_discarded_with_its_reason():
    event = drafted(4, players=4)

    rounds.discard_draft(event, 4, by=BY, stop=True)

    assert len(state_of(event).rounds) == 3
    assert last_entry(event).what == ("Draft of round 4 discarded: the event ends after round 3 (rule 3.7).")


def test_before_round_1_there_is_nothing_to_stop():
    event = drafted(1, players=4)

    with refused("No round has been played, so there’s nothing to finish. Discard the draft instead."):
        rounds.discard_draft(event, 1, by=BY, stop=True)
    assert len(state_of(event).rounds) == 1


@pytest.mark.many
@pytest.mark.parametrize(
    ("players", "number", "planned", "expected"),
    [
        (4, 2, 3, ""),
        (4, 2, 4, "If exactly these players stay, round 4 can’t be paired without a rematch or a second bye "),
        (4, 3, 5, "If exactly these players stay, round 4 can’t be paired without a rematch or a second bye "),
        (4, 4, 5, "If exactly these players stay, round 5 can’t be paired without a rematch or a second bye "),
        (5, 2, 5, ""),
        (6, 5, 5, ""),
        (6, 3, 6, "If exactly these players stay, round 6 can’t be paired without a rematch or a second bye "),
        (20, 2, 6, ""),
    ],
)
def test_3_4_the_first_round_that_cannot_be_clean_is_foretold(players, number, planned, expected):
    state = state_of(drafted(number, players=players, planned=planned))

    assert str(forecast(state, state.last_round) or "") == (expected and f"{expected}(rules 3.4 and 3.7).")


def test_3_4_places_changed_by_hand_change_what_is_foretold():
    """Two rounds of six are a ring. Who stand opposite in it may meet in round 3, but then two threes are left."""
    event = drafted(3, players=6, planned=5)
    state = state_of(event)
    assert forecast(state, state.last_round) is None
    nearby = met_in(event, 1) | met_in(event, 2)
    two_steps = {one ^ other for one in nearby for other in nearby if len(one & other) == 1}
    opposite = {frozenset(pair) for pair in combinations(state.names.values(), 2)} - nearby - two_steps

    seat_by_hand(event, 3, opposite)

    state = state_of(event)
    assert str(forecast(state, state.last_round)) == (
        "If exactly these players stay, round 4 can’t be paired without a rematch or a second bye (rules 3.4 and 3.7)."
    )
