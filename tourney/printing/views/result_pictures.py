"""Pictures of a finished event, each at an address of its own, as SVG and PNG: a player's result, and the ranks."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Event
from tourney.printing.domain.poster import Drawing
from tourney.printing.domain.result_pictures import THEMES, draw_event, draw_player
from tourney.printing.queries.result_pictures import event_result, player_result
from tourney.printing.views.poster import symbols_in
from tourney.queries.shared import shared_state
from tourney.runtime.messages import Message, message
from tourney.runtime.raster import png_of
from tourney.views import responses


@require_safe
@responses.live()
def player_picture(request: HttpRequest, event: Event, number: int, form: str) -> HttpResponse:
    """One player's rank, title and faction."""
    result = access.found(player_result(shared_state(event), number))
    name = message("{player} at {event}", player=result.place.name, event=event.name)
    return _picture(draw_player(result, _theme(request)), name, f"{event.slug}-{number}.{form}")


@require_safe
@responses.live()
def event_picture(request: HttpRequest, event: Event, form: str) -> HttpResponse:
    """The podium and the standings."""
    result = access.found(event_result(shared_state(event)))
    name = message("Final standings of {event}", event=event.name)
    return _picture(draw_event(result, _theme(request)), name, f"{event.slug}.{form}")


def _theme(request: HttpRequest) -> str:
    asked = request.GET.get("theme", "")
    return asked if asked in THEMES else "light"


def _picture(drawing: Drawing, name: Message, file: str) -> HttpResponse:
    """The drawing as an SVG, or as a PNG, by the name of the file."""
    svg = render_to_string("event/picture.svg", {"drawing": drawing, "name": name, "symbols": symbols_in(drawing)})
    if file.endswith(".png"):
        answer = HttpResponse(png_of(svg), content_type="image/png")
    else:
        answer = HttpResponse(svg, content_type="image/svg+xml")
    answer["Content-Disposition"] = f'inline; filename="{file}"'
    return answer
