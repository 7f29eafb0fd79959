"""A store that moves: its archive for its owners, where its events are that were called otherwise, and the way on."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tourney import access
from tourney.domain.store_file import as_bytes
from tourney.queries.store_archive import event_known_as, file_name, lines_of_store


def lead_on(request: HttpRequest, address: str, *, home: str, name: str = "") -> HttpResponse:
    """To the page that a store has elsewhere now. What somebody sends is not passed on: the answer says where to send
    it again, which is `home`. An open page that refreshes a part of itself goes there as a whole; its stream just ends,
    for a browser would try for ever to open it there.
    """
    if request.method not in ("GET", "HEAD"):
        return render(request, "store/moved.html", {"name": name, "address": home}, status=409)
    if request.headers.get("Accept") == "text/event-stream":
        return HttpResponse(status=204)
    if access.htmx_of(request):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


@never_cache
@login_required
@require_safe
def store_archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything of the store as one file (docs/store-archive.md), for its owners."""
    store = access.store_for(request, slug, *access.OWNERS)
    file = b"".join(as_bytes(lines_of_store(store)))
    told = {"Content-Disposition": f'attachment; filename="{file_name(store)}"'}
    return HttpResponse(file, content_type="application/gzip", headers=told)


@require_safe
def event_of_store(request: HttpRequest, slug: str, event: str, rest: str = "") -> HttpResponse:
    """To the event that this store knows by that name, or knew: another may have it here since the store came."""
    found = event_known_as(access.store_for(request, slug), event)
    if found is None:
        raise Http404
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    return redirect(reverse("event", args=[found.slug]) + rest + query)
