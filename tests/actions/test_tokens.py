"""The commendation token: granted, passed on, spent once, lost at the end; the ledger is only written on (rule 6)."""

from random import Random

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import Error

from tests.support.copied import copied
from tests.support.months import Months, dethrone, draw, play_on, two_months
from tests.support.nights import AT, BY, make_night, make_store
from tourney.actions import entrants, events, rounds, simulation, tokens
from tourney.actions.record import Refused
from tourney.models import Event, JournalEntry, TokenLine
from tourney.queries.state import state_of
from tourney.queries.tokens import last_month, offer_of, token_of

pytestmark = pytest.mark.django_db


def offer(months: Months) -> tuple[str, str | None, str]:
    """What the rules offer the desk now: kind, whom, why."""
    state = state_of(months.event)
    found = offer_of(state, token_of(state), last_month(months.event))
    return found.kind, found.entrant and str(found.entrant), str(found.why)


def refusal(action, *asked, **more) -> str:
    """Why it cannot be done now."""
    with pytest.raises(Refused) as error:
        action(*asked, **more)
    return str(error.value)


def last_entry(event: Event) -> tuple[str, str, dict, str]:
    entry = JournalEntry.objects.filter(event=event).last()
    return entry.did, entry.what, entry.after, entry.reason


# granted (rules 6.1, 6.2)


def test_the_admiral_of_last_month_is_offered_the_token_and_one_press_grants_it():
    months = two_months()
    admiral = months.order[0]
    assert offer(months) == ("grant", admiral, f"{admiral} is Admiral of month 5 (rule 6.1).")
    version = months.event.version

    tokens.grant(months.event, months.number(0), by=BY)

    row = TokenLine.objects.get()
    assert (row.number, row.kind, row.entrant, row.here) == (1, "granted", months.who(0), [1, 2, 3, 4])
    assert (row.reason, row.by_name, row.at) == (f"{admiral} is Admiral of month 5 (rule 6.1).", "test", AT)
    assert last_entry(months.event) == (
        "grant_token",
        f"{admiral} got the commendation token. {admiral} is Admiral of month 5 (rule 6.1).",
        {"entrant": months.number(0)},
        f"{admiral} is Admiral of month 5 (rule 6.1).",
    )
    assert months.event.version == version + 1
    assert offer(months) == ("none", None, "")


def test_without_the_admiral_the_next_highest_who_is_here_is_offered_it():
    months = two_months([3, 1])
    admiral, vice = months.order[:2]

    assert offer(months) == (
        "grant",
        vice,
        f"{admiral}, Admiral of month 5, isn’t here; {vice}, Vice Admiral, is the highest who is (rule 6.2).",
    )


def test_it_is_granted_to_nobody_else_and_not_twice():
    months = two_months([1, 2])
    assert "Someone else has updated the token." in refusal(tokens.grant, months.event, months.number(2), by=BY)
    tokens.grant(months.event, months.number(1), by=BY)

    assert refusal(tokens.grant, months.event, months.number(1), by=BY) == "This player already has the token."
    assert months.ledger() == [("granted", months.order[1])]


def test_nobody_gets_one_in_the_first_month():
    night = make_night(players=4)
    state = state_of(night.event)

    found = offer_of(state, token_of(state), last_month(night.event))

    assert (found.kind, str(found.why)) == ("none", "This is the first month, so there is no token yet (rule 6.1).")
    assert "This is the first month" in refusal(tokens.grant, night.event, 1, by=BY)


def test_a_month_without_the_token_has_no_ledger():
    night = make_night(players=4, pack="temporal-cold-war-2")

    assert token_of(state_of(night.event)) is None
    assert refusal(tokens.grant, night.event, 1, by=BY) == "There’s no commendation token this month."


def test_where_nobody_of_last_month_is_here_there_is_no_token():
    months = two_months([], guests=["Ensign Quill", "Nine of Ten"])

    assert offer(months) == ("none", None, "No one who played month 5 is here, so there is no token (rule 6.2).")


def test_nothing_is_offered_while_last_month_is_open_again():
    months = two_months()
    version = months.event.version
    events.reopen_event(months.first.event, reason="a slip was found", by=BY)

    assert offer(months) == ("none", None, "Month 5 is still open, so its ranks aren’t final. Finish it first.")
    assert months.event.version == version + 1


def test_a_month_that_was_never_played_is_passed_over():
    months = two_months()
    third = make_night(players=0, store=months.first.store)
    Event.objects.filter(pk=third.event.pk).update(starts_at=AT.replace(day=27))
    third.event.refresh_from_db()

    assert last_month(third.event).event == months.first.event


def test_the_token_of_another_store_is_another_one():
    months = two_months()
    others = two_months(store=make_store("Deck Twelve")[0])
    tokens.grant(others.event, others.number(0), by=BY)
    dethrone(others)

    assert months.ledger() == []
    assert offer(months)[1] == months.order[0]


# passed on, declined, taken back


def test_who_is_ranked_better_and_comes_before_round_1_can_get_it_passed_on():
    months = two_months([1, 2])
    tokens.grant(months.event, months.number(1), by=BY)
    months.arrive(0)
    assert offer(months) == ("pass_on", months.order[0], f"{months.order[0]} is Admiral of month 5 (rule 6.1).")

    tokens.grant(months.event, months.number(0), by=BY)

    assert months.ledger() == [("granted", months.order[1]), ("passed on", months.order[0])]
    assert last_entry(months.event)[1].startswith(f"{months.order[1]}’s commendation token passed on to ")


def test_once_round_1_has_begun_it_stays_and_the_desk_is_told_why():
    months = two_months([1, 2])
    tokens.grant(months.event, months.number(1), by=BY)
    draw(months.event)
    months.arrive(0)
    admiral, vice = months.order[:2]

    why = (
        f"{admiral} ranked better in month 5 and is checked in too. But round 1 has begun, "
        f"so the token stays with {vice} (rule 6.1)."
    )
    assert offer(months) == ("stays", admiral, why)
    assert why in refusal(tokens.grant, months.event, months.number(0), by=BY)


def test_a_holder_who_is_not_here_after_all_gives_it_to_the_next():
    months = two_months([0, 1, 2])
    tokens.grant(months.event, months.number(0), by=BY)
    entrants.check_out(months.event, months.number(0), by=BY)
    assert offer(months)[:2] == ("pass_on", months.order[1])
    draw(months.event)

    tokens.grant(months.event, months.number(1), by=BY)

    assert months.ledger() == [("granted", months.order[0]), ("passed on", months.order[1])]


def test_who_declines_is_passed_over_and_may_take_it_after_all():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)

    tokens.decline(months.event, months.number(0), reason="plays without", by=BY)

    admiral, vice = months.order[:2]
    assert offer(months) == (
        "grant",
        vice,
        f"{admiral}, Admiral of month 5, declined it; {vice}, Vice Admiral, is the highest who takes it (rule 6.2).",
    )
    tokens.grant(months.event, months.number(0), by=BY)
    assert months.ledger() == [("granted", admiral), ("declined", admiral), ("granted", admiral)]
    assert offer(months) == ("none", None, "")


def test_only_who_has_it_or_is_offered_it_declines():
    months = two_months()

    why = refusal(tokens.decline, months.event, months.number(1), reason="no", by=BY)
    tokens.decline(months.event, months.number(0), reason="no", by=BY)

    assert why.startswith("Nothing changed. It’s another player’s turn now.")
    assert months.ledger() == [("declined", months.order[0])]


def test_a_grant_is_taken_back_with_a_reason_until_it_is_spent():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    assert refusal(tokens.withdraw, months.event, reason="", by=BY) == "Give a reason. It’s kept in the ledger."

    tokens.withdraw(months.event, reason="pressed too early", by=BY)
    assert offer(months)[:2] == ("grant", months.order[0])
    tokens.grant(months.event, months.number(0), by=BY)
    draw(months.event)
    tokens.spend(months.event, 1, by=BY)

    why = refusal(tokens.withdraw, months.event, reason="too late", by=BY)
    assert why == "The token is spent, and stays spent (rule 6.3)."


# spent and lost (rule 6.3)


@pytest.fixture
@copied
def granted() -> Months:
    """The Admiral of month five has the token, and round 1 is in play."""
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    draw(months.event)
    return months


def test_it_is_spent_once_in_a_round_its_holder_sits_at_a_table_of(granted):
    version, holder = granted.event.version, granted.number(0)
    tokens.spend(granted.event, 1, entrant=holder, key="a", by=BY)

    assert granted.ledger() == [("granted", granted.order[0]), ("spent", granted.order[0])]
    assert last_entry(granted.event) == (
        "spend_token",
        f"{granted.order[0]} spent the commendation token in round 1.",
        {"entrant": holder, "round": 1},
        "",
    )
    assert granted.event.version == version + 1
    spent = "The token is spent, and stays spent (rule 6.3)."
    assert refusal(tokens.spend, granted.event, 1, entrant=holder, key="b", by=BY) == spent


def test_what_a_phone_sends_twice_is_spent_once_and_not_refused(granted):
    holder = granted.number(0)
    for _ in range(2):
        tokens.spend(granted.event, 1, entrant=holder, key="a", by=BY)

    assert granted.ledger() == [("granted", granted.order[0]), ("spent", granted.order[0])]


def test_a_phone_spends_only_its_own_token(granted):
    why = refusal(tokens.spend, granted.event, 1, entrant=granted.number(1), key="a", by=BY)

    assert why == "Another player has the token."
    assert granted.ledger() == [("granted", granted.order[0])]


def test_with_a_bye_there_is_no_battle_to_spend_it_in():
    months = two_months([0, 1, 2])
    tokens.grant(months.event, months.number(0), by=BY)
    play_on(months.event, 3)
    byes = [match for round in state_of(months.event).rounds for match in round.matches if match.is_bye]
    (round,) = [bye.round.number for bye in byes if bye.a == months.who(0)]

    assert refusal(tokens.spend, months.event, round, by=BY) == (
        f"{months.order[0]} isn’t at a table in round {round}, so the token can’t be spent there."
    )


def test_a_draft_is_no_round_to_spend_it_in(granted):
    play_on_from_round_1(granted.event)
    rounds.pair_round(granted.event, seed=1, by=BY)

    assert "isn’t at a table in round 2" in refusal(tokens.spend, granted.event, 2, by=BY)


def play_on_from_round_1(event: Event) -> None:
    simulation.play_round(event, random=Random(2), by=BY)


def test_what_was_recorded_by_mistake_is_undone_by_a_line_with_a_reason(granted):
    tokens.spend(granted.event, 1, by=BY)
    assert refusal(tokens.unspend, granted.event, reason="", by=BY) == "Give a reason. It’s kept in the ledger."

    tokens.unspend(granted.event, reason="it was another player", by=BY)

    admiral = granted.order[0]
    assert granted.ledger() == [("granted", admiral), ("spent", admiral), ("unspent", admiral)]
    assert last_entry(granted.event)[1] == f"Not spent in round 1: {admiral} has the commendation token again."
    tokens.spend(granted.event, 1, by=BY)
    assert token_of(state_of(granted.event)).state == "spent"


def test_unused_it_is_lost_at_the_end_and_back_when_the_event_is_opened_again():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    play_on(months.event, 3)
    events.finish_event(months.event, by=BY)
    assert months.ledger()[1:] == [("lost", months.order[0])]
    assert "Reopen it first." in refusal(tokens.spend, months.event, 1, by=BY)

    events.reopen_event(months.event, reason="it was used", by=BY)
    tokens.spend(months.event, 3, by=BY)
    events.finish_event(months.event, by=BY)

    assert [kind for kind, _ in months.ledger()] == ["granted", "lost", "returned", "spent"]


def test_nothing_is_lost_where_nobody_got_it():
    months = two_months()
    play_on(months.event, 3)
    events.finish_event(months.event, by=BY)

    assert months.ledger() == []


# the ledger is never rewritten


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE tourney_tokenline SET kind = 'lost'",
        "UPDATE tourney_tokenline SET entrant_id = NULL, kind = 'corrected'",
        "DELETE FROM tourney_tokenline",
    ],
)
def test_the_database_lets_nobody_change_a_line(granted, sql):
    with pytest.raises(Error, match="lines are only added"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)

    assert granted.ledger() == [("granted", granted.order[0])]


def test_the_database_takes_no_second_line_of_the_same_number(granted):
    row = TokenLine.objects.get()
    row.pk = None

    with pytest.raises(IntegrityError, match="one_token_line_per_number_and_event"), transaction.atomic():
        row.save(force_insert=True)
