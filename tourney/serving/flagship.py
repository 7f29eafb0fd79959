"""`flagship`, which a wheel installs: alone it does what `make run` does, `flagship COMMAND` what `manage.py` does."""

import runpy
import sys

from tourney.runtime import installation
from tourney.serving import run


def main() -> int:
    """The exit code."""
    if not sys.argv[1:]:
        return run.main()
    runpy.run_path(str(installation.FILES / "manage.py"), run_name="__main__")
    return 0
