"""The language that a reader chooses: on this device, and with the player's card on the next one."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from tourney import access
from tourney.actions import player_cards
from tourney.views.addresses import speak


@csrf_exempt  # it changes words alone; its form stands on pages that are one for a room full of phones
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Back to the page, which is in that language from now on. Raises Http404 for a language there is none of."""
    code, back = (request.POST.get(name, "") for name in ("language", "next"))
    if code not in dict(settings.LANGUAGES):
        raise Http404
    player_cards.choose_language(access.viewer_of(request).keys.values(), code)
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return speak(redirect(back if is_ours else "/"), code)
