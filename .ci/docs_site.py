"""python .ci/docs_site.py FOLDER: the guide and the reference as a static site, built by Sphinx; its links are checked.

The Markdown is that of GitHub and of /help/: what Sphinx writes otherwise is rewritten in a copy. Exit code 1 and one
line for each link that leads nowhere, and for whatever a page would load from elsewhere. Works without a network.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tourney.domain.guide import PAGES  # noqa: E402
from tourney.runtime.languages import LANGUAGES  # noqa: E402

AT_THE_ROOT = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
GUIDE = "docs/guide"
WRITTEN_IN = "en"
TITLE = re.compile(r"^# .*$", re.M)
MAIN = '<article role="main"'
"""Where furo begins what is written on a page."""
HEADING = re.compile(r"^(#+ .*?)\s*\{#([a-z0-9-]+)\}$", re.M)
CHAPTER = re.compile(r"^(## (\d+) )", re.M)
RULE = re.compile(r"^- (\*\*(\d+\.\d+)\*\*)", re.M)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(((?:\.\./|[\w/-]+/)?images/[a-z-]+/[a-z0-9-]+)-light\.webp\)")
FILM = re.compile(r"!\[([^\]]*)\]\(([\w./-]*/film)\.webp \"([^\"]+)\"\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.S | re.M)
OPTIONS = {
    "project": "Flagship",
    "html_title": "Flagship",
    "extensions": "myst_parser",
    "myst_heading_anchors": 4,
    "myst_enable_extensions": "attrs_inline",
    "html_theme": "furo",
    "html_show_sphinx": False,
    "html_copy_source": False,
    "html_show_copyright": False,
    "smartquotes": False,
    "suppress_warnings": "misc.highlighting_failure,myst.header",
}


# the copy


def label(page: str, anchor: str) -> str:
    """What a heading or a rule is called on the whole site: its file and its anchor."""
    return f"{page.removeprefix('docs/').removesuffix('.md').replace('/', '-')}--{anchor}".lower()


def rewritten(path: str, text: str) -> str:
    """A file as Sphinx reads it: named headings, rules and links to them, pictures by day and night, languages."""
    text = TITLE.sub(lambda found: "\n\n".join((found[0], *other_languages(path))), text, count=1)
    text = HEADING.sub(lambda found: f"({label(path, found[2])})=\n{found[1]}", text)
    if path.endswith("/rules.md"):
        text = CHAPTER.sub(lambda found: f"({label(path, f'r-{found[2]}')})=\n{found[1]}", text)
        text = RULE.sub(lambda found: f"- ({label(path, f'r-{found[2].replace(".", "-")}')})=\n  {found[1]}", text)
    text = FILM.sub(r"![\1](\2-still.webp)\n\n[\3](\2.webp)", text)
    text = PICTURE.sub(lambda found: _by_day_and_night(path, found), text)
    kept: list[str] = []
    text = CODE.sub(lambda found: kept.append(found[0]) or f"\0{len(kept) - 1}\0", text)
    text = LINK.sub(lambda found: _link(path, found), text)
    return re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)


def _by_day_and_night(path: str, found: re.Match[str]) -> str:
    alt, start = found[1], found[2]
    if not (ROOT / path).parent.joinpath(f"{start}-dark.webp").is_file():
        return found[0]
    return f"![{alt}]({start}-light.webp){{.only-light}}![{alt}]({start}-dark.webp){{.only-dark}}"


def _link(path: str, found: re.Match[str]) -> str:
    """Named headings of the guide and rules are linked by their label; a file that is no page is its text."""
    text, address = found[1], found[2]
    if urlsplit(address).scheme:
        return found[0]
    file, _, anchor = address.partition("#")
    target = (ROOT / path).parent.joinpath(file).resolve() if file else ROOT / path
    if (
        language_of(path) != WRITTEN_IN
        and not target.exists()
        and (english := target.parent.parent / target.name).exists()
    ):
        target, found = english, LINK.match(f"[{text}](../{address})") or found
    if not target.is_relative_to(ROOT) or not target.exists():
        return found[0]  # Sphinx says that it leads nowhere
    name = target.relative_to(ROOT).as_posix()
    if anchor and (name.startswith(f"{GUIDE}/") or name == "docs/rules.md"):
        return f"[{text}](#{label(name, anchor)})"
    return found[0] if name in pages() or target.suffix == ".webp" else text


def language_of(path: str) -> str:
    """The language in which a page of the guide is written; all others are in English."""
    folder, _, _ = path.removeprefix(f"{GUIDE}/").rpartition("/")
    return folder if path.startswith(f"{GUIDE}/") and folder else WRITTEN_IN


def other_languages(path: str) -> list[str]:
    """A line of links to the same page of the guide in the other languages that have it; none without one."""
    here = language_of(path)
    if not (path.startswith(f"{GUIDE}/") or path == "docs/rules.md"):
        return []
    name = path.rpartition("/")[2]
    english = "../rules.md" if name == "rules.md" else name
    files = {one: english if one == WRITTEN_IN else f"{one}/{name}" for one in LANGUAGES if one != here}
    up = "guide/" if path == "docs/rules.md" else "" if here == WRITTEN_IN else "../"
    links = [f"[{LANGUAGES[one]}]({up}{file})" for one, file in files.items() if (ROOT / GUIDE / file).is_file()]
    return [" · ".join(links)] if links else []


def pages() -> list[str]:
    """The files that become pages."""
    return [*AT_THE_ROOT, *sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("docs/**/*.md"))]


def front() -> str:
    """The page with which the site begins: everything there is, in its order."""
    names = pages()
    guide = [f"{GUIDE}/{name}.md" if name != "rules" else "docs/rules.md" for name in PAGES]
    translated = [one for one in LANGUAGES if one != WRITTEN_IN and one in map(language_of, names)]
    decisions = [name for name in names if name.startswith("docs/decisions/")]
    parts = {"Guide": guide}
    for language in translated:
        there = (f"{GUIDE}/{language}/{name}.md" for name in PAGES)
        parts[f"Guide ({LANGUAGES[language]})"] = [name for name in there if name in names]
    listed = {name for part in parts.values() for name in part}
    parts["Reference"] = [name for name in names if name not in listed and name not in decisions]
    parts["Decisions"] = decisions
    trees = (
        "\n".join(("```{toctree}", f":caption: {caption}", ":maxdepth: 1", "", *files, "```"))
        for caption, files in parts.items()
    )
    return "\n\n".join(("# Flagship", *trees, ""))


def copy_to(folder: Path) -> None:
    """All that Sphinx reads."""
    for name in pages():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(rewritten(name, (ROOT / name).read_text("utf-8")), "utf-8")
    shutil.copytree(ROOT / GUIDE / "images", folder / GUIDE / "images")
    (folder / "index.md").write_text(front(), "utf-8")


# the site


def tell_language(folder: Path) -> None:
    """What is written in another language is marked as such, for those who hear it."""
    for name in pages():
        if (language := language_of(name)) != WRITTEN_IN:
            file = (folder / name).with_suffix(".html")
            before, after = file.read_text("utf-8").split(MAIN)
            file.write_text(f'{before}{MAIN} lang="{language}"{after}', "utf-8")


class Read(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors = {""}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note its addresses and its id."""
        facts = dict(attrs)
        self.anchors |= {facts["id"] or ""} if "id" in facts else set()
        addresses = [facts[name] or "" for name in ("href", "src", "srcset") if name in facts]
        (self.links if tag == "a" else self.loads).extend(addresses)


def lost(folder: Path) -> Iterator[str]:
    """A line for each link to a page or an anchor that is not there, and for each thing loaded from elsewhere."""
    read = {file: Read(file.read_text("utf-8")) for file in sorted(folder.rglob("*.html"))}
    for file, page in read.items():
        name = file.relative_to(folder)
        yield from (f"{name} loads {one}" for one in page.loads if urlsplit(one).netloc)
        for link in (*page.links, *page.loads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            is_there = target.is_file() and (target not in read or unquote(parts.fragment) in read[target].anchors)
            if not is_there:
                yield f"{name} links to {link}"
    for file in sorted(folder.rglob("*.css")):
        for address in re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')]+)", file.read_text("utf-8")):
            yield f"{file.relative_to(folder)} loads {address}"


def build(folder: Path) -> bool:
    """Whether Sphinx had nothing to warn of."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    source, trees = folder.with_name(f"{folder.name}-source"), folder.with_name(f"{folder.name}-trees")
    for old in (folder, source, trees):
        shutil.rmtree(old, ignore_errors=True)
    copy_to(source)
    with patch_docutils(), docutils_namespace():
        options = {name: value.split(",") if "," in str(value) else value for name, value in OPTIONS.items()}
        options |= {name: [OPTIONS[name]] for name in ("extensions", "myst_enable_extensions")}
        app = Sphinx(source, None, folder, trees, "html", confoverrides=options, status=None, warningiserror=True)
        app.build(force_all=True)
    tell_language(folder)
    for old in (source, trees):
        shutil.rmtree(old)
    return app.statuscode == 0


def main(folder: str) -> int:
    """Build the site and print what is wrong, or where it is; 1 if anything is."""
    place = Path(folder).resolve()
    is_good = build(place)
    found = list(lost(place))
    for line in found:
        print(line, file=sys.stderr)
    if is_good and not found:
        print(f"{len(list(place.rglob('*.html')))} pages: open {place / 'index.html'}")
    return int(not is_good or bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
