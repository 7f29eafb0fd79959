"""The sign-ins of a store's staff, for its owners."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tourney import access
from tourney.actions.sign_ins import KEPT
from tourney.queries.sign_ins import sign_ins_of
from tourney.views import responses

ROWS = 50


@login_required
@require_safe
def sign_ins(request: HttpRequest, slug: str) -> HttpResponse:
    """Who signed in when, from which network and device; with `?show=failed` those who did not."""
    store = access.store_for(request, slug, *access.OWNERS)
    failed = request.GET.get("show") == "failed"
    page = Paginator(sign_ins_of(store, failed=failed), ROWS).get_page(request.GET.get("page"))
    context = responses.store_context(request, store, section="staff", page=page, failed=failed, days=KEPT.days)
    return responses.show(request, "store/sign_ins.html", context)
