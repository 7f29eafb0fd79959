"""The pages on which results are entered: their addresses, what is sent, and what they say."""

import html
import re

from django.urls import reverse

from tests.support.nights import Night
from tests.support.saying import html_of
from tests.support.tables import match_at
from tourney.models import Event

TIME = {"ending": "time", "sp_left_a": "35", "sp_left_b": "50", "version": "0"}


def table_url(night: Night, table: int, number: int = 1) -> str:
    return reverse("result", args=[night.event.slug, number, table])


def rows_url(night: Night, number: int = 1) -> str:
    return reverse("results", args=[night.event.slug, number])


def row(table: int, **facts: str) -> dict[str, str]:
    """The fields of one row of the fast entry."""
    return {f"t{table}-{name}": value for name, value in {"version": "0", **facts}.items()}


def alone(table: int) -> dict[str, str]:
    """The headers with which one row of the fast entry is sent."""
    return {"HX-Request": "true", "HX-Target": f"row-{table}", "X-Outbox": "1"}


def text_of(response) -> str:
    """What a page says, without its markup, with single spaces."""
    page = re.sub(r"""<head>.*?</head>|<("[^"]*"|[^">])+>""", " ", html_of(response), flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(page)).strip()


def facts_at(event: Event, table: int) -> tuple:
    result = match_at(event, table).result
    return (result.ending, result.out, result.sp_left_a, result.sp_left_b, result.version)


def check(client, night: Night, table: int = 1, part: bool = True, **facts: str):
    headers = {"HX-Request": "true", "HX-Target": "preview"} if part else {}
    return client.post(table_url(night, table), {**TIME, **facts, "preview": "1"}, headers=headers)


CORRECTION = {"ending": "elimination", "out": "b", "sp_left_a": "20", "version": "1"}


def marks_at(night: Night, table: int = 1) -> list[list[int]]:
    return [sorted(lines) for lines in match_at(night.event, table).destroyed]
