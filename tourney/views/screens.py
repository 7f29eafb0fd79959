"""The desk's page for the screens in the room: which there are, and what is announced on them."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tourney import access
from tourney.actions import announcements
from tourney.actions.record import Refused
from tourney.forms.announcements import AnnouncementForm
from tourney.models import Event
from tourney.queries.state import state_of
from tourney.queries.wall import CHOICES, PANEL_NAMES, put_up
from tourney.runtime.messages import message
from tourney.views import frame, responses
from tourney.views.addresses import is_out_of_reach, reachable, typed
from tourney.views.wall import LOOKS, asked_context, screen_code, wall_context


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """Every kind of screen with its address and how it looks now; an announcement is typed here."""
    roles = access.ORGANIZERS if request.method == "POST" else access.DESK
    event = access.event_for(request, slug, *roles)
    form = AnnouncementForm(responses.posted(request))
    if request.method != "POST":
        return _show(request, event, form)
    if not form.is_valid():
        return _show(request, event, form, status=422)
    said = form.cleaned_data
    try:
        announcements.announce(event, said["text"], minutes=said["minutes"], by=responses.actor_of_request(request))
    except Refused as error:
        form.add_error(None, list(error.reasons))
        return _show(request, event, form, status=409)
    messages.success(request, str(message("Announced on screens and phones.")))
    return redirect("screens", slug)


@login_required
@require_POST
def take_down(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop showing the announcement with that text."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    announcements.take_down(event, request.POST.get("text", ""), by=responses.actor_of_request(request))
    messages.success(request, str(message("Announcement removed.")))
    return redirect("screens", slug)


def _show(request: HttpRequest, event: Event, form: AnnouncementForm, *, status: int = 200) -> HttpResponse:
    state = state_of(event)
    shown = wall_context(request, state)
    context = shown | frame.desk_context(
        request,
        state,
        "screens",
        form=form,
        up=put_up(event),
        panel_names=PANEL_NAMES,
        is_local=is_out_of_reach(request),
        address=typed(reachable(request, reverse("wall", args=[event.slug]))),
    )
    code = screen_code(event) if event.join_word else ""
    context |= {"screen": code, "address": f"{context['address']}?screen={code}" if code else context["address"]}
    context["choices"] = [
        (choice, asked_context(context, choice.show), *(_wall_url(event, choice.show, code, look) for look in LOOKS))
        for choice in CHOICES
    ]
    return responses.show(request, "desk/screens.html", context, status=status)


def _wall_url(event: Event, show: str, code: str, look: str) -> str:
    asked = {"show": show, "screen": code, "look": look}
    query = urlencode({name: value for name, value in asked.items() if value}, safe=",")
    return f"{reverse('wall', args=[event.slug])}?{query}"
