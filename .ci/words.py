"""python .ci/words.py [FOLDER OR FILE…]: the sentences in code, templates and scripts that no catalogue knows.

One line each, `file:line: text`; exit code 1 if there is one. A sentence is known where it is the id of a message
(tourney/runtime/messages.py), stands in gettext's functions or in {% translate %}, {% blocktranslate %}, {% trans %}.
What is a name of the code, as a class of CSS or a column, has no two words side by side. Keys of several words, and
files that are data or made for a terminal, are listed with their reason in words.toml.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
NO_SENTENCES = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
FILES = frozenset(file for files in NO_SENTENCES["files"].values() for file in files)
KEYS = frozenset(key for keys in NO_SENTENCES["keys"].values() for key in keys)
IDS = re.compile(r"^(_|n?p?message|n?p?gettext(_lazy)?)$")
WORDS = re.compile(r"[^\W\d_][,.…:;!?]* [a-z’'(]{2,}|[A-Z][a-z]+ [A-Z]?[a-z]+|^[A-Z][a-z]+[.!?…]$|^[A-Z][a-z]+ \{\}")
CODE = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|GRANT|LISTEN|NOTIFY|SET|FROM|WHERE|TABLE)\b|://|^\W*<\w|^[a-z-]+: "
)
INSIDE = re.compile(r"^(logger|logging|re|parser|argparse|warnings|cursor|struct|style|stdout|stderr)$")
ENUM = re.compile(r"Enum$")
FOR_NOBODY = ("add_argument", "memoized", "memoized_after", "print")
"""Functions whose words are keys, or are read on a terminal."""
HEADER = re.compile(r"^(attachment|inline|no-cache|<!DOCTYPE)[;, ]|^\w+/\w+; charset=|^noindex")
PROGRAMMERS = frozenset(
    (
        "AssertionError AttributeError CommandError ImproperlyConfigured IndexError InvalidCardTexts KeyError "
        "LookupError NotImplementedError OSError OverflowError RuntimeError TemplateSyntaxError TypeError "
        "UnpicklingError ValueError"
    ).split()
)
HTML_COMMENT = re.compile(r"<!--.*?-->|\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", re.S)
KNOWN_BLOCK = re.compile(
    r"\{%-? (blocktranslate|trans)\b.*?\{% end\1 -?%\}"
    r"|\{% block (page_class|header_class|body_class|body_attributes)\b.*?\{% endblock\b.*?%\}",
    re.S,
)
SILENT = re.compile(r"<(script|style|svg|code|pre)\b(?![^>]*type=\"text).*?</\1>", re.S)
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
IN_TAG = re.compile(r"\"([^\"]*)\"|'([^']*)'")
KNOWN_IN_TAG = re.compile(r"(?:\b_|gettext)\((?:(?:\"[^\"]*\"|'[^']*')[, ]*)+")
ALWAYS_READ = ("title", "aria-label", "aria-description", "placeholder", "alt", "hx-confirm")
ATTRIBUTE = re.compile(rf"\b({'|'.join(ALWAYS_READ)}|data-[\w-]+|value)=\"([^\"]*)\"")
DATES = re.compile(r"(?:(?:short|long|full) (?:day|month)|day|time|weekday|month)(?:, (?:day|time|(?:long|full) day))*")
STYLE = re.compile(r"(?:button )?[a-z]+(?:[-:][a-z]+)+(?: [a-z]+(?:[-:][a-z]+)+)*(?:\{\})?|(?:\w+:\w+ )+[\w-]+:\w+")
SELECTOR = re.compile(r"[.#:][a-z-]+[ (]|(?:a|input|select|dt), ")
LETTERS = re.compile(r"[^\W\d_]{2,}")
SCRIPT = re.compile(r"(?<!\w)(?:\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)")
KNOWN_CALL = re.compile(
    r"\b(?:[np]?gettext|new \w*Error|super|querySelector(?:All)?|closest|matches|matchMedia|all|one)"
    r"\(\s*(?:\"(?:[^\"\\\n]|\\.)*\"(?:,\s*\"(?:[^\"\\\n]|\\.)*\")?|`(?:[^`\\]|\\.)*`)"
)
SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.S)


def in_python(text: str, *, models: bool = False) -> Iterator[tuple[int, str]]:
    """(line, text) of every such sentence in a module; what models say of themselves is for programmers."""
    tree = ast.parse(text)
    silent: set[int] = set()
    if models:
        silent = {id(part) for node in ast.walk(tree) if _is_of_models(node) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        elif isinstance(node, ast.Call) and _is_silent(node):
            silent |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant | ast.JoinedStr)}
        elif isinstance(node, ast.Attribute) and node.attr == "split":
            silent.add(id(node.value))
        elif isinstance(node, ast.Dict):
            silent |= {id(key) for key in node.keys}
        elif isinstance(node, ast.ClassDef) and any(ENUM.search(ast.unparse(base)) for base in node.bases):
            silent |= {id(one.value) for one in node.body if isinstance(one, ast.Assign)}
        elif isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in ast.walk(node) if part is not node}
        elif isinstance(node, ast.Compare):
            silent |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_uncollected(node):
            yield node.lineno, f"no literal: {ast.unparse(node)}"
        if id(node) not in silent and (said := _said(node)) and WORDS.search(said) and not _is_code(said):
            yield node.lineno, said


def _is_uncollected(call: ast.Call) -> bool:
    """Whether it makes a message of what makemessages cannot see; the id of another message is seen there."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    count = {"message": 1, "nmessage": 2, "pmessage": 2}.get(name, 0)
    return any(not isinstance(text, ast.Constant | ast.Attribute | ast.Starred) for text in call.args[:count])


def _is_of_models(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in ("help_text", "verbose_name", "verbose_name_plural")
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "verbose_name_plural"
    return isinstance(node, ast.FunctionDef) and node.name == "__str__"


def _is_code(text: str) -> bool:
    is_known = any(pattern.search(text) for pattern in (CODE, HEADER)) or text.strip() in KEYS
    return is_known or bool(STYLE.fullmatch(text) or DATES.fullmatch(text) or SELECTOR.match(text))


def _is_silent(call: ast.Call) -> bool:
    """Whether what stands in the call is an id already, or read by programmers alone."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    owner = function.value.id if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) else ""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Attribute):
        owner = function.value.attr  # self.stdout.write
    return bool(IDS.match(name) or INSIDE.match(owner) or name in PROGRAMMERS or name in FOR_NOBODY)


def _said(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def in_template(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of every such sentence in a template of Django or Jinja2."""

    def blank(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", found[0])

    for pattern in (HTML_COMMENT, KNOWN_BLOCK, SILENT):
        text = pattern.sub(blank, text)
    for tag in TAG.finditer(text):
        if not tag[0].startswith(("{% translate", "{% load", "{% url", "{% if", "{% elif")):
            for literal in IN_TAG.finditer(KNOWN_IN_TAG.sub(blank, tag[0])):
                said = literal[1] or literal[2] or ""
                if WORDS.search(said) and not _is_code(said):
                    yield _line(text, tag.start() + literal.start()), said
    text = TAG.sub(blank, text)
    for attribute in ATTRIBUTE.finditer(text):
        is_read = attribute[1] in ALWAYS_READ
        if (LETTERS if is_read else WORDS).search(attribute[2]) and not _is_code(attribute[2]):
            yield _line(text, attribute.start()), attribute[2]
    for node in re.finditer(r"(?:^|>)([^<>]+)(?=<|$)", text):
        said = re.sub(r"&\w+;|&#\d+;", " ", node[1])
        if LETTERS.search(said) and '="' not in said and " ".join(said.split()).strip("· ") not in KEYS:
            start = node.start(1) + len(node[1]) - len(node[1].lstrip())
            yield _line(text, start), " ".join(said.split())


def in_script(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of every such sentence in a script."""

    def blank(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", found[0])

    text = KNOWN_CALL.sub(blank, SCRIPT_COMMENT.sub(blank, text))
    for literal in SCRIPT.finditer(text):
        said = next((part for part in literal.groups() if part is not None), "")
        said = re.sub(r"\$\{.*?\}", "{}", said)
        if WORDS.search(said) and not _is_code(said):
            yield _line(text, literal.start()), said


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


READERS = {".py": in_python, ".html": in_template, ".svg": in_template, ".js": in_script}
ROOMS = ("tourney", "scoring", "fleets", "templates", "static/js")
PROGRAMS = ("migrations", "management", "htmx", "settings.py", "urls.py", "style.html")
"""What people do not read on a page: folders and files left out."""


def found(places: Iterable[Path]) -> Iterator[str]:
    """The lines of the report."""
    for place in places:
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        for file in files:
            reader = READERS.get(file.suffix)
            name = file.relative_to(ROOT)
            if reader and not set(PROGRAMS) & set(name.parts) and name.as_posix() not in FILES:
                of_models = {"models": True} if {"models", "models.py"} & set(name.parts) else {}
                for line, text in sorted(reader(file.read_text(encoding="utf-8"), **of_models)):
                    yield f"{file.relative_to(ROOT)}:{line}: {text[:110]}"


if __name__ == "__main__":
    lines = list(found([Path(one).resolve() for one in sys.argv[1:]] or [ROOT / room for room in ROOMS]))
    print(*lines, sep="\n", end="\n" if lines else "")
    sys.exit(bool(lines))
