"""The index of docs/architecture.md: where each capability has its files, rules, tests and templates.

python .ci/index.py          writes it anew from docs/capabilities.toml and the files there are
python .ci/index.py --check  fails if it is not current, or if a file belongs to no capability or to two
"""

import re
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOC, TABLE = ROOT / "docs/architecture.md", ROOT / "docs/capabilities.toml"
BEGIN, END = "<!-- index: made by .ci/index.py -->", "<!-- end of the index -->"
PACKAGES = ("tourney", "fleets", "scoring")
APART = ("migrations", "management")
"""Folders whose files are found by Django, and by their names."""
RULE = re.compile(r"\brules? ((?:\d+(?:\.\d+)*)(?:(?:, | and | or |–)\d+(?:\.\d+)*)*)")
TEMPLATE = re.compile(r"\"([a-z_]+/[a-z_/-]+\.html)\"")


@dataclass(frozen=True)
class Capability:
    """`files` and `tests` are patterns of paths from the root; a file belongs to the first capability that names it."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]

    def row(self, modules: list[str], tests: list[str]) -> str:
        """Its line of the table."""
        sources = [(ROOT / path).read_text() for path in modules]
        rules = sorted(
            {one for text in sources for found in RULE.findall(text) for one in re.findall(r"\d+(?:\.\d+)*", found)},
            key=lambda number: [int(part) for part in number.split(".")],
        )
        templates = sorted({name for text in sources for name in TEMPLATE.findall(text)})
        cells = [self.name, together(modules), ", ".join(rules), together(tests), together(templates)]
        return "| " + " | ".join(cells) + " |"


def together(paths: list[str]) -> str:
    """The paths, those that differ only in folder or name as one: `tourney/{actions,views}/x.py`."""
    by_name = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        by_name[name].append(folder)
    same = defaultdict(list)
    for name, folders in by_name.items():
        same[tuple(folders)].append(name)
    return "<br>".join(f"`{joined_folders(folders)}/{braces(names)}`" for folders, names in same.items())


def joined_folders(folders: tuple[str, ...]) -> str:
    heads = {folder.rpartition("/")[0] for folder in folders}
    if len(folders) > 1 and len(heads) == 1 and heads != {""}:
        return f"{heads.pop()}/{{{','.join(folder.rpartition('/')[2] for folder in folders)}}}"
    return braces(list(folders))


def braces(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    stems, endings = zip(*(name.rpartition(".")[::2] for name in names), strict=True)
    if len(set(endings)) == 1 and all(stems):
        return f"{{{','.join(stems)}}}.{endings[0]}"
    return f"{{{','.join(names)}}}"


def capabilities() -> list[Capability]:
    table = tomllib.loads(TABLE.read_text())
    return [Capability(name, tuple(row["files"]), tuple(row.get("tests", ()))) for name, row in table.items()]


def modules() -> list[str]:
    """Every module that has to belong somewhere."""
    found = (path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return sorted(str(path) for path in found if path.name != "__init__.py" and not set(APART) & set(path.parts))


def tests() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py") if is_test(path))


def is_test(path: Path) -> bool:
    return path.name.startswith(("test_", "attack_", "bench_"))


def belonging(paths: list[str], patterns: dict[str, tuple[str, ...]]) -> tuple[dict[str, list[str]], list[str]]:
    """The paths of each capability, and those that belong nowhere."""
    found, homeless = {name: [] for name in patterns}, []
    for path in paths:
        owner = next((name for name, own in patterns.items() if any(fnmatch(path, one) for one in own)), None)
        if owner:
            found[owner].append(path)
        else:
            homeless.append(path)
    return found, homeless


def index() -> tuple[str, list[str]]:
    """The table, and what is wrong with it."""
    known = capabilities()
    files, homeless = belonging(modules(), {one.name: one.files for one in known})
    held, untested = belonging(tests(), {one.name: one.tests for one in known})
    wrong = [f"{path} belongs to no capability of docs/capabilities.toml" for path in (*homeless, *untested)]
    wrong += [f"“{name}” of docs/capabilities.toml has no file" for name in files if not files[name] and not held[name]]
    head = ["| capability | files | rules | tests | templates |", "| --- | --- | --- | --- | --- |"]
    rows = [one.row(files[one.name], held[one.name]) for one in known]
    return "\n".join([*head, *rows]), wrong


def main(*options: str) -> int:
    table, wrong = index()
    before = DOC.read_text()
    start, end = before.index(BEGIN) + len(BEGIN), before.index(END)
    after = f"{before[:start]}\n\n{table}\n\n{before[end:]}"
    if "--check" in options:
        wrong += ["The index of docs/architecture.md is old. Run python .ci/index.py."] * (after != before)
    else:
        DOC.write_text(after)
    for line in wrong:
        print(line, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
