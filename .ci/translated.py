"""The guide's translations (docs/guide/LANGUAGE/PAGE.md), and whether their English pages changed since.

python .ci/translated.py                lists what is old and what isn't translated yet; exit code 1 if anything is old
python .ci/translated.py changes FILE…  shows what changed in English since each of these translations was made
python .ci/translated.py mark FILE…     marks them as made from the English pages of today, once you have looked

The first line of a translation, `<!-- of 3f2a9c41 -->`, names the English text that it was made from.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUIDE = "docs/guide"
RULES = "docs/rules.md"
"""The one page of the guide that stands beside its folder."""
IMAGES = "images"
MARK = re.compile(r"\A<!-- of ([0-9a-f]{8}) -->\n")


def digest(english: str) -> str:
    """What a mark says of that text. How its lines are broken doesn't count."""
    return sha256(" ".join(english.split()).encode()).hexdigest()[:8]


def translations() -> list[Path]:
    """All there are, by language."""
    return sorted(file for file in (ROOT / GUIDE).glob("*/*.md") if file.parent.name != IMAGES)


def english_of(file: Path) -> Path:
    """The page that a file translates."""
    return ROOT / RULES if RULES.endswith(f"/{file.name}") else file.parent.parent / file.name


def mark_of(file: Path) -> str:
    """What its first line says; empty without a mark."""
    found = MARK.match(file.read_text("utf-8"))
    return found[1] if found else ""


def is_old(file: Path) -> bool:
    """Whether the English page is another one by now."""
    return mark_of(file) != digest(english_of(file).read_text("utf-8"))


def set_mark(file: Path) -> None:
    """Its first line names the English text of today."""
    mark = f"<!-- of {digest(english_of(file).read_text('utf-8'))} -->\n"
    file.write_text(mark + MARK.sub("", file.read_text("utf-8")), "utf-8")


def changes(file: Path) -> str:
    """What differs between the English text that it was made from and that of today, as git shows it."""
    english = english_of(file).relative_to(ROOT).as_posix()
    for commit in _git("log", "--format=%H", "--", english).split():
        if digest(_git("show", f"{commit}:{english}", may_fail=True)) == mark_of(file):
            return _git("diff", "--word-diff", commit, "--", english)
    return f"The history of {english} doesn’t have the text that {_name(file)} was made from: compare all of it.\n"


def _git(*arguments: str, may_fail: bool = False) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=not may_fail)
    return done.stdout


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def state() -> Iterator[str]:
    """A line for each translation that is old, and one for each language with what it lacks."""
    there = translations()
    yield from (f"{_name(file)} is older than {_name(english_of(file))}" for file in there if is_old(file))
    for folder in sorted({file.parent for file in there}):
        pages = [*sorted((ROOT / GUIDE).glob("*.md")), *ROOT.glob(RULES)]
        left = [page.name for page in pages if not (folder / page.name).is_file()]
        if left:
            yield f"{_name(folder)} has no {', '.join(left)}"


def main(what: str = "", *names: str) -> int:
    """Do what the arguments ask for."""
    files = [Path(name).resolve() for name in names]
    if lost := [file for file in files if file not in translations()]:
        print(*(f"{file} is no translation" for file in lost), sep="\n", file=sys.stderr)
        return 2
    if what == "changes" and files:
        print(*map(changes, files), sep="\n", end="")
    elif what == "mark" and files:
        for file in files:
            set_mark(file)
    elif what:
        print(__doc__, file=sys.stderr)
        return 2
    else:
        print(*state(), sep="\n")
        return int(any(map(is_old, translations())))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
