"""The page of backups, for a store's owners: the last ones, whether they are whole, one more now, and the files."""

import logging
from collections.abc import AsyncIterator, Generator
from contextlib import closing

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tourney import access
from tourney.backups.actions import daily
from tourney.backups.domain.dailies import KEPT
from tourney.backups.queries.kept import all_kept, overview
from tourney.runtime import disk
from tourney.runtime.backup_state import SAID, BackupTrouble, folder
from tourney.runtime.installation import command
from tourney.views import responses

BLOCK = 1 << 18

logger = logging.getLogger(__name__)


@never_cache
@login_required
@require_safe
def backups(request: HttpRequest, slug: str) -> HttpResponse:
    """What there is, newest first; the files only for who owns every store here, whose data each of them has."""
    store = access.store_for(request, slug, *access.OWNERS)
    found = overview()
    context = responses.store_context(
        request,
        store,
        section="settings",
        found=found,
        may_see_everything=access.may_see_everything(request),
        days=KEPT.days,
        restore=command("restore"),
    )
    return responses.show(request, "store/backups.html", context, parts={"backups-now"})


@login_required
@require_POST
def back_up_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Have one made; the page says when it is there."""
    store = access.store_for(request, slug, *access.OWNERS, moved=True)
    _require_everything_or_404(request)
    try:
        daily.ask()
    except OSError as error:
        logger.warning("No backup can be asked for: %s", error)
        trouble = BackupTrouble.NO_ROOM if disk.was_full(error) else BackupTrouble.FAILED
        messages.error(request, str(SAID[trouble]))
    return redirect("backups", store.slug)


@never_cache
@login_required
@require_safe
def backup_file(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """The file itself, a piece at a time."""
    access.store_for(request, slug, *access.OWNERS)
    _require_everything_or_404(request)
    found = next((one for one in all_kept() if one.name == name), None)
    if found is None:
        raise Http404
    is_async = isinstance(request, ASGIRequest)  # else it is the server of development
    return StreamingHttpResponse(
        _pieces_in_turn(found.name) if is_async else _pieces_of(found.name),
        content_type="application/octet-stream",
        headers={
            "Content-Length": str(found.size),
            "Content-Disposition": f'attachment; filename="{found.name}"',
            "Content-Encoding": "identity",  # it is packed already
            "Cache-Control": "no-store",
        },
    )


def _pieces_of(name: str) -> Generator[bytes]:
    with (folder() / name).open("rb") as file:
        while piece := file.read(BLOCK):
            yield piece


async def _pieces_in_turn(name: str) -> AsyncIterator[bytes]:
    """Read when the one before is sent: no thread waits for who takes it slowly, and it is never in memory."""
    pieces = _pieces_of(name)
    with closing(pieces):
        next_piece = sync_to_async(lambda: next(pieces, b""), thread_sensitive=False)
        while piece := await next_piece():
            yield piece


def _require_everything_or_404(request: HttpRequest) -> None:
    if not access.may_see_everything(request):
        raise Http404
