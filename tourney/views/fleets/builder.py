"""The builder: one page on which a fleet grows step by step; every step is saved at once and can be undone."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from fleets.catalogue import card_of, known_costs_and_sets
from fleets.domain import editing
from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.sheet import FLEET, CardLine, Sheet
from fleets.domain.space_dock import LONGEST_SET
from tourney import access
from tourney.actions import fleets as actions
from tourney.actions import player_cards
from tourney.actions.record import Actor, Refused
from tourney.domain.keys import hash_of
from tourney.forms.fleets import CardForm, LineForm, NameForm, NotesForm
from tourney.models import Entrant, Fleet, Player, PlayerCard
from tourney.queries.fleets import (
    FleetState,
    could_fly_at,
    fleet_with_event,
    fleets_of_player,
    flying_at,
    newer_cards,
    state_of_fleet,
    step_to_undo,
)
from tourney.queries.player_cards import cards_of
from tourney.runtime.messages import Message, message, pmessage
from tourney.views import responses
from tourney.views.event import night_bar
from tourney.views.fleets import shown

KEY_BYTES = 9
PARTS = {"fleet": "fleets/parts/fleet.html", "found": "fleets/parts/adding.html"}


@dataclass(frozen=True, slots=True)
class Select:
    """A filter of the search: its name in the address, what it says, its choices by value, and the chosen one."""

    name: str
    label: Message
    every: Message
    values: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class WhereToFly:
    """Whether the player is registered for anything to come, and the entries where this fleet could fly."""

    is_registered: bool
    entries: tuple[Entrant, ...]


class Invalid(Exception):
    """A form of the page that is not filled as it should be; the page is shown again with it."""

    def __init__(self, *, hand: CardForm | None = None, write: LineForm | None = None) -> None:
        super().__init__("invalid")
        self.hand, self.write = hand, write


@dataclass(frozen=True, slots=True)
class BuilderStep:
    """A step to make: the change, what it was in words, where the page goes on, and the line that it adds."""

    change: actions.SheetEdit
    did: Message
    then: Mapping[str, object]
    added: int = FLEET


@require_http_methods(["GET", "HEAD", "POST"])
def fleet(request: HttpRequest, slug: str, fleet: int) -> HttpResponse:
    """A fleet of the player whose card this device holds, or one at an event for its organizers."""
    row = access.fleet_for(request, slug, fleet, *access.ORGANIZERS)
    state = state_of_fleet(row)
    if request.method != "POST":
        return _show(request, state)
    do = request.POST.get("do", "")
    if do in OTHER_ACTS and (do == "undo" or not _at_desk(request, row)):
        return OTHER_ACTS[do](request, state)
    if do not in STEPS:
        raise Http404
    try:
        step = STEPS[do](request, state)
        actions.step(row, step.change, did=step.did, by=stamp(request, row.player), key=_key(request))
    except Invalid as error:
        return _show(request, state, status=422, hand=error.hand, write=error.write)
    except (Refused, editing.CannotEdit) as error:
        reasons = error.reasons if isinstance(error, Refused) else (str(error.reason),)
        return _show(request, state_of_fleet(row), refused=reasons, status=409)
    return _on(request, row, step.then, added=step.added)


def stamp(request: HttpRequest, player: Player) -> Actor:
    """Who changes a fleet of the player: who is signed in, or else the player, whose card this device holds."""
    return responses.actor_of_request(request) if request.user.is_authenticated else responses.actor_of_player(player)


def _key(request: HttpRequest) -> str:
    """What makes a step the same step: all that was sent, from the same showing of the form (its own `key`)."""
    sent = sorted((name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken")
    return hash_of(repr(sent))[:40] if request.POST.get("key") else ""


def _at_desk(request: HttpRequest, row: Fleet) -> bool:
    return access.player_at(request, row.player.store) != row.player


def _on(request: HttpRequest, row: Fleet, query: Mapping[str, object], *, added: int = FLEET) -> HttpResponse:
    """The builder, at the line that was added or else at the open panel; htmx keeps its place on the page."""
    anchor = f"#line-{added}" if added else "#adding" if "add" in query else ""
    there = address(row) + (f"?{urlencode(query)}" if query else "")
    return redirect(there if access.htmx_of(request) else there + anchor)


def address(row: Fleet) -> str:
    """The address of the builder for that fleet."""
    return reverse("fleet", args=[row.player.store.slug, row.pk])


def _share_address(request: HttpRequest, row: Fleet) -> str:
    """Where strangers read the fleet; empty while it is not shared."""
    if not row.share_key:
        return ""
    return request.build_absolute_uri(reverse("shared_fleet", args=[row.player.store.slug, row.share_key]))


# the page


def _show(
    request: HttpRequest,
    state: FleetState,
    *,
    status: int = 200,
    refused: Sequence[str] = (),
    hand: CardForm | None = None,
    write: LineForm | None = None,
    name: NameForm | None = None,
) -> HttpResponse:
    row = state.row
    booster = _has_booster(state)
    query = request.GET if request.method != "POST" else request.POST
    card = cards_of([row.player]).get(row.player.person.pk) if "add" in query else None
    panel = None if state.is_locked else _panel(state, query, card)
    opened = None if state.is_locked else _opened(state, query)
    newer = newer_cards(state.sheet)
    at_desk = _at_desk(request, row)
    context = responses.store_context(
        request,
        row.player.store,
        fleet=row,
        state=state,
        at_desk=at_desk,
        where=partial(_where, state, at_desk),  # asked for with the whole page alone
        ships=shown.ships_of(state, newer),
        resource=state.sheet.resource and shown.line_view(state, state.sheet.resource, newer),
        other=[shown.line_view(state, line, newer) for line in state.sheet.other],
        assigned=_assigned(state),
        adding=panel,
        player_card=card,
        filters=panel and partial(_filters, panel),  # asked for with the whole panel alone
        hand=hand or (panel and _hand_form(panel, booster)),
        opened=opened,
        moves=_moves(state, opened.line) if opened else [],
        write=write or (opened and _line_form(opened.line, booster)),
        share_address=_share_address(request, row),
        name_form=name or NameForm(initial={"name": row.name}),
        notes_form=NotesForm(initial={"notes": state.sheet.notes}),
        undo=None if state.is_locked else step_to_undo(row),
        refused=refused,
        key=secrets.token_urlsafe(KEY_BYTES),
        last_ship=state.sheet.ships[-1].line.id if state.sheet.ships else FLEET,
        needs_resource=bool(state.format is None or state.format.resource_rule != "none"),
        takes_resource=_takes_resource(state),
        **night_bar(request, row.player.store, "fleets"),
    )
    return responses.show(request, "fleets/builder.html", context, parts=PARTS, status=status)


def _where(state: FleetState, at_desk: bool) -> WhereToFly | None:
    """Where the player could take a fleet that is entered nowhere; None for others."""
    if state.event or at_desk or state.is_unreadable:
        return None
    entries = flying_at(state.row.player, fleets_of_player(state.row.player))
    return WhereToFly(bool(entries), could_fly_at(state, entries))


def _has_booster(state: FleetState) -> bool:
    return bool(state.format and state.format.booster)


def _takes_resource(state: FleetState) -> bool:
    """Whether one more may be added: the first, or any in a month of several."""
    rule = state.format.resource_rule if state.format else ""
    return rule != "none" and (state.sheet.resource is None or rule in ("any number", "one per ship"))


def _wish(query: QueryDict, card: PlayerCard | None) -> shown.CardWish:
    cost = query.get("cost", "")
    return shown.CardWish(
        faction if (faction := query.get("faction", "")) in FACTIONS else "",
        int(cost) if cost.isascii() and cost.isdecimal() and len(cost) < 4 else None,
        query.get("set", "")[:LONGEST_SET].replace("\0", ""),
        tuple(card.sets) if card and card.only_own_sets else (),
    )


def _panel(state: FleetState, query: QueryDict, card: PlayerCard | None) -> shown.Adding | None:
    if "add" not in query:
        return None
    at, kind, text = _number(query.get("add")), query.get("kind", ""), query.get("q", "")[:80]
    return shown.adding(state, at, kind, text, _wish(query, card))


def _filters(panel: shown.Adding) -> list[Select]:
    """What the search can be narrowed to, each with its choices."""
    wish = panel.wish
    known = known_costs_and_sets()
    costs = tuple((str(cost), f"{cost} SP") for cost in known[0])
    sets = tuple((one.title, one.title) for one in known[1])
    return [
        Select("faction", message("Faction"), message("Any faction"), tuple(FACTIONS.items()), wish.faction),
        Select("cost", message("Cost"), message("Any cost"), costs, wish.asked.get("cost", "")),
        Select("set", pmessage("of cards", "Set"), message("Any set"), sets, wish.set),
    ]


def _opened(state: FleetState, query: QueryDict) -> shown.LineView | None:
    id = _number(query.get("line"))
    line = next((line for line in state.sheet.lines if line.id == id), None)
    return shown.line_view(state, line, newer_cards(state.sheet)) if line else None


def _assigned(state: FleetState) -> list[tuple[int, str | Message]]:
    """Where the resource can be assigned: the fleet, each ship, each card on one."""
    options: list[tuple[int, str | Message]] = [(FLEET, message("the whole fleet"))]
    for ship in state.sheet.ships:
        options.append((ship.line.id, ship.card.title))
        options += [
            (line.id, message("{card} on {ship}", card=line.card.title, ship=ship.card.title)) for line in ship.cards
        ]
    return options


def _moves(state: FleetState, line: CardLine) -> list[tuple[int, str | Message]]:
    """Where else the line can stand: the other ships, or beside them."""
    if line.card.kind in (CardKind.SHIP, CardKind.RESOURCE):
        return []
    here = state.sheet.ship_of(line.id)
    others: list[tuple[int, str | Message]] = [
        (ship.line.id, ship.card.title) for ship in state.sheet.ships if ship is not here
    ]
    return [*others, (FLEET, message("no ship"))] if here else others


def _hand_form(panel: shown.Adding, booster: bool) -> CardForm:
    kind = panel.kind or (CardKind.CREW if panel.ship else CardKind.SHIP)
    return CardForm(initial={"title": panel.title, "cost": panel.sp, "kind": kind}, booster=booster)


def _line_form(line: CardLine, booster: bool) -> LineForm:
    facts = {"cost_by_hand": line.cost_by_hand, "note": line.note, "booster": line.booster}
    return LineForm(initial=facts, booster=booster or line.booster)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 8 else FLEET


# the steps


def _add(request: HttpRequest, state: FleetState) -> BuilderStep:
    card = card_of(request.POST.get("card", ""))
    if card is None:
        raise Refused(message("This card is no longer in the catalogue. Search again or enter it by hand."))
    return _adding(request, state, card, booster=False, wish=_wish(request.POST, None).asked)


def _by_hand(request: HttpRequest, state: FleetState) -> BuilderStep:
    form = CardForm(request.POST, booster=_has_booster(state))
    if not form.is_valid():
        raise Invalid(hand=form)
    return _adding(request, state, form.card, booster=form.cleaned_data.get("booster", False), wish={})


def _adding(
    request: HttpRequest, state: FleetState, card: Card, *, booster: bool, wish: Mapping[str, str]
) -> BuilderStep:
    """`wish` are the filters of the search, which stay; a card typed by hand has a cost and a faction of its own."""
    at, kind = _number(request.POST.get("add")), request.POST.get("kind_filter", "")
    sheet = editing.add(state.sheet, card, at, booster=booster)
    then: dict[str, object]
    if card.kind is CardKind.SHIP:
        then = {"add": sheet.ships[-1].line.id, "kind": CardKind.CAPTAIN.value}
    elif card.kind is CardKind.RESOURCE or not sheet.ships:
        then = {}
    else:
        then = {"add": at, "kind": kind if at == FLEET or _has_room(sheet, at, kind) else ""}
    if then:
        then |= wish
    return BuilderStep(
        lambda sheet: editing.add(sheet, card, at, booster=booster),
        message("{card} added.", card=card.title),
        then,
        added=sheet.last_id,
    )


def _has_room(sheet: Sheet, at: int, kind: str) -> bool:
    ship = sheet.ship_of(at)
    return ship is not None and any(slot.kind == kind and slot.is_free for slot in shown.slots_view(ship, sheet))


def _of_line(
    did: Callable[[str], Message], change: Callable[[Sheet, int], Sheet]
) -> Callable[[HttpRequest, FleetState], BuilderStep]:
    def step(request: HttpRequest, state: FleetState) -> BuilderStep:
        id = _number(request.POST.get("line"))
        title = editing.line_of(state.sheet, id).card.title
        return BuilderStep(lambda sheet: change(sheet, id), did(title), {})

    return step


def _transfer(request: HttpRequest, state: FleetState) -> BuilderStep:
    id, to = _number(request.POST.get("line")), _number(request.POST.get("to"))
    title = editing.line_of(state.sheet, id).card.title
    return BuilderStep(lambda sheet: editing.transfer(sheet, id, to), message("{card} moved.", card=title), {})


def _write(request: HttpRequest, state: FleetState) -> BuilderStep:
    id = _number(request.POST.get("line"))
    line = editing.line_of(state.sheet, id)
    form = LineForm(request.POST, booster=line.booster or _has_booster(state))
    if not form.is_valid():
        raise Invalid(write=form)
    words = form.words
    did = message("{card} changed.", card=line.card.title)
    return BuilderStep(lambda sheet: editing.write(sheet, id, **words), did, {})


def _assign(request: HttpRequest, state: FleetState) -> BuilderStep:
    at = _number(request.POST.get("to"))
    return BuilderStep(lambda sheet: editing.assign_resource(sheet, at), message("Resource assigned."), {})


def _side(request: HttpRequest, state: FleetState) -> BuilderStep:
    side = request.POST.get("side", "")
    did = message("Side: {side}.", side=side) if side in state.sheet.month.sides else message("No side chosen.")
    return BuilderStep(lambda sheet: editing.choose_side(sheet, side), did, {})


def _refresh(request: HttpRequest, state: FleetState) -> BuilderStep:
    id = _number(request.POST.get("line"))
    card = newer_cards(state.sheet).get(id)
    if card is None:
        raise Refused(message("This card is already up to date."))
    did = message("{card} updated from the catalogue.", card=card.title)
    return BuilderStep(lambda sheet: editing.retype(sheet, id, card), did, {})


def _annotate(request: HttpRequest, state: FleetState) -> BuilderStep:
    form = NotesForm(request.POST)
    if not form.is_valid():
        raise Refused(*form.errors["notes"])
    notes = form.cleaned_data["notes"]
    return BuilderStep(lambda sheet: editing.write_notes(sheet, notes), message("Notes changed."), {})


STEPS: dict[str, Callable[[HttpRequest, FleetState], BuilderStep]] = {
    "add": _add,
    "by_hand": _by_hand,
    "remove": _of_line(lambda card: message("{card} removed.", card=card), editing.remove),
    "duplicate": _of_line(lambda card: message("{card} duplicated.", card=card), editing.duplicate),
    "up": _of_line(lambda card: message("{card} moved up.", card=card), lambda sheet, id: editing.move(sheet, id, -1)),
    "down": _of_line(
        lambda card: message("{card} moved down.", card=card), lambda sheet, id: editing.move(sheet, id, 1)
    ),
    "transfer": _transfer,
    "write": _write,
    "assign": _assign,
    "side": _side,
    "refresh": _refresh,
    "annotate": _annotate,
}


# what is no step of building


def _undo(request: HttpRequest, state: FleetState) -> HttpResponse:
    try:
        actions.undo(state.row, by=stamp(request, state.row.player), number=_number(request.POST.get("step")) or None)
    except Refused as error:
        return _show(request, state_of_fleet(state.row), refused=error.reasons, status=409)
    return _on(request, state.row, {})


def _rename(request: HttpRequest, state: FleetState) -> HttpResponse:
    form = NameForm(request.POST)
    if not form.is_valid():
        return _show(request, state, name=form, status=422)
    actions.rename(state.row, form.cleaned_data["name"])
    return _on(request, state.row, {})


def _copy(request: HttpRequest, state: FleetState) -> HttpResponse:
    try:
        copy = actions.copy_fleet(state.row, by=stamp(request, state.row.player))
    except Refused as error:
        return _show(request, state, refused=error.reasons, status=409)
    messages.success(request, str(message("{copy} is a copy of {fleet}.", copy=copy.name, fleet=state.row.name)))
    return redirect(address(fleet_with_event(copy.pk)))


def _delete(request: HttpRequest, state: FleetState) -> HttpResponse:
    try:
        actions.delete_fleet(state.row)
    except Refused as error:
        return _show(request, state_of_fleet(state.row), refused=error.reasons, status=409)
    messages.success(request, str(message("{fleet} deleted.", fleet=state.row.name)))
    return redirect("my_fleets", state.row.player.store.slug)


def _only_own(request: HttpRequest, state: FleetState) -> HttpResponse:
    """The switch of the search: only cards of the player's own sets, or all."""
    player_cards.look_in_own_sets(state.row.player, alone="only" in request.POST)
    wish = {name: value for name in ("add", "kind", "q") if (value := request.POST.get(name, ""))}
    return _on(request, state.row, wish | _wish(request.POST, None).asked)


def _share(request: HttpRequest, state: FleetState) -> HttpResponse:
    try:
        actions.share(state.row)
    except Refused as error:
        return _show(request, state, refused=error.reasons, status=409)
    return redirect(f"{address(state.row)}#share")


def _withdraw(request: HttpRequest, state: FleetState) -> HttpResponse:
    actions.withdraw(state.row)
    messages.success(request, str(message("Link removed. No one can open it anymore.")))
    return redirect(f"{address(state.row)}#share")


OTHER_ACTS: dict[str, Callable[[HttpRequest, FleetState], HttpResponse]] = {
    "undo": _undo,
    "rename": _rename,
    "copy": _copy,
    "delete": _delete,
    "only_own": _only_own,
    "share": _share,
    "withdraw": _withdraw,
}
