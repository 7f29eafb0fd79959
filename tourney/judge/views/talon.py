"""The Talon power record: a ship in the address, and its round played through; and the classes of a store."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tourney import access
from tourney.actions.record import Refused
from tourney.judge.actions import talon_classes
from tourney.judge.domain.talon_power import CLASSES, played
from tourney.judge.domain.talon_record import shown
from tourney.judge.forms.talon import TalonClassForm, TalonForm, address_of
from tourney.judge.queries.own import talon_class_of, talon_classes_of
from tourney.models import Store, TalonClass
from tourney.queries.shown_names import in_public_words
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.event import night_bar


@require_safe
def talon_power(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Everything is in the query: the same address shows the same record. 422 where it does not fit together."""
    store = access.store_for(request, slug) if slug else None
    form = TalonForm(request.GET.dict())
    record = shown(form.cleaned_data["name"], played(form.ship, form.steps), form.address) if form.is_valid() else None
    context = _context(
        request, store, form=form, record=record, classes=_classes(request, store, form.data.get("fifth", ""))
    )
    return render(request, "judge/talon.html", context, status=200 if record and not record.refused else 422)


@login_required
def new_talon_class(request: HttpRequest, slug: str) -> HttpResponse:
    """A class for the store, perhaps the one ?name= and ?curves= say."""
    store = access.store_for(request, slug, *access.DESK)
    form = TalonClassForm(responses.posted(request), initial=request.GET.dict())
    return _saved(request, store, form, partial(talon_classes.add, store))


@login_required
def talon_class(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Change a class of the store; one that was removed meanwhile can be saved as a new one."""
    store = access.store_for(request, slug, *access.DESK)
    if request.method == "POST" and talon_class_of(store, number) is None:
        form = TalonClassForm(request.POST)
        form.add_error(None, _("This class has been removed. Your entries are still here: save them as a new class."))
        return render(request, "judge/talon_class.html", _context(request, store, form=form), status=409)
    one = _own(request, slug, number)
    seen = {"seen": one.saved_at.isoformat()}
    form = TalonClassForm(responses.posted(request), initial={"name": one.name, "curves": one.curves} | seen)
    change = partial(
        talon_classes.change, one, expected_saved_at=form.cleaned_data["seen"] if form.is_valid() else None
    )
    return _saved(request, one.store, form, change, one=one)


@login_required
@require_POST
def remove_talon_class(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Remove a ship class of the store."""
    one = _own(request, slug, number)
    talon_classes.remove(one, by=responses.actor_of_request(request))
    messages.success(request, str(message("{name} is removed.", name=one.name)))
    return redirect("store_talon_power", one.store.slug)


def _saved(
    request: HttpRequest, store: Store, form: TalonClassForm, act: Callable[..., object], one: TalonClass | None = None
) -> HttpResponse:
    """What was typed is saved and can be chosen; or the form with what does not fit."""
    if form.is_valid():
        try:
            act(**form.facts, by=responses.actor_of_request(request))
        except Refused as error:
            form.add_error("name", list(error.reasons))
            if one:
                form.look_again(one.saved_at)
        else:
            saved = message(
                "{name} is saved. Everyone at {store} can choose it.", name=form.facts["name"], store=store.name
            )
            messages.success(request, str(saved))
            return redirect("store_talon_power", store.slug)
    context = _context(request, store, form=form, one=one)
    return render(request, "judge/talon_class.html", context, status=422 if form.is_bound else 200)


def _own(request: HttpRequest, slug: str, number: int) -> TalonClass:
    store = access.store_for(request, slug, *access.DESK)
    return access.found(talon_class_of(store, number))


def _classes(request: HttpRequest, store: Store | None, fifth: str) -> list[dict[str, object]]:
    """The classes that can be chosen: those that ship, then the store's."""
    classes: list[tuple[str, str, TalonClass | None]] = [
        (one.name, " ".join(map(str, one.curves)), None) for one in CLASSES
    ]
    if store:
        public = str if access.role_at(request, store) else in_public_words(store, reader=_reader(request, store))
        classes += [(public(one.name), one.curves, one) for one in talon_classes_of(store)]
    return [
        {"name": name, "curves": curves, "address": address_of(name, curves, fifth), "own": own}
        for name, curves, own in classes
    ]


def _reader(request: HttpRequest, store: Store) -> int | None:
    player = access.player_at(request, store)
    return player.pk if player else None


def _context(request: HttpRequest, store: Store | None, **more: object) -> dict[str, object]:
    if store is None:
        return more
    return responses.store_context(request, store, section="judge", **night_bar(request, store, "rules"), **more)
