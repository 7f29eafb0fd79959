"""Which options there are for a player, in every state of an event (rules 2.9, 2.11, 3.3 a, 3.6, 3.9)."""

import itertools

import pytest

from tourney.domain.arrivals import ArrivalOption, ArrivalSituation, ArrivalWay, Person, Phase, SeatStatus, options

EXPECTED, HERE, GONE = Person
IDLE, DRAFT, PLAYED, FINISHED = Phase


def keys(now: ArrivalSituation) -> list[str]:
    return [option.key for option in options(now)]


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        # No round is open.
        (ArrivalSituation(EXPECTED, IDLE, rounds_left=3), ["arrives-next"]),
        (ArrivalSituation(HERE, IDLE, rounds_left=2), ["leaves-after"]),
        (ArrivalSituation(GONE, IDLE, rounds_left=1), ["returns-next"]),
        (ArrivalSituation(EXPECTED, IDLE), []),
        (ArrivalSituation(HERE, IDLE), []),
        (ArrivalSituation(GONE, IDLE), []),
        # Somebody comes while a round is a draft: it can be drawn again, or one place filled.
        (
            ArrivalSituation(EXPECTED, DRAFT, bye=4, has_bye=True, rounds_left=2),
            ["arrives-redraw", "arrives-bye-player", "arrives-next"],
        ),
        (ArrivalSituation(EXPECTED, DRAFT, rounds_left=2), ["arrives-redraw", "arrives-takes-bye", "arrives-next"]),
        (ArrivalSituation(GONE, DRAFT, rounds_left=1), ["returns-redraw", "returns-takes-bye", "returns-next"]),
        (ArrivalSituation(HERE, DRAFT, rounds_left=1), ["arrives-redraw", "arrives-takes-bye", "leaves-after"]),
        (
            ArrivalSituation(EXPECTED, DRAFT, waiting=(7,)),
            ["arrives-redraw", "arrives-together-7", "arrives-takes-bye"],
        ),
        # Never two byes (rule 3.3 a): where somebody has it who cannot play, nobody gets another one.
        (ArrivalSituation(EXPECTED, DRAFT, has_bye=True), ["arrives-redraw"]),
        # Somebody comes while a round is in play: the tables stay, only an empty place can be filled.
        (
            ArrivalSituation(EXPECTED, PLAYED, bye=4, has_bye=True, rounds_left=2),
            ["arrives-bye-player", "arrives-next"],
        ),
        (ArrivalSituation(EXPECTED, PLAYED, rounds_left=2), ["arrives-next"]),
        (ArrivalSituation(EXPECTED, PLAYED), []),
        (
            ArrivalSituation(EXPECTED, PLAYED, bye=4, has_bye=True, waiting=(7, 8)),
            ["arrives-bye-player", "arrives-together-7", "arrives-together-8"],
        ),
        (ArrivalSituation(HERE, PLAYED, waiting=(7,), rounds_left=1), ["arrives-together-7", "leaves-after"]),
        (ArrivalSituation(GONE, PLAYED, bye=4, has_bye=True, rounds_left=1), ["returns-bye-player", "returns-next"]),
        # Comes back after a no-show: the table is open again, or from the next round on.
        (ArrivalSituation(GONE, PLAYED, SeatStatus.ABSENT, rounds_left=1), ["returns-reopen", "returns-next"]),
        (ArrivalSituation(HERE, PLAYED, SeatStatus.ABSENT), ["arrives-reopen"]),
        (ArrivalSituation(GONE, PLAYED, SeatStatus.OVER, rounds_left=1), ["returns-next"]),
        # Sits in a draft.
        (
            ArrivalSituation(HERE, DRAFT, SeatStatus.OPEN, rounds_left=1),
            ["leaves-after", "gone-redraw", "gone-opponent-bye"],
        ),
        (
            ArrivalSituation(HERE, DRAFT, SeatStatus.OPEN, bye=4, has_bye=True, rounds_left=1),
            ["leaves-after", "gone-redraw", "gone-replaced"],
        ),
        (ArrivalSituation(HERE, DRAFT, SeatStatus.BYE, has_bye=True), ["gone-redraw", "gone-out"]),
        # Sits at a table in play.
        (
            ArrivalSituation(HERE, PLAYED, SeatStatus.OPEN, bye=4, has_bye=True, rounds_left=1),
            [
                *("late-no-show", "late-replaced", "leaves-after"),
                *("gone-no-show", "gone-concedes", "gone-replaced"),
            ],
        ),
        (ArrivalSituation(HERE, PLAYED, SeatStatus.OPEN), ["late-no-show", "gone-no-show", "gone-concedes"]),
        (ArrivalSituation(HERE, PLAYED, SeatStatus.BEGUN, bye=4, has_bye=True), ["gone-concedes"]),
        (ArrivalSituation(HERE, PLAYED, SeatStatus.BEGUN, concession_is_counted=True), []),
        (ArrivalSituation(HERE, PLAYED, SeatStatus.OVER, rounds_left=1), ["leaves-after"]),
        (ArrivalSituation(HERE, PLAYED, SeatStatus.OVER), []),
        (ArrivalSituation(HERE, PLAYED, SeatStatus.BYE, has_bye=True, rounds_left=1), ["leaves-after", "gone-out"]),
        # Dropped already, and gone before the match was over.
        (
            ArrivalSituation(GONE, PLAYED, SeatStatus.OPEN, rounds_left=1),
            ["returns-next", "gone-no-show", "gone-concedes"],
        ),
        # Over.
        (ArrivalSituation(HERE, FINISHED, rounds_left=1), []),
    ],
    ids=str,
)
def test_options_in_each_state(now, expected):
    assert keys(now) == expected


def every_situation():
    for person, phase, place in itertools.product(Person, Phase, SeatStatus):
        for bye, waiting, left in itertools.product((None, 4), ((), (7, 8)), (0, 2)):
            has_bye = bye is not None or place is SeatStatus.BYE
            yield ArrivalSituation(person, phase, place, bye, has_bye, waiting, left)


def test_no_option_comes_twice_and_none_makes_a_second_bye():
    for now in every_situation():
        found = options(now)
        assert len({option.key for option in found}) == len(found)
        new_byes = {ArrivalWay.TAKES_BYE, ArrivalWay.OPPONENT_BYE} & {option.way for option in found}
        assert not (now.has_bye and new_byes), now


def test_whoever_is_not_paired_can_be_while_a_round_is_left():
    for now in every_situation():
        if now.person is not Person.CHECKED_IN and now.rounds_left and now.phase is not Phase.FINISHED:
            assert ArrivalWay.NEXT in {option.way for option in options(now)}, now


def test_only_who_is_seated_by_hand_needs_a_reason():
    by_hand = {option.way for now in every_situation() for option in options(now) if option.is_by_hand}

    assert by_hand == {
        ArrivalWay.BYE_PLAYER,
        ArrivalWay.TOGETHER,
        ArrivalWay.TAKES_BYE,
        ArrivalWay.REPLACED,
        ArrivalWay.OPPONENT_BYE,
    }


def test_the_key_of_an_option_names_moment_way_and_partner():
    found = options(ArrivalSituation(EXPECTED, PLAYED, waiting=(7,), rounds_left=1))

    assert [option.key for option in found] == ["arrives-together-7", "arrives-next"]
    assert all(isinstance(option, ArrivalOption) for option in found)
