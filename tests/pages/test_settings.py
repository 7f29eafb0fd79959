"""What the environment says of a process: how many streams, how often a page without one asks."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from tests.support.nights import make_night
from tests.support.serving import Stream, served
from tourney.settings import number

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("typed", ["0", "-1", "many", "1.5", "²"])
def test_a_number_that_is_none_is_refused(monkeypatch, typed: str):
    monkeypatch.setenv("MOST_STREAMS", typed)

    with pytest.raises(ImproperlyConfigured, match=f"MOST_STREAMS={typed} isn't a number"):
        number("MOST_STREAMS", 7)


def test_without_one_it_is_what_it_was(monkeypatch):
    monkeypatch.setenv("MOST_STREAMS", "")
    missing = number("MOST_STREAMS", 7)
    monkeypatch.setenv("MOST_STREAMS", "12")

    assert (missing, number("MOST_STREAMS", 7)) == (7, 12)


def test_a_page_knows_after_how_many_seconds_it_asks(client: Client):
    page = f"/e/{make_night(players=2).event.slug}/"
    usual = client.get(page).text

    with override_settings(POLL_SECONDS=15):
        patient = Client(headers={"Accept-Language": "de"}).get(page).text

    assert ("data-poll" in usual, 'data-poll="15"' in patient) == (False, True)


def test_more_pages_than_a_process_may_hold_keep_asking(tmp_path):
    slug = make_night(players=2).event.slug
    with served(tmp_path, MOST_STREAMS="2", WORKERS="1") as running:
        pages = [Stream(running.port, slug) for _ in range(3)]
        statuses = [page.answer.status for page in pages]
        for page in pages:
            page.close()

    assert statuses == [200, 200, 204]
