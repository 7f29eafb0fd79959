"""The catalogues are whole: every sentence in every language, with its parameters and tags."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command

LOCALE = settings.BASE_DIR / "locale"
FILES = sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))
FACTS = re.compile(r"\{\w*\}|%\(\w+\)[sd]|%[sd]|</?\w+|&\w+;|https?://\S+")
"""What is the same in every language: parameters, tags, characters by name, addresses."""
NOT_SAID = {
    r"\bmeanwhile\b": "in the meantime; or say what happened",
    r"\banew\b": "again",
    r"\b(some|any)bod(y|ies)\b": "someone, anyone",
    r"\beverybody\b": "everyone",
    r"\bwhoever\b": "anyone who",
    r"\bgives? way\b": "say what happens",
    r"\bit takes\b.*\bto be in\b": "say what is needed",
    r"\bneither came\b|\bdid ?n[o’]t come\b|\bdid not come\b": "no-show",
    r"\bin dispute\b": "disputed",
    r"\b(is|are|be|stays?) level\b|^level\b": "tied",
    r"\bthrow(n|s)? (the draft )?away\b": "discard",
    r"\b(put|bring|brought) (both )?together\b": "merge duplicates",
    r"\bis everything kept\b|\bprove it\b": "check data integrity",
    r"\bempty sheet": "blank sheet",
    r"\blate, leaving\b": "late arrivals & drops",
    r"\btake (it|that) back\b|\bdo it again\b": "undo, redo",
    r"\bone word\b|\bone (side|player)’s word\b": "awaiting confirmation; report",
    r"\bre-open": "reopen",
    r"\bpaired anew\b": "re-paired",
}
"""What nobody would say at a counter, and what is said in its place."""


def read(file: Path) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened, locale=file.parts[-3], abort_invalid=True)


def entries(file: Path) -> Iterator[Message]:
    return (entry for entry in read(file) if entry.id)


def forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The forms of a sentence, of which most have one."""
    return (text,) if isinstance(text, str) else tuple(text)


def test_every_language_that_is_offered_has_its_catalogues():
    languages = {code for code, _ in settings.LANGUAGES} - {"en"}

    assert {file.parts[-3].replace("_", "-").lower() for file in FILES} == languages
    assert {file.name for file in FILES} == ({"django.po", "djangojs.po"} if languages else set())


@pytest.mark.parametrize("name", sorted({file.name for file in FILES}))
def test_every_language_has_the_same_sentences(name: str):
    sentences = [{(entry.id, entry.context) for entry in entries(file)} for file in FILES if file.name == name]

    assert all(some == sentences[0] for some in sentences)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_every_sentence_is_translated(file: Path):
    left = [entry.id for entry in entries(file) if not all(forms(entry.string)) or not entry.string or entry.fuzzy]

    assert left == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_parameters_and_tags_are_those_of_the_sentence(file: Path):
    assert [(entry.id, entry.string) for entry in entries(file) if not has_the_same_facts(entry)] == []


def has_the_same_facts(entry: Message) -> bool:
    """Whether each form has the facts of one of the sentence's; the one for a single thing may leave its number out."""
    wanted = [Counter(FACTS.findall(one)) for one in forms(entry.id)]
    return all(Counter(FACTS.findall(one)) in wanted for one in forms(entry.string))


@pytest.mark.parametrize(
    ("sentence", "translated", "same"),
    [
        ("{name} is late.", "{name} est en retard.", True),
        ("{name} is late.", "{nom} est en retard.", False),
        ("<b>{name}</b> is late.", "{name} est en retard.", False),
        (("One player", "{count} players"), ["Une personne", "{count} personnes"], True),
        (("{count} player", "{count} players"), ["{count} personne", "personnes"], False),
    ],
)
def test_facts_are_compared(sentence, translated, same: bool):
    assert has_the_same_facts(Message(sentence, translated)) is same


@pytest.mark.parametrize("file", [file for file in FILES if file.stem == "django"], ids=lambda file: file.parts[-3])
def test_the_way_out_is_whole_without_the_name_that_a_phone_does_not_show(file: Path):
    (said,) = [entry.string for entry in entries(file) if entry.id == "Sign out %(name)s"]

    assert re.fullmatch(r"[\w ]+", said.replace("%(name)s", "").strip())


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_gettexts_own_program_finds_nothing_wrong(file: Path, tmp_path: Path):
    if shutil.which("msgfmt") is None:
        pytest.skip("No msgfmt found: install the package gettext.")
    made = subprocess.run(
        ["msgfmt", "--check", "--output-file", str(tmp_path / "made.mo"), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (made.returncode, made.stderr) == (0, "")


@pytest.mark.parametrize("name", sorted({file.name for file in FILES}))
def test_nothing_is_said_that_nobody_would_say(name: str):
    file = next(file for file in FILES if file.name == name)
    said = [one for entry in entries(file) for one in forms(entry.id)]
    found = [
        (one, better) for one in said for never, better in NOT_SAID.items() if re.search(never, one, re.IGNORECASE)
    ]

    assert found == []


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_the_catalogues_have_every_sentence_of_today_and_no_other(domain: str, tmp_path: Path, monkeypatch):
    if shutil.which("xgettext") is None:
        pytest.skip("No xgettext found: install the package gettext.")
    for folder in ("fleets", "scoring", "static", "templates", "tourney"):
        shutil.copytree(settings.BASE_DIR / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.pyc"))
    (tmp_path / "locale").mkdir()
    monkeypatch.chdir(tmp_path)

    call_command("makemessages", locale=["de"], domain=domain, verbosity=0)

    today = {(entry.id, entry.context) for entry in entries(tmp_path / f"locale/de/LC_MESSAGES/{domain}.po")}
    kept = {(entry.id, entry.context) for entry in entries(LOCALE / f"de/LC_MESSAGES/{domain}.po")}
    assert sorted(today - kept, key=repr) == []
    assert sorted(kept - today, key=repr) == []
