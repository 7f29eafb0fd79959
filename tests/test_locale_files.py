"""The catalogues as programs read them: .mo files for Django, JSON for scripts; made again when a .po file changes."""

import gettext
import json
import os
from pathlib import Path

import pytest

from tourney.runtime.locale_files import compiled, compiled_for_scripts

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {plurals}\\n"\n\n'
TWO_FORMS = "nplurals=2; plural=(n != 1);"
FROM_TWO_ON = "nplurals=2; plural=(n > 1);"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "locale"


def write(source: Path, locale: str, body: str, *, domain: str = "djangojs", plurals: str = TWO_FORMS) -> Path:
    po = source / locale / "LC_MESSAGES" / f"{domain}.po"
    po.parent.mkdir(parents=True, exist_ok=True)
    po.write_text(HEAD.format(plurals=plurals) + body, encoding="utf-8")
    return po


def one(id: str, text: str, more: str = "") -> str:
    return f'{more}msgid "{id}"\nmsgstr "{text}"\n\n'


def said_in(target: Path, language: str) -> dict:
    return json.loads((target / "words" / f"{language}.json").read_text("utf-8"))


def test_scripts_get_the_sentences_of_their_catalogue_alone(source, tmp_path):
    write(source, "de", one("Cancel", "Abbrechen") + one("tied", "punktgleich", 'msgctxt "two players"\n'))
    write(source, "de", one("Undo last step", "Schritt zurück"), domain="django")

    target = compiled_for_scripts(source, tmp_path / "static")

    assert said_in(target, "de")["said"] == {"Cancel": "Abbrechen", "two players\x04tied": "punktgleich"}


def test_a_sentence_of_pages_and_scripts_is_translated_once(source, tmp_path):
    write(source, "de", one("Cancel", "") + one("Roll", "Würfeln") + one("Never", ""))
    write(source, "de", one("Cancel", "Abbrechen") + one("Roll", "Rollen"), domain="django")

    assert said_in(compiled_for_scripts(source, tmp_path), "de")["said"] == {"Cancel": "Abbrechen", "Roll": "Würfeln"}


def test_what_is_not_sure_is_not_said(source, tmp_path):
    half = 'msgid "{count} step"\nmsgid_plural "{count} steps"\nmsgstr[0] "{count} Schritt"\nmsgstr[1] ""\n\n'
    write(source, "de", one("Cancel", "Ende", "#, fuzzy\n") + half)

    assert said_in(compiled_for_scripts(source, tmp_path), "de")["said"] == {}


def test_a_plural_brings_its_forms_and_which_goes_with_a_number(source, tmp_path):
    body = 'msgid "{count} step"\nmsgid_plural "{count} steps"\nmsgstr[0] "{count} passo"\nmsgstr[1] "{count} passos"\n'
    write(source, "pt_BR", body, plurals=FROM_TWO_ON)

    words = said_in(compiled_for_scripts(source, tmp_path), "pt-br")

    assert words["said"] == {"{count} step": ["{count} passo", "{count} passos"]}
    assert (words["plurals"][:4], len(words["plurals"])) == ("0011", 200)


def test_they_are_made_again_when_a_catalogue_changes_and_go_with_it(source, tmp_path):
    po = write(source, "de", one("Cancel", "Ende"))
    of_pages = write(source, "de", one("Roll", "Würfeln"), domain="django")
    target = compiled_for_scripts(source, tmp_path)
    first = (target / "words/de.json").stat()
    assert (compiled_for_scripts(source, tmp_path) / "words/de.json").stat().st_ino == first.st_ino

    po.touch()
    assert (compiled_for_scripts(source, tmp_path) / "words/de.json").stat().st_ino == first.st_ino

    times = [(one, one.stat().st_mtime_ns) for one in (po, of_pages)]
    write(source, "de", one("Cancel", "Abbrechen") + one("Roll", ""))
    for file, time in times:  # as in an image whose files are all of one moment
        os.utime(file, ns=(time, time))
    compiled_for_scripts(source, tmp_path)
    assert said_in(target, "de")["said"] == {"Cancel": "Abbrechen", "Roll": "Würfeln"}

    po.unlink()
    assert list((compiled_for_scripts(source, tmp_path) / "words").iterdir()) == []


def test_pages_get_a_machine_object(source, tmp_path):
    write(source, "de", one("Cancel", "Abbrechen"), domain="django")

    mo = compiled(source, tmp_path / "mo") / "de/LC_MESSAGES/django.mo"

    with mo.open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Cancel") == "Abbrechen"


@pytest.mark.parametrize("make", [compiled, compiled_for_scripts])
def test_a_catalogue_that_cannot_be_read_is_said(source, tmp_path, make):
    write(source, "de", 'msgid "Cancel\n', domain="django")
    write(source, "de", 'msgid "Cancel\n')

    with pytest.raises(ValueError, match=r"django(js)?\.po: "):
        make(source, tmp_path / "target")
