"""Collects the sentences of code and templates into the catalogues: Django's own command, which also knows ours."""

from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages
from django.template import engines

ROWS = Path("templates/rows")
NAMES = {None: "gettext", "gettext": "gettext", "ngettext": "ngettext", "pgettext": "pgettext"}


class RowsFile(makemessages.BuildFile):
    """A file that is collected from; lists of many rows are templates of Jinja2, which finds its sentences itself."""

    def preprocess(self) -> None:
        """Write what xgettext reads in place of a template."""
        if not self.is_rows:
            super().preprocess()
            return
        source = Path(self.path).read_text(encoding="utf-8")
        environment = engines["jinja2"].env  # type: ignore[attr-defined]
        lines = [""] * source.count("\n")
        for number, function, texts in environment.extract_translations(source):
            said = [text for text in ([texts] if isinstance(texts, str) else texts) if text is not None]
            lines[number - 1] += f"{function}({', '.join(map(repr, said))}); "
        Path(self.work_path).write_text("\n".join(lines), encoding="utf-8")

    @property
    def is_rows(self) -> bool:
        """Whether it is one of those."""
        return self.domain == "django" and ROWS in Path(self.path).parents

    @property
    def is_templatized(self) -> bool:
        """Whether xgettext reads something else in its place."""
        return self.is_rows or bool(super().is_templatized)


class Command(makemessages.Command):
    """Sentences are ids by `message`, `nmessage` and `pmessage` (tourney/runtime/messages.py), too."""

    build_file_class = RowsFile
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=message:1",
        "--keyword=nmessage:1,2",
        "--keyword=pmessage:1c,2",
    ]

    def handle(self, *args: Any, **options: Any) -> None:
        """Leave out what is no part of the product, and say the file alone, so that lines may move."""
        options["ignore_patterns"] += ["tests/*", "var/*", ".venv/*", ".ci/*", "node_modules/*"]
        options["add_location"] = options["add_location"] or "file"
        super().handle(*args, **options)
