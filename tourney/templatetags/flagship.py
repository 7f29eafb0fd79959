"""Small template helpers of the design system; see docs/design.md."""

from __future__ import annotations

from django import template
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
