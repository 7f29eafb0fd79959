"""What every view shares: who acts, full page or its part, the refusal page, unchanged answers."""

from collections.abc import Callable, Collection, Mapping
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified, QueryDict
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import gettext_lazy as _

from tourney import access
from tourney.actions import card_steps
from tourney.actions.record import Actor, AlreadyExplained, Refused
from tourney.models import Event, JournalEntry, Player, Store
from tourney.queries.journal import done_since
from tourney.queries.months import is_ahead
from tourney.queries.stores import first_store_of, own_store_of
from tourney.runtime import disk, installation, locales
from tourney.runtime.etag import cards_in, tag_of
from tourney.runtime.kept import VersionedCache, memory

MAX_VERSION_DIGITS = 10
"""A version has fewer digits."""
FIELDS_TO_ECHO = {
    "reason": _("Reason"),
    "words": _("Words"),
    "minutes": _("Minutes"),
    "text": _("Text"),
    "names": _("Names"),
}
"""Fields of forms without a page of their own, whose contents a refusal hands back."""


def actor_of_request(request: HttpRequest) -> Actor:
    """Who acts in this request, when, and upon what they saw. A visitor without a sign-in acts as "a player"."""
    user = request.user if request.user.is_authenticated else None
    return Actor(
        user=user,
        name=user.username if user else "a player",
        at=timezone.now(),
        event_version=form_event_version(request),
    )


def form_event_version(request: HttpRequest) -> int | None:
    """The version of the event on the page that a form of the desk was sent from (`templatetags/desk_form.py`)."""
    version = request.POST.get("as_of", "")
    return int(version) if version.isascii() and version.isdigit() and len(version) < MAX_VERSION_DIGITS else None


def entries_since_page_load(request: HttpRequest, event: Event) -> list[JournalEntry]:
    """What was done at the event while the page that this form was sent from was open, the last first."""
    version = form_event_version(request)
    return [] if version is None else done_since(event, version)


def reasons_not_already_listed(request: HttpRequest, event: Event, error: Refused) -> tuple[str, ...]:
    """The reasons to show beside `entries_since_page_load`: not that somebody was faster, which those say."""
    return () if isinstance(error, AlreadyExplained) and entries_since_page_load(request, event) else error.reasons


def actor_of_player(player: Player) -> Actor:
    """The player whose card this device holds acts, now. Raises TooManySteps for one who does nothing else."""
    now = timezone.now()
    card_steps.count(player.pk, now)
    return Actor(user=None, name=player.name, at=now)


def show(
    request: HttpRequest, template: str, context: dict[str, object], *, parts: Collection[str] = (), status: int = 200
) -> HttpResponse:
    """Render the page; or, when htmx asks for one of its named parts by HX-Target, that part alone.

    A part stands in the page's own template, or in the included one that a mapping of `parts` names for it. It may
    bring along what else of the page follows the event, where `is_part` is true.
    """
    target = _target(request)
    is_part = target in parts
    file = parts.get(target, template) if isinstance(parts, Mapping) else template
    name = f"{file}#{target}" if is_part else template
    response = render(request, name, {"is_part": is_part, **context}, status=status)
    patch_vary_headers(response, ("HX-Request", "HX-Target"))
    return response


def posted(request: HttpRequest) -> QueryDict | None:
    """What a form is bound to: the data of a POST, though it may be empty; nothing on the way to the page."""
    return request.POST if request.method == "POST" else None


def store_context(request: HttpRequest, store: Store, **more: object) -> dict[str, object]:
    """What base.html asks for: the store and this user's role there."""
    role = access.role_at(request, store)
    may_organize = role in access.ORGANIZERS
    disk_warning = disk.warning() if may_organize else None
    return {"store": store, "role": role, "may_organize": may_organize, "disk_warning": disk_warning, **more}


def own_store_context(request: HttpRequest, path: str) -> dict[str, object]:
    """The context of a page that may be at no store: the one of that address, else the first where they have a role.

    Nothing for who is not signed in, and nothing is asked of the database for them.
    """
    user = access.viewer_of(request).user
    if not user.is_authenticated:
        return {}
    store = own_store_of(user, urlsplit(path).path) or first_store_of(user)
    return store_context(request, store) if store else {}


def speak_as_store(store: Store) -> None:
    """What comes is for everybody in the room: it is in the language of the store."""
    translation.activate(locales.language_at(store.locale))


def event_context(request: HttpRequest, event: Event, **more: object) -> dict[str, object]:
    """The context of a page of the event: that of its store, the event and its announcements."""
    return store_context(request, event.store, event=event, announced=event.announced(timezone.now()), **more)


type EventPage = Callable[..., HttpResponse]
"""A page of an event: takes the request, the event, and whatever else is in its address."""


def live(*roles: str) -> Callable[[EventPage], EventPage]:
    """Decorator for pages of an event: 304 while version, announcements, viewer and pending messages are the same.

    The page gets the event (found by `access.event_for` with these roles) instead of its slug.
    """

    def decorate(page: EventPage) -> EventPage:
        @wraps(page)
        def answer(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            shared = not roles and request.method in ("GET", "HEAD")
            event = access.cached_public_event(request, slug) if shared else access.event_for(request, slug, *roles)
            etag = f'W/"{live_tag(request, event, _target(request))}"'
            readable = request.method in ("GET", "HEAD") and not messages.get_messages(request)
            if readable and etag in request.headers.get("If-None-Match", ""):
                response: HttpResponse = HttpResponseNotModified()
            else:
                response = _answer(request, etag, lambda: page(request, event, *args, **kwargs))
            if readable and response.status_code in (200, 304):
                response["ETag"] = etag
                response["Cache-Control"] = "no-cache, private"
                patch_vary_headers(response, ("Cookie", "HX-Request", "HX-Target"))
            if shared:
                _remember(request, response, event)
            return response

        return answer

    return decorate


def _remember(request: HttpRequest, response: HttpResponse, event: Event) -> None:
    """A player's device knows which event it looked at last: its bar is on the player's pages at the store."""
    has_card = access.card_cookie(event.store) in request.COOKIES
    if has_card and not access.htmx_of(request) and access.last_event(request) != event.slug:
        response.set_cookie(access.LAST_EVENT, event.slug, httponly=True, samesite="Lax", secure=settings.HTTPS)


def _answer(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer that this process gave to another visitor without a name, if it is of this second, or a new one.

    A room full of phones asks for the same part at the same moment. Not longer, for the sake of the clock in it.
    """
    if request.method != "GET" or request.COOKIES:
        return make()
    kept = _answers.get((request.get_host(), etag), int(time()), lambda _: make())
    return HttpResponse(kept.content, status=kept.status_code, headers=kept.headers)


_answers: VersionedCache[HttpResponse] = VersionedCache(memory(0.06), lambda answer: 3_000 + len(answer.content))


def live_tag(request: HttpRequest, event: Event, target: str = "") -> str:
    """The ETag of this URL's part `target` for this viewer at the event's version.

    A part that refreshes itself sends it along: hx-headers='{"If-None-Match": "W/\\"{{ tag }}\\""}'.
    """
    role = access.role_at(request, event.store)
    signed_in = f"{request.user.pk} {role} " if request.user.is_authenticated else ""
    address = f"{request.path}?{request.META['QUERY_STRING']}"
    going = [one.text for one in event.announced(timezone.now()) if one.until]  # by themselves, without a new version
    ahead = "ahead" if is_ahead(event, timezone.now()) else ""  # a day comes without a new version, too
    closes = event.sign_up_closes_at is not None and event.takes_sign_ups(timezone.now())
    closing = "closing" if closes else ""  # and so does the end of sign-up
    viewer = signed_in + cards_in(request.COOKIES) + "".join(going) + ahead + closing
    return tag_of(event.pk, event.version, build_id(), address, target, viewer, translation.get_language())


def if_changed(request: HttpRequest, answer: HttpResponse) -> HttpResponseBase:
    """The answer with an ETag of its content; 304 for who has it already."""
    etag = f'W/"{sha256(answer.content).hexdigest()[:20]}"'
    answer["ETag"] = etag
    patch_cache_control(answer, no_cache=True, private=True)
    return get_conditional_response(request, etag=etag, response=answer) or answer


PAGES_ARE_MADE_OF = (
    "docs/**/*.md",
    "locale/**/*.[mp]o",
    "templates/**/*.html",
    "static/**/*.*",
    "tourney/**/*.py",
    "scoring/**/*.*[!c]",
    "fleets/**/*.*[!c]",
)


@cache
def build_id() -> str:
    """What this installation's pages are made of: after an update no browser keeps a page of the old one."""
    return build_of(*{settings.BASE_DIR, installation.CODE})


def build_of(*folders: Path) -> str:
    """The same for the same files, on whatever host, wherever they are and whenever they were written."""
    files = {
        (file.relative_to(folder).as_posix(), sha256(file.read_bytes()).hexdigest())
        for folder in folders
        for pattern in PAGES_ARE_MADE_OF
        for file in folder.glob(pattern)
        if file.is_file()
    }
    return sha256(repr(sorted(files)).encode()).hexdigest()


def _target(request: HttpRequest) -> str:
    """The part that htmx asks for; nothing where it restores a whole page."""
    htmx = access.htmx_of(request)
    return htmx.target or "" if htmx and not htmx.history_restore_request else ""


def typed_texts(sent: QueryDict) -> list[tuple[str, str]]:
    """What somebody typed into fields that hold words, each with what the field is called."""
    return [(str(label), text) for name, label in FIELDS_TO_ECHO.items() if (text := sent.get(name, "").strip())]


def refused(
    request: HttpRequest, error: Refused, *, store: Store, back: str, event: Event | None = None
) -> HttpResponse:
    """409: what was asked cannot be done now, and what others did; what was typed is handed back, with the way back."""
    reasons = reasons_not_already_listed(request, event, error) if event else error.reasons
    typed = typed_texts(request.POST)
    done = entries_since_page_load(request, event) if event else []
    context = store_context(request, store, event=event, reasons=reasons, back=back, typed=typed, done_since=done)
    return render(request, "refused.html", context, status=409)
