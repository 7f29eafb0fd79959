"""A form that a device sends from its outbox is answered with the sentence why it does not count, marked `data-why`."""

import html
import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.pages.test_me import phone
from tests.support.built_fleets import bring_all
from tests.support.nights import Night, make_night
from tests.support.tables import enter, names_at, on_time
from tourney.models import Event
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

SAID = re.compile(r'<(?P<tag>\w+)\b[^>]*?\sdata-why(?:="(?P<why>[^"]*)")?[^>]*>(?P<text>.*?)</(?P=tag)>', re.DOTALL)


@pytest.fixture
def night() -> Night:
    return make_night(players=2, open_round=True)


@pytest.fixture
def desk(night) -> Client:
    client = Client()
    client.force_login(night.judge)
    return client


def sent(client: Client, night: Night, name: str, *where: int, row: str = "", **data: str) -> HttpResponse:
    in_row = {"HX-Request": "true", "HX-Target": row} if row else {}
    address = reverse(name, args=[night.event.slug, *where])
    return client.post(address, data, headers={"X-Outbox": "1", **in_row})


def why(response: HttpResponse) -> str:
    """What the outbox shows (static/js/outbox.js): the first sentence that is marked."""
    said = SAID.search(response.content.decode())
    return " ".join(html.unescape(said["why"] or re.sub(r"<[^>]+>", "", said["text"])).split())


def test_of_a_table_that_somebody_else_entered_it_is_what_they_did(night, desk):
    seen = Event.objects.get(pk=night.event.pk).version
    enter(night.event, 1, on_time(56, 46))

    facts = {"ending": "time", "sp_left_a": "35", "sp_left_b": "50", "version": "0"}
    answer = sent(desk, night, "result", 1, 1, as_of=str(seen), **facts)

    assert answer.status_code == 409
    first, second = names_at(night.event, 1)
    assert f": Round 1, table 1, {first} against {second}: result entered. Time was called" in why(answer)


def test_of_facts_that_do_not_fit_it_is_the_first_of_them(night, desk):
    answer = sent(desk, night, "result", 1, 1, ending="time", sp_left_b="50", version="0")

    assert answer.status_code == 422
    first, _ = names_at(night.event, 1)
    assert why(answer) == f"{first}’s SP left: Enter {first}’s SP left."


def test_of_a_row_of_the_keyboard_they_are_all_its_sentences(night, desk):
    facts = {"t1-version": "0", "t1-ending": "time", "t1-sp_left_a": "x"}

    answer = sent(desk, night, "results", 1, row="row-1", **facts)

    assert answer.status_code == 422
    assert why(answer).startswith("Enter a whole number.")


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ("", 409, "Mark the line that doesn’t match, or tell the judge what’s wrong."),
        ("only four" * 30, 422, "Use at most 200 characters."),
    ],
)
def test_of_a_call_that_cannot_be_made_it_is_what_to_say(night, words, status, sentence):
    bring_all(night.event)
    me, other = state_of(night.event).last_round.match_at(1).entrants

    answer = sent(phone(night, me.number), night, "sheet", other.number, do="call", words=words)

    assert (answer.status_code, why(answer)) == (status, sentence)


def test_of_a_report_without_facts_it_is_what_is_missing(night):
    me, _ = state_of(night.event).last_round.match_at(1).entrants

    answer = sent(phone(night, me.number), night, "report", 1, do="report")

    assert (answer.status_code, why(answer)) == (422, "How it ended: Choose how the match ended.")


def test_of_a_token_that_is_not_there_it_is_why_it_cannot_be_spent(night):
    answer = sent(phone(night, 1), night, "spend_token", round="1", key="a")

    assert (answer.status_code, why(answer)) == (409, "No one has the token now.")
