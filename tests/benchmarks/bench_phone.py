"""My page on a slow network: until it can be read and touched, with and without what the phone keeps."""

from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect, sync_playwright

from tests.benchmarks.bench_night import milliseconds, table
from tests.support.browsing import PHONE, QUIET, chromium
from tests.support.built_fleets import bring_all
from tests.support.line import line_to
from tests.support.nights import BY, make_night
from tests.support.serving import served
from tourney import access
from tourney.actions import player_cards

pytestmark = pytest.mark.django_db(transaction=True)

NETWORKS = {"no limit": (0, 0), "Slow 3G": (2, 50_000)}
"""Seconds until a question is heard, bytes per second of all answers: as the developer tools of Chromium preset it."""

RUNS = 5
SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PAINTED = """
    window.painted = {lcp: 0, cls: 0, tbt: 0};
    const each = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note))
        .observe({type, buffered: true});
    each("largest-contentful-paint", (entry) => { painted.lcp = entry.startTime; });
    each("layout-shift", (entry) => { if (!entry.hadRecentInput) painted.cls += entry.value; });
    each("longtask", (entry) => { painted.tbt += Math.max(0, entry.duration - 50); });
"""
MINUTE = 60_000  # ms


def bench_my_page_on_a_slow_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop runs in this thread
    night = make_night(players=24, rounds=1, open_round=True)
    bring_all(night.event)
    player, path = night.event.entrants.first().player, reverse("me", args=[night.event.slug])
    cookie = {"name": access.card_cookie(night.store), "value": player_cards.issue(player, by=BY)}
    rows = [("network", "first time", "again, shown", "again, up to date")]
    with served(tmp_path) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for name, (latency, rate) in NETWORKS.items():
            with line_to(running.port, latency=latency, rate=rate) as line:
                rows.append((name, *map(milliseconds, opened(browser, f"http://localhost:{line.port}", path, cookie))))
        browser.close()
    table("My page on a phone, until it is there with its scripts (“up to date”: no mark “as of” any more)", rows)


def opened(browser: Browser, server: str, path: str, cookie: dict) -> tuple[float, float, float]:
    """Seconds of the first visit; of the third until it is shown, and until it is known to be of now."""
    context = browser.new_context(**PHONE, base_url=server)
    context.set_default_timeout(MINUTE)
    context.add_cookies([cookie | {"url": server}])
    page = context.new_page()
    start = perf_counter()
    page.goto(path)
    first = perf_counter() - start
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto(path)
    expect(page.locator(".network")).to_have_count(0, timeout=MINUTE)
    page.goto("about:blank")
    start = perf_counter()
    page.goto(path)
    shown = perf_counter() - start
    expect(page.locator(".network")).to_have_count(0, timeout=MINUTE)
    now = perf_counter() - start
    context.close()
    return first, shown, now


def bench_the_event_page_on_slow_3g(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """400 kbit/s, 400 ms there and back, a processor four times slower; the second visit has a service worker."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop runs in this thread
    nights = [make_night(players=players, rounds=2, open_round=True) for players in (24, 128)]
    rows = [("players", "visit", "LCP", "CLS", "TBT")]
    with served(tmp_path) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for night, players in zip(nights, (24, 128), strict=True):
            address = f"http://localhost:{running.port}{night.event.get_absolute_url()}"
            visits = [visits_on_slow_3g(browser, address) for _ in range(RUNS)]
            for name, figures in zip(("first", "second"), zip(*visits, strict=True), strict=True):
                lcp, cls, tbt = (median(found) for found in zip(*figures, strict=True))
                rows.append((str(players), name, f"{lcp:.0f} ms", f"{cls:.3f}", f"{tbt:.0f} ms"))
        browser.close()
    table(f"The page of an event on slow 3G (median of {RUNS})", rows)


def visits_on_slow_3g(browser: Browser, address: str) -> list[tuple[float, float, float]]:
    """Largest contentful paint (ms), layout shift and total blocking time (ms) of a first and a second visit."""
    context = browser.new_context(**PHONE)
    found = []
    for _ in range(2):
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", SLOW_3G)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.add_init_script(PAINTED)
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_load_state("networkidle") if not found else page.wait_for_function("painted.lcp > 0")
        found.append(tuple(page.evaluate("[painted.lcp, painted.cls, painted.tbt]")))
        page.close()
    context.close()
    return found
