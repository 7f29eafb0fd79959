"""Mutation check: `make mutants` breaks rules, actions, views and forms, and says which faults no test notices.

Each mutant is one small fault in one place, chosen by the seed. The tests that come first are those that name its
module or are named like it; then, if nobody noticed, all of its layer (`--wide` for every test). A mutant that no test
kills has survived. `--tests-of REVISION` holds the tests of another revision against the same mutants, and
`--against FILE` names what was killed in that report and survives now: the way to see that quicker tests see as much.
"""

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random

from tourney.runtime.embedded import Server

ROOT = Path(__file__).parent.parent
LAYERS = {"domain": "tests/domain", "actions": "tests/actions", "views": "tests/pages", "forms": "tests/pages"}
"""Layer whose modules are broken → where most of its tests stand."""
OF_TESTS = ("tests", "pyproject.toml")
LONGEST = 900
"""Seconds after which the tests of a mutant count as failed: it never ends."""
OTHER = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "+",
    ast.And: "or",
    ast.Or: "and",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """In that file, the text from `start` to `end` (of its UTF-8 bytes) is replaced by `new`."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old} → {self.new}"


def mutants_of(file: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a module with that text."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        for new in faults_of(node):
            start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
            yield Mutant(file, node.lineno, start, end, source.encode()[start:end].decode(), new)


def faults_of(node: ast.AST) -> Iterator[str]:
    """The texts that may stand instead of this node, each wrong in another way."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in OTHER:
            yield f"({ast.unparse(left)} {OTHER[type(operator)]} {ast.unparse(right)})"
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OTHER and not is_text(node):
            yield f"({ast.unparse(left)} {OTHER[type(operator)]} {ast.unparse(right)})"
        case ast.BoolOp(op=operator, values=values):
            yield "(" + f" {OTHER[type(operator)]} ".join(f"({ast.unparse(value)})" for value in values) + ")"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"bool({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() as value):
            yield str(value + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield f"({ast.unparse(orelse)} if {ast.unparse(test)} else {ast.unparse(body)})"
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return None"


def is_text(node: ast.BinOp) -> bool:
    """Whether texts are formatted or joined there, which is another way to fail at once."""
    return any(
        isinstance(side, ast.JoinedStr | ast.Constant) and not is_number(side) for side in (node.left, node.right)
    )


def is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def all_mutants(tree: Path) -> list[Mutant]:
    """Every mutant of the layers in that tree, in a fixed order."""
    files = sorted(path for app in ("tourney", "fleets", "scoring") for path in (tree / app).rglob("*.py"))
    in_layers = [path.relative_to(tree).as_posix() for path in files if layer_of(path.relative_to(tree))]
    return [one for file in in_layers for one in mutants_of(file, (tree / file).read_text())]


def layer_of(path: Path) -> str | None:
    return next((part.removesuffix(".py") for part in path.parts if part.removesuffix(".py") in LAYERS), None)


@cache
def imports_of(test: Path) -> frozenset[str]:
    """The modules and the names in modules that a test imports, with dots."""
    found = set()
    for node in ast.walk(ast.parse(test.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
    return frozenset(found)


def first_tests(tree: Path, file: str) -> list[str]:
    """The test files that import the module or are named like it, browser tests last."""
    path = Path(file)
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    stem = path.parent.name if path.stem == "__init__" else path.stem
    tests = sorted((tree / "tests").rglob("test_*.py"))
    packages = {
        module.rsplit(".", up)[0] for up in range(max(1, module.count(".") - 1))
    }  # it may stand behind its package
    chosen = [test for test in tests if packages & imports_of(test) or stem.rstrip("s") in test.stem]
    chosen.sort(key=lambda test: ("browser" in test.parts, stem.rstrip("s") not in test.stem))
    return [test.relative_to(tree).as_posix() for test in chosen]


def is_killed(tree: Path, mutant: Mutant, wide: bool, environment: dict[str, str]) -> str:
    """What killed it: the first test that failed, or "" if it survived."""
    path = tree / mutant.file
    whole = path.read_bytes()
    path.write_bytes(whole[: mutant.start] + mutant.new.encode() + whole[mutant.end :])
    try:
        layer = "tests" if wide else LAYERS[layer_of(Path(mutant.file))]
        for tests in (first_tests(tree, mutant.file), [layer]):
            if tests and (failed := first_failure(tree, tests, environment)):
                return failed
        return ""
    finally:
        path.write_bytes(whole)


def check_that_tests_are_found(tree: Path, environment: dict[str, str]) -> None:
    """RuntimeError if pytest fails before anything is broken: then every mutant would count as killed."""
    command = [sys.executable, "-m", "pytest", "tests", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"The tests are not found.\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def first_failure(tree: Path, tests: list[str], environment: dict[str, str]) -> str:
    command = [
        sys.executable,
        "-m",
        "pytest",
        *tests,
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--reuse-db",
        "--no-header",
    ]
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return "it never ended"
    if done.returncode in (0, 5):  # 5: none of them runs here
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0] if lines else (done.stdout + done.stderr).strip()[-200:]


def copy_of(revision: str, paths: tuple[str, ...], tree: Path) -> None:
    """These paths of the project at that revision, put into the tree."""
    archive = subprocess.run(["git", "archive", revision, *paths], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(tree, filter="data")


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--count", type=int, default=300, help="how many mutants (300)")
    words.add_argument("--seed", type=int, default=1, help="which ones (1)")
    words.add_argument("--revision", default="HEAD", help="of what is broken (HEAD)")
    words.add_argument("--tests-of", metavar="REVISION", help="of the tests, if it is another one")
    words.add_argument("--only", default="", help="only files whose path holds these words")
    words.add_argument("--wide", action="store_true", help="every test, where the first ones notice nothing")
    words.add_argument("--report", type=Path, help="where the report goes, as JSON")
    words.add_argument("--against", type=Path, help="a report of other tests on the same mutants")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "project"
        tree.mkdir()
        os.chmod(folder, 0o755)
        copy_of(asked.revision, (), tree)
        everything = [one for one in all_mutants(tree) if asked.only in one.file]
        if asked.tests_of:
            copy_of(asked.tests_of, OF_TESTS, tree)
        chosen = Random(asked.seed).sample(everything, min(asked.count, len(everything)))
        found = tried(tree, chosen, asked.wide)
    survivors = [str(one) for one, killer in found if not killer]
    print(f"{len(found)} of {len(everything):,} mutants, {len(survivors)} survive:", *survivors, sep="\n  ")
    if asked.report:
        asked.report.write_text(json.dumps([asdict(one) | {"killed_by": killer} for one, killer in found], indent=1))
    lost = newly_surviving(found, json.loads(asked.against.read_text())) if asked.against else []
    if lost:
        print("Killed before:", *lost, sep="\n  ")
    return len(lost) > 0


def tried(tree: Path, mutants: list[Mutant], wide: bool) -> list[tuple[Mutant, str]]:
    """Each mutant with what killed it, on one database server for all of them."""
    server = Server(ROOT / "var" / "mutants-postgres", durable=False)
    server.remove()
    environment = os.environ | {"DATABASE_URL": server.ensure_running(), "PYTHONPATH": str(tree), "PYTHONSAFEPATH": "1"}
    try:
        check_that_tests_are_found(tree, environment)
        found = []
        for number, mutant in enumerate(mutants, start=1):
            found.append((mutant, is_killed(tree, mutant, wide, environment)))
            print(f"{number}/{len(mutants)} {mutant}  {found[-1][1] or 'SURVIVES'}", flush=True)
        return found
    finally:
        server.remove()


def newly_surviving(found: list[tuple[Mutant, str]], before: list[dict]) -> list[str]:
    """What the report before has as killed and survives now."""
    killed = {(one["file"], one["start"], one["new"]) for one in before if one["killed_by"]}
    return [str(one) for one, killer in found if not killer and (one.file, one.start, one.new) in killed]


if __name__ == "__main__":
    sys.exit(main())
