"""Pages in a real Chromium: `laptop`, `phone`, `open_page`. What the console complains of fails the test."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.browsing import LAPTOP, MOST_WAIT, PHONE, Watch, chromium, launched

expect.set_options(timeout=MOST_WAIT)

HURRY = """
const everySo = window.setInterval;
window.setInterval = (what, pause, ...more) => everySo(what, pause === 5000 ? 1000 : pause, ...more);
"""
ONLY_TOLD = """
for (const name of ["setInterval", "setTimeout"]) {
  const real = window[name];
  window[name] = (what, pause, ...more) => (pause >= 5000 ? 0 : real(what, pause, ...more));
}
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, for the tests of this folder: its event loop must not be in the way of other tests."""
    program = chromium()
    if program is None:
        missing = "No Chromium found: install the package chromium, or set CHROMIUM to the program."
        if os.environ.get("BROWSER_TESTS") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # The loop of Playwright runs in this thread; Django would take the tests' own queries for async code.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        chrome = launched(playwright.chromium, program)
        yield chrome
        chrome.close()


@pytest.fixture
def server(live_server) -> str:
    """The address of the site, on the test database; what a test commits is there."""
    return live_server.url


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """`open_page(LAPTOP)`, `open_page(PHONE, dark=True)`: a page of `server` with cookies of its own.

    What a page asks every five seconds it asks every second here, unless it is `patient`; one that is `only_told` never
    asks by the clock, so that what it shows it was told.
    """
    contexts, watch = [], Watch(server)

    def open_page(
        device: dict,
        *,
        dark: bool = False,
        javascript: bool = True,
        worker: bool = False,
        patient: bool = False,
        only_told: bool = False,
    ) -> Page:
        context = browser.new_context(
            **device,
            service_workers="allow" if worker else "block",
            base_url=server,
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            reduced_motion="reduce",
        )
        context.set_default_timeout(MOST_WAIT)
        if not patient:
            context.add_init_script(ONLY_TOLD if only_told else HURRY)
        contexts.append(context)
        page = context.new_page()
        watch.over(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    until_nobody_is_answered()
    assert watch.complaints == []


STILL_ANSWERED = """
    SELECT pg_sleep(0.02) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' AND state <> 'idle'
"""


def until_nobody_is_answered() -> None:
    """Pages that are closed may have asked something just before; the tables are emptied after that."""
    with connection.cursor() as cursor:
        for _ in range(500):
            cursor.execute(STILL_ANSWERED)
            if cursor.fetchone() is None:
                return


@pytest.fixture
def laptop(open_page: Callable[..., Page]) -> Page:
    return open_page(LAPTOP)


@pytest.fixture
def phone(open_page: Callable[..., Page]) -> Page:
    return open_page(PHONE)
