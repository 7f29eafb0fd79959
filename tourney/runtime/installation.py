"""Where this installation's files are: beside the code in a checkout, or with it where a wheel was installed."""

from pathlib import Path

CODE = Path(__file__).resolve().parents[2]
"""The folder that our packages are imported from."""

SHIPPED = CODE / "tourney" / "shipped"
"""What a wheel brings beside the code (pyproject.toml); a checkout has no such folder."""

IS_INSTALLED = SHIPPED.is_dir()
FILES = SHIPPED if IS_INSTALLED else CODE
"""Where `templates`, `static`, `docs` and `manage.py` are."""


def usual_var_dir() -> Path:
    """Where data goes without `VAR_DIR`: `var` in the checkout, or where this system keeps what programs store."""
    if not IS_INSTALLED:
        return CODE / "var"
    import platformdirs  # not where a parser runs, which has Python alone (isolated.py)

    return platformdirs.user_data_path("flagship", appauthor=False)


def command(name: str) -> str:
    """That command as people type it."""
    return f"flagship {name}" if IS_INSTALLED else f"manage.py {name}"


def start(port: int) -> str:
    """The start at another port as people type it."""
    return f"PORT={port} flagship" if IS_INSTALLED else f"make run PORT={port}"
