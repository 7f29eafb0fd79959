"""What makes the site an app on a phone: its manifest, and the worker that keeps pages readable offline."""

import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Event
from tourney.queries.campaigns import home_of
from tourney.queries.my_card import tonight_of
from tourney.queries.shared import shared_state
from tourney.runtime import locales
from tourney.runtime.locale_files import SCRIPTS_FOLDER
from tourney.runtime.messages import message
from tourney.views import responses

WORKER = settings.BASE_DIR / "static" / "js" / "sw.js"
SIZES = (192, 512)
SHORTCUTS = {"table": message("My table"), "pairings": message("Pairings"), "standings": message("Standings")}
"""What a phone offers at the icon on its home screen, by the name in the address."""


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The worker, from the root so that it serves every page; it changes with every update of the site."""
    script = WORKER.read_text("utf-8")
    said = {code: _said_by(script, code) for code, _ in settings.LANGUAGES}
    words = json.dumps({code: texts for code, texts in said.items() if texts}, ensure_ascii=False)
    text = f'const BUILD = "{responses.build_id()[:12]}";\nconst WORDS = {words};\n{script}'
    return HttpResponse(text, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@cache
def _said_by(script: str, language: str) -> dict[str, str]:
    """The sentences of that script in that language, by their ids: the worker can wait for no file of words."""
    place = finders.find(f"{SCRIPTS_FOLDER}/{language}.json")
    said = json.loads(Path(place).read_text("utf-8"))["said"] if place else {}
    return {id: text for id, text in said.items() if f'gettext("{id}")' in script}


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What the worker shows in place of a page that it did not keep; it adds what it did. It has nothing personal."""
    return HttpResponse(render_to_string("offline.html"))


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Name, colours and icons for a phone's home screen."""
    return _manifest({"name": "Flagship", "short_name": "Flagship", "start_url": "/"})


@require_safe
def store_manifest(request: HttpRequest, slug: str) -> JsonResponse:
    """The same for the players of a store: it opens at their card, with shortcuts to what they look for tonight.

    Browsers ask for it without cookies, so it is in the store's language.
    """
    store = access.store_for(request, slug)
    start = reverse("my_card", args=[store.slug])
    with translation.override(locales.language_at(store.locale)):
        shortcuts = [
            {"name": str(name), "url": reverse("tonight", args=[store.slug, what])} for what, name in SHORTCUTS.items()
        ]
    facts = {"id": start, "name": store.name, "short_name": store.name, "start_url": start, "scope": "/"}
    return _manifest(facts | {"shortcuts": shortcuts})


@require_safe
def tonight(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """On from a shortcut to that page of the event that is on: the player's own, or else the store's.

    Without one to the player's card.
    """
    store, now = access.store_for(request, slug), timezone.now()
    if what not in SHORTCUTS:
        raise Http404
    player = access.player_at(request, store)
    event = (tonight_of(player, now, access.last_event(request)) if player else None) or next(
        (month.event for month in home_of(store, now).tonight), None
    )
    if event is None:
        return redirect("my_card", store.slug)
    if what == "pairings":
        return redirect(_last_round(access.event_for(request, event.slug)))
    return redirect("me" if what == "table" else what, event.slug)


def _last_round(event: Event) -> str:
    """The address of the event's last public round, or of the event before the first."""
    rounds = shared_state(event).public_rounds
    return reverse("pairings", args=[event.slug, rounds[-1].number]) if rounds else event.get_absolute_url()


def _manifest(facts: dict[str, object]) -> JsonResponse:
    icons = [
        {
            "src": static(f"img/icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "any maskable",
        }
        for size in SIZES
    ]
    look = {"display": "standalone", "background_color": "#eff3f6", "theme_color": "#10263d", "icons": icons}
    return JsonResponse(facts | look, content_type="application/manifest+json")
