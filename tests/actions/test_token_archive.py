"""The ledger of the token in the archive of an event (docs/archive.md), and in what a player may take along."""

import json
from copy import deepcopy

import pytest
from django.db import transaction

from tests.support.copied import copied
from tests.support.months import draw, two_months
from tests.support.nights import AT, BY, make_store
from tourney.actions import tokens
from tourney.actions.archive import InvalidArchive, import_event
from tourney.queries.archive import archive_of
from tourney.queries.my_data import data_of

pytestmark = pytest.mark.django_db
WHEN = "2026-11-20T17:45:00+00:00"


@pytest.fixture
@copied
def archive() -> dict:
    """Month six with a token that was granted, declined, granted to the next and spent; nothing of it is here."""
    with transaction.atomic():
        months = two_months()
        tokens.grant(months.event, months.number(0), by=BY)
        tokens.decline(months.event, months.number(0), reason="plays without", by=BY)
        tokens.grant(months.event, months.number(1), by=BY)
        draw(months.event)
        tokens.spend(months.event, 1, by=BY)
        archive = archive_of(months.event)
        transaction.set_rollback(True)
    return json.loads(json.dumps(archive))


def test_the_ledger_comes_back_line_by_line(archive):
    store, _ = make_store("Another Harbor")

    event = import_event(store, archive, by=BY)

    assert archive_of(event) == archive
    assert [line["kind"] for line in archive["token"]] == ["granted", "declined", "granted", "spent"]
    number = archive["token"][3]["entrant"]
    assert archive["token"][3] == {
        "kind": "spent",
        "entrant": number,
        "round": 1,
        "here": [],
        "reason": "",
        "said": None,
        "by": "test",
        "at": WHEN,
    }
    assert archive["token"][0]["said"]["id"]
    assert event.token_lines.last().entrant.number == number


def test_an_archive_from_before_there_was_a_ledger_is_read_as_one_without(archive):
    old = deepcopy(archive)
    del old["token"]
    store, _ = make_store("Another Harbor")

    event = import_event(store, old, by=BY)

    assert archive_of(event) == archive | {"token": []}


@pytest.mark.parametrize(
    ("place", "change", "error"),
    [
        (3, {"entrant": 99}, "$.token[3].entrant: there is no entrant 99"),
        (3, {"round": 3}, "$.token[3].round: there is no round 3"),
        (3, {"round": None}, "$.token: Say in which round the token is spent."),
        (3, {"kind": "granted", "round": None}, "$.token: The token is already given."),
        (0, {"kind": "lost"}, "$.token: No one has the token now."),
        (0, {"entrant": None}, "$.token: Say which player the token belongs to."),
        (0, {"kind": "stolen"}, "'stolen' is not one of"),
    ],
)
def test_a_ledger_that_cannot_be_is_refused(archive, place, change, error):
    archive["token"][place] |= change
    store, _ = make_store("Another Harbor")

    with pytest.raises(InvalidArchive) as refusal:
        import_event(store, archive, by=BY)

    assert any(error in found for found in refusal.value.errors)


def test_a_month_without_the_token_has_no_ledger(archive):
    archive["pack"]["token"] = False
    store, _ = make_store("Another Harbor")

    with pytest.raises(InvalidArchive, match="this month is played without the token"):
        import_event(store, archive, by=BY)


def test_my_data_hold_my_lines_of_the_ledger():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    draw(months.event)
    tokens.spend(months.event, 1, by=BY)
    why = f"{months.order[0]} is Admiral of month 5 (rule 6.1)."

    first, second = data_of(months.who(0).player, AT)["events"]

    assert first["token"] == []
    assert second["token"] == [
        {"kind": "granted", "round": None, "reason": why, "at": WHEN},
        {"kind": "spent", "round": 1, "reason": "", "at": WHEN},
    ]
