"""The catalogues of sentences as programs read them: made of the .po files whenever one of those is newer."""

import os
from pathlib import Path

CATALOGUE = "LC_MESSAGES/django.po"


def compiled(source: Path, target: Path) -> Path:
    """The folder `target`, which has a .mo file for every catalogue in `source` (one folder for each locale).

    Raises ValueError for a catalogue that cannot be read.
    """
    for po in sorted(source.glob(f"*/{CATALOGUE}")):
        mo = target / po.relative_to(source).with_suffix(".mo")
        if not mo.exists() or mo.stat().st_mtime_ns != po.stat().st_mtime_ns:
            _compile(po, mo)
    return target


def _compile(po: Path, mo: Path) -> None:
    """Whole or not at all: other processes may do the same, or read it."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    mo.parent.mkdir(parents=True, exist_ok=True)
    draft = mo.with_suffix(f".{os.getpid()}")
    changed = po.stat().st_mtime_ns
    with po.open("rb") as file, draft.open("wb") as out:
        write_mo(out, read_po(file, locale=po.parts[-3], abort_invalid=True))
    os.utime(draft, ns=(changed, changed))
    draft.replace(mo)
