"""What everybody sees of an event: addresses, texts, and results that are quick to write."""

import html
import re

from django.test import Client
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.saying import html_of
from tourney.actions import results
from tourney.queries.state import state_of


def url(name: str, night: Night, *args) -> str:
    return reverse(name, args=[night.event.slug, *args])


def text_of(response) -> str:
    """What a page says, without its markup, with single spaces."""
    whole = html_of(response).replace("<wbr>", "")  # where a word may break, it is one word
    page = re.sub(r"<head>.*?</head>|<[^>]+>", " ", whole, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(page))


def page(client: Client, name: str, night: Night, *args, **query) -> str:
    response = client.get(url(name, night, *args), query)
    assert response.status_code == 200
    return text_of(response)


def last_round(night: Night):
    return state_of(night.event).last_round


def tied_match(sp_left: int = 40) -> Played:
    """Time is called with as much left on both sides."""
    return Played(Ending.TIME, (Side(sp_left), Side(sp_left)))


def eliminated(left: int = 60) -> Played:
    """The second player's fleet is gone, the first has that much left: 100 Fleet Points to 100 - left."""
    return Played(Ending.ELIMINATION, (Side(left), Side()), out=1)


def enter(night: Night, number: int, table: int, played: Played, **more) -> None:
    results.report_result(
        night.event, number, table, results.ResultInput(played), version=more.pop("version", 0), by=BY, **more
    )


@copied
def tied_night() -> tuple[Night, tuple[int, ...]]:
    """Four players after round 1, two ties; the winners' group."""
    night = make_night(players=4, open_round=True)
    enter(night, 1, 1, eliminated())
    enter(night, 1, 2, eliminated())
    return night, tuple(sorted(line.id for line in state_of(night.event).standings(1)[:2]))
