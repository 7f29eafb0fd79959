"""JavaScript modules: a page asks for all that its scripts import at once, under the names of their content."""

import re
from hashlib import md5
from pathlib import Path

import pytest
from django.core.management import call_command
from django.template import Context, Template

from tourney.runtime.static_modules import COMMENTS, IMPORTED, imports_of, without_comments
from tourney.templatetags.modules import EVERYWHERE, modules

ROOT = Path(__file__).parent.parent
NAMED = re.compile(r"""\{% modules "([^"]+)" %\}""")
PRODUCTION = {"staticfiles": {"BACKEND": "tourney.runtime.static_modules.Storage"}}
LATER = re.compile(r'import\("\./([^"]+)"\)')
"""What a script asks for when somebody first needs it."""
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


def scripts_of_pages() -> set[str]:
    texts = [path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.html")]
    named = {*EVERYWHERE, *(name for text in texts for name in NAMED.findall(text))}
    scripts = [(ROOT / "static" / name).read_text("utf-8") for name in named]
    return named | {f"js/{name}" for text in scripts for name in LATER.findall(text)}


def test_imports_are_found_however_far_away_and_each_once():
    assert set(imports_of(["js/judge-scenarios.js"])) == {
        "js/dice.js",
        "js/dom.js",
        "js/judge-panel.js",
        "js/scenario-dice.js",
        "js/words.js",
        "vendor/noble-sha256.js",
    }


def test_a_module_that_is_not_there_is_said():
    with pytest.raises(FileNotFoundError, match=r"js/no-such\.js"):
        imports_of(["js/no-such.js"])


def test_a_page_asks_early_for_what_its_script_imports_but_not_for_what_every_page_brings():
    html = Template('{% load modules %}{% modules "js/desk.js" %}').render(Context())

    assert html.splitlines() == [
        '<link rel="modulepreload" href="/static/js/keys.js">',
        '<script type="module" src="/static/js/desk.js"></script>',
    ]
    assert modules("js/results.js").splitlines() == [
        '<link rel="modulepreload" href="/static/js/more.js">',
        '<script type="module" src="/static/js/results.js"></script>',
    ]
    assert modules("js/wall.js").splitlines()[0].startswith('<link rel="modulepreload" href="/static/js/wall-fit.js">')


def test_every_script_is_asked_for_by_a_page_or_imported_by_one_that_is():
    named = scripts_of_pages()
    files = {f"js/{path.name}" for path in (ROOT / "static/js").glob("*.js")} - {"js/sw.js"}

    assert {*named, *imports_of(named)} - {"vendor/noble-sha256.js"} == files


def test_in_production_a_name_is_the_hash_of_what_is_served(tmp_path: Path, settings):
    settings.STATIC_ROOT, settings.STORAGES = tmp_path, settings.STORAGES | PRODUCTION
    call_command("collectstatic", interactive=False, verbosity=0)

    served = [path for path in tmp_path.glob("js/*.js") if HASHED.search(path.name)]
    assert len(served) > 5
    for path in served:
        assert md5(path.read_bytes(), usedforsecurity=False).hexdigest()[:12] == path.name.split(".")[-2]


def test_in_production_every_import_names_the_content_of_what_it_imports(tmp_path: Path, settings):
    settings.STATIC_ROOT, settings.STORAGES = tmp_path, settings.STORAGES | PRODUCTION
    call_command("collectstatic", interactive=False, verbosity=0)

    imported = {
        (path.parent / name).resolve()
        for path in tmp_path.rglob("*.js")
        if path.parent.name in ("js", "vendor")
        for name in IMPORTED.findall(path.read_text("utf-8"))
    }
    imported |= {tmp_path / "js" / name for path in tmp_path.rglob("*.js") for name in LATER.findall(path.read_text())}
    assert len(imported) > 5
    assert {path.name.partition(".")[0] for path in imported} > {"search", "key-list", "clock-keys"}
    assert [path for path in imported if not (HASHED.search(path.name) and path.exists())] == []


@pytest.mark.parametrize(
    "file",
    [*sorted((ROOT / "static").glob("js/*.js")), *sorted((ROOT / "static").glob("css/*.css"))],
    ids=lambda file: file.name,
)
def test_what_is_served_is_every_line_but_those_of_comments(file: Path):
    text = file.read_text("utf-8")

    assert without_comments(text) == "".join(part for part in COMMENTS.split(text))
    for comment in COMMENTS.finditer(text):
        assert text[: comment.start()].count("`") % 2 == comment[0].count("`") % 2 == 0, comment[0]
        assert re.fullmatch(r"\s*(//.*|/\*(?:(?!\*/).)*\*/\s*)", comment[0].rstrip(), re.DOTALL), comment[0]
