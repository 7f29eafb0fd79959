import pytest
from django.db import IntegrityError, connection, transaction

from tests.nights import BY, make_night
from tourney.actions import rounds
from tourney.actions.record import Refused
from tourney.models import JournalEntry

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tourney_journalentry SET what = 'nothing happened'",
        "DELETE FROM tourney_journalentry",
        "TRUNCATE tourney_journalentry",
    ],
)
def test_nobody_changes_or_deletes_an_entry_by_sql(statement):
    make_night(players=4, rounds=1)
    before = list(JournalEntry.objects.values_list("pk", "what"))
    connection.check_constraints()

    with pytest.raises(IntegrityError, match="The journal cannot be changed"), transaction.atomic():
        connection.cursor().execute(statement)

    assert before
    assert list(JournalEntry.objects.values_list("pk", "what")) == before


def test_every_action_leaves_one_entry_with_who_when_and_what():
    event = make_night(players=4).event
    before = JournalEntry.objects.count()

    rounds.pair_round(event, seed=7, by=BY)

    entry = JournalEntry.objects.order_by("-pk").first()
    assert JournalEntry.objects.count() == before + 1
    assert (entry.by_name, entry.at, entry.did, entry.what) == (
        "test",
        BY.at,
        "pair_round",
        "Round 1 drafted (seed 7).",
    )


def test_a_refused_action_leaves_no_entry_and_no_new_version():
    event = make_night(players=1).event
    before = JournalEntry.objects.count(), event.version

    with pytest.raises(Refused):
        rounds.pair_round(event, seed=7, by=BY)

    event.refresh_from_db()
    assert (JournalEntry.objects.count(), event.version) == before
