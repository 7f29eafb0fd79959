"""Which version of Flagship this is."""

import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


@cache
def release() -> str:
    """Its version, from the package that is installed or from the folder that it runs in; "unknown" without both."""
    if PROJECT.exists():
        found: str = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"]
        return found
    try:
        return version("flagship")
    except PackageNotFoundError:
        return "unknown"
