"""Small template helpers of the design system; see docs/design.md."""

from __future__ import annotations

import re

from django import template
from django.template.base import FilterExpression, Parser, Token
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

register = template.Library()

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
        html = state.once(("html", key), lambda: self.nodelist.render(context))
        own = rf'(class="[^"<>]*)\bme-{context.get("me")}-'  # in an attribute: no name can look like that, escaped
        return mark_safe(re.sub(own, r"\1is-me", html))
