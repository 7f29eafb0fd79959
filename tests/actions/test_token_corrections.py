"""The ledger of the token after corrections, and with players who are one or erased (rule 6.4)."""

import pytest

from tests.actions.test_tokens import last_entry, offer, refusal
from tests.support.copied import copied
from tests.support.months import Months, dethrone, draw, play_on, register, two_months
from tests.support.nights import BY
from tourney.actions import entrants, events, store_players, tokens
from tourney.models import Player, TokenLine
from tourney.queries.state import state_of
from tourney.queries.tokens import token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
@copied
def granted() -> Months:
    """The Admiral of month five has the token, and round 1 is in play."""
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    draw(months.event)
    return months


# corrections (rule 6.4)


def test_a_corrected_rank_adds_a_line_to_the_next_month_and_what_was_spent_stays_spent(granted):
    tokens.spend(granted.event, 1, by=BY)
    version, admiral = granted.event.version, granted.order[0]

    new = dethrone(granted)

    assert new != admiral
    assert granted.ledger()[1:] == [("spent", admiral), ("corrected", new)]
    assert last_entry(granted.event)[:3] == (
        "correct_token",
        f"The ranks of month 5 were corrected. {new} should have had the commendation token. "
        f"{admiral} spent it in round 1, and it stays spent (rule 6.4).",
        {"entrant": next(n for n in range(1, 5) if str(state_of(granted.event).by_number[n]) == new)},
    )
    assert granted.event.version > version
    assert (token_of(state_of(granted.event)).state, token_of(state_of(granted.event)).round) == ("spent", 1)


def test_a_correction_before_round_1_lets_the_desk_pass_it_on():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)

    new = dethrone(months)

    assert months.ledger()[1:] == [("corrected", new)]
    assert f"It can be passed on to {new}." in last_entry(months.event)[1]
    assert offer(months)[:2] == ("pass_on", new)


def test_a_correction_that_leaves_the_token_where_it_belongs_adds_no_line(granted):
    version = granted.event.version
    events.reopen_event(granted.first.event, reason="only looked", by=BY)
    events.finish_event(granted.first.event, by=BY)

    assert granted.ledger() == [("granted", granted.order[0])]
    assert granted.event.version == version + 2


def test_a_correction_is_measured_by_who_was_there_when_it_was_granted():
    months = two_months([1, 2])
    tokens.grant(months.event, months.number(1), by=BY)
    months.arrive(0)
    draw(months.event)

    events.reopen_event(months.first.event, reason="only looked", by=BY)
    events.finish_event(months.first.event, by=BY)

    assert months.ledger() == [("granted", months.order[1])]


def test_a_correction_reaches_a_finished_month_too():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    play_on(months.event, 3)
    events.finish_event(months.event, by=BY)

    new = dethrone(months)

    assert [kind for kind, _ in months.ledger()] == ["granted", "lost", "corrected"]
    assert f"{months.order[0]}, who had it, didn’t spend it." in last_entry(months.event)[1]
    assert months.ledger()[2][1] == new


# players who are one, or erased


def test_a_merge_takes_the_lines_along_and_shows_who_should_have_had_it():
    months = two_months([1, 2], guests=["Misspelled"])
    tokens.grant(months.event, months.number(1), by=BY)
    admiral, misspelled = (Player.objects.get(name=name) for name in (months.order[0], "Misspelled"))

    row = store_players.merge(admiral, misspelled, by=BY)

    assert months.ledger() == [("granted", months.order[1]), ("corrected", months.order[0])]
    assert last_entry(months.event)[1].startswith(
        f"Misspelled and {months.order[0]} are the same player. "
        f"{months.order[0]} should have had the commendation token."
    )
    store_players.undo_merge(row, by=BY)
    assert months.ledger() == [
        ("granted", months.order[1]),
        ("corrected", "Misspelled"),
        ("corrected", months.order[1]),
    ]
    assert last_entry(months.event)[1].endswith(f"{months.order[1]} should have had the commendation token after all.")


def test_a_merged_holder_keeps_what_was_granted(granted):
    other = Player.objects.create(store=granted.first.store, name="Older name")
    kept = granted.who(0).player

    store_players.merge(other, kept, by=BY)

    assert granted.ledger() == [("granted", "Older name")]
    assert offer(granted) == ("none", None, "")


def test_an_erased_holder_stays_in_the_ledger_under_the_mark(granted):
    name = granted.order[0]
    mark = store_players.erase(granted.who(0).player, by=BY)

    row = TokenLine.objects.get()
    assert granted.ledger() == [("granted", mark)]
    assert row.reason == f"{mark} is Admiral of month 5 (rule 6.1)."
    assert name not in row.reason


def test_who_is_erased_before_round_1_gives_the_token_back():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    entrant = months.who(0)

    mark = store_players.erase(entrant.player, by=BY)

    entrant.refresh_from_db()
    assert months.ledger() == [("granted", mark), ("taken back", mark)]
    assert not entrant.checked_in
    assert offer(months)[:2] == ("grant", months.order[1])


def test_pages_of_the_next_month_notice_that_the_absent_admiral_is_erased():
    months = two_months([1, 2])
    version = months.event.version

    store_players.erase(Player.objects.get(name=months.order[0]), by=BY)

    assert months.event.version == version + 1


def test_an_entry_in_the_ledger_is_not_removed():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)

    why = refusal(entrants.remove, months.event, months.number(0), by=BY)

    assert "is in the ledger of the commendation token" in why


def test_a_guest_of_this_month_is_never_offered_it():
    months = two_months([], guests=["Ensign Quill"])
    register(months.event, ["Nine of Ten"])

    assert offer(months)[0] == "none"
