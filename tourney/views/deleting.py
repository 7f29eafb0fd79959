"""An owner leaves a store, or deletes it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions import deleting, stores
from tourney.actions.record import Actor, Refused
from tourney.forms.deleting import DeleteStoreForm
from tourney.models import Role
from tourney.queries.stores import member_at, members_of
from tourney.runtime.backup_state import are_daily
from tourney.runtime.messages import message
from tourney.views import door, responses

DAYS_OF_BACKUPS = 14
"""For so long daily backups are kept (`tourney.backups`), and with them what was deleted."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave_store(request: HttpRequest, slug: str) -> HttpResponse:
    """What leaving means, and the way to delete the store; then an owner is none any more."""
    store = access.store_for(request, slug, *access.OWNERS, moved=True)
    owners = [one.user.username for one in members_of(store) if one.role == Role.OWNER and one.user != request.user]
    if request.method != "POST":
        context = responses.store_context(request, store, section="settings", others=owners)
        return render(request, "store/leave.html", context)
    try:
        stores.take_role(access.found(member_at(store, request.user)), by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=store, back=reverse("leave_store", args=[slug]))
    messages.success(request, str(message("You’ve left {store}.", store=store.name)))
    return redirect("front")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_store(request: HttpRequest, slug: str) -> HttpResponse:
    """What goes and what stays, and the form that asks for the name; then the store is gone.

    An open laptop at the desk is not enough: the password is asked for, as where one changes how one signs in.
    """
    store = access.store_for(request, slug, *access.OWNERS, moved=True)
    if not door.is_confirmed(request):
        return door.ask_who_it_is(request.path)
    form = DeleteStoreForm(responses.posted(request), store=store)
    if not form.is_valid():
        days = DAYS_OF_BACKUPS if are_daily() else 0
        context = responses.store_context(request, store, section="settings", form=form, days=days)
        return render(request, "store/delete.html", context, status=422 if form.is_bound else 200)
    user = access.viewer_of(request).user
    try:
        deleting.delete_store(store, by=Actor(None, user.get_username(), timezone.now()))
    except Refused as error:
        return responses.refused(request, error, store=store, back="/")
    messages.success(request, str(message("{store} is deleted.", store=store.name)))
    return redirect("front")
