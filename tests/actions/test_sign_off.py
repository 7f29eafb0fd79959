"""Rule 7.2: the opponent's sheet is signed at the start of a round, on the phone or on paper; or a judge is called."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from fleets.domain import editing
from tests.support.built_fleets import QUILL, bring, bring_all
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.refusing import refused
from tourney.actions import fleets, sign_off
from tourney.models import Event, JournalEntry, Seat, SheetCheck
from tourney.queries.matches import MatchState
from tourney.queries.sign_off import checks_of
from tourney.queries.state import state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db

ALL_OF_IT = 0
DARTS = 4
NOBODY_THERE = "This player has no opponent."
NOT_IN_PLAY = "Round 1 isn’t in play."


@pytest.fixture
@copied
def night() -> Night:
    """Round 1 of five in play, everybody with a fleet; the bye is somebody's."""
    night = make_night(players=5, open_round=True)
    bring_all(night.event)
    return night


@pytest.fixture
def event(night) -> Event:
    return night.event


@pytest.fixture
def match(event) -> MatchState:
    return state_of(event).last_round.match_at(1)


@pytest.fixture
def me(match) -> int:
    return match.a.number


@pytest.fixture
def bye(event) -> int:
    return state_of(event).last_round.bye.a.number


def said(event: Event, number: int) -> tuple | None:
    """What this player says of the opponent's sheet: state, line, words, on paper, by whom."""
    checks = SheetCheck.objects.filter(seat__entrant__event=event, seat__entrant__number=number)
    return checks.values_list("state", "line", "words", "on_paper", "by_name").first()


def kinds(event: Event) -> dict[int, list[str]]:
    """By table: unsigned, signed or called, side a first."""
    state = state_of(event)
    return {
        table: [check.kind for check in both.checks]
        for table, both in checks_of(state, state.rounds[0].matches).items()
    }


def entries(event: Event) -> list[str]:
    return list(JournalEntry.objects.filter(event=event).order_by("pk").values_list("what", flat=True))


# signing


def test_a_player_signs_the_opponents_sheet_once(event, match, me):
    event.refresh_from_db()
    before = event.version
    sign_off.sign(event, 1, me, by=BY)
    sign_off.sign(event, 1, me, by=BY)
    event.refresh_from_db()

    assert said(event, me) == ("signed", ALL_OF_IT, "", False, "test")
    assert said(event, match.b.number) is None
    assert (event.version, entries(event)[-1]) == (
        before + 1,
        f"Round 1: {match.a} signed {match.b}’s fleet.",
    )


def test_a_signature_is_taken_back_as_if_it_had_not_been_given(event, me):
    sign_off.sign(event, 1, me, by=BY)
    sign_off.withdraw(event, 1, me, by=BY)

    assert said(event, me) is None
    with refused("There’s no signature or call to remove."):
        sign_off.withdraw(event, 1, me, by=BY)


# calling a judge


@pytest.mark.parametrize(
    ("line", "words", "what"),
    [
        (DARTS, "", "Darts"),
        (DARTS, "there are only four", "Darts"),
        (ALL_OF_IT, "another ship stands here", ""),
    ],
)
def test_a_judge_is_called_about_a_line_or_in_words(event, match, me, line, words, what):
    sign_off.call_judge(event, 1, me, line=line, words=words, by=BY)
    sign_off.call_judge(event, 1, me, line=line, words=words, by=BY)

    about = f" ({what})" if what else ""
    assert said(event, me) == ("called", line, words, False, "test")
    assert entries(event)[-1] == f"Round 1, table 1: {match.a} called a judge about {match.b}’s fleet{about}."
    assert JournalEntry.objects.filter(event=event, did="call_judge", reason=words).count() == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (ALL_OF_IT, "Mark the line that doesn’t match, or tell the judge what’s wrong."),
        (99, "This card is no longer in the fleet. Check the fleet again."),
    ],
)
def test_a_call_without_anything_to_look_at_is_refused(event, me, line, sentence):
    with refused(sentence):
        sign_off.call_judge(event, 1, me, line=line, words="", by=BY)

    assert said(event, me) is None


def test_a_call_follows_a_signature_and_a_signature_a_call(event, me):
    sign_off.sign(event, 1, me, by=BY)
    sign_off.call_judge(event, 1, me, line=DARTS, words="", by=BY)
    assert said(event, me)[:2] == ("called", DARTS)

    sign_off.sign(event, 1, me, by=BY)
    assert said(event, me)[:2] == ("signed", ALL_OF_IT)


def test_the_judge_settles_a_call_with_what_was_decided(event, match, me):
    sign_off.call_judge(event, 1, me, line=DARTS, words="only four", by=BY)
    with refused("Enter what you decided. It’s kept with the fleet and in the journal."):
        sign_off.settle(event, 1, me, decided="", by=BY)
    sign_off.settle(event, 1, me, decided="Four is right", by=BY)

    entry = JournalEntry.objects.filter(event=event).last()
    assert said(event, me) == ("signed", ALL_OF_IT, "Four is right", False, "test")
    assert (entry.did, entry.what, entry.reason) == (
        "settle_call",
        f"Round 1, table 1: call about {match.b}’s fleet resolved and signed for {match.a}.",
        "Four is right",
    )
    with refused(f"{match.a} isn’t calling a judge."):
        sign_off.settle(event, 1, me, decided="again", by=BY)


def test_what_the_judge_decided_is_not_lost_when_the_player_signs_too(event, me):
    sign_off.call_judge(event, 1, me, line=DARTS, words="", by=BY)
    sign_off.settle(event, 1, me, decided="Four is right", by=BY)
    sign_off.sign(event, 1, me, by=BY)

    assert said(event, me)[2] == "Four is right"


# on paper


def test_a_table_is_signed_on_paper_in_one_press_and_what_was_signed_stays(event, match, me):
    sign_off.sign(event, 1, me, by=BY)

    assert [sign_off.sign_on_paper(event, 1, 1, by=BY) for _ in range(2)] == [1, 0]
    assert (said(event, me)[3], said(event, match.b.number)[3]) == (False, True)
    assert entries(event)[-1] == "Round 1, table 1: fleets signed on paper."


def test_paper_does_not_settle_a_call(event, match, me):
    sign_off.call_judge(event, 1, me, line=DARTS, words="", by=BY)

    with refused(f"{match.a} is calling a judge to table 1. Resolve that first."):
        sign_off.sign_on_paper(event, 1, 1, by=BY)
    assert sign_off.sign_all_on_paper(event, 1, by=BY) == 1
    assert kinds(event) == {1: ["called", "unsigned"], 2: ["signed", "signed"]}


def test_all_tables_are_signed_on_paper_in_one_press(event):
    assert [sign_off.sign_all_on_paper(event, 1, by=BY) for _ in range(2)] == [2, 0]
    assert kinds(event) == {1: ["signed", "signed"], 2: ["signed", "signed"]}


def test_many_tables_are_signed_in_as_many_queries_as_few():
    counts = []
    for players in (4, 16):
        night = make_night(players=players, open_round=True)
        bring_all(night.event)
        with CaptureQueriesContext(connection) as queries:
            assert sign_off.sign_all_on_paper(night.event, 1, by=BY) == players // 2
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_tables_without_any_fleet_are_neither_shown_nor_signed(django_assert_num_queries):
    night = make_night(players=4, open_round=True)
    state = state_of(night.event)
    with django_assert_num_queries(0):
        assert checks_of(state, state.last_round.matches) == {}

    bring(night.event, state.last_round.match_at(2).a.number)

    assert kinds(night.event) == {2: ["unsigned", "unsigned"]}
    assert sign_off.sign_all_on_paper(night.event, 1, by=BY) == 1
    assert (
        Seat.objects.filter(check_of_opponent__isnull=False, match__table=2).count() == SheetCheck.objects.count() == 2
    )


# when nothing can be signed

ACTS = {
    "sign": lambda event, number: sign_off.sign(event, 1, number, by=BY),
    "call": lambda event, number: sign_off.call_judge(event, 1, number, line=DARTS, words="", by=BY),
    "settle": lambda event, number: sign_off.settle(event, 1, number, decided="so", by=BY),
    "take back": lambda event, number: sign_off.withdraw(event, 1, number, by=BY),
    "mark": lambda event, number: sign_off.mark_destroyed(event, 1, number, [DARTS], by=BY),
}
ON_PAPER = {
    "on paper": lambda event, _: sign_off.sign_on_paper(event, 1, 1, by=BY),
    "all on paper": lambda event, _: sign_off.sign_all_on_paper(event, 1, by=BY),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_the_bye_has_nothing_to_sign(event, bye, act):
    with refused(NOBODY_THERE):
        act(event, bye)


@pytest.mark.parametrize("act", (ACTS | ON_PAPER).values(), ids=ACTS | ON_PAPER)
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({}, NOT_IN_PLAY),
        ({"rounds": 1}, NOT_IN_PLAY),
        ({"rounds": 1, "open_round": True}, NOT_IN_PLAY),
        ({"rounds": 3, "finish": True}, "The event is finished."),
    ],
    ids=["not drawn", "closed", "the next one is in play", "finished"],
)
def test_nothing_is_signed_in_a_round_that_is_not_in_play(act, more, sentence):
    event = make_night(players=4, **more).event

    with refused(sentence):
        act(event, 1)


def test_there_is_no_table_9(event):
    with refused("There’s no table 9 in round 1. The round may have changed."):
        sign_off.sign_on_paper(event, 1, 9, by=BY)


# after the lock


def test_a_sheet_that_is_changed_after_the_lock_has_to_be_signed_anew(event, match, me):
    other = match.b.number
    sign_off.sign_on_paper(event, 1, 1, by=BY)
    fleets.unlock(event, other, reason="typed wrong", by=BY)
    assert kinds(event)[1] == ["signed", "signed"]

    fleets.step(
        event.entrants.get(number=other).fleet,
        lambda sheet: editing.add(sheet, QUILL, 5),
        did=message("Quill added."),
        by=BY,
    )

    assert kinds(event)[1] == ["unsigned", "signed"]


def test_a_call_stays_open_while_the_sheet_is_put_right(event, match, me):
    sign_off.call_judge(event, 1, me, line=DARTS, words="", by=BY)
    fleets.unlock(event, match.b.number, reason="typed wrong", by=BY)
    fleets.step(
        event.entrants.get(number=match.b.number).fleet,
        lambda sheet: editing.remove(sheet, DARTS),
        did=message("Darts removed."),
        by=BY,
    )

    assert said(event, me)[:2] == ("called", DARTS)


# destroyed in the battle (rule 2.3)


@pytest.mark.parametrize(
    ("marked", "kept"),
    [([4, 3], [3, 4]), ([1], [1]), ([4, 4, 99, 0], [4]), ([], [])],
    ids=["cards", "a ship", "once each, and only what is on the sheet", "nothing"],
)
def test_what_was_destroyed_is_kept_for_the_owner_of_the_fleet(event, match, me, marked, kept):
    sign_off.mark_destroyed(event, 1, me, marked, by=BY)

    seat = Seat.objects.get(entrant__event=event, entrant__number=me)
    assert seat.destroyed == kept
    assert Seat.objects.get(entrant__event=event, entrant__number=match.b.number).destroyed == []


def test_marking_is_in_the_journal_with_what_was_marked_before(event, match, me):
    for lines in ([3], [3, 4], [4, 3]):
        sign_off.mark_destroyed(event, 1, me, lines, by=BY)

    entries = JournalEntry.objects.filter(event=event, did="mark_destroyed").order_by("pk")
    assert [(entry.before["lines"], entry.after["lines"]) for entry in entries] == [
        ([], [3]),
        ([3], [3, 4]),
    ]
    assert entries[0].what == f"Round 1, table 1: destroyed in {match.a}’s fleet so far: Quill."


def test_nothing_is_marked_on_a_fleet_that_is_not_known():
    event = make_night(players=2, open_round=True).event
    sign_off.mark_destroyed(event, 1, 1, [1, 2], by=BY)

    assert list(Seat.objects.values_list("destroyed", flat=True)) == [[], []]


# queries


def test_many_tables_are_looked_at_in_as_many_queries_as_one(django_assert_num_queries):
    event = make_night(players=12, open_round=True).event
    bring_all(event)
    round = state_of(event).last_round
    for match in round.tables:
        sign_off.sign(event, 1, match.a.number, by=BY)
    state = state_of(event)
    with django_assert_num_queries(1):
        assert {both.signed for both in checks_of(state, round.matches).values()} == {1}

    for match in round.tables:
        sign_off.call_judge(event, 1, match.b.number, line=DARTS, words="", by=BY)
    with django_assert_num_queries(2):
        found = checks_of(state, round.matches).values()
        assert {call.title for both in found for call in both.calls} == {"Darts"}
