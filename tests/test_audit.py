"""The audit of the dependencies, as far as it needs no network; and the list of what we are made of."""

import hashlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

import audit  # noqa: E402

HASH = "a" * 64
LOCK = f"""\
kestrel==1.2 \\
    --hash=sha256:{HASH} \\
    --hash=sha256:{"b" * 64}
    # via
    #   flagship (pyproject.toml)
    #   lark
lark==3.0 ; sys_platform == 'nowhere' \\
    --hash=sha256:{HASH}
    # via flagship (pyproject.toml)
"""


def pins(text: str) -> list[audit.Pin]:
    return list(audit.pins(text))


@pytest.mark.parametrize("lock", audit.LOCKS, ids=lambda lock: str(lock.relative_to(ROOT)))
def test_every_locked_package_is_one_version_with_hashes_and_of_no_advisory(lock: Path):
    locked = pins(lock.read_text())

    assert locked
    assert audit.unpinned(locked) == []
    assert audit.unsafe(locked, audit.advisories(audit.ADVISORIES.read_text())) == []


@pytest.mark.parametrize("lock", audit.LOCKS, ids=lambda lock: str(lock.relative_to(ROOT)))
def test_no_lock_file_names_where_packages_come_from(lock: Path):
    assert "://" not in lock.read_text()


def test_what_runs_here_is_what_is_locked_and_of_an_allowed_licence():
    locked = pins(audit.RUNNING.read_text())

    assert audit.not_as_locked(locked) == []
    assert audit.not_allowed(locked) == []


def test_a_lock_file_is_read_with_hashes_and_markers():
    kestrel, lark = pins(LOCK)

    assert kestrel == audit.Pin("kestrel", "1.2", (HASH, "b" * 64), True)
    assert lark == audit.Pin("lark", "3.0", (HASH,), False)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f"kestrel>=1 --hash=sha256:{HASH}", ["kestrel is not pinned to one version"]),
        (f"kestrel==1.* --hash=sha256:{HASH}", ["kestrel is not pinned to one version"]),
        ("kestrel==1.2", ["kestrel has no hash"]),
        ("kestrel==1.2 --hash=sha256:abc", ["kestrel has no hash"]),
        ("kestrel", ["kestrel is not pinned to one version", "kestrel has no hash"]),
        (f"kestrel==1.2 --hash=sha256:{HASH}", []),
    ],
)
def test_what_is_not_pinned_with_a_hash_is_found(line: str, found: list[str]):
    assert audit.unpinned(pins(line)) == found


def test_another_version_than_the_locked_one_is_found_and_so_is_what_is_not_installed():
    locked = pins(f"django==1.0 --hash=sha256:{HASH}\nno-such-kestrel==1.2 --hash=sha256:{HASH}")

    installed, missing = audit.not_as_locked(locked)

    assert installed.startswith("django is installed as ")
    assert missing == "no-such-kestrel 1.2 is locked but not installed"


@pytest.mark.parametrize(
    ("expression", "is_allowed"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("(GPL-3.0-only OR MIT) AND Zlib", True),
        ("MIT AND GPL-3.0-only", False),
        ("MIT AND (GPL-3.0-only OR AGPL-3.0-only)", False),
        ("GPL-3.0-only", False),
        ("Apache-2.0 WITH LLVM-exception", False),
        ("True", False),
        ("(", False),
        ("", False),
    ],
)
def test_a_licence_is_allowed_if_the_listed_ones_satisfy_it(expression: str, is_allowed: bool):
    assert audit.is_allowed(expression) is is_allowed


@pytest.mark.parametrize(("version", "is_found"), [("1.1", True), ("1.2", False), ("2.0", True), ("2.0.1", False)])
def test_an_advisory_finds_the_versions_that_it_names(version: str, is_found: bool):
    known = [audit.Advisory("CVE-1", "kestrel", ("<1.2", ">=2,<2.0.1"), "It leaks.", "https://kestrel.example")]

    found = audit.unsafe(pins(f"kestrel=={version} --hash=sha256:{HASH}"), known)

    assert found == ([f"kestrel {version} is affected by CVE-1: It leaks."] if is_found else [])


def test_each_advisory_says_what_it_means_for_us_and_where_it_is_from_and_stands_there_once():
    known = audit.advisories(audit.ADVISORIES.read_text())

    assert len({(one.id, one.package) for one in known}) == len(known) > 0
    assert [one.id for one in known if not one.why.strip() or not one.affected] == []
    assert [one.id for one in known if not one.source.startswith("https://")] == []


def test_without_pip_audit_the_audit_says_that_only_the_list_was_asked(monkeypatch):
    monkeypatch.setattr(audit.shutil, "which", lambda *_, **__: None)

    assert audit.asked_elsewhere(audit.RUNNING) == (
        [],
        "pip-audit is not installed here: only .ci/advisories.toml was asked.",
    )


def test_the_bill_of_materials_lists_every_locked_package_and_is_the_same_each_time():
    sbom = pytest.importorskip("sbom", reason="its library comes with make sbom", exc_type=ImportError)
    text, project = audit.RUNNING.read_text(), {"name": "flagship", "version": "1", "description": "x"}

    written = sbom.bill(text, project)

    bill = json.loads(written)
    assert sbom.bill(text, project) == written
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert sorted(one["purl"] for one in bill["components"]) == sorted(
        [*(f"pkg:pypi/{pin.name}@{pin.version}" for pin in pins(text)), "pkg:npm/%40noble/hashes@2.4.0"]
    )
    assert all(one["hashes"] and one["licenses"] for one in bill["components"])
    needed = {one["ref"].partition("@")[0]: one.get("dependsOn", []) for one in bill["dependencies"]}
    assert any(one.startswith("pkg:pypi/sqlparse@") for one in needed["pkg:pypi/django"])
    assert "pkg:npm/%40noble/hashes@2.4.0" in needed["flagship"]


def test_the_bill_of_materials_has_the_hash_of_each_vendored_file_and_its_head_and_the_notice_name_it():
    sbom = pytest.importorskip("sbom", reason="its library comes with make sbom", exc_type=ImportError)
    bill = json.loads(sbom.bill("", {"name": "flagship", "version": "1", "description": "x"}))
    hashes = {one["purl"]: one["hashes"] for one in bill["components"]}

    assert {ROOT / file.path for file in sbom.VENDORED} == set((ROOT / "static/vendor").iterdir())
    for file in sbom.VENDORED:
        data = (ROOT / file.path).read_bytes()
        address = f"pkg:npm/{file.package.replace('@', '%40')}@{file.version}"
        assert hashes.pop(address) == [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}]
        assert f"{file.package}@{file.version}".encode() in data
        assert f"The {file.licence} License".encode() in data
        assert f"{file.path}  " in (ROOT / "NOTICE").read_text()
    assert not hashes
