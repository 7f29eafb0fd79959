"""Sentences of a page never run into one another: “…before.69 SP” is what a missing space makes of two."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from tests.support.every_page import FOR_A_PLAYER, FOR_EVERYBODY, FOR_THE_OWNER, make_places
from tests.support.tenth import PART, runs_all
from tourney import access
from tourney.models import Store, User

pytestmark = pytest.mark.django_db

WITHIN_A_LINE = set(
    "a abbr b bdi button cite code data em i kbd label mark q s small span strong sub sup time u".split()
)
UNSEEN = {"script", "style", "title", "svg", "textarea", "option"}
GLUED = re.compile(r"\S*(?:[^\W\d_]{2}|[)”])[.!?…](?=[A-Z\d])\S*")
"""A sentence’s end right before the next one. U.S.S. is none, and a small letter goes on with a name: event.json."""


class Lines(HTMLParser):
    """The text of a page as it is read: what stands in one line of it stays together, blocks stand apart."""

    def __init__(self, html: str):
        super().__init__()
        self.unseen, self.parts = 0, []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in UNSEEN
        if tag not in WITHIN_A_LINE:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN
        if tag not in WITHIN_A_LINE:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.parts.append(data)


def glued(html: str) -> list[str]:
    return GLUED.findall("".join(Lines(html).parts))


def test_what_is_glued_is_found():
    assert glued("<p>Bring what you flew before.<b>69 SP</b></p>") == ["before.69"]
    assert glued("<p>Is it you?Yes.</p><p>Really</p> <p>see example.com, 1.2 and a.csv</p>") == ["you?Yes."]


@pytest.mark.usefixtures("stores_on_request")
def test_no_sentence_of_a_page_runs_into_the_next(pytestconfig):
    places = make_places()
    store = Store.objects.get(slug=places["store"])
    clients = Client(), Client(), Client()
    clients[1].force_login(User.objects.get(username=f"owner@{store.slug}"))
    clients[2].cookies[access.card_cookie(store)] = places["card"]

    read, wrong = 0, {}
    for client, paths in zip(clients, (FOR_EVERYBODY, FOR_THE_OWNER, FOR_A_PLAYER), strict=True):
        for number, path in enumerate(paths):
            if number % PART and not runs_all(pytestconfig):
                continue
            html = client.get(path.format(**places)).content.decode()
            read += len(html)
            if found := glued(html):
                wrong[path] = found

    assert read > 100_000
    assert wrong == {}
