"""What programs ask of every site: robots.txt, security.txt, reports of the Content-Security-Policy, feature policy."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from logging.handlers import RotatingFileHandler

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.support.nights import make_night
from tourney.views.site import MOST_REPORT, PRIVATE, VALID_FOR

REPORTS = "/csp-reports/"
OLD_KIND = {
    "csp-report": {
        "document-uri": "http://localhost:8000/card/K3Y-OF-A-PLAYER/?word=secret",
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/steal.js?from=K3Y-OF-A-PLAYER",
    }
}
NEW_KIND = [
    {
        "type": "csp-violation",
        "body": {
            "documentURL": "http://localhost:8000/sign-in/",
            "effectiveDirective": "style-src-attr",
            "blockedURL": "inline",
        },
    }
]


def report(data: object, *, client: Client | None = None) -> int:
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return (client or Client()).post(REPORTS, body, content_type="application/csp-report").status_code


@contextmanager
def logged_lines() -> Iterator[list[str]]:
    """What goes to the log of reports meanwhile, instead of into its file."""
    log, lines = logging.getLogger("flagship.csp"), []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "handlers", [handler])
        yield lines


@pytest.mark.parametrize(
    "path",
    ["/card/abc/", "/set-up/abc/", "/invitation/abc/", "/e/night/desk/players/", "/e/night/me/", "/s/store/players/7/"],
)
def test_search_engines_are_told_to_leave_cards_links_and_people_alone(path):
    told = Client().get("/robots.txt").text

    assert f"User-agent: *\nDisallow: {PRIVATE[0]}\n" in told
    assert any(fnmatch(path, f"{line.removeprefix('Disallow: ')}*") for line in told.splitlines()[1:])


@pytest.mark.parametrize("path", ["/", "/s/store/", "/e/night/", "/e/night/standings/", "/s/store/campaigns/war/"])
def test_search_engines_may_read_what_is_played_where(path):
    told = Client().get("/robots.txt").text

    assert not any(fnmatch(path, f"{line.removeprefix('Disallow: ')}*") for line in told.splitlines()[1:])


@override_settings(SECURITY_CONTACT=["mailto:security@store.example", "https://store.example/security"])
def test_security_txt_says_whom_to_tell_and_until_when_that_holds():
    lines = Client().get("/.well-known/security.txt").text.splitlines()

    expires = timezone.datetime.fromisoformat(lines[2].removeprefix("Expires: "))
    assert lines[:2] == ["Contact: mailto:security@store.example", "Contact: https://store.example/security"]
    assert timezone.now() < expires <= timezone.now() + VALID_FOR
    assert lines[3:] == ["Preferred-Languages: en"]


def test_without_a_contact_there_is_no_security_txt():
    assert Client().get("/.well-known/security.txt").status_code == 404


@pytest.mark.django_db
def test_pages_may_use_only_what_some_page_uses():
    night = make_night(players=2)

    policy = Client().get(reverse("wall", args=[night.event.slug]))["Permissions-Policy"]

    assert "screen-wake-lock=(self)" in policy
    assert "camera=()" in policy
    assert all(re.fullmatch(r"[a-z-]+=\((self)?\)", one) for one in policy.split(", "))


@pytest.mark.parametrize(
    ("sent", "logged"),
    [
        (OLD_KIND, "directive=script-src-elem blocked=https://evil.example page=card"),
        (NEW_KIND, "directive=style-src-attr blocked=inline page=sign_in"),
        (
            {"csp-report": {"effective-directive": "x\ny", "blocked-uri": "https://a b/", "document-uri": 7}},
            "directive=x blocked=? page=?",
        ),
        ({"csp-report": {"blocked-uri": "http://[", "document-uri": "http://["}}, "directive=? blocked=? page=?"),
    ],
)
def test_what_a_browser_refused_is_one_line_without_keys(sent, logged):
    with logged_lines() as lines:
        assert report(sent) == 204

    assert lines == [logged]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", 400),
        (b"\xff", 400),
        (b"[" * 10_000, 400),
        (b"9" * 10_000, 400),
        ([], 400),
        ([{"body": 7}], 400),
        ({"csp-report": None}, 400),
        (b" " * (MOST_REPORT + 1), 413),
    ],
)
def test_what_is_no_report_is_refused(sent, status):
    assert report(sent) == status


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=20), inner, max_size=4),
)
FIELDS = st.sampled_from(["document-uri", "effective-directive", "blocked-uri", "documentURL", "blockedURL"])


@given(st.dictionaries(FIELDS, JSON, max_size=5))
def test_whatever_stands_in_a_report_its_line_is_one_line(fields):
    with logged_lines() as lines:
        assert report({"csp-report": fields}) == 204

    assert len(lines) == 1
    assert re.fullmatch(r"directive=\S{1,40} blocked=\S{1,150} page=\S{1,40}", lines[0])


def test_the_log_of_reports_is_bounded():
    handlers = [one for one in logging.getLogger("flagship.csp").handlers if isinstance(one, RotatingFileHandler)]

    assert [(one.maxBytes, one.backupCount) for one in handlers] == [(200_000, 1)]
    assert settings.SECURE_CSP["report-uri"] == [REPORTS]
