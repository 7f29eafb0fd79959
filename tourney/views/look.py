"""The look of a store: the owners' page, and the two files that everybody's pages get of it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from tourney import access
from tourney.actions import stores
from tourney.domain.branding import name_of_stylesheet, stylesheet
from tourney.forms.look import LookForm
from tourney.queries.stores import logo_of
from tourney.runtime.messages import message
from tourney.views import responses

FOR_EVER = "public, max-age=31536000, immutable"
"""The address of a file follows its content: another content is another address."""


@login_required
def store_look(request: HttpRequest, slug: str) -> HttpResponse:
    """The color and the logo of the store, for owners."""
    store = access.store_for(request, slug, *access.OWNERS)
    form = LookForm(responses.posted(request), request.FILES if request.method == "POST" else None, store)
    if form.is_valid():
        stores.change_look(
            store,
            accent=form.cleaned_data["accent"],
            logo=form.cleaned_data["logo"],
            removes_logo=form.cleaned_data.get("remove_logo", False),
            by=responses.actor_of_request(request),
        )
        messages.success(request, str(message("Saved.")))
        return redirect("store_look", store.slug)
    context = responses.store_context(request, store, section="settings", form=form)
    return render(request, "store/look.html", context, status=422 if form.is_bound else 200)


@require_safe
def store_look_css(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The style sheet with the store's color. To an old page it is the one of now, which no browser is to keep."""
    store = access.store_for(request, slug)
    if not store.accent:
        raise Http404
    is_this = name == name_of_stylesheet(store.accent)
    headers = {"Cache-Control": FOR_EVER if is_this else "no-cache"}
    return HttpResponse(stylesheet(store.accent), content_type="text/css", headers=headers)


@require_safe
def store_logo(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The file of the store's logo: a picture and nothing else, whoever opens it."""
    store = access.store_for(request, slug)
    file = access.found(logo_of(store) if name == store.logo else None)
    headers = {"Cache-Control": FOR_EVER, "Content-Security-Policy": "default-src 'none'; sandbox"}
    return HttpResponse(bytes(file.content), content_type=f"image/{file.kind}", headers=headers)
