"""Small template helpers of the design system; see docs/design.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.template.base import FilterExpression, Parser, Token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from scoring.domain.words import bonus_sentence
from tourney import kept as kept_things

register = template.Library()

CLASS = 'class="'
INDENTS = re.compile(r"\s*\n\s*")
MARKS = frozenset(
    {
        "federation",
        "klingon",
        "romulan",
        "dominion",
        "borg",
        "species-8472",
        "kazon",
        "xindi",
        "bajoran",
        "ferengi",
        "vulcan",
        "independent",
        "mirror-universe",
        "q-continuum",
    }
)


@register.filter
def faction_slug(name: str) -> str:
    """The mark of a faction by its display name (rule 7.4), "other" for any name without a mark of its own."""
    slug = slugify(name)
    return slug if slug in MARKS else "other"


@register.filter
def signed(points: int) -> str:
    """A part of a sum as people write it: 20 is "+20", -35 is "−35" with a real minus, 0 is "0"."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


register.filter(bonus_sentence)


@register.simple_tag
def faction(name: str, *, short: bool = False, chip: bool = False) -> SafeString:
    """The mark and the name of a faction (parts/faction.html), for tables of many rows: made once for each faction."""
    return _faction(name, short, chip)


@lru_cache(maxsize=200)
def _faction(name: str, short: bool, chip: bool) -> SafeString:
    return render_to_string("parts/faction.html", {"faction": name, "short": short, "chip": chip})


@register.simple_tag
@lru_cache(maxsize=5000)
def address(name: str, *args: str | int) -> str:
    """What {% url %} gives, for tables of many rows: made once for each row."""
    return reverse(name, args=args)


@register.simple_tag
def points_cells(points: Sequence[int]) -> SafeString:
    """Battle and Fleet Points of a row of a table, which are numbers: nothing to escape, which takes longest."""
    battle, fleet = points
    return mark_safe(f'<td class="n total">{battle:d}</td><td class="n">{fleet:d}</td>')


@register.simple_tag
def round_cells(rounds: Sequence[tuple[int, str] | None]) -> SafeString:
    """The same round by round, with a word of our own where nobody was met."""
    return mark_safe("".join(f'<td class="n">{_in_round(*points) if points else "–"}</td>' for points in rounds))


def _in_round(battle: int, fleet: str) -> str:
    return f'<span class="round-score">{battle:d} <small>{fleet}</small></span>'


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """{% kept state "names" round.number %}…{% endkept %}: rendered once for a state that many readers share.

    What stands inside depends on the state and on the other arguments alone. Whose page it is shows afterwards: the
    class `me-7-` becomes `is-me` where the context's `me` is 7.
    """
    state, *key = token.split_contents()[1:]
    nodes = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(parser.compile_filter(state), [parser.compile_filter(part) for part in key], nodes)


class Kept(template.Node):
    def __init__(self, state: FilterExpression, key: list[FilterExpression], nodes: template.NodeList):
        self.state, self.key, self.nodelist = state, key, nodes

    def render(self, context: template.Context) -> SafeString:
        state, key = self.state.resolve(context), tuple(part.resolve(context) for part in self.key)
        html = state.once(("html", key), lambda: self._made(context))
        return mark_safe(_with_own(html, context.get("me")))

    def _made(self, context: template.Context) -> SafeString:
        """With numbers as Python writes them, which is how they are shown anyway and three times as fast.

        Without the indents of the templates, half of a long list, which is compressed for every reader.
        """
        before, context.use_l10n = context.use_l10n, False
        html = self.nodelist.render(context)
        context.use_l10n = before
        return mark_safe(INDENTS.sub("\n", html))


@register.tag
def once(parser: Parser, token: Token) -> Once:
    """{% once line.facts slug %}…{% endonce %}: a row of a long table, rendered once for all that have these facts.

    What stands inside depends on the arguments alone. After a correction most rows of the new table are as they were.
    """
    facts = token.split_contents()[1:]
    nodes = parser.parse(("endonce",))
    parser.delete_first_token()
    return Once([parser.compile_filter(fact) for fact in facts], nodes)


class Once(template.Node):
    def __init__(self, facts: list[FilterExpression], nodes: template.NodeList):
        self.facts, self.nodelist = facts, nodes

    def render(self, context: template.Context) -> SafeString:
        key = (self, *(fact.resolve(context) for fact in self.facts))
        return ROWS.get(key, None, lambda _: self.nodelist.render(context))


ROWS: kept_things.Kept[SafeString] = kept_things.Kept(8192)


def _with_own(html: str, number: int | None) -> str:
    """With the classes `me-7-` of that number made `is-me`; what only looks like one, as a name may, stays."""
    if number is None:
        return html
    first, *rest = html.split(f"me-{number}-")
    done = [first]
    for piece in rest:
        is_class = '"' not in done[-1][done[-1].rfind(CLASS) + len(CLASS) :] if CLASS in done[-1] else False
        done += ["is-me" if is_class else f"me-{number}-", piece]
    return "".join(done)
