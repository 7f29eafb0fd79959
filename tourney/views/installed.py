"""What makes the site an app on a phone: its manifest, and the worker that keeps pages readable offline."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from tourney.views import responses

WORKER = settings.BASE_DIR / "static" / "js" / "sw.js"
SIZES = (192, 512)


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The worker, from the root so that it serves every page; it changes with every update of the site."""
    text = f'const BUILD = "{responses.build_id()[:12]}";\n{WORKER.read_text("utf-8")}'
    return HttpResponse(text, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


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
