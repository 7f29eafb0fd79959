"""Month packs as everybody reads them; and for organizers their versions, what differs, and files."""

from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.domain import pack_file, words
from scoring.domain.pack import MonthPack
from scoring.domain.pack_difference import differences
from tourney import access
from tourney.actions.record import Refused
from tourney.models import OwnPack, PackDraft, Store
from tourney.month_packs.actions import packs as actions
from tourney.month_packs.forms.packs import PackFileForm
from tourney.month_packs.forms.typed import typed_of
from tourney.queries import packs as queries
from tourney.runtime.messages import message
from tourney.views import responses

LONGEST_SEARCH = 80


@require_safe
def packs(request: HttpRequest, slug: str) -> HttpResponse:
    """The store's own packs, then all shipped months by storyline, as far as they have the words of a search."""
    store = access.store_for(request, slug)
    text = " ".join(request.GET.get("q", "")[:LONGEST_SEARCH].replace("\0", "").split())
    context = responses.store_context(
        request,
        store,
        section="packs",
        text=text,
        own=[one for one in queries.own_packs(store) if queries.has_words(one.rules, text)],
        groups=queries.groups_with(text),
    )
    if context["may_organize"]:
        retired = queries.own_packs(store, retired=True)
        context |= {
            "drafts": queries.open_drafts(store),
            "retired": [one for one in retired if queries.has_words(one.rules, text)],
        }
    return responses.show(request, "campaign/packs.html", context, parts=("found",))


@require_safe
def pack(request: HttpRequest, slug: str, pack: str, number: int | None = None) -> HttpResponse:
    """What one month's rules are, as far as they are known."""
    store = access.store_for(request, slug)
    found = found_or_404(store, pack, number)
    context = responses.store_context(
        request, store, section="packs", pack=found.rules, found=found, **_in_words(found.rules)
    )
    return render(request, "campaign/pack.html", context)


@login_required
@require_safe
def pack_versions(request: HttpRequest, slug: str, pack: str) -> HttpResponse:
    """The versions of an own pack, newest first: what changed, who saved it, and when."""
    store = access.store_for(request, slug, *access.DESK)
    found, own = _own_or_404(store, pack)
    context = responses.store_context(
        request, store, section="packs", pack=found.rules, found=found, versions=queries.versions_of(own)
    )
    return render(request, "packs/versions.html", context)


@login_required
@require_safe
def compare_packs(request: HttpRequest, slug: str, pack: str) -> HttpResponse:
    """Two versions of an own pack, or one and its original, field by field."""
    store = access.store_for(request, slug, *access.DESK)
    found, own = _own_or_404(store, pack)
    sides = queries.sides_of(own)
    before = queries.side_at(sides, request.GET.get("before")) or sides[-2]
    after = queries.side_at(sides, request.GET.get("after")) or sides[-1]
    context = responses.store_context(
        request, store, section="packs", pack=found.rules, sides=sides, before=before, after=after,
        found=differences(before.rules, after.rules),
    )  # fmt: skip
    return responses.show(request, "packs/compare.html", context, parts=("differences",))


@require_safe
def pack_as_file(request: HttpRequest, slug: str, pack: str, number: int) -> HttpResponse:
    """A version of a pack as a TOML file, to keep or to give to another store."""
    rules = found_or_404(access.store_for(request, slug), pack, number).rules
    response = HttpResponse(pack_file.write(rules), content_type="application/toml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{rules.slug}-{rules.version}.toml"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_pack(request: HttpRequest, slug: str) -> HttpResponse:
    """A pack out of a file, as a draft. What cannot be read stays on the page, to be put right there."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    form = PackFileForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_valid():
        try:
            return redirect("pack_draft", slug, _draft_of_file(request, store, form).pk)
        except Refused as error:
            form.add_error(None, list(error.reasons))
    context = responses.store_context(request, store, section="packs", form=form)
    return render(request, "packs/import.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def edit_pack(request: HttpRequest, slug: str, pack: str) -> HttpResponse:
    """Go on with an own pack: with the draft that was left open, or with a new one on top of its latest version."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    found, own = _own_or_404(store, pack)
    return _begin(request, store, found.rules, own=own)


@login_required
@require_POST
def copy_pack(request: HttpRequest, slug: str, pack: str) -> HttpResponse:
    """Begin a pack of one's own from the latest version of any pack."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    return _begin(request, store, found_or_404(store, pack).rules)


@login_required
@require_POST
def retire_pack(request: HttpRequest, slug: str, pack: str) -> HttpResponse:
    """Take an own pack out of the choice for new events; pressed again, back into it."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    found, own = _own_or_404(store, pack)
    retired = "back" not in request.POST
    try:
        actions.retire(own, retired, by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=store, back=reverse("pack", args=[slug, pack]))
    if retired:
        done = message("{month} is retired. Events that use it keep it.", month=found.rules.heading)
    else:
        done = message("{month} is available for new events again.", month=found.rules.heading)
    messages.success(request, str(done))
    return redirect("pack", slug, pack)


def found_or_404(store: Store, slug: str, number: int | None = None) -> queries.FoundPack:
    """The pack of that slug and version, the latest without one. Raises Http404."""
    return access.found(queries.pack_at(store, slug, number))


def _own_or_404(store: Store, slug: str) -> tuple[queries.FoundPack, OwnPack]:
    found = found_or_404(store, slug)
    own = access.found(found.own)
    own.store = store
    return found, own


def _begin(request: HttpRequest, store: Store, rules: MonthPack, own: OwnPack | None = None) -> HttpResponse:
    typed = typed_of(rules) if own else typed_of(rules) | {"slug": [queries.free_address(rules, store)]}
    try:
        draft = actions.begin(store, rules, typed, own=own, by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=store, back=reverse("packs", args=[store.slug]))
    return redirect("pack_draft", store.slug, draft.pk)


def _draft_of_file(request: HttpRequest, store: Store, form: PackFileForm) -> PackDraft:
    """On top of the own pack of that name, where there is one; else of a new pack, with a free address."""
    rules = form.rules
    found = queries.pack_at(store, rules.slug)
    own = found.own if found else None
    slug = rules.slug if own or not queries.why_not_slug(rules.slug) else queries.free_address(rules, store)
    typed = typed_of(rules) | {
        "slug": [slug],
        "note": [str(message("Imported from {source}", source=form.source))[:200]],
    }
    draft = actions.take_file(store, rules, typed, source=form.source, own=own, by=responses.actor_of_request(request))
    messages.success(
        request, str(message("{month} is imported as a draft. Check it, then save it.", month=rules.heading))
    )
    return draft


def _in_words(rules: MonthPack) -> dict[str, object]:
    return {
        "bonuses": [(bonus, words.bonus_sentence(bonus)) for bonus in rules.bonuses],
        "reminders": [tally for tally in rules.tallies if tally.reminder],
        "resource": words.resource_sentence(rules.resource),
        "building": words.building_sentences(rules),
        "match_points": words.match_points_sentence(rules),
        "roll_off": words.roll_off_sentence(rules),
        "released": date.fromisoformat(f"{rules.released}-01") if rules.released else None,
    }
