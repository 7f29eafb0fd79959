"""The card catalogue: what is in it, a file to bring it up to date, and a search."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions.catalogue import take_over
from tourney.forms.cards import CatalogueForm
from tourney.queries.cards import found_cards, holdings
from tourney.runtime.installation import command
from tourney.views import responses


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest, slug: str) -> HttpResponse:
    """Whoever runs events may look; owners import."""
    store = access.store_for(request, slug, *access.DESK)
    may_import = access.role_at(request, store) in access.OWNERS
    if request.method == "POST" and not may_import:
        raise Http404
    form = CatalogueForm(responses.posted(request), request.FILES) if request.method == "POST" else CatalogueForm()
    if form.is_valid():
        catalogue, source = form.cleaned_data["file"]
        done = take_over(store, catalogue, source=source, by=responses.actor_of_request(request))
        return redirect(f"{reverse('cards', args=[store.slug])}?imported={done.pk}")
    held = holdings()
    context = responses.store_context(
        request,
        store,
        section="cards",
        form=form,
        may_import=may_import,
        starter_cards=command("starter_cards"),
        holdings=held,
        done=next((one for one in held.imports if str(one.pk) == request.GET.get("imported")), None),
        found=found_cards(request.GET.get("q", "")[:80]),
    )
    return responses.show(
        request, "store/cards.html", context, parts=("catalogue", "found"), status=422 if form.is_bound else 200
    )
