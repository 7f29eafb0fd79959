"""What is kept for many readers is never shown to one of another language: every page, after others have read it."""

import re

import pytest
from django.test import Client

from tests.browser.walk_pages import READERS, cookies
from tests.support.every_page import make_places
from tourney.queries.shared import SHARED

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.many]

CHANGES = re.compile(
    r"<script.*?</script>|<svg.*?</svg>|<[^>]*>|data-server-now=\S+|[0-9a-f]{16,}|\d+ (?:seconds?|minutes?)|\s+",
    re.DOTALL,
)
"""What differs from one visit to the next."""


@pytest.mark.parametrize("reader", READERS)
def test_a_page_says_the_same_whether_or_not_it_was_read_in_another_language_before(reader: str):
    places = make_places()
    client = Client()
    for name, value in cookies(reader, places):
        client.cookies[name] = value
    paths = [path.format(**places) for path in READERS[reader]]

    def read(language: str) -> list[tuple[str, str]]:
        pages = (client.get(path, headers={"accept-language": language}) for path in paths)
        return [(path, CHANGES.sub(" ", page.content.decode())) for path, page in zip(paths, pages, strict=True)]

    read("en")
    after_others = read("de")
    SHARED.forget()

    assert after_others == read("de")
