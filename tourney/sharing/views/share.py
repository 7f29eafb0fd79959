"""Share results: texts to post, tables and files, for the desk and, as far as strangers may see it, for everybody."""

import json
from collections.abc import Mapping

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Event
from tourney.queries.archive import archive_of
from tourney.queries.shared import shared_state, staff_state
from tourney.queries.state import EventState
from tourney.sharing.domain.tables import as_csv
from tourney.sharing.queries.posts import posts_of
from tourney.sharing.queries.results import as_text, list_fortress, reentry_lines
from tourney.sharing.queries.tables import TITLES, tables_in
from tourney.views import frame, responses
from tourney.views.addresses import is_out_of_reach, reachable
from tourney.views.event import frame_context

THEMES = {"light": _("Light"), "dark": _("Dark")}


@require_safe
@responses.live()
def share(request: HttpRequest, event: Event) -> HttpResponse:
    """What strangers may take along."""
    state = shared_state(event)
    context = frame_context(request, state, "share", **_shared(request, state, is_public=True))
    return responses.show(request, "share/public.html", context)


@require_safe
@responses.live()
def shared_table(request: HttpRequest, event: Event, table: str) -> HttpResponse:
    """A table as CSV, with the names that everybody may read."""
    return _table(shared_state(event), table, is_public=True)


@require_safe
@responses.live()
def shared_list_fortress(request: HttpRequest, event: Event) -> HttpResponse:
    """The results for List Fortress, which shows them to everybody."""
    state = shared_state(event)
    if not state.complete_rounds:
        raise Http404
    return _json_file(list_fortress(state), f"list-fortress-{event.slug}.json")


@login_required
@require_safe
def desk_share(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that the store may take along. What is to be posted has the names that everybody may read."""
    event = access.event_for(request, slug, *access.DESK)
    state = staff_state(event)
    reentry = reentry_lines(state) if state.complete_rounds else []
    context = frame.desk_context(
        request,
        state,
        "share",
        reentry=reentry,
        reentry_text=as_text(reentry),
        **_shared(request, shared_state(event), is_public=False),
    )
    return responses.show(request, "share/desk.html", context)


@login_required
@require_safe
def desk_table(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """A table as CSV, with the players' own names."""
    return _table(staff_state(access.event_for(request, slug, *access.DESK)), table, is_public=False)


@never_cache
@login_required
@require_safe
def desk_archive(request: HttpRequest, slug: str) -> HttpResponse:
    """The file that rebuilds the event elsewhere (docs/archive.md)."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    return _json_file(archive_of(event), f"archive-{event.slug}.json")


def _shared(request: HttpRequest, state: EventState, *, is_public: bool) -> dict[str, object]:
    """What both pages offer, of a state with public names."""
    slug, name = state.event.slug, "shared_table" if is_public else "desk_table"
    there = tables_in(state, is_public=is_public)
    return {
        "posts": posts_of(state, _links(request, state)),
        "tables": [(TITLES[table], reverse(name, args=[slug, table])) for table in there],
        "pictures": _pictures(state),
        "has_results": bool(state.complete_rounds),
        "data": [(f"{name}.json", reverse(f"{name}_json", args=[slug])) for name in ("event", "standings", "pairings")],
    }


def _pictures(state: EventState) -> list[tuple[Promise, str, str]]:
    """The ranks as pictures, by day and by night: what each is called, and its PNG and SVG; none before the end."""
    if not state.is_finished or not state.closed_rounds:
        return []
    png, svg = (reverse(name, args=[state.event.slug]) for name in ("event_png", "event_picture"))
    return [(title, f"{png}?theme={theme}", f"{svg}?theme={theme}") for theme, title in THEMES.items()]


def _links(request: HttpRequest, state: EventState) -> Mapping[str, str]:
    """Where those who read a post see more, if they can get there."""
    if is_out_of_reach(request) or state.event.store.rehearsal_id is not None:
        return {}
    slug, rounds = state.event.slug, state.public_rounds
    links = {"standings": reverse("standings", args=[slug])}
    if rounds:
        links["pairings"] = reverse("pairings", args=[slug, rounds[-1].number])
    return {kind: reachable(request, path) for kind, path in links.items()}


def _table(state: EventState, name: str, *, is_public: bool) -> HttpResponse:
    make = access.found(tables_in(state, is_public=is_public).get(name))
    response = HttpResponse(as_csv(make()), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}-{state.event.slug}.csv"'
    return response


def _json_file(data: Mapping[str, object], name: str) -> HttpResponse:
    response = HttpResponse(json.dumps(data, ensure_ascii=False, indent=1), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
