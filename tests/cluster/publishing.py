"""A round is published on one host: how long until the phones on every host hear of it."""

import asyncio
import time
from http.client import HTTPConnection

from tests.attack.reading import forms_of
from tests.benchmarks.load import Browser, all_at_once
from tests.cluster.cluster import Cluster
from tests.cluster.programs import HERE
from tests.support.loops import run

PATIENCE = 30
TOKEN = "t" * 32


def published(hosts: Cluster, drafts: list[dict], phones: int) -> list[float]:
    """Seconds from each press of “Publish” to each of so many phones on every host."""
    return [taken for draft in drafts for taken in run(news_of(hosts, draft, phones))]


async def news_of(hosts: Cluster, draft: dict, phones: int) -> list[float]:
    ports = [site.port for site in hosts.sites for _ in range(phones)]
    watching = await all_at_once([lambda port=port: watch(port, draft["slug"]) for port in ports])
    press = await asyncio.to_thread(ready_to_publish, hosts.sites[0].port, draft)
    hearing = [asyncio.create_task(hear(*one)) for one in watching]
    start = time.perf_counter()
    await asyncio.to_thread(press)
    async with asyncio.timeout(PATIENCE):
        heard = await asyncio.gather(*hearing)
    for browser, _ in watching:
        await browser.close()
    return [at - start for at in heard]


async def watch(port: int, slug: str) -> tuple[Browser, int]:
    browser = await Browser.opened(port)
    answer = await browser.start(f"/e/{slug}/live/")
    assert answer.status == 200, answer
    return browser, await browser.next_version()


async def hear(browser: Browser, version: int) -> float:
    while await browser.next_version() <= version:  # said again every five seconds
        pass
    return time.perf_counter()


def ready_to_publish(port: int, draft: dict):
    """The organizer's finger over the button."""
    page = f"/e/{draft['slug']}/desk/rounds/1/"
    cookie = f"{draft['owner']}; csrftoken={TOKEN}"
    connection = HTTPConnection(HERE, port, timeout=PATIENCE)
    connection.request("GET", page, headers={"Cookie": cookie})
    answer = connection.getresponse()
    html = answer.read().decode()
    form = next(form for form in forms_of(html, page) if form.action.endswith("/publish/"))

    def press() -> None:
        from urllib.parse import urlencode

        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        fields = dict(form.fields) | {"csrfmiddlewaretoken": TOKEN}
        connection.request("POST", form.action, urlencode(fields), headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status in (302, 303), answer.status
        connection.close()

    return press
