"""The guide's pictures, made anew: `make pictures` (IN=de for those in German).

What differs from the file that is there only by noise leaves it as it is.
"""

import os

import pytest
from playwright.sync_api import Browser

from tests.support.pictures import write_changed
from tests.support.picturing import LANGUAGES, THEMES, pictures_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("language", [one for one in LANGUAGES if os.environ.get("IN", one) == one])
def make_pictures(browser: Browser, server: str, language: str):
    changed = write_changed(pictures_of(language, browser, server, THEMES.get(language, ("light",))))
    print("\n".join(["", *changed]) or "unchanged")
