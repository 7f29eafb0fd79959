"""The bonuses of an event whose month pack lacks them: typed from the kit's sheet, or the reminder dismissed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from scoring.domain.pack_sheet import lines_of
from tourney import access
from tourney.actions import events
from tourney.actions.record import Refused
from tourney.forms.bonuses import SheetForm
from tourney.models import Event
from tourney.queries.packs import may_type_bonuses, own_pack_called
from tourney.queries.state import state_of
from tourney.runtime.messages import message
from tourney.views import frame, responses


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bonuses(request: HttpRequest, slug: str) -> HttpResponse:
    """The lines of the sheet: what the event has of them, or else what the store typed for another of that month."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    if request.method != "POST" and not may_type_bonuses(event):
        return redirect("event_settings", slug)
    form = _form(request, event)
    status, by = 422 if form.is_bound else 200, responses.actor_of_request(request)
    try:
        if request.POST.get("do") == "dismiss":
            events.dismiss_bonuses(event, by=by)
            return redirect("desk", slug)
        if form.is_valid() and form.bonuses is not None:
            events.type_bonuses(event, form.bonuses, by=by)
            messages.success(
                request, str(message("The bonuses are saved. Everyone sees them now, and result forms ask for them."))
            )
            return redirect("desk", slug)
    except Refused as error:
        form.add_error(None, list(error.reasons))
        status = 409
    if form.is_bound:
        frame.autofocus_first_error(form, "bonus-1-name")
    context = frame.desk_context(request, state_of(event), "settings", form=form, sheet=form)
    return responses.show(request, "desk/bonuses.html", context, status=status)


def _form(request: HttpRequest, event: Event) -> SheetForm:
    rules = event.pack.rules
    found = own_pack_called(event.store, rules) if not rules.bonuses_known else None
    return SheetForm(responses.posted(request), lines=lines_of(found.rules if found else rules), is_needed=True)
