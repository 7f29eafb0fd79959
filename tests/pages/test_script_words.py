"""A page names the file of what its scripts say; the worker that keeps pages brings its own sentences."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tourney.runtime.locale_files import compiled_for_scripts
from tourney.templatetags import words
from tourney.views import installed

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
NOT_CONNECTED = "Not connected. This page is from {time}."
PO = f"""msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "{NOT_CONNECTED}"
msgstr "Keine Verbindung. Diese Seite ist von {{time}}."

msgid "Cancel"
msgstr "Abbrechen"
"""


@pytest.fixture(autouse=True)
def german(settings, tmp_path: Path):
    """English, German with these sentences for scripts, and French with none."""
    po = tmp_path / "locale/de/LC_MESSAGES/djangojs.po"
    po.parent.mkdir(parents=True)
    po.write_text(PO, encoding="utf-8")
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français")]
    own = compiled_for_scripts(tmp_path / "locale", tmp_path / "static")
    settings.STATICFILES_DIRS = [settings.BASE_DIR / "static", own]
    forget()
    yield
    forget()


def forget():
    for function in (finders.get_finder, words.words_are_there, installed._said_by):
        function.cache_clear()


def read(address: str, language: str) -> str:
    return Client(headers={"Accept-Language": language}).get(address).content.decode()


def test_a_page_names_the_sentences_of_its_language_before_its_scripts():
    page = read(reverse("sign_in"), "de")

    link = '<link rel="preload" as="fetch" crossorigin href="/static/words/de.json" data-words>'
    assert page.index(link) < page.index("flagship.js")


@pytest.mark.parametrize("language", ["en", "it"])
def test_scripts_need_no_file_for_english_nor_where_there_is_none(language, settings):
    settings.LANGUAGES = [("en", "English"), ("it", "Italiano")]

    assert "data-words" not in read(reverse("sign_in"), language)


def test_the_worker_brings_what_it_says_and_no_more():
    script = read(reverse("service_worker"), "en")

    said = json.loads(re.search(r"^const WORDS = (.*);$", script, re.MULTILINE)[1])
    assert said == {"de": {NOT_CONNECTED: "Keine Verbindung. Diese Seite ist von {time}."}}


def test_the_sentences_of_scripts_are_collected(tmp_path, monkeypatch):
    scripts = tmp_path / "project/static/js"
    scripts.mkdir(parents=True)
    (tmp_path / "project/locale").mkdir()
    for name in ("flagship.js", "sw.js", "words.js"):
        (scripts / name).write_text((ROOT / "static/js" / name).read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path / "project")

    call_command("makemessages", locale=["de"], domain="djangojs", verbosity=0)

    po = (tmp_path / "project/locale/de/LC_MESSAGES/djangojs.po").read_text("utf-8")
    assert f'msgid "{NOT_CONNECTED}"' in po
    assert 'msgid "{count} minute left"\nmsgid_plural "{count} minutes left"' in po
    assert 'msgctxt "a list"\nmsgid "{some} and {last}"' in po
