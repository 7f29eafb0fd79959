"""The guide's pictures show the product as it is: made anew each night, they are those that are there."""

import pytest
from playwright.sync_api import Browser

from tests.support.pictures import changed_among
from tests.support.picturing import LANGUAGES, THEMES, pictures_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pictures_of_the_guide_show_the_pages_as_they_are(browser: Browser, server: str, language: str):
    made = pictures_of(language, browser, server, THEMES.get(language, ("light",)))

    assert changed_among(made) == [], "make pictures makes them again"
