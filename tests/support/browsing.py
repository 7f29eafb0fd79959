"""What the browser tests look with: devices, Chromium, a watch over each page, and axe-core."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserType, ConsoleMessage, Error, Page, Request, Response

from tests.support.tenth import everything_runs

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "has_touch": True,
    "is_mobile": True,
}
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core whose answer may be another by night than by day."""
RUN_AXE = "options => axe.run(options).then(found => found.violations)"
MOST_WAIT = 60_000
"""Milliseconds after which a page that does not show what it should has failed: no measure of speed, which is for the
benchmarks, but the end of a test that would wait for ever. Whoever waits goes on the moment it is there."""
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Of the program, the quickest first: without a window to draw, the tests take two thirds of the time."""
PLACES = ("/usr/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
ON_THE_WAY = (
    "Failed to load resource",
    "Response Status Error Code 4",
    "Response Status Error Code 503",
    "htmx:sendError",
    "htmx:sendAbort",
    "htmx:afterRequest",
)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
)
NOWHERE = "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
"""No host but this computer."""
FONTS = {"FONTCONFIG_FILE": str(Path(__file__).parents[1] / "fonts.conf")}


def chromium() -> str | None:
    """The program named by `CHROMIUM`, or the first Chromium or Chrome of this computer."""
    found = (os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), *filter(os.path.exists, PLACES))
    return next(filter(None, found), None)


def launched(kind: BrowserType, program: str, *more: str, hosts: str = NOWHERE) -> Browser:
    """That Chromium with our fonts, told `more`; `hosts` says which addresses lead where."""
    arguments = [*QUIET, *more, f"--host-resolver-rules={hosts}"]
    return kind.launch(executable_path=program, args=arguments, env=os.environ | FONTS)


def assert_accessible(page: Page) -> None:
    """With --all, axe-core finds nothing on the page as it is now, in the middle of a story.

    With each change it looks once at each of the templates that a night cannot do without, and at a tenth of the
    others: tests/browser/test_every_page.py.
    """
    if everything_runs():
        assert violations(page) == [], page.url


def assert_accessible_by_day_and_night(page: Page) -> None:
    """With each change, for what no page shows by its address, as a dialog: by night the colours alone are others."""
    assert violations(page) == [], page.url
    page.emulate_media(color_scheme="dark")
    assert violations(page, rules=COLOURS) == [], page.url
    page.emulate_media(color_scheme="light")


def violations(page: Page, *, rules: Sequence[str] = (), without: Sequence[str] = ()) -> list[str]:
    """What axe-core finds on the page as it is now, by all its rules but some, or by these: a sentence for each."""
    if not page.evaluate("() => Boolean(window.axe?.run)"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in without}}
    if rules:
        options["runOnly"] = list(rules)
    return [
        f"{found['id']} ({found['impact']}), {found['help']}: {node['target']} {node['html'][:200]}"
        for found in page.evaluate(RUN_AXE, options)
        for node in found["nodes"]
    ]


@dataclass
class Watch:
    """Collects what a page may not do: script errors, breaches of the CSP, server errors, other hosts."""

    server: str
    complaints: list[str] = field(default_factory=list)

    def over(self, page: Page) -> "Watch":
        page.on("console", self.console)
        page.on("pageerror", self.error)
        page.on("request", self.request)
        page.on("response", self.response)
        return self

    def console(self, message: ConsoleMessage) -> None:
        # A refused form (422), a missing page (404) or a lost network may be what the test is about: see `response`.
        is_expected = message.text.startswith(ON_THE_WAY)
        if message.type == "error" and not is_expected:
            self.complaints.append(f"console: {message.text}")

    def error(self, error: Error) -> None:
        self.complaints.append(f"script: {error.message}")

    def request(self, request: Request) -> None:
        elsewhere = not request.url.startswith(f"{self.server}/")
        if elsewhere and urlsplit(request.url).scheme in ("http", "https", "ws", "wss"):
            self.complaints.append(f"other host: {request.url}")

    def response(self, response: Response) -> None:
        part_of_a_page = response.request.resource_type not in ("document", "xhr", "fetch")
        is_said = response.status == 503 and "retry-after" in response.headers  # away, and the page says so
        if (response.status >= 500 and not is_said) or (response.status >= 400 and part_of_a_page):
            self.complaints.append(f"{response.status}: {response.url}")
