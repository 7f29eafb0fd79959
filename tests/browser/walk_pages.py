"""Every page and state, as a picture and as the sentences on it, to be looked at and read aloud: `make walk`.

They go to var/walk/<language>: a picture for each page and device, and the sentences of each kind of reader in their
order. IN=de walks them in German, FOR=player those of one kind of reader, DEVICE=phone on that device, THEME=dark by
night.
"""

import os
import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from tests.support.browsing import LAPTOP, PHONE
from tests.support.every_page import FOR_A_PLAYER, FOR_EVERYBODY, FOR_THE_OWNER, make_places
from tourney import access
from tourney.models import Store, User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("stores_on_request")]

READERS = {"everybody": FOR_EVERYBODY, "owner": FOR_THE_OWNER, "player": FOR_A_PLAYER}
WALL = {"width": 1920, "height": 1080}
DEVICES = {"phone": PHONE | {"device_scale_factor": 1}, "laptop": LAPTOP}
TEXTS = """() => {
  const lines = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const inline = new Set(["A", "B", "I", "EM", "STRONG", "SPAN", "ABBR", "SMALL", "TIME", "CODE", "SUP"]);
  let line = "";
  const end = () => { const text = line.trim().replace(/\\s+/g, " "); if (text) lines.push(text); line = ""; };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!["SCRIPT", "STYLE", "TEMPLATE"].includes(node.parentElement.tagName)) line += node.data;
    } else {
      if (!inline.has(node.tagName)) end();
      for (const name of ["aria-label", "placeholder", "title", "alt"]) {
        if (node.getAttribute(name)) lines.push(`[${name}] ${node.getAttribute(name)}`);
      }
    }
  }
  end();
  return lines;
}"""


@pytest.mark.parametrize("reader", [name for name in READERS if os.environ.get("FOR", name) == name])
def walk_every_page(open_page: Callable[..., Page], server: str, reader: str):
    language, places = os.environ.get("IN", "en"), make_places()
    folder = settings.BASE_DIR / "var/walk" / language
    folder.mkdir(parents=True, exist_ok=True)
    said: list[str] = []
    for device, facts in DEVICES.items():
        if os.environ.get("DEVICE", device) != device:
            continue
        page = open_page(facts, dark=os.environ.get("THEME") == "dark")
        page.context.add_cookies(
            [{"name": name, "value": value, "url": server} for name, value in cookies(reader, places)]
        )
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": server}])
        for number, path in enumerate(READERS[reader]):
            page.set_viewport_size(WALL if "/wall/" in path else facts["viewport"])
            page.goto(path.format(**places))
            name = re.sub(r"\W+", "-", path.replace("{", "").replace("}", "")).strip("-") or "front"
            page.screenshot(path=folder / f"{reader}-{number:03}-{name[:60]}-{device}.png", full_page=True)
            if device == "laptop":
                said += [f"\n## {reader}: {path}", *page.evaluate(TEXTS)]
    (folder / f"sentences-{reader}.txt").write_text("\n".join(said), encoding="utf-8")


def cookies(reader: str, places: dict[str, str]) -> list[tuple[str, str]]:
    """What the browser of such a reader sends."""
    if reader == "owner":
        client, name = Client(), settings.SESSION_COOKIE_NAME
        client.force_login(User.objects.get(username=f"owner@{places['store']}"))
        return [(name, client.cookies[name].value)]
    if reader == "player":
        return [(access.card_cookie(Store.objects.get(slug=places["store"])), places["card"])]
    return []
