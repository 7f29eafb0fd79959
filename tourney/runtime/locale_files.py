"""The catalogues of sentences as programs read them: made of the .po files whenever one of those is another."""

import json
import os
from collections.abc import Callable, Iterator
from gettext import c2py
from hashlib import sha256
from pathlib import Path
from typing import Any

CATALOGUE = "LC_MESSAGES/django.po"
OF_SCRIPTS = "LC_MESSAGES/djangojs.po"
SCRIPTS_FOLDER = "words"
COUNTS = 200
"""A script looks up which form goes with a number: from here on, the last two digits decide in every language."""


def compiled(source: Path, target: Path) -> Path:
    """The folder `target`, which has a .mo file for every catalogue in `source` (one folder for each locale).

    Raises ValueError for a catalogue that cannot be read.
    """
    for po in sorted(source.glob(f"*/{CATALOGUE}")):
        _made(target / po.relative_to(source).with_suffix(".mo"), [po], _machine_object)
    return target


def compiled_for_scripts(source: Path, target: Path) -> Path:
    """The folder `target`, of static files: `words/pt-br.json` for the catalogue of what scripts say in `pt_BR`.

    What is not translated there, but in the catalogue of the pages, is taken from that: one sentence, one translation.
    Raises ValueError for a catalogue that cannot be read.
    """
    folder = target / SCRIPTS_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    there = set()
    for po in sorted(source.glob(f"*/{OF_SCRIPTS}")):
        of_pages = po.parents[1] / CATALOGUE
        name = po.parts[-3].replace("_", "-").lower()
        there.add(_made(folder / f"{name}.json", [po, *([of_pages] if of_pages.exists() else [])], _words))
    for file in {*folder.glob("*.json")} - there:
        for one in (file, _mark_of(file)):
            one.unlink(missing_ok=True)
    return target


def _made(file: Path, sources: list[Path], make: Callable[[list[Path], Path], None]) -> Path:
    """The file, made if it is not of these sources; whole or not at all: other processes do the same, or read it.

    What counts is their content, not when they were written: in an image all files may be of one moment.
    """
    digest = sha256(b"".join(sha256(source.read_bytes()).digest() for source in sources)).hexdigest()
    mark = _mark_of(file)
    if not file.exists() or not mark.exists() or mark.read_text() != digest:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft, draft_of_mark = (one.with_suffix(f".{os.getpid()}") for one in (file, mark))
        make(sources, draft)
        draft.replace(file)
        draft_of_mark.write_text(digest)
        draft_of_mark.replace(mark)
    return file


def _mark_of(file: Path) -> Path:
    """Where it says of which sources the file was made; hidden, so that nobody collects it among static files."""
    return file.with_name(f".{file.name}.of")


def _machine_object(sources: list[Path], draft: Path) -> None:
    from babel.messages.mofile import write_mo

    with draft.open("wb") as out:
        write_mo(out, _read(sources[0]))


def _words(sources: list[Path], draft: Path) -> None:
    """As static/js/words.js reads it."""
    catalogues = [_read(source) for source in sources]
    ids = {key for key, _ in _translations(catalogues[0], translated=False)}
    said = {key: string for one in reversed(catalogues) for key, string in _translations(one) if key in ids}
    of_number = c2py(catalogues[0].plural_expr)
    plurals = "".join(str(of_number(count)) for count in range(COUNTS))
    texts = {key: said[key] for key in sorted(said)}
    draft.write_text(json.dumps({"said": texts, "plurals": plurals}, ensure_ascii=False), encoding="utf-8")


def _translations(catalogue: Any, *, translated: bool = True) -> Iterator[tuple[str, str | list[str]]]:
    """(id, what is said) of a catalogue, the forms of a plural as a list; with `translated` only what is sure."""
    for one in catalogue:
        id = one.id if isinstance(one.id, str) else one.id[0]
        string = one.string if isinstance(one.string, str) else list(one.string)
        is_sure = not one.fuzzy and (all(string) if isinstance(string, list) else string)
        if id and (is_sure or not translated):
            yield f"{one.context}\x04{id}" if one.context else id, string


def _read(po: Path) -> Any:
    from babel.messages.pofile import PoFileError, read_po

    try:
        with po.open("rb") as file:
            return read_po(file, locale=po.parts[-3], abort_invalid=True)
    except PoFileError as error:
        raise ValueError(f"{po}: {error}") from error
