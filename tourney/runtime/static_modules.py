"""JavaScript modules among the static files: named by their content, imports included, and asked for all at once.

Our scripts and style sheets are served without the comments that stand on lines of their own or end a line.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORTED = re.compile(r"""^(?:import|export|\}).*?["'](\.{1,2}/[^"']+)["'];$""", re.MULTILINE)
"""The file that a line imports, as the formatter writes it; what a comment says of types is none."""


ON_A_LINE = r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n"
AT_ITS_END = r"""(?<=[;,{}()\]])[ ](?://[ ][^\n"'`]*|/\*[ ](?:(?!\*/)[^\n])*\*/)$"""
COMMENTS = re.compile(f"{ON_A_LINE}|{AT_ITS_END}", re.MULTILINE | re.DOTALL)
"""On lines of their own, and behind what ends a statement; a text may hold two slashes, too, but not so."""
OURS = ("js/", "css/")


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise says no types
    """Names carry the hash of the content, in `import` too, so that every file can be kept for ever."""

    support_js_module_import_aggregation = True

    def file_hash(self, name: str | None, content: "File[bytes] | None" = None) -> str | None:
        """The hash of what is served."""
        found: str | None = super().file_hash(name, content and _as_served(name, content))
        return found

    def _save(self, name: str, content: "File[bytes]") -> str:
        saved: str = super()._save(name, _as_served(name, content))
        return saved


def _as_served(name: str | None, content: "File[bytes]") -> "File[bytes]":
    if name and name.startswith(OURS) and name.endswith((".js", ".css")):
        return ContentFile(without_comments(b"".join(content.chunks()).decode()).encode())
    return content


def without_comments(text: str) -> str:
    """A script or style sheet as browsers need it: a phone loads a quarter less."""
    return COMMENTS.sub("", text)


def imports_of(names: Iterable[str]) -> tuple[str, ...]:
    """Every module that those (`js/results.js`) import, directly or not, each once and without themselves.

    Raises FileNotFoundError for a module that is no static file.
    """
    names = tuple(names)
    found = list(names)
    for name in found:  # grows as it goes
        found += [one for one in _imported(name) if one not in found]
    return tuple(found[len(names) :])


@cache
def _imported(name: str) -> tuple[str, ...]:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    text = Path(path).read_text("utf-8")
    return tuple(dict.fromkeys(normpath(join(dirname(name), one)) for one in IMPORTED.findall(text)))
