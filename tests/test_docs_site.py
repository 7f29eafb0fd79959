"""The documentation as a site (`make docs`): what of our Markdown is rewritten for Sphinx, and which links are lost."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

import docs_site as site  # noqa: E402


@pytest.mark.parametrize(
    ("path", "text", "becomes"),
    [
        ("docs/guide/player.md", "## Join {#join}", "(guide-player--join)=\n## Join"),
        ("docs/guide/de/player.md", "## Dabei {#join}", "(guide-de-player--join)=\n## Dabei"),
        ("docs/rules.md", "## 3 Pairing", "(rules--r-3)=\n## 3 Pairing"),
        ("docs/rules.md", "- **3.11** Tables", "- (rules--r-3-11)=\n  **3.11** Tables"),
        ("docs/guide/player.md", "[a](owner.md#staff)", "[a](#guide-owner--staff)"),
        ("docs/guide/player.md", "[a](#join)", "[a](#guide-player--join)"),
        ("docs/guide/player.md", "[rule 3.1](../rules.md#r-3-1)", "[rule 3.1](#rules--r-3-1)"),
        ("docs/guide/player.md", "[a](owner.md)", "[a](owner.md)"),
        ("docs/guide/player.md", "[a](https://example.com/#b)", "[a](https://example.com/#b)"),
        ("docs/guide/player.md", "[a](nowhere.md#b)", "[a](nowhere.md#b)"),
        ("docs/guide/de/index.md", "[a](nowhere.md#b)", "[a](nowhere.md#b)"),
        ("docs/guide/de/index.md", "[Regel 3.1](../../rules.md#r-3-1)", "[Regel 3.1](#rules--r-3-1)"),
        ("docs/guide/de/index.md", "[a](index.md#hurry)", "[a](#guide-de-index--hurry)"),
        ("README.md", "[what](NOTICE)", "what"),
        ("README.md", "`[a](owner.md#staff)`", "`[a](owner.md#staff)`"),
    ],
)
def test_markdown_is_rewritten(path: str, text: str, becomes: str):
    assert site.rewritten(path, text) == becomes


@pytest.fixture
def german_player(tmp_path, monkeypatch) -> Path:
    """A repository in which one page of two is translated."""
    for name in ("player", "owner", "de/player"):
        file = tmp_path / f"docs/guide/{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# Title\n", "utf-8")
    monkeypatch.setattr(site, "ROOT", tmp_path)
    return tmp_path


def test_a_page_links_to_itself_in_other_languages(german_player):
    pages = [f"docs/guide/{name}.md" for name in ("player", "de/player", "owner")]

    assert [site.rewritten(page, "# Title\n\nText.\n") for page in pages] == [
        "# Title\n\n[Deutsch](de/player.md)\n\nText.\n",
        "# Title\n\n[English](../player.md)\n\nText.\n",
        "# Title\n\nText.\n",
    ]
    assert "```{toctree}\n:caption: Guide (Deutsch)\n:maxdepth: 1\n\ndocs/guide/de/player.md\n```" in site.front()


def test_a_link_to_a_page_that_is_not_translated_leads_to_the_english_one(german_player):
    text = "[a](owner.md) [b](owner.md#staff) [c](player.md#join)"

    becomes = "[a](../owner.md) [b](#guide-owner--staff) [c](#guide-de-player--join)"
    assert site.rewritten("docs/guide/de/player.md", text) == becomes


def test_pictures_follow_day_and_night_and_a_film_waits_for_the_reader():
    picture = site.rewritten("docs/guide/player.md", "![Desk](images/en/overview-light.webp)")
    german = site.rewritten("docs/guide/de/player.md", "![Desk](../images/de/overview-light.webp)")
    film = site.rewritten("docs/guide/index.md", '![Round](images/en/film.webp "Watch it")')

    assert picture == (
        "![Desk](images/en/overview-light.webp){.only-light}![Desk](images/en/overview-dark.webp){.only-dark}"
    )
    assert german == "![Desk](../images/de/overview-light.webp)"
    assert film == "![Round](images/en/film-still.webp)\n\n[Watch it](images/en/film.webp)"


def test_every_page_is_on_the_site_once():
    front = site.front()

    for name in site.pages():
        assert front.count(f"\n{name}\n") == 1


def test_lost_links_and_what_is_loaded_from_elsewhere_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<link href="https://fonts.example/x.css"><a href="b.html#here">1</a><a href="b.html#gone">2</a>'
        '<a href="c.html">3</a><a href="https://example.com">4</a><a href="#top">5</a><h1 id="top">A</h1>'
    )
    (tmp_path / "b.html").write_text('<p id="here"></p><img src="missing.webp">')
    (tmp_path / "s.css").write_text("@import url(https://fonts.example/y.css); p { background: url(data:x) }")

    assert list(site.lost(tmp_path)) == [
        "a.html loads https://fonts.example/x.css",
        "a.html links to b.html#gone",
        "a.html links to c.html",
        "b.html links to missing.webp",
        "s.css loads https://fonts.example/y.css",
    ]


@pytest.mark.nightly
def test_the_site_is_built_without_a_warning_and_no_link_is_lost(tmp_path):
    pytest.importorskip("sphinx", reason="it comes with make docs")

    done = subprocess.run(
        [sys.executable, ROOT / ".ci/docs_site.py", tmp_path / "site"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list((tmp_path / "site").rglob("*.html"))) > len(site.pages())
    german = (tmp_path / "site/docs/guide/de/index.html").read_text("utf-8")
    assert '<article role="main" lang="de"' in german
    assert re.search(r'href="\.\./index\.html">(<[^>]+>)?English<', german)
