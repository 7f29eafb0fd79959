"""What is made for the wheel (make wheel): the catalogues as programs and as scripts read them."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """Both are in the wheel where the settings look for them; the editable install of a checkout makes its own."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make them, and have them put in. Raises ValueError for a catalogue that cannot be read."""
        sys.path.insert(0, self.root)
        from tourney.runtime.locale_files import compiled, compiled_for_scripts

        self.made = tempfile.TemporaryDirectory()
        source, folder = Path(self.root, "locale"), Path(self.made.name)
        put_in = build_data["force_include"]
        put_in[str(compiled(source, folder / "locale"))] = "tourney/shipped/locale"
        put_in[str(compiled_for_scripts(source, folder / "words"))] = "tourney/shipped/words"
        for mark in folder.rglob(".*.of"):  # of what a catalogue was made: nothing makes it again there
            mark.unlink()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """They are in the wheel now."""
        self.made.cleanup()
