"""python .ci/audit.py: the locked dependencies are pinned with hashes, installed as locked, free to use, and safe.

Works without a network. Exit code 1 and one line for each finding if anything is wrong. What is known to be unsafe is
asked of .ci/advisories.toml; where pip-audit is installed and reaches its own sources, it is asked as well.
"""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
RUNNING = ROOT / "requirements.lock"
LOCKS = (
    RUNNING,
    ROOT / "tests/requirements.lock",
    ROOT / "tests/benchmarks/requirements.lock",
    ROOT / ".ci/sbom.requirements.lock",
    ROOT / ".ci/coverage.requirements.lock",
    ROOT / ".ci/docs.requirements.lock",
    ROOT / ".ci/wheel.requirements.lock",
)
ADVISORIES = ROOT / ".ci/advisories.toml"
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})(?=\s|$)")

ALLOWED = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC LGPL-3.0-only MIT MIT-0 MPL-2.0 PSF-2.0 Zlib".split()
)
"""Licences of what the server runs with: all let anybody use it in a program of any licence, unchanged."""
CLASSIFIED = {
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
}


MIT = " ".join(
    """
    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
    documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
    rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
    permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright
    notice and this permission notice shall be included in all copies or substantial portions of the Software. THE
    SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
    WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS
    OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
    OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
    """.split()
)
"""What the MIT licence says below its title and the name of whose work it is."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One requirement of a lock file; `version` is empty where it is not pinned exactly."""

    name: str
    version: str
    hashes: tuple[str, ...]
    applies: bool


@dataclass(frozen=True, slots=True)
class Advisory:
    id: str
    package: str
    affected: tuple[str, ...]
    why: str
    source: str


def pins(text: str) -> Iterator[Pin]:
    """Each requirement of a lock file. Raises packaging.requirements.InvalidRequirement for what is none."""
    for block in re.split(r"\n(?=\S)", text.replace("\\\n", " ")):
        line = "\n".join(part for part in block.splitlines() if not part.lstrip().startswith("#")).strip()
        if not line:
            continue
        wish = Requirement(line.split("--hash", 1)[0].strip())
        exact = [one.version for one in wish.specifier if one.operator == "==" and "*" not in one.version]
        applies = wish.marker is None or wish.marker.evaluate()
        version = exact[0] if len(exact) == len(wish.specifier) == 1 and not wish.url else ""
        yield Pin(canonicalize_name(wish.name), version, tuple(HASH.findall(line)), applies)


def unpinned(locked: Iterable[Pin]) -> list[str]:
    """What is not one version with at least one hash."""
    found = []
    for pin in locked:
        if not pin.version:
            found.append(f"{pin.name} is not pinned to one version")
        if not pin.hashes:
            found.append(f"{pin.name} has no hash")
    return found


def not_as_locked(locked: Iterable[Pin]) -> list[str]:
    """What is not installed here, or in another version. What another system needs is left out."""
    found = []
    for pin in locked:
        if not pin.applies:
            continue
        try:
            version = distribution(pin.name).version
        except PackageNotFoundError:
            found.append(f"{pin.name} {pin.version} is locked but not installed")
            continue
        if version != pin.version:
            found.append(f"{pin.name} is installed as {version}, locked as {pin.version}")
    return found


def licence_of(package: Distribution) -> str:
    """As an SPDX expression; empty if the package does not say."""
    facts = package.metadata
    if said := facts.get("License-Expression"):
        return said
    for classifier in facts.get_all("Classifier") or []:
        if classifier in CLASSIFIED:
            return CLASSIFIED[classifier]
    said = (facts.get("License") or "").strip()
    return said if said and len(said) < 60 and "\n" not in said else _licence_in_files(package)


def _licence_in_files(package: Distribution) -> str:
    """MIT where the one licence file that a package ships is that licence word for word; else empty."""
    names = package.metadata.get_all("License-File") or []
    texts = [package.read_text(f"licenses/{name}") or "" for name in names]
    return "MIT" if len(texts) == 1 and MIT in " ".join(texts[0].split()) else ""


def is_allowed(expression: str) -> bool:
    """Whether the SPDX expression is satisfied by allowed licences alone."""
    words = expression.replace("(", " ( ").replace(")", " ) ").split()
    truths = [word.lower() if word in {"AND", "OR", "(", ")"} else str(word in ALLOWED) for word in words]
    if not words or any(word in {"WITH", "NOT"} for word in words):
        return False
    return _evaluated(truths)


def _evaluated(words: list[str]) -> bool:
    """AND binds closer than OR; brackets first. False for what is no expression."""
    while "(" in words:
        start = max(at for at, word in enumerate(words) if word == "(")
        end = words.index(")", start) if ")" in words[start:] else len(words)
        words = [*words[:start], str(_evaluated(words[start + 1 : end])), *words[end + 1 :]]
    parts = " ".join(words).split(" or ")
    return any(all(word == "True" for word in part.split(" and ")) for part in parts)


def not_allowed(locked: Iterable[Pin]) -> list[str]:
    """Packages whose licence is not on the list, or not known. Those that are not installed are told elsewhere."""
    found = []
    for pin in locked:
        try:
            licence = licence_of(distribution(pin.name))
        except PackageNotFoundError:
            continue
        if not is_allowed(licence):
            found.append(f"{pin.name} has the licence {licence or 'unknown'}, which is not on the list")
    return found


def advisories(text: str) -> list[Advisory]:
    """Those of the file. Raises KeyError for one that lacks a fact."""
    found = tomllib.loads(text).get("advisory", [])
    return [
        Advisory(one["id"], canonicalize_name(one["package"]), tuple(one["affected"]), one["why"], one["source"])
        for one in found
    ]


def unsafe(locked: Iterable[Pin], known: Iterable[Advisory]) -> list[str]:
    """Locked versions that an advisory names."""
    named = list(known)
    return [
        f"{pin.name} {pin.version} is affected by {one.id}: {one.why}"
        for pin in locked
        for one in named
        if one.package == pin.name and pin.version and any(_contains(range_, pin.version) for range_ in one.affected)
    ]


def _contains(specifier: str, version: str) -> bool:
    return Requirement(f"x{specifier}").specifier.contains(version, prereleases=True)


def asked_elsewhere(lock: Path) -> tuple[list[str], str]:
    """What pip-audit finds, and in one line how far it was asked."""
    program = shutil.which("pip-audit", path=str(Path(sys.executable).parent)) or shutil.which("pip-audit")
    if not program:
        return [], "pip-audit is not installed here: only .ci/advisories.toml was asked."
    command = [program, "-r", str(lock), "--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        answers = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return [], "pip-audit reached no source of advisories: only .ci/advisories.toml was asked."
    asked = [one for one in answers if "vulns" in one]
    found = [f"{one['name']} {one['version']} is affected by {flaw['id']}" for one in asked for flaw in one["vulns"]]
    return found, f"pip-audit knew {len(asked)} of {len(answers)} packages."


def main() -> int:
    """Print what is wrong, or that nothing is; 1 if anything is."""
    every = {lock: list(pins(lock.read_text())) for lock in LOCKS}
    known = advisories(ADVISORIES.read_text())
    found = [f"{lock.relative_to(ROOT)}: {one}" for lock, locked in every.items() for one in unpinned(locked)]
    found += not_as_locked(every[RUNNING])
    found += not_allowed(every[RUNNING])
    found += [f"{lock.relative_to(ROOT)}: {one}" for lock, locked in every.items() for one in unsafe(locked, known)]
    more, how_far = asked_elsewhere(RUNNING)
    for line in (found := found + more):
        print(line, file=sys.stderr)
    total = sum(map(len, every.values()))
    print(f"{total} locked packages, {len(known)} advisories by hand: {len(found) or 'nothing'} wrong. {how_far}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
