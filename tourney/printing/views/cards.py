"""Cards of players on paper: chosen, issued and shown once, to be cut and handed out."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions import player_cards
from tourney.actions.record import Refused
from tourney.models import Event, Player, PlayerCard
from tourney.printing.domain.documents import cut_and_stack
from tourney.printing.forms.documents import CardsForm
from tourney.printing.queries.documents import by_name
from tourney.printing.views.documents import show_paper
from tourney.queries.player_cards import cards_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import message
from tourney.views import frame, responses
from tourney.views.addresses import card_link

CARDS_PER_PAGE = 8


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def print_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """Whose cards are printed. Each is a new key, so that whoever has a card already is asked about first."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    form = _form(request, state)
    if request.method != "POST":
        return _ask(request, state, form)
    if not form.is_valid():
        return _ask(request, state, form, status=422)
    try:
        issued = player_cards.issue_all(form.chosen, replacing=form.replacing, by=responses.actor_of_request(request))
    except Refused:
        now = _form(request, state)
        return _ask(request, state, now, in_use=now.in_use if now.is_valid() else (), status=409)
    return _print(request, event, issued, size=form.paper)


def _form(request: HttpRequest, state: EventState) -> CardsForm:
    people = [entrant for entrant in by_name(state.entrants) if entrant.player.forgotten_at is None]
    cards = cards_of(entrant.player for entrant in people)
    return CardsForm(responses.posted(request), people=people, cards=cards, locale=state.event.store.locale)


def _ask(
    request: HttpRequest,
    state: EventState,
    form: CardsForm,
    *,
    in_use: Sequence[tuple[Player, PlayerCard]] = (),
    status: int = 200,
) -> HttpResponse:
    context = frame.desk_context(request, state, "print", form=form, in_use=in_use)
    return responses.show(request, "paper/cards_of.html", context, status=status)


def _print(request: HttpRequest, event: Event, issued: Iterable[player_cards.Issued], *, size: str) -> HttpResponse:
    responses.speak_as_store(event.store)
    cards = [{"player": one.player, "words": one.words, **card_link(request, one.key)} for one in issued]
    lying = cut_and_stack(len(cards), CARDS_PER_PAGE)
    document = {
        "kind": "cards",
        "template": "paper/cards.html",
        "title": message("Player cards"),
        "has_codes": True,
        "sheets": [[cards[place] for place in sheet] for sheet in lying],
    }
    return show_paper(request, event, [document], size=size, back=reverse("print_centre", args=[event.slug]))
