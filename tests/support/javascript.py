"""Node and what stands in .ci/js: checks of the scripts, for development alone."""

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".ci/js"
OLDEST = (20, 19)
"""The first Node that takes a file with `import` for a module by itself."""


@cache
def why_not(*, with_tools: bool) -> str:
    """What is missing here to run Node, or the tools of .ci/js with it; "" if nothing is."""
    node = shutil.which("node")
    if node is None:
        return "no Node.js here"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if tuple(map(int, version.removeprefix("v").split(".")[:2])) < OLDEST:
        return f"Node.js {version} is older than {'.'.join(map(str, OLDEST))}"
    if with_tools and not _is_installed():
        return "TypeScript and Biome are not installed as locked: npm ci --prefix .ci/js"
    return ""


def need(*, with_tools: bool) -> None:
    """Skip the test where something is missing; fail it where JS_CHECKS=required says that nothing may be."""
    if missing := why_not(with_tools=with_tools):
        if os.environ.get("JS_CHECKS") == "required":
            pytest.fail(missing)
        pytest.skip(missing)


def _is_installed() -> bool:
    """Whether node_modules holds the versions that package.json asks for."""
    wishes = json.loads((TOOLS / "package.json").read_text())["devDependencies"]
    manifests = {name: TOOLS / "node_modules" / name / "package.json" for name in wishes}
    return all(
        manifest.exists() and json.loads(manifest.read_text())["version"] == wishes[name]
        for name, manifest in manifests.items()
    )
