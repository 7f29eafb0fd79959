"""The tools of the judge's desk, in the order in which they are shown; what was searched for, highlighted."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from tourney import access
from tourney.judge.domain.rulings import Piece
from tourney.judge.queries.dice import FACES
from tourney.models import Store
from tourney.queries.my_card import event_named, tonight_of
from tourney.runtime.messages import Message, message

register = template.Library()

BLANK = mark_safe("&#32;")
TO_CARD, TO_DESK = message("Back to my card"), message("Back to the desk")
TO_EVENT = message("Back to the event")


@dataclass(frozen=True, slots=True)
class Tool:
    """A page of the judge's desk by the name of its URL, and of the one that a store has of its own, if it has one."""

    title: Message
    says: Message
    icon: str
    url: str
    store_url: str


@dataclass(frozen=True, slots=True)
class WayBack:
    """The page that a reader of the rules came from, of an event by its `name`; the `query` carries it on."""

    address: str
    label: Message
    name: str = ""
    query: str = ""


TOOLS = (
    Tool(
        message("Rulings"),
        message("Search every additional rule, card and erratum."),
        "search",
        "rulings",
        "store_rulings",
    ),
    Tool(
        message("Rule of 3"),
        message("Work out a value with all its modifiers, step by step."),
        "plus",
        "judge_rule_of_3",
        "store_rule_of_3",
    ),
    Tool(
        message("Dice"), message("Roll attack and defense dice and see the odds."), "dice", "judge_dice", "store_dice"
    ),
    Tool(
        message("Roll-offs"),
        message("Settle ties and scenario rolls with dice."),
        "swap",
        "judge_scenarios",
        "store_scenarios",
    ),
    Tool(
        message("Talon power record"),
        message("Legal speeds, impulses and power spending."),
        "flag",
        "judge_talon_power",
        "store_talon_power",
    ),
)


@register.simple_tag(takes_context=True)
def judge_tools(context: template.Context) -> list[dict[str, object]]:
    """Each tool with its address, at the page's store if it has one there, and whether the page belongs to it."""
    store, here = context.get("store"), context["request"].path
    back = way_back(context)
    query = back.query if back else ""
    shown = [(tool, _address(tool, store)) for tool in TOOLS]
    return [{"tool": tool, "address": to + query, "is_here": here.startswith(to)} for tool, to in shown]


@register.simple_tag(takes_context=True)
def way_back(context: template.Context) -> WayBack | None:
    """Where the reader came from: a player whose card this device holds, from tonight's card, else that of the store.

    Anybody else from the event that the address names, from its desk who works there.
    """
    store, request = context.get("store"), context["request"]
    if store is None:
        return None
    if player := access.player_at(request, store):
        event = tonight_of(player, timezone.now(), access.last_event(request))
        address = reverse("me", args=[event.slug]) if event else reverse("my_card", args=[store.slug])
        return WayBack(address, TO_CARD, event.name if event else "")
    event = event_named(store, request.GET.get("event", ""))
    if event is None:
        return None
    page, label = ("desk", TO_DESK) if access.role_at(request, store) else ("event", TO_EVENT)
    query = "?" + urlencode({"event": event.slug})
    return WayBack(reverse(page, args=[event.slug]), label, event.name, query)


def _address(tool: Tool, store: Store | None) -> str:
    return reverse(tool.store_url, args=[store.slug]) if store else reverse(tool.url)


@register.filter
def face_name(face: str) -> Message | str:
    """What a page calls the face of a die."""
    return FACES.get(face, "")


@register.filter
def highlighted(pieces: Iterable[Piece]) -> SafeString:
    """A text by its pieces, with `<mark>` around those that were searched for; a blank between two of these stays one.

    (`{% spaceless %}` takes any other away.)
    """
    shown = (format_html("<mark>{}</mark>", one.text) if one.highlighted else _text(one.text) for one in pieces)
    return mark_safe("".join(shown))


def _text(text: str) -> SafeString:
    return BLANK if text == " " else escape(text)
