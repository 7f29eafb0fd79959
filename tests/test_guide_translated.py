"""The guide's translations (docs/guide/<language>): built as the English pages are, in the words of their catalogue."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from tests.support.guide_parts import Part, parts_of
from tests.test_catalogues import FILES, forms
from tourney.domain.guide import PAGES
from tourney.queries import guide
from tourney.queries.guide_pictures import picture_named

ROOT = settings.BASE_DIR
GUIDE = ROOT / "docs" / "guide"
sys.path.insert(0, str(ROOT / ".ci"))

import translated as tool  # noqa: E402

TRANSLATED = tool.translations()
of_every_translation = pytest.mark.parametrize(
    "file", TRANSLATED, ids=lambda file: file.relative_to(GUIDE).with_suffix("").as_posix()
)
NUMBER_OF_A_RULE = re.compile(r"\d+\.\d+")
UNSEEN = re.compile(r'<span class="visually-hidden">.*?</span>')
PLACE = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
NOT_HERE = {
    "de": "[”»«\"']",
    "fr": "[“”„\"']|«[^\u00a0]|[^\u00a0]»| [:;!?]|\\w[;!?]",
    "es": "[“”„\"']",
    "pt-br": "[„«»\"']",
}
"""Quotation marks and blanks that the language doesn't have (docs/translating.md)."""


def language_of(file: Path) -> str:
    return file.parent.name


def both(file: Path) -> Iterator[tuple[Part, Part]]:
    """Each part of the English page, with that of the translation."""
    english, translated = (parts_of(one.read_text("utf-8")) for one in (tool.english_of(file), file))
    return zip(english, translated, strict=False)


def from_translation(link: str, file: Path) -> str:
    """A link of the English page as its translation has it."""
    if file.name == "rules.md":
        return f"../../{link}"
    return link.removeprefix("../") if link.startswith("../rules.md") else link.replace("../", "../../", 1)


# how a translation is built


def test_translations_are_pages_in_languages_that_are_offered():
    pages = {f"{name}.md" for name in PAGES}

    assert "docs/guide/de/index.md" in {file.relative_to(ROOT).as_posix() for file in TRANSLATED}
    assert {language_of(file) for file in TRANSLATED} <= {code for code, _ in settings.LANGUAGES} - {"en"}
    assert [file for file in TRANSLATED if file.name not in pages] == []


@of_every_translation
def test_a_translation_is_not_older_than_its_page(file: Path):
    name, english = (one.relative_to(ROOT).as_posix() for one in (file, tool.english_of(file)))

    assert not tool.is_old(file), (
        f"{english} changed after {name} was made from it. Look at what changed, `python .ci/translated.py changes "
        f"{name}`, put the translation right, then run `python .ci/translated.py mark {name}`."
    )


@of_every_translation
def test_headings_are_those_of_the_page_with_their_anchors(file: Path):
    english, translated = (
        [part.heading for part in parts_of(one.read_text("utf-8"))] for one in (tool.english_of(file), file)
    )

    assert translated == english


@of_every_translation
@pytest.mark.parametrize("what", ["code", "items", "rows"])
def test_code_lists_and_tables_are_as_long_as_those_of_the_page(file: Path, what: str):
    differ = {
        theirs.heading: (getattr(theirs, what), "in English", getattr(ours, what))
        for ours, theirs in both(file)
        if getattr(theirs, what) != getattr(ours, what)
    }

    assert differ == {}


@of_every_translation
def test_links_are_those_of_the_page(file: Path):
    """The rules are translated beside the guide; what else is not in its folder is `../` further away."""
    lost = []
    for ours, theirs in both(file):
        expected = sorted(from_translation(one, file) for one in ours.links.elements())
        if sorted(theirs.links.elements()) != expected:
            lost.append((theirs.heading, sorted(theirs.links.elements()), "instead of", expected))

    assert lost == []


@of_every_translation
def test_pictures_are_those_of_the_page_in_the_language(file: Path):
    lost = []
    for ours, theirs in both(file):
        expected = sorted(picture_for(one, language_of(file)) for one in ours.pictures.elements())
        if sorted(theirs.pictures.elements()) != expected:
            lost.append((theirs.heading, sorted(theirs.pictures.elements()), "instead of", expected))

    assert lost == []


def picture_for(address: str, language: str) -> str:
    """“images/en/film.webp” as a translation names it: in its language, if there is such a picture."""
    name = Path(address).name
    there = language if (GUIDE / "images" / language / name).is_file() else "en"
    assert picture_named(Path(name).stem, language)
    return f"../images/{there}/{name}"


# what a translation says


@cache
def catalogue(language: str) -> dict[str, set[str]]:
    """Each sentence of the product with what stands for it in that language, as a reader sees both."""
    folder = next(one.parent for one in FILES if one.parts[-3].replace("_", "-").lower() == language)
    said: dict[str, set[str]] = {}
    for file in folder.glob("*.po"):
        with file.open("rb") as opened:
            for entry in (one for one in read_po(opened) if one.id):
                for form in forms(entry.id):
                    said.setdefault(seen(form), set()).update(map(seen, forms(entry.string)))
    return said


def seen(text: str) -> str:
    return " ".join(UNSEEN.sub("", text).split())


@cache
def with_numbers(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The sentences that have places for something, as patterns with numbers there."""
    made = []
    for said in catalogue(language):
        if PLACE.search(said):
            texts = [re.escape(one) for one in PLACE.sub("\0", said).split("\0")]
            made.append((re.compile(r"(\d+)".join(texts)), said))
    return made


def said_for(name: str, language: str) -> set[str]:
    """What the catalogue has for a name in the English guide; nothing if it doesn't know it."""
    if found := catalogue(language).get(name):
        return found
    found = set()
    for pattern, said in with_numbers(language):
        if match := pattern.fullmatch(name):
            places = [one[1] or one[2] for one in PLACE.finditer(said)]
            numbers = dict(zip(places, match.groups(), strict=True))
            found |= {
                PLACE.sub(lambda place, numbers=numbers: numbers.get(place[1] or place[2], ""), one)
                for one in catalogue(language)[said]
            }
    return found


@of_every_translation
def test_pages_and_buttons_are_called_what_they_are_called_in_the_language(file: Path):
    """What is in bold in English is in bold here, as the catalogue has it; and nothing else is."""
    language, wrong = language_of(file), []
    for ours, theirs in both(file):
        left = [seen(one) for one in theirs.bold]
        unknown = 0
        for name in map(seen, ours.bold):
            names = {name} if NUMBER_OF_A_RULE.fullmatch(name) else said_for(name, language)
            unknown += not names
            if not names:
                continue
            if here := next((one for one in left if one in names), None):
                left.remove(here)
            else:
                wrong.append(f"{theirs.heading}: “{name}” is called {' or '.join(sorted(names))}")
        if len(left) != unknown:
            wrong.append(f"{theirs.heading}: {left} in bold, where the English page has none")

    assert wrong == []


@of_every_translation
def test_what_the_page_quotes_of_the_product_is_quoted_in_the_language(file: Path):
    """A text in quotation marks that the catalogue knows."""
    wrong = []
    for ours, theirs in both(file):
        text = seen(theirs.text)
        for quoted in ours.quoted:
            names = catalogue(language_of(file)).get(seen(quoted), set())
            if names and not any(one in text for one in names):
                wrong.append(f"{theirs.heading}: “{quoted}” is called {' or '.join(sorted(names))}")

    assert wrong == []


@of_every_translation
def test_quotation_marks_and_blanks_are_those_of_the_language(file: Path):
    texts = (part.text for part in parts_of(file.read_text("utf-8")))

    assert [found[0] for text in texts for found in re.finditer(NOT_HERE[language_of(file)], text)] == []


@of_every_translation
def test_a_translation_is_shown_to_its_readers_without_its_mark(file: Path):
    page = guide.page_of(file.stem, language_of(file))

    assert page.language == language_of(file)
    assert "<!--" not in page.lead + page.html
    assert "&lt;!--" not in page.lead + page.html
    assert [one.anchor for one in page.sections] == [one.anchor for one in guide.page_of(file.stem, "en").sections]


@pytest.mark.parametrize(
    ("typed", "language", "section"),
    [
        ("FALSCHEN KNOPF", "de", "index#hurry"),
        ("eilt", "de", "index#hurry"),
        ("gedruckten Bogens", "de", "index#hurry"),
        ("oben nach einem wort", "de", "index#search"),
        ("fur alle bei einem", "de", "index#"),
        ("zu spät", "de", "run-the-night#late"),
        ("verlorene Karte", "de", "run-the-night#lost-card"),
        ("falsches Ergebnis", "de", "run-the-night#corrections"),
        ("ruckgangig", "de", "run-the-night#undo"),
        ("umbenennen", "de", "run-the-night#player"),
        ("Passwort vergessen", "de", "troubleshooting#locked-out"),
        ("wlan", "de", "troubleshooting#phone"),
        ("drucken", "de", "first-night#print"),
        ("Freilos", "de", "questions#bye"),
        ("Sprache", "de", "questions#language"),
        ("Daten löschen", "de", "privacy#erase"),
        ("Event absagen", "de", "owner#change-of-plans"),
        ("Judge rufen", "de", "player#judge"),
        ("MOT DE PASSE OUBLIÉ", "fr", "troubleshooting#locked-out"),
        ("carte perdue", "fr", "run-the-night#lost-card"),
        ("egalite", "fr", "run-the-night#ties"),
        ("mauvais bouton", "fr", "index#hurry"),
        ("feuille imprimée", "fr", "index#hurry"),
        ("joueurs", "fr", "questions#few"),
        ("j'ai perdu ma carte", "fr", "run-the-night#lost-card"),
        ("wifi", "fr", "troubleshooting#phone"),
        ("retard", "fr", "run-the-night#late"),
        ("résultat faux", "fr", "run-the-night#corrections"),
        ("annuler", "fr", "run-the-night#undo"),
        ("renommer", "fr", "run-the-night#player"),
        ("imprimer", "fr", "first-night#print"),
        ("bye", "fr", "questions#bye"),
        ("langue", "fr", "questions#language"),
        ("effacer mes données", "fr", "privacy#erase"),
        ("annuler événement", "fr", "owner#change-of-plans"),
        ("appeler un juge", "fr", "player#judge"),
        ("BOTÓN EQUIVOCADO", "es", "index#hurry"),
        ("prisa", "es", "index#hurry"),
        ("boton equivocado", "es", "index#hurry"),
        ("llega tarde", "es", "run-the-night#late"),
        ("ficha perdida", "es", "run-the-night#lost-card"),
        ("perdí mi ficha", "es", "player#card"),
        ("resultado mal", "es", "run-the-night#corrections"),
        ("deshacer", "es", "run-the-night#undo"),
        ("cambiar un nombre", "es", "run-the-night#player"),
        ("lista de espera", "es", "run-the-night#waiting-list"),
        ("olvidaste tu contrasena", "es", "troubleshooting#locked-out"),
        ("wifi", "es", "troubleshooting#phone"),
        ("imprimir", "es", "first-night#print"),
        ("bye", "es", "questions#bye"),
        ("idioma", "es", "questions#language"),
        ("borrar mis datos", "es", "privacy#erase"),
        ("cancelar evento", "es", "owner#change-of-plans"),
        ("llamar al juez", "es", "player#judge"),
        ("empate", "es", "run-the-night#ties"),
        ("botão errado", "pt-br", "index#hurry"),
        ("CORRERIA", "pt-br", "index#hurry"),
        ("folha impressa", "pt-br", "index#hurry"),
        ("participante atrasado", "pt-br", "run-the-night#late"),
        ("atrasado", "pt-br", "run-the-night#late"),
        ("perdeu o cartao", "pt-br", "index#hurry"),
        ("cartão perdido", "pt-br", "run-the-night#lost-card"),
        ("resultado errado", "pt-br", "run-the-night#corrections"),
        ("desfazer", "pt-br", "run-the-night#undo"),
        ("empate", "pt-br", "run-the-night#ties"),
        ("renomear", "pt-br", "run-the-night#player"),
        ("lista de espera", "pt-br", "run-the-night#waiting-list"),
        ("esqueci a senha", "pt-br", "troubleshooting#locked-out"),
        ("wifi", "pt-br", "troubleshooting#phone"),
        ("impressão", "pt-br", "troubleshooting#print"),
        ("imprimir", "pt-br", "first-night#print"),
        ("bye", "pt-br", "questions#bye"),
        ("idioma", "pt-br", "questions#language"),
        ("apagar meus dados", "pt-br", "privacy#erase"),
        ("cancelar evento", "pt-br", "owner#change-of-plans"),
        ("chamar um juiz", "pt-br", "player#judge"),
        ("acabou a luz", "pt-br", "run-the-night#no-power"),
        ("internet", "pt-br", "questions#internet"),
    ],
)
def test_a_search_finds_the_words_of_the_language(typed: str, language: str, section: str):
    found = guide.search(typed, language)

    assert section in [f"{one.page.name}#{one.section.anchor}" for one in found if one.page.language == language][:4]


# the tool


@pytest.fixture
def repository(tmp_path: Path, monkeypatch) -> Path:
    """One with a page and its translation, of which the page changed afterwards."""
    page, translation = tmp_path / "docs/guide/player.md", tmp_path / "docs/guide/de/player.md"
    translation.parent.mkdir(parents=True)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    page.write_text("# For players\n\nYour card is\nyours.\n", "utf-8")
    translation.write_text("# Für Spieler:innen\n\nDeine Karte gehört dir.\n", "utf-8")
    tool.set_mark(translation)
    git = ["git", "-c", "user.name=Quill", "-c", "user.email=quill@example.com", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Write"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    page.write_text("# For players\n\nYour card is for you.\n", "utf-8")
    return translation


def test_the_tool_shows_what_changed_and_marks_what_was_looked_at(repository: Path, capsys):
    assert tool.main() == 1
    assert capsys.readouterr().out == "docs/guide/de/player.md is older than docs/guide/player.md\n"
    assert tool.main("changes", str(repository)) == 0
    assert "{+for you.+}" in capsys.readouterr().out
    assert tool.main("mark", str(repository)) == 0
    assert tool.main() == 0
    assert repository.read_text("utf-8").count("<!-- of ") == 1


def test_other_breaks_of_lines_are_no_change(repository: Path):
    tool.english_of(repository).write_text("# For players\n\nYour\ncard is yours.\n", "utf-8")

    assert not tool.is_old(repository)


def test_what_is_no_translation_is_not_marked(repository: Path, capsys):
    assert tool.main("mark", str(tool.english_of(repository))) == 2
    assert tool.english_of(repository).read_text("utf-8").startswith("# For players")
    assert capsys.readouterr().err.endswith("player.md is no translation\n")
