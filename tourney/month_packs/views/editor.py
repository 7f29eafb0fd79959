"""The month pack editor: one page with every field, checked by the server while it is typed."""

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from fleets.domain.cards import FACTIONS
from scoring.domain.pack import InvalidPack, MonthPack, parse
from scoring.domain.pack_difference import differences, merged
from scoring.domain.pack_guide import plainly
from tourney import access
from tourney.actions.record import Refused, Stale
from tourney.models import PackDraft
from tourney.month_packs.actions import packs as actions
from tourney.month_packs.forms.draft import PackForm
from tourney.month_packs.forms.example import example, shape
from tourney.month_packs.forms.typed import Typed, changed, following_keys, typed_in, typed_of
from tourney.queries import packs as queries
from tourney.queries.packs import own_draft
from tourney.runtime.messages import Message, message
from tourney.views import responses

PAGE_LENGTH = 20
EXAMPLE = ("one-", "two-", "example-")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pack_draft(request: HttpRequest, slug: str, draft: int) -> HttpResponse:
    """Every field of the draft. Whatever is posted is kept first, right or wrong; then it is checked or saved."""
    found = _draft_or_404(request, slug, draft)
    if request.method != "POST":
        return redirect("pack", slug, found.saved.own.slug) if found.saved else _show(request, found)
    do = request.POST.get("do", "check")
    typed = following_keys(changed(typed_in(request.POST), do), found.typed)
    try:
        kept = _keep(request, found, typed)
    except Refused as error:
        return _show(request, found, form=_form(found, typed), status=409, reasons=error.reasons)
    if kept.pk != found.pk:
        return _goes_on_alone(request, kept)
    if kept.saved:
        return redirect("pack", slug, kept.saved.own.slug)
    if do == "save":
        return _save(request, kept)
    if do == "merge":
        return _merge(request, kept)
    if access.htmx_of(request):
        return _show(request, kept, **_news(request, found, kept))
    return redirect(_address(kept) + _place_of(do, kept))


@login_required
@require_POST
def discard_draft(request: HttpRequest, slug: str, draft: int) -> HttpResponse:
    """Discard a draft; saved versions stay."""
    found = _draft_or_404(request, slug, draft)
    actions.discard(found)
    messages.success(request, _("Draft discarded. Saved versions are unchanged."))
    return redirect("packs", slug)


def _draft_or_404(request: HttpRequest, slug: str, draft: int) -> PackDraft:
    """A draft belongs to whoever began it."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    user = request.user
    found = access.found(own_draft(user, store, draft) if user.is_authenticated else None)
    found.store = store
    return found


def _keep(request: HttpRequest, draft: PackDraft, typed: Typed) -> PackDraft:
    if "storyline" not in typed:
        return draft  # a press on a page without the fields
    page, edits = request.POST.get("page", "")[:PAGE_LENGTH], request.POST.get("seen", "")
    typed = _form(draft, typed).typed
    return actions.keep(
        draft, typed, page=page, expected_edits=_number(edits, -1), by=responses.actor_of_request(request)
    )


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else otherwise


def _goes_on_alone(request: HttpRequest, draft: PackDraft) -> HttpResponse:
    """Two windows wrote on one draft: what this one has goes on as a second one, and nothing is lost."""
    messages.warning(
        request,
        _("This draft was changed in another window. What you typed here is now a second draft; both are in the list."),
    )
    address = _address(draft)
    return HttpResponseClientRedirect(address) if access.htmx_of(request) else redirect(address)


def _form(draft: PackDraft, typed: Typed | None = None) -> PackForm:
    typed = draft.typed if typed is None else typed
    if draft.own:
        return PackForm(typed | {"slug": [draft.own.slug]}, version=draft.base + 1)
    return PackForm(typed, refuse_slug=queries.why_not_slug)


def _show(
    request: HttpRequest, draft: PackDraft, *, form: PackForm | None = None, status: int = 200, **more: Any
) -> HttpResponse:
    form = form or _form(draft)
    base = queries.base_of(draft)
    context = responses.store_context(
        request,
        draft.store,
        section="packs",
        draft=draft,
        form=form,
        base=base,
        base_words=_base_words(draft, base),
        page=secrets.token_hex(PAGE_LENGTH // 2),
        new_row=request.GET.get("row", ""),
        example=example(form.rules, form.typed) if form.rules else None,
        changes=differences(base, form.rules) if form.rules else (),
        note="".join(form.typed.get("note", [])),
        others=queries.others_at_work(draft),
        latest=queries.latest_of(draft),
        known_factions=_known_factions(form),
        **more,
    )
    return responses.show(request, "packs/editor.html", context, parts=("check",), status=status)


def _base_words(draft: PackDraft, base: MonthPack) -> Message:
    if draft.own:
        return message("version {version}", version=draft.base)
    return message("{month}, version {version}", month=base.heading, version=base.version)


def _news(request: HttpRequest, before: PackDraft, after: PackDraft) -> dict[str, Any]:
    """Which fields must be shown anew: as few as possible, because somebody may be typing in them already."""
    old, new = _form(before), _form(after)
    made = [name for name in new.typed if name.endswith("-key") and not request.POST.get(name, "").strip()]
    return {
        "was_complete": old.rules is not None,
        "has_new_example": new.rules is not None and (old.rules is None or shape(old.rules) != shape(new.rules)),
        "has_new_counts": old.counts != new.counts,
        "made_keys": made,
    }


def _known_factions(form: PackForm) -> list[str]:
    """Those of rule 7.4 that are not in the list yet."""
    return [name for name in FACTIONS.values() if name not in form.factions]


def _save(request: HttpRequest, draft: PackDraft) -> HttpResponse:
    form = _form(draft)
    if form.rules is None:
        return _show(request, draft, form=form, status=422, refused=True)
    note = "".join(draft.typed.get("note", []))[:200].strip()
    over = request.POST.get("over", "")
    try:
        version = actions.save(
            draft, form.rules, note=note, over=_number(over, draft.base), by=responses.actor_of_request(request)
        )
    except Stale as error:
        return _show_conflict(request, draft, form, error)
    except Refused as error:
        return _show(request, draft, form=form, status=409, reasons=error.reasons)
    done = message(
        "Version {number} of {month} is saved. New events can use it.", number=version.number, month=form.rules.heading
    )
    messages.success(request, str(done))
    return redirect("pack", draft.store.slug, version.own.slug)


def _show_conflict(request: HttpRequest, draft: PackDraft, form: PackForm, error: Stale) -> HttpResponse:
    """What the other saved and what is typed here, both against the version under them; both are kept."""
    base, latest = queries.base_of(draft), access.found(queries.latest_of(draft))
    theirs = latest.pack.rules
    context = responses.store_context(
        request,
        draft.store,
        section="packs",
        draft=draft,
        reasons=error.reasons,
        latest=latest,
        theirs=differences(base, theirs),
        mine=differences(base, form.rules) if form.rules else (),
    )
    return responses.show(request, "packs/conflict.html", context, status=409)


def _merge(request: HttpRequest, draft: PackDraft) -> HttpResponse:
    """The draft goes on from the latest version: with what only the other changed, and with all that is typed here."""
    form, latest = _form(draft), queries.latest_of(draft)
    if form.rules is None or latest is None:
        return redirect(_address(draft))
    data = merged(queries.base_of(draft), latest.pack.rules, form.rules)
    try:
        together = parse(data)
    except InvalidPack as error:
        reasons = tuple(plainly(None, one) for one in error.errors)
        return _show_conflict(
            request, draft, form, Stale(message("The two sets of changes don’t fit together."), *reasons)
        )
    extra = {name: value for name, value in draft.typed.items() if name == "note" or name.startswith(EXAMPLE)}
    actions.rebase(draft, extra | typed_of(together), base=latest.number, by=responses.actor_of_request(request))
    messages.success(
        request,
        str(
            message(
                "Both sets of changes are in this draft now. It is based on version {number}. Check it, then save it.",
                number=latest.number,
            )
        ),
    )
    return redirect(_address(draft))


def _address(draft: PackDraft) -> str:
    return reverse("pack_draft", args=[draft.store.slug, draft.pk])


def _place_of(do: str, draft: PackDraft) -> str:
    """Where on the page a press of a button leads: to the new row, to its list, or to what was found."""
    verb, _, what = do.partition(":")
    field = what.partition(":")[0]
    if verb == "add":
        row = f"{field}-{int(draft.typed.get(f'{field}-count', ['1'])[0]) - 1}"
        return f"?row={row}"  # its name has the autofocus, which an address with a fragment would take away
    if verb in ("remove", "up"):
        return f"#rows-{field}"
    return "#part-factions" if verb == "faction" else "#check"
