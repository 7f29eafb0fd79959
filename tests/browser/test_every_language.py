"""Every page in every language on a phone and a laptop: nothing is cut or too wide, and nothing is left open."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.browser.walk_pages import READERS, cookies
from tests.support.browsing import LAPTOP, PHONE
from tests.support.every_page import make_places
from tests.support.fitting import CUT
from tourney.models import Store
from tourney.runtime.locales import OF_LANGUAGES

pytestmark = pytest.mark.django_db(transaction=True)

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
LEFT_OPEN = "document.body.innerText.match(/.{0,30}({{|{%|%\\(|\\{\\w+\\}).{0,30}/)?.[0]"
"""What a page shows of a template, or of a parameter that a translation names wrongly."""


@pytest.mark.nightly
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_in_every_language(open_page: Callable[..., Page], server: str, language: str, reader: str):
    places = make_places()
    Store.objects.update(locale=OF_LANGUAGES[language])
    sent = [*cookies(reader, places), (settings.LANGUAGE_COOKIE_NAME, language)]
    pages = [open_page(device) for device in (LAPTOP, PHONE)]
    for page in pages:
        page.context.add_cookies([{"name": name, "value": value, "url": server} for name, value in sent])

    assert list(complaints(pages, READERS[reader], places, language)) == []


def complaints(
    pages: list[Page], paths: tuple[str, ...], places: dict[str, str], language: str
) -> Iterator[tuple[str, str]]:
    """(path, what is wrong there)."""
    for page in pages:
        for path in paths:
            where = f"{path} at {page.viewport_size['width']} pixels"
            page.goto(path.format(**places))
            if page.locator("html").get_attribute("lang") != language:
                yield where, "is in another language"
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > page.viewport_size["width"]:
                yield where, f"{wide} pixels wide"
            if left := page.evaluate(LEFT_OPEN):
                yield where, f"shows {left}"
            yield from ((where, cut) for cut in page.evaluate(CUT))
