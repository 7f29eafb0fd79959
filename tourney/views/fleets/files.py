"""Fleets from files, addresses and pasted text, to files and text."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from fleets.catalogue import find, near_titles
from fleets.domain.cost import costs
from fleets.domain.foreign import Incoming, NotAFleet
from fleets.domain.intake import read, write
from fleets.domain.picture import as_svg
from fleets.domain.sheet import Sheet
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.table import as_csv
from fleets.domain.texts import as_text
from tourney import access
from tourney.actions import fleets as actions
from tourney.actions.record import Actor, Refused, locked
from tourney.forms.fleets import ImportForm, packed
from tourney.models import Entrant, Event, Fleet, Player
from tourney.queries.fleets import state_of_fleet
from tourney.runtime.isolated import call_if_large
from tourney.runtime.messages import Message, message, nmessage
from tourney.views import responses
from tourney.views.event import night_bar
from tourney.views.fleets.builder import address, stamp

MOST_BY_HAND = 12
BY_HAND = message("Not in the catalogue, so added by hand:")
TOLD = (
    (message("Couldn’t be read, so not in the fleet:"), " · ", "skipped", 200),
    (message("Different from the import:"), " ", "differences", 60),
)
"""What is told of an import besides the cards by hand: its head, what stands between, where it is in Incoming, and how
many are named. The cards by hand are marked on the sheet; the rest is said here alone."""

FORMATS: dict[str, tuple[str, str, Callable[[Sheet, str], bytes]]] = {
    "text": ("txt", "text/plain; charset=utf-8", lambda sheet, name: as_text(sheet, name).encode()),
    "spacedock": ("spacedock", "application/json", write_fleet),
    "csv": ("csv", "text/csv; charset=utf-8", as_csv),
    "picture": ("svg", "image/svg+xml", as_svg),
    "json": ("json", "application/json", write),
}


@require_http_methods(["GET", "HEAD", "POST"])
def import_fleets(request: HttpRequest, slug: str) -> HttpResponse:
    """Fleets from elsewhere become fleets of the player; what was not recognised is listed."""
    player = access.player_or_404(request, slug)
    form = ImportForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    status = 200
    if request.method == "POST":
        imported = import_into(player, form, by=stamp(request, player))
        if isinstance(imported, FleetChoice):
            return choose(request, player, imported)
        if imported:
            imported.say(request)
            several = len(imported.fleets) > 1
            return redirect("my_fleets", slug) if several else redirect(address(imported.fleets[0]))
        status = 422
    context = responses.store_context(request, player.store, player=player, form=form)
    context |= night_bar(request, player.store, "fleets")
    return responses.show(request, "fleets/import.html", context, status=status)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The fleets that were made, and what they were made of."""

    fleets: tuple[Fleet, ...]
    incoming: tuple[Incoming, ...]

    def say(self, request: HttpRequest) -> None:
        """Tell it on the next page."""
        names = ", ".join(fleet.name for fleet in self.fleets)
        messages.success(request, str(message("Imported: {fleets}.", fleets=names)))
        _warn(request, BY_HAND, self.by_hand, ", ", MOST_BY_HAND)
        for head, separator, name, most in TOLD:
            _warn(request, head, [text for one in self.incoming for text in getattr(one, name)], separator, most)

    @property
    def by_hand(self) -> list[str | Message]:
        """The cards that the catalogue does not have, each with its ships, and with the card that may be meant."""
        titles = dict.fromkeys(title for one in self.incoming for title in one.not_recognised)
        near = near_titles([*titles][:MOST_BY_HAND])
        ships = defaultdict[str, list[str]](list)
        for one in self.incoming:
            for ship in one.sheet.ships:
                for line in ship.cards:
                    ships[line.card.title].append(ship.card.title)

        def told(title: str) -> str | Message:
            on = tuple(dict.fromkeys(ships[title]))
            card = message("{card} on {ship}", card=title, ship=on) if on else title
            return message("{card} (did you mean {title}?)", card=card, title=near[title]) if title in near else card

        return [told(title) for title in titles]


def _warn(request: HttpRequest, head: Message, texts: Iterable[str | Message], separator: str, most: int) -> None:
    """Say these texts in one line, those that are too many as a number."""
    found = list(dict.fromkeys(map(str, texts)))
    if found:
        listed, more = separator.join(found[:most]), len(found) - most
        rest = [str(nmessage("And {count} more.", "And {count} more.", more))] if more > 0 else []
        messages.warning(request, " ".join([str(head), listed, *rest]))


@dataclass(frozen=True, slots=True)
class FleetOffer:
    """A fleet of a file that holds several: its place there, and what tells it from the others."""

    place: int
    name: str
    facts: tuple[Message, ...]
    notes: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FleetChoice:
    """The fleets of a file from which some are to be chosen, with the file; `room` is for how many more."""

    offers: tuple[FleetOffer, ...]
    packed: str
    room: int
    is_empty: bool


def choose(request: HttpRequest, player: Player, choice: FleetChoice, *, at: Entrant | None = None) -> HttpResponse:
    """The page on which fleets of a file are chosen; what else was sent is sent again. `at`: one, for that entrant."""
    own = {"csrfmiddlewaretoken", "text", "packed", "chosen"}
    sent = [(name, value) for name, value in request.POST.items() if name not in own]
    context = responses.store_context(request, player.store, player=player, choice=choice, sent=sent, entrant=at)
    context |= {"at_desk": at is not None, **night_bar(request, player.store, "fleets")}
    return responses.show(request, "fleets/choose.html", context, status=422 if choice.is_empty else 200)


def _choice(player: Player, form: ImportForm, given: bytes | str, incoming: tuple[Incoming, ...]) -> FleetChoice:
    room = max(0, actions.MOST_FLEETS - player.fleets.count())
    chosen = form.chosen if form.is_choice else frozenset(range(len(incoming)) if len(incoming) <= room else ())
    offers = []
    for place, one in enumerate(incoming):
        ships = len(one.sheet.ships)
        facts = [
            message("{points} SP", points=costs(one.sheet).total),
            nmessage("{count} ship", "{count} ships", ships),
        ]
        if unknown := len(one.not_recognised):
            facts.append(nmessage("{count} not in the catalogue", "{count} not in the catalogue", unknown))
        offers.append(FleetOffer(place, one.name, tuple(facts), one.sheet.notes, place in chosen))
    return FleetChoice(tuple(offers), packed(given), room, is_empty=form.is_choice)


def _call[*Given, Answer](function: Callable[[*Given], Answer], *given: *Given) -> Answer:
    """What the function makes of a file and more; of a large one in a process of its own. Raises NotAFleet."""
    return call_if_large(function, *given, refusal=NotAFleet)  # type: ignore[arg-type]  # a file comes first


def import_into(
    player: Player, form: ImportForm, *, by: Actor, event: Event | None = None
) -> ImportResult | FleetChoice | None:
    """Make the fleets that the form brings for the player: all that are chosen, or none and the form says what is
    wrong. Where a file holds several, they are to be chosen first.

    An event at which one of them is to fly is locked first, once the file has been read.
    """
    if not form.is_valid():
        return None
    try:
        given = form.given
        incoming = read(given, find, _call)
        if len(incoming) > 1:
            chosen = form.chosen if form.is_choice else frozenset[int]()
            if not chosen.intersection(range(len(incoming))):
                return _choice(player, form, given, incoming)
            incoming = tuple(one for place, one in enumerate(incoming) if place in chosen)
        with transaction.atomic():
            if event:
                locked(event)
            made = [actions.make_fleet(player, one.name[:50], by=by, sheet=one.sheet) for one in incoming]
    except NotAFleet as error:
        form.add_error("file" if form.cleaned_data.get("file") else "text", forms.ValidationError(str(error)))
        return None
    except Refused as error:
        form.add_error(None, list(error.reasons))
        return None
    return ImportResult(tuple(made), incoming)


@require_safe
def fleet_file(request: HttpRequest, slug: str, fleet: int, form: str) -> HttpResponse:
    """The fleet as a file: text, .spacedock, or our own JSON."""
    if form not in FORMATS:
        raise Http404
    row = access.fleet_for(request, slug, fleet, *access.DESK)
    if row.readable_sheet is None:
        messages.error(request, str(message("{fleet} can’t be read, so it can’t be exported.", fleet=row.name)))
        return redirect(address(row))
    ending, kind, write_it = FORMATS[form]
    response = HttpResponse(write_it(state_of_fleet(row).sheet, row.name), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{slugify(row.name) or "fleet"}.{ending}"'
    return response
