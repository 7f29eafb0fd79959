"""The judge's desk: its front page, and the rulings with those of a store."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tourney import access
from tourney.judge.actions import house_rulings
from tourney.judge.domain.rulings import ENGLISH
from tourney.judge.forms.house_rulings import HouseRulingForm
from tourney.judge.queries.own import ruling_of
from tourney.judge.queries.published import tag_in_language
from tourney.judge.queries.rule_book import book_of
from tourney.models import Event, HouseRuling, Store
from tourney.queries.my_card import tonight_at
from tourney.queries.shared import staff_state
from tourney.queries.shown_names import in_public_words
from tourney.queries.state import EventState
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.addresses import keeps_pages
from tourney.views.event import night_bar
from tourney.views.frame import JudgeCase, judge_cases

LONGEST = 100


@dataclass(frozen=True, slots=True)
class NightOfJudge:
    """An event of today, for the store's staff: who waits for a judge there."""

    event: Event
    state: EventState
    cases: tuple[JudgeCase, ...]


@require_safe
def judge(request: HttpRequest, slug: str = "") -> HttpResponse:
    """The tools, of a store or of nobody in particular; for its staff who waits for a judge tonight."""
    store = _store(request, slug)
    nights = _nights(request, store) if store else []
    context = _context(request, store, keeps_pages=keeps_pages(request), nights=nights)
    return responses.show(request, "judge/judge.html", context, parts=("cases",))


@require_safe
def rulings(request: HttpRequest, slug: str = "") -> HttpResponse:
    """All rulings; those with the words ?q= and the tag ?tag= on top, and the others hidden."""
    store = _store(request, slug)
    words, tag = (request.GET.get(name, "").strip()[:LONGEST] for name in ("q", "tag"))
    tag = tag_in_language(tag)
    book = book_of(store, words=words, tag=tag, public=_public(request, store))
    context = _context(request, store, book=book, words=words, tag=tag, understanding=asdict(ENGLISH))
    return render(request, "judge/rulings.html", context)


@login_required
def new_house_ruling(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a ruling of the store."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    form = HouseRulingForm(responses.posted(request))
    if form.is_valid():
        ruling = house_rulings.add(store, **form.cleaned_data, by=responses.actor_of_request(request))
        messages.success(request, str(message("House ruling {number} added.", number=str(ruling))))
        return redirect("store_rulings", store.slug)
    return _form_page(request, store, form)


@login_required
def house_ruling(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Change a ruling of the store."""
    ruling = _own(request, slug, number)
    form = HouseRulingForm(
        responses.posted(request), initial={name: getattr(ruling, name) for name in house_rulings.FACTS}
    )
    if form.is_valid():
        house_rulings.change(ruling, **form.cleaned_data, by=responses.actor_of_request(request))
        messages.success(request, str(message("House ruling {number} saved.", number=str(ruling))))
        return redirect("store_rulings", ruling.store.slug)
    return _form_page(request, ruling.store, form, ruling=ruling)


@login_required
@require_POST
def remove_house_ruling(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Remove a ruling of the store."""
    ruling = _own(request, slug, number)
    house_rulings.remove(ruling, by=responses.actor_of_request(request))
    messages.success(request, str(message("House ruling {number} removed.", number=str(ruling))))
    return redirect("store_rulings", ruling.store.slug)


def _store(request: HttpRequest, slug: str) -> Store | None:
    return access.store_for(request, slug) if slug else None


def _nights(request: HttpRequest, store: Store) -> list[NightOfJudge]:
    if access.role_at(request, store) not in access.DESK:
        return []
    states = [staff_state(event) for event in tonight_at(store, timezone.now())]
    return [NightOfJudge(state.event, state, judge_cases(state)) for state in states]


def _own(request: HttpRequest, slug: str, number: int) -> HouseRuling:
    store = access.store_for(request, slug, *access.ORGANIZERS)
    return access.found(ruling_of(store, number))


def _public(request: HttpRequest, store: Store | None) -> Callable[[str], str]:
    """Whoever runs the store reads names as they are written."""
    if store is None or access.role_at(request, store):
        return str
    player = access.player_at(request, store)
    return in_public_words(store, reader=player.pk if player else None)


def _context(request: HttpRequest, store: Store | None, **more: object) -> dict[str, object]:
    if store is None:
        return more
    return responses.store_context(request, store, section="judge", **night_bar(request, store, "rules"), **more)


def _form_page(request: HttpRequest, store: Store, form: HouseRulingForm, **more: object) -> HttpResponse:
    context = _context(request, store, form=form, **more)
    return render(request, "judge/house_ruling.html", context, status=422 if form.is_bound else 200)
