"""What makes the site an app on a phone: its manifest, and the worker that keeps pages readable offline."""

import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from tourney.runtime.locale_files import SCRIPTS_FOLDER
from tourney.views import responses

WORKER = settings.BASE_DIR / "static" / "js" / "sw.js"
SIZES = (192, 512)


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
    icons = [
        {
            "src": static(f"img/icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "any maskable",
        }
        for size in SIZES
    ]
    facts = {
        "name": "Flagship",
        "short_name": "Flagship",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#eff3f6",
        "theme_color": "#10263d",
        "icons": icons,
    }
    return JsonResponse(facts, content_type="application/manifest+json")
