"""Steps at the desk: the last one taken back and done again, snapshots compared and gone back to, the proof."""

import html
import re

import pytest
from django.db import connection
from django.urls import reverse

from tests.support.nights import Night, make_night
from tests.support.saying import html_of
from tests.support.tables import eliminated, enter
from tourney.models import Result, Round
from tourney.queries.history import history_of, snapshots_of
from tourney.queries.journal_chain import head_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(client) -> Night:
    """Round 1 is in play, one result is in, and the organizer has signed in."""
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, eliminated())
    client.force_login(night.organizer)
    return night


def text_of(response) -> str:
    """What a reader sees, in one line."""
    body = re.sub(r"<[^>]+>", " ", html_of(response))
    return " ".join(html.unescape(body).split())


def url(night: Night, name: str = "history", *args) -> str:
    return reverse(name, args=[night.event.slug, *args])


def results_of(night: Night) -> int:
    return Result.objects.filter(match__round__event=night.event).count()


def test_the_desk_says_what_the_last_step_was_and_takes_it_back(client, night):
    last = history_of(night.event).last
    desk = text_of(client.get(url(night, "desk")))

    done = client.post(url(night, "undo"), {"step": last.pk, "back": "desk"}, follow=True)

    assert "If you undo it: The table is open again." in desk
    said = f"Undone: {' '.join(last.what.split()[:9]).removesuffix('.')}…"
    assert (done.redirect_chain, said in text_of(done)) == ([(url(night, "desk"), 302)], True)
    assert results_of(night) == 0


def test_the_way_back_stands_between_what_comes_next_and_the_tables(client, night):
    desk = text_of(client.get(url(night, "desk")))

    order = ("Enter the results of round 1", "Last step:", "Undo History", "Ruling or penalty", "Recent activity")
    assert sorted(order, key=desk.index) == list(order)


def test_what_was_taken_back_is_done_again(client, night):
    client.post(url(night, "undo"), {"step": history_of(night.event).last.pk})

    client.post(url(night, "redo"), {"step": history_of(night.event).next.pk})

    assert results_of(night) == 1


def test_where_nothing_was_done_since_there_is_nothing_to_go_back_to(client):
    night = make_night(players=4, rounds=1)
    client.force_login(night.organizer)
    closed, published, *_ = snapshots_of(night.event)

    last, before = (text_of(client.get(url(night, "snapshot", one.pk))) for one in (closed, published))

    assert "This is the event’s current state" in last
    assert [text.count("Type “go back”") for text in (last, before)] == [0, 1]


def test_a_snapshot_of_a_step_that_was_taken_back_says_so(client, night):
    before = text_of(client.get(url(night)))
    for _ in range(3):  # the result, the clock, and that the round was published
        client.post(url(night, "undo"), {"step": history_of(night.event).last.pk})

    after = text_of(client.get(url(night)))

    assert [text.count("Undone Compare : Round 1 published") for text in (before, after)] == [0, 1]
    assert "Undone Compare : Round 1 is drafted" not in after


def test_a_step_that_is_not_the_last_one_any_more_is_refused_with_what_was_done(client, night):
    seen = history_of(night.event).last
    enter(night.event, 2, eliminated())

    response = client.post(url(night, "undo"), {"step": seen.pk})

    assert (response.status_code, results_of(night)) == (409, 2)
    assert "Since then, this was done: Round 1, table 2" in text_of(response)


def test_before_the_first_step_the_page_says_what_can_be_taken_back(client):
    night = make_night(players=2)
    client.force_login(night.organizer)

    assert "Nothing to undo" in text_of(client.get(url(night)))


def test_a_snapshot_is_compared_with_now(client, night):
    drafted = snapshots_of(night.event)[-1]

    text = text_of(client.get(url(night, "snapshot", drafted.pk)))

    assert "Round 1, table 1" in text
    assert "Round 1, table 2" not in text


def test_a_snapshot_is_called_by_how_the_event_stood_and_its_seed_is_a_detail(client, night):
    drafted, seed = snapshots_of(night.event)[-1], night.event.rounds.get().seed

    steps, page = (text_of(client.get(address)) for address in (url(night), url(night, "snapshot", drafted.pk)))

    assert "Round 1 published" in steps
    assert "Round 1 drafted, not shown yet" in steps
    assert "seed" not in steps
    assert "Round 1 drafted, not shown yet Details Round 1 drafted. Seed:" in page
    assert page.count(str(seed)) == 1


def test_going_back_asks_for_the_words_and_a_reason(client, night):
    drafted = snapshots_of(night.event)[-1]

    response = client.post(url(night, "snapshot", drafted.pk), {"reason": "wrong players", "words": "yes"})

    assert (response.status_code, results_of(night)) == (422, 1)
    assert "Nothing changed. Type “go back” : Type “go back” to confirm." in text_of(response)
    assert 'value="wrong players"' in response.content.decode()


def test_going_back_to_the_draft_makes_the_round_a_draft(client, night):
    drafted = snapshots_of(night.event)[-1]

    client.post(url(night, "snapshot", drafted.pk), {"reason": "wrong players", "words": "Go back"})

    assert (results_of(night), night.event.rounds.get().state) == (0, Round.State.DRAFT)


def test_the_proof_finds_what_the_history_does_not_know(client, night):
    sound = text_of(client.get(url(night), {"prove": ""}))
    result = Result.objects.first()
    Result.objects.filter(pk=result.pk).update(sp_left_a=41)

    broken = text_of(client.get(url(night), {"prove": ""}))

    assert "records match the event’s history, and its journal is unchanged" in sound
    assert "1 problem. Someone changed the database outside Flagship." in broken
    assert f"Result {result.pk} was changed, but no journal entry says by whom." in broken


def test_the_page_shows_the_head_of_the_history_as_it_stands_on_paper(client, night):
    connection.check_constraints()  # chains the journal, as a commit does

    on_page = text_of(client.get(url(night)))
    on_paper = client.get(f"{reverse('paper', args=[night.event.slug])}?doc=signatures").content.decode()

    assert f"History {head_of(night.store)}" in on_page
    assert f'data-paper-history="History {head_of(night.store)}"' in on_paper
