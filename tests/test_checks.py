"""The checks that are no tests: style, layers, types, templates, migrations, deployment; a line each in the report."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support import javascript

ROOT = Path(__file__).parent.parent
MANAGE = ("python", "manage.py")
PACKAGES = ("tourney", "fleets", "scoring")
NAMED_ALIKE = {
    "Command": "Django finds a command of manage.py by this name in its module",
    "MonthPack": "the rules of a month, and the row that stores them",
}
"""Names that more than one class or type has, and why. Every other has a name of its own."""
DJANGO_CALLS = frozenset(
    ("add_arguments", "clean", "get_absolute_url", "get_context", "handle", "label_from_instance", "ready", "render")
)
"""Methods that Django names and calls; its documentation says what they do."""
DJANGO_ANSWERS = frozenset(("CommandError", "Http404", "ValidationError"))
"""What Django makes an answer of: it goes without saying that views, forms and commands raise these."""
WITHOUT_DOCSTRING = 0
"""So many public functions and methods say not yet in a docstring what they return. Lower it with each that does."""
BEHIND_A_PROXY = {
    "ALLOWED_HOSTS": "flagship.example",
    "CSRF_TRUSTED_ORIGINS": "https://flagship.example",
    "DEBUG": "0",
    "HTTPS": "1",
    "SECRET_KEY": "".join(map(chr, range(ord("!"), ord("~")))),
}


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("lint-imports", "--no-cache"),
        ("mypy",),
        (*MANAGE, "makemigrations", "--check", "--dry-run"),
        ("python", ".ci/index.py", "--check"),
        ("python", ".ci/words.py"),
        ("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"),
        (*MANAGE, "check", "--deploy", "--fail-level", "WARNING"),
    ],
    ids=" ".join,
)
def test_it_finds_nothing(command: tuple[str, ...]):
    done = run(command, BEHIND_A_PROXY)

    assert done.returncode == 0, done.stdout + done.stderr


def test_djlint_finds_nothing_in_templates_that_it_has_not_found_in_order_before():
    kept = ROOT / "var/djlint.json"
    in_order = json.loads(kept.read_text()) if kept.exists() else {}
    asked_by = f"{version('djlint')} {tomllib.loads((ROOT / 'pyproject.toml').read_text())['tool']['djlint']}"
    now = {
        str(path.relative_to(ROOT)): sha256(asked_by.encode() + path.read_bytes()).hexdigest()
        for path in sorted((ROOT / "templates").rglob("*.html"))
    }
    others = [path for path in now if now[path] != in_order.get(path)]

    found = [run(("djlint", *others, what, "--quiet"), {}) for what in ("--check", "--lint") if others]

    assert [done.stdout + done.stderr for done in found if done.returncode] == []
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(now))


@pytest.mark.parametrize(
    "command",
    [
        ("biome", "check", "--config-path=.ci/js", "--error-on-warnings", "static/js", "tests/js"),
        ("tsc", "--project", ".ci/js"),
        ("tsc", "--project", ".ci/js/tsconfig.worker.json"),
    ],
    ids=" ".join,
)
def test_it_finds_nothing_in_the_scripts(command: tuple[str, ...]):
    javascript.need(with_tools=True)
    program = javascript.TOOLS / "node_modules/.bin" / command[0]

    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lock_of_the_scripts_tools_names_no_registry_and_has_every_hash():
    packages = json.loads((javascript.TOOLS / "package-lock.json").read_text())["packages"]
    wishes = packages.pop("")["devDependencies"]

    assert wishes == json.loads((javascript.TOOLS / "package.json").read_text())["devDependencies"]
    assert [name for name, package in packages.items() if "resolved" in package or "integrity" not in package] == []


def test_every_static_file_that_a_style_sheet_or_a_module_names_is_there(tmp_path: Path):
    done = run((*MANAGE, "collectstatic", "--no-input"), {"STATIC_ROOT": str(tmp_path), "DEBUG": "0"})

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("lock", "groups"),
    [
        ("requirements.lock", ["run"]),
        ("tests/requirements.lock", ["run", "test"]),
        ("tests/benchmarks/requirements.lock", ["bench"]),
        (".ci/sbom.requirements.lock", ["sbom"]),
        (".ci/coverage.requirements.lock", ["coverage"]),
        (".ci/docs.requirements.lock", ["docs"]),
    ],
)
def test_the_lock_file_holds_what_the_project_asks_for(lock: str, groups: list[str]):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wishes = {"run": project["project"]["dependencies"], **project["dependency-groups"]}
    asked = [wish for group in groups for wish in wishes[group]]
    pinned = pins(ROOT / lock)

    assert [wish for wish in map(Requirement, asked) if not wish.specifier.contains(pinned.get(name(wish), ""))] == []


def test_the_lock_files_pin_the_same_versions():
    running, testing = pins(ROOT / "requirements.lock"), pins(ROOT / "tests/requirements.lock")
    in_ci = (f".ci/{purpose}.requirements.lock" for purpose in ("sbom", "coverage", "docs"))
    others = ("tests/benchmarks/requirements.lock", *in_ci)
    beside = [pins(ROOT / lock) for lock in others]

    assert {package: testing.get(package) for package in running} == running
    for more in beside:
        assert {package: more[package] for package in more.keys() & testing.keys()}.items() <= testing.items()


def test_every_class_and_every_named_type_has_a_name_of_its_own():
    where = defaultdict(list)
    for file, tree in sources():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(str(file.relative_to(ROOT)))
            elif isinstance(node, ast.TypeAlias) and isinstance(node.name, ast.Name):
                where[node.name.id].append(str(file.relative_to(ROOT)))

    assert {name: files for name, files in where.items() if len(files) > 1 and name not in NAMED_ALIKE} == {}
    assert {name for name in NAMED_ALIKE if len(where[name]) < 2} == set()


def test_no_more_public_functions_come_without_a_docstring():
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno} {node.name}"
        for file, tree in sources()
        for node in public_functions(tree.body)
        if not ast.get_docstring(node) and "overload" not in map(ast.unparse, node.decorator_list)
    ]

    assert len(found) <= WITHOUT_DOCSTRING, "\n".join(found)


def test_public_functions_name_what_they_raise():
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno} {node.name} raises {name}"
        for file, tree in sources()
        for node in public_functions(tree.body)
        for name in sorted(raised_by(node) - DJANGO_ANSWERS)
        if name not in (ast.get_docstring(node) or "")
    ]

    assert found == []


def raised_by(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The classes that it raises itself by their names, without those that it catches."""
    nodes = [*inside(function)]
    raised = {name_of(node.exc) for node in nodes if isinstance(node, ast.Raise) and node.exc}
    return {name for name in raised - caught_by(nodes) if name[:1].isupper()}


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function, without the functions and classes in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield child
            yield from inside(child)


def caught_by(nodes: list[ast.AST]) -> set[str]:
    """The names of what a `try` among them catches."""
    types = [node.type for node in nodes if isinstance(node, ast.ExceptHandler) and node.type]
    return {name_of(one) for type_ in types for one in (type_.elts if isinstance(type_, ast.Tuple) else [type_])}


def name_of(node: ast.expr) -> str:
    """`Refused` of `Refused`, `actions.Refused` and `Refused("…")`."""
    return ast.unparse(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]


def sources() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the packages but migrations, parsed."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in file.parts:
                yield file, parsed(file)


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def public_functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Functions at the top of a module, and methods of its classes, whose names do not begin with an underscore."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body)
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if is_function and not node.name.startswith("_") and node.name not in DJANGO_CALLS:
            yield node


def desk_templates() -> list[Path]:
    """Those of the desk, and what else extends its frame or stands in its pages."""
    templates = ROOT / "templates"
    frame = '{% extends "desk/frame.html" %}'
    found = [
        path
        for path in templates.rglob("*.html")
        if "desk" in path.relative_to(templates).parts or frame in path.read_text()
    ]
    return sorted({*found, templates / "rehearsal/panel.html"})


BESIDE = {"extend"}
"""Forms, by their id, that stand outside of what refreshes itself: what was seen is said beside them."""


def test_every_form_of_the_desk_says_what_was_seen():
    without, posting = [], 0
    for path in desk_templates():
        for form in re.findall(r'<form\b[^>]*method="post".*?</form>', path.read_text(), re.DOTALL):
            posting += 1
            if "{% url 'sign_out' %}" in form or any(f'id="{one}"' in form for one in BESIDE):
                continue
            if "{% desk_form %}" not in form or "{% csrf_token %}" in form:
                without.append(f"{path.relative_to(ROOT)}: {form[:80]}")

    assert posting > 60
    assert without == []


def test_no_form_elsewhere_says_so():
    others = {*(ROOT / "templates").rglob("*.html")} - {*desk_templates()}

    assert [path.name for path in others if "{% desk_form %}" in path.read_text()] == []


def trees(pattern: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((ROOT / "tourney").glob(pattern)):
        if "migrations" not in path.parts:
            yield path.relative_to(ROOT), parsed(path)


OF_QUERYSETS = frozenset(
    ("aggregate", "all", "annotate", "exclude", "filter", "objects", "order_by", "select_related", "values_list")
)
"""What Django calls on the rows of a table, and little else is called."""


def test_views_ask_the_database_by_queries_alone():
    asking = [
        f"{path}:{node.lineno}"
        for path, tree in (*trees("views/**/*.py"), *trees("*/views/**/*.py"))
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in OF_QUERYSETS)
        or (isinstance(node, ast.Name) and node.id == "get_object_or_404")
    ]

    assert asking == []


def test_whether_an_event_is_finished_is_asked_of_the_event_alone():
    """`Event.is_finished`, and `tourney.domain.progress` for what that keeps from happening."""
    asking = {
        str(path)
        for path, tree in trees("**/*.py")
        for node in ast.walk(tree)
        for test in asked_by(node)
        if isinstance(test, ast.Attribute) and test.attr == "finished_at"
    }
    in_templates = [path for path in (ROOT / "templates").rglob("*.html") if "finished_at" in path.read_text()]

    assert asking == {"tourney/models/event.py"}
    assert in_templates == []


def asked_by(node: ast.AST) -> list[ast.expr]:
    """What the node takes for true or false, or compares."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            return [test]
        case ast.BoolOp(values=values):
            return values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.comprehension(ifs=ifs):
            return ifs
    return []


def run(command: tuple[str, ...], environment: dict[str, str]) -> subprocess.CompletedProcess:
    """Run a program of this virtual environment in the project's folder."""
    outside = {
        name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"
    }  # of browser tests
    program = Path(sys.executable).with_name(command[0])
    return subprocess.run([program, *command[1:]], cwd=ROOT, env=outside | environment, capture_output=True, text=True)


def pins(lock: Path) -> dict[str, str]:
    """Package → version, as a lock file says it."""
    lines = [line for line in lock.read_text().splitlines() if line[:1].isalnum()]
    wishes = [Requirement(line.removesuffix("\\").strip()) for line in lines]
    return {name(wish): str(wish.specifier).removeprefix("==") for wish in wishes}


def name(wish: Requirement) -> str:
    return canonicalize_name(wish.name)
