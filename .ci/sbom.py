"""python .ci/sbom.py FILE: what the server is made of, as CycloneDX 1.6 in JSON, from requirements.lock.

The same lock gives the same file, byte for byte: neither time nor serial number, all in order. Versions, hashes and
dependencies come from the lock, licences from the packages as installed; libraries that stand in our own tree come
from VENDORED, with the hash of the file. The bill is checked against the schema.
"""

import hashlib
import json
import re
import sys
import tomllib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

sys.path.insert(0, str(Path(__file__).parent))

from audit import ROOT, RUNNING, Pin, licence_of, pins


@dataclass(frozen=True, slots=True)
class VendoredFile:
    """A file of our tree (path from the root) that was made from an npm package; `licence` is an SPDX expression."""

    path: str
    package: str
    version: str
    licence: str


VENDORED = (VendoredFile("static/vendor/noble-sha256.js", "@noble/hashes", "2.4.0", "MIT"),)


def needs(text: str) -> dict[str, set[str]]:
    """Of each package those that need it, as the comments of the lock say (`# via`)."""
    found: dict[str, set[str]] = {}
    name = ""
    for line in text.splitlines():
        if line[:1].isalnum():
            name = re.split(r"[=<>~!\[ ;]", line, maxsplit=1)[0]
            found[name] = set()
        elif (comment := line.strip()).startswith("#"):
            user = comment.removeprefix("#").strip().removeprefix("via").strip().split(" ")[0]
            found.setdefault(name, set()).update({user} if user else set())
    return found


def component(pin: Pin, licences: LicenseFactory) -> Component:
    """A library with its address, hashes and licence."""
    address = PackageURL("pypi", name=pin.name, version=pin.version)
    try:
        licence = licence_of(distribution(pin.name))
    except PackageNotFoundError:  # for another system
        licence = ""
    return Component(
        name=pin.name,
        version=pin.version,
        type=ComponentType.LIBRARY,
        bom_ref=address.to_string(),
        purl=address,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in sorted(pin.hashes)],
        licenses=[licences.make_from_string(licence)] if licence else [],
    )


def vendored_component(file: VendoredFile, licences: LicenseFactory) -> Component:
    """A library of which a file is ours, with the hash of that file."""
    group, _, name = file.package.rpartition("/")
    address = PackageURL("npm", namespace=group or None, name=name, version=file.version)
    return Component(
        name=name,
        group=group or None,
        version=file.version,
        type=ComponentType.LIBRARY,
        bom_ref=address.to_string(),
        purl=address,
        description=f"as {file.path}, to which the hash belongs",
        hashes=[
            HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256((ROOT / file.path).read_bytes()).hexdigest())
        ],
        licenses=[licences.make_from_string(file.licence)],
    )


def bill(text: str, project: dict) -> str:
    """The whole bill as JSON. Raises ValueError if it is not what the schema says."""
    licences = LicenseFactory()
    bom = Bom()
    ours = Component(
        name=project["name"],
        version=project["version"],
        type=ComponentType.APPLICATION,
        bom_ref=project["name"],
        description=project["description"],
    )
    bom.metadata.component = ours
    parts = {pin.name: component(pin, licences) for pin in pins(text)}
    vendored = [vendored_component(file, licences) for file in VENDORED]
    bom.components.update([*parts.values(), *vendored])
    users: dict[str, list[Component]] = {name: [] for name in (ours.name, *parts)}
    for name, needed_by in needs(text).items():
        for user in needed_by & users.keys():
            users[user].append(parts[name])
    users[ours.name] += vendored
    for user, needed in users.items():
        bom.register_dependency(ours if user == ours.name else parts[user], needed)
    written = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=2)
    found = json.loads(written)
    del found["serialNumber"], found["metadata"]["timestamp"]
    written = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(written):
        raise ValueError(str(wrong))
    return written


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    written = bill(RUNNING.read_text(), project)
    Path(sys.argv[1]).write_text(written)
    print(f"{sys.argv[1]}: {written.count('"bom-ref": "pkg:')} packages, CycloneDX 1.6")
    return 0


if __name__ == "__main__":
    sys.exit(main())
