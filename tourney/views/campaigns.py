"""Campaigns, new events, and the month packs they are made of."""

from collections.abc import Sequence
from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.domain import words
from scoring.domain.pack import MonthPack
from scoring.shipped import shipped_pack, shipped_packs
from tourney import access
from tourney.actions import events
from tourney.actions.record import Refused
from tourney.forms.campaigns import CampaignForm, EventForm
from tourney.queries.campaigns import book_of, by_storyline, packs_of, storylines
from tourney.views import shell


@require_safe
def packs(request: HttpRequest, slug: str) -> HttpResponse:
    """All shipped months, by storyline."""
    store = access.store_for(request, slug)
    context = shell.store_context(request, store, section="packs", storylines=by_storyline(shipped_packs()))
    return render(request, "campaign/packs.html", context)


@require_safe
def pack(request: HttpRequest, slug: str, pack: str) -> HttpResponse:
    """What one month's rules are, as far as they are known."""
    store = access.store_for(request, slug)
    try:
        rules = shipped_pack(pack)
    except KeyError as error:
        raise Http404 from error
    context = shell.store_context(request, store, section="packs", pack=rules, **_in_words(rules))
    return render(request, "campaign/pack.html", context)


def _in_words(rules: MonthPack) -> dict:
    return {
        "bonuses": [(bonus, words.bonus_sentence(bonus)) for bonus in rules.bonuses],
        "reminders": [tally for tally in rules.tallies if tally.reminder],
        "resource": words.resource_sentence(rules.resource),
        "match_points": words.match_points_sentence(rules),
        "roll_off": words.roll_off_sentence(rules),
        "released": date.fromisoformat(f"{rules.released}-01") if rules.released else None,
    }


@login_required
def new_campaign(request: HttpRequest, slug: str) -> HttpResponse:
    store = access.store_for(request, slug, *access.ORGANIZERS)
    form = CampaignForm(shell.posted(request), store=store, storylines=storylines())
    if form.is_valid():
        campaign = events.make_campaign(store, storyline=form.cleaned_data["name"], by=shell.stamp(request))
        messages.success(request, f"{campaign.storyline} is begun. Now plan its first month.")
        return redirect("new_event", store.slug, campaign.slug)
    context = shell.store_context(request, store, form=form)
    return render(request, "campaign/new.html", context, status=422 if form.is_bound else 200)


@require_safe
def campaign(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    found = access.campaign_for(request, slug, campaign)
    book = book_of(found, timezone.now())
    played = {month.event.pack.slug for month in book.months}
    to_plan = [pack for pack in packs_of(found.storyline) if pack.slug not in played]
    context = shell.store_context(request, found.store, campaign=found, book=book, to_plan=to_plan)
    return render(request, "campaign/campaign.html", context)


@login_required
def new_event(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    """Three questions. The third, the SP limit, only where the chosen month leaves it open."""
    found = access.campaign_for(request, slug, campaign, *access.ORGANIZERS)
    own = packs_of(found.storyline)
    played = set(found.events.values_list("pack__slug", flat=True))
    form = EventForm(
        shell.posted(request),
        campaign=found,
        packs=shipped_packs(),
        initial={"pack": request.GET.get("pack", _next_month(own, played)), "sp_limit": request.GET.get("sp_limit")},
    )
    reasons = ()
    if form.is_valid():
        try:
            event = _make(found, form, request)
            messages.success(request, f"{event.name} is planned. Next: players.")
            return redirect("desk", event.slug)
        except Refused as error:
            reasons = error.reasons
    context = shell.store_context(
        request,
        found.store,
        campaign=found,
        form=form,
        reasons=reasons,
        own=own,
        others=by_storyline(pack for pack in shipped_packs() if pack not in own),
        played=played,
    )
    status = 409 if reasons else 422 if form.is_bound else 200
    return shell.show(request, "campaign/new_event.html", context, parts=("limit",), status=status)


def _next_month(packs: Sequence[MonthPack], played: set[str]) -> str | None:
    """The month after the last one played; if none was, the first, which a month 0 comes before."""
    last = max((place for place, pack in enumerate(packs) if pack.slug in played or pack.month == 0), default=-1)
    return packs[last + 1].slug if last + 1 < len(packs) else None


def _make(campaign, form: EventForm, request: HttpRequest):
    return events.make_event(
        campaign,
        form.chosen,
        starts_at=form.starts_at,
        sp_limit=form.cleaned_data["sp_limit"],
        by=shell.stamp(request),
    )
