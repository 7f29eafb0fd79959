"""Small template helpers of the design system; see docs/design.md."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from scoring.domain.played import capital
from scoring.domain.roll_offs import FACE_NAMES
from scoring.domain.standings import Standing
from scoring.domain.words import bonus_sentence
from tourney.models import Event
from tourney.queries.faction_marks import faction_slug
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, Printed, message
from tourney.runtime.shared_html import LONG, OwnHtml, Pieces, SharedHtml, with_own
from tourney.templatetags.desk_form import KEPT, PLACE, with_desk_forms

register = template.Library()

USUAL_POLL = 5  # seconds

register.filter(faction_slug)


@register.filter
def signed(points: int) -> str:
    """A part of a sum as people write it: 20 is "+20", -35 is "−35" with a real minus, 0 is "0"."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


@register.filter
def as_user(name: str) -> SafeString:
    """Who is signed in, within the button to sign out: a phone's header has no room for it and lets it be heard."""
    return format_html('<span class="user-name">{}</span>', name)


@register.filter
def face_name(face: str) -> Message | str:
    """What people read for the face of a die that was rolled."""
    return FACE_NAMES.get(face, face)


@register.filter
def title_or_rank(line: Standing) -> str | Message:
    """What somebody in the final ranks is called: Admiral, or "Rank 3"."""
    return line.title or message("Rank {rank}", rank=line.rank)


@register.simple_tag
def poll() -> SafeString:
    """After how many seconds a page without a stream asks, where that is not what `live.js` knows."""
    seconds = settings.POLL_SECONDS
    return SafeString("") if seconds == USUAL_POLL else format_html('data-poll="{}"', seconds)


@register.filter
def takes_sign_ups(event: Event) -> bool:
    """Whether players may register themselves now."""
    return event.takes_sign_ups(timezone.now())


register.filter(bonus_sentence)
register.filter(capital)


@register.filter
def marked(text: str) -> SafeString:
    """A text of data, marked with its language where that is not the page's: screen readers change their voice."""
    if isinstance(text, Printed) and (language := text.language) != get_language():
        is_translated = language == "en" and gettext(text.as_written) != text.as_written
        if text and not is_translated:
            return format_html('<span lang="{}">{}</span>', language, str(text))
    return conditional_escape(text)


@register.simple_tag
def faction(name: str, *, short: bool = False, chip: bool = False) -> SafeString:
    """The mark and the name of a faction (parts/faction.html), for tables of many rows: made once for each faction."""
    return _faction(name, short, chip, get_language())


@lru_cache(maxsize=200)
def _faction(name: str, short: bool, chip: bool, language: str) -> SafeString:
    return mark_safe(render_to_string("parts/faction.html", {"faction": name, "short": short, "chip": chip}).strip())


@register.simple_tag
@lru_cache(maxsize=20_000)
def address(name: str, *args: str | int) -> str:
    """What {% url %} gives, for tables of many rows: made once for each row."""
    return reverse(name, args=args)


@register.simple_tag(takes_context=True)
def kept(context: template.Context, shared: EventState, file: str, **facts: object) -> SafeString:
    """{% kept state "event/parts/names.html" names=names %}: a template, rendered once for all who read that state.

    It sees `facts` and nothing else, so it cannot say to one reader what stands on the page of another. The same facts
    are the same objects, or equal words and numbers: what is listed there comes from `state.memoized`. Whose page it is
    shows afterwards: the class `me-7-` becomes `is-me` where the context's `me` is 7, and forms of the desk get the
    reader's own token (`desk_form.PLACE`).
    """
    key = ("html", file, *((fact, _identity(value)) for fact, value in sorted(facts.items())))
    html, _ = shared.memoized(key, lambda: (_rendered(_engine_of(context), file, facts), facts))
    pieces: Pieces | None = getattr(context.get("request"), "pieces", None)
    if pieces is None or len(html) < LONG or PLACE in html:
        return mark_safe(with_desk_forms(context, with_own(html, context.get("me"))))
    long = shared.memoized(("shared", key), lambda: SharedHtml(html))
    return mark_safe(pieces.put(OwnHtml(long, context.get("me"))))


def _identity(value: object) -> Hashable:
    """What two equal facts have in common; of an object its id, which is nobody else's while the fact is kept."""
    return (type(value), value) if value is None or isinstance(value, str | int) else id(value)


def _engine_of(context: template.Context) -> template.Engine:
    """The engine of the template that is rendered. Raises LookupError outside of one."""
    if context.template is None:
        raise LookupError("the context belongs to no template")
    return context.template.engine


def _rendered(engine: template.Engine, file: str, facts: dict[str, object]) -> SafeString:
    """With numbers as Python writes them, which is how they are shown anyway and three times as fast."""
    return engine.get_template(file).render(template.Context(facts | {KEPT: True}, use_l10n=False))
