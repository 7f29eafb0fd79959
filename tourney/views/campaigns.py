"""Campaigns and new events."""

from collections.abc import Sequence
from dataclasses import asdict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.domain.pack import MonthPack
from scoring.domain.season_words import rules_said
from tourney import access
from tourney.actions import campaigns, events
from tourney.actions.record import Refused
from tourney.forms.bonuses import SheetForm
from tourney.forms.campaigns import CampaignForm, CampaignNameForm, EventForm, SeasonRulesForm
from tourney.models import Campaign, Event
from tourney.queries.campaigns import by_storyline, overview_of, packs_in, packs_of, slugs_planned, storylines
from tourney.queries.next_month import evening_after, evening_by_habit, last_month
from tourney.queries.packs import packs_for
from tourney.runtime.messages import message
from tourney.views import responses


@login_required
def new_campaign(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a campaign of the store."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    packs, _ = packs_for(store)
    form = CampaignForm(responses.posted(request), store=store, storylines=storylines(packs))
    if form.is_valid():
        campaign = events.make_campaign(
            store, storyline=form.cleaned_data["name"], by=responses.actor_of_request(request)
        )
        messages.success(
            request,
            str(message("Campaign created: {campaign}. Now schedule its first event.", campaign=campaign.storyline)),
        )
        return redirect("new_event", store.slug, campaign.slug)
    context = responses.store_context(request, store, form=form)
    return render(request, "campaign/new.html", context, status=422 if form.is_bound else 200)


@require_safe
def campaign(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    """A campaign with its months and its season."""
    found = access.campaign_for(request, slug, campaign)
    overview = overview_of(found, timezone.now(), request.GET.get("page"))
    context = responses.store_context(request, found.store, campaign=found, overview=overview)
    if context["may_organize"]:
        planned, last_played = packs_in(found)
        slugs, numbers = ({pack[which] for pack in planned} - {None} for which in (0, 1))
        packs, made_here = packs_for(found.store)
        own = packs_of(found.storyline, packs)
        unplanned = [pack for pack in own if pack.slug not in slugs and pack.month not in numbers]
        passed = [pack for pack in unplanned if pack.month is not None and pack.month < last_played]
        coming = [pack for pack in unplanned if pack not in passed]
        context |= {"skipped": passed, "to_plan": coming, "made_here": made_here}
    return render(request, "campaign/campaign.html", context)


@login_required
def edit_campaign(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    """Rename the campaign, set the rules of its season, archive it, or bring it back.

    The sentences of the season's rules follow what is typed there, before it is saved.
    """
    found = access.campaign_for(request, slug, campaign, *access.ORGANIZERS)
    by, do = responses.actor_of_request(request), request.POST.get("do", "")
    if do == "archive":
        campaigns.archive_campaign(found, by=by)
        messages.success(request, str(message("{campaign} is in the archive.", campaign=found.storyline)))
        return redirect(found)
    if do == "bring_back":
        campaigns.bring_back_campaign(found, by=by)
        messages.success(request, str(message("{campaign} is back from the archive.", campaign=found.storyline)))
        return redirect(found)
    rules = SeasonRulesForm(_typed_rules(request, do), initial=asdict(found.season_rules))
    if do == "season" and rules.is_valid():
        campaigns.change_season_rules(found, rules.rules, by=by)
        messages.success(request, str(message("Season rules saved.")))
        return redirect(found)
    packs, _ = packs_for(found.store)
    posted = None if do == "season" else responses.posted(request)
    form = CampaignNameForm(posted, campaign=found, storylines=storylines(packs))
    if form.is_valid():
        campaigns.rename_campaign(found, form.cleaned_data["name"], by=by)
        messages.success(request, str(message("The name is saved: {campaign}.", campaign=form.cleaned_data["name"])))
        return redirect(found)
    said = rules_said(rules.rules) if not rules.is_bound or rules.is_valid() else ()
    context = responses.store_context(request, found.store, campaign=found, form=form, rules=rules, said=said)
    status = 422 if request.method == "POST" else 200
    return responses.show(request, "campaign/edit.html", context, parts=("said",), status=status)


def _typed_rules(request: HttpRequest, do: str) -> QueryDict | None:
    """The rules that are to be saved, or those that a page asks to hear in words."""
    if do == "season":
        return request.POST
    return request.GET if "pick_order" in request.GET else None


@login_required
def new_event(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    """Three questions. The third, the SP limit, only where the chosen month leaves it open.

    After the first month they are answered: the next month of the storyline, one month on.
    """
    found = access.campaign_for(request, slug, campaign, *access.ORGANIZERS)
    packs, made_here = packs_for(found.store)
    own = packs_of(found.storyline, packs)
    played = slugs_planned(found)
    last = last_month(found, request.GET.get("after", ""))
    proposed: dict[str, object] = {
        "pack": request.GET.get("pack", _next_month(own, played)),
        "sp_limit": request.GET.get("sp_limit"),
    }
    if last:
        evening = evening_after(last, timezone.now())
        proposed |= {"day": evening.day, "start": evening.start}
    else:
        proposed |= evening_by_habit(found.store.template, timezone.now())
    form = EventForm(responses.posted(request), campaign=found, packs=packs, initial=proposed)
    sheet = SheetForm(responses.posted(request)) if form.lacks_bonuses else None
    reasons: Sequence[str] = ()
    if form.is_valid() and (sheet is None or sheet.is_valid()):
        try:
            event = _make(found, form, sheet, last, request)
            messages.success(request, str(message("Event created: {event}. Next: players.", event=event.name)))
            return redirect("desk", event.slug)
        except Refused as error:
            reasons = error.reasons
    context = responses.store_context(
        request,
        found.store,
        campaign=found,
        form=form,
        sheet=sheet,
        reasons=reasons,
        own=own,
        others=by_storyline(pack for pack in packs if pack not in own),
        made_here=made_here,
        played=played,
        last=last,
    )
    status = 409 if reasons else 422 if form.is_bound else 200
    return responses.show(request, "campaign/new_event.html", context, parts=("limit",), status=status)


def _next_month(packs: Sequence[MonthPack], played: set[str]) -> str | None:
    """The month after the last one played; if none was, the first, which a month 0 comes before."""
    done = max((pack.month or 0 for pack in packs if pack.slug in played or pack.month == 0), default=-1)
    following = [pack for pack in packs if (pack.month or 0) > done]
    return min(following, key=lambda pack: pack.month or 0).slug if following else None


def _make(
    campaign: Campaign, form: EventForm, sheet: SheetForm | None, last: Event | None, request: HttpRequest
) -> Event:
    return events.make_event(
        campaign,
        access.found(form.chosen),
        starts_at=form.cleaned_data["starts_at"],
        sp_limit=form.cleaned_data["sp_limit"],
        bonuses=sheet.bonuses if sheet else None,
        like=last,
        by=responses.actor_of_request(request),
    )
