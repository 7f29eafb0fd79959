"""Several hosts answer for one site: what one said, another one knows."""

import os
import shutil
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import RequestFactory, override_settings
from whitenoise.middleware import WhiteNoiseMiddleware

from tourney.views.responses import build_of

LONG_AGO = 1_000_000_000


@pytest.fixture
def hosts(tmp_path: Path) -> list[Path]:
    """The same files in two places, unpacked at different times."""
    first, second = tmp_path / "first", tmp_path / "second/deeper"
    for name in ("templates/page.html", "static/a.css", "tourney/views.py"):
        file = first / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"What {name} says.")
    shutil.copytree(first, second)
    for file in second.rglob("*"):
        os.utime(file, (LONG_AGO, LONG_AGO))
    return [first, second]


def test_the_same_files_are_the_same_build_wherever_and_whenever_they_were_unpacked(hosts):
    before = [build_of(host) for host in hosts]

    page = hosts[1] / "templates/page.html"
    page.write_text("What templates/page.html SAYS.")
    os.utime(page, (LONG_AGO, LONG_AGO))

    assert before[0] == before[1] != build_of(hosts[1])


def test_the_same_static_file_has_the_same_tag(hosts):
    tags = [tag_of_static_file(host / "static") for host in hosts]

    (hosts[1] / "static/a.css").write_text("What static/a.css SAYS.")

    assert tags[0] == tags[1] != tag_of_static_file(hosts[1] / "static")


def tag_of_static_file(folder: Path) -> str:
    with override_settings(STATIC_ROOT=folder, WHITENOISE_KEEP_ONLY_HASHED_FILES=False):
        files = WhiteNoiseMiddleware(lambda request: HttpResponse(status=404))
        return files(RequestFactory().head("/static/a.css"))["ETag"]
