"""What a store's new events begin with: a page of the store, and a press at an event."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tourney import access
from tourney.actions import templates
from tourney.forms.templates import TemplateForm
from tourney.runtime.messages import message
from tourney.views import responses


@login_required
def event_template(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings for new events of the store."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    form = TemplateForm(responses.posted(request), template=store.template)
    if form.is_valid():
        templates.change_template(store, form.typed, by=responses.actor_of_request(request))
        messages.success(request, str(message("Settings saved.")))
        return redirect("event_template", store.slug)
    context = responses.store_context(request, store, section="settings", form=form)
    return render(request, "store/event_template.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def use_as_template(request: HttpRequest, slug: str) -> HttpResponse:
    """The store's new events begin with the settings of this one."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    template = templates.template_from(event)
    templates.change_template(event.store, template, by=responses.actor_of_request(request))
    messages.success(request, str(message("New events start with these settings.")))
    return redirect("event_template", event.store.slug)
