"""Fleets from files, addresses and pasted text, to files and text, and onto paper."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from fleets.catalogue import find
from fleets.domain.foreign import Incoming, NotAFleet
from fleets.domain.intake import read, write
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.texts import as_text
from tourney import access
from tourney.actions import fleets as actions
from tourney.actions.record import Refused, Stamp
from tourney.forms.fleets import ImportForm
from tourney.models import Fleet, Player
from tourney.queries.build_sheets import blank_sheet_of, build_sheet_alone, build_sheet_of
from tourney.queries.fleets import state_of_fleet
from tourney.queries.state import state_of
from tourney.views import shell
from tourney.views.fleets.builder import address, stamp

MOST_NAMED = 12
FORMATS = {
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
        made = import_into(request, player, form, by=stamp(request, player))
        if len(made) == 1:
            return redirect(address(made[0]))
        if made:
            return redirect("my_fleets", slug)
        status = 422
    context = shell.store_context(request, player.store, player=player, form=form)
    return shell.show(request, "fleets/import.html", context, status=status)


def import_into(request: HttpRequest, player: Player, form: ImportForm, *, by: Stamp) -> list[Fleet]:
    """The fleets that the form brings, made for the player; none where the form says what is wrong with it."""
    if not form.is_valid():
        return []
    try:
        incoming = read(form.given, find)
        made = [actions.make_fleet(player, one.name[:50], by=by, sheet=one.sheet) for one in incoming]
    except NotAFleet as error:
        form.add_error("file" if form.cleaned_data.get("file") else "text", forms.ValidationError(str(error)))
        return []
    except Refused as error:
        form.add_error(None, list(error.reasons))
        return []
    _say(request, incoming, made)
    return made


def _say(request: HttpRequest, incoming: tuple[Incoming, ...], made: list[Fleet]) -> None:
    names = ", ".join(fleet.name for fleet in made)
    messages.success(request, f"Imported: {names}.")
    unknown = list(dict.fromkeys(title for one in incoming for title in one.not_recognised))
    if unknown:
        more = f" and {len(unknown) - MOST_NAMED} more" if len(unknown) > MOST_NAMED else ""
        listed = ", ".join(unknown[:MOST_NAMED])
        messages.warning(request, f"Not in the catalogue, so they stand there by hand: {listed}{more}.")


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


@require_safe
def fleet_sheet(request: HttpRequest, slug: str, fleet: int) -> HttpResponse:
    """The Fleet Build Sheet, for the screen and for paper."""
    row = access.fleet_for(request, slug, fleet, *access.DESK)
    fleet_state = state_of_fleet(row)
    if fleet_state.event:
        build = build_sheet_of(state_of(fleet_state.event), row.entrant.number, fleet_state)
    else:
        build = build_sheet_alone(fleet_state)
    back = address(row) if access.player_at(request, row.player.store) == row.player else ""
    context = shell.store_context(request, row.player.store, build=build, back=back)
    return shell.show(request, "fleets/sheet.html", context)


@login_required
@require_safe
def blank_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """An empty sheet for this event, to be printed and written by hand."""
    event = access.event_for(request, slug, *access.DESK)
    context = shell.event_context(request, event, build=blank_sheet_of(state_of(event)))
    return shell.show(request, "fleets/sheet.html", context)
