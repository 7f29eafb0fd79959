"""Fleets from files, addresses and pasted text, to files and text."""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from fleets.catalogue import find
from fleets.domain.foreign import NotAFleet
from fleets.domain.intake import read, write
from fleets.domain.sheet import Sheet
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.texts import as_text
from tourney import access
from tourney.actions import fleets as actions
from tourney.actions.record import Actor, Refused, locked
from tourney.forms.fleets import ImportForm
from tourney.models import Event, Fleet, Player
from tourney.runtime.isolated import call_if_large
from tourney.views import responses
from tourney.views.fleets.builder import address, stamp

MOST_NAMED = 12
FORMATS: dict[str, tuple[str, str, Callable[[Sheet, str], bytes]]] = {
    "text": ("txt", "text/plain; charset=utf-8", lambda sheet, name: as_text(sheet, name).encode()),
    "spacedock": ("spacedock", "application/json", write_fleet),
    "json": ("json", "application/json", write),
}


@require_http_methods(["GET", "HEAD", "POST"])
def import_fleets(request: HttpRequest, slug: str) -> HttpResponse:
    """Fleets from elsewhere become fleets of the player; what was not recognised is listed."""
    player = access.player_or_404(request, slug)
    form = ImportForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    status = 200
    if request.method == "POST":
        if imported := import_into(player, form, by=stamp(request, player)):
            imported.say(request)
            several = len(imported.fleets) > 1
            return redirect("my_fleets", slug) if several else redirect(address(imported.fleets[0]))
        status = 422
    context = responses.store_context(request, player.store, player=player, form=form)
    return responses.show(request, "fleets/import.html", context, status=status)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The fleets that were made, and what stands on them by hand because no catalogue knows it."""

    fleets: tuple[Fleet, ...]
    not_recognised: tuple[str, ...]

    def say(self, request: HttpRequest) -> None:
        """Tell it on the next page."""
        messages.success(request, f"Imported: {', '.join(fleet.name for fleet in self.fleets)}.")
        if unknown := self.not_recognised:
            more = f" and {len(unknown) - MOST_NAMED} more" if len(unknown) > MOST_NAMED else ""
            listed = ", ".join(unknown[:MOST_NAMED])
            messages.warning(request, f"Not in the catalogue, so they stand there by hand: {listed}{more}.")


def _call[*Given, Answer](function: Callable[[*Given], Answer], *given: *Given) -> Answer:
    """What the function makes of a file and more; of a large one in a process of its own. Raises NotAFleet."""
    return call_if_large(function, *given, refusal=NotAFleet)  # type: ignore[arg-type]  # a file comes first


def import_into(player: Player, form: ImportForm, *, by: Actor, event: Event | None = None) -> ImportResult | None:
    """Make the fleets that the form brings for the player: all of them, or none and the form says what is wrong.

    An event at which one of them is to fly is locked first, once the file has been read.
    """
    if not form.is_valid():
        return None
    try:
        incoming = read(form.given, find, _call)
        with transaction.atomic():
            if event:
                locked(event)
            made = [actions.make_fleet(player, one.name[:50], by=by, sheet=one.sheet) for one in incoming]
    except NotAFleet as error:
        form.add_error("file" if form.cleaned_data.get("file") else "text", forms.ValidationError(str(error)))
        return None
    except Refused as error:
        form.add_error(None, list(error.reasons))
        return None
    return ImportResult(tuple(made), tuple(dict.fromkeys(title for one in incoming for title in one.not_recognised)))


@require_safe
def fleet_file(request: HttpRequest, slug: str, fleet: int, form: str) -> HttpResponse:
    """The fleet as a file: text, .spacedock, or our own JSON."""
    if form not in FORMATS:
        raise Http404
    row = access.fleet_for(request, slug, fleet, *access.DESK)
    ending, kind, write_it = FORMATS[form]
    response = HttpResponse(write_it(row.sheet, row.name), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{slugify(row.name) or "fleet"}.{ending}"'
    return response
