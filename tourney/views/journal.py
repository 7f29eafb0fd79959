"""The journal of an event at the desk, and of the store itself: filtered, shown in pages, and as a file."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, astuple, fields
from itertools import chain

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tourney import access
from tourney.forms.journal import Filter, JournalForm, StoreJournalForm
from tourney.models import Event, JournalEntry, Store
from tourney.queries.journal import MOST_EXPORTED, ExportedEntry, entries_of, entries_of_store, exported, lines
from tourney.queries.state import EventState, state_of
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.spreadsheets import in_csv
from tourney.views import frame, responses

PER_PAGE = 50
HEADS = tuple(field.name for field in fields(ExportedEntry))[:-2]
"""The columns of the table; what changed is in the other file."""


@login_required
@require_safe
def journal(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that was done, newest first: who, when, what, why, and what it changed."""
    event = access.event_for(request, slug, *access.DESK)
    state = state_of(event)
    form = _form(request, state)
    shown = _shown(request, form, _filtered(event, form), state.names)
    context = frame.desk_context(request, state, "journal", **shown)
    return responses.show(request, "desk/journal.html", context, parts=("entries",))


@login_required
@require_safe
def journal_file(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """The entries that the filters of the address leave, newest first, as a table or as JSON."""
    event = access.event_for(request, slug, *access.DESK)
    return _file(_filtered(event, _form(request, state_of(event))), form, event.slug)


@login_required
@require_safe
def store_journal(request: HttpRequest, slug: str) -> HttpResponse:
    """What was done at the store itself, newest first."""
    store = access.store_for(request, slug, *access.OWNERS)
    form = _store_form(request, store)
    shown = _shown(request, form, _filtered_at(store, form), {})
    context = responses.store_context(request, store, section="settings", **shown)
    return responses.show(request, "store/journal.html", context, parts=("entries",))


@login_required
@require_safe
def store_journal_file(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """The same as a table or as JSON, as far as the filters of the address leave it."""
    store = access.store_for(request, slug, *access.OWNERS)
    return _file(_filtered_at(store, _store_form(request, store)), form, store.slug)


def _shown(
    request: HttpRequest, form: Filter, entries: QuerySet[JournalEntry], names: Mapping[int, str]
) -> dict[str, object]:
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    return {
        "form": form,
        "query": form.query,
        "page": page,
        "lines": lines(page, names),
        "most": MOST_EXPORTED if page.paginator.count > MOST_EXPORTED else None,
    }


def _file(entries: QuerySet[JournalEntry], form: str, name: str) -> HttpResponse:
    if form not in FORMATS:
        raise Http404
    kind, write = FORMATS[form]
    response = HttpResponse(write(exported(entries)), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="journal-{name}.{form}"'
    return response


def _form(request: HttpRequest, state: EventState) -> JournalForm:
    by_name = sorted(state.entrants, key=lambda one: alphabetical(str(one)))
    return JournalForm(request.GET, rounds=len(state.rounds), entrants=by_name)


def _store_form(request: HttpRequest, store: Store) -> StoreJournalForm:
    by_name = sorted(store.players.not_merged(), key=lambda one: alphabetical(one.name))
    return StoreJournalForm(request.GET, players=by_name)


def _filtered_at(store: Store, form: StoreJournalForm) -> QuerySet[JournalEntry]:
    return entries_of_store(store, kind=form.chosen_kind, player=form.chosen_player)


def _filtered(event: Event, form: JournalForm) -> QuerySet[JournalEntry]:
    return entries_of(event, round=form.chosen_round, kind=form.chosen_kind, entrant=form.chosen_entrant)


def _as_csv(entries: Iterable[ExportedEntry]) -> bytes:
    return in_csv(chain([HEADS], (astuple(entry)[: len(HEADS)] for entry in entries)))


def _as_json(entries: Iterable[ExportedEntry]) -> bytes:
    text = json.dumps({"entries": [asdict(entry) for entry in entries]}, ensure_ascii=False, indent=1)
    return text.encode(errors="replace")


FORMATS: dict[str, tuple[str, Callable[[Iterable[ExportedEntry]], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", _as_csv),
    "json": ("application/json", _as_json),
}
