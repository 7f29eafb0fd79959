"""Another store on this installation: asked for or made by who wants one, approved or declined by who decides."""

from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tourney import access
from tourney.actions import attempts, new_stores
from tourney.actions.new_stores import NewAccount, NewStore
from tourney.actions.record import Refused
from tourney.forms.new_stores import (
    LONGEST_ANSWER,
    AskedNewStoreForm,
    AskedStoreForm,
    NewStoreForm,
    OwnStoreForm,
    StoreDecisionForm,
)
from tourney.forms.store import TAKEN
from tourney.queries.attempts import is_full
from tourney.queries.new_stores import request_numbered, request_with, waiting_requests
from tourney.runtime import locales
from tourney.runtime.messages import message
from tourney.runtime.time_zones import time_zones
from tourney.views import door, responses, throttle


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def new_store(request: HttpRequest) -> HttpResponse:
    """The form; then the store, or the page that says how the request stands."""
    how = access.ways_to_a_store()
    if not how:
        raise Http404
    now = timezone.now()
    if request.method == "POST" and is_full(throttle.names_tried(request), now):
        return throttle.too_many(request)
    form = _form(request, how)
    if not form.is_valid():
        if form.has_error("username", TAKEN):
            attempts.reserve(throttle.names_tried(request), now)
        return _form_page(request, form, status=422 if form.is_bound else 200)
    if attempts.reserve(throttle.new_stores_of(request), now) is None:
        many = str(message("Too many new stores from this network. Wait ten minutes, then try again."))
        return throttle.say_when(_form_page(request, form, (many,), status=429))
    typed = form.cleaned_data
    wanted = NewStore(typed["name"], typed["place"], typed["time_zone"], typed["locale"])
    user = access.viewer_of(request).user
    who = user if user.is_authenticated else NewAccount(typed["username"], typed["password"])
    try:
        if how == access.ASK:
            address = throttle.address_of(request)
            key = new_stores.ask(wanted, who, reason=typed["reason"], address=address, at=now)
            return redirect("asked_store", key)
        store, owner = new_stores.make_at_once(wanted, who, at=now)
    except Refused as error:
        return _form_page(request, form, error.reasons, status=409)
    if not user.is_authenticated:
        door.come_in(request, owner)
    messages.success(request, str(message("{store} is ready. Create its first campaign.", store=store.name)))
    return redirect(store)


@never_cache
@require_safe
@throttle.throttle_invalid_keys
def asked_store(request: HttpRequest, key: str) -> HttpResponse:
    """How the request stands, for who has its link."""
    asked = access.found(request_with(key))
    context = {"asked": asked, "key": key, "days": new_stores.KEPT_DAYS, "address": request.build_absolute_uri()}
    return responses.show(request, "store/asked_store.html", context, parts=("standing",))


@never_cache
@require_POST
@throttle.throttle_invalid_keys
def withdraw_asked_store(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever asked no longer wants it."""
    asked = access.found(request_with(key))
    try:
        new_stores.withdraw(asked)
    except Refused as error:
        messages.warning(request, str(error))
        return redirect("asked_store", key)
    messages.success(request, str(message("Request withdrawn. Nothing is kept.")))
    return redirect("front")


@never_cache
@login_required
@require_safe
def store_requests(request: HttpRequest, slug: str) -> HttpResponse:
    """The requests that wait, for who decides on them."""
    store = access.store_for(request, slug, *access.OWNERS)
    _require_say_or_404(request)
    context = responses.store_context(
        request,
        store,
        section="settings",
        requests=waiting_requests(),
        longest=LONGEST_ANSWER,
        is_asked=access.ways_to_a_store() == access.ASK,
        days=new_stores.KEPT_DAYS,
    )
    return render(request, "store/store_requests.html", context)


@login_required
@require_POST
def decide_on_store(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Approve or decline one. Who does so goes on deciding, though the new store is another's."""
    store = access.store_for(request, slug, *access.OWNERS, moved=True)
    _require_say_or_404(request)
    asked = access.found(request_numbered(number))
    form = StoreDecisionForm(request.POST)
    back = reverse("store_requests", args=[slug])
    if not form.is_valid():
        raise Http404
    by = responses.actor_of_request(request)
    try:
        if form.cleaned_data["do"] == "approve":
            made = new_stores.approve(asked, by=by)
            new_stores.let_approve(access.found(by.user))
            said = message("{store} approved. Its owner can sign in now.", store=made.name)
        else:
            new_stores.decline(asked, answer=form.cleaned_data["answer"], by=by)
            said = message("{store} declined.", store=asked.name)
    except Refused as error:
        return responses.refused(request, error, store=store, back=back)
    messages.success(request, str(said))
    return redirect(back)


def _require_say_or_404(request: HttpRequest) -> None:
    if not access.decides_on_stores(request):
        raise Http404


def _form(request: HttpRequest, how: str) -> forms.Form:
    """The form for this visitor: who is signed in has a name and a password."""
    is_known = access.viewer_of(request).user.is_authenticated
    kinds: dict[tuple[str, bool], type[forms.Form]] = {
        (access.OPEN, False): NewStoreForm,
        (access.OPEN, True): OwnStoreForm,
        (access.ASK, False): AskedNewStoreForm,
        (access.ASK, True): AskedStoreForm,
    }
    usual = locales.locale_asked_for(request.headers.get("Accept-Language", ""), "UTC")
    return kinds[how, is_known](responses.posted(request), initial={"locale": usual})


def _form_page(request: HttpRequest, form: forms.Form, reasons: Sequence[str] = (), *, status: int) -> HttpResponse:
    context = {
        "form": form,
        "reasons": reasons,
        "time_zones": time_zones(),
        "is_asked": access.ways_to_a_store() == access.ASK,
    }
    return render(request, "store/new_store.html", context, status=status)
