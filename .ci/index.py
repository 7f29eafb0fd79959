"""The index of docs/architecture.md: where each capability has its files, rules, tests and templates.

python .ci/index.py          writes it anew from docs/capabilities.toml and the files there are
python .ci/index.py --check  fails if it is not current, or if a file belongs to no capability

A template belongs to the first capability whose patterns or modules name it, otherwise to the one whose templates
include it; what several of them include is shared.
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
TEMPLATES, SCRIPTS = ROOT / "templates", ROOT / "static/js"
NUMBER = re.compile(r"\d+(?:\.\d+)*")
RULE = re.compile(r"\brules? ((?:\d+(?:\.\d+)*)(?:(?:, | and | or |–)\d+(?:\.\d+)*)*)")
TEMPLATE = re.compile(r"[\"']([a-z0-9_/.-]+\.(?:html|svg|txt))[\"'#]")
"""A template that a module or another template names."""
SHARED = "what every page shares"


@dataclass(frozen=True)
class Capability:
    """What Flagship can do. Patterns are of paths from the root, of templates from their folder.

    A file belongs to the first capability that names it. `also`: patterns of data, shown as they are.
    """

    name: str
    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def row(self, files: list[str], tests: list[str], templates: list[str]) -> str:
        """Its line of the table."""
        rules = sorted(
            {number for path in files for found in RULE.findall(text_of(path)) for number in NUMBER.findall(found)},
            key=lambda number: [int(part) for part in number.split(".")],
        )
        data = "".join(f"<br>`{pattern}`" for pattern in self.also)
        cells = [self.name, together(files) + data, ", ".join(rules), together(tests), together(templates)]
        return "| " + " | ".join(cells) + " |"


def text_of(path: str) -> str:
    return (ROOT / path).read_text()


def together(paths: list[str]) -> str:
    """The paths, those that differ only in folder or name as one: `tourney/{actions,views}/x.py`."""
    by_name = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        by_name[name].append(folder)
    same = defaultdict(list)
    for name, folders in by_name.items():
        same[tuple(folders)].append(name)
    return "<br>".join(
        f"`{f'{joined_folders(folders)}/'.removeprefix('/')}{braces(names)}`" for folders, names in same.items()
    )


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
    return [Capability(name, **{key: tuple(row[key]) for key in row}) for name, row in table.items()]


def modules() -> list[str]:
    """Every module and script that has to belong somewhere."""
    found = (path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    scripts = (path.relative_to(ROOT) for path in SCRIPTS.glob("*.js"))
    own = (path for path in found if path.name != "__init__.py" and not set(APART) & set(path.parts))
    return sorted(map(str, (*own, *scripts)))


def tests() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.*") if is_test(path))


def is_test(path: Path) -> bool:
    return (path.name.startswith(("test_", "attack_", "bench_")) and path.suffix == ".py") or path.match("*.test.js")


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


def templates(known: list[Capability], files: dict[str, list[str]]) -> tuple[dict[str, list[str]], list[str]]:
    """The templates of each capability, and those that belong nowhere."""
    every = sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.*"))
    owners = owners_by_name(known, files, every)
    included = {name: set(TEMPLATE.findall((TEMPLATES / name).read_text())) & {*every} for name in every}
    while True:
        users = {
            name: {owners[user] for user in every if user in owners and name in included[user]}
            for name in every
            if name not in owners
        }
        more = {name: found.pop() if len(found) == 1 else SHARED for name, found in users.items() if found}
        if not more:
            break
        owners |= more
    found = {one.name: [name for name in every if owners.get(name) == one.name] for one in known}
    return found, [name for name in every if name not in owners]


def owners_by_name(known: list[Capability], files: dict[str, list[str]], every: list[str]) -> dict[str, str]:
    """The first capability that names each template: by its patterns, else in a module."""
    owners: dict[str, str] = {}
    for one in known:
        for name in every:
            if any(fnmatch(name, pattern) for pattern in one.templates):
                owners.setdefault(name, one.name)
    for one in known:
        for path in files[one.name]:
            for name in TEMPLATE.findall(text_of(path)):
                owners.setdefault(name, one.name)
    return {name: owner for name, owner in owners.items() if name in every}


def index() -> tuple[str, list[str]]:
    """The table, and what is wrong with it."""
    known = capabilities()
    files, homeless = belonging(modules(), {one.name: one.files for one in known})
    held, untested = belonging(tests(), {one.name: one.tests for one in known})
    drawn, unused = templates(known, files)
    wrong = [f"{path} belongs to no capability of docs/capabilities.toml" for path in (*homeless, *untested, *unused)]
    wrong += [f"“{name}” of docs/capabilities.toml has no file" for name in files if not files[name] and not held[name]]
    wrong += [f"{pattern} is no file" for one in known for pattern in one.also if not [*ROOT.glob(pattern)]]
    head = ["| capability | files | rules | tests | templates |", "| --- | --- | --- | --- | --- |"]
    rows = [one.row(files[one.name], held[one.name], drawn[one.name]) for one in known]
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
