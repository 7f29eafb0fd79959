"""Collects the sentences of code, templates and data into the catalogues: Django's own command, and what is ours."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages
from django.template import engines

from scoring.domain.pack import parse, printed_texts

ROWS = Path("templates/rows")
PACKS = Path("scoring/packs")
RULINGS = Path("tourney/judge/data")
NOT_OURS = "tests/* var/* .venv/* .ci/* node_modules/* docs/* fleets/cards/* pyproject.toml"


class OurFile(makemessages.BuildFile):
    """A file that is collected from: also a template of Jinja2, as lists of many rows are, a month pack, or rulings."""

    def preprocess(self) -> None:
        """Write what xgettext reads in place of the file."""
        calls = self._calls() if self.domain == "django" else None
        if calls is None:
            super().preprocess()
        else:
            Path(self.work_path).write_text("".join(f"{call}\n" for call in calls), encoding="utf-8")

    def _calls(self) -> Iterator[str] | None:
        """Its sentences as calls of gettext; None where Django's own command finds them."""
        folder, text = Path(self.path).parent, Path(self.path).read_text(encoding="utf-8")
        if ROWS in (folder, *folder.parents):
            return _of_rows(text)
        if folder == PACKS:
            return (_call("gettext", one) for one in printed_texts(parse(tomllib.loads(text))))
        if folder == RULINGS:
            return (_call("gettext", one) for one in _of_rulings(tomllib.loads(text)))
        return None

    @property
    def is_templatized(self) -> bool:
        """Whether xgettext reads something else in its place."""
        return self.domain == "django" and Path(self.path).suffix != ".py"


def _of_rows(text: str) -> Iterator[str]:
    environment = engines["jinja2"].env  # type: ignore[attr-defined]
    for _, function, texts in environment.extract_translations(text):
        yield _call(function, *(one for one in ([texts] if isinstance(texts, str) else texts) if one is not None))


def _of_rulings(data: dict[str, Any]) -> Iterator[str]:
    for section in data.get("section", ()):
        yield section["title"]
        for ruling in section["ruling"]:
            yield from (ruling["topic"], ruling["text"], *ruling["tags"])


def _call(function: str, *texts: str) -> str:
    return f"{function}({', '.join(repr(str.__str__(text)) for text in texts)});"


class Command(makemessages.Command):
    """Sentences are ids by `message`, `nmessage` and `pmessage` (tourney/runtime/messages.py), too."""

    build_file_class = OurFile
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=message:1",
        "--keyword=nmessage:1,2",
        "--keyword=pmessage:1c,2",
    ]

    def handle(self, *args: Any, **options: Any) -> None:
        """Leave out what is no part of the product, and say the file alone, so that lines may move."""
        options["ignore_patterns"] += (
            "tests/* var/* .venv/* .ci/* node_modules/* docs/* fleets/cards/* pyproject.toml".split()
        )
        if options["domain"] == "django":
            options["extensions"] = options["extensions"] or ["html", "txt", "py", "toml"]
        options["add_location"] = options["add_location"] or "file"
        super().handle(*args, **options)
