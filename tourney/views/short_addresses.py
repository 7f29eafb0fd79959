"""/7F3: what people type who read it from a screen or from paper."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.urls.converters import StringConverter
from django.utils import timezone
from django.views.decorators.http import require_safe

from tourney import access
from tourney.domain.joining import LONGEST_WORD
from tourney.domain.short_codes import PATTERN
from tourney.queries.short_addresses import event_with_code, leads_to_join
from tourney.views.addresses import with_word


class ShortCode(StringConverter):
    """The code in an address, in capitals or not."""

    regex = PATTERN


@require_safe
def short_address(request: HttpRequest, code: str) -> HttpResponse:
    """To the event, or until play starts to the page to join, where a word that a QR code brought goes along."""
    event = access.found(event_with_code(code))
    if event.store.moved_to:
        return redirect("event", event.slug)
    if leads_to_join(event, access.player_at(request, event.store), timezone.now()):
        word = request.GET.get("word", "")[:LONGEST_WORD]
        return redirect(with_word(reverse("join", args=[event.slug]), word))
    return redirect("event", event.slug)
