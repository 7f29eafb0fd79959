"""The doors (front, sign-in, set-up, invitation) and the store's own pages."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from tourney import access
from tourney.actions import accounts, stores
from tourney.actions.record import Actor, Refused
from tourney.actions.rehearsal import discard_old
from tourney.forms.store import AccountForm, InviteForm, SetUpForm, SignInForm, StoreForm, StoreSettingsForm
from tourney.models import Invitation, RetiredAddress, Role, SignInOutcome, Store, User
from tourney.queries.campaigns import home_of
from tourney.queries.finding_stores import MOST_LETTERS, only_store, stores_found
from tourney.queries.first_event import steps_to_first_event
from tourney.queries.stores import (
    invitation_with,
    member_of,
    members_of,
    retired_address,
    unused_invitation,
    waiting_invitations,
)
from tourney.runtime import locales
from tourney.runtime.backup_state import read_state
from tourney.runtime.installation import command
from tourney.runtime.messages import Message, message
from tourney.runtime.time_zones import time_zones
from tourney.views import door, responses, signed_out, throttle
from tourney.views.addresses import is_out_of_reach, qr_code, reachable
from tourney.views.moved import lead_on


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """The only store's home; several by name and town, a part at a time; without any, how to set up."""
    if only := only_store():
        return redirect(only)
    after = request.GET.get("after", "")
    came_after = int(after) if after.isascii() and after.isdigit() and len(after) < 19 else 0
    found = stores_found(request.GET.get("q", ""), came_after, timezone.now())
    if came_after and not found.lines:
        return redirect("front")
    context: dict[str, object] = {
        "found": found if found.lines or found.text else None,
        "came_after": came_after,
        "longest": MOST_LETTERS,
        "setup_link": command("setup_link"),
        "new_stores": access.ways_to_a_store(),
    }
    return responses.show(request, "store/front.html", context, parts={"found", "more"})


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """The design system, every component in every state."""
    return render(request, "style.html")


# doors


class SignIn(LoginView):
    """Name and password, then on to `next` if it is a page of ours, else to the user's store."""

    template_name = "store/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Who signed in meanwhile, in another tab, goes on as that, with what was kept."""
        kept = signed_out.kept_in(request) if request.method == "POST" and request.user.is_authenticated else None
        if kept is None:
            return super().dispatch(request, *args, **kwargs)
        return signed_out.not_sent_yet(request, kept, self.get_success_url())

    def get_default_redirect_url(self) -> str:
        """The address of the user's first store, or of the front page."""
        user = self.request.user
        return door.home_of(user) if user.is_authenticated else reverse("front")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A try is counted before it is made, and taken back if it was right. An empty form is none."""
        name = throttle.sign_in_name(request.POST.get("username", ""))
        self.counted: dict[str, int] = {}
        if name and request.POST.get("password"):
            counted = door.take_try(request, name)
            if counted is None:
                return self._too_many()
            self.counted = counted
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Signed in, or on to the second step; with what was kept, in either case."""
        door.was_right(self.counted)
        discard_old(timezone.now())
        response = door.arrive(self.request, form.get_user(), "password", self.get_redirect_url())
        return signed_out.go_on(self.request, response)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """What the page of the sign-in shows, with what was typed before and why it is asked for."""
        asked = "needed" in self.request.GET
        kept, here = signed_out.kept_in(self.request), door.has_passkeys_here(self.request)
        ways = access.ways_to_a_store()
        return super().get_context_data(kept=kept, is_needed=asked, passkeys_here=here, new_stores=ways, **kwargs)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The page again, with 422; a wrong password is noted."""
        if self.counted:
            door.note(self.request, form.cleaned_data.get("username", ""), SignInOutcome.WRONG_PASSWORD)
        return self.render_to_response(self.get_context_data(form=form), status=422)

    def _too_many(self) -> HttpResponse:
        """Not tried, whatever name it is: nothing is hashed, and nothing tells whether there is such a name."""
        typed = self.request.POST.get("username", "")
        door.note(self.request, throttle.sign_in_name(typed), SignInOutcome.NOT_TRIED)
        form = SignInForm(self.request, initial={"username": typed})
        context = self.get_context_data(form=form, too_many=True)
        return throttle.say_when(self.render_to_response(context, status=429))


class ChangePassword(PasswordChangeView):
    """Somebody signed in chooses a new password; other devices are signed out."""

    template_name = "store/password.html"
    success_url = reverse_lazy("account")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, under the header of the person's store."""
        return super().get_context_data(**kwargs) | responses.own_store_context(self.request, self.request.path)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """The redirect after the new password is saved, on the only device that is still signed in."""
        response = super().form_valid(form)
        accounts.end_sessions(form.user, but=self.request.session.session_key)
        door.be_known(self.request, form.user)
        messages.success(self.request, str(message("Your password is changed. Other devices are signed out.")))
        return response

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        """The page again, with 422."""
        return self.render_to_response(self.get_context_data(form=form), status=422)


@never_cache
@sensitive_post_parameters()
@throttle.throttle_invalid_keys
def set_up(request: HttpRequest, key: str) -> HttpResponse:
    """The one-time link of a new installation: the first owner and the first store."""
    link = _link(key, store=None)
    if gone := _why_gone(link):
        return _gone(request, gone)
    usual = locales.locale_asked_for(request.headers.get("Accept-Language", ""), "UTC")
    form = SetUpForm(responses.posted(request), initial={"locale": usual})
    if form.is_valid():
        try:
            store = _set_up(request, link, form)
        except Refused as error:
            return _set_up_page(request, form, error.reasons, status=409)
        messages.success(request, str(message("{store} is ready. Create its first campaign.", store=store.name)))
        _say_found_zone(request, form)
        return redirect(store)
    return _set_up_page(request, form, status=422 if form.is_bound else 200)


@never_cache
@sensitive_post_parameters()
@throttle.throttle_invalid_keys
def invitation(request: HttpRequest, key: str) -> HttpResponse:
    """A link that gives a role: to whoever is signed in, or to a new user."""
    link = _link(key, store__isnull=False)
    access.still_here(access.found(link.store))
    if gone := _why_gone(link):
        return _gone(request, gone)
    signed_in = request.user.is_authenticated
    form = None if signed_in else AccountForm(responses.posted(request), store=link.store)
    if request.method == "POST" and (form is None or form.is_valid()):
        try:
            store = _accept(request, link, form)
        except Refused as error:
            return _invitation_page(request, link, form, error.reasons, status=409)
        messages.success(
            request,
            str(message("Welcome to {store}. Your role: {role}.", store=store.name, role=str(link.get_role_display()))),
        )
        return redirect(store)
    return _invitation_page(request, link, form, status=422 if form and form.is_bound else 200)


def _link(key: str, **which: Any) -> Invitation:
    return access.found(invitation_with(key, **which))


def _why_gone(link: Invitation) -> Message | str:
    if link.used_at:
        return message("This link was already used. Each link works once.")
    if link.expires_at < timezone.now():
        return message("This link has expired: it was good for {days} days.", days=stores.INVITATION_DAYS)
    return ""


def _gone(request: HttpRequest, why: Message | str) -> HttpResponse:
    return render(request, "store/link_gone.html", {"why": why}, status=410)


def _set_up_page(request: HttpRequest, form: SetUpForm, reasons: Sequence[str] = (), *, status: int) -> HttpResponse:
    context = {"form": form, "reasons": reasons, "time_zones": time_zones()}
    return render(request, "store/set_up.html", context, status=status)


def _say_found_zone(request: HttpRequest, form: StoreForm) -> None:
    """Where a city or a country was typed, which time zone that was taken for."""
    zone = form.cleaned_data["time_zone"]
    if zone != form["time_zone"].value():
        messages.info(request, str(message("Time zone: {zone}", zone=zone)))


def _invitation_page(
    request: HttpRequest, link: Invitation, form: AccountForm | None, reasons: Sequence[str] = (), *, status: int
) -> HttpResponse:
    context = {"invitation": link, "form": form, "reasons": reasons}
    return render(request, "store/invitation.html", context, status=status)


@transaction.atomic
def _set_up(request: HttpRequest, link: Invitation, form: SetUpForm) -> Store:
    user, by = _new_user(form)
    facts = {name: form.cleaned_data[name] for name in ("place", "time_zone", "locale")}
    store = stores.set_up(link, user, store_name=form.cleaned_data["name"], **facts, by=by)
    door.come_in(request, user)
    return store


@transaction.atomic
def _accept(request: HttpRequest, link: Invitation, form: AccountForm | None) -> Store:
    if form is None:
        by = responses.actor_of_request(request)
        return stores.accept_invitation(link, access.found(by.user), by=by)
    user, by = _new_user(form)
    store = stores.accept_invitation(link, user, by=by)
    door.come_in(request, user)
    return store


def _new_user(form: AccountForm) -> tuple[User, Actor]:
    """The new user, who is also the one who acts."""
    user = stores.make_user(form.cleaned_data["username"], form.cleaned_data["password"])
    return user, Actor(user=user, name=user.username, at=timezone.now())


# pages of a store


@require_safe
def home(request: HttpRequest, slug: str) -> HttpResponse:
    """The store's page: its campaigns and events."""
    store = access.store_for(request, slug)
    now = timezone.now()
    home = home_of(store, now)
    context = responses.store_context(request, store, section="home", home=home)
    if context["role"] == Role.OWNER:
        context["steps"] = steps_to_first_event(store, home, now)
        if (problem := read_state().problem) and access.owns_every_store(request):
            context["backup_problem"] = problem
    return render(request, "store/home.html", context)


@login_required
@require_POST
def hide_first_event(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of steps to the first event leaves the home page."""
    store = access.store_for(request, slug, *access.OWNERS)
    stores.hide_first_event(store)
    return redirect(store)


@login_required
@require_safe
def staff_moved(request: HttpRequest, slug: str, rest: str = "") -> HttpResponse:
    """Staff was at people/ once: an address that somebody kept goes on working."""
    store = access.store_for(request, slug, *access.OWNERS)
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    return redirect(reverse("staff", args=[store.slug]) + rest + query)


@login_required
@require_safe
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    """The staff of the store and its open invitations, for owners."""
    store = access.store_for(request, slug, *access.OWNERS)
    waiting = waiting_invitations(store, timezone.now())
    context = responses.store_context(request, store, section="staff", members=members_of(store), invitations=waiting)
    return render(request, "store/staff.html", context)


@login_required
@never_cache
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; after it, once, the link that it made."""
    store = access.store_for(request, slug, *access.OWNERS)
    form = InviteForm(responses.posted(request))
    if form.is_valid():
        role = form.cleaned_data["role"]
        key = stores.invite(store, role, by=responses.actor_of_request(request), note=form.cleaned_data["note"])
        request.session[_session_key(store)] = {"key": key, "role": role}
        return redirect("invite", store.slug)
    made = None if form.is_bound else request.session.pop(_session_key(store), None)
    context = responses.store_context(request, store, section="staff", form=form, days=stores.INVITATION_DAYS)
    if made:
        link = reachable(request, reverse("invitation", args=[made["key"]]))
        context |= {"link": link, "link_role": made["role"], "qr": qr_code(link), "is_local": is_out_of_reach(request)}
    return render(request, "store/invite.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def remove_staff(request: HttpRequest, slug: str, membership: int) -> HttpResponse:
    """Take the role of a member of the staff."""
    store = access.store_for(request, slug, *access.OWNERS)
    member = access.found(member_of(store, membership))
    try:
        stores.take_role(member, by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=store, back=reverse("staff", args=[store.slug]))
    messages.success(request, str(message("{name} no longer has a role here.", name=member.user.username)))
    return redirect("store_home" if member.user == request.user else "staff", store.slug)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, invitation: int) -> HttpResponse:
    """Withdraw an invitation that nobody has used."""
    store = access.store_for(request, slug, *access.OWNERS)
    link = access.found(unused_invitation(store, invitation))
    stores.withdraw_invitation(link, by=responses.actor_of_request(request))
    messages.success(request, str(message("Invitation withdrawn. Its link no longer works.")))
    return redirect("staff", store.slug)


@login_required
def store_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings of the store, for owners."""
    store = access.store_for(request, slug, *access.OWNERS)
    form = StoreSettingsForm(responses.posted(request), initial=StoreSettingsForm.facts_of(store))
    if form.is_valid():
        stores.change_store(store, **form.cleaned_data, by=responses.actor_of_request(request))
        messages.success(request, str(message("Saved.")))
        _say_found_zone(request, form)
        return redirect("store_settings", store.slug)
    context = responses.store_context(
        request,
        store,
        section="settings",
        form=form,
        time_zones=time_zones(),
        decides_on_stores=access.ways_to_a_store() == access.ASK and access.decides_on_stores(request),
    )
    return render(request, "store/settings.html", context, status=422 if form.is_bound else 200)


def _session_key(store: Store) -> str:
    return f"invitation-{store.pk}"


# pages for what went wrong; they ask the database nothing, except for who is signed in: they keep their store


def not_found(request: HttpRequest, exception: Http404) -> HttpResponse:
    """The 404 page, or what a deleted store's pages say. The database is asked only for what could be one."""
    if "\0" not in request.path and (gone := retired_address(request.path)):
        return _deleted(request, gone)
    return _went_wrong(request, "404.html", 404)


def _deleted(request: HttpRequest, gone: RetiredAddress) -> HttpResponse:
    """On to where it had moved; or the 410 page, which an open page that refreshes a part of itself shows whole."""
    if home := gone.store.moved_to:
        is_short = gone.event is not None and not request.path.startswith(gone.path)
        slug = request.path.removeprefix("/s/").partition("/")[0]
        address = access.moved_address(slug, home, gone.path if is_short else request.get_full_path())
        return lead_on(request, address, home=home)
    is_stream = request.headers.get("Accept") == "text/event-stream"  # its page also asks, and is shown whole
    if (access.htmx_of(request) or is_stream) and "X-Outbox" not in request.headers:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return HttpResponse(render_to_string("410.html"), status=410)


def not_of_this_page(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 page of a form whose token does not fit; a sign-in of ours that brings something kept loses nothing.

    Its token is of before another tab signed in. That it is a page of ours the browser says, by its Origin.
    """
    is_ours = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    is_sign_in = is_ours and request.path == reverse("sign_in") and request.user.is_authenticated
    if is_sign_in and (kept := signed_out.kept_in(request)):
        sign_in = SignIn()
        sign_in.setup(request)
        return signed_out.not_sent_yet(request, kept, sign_in.get_success_url())
    return _went_wrong(request, "403_csrf.html", 403)


def _went_wrong(request: HttpRequest, template: str, status: int) -> HttpResponse:
    context = responses.own_store_context(request, request.path)
    if not context:
        return HttpResponse(render_to_string(template), status=status)
    return render(request, template, context, status=status)
