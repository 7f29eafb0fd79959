"""What failed is told to whatever speaks Sentry's protocol, with nothing of anybody in it."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.receiving import receiver
from tests.support.serving import PATIENCE, ROOT
from tourney.runtime.release import release

FAIL = """
import logging, sys, types
import django
django.setup()
from django.urls import path
from tests.support.asking import Site

def fail(request, key):
    name = "Vor Kestrel"
    raise ValueError(f"{name} cannot be seated, card {key}")

urls = types.ModuleType("urls")
urls.urlpatterns = [path("card/<str:key>/", fail, name="card")]
urls.handler500 = "tourney.views.errors.server_error"
sys.modules["urls"] = urls
from django.conf import settings
settings.ROOT_URLCONF = "urls"
settings.MIDDLEWARE = []
headers = {"host": "testserver", "cookie": "card-1=S3CRET-COOKIE"}
body = [b"name=Vor+Kestrel"]
answer = Site().ask("/card/K3Y-OF-A-CARD/", headers, method="POST", query=b"word=amber", body=body)
print(answer.headers["x-request-id"], answer.headers["x-failure"], answer.status)
logging.getLogger("django.security.DisallowedHost").error("Invalid HTTP_HOST header: 'testserver'.")
logging.getLogger("tourney.anything").error("No news of %s", "Vor Kestrel")
import sentry_sdk
sentry_sdk.flush(20)
"""
PRIVATE = ("Vor", "Kestrel", "K3Y", "S3CRET", "amber", "127.0.0.1", "testserver")


def fail(tmp_path: Path, **more: str) -> str:
    own = {"DJANGO_SETTINGS_MODULE": "tourney.settings", "VAR_DIR": str(tmp_path)} | more
    done = subprocess.run(
        [sys.executable, "-c", FAIL], cwd=ROOT, env=os.environ | own, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def event_in(body: bytes) -> dict[str, Any]:
    """The event in an envelope: a line of headers, a line about the item, and the item."""
    lines = gzip.decompress(body).split(b"\n")
    assert json.loads(lines[1])["type"] == "event"
    return json.loads(lines[2])


def test_a_failure_is_told_with_where_and_in_which_version_and_nothing_of_anybody(tmp_path: Path):
    with receiver() as listening:
        said = fail(tmp_path, SENTRY_DSN=f"http://public@127.0.0.1:{listening.port}/7")
        sent = [listening.arrived.get(timeout=PATIENCE) for _ in range(2)]
    request, failure, status = said.split()
    events = [event_in(one.body) for one in sent]
    failed = next(one for one in events if "exception" in one)
    logged = next(one for one in events if "logentry" in one)
    (raised,) = failed["exception"]["values"]

    assert {one.path for one in sent} == {"/api/7/envelope/"}
    assert (status, failed["release"]) == ("500", release())
    assert (raised["type"], raised["stacktrace"]["frames"][-1]["function"]) == ("ValueError", "fail")
    assert (failed["transaction"], failed["tags"]["request"]) == ("card", request)
    assert failed["tags"]["failure"] == failure
    assert logged["logentry"] == {"message": "No news of %s"}
    everything = b"\n".join(gzip.decompress(one.body) for one in sent).decode()
    assert [word for word in PRIVATE if word in everything] == []


def test_without_an_address_nothing_of_it_is_loaded(tmp_path: Path):
    code = "import sys, django; django.setup(); print('sentry_sdk' in sys.modules, 'prometheus_client' in sys.modules)"
    own = {"DJANGO_SETTINGS_MODULE": "tourney.settings", "VAR_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ | own, capture_output=True, text=True)

    assert done.stdout == "False False\n"
